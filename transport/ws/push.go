package ws

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// keepBuffer is the largest buffer that is kept for later use.
const keepBuffer = 1 << 20

// OnRoom sets where what is pushed comes from. After [Conn.Wake], fill is called when the peer has
// room for more: on a goroutine of the endpoint's or on the one of [Endpoint.Release], one call at a time. It appends sealed messages to dst
// and must not wait; if it leaves some for later it calls Wake itself.
//
// source stands for where it comes from: Options.Ahead is shown it before fill is called.
//
// Call it once, before the first Wake.
func (c *Conn) OnRoom(fill func(dst []byte) []byte, source any) { c.room.Store(&room{fill, source}) }

// room is what OnRoom has set.
type room struct {
	fill   func(dst []byte) []byte
	source any
}

// Wake says that there is something to push. It never waits.
func (c *Conn) Wake() {
	if c.room.Load() != nil && !c.queued.Swap(true) {
		c.shard.add(c)
	}
}

// push writes what is due, if nobody else is writing and the peer takes it; else it will be called
// again. buf is room for it; what it returns is room for the next.
func (c *Conn) push(buf []byte) []byte {
	c.queued.Store(false)
	if !c.link.turn.try() {
		return buf
	}
	out := c.room.Load().fill(buf[:0])
	if len(out) == 0 {
		c.link.yield()
		return out
	}
	c.shard.pushed.Add(uint64(len(out)))
	c.shard.served++
	c.served = c.shard.served
	if c.link.offer(out) || cap(out) > keepBuffer {
		return nil
	}
	return out
}

// shard is who pushes to a share of the connections: a goroutine, or whoever lends it another one. Each time everybody is taken who has
// asked, who was served longest ago first, but for those of who has many, see take. The order of asking would not be fair where there is more to do than
// the processors can: whoever was served since the last commit asks at the next one, all at once and
// always in the same order, so that some would get behind others who were served after them, each time.
type shard struct {
	some  chan struct{}              // the goroutine is to look into queue
	held  *atomic.Bool               // Endpoint.held
	ahead func(sources []any) uint64 // Options.Ahead, may be nil

	pushed atomic.Uint64 // bytes; each shard counts for itself: to count in one place, processors would have to pass it to and fro

	pushing sync.Mutex // guards what follows: held by who pushes
	served  uint64     // how often something was pushed
	batch   []*Conn
	ranks   map[uint32]uint32 // of take
	buf     []byte
	sources []any
	looked  uint64 // of look: nobody asks for it, but without it there would be nothing to look for

	mu    sync.Mutex // guards queue
	queue []*Conn
}

func newShard(held *atomic.Bool, ahead func([]any) uint64) *shard {
	return &shard{some: make(chan struct{}, 1), held: held, ahead: ahead}
}

func (s *shard) add(c *Conn) {
	s.mu.Lock()
	s.queue = append(s.queue, c)
	n := len(s.queue)
	s.mu.Unlock()
	if n == 1 && !s.held.Load() || n == maxLent+1 && s.held.Load() {
		s.call()
	}
}

// call has the goroutine look into the queue.
func (s *shard) call() {
	select {
	case s.some <- struct{}{}:
	default:
	}
}

func (s *shard) length() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.queue)
}

// maxTurn is for how long a shard pushes before it lets others run, and lookEvery after how many pushes it
// looks at the clock. Where there is more to do than the processors can, the world has to go on all the
// same: it is the shards that have too much to do.
const (
	maxTurn   = 2 * time.Millisecond
	lookEvery = 8
)

// aheadOf is how many connections a shard looks at before it pushes to them.
const aheadOf = 16

// look shows Options.Ahead what is pushed next, and looks at the connections themselves on the way, all at once: see there.
func (s *shard) look(batch []*Conn) {
	s.sources = s.sources[:0]
	for _, c := range batch[:min(len(batch), aheadOf)] {
		s.sources = append(s.sources, c.room.Load().source)
		if c.link.raw.Native() {
			s.looked++
		}
	}
	s.looked += s.ahead(s.sources)
	clear(s.sources)
}

