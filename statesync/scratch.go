package statesync

// scratch is room to put a message together in.
type scratch struct {
	records []*record
	moved   []byte
	turned  []byte
	other   [lists][]byte
}

// borrow returns a scratch, which goes back to h.scratches.
func (h *Hub) borrow() *scratch {
	if s, ok := h.scratches.Get().(*scratch); ok {
		return s
	}
	return new(scratch)
}

func (s *scratch) empty() bool {
	n := len(s.moved) + len(s.turned)
	for _, list := range s.other {
		n += len(list)
	}
	return n == 0
}
