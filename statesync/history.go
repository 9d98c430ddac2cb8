package statesync

import (
	"iter"

	"github.com/limina-mcp/limina/world"
)

// history remembers the last changes, of all entities and whether or not somebody saw them, so that a
// client that lost its connection can be told what it missed. It is bounded by the number of changes.
type history struct {
	limit   int
	floor   uint64 // everything after this tick is remembered
	commits []past // oldest first
	changes ring[pastChange]
}

// past is a commit.
type past struct {
	tick       uint64
	start, end uint64 // the numbers of its changes; end is not one of them
	causes     []uint64
	global     bool // it changed what belongs to no entity, which everybody sees
}

// pastChange is what a change says of before it: where the entity was, if it was.
type pastChange struct {
	id      world.ID
	before  world.Vec3
	existed bool
}

func (p *history) add(c *world.Commit) {
	if len(c.Changes)+1 > p.limit {
		p.floor, p.commits = c.Tick, nil
		p.changes = ring[pastChange]{}
		return
	}
	start := p.changes.end
	for i := range c.Changes {
		ch := &c.Changes[i]
		p.changes.push(pastChange{ch.ID, ch.Before, ch.What&world.Created == 0})
	}
	var causes []uint64
	if len(c.Causes) > 0 {
		causes = append(causes, c.Causes...)
	}
	p.commits = append(p.commits, past{c.Tick, start, p.changes.end, causes, len(c.World) > 0})
	drop := 0
	for len(p.commits)-drop > p.limit || p.changes.len() > p.limit {
		p.floor = p.commits[drop].tick
		p.changes.drop(p.commits[drop].end)
		drop++
	}
	p.commits = p.commits[drop:] // append moves what is left when it has to
}

// back yields the commits after a tick, newest first.
func (p *history) back(tick uint64) iter.Seq[*past] {
	return func(yield func(*past) bool) {
		for i := len(p.commits) - 1; i >= 0 && p.commits[i].tick > tick; i-- {
			if !yield(&p.commits[i]) {
				return
			}
		}
	}
}

// ring holds the newest values of a sequence, by their numbers: start up to end.
type ring[T any] struct {
	values     []T // a power of two of them
	start, end uint64
}

func (r *ring[T]) len() int { return int(r.end - r.start) }

func (r *ring[T]) at(n uint64) *T { return &r.values[n&uint64(len(r.values)-1)] }

func (r *ring[T]) push(v T) {
	if r.len() == len(r.values) {
		more := ring[T]{values: make([]T, max(2*len(r.values), 64)), start: r.start, end: r.end}
		for n := r.start; n < r.end; n++ {
			*more.at(n) = *r.at(n)
		}
		*r = more
	}
	*r.at(r.end) = v
	r.end++
}

// drop forgets everything before number n.
func (r *ring[T]) drop(n uint64) { r.start = n }
