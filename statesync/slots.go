package statesync

import (
	"math/bits"
	"slices"

	"github.com/limina-mcp/limina/world"
)

// slots is what a view knows of its client's copy: a slot for each entity that is in the area, and
// for each that has left it and of which the client has yet to be told. Slots have numbers, by
// which the compact formats name entities; the number of a slot is used again once the client has been
// told that its entity is gone.
//
// What changes is marked, not queued: an entity that changes a hundred times has one mark.
type slots struct {
	all     []slot
	marks   []uint64 // a bit for each slot that something is to be told of
	live    int      // entities in the area
	ordered bool     // for JSON: the order of the marks is kept; the other formats go by slot
	gone    []gone

	order  []uint32         // the marked slots in the order of their marks, if ordered; each once
	free   []uint32         // in no order
	goneAt map[world.ID]int // places in gone, once there are many
}

// slot is an entity in a view.
type slot struct {
	rec   *record // nil: free, or gone
	at    uint32  // its place in rec.watchers
	state slotState
	sent  pose // what the client of a compact format holds
}

// slotState is what is to be told of a slot. States are bits.
type slotState uint8

const (
	held  slotState = 1 << iota // the client holds the entity
	whole                       // the client must be told everything about it
)

// gone is an entity that the client holds and that is no longer in the area.
type gone struct {
	id   world.ID
	slot uint32
}

// take returns a slot for an entity that enters: a free one, or its own if it was gone.
func (s *slots) take(id world.ID) (n uint32, state slotState) {
	if i := s.findGone(id); i >= 0 {
		n = s.gone[i].slot
		s.forget(i)
		return n, held | whole
	}
	if last := len(s.free) - 1; last >= 0 {
		n = s.free[last]
		s.free = s.free[:last]
		return n, whole
	}
	return s.grow(), whole
}

// grow adds a slot.
func (s *slots) grow() (n uint32) {
	n = uint32(len(s.all))
	s.all = append(s.all, slot{})
	if n&63 == 0 {
		s.marks = append(s.marks, 0)
	}
	return n
}

// reserve makes room for a number of entities, so that many do not come one by one.
func (s *slots) reserve(n int) {
	n -= len(s.free)
	if n <= 0 {
		return
	}
	s.all = slices.Grow(s.all, n)
	if s.ordered {
		s.order = slices.Grow(s.order, n)
	}
}

// mark notes that something is to be told of a slot.
func (s *slots) mark(n uint32) {
	word, bit := &s.marks[n>>6], uint64(1)<<(n&63)
	if *word&bit != 0 {
		return
	}
	*word |= bit
	if s.ordered {
		s.order = append(s.order, n)
	}
}

// vacate empties a slot whose entity is no longer in the area.
func (s *slots) vacate(n uint32, id world.ID) {
	sl := &s.all[n]
	sl.rec = nil
	s.live--
	if sl.state&held == 0 {
		s.free = append(s.free, n)
		return
	}
	s.gone = append(s.gone, gone{id, n})
	if s.goneAt != nil {
		s.goneAt[id] = len(s.gone) - 1
	}
}

// few is how many that are gone are searched one by one.
const few = 16

func (s *slots) findGone(id world.ID) int {
	if len(s.gone) == 0 {
		return -1
	}
	if len(s.gone) > few && s.goneAt == nil {
		s.goneAt = make(map[world.ID]int, len(s.gone))
		for i := range s.gone {
			s.goneAt[s.gone[i].id] = i
		}
	}
	if s.goneAt != nil {
		if i, ok := s.goneAt[id]; ok {
			return i
		}
		return -1
	}
	for i := range s.gone {
		if s.gone[i].id == id {
			return i
		}
	}
	return -1
}

// forget takes out the i-th that is gone; the last one takes its place.
func (s *slots) forget(i int) {
	last := len(s.gone) - 1
	if s.goneAt != nil {
		delete(s.goneAt, s.gone[i].id)
		if i != last {
			s.goneAt[s.gone[last].id] = i
		}
	}
	s.gone[i] = s.gone[last]
	s.gone = s.gone[:last]
}

// tellGone frees the slots of all that are gone: the client is being told.
func (s *slots) tellGone() {
	for i := range s.gone {
		s.free = append(s.free, s.gone[i].slot)
	}
	s.gone, s.goneAt = recycle(s.gone), nil
}

// marked calls fn with every marked slot that has an entity, by number, and takes the marks away.
func (s *slots) marked(fn func(n uint32, sl *slot)) {
	for w, word := range s.marks {
		if word == 0 {
			continue
		}
		s.marks[w] = 0
		for ; word != 0; word &= word - 1 {
			n := uint32(w<<6 + bits.TrailingZeros64(word))
			if sl := &s.all[n]; sl.rec != nil {
				fn(n, sl)
			}
		}
	}
}

// recycle empties a slice; what a huge one needed is given back.
func recycle[T any](s []T) []T {
	const keep = 1 << 10
	if cap(s) > keep {
		return nil
	}
	clear(s)
	return s[:0]
}
