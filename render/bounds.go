package render

import (
	"math"
	"slices"

	"github.com/limina-mcp/limina/world"
)

// extent returns the corners of the box around an object in its own space, before its transform.
func extent(o *Object) (lo, hi Vec3) {
	switch o.Kind {
	case Solid:
		if o.Mesh == nil || len(o.Mesh.Vertices) == 0 {
			return lo, hi
		}
		lo, hi = o.Mesh.Vertices[0], o.Mesh.Vertices[0]
		for _, v := range o.Mesh.Vertices {
			lo, hi = lo.Min(v), hi.Max(v)
		}
		return lo, hi
	case Field:
		if !o.Heights.whole() {
			return lo, hi
		}
		h := o.Heights
		lo, hi = h.point(0, 0), h.point(h.Columns-1, h.Rows-1)
		for _, y := range h.At {
			lo[1], hi[1] = min(lo[1], y), max(hi[1], y)
		}
		return lo, hi
	}
	half := o.Size.Scale(0.5)
	return half.Scale(-1), half
}

// radius returns that of a ball about an object's position which holds all of it.
func radius(o *Object) float64 {
	lo, hi := extent(o)
	for i := range lo {
		lo[i] = max(math.Abs(lo[i]), math.Abs(hi[i]))
	}
	return lo.Mul(o.Transform.Scale).Len()
}

// region is a box along some camera's directions, or the world's.
type region struct {
	lo, hi Vec3
	some   bool // something is in it
}

func (r *region) add(p Vec3) {
	if !r.some {
		r.lo, r.hi, r.some = p, p, true
	}
	r.lo, r.hi = r.lo.Min(p), r.hi.Max(p)
}

// hold adds the box around an object, along the directions right, up and forward.
func (r *region) hold(o *Object, right, up, forward Vec3) {
	p := placeOf(o)
	lo, hi := extent(o)
	for c := range 8 {
		v := lo
		for axis := range 3 {
			if c>>axis&1 == 1 {
				v[axis] = hi[axis]
			}
		}
		v = p.point(v)
		r.add(Vec3{v.Dot(right), v.Dot(up), v.Dot(forward)})
	}
}

// room is the box around an object, along the axes of the world.
func room(o *Object) (r region) {
	r.hold(o, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1})
	return r
}

// near reports whether two boxes are at most so far apart along each axis.
func (r *region) near(other *region, d float64) bool {
	for i := range r.lo {
		if r.lo[i] > other.hi[i]+d || other.lo[i] > r.hi[i]+d {
			return false
		}
	}
	return true
}

func (r *region) size() float64 { return r.hi.Sub(r.lo).Len() }

// deep is the height below which a thing far below the others has fallen.
const deep = -20

// fitted returns what a view has to show: the objects named, or else all, as a region along the
// directions right, up and forward. Of everything, fields and waters that reach far beyond the rest are left out, and so is what
// has fallen off the world: what is that deep shows the rest as a point. Water counts if wet, or if there is nothing else.
func (s *Scene) fitted(ids []world.ID, right, up, forward Vec3, wet bool) region {
	wanted := make(map[world.ID]bool, len(ids))
	for _, id := range ids {
		wanted[id] = true
	}
	pick := func(want func(o *Object) bool) (r region) {
		for i := range s.Objects {
			o := &s.Objects[i]
			if !want(o) || !sane(o.Transform.Position) || !(radius(o) <= far) {
				continue
			}
			r.hold(o, right, up, forward)
		}
		return r
	}
	waters := func(r region, want func(w *Water) bool) region {
		for i := range s.Waters {
			w := &s.Waters[i]
			if !want(w) || !sane(w.Center) || !(w.Right.Len()+w.Front.Len() <= far) {
				continue
			}
			for _, across := range w.Banks {
				for _, at := range across {
					if sane(at) {
						r.add(Vec3{at.Dot(right), at.Dot(up), at.Dot(forward)})
					}
				}
			}
			if len(w.Banks) > 0 {
				continue
			}
			for _, by := range [...]Vec3{w.Right.Add(w.Front), w.Right.Sub(w.Front), w.Front.Sub(w.Right), w.Right.Add(w.Front).Scale(-1)} {
				at := w.Center.Add(by)
				r.add(Vec3{at.Dot(right), at.Dot(up), at.Dot(forward)})
			}
		}
		return r
	}
	if len(ids) > 0 {
		if r := waters(pick(func(o *Object) bool { return wanted[o.ID] }), func(w *Water) bool { return wanted[w.ID] }); r.some {
			return r
		}
	}
	thing := func(o *Object) bool { return o.Kind != Field }
	things, all := pick(thing), pick(func(*Object) bool { return true })
	fallen := func(o *Object) bool { return thing(o) && o.Transform.Position[1] < deep }
	if slices.ContainsFunc(s.Objects, func(o Object) bool { return fallen(&o) }) {
		rest := pick(func(o *Object) bool { return thing(o) && !fallen(o) })
		if rest.some && things.hi.Sub(things.lo).Len() > 3*rest.hi.Sub(rest.lo).Len() {
			things, all = rest, pick(func(o *Object) bool { return !fallen(o) })
		}
	}
	if things.some && all.hi.Sub(all.lo).Len() > 3*things.hi.Sub(things.lo).Len() {
		all = things
	}
	more := waters(all, func(*Water) bool { return true })
	if all.some && (!wet || more.hi.Sub(more.lo).Len() > 3*all.hi.Sub(all.lo).Len()) {
		return all
	}
	return more
}

// isoDirection is where the iso view looks: down, from the front and the left. The sun of a new world
// is at the front and the right, so that shadows show.
func isoDirection() Vec3 {
	sin, cos := world.Sincos(0.6)
	return Vec3{sin, -0.6, -cos}
}

// fit returns the camera of a view of a size in pixels.
func (s *Scene) fit(v View, ids []world.ID, width, height int) Camera {
	c := Camera{Target: map[View]Vec3{
		Front: {0, 0, -1}, Back: {0, 0, 1}, Left: {1, 0, 0}, Right: {-1, 0, 0}, Top: {0, -1, 0}, Iso: unit(isoDirection()),
	}[v]}
	right, up, forward := c.axes()
	r := s.fitted(ids, right, up, forward, true)
	if !r.some {
		r = region{lo: Vec3{-5, -5, -5}, hi: Vec3{5, 5, 5}}
	}
	size := r.hi.Sub(r.lo)
	middle := r.lo.Add(size.Scale(0.5))
	aspect := float64(width) / float64(height)
	c.Height = max(size[1], size[0]/aspect, 0.2) * 1.2 // with a margin, for rulers and labels
	c.Target = right.Scale(middle[0]).Add(up.Scale(middle[1])).Add(forward.Scale(middle[2]))
	c.Position = c.Target.Sub(forward.Scale(max(size[2], c.Height)))
	return c
}

// ball is what a picture is about: its shadows are sharpest and its ground is drawn there.
type ball struct {
	center Vec3
	radius float64
}

// focus returns the ball about what a picture is fitted to.
func (s *Scene) focus(ids []world.ID) ball {
	r := s.fitted(ids, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, false)
	if !r.some {
		return ball{radius: 8}
	}
	half := r.hi.Sub(r.lo).Scale(0.5)
	return ball{r.lo.Add(half), max(half.Len(), 1)}
}
