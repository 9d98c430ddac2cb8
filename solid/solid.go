package solid

import (
	"math"

	"github.com/limina-mcp/limina/world"
)

// Kind is what a solid is.
type Kind uint8

// The kinds.
const (
	Box      Kind = iota
	Ball          // an ellipsoid, if the three radii differ
	Capsule       // a cylinder along its second axis with a half ball at each end
	Cylinder      // along its second axis; its ends are ellipses, if the two radii differ
	Cone          // along its second axis, whose positive end is its apex
	Wedge         // half a box: its slope falls from the edge at the positive end of the second and the negative one of the third axis, a ramp up the latter
	Field         // ground: what is under a surface of triangles; its axes and extents are those of the box around it
	Hull          // all that lies between some points, see package convex; its extents are those of the least box around its centre
	Model         // several hulls: its Parts
	triangle      // a cell of a Field has two
)

// Solid is the room that one entity takes up.
type Solid struct {
	Kind   Kind
	Center world.Vec3
	Axes   [3]world.Vec3 // its own axes, each of length 1
	Half   world.Vec3    // half its extent along each of them

	field   *field         // of a Field
	corners *[3]world.Vec3 // of a triangle
	poly    *poly          // of a Hull and a Model
}

// Of returns the solid of an entity, false if there is no such entity or it has no shape. A mesh that says
// of which pieces it consists, see [world.World.Model], is those. A kind of shape that is not known here is a box of its size.
func Of(w *world.World, v *world.View, id world.ID) (Solid, bool) {
	t, ok := v.WorldTransform(id)
	if !ok {
		return Solid{}, false
	}
	if g, ok := w.Grounds.Get(v, id); ok {
		if tile := w.Surface(g); tile != nil {
			return NewField(tile, t), true
		}
	}
	shape, ok := w.Shapes.Get(v, id)
	if !ok {
		return Solid{}, false
	}
	if shape.Kind == meshed {
		if m := w.Model(v, id); m != nil {
			return NewModel(m, t), true
		}
	}
	return New(shape, t), true
}

// Boxed reports whether an entity is drawn as a mesh of which is not known what room it takes up: it is the box around it, but in pictures.
func Boxed(w *world.World, v *world.View, id world.ID) bool {
	shape, ok := w.Shapes.Get(v, id)
	return ok && shape.Kind == meshed && w.Model(v, id) == nil
}

// meshed is the kind of shape of what is drawn as a mesh.
const meshed = "mesh"

// New returns the solid of a shape at t.
func New(shape world.Shape, t world.Transform) Solid {
	s := Solid{Kind: Box, Center: t.Position, Half: shape.Size.Mul(t.Scale).Scale(0.5)}
	for i := range s.Half {
		s.Half[i] = math.Abs(s.Half[i])
		s.Axes[i] = t.Rotation.Rotate(unit(i))
	}
	switch shape.Kind {
	case "sphere":
		s.Kind = Ball
	case "cylinder":
		s.Kind = Cylinder
	case "cone":
		s.Kind = Cone
	case "wedge":
		s.Kind = Wedge
		for i := range s.Axes { // one that is mirrored has its slope on another side
			s.Axes[i] = s.Axes[i].Scale(math.Copysign(1, shape.Size[i]*t.Scale[i]))
		}
	case "capsule", "figure":
		s.Kind = Capsule
		s.Half[0] = max(s.Half[0], s.Half[2])
		s.Half[1] = max(s.Half[1], s.Half[0])
		s.Half[2] = s.Half[0]
	}
	return s
}

func unit(axis int) (v world.Vec3) {
	v[axis] = 1
	return v
}

// Moved returns s moved by d.
func (s Solid) Moved(d world.Vec3) Solid {
	s.Center = s.Center.Add(d)
	return s
}

// Support returns the point of s that is farthest in a direction, which need not have length 1.
func (s Solid) Support(dir world.Vec3) world.Vec3 {
	if s.Kind == Model {
		best, far := s.Center, math.Inf(-1)
		for _, part := range s.Parts() {
			if p := part.Support(dir); dir.Dot(p) > far {
				best, far = p, dir.Dot(p)
			}
		}
		return best
	}
	p, r := s.core(dir)
	if r == 0 {
		return p
	}
	if n := dir.Len(); n > 0 {
		p = p.Add(dir.Scale(r / n))
	}
	return p
}

