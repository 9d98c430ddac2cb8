package world

import (
	"iter"
	"math/bits"
	"unsafe"

	"github.com/limina-mcp/limina/internal/pages"
	"github.com/limina-mcp/limina/internal/slab"
)

// A page is for so many ids. What is left of a page costs as much as all of it, and a world that lives for long is full of those: whatever stays was made among others that
// went. So it is no larger than it has to be: one word says which of its ids are in use.
const (
	pageBits = 6
	pageSize = 1 << pageBits
)

// entities holds one slot for each id that is in use, in pages, so that looking an id up is three array
// accesses and going through the pages is going through the ids in order. Ids are never used again,
// so pages run empty in the end; an empty one is given back.
type entities struct {
	pages  pages.Of[page]
	next   uint64 // the number of the next entity: ids 1..next have been given
	live   int
	memory slab.Pool // of pages
}

type page struct {
	alive uint64 // a bit for each slot
	count int
	slots [pageSize]slot
}

// slot is what every entity has. What only some have is in columns. What a move needs, all but the
// rotation and the scale, is in one or two lines of the cache.
type slot struct {
	parent  ID     // 0: none
	cell    uint32 // its cell of the grid
	at      uint32 // its place in the cell
	change  uint32 // its place in the changes of the open Tx, + 1; 0: not changed
	carries bool   // has children: see w.children
	local   Transform
}

// get returns the slot of an entity, nil if there is none.
func (e *entities) get(id ID) *slot {
	n := uint64(id) - 1 // wraps around for 0
	p := e.pages.At(n >> pageBits)
	i := n & (pageSize - 1)
	if p == nil || p.alive&(1<<i) == 0 {
		return nil
	}
	return &p.slots[i]
}

// spot returns the slot that belongs to an id whose page exists, alive or not.
func (e *entities) spot(id ID) *slot {
	n := uint64(id) - 1
	return &e.pages.At(n >> pageBits).slots[n&(pageSize-1)]
}

// put makes id alive. Its slot is as it was left.
func (e *entities) put(id ID) *slot {
	n := uint64(id) - 1
	k := n >> pageBits
	p := e.pages.At(k)
	if p == nil {
		p = &slab.Take[page](&e.memory, 1)[0]
		e.pages.Put(k, p)
	}
	i := n & (pageSize - 1)
	p.alive |= 1 << i
	p.count++
	e.live++
	return &p.slots[i]
}

// drop makes id dead. Its slot stays until the page is given back by sweep.
func (e *entities) drop(id ID) {
	n := uint64(id) - 1
	p := e.pages.At(n >> pageBits)
	i := n & (pageSize - 1)
	p.alive &^= 1 << i
	p.count--
	e.live--
}

// sweep gives back the page of a dead id, if it is empty and no new id will be in it, and reports
// whether it did.
func (e *entities) sweep(id ID) (swept bool) {
	k := (uint64(id) - 1) >> pageBits
	if p := e.pages.At(k); p != nil && p.count == 0 && k != e.next>>pageBits {
		slab.Give(&e.memory, unsafe.Slice(p, 1))
		e.pages.Drop(k)
		return true
	}
	return false
}

// all yields the living ids in order. The set may change while it runs.
func (e *entities) all() iter.Seq[ID] {
	return func(yield func(ID) bool) {
		for id, ok := e.after(0); ok; id, ok = e.after(id) {
			if !yield(id) {
				return
			}
		}
	}
}

// after returns the first living id greater than id.
func (e *entities) after(id ID) (ID, bool) {
	n := uint64(id) // the number of the id after it
	for k := n >> pageBits; ; k++ {
		p := e.pages.At(k)
		if p == nil {
			if k, p = e.pages.From(k); p == nil {
				return 0, false
			}
			n = k << pageBits
		}
		i := n & (pageSize - 1)
		if word := p.alive >> i; word != 0 {
			return ID(k<<pageBits + i + uint64(bits.TrailingZeros64(word)) + 1), true
		}
		n = (k + 1) << pageBits
	}
}

// before returns the last living id smaller than id.
func (e *entities) before(id ID) (ID, bool) {
	n := uint64(id) - 1 // one more than the number before it
	for n > 0 {
		k, i := (n-1)>>pageBits, (n-1)&(pageSize-1)
		p := e.pages.At(k)
		if p == nil {
			if k, p = e.pages.Before(k); p == nil {
				return 0, false
			}
			i = pageSize - 1
			n = k<<pageBits + pageSize
		}
		if word := p.alive << (pageSize - 1 - i); word != 0 {
			return ID(n - uint64(bits.LeadingZeros64(word))), true
		}
		n = (n - 1) &^ (pageSize - 1)
	}
	return 0, false
}
