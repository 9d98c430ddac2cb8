package world

import "iter"

const (
	leafBits  = 8
	chunkBits = 9
	leafSize  = 1 << leafBits
	chunkSize = 1 << chunkBits
)

// sparse is a set of ids that gives each a place in dense arrays: adding, removing and finding are a
// few array accesses, whatever the size, and going through it in id order needs no sorting.
type sparse struct {
	top []*chunk
	ids dense[ID] // in no order
}

type chunk struct {
	count  int
	leaves [chunkSize]*leaf
}

type leaf struct {
	count int
	at    [leafSize]uint32 // place in the dense arrays + 1; 0: not in the set
}

func (s *sparse) leaf(n uint64) *leaf {
	t := n >> (leafBits + chunkBits)
	if t >= uint64(len(s.top)) || s.top[t] == nil {
		return nil
	}
	return s.top[t].leaves[n>>leafBits&(chunkSize-1)]
}

// find returns the place of id.
func (s *sparse) find(id ID) (at int, ok bool) {
	n := uint64(id)
	l := s.leaf(n)
	if l == nil {
		return 0, false
	}
	at = int(l.at[n&(leafSize-1)]) - 1
	return at, at >= 0
}

// add puts an id that is not there at the end of the dense arrays.
func (s *sparse) add(id ID) {
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
	*lengthen(&s.ids) = id
	l.at[n&(leafSize-1)] = uint32(s.ids.n)
}

// remove takes out an id that is there; the last of the dense arrays takes its place.
func (s *sparse) remove(id ID) (at int) {
	n := uint64(id)
	l := s.leaf(n)
	at = int(l.at[n&(leafSize-1)]) - 1
	last := uint64(*s.ids.at(s.ids.n - 1))
	s.leaf(last).at[last&(leafSize-1)] = uint32(at + 1)
	shorten(&s.ids, at)
	l.at[n&(leafSize-1)] = 0
	if l.count--; l.count == 0 {
		s.prune(n)
	}
	return at
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

// places yields every id with its place, in id order. The set may change while it runs.
func (s *sparse) places() iter.Seq2[ID, int] {
	return func(yield func(ID, int) bool) {
		for t := 0; t < len(s.top); t++ {
			for l := 0; l < chunkSize && s.top[t] != nil; l++ {
				lf := s.top[t].leaves[l]
				for i := 0; lf != nil && i < leafSize; i++ {
					if at := lf.at[i]; at != 0 && !yield(ID(t<<(leafBits+chunkBits)|l<<leafBits|i), int(at-1)) {
						return
					}
				}
			}
		}
	}
}
