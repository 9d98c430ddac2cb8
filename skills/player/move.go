package player

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// MoveIn is the input of player.move.
type MoveIn struct {
	Entity  world.ID        `json:"entity,omitempty" jsonschema_description:"Id of the character, such as ent_3; left out: your own."`
	Forward float64         `json:"forward" validate:"gte=-1,lte=1" jsonschema:"default=0" jsonschema_description:"How fast to go to where it looks, as a part of its speed; negative goes backwards. With strafe 0 too it stops."`
	Strafe  float64         `json:"strafe" validate:"gte=-1,lte=1" jsonschema:"default=0" jsonschema_description:"How fast to go to its right; negative goes to its left."`
	Yaw     float64         `json:"yaw" jsonschema:"default=0" jsonschema_description:"Where it looks, as an angle about the y axis in radians: 0 is along +z, 1.5708 along +x, 3.1416 along -z, -1.5708 along -x."`
	Run     bool            `json:"run" jsonschema:"default=false" jsonschema_description:"At runSpeed instead of walkSpeed."`
	Jump    bool            `json:"jump" jsonschema:"default=false" jsonschema_description:"Jump on the way, once, as soon as it stands or swims."`
	Seconds float64         `json:"seconds" validate:"gt=0,lte=600" jsonschema:"default=0.25" jsonschema_description:"For how many simulated seconds to go on, unless another player.move comes before. To go 9 metres at 4.5 m/s: 2."`
	Meta    registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event player.moved."`
}

// MoveOut is the output of player.move.
type MoveOut struct {
	Moved       bool       `json:"moved" jsonschema_description:"Whether it is going to move: false if it was told to stand, is stunned or frozen, or stands against something in that direction."`
	Grounded    bool       `json:"grounded" jsonschema_description:"Whether it stands on something now."`
	Halted      bool       `json:"halted,omitempty" jsonschema_description:"It was on its way by navmesh.moveTo or social.approach, and is not any more."`
	Swimming    bool       `json:"swimming,omitempty" jsonschema_description:"Whether it swims now, at half its speed."`
	NewPosition world.Vec3 `json:"newPosition" jsonschema_description:"Where its centre is now, before it has gone anywhere."`
	BlockedBy   *world.ID  `json:"blockedBy,omitempty" jsonschema_description:"What it stands against, so that it goes nowhere in that direction while that is there: send it another way."`
}

func (s *Stage) move() registry.Skill {
	return registry.Define(registry.Spec[MoveIn, MoveOut]{
		Name:  "player.move",
		Title: "Send a character",
		Description: "Send a character in a direction for some time. It answers at once, and the simulation walks: wait with physics.settle {\"entities\":[\"ent_3\"]} and look where it has got to. " +
			"The newest call counts, also against navmesh.moveTo: who calls four times a second or more steers without a stop, and forward 0 stops it. " +
			`Example, 9 metres along +x: {"entity":"ent_3","forward":1,"yaw":1.5708,"seconds":2}`,
		Core:        true,
		Keywords:    "steer control drive swim",
		Permissions: []profiles.Permission{"player.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in MoveIn) (MoveOut, error) {
			return world.Do(s.w, c, func(tx *world.Tx) (MoveOut, error) {
				ch, err := s.named(tx, c.Principal(), &in.Entity)
				if err != nil {
					return MoveOut{}, err
				}
				halted := s.halt != nil && s.halt(tx, in.Entity)
				intent := in.intent(s.w)
				if err := s.p.Send(tx, in.Entity, intent); err != nil {
					return MoveOut{}, err
				}
				out := MoveOut{Moved: (in.Forward != 0 || in.Strafe != 0 || in.Jump) && !s.p.Held(&tx.View, in.Entity), Grounded: ch.Grounded, Halted: halted, Swimming: ch.Swimming}
				at, _ := tx.Position(in.Entity)
				out.NewPosition = shown.Point(at)
				if by := s.p.Blocked(&tx.View, in.Entity, intent); by != 0 {
					out.Moved, out.BlockedBy = false, &by
				}
				return out, c.Emit("player.moved", event{in.Entity, in.Meta})
			})
		},
	})
}

// intent is what the input asks for in a world.
func (in *MoveIn) intent(w *world.World) physics.Intent {
	return physics.Intent{
		Forward: in.Forward, Strafe: in.Strafe, Yaw: in.Yaw, Run: in.Run, Jump: in.Jump,
		Steps: w.StepsIn(in.Seconds),
	}
}
