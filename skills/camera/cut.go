package camera

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// CutIn is the input of camera.cut.
type CutIn struct {
	Position *world.Vec3     `json:"position,omitempty" jsonschema_description:"Where the camera is to be, in metres; left out it stays where it is."`
	Target   *world.Vec3     `json:"target,omitempty" jsonschema_description:"A point to look at, in metres; left out it is the one it looks at."`
	Meta     registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event camera.cut."`
}

func (c *Cameras) cut() registry.Skill {
	return registry.Define(registry.Spec[CutIn, Aimed]{
		Name:  "camera.cut",
		Title: "Put your camera somewhere",
		Description: "Put your camera at a place, at once, to look at a point: it follows nothing from then on. Without either it stays what it is, and viewers jump to where it belongs now. " +
			`Example: {"position":[10,4,10],"target":[0,1,0]}`,
		Keywords:    "jump static camera shot director",
		Permissions: mayWrite,
		Effect:      registry.Writes,
		Handle: func(call *registry.Call, in CutIn) (Aimed, error) {
			return world.Do(c.w, call, func(tx *world.Tx) (Aimed, error) {
				r := c.begin(&tx.View, call.Principal())
				if in.Position != nil || in.Target != nil {
					if err := c.free(tx, &r, &in); err != nil {
						return Aimed{}, err
					}
				}
				r.Cut = tx.Step()
				return c.aim(tx, call, r, "camera.cut", in.Meta)
			})
		},
	})
}

// free makes of a rig one that stands still.
func (c *Cameras) free(tx *world.Tx, r *Rig, in *CutIn) error {
	var now Shot
	if in.Position == nil || in.Target == nil {
		var err error
		if now, err = c.shot(&tx.View, r); err != nil {
			return err
		}
	}
	*r = Rig{Kind: free, Position: now.Position, LookAt: now.LookAt, FOV: r.FOV, Shake: r.Shake}
	if in.Position != nil {
		r.Position = *in.Position
	}
	if in.Target != nil {
		r.LookAt = *in.Target
	}
	const least = 1e-6
	if r.Position.Dist(r.LookAt) < least {
		return registry.Invalidf("target: must be another place than the camera's position, %v", r.Position)
	}
	return nil
}
