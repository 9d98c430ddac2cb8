package physics

import (
	"math"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/convex"
)

// Form is what a body collides as. Capsules, cylinders and cones stand along their own y axis, cones with the apex up;
// the slope of a wedge falls from the upper edge at -z to the lower one at +z.
type Form struct {
	Kind       FormKind
	Half       world.Vec3 // of a box and a wedge: half their extents; below zero of a wedge that is mirrored
	Radius     float64    // of whatever is round; of a cone at its base
	HalfHeight float64    // of a capsule: half the length between the centres of its caps; of a cylinder and a cone: of all of it

	Model *convex.Model `json:"-"`         // of a [Model]; Half is how far it reaches
	Scale world.Vec3    `json:",omitzero"` // of a Model, along its axes, no less than what is thinnest
}

// FormKind is a kind of form.
type FormKind uint8

// The kinds of form.
const (
	Box FormKind = iota
	Ball
	Capsule
	Cylinder
	Cone
	Wedge
	Model // convex pieces
)

// thinnest is the least that a body measures from its middle, in metres: what is scaled to nothing has
// no direction in which to push anything.
const thinnest = 0.0005

// NewForm returns what a collider ("box", "sphere", "capsule", "cylinder", "cone", "wedge") is whose full extents are size: a ball
// as large as its largest extent, a capsule, cylinder or cone as tall as y, and as wide as the wider of x and z.
// Anything else is a box.
func NewForm(collider string, size world.Vec3) Form {
	half := world.Vec3{}
	for i := range half {
		half[i] = max(math.Abs(size[i])/2, thinnest)
	}
	r := max(half[0], half[2])
	switch collider {
	case "sphere":
		return Form{Kind: Ball, Radius: max(r, half[1])}
	case "capsule":
		return Form{Kind: Capsule, Radius: r, HalfHeight: max(half[1]-r, 0)}
	case "cylinder":
		return Form{Kind: Cylinder, Radius: r, HalfHeight: half[1]}
	case "cone":
		return Form{Kind: Cone, Radius: r, HalfHeight: half[1]}
	case "wedge":
		for i := range half {
			half[i] = math.Copysign(half[i], size[i])
		}
		return Form{Kind: Wedge, Half: half}
	default:
		return Form{Kind: Box, Half: half}
	}
}

// ModelForm returns the form of a model that is scaled along its axes.
func ModelForm(m *convex.Model, scale world.Vec3) Form {
	f := Form{Kind: Model, Model: m, Scale: scale}
	for i := range scale {
		if math.Abs(float64(m.Half[i]*scale[i])) < thinnest {
			f.Scale[i] = math.Copysign(thinnest/m.Half[i], scale[i])
		}
		f.Half[i] = math.Abs(float64(m.Half[i] * f.Scale[i]))
	}
	return f
}

// Piece returns the corners of a piece of a model, as an engine takes them.
func (f *Form) Piece(i int) []world.Vec3 {
	part := &f.Model.Parts[i]
	corners := make([]world.Vec3, len(part.Points))
	for k, p := range part.Points {
		corners[k] = f.Scale.Mul(world.Vec3(p).Add(part.At))
	}
	return corners
}

// Volume is how much room the form takes up, in m³.
func (f *Form) Volume() float64 {
	r := f.Radius
	caps := float64(r*r*r) * (4 * math.Pi / 3)
	tube := float64(r * r * f.HalfHeight * 2 * math.Pi)
	switch f.Kind {
	case Ball:
		return caps
	case Capsule:
		return caps + tube
	case Cylinder:
		return tube
	case Cone:
		return tube / 3
	case Wedge:
		return math.Abs(4 * f.Half[0] * f.Half[1] * f.Half[2])
	case Model:
		return math.Abs(f.Model.Volume * f.Scale[0] * f.Scale[1] * f.Scale[2])
	default:
		return 8 * f.Half[0] * f.Half[1] * f.Half[2]
	}
}

