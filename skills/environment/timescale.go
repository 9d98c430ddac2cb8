package environment

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// SetTimeScaleIn is the input of world.setTimeScale.
type SetTimeScaleIn struct {
	Scale float64         `json:"scale" validate:"gte=0,lte=10" jsonschema_description:"Simulated seconds in a second: 1 is normal, 0.5 slow motion, 0 stands still."`
	Meta  registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event world.timeScaleSet."`
}

// SetTimeScale is world.setTimeScale.
func SetTimeScale(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[SetTimeScaleIn, Done]{
		Name:  "world.setTimeScale",
		Title: "Set the speed of time",
		Description: "Set how fast simulated time runs, for the whole world: bodies, walks, timers and what viewers animate. 0 pauses, 1 is real time. Each simulation step stays as long as it is; more or fewer of them come in a second. To set the hour of the day use world.setTime." +
			` Example: {"scale":0.5}`,
		Keywords:    "slow fast motion pause freeze speed stop simulation",
		Permissions: []profiles.Permission{"world.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in SetTimeScaleIn) (Done, error) {
			return world.Do(w, c, func(tx *world.Tx) (Done, error) {
				if err := set(tx, w.Environment.TimeScale, in.Scale); err != nil {
					return Done{}, err
				}
				return Done{OK: true}, c.Emit(EventTimeScale, in)
			})
		},
	})
}
