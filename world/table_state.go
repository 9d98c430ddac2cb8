package world

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
)

// tableState changes the rows of a table, takes changes back, and writes rows. It is the same for every type of rows.
type tableState[K cmp.Ordered] struct {
	stateBase
	vault
	of      *index[K]
	owner   any // the Table
	limit   int
	counter uint64
	olds    []row[K]
	past    ring[keptRow[K]]
	keying  codec
	one     K                // that check looks at, where it can be pointed to; used under the lock
	at      func(seat) Place // nil: rows have no places
	marked  map[K]bool       // rows that were touched since a Tracker has written them
}

// row is an inverse: what the table held under a key, none if nothing, or if it is in past.
type row[K cmp.Ordered] struct {
	key K
	at  seat
}

// keptRow is a row that a ledger remembers.
type keptRow[K cmp.Ordered] struct {
	kept
	key K
}

func newTable[K cmp.Ordered](w *World, name string, limit int, owner any, of *index[K], values vaultOf, traits []Trait) tableOps[K] {
	if limit <= 0 {
		limit = 1 << 16
	}
	of.rows = map[K]seat{}
	t := &tableState[K]{of: of, owner: owner, limit: limit, vault: newVault(w, name, values), keying: newCodec(name, teller[K]{})}
	w.declare(t, nil, name, traits)
	return t
}

// counted is what was done when the counter went on; the record has what it was.
const counted uint8 = 3

func (t *tableState[K]) table() any { return t.owner }

func (t *tableState[K]) locate(at func(seat) Place) { t.at = at }

// open is called before a row is put into its seat, and so panics if the world is not the caller's to change.
func (t *tableState[K]) open(tx *Tx) { tx.own(&t.stateBase) }

func (t *tableState[K]) next(tx *Tx) uint64 {
	t.countTo(tx, t.counter+1)
	return t.counter
}

func (t *tableState[K]) count() uint64 { return t.counter }

// countTo has the counter go on to n.
func (t *tableState[K]) countTo(tx *Tx, n uint64) {
	tx.noteShared(t, counted).n = t.counter
	t.counter = n
}

func (t *tableState[K]) setCounter(n uint64) { t.counter = n }

// set puts the row in a seat under a key. If it fails, the seat is free again.
func (t *tableState[K]) set(tx *Tx, key K, at seat) error {
	taken := false
	defer t.unless(&taken, at)
	if err := t.check(key, at); err != nil {
		return err
	}
	old, ok := t.of.rows[key]
	if !ok && len(t.of.keys) >= t.limit {
		return capacity("%s is full: it holds %d; remove some first", t.name, t.limit)
	}
	taken = true
	if !ok {
		tx.noteShared(t, inserted)
		t.olds = append(t.olds, row[K]{key, none})
		t.insert(key, at)
		return nil
	}
	tx.noteShared(t, replaced)
	t.olds = append(t.olds, row[K]{key, old})
	t.of.rows[key] = at
	return nil
}

// check reports what in a key or a row the table does not take.
func (t *tableState[K]) check(key K, at seat) error {
	t.one = key
	err := t.keying.check(&t.one)
	var zero K
	t.one = zero
	if err != nil {
		return err
	}
	if err := t.codec.check(t.values.ref(at)); err != nil {
		return err
	}
	if !t.private && t.codec.null(t.values.ref(at)) {
		return invalid("%s: a row must not be null, which is what viewers are told of one that is gone; delete it, or make it empty", t.name)
	}
	return nil
}

func (t *tableState[K]) remove(tx *Tx, key K) bool {
	old, ok := t.of.rows[key]
	if !ok {
		return false
	}
	tx.noteShared(t, removed)
	t.olds = append(t.olds, row[K]{key, old})
	t.cut(key)
	return true
}

func (t *tableState[K]) insert(key K, at seat) {
	i, _ := slices.BinarySearch(t.of.keys, key)
	t.of.keys = slices.Insert(t.of.keys, i, key)
	t.of.rows[key] = at
}

func (t *tableState[K]) cut(key K) {
	i, _ := slices.BinarySearch(t.of.keys, key)
	t.of.keys = slices.Delete(t.of.keys, i, i+1)
	delete(t.of.rows, key)
}

func (t *tableState[K]) undo(_ *Tx, r *record) {
	if r.kind == counted {
		t.counter = r.n
		return
	}
	old := pop(&t.olds)
	switch r.kind {
	case inserted:
		t.values.free(t.of.rows[old.key])
		t.cut(old.key)
	case replaced:
		t.values.free(t.of.rows[old.key])
		t.of.rows[old.key] = old.at
	case removed:
		t.insert(old.key, old.at)
	}
}

func (t *tableState[K]) writable() error {
	return errors.Join(t.keying.writable(), t.codec.writable())
}

func (t *tableState[K]) settle() {
	for i := range t.olds {
		t.discard(t.olds[i].at)
	}
	t.olds = recycle(t.olds)
}

// append writes the table as an object, in key order.
func (t *tableState[K]) append(dst []byte) []byte {
	return append(t.appendMembers(append(dst, '{'), t.of.keys), '}')
}

// appendMembers writes rows by their keys.
func (t *tableState[K]) appendMembers(dst []byte, keys []K) []byte {
	for i := range keys {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(t.keying.appendKey(dst, &keys[i]), ':')
		dst = t.vault.append(dst, t.of.rows[keys[i]])
	}
	return dst
}

