package world

import "reflect"

// Global is one value that belongs to no entity, like the weather. What is said of the values of a
// [Component] holds for it.
type Global[T any] struct {
	state globalState
	bank  bank[T]
}

// valued is state of one value.
type valued interface {
	loadValue(tx *Tx, text []byte) error
}

// NewGlobal declares a global, once, where the world is put together. Its name is its key in what
// viewers get. It panics if the name is taken, JSON would have to escape it, or initial holds a number that Set would not take. What else is wrong
// with initial or T shows as it does for a [Component].
func NewGlobal[T any](w *World, name string, initial T, traits ...Trait) *Global[T] {
	g := &Global[T]{}
	g.state.declare(w, name, teller[T]{&g.bank}, g.bank.put(initial), traits)
	return g
}

// Get returns the value.
func (g *Global[T]) Get(*View) T { return *g.bank.at(g.state.now) }

// Set replaces the value. It fails if the new one holds a number that the world does not take.
func (g *Global[T]) Set(tx *Tx, value T) error {
	tx.own(&g.state.stateBase)
	return g.state.set(tx, g.bank.put(value))
}

// Resume is [Component.Resume] for a global.
func (g *Global[T]) Resume(later func(value T, past uint64) T) {
	g.state.resume(func(at seat, past uint64) seat { return g.bank.put(later(*g.bank.at(at), past)) })
}

// globalState changes a global, takes changes back, and writes its value. It is the same for every type of values.
type globalState struct {
	stateBase
	memory
	now seat
}

func (g *globalState) declare(w *World, name string, values vaultOf, initial seat, traits []Trait) {
	g.vault, g.now = newVault(w, name, values), initial
	if path, x, ok := finite(reflect.ValueOf(values.ref(initial)).Elem()); !ok {
		panic("world: the initial value of " + name + ": " + badNumber(name+path, x).Error())
	}
	w.declare(g, nil, name, traits)
}

// set has the global have the value in a seat. If it fails, the seat is free again.
func (g *globalState) set(tx *Tx, at seat) error {
	if err := g.admit(at); err != nil {
		return err
	}
	tx.noteShared(g, replaced)
	g.olds = append(g.olds, g.now)
	g.now = at
	return nil
}

func (g *globalState) undo(*Tx, *record) {
	g.values.free(g.now)
	g.now = pop(&g.olds)
}

func (g *globalState) writable() error {
	if err := g.codec.writable(); err != nil {
		return err
	}
	return g.codec.check(g.values.ref(g.now))
}

func (g *globalState) append(dst []byte) []byte { return g.vault.append(dst, g.now) }

func (g *globalState) loadValue(tx *Tx, text []byte) error {
	tx.own(&g.stateBase)
	at, err := g.read(text)
	if err != nil {
		return err
	}
	return g.set(tx, at)
}

func (g *globalState) digest(h *hasher) { h.text(g.append(h.scratch())) }

func (g *globalState) keeps(uint8) bool { return true }

func (g *globalState) restore(tx *Tx, v *inverse) error {
	tx.own(&g.stateBase)
	return g.set(tx, g.copyOf(v.n))
}

func (g *globalState) resume(later func(at seat, past uint64) seat) {
	g.w.onLater(func(tx *Tx, past uint64) error {
		tx.own(&g.stateBase)
		return g.set(tx, later(g.now, past))
	})
}
