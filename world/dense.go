package world

// dense is an array that grows and shrinks at its end, in pieces: an element never moves, so that a
// column of a million values costs no more to add to than an empty one.
type dense[T any] struct {
	pieces [][]T
	n      int
}

const (
	pieceBits = 8
	pieceSize = 1 << pieceBits
)

// at returns the i-th element.
func (d *dense[T]) at(i int) *T { return &d.pieces[i>>pieceBits][i&(pieceSize-1)] }

func (d *dense[T]) push(v T) {
	k := d.n >> pieceBits
	if k == len(d.pieces) {
		d.pieces = append(d.pieces, nil)
	}
	d.pieces[k] = append(d.pieces[k], v)
	d.n++
}

// cut takes the i-th element out; the last one takes its place.
func (d *dense[T]) cut(i int) {
	d.n--
	k := d.n >> pieceBits
	last := d.at(d.n)
	*d.at(i) = *last
	var zero T
	*last = zero
	d.pieces[k] = d.pieces[k][:d.n&(pieceSize-1)]
	if d.n&(pieceSize-1) == 0 {
		d.pieces = d.pieces[:k]
	}
}
