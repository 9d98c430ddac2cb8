package physics

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
	bodies "github.com/limina-mcp/limina/world/physics"
)

// ApplyImpulseIn is the input of physics.applyImpulse.
type ApplyImpulseIn struct {
	Entity  world.ID   `json:"entity" jsonschema_description:"Id of the entity to push, such as ent_3."`
	Impulse world.Vec3 `json:"impulse" jsonschema_description:"x, y, z in newton seconds: on a body of 1 kg the change of its velocity in metres a second. A box of size 1 has 1 kg unless it was given a mass."`
}

// ApplyImpulseOut is the output of physics.applyImpulse.
type ApplyImpulseOut struct {
	OK bool `json:"ok" jsonschema_description:"False if the entity has no dynamic body: nothing was pushed."`
}

// ApplyImpulse is physics.applyImpulse.
func ApplyImpulse(w *world.World, p *bodies.Physics) registry.Skill {
	return registry.Define(registry.Spec[ApplyImpulseIn, ApplyImpulseOut]{
		Name:  "physics.applyImpulse",
		Title: "Push a body",
		Description: "Push an entity that has a dynamic body, once, at its centre of mass; it takes effect with the next simulation step. " +
			`To put it somewhere instead use three.setTransform; to see what came of it use physics.settle. Example: {"entity":"ent_3","impulse":[0,0,5]}`,
		Keywords:    "push kick throw shoot launch hit force fire bullet",
		Permissions: []profiles.Permission{"physics.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in ApplyImpulseIn) (ApplyImpulseOut, error) {
			return world.Do(w, c, func(tx *world.Tx) (ApplyImpulseOut, error) {
				ok, err := p.Push(tx, in.Entity, in.Impulse)
				return ApplyImpulseOut{OK: ok}, err
			})
		},
	})
}
