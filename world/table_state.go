package world

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
)

// tableState changes the rows of a table, takes changes back, and writes rows.
type tableState[K cmp.Ordered, T any] struct {
	stateBase
	of      *Table[K, T]
	limit   int
	counter uint64
	olds    []row[K, T]
	past    ring[kept[row[K, T]]]
	codec   codec[T]
	keying  codec[K]
	at      func(T) Place // nil: rows have no places
	marked  map[K]bool    // rows that were touched since a Tracker has written them
}

// row is an inverse: what the table held under a key.
type row[K cmp.Ordered, T any] struct {
	key   K
	value T
}

// counted is what was done when the counter went on; the record has what it was.
const counted uint8 = 3

func (t *tableState[K, T]) table() *Table[K, T] { return t.of }

func (t *tableState[K, T]) locate(at func(T) Place) { t.at = at }

func (t *tableState[K, T]) take(tx *Tx, wanted func(row T) bool) (rows []T) {
	for _, k := range t.of.keys {
		if wanted != nil && !wanted(t.of.rows[k]) {
			break
		}
		rows = append(rows, t.of.rows[k])
	}
	for _, k := range slices.Clone(t.of.keys[:len(rows)]) {
		t.remove(tx, k)
	}
	return rows
}

func (t *tableState[K, T]) next(tx *Tx) uint64 {
	t.countTo(tx, t.counter+1)
	return t.counter
}

func (t *tableState[K, T]) count() uint64 { return t.counter }

// countTo has the counter go on to n.
func (t *tableState[K, T]) countTo(tx *Tx, n uint64) {
	tx.noteShared(t, counted).n = t.counter
	t.counter = n
}

func (t *tableState[K, T]) setCounter(n uint64) { t.counter = n }

func (t *tableState[K, T]) set(tx *Tx, key K, value T) error {
	if err := t.keying.check(key); err != nil {
		return err
	}
	if err := t.codec.check(value); err != nil {
		return err
	}
	if !t.private && t.codec.null(value) {
		return invalid("%s: a row must not be null, which is what viewers are told of one that is gone; delete it, or make it empty", t.name)
	}
	old, ok := t.of.rows[key]
	if !ok {
		if len(t.of.keys) >= t.limit {
			return capacity("%s is full: it holds %d; remove some first", t.name, t.limit)
		}
		tx.noteShared(t, inserted)
		t.olds = append(t.olds, row[K, T]{key: key})
		t.insert(key, value)
		return nil
	}
	tx.noteShared(t, replaced)
	t.olds = append(t.olds, row[K, T]{key, old})
	t.of.rows[key] = value
	return nil
}

func (t *tableState[K, T]) remove(tx *Tx, key K) bool {
	old, ok := t.of.rows[key]
	if !ok {
		return false
	}
	tx.noteShared(t, removed)
	t.olds = append(t.olds, row[K, T]{key, old})
	t.cut(key)
	return true
}

func (t *tableState[K, T]) insert(key K, value T) {
	i, _ := slices.BinarySearch(t.of.keys, key)
	t.of.keys = slices.Insert(t.of.keys, i, key)
	t.of.rows[key] = value
}

func (t *tableState[K, T]) cut(key K) {
	i, _ := slices.BinarySearch(t.of.keys, key)
	t.of.keys = slices.Delete(t.of.keys, i, i+1)
	delete(t.of.rows, key)
}

func (t *tableState[K, T]) undo(_ *Tx, r *record) {
	if r.kind == counted {
		t.counter = r.n
		return
	}
	old := pop(&t.olds)
	switch r.kind {
	case inserted:
		t.cut(old.key)
	case replaced:
		t.of.rows[old.key] = old.value
	case removed:
		t.insert(old.key, old.value)
	}
}

func (t *tableState[K, T]) writable() error {
	return errors.Join(t.keying.writable(), t.codec.writable())
}

func (t *tableState[K, T]) settle() { t.olds = recycle(t.olds) }

// append writes the table as an object, in key order.
func (t *tableState[K, T]) append(dst []byte) []byte {
	dst = append(dst, '{')
	for i, k := range t.of.keys {
		if i > 0 {
			dst = append(dst, ',')
		}
		v := t.of.rows[k]
		dst = append(t.keying.appendKey(dst, &k), ':')
		dst = t.codec.append(dst, &v)
	}
	return append(dst, '}')
}

func (t *tableState[K, T]) digest(h *hasher) {
	if !h.content {
		h.uint(t.counter)
	}
	h.uint(uint64(len(t.of.keys)))
	for _, k := range t.of.keys {
		v := t.of.rows[k]
		h.text(t.keying.append(h.scratch(), &k))
		h.text(t.codec.append(h.scratch(), &v))
	}
}

func (t *tableState[K, T]) keeps(kind uint8) bool { return kind != counted }

func (t *tableState[K, T]) keep(i int) (number uint64, bytes int) {
	r := &t.olds[i]
	bytes = t.codec.weigh(&r.value) + t.keying.weigh(&r.key)
	return t.past.push(kept[row[K, T]]{*r, bytes}), bytes
}

