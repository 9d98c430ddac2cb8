package world

// dense is an array that grows and shrinks at its end, in pieces: an element never moves, so that a
// cell of a million entities costs no more to add to than an empty one. Only the first piece grows
// with what is in it, because most cells never have more than a few.
type dense[T any] struct {
	first []T
	more  [][]T // full but for the last; that may be empty: it was needed a moment ago
	n     int
}

const (
	pieceBits = 8
	pieceSize = 1 << pieceBits
)

// at returns the i-th element.
func (d *dense[T]) at(i int) *T {
	if i < pieceSize {
		return &d.first[i]
	}
	return &d.more[i>>pieceBits-1][i&(pieceSize-1)]
}

// lengthen adds a zero element, for its caller to fill in where it lies.
func (d *dense[T]) lengthen() *T {
	k := d.n>>pieceBits - 1
	d.n++
	if k < 0 {
		return grow(&d.first)
	}
	if k == len(d.more) {
		d.more = append(d.more, make([]T, 0, pieceSize))
	}
	return grow(&d.more[k])
}

// grow adds a zero element to a piece.
func grow[T any](piece *[]T) *T {
	var zero T
	*piece = append(*piece, zero)
	return &(*piece)[len(*piece)-1]
}

// shorten takes the i-th element out; the last one takes its place.
func (d *dense[T]) shorten(i int) {
	d.n--
	last := d.at(d.n)
	*d.at(i) = *last
	var zero T
	*last = zero
	k := d.n>>pieceBits - 1
	if k < 0 {
		d.first = d.first[:d.n]
	} else {
		d.more[k] = d.more[k][:d.n&(pieceSize-1)]
	}
	if k++; k < len(d.more) {
		d.more[k] = nil
		d.more = d.more[:k]
	}
}