// core returns the farthest point of what s is when its rounding, a ball of the radius r, is taken
// away: of a box itself, of a ball its centre, of a capsule the line inside.
func (s *Solid) core(dir world.Vec3) (p world.Vec3, r float64) {
	switch {
	case s.Kind == triangle:
		return s.corner(dir), 0
	case s.Kind == Capsule:
		return s.along(1, dir, s.Half[1]-s.Half[0]), s.Half[0]
	case s.Kind == Cylinder || s.Kind == Cone:
		return s.farthest(dir), 0
	case s.Kind == Wedge:
		return s.tip(dir), 0
	case s.Kind == Hull:
		return s.vertex(dir), 0
	case s.Uneven():
		return s.ellipsoid(dir), 0
	case s.Kind == Ball:
		return s.Center, s.Half[0]
	}
	p = s.Center
	for i, a := range s.Axes {
		p = p.Add(a.Scale(math.Copysign(s.Half[i], a.Dot(dir))))
	}
	return p, 0
}

// Uneven reports whether s is a ball, cylinder or cone with radii that differ, as bodies never are.
func (s *Solid) Uneven() bool {
	switch s.Kind {
	case Ball:
		return !(s.Half[0] == s.Half[1] && s.Half[1] == s.Half[2])
	case Cylinder, Cone:
		return s.Half[0] != s.Half[2]
	}
	return false
}

// curved reports whether the core of s has more normals than those of flat faces.
func (s *Solid) curved() bool { return s.Kind == Cylinder || s.Kind == Cone || s.Uneven() }

// along returns the end, half away from the centre along an axis, that is farther in a direction.
func (s *Solid) along(axis int, dir world.Vec3, half float64) world.Vec3 {
	a := s.Axes[axis]
	return s.Center.Add(a.Scale(math.Copysign(half, a.Dot(dir))))
}

// ellipsoid returns the farthest point of an ellipsoid: where its surface faces the direction.
func (s *Solid) ellipsoid(dir world.Vec3) world.Vec3 {
	var d world.Vec3 // dir in the space in which the ellipsoid is a ball of radius 1
	for i, a := range s.Axes {
		d[i] = float64(a.Dot(dir) * s.Half[i])
	}
	n := d.Len()
	if n == 0 {
		return s.Center
	}
	p := s.Center
	for i, a := range s.Axes {
		p = p.Add(a.Scale(float64(d[i]*s.Half[i]) / n))
	}
	return p
}

// Bounds returns the corners of the smallest box along the world's axes that s is in.
func (s Solid) Bounds() Bounds {
	if s.poly != nil {
		return s.turn().room.Moved(s.Center)
	}
	var b Bounds
	for i := range 3 { // what is here is as far from its centre on one side as on the other, but for cones and wedges
		half := s.Support(unit(i))[i] - s.Center[i]
		b.Lo[i], b.Hi[i] = s.Center[i]-half, s.Center[i]+half
		if s.Kind == Cone || s.Kind == Wedge {
			b.Lo[i] = s.Support(unit(i).Scale(-1))[i]
		}
	}
	return b
}

// Column returns where the vertical line through x, z enters and leaves s, false if it passes by. The
// ends of a capsule count as flat. Ground has no lower end. Of a Model it is where the line first enters and last leaves any of its parts.
func (s Solid) Column(x, z float64) (low, high float64, ok bool) {
	if s.Kind == Model {
		low, high = math.Inf(1), math.Inf(-1)
		s.Columns(x, z, func(_ *Solid, l, h float64) { low, high, ok = min(low, l), max(high, h), true })
		return low, high, ok
	}
	if s.Kind == Field {
		high, ok = s.column(x, z)
		return math.Inf(-1), high, ok
	}
	var p, d world.Vec3
	from := world.Vec3{x, 0, z}.Sub(s.Center)
	switch s.Kind {
	case Cylinder, Cone, Wedge, Hull:
		for i, a := range s.Axes {
			p[i], d[i] = a.Dot(from), a[1]
		}
		switch s.Kind {
		case Wedge:
			return s.slice(p, d)
		case Hull:
			return s.cut(p, d)
		}
		return s.pierce(p, d)
	}
	// In the space in which s is a cube or a ball of half extent 1, the line is p + y·d.
	for i, a := range s.Axes {
		if s.Half[i] == 0 {
			return 0, 0, false
		}
		p[i], d[i] = a.Dot(from)/s.Half[i], a[1]/s.Half[i]
	}
	if s.Kind == Ball {
		a, b, c := d.Dot(d), p.Dot(d), p.Dot(p)-1
		root := float64(b*b) - float64(a*c)
		if root < 0 {
			return 0, 0, false
		}
		r := math.Sqrt(root)
		return (-b - r) / a, (-b + r) / a, true
	}
	low, high = math.Inf(-1), math.Inf(1)
	for i := range 3 {
		if d[i] == 0 {
			if math.Abs(p[i]) > 1 {
				return 0, 0, false
			}
			continue
		}
		near, far := (-1-p[i])/d[i], (1-p[i])/d[i]
		low, high = max(low, min(near, far)), min(high, max(near, far))
	}
	return low, high, low <= high
}
