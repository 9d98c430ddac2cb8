package player

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/world"
)

// JumpIn is the input of player.jump.
type JumpIn struct {
	Entity world.ID        `json:"entity,omitempty" jsonschema_description:"Id of the character, such as ent_3; left out: your own."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event player.jumped."`
}

// JumpOut is the output of player.jump.
type JumpOut struct {
	Jumped      bool       `json:"jumped" jsonschema_description:"Whether it jumps, with the next simulation step: false if it neither stands on anything nor swims, or is stunned or frozen."`
	Grounded    bool       `json:"grounded" jsonschema_description:"Whether it stands on something now."`
	NewPosition world.Vec3 `json:"newPosition" jsonschema_description:"Where its centre is now, before it has jumped."`
}

func (s *Stage) jump() registry.Skill {
	return registry.Define(registry.Spec[JumpIn, JumpOut]{
		Name:  "player.jump",
		Title: "Have a character jump",
		Description: "Have a character jump that stands on something, or swims: onto a bank or a jetty. It goes on to where player.move has sent it, so to jump onto something send it first, or use the jump of player.move. " +
			`Example: {"entity":"ent_3"}`,
		Core:        true,
		Permissions: []profiles.Permission{"player.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in JumpIn) (JumpOut, error) {
			return world.Do(s.w, c, func(tx *world.Tx) (JumpOut, error) {
				ch, err := s.named(tx, c.Principal(), &in.Entity)
				if err != nil {
					return JumpOut{}, err
				}
				out := JumpOut{Grounded: ch.Grounded}
				if out.Jumped, err = s.p.Jump(tx, in.Entity); err != nil {
					return JumpOut{}, err
				}
				at, _ := tx.Position(in.Entity)
				out.NewPosition = shown.Point(at)
				return out, c.Emit("player.jumped", event(in))
			})
		},
	})
}
