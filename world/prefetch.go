package world

import "math"

// Prefetch looks at entities that the caller is about to move one after the other. It changes nothing and
// is no promise; ids of no entity are no error. It is worth its time from a dozen on, if they are not in the
// processor's cache: here no look waits for the one before it, so that the processor waits for many places in
// memory at a time, where each move by itself waits for its own.
func (tx *Tx) Prefetch(ids []ID) {
	const atOnce = 256 // more would push out of the cache what came first
	for len(ids) > atOnce {
		tx.prefetch(ids[:atOnce])
		ids = ids[atOnce:]
	}
	tx.prefetch(ids)
}

func (tx *Tx) prefetch(ids []ID) {
	w := tx.w
	sum := uint64(0) // of something of all, so that the compiler leaves no look out
	for _, id := range ids {
		if s := w.entities.get(id); s != nil {
			sum += uint64(s.cell) + math.Float64bits(s.local.Position[2]) + math.Float64bits(s.local.Scale[2])
		}
	}
	for _, id := range ids {
		if s := w.entities.get(id); s != nil {
			sum += w.grid.cells[s.cell].key
		}
	}
	for _, id := range ids {
		if s := w.entities.get(id); s != nil {
			sum += uint64(w.grid.cells[s.cell].items.at(int(s.at)).id)
		}
	}
	tx.fetched = sum
}
