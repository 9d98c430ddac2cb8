package camera

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// Shake is that a camera shakes. How, follows from it and the step, for viewers to draw.
type Shake struct {
	Amplitude float64 `json:"amplitude"` // metres
	Frequency float64 `json:"frequency"` // a second
	Fade      bool    `json:"fade,omitempty"`
	Start     uint64  `json:"start"` // the step in which it begins
	Steps     uint64  `json:"steps"` // how many it takes
}

// ShakeIn is the input of camera.shake.
type ShakeIn struct {
	Amplitude float64         `json:"amplitude" validate:"gt=0" jsonschema:"default=0.1" jsonschema_description:"How far it is thrown off, in metres."`
	Duration  float64         `json:"duration" validate:"gt=0,lte=5" jsonschema:"default=0.3" jsonschema_description:"For how many simulated seconds."`
	Frequency float64         `json:"frequency" validate:"gt=0" jsonschema:"default=30" jsonschema_description:"How often a second it goes to and fro."`
	Fade      bool            `json:"fade" jsonschema:"default=true" jsonschema_description:"Whether it grows weaker to the end."`
	Meta      registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event camera.shaken."`
}

func (c *Cameras) shake() registry.Skill {
	return registry.Define(registry.Spec[ShakeIn, Done]{
		Name:        "camera.shake",
		Title:       "Shake your camera",
		Description: `Shake your camera for a moment, as an explosion or a hit does: viewers who look through it see it. Pictures of scene.render keep still. Example: {"amplitude":0.2,"duration":0.5}`,
		Keywords:    "tremble earthquake impact explosion rumble camera",
		Permissions: mayWrite,
		Effect:      registry.Writes,
		Handle: func(call *registry.Call, in ShakeIn) (Done, error) {
			return c.change(call, "camera.shaken", in.Meta, func(tx *world.Tx, r *Rig) {
				r.Shake = &Shake{in.Amplitude, in.Frequency, in.Fade, tx.Step(), c.w.StepsIn(in.Duration)}
			})
		},
	})
}
