package world

import (
	"iter"
	"slices"
)

// idSet is a set of ids in order. It is kept in short runs, so that adding and removing anywhere in
// a large set moves little.
type idSet struct {
	runs [][]ID // none empty, each sorted and below the next
	n    int
}

const longRun = 512

// run returns the run that id is in or would be in. There must be one.
func (s *idSet) run(id ID) int {
	k, _ := slices.BinarySearchFunc(s.runs, id, func(run []ID, id ID) int {
		if run[len(run)-1] < id {
			return -1
		}
		return 1
	})
	return min(k, len(s.runs)-1)
}

func (s *idSet) add(id ID) {
	if len(s.runs) == 0 {
		s.runs = append(s.runs, []ID{id})
		s.n = 1
		return
	}
	k := s.run(id)
	i, found := slices.BinarySearch(s.runs[k], id)
	if found {
		return
	}
	s.runs[k] = slices.Insert(s.runs[k], i, id)
	s.n++
	if run := s.runs[k]; len(run) > longRun {
		s.split(k, run)
	}
}

// split makes two of a run: halves, or, if it is the last and grows at its end, a full one and the
// beginning of the next.
func (s *idSet) split(k int, run []ID) {
	at := len(run) / 2
	if k == len(s.runs)-1 {
		at = longRun
	}
	s.runs[k] = run[:at:at]
	s.runs = slices.Insert(s.runs, k+1, slices.Clone(run[at:]))
}

func (s *idSet) remove(id ID) {
	if len(s.runs) == 0 {
		return
	}
	k := s.run(id)
	i, found := slices.BinarySearch(s.runs[k], id)
	if !found {
		return
	}
	s.runs[k] = slices.Delete(s.runs[k], i, i+1)
	s.n--
	if len(s.runs[k]) == 0 {
		s.runs = slices.Delete(s.runs, k, k+1)
	}
}

// all yields the ids in order. The set must not change while it runs.
func (s *idSet) all() iter.Seq[ID] {
	return func(yield func(ID) bool) {
		for _, run := range s.runs {
			for _, id := range run {
				if !yield(id) {
					return
				}
			}
		}
	}
}

// slice returns the ids in order.
func (s *idSet) slice() []ID {
	if s == nil {
		return nil
	}
	return slices.AppendSeq(make([]ID, 0, s.n), s.all())
}
