package world

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/limina-mcp/limina/world/convex"
	"github.com/limina-mcp/limina/world/terrain"
)

// Config sets a world up. The zero value is useful.
type Config struct {
	Seed        uint64  // of the random source
	MaxEntities int     // default 1,000,000; Create then answers capacity_exceeded
	MaxTags     int     // of all entities together; default 8,388,608
	CellSize    float64 // of the grid, in metres; default 8, within 0.01 to 1e6
	StepRate    int     // simulation steps in a second of Run; default 60

	// Attended says whether there is somebody for whom time should go on; nil: there always is. While
	// there is nobody, [World.Run] takes steps only as long as there is something that cannot wait;
	// see [World.OnStep]. It must not block. That somebody has come, or the last has gone, is to be told by
	// [World.Wake].
	Attended func() bool

	// Alarm is what Run sleeps by; default: Go's timers.
	Alarm Alarm

	// StepFailed is told of an OnStep function that returned an error or panicked; its changes in
	// that step are gone. It runs under the world's lock and must not call the world.
	StepFailed func(name string, err error)
}

func (c Config) withDefaults() Config {
	if c.MaxEntities <= 0 {
		c.MaxEntities = 1_000_000
	}
	if c.MaxTags <= 0 {
		c.MaxTags = 1 << 23
	}
	if !(c.CellSize > 0) {
		c.CellSize = 8
	}
	c.CellSize = min(max(c.CellSize, 0.01), 1e6)
	if c.StepRate <= 0 {
		c.StepRate = 60
	}
	if c.Alarm == nil {
		c.Alarm = make(timer, 1)
	}
	if c.StepFailed == nil {
		c.StepFailed = func(string, error) {}
	}
	return c
}

// World is all authoritative state. All methods may be called concurrently; see the package
// documentation for who waits for whom.
type World struct {
	// What every world has. They are declared like those of any other package.
	Shapes      *Component[Shape]
	Materials   *Component[Material]
	Bodies      *Component[Body]
	Lights      *Component[Light]
	Grounds     *Component[Ground]
	Waters      *Component[Water]
	Environment Environment
	models      func(v *View, id ID) *convex.Model // see SetModels

	config  Config
	tiles   terrain.Cache // of Grounds
	ticks   atomic.Uint64 // the number of the newest commit; written under mu
	steps   atomic.Uint64 // simulation steps taken; written under mu
	missed  atomic.Uint64 // steps that Run left out
	scale   atomic.Uint64 // bits of the TimeScale that Run goes by; written under mu
	running atomic.Bool   // Run is going on
	still   atomic.Bool   // time stands still, and Run waits for something to happen
	rest    rest          // of Run, while time passes

	observers listeners[func(*Commit)]
	helpers   listeners[Helper]

	mu         lock // guards everything below
	view       View
	tx         Tx
	entities   entities
	grid       grid
	children   map[ID]*idSet // of those that carry any
	names      *Component[string]
	tags       *Component[[]string]
	tagged     map[string]*idSet
	tagCount   int // of all entities
	random     rand.PCG
	states     []state
	byName     map[string]state
	retired    []string // names of state that kept worlds may hold, and is left out
	columns    []column
	kindred    []column // the columns that say how an entity stands to others
	stepping   []stepper
	gates      []func() <-chan struct{}
	ending     []func(*View, []Change)
	dying      []func(*Tx, ID)
	reparented []func(tx *Tx, id, before ID) error
	dones      []func(*Tx) error
	undoing    []func(*Tx) error
	following  []func(*Tx) error
	restoring  []func(*Tx, uint64) error
	ledger     ledger
	tracker    *Tracker // nil: nobody writes the world down
	claims     *Table[string, Claim]
	holders    *Table[string, bool] // tokens that are for many names, and who has one of his own
	onHolders  []func(tx *Tx) error
	holding    Holding
}

// New returns an empty world.
func New(config Config) *World {
	w := &World{
		config:   config.withDefaults(),
		children: map[ID]*idSet{},
		tagged:   map[string]*idSet{},
		byName:   map[string]state{},
	}
	w.grid = newGrid(w.config.CellSize)
	w.random = *rand.NewPCG(w.config.Seed, 0)
	w.ledger = newLedger(w)
	w.view.w = w
	w.tx.w = w
	w.tx.rand = rand.New(source{&w.tx})
	w.names = NewComponent[string](w, "name", Single)
	w.tags = NewComponent[[]string](w, "tags", Single)
	w.Shapes = NewComponent[Shape](w, "shape")
	w.Materials = NewComponent[Material](w, "material")
	w.Bodies = NewComponent[Body](w, "rigidBody")
	w.Lights = NewComponent[Light](w, "light")
	w.Grounds = NewComponent[Ground](w, "ground")
	w.Waters = NewComponent[Water](w, "water")
	w.Environment = newEnvironment(w)
	w.scale.Store(math.Float64bits(1))
	w.OnCommit(w.keepTime)
	w.claims = NewTable[string, Claim](w, "claims", MaxClaims, Private, Lasting)
	w.holders = NewTable[string, bool](w, "holders", MaxHolders, Private, Lasting)
	w.OnStep("claims", w.expire, BusyWhile(func(v *View) bool { return w.claims.Len(v) > 0 }))
	return w
}

