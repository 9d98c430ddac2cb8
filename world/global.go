package world

import "reflect"

// Global is one value that belongs to no entity, like the weather. What is said of the values of a
// [Component] holds for it.
type Global[T any] struct {
	stateBase
	value T
	olds  []T
	past  ring[kept[T]]
	codec codec[T]
}

// NewGlobal declares a global, once, where the world is put together. Its name is its key in what
// viewers get. It panics if the name is taken, JSON would have to escape it, or initial holds a number that Set would not take. What else is wrong
// with initial or T shows as it does for a [Component].
func NewGlobal[T any](w *World, name string, initial T, traits ...Trait) *Global[T] {
	g := &Global[T]{codec: newCodec[T](name), value: initial}
	if path, x, ok := finite(reflect.ValueOf(&g.value).Elem()); !ok {
		panic("world: the initial value of " + name + ": " + badNumber(name+path, x).Error())
	}
	w.declare(g, nil, name, traits)
	return g
}

// Get returns the value.
func (g *Global[T]) Get(*View) T { return g.value }

// Set replaces the value. It fails if the new one holds a number that the world does not take.
func (g *Global[T]) Set(tx *Tx, value T) error {
	if err := g.codec.check(value); err != nil {
		return err
	}
	tx.noteShared(g, replaced)
	g.olds = append(g.olds, g.value)
	g.value = value
	return nil
}

func (g *Global[T]) undo(*Tx, *record) { g.value = pop(&g.olds) }

func (g *Global[T]) writable() error {
	if err := g.codec.writable(); err != nil {
		return err
	}
	return g.codec.check(g.value)
}

func (g *Global[T]) settle() { g.olds = recycle(g.olds) }

func (g *Global[T]) append(dst []byte) []byte { return g.codec.append(dst, &g.value) }

func (g *Global[T]) digest(h *hasher) { h.text(g.append(h.scratch())) }

func (g *Global[T]) keeps(uint8) bool { return true }

func (g *Global[T]) keep(i int) (number uint64, bytes int) {
	v := &g.olds[i]
	bytes = g.codec.weigh(v)
	return g.past.push(kept[T]{*v, bytes}), bytes
}

func (g *Global[T]) row(int) ID { return 0 }

func (g *Global[T]) lose(before uint64) (bytes int) { return lose(&g.past, before) }

func (g *Global[T]) restore(tx *Tx, v *inverse) error { return g.Set(tx, g.past.at(v.n).value) }
