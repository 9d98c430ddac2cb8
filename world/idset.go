package world

import "slices"

// idSet is a set of ids in order. Most are added at the end, where it costs nothing.
type idSet struct{ ids []ID }

func (s *idSet) add(id ID) {
	if i, found := slices.BinarySearch(s.ids, id); !found {
		s.ids = slices.Insert(s.ids, i, id)
	}
}

func (s *idSet) remove(id ID) {
	if i, found := slices.BinarySearch(s.ids, id); found {
		s.ids = slices.Delete(s.ids, i, i+1)
	}
}
