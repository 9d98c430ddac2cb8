package world

import "iter"

// column is a component of any type, as the world sees it.
type column interface {
	state
	drop(tx *Tx, id ID)                               // remove it from an entity that is destroyed
	clone(tx *Tx, from, to ID) error                  // give an entity what another one has, if it may be there twice
	appendOf(dst []byte, id ID) (out []byte, ok bool) // its JSON, if the entity has it
	load(tx *Tx, id ID, text []byte) error            // set it from its JSON; nil removes it
}

// kindred is a component that says how an entity stands to others; see [Component.Kin].
type kindred interface {
	relate(tx *Tx, from, to ID, root bool, copyOf func(ID) (ID, bool)) error // give a copy of an entity what it has of that
}

// Component is a kind of thing that an entity may have one of, like a shape or an inventory: a typed
// column of values, kept densely. Values are immutable: to change one, Set a new one, and never
// write through its slices, maps or pointers. Values go to viewers and into the hash as JSON, so T
// must survive encoding/json; a [JSONAppender] is asked itself.
type Component[T any] struct {
	stateBase
	sparse
	values dense[T]
	olds   []T // inverses, in the order of their records
	past   ring[kept[T]]
	codec  codec[T]
	kin    func(value T, root bool, copyOf func(ID) (ID, bool)) (T, bool)
}

// NewComponent declares a component, once, where the world is put together; name is its key in an
// entity's JSON. It panics if the name is taken, or JSON would have to escape it. That T cannot be written as JSON shows when the first value is set,
// which panics, or in [World.Check].
func NewComponent[T any](w *World, name string, traits ...Trait) *Component[T] {
	c := &Component[T]{codec: newCodec[T](name)}
	w.declare(c, c, name, traits)
	return c
}

// What was done to a component.
const (
	inserted uint8 = iota
	replaced
	removed
)

// Get returns an entity's value, and false if it has none.
func (c *Component[T]) Get(_ *View, id ID) (value T, ok bool) {
	at, ok := c.find(id)
	if !ok {
		return value, false
	}
	return *c.values.at(at), true
}

// Has reports whether an entity has a value.
func (c *Component[T]) Has(_ *View, id ID) bool {
	_, ok := c.find(id)
	return ok
}

// Len returns how many entities have a value.
func (c *Component[T]) Len(*View) int { return c.ids.n }

// All yields every entity that has a value, in id order. Values may be set and removed while it runs.
func (c *Component[T]) All(*View) iter.Seq2[ID, T] {
	return func(yield func(ID, T) bool) {
		for id, at := range c.places() {
			if !yield(id, *c.values.at(at)) {
				return
			}
		}
	}
}

// Set gives an entity a value, in place of the one it has. It fails, and changes nothing, if the
// entity is unknown or the value holds a number that the world does not take.
func (c *Component[T]) Set(tx *Tx, id ID, value T) error {
	s := tx.w.entities.get(id)
	if s == nil {
		return tx.Unknown(id)
	}
	c.codec.know()
	if c.codec.opaque { // what may run code of others comes before anything is changed
		if err := c.codec.check(value); err != nil {
			return err
		}
	}
	mark := len(tx.journal)
	at, ok := c.find(id)
	if ok {
		c.note(tx, replaced, id, s)
		c.olds = append(c.olds, *c.values.at(at))
		*c.values.at(at) = value
	} else {
		at = c.values.n
		c.note(tx, inserted, id, s)
		c.add(id)
		*c.values.add() = value
	}
	// In its place, because a copy to look at would be on the heap.
	if err := c.codec.checkNumbers(c.values.at(at)); err != nil {
		tx.RollbackTo(mark)
		return err
	}
	return nil
}

// Remove takes an entity's value away and reports whether it had one.
func (c *Component[T]) Remove(tx *Tx, id ID) bool {
	at, ok := c.find(id)
	if !ok {
		return false
	}
	c.note(tx, removed, id, tx.w.entities.get(id))
	c.olds = append(c.olds, *c.values.at(at))
	c.cut(id)
	return true
}

func (c *Component[T]) drop(tx *Tx, id ID) { c.Remove(tx, id) }

// note appends the record of a change.
func (c *Component[T]) note(tx *Tx, kind uint8, id ID, s *slot) {
	r := tx.noteState(c, kind, id)
	if c.private {
		r.what = tx.what(s)
		return
	}
	r.what = tx.touch(id, s, Changed)
}

// cut removes a value and its place.
func (c *Component[T]) cut(id ID) {
	c.values.cut(c.remove(id))
}

func (c *Component[T]) undo(_ *Tx, r *record) {
	switch r.kind {
	case inserted:
		c.cut(r.id)
	case replaced:
		at, _ := c.find(r.id)
		*c.values.at(at) = pop(&c.olds)
	case removed:
		c.add(r.id)
		c.values.push(pop(&c.olds))
	}
}

func (c *Component[T]) writable() error { return c.codec.writable() }

func (c *Component[T]) settle() { c.olds = recycle(c.olds) }

func (c *Component[T]) append(dst []byte) []byte { return dst }

func (c *Component[T]) appendOf(dst []byte, id ID) ([]byte, bool) {
	at, ok := c.find(id)
	if !ok {
		return dst, false
	}
	return c.codec.append(dst, c.values.at(at)), true
}

func (c *Component[T]) digest(h *hasher) {
	h.uint(uint64(c.ids.n))
	for id, at := range c.places() {
		h.uint(uint64(id))
		h.text(c.codec.append(h.scratch(), c.values.at(at)))
	}
}

func (c *Component[T]) keeps(kind uint8) bool { return kind != inserted }

func (c *Component[T]) keep(i int) (number uint64, bytes int) {
	v := &c.olds[i]
	bytes = c.codec.weigh(v)
	return c.past.push(kept[T]{*v, bytes}), bytes
}

func (c *Component[T]) row(int) ID { return 0 }

func (c *Component[T]) lose(before uint64) (bytes int) { return lose(&c.past, before) }

func (c *Component[T]) restore(tx *Tx, v *inverse) error {
	if v.kind == inserted {
		c.Remove(tx, v.id)
		return nil
	}
	return c.Set(tx, v.id, c.past.at(v.n).value)
}
