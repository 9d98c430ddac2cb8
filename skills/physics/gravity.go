package physics

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/world"
	bodies "github.com/limina-mcp/limina/world/physics"
)

// EventGravity is appended when the gravity of the world was set: {gravity, before, meta?}.
const EventGravity = "physics.gravitySet"

// SetGravityIn is the input of physics.setGravity.
type SetGravityIn struct {
	Gravity *float64        `json:"gravity,omitempty" validate:"omitempty,gte=0,lte=100" jsonschema_description:"How much faster what falls gets in a second, downwards, in m/s²: 9.81 on the earth, 3.71 on Mars, 1.62 on the moon, 0 far from everything. Left out: as the world had it at first."`
	Meta    registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event physics.gravitySet."`
}

// SetGravityOut is the output of physics.setGravity.
type SetGravityOut struct {
	Gravity float64 `json:"gravity" jsonschema_description:"What it is now, in m/s² downwards; below 0 what falls falls up."`
	Before  float64 `json:"before" jsonschema_description:"What it was."`
	Note    string  `json:"note,omitempty" jsonschema_description:"What does not go by it."`
}

type gravitySet struct {
	Gravity float64         `json:"gravity"`
	Before  float64         `json:"before"`
	Meta    registry.Object `json:"meta,omitempty"`
}

// SetGravity is physics.setGravity.
func SetGravity(w *world.World, p *bodies.Physics) registry.Skill {
	return registry.Define(registry.Spec[SetGravityIn, SetGravityOut]{
		Name:  "physics.setGravity",
		Title: "Set the gravity of the world",
		Description: "Set how strongly everything falls, for the whole world: dynamic bodies, and characters in the same measure, who jump six times as high on the moon. What floats in water floats as deep as before. At 0 bodies hover, and go on as they were pushed. " +
			`Example, on the moon: {"gravity":1.62}`,
		Keywords:    "gravity weightless zero space moon mars planet low hover heavy acceleration",
		Permissions: []profiles.Permission{"physics.write", "world.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in SetGravityIn) (SetGravityOut, error) {
			return world.Do(w, c, func(tx *world.Tx) (out SetGravityOut, err error) {
				out.Before = down(p, &tx.View)
				if err := p.SetGravity(tx, in.Gravity); err != nil {
					return out, err
				}
				if out.Gravity = down(p, &tx.View); out.Gravity < bodies.Earth*bodies.Weightless {
					out.Note = "characters fall as if it were 0.98, so that who jumps comes down again"
				}
				return out, c.Emit(EventGravity, gravitySet{out.Gravity, out.Before, in.Meta})
			})
		},
	})
}

// down is the gravity of the world as callers are told it.
func down(p *bodies.Physics, v *world.View) float64 {
	return shown.Number(-p.Gravity(v))
}
