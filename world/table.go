package world

import (
	"cmp"
	"iter"
	"slices"
)

// Table holds rows that belong to no entity, by key: panels on the screen, sounds that play. It has
// a limit and a counter of its own. What is said of the values of a [Component] holds for its rows
// and keys.
type Table[K cmp.Ordered, T any] struct {
	index index[K]
	bank  bank[T]
	state tableOps[K]
}

// index says in which seat a table has the row of a key.
type index[K cmp.Ordered] struct {
	keys []K // sorted
	rows map[K]seat
}

// tableOps is what a table does besides looking up: a [tableState]. It is an interface because the compiler makes all methods of each generic type that
// it sees, anew in each package that so much as names what holds a table.
type tableOps[K cmp.Ordered] interface {
	open(tx *Tx)
	locate(at func(seat) Place)
	next(tx *Tx) uint64
	set(tx *Tx, key K, at seat) error
	remove(tx *Tx, key K) bool
	resume(later func(at seat, past uint64) seat)
}

// Place says where a row of a [Table] is: who views an area gets the rows that are there. The zero Place is
// everywhere.
type Place struct {
	Entity ID      // with it: who sees the entity gets the row
	Point  *Vec3   // else there: whose area holds the point, or comes within Radius of it, gets the row
	Radius float64 // metres
}

// NewTable declares a table, once, where the world is put together. It holds at most limit rows,
// 65,536 if limit is 0. It panics if the name is taken, or JSON would have to escape it. That K or T cannot be written as JSON shows as it does for a
// [Component].
func NewTable[K cmp.Ordered, T any](w *World, name string, limit int, traits ...Trait) *Table[K, T] {
	t := &Table[K, T]{}
	t.state = newTable(w, name, limit, t, &t.index, teller[T]{&t.bank}, traits)
	return t
}

// TableOf returns the table that was declared under a name with these types, nil if there is none: for who only looks something up in it and
// is not given it where the world is put together.
func TableOf[K cmp.Ordered, T any](v *View, name string) *Table[K, T] {
	s, ok := v.w.byName[name].(rowed)
	if !ok {
		return nil
	}
	t, _ := s.table().(*Table[K, T])
	return t
}

// Locate says where rows are, once, where the world is put together. Without it all of them are everywhere. at is called
// with rows that are in the table, for viewers; it must depend on nothing else.
func (t *Table[K, T]) Locate(at func(T) Place) {
	t.state.locate(func(row seat) Place { return at(*t.bank.at(row)) })
}

// Get returns the row of a key.
func (t *Table[K, T]) Get(_ *View, key K) (value T, ok bool) {
	at, ok := t.index.rows[key]
	if !ok {
		return value, false
	}
	return *t.bank.at(at), true
}

// Len returns how many rows there are.
func (t *Table[K, T]) Len(*View) int { return len(t.index.keys) }

// All yields every row, in key order. Rows must not be set or deleted while it runs.
func (t *Table[K, T]) All(*View) iter.Seq2[K, T] {
	return func(yield func(K, T) bool) {
		for _, k := range t.index.keys {
			if at, ok := t.index.rows[k]; ok && !yield(k, *t.bank.at(at)) {
				return
			}
		}
	}
}

// Take deletes the first rows, in key order, as long as wanted says that of them; nil is all. It returns them. wanted must not change the table.
func (t *Table[K, T]) Take(tx *Tx, wanted func(row T) bool) (rows []T) {
	for _, k := range t.index.keys {
		row := *t.bank.at(t.index.rows[k])
		if wanted != nil && !wanted(row) {
			break
		}
		rows = append(rows, row)
	}
	for _, k := range slices.Clone(t.index.keys[:len(rows)]) {
		t.state.remove(tx, k)
	}
	return rows
}

// Next returns 1, then 2, and so on: numbers for new rows, none of them used twice.
func (t *Table[K, T]) Next(tx *Tx) uint64 { return t.state.next(tx) }

// Set puts a row under a key, in place of the one there. It fails, and changes nothing, with
// capacity_exceeded if the table is full, or if the row holds a number that the world does not take, or if
// its JSON is null, as that of a nil slice, and the table is not [Private]: null is what viewers are told of
// a row that is gone.
func (t *Table[K, T]) Set(tx *Tx, key K, value T) error {
	t.state.open(tx)
	return t.state.set(tx, key, t.bank.put(value))
}

// Delete removes the row of a key and reports whether there was one.
func (t *Table[K, T]) Delete(tx *Tx, key K) bool { return t.state.remove(tx, key) }

// Resume is [Component.Resume] for the rows of a table.
func (t *Table[K, T]) Resume(later func(value T, past uint64) T) {
	t.state.resume(func(at seat, past uint64) seat { return t.bank.put(later(*t.bank.at(at), past)) })
}
