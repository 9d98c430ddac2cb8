package render

import (
	"math"
	"slices"
)

// sunlight tells what of the sun gets to places that a picture shows. Seen from the sun, which is far away, what throws shadows is a picture of
// polygons: a place is in the shade if one of them is before it there. That is asked of the polygons themselves wherever the coarse picture that
// is kept of them does not tell for a whole pixel, so that shadows have no steps, however much a picture shows.
type sunlight struct {
	objects []Object
	towards Vec3
	maps    []*sunmap // from the one that is about the least
}

// place2 is where something is for the sun.
type place2 struct{ x, y float64 }

// stretch is a rectangle; the zero stretch holds nothing.
type stretch struct {
	lo, hi place2
	some   bool
}

func (r *stretch) hold(x, y, reach float64) {
	if !r.some {
		*r = stretch{place2{x - reach, y - reach}, place2{x + reach, y + reach}, true}
		return
	}
	r.lo = place2{min(r.lo.x, x-reach), min(r.lo.y, y-reach)}
	r.hi = place2{max(r.hi.x, x+reach), max(r.hi.y, y+reach)}
}

// within returns what of a rectangle is in another one too.
func (r stretch) within(other *stretch) stretch {
	r.lo = place2{max(r.lo.x, other.lo.x), max(r.lo.y, other.lo.y)}
	r.hi = place2{min(r.hi.x, other.hi.x), min(r.hi.y, other.hi.y)}
	r.some = r.some && other.some && r.lo.x < r.hi.x && r.lo.y < r.hi.y
	return r
}

func (r *stretch) area() float64 {
	return float64(max(r.hi.x-r.lo.x, 0.01) * max(r.hi.y-r.lo.y, 0.01))
}

// newSunlight returns the light that comes from a direction on those faces, of what a painter is going to paint, that gets. It has one map of all that
// shows and can have shadows on it, and in perspective, if that pays, a finer one of the nearer half; so many samples in all.
func (p *painter) newSunlight(s *Scene, towards Vec3, gets func(*face) bool, samples int, holed []*paper, workers int) *sunlight {
	out := &sunlight{objects: s.Objects, towards: towards}
	right, up, forward := (&Camera{Position: towards}).axes()
	casters := s.casters(right, up)
	spots, depth := p.sunSpots(right, up, forward, &casters, gets)
	if len(spots) == 0 {
		return out
	}
	wanted := p.fr.lens.stretches(spots)
	for _, r := range wanted {
		// What is between the places that were asked for is a little beside them.
		more := 0.05 * max(r.hi.x-r.lo.x, r.hi.y-r.lo.y)
		r = stretch{place2{r.lo.x - more, r.lo.y - more}, place2{r.hi.x + more, r.hi.y + more}, true}.within(&casters)
		if !r.some {
			continue
		}
		eye := right.Scale((r.lo.x + r.hi.x) / 2).Add(up.Scale((r.lo.y + r.hi.y) / 2)).Add(forward.Scale(depth))
		out.maps = append(out.maps, s.newSunmap(towards, eye, r, samples/len(wanted), holed, workers))
	}
	return out
}

// casters returns where what throws shadows is for the sun.
func (s *Scene) casters(right, up Vec3) (all stretch) {
	for i := range s.Objects {
		o := &s.Objects[i]
		if at, r := o.Transform.Position, radius(o); o.casts() && sane(at) && r <= far {
			all.hold(at.Dot(right), at.Dot(up), r)
		}
	}
	return all
}

// sunSpot is a place that may have a shadow on it.
type sunSpot struct {
	place2
	s float64 // how far it is from the camera
}

// sunSpots returns places of what a painter is going to paint that may have shadows on them, and how deep they are for the sun, on average.
func (p *painter) sunSpots(right, up, forward Vec3, casters *stretch, gets func(*face) bool) (spots []sunSpot, depth float64) {
	width, height := p.fr.width, p.fr.height
	step := 2 * p.samples
	for j := 0; j < height+step-1; j += step { // up to the last, also if it is between steps
		r := p.at(min(j, height-1))
		for i := 0; i < width+step-1; i += step {
			i := min(i, width-1)
			var at Vec3
			s := r.ground.distance
			switch {
			case r.face[i] != 0:
				if !gets(&p.fr.faces[r.face[i]-1]) {
					continue
				}
				s = p.fr.lens.distance(float64(r.near[i]))
				at = r.point(i, s)
			case r.ground.shaded:
				at = Vec3{r.ground.u + float64(float64(i)*r.ground.byU), 0, r.ground.v + float64(float64(i)*r.ground.byV)}
			default:
				continue
			}
			x, y := at.Dot(right), at.Dot(up)
			if x < casters.lo.x || x > casters.hi.x || y < casters.lo.y || y > casters.hi.y {
				continue
			}
			spots = append(spots, sunSpot{place2{x, y}, s})
			depth += at.Dot(forward)
		}
	}
	return spots, depth / float64(len(spots))
}

