package world

import (
	"bytes"
	"encoding/json"
)

// vault is what a component, a table and a global have in common: where their values are, and how those are checked, written and remembered.
type vault struct {
	values  vaultOf
	codec   codec
	retired *[]string // of the world; nil: nothing is
}

func newVault(w *World, name string, values vaultOf) vault {
	v := vault{values: values, codec: newCodec(name, values)}
	if w != nil {
		v.retired = &w.retired
	}
	return v
}

// kept is a value that a ledger remembers.
type kept struct {
	at    seat
	bytes int
}

// admit checks a value that was put into a seat. If the world does not take it, or the check panics, its seat is free again.
func (v *vault) admit(at seat) (err error) {
	if v.codec.plain() {
		return nil
	}
	taken := false
	defer v.unless(&taken, at)
	err = v.codec.check(v.values.ref(at))
	taken = err == nil
	return err
}

// unless frees a seat that is not taken after all. It is deferred, because code of others, which reads and writes values, may panic.
func (v *vault) unless(taken *bool, at seat) {
	if !*taken {
		v.values.free(at)
	}
}

// read puts in what a JSON text says. Of the values of a world that is loaded most are like one of those before: which has the same JSON is the same, though a
// list may be nil in one and empty in another.
func (v *vault) read(text []byte) (at seat, err error) {
	hash, like := v.values.room().like(text)
	if like != none && bytes.Equal(v.codec.write(v.values.ref(like)), text) {
		return v.values.copy(like), nil
	}
	at, err = v.decode(text)
	if err == nil {
		taken := false
		defer v.unless(&taken, at) // code of others may panic
		if err = v.lost(text, at); err != nil {
			return none, err
		}
		taken = true
		v.values.room().recall(hash, at, v.values.of())
	}
	return at, err
}

// decode puts in what a JSON text says, in a seat of its own.
func (v *vault) decode(text []byte) (at seat, err error) {
	to, taken := v.values.blank(), false
	defer v.unless(&taken, to)
	if err := json.Unmarshal(text, v.values.ref(to)); err != nil {
		return none, err
	}
	taken = true
	return to, nil
}

// append writes the value in a seat.
func (v *vault) append(dst []byte, at seat) []byte { return v.codec.append(dst, v.values.ref(at)) }

// remembered makes a value that was there before one that a ledger remembers.
func (v *vault) remembered(at *seat) kept {
	k := kept{*at, v.codec.weigh(v.values.ref(*at))}
	*at = none
	return k
}

// discard forgets a value that was there before, unless a ledger remembers it.
func (v *vault) discard(at seat) {
	if at != none {
		v.values.free(at)
	}
}

// share has a value that was there before be kept once more, or once less.
func (v *vault) share(at seat, more bool) {
	switch {
	case at == none:
	case more:
		v.values.copy(at)
	default:
		v.values.free(at)
	}
}

// memory is what was before of the values of a component or a global.
type memory struct {
	vault
	olds []seat // what was before, in the order of the journal's records; none: it is in past
	past ring[kept]
}

func (m *memory) keep(i int) (number uint64, bytes int) {
	k := m.remembered(&m.olds[i])
	return m.past.push(k), k.bytes
}

func (m *memory) lose(before uint64) (bytes int) {
	for k := range m.past.shed(before) {
		bytes += k.bytes
		m.discard(k.at)
	}
	return bytes
}

func (m *memory) hold(number uint64, is bool) {
	m.share(m.past.was(number).at, is)
	m.past.hold(number, is)
}

func (m *memory) settle() {
	for _, at := range m.olds {
		m.discard(at)
	}
	m.olds = recycle(m.olds)
}

// copyOf puts in once more what a ledger remembers under a number.
func (m *memory) copyOf(number uint64) seat { return m.values.copy(m.past.was(number).at) }

// row is of tables.
func (m *memory) row(int) ID { return 0 }
