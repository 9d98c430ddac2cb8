package mcp

import (
	"cmp"
	"container/heap"
	"runtime"
	"slices"
	"sync"
)

// quantum is how many messages a connection may have run before others that wait get their turn, but for one of whom nothing is known: he has one.
const quantum = 16

// maxIdle is of how many owners it is known when they had a turn, while none of their connections waits for one.
const maxIdle = 64

// turns shares the machine among connections: as many as there are processors run their messages at
// a time, the others wait. The next turn is for him who had one longest ago, of all who wait, see
// [profiles.Principal.Owner], and of his connections for that which has waited longest. So who sends thousands of calls
// at once, over however many connections, holds up nobody for longer than a few of them take.
type turns struct {
	mu      sync.Mutex // guards what follows
	free    int
	queued  int    // connections that wait
	given   uint64 // turns, to those who had to wait
	arrived uint64 // those
	byName  map[string]*line
	waiting lines   // a heap: owners of whom some wait
	idle    []*line // the others that are known, who had a turn longest ago first
	unknown uint64  // when those had their last turn, at the latest, who are not known
}

// line is the connections of one owner that wait.
type line struct {
	name        string
	had         uint64 // his last turn, a number of turns.given
	since       uint64 // since when some wait, a number of turns.arrived
	spent       int    // of those of whom nothing is known: messages since had
	first, last *turn
}

// lines are in the order in which they have their next turns.
type lines []*line

func (l lines) Len() int      { return len(l) }
func (l lines) Swap(i, j int) { l[i], l[j] = l[j], l[i] }
func (l lines) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(l[i].had, l[j].had), cmp.Compare(l[i].since, l[j].since)) < 0
}
func (l *lines) Push(x any) { *l = append(*l, x.(*line)) }
func (l *lines) Pop() any {
	n := len(*l) - 1
	x := (*l)[n]
	(*l)[n] = nil
	*l = (*l)[:n]
	return x
}

func newTurns(width int) *turns { return &turns{free: width, byName: map[string]*line{}} }

// turn is one connection's part. It belongs to the reading goroutine.
type turn struct {
	all   *turns
	ready chan struct{} // it is this connection's turn; nil before it first had to wait
	next  *turn         // of its owner, waits behind it
	has   bool
	left  int // messages
}

func (t *turns) join() turn { return turn{all: t} }

// owner is whose something is that is shared out, see [profiles.Principal.Owner].
type owner interface{ owner() string }

// one is an owner that is known by his name.
type one string

func (o one) owner() string { return string(o) }

// step is called before each message of an owner's, and waits while it is others' turn.
func (t *turn) step(of owner) {
	if t.has && t.left > 0 {
		t.left--
		return
	}
	all := t.all
	all.mu.Lock()
	waits, left := false, quantum-1
	yields := t.has && all.free == 0 // with a processor to spare nobody needs this one
	switch {
	case t.has && all.queued > 0:
		all.passOn()
		waits = true
	case t.has:
	case all.free > 0:
		all.free--
	default:
		waits = true
	}
	if waits {
		if t.ready == nil {
			t.ready = make(chan struct{}, 1)
		}
		name := of.owner()
		if name == "" {
			left = 0 // he is one of many of whom nothing is known: after this message it may be
		}
		all.wait(t, name)
	}
	all.mu.Unlock()
	switch {
	case waits:
		<-t.ready
	case yields:
		runtime.Gosched() // to those who have not got as far as to wait
	}
	t.has, t.left = true, left
}

// wait puts a connection behind those of its owner. mu is held.
func (t *turns) wait(c *turn, owner string) {
	t.queued++
	t.arrived++
	l := t.byName[owner]
	switch {
	case l == nil:
		l = &line{name: owner, had: t.unknown}
		t.byName[owner] = l
	case l.first == nil:
		at := slices.Index(t.idle, l)
		t.idle = slices.Delete(t.idle, at, at+1)
	default:
		l.last.next = c
		l.last = c
		return
	}
	l.first, l.last, l.since = c, c, t.arrived
	heap.Push(&t.waiting, l)
}

// passOn gives a turn to him who had one longest ago. mu is held, and somebody waits.
func (t *turns) passOn() {
	l := t.waiting[0]
	c := l.first
	l.first, c.next = c.next, nil
	t.queued--
	t.given++
	if l.name != "" {
		l.had = t.given
	} else if l.spent++; l.spent == quantum { // as many messages as others have in a turn
		l.spent, l.had = 0, t.given
	}
	if l.first != nil {
		heap.Fix(&t.waiting, 0)
	} else {
		heap.Pop(&t.waiting)
		l.last = nil
		t.rest(l)
	}
	c.ready <- struct{}{}
}

// rest notes that none of an owner waits any more. Of too many it is forgotten who had his turn longest ago. mu is held.
func (t *turns) rest(l *line) {
	if len(t.idle) == maxIdle {
		old := t.idle[0]
		t.unknown = max(t.unknown, old.had) // so nobody is before others again and again because he is forgotten
		delete(t.byName, old.name)
		t.idle = slices.Delete(t.idle, 0, 1)
	}
	t.idle = append(t.idle, l)
}

// end gives the turn back.
func (t *turn) end() {
	if !t.has {
		return
	}
	t.has, t.left = false, 0
	all := t.all
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.queued > 0 {
		all.passOn()
		return
	}
	all.free++
}

// length returns how many connections wait for their turn.
func (t *turns) length() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.queued
}
