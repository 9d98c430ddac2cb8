package decompose

import (
	"math"

	"github.com/limina-mcp/limina/world"
)

// directions are those in which the farthest points of a body are looked for: from the middle of a cube to so many points on each of its sides.
var directions = func() (list [98]world.Vec3) {
	const across = 5
	n := 0
	for i := range across * across * across {
		d := world.Vec3{float64(i%across) - 2, float64(i/across%across) - 2, float64(i/across/across) - 2}
		if max(math.Abs(d[0]), math.Abs(d[1]), math.Abs(d[2])) == 2 {
			list[n] = d
			n++
		}
	}
	return list
}()

// reach is how far something reaches in each direction, and its point there.
type reach struct {
	far [len(directions)]float64
	at  [len(directions)]world.Vec3
	any bool
}

func (r *reach) take(p *world.Vec3) {
	for i := range directions {
		if d := directions[i].Dot(*p); !r.any || d > r.far[i] {
			r.far[i], r.at[i] = d, *p
		}
	}
	r.any = true
}

func (r *reach) join(o *reach) {
	if !o.any {
		return
	}
	for i := range directions {
		if !r.any || o.far[i] > r.far[i] {
			r.far[i], r.at[i] = o.far[i], o.at[i]
		}
	}
	r.any = true
}

// halves are what is on either side of a plane.
type halves struct {
	sides   [2]reach
	volumes [2]float64
}

// slice is what of a body is between two planes: how far it reaches, and the sums, over its surface, of how much of that faces the axis, and of that times where it is.
type slice struct {
	reach
	faces, moment float64
	skin          float64 // of what is one: its area, made as thick as it is taken to be
}

// sweep returns what is on either side of each of some planes across an axis, which rise.
func (b *body) sweep(axis int, planes []plane, flat float64) []halves {
	slices := make([]slice, len(planes)+1)
	var room [2][16]world.Vec3
	for i := range b.list {
		f := &b.list[i]
		lo, hi := f.span(axis)
		polygon := f.at
		for k := range slices {
			if k < len(planes) && lo >= planes[k].at && hi > planes[k].at {
				continue
			}
			if k < len(planes) && lo == planes[k].at && hi == lo && !f.on(0, axis, lo) {
				continue
			}
			if k == len(planes) || hi <= planes[k].at {
				slices[k].take(polygon, axis, f.real, b.hollow, flat)
				break
			}
			below := clip(polygon, 0, axis, planes[k].at, room[0][:0])
			slices[k].take(below, axis, f.real, b.hollow, flat)
			polygon = append(room[1][:0], clip(polygon, 1, axis, planes[k].at, room[0][:0])...)
		}
	}
	all := make([]halves, len(planes))
	var low, high slice
	for i := range planes {
		low.add(&slices[i])
		all[i].sides[0] = low.reach
		all[i].volumes[0] = low.volume(planes[i].at)
		k := len(planes) - 1 - i
		high.add(&slices[k+1])
		all[k].sides[1] = high.reach
		all[k].volumes[1] = high.volume(planes[k].at)
	}
	return all
}

// volume is what the surface of all up to a plane, or from there, encloses together with that plane.
func (s *slice) volume(plane float64) float64 { return s.moment - float64(plane*s.faces) + s.skin }

// take adds a polygon.
func (s *slice) take(polygon []world.Vec3, axis int, seen, hollow bool, thick float64) {
	for i := range polygon {
		if seen {
			s.reach.take(&polygon[i])
		}
		if i < 2 {
			continue
		}
		a, b, c := &polygon[0], &polygon[i-1], &polygon[i]
		n := b.Sub(*a).Cross(c.Sub(*a))
		switch {
		case hollow && seen:
			s.skin += float64(n.Len() * thick)
		case !hollow:
			faces := n[axis] / 2
			s.faces += faces
			s.moment += float64(faces * ((a[axis] + b[axis] + c[axis]) / 3))
		}
	}
}

func (s *slice) add(o *slice) {
	s.join(&o.reach)
	s.faces += o.faces
	s.moment += o.moment
	s.skin += o.skin
}
