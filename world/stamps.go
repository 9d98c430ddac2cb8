package world

import (
	"iter"

	"github.com/limina-mcp/limina/internal/pages"
)

// stamps keeps a number for ids, in pages; 0 is none.
type stamps struct {
	pages pages.Of[[pageSize]uint64]
}

func (s *stamps) set(id ID, n uint64) {
	at := uint64(id) - 1
	k := at >> pageBits
	p := s.pages.At(k)
	if p == nil {
		p = new([pageSize]uint64)
		s.pages.Put(k, p)
	}
	p[at&(pageSize-1)] = n
}

func (s *stamps) get(id ID) uint64 {
	at := uint64(id) - 1
	if p := s.pages.At(at >> pageBits); p != nil {
		return p[at&(pageSize-1)]
	}
	return 0
}

// after yields every id whose number is greater than n, in order.
func (s *stamps) after(n uint64) iter.Seq2[ID, uint64] {
	return func(yield func(ID, uint64) bool) {
		for k, p := s.pages.From(0); p != nil; k, p = s.pages.From(k + 1) {
			for i, at := range p {
				if at > n && !yield(ID(k<<pageBits+uint64(i)+1), at) {
					return
				}
			}
		}
	}
}

// sweep gives back the page of an id, once nothing that it is about is there.
func (s *stamps) sweep(id ID) {
	s.pages.Drop((uint64(id) - 1) >> pageBits)
}
