package world

import (
	"cmp"
	"errors"
	"hash/fnv"
	"iter"
	"slices"
)

// Table holds rows that belong to no entity, by key: panels on the screen, sounds that play. It has
// a limit and a counter of its own. What is said of the values of a [Component] holds for its rows
// and keys.
type Table[K cmp.Ordered, T any] struct {
	stateBase
	limit   int
	keys    []K // sorted
	rows    map[K]T
	counter uint64
	olds    []row[K, T]
	past    ring[kept[row[K, T]]]
	codec   codec[T]
	keying  codec[K]
	at      func(T) Place // nil: rows have no places
	marked  map[K]bool    // rows that were touched since a Tracker has written them
}

// Place says where a row of a [Table] is: who views an area gets the rows that are there. The zero Place is
// everywhere.
type Place struct {
	Entity ID      // with it: who sees the entity gets the row
	Point  *Vec3   // else there: whose area holds the point, or comes within Radius of it, gets the row
	Radius float64 // metres
}

// row is an inverse: what the table held under a key.
type row[K cmp.Ordered, T any] struct {
	key   K
	value T
}

// counted is what was done when the counter went on; the record has what it was.
const counted uint8 = 3

// NewTable declares a table, once, where the world is put together. It holds at most limit rows,
// 65,536 if limit is 0. It panics if the name is taken, or JSON would have to escape it. That K or T cannot be written as JSON shows as it does for a
// [Component].
func NewTable[K cmp.Ordered, T any](w *World, name string, limit int, traits ...Trait) *Table[K, T] {
	if limit <= 0 {
		limit = 1 << 16
	}
	t := &Table[K, T]{limit: limit, rows: map[K]T{}, codec: newCodec[T](name), keying: newCodec[K](name)}
	w.declare(t, nil, name, traits)
	return t
}

// TableOf returns the table that was declared under a name with these types, nil if there is none: for who only looks something up in it and
// is not given it where the world is put together.
func TableOf[K cmp.Ordered, T any](v *View, name string) *Table[K, T] {
	t, _ := v.w.byName[name].(*Table[K, T])
	return t
}

// Locate says where rows are, once, where the world is put together. Without it all of them are everywhere. at is called
// with rows that are in the table, for viewers; it must depend on nothing else.
func (t *Table[K, T]) Locate(at func(T) Place) { t.at = at }

// Get returns the row of a key.
func (t *Table[K, T]) Get(_ *View, key K) (value T, ok bool) {
	value, ok = t.rows[key]
	return value, ok
}

// Len returns how many rows there are.
func (t *Table[K, T]) Len(*View) int { return len(t.keys) }

// All yields every row, in key order. Rows must not be set or deleted while it runs.
func (t *Table[K, T]) All(*View) iter.Seq2[K, T] {
	return func(yield func(K, T) bool) {
		for _, k := range t.keys {
			if !yield(k, t.rows[k]) {
				return
			}
		}
	}
}

// Take deletes the first rows, in key order, as long as wanted says that of them; nil is all. It returns them.
func (t *Table[K, T]) Take(tx *Tx, wanted func(row T) bool) (rows []T) {
	for _, k := range t.keys {
		if wanted != nil && !wanted(t.rows[k]) {
			break
		}
		rows = append(rows, t.rows[k])
	}
	for _, k := range slices.Clone(t.keys[:len(rows)]) {
		t.Delete(tx, k)
	}
	return rows
}

// Next returns 1, then 2, and so on: numbers for new rows, none of them used twice.
func (t *Table[K, T]) Next(tx *Tx) uint64 {
	t.countTo(tx, t.counter+1)
	return t.counter
}

func (t *Table[K, T]) count() uint64 { return t.counter }

// countTo has the counter go on to n.
func (t *Table[K, T]) countTo(tx *Tx, n uint64) {
	tx.noteShared(t, counted).n = t.counter
	t.counter = n
}