// stretches returns what there is to have a map of, for some places: all of it, and before that the nearer half if that is much smaller.
func (l *lens) stretches(spots []sunSpot) []stretch {
	all := stretchOf(spots, math.Inf(1))
	if !l.perspective {
		return []stretch{all}
	}
	order := make([]float64, len(spots))
	for i := range spots {
		order[i] = spots[i].s
	}
	slices.Sort(order)
	if nearer := stretchOf(spots, order[len(order)/2]); 4*nearer.area() < all.area() {
		return []stretch{nearer, all}
	}
	return []stretch{all}
}

// stretchOf returns where those places are that are so near to the camera.
func stretchOf(spots []sunSpot, most float64) (r stretch) {
	for i := range spots {
		if s := &spots[i]; s.s <= most {
			r.hold(s.x, s.y, 0)
		}
	}
	return r
}

// sunny reports whether the sun may shine on a face.
func (f *face) sunny() bool { return f.slope != 0 || f.sun > 0 }

// spread is what of a plane a pixel shows, or a sample: a parallelogram about a place.
type spread struct {
	at, normal Vec3
	x, y       Vec3 // its sides, from left to right and down
}

// spread returns what so many samples from one on, each way, show of a plane with a normal that the sample shows at a place at distance s.
func (l *lens) spread(at Vec3, s float64, normal Vec3, samples float64) spread {
	out := spread{at: at, normal: normal}
	ray := l.forward
	if l.perspective {
		ray = at.Sub(l.eye)
	}
	k := normal.Dot(ray)
	if math.Abs(k) < 1e-12 {
		return out
	}
	x, y := l.originX.Add(l.rayX.Scale(s)).Scale(samples), l.originY.Add(l.rayY.Scale(s)).Scale(samples)
	out.x, out.y = x.Sub(ray.Scale(normal.Dot(x)/k)), y.Sub(ray.Scale(normal.Dot(y)/k))
	middle := (samples - 1) / (2 * samples)
	out.at = at.Add(out.x.Scale(middle)).Add(out.y.Scale(middle))
	return out
}

// nobody is the number of an object that is none.
const nobody = -1

// lit returns how much of the sun gets to what so many samples of a lens, from one on, each way, show of a plane with a normal. That one shows a place
// at distance s, of an object or of nobody's.
func (sl *sunlight) lit(lens *lens, at Vec3, s float64, normal Vec3, samples float64, object int32) float64 {
	for _, m := range sl.maps {
		v := m.lens.project(at)
		if !(v.x >= sunMargin && v.y >= sunMargin && v.x < float64(m.width-sunMargin) && v.y < float64(m.height-sunMargin)) {
			continue
		}
		f := m.flat(normal)
		own, soft := sl.owner(object, normal)
		if !soft {
			if lit, dark, all := m.count(sl, &f, &v, 0.5, 0.5); lit == all {
				return 1
			} else if dark == all {
				return 0
			}
		}
		a := lens.spread(at, s, normal, samples)
		return m.lit(sl, &a, &f, own, soft)
	}
	return 1
}

// owner returns of what object a place with a normal has no shadow, and whether the map may show it in one all the same.
func (sl *sunlight) owner(object int32, normal Vec3) (own int32, soft bool) {
	if object == nobody {
		return nobody, false
	}
	switch sl.objects[object].Kind {
	case Solid, Field:
		if normal.Dot(sl.towards) <= 0 { // it looks as if the sun got there, because it looks round
			return object, true
		}
		return nobody, false
	case Box, Wedge:
		return object, false
	}
	return object, true
}

// ground reports whether a face, counted from 1, is of ground.
func (sl *sunlight) ground(number int32, m *sunmap) bool {
	return number > 0 && sl.objects[m.faces[number-1].object].Kind == Field
}
