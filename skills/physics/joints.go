package physics

import (
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/world"
	bodies "github.com/limina-mcp/limina/world/physics"
)

// JointsIn is the input of physics.joints.
type JointsIn struct {
	Entity world.ID `json:"entity,omitempty" jsonschema_description:"Only the joint of this entity and of those that hang on it; all if left out."`
	After  world.ID `json:"after,omitempty" jsonschema_description:"Go on after this one, with the next of an earlier answer."`
	Limit  int      `json:"limit" validate:"gte=1,lte=500" jsonschema:"default=50" jsonschema_description:"How many to list at most."`
}

// JointsOut is the output of physics.joints.
type JointsOut struct {
	Joints []Joined `json:"joints" jsonschema_description:"Who hangs on what, by id."`
	Next   world.ID `json:"next,omitempty" jsonschema_description:"There are more: ask again with this as after."`
}

// Joined is an entity that hangs on something.
type Joined struct {
	Entity world.ID   `json:"entity" jsonschema_description:"Who hangs."`
	To     world.ID   `json:"to,omitempty" jsonschema_description:"On what; missing: on a place in the world."`
	Kind   string     `json:"kind" jsonschema_description:"By what: hinge, slider, ball, fixed, rope, spring."`
	At     world.Vec3 `json:"at" jsonschema_description:"Where on the entity it is now, in the world."`
	Travel *float64   `json:"travel,omitempty" jsonschema_description:"How far a hinge has turned, in radians, or a slider has slid, in metres; how long a rope or a spring is now."`
	Min    *float64   `json:"min,omitempty" jsonschema_description:"How far it goes, if it has ends."`
	Max    *float64   `json:"max,omitempty" jsonschema_description:"… to the other side."`
	Length *float64   `json:"length,omitempty" jsonschema_description:"How long a rope is at most, or a spring at rest."`
	Target *float64   `json:"target,omitempty" jsonschema_description:"Where its motor holds it, or brings it."`
	Speed  *float64   `json:"speed,omitempty" jsonschema_description:"How fast its motor turns or moves it."`
	Break  float64    `json:"breakForce,omitempty" jsonschema_description:"With more than this, in newtons, it does not hold; missing: it holds for good."`
	Loose  string     `json:"loose,omitempty" jsonschema_description:"Why it holds nothing now."`
}

// Joints is physics.joints.
func Joints(w *world.World, p *bodies.Physics) registry.Skill {
	return registry.Define(registry.Spec[JointsIn, JointsOut]{
		Name:        "physics.joints",
		Title:       "Who hangs on what",
		Description: `List the joints: who hangs on what and by what, how far it has turned or slid, and what its motor does. Example: {"entity":"ent_3"}`,
		Keywords:    "joint hinge list attached connected angle",
		Permissions: []profiles.Permission{"physics.read"},
		Effect:      registry.Reads,
		Handle: func(_ *registry.Call, in JointsIn) (out JointsOut, err error) {
			w.View(func(v *world.View) {
				if in.Entity != 0 && !v.Exists(in.Entity) {
					err = registry.Under("entity", v.Unknown(in.Entity))
					return
				}
				out.Joints = []Joined{}
				for id, j := range p.Joints(v) {
					if id <= in.After || in.Entity != 0 && id != in.Entity && j.To != in.Entity {
						continue
					}
					if len(out.Joints) == in.Limit {
						out.Next = out.Joints[in.Limit-1].Entity
						return
					}
					out.Joints = append(out.Joints, joined(w, p, v, id, &j))
				}
			})
			return out, err
		},
	})
}

func joined(w *world.World, p *bodies.Physics, v *world.View, id world.ID, j *bodies.Joint) Joined {
	_, at := p.Ends(v, id)
	out := Joined{Entity: id, To: j.To, Kind: string(j.Kind), At: shown.Point(at), Break: j.Break, Loose: loose(w, p, v, id, j)}
	travel, length := shown.Number(p.Travel(v, id)), shown.Number(j.Length)
	switch {
	case j.Kind.Spans():
		out.Travel, out.Length = &travel, &length
	case j.Kind.Travels():
		out.Travel = &travel
		if j.Limited {
			out.Min, out.Max = &j.Low, &j.High
		}
	}
	switch j.Motor.Drive {
	case bodies.ToPlace:
		out.Target = &j.Motor.Goal
	case bodies.ToSpeed:
		out.Speed = &j.Motor.Goal
	}
	return out
}

// loose says why a joint holds nothing; "" if it does.
func loose(w *world.World, p *bodies.Physics, v *world.View, id world.ID, j *bodies.Joint) string {
	if !p.Moves() {
		return "bodies never move in this world"
	}
	if j.To != 0 && !v.Exists(j.To) {
		return "what it hung on is gone"
	}
	ends := []world.ID{id}
	if j.To != 0 {
		ends = append(ends, j.To)
	}
	for _, end := range ends {
		if !w.Bodies.Has(v, end) {
			return end.String() + " has no body any more"
		}
	}
	if !slices.ContainsFunc(ends, func(end world.ID) bool { return falls(w, v, end) }) {
		return "neither has a dynamic body any more"
	}
	return ""
}
