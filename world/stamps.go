package world

import "iter"

// stamps keeps a number for ids, in pages; 0 is none.
type stamps struct {
	pages []*[pageSize]uint64
}

func (s *stamps) set(id ID, n uint64) {
	at := uint64(id) - 1
	k := at >> pageBits
	for k >= uint64(len(s.pages)) {
		s.pages = append(s.pages, nil)
	}
	if s.pages[k] == nil {
		s.pages[k] = new([pageSize]uint64)
	}
	s.pages[k][at&(pageSize-1)] = n
}

func (s *stamps) get(id ID) uint64 {
	at := uint64(id) - 1
	if k := at >> pageBits; k < uint64(len(s.pages)) && s.pages[k] != nil {
		return s.pages[k][at&(pageSize-1)]
	}
	return 0
}

// after yields every id whose number is greater than n, in order.
func (s *stamps) after(n uint64) iter.Seq2[ID, uint64] {
	return func(yield func(ID, uint64) bool) {
		for k, p := range s.pages {
			for i := 0; p != nil && i < pageSize; i++ {
				if p[i] > n && !yield(ID(k<<pageBits+i+1), p[i]) {
					return
				}
			}
		}
	}
}

// sweep gives back the page of an id, once nothing that it is about is there.
func (s *stamps) sweep(id ID) {
	if k := (uint64(id) - 1) >> pageBits; k < uint64(len(s.pages)) {
		s.pages[k] = nil
	}
}
