package solid

import (
	"math"
	"sync/atomic"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/convex"
)

// poly is what a Model or a Hull is made of, scaled along its own axes.
type poly struct {
	model  *convex.Model // of a Hull: of one piece, at its origin
	scale  world.Vec3
	stance atomic.Pointer[stance] // as it was asked for last
}

// stance is a Model or a Hull with its axes, about the middle of the world: what follows from those, and is asked for again and again wherever it is.
type stance struct {
	axes  [3]world.Vec3
	room  Bounds
	parts []Solid // of a Model
	rooms []Bounds
}

// piece is what a Hull is.
func (p *poly) piece() *convex.Piece { return p.model.Parts[0].Piece }

// turn returns s about the middle of the world.
func (s *Solid) turn() *stance {
	if t := s.poly.stance.Load(); t != nil && t.axes == s.Axes {
		return t
	}
	t := &stance{axes: s.Axes, room: Nothing()}
	if s.Kind == Hull {
		for _, p := range s.poly.piece().Points {
			at := s.turned(s.poly.scale.Mul(p))
			t.room = t.room.Join(Bounds{at, at})
		}
	} else {
		about := *s
		about.Center = world.Vec3{}
		for i := range s.poly.model.Parts {
			part := about.hull(&s.poly.model.Parts[i])
			t.parts, t.rooms = append(t.parts, part), append(t.rooms, part.Bounds())
			t.room = t.room.Join(t.rooms[i])
		}
	}
	s.poly.stance.Store(t)
	return t
}

// NewModel returns the solid of a model at t: a Hull, if it has one piece, else a Model. The centre of a Model
// is its origin, its extents reach as far from there as it does.
func NewModel(m *convex.Model, t world.Transform) Solid {
	s := New(world.Shape{Size: world.Vec3(m.Half).Scale(2)}, t)
	s.Kind, s.poly = Model, &poly{model: m, scale: t.Scale}
	if len(m.Parts) == 1 {
		return s.hull(&m.Parts[0])
	}
	return s
}

// hull returns a part of a Model.
func (s *Solid) hull(part *convex.Part) Solid {
	h := Solid{Kind: Hull, Center: s.out(s.poly.scale.Mul(part.At)), Axes: s.Axes, poly: &poly{model: part.Alone(), scale: s.poly.scale}}
	for i, half := range part.Alone().Half {
		h.Half[i] = float64(half * math.Abs(s.poly.scale[i]))
	}
	return h
}

// out returns where a point of the space of s is in the world.
func (s *Solid) out(p world.Vec3) world.Vec3 { return s.Center.Add(s.turned(p)) }

// turned returns a direction of the space of s in that of the world.
func (s *Solid) turned(d world.Vec3) world.Vec3 {
	return s.Axes[0].Scale(d[0]).Add(s.Axes[1].Scale(d[1])).Add(s.Axes[2].Scale(d[2]))
}

// Parts returns the convex solids that s consists of: of a Model its Hulls, else itself.
func (s *Solid) Parts() []Solid {
	if s.Kind != Model {
		return []Solid{*s}
	}
	t := s.turn()
	list := make([]Solid, len(t.parts))
	for i := range list {
		list[i] = t.parts[i].Moved(s.Center)
	}
	return list
}

// Columns tells of each convex solid that s consists of and that the vertical line through x, z meets, where it does, as [Solid.Column] has it. The solid
// is for the time of the call.
func (s *Solid) Columns(x, z float64, each func(part *Solid, low, high float64)) {
	if s.Kind != Model {
		if low, high, ok := s.Column(x, z); ok {
			each(s, low, high)
		}
		return
	}
	t := s.turn()
	for i := range t.parts {
		part := t.parts[i].Moved(s.Center)
		part.Columns(x, z, each)
	}
}

// near returns the parts of s that are at most so far from bounds.
func (s *Solid) near(b Bounds, far float64) []Solid {
	if s.Kind != Model {
		if s.Bounds().Near(b, far) {
			return []Solid{*s}
		}
		return nil
	}
	t, b := s.turn(), b.Moved(s.Center.Scale(-1))
	var list []Solid
	for i := range t.parts {
		if t.rooms[i].Near(b, far) {
			list = append(list, t.parts[i].Moved(s.Center))
		}
	}
	return list
}

