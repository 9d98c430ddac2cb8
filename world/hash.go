package world

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"math"
	"slices"
)

// Hash returns the sha256 of everything authoritative, in a canonical form: entities in id order
// with their transforms, parents and components, tables, globals, the number of the next entity,
// the random source, tick and step. Two worlds with the same hash go on in the same way. It costs a
// pass over the world.
func (w *World) Hash() [32]byte {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.reading().Hash()
}

// Hash is [World.Hash] of what the view sees.
func (v *View) Hash() [32]byte {
	w := v.w
	h := &hasher{sum: sha256.New()}
	h.text([]byte("limina world 1"))
	h.uint(w.Tick())
	h.uint(v.Step())
	h.uint(w.entities.next)
	random, _ := w.random.MarshalBinary() // never fails
	h.text(random)
	h.contents(w)
	return h.done()
}

// ContentHash is the sha256 of what is there: entities with their ids, transforms, parents and
// components, tables and globals, but for [Lasting] ones. How the world came to it, and how it goes on
// (tick, step, the next id, the counters of tables, the random source), is not in it. So an undo gives
// a world its ContentHash back, and not its [World.Hash].
func (v *View) ContentHash() [32]byte {
	h := &hasher{sum: sha256.New(), content: true}
	h.text([]byte("limina content 1"))
	h.contents(v.w)
	return h.done()
}

func (h *hasher) contents(w *World) {
	h.uint(uint64(w.entities.live))
	for id := range w.entities.all() {
		h.entity(w, id)
	}
	for _, s := range w.sortedStates() {
		if h.content && s.base().lasting {
			continue
		}
		h.text([]byte(s.key()))
		s.digest(h)
	}
}

// sortedStates returns everything declared, by name.
func (w *World) sortedStates() []state {
	all := slices.Clone(w.states)
	slices.SortFunc(all, func(a, b state) int { return cmp.Compare(a.key(), b.key()) })
	return all
}

// hasher gathers what is hashed into pieces that are worth a call of sha256. Every value has its
// length in front or a fixed one, so no two worlds write the same bytes.
type hasher struct {
	sum  hash.Hash
	buf  []byte
	temp []byte

	content bool // counters are left out
}

func (h *hasher) entity(w *World, id ID) {
	s := w.entities.get(id)
	h.uint(uint64(id))
	for _, x := range s.local.Position {
		h.float(x)
	}
	for _, x := range s.local.Rotation {
		h.float(x)
	}
	for _, x := range s.local.Scale {
		h.float(x)
	}
	h.uint(uint64(s.parent))
}

func (h *hasher) float(x float64) { h.uint(math.Float64bits(x)) }

func (h *hasher) uint(x uint64) {
	h.buf = binary.LittleEndian.AppendUint64(h.buf, x)
	h.flush(1 << 14)
}

// text hashes the bytes of a value; they may be those of scratch.
func (h *hasher) text(b []byte) {
	h.uint(uint64(len(b)))
	h.buf = append(h.buf, b...)
	h.temp = b[:0]
	h.flush(1 << 14)
}

// scratch is memory to write a value into before it is given to text.
func (h *hasher) scratch() []byte { return h.temp[:0] }

func (h *hasher) flush(above int) {
	if len(h.buf) > above {
		h.sum.Write(h.buf)
		h.buf = h.buf[:0]
	}
}

func (h *hasher) done() (out [32]byte) {
	h.flush(0)
	h.sum.Sum(out[:0])
	return out
}
