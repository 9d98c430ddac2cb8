// Package live tells clients that nobody can push to what has changed: state.poll answers once what state/subscribe would tell
// from then on.
package live

import (
	"encoding/json"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/statesync"
	"github.com/limina-mcp/limina/world"
)

// All returns the skills of this package.
func All(hub *statesync.Hub) []registry.Skill { return []registry.Skill{Poll(hub)} }

// PollIn is the input of state.poll.
type PollIn struct {
	Since  *uint64     `json:"since,omitempty" jsonschema_description:"The tick of the answer before, to be told only what has changed. It counts with the same epoch and area only."`
	Epoch  string      `json:"epoch,omitempty" validate:"max=64" jsonschema_description:"The epoch of the newest snapshot. Another one is answered with a snapshot."`
	Center *world.Vec3 `json:"center,omitempty" jsonschema_description:"The middle of the area that is asked for, [x, y, z]; radius has to be given, too. Default: the whole world."`
	Radius *float64    `json:"radius,omitempty" validate:"omitempty,gte=0" jsonschema_description:"How far from center what is told of is, in metres; 0 is what is there."`
}

// PollOut is the output of state.poll.
type PollOut struct {
	Method string                     `json:"method" validate:"oneof=state/snapshot state/delta" jsonschema_description:"state/snapshot: everything that is there, in place of what was. state/delta: what is new, changed or gone since."`
	Params map[string]json.RawMessage `json:"params" jsonschema_description:"The message, as the state channel has it in JSON: tick, step, entities or changes and removed, world, and so on."`
}

// Poll is state.poll. It reads the world in a subscription of its own, which ends with the call. What a few calls at a time hold of a large world
// is much: the others wait for their turn.
func Poll(hub *statesync.Hub) registry.Skill {
	turns := registry.NewTurns(0)
	return registry.Define(registry.Spec[PollIn, PollOut]{
		Name:  "state.poll",
		Title: "Tell what has changed",
		Description: "Tell what there is in an area, or what has changed there since a tick, for a program that shows the world and is not told by itself. " +
			`To look at the world yourself use scene.render, scene.inspect or world.changes. Example: {"center":[0,0,0],"radius":100}, and from then on with "since" and "epoch" as they came, too`,
		Permissions: []profiles.Permission{"scene.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Slow:        true,
		Outward:     true, // a hub is not asked from inside a transaction
		Less:        "give a center and a smaller radius",
		Handle: func(c *registry.Call, in PollIn) (PollOut, error) {
			o := statesync.Options{Area: statesync.Whole(), Epoch: in.Epoch}
			switch {
			case in.Center != nil && in.Radius != nil:
				o.Area = statesync.Within(*in.Center, *in.Radius)
			case in.Center != nil:
				return PollOut{}, registry.Invalidf("radius: is required with center")
			case in.Radius != nil:
				return PollOut{}, registry.Invalidf("center: is required with radius")
			}
			if in.Since != nil {
				o.Since, o.Resume = *in.Since, true
			}
			done, err := turns.Take(c)
			if err != nil {
				return PollOut{}, err
			}
			defer done()
			feed := hub.Connect(func() {})
			defer feed.Close()
			frame, _, err := feed.Subscribe(nil, o)
			if err != nil {
				return PollOut{}, err
			}
			if len(frame) > registry.MaxOutput {
				return PollOut{}, c.TooLong()
			}
			var out PollOut
			return out, json.Unmarshal(frame, &out)
		},
	})
}
