// Package pages finds pages of something by their numbers, in order, by two array accesses. It takes room for what there is, and next to none for numbers that nothing has: each time a process with a world is
// killed the next one leaves out 2^20 ids, which are thousands of numbers.
package pages

// A block is for so many numbers, those of 131,072 ids.
const (
	blockBits = 9
	blockSize = 1 << blockBits
)

// Of has pages. The zero value has none.
type Of[P any] struct {
	blocks []*block[P]
	none   *block[P] // in the place of all that have no page, so that nobody has to look whether there is one
}

type block[P any] struct {
	count int
	pages [blockSize]*P
}

// At returns the page with a number, nil if there is none.
func (o *Of[P]) At(k uint64) *P {
	if n := k >> blockBits; n < uint64(len(o.blocks)) {
		return o.blocks[n].pages[k&(blockSize-1)]
	}
	return nil
}

// Put gives a number that has none a page.
func (o *Of[P]) Put(k uint64, p *P) {
	n := k >> blockBits
	if n >= uint64(len(o.blocks)) {
		if o.none == nil {
			o.none = new(block[P])
		}
		for n >= uint64(len(o.blocks)) {
			o.blocks = append(o.blocks, o.none)
		}
	}
	if o.blocks[n] == o.none {
		o.blocks[n] = new(block[P])
	}
	o.blocks[n].pages[k&(blockSize-1)] = p
	o.blocks[n].count++
}

// Drop takes the page of a number away, if it has one.
func (o *Of[P]) Drop(k uint64) {
	if o.At(k) == nil {
		return
	}
	n := k >> blockBits
	o.blocks[n].pages[k&(blockSize-1)] = nil
	if o.blocks[n].count--; o.blocks[n].count == 0 {
		o.blocks[n] = o.none
	}
}

// From returns the first page of those with a number or a larger one, and its number; nil if there is none.
func (o *Of[P]) From(k uint64) (uint64, *P) {
	for n := k >> blockBits; n < uint64(len(o.blocks)); n++ {
		if o.blocks[n].count > 0 {
			for ; k>>blockBits == n; k++ {
				if p := o.blocks[n].pages[k&(blockSize-1)]; p != nil {
					return k, p
				}
			}
		}
		k = (n + 1) << blockBits
	}
	return 0, nil
}

// Before returns the last page of those with smaller numbers, and its number; nil if there is none.
func (o *Of[P]) Before(k uint64) (uint64, *P) {
	k = min(k, uint64(len(o.blocks))<<blockBits)
	for k > 0 {
		n := (k - 1) >> blockBits
		if o.blocks[n].count > 0 {
			for ; k > n<<blockBits; k-- {
				if p := o.blocks[n].pages[(k-1)&(blockSize-1)]; p != nil {
					return k - 1, p
				}
			}
		}
		k = n << blockBits
	}
	return 0, nil
}
