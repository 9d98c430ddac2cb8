package world

import "iter"

const (
	leafBits  = 8
	chunkBits = 9
	leafSize  = 1 << leafBits
	chunkSize = 1 << chunkBits
)

// sparse says of ids in which seat each has its value: adding, removing and finding are a few array accesses, whatever their number, and going
// through them in id order needs no sorting.
type sparse struct {
	top []*chunk
	n   int
}

type chunk struct {
	count  int
	leaves [chunkSize]*leaf
}

type leaf struct {
	count int
	at    [leafSize]seat // + 1; 0: it has none
}

func (s *sparse) leaf(n uint64) *leaf {
	t := n >> (leafBits + chunkBits)
	if t >= uint64(len(s.top)) || s.top[t] == nil {
		return nil
	}
	return s.top[t].leaves[n>>leafBits&(chunkSize-1)]
}

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
	t := n >> (leafBits + chunkBits)
	for t >= uint64(len(s.top)) {
		s.top = append(s.top, nil)
	}
	c := s.top[t]
	if c == nil {
		c = new(chunk)
		s.top[t] = c
	}
	l := c.leaves[n>>leafBits&(chunkSize-1)]
	if l == nil {
		l = new(leaf)
		c.leaves[n>>leafBits&(chunkSize-1)] = l
		c.count++
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
		s.prune(n)
	}
	return before
}

// prune gives back the leaf of n, which is empty.
func (s *sparse) prune(n uint64) {
	t := n >> (leafBits + chunkBits)
	c := s.top[t]
	c.leaves[n>>leafBits&(chunkSize-1)] = nil
	if c.count--; c.count == 0 {
		s.top[t] = nil
	}
}

// places yields every id with its seat, in id order. The set may change while it runs.
func (s *sparse) places() iter.Seq2[ID, seat] {
	return func(yield func(ID, seat) bool) {
		for t := 0; t < len(s.top); t++ {
			for l := 0; l < chunkSize && s.top[t] != nil; l++ {
				lf := s.top[t].leaves[l]
				for i := 0; lf != nil && i < leafSize; i++ {
					if at := lf.at[i]; at != 0 && !yield(ID(t<<(leafBits+chunkBits)|l<<leafBits|i), at-1) {
						return
					}
				}
			}
		}
	}
}
