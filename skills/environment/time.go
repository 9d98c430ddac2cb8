package environment

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// SetTimeIn is the input of world.setTime.
type SetTimeIn struct {
	Time         float64         `json:"time" validate:"gte=0,lte=24" jsonschema_description:"Hour of the day: 0 is midnight, 6.5 half past six, 12 noon."`
	TransitionMs float64         `json:"transitionMs" validate:"gte=0,lte=10000" jsonschema:"default=0" jsonschema_description:"How long it takes to get there, in milliseconds of simulation, by the shorter way around the clock. 0 is at once."`
	HoursPerMin  float64         `json:"hoursPerMinute,omitempty" validate:"gte=0,lte=60" jsonschema_description:"How fast the time goes on from there: hours of the day in a simulated minute. 1 makes a day of 24 minutes. 0: it stands still."`
	Meta         registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event world.timeSet."`
}

// SetTime is world.setTime. Simulation steps take a transition to its end, and time that goes on with it, whoever calls meanwhile.
func SetTime(c *Clock) registry.Skill {
	return registry.Define(registry.Spec[SetTimeIn, Done]{
		Name:  "world.setTime",
		Title: "Set the time of day",
		Description: "Set the hour of the day for everybody, at once or gradually within ten seconds. The time then stands still, unless hoursPerMinute has it go on: day and night by themselves. To have something happen at an hour, as lamps that go on at night, write a routine of behavior.define. For the colour and strength of the light use three.setLighting. " +
			`Example, sunset in three seconds: {"time":19,"transitionMs":3000}; days of twelve minutes: {"time":8,"hoursPerMinute":2}`,
		Keywords:    "clock cycle daylight sunset sunrise dawn dusk noon midnight night day dark morning evening sky",
		Permissions: []profiles.Permission{"world.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(call *registry.Call, in SetTimeIn) (Done, error) {
			return world.Do(c.w, call, func(tx *world.Tx) (Done, error) {
				if err := c.set(tx, in.Time, in.TransitionMs, in.HoursPerMin); err != nil {
					return Done{}, err
				}
				return Done{OK: true}, call.Emit(EventTime, in)
			})
		},
	})
}
