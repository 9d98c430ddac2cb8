package physics

import (
	"fmt"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/figure"
	"github.com/limina-mcp/limina/skills/internal/given"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/world"
	bodies "github.com/limina-mcp/limina/world/physics"
)

// SetBodyIn is the input of physics.setBody.
type SetBodyIn struct {
	Entity      world.ID `json:"entity" jsonschema_description:"Who is to have a body, or another one: it has a shape."`
	Type        string   `json:"type,omitempty" validate:"omitempty,oneof=static dynamic kinematic none" jsonschema_description:"static: never moves by itself, for ground and walls. dynamic: falls and can be pushed. kinematic: goes where it is put and pushes others on its way, for lifts and gates. none: nothing collides with it any more. Left out: as before, static if it has none."`
	Collider    string   `json:"collider,omitempty" validate:"omitempty,oneof=box sphere capsule cylinder cone wedge" jsonschema_description:"Shape that it collides with, as large as the visible one. Left out: as before, else the visible shape; of an imported mesh the box around it."`
	Mass        *float64 `json:"mass,omitempty" validate:"omitempty,gte=0,lte=1000000" jsonschema_description:"Mass of a dynamic body in kg; 0 is its volume at 1 kg per cubic metre. Left out: as before, of what was dynamic."`
	Density     *float64 `json:"density,omitempty" validate:"omitempty,gt=0,lte=25000" jsonschema_description:"Instead of mass: in kg per cubic metre, by which it is heavy, and floats in water (less than 1000) or sinks. Left out: it floats by its mass, else as its material does, else as wood of 400."`
	Friction    *float64 `json:"friction,omitempty" validate:"omitempty,gte=0,lte=10" jsonschema_description:"0 is ice. Left out: as before, else 0.5."`
	Restitution *float64 `json:"restitution,omitempty" validate:"omitempty,gte=0,lte=2" jsonschema_description:"Bounciness: 0 does not bounce, 1 keeps all speed. Left out: as before, else 0."`
}

