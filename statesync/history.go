package statesync

import (
	"iter"
	"slices"

	"github.com/limina-mcp/limina/world"
)

// history remembers the last changes, of all entities and whether or not somebody saw them, so that a
// client that lost its connection can be told what it missed. It is bounded by the number of changes.
type history struct {
	limit   int
	floor   uint64 // everything after this tick is remembered
	commits ring[past]
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
	if len(c.Changes) >= p.limit {
		p.floor = c.Tick
		p.commits, p.changes = ring[past]{}, ring[pastChange]{}
		return
	}
	start := p.changes.end
	for i := range c.Changes {
		ch := &c.Changes[i]
		p.changes.push(pastChange{ch.ID, ch.Before, ch.What&world.Created == 0})
	}
	p.commits.push(past{c.Tick, start, p.changes.end, slices.Clone(c.Causes), len(c.World) > 0})
	for p.commits.len() > p.limit || p.changes.len() > p.limit {
		oldest := p.commits.at(p.commits.start)
		p.floor = oldest.tick
		p.changes.drop(oldest.end)
		oldest.causes = nil
		p.commits.drop(p.commits.start + 1)
	}
}

// back yields the commits after a tick, newest first.
func (p *history) back(tick uint64) iter.Seq[*past] {
	return func(yield func(*past) bool) {
		for n := p.commits.end; n > p.commits.start; n-- {
			if c := p.commits.at(n - 1); c.tick <= tick || !yield(c) {
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
