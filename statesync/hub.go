package statesync

import (
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/limina-mcp/limina/world"
)

// Config sets a hub up. The zero value is useful.
type Config struct {
	Precision int // bits behind the binary point of packed and binary positions, 1 to 16; default 6: 1/64 m
	History   int // changes that are remembered for those who resume; default 32,768, negative: none
	MaxViews  int // subscriptions of one connection; default 256
	AllViews  int // subscriptions of all connections together, of which those of one owner, see Feed.For, have as many as are left for others; default 262,144: each takes 0.8 kB, however little it sees
	MaxEvents int // moments that wait for one view, the newest are kept, and it is told how many were not; default 64
	MaxHeld   int // entities in all views of one connection together; default 2,097,152
	MaxAll    int // entities in all views of all connections together, of which those of one owner, see Feed.For, have as many as are left for others; default 16,777,216

	// Epoch tells this run of the world from others whose ticks mean something else; default: a random text.
	Epoch string
}

func (c Config) withDefaults() Config {
	if c.Precision <= 0 {
		c.Precision = 6
	}
	c.Precision = min(c.Precision, 16)
	if c.History == 0 {
		c.History = 1 << 15
	}
	c.History = max(c.History, 0)
	if c.MaxViews <= 0 {
		c.MaxViews = 256
	}
	if c.AllViews <= 0 {
		c.AllViews = 1 << 18
	}
	if c.MaxEvents <= 0 {
		c.MaxEvents = 64
	}
	if c.MaxHeld <= 0 {
		c.MaxHeld = 1 << 21
	}
	if c.MaxAll <= 0 {
		c.MaxAll = 1 << 24
	}
	if c.Epoch == "" {
		c.Epoch = strconv.FormatUint(rand.Uint64(), 36)
	}
	return c
}

// Hub turns the commits of a world into what its viewers are to be told. A world has one Hub. All
// methods may be called concurrently, but not from inside a transaction or a view of the world.
type Hub struct {
	w       *world.World
	config  Config
	quantum quantum
	chunk   int // entities that are read at a time: so long does everybody else wait
	piece   int // entities of a snapshot that are written at a time
	spare   int // slots of a view that are never too many
	share   int // more than that are if fewer than one in so many are in use

	scratches sync.Pool // of *scratch

	encoded atomic.Uint64

	// mu is locked for writing by commits and by what changes areas, for reading by those who pull.
	// Who needs the world too locks the world first.
	mu      sync.RWMutex
	started bool // somebody has subscribed: before that, commits are not observed
	closed  bool
	stop    func() // ends the observation; nil before it has begun
	tick    uint64
	step    uint64
	grid    grid
	records records
	names   names
	shared  sharedStates
	hung    map[world.ID][]pinKey // rows that are where an entity is
	history history
	views   []*View // in no order
	ended   tally   // by views that are none of them any more
	waking  []*Feed // feeds that the running commit has to wake
	roomy   []*View // views that are to be shrunk at the end of the running commit

	partScratch partScratch
	fetched     uint64 // by fetch

	holders map[string]*holder // by name

	held    int // entities in all views, and those that are yet to be read into them, when they were counted last
	entered int // … how many have entered since
	overs   int // feeds that are over, and not closed yet
}

// New returns a hub that observes a world, from the first subscription until Close.
func New(w *world.World, config Config) *Hub {
	h := &Hub{w: w, config: config.withDefaults(), chunk: 512, piece: 2048, spare: 1024, share: 8}
	h.quantum = newQuantum(h.config.Precision)
	h.history.limit = h.config.History
	return h
}

// Epoch returns what Config calls it. Snapshots carry it.
func (h *Hub) Epoch() string { return h.config.Epoch }

// Close ends the observation, for good: views are told nothing of what happens from then on, and there are no new ones ([ErrClosed]). What
// was due before may still be pulled. It may be called more than once.
func (h *Hub) Close() {
	h.mu.Lock()
	stop := h.stop
	h.closed, h.stop = true, nil
	h.mu.Unlock()
	if stop != nil {
		stop()
	}
}

// Helper is who pulls from feeds, for many viewers.
type Helper = world.Helper

// Help has the goroutine that steps the world lend itself to helper: see [world.World.Help].
func (h *Hub) Help(helper Helper) (stop func()) { return h.w.Help(helper) }

// tally is how much was told. Views count for themselves: to count in one place, the processors would have to pass it to and fro
// with each message.
type tally struct{ messages, bytes uint64 }

// Stats says how much a hub has to do.
type Stats struct {
	Views    int    // subscriptions
	Entities int    // entities that some view holds
	Encoded  uint64 // JSON fragments that were written
	Messages uint64 // snapshots and deltas
	Bytes    uint64 // of messages
}

// Stats returns figures for whoever watches the server.
func (h *Hub) Stats() Stats {
	h.mu.Lock() // not for reading: those who pull count
	defer h.mu.Unlock()
	s := Stats{Views: len(h.views), Entities: h.records.n, Encoded: h.encoded.Load(), Messages: h.ended.messages, Bytes: h.ended.bytes}
	for _, v := range h.views {
		s.Messages += v.tally.messages
		s.Bytes += v.tally.bytes
	}
	return s
}

// start begins to follow the world, if that has not begun. The hub is not closed. The world is locked, and h.mu.
func (h *Hub) start(v *world.View) {
	h.step = v.Step() // it grows without commits too
	if h.started {
		return
	}
	h.started = true
	h.stop = h.w.Observe(h.observe)
	h.tick = v.Tick()
	h.history.floor = h.tick
	h.shared.read(h, v, h.tick)
}
