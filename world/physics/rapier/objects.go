package rapier

import "errors"

// The module was made for JavaScript, by wasm-bindgen: what it does not know itself, numbers too, it
// holds by an index into a table of objects that the host keeps. The first 1,024 places are a stack
// for objects that are lent for one call; then come four that are always there.
const (
	lentObjects = 1024

	refUndefined = lentObjects + iota - 1
	refNull
	refTrue
	refFalse
	firstRef
)

// undefined is the object of that name.
type undefined struct{}

// callback is a function that the module may call back. Arguments are numbers or booleans. If it returns errEnough it answers
// false, which is how the module is told that nothing more is wanted.
type callback func(args []object) error

var errEnough = errors.New("enough")

// object is anything that the table may hold: undefined, nil, a bool, a float64, a *floats, a
// []byte, a callback, a global.
type object any

// floats is a Float32Array.
type floats struct{ values []float32 }

// global is the global object, which has a clock that stands still.
type global struct{}

// objects is the table.
type objects struct {
	at   []object
	free []uint32
	lent int // the top of the stack, which grows down
}

func newObjects() objects {
	t := objects{at: make([]object, firstRef, firstRef+64), lent: lentObjects}
	for i := range t.at {
		t.at[i] = undefined{}
	}
	t.at[refNull], t.at[refTrue], t.at[refFalse] = nil, true, false
	return t
}

// add puts an object into the table.
func (t *objects) add(o object) uint32 {
	if n := len(t.free); n > 0 {
		i := t.free[n-1]
		t.free = t.free[:n-1]
		t.at[i] = o
		return i
	}
	t.at = append(t.at, o)
	return uint32(len(t.at) - 1)
}

// get returns an object; one that is not there is undefined.
func (t *objects) get(i uint32) object {
	if int(i) >= len(t.at) {
		return undefined{}
	}
	return t.at[i]
}

// drop takes an object out. Those that are lent or always there stay.
func (t *objects) drop(i uint32) {
	if i < firstRef || int(i) >= len(t.at) {
		return
	}
	t.at[i] = undefined{}
	t.free = append(t.free, i)
}

// lend puts an object on the stack, until back is called.
func (t *objects) lend(o object) uint32 {
	t.lent--
	t.at[t.lent] = o
	return uint32(t.lent)
}

func (t *objects) back() {
	t.at[t.lent] = undefined{}
	t.lent++
}