// Set puts a row under a key, in place of the one there. It fails, and changes nothing, with
// capacity_exceeded if the table is full, or if the row holds a number that the world does not take, or if
// its JSON is null, as that of a nil slice, and the table is not [Private]: null is what viewers are told of
// a row that is gone.
func (t *Table[K, T]) Set(tx *Tx, key K, value T) error {
	if err := t.keying.check(key); err != nil {
		return err
	}
	if err := t.codec.check(value); err != nil {
		return err
	}
	if !t.private && t.codec.null(value) {
		return invalid("%s: a row must not be null, which is what viewers are told of one that is gone; delete it, or make it empty", t.name)
	}
	old, ok := t.rows[key]
	if !ok {
		if len(t.keys) >= t.limit {
			return capacity("%s is full: it holds %d; remove some first", t.name, t.limit)
		}
		tx.noteShared(t, inserted)
		t.olds = append(t.olds, row[K, T]{key: key})
		t.insert(key, value)
		return nil
	}
	tx.noteShared(t, replaced)
	t.olds = append(t.olds, row[K, T]{key, old})
	t.rows[key] = value
	return nil
}

// Delete removes the row of a key and reports whether there was one.
func (t *Table[K, T]) Delete(tx *Tx, key K) bool {
	old, ok := t.rows[key]
	if !ok {
		return false
	}
	tx.noteShared(t, removed)
	t.olds = append(t.olds, row[K, T]{key, old})
	t.cut(key)
	return true
}

func (t *Table[K, T]) insert(key K, value T) {
	i, _ := slices.BinarySearch(t.keys, key)
	t.keys = slices.Insert(t.keys, i, key)
	t.rows[key] = value
}

func (t *Table[K, T]) cut(key K) {
	i, _ := slices.BinarySearch(t.keys, key)
	t.keys = slices.Delete(t.keys, i, i+1)
	delete(t.rows, key)
}

func (t *Table[K, T]) undo(_ *Tx, r *record) {
	if r.kind == counted {
		t.counter = r.n
		return
	}
	old := pop(&t.olds)
	switch r.kind {
	case inserted:
		t.cut(old.key)
	case replaced:
		t.rows[old.key] = old.value
	case removed:
		t.insert(old.key, old.value)
	}
}

func (t *Table[K, T]) writable() error {
	return errors.Join(t.keying.writable(), t.codec.writable())
}

func (t *Table[K, T]) settle() { t.olds = recycle(t.olds) }

// append writes the table as an object, in key order.
func (t *Table[K, T]) append(dst []byte) []byte {
	dst = append(dst, '{')
	for i, k := range t.keys {
		if i > 0 {
			dst = append(dst, ',')
		}
		v := t.rows[k]
		dst = append(t.keying.appendKey(dst, &k), ':')
		dst = t.codec.append(dst, &v)
	}
	return append(dst, '}')
}

func (t *Table[K, T]) digest(h *hasher) {
	if !h.content {
		h.uint(t.counter)
	}
	h.uint(uint64(len(t.keys)))
	for _, k := range t.keys {
		v := t.rows[k]
		h.text(t.keying.append(h.scratch(), &k))
		h.text(t.codec.append(h.scratch(), &v))
	}
}

func (t *Table[K, T]) keeps(kind uint8) bool { return kind != counted }

func (t *Table[K, T]) keep(i int) (number uint64, bytes int) {
	r := &t.olds[i]
	bytes = t.codec.weigh(&r.value) + t.keying.weigh(&r.key)
	return t.past.push(kept[row[K, T]]{*r, bytes}), bytes
}

// row stands for a key where there is room for an ID only. That two keys have the same is not to be
// expected, and only makes a conflict of what is none.
func (t *Table[K, T]) row(i int) ID {
	h := fnv.New64a()
	h.Write(t.keying.append(nil, &t.olds[i].key))
	return ID(h.Sum64())
}

func (t *Table[K, T]) lose(before uint64) (bytes int) { return lose(&t.past, before) }

func (t *Table[K, T]) restore(tx *Tx, v *inverse) error {
	r := t.past.at(v.n).value
	if v.kind == inserted {
		t.Delete(tx, r.key)
		return nil
	}
	return t.Set(tx, r.key, r.value)
}
