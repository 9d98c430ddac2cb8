package world

import "iter"

// column is a component of any type, as the world sees it.
type column interface {
	state
	drop(tx *Tx, id ID)                               // remove it from an entity that is destroyed
	clone(tx *Tx, from, to ID) error                  // give an entity what another one has, if it may be there twice
	appendOf(dst []byte, id ID) (out []byte, ok bool) // its JSON, if the entity has it
	holders() []ID                                    // who has it, in id order
	load(tx *Tx, id ID, text []byte) error            // set it from its JSON; nil removes it
	// relate gives a copy of an entity what it has of what says how it stands to others; see [Component.Kin].
	relate(tx *Tx, from, to ID, root bool, copyOf func(ID) (ID, bool)) error
}

// Component is a kind of thing that an entity may have one of, like a shape or an inventory: a typed
// column of values. Values are immutable: to change one, Set a new one, and never
// write through its slices, maps or pointers, nor append to its slices: others may have the same. Values go to viewers and into the hash as JSON, so T
// must survive encoding/json; a [JSONAppender] is asked itself.
//
// A world that was kept is read into T as it is now: what T has no field for is refused, see [World.Retire].
//
// What depends on T is its bank and what it takes to look a value up; all else is a columnState. For each T the compiler makes all methods
// of each generic type that it sees, and a start touches many of them.
type Component[T any] struct {
	state columnState
	bank  bank[T]
}

// NewComponent declares a component, once, where the world is put together; name is its key in an
// entity's JSON. It panics if the name is taken, or JSON would have to escape it. That T cannot be written as JSON shows when the first value is set,
// which panics, or in [World.Check].
func NewComponent[T any](w *World, name string, traits ...Trait) *Component[T] {
	c := &Component[T]{}
	c.state.declare(w, name, teller[T]{&c.bank}, traits)
	return c
}

// Get returns an entity's value, and false if it has none.
func (c *Component[T]) Get(_ *View, id ID) (value T, ok bool) {
	at, ok := c.state.seats.find(id)
	if !ok {
		return value, false
	}
	return *c.bank.at(at), true
}

// Has reports whether an entity has a value.
func (c *Component[T]) Has(_ *View, id ID) bool {
	_, ok := c.state.seats.find(id)
	return ok
}

// Len returns how many entities have a value.
func (c *Component[T]) Len(*View) int { return c.state.seats.n }

// All yields every entity that has a value, in id order. Values may be set and removed while it runs.
func (c *Component[T]) All(*View) iter.Seq2[ID, T] {
	return func(yield func(ID, T) bool) {
		for id, at := range c.state.seats.places() {
			if !yield(id, *c.bank.at(at)) {
				return
			}
		}
	}
}

// Set gives an entity a value, in place of the one it has. It fails, and changes nothing, if the
// entity is unknown or the value holds a number that the world does not take.
func (c *Component[T]) Set(tx *Tx, id ID, value T) error {
	s, err := c.state.open(tx, id)
	if err != nil {
		return err
	}
	at, there := c.bank.seat(value)
	return c.state.put(tx, id, s, at, there)
}

// Remove takes an entity's value away and reports whether it had one.
func (c *Component[T]) Remove(tx *Tx, id ID) bool { return c.state.remove(tx, id) }

// Kin says what of a value a copy of an entity has, for a component that says how an entity stands to others. It is asked when everything is copied:
// copyOf returns what has become of an entity that is copied, root says whether this one is what Clone was called with, so that its copy is somewhere
// else. False: nothing. It is called once, where the world is put together.
func (c *Component[T]) Kin(of func(value T, root bool, copyOf func(ID) (ID, bool)) (T, bool)) {
	c.state.kin(func(at seat, root bool, copyOf func(ID) (ID, bool)) (seat, bool) {
		value, ok := of(*c.bank.at(at), root, copyOf)
		if !ok {
			return none, false
		}
		return c.bank.put(value), true
	})
}

// Resume says how a value that holds steps becomes one that goes on past steps later, see [World.OnRestore]. What later gets it must not change.
func (c *Component[T]) Resume(later func(value T, past uint64) T) {
	c.state.resume(func(at seat, past uint64) seat { return c.bank.put(later(*c.bank.at(at), past)) })
}
