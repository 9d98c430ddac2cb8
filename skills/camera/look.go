package camera

import (
	"math"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// LookIn is the input of camera.look.
type LookIn struct {
	PitchDelta float64         `json:"pitchDelta" jsonschema:"default=0" jsonschema_description:"In radians. Of a camera that looks at something from outside: how much higher it goes, and so how much more it looks down. Of firstPerson, and after camera.cut: how much farther up it looks."`
	YawDelta   float64         `json:"yawDelta" jsonschema:"default=0" jsonschema_description:"How far it turns to the left, in radians; negative turns right."`
	Meta       registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event camera.looked."`
}

func (c *Cameras) look() registry.Skill {
	return registry.Define(registry.Spec[LookIn, Aimed]{
		Name:  "camera.look",
		Title: "Pan and tilt your camera",
		Description: "Pan and tilt your camera by angles in radians; one that looks at something from outside circles it. It goes up and down as far as its limits. " +
			`Example, half a turn: {"yawDelta":3.1416}`,
		Keywords:    "pan tilt camera look",
		Permissions: mayWrite,
		Effect:      registry.Writes,
		Handle: func(call *registry.Call, in LookIn) (Aimed, error) {
			return world.Do(c.w, call, func(tx *world.Tx) (Aimed, error) {
				r := c.begin(&tx.View, call.Principal())
				if r.Kind == free {
					r.LookAt = r.Position.Add(turned(r.LookAt.Sub(r.Position), in.PitchDelta, in.YawDelta)).Bounded()
				} else {
					lowest, highest := r.reach()
					r.Pitch = min(max(r.Pitch+in.PitchDelta, lowest), highest)
					r.Yaw = wrapped(r.Yaw + in.YawDelta)
				}
				return c.aim(tx, call, r, "camera.looked", in.Meta)
			})
		},
	})
}

// reach returns between which angles the pitch of a rig is.
func (r *Rig) reach() (lowest, highest float64) {
	const shallow = 0.1 // of what looks down
	lowest, highest = -steepest, steepest
	switch {
	case r.Kind == topDown:
		lowest = shallow
	case r.Limits != nil:
		lowest, highest = max(lowest, r.Limits.MinPitch), min(highest, r.Limits.MaxPitch)
	}
	return lowest, highest
}

// wrapped returns an angle as one from -π to π.
func wrapped(angle float64) float64 { return math.Remainder(angle, 2*math.Pi) }

// turned returns a direction that is turned up and to the left, no steeper than cameras look.
func turned(d world.Vec3, pitch, yaw float64) world.Vec3 {
	along, ok := level(d)
	if !ok {
		along = north
	}
	sin, cos := world.Sincos(wrapped(pitch))
	out, up := d.Dot(along), d[1]
	out, up = float64(out*cos)-float64(up*sin), float64(out*sin)+float64(up*cos)
	length := d.Len()
	high, wide := world.Sincos(steepest)
	if least := float64(wide * length); out < least {
		out, up = least, math.Copysign(float64(high*length), up)
	}
	to := along.Scale(out)
	to[1] = up
	return world.QuatFromEuler(0, wrapped(yaw), 0).Rotate(to)
}