// reach is how far it is from its middle to whatever of it is farthest.
func (f *Form) reach() float64 {
	switch f.Kind {
	case Box, Wedge, Model:
		return f.Half.Len()
	case Cylinder, Cone:
		return world.Vec3{f.Radius, f.HalfHeight}.Len()
	default:
		return f.HalfHeight + f.Radius
	}
}

// top is how high over its middle one stands on it where it is level and upright; of all else only the middle counts.
func (f *Form) top() float64 {
	switch f.Kind {
	case Box:
		return f.Half[1]
	case Cylinder:
		return f.HalfHeight
	}
	return 0
}

// core is how far it is from its middle to whatever of its surface is nearest; of a wedge, from the middle of the largest circle in its side.
func (f *Form) core() float64 {
	switch f.Kind {
	case Box, Model:
		return min(f.Half[0], f.Half[1], f.Half[2])
	case Cylinder:
		return min(f.Radius, f.HalfHeight)
	case Cone: // half its radius aside is its side, which leans
		return min(f.HalfHeight, f.Radius*f.HalfHeight/world.Vec3{f.Radius, 2 * f.HalfHeight}.Len())
	case Wedge: // the inscribed circle of a right triangle
		y, z := 2*math.Abs(f.Half[1]), 2*math.Abs(f.Half[2])
		return min(math.Abs(f.Half[0]), (y+z-world.Vec3{y, z}.Len())/2)
	default:
		return f.Radius
	}
}

// flat reports whether the form has flat sides all around: it does not roll.
func (f *Form) flat() bool { return f.Kind == Box || f.Kind == Wedge || f.Kind == Model }

// Corners returns the corners of a wedge.
func (f *Form) Corners() (c [6]world.Vec3) {
	for i := range c {
		c[i] = f.Half.Mul([3]world.Vec3{{1, -1, -1}, {1, -1, 1}, {1, 1, -1}}[i/2])
		if i%2 == 1 {
			c[i][0] = -c[i][0]
		}
	}
	return c
}

// at returns the form somewhere.
func (f *Form) at(position world.Vec3, rotation world.Quat) solid.Solid {
	if f.Kind == Model {
		return solid.NewModel(f.Model, world.Transform{Position: position, Rotation: rotation, Scale: f.Scale})
	}
	kind, half := "box", world.Vec3{f.Radius, f.HalfHeight, f.Radius}
	switch f.Kind {
	case Ball:
		kind, half[1] = "sphere", f.Radius
	case Capsule:
		kind, half[1] = "capsule", f.HalfHeight+f.Radius
	case Cylinder:
		kind = "cylinder"
	case Cone:
		kind = "cone"
	case Wedge:
		kind, half = "wedge", f.Half
	default:
		half = f.Half
	}
	return solid.New(world.Shape{Kind: kind, Size: half.Scale(2)}, world.Transform{Position: position, Rotation: rotation, Scale: world.Vec3{1, 1, 1}})
}

// form returns the form of a body somewhere. That of a model is kept: what follows from where it is takes long to find out.
func (b *body) form(position world.Vec3, rotation world.Quat) solid.Solid {
	if b.made.Form.Kind != Model {
		return b.made.Form.at(position, rotation)
	}
	if now := (kept{b.made.Form, position, rotation, b.kept.solid}); now != b.kept {
		now.solid = b.made.Form.at(position, rotation)
		b.kept = now
	}
	return b.kept.solid
}

// kept is a form where it was asked for last.
type kept struct {
	form     Form
	position world.Vec3
	rotation world.Quat
	solid    solid.Solid
}

// Collider returns what an entity's body collides as, where it is; false if it has none.
func (p *Physics) Collider(v *world.View, id world.ID) (solid.Solid, bool) {
	b, ok := p.describe(v, id)
	if !ok {
		return solid.Solid{}, false
	}
	return p.solid(&b), true
}