// Tick returns the number of the newest commit, 0 before the first.
func (w *World) Tick() uint64 { return w.ticks.Load() }

// Steps returns how many simulation steps the world has taken.
func (w *World) Steps() uint64 {
	w.keepUp()
	return w.steps.Load()
}

// Missed returns how many steps [World.Run] left out because the machine could not keep up.
func (w *World) Missed() uint64 { return w.missed.Load() }

// StepRate returns how many steps make a second.
func (w *World) StepRate() int { return w.config.StepRate }

// StepsIn returns how many steps take a time in seconds: none for 0 and less, else as many as last that long, to a millionth of a step, and
// no fewer than one. It is 2^53 at most.
func (w *World) StepsIn(seconds float64) uint64 {
	if !(seconds > 0) {
		return 0
	}
	steps := float64(seconds * float64(w.config.StepRate))
	return uint64(min(max(math.Ceil(steps-1e-6), 1), 1<<53))
}

// Seconds returns how long a number of steps takes.
func (w *World) Seconds(steps uint64) float64 { return float64(steps) / float64(w.config.StepRate) }

// state is anything that holds journaled state under a name: a component, a table, a global.
type state interface {
	key() string
	writable() error // whether JSON has a way to say its values; under the lock
	undo(tx *Tx, r *record)
	settle()              // the Tx is over: forget the inverses
	digest(h *hasher)     // everything that it holds, in a canonical order
	append([]byte) []byte // as JSON, for what belongs to no entity; a column appends nothing
	base() *stateBase
	keeper
}

// stateBase is what all of them have.
type stateBase struct {
	w       *World
	name    string
	number  uint32 // place in w.states
	private bool
	single  bool
	lasting bool
	derived bool
	used    bool // has inverses of the open Tx
	dirty   bool // has changed in the open Tx
	cursor  int  // how many of the inverses the ledger has seen
}

func (b *stateBase) key() string      { return b.name }
func (b *stateBase) base() *stateBase { return b }

// Check reports what is declared whose values cannot be written as JSON, and initial values that Set would refuse. A
// declaration does not look: types take longer to understand than all else that a start does for them. So a test
// of what declares state asks here.
func (w *World) Check() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var errs []error
	for _, s := range w.states {
		errs = append(errs, s.writable())
	}
	return errors.Join(errs...)
}

// Trait says something about a component, a table or a global, where it is declared.
type Trait uint8

const (
	// Private state is no part of what viewers are shown: of entity fragments, of the changes of a
	// commit. It is as authoritative as any other: journaled, hashed and replayed.
	Private Trait = iota + 1

	// Lasting state stays as it is when something is undone or a checkpoint is loaded. It is no part
	// of [View.ContentHash].
	Lasting

	// Derived state follows from other state, as an index does, or is of the moment, as where a character is sent. It is no part of what an undo takes back, so none is refused
	// because two agents have changed the same piece of it: a function of [World.OnFollow] makes what follows from other state what it has to be. Only an
	// entity that was destroyed, and comes back, has its derived components again.
	Derived

	// Single marks a component that says something of one entity only, such as whose body it is: a
	// clone of the entity does not get it.
	Single
)

// declare adds a state to the world. The name must be free: two packages that declare the same one
// are a programmer's mistake.
//
// Whether s is a column is said by who knows: to find it out would be, for each type, the work of many
// declarations.
func (w *World) declare(s state, col column, name string, traits []Trait) {
	if name == "" {
		panic("world: a component, table or global has no name")
	}
	if strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r == utf8.RuneError }) {
		panic(fmt.Sprintf("world: the name %q cannot stand in JSON as it is: no quotation marks, backslashes or control characters", name))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if reserved(name) {
		panic("world: the name " + name + " is taken: viewers get it with every entity")
	}
	if w.byName[name] != nil {
		panic("world: the name " + name + " is declared twice")
	}
	if w.tracker != nil { // what was kept of it was not found, and would not be known the next time
		panic("world: " + name + " is declared after the world is kept: declare it before")
	}
	*s.base() = stateBase{
		w: w, name: name, number: uint32(len(w.states)),
		private: slices.Contains(traits, Private), single: slices.Contains(traits, Single),
		lasting: slices.Contains(traits, Lasting), derived: slices.Contains(traits, Derived),
	}
	w.states = append(w.states, s)
	w.byName[name] = s
	if col != nil {
		w.columns = append(w.columns, col)
	}
}
