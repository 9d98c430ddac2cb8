package world

import (
	"iter"

	"github.com/limina-mcp/limina/internal/pages"
)

// A leaf is for as many ids as a page of entities, and no larger for the same reason.
const (
	leafBits = pageBits
	leafSize = 1 << leafBits
)

// sparse says of ids in which seat each has its value: adding, removing and finding are a few array accesses, whatever their number, and going
// through them in id order needs no sorting.
type sparse struct {
	leaves pages.Of[leaf]
	n      int
}

type leaf struct {
	count int
	at    [leafSize]seat // + 1; 0: it has none
}

func (s *sparse) leaf(n uint64) *leaf { return s.leaves.At(n >> leafBits) }

// find returns the seat of id.
func (s *sparse) find(id ID) (at seat, ok bool) {
	n := uint64(id)
	l := s.leaf(n)
	if l == nil {
		return 0, false
	}
	at = l.at[n&(leafSize-1)]
	return at - 1, at != 0
}

// add gives a seat to an id that has none.
func (s *sparse) add(id ID, at seat) {
	n := uint64(id)
	l := s.leaf(n)
	if l == nil {
		l = new(leaf)
		s.leaves.Put(n>>leafBits, l)
	}
	l.count++
	s.n++
	l.at[n&(leafSize-1)] = at + 1
}

// swap gives an id another seat than it has, which it returns.
func (s *sparse) swap(id ID, at seat) (before seat) {
	p := &s.leaf(uint64(id)).at[uint64(id)&(leafSize-1)]
	before, *p = *p-1, at+1
	return before
}

// remove takes its seat from an id that has one.
func (s *sparse) remove(id ID) (before seat) {
	n := uint64(id)
	l := s.leaf(n)
	before = l.at[n&(leafSize-1)] - 1
	l.at[n&(leafSize-1)] = 0
	s.n--
	if l.count--; l.count == 0 {
		s.leaves.Drop(n >> leafBits)
	}
	return before
}

// places yields every id with its seat, in id order. The set may change while it runs.
func (s *sparse) places() iter.Seq2[ID, seat] {
	return func(yield func(ID, seat) bool) {
		for k, l := s.leaves.From(0); l != nil; k, l = s.leaves.From(k + 1) {
			for i := range l.at {
				if at := l.at[i]; at != 0 && !yield(ID(k<<leafBits|uint64(i)), at-1) {
					return
				}
			}
		}
	}
}
