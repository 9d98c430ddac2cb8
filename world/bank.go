package world

import (
	"hash/maphash"
	"math/bits"
	"reflect"
	"unsafe"

	"github.com/limina-mcp/limina/internal/slab"
)

// A bank has pages of so many values.
const (
	bankBits = 8
	bankSize = 1 << bankBits
)

// seat is where a [bank] has a value.
type seat uint32

// none is no seat.
const none = ^seat(0)

// bank holds the values of one type that a component, a table or a global has, had before the open transaction, or had once and may have again by an
// undo. A value is put into a seat and stays there: what goes from hand to hand are seats, so that journals, histories and whoever writes values are the
// same code for every type. What is made anew for each is no more than this and its [teller].
//
// Values do not change, so that those that are the same may share a seat: a world of a million entities has some hundred shapes and a dozen materials. Each
// that is put in, and each copy, is freed for itself.
type bank[T any] struct {
	pages  [][]T // of bankSize; the first grows with what is in it, because most banks never hold more than a few values
	room   room
	memory slab.Pool // of pages but the first
}

// vaultOf is a bank as it is seen by who does not know its type.
type vaultOf interface {
	of() reflect.Type
	ref(at seat) any   // a pointer to the value, good until something is put in
	blank() seat       // a new seat with the zero value
	copy(at seat) seat // one more of the same
	free(at seat)
	room() *room
}

// at returns the value in a seat, to be read until something is put in.
func (b *bank[T]) at(at seat) *T { return &b.pages[at>>bankBits][at&(bankSize-1)] }

// put puts a value in.
func (b *bank[T]) put(value T) seat {
	at, _ := b.seat(value)
	return at
}

// seat is put, and reports whether a value of these bytes was in already.
func (b *bank[T]) seat(value T) (at seat, there bool) {
	at, there = b.room.enter(unsafe.Slice((*byte)(unsafe.Pointer(&value)), unsafe.Sizeof(value)), reflect.TypeFor[T]())
	if !there {
		b.fill(at, &value)
	}
	return at, there
}

// fill writes into a seat that was free.
func (b *bank[T]) fill(at seat, value *T) {
	page, i := int(at>>bankBits), int(at&(bankSize-1))
	if page >= len(b.pages) || i >= len(b.pages[page]) {
		b.grow(page)
	}
	b.pages[page][i] = *value // from memory, with what is in its gaps
}

// grow makes room for one more on a page that has none.
//
//go:noinline
func (b *bank[T]) grow(page int) {
	if page == len(b.pages) {
		b.pages = append(b.pages, nil)
	}
	if page == 0 {
		var zero T
		b.pages[0] = append(b.pages[0], zero)
	} else {
		b.pages[page] = slab.Take[T](&b.memory, bankSize) // it is new, or was empty and given back
	}
	b.room.pages[page].first = unsafe.Pointer(&b.pages[page][0])
}

// teller is a bank as a [vaultOf]. What it does is not the bank's, because the compiler makes all methods of a generic type anew in each package that so much
// as names what holds one: those of a teller only where something is declared.
type teller[T any] struct{ b *bank[T] }

func (teller[T]) of() reflect.Type { return reflect.TypeFor[T]() }

func (t teller[T]) ref(at seat) any { return t.b.at(at) }

func (t teller[T]) room() *room { return &t.b.room }

func (t teller[T]) copy(at seat) seat {
	t.b.room.share(at)
	return at
}

func (t teller[T]) blank() seat {
	var zero T
	at := t.b.room.take()
	t.b.fill(at, &zero)
	return at
}

// free takes a value out.
func (t teller[T]) free(at seat) {
	if t.b.room.shared(at) {
		return
	}
	var zero T
	*t.b.at(at) = zero
	if page := t.b.room.leave(at); page > 0 {
		slab.Give(&t.b.memory, t.b.pages[page])
		t.b.pages[page], t.b.room.pages[page].first = nil, nil
	}
}

// room says which seats of a bank are taken.
type room struct {
	pages  []roomPage
	open   []uint32 // the pages that have a free seat; the last of them is filled first
	idle   uint32   // the page that ran empty last: it is kept, because it may be needed in a moment
	newest *newest  // nil: there are too few values to look for the same
}

type roomPage struct {
	taken [bankSize / 64]uint64
	count int
	first unsafe.Pointer    // its values
	also  *[bankSize]uint32 // how many more each seat is shared by; nil: none
}

// newest are seats that a value was put into lately, by what its bytes hash to: of a few that begin the same, the last first.
type newest struct {
	gaps []gap
	lone uint32 // how many values in a row were like none that is there
	seed maphash.Seed
	sets [1 << 6][4]struct {
		tag uint32 // what is left of the hash
		at  seat   // + 1; 0: none
	}
}

// sharedFrom is how many values a bank has before it looks for the same: those of most banks are few, or change with every step.
const sharedFrom = 64

// loneFrom is how many values in a row have to be like none before most are not looked at any more: values that all differ take no longer than in a bank
// that does not look.
const (
	loneFrom  = 1 << 10
	lookEvery = 16
)

