package world

import "github.com/limina-mcp/limina/internal/slab"

// items are what is in a cell: an array that grows and shrinks at its end, in pieces. An item never moves, so that a cell of a
// million entities costs no more to add to than an empty one. Only the first piece grows
// with what is in it, because most cells never have more than a few.
type items struct {
	first []item
	more  [][]item // full but for the last; that may be empty: it was needed a moment ago
	n     int
}

const (
	pieceBits = 8
	pieceSize = 1 << pieceBits
)

// at returns the i-th item.
func (d *items) at(i int) *item {
	if i < pieceSize {
		return &d.first[i]
	}
	return &d.more[i>>pieceBits-1][i&(pieceSize-1)]
}

// lengthen adds a zero item, for its caller to fill in where it lies. Pieces come from memory.
func (d *items) lengthen(memory *slab.Pool) *item {
	k, i := d.n>>pieceBits-1, d.n&(pieceSize-1)
	d.n++
	if k < 0 {
		d.first = append(d.first, item{})
		return &d.first[i]
	}
	if k == len(d.more) {
		d.more = append(d.more, slab.Take[item](memory, pieceSize))
	}
	return &d.more[k][i]
}

// shorten takes the i-th item out; the last one takes its place.
func (d *items) shorten(i int, memory *slab.Pool) {
	d.n--
	last := d.at(d.n)
	*d.at(i) = *last
	*last = item{}
	k := d.n>>pieceBits - 1
	if k < 0 {
		d.first = d.first[:d.n]
	}
	if k++; k < len(d.more) {
		slab.Give(memory, d.more[k])
		d.more[k] = nil
		d.more = d.more[:k]
	}
}

// visit calls fn with the items, some at a time.
func (d *items) visit(fn func([]item)) {
	fn(d.first)
	for left, k := d.n-pieceSize, 0; left > 0; left, k = left-pieceSize, k+1 {
		fn(d.more[k][:min(left, pieceSize)])
	}
}
