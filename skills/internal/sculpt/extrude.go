package sculpt

import (
	"errors"
	"fmt"
	"slices"

	"github.com/limina-mcp/limina/world"
)

// round is the cosine of the angle, 40 degrees, under which sides are lit as if round.
const round = 0.766

// Plane says where drawings lie.
type Plane string

// The planes.
const (
	Ground Plane = "xz" // a drawing is a plan, seen from above, and what it becomes rises along y
	Front  Plane = "xy" // a drawing is a front view, and what it becomes is as thick along z, half of it to each side of 0
)

// mostCorners is how many corners a convex piece of a drawing has at most; a piece of what it becomes has twice as many.
const mostCorners = 32

// maxCorners is how many corners an outline and its holes have at most: what is done with them takes as long as the cube of that.
const maxCorners = 400

// Extrude draws an outline with holes out: upwards by depth from a plan, or to both sides of a front view. The far end is taper times as large as the
// near one, 0 for a point. A hole that reaches a side of the outline, as a doorway does, or over it, is cut out of that side.
func Extrude(outline []Point, holes [][]Point, plane Plane, depth, taper float64) (*Form, error) {
	if taper == 0 && len(holes) > 0 {
		return nil, errors.New("taper: 0 makes a point of the far end, and what has holes has none; give a small one")
	}
	outline, holes = notch(wind(outline, true), holes)
	rings := [][]Point{wind(outline, true)}
	for _, hole := range holes {
		rings = append(rings, wind(hole, false))
	}
	all := 0
	for _, ring := range rings {
		all += len(ring)
	}
	if all > maxCorners {
		return nil, fmt.Errorf("outline and holes: must have at most %d corners together, got %d", maxCorners, all)
	}
	if err := simple(rings); err != nil {
		return nil, err
	}
	if plane == Ground { // as seen from above, z is down
		for _, ring := range rings {
			for k := range ring {
				ring[k][1] = -ring[k][1]
			}
			slices.Reverse(ring)
		}
	}
	lo, hi := rings[0][0], rings[0][0]
	for _, p := range rings[0] {
		for k := range p {
			lo[k], hi[k] = min(lo[k], p[k]), max(hi[k], p[k])
		}
	}
	mid := Point{(lo[0] + hi[0]) / 2, (lo[1] + hi[1]) / 2}

	ring, corners := join(rings)
	f := &Form{Soft: round}
	at := func(p Point, up float64) world.Vec3 {
		if plane == Ground {
			return world.Vec3{p[0], up, -p[1]}
		}
		return world.Vec3{p[0], p[1], up}
	}
	near := 0.0
	if plane == Front {
		near = -depth / 2
	}
	low, high := make([]uint32, len(corners)), make([]uint32, len(corners))
	for i, p := range corners {
		low[i] = f.point(at(p, near))
	}
	for i, p := range corners {
		if taper == 0 && i > 0 {
			high[i] = high[0]
			continue
		}
		far := Point{mid[0] + float64((p[0]-mid[0])*taper), mid[1] + float64((p[1]-mid[1])*taper)}
		high[i] = f.point(at(far, near+depth))
	}
	for _, polygon := range unite(ears(ring, corners), corners, mostCorners) {
		var floor, roof, piece []uint32
		for k := range polygon {
			floor = append(floor, low[polygon[len(polygon)-1-k]])
			roof = append(roof, high[polygon[k]])
		}
		piece = append(piece, floor...)
		f.Faces = append(f.Faces, floor)
		if taper == 0 {
			piece = append(piece, high[0])
		} else {
			f.Faces, piece = append(f.Faces, roof), append(piece, roof...)
		}
		f.Pieces = append(f.Pieces, piece)
	}
	start := 0
	for _, r := range rings {
		for k := range r {
			a, b := start+k, start+(k+1)%len(r)
			if taper == 0 {
				f.Faces = append(f.Faces, []uint32{low[a], low[b], high[0]})
			} else {
				f.Faces = append(f.Faces, []uint32{low[a], low[b], high[b], high[a]})
			}
		}
		start += len(r)
	}
	return f, f.check()
}
