package camera

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// Zoom is a field of view, which goes evenly from one to another.
type Zoom struct {
	To    float64 `json:"to"` // degrees, from the lower to the upper edge
	From  float64 `json:"from,omitempty"`
	Start uint64  `json:"start,omitempty"` // the step in which it begins
	Steps uint64  `json:"steps,omitempty"` // how many it takes
}

// at returns the field of view in a step.
func (z Zoom) at(step uint64) float64 {
	if step >= z.Start+z.Steps {
		return z.To
	}
	return z.From + float64((z.To-z.From)*(float64(step-z.Start)/float64(z.Steps)))
}

// SetFOVIn is the input of camera.setFOV.
type SetFOVIn struct {
	FOV          float64         `json:"fov" validate:"gte=10,lte=120" jsonschema_description:"Field of view from the lower to the upper edge, in degrees: 60 is usual, 20 a telescope, 100 wide."`
	TransitionMs float64         `json:"transitionMs" validate:"gte=0,lte=2000" jsonschema:"default=0" jsonschema_description:"Milliseconds that it takes."`
	Meta         registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event camera.fovSet."`
}

func (c *Cameras) setFOV() registry.Skill {
	return registry.Define(registry.Spec[SetFOVIn, Done]{
		Name:        "camera.setFOV",
		Title:       "Set your camera's field of view",
		Description: `Zoom your camera in or out, whatever it is on. Example: {"fov":30,"transitionMs":500}`,
		Keywords:    "zoom lens wide telephoto angle camera",
		Permissions: mayWrite,
		Effect:      registry.Writes,
		Handle: func(call *registry.Call, in SetFOVIn) (Done, error) {
			return c.change(call, "camera.fovSet", in.Meta, func(tx *world.Tx, r *Rig) {
				now := r.FOV.at(tx.Step())
				r.FOV = Zoom{To: in.FOV}
				if steps := c.w.StepsIn(in.TransitionMs / 1000); steps > 0 {
					r.FOV = Zoom{To: in.FOV, From: now, Start: tx.Step(), Steps: steps}
				}
			})
		},
	})
}

// change changes something of a caller's rig that does not depend on where its target is.
func (c *Cameras) change(call *registry.Call, kind string, meta registry.Object, do func(tx *world.Tx, r *Rig)) (Done, error) {
	return world.Do(c.w, call, func(tx *world.Tx) (Done, error) {
		r := c.begin(&tx.View, call.Principal())
		do(tx, &r)
		if err := c.keep(tx, call.Principal().ID, r); err != nil {
			return Done{}, err
		}
		return Done{OK: true}, call.Emit(kind, event{r.Kind, r.Target, meta})
	})
}
