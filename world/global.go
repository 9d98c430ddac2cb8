package world

import (
	"encoding/json"
	"reflect"
)

// Global is one value that belongs to no entity, like the weather. What is said of the values of a
// [Component] holds for it.
type Global[T any] struct {
	value T
	state globalOps[T]
}

// globalOps is what a global does besides being looked at: a [globalState]. It is an interface for the reason that [Component] has.
type globalOps[T any] interface {
	set(tx *Tx, value T) error
	resume(later func(value T, past uint64) T)
}

// valued is state of one value.
type valued interface {
	loadValue(tx *Tx, text []byte) error
}

// NewGlobal declares a global, once, where the world is put together. Its name is its key in what
// viewers get. It panics if the name is taken, JSON would have to escape it, or initial holds a number that Set would not take. What else is wrong
// with initial or T shows as it does for a [Component].
func NewGlobal[T any](w *World, name string, initial T, traits ...Trait) *Global[T] {
	g := &Global[T]{value: initial}
	s := &globalState[T]{of: g, codec: newCodec[T](name)}
	g.state = s
	if path, x, ok := finite(reflect.ValueOf(&g.value).Elem()); !ok {
		panic("world: the initial value of " + name + ": " + badNumber(name+path, x).Error())
	}
	w.declare(s, nil, name, traits)
	return g
}

// Get returns the value.
func (g *Global[T]) Get(*View) T { return g.value }

// Set replaces the value. It fails if the new one holds a number that the world does not take.
func (g *Global[T]) Set(tx *Tx, value T) error { return g.state.set(tx, value) }

// Resume is [Component.Resume] for a global.
func (g *Global[T]) Resume(later func(value T, past uint64) T) { g.state.resume(later) }

// globalState changes a global, takes changes back, and writes its value.
type globalState[T any] struct {
	stateBase
	of    *Global[T]
	olds  []T
	past  ring[kept[T]]
	codec codec[T]
}

func (g *globalState[T]) set(tx *Tx, value T) error {
	if err := g.codec.check(value); err != nil {
		return err
	}
	tx.noteShared(g, replaced)
	g.olds = append(g.olds, g.of.value)
	g.of.value = value
	return nil
}

func (g *globalState[T]) undo(*Tx, *record) { g.of.value = pop(&g.olds) }

func (g *globalState[T]) writable() error {
	if err := g.codec.writable(); err != nil {
		return err
	}
	return g.codec.check(g.of.value)
}

func (g *globalState[T]) settle() { g.olds = recycle(g.olds) }

func (g *globalState[T]) append(dst []byte) []byte { return g.codec.append(dst, &g.of.value) }

func (g *globalState[T]) loadValue(tx *Tx, text []byte) error {
	var value T
	if err := json.Unmarshal(text, &value); err != nil {
		return err
	}
	return g.set(tx, value)
}

func (g *globalState[T]) digest(h *hasher) { h.text(g.append(h.scratch())) }

func (g *globalState[T]) keeps(uint8) bool { return true }

func (g *globalState[T]) keep(i int) (number uint64, bytes int) {
	v := &g.olds[i]
	bytes = g.codec.weigh(v)
	return g.past.push(kept[T]{*v, bytes}), bytes
}

func (g *globalState[T]) row(int) ID { return 0 }

func (g *globalState[T]) lose(before uint64) (bytes int) { return lose(&g.past, before) }

func (g *globalState[T]) restore(tx *Tx, v *inverse) error { return g.set(tx, g.past.at(v.n).value) }

func (g *globalState[T]) resume(later func(value T, past uint64) T) {
	g.w.onLater(func(tx *Tx, past uint64) error { return g.set(tx, later(g.of.value, past)) })
}