// run pushes until ctx ends.
func (s *shard) run(ctx context.Context) {
	turn := time.Now()
	yield := func() bool {
		if time.Since(turn) > maxTurn {
			runtime.Gosched()
			turn = time.Now()
		}
		return true
	}
	for {
		s.pushing.Lock()
		some := s.round(yield)
		s.pushing.Unlock()
		if some && ctx.Err() == nil {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-s.some:
			turn = time.Now()
		}
	}
}

// round pushes to those in the queue, and reports whether there were any. goOn is asked after every few of them; if it
// says no, the rest is in the queue again. pushing is held.
func (s *shard) round(goOn func() bool) (some bool) {
	s.mu.Lock()
	s.batch, s.queue = s.queue, s.batch[:0]
	s.mu.Unlock()
	slices.SortFunc(s.batch, func(a, b *Conn) int { return cmp.Compare(a.served, b.served) })
	enough := s.take()
	for i, c := range s.batch {
		if i == enough {
			s.putBack(s.batch[i:])
			break
		}
		if i%aheadOf == 0 && s.ahead != nil {
			s.look(s.batch[i:])
		}
		s.buf = c.push(s.buf)
		s.batch[i] = nil
		if i%lookEvery == lookEvery-1 && !goOn() {
			s.putBack(s.batch[i+1:])
			break
		}
	}
	return len(s.batch) > 0
}

// shareOut is of how many connections, at least, a round is shared out by owners.
const shareOut = 64

// take puts the batch in the order in which it is served, and returns how many are: one of each owner, then the second one of each, and so on. Where somebody has many, and
// somebody else has not, the rest waits, since others have asked meanwhile, who are to come before his many. pushing is held.
func (s *shard) take() (enough int) {
	n := len(s.batch)
	if n < shareOut || !slices.ContainsFunc(s.batch[1:], func(c *Conn) bool { return c.whose.Load() != s.batch[0].whose.Load() }) {
		return n
	}
	if s.ranks == nil {
		s.ranks = map[uint32]uint32{}
	}
	clear(s.ranks)
	for _, c := range s.batch {
		whose := c.whose.Load()
		c.rank = s.ranks[whose]
		s.ranks[whose] = c.rank + 1
	}
	if 2*len(s.ranks) > n { // hardly anybody has more than another
		return n
	}
	slices.SortFunc(s.batch, func(a, b *Conn) int { return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.served, b.served)) })
	return max(len(s.ranks), shareOut, n/8) // to put thousands in order is not for nothing
}

func (s *shard) putBack(rest []*Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue = append(s.queue, rest...)
	clear(rest)
}

// maxLent is how many connections of a shard are pushed to on a goroutine that is lent, and maxLoan for how long, about. Where there is more
// to do it is as well to wake the shards' goroutines, which several processors run at a time: at once, even while held.
const (
	maxLent = 32
	maxLoan = 500 * time.Microsecond
)

// Hold says that some may call [Conn.Wake] now, and that Release comes soon: until then they are not pushed to, unless there
// are many.
func (e *Endpoint) Hold() { e.held.Store(true) }

// Release ends Hold. With spare the caller's goroutine may be used for a moment: if there are but a few connections to
// push to it is done at once, on it. Hold and Release are for one goroutine; others may go on calling
// Wake. Release without Hold does no harm.
func (e *Endpoint) Release(spare bool) {
	e.held.Store(false)
	var until time.Time
	goOn := func() bool { return time.Now().Before(until) }
	for _, s := range e.shards {
		n := s.length()
		if n == 0 {
			continue
		}
		if until.IsZero() {
			until = time.Now().Add(maxLoan)
		}
		if spare && n <= maxLent && goOn() && s.pushing.TryLock() {
			s.round(goOn)
			s.pushing.Unlock()
		}
		if s.length() > 0 {
			s.call()
		}
	}
}
