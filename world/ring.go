package world

import "iter"

// ring is a queue whose elements have numbers: the first that was ever pushed is 0, and an element
// keeps its number until it is dropped. It grows and shrinks by pages, so that no push moves what is
// there.
type ring[T any] struct {
	pages []*[ringPage]T
	last  *[ringPage]T // of pages
	spare *[ringPage]T
	first uint64 // the number of the first element of pages[0]
	start uint64 // the number of the oldest element that is still there
	end   uint64 // the number of the next
	held  map[uint64]T
}

const (
	ringBits = 8
	ringPage = 1 << ringBits
)

// at returns the element of a number from start up to end.
func (r *ring[T]) at(n uint64) *T {
	return &r.pages[(n-r.first)>>ringBits][n&(ringPage-1)]
}

// was returns an element that at returns, or that is held.
func (r *ring[T]) was(n uint64) *T {
	if n < r.start {
		v := r.held[n]
		return &v
	}
	return r.at(n)
}

// hold has an element be there, for was, when it is dropped; or no more.
func (r *ring[T]) hold(n uint64, is bool) {
	if !is {
		delete(r.held, n)
		return
	}
	if r.held == nil {
		r.held = map[uint64]T{}
	}
	r.held[n] = *r.at(n)
}

// push adds an element and returns its number.
func (r *ring[T]) push(v T) uint64 {
	at, n := r.add()
	*at = v
	return n
}

// add adds a zero element, for its caller to fill in where it lies, and returns its number too.
func (r *ring[T]) add() (at *T, number uint64) {
	if r.end&(ringPage-1) == 0 {
		r.open()
	}
	at = &r.last[r.end&(ringPage-1)]
	r.end++
	return at, r.end - 1
}

func (r *ring[T]) open() {
	r.last, r.spare = r.spare, nil
	if r.last == nil {
		r.last = new([ringPage]T)
	}
	r.pages = append(r.pages, r.last)
}

// drop forgets the elements before n, whose memory is used again or left to the collector by the page.
func (r *ring[T]) drop(n uint64) {
	if n <= r.start {
		return
	}
	r.start = n
	for n >= r.first+ringPage {
		r.spare = r.pages[0]
		clear(r.spare[:])
		r.pages[0] = nil
		r.pages = r.pages[1:]
		r.first += ringPage
	}
}

// shed yields the elements before n, as far as there are any, and then drops them.
func (r *ring[T]) shed(n uint64) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		n := min(n, r.end)
		for i := r.start; i < n && yield(r.at(i)); i++ {
		}
		r.drop(n)
	}
}

// len returns how many elements there are.
func (r *ring[T]) len() int { return int(r.end - r.start) }