// Form returns what a Model or a Hull is made of, its origin where the centre is, and by how much that is scaled along the axes; nil for
// anything else.
func (s *Solid) Form() (*convex.Model, world.Vec3) {
	if s.poly == nil {
		return nil, world.Vec3{}
	}
	return s.poly.model, s.poly.scale
}

// Scaled returns s made larger by a factor, about its centre. It is not for ground.
func (s Solid) Scaled(k float64) Solid {
	s.Half = s.Half.Scale(k)
	if s.poly != nil {
		s.poly = &poly{model: s.poly.model, scale: s.poly.scale.Scale(k)}
	}
	return s
}

// vertex returns the corner of a hull that is farthest in a direction.
func (s *Solid) vertex(dir world.Vec3) world.Vec3 {
	var d world.Vec3
	for i, a := range s.Axes {
		d[i] = float64(a.Dot(dir) * s.poly.scale[i])
	}
	best, far := world.Vec3{}, math.Inf(-1)
	for _, p := range s.poly.piece().Points {
		if along := d.Dot(p); along > far {
			best, far = p, along
		}
	}
	return s.out(s.poly.scale.Mul(best))
}

// flattened is a scale that is not 0.
func flattened(k float64) float64 {
	if math.Abs(k) < flattest {
		return math.Copysign(flattest, k)
	}
	return k
}

// slopes returns the normals of the faces of a hull, and runs the directions of its edges; neither need have length 1.
func (s *Solid) slopes() (list []world.Vec3) {
	for i := range s.poly.piece().Faces {
		n := s.poly.piece().Faces[i].Normal
		for k := range n { // normals go the other way than what they stand on
			n[k] /= flattened(s.poly.scale[k])
		}
		list = append(list, s.turned(n))
	}
	return list
}

func (s *Solid) runs() (list []world.Vec3) {
	for _, e := range s.poly.piece().Edges {
		list = append(list, s.turned(s.poly.scale.Mul(e)))
	}
	return list
}

// cut returns where a line o + t·d, in the axes of a hull, enters and leaves it, false if it passes by.
func (s *Solid) cut(o, d world.Vec3) (enter, leave float64, ok bool) {
	for i, k := range s.poly.scale { // to the space of the piece; t stays
		o[i], d[i] = o[i]/flattened(k), d[i]/flattened(k)
	}
	enter, leave = math.Inf(-1), math.Inf(1)
	for i := range s.poly.piece().Faces {
		f := &s.poly.piece().Faces[i]
		n := world.Vec3(f.Normal)
		switch above, by := n.Dot(o)-f.Off, n.Dot(d); {
		case by < 0:
			enter = max(enter, -above/by)
		case by > 0:
			leave = min(leave, -above/by)
		case above > 0:
			return 0, 0, false
		}
	}
	return enter, leave, enter <= leave
}

// betweenParts is Between where one of two, or both, consist of parts: the least gap of all.
func betweenParts(a, b *Solid) Contact {
	best := Contact{Gap: math.Inf(1), Normal: unit(1)}
	mine, theirs := a.Parts(), b.Parts()
	rooms := make([]Bounds, len(theirs))
	for i := range theirs {
		rooms[i] = theirs[i].Bounds()
	}
	for k := range mine {
		room := mine[k].Bounds()
		for i := range theirs {
			if apart(&room, &rooms[i]) > max(best.Gap, 0) {
				continue
			}
			if c := Between(mine[k], theirs[i]); c.Gap < best.Gap {
				best = c
			}
		}
	}
	return best
}

// anyParts reports whether something is so of a part of a and a part of b that are at most so far apart.
func anyParts(a, b *Solid, far float64, is func(p, q Solid) bool) bool {
	for _, p := range a.near(b.Bounds(), far) {
		for _, q := range b.near(p.Bounds(), far) {
			if is(p, q) {
				return true
			}
		}
	}
	return false
}
