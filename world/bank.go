package world

import (
	"math/bits"
	"reflect"
)

// seat is where a [bank] has a value.
type seat uint32

// none is no seat.
const none = ^seat(0)

// bank holds the values of one type that a component, a table or a global has, had before the open transaction, or had once and may have again by an
// undo. A value is put into a seat and stays there: what goes from hand to hand are seats, so that journals, histories and whoever writes values are the
// same code for every type. What is made anew for each is no more than this and its [teller].
type bank[T any] struct {
	pages [][]T // of pageSize; the first grows with what is in it, because most banks never hold more than a few values
	room  room
}

// vaultOf is a bank as it is seen by who does not know its type.
type vaultOf interface {
	of() reflect.Type
	ref(at seat) any // a pointer to the value, good until something is put in
	blank() seat     // a new seat with the zero value
	copy(at seat) seat
	free(at seat)
}

// at returns the value in a seat, to be read until something is put in.
func (b *bank[T]) at(at seat) *T { return &b.pages[at>>pageBits][at&(pageSize-1)] }

// put puts a value in.
func (b *bank[T]) put(value T) seat {
	at := b.room.take()
	page, i := int(at>>pageBits), int(at&(pageSize-1))
	if page >= len(b.pages) || i >= len(b.pages[page]) {
		b.grow(page)
	}
	b.pages[page][i] = value
	return at
}

// grow makes room for one more on a page that has none.
//
//go:noinline
func (b *bank[T]) grow(page int) {
	by := 1
	if page > 0 {
		by = pageSize // it is new, or was empty and given back
	}
	if page == len(b.pages) {
		b.pages = append(b.pages, nil)
	}
	b.pages[page] = append(b.pages[page], make([]T, by)...)
}

// teller is a bank as a [vaultOf]. What it does is not the bank's, because the compiler makes all methods of a generic type anew in each package that so much
// as names what holds one: those of a teller only where something is declared.
type teller[T any] struct{ b *bank[T] }

func (teller[T]) of() reflect.Type { return reflect.TypeFor[T]() }

func (t teller[T]) ref(at seat) any { return t.b.at(at) }

func (t teller[T]) copy(at seat) seat { return t.b.put(*t.b.at(at)) }

func (t teller[T]) blank() seat {
	var zero T
	return t.b.put(zero)
}

// free takes a value out.
func (t teller[T]) free(at seat) {
	var zero T
	*t.b.at(at) = zero
	if page := t.b.room.leave(at); page > 0 {
		t.b.pages[page] = nil
	}
}

// room says which seats of a bank are taken.
type room struct {
	pages []roomPage
	open  []uint32 // the pages that have a free seat; the last of them is filled first
	idle  uint32   // the page that ran empty last: it is kept, because it may be needed in a moment
}

type roomPage struct {
	taken [pageSize / 64]uint64
	count int
}

// take returns a seat that is taken from now on: of its page the first that is free.
func (r *room) take() seat {
	if len(r.open) == 0 {
		r.open = append(r.open, uint32(len(r.pages)))
		r.pages = append(r.pages, roomPage{})
	}
	n := r.open[len(r.open)-1]
	p := &r.pages[n]
	if p.count++; p.count == pageSize {
		r.open = r.open[:len(r.open)-1]
	}
	i := 0
	for p.taken[i] == 1<<64-1 {
		i++
	}
	bit := bits.TrailingZeros64(^p.taken[i])
	p.taken[i] |= 1 << bit
	return seat(n)<<pageBits | seat(i<<6+bit)
}

// leave has a seat be free again. It returns the number of a page whose memory is not needed any more, 0 if there is none.
func (r *room) leave(at seat) (page uint32) {
	n := uint32(at >> pageBits)
	p := &r.pages[n]
	p.taken[at>>6&(pageSize/64-1)] &^= 1 << (at & 63)
	if p.count == pageSize {
		r.open = append(r.open, n)
	}
	if p.count--; p.count > 0 || n == 0 {
		return 0
	}
	page, r.idle = r.idle, n
	if page == n || r.pages[page].count > 0 {
		return 0
	}
	return page
}