func (t *tableState[K]) digest(h *hasher) {
	if !h.content {
		h.uint(t.counter)
	}
	h.uint(uint64(len(t.of.keys)))
	for i, k := range t.of.keys {
		h.text(t.keying.append(h.scratch(), &t.of.keys[i]))
		h.text(t.vault.append(h.scratch(), t.of.rows[k]))
	}
}

func (t *tableState[K]) keeps(kind uint8) bool { return kind != counted }

func (t *tableState[K]) keep(i int) (number uint64, bytes int) {
	r := &t.olds[i]
	k := keptRow[K]{kept{at: none}, r.key}
	if r.at != none {
		k.kept = t.remembered(&r.at)
	}
	k.bytes += t.keying.weigh(&r.key)
	return t.past.push(k), k.bytes
}

// row stands for a key where there is room for an ID only. That two keys have the same is not to be
// expected, and only makes a conflict of what is none.
func (t *tableState[K]) row(i int) ID {
	h := fnv.New64a()
	h.Write(t.keying.append(nil, &t.olds[i].key))
	return ID(h.Sum64())
}

func (t *tableState[K]) lose(before uint64) (bytes int) {
	for k := range t.past.shed(before) {
		bytes += k.bytes
		t.discard(k.at)
	}
	return bytes
}

func (t *tableState[K]) hold(number uint64, is bool) {
	t.share(t.past.was(number).at, is)
	t.past.hold(number, is)
}

func (t *tableState[K]) restore(tx *Tx, v *inverse) error {
	k := t.past.was(v.n)
	if v.kind == inserted {
		t.remove(tx, k.key)
		return nil
	}
	t.open(tx)
	return t.set(tx, k.key, t.values.copy(k.at))
}

func (t *tableState[K]) resume(later func(at seat, past uint64) seat) {
	t.w.onLater(func(tx *Tx, past uint64) error {
		t.open(tx)
		for _, key := range slices.Clone(t.of.keys) {
			if err := t.set(tx, key, later(t.of.rows[key], past)); err != nil {
				return err
			}
		}
		return nil
	})
}

// loadRows makes the rows of the table those of the texts.
func (t *tableState[K]) loadRows(tx *Tx, rows map[string]json.RawMessage) error {
	t.open(tx)
	keys := slices.Clone(t.of.keys)
	for i := range keys {
		if _, ok := rows[t.nameOf(&keys[i])]; !ok {
			t.remove(tx, keys[i])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		key, err := t.keyOf(name)
		if err != nil {
			return err
		}
		if now, ok := t.of.rows[key]; ok && bytes.Equal(t.vault.append(nil, now), rows[name]) {
			continue
		}
		at, err := t.read(rows[name])
		if err == nil {
			err = t.set(tx, key, at)
		}
		if err != nil {
			return fmt.Errorf("row %s: %w", name, err)
		}
	}
	return nil
}

// nameOf returns a key as it is in a JSON object, and keyOf the key of such a name.
func (t *tableState[K]) nameOf(k *K) (name string) {
	_ = json.Unmarshal(t.keying.appendKey(nil, k), &name) // it is a JSON string
	return name
}

func (t *tableState[K]) keyOf(name string) (key K, err error) {
	text, err := json.Marshal(name)
	if err != nil {
		return key, err
	}
	if json.Unmarshal(text, &key) == nil {
		return key, nil
	}
	return key, json.Unmarshal([]byte(name), &key)
}

func (t *tableState[K]) eachRow(fn RowFunc) {
	var buf []byte
	for i := range t.of.keys {
		buf = t.showRow(buf, &t.of.keys[i], fn)
	}
}

// eachTouched finds the rows by the inverses that the transaction keeps of them.
func (t *tableState[K]) eachTouched(fn RowFunc) {
	var buf []byte
	for i := range t.olds {
		buf = t.showRow(buf, &t.olds[i].key, fn)
	}
}

func (t *tableState[K]) showRow(buf []byte, k *K, fn RowFunc) []byte {
	buf = t.keying.appendKey(buf[:0], k)
	n := len(buf)
	row, ok := t.of.rows[*k]
	var at *Place
	if t.at != nil {
		at = new(Place)
		if ok {
			*at = t.at(row)
		}
	}
	if !ok {
		fn(buf, nil, at)
		return buf
	}
	buf = t.vault.append(buf, row)
	fn(buf[:n:n], buf[n:], at)
	return buf
}

func (t *tableState[K]) mark() {
	if t.marked == nil {
		t.marked = map[K]bool{}
	}
	for i := range t.olds {
		t.marked[t.olds[i].key] = true
	}
}

func (t *tableState[K]) unmark() { t.marked = nil }

func (t *tableState[K]) appendMarked(dst []byte) []byte {
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
	for i := range gone {
		if i == 0 {
			dst = append(dst, `,"gone":[`...)
		} else {
			dst = append(dst, ',')
		}
		dst = t.keying.appendKey(dst, &gone[i])
	}
	if gone != nil {
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

func (t *tableState[K]) appendTable(dst []byte) []byte {
	return append(t.appendRows(dst, t.of.keys), '}')
}

func (t *tableState[K]) appendRows(dst []byte, keys []K) []byte {
	dst = strconv.AppendUint(append(dst, `{"counter":`...), t.counter, 10)
	if len(keys) > 0 {
		dst = append(t.appendMembers(append(dst, `,"rows":{`...), keys), '}')
	}
	return dst
}
