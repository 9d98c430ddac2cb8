package render

import (
	"math"

	"github.com/limina-mcp/limina/world"
)

// opened returns the scene without what options leave out whatever the view: what is Open, with Reveal, and what is above the Cut. The ids are of what
// is gone of the former.
func (s *Scene) opened(o *Options) (rest *Scene, ids []world.ID) {
	if o.Reveal && len(o.Open) > 0 && o.Style != Wireframe {
		open := *s
		open.Objects = nil
		for i := range s.Objects {
			obj := s.Objects[i]
			if height, is := o.Open[obj.ID]; !is || obj.cut(height) {
				open.Objects = append(open.Objects, obj)
			} else {
				ids = append(ids, obj.ID)
			}
		}
		s = &open
	}
	if o.Cut > 0 {
		if r := s.fitted(o.Fit, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, false); r.some {
			s = s.cut(r.lo[1] + o.Cut)
		}
	}
	return s, ids
}

// headroom is how far the feet of who says something are below the top of his head, about, in metres: words stay with who is cut off.
const headroom = 1.7

// cut returns the scene without what is above a height. Ground stays. What stands upright and is as wide all the way up is cut off there, all else goes
// or stays by where its middle is.
func (s *Scene) cut(height float64) *Scene {
	low := *s
	low.Objects, low.Texts, low.Particles, low.Speeches = nil, nil, nil, nil
	for i := range s.Objects {
		if o := s.Objects[i]; o.cut(height) {
			low.Objects = append(low.Objects, o)
		}
	}
	for _, t := range s.Texts {
		if t.At[1] <= height {
			low.Texts = append(low.Texts, t)
		}
	}
	for _, w := range s.Speeches {
		if w.Head[1]-headroom <= height {
			low.Speeches = append(low.Speeches, w)
		}
	}
	for _, p := range s.Particles {
		if p.At[1] <= height {
			low.Particles = append(low.Particles, p)
		}
	}
	return &low
}

// cut takes from an object what is above a height, and reports whether anything is left.
func (o *Object) cut(height float64) bool {
	if o.Kind == Field || !sane(o.Transform.Position) || !(radius(o) <= far) {
		return true
	}
	r := room(o)
	if r.hi[1] <= height {
		return true
	}
	if r.lo[1] >= height {
		return false
	}
	up := o.Transform.Rotation.Rotate(Vec3{0, 1, 0})
	if o.Kind != Box && o.Kind != Cylinder || math.Abs(up[1]) < 1-1e-9 {
		return o.Transform.Position[1] <= height
	}
	o.Size[1] = (height - r.lo[1]) / max(math.Abs(o.Transform.Scale[1]), 1e-9)
	o.Transform.Position[1] = (height + r.lo[1]) / 2
	return true
}