// SetBodyOut is the output of physics.setBody.
type SetBodyOut struct {
	OK     bool     `json:"ok" jsonschema_description:"False if it can have no body of its own: a group or another thing without a shape, a character, generated ground."`
	Reason string   `json:"reason,omitempty" jsonschema_description:"Why it can have none."`
	Body   *BodyNow `json:"body,omitempty" jsonschema_description:"The body that it has now; left out if it has none."`
	Note   string   `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// BodyNow is the body that an entity has.
type BodyNow struct {
	Type        string  `json:"type" jsonschema_description:"static, dynamic or kinematic."`
	Collider    string  `json:"collider" jsonschema_description:"Shape that it collides with."`
	Mass        float64 `json:"mass,omitempty" jsonschema_description:"In kg; left out: its volume at 1 kg per cubic metre, or at its density."`
	Density     float64 `json:"density,omitempty" jsonschema_description:"In kg per cubic metre, if it was given one."`
	Floats      float64 `json:"floats,omitempty" jsonschema_description:"Of a dynamic body: its kg per cubic metre in water. Below 1000 it floats; a hull, which is hollow and open above, floats by the air in it, too."`
	Friction    float64 `json:"friction" jsonschema_description:"0 is ice."`
	Restitution float64 `json:"restitution" jsonschema_description:"Bounciness: 0 does not bounce, 1 keeps all speed."`
}

// SetBody is physics.setBody.
func SetBody(w *world.World, p *bodies.Physics) registry.Skill {
	return registry.Define(registry.Spec[SetBodyIn, SetBodyOut]{
		Name:  "physics.setBody",
		Title: "Make an entity solid or movable",
		Description: "Set the rigid body of something that is there, or take it away: what was built without one becomes solid, falls, slides, bounces, or floats in water. What is left out stays as it is. " +
			`For many at once: scene.forEach. Example, a heavy crate: {"entity":"ent_3","type":"dynamic","mass":80}`,
		Keywords:    "rigid solid collider dynamic static kinematic mass heavy weight friction slippery bouncy fall pushable passable density buoyancy float sink water boat ship hull",
		Permissions: []profiles.Permission{"physics.write", "scene.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in SetBodyIn) (SetBodyOut, error) {
			return world.Do(w, c, func(tx *world.Tx) (SetBodyOut, error) { return in.set(w, p, tx) })
		},
	})
}

func (in *SetBodyIn) set(w *world.World, p *bodies.Physics, tx *world.Tx) (out SetBodyOut, err error) {
	before, has := w.Bodies.Get(&tx.View, in.Entity)
	shape, seen := w.Shapes.Get(&tx.View, in.Entity)
	switch {
	case !tx.Exists(in.Entity):
		return out, registry.Under("entity", tx.Unknown(in.Entity))
	case p.Walks(&tx.View, in.Entity):
		out.Reason = fmt.Sprintf("%s is a character, whose body is its own", in.Entity)
		return out, nil
	case w.Grounds.Has(&tx.View, in.Entity):
		out.Reason = fmt.Sprintf("%s is generated ground, which has its own body", in.Entity)
		return out, nil
	case !seen && len(tx.Children(in.Entity)) > 0:
		out.Reason = fmt.Sprintf(`%s has no shape: scene.forEach with {"below":"%s"} gives bodies to what is in it`, in.Entity, in.Entity)
		return out, nil
	case !seen:
		out.Reason = fmt.Sprintf("%s has no shape that could collide with anything", in.Entity)
		return out, nil
	}
	out.OK = true
	if in.Type == "none" {
		if in.Collider != "" || in.Mass != nil || in.Density != nil || in.Friction != nil || in.Restitution != nil {
			return out, registry.Invalidf("type: none takes the body away, and has no collider, mass, density, friction or restitution")
		}
		w.Bodies.Remove(tx, in.Entity)
		out.Note = loosened(w, p, &tx.View, in.Entity)
		return out, nil
	}
	usual := figure.Collider(shape.Kind)
	now, solid := before, slices.Contains(colliders, usual) || w.Model(&tx.View, in.Entity) != nil
	if !has {
		now = world.Body{Type: "static", Collider: "box", Friction: 0.5}
		if solid {
			now.Collider = usual
		}
	}
	if in.Type != "" {
		now.Type = in.Type
	}
	if in.Collider != "" {
		now.Collider = in.Collider
	}
	if in.Mass != nil && in.Density != nil {
		return out, registry.Invalidf("mass, density: give one of the two: the density gives the mass")
	}
	if in.Mass != nil || in.Density != nil {
		now.Mass, now.Density = 0, 0
	}
	given.Set(&now.Mass, in.Mass)
	given.Set(&now.Density, in.Density)
	given.Set(&now.Friction, in.Friction)
	given.Set(&now.Restitution, in.Restitution)
	if in.Mass != nil && *in.Mass > 0 && now.Type != "dynamic" {
		return out, registry.Invalidf(`mass: is for dynamic bodies, and this one would be %s: give type dynamic, too, or leave mass out`, now.Type)
	}
	if in.Density != nil && now.Type != "dynamic" {
		return out, registry.Invalidf(`density: is for dynamic bodies, and this one would be %s: give type dynamic, too, or leave density out`, now.Type)
	}
	if now.Type != "dynamic" {
		now.Mass, now.Density = 0, 0
	}
	if now != before {
		if err := w.Bodies.Set(tx, in.Entity, now); err != nil {
			return out, err
		}
	}
	out.Body = &BodyNow{now.Type, now.Collider, now.Mass, now.Density, shown.Number(p.Density(&tx.View, in.Entity)), now.Friction, now.Restitution}
	out.Note = loosened(w, p, &tx.View, in.Entity)
	if !solid && out.Note == "" {
		out.Note = fmt.Sprintf("it collides as a %s of the size of its %s", now.Collider, shape.Kind)
	}
	return out, nil
}

// loosened tells of a joint of an entity that holds nothing as its bodies are now, "" if there is none.
func loosened(w *world.World, p *bodies.Physics, v *world.View, id world.ID) string {
	if !p.Moves() {
		return ""
	}
	for from, j := range p.Joints(v) {
		if from != id && j.To != id {
			continue
		}
		if why := loose(w, p, v, from, &j); why != "" {
			return fmt.Sprintf("%s hangs by a %s joint, which holds nothing now: %s; physics.removeJoint takes it away", from, j.Kind, why)
		}
	}
	return ""
}

// colliders are the shapes that bodies collide as.
var colliders = []string{"box", "sphere", "capsule", "cylinder", "cone", "wedge"}
