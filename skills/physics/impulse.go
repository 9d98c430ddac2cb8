package physics

import (
	"fmt"
	"strings"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
	bodies "github.com/limina-mcp/limina/world/physics"
)

// ApplyImpulseIn is the input of physics.applyImpulse.
type ApplyImpulseIn struct {
	Entity  world.ID   `json:"entity" jsonschema_description:"Id of the entity to push, such as ent_3."`
	Impulse world.Vec3 `json:"impulse" jsonschema_description:"x, y, z in newton seconds: on a body of 1 kg the change of its velocity in metres a second. A box of size 1 has 1 kg unless it was given a mass."`

	Own bool        `json:"own,omitempty" jsonschema_description:"impulse is along the entity's own axes, as it is turned then: [0,0,5] pushes it to where its front, +z, is."`
	At  *world.Vec3 `json:"at,omitempty" jsonschema_description:"Where on it it is pushed: metres from its middle along its own axes. Beside its middle that turns it, too, as an oar does a boat. Left out: at its centre of mass."`
}

// ApplyImpulseOut is the output of physics.applyImpulse.
type ApplyImpulseOut struct {
	OK     bool    `json:"ok" jsonschema_description:"False if the entity has no dynamic body: nothing was pushed."`
	Speed  float64 `json:"speed,omitempty" jsonschema_description:"By how many metres a second its velocity changes, by its mass. What goes so far in a 60th of a second that it is beyond a thin thing does not hit it."`
	Reason string  `json:"reason,omitempty" jsonschema_description:"Why nothing was pushed, and what to call instead."`
}

// ApplyImpulse is physics.applyImpulse.
func ApplyImpulse(w *world.World, p *bodies.Physics, reach func(v *world.View, caller *profiles.Principal, id world.ID) (why string, err error)) registry.Skill {
	return registry.Define(registry.Spec[ApplyImpulseIn, ApplyImpulseOut]{
		Name:  "physics.applyImpulse",
		Title: "Push a body",
		Description: "Push an entity that has a dynamic body, once, at its centre of mass or another place on it, along the axes of the world or its own; it takes effect with the next simulation step. " +
			`To put it somewhere instead use three.setTransform; to see what came of it use physics.settle. Example: {"entity":"ent_3","impulse":[0,0,5]}`,
		Keywords:    "push velocity kick throw shoot launch hit force fire bullet pad bounce trampoline steer row boat thrust",
		Sets:        "impulse velocity",
		Permissions: []profiles.Permission{"physics.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in ApplyImpulseIn) (ApplyImpulseOut, error) {
			return world.Do(w, c, func(tx *world.Tx) (ApplyImpulseOut, error) {
				out := ApplyImpulseOut{}
				if !tx.Exists(in.Entity) {
					return out, tx.Unknown(in.Entity)
				}
				plays := reach != nil && !c.Principal().Grants.Has("scene.write")
				if plays {
					why, err := reach(&tx.View, c.Principal(), in.Entity)
					if why != "" || err != nil {
						return ApplyImpulseOut{Reason: why}, err
					}
				}
				var err error
				impulse := in.Impulse
				if in.Own {
					turn, _ := tx.WorldTransform(in.Entity)
					impulse = turn.Rotation.Rotate(impulse)
				}
				if in.At != nil {
					out.OK, err = p.PushAt(tx, in.Entity, impulse, *in.At)
				} else {
					out.OK, err = p.Push(tx, in.Entity, impulse)
				}
				if err == nil && out.OK && plays {
					err = fair(p, &tx.View, in.Entity)
				}
				switch {
				case err != nil:
				case !out.OK:
					out.Reason = unmoved(w, p, &tx.View, in.Entity)
				default:
					if kg := p.Weight(&tx.View, in.Entity); kg > 0 {
						out.Speed = min(in.Impulse.Len()/kg, world.MaxNumber)
					}
				}
				return out, err
			})
		},
	})
}

// MaxShove is by how many metres a second who may not change the scene makes a body faster in one step: as fast as a ball is kicked.
const MaxShove = 30

// fair reports that a body is pushed harder than somebody can who plays.
func fair(p *bodies.Physics, v *world.View, id world.ID) error {
	kg := p.Weight(v, id)
	if speed := p.Pushed(v, id).Len() / kg; kg > 0 && speed > MaxShove {
		return registry.Invalidf("impulse: without the permission scene.write a body is made faster by at most %d m/s in one simulation step, which is an impulse of %.4g of %v; with this it would be %.4g m/s", MaxShove, MaxShove*kg, id, speed)
	}
	return nil
}

// unmoved says why a push does not move an entity, which has no dynamic body, and what does.
func unmoved(w *world.World, p *bodies.Physics, v *world.View, id world.ID) string {
	const dynamic = "physics.setBody with type dynamic makes it one that can be pushed"
	b, has := w.Bodies.Get(v, id)
	switch {
	case p.Walks(v, id):
		return fmt.Sprintf("%v is a character: it is pushed by nothing and walks by player.move", id)
	case has:
		return fmt.Sprintf("%v has a %s body, which no push moves: three.setTransform puts it elsewhere, and %s", id, b.Type, dynamic)
	}
	var loose []world.ID
	for part := range v.Below(id) {
		if falls(w, v, part) {
			loose = append(loose, part)
		}
	}
	if len(loose) == 0 {
		return fmt.Sprintf("%v has no body: three.setTransform puts it elsewhere, and %s", id, dynamic)
	}
	names := make([]string, min(len(loose), mostNamed))
	for i := range names {
		names[i] = loose[i].String()
	}
	text := fmt.Sprintf("%v has no body of its own, and what is below it has: push %s", id, strings.Join(names, ", "))
	if more := len(loose) - len(names); more > 0 {
		text += fmt.Sprintf(" or one of %d more", more)
	}
	return text
}

// mostNamed is how many bodies below an entity are named.
const mostNamed = 5
