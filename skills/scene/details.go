package scene

import (
	"math"

	"github.com/limina-mcp/limina/skills/internal/angle"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/world"
)

// Details is what a query tells of an entity beside its place. What the entity does not have is left out.
type Details struct {
	Parent        world.ID    `json:"parent,omitempty" jsonschema_description:"What it is under, if it is under something."`
	Children      int         `json:"children,omitempty" jsonschema_description:"How many entities are directly under it; below lists them."`
	LocalPosition *world.Vec3 `json:"localPosition,omitempty" jsonschema_description:"If it has a parent: its position relative to that, as three.setTransform takes it."`
	RotationEuler world.Vec3  `json:"rotationEuler" jsonschema_description:"Angles about x, y, z in radians, as three.setTransform takes them: relative to the parent if it has one."`
	Scale         world.Vec3  `json:"scale" jsonschema_description:"Factors along its own x, y, z, as three.setTransform takes them."`
	Shape         *Form       `json:"shape,omitempty" jsonschema_description:"What it looks like, if it is visible."`
	Color         *uint32     `json:"color,omitempty" jsonschema_description:"The colour that it shows, as 0xRRGGBB in decimal: its material's, else its shape's."`
	Material      string      `json:"material,omitempty" jsonschema_description:"Name of its material."`
	Emissive      uint32      `json:"emissive,omitempty" jsonschema_description:"The light that it gives off by itself."`
	Tags          []string    `json:"tags,omitempty" jsonschema_description:"Its tags, sorted."`
	Light         *Lamp       `json:"light,omitempty" jsonschema_description:"What it shines like, if it is a lamp."`
	Behavior      *Behavior   `json:"behavior,omitempty" jsonschema_description:"What it does by itself, if it lives by behavior.assign, follows a path, or is on its way and does not get on."`
	Body          string      `json:"body,omitempty" jsonschema_description:"Its body, if it has one: dynamic, static or kinematic."`
}

// Form is the shape of an entity.
type Form struct {
	Kind string     `json:"kind" jsonschema_description:"box, sphere, capsule, cylinder, cone, wedge, figure, mesh, terrain or water, which is level."`
	Size world.Vec3 `json:"size" jsonschema_description:"Its edges before the scale, in metres."`
}

// Behavior is what an entity does by itself.
type Behavior struct {
	Profile string `json:"profileId,omitempty" jsonschema_description:"The profile that behavior.assign gave it."`
	Goal    string `json:"goalId,omitempty" jsonschema_description:"What it pursues: a goal, or its routine."`
	Type    string `json:"type,omitempty" jsonschema_description:"Of that goal: patrol, guard, goTo and so on."`
	Stuck   string `json:"stuck,omitempty" jsonschema_description:"Why it does not get on, if it does not."`
	Path    *Path  `json:"path,omitempty" jsonschema_description:"Where it is on its way, if it follows a path by animation.follow."`
}

// Path is where something is on the path that it follows.
type Path struct {
	PathID string  `json:"pathId" jsonschema_description:"The path, as animation.authorPath calls it."`
	At     float64 `json:"at" jsonschema_description:"How far along it, in metres, from its first point on."`
	Length float64 `json:"length" jsonschema_description:"How long the path is."`
	Stop   string  `json:"stop,omitempty" jsonschema_description:"The stop at which it waits."`
	Back   bool    `json:"back,omitempty" jsonschema_description:"Whether it is on its way back, or goes round the other way."`
	Ended  bool    `json:"ended,omitempty" jsonschema_description:"Whether it is at its end, and stays there."`
}

// Lamp is the light of an entity.
type Lamp struct {
	Kind      string  `json:"kind" jsonschema_description:"point, spot or directional, as three.setLight has it."`
	Color     uint32  `json:"color" jsonschema_description:"0xRRGGBB in decimal."`
	Intensity float64 `json:"intensity" jsonschema_description:"How bright it is; 0 is out."`
	Range     float64 `json:"range,omitempty" jsonschema_description:"How far it reaches, in metres."`
}

// detailsOf returns the details of an entity that exists.
func detailsOf(v *world.View, id world.ID) *Details {
	w := v.World()
	t, _ := v.Transform(id)
	d := &Details{
		Parent: v.Parent(id), Children: len(v.Children(id)), Tags: v.Tags(id),
		RotationEuler: shown.Point(least(t.Rotation)), Scale: t.Scale,
	}
	if d.Parent != 0 {
		at := shown.Point(t.Position)
		d.LocalPosition = &at
	}
	if s, ok := w.Shapes.Get(v, id); ok {
		d.Shape, d.Color = &Form{s.Kind, shown.Point(s.Size)}, &s.Color
	}
	if a, ok := w.Waters.Get(v, id); ok {
		here := world.Identity()
		lo, hi := a.Box(&here)
		d.Shape, d.Color = &Form{"water", shown.Point(hi.Sub(lo))}, &a.Color
	}
	if m, ok := w.Materials.Get(v, id); ok {
		d.Material, d.Emissive = m.Name, m.Emissive
		if m.Color != nil {
			color := *m.Color
			d.Color = &color
		}
	}
	if l, ok := w.Lights.Get(v, id); ok {
		d.Light = &Lamp{l.Kind, l.Color, l.Intensity, l.Range}
	}
	if b, ok := w.Bodies.Get(v, id); ok {
		d.Body = b.Type
	}
	return d
}

// least returns the angles of which [world.QuatFromEuler] makes a rotation. Of those that do it takes the smaller ones, so that
// what turns on the spot does so by y alone. Where y is a quarter turn, to within half a milliradian, z is 0.
func least(q world.Quat) world.Vec3 {
	a := angle.Euler(q)
	b := world.Vec3{opposite(a[0]), math.Pi - a[1], opposite(a[2])}
	if b[1] > math.Pi {
		b[1] -= 2 * math.Pi
	}
	if turned(b) < turned(a) {
		return b
	}
	return a
}

// opposite returns an angle that is half a turn away, from -π to π.
func opposite(a float64) float64 {
	if a > 0 {
		return a - math.Pi
	}
	return a + math.Pi
}

// turned is how far angles turn in all.
func turned(a world.Vec3) float64 { return math.Abs(a[0]) + math.Abs(a[1]) + math.Abs(a[2]) }
