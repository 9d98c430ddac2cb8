package solid

import (
	"math"

	"github.com/limina-mcp/limina/world"
)

// faces are the directions in which faces of what has flat ones look, or the opposite ones; edges those in which edges run.
func (s *Solid) faces() []world.Vec3 {
	switch s.Kind {
	case Wedge:
	case Hull:
		return s.slopes()
	default:
		return s.Axes[:]
	}
	return append(s.Axes[:len(s.Axes):len(s.Axes)], s.Axes[1].Scale(s.Half[2]).Add(s.Axes[2].Scale(s.Half[1])))
}

func (s *Solid) edges() []world.Vec3 {
	switch s.Kind {
	case Wedge:
	case Hull:
		return s.runs()
	default:
		return s.Axes[:]
	}
	return append(s.Axes[:len(s.Axes):len(s.Axes)], s.Axes[1].Scale(s.Half[1]).Sub(s.Axes[2].Scale(s.Half[2])))
}

// tip returns the corner of a wedge that is farthest in a direction.
func (s *Solid) tip(dir world.Vec3) world.Vec3 {
	up, front := -s.Half[1], -s.Half[2] // the edge at the bottom of the back
	switch y, z := float64(s.Axes[1].Dot(dir)*s.Half[1]), float64(s.Axes[2].Dot(dir)*s.Half[2]); {
	case y >= z && y >= 0:
		up = s.Half[1]
	case z > y && z >= 0:
		front = s.Half[2]
	}
	return s.along(0, dir, s.Half[0]).Add(s.Axes[1].Scale(up)).Add(s.Axes[2].Scale(front))
}

// slice returns where a line o + t·d, in the axes of a wedge, enters and leaves it, false if it passes by.
func (s *Solid) slice(o, d world.Vec3) (enter, leave float64, ok bool) {
	enter, leave = math.Inf(-1), math.Inf(1)
	within := func(at, by, lo, hi float64) { // at + t·by
		if by != 0 {
			p, q := (lo-at)/by, (hi-at)/by
			enter, leave = max(enter, min(p, q)), min(leave, max(p, q))
		} else if at < lo || at > hi {
			leave = math.Inf(-1)
		}
	}
	for i, h := range s.Half { // to the space in which all half extents are 1; t stays
		h = max(h, flattest)
		o[i], d[i] = o[i]/h, d[i]/h
		within(o[i], d[i], -1, 1)
	}
	within(o[1]+o[2], d[1]+d[2], -2, 0) // the slope goes through the middle
	return enter, leave, enter <= leave
}