// row stands for a key where there is room for an ID only. That two keys have the same is not to be
// expected, and only makes a conflict of what is none.
func (t *tableState[K, T]) row(i int) ID {
	h := fnv.New64a()
	h.Write(t.keying.append(nil, &t.olds[i].key))
	return ID(h.Sum64())
}

func (t *tableState[K, T]) lose(before uint64) (bytes int) { return lose(&t.past, before) }

func (t *tableState[K, T]) restore(tx *Tx, v *inverse) error {
	r := t.past.at(v.n).value
	if v.kind == inserted {
		t.remove(tx, r.key)
		return nil
	}
	return t.set(tx, r.key, r.value)
}

func (t *tableState[K, T]) resume(later func(value T, past uint64) T) {
	t.w.onLater(func(tx *Tx, past uint64) error {
		for _, key := range slices.Clone(t.of.keys) {
			if err := t.set(tx, key, later(t.of.rows[key], past)); err != nil {
				return err
			}
		}
		return nil
	})
}

// loadRows makes the rows of the table those of the texts.
func (t *tableState[K, T]) loadRows(tx *Tx, rows map[string]json.RawMessage) error {
	for _, k := range slices.Clone(t.of.keys) {
		if _, ok := rows[t.nameOf(&k)]; !ok {
			t.remove(tx, k)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		key, err := t.keyOf(name)
		if err != nil {
			return err
		}
		if now, ok := t.of.rows[key]; ok && bytes.Equal(t.codec.append(nil, &now), rows[name]) {
			continue
		}
		var value T
		if err := json.Unmarshal(rows[name], &value); err != nil {
			return err
		}
		if err := t.set(tx, key, value); err != nil {
			return err
		}
	}
	return nil
}

// nameOf returns a key as it is in a JSON object, and keyOf the key of such a name.
func (t *tableState[K, T]) nameOf(k *K) (name string) {
	_ = json.Unmarshal(t.keying.appendKey(nil, k), &name) // it is a JSON string
	return name
}

func (t *tableState[K, T]) keyOf(name string) (key K, err error) {
	text, err := json.Marshal(name)
	if err != nil {
		return key, err
	}
	if json.Unmarshal(text, &key) == nil {
		return key, nil
	}
	return key, json.Unmarshal([]byte(name), &key)
}

func (t *tableState[K, T]) eachRow(fn RowFunc) {
	var buf []byte
	for i := range t.of.keys {
		buf = t.showRow(buf, t.of.keys[i], fn)
	}
}

// eachTouched finds the rows by the inverses that the transaction keeps of them.
func (t *tableState[K, T]) eachTouched(fn RowFunc) {
	var buf []byte
	for i := range t.olds {
		buf = t.showRow(buf, t.olds[i].key, fn)
	}
}

func (t *tableState[K, T]) showRow(buf []byte, k K, fn RowFunc) []byte {
	buf = t.keying.appendKey(buf[:0], &k)
	n := len(buf)
	v, ok := t.of.rows[k]
	var at *Place
	if t.at != nil {
		at = new(Place)
		if ok {
			*at = t.at(v)
		}
	}
	if !ok {
		fn(buf, nil, at)
		return buf
	}
	buf = t.codec.append(buf, &v)
	fn(buf[:n:n], buf[n:], at)
	return buf
}

func (t *tableState[K, T]) mark() {
	if t.marked == nil {
		t.marked = map[K]bool{}
	}
	for i := range t.olds {
		t.marked[t.olds[i].key] = true
	}
}

func (t *tableState[K, T]) unmark() { t.marked = nil }

func (t *tableState[K, T]) appendMarked(dst []byte) []byte {
	var there, gone []K
	for k := range t.marked {
		if _, ok := t.of.rows[k]; ok {
			there = append(there, k)
		} else {
			gone = append(gone, k)
		}
	}
	t.unmark()
	slices.Sort(there)
	slices.Sort(gone)
	dst = t.appendRows(dst, there)
	for i, k := range gone {
		if i == 0 {
			dst = append(dst, `,"gone":[`...)
		} else {
			dst = append(dst, ',')
		}
		dst = t.keying.appendKey(dst, &k)
	}
	if gone != nil {
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

func (t *tableState[K, T]) appendTable(dst []byte) []byte {
	return append(t.appendRows(dst, t.of.keys), '}')
}

func (t *tableState[K, T]) appendRows(dst []byte, keys []K) []byte {
	dst = strconv.AppendUint(append(dst, `{"counter":`...), t.counter, 10)
	for i, k := range keys {
		if i == 0 {
			dst = append(dst, `,"rows":{`...)
		} else {
			dst = append(dst, ',')
		}
		dst = append(t.keying.appendKey(dst, &k), ':')
		v := t.of.rows[k]
		dst = t.codec.append(dst, &v)
	}
	if len(keys) > 0 {
		dst = append(dst, '}')
	}
	return dst
}
