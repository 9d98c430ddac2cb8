package world

// dense is an array that grows and shrinks at its end, in pieces: an element never moves, so that a
// column of a million values costs no more to add to than an empty one. Only the first piece grows
// with what is in it, because many columns never have more than a few values.
type dense[T any] struct {
	pieces [][]T // the last may be empty: it was needed a moment ago
	n      int
}

const (
	pieceBits = 8
	pieceSize = 1 << pieceBits
)

// at returns the i-th element.
func (d *dense[T]) at(i int) *T { return &d.pieces[i>>pieceBits][i&(pieceSize-1)] }

func (d *dense[T]) push(v T) { *d.add() = v }

// add adds a zero element, for its caller to fill in where it lies.
func (d *dense[T]) add() *T {
	k := d.n >> pieceBits
	if k == len(d.pieces) {
		d.open(k)
	}
	var zero T
	d.pieces[k] = append(d.pieces[k], zero)
	d.n++
	return &d.pieces[k][len(d.pieces[k])-1]
}

// open adds the k-th piece.
func (d *dense[T]) open(k int) {
	var piece []T
	if k > 0 {
		piece = make([]T, 0, pieceSize)
	}
	d.pieces = append(d.pieces, piece)
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
	if k+1 < len(d.pieces) {
		d.pieces[k+1] = nil
		d.pieces = d.pieces[:k+1]
	}
}
