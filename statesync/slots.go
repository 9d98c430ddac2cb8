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
// What changes is marked, not queued: an entity that changes a hundred times has one mark. What a client
// was told last of an entity is not kept either: it follows from when that was, see record.told.
type slots struct {
	words   []word    // of 64 slots each
	near    [2]word   // what words is until there are more
	records []*record // by slot; nil: free, or gone
	gone    []gone
	live    int32 // entities in the area
	ordered bool  // for JSON: the order of the marks is kept; the other formats go by slot

	places []uint32         // by slot: its place in the record's watchers
	order  []uint32         // the marked slots in the order of their marks, if ordered; each once
	free   []uint32         // in no order
	goneAt map[world.ID]int // places in gone, once there are many
}

// word has a bit for each of 64 slots.
type word struct {
	marked uint64 // something is to be told of it
	whole  uint64 // … everything
	held   uint64 // the client holds the entity
}

// gone is an entity that the client holds and that is no longer in the area.
type gone struct {
	id   world.ID
	slot uint32
}

// take returns a slot for an entity that enters: its own if it was gone, of which the client holds it, or a
// free one, of which he holds nothing.
func (s *slots) take(id world.ID) (n uint32) {
	if i := s.findGone(id); i >= 0 {
		n = s.gone[i].slot
		s.forget(i)
		s.words[n>>6].held |= 1 << (n & 63)
		return n
	}
	if last := len(s.free) - 1; last >= 0 {
		n = s.free[last]
		s.free = s.free[:last]
		return n
	}
	return s.grow()
}

// grow adds a slot.
func (s *slots) grow() (n uint32) {
	n = uint32(len(s.records))
	s.records = append(s.records, nil)
	s.places = append(s.places, 0)
	if n&63 == 0 {
		if n == 0 {
			s.words = s.near[:0]
		}
		s.words = append(s.words, word{})
	}
	return n
}

// reserve makes room for a number of entities, so that many do not come one by one.
func (s *slots) reserve(n int) {
	n -= len(s.free)
	if n <= 0 {
		return
	}
	s.records, s.places = slices.Grow(s.records, n), slices.Grow(s.places, n)
	if s.ordered {
		s.order = slices.Grow(s.order, n)
	}
}

// mark notes that something is to be told of a slot.
func (s *slots) mark(n uint32) {
	w, bit := &s.words[n>>6], uint64(1)<<(n&63)
	if w.marked&bit != 0 {
		return
	}
	w.marked |= bit
	if s.ordered {
		s.order = append(s.order, n)
	}
}

// vacate empties a slot whose entity is no longer in the area.
func (s *slots) vacate(n uint32, id world.ID) {
	s.records[n] = nil
	s.live--
	w, bit := &s.words[n>>6], uint64(1)<<(n&63)
	held := w.held&bit != 0
	w.whole, w.held = w.whole&^bit, w.held&^bit
	if !held {
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

// tellMarked calls fn with every marked slot that has an entity, by number, and whether everything is to be told of
// it. Then nothing is to be told any more, and the client holds them.
func (s *slots) tellMarked(fn func(n uint32, r *record, whole bool)) {
	for i := range s.words {
		marked, whole := s.words[i].tell()
		for ; marked != 0; marked &= marked - 1 {
			n := uint32(i<<6 + bits.TrailingZeros64(marked))
			if r := s.records[n]; r != nil {
				fn(n, r, whole>>(n&63)&1 != 0)
			}
		}
	}
}

// tell returns the marks and takes them away: the client is being told.
func (w *word) tell() (marked, whole uint64) {
	marked, whole = w.marked, w.whole
	w.marked, w.whole, w.held = 0, 0, w.held|whole
	return marked, whole
}

// enters reports whether all is to be told of a slot whose number ends in these bits, and the client holds nothing of it.
func (w *word) enters(n uint32) bool { return (w.whole&^w.held)>>(n&63)&1 != 0 }

// tellOne takes the marks of one slot away: the client is being told.
func (w *word) tellOne(n uint32) {
	bit := uint64(1) << (n & 63)
	w.held |= w.whole & bit
	w.marked, w.whole = w.marked&^bit, w.whole&^bit
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
