package physics

import (
	"math"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/angle"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/world"
	bodies "github.com/limina-mcp/limina/world/physics"
)

// SetMotorIn is the input of physics.setMotor.
type SetMotorIn struct {
	Entity   world.ID `json:"entity" jsonschema_description:"Who hangs by a hinge or a slider, see physics.addJoint."`
	Target   *float64 `json:"target,omitempty" validate:"gte=-1000,lte=1000" jsonschema_description:"Where it is to go and stay, from how it hung when it was joined: an angle in radians, -3.1 to 3.1, or metres along the axis. 0 brings it back."`
	Speed    *float64 `json:"speed,omitempty" validate:"gte=-100,lte=100" jsonschema_description:"Instead of target: how fast it is to turn or slide without an end, in rad/s or m/s. 0 is a brake. Neither: the motor is off, and it hangs loose."`
	Pace     float64  `json:"pace" validate:"gt=0,lte=100" jsonschema:"default=1" jsonschema_description:"How fast it goes to target, in rad/s or m/s."`
	Strength *float64 `json:"strength,omitempty" validate:"gt=0,lte=1000000000" jsonschema_description:"The most that it pushes with, in N·m or N; left out: as much as it takes. What is in its way then stops it."`
}

// SetMotorOut is the output of physics.setMotor.
type SetMotorOut struct {
	Travel  float64 `json:"travel" jsonschema_description:"Where it is now: radians, or metres along the axis."`
	Seconds float64 `json:"seconds,omitempty" jsonschema_description:"How long it takes to target, if nothing is in the way."`
	Note    string  `json:"note,omitempty" jsonschema_description:"What may not be as it was meant."`
}

// SetMotor is physics.setMotor.
func SetMotor(w *world.World, p *bodies.Physics) registry.Skill {
	return registry.Define(registry.Spec[SetMotorIn, SetMotorOut]{
		Name:  "physics.setMotor",
		Title: "Drive a hinge or a slider",
		Description: "Move what hangs by a hinge or a slider: lower a drawbridge, raise a lift, drive a mill, brake a wheel. With target it goes there and stays, with speed it goes on, with neither it hangs loose. A lever's action of type call may do it. " +
			`Example, a drawbridge goes down: {"entity":"ent_3","target":0,"pace":0.4}`,
		Keywords:    "motor drive raise lower spin engine servo actuator drawbridge lift mill wheel hinge vehicle car",
		Permissions: []profiles.Permission{"physics.write", "scene.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in SetMotorIn) (SetMotorOut, error) {
			return world.Do(w, c, func(tx *world.Tx) (SetMotorOut, error) {
				j, err := driven(p, tx, &in)
				if err != nil {
					return SetMotorOut{}, err
				}
				out, m := SetMotorOut{Travel: shown.Number(p.Travel(&tx.View, in.Entity))}, bodies.Motor{}
				switch {
				case in.Target != nil:
					m = bodies.Motor{Drive: bodies.ToPlace, Goal: *in.Target}
					out.Seconds = shown.Number(math.Abs(out.Travel-*in.Target) / in.Pace)
				case in.Speed != nil:
					m = bodies.Motor{Drive: bodies.ToSpeed, Goal: *in.Speed}
					if j.Kind == bodies.Hinge && math.Abs(*in.Speed) > fastest {
						out.Note = angle.Turning("speed", *in.Speed)
					}
				}
				if in.Strength != nil && m.Drive != bodies.Loose {
					m.Strength = *in.Strength
				}
				return out, p.Drive(tx, in.Entity, m, in.Pace)
			})
		},
	})
}

// driven returns the joint that a motor is to drive.
func driven(p *bodies.Physics, tx *world.Tx, in *SetMotorIn) (bodies.Joint, error) {
	if !tx.Exists(in.Entity) {
		return bodies.Joint{}, registry.Under("entity", tx.Unknown(in.Entity))
	}
	j, ok := p.Joint(&tx.View, in.Entity)
	switch {
	case !ok:
		return j, registry.Failf("entity: %s hangs on nothing: physics.addJoint with kind hinge or slider first", in.Entity)
	case !j.Kind.Travels():
		return j, registry.Failf("entity: %s hangs by a %s joint, which no motor drives: only a hinge and a slider have motors", in.Entity, j.Kind)
	case in.Target != nil && in.Speed != nil:
		return j, registry.Invalidf("speed: give target, to go there and stay, or speed, to go on; not both")
	case in.Target == nil:
		return j, nil
	}
	low, high := -widest, widest
	if j.Kind == bodies.Slider {
		low, high = -bodies.Reach, bodies.Reach
	}
	if j.Limited {
		low, high = max(low, j.Low), min(high, j.High)
	}
	if *in.Target < low || *in.Target > high {
		return j, registry.Invalidf("target: this joint goes from %v to %v, got %v", low, high, *in.Target)
	}
	return j, nil
}

// fastest is the speed in rad/s beyond which no wheel is seen to turn: degrees may have been meant.
const fastest = 50

// widest is the angle to which hinges can be driven: at π an engine does not know to which side it is.
const widest = 3.1