// gap is bytes of a value that belong to no field: where it is passed in registers they are anything.
type gap struct{ from, to uintptr }

// gapsOf appends the gaps of a value of a type that begins there.
func gapsOf(dst []gap, t reflect.Type, at uintptr) []gap {
	switch t.Kind() {
	case reflect.Array:
		for i := range t.Len() {
			dst = gapsOf(dst, t.Elem(), at+uintptr(i)*t.Elem().Size())
		}
	case reflect.Struct:
		end := uintptr(0)
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Offset > end {
				dst = append(dst, gap{at + end, at + f.Offset})
			}
			dst = gapsOf(dst, f.Type, at+f.Offset)
			end = f.Offset + f.Type.Size()
		}
		if t.Size() > end {
			dst = append(dst, gap{at + end, at + t.Size()})
		}
	}
	return dst
}

// enter returns a seat for a value of a type that has these bytes, whose gaps it clears: one that has it already and is shared from now on, or one that is taken from now on. Two values whose
// bytes are the same are the same; two whose bytes differ may be, too.
func (r *room) enter(value []byte, t reflect.Type) (at seat, there bool) {
	if r.newest != nil {
		for _, g := range r.newest.gaps {
			clear(value[g.from:g.to])
		}
	}
	hash, like := r.like(value)
	if like != none {
		its := unsafe.Add(r.pages[like>>bankBits].first, int(like&(bankSize-1))*len(value))
		if string(value) == string(unsafe.Slice((*byte)(its), len(value))) {
			r.share(like)
			return like, true
		}
	}
	at = r.take()
	r.recall(hash, at, t)
	return at, false
}

// like returns a seat that most likely holds a value of these bytes, or of this JSON, none if there is none, and the hash for recall: 0 if it
// has not looked.
func (r *room) like(value []byte) (hash uint64, like seat) {
	n := r.newest
	if n == nil {
		return 0, none
	}
	if n.lone++; n.lone > loneFrom && n.lone%lookEvery != 0 {
		return 0, none
	}
	hash = maphash.Bytes(n.seed, value)
	set := &n.sets[hash%uint64(len(n.sets))]
	for i := range set {
		if e := &set[i]; e.tag == uint32(hash>>32) && e.at != 0 && r.has(e.at-1) {
			n.lone = 0
			return hash, e.at - 1
		}
	}
	return hash, none
}

// recall notes that a value of a type, of that hash, was put into a seat.
func (r *room) recall(hash uint64, at seat, t reflect.Type) {
	switch {
	case r.newest == nil && at >= sharedFrom:
		r.newest = &newest{seed: maphash.MakeSeed(), gaps: gapsOf(nil, t, 0)}
		return
	case r.newest == nil || hash == 0:
		return
	}
	set := &r.newest.sets[hash%uint64(len(r.newest.sets))]
	copy(set[1:], set[:])
	set[0].tag, set[0].at = uint32(hash>>32), at+1
}

// has reports whether a seat is taken.
func (r *room) has(at seat) bool {
	return r.pages[at>>bankBits].taken[at>>6&(bankSize/64-1)]&(1<<(at&63)) != 0
}

// share has a seat that is taken be taken once more.
func (r *room) share(at seat) {
	p := &r.pages[at>>bankBits]
	if p.also == nil {
		p.also = new([bankSize]uint32)
	}
	p.also[at&(bankSize-1)]++
}

// shared takes one from a seat that is taken more than once. It reports false, and does nothing, if it is not.
func (r *room) shared(at seat) bool {
	p := &r.pages[at>>bankBits]
	if p.also == nil || p.also[at&(bankSize-1)] == 0 {
		return false
	}
	p.also[at&(bankSize-1)]--
	return true
}

// take returns a seat that is taken from now on: of its page the first that is free.
func (r *room) take() seat {
	if len(r.open) == 0 {
		r.open = append(r.open, uint32(len(r.pages)))
		r.pages = append(r.pages, roomPage{})
	}
	n := r.open[len(r.open)-1]
	p := &r.pages[n]
	if p.count++; p.count == bankSize {
		r.open = r.open[:len(r.open)-1]
	}
	i := 0
	for p.taken[i] == 1<<64-1 {
		i++
	}
	bit := bits.TrailingZeros64(^p.taken[i])
	p.taken[i] |= 1 << bit
	return seat(n)<<bankBits | seat(i<<6+bit)
}

// leave has a seat be free again. It returns the number of a page whose memory is not needed any more, 0 if there is none.
func (r *room) leave(at seat) (page uint32) {
	n := uint32(at >> bankBits)
	p := &r.pages[n]
	p.taken[at>>6&(bankSize/64-1)] &^= 1 << (at & 63)
	if p.count == bankSize {
		r.open = append(r.open, n)
	}
	if p.count--; p.count > 0 || n == 0 {
		return 0
	}
	p.also = nil
	page, r.idle = r.idle, n
	if page == n || r.pages[page].count > 0 {
		return 0
	}
	return page
}
