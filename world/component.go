package world

import (
	"encoding/json"
	"iter"
)

// column is a component of any type, as the world sees it.
type column interface {
	state
	drop(tx *Tx, id ID)                               // remove it from an entity that is destroyed
	clone(tx *Tx, from, to ID) error                  // give an entity what another one has, if it may be there twice
	appendOf(dst []byte, id ID) (out []byte, ok bool) // its JSON, if the entity has it
	load(tx *Tx, id ID, text []byte) error            // set it from its JSON; nil removes it
	// relate gives a copy of an entity what it has of what says how it stands to others; see [Component.Kin].
	relate(tx *Tx, from, to ID, root bool, copyOf func(ID) (ID, bool)) error
}

// Component is a kind of thing that an entity may have one of, like a shape or an inventory: a typed
// column of values, kept densely. Values are immutable: to change one, Set a new one, and never
// write through its slices, maps or pointers. Values go to viewers and into the hash as JSON, so T
// must survive encoding/json; a [JSONAppender] is asked itself.
//
// It holds what it takes to look values up, and the rest is behind an interface: for each T the compiler makes all
// methods of each generic type that it sees, anew in each package that so much as names what holds a component.
type Component[T any] struct {
	ids    sparse
	values dense[T]
	state  componentOps[T]
}

// componentOps is what a component does besides looking up: a [componentState]. It has few methods, because the compiler makes something of each.
type componentOps[T any] interface {
	column() column
	set(tx *Tx, id ID, value T) error
	remove(tx *Tx, id ID) bool
	kin(of func(value T, root bool, copyOf func(ID) (ID, bool)) (T, bool))
	resume(later func(value T, past uint64) T)
}

// NewComponent declares a component, once, where the world is put together; name is its key in an
// entity's JSON. It panics if the name is taken, or JSON would have to escape it. That T cannot be written as JSON shows when the first value is set,
// which panics, or in [World.Check].
func NewComponent[T any](w *World, name string, traits ...Trait) *Component[T] {
	c := &Component[T]{}
	s := &componentState[T]{of: c, codec: newCodec[T](name)}
	c.state = s
	w.declare(s, s, name, traits)
	return c
}

// Get returns an entity's value, and false if it has none.
func (c *Component[T]) Get(_ *View, id ID) (value T, ok bool) {
	at, ok := c.ids.find(id)
	if !ok {
		return value, false
	}
	return *c.values.at(at), true
}

// Has reports whether an entity has a value.
func (c *Component[T]) Has(_ *View, id ID) bool {
	_, ok := c.ids.find(id)
	return ok
}

// Len returns how many entities have a value.
func (c *Component[T]) Len(*View) int { return c.ids.ids.n }

// All yields every entity that has a value, in id order. Values may be set and removed while it runs.
func (c *Component[T]) All(*View) iter.Seq2[ID, T] {
	return func(yield func(ID, T) bool) {
		for id, at := range c.ids.places() {
			if !yield(id, *c.values.at(at)) {
				return
			}
		}
	}
}

// Set gives an entity a value, in place of the one it has. It fails, and changes nothing, if the
// entity is unknown or the value holds a number that the world does not take.
func (c *Component[T]) Set(tx *Tx, id ID, value T) error { return c.state.set(tx, id, value) }

// Remove takes an entity's value away and reports whether it had one.
func (c *Component[T]) Remove(tx *Tx, id ID) bool { return c.state.remove(tx, id) }

// Kin says what of a value a copy of an entity has, for a component that says how an entity stands to others. It is asked when everything is copied:
// copyOf returns what has become of an entity that is copied, root says whether this one is what Clone was called with, so that its copy is somewhere
// else. False: nothing. It is called once, where the world is put together.
func (c *Component[T]) Kin(of func(value T, root bool, copyOf func(ID) (ID, bool)) (T, bool)) {
	c.state.kin(of)
}

// Resume says how a value that holds steps becomes one that goes on past steps later, see [World.OnRestore]. What later gets it must not change.
func (c *Component[T]) Resume(later func(value T, past uint64) T) { c.state.resume(later) }

// What was done to a component.
const (
	inserted uint8 = iota
	replaced
	removed
)

// componentState changes the values of a component, takes changes back, and writes values.
type componentState[T any] struct {
	stateBase
	of      *Component[T]
	olds    []T // inverses, in the order of their records
	past    ring[kept[T]]
	codec   codec[T]
	kinship func(value T, root bool, copyOf func(ID) (ID, bool)) (T, bool)
}

func (c *componentState[T]) column() column { return c }

