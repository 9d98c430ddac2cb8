// Package pages finds pages of something by their numbers, in order, by three array accesses. It takes room for what there is, and next to none for numbers that nothing has: each time a process with a
// world is killed the next one leaves out 2^20 ids, which are thousands of numbers.
package pages

// A block is for so many numbers, and a span for so many blocks: those of 2^20 ids in pages of 64, so that what is left out after a kill costs a pointer.
const (
	blockBits = 9
	blockSize = 1 << blockBits
	spanBits  = blockBits + 5
	spanSize  = 1 << (spanBits - blockBits)
)

// Of has pages. The zero value has none.
type Of[P any] struct {
	spans []*span[P]
	blank *span[P]  // in the place of all spans that have no page, so that nobody has to look whether there is one
	none  *block[P] // the same of blocks
}

type span[P any] struct {
	count  int // blocks that have pages
	blocks [spanSize]*block[P]
}

type block[P any] struct {
	count int
	pages [blockSize]*P
}

// At returns the page with a number, nil if there is none.
func (o *Of[P]) At(k uint64) *P {
	if n := k >> spanBits; n < uint64(len(o.spans)) {
		return o.spans[n].blocks[k>>blockBits&(spanSize-1)].pages[k&(blockSize-1)]
	}
	return nil
}

// Put gives a number that has none a page.
func (o *Of[P]) Put(k uint64, p *P) {
	n := k >> spanBits
	if n >= uint64(len(o.spans)) {
		if o.blank == nil {
			o.none = new(block[P])
			o.blank = o.bare()
		}
		for n >= uint64(len(o.spans)) {
			o.spans = append(o.spans, o.blank)
		}
	}
	if o.spans[n] == o.blank {
		o.spans[n] = o.bare()
	}
	s := o.spans[n]
	b := &s.blocks[k>>blockBits&(spanSize-1)]
	if *b == o.none {
		*b = new(block[P])
		s.count++
	}
	(*b).pages[k&(blockSize-1)] = p
	(*b).count++
}

// bare returns a new span without pages.
func (o *Of[P]) bare() *span[P] {
	s := new(span[P])
	for i := range s.blocks {
		s.blocks[i] = o.none
	}
	return s
}

// Drop takes the page of a number away, if it has one.
func (o *Of[P]) Drop(k uint64) {
	if o.At(k) == nil {
		return
	}
	s := o.spans[k>>spanBits]
	b := &s.blocks[k>>blockBits&(spanSize-1)]
	(*b).pages[k&(blockSize-1)] = nil
	if (*b).count--; (*b).count > 0 {
		return
	}
	*b = o.none
	if s.count--; s.count == 0 {
		o.spans[k>>spanBits] = o.blank
	}
}

// From returns the first page of those with a number or a larger one, and its number; nil if there is none.
func (o *Of[P]) From(k uint64) (uint64, *P) {
	for n := k >> spanBits; n < uint64(len(o.spans)); n++ {
		if s := o.spans[n]; s.count > 0 {
			for k>>spanBits == n {
				b := s.blocks[k>>blockBits&(spanSize-1)]
				if b.count == 0 {
					k = (k>>blockBits + 1) << blockBits
					continue
				}
				if p := b.pages[k&(blockSize-1)]; p != nil {
					return k, p
				}
				k++
			}
		}
		k = (n + 1) << spanBits
	}
	return 0, nil
}

// Before returns the last page of those with smaller numbers, and its number; nil if there is none.
func (o *Of[P]) Before(k uint64) (uint64, *P) {
	k = min(k, uint64(len(o.spans))<<spanBits)
	for k > 0 {
		s := o.spans[(k-1)>>spanBits]
		if s.count == 0 {
			k = (k - 1) >> spanBits << spanBits
			continue
		}
		b := s.blocks[(k-1)>>blockBits&(spanSize-1)]
		if b.count == 0 {
			k = (k - 1) >> blockBits << blockBits
			continue
		}
		if p := b.pages[(k-1)&(blockSize-1)]; p != nil {
			return k - 1, p
		}
		k--
	}
	return 0, nil
}
