package statesync

import (
	"math"

	"github.com/limina-mcp/limina/world"
)

// place is a position in whole quanta. The zero place is the origin; where a position has too many
// quanta the place is far, and the position travels as it is.
type place [3]int32

// far is no place that a position can have.
var far = place{math.MinInt32, math.MinInt32, math.MinInt32}

// pose is a quantised position and a packed rotation: what a compact view holds of an entity, and what
// it is told when that changes.
type pose struct {
	place place
	turn  uint32
}

// nowhere is what a client holds of an entity that enters.
var nowhere = pose{far, noTurn}

func (p *place) minus(o *place) *place { return &place{p[0] - o[0], p[1] - o[1], p[2] - o[2]} }

// quantum is how exact packed and binary positions are.
type quantum struct {
	bits  int
	scale float64 // quanta in a metre: 2^bits
	limit float64 // metres, beyond which a position is far
}

func newQuantum(bits int) quantum {
	scale := math.Ldexp(1, bits)
	return quantum{bits: bits, scale: scale, limit: (1<<30 - 1) / scale}
}

// place returns the nearest place.
func (q *quantum) place(p *world.Vec3) place {
	var out place
	for i, x := range p {
		if !(x <= q.limit && x >= -q.limit) {
			return far
		}
		out[i] = int32(math.Floor(x*q.scale + 0.5))
	}
	return out
}

// turnSteps is half the number of values that a component of a packed rotation has.
const turnSteps = 511

// packTurn packs a rotation into four bytes: which component is the largest, in the two highest bits,
// and the other three in their order, ten bits each. A rotation and its negative are the same, so the
// largest is made positive and follows from the others, which are within ±√½.
func packTurn(q *world.Quat) uint32 {
	if q[0] == 0 && q[1] == 0 && q[2] == 0 {
		return noTurn
	}
	largest := 0
	for i := 1; i < 4; i++ {
		if math.Abs(q[i]) > math.Abs(q[largest]) {
			largest = i
		}
	}
	sign := math.Copysign(math.Sqrt2*turnSteps, q[largest])
	packed := uint32(largest)
	for i, x := range q {
		if i != largest {
			step := math.Floor(float64(x*sign) + 0.5)
			packed = packed<<10 | uint32(min(max(step, -turnSteps), turnSteps)+turnSteps)
		}
	}
	return packed
}

// noTurn is the packed rotation that turns nothing.
const noTurn = 3<<30 | turnSteps<<20 | turnSteps<<10 | turnSteps