func (c *componentState[T]) set(tx *Tx, id ID, value T) error {
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
	at, ok := c.of.ids.find(id)
	if ok {
		c.note(tx, replaced, id, s)
		c.olds = append(c.olds, *c.of.values.at(at))
		*c.of.values.at(at) = value
	} else {
		at = c.of.values.n
		c.note(tx, inserted, id, s)
		c.of.ids.add(id)
		*lengthen(&c.of.values) = value
	}
	// In its place, because a copy to look at would be on the heap.
	if err := c.codec.checkNumbers(c.of.values.at(at)); err != nil {
		tx.RollbackTo(mark)
		return err
	}
	return nil
}

func (c *componentState[T]) remove(tx *Tx, id ID) bool {
	at, ok := c.of.ids.find(id)
	if !ok {
		return false
	}
	c.note(tx, removed, id, tx.w.entities.get(id))
	c.olds = append(c.olds, *c.of.values.at(at))
	c.cut(id)
	return true
}

func (c *componentState[T]) drop(tx *Tx, id ID) { c.remove(tx, id) }

// note appends the record of a change.
func (c *componentState[T]) note(tx *Tx, kind uint8, id ID, s *slot) {
	r := tx.noteState(c, kind, id)
	if c.private {
		r.what = tx.what(s)
		return
	}
	r.what = tx.touch(id, s, Changed)
}

// cut removes a value and its place.
func (c *componentState[T]) cut(id ID) { shorten(&c.of.values, c.of.ids.remove(id)) }

func (c *componentState[T]) undo(_ *Tx, r *record) {
	switch r.kind {
	case inserted:
		c.cut(r.id)
	case replaced:
		at, _ := c.of.ids.find(r.id)
		*c.of.values.at(at) = pop(&c.olds)
	case removed:
		c.of.ids.add(r.id)
		*lengthen(&c.of.values) = pop(&c.olds)
	}
}

func (c *componentState[T]) writable() error { return c.codec.writable() }

func (c *componentState[T]) settle() { c.olds = recycle(c.olds) }

func (c *componentState[T]) append(dst []byte) []byte { return dst }

func (c *componentState[T]) appendOf(dst []byte, id ID) ([]byte, bool) {
	at, ok := c.of.ids.find(id)
	if !ok {
		return dst, false
	}
	return c.codec.append(dst, c.of.values.at(at)), true
}

func (c *componentState[T]) load(tx *Tx, id ID, text []byte) error {
	if text == nil {
		c.remove(tx, id)
		return nil
	}
	var value T
	if err := json.Unmarshal(text, &value); err != nil {
		return err
	}
	return c.set(tx, id, value)
}

func (c *componentState[T]) digest(h *hasher) {
	h.uint(uint64(c.of.ids.ids.n))
	for id, at := range c.of.ids.places() {
		h.uint(uint64(id))
		h.text(c.codec.append(h.scratch(), c.of.values.at(at)))
	}
}

func (c *componentState[T]) keeps(kind uint8) bool { return kind != inserted }

func (c *componentState[T]) keep(i int) (number uint64, bytes int) {
	v := &c.olds[i]
	bytes = c.codec.weigh(v)
	return c.past.push(kept[T]{*v, bytes}), bytes
}

func (c *componentState[T]) row(int) ID { return 0 }

func (c *componentState[T]) lose(before uint64) (bytes int) { return lose(&c.past, before) }

func (c *componentState[T]) restore(tx *Tx, v *inverse) error {
	if v.kind == inserted {
		c.remove(tx, v.id)
		return nil
	}
	return c.set(tx, v.id, c.past.at(v.n).value)
}

func (c *componentState[T]) kin(of func(value T, root bool, copyOf func(ID) (ID, bool)) (T, bool)) {
	c.kinship = of
	c.w.kindred = append(c.w.kindred, c)
}

func (c *componentState[T]) clone(tx *Tx, from, to ID) error {
	value, ok := c.of.Get(&tx.View, from)
	if !ok {
		return nil
	}
	return c.set(tx, to, value)
}

func (c *componentState[T]) relate(tx *Tx, from, to ID, root bool, copyOf func(ID) (ID, bool)) error {
	value, ok := c.of.Get(&tx.View, from)
	if !ok {
		return nil
	}
	if value, ok = c.kinship(value, root, copyOf); !ok {
		return nil
	}
	return c.set(tx, to, value)
}

func (c *componentState[T]) resume(later func(value T, past uint64) T) {
	c.w.onLater(func(tx *Tx, past uint64) error {
		for id, value := range c.of.All(&tx.View) {
			if err := c.set(tx, id, later(value, past)); err != nil {
				return err
			}
		}
		return nil
	})
}
