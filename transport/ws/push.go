package ws

import (
	"context"
	"runtime"
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

// push writes what is due, in a turn that has a number, if nobody else is writing and the peer takes it; else it will be called
// again. buf is room for it; what it returns is room for the next.
func (c *Conn) push(buf []byte, turn uint64) []byte {
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
	c.served = turn
	if c.link.offer(out) || cap(out) > keepBuffer {
		return nil
	}
	return out
}

// shard is who pushes to a share of the connections, in the order of due: a goroutine, or whoever lends it another one. Who has asked is looked at
// before each few that are pushed to, so that somebody whose turn was longer ago comes before those who wait already.
type shard struct {
	some  chan struct{}              // the goroutine is to look into queue
	held  *atomic.Bool               // Endpoint.held
	ahead func(sources []any) uint64 // Options.Ahead, may be nil

	pushed atomic.Uint64 // bytes; each shard counts for itself: to count in one place, processors would have to pass it to and fro
	left   atomic.Int64  // in due

	pushing sync.Mutex // guards what follows: held by who pushes
	due     due
	came    []*Conn // was queue
	batch   [aheadOf]*Conn
	buf     []byte
	sources []any
	looked  uint64 // of look: nobody asks for it, but without it there would be nothing to look for

	mu    sync.Mutex // guards queue
	queue []*Conn    // who has asked since
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

// length returns how many wait.
func (s *shard) length() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.queue) + int(s.left.Load())
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
	for _, c := range batch {
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
		return ctx.Err() == nil
	}
	for {
		s.pushing.Lock()
		s.round(yield)
		s.pushing.Unlock()
		select {
		case <-ctx.Done():
			return
		case <-s.some:
			turn = time.Now()
		}
	}
}

// round pushes until nobody waits any more. goOn is asked after every few of them; if it says no, the rest waits on. pushing is held.
func (s *shard) round(goOn func() bool) {
	for n := 0; ; {
		batch, turn := s.take()
		if len(batch) == 0 {
			return
		}
		if s.ahead != nil {
			s.look(batch)
		}
		for i, c := range batch {
			s.buf = c.push(s.buf, turn+uint64(i))
			batch[i] = nil
			if n++; n%lookEvery == 0 && !goOn() {
				s.putBack(batch[i+1:])
				return
			}
		}
	}
}

// take takes those who are pushed to next, and returns which turn that of the first is. pushing is held.
func (s *shard) take() (batch []*Conn, turn uint64) {
	s.mu.Lock()
	s.came, s.queue = s.queue, s.came[:0]
	s.mu.Unlock()
	for i, c := range s.came {
		s.due.add(c)
		s.came[i] = nil
	}
	turn = s.due.turns + 1
	batch = s.batch[:min(s.due.n, aheadOf)]
	for i := range batch {
		batch[i] = s.due.next()
	}
	s.left.Store(int64(s.due.n))
	return batch, turn
}

// putBack has those wait on who were taken and not pushed to. pushing is held.
func (s *shard) putBack(rest []*Conn) {
	for i, c := range rest {
		s.due.add(c)
		rest[i] = nil
	}
	s.left.Store(int64(s.due.n))
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
