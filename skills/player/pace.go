package player

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// SprintIn is the input of player.sprint.
type SprintIn struct {
	Entity    world.ID        `json:"entity,omitempty" jsonschema_description:"Id of the character, such as ent_3; left out: your own."`
	Sprinting bool            `json:"sprinting" jsonschema:"default=true" jsonschema_description:"Whether it is to run from now on."`
	Meta      registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event player.sprinted."`
}

// SprintOut is the output of player.sprint.
type SprintOut struct {
	Sprinting bool `json:"sprinting" jsonschema_description:"Whether it runs from now on."`
}

func (s *Stage) sprint() registry.Skill {
	return registry.Define(registry.Spec[SprintIn, SprintOut]{
		Name:  "player.sprint",
		Title: "Have a character run",
		Description: "Have a character run wherever player.move sends it, until told otherwise; for one way only use the run of player.move. While it crouches it does not run. " +
			`Example: {"entity":"ent_3","sprinting":false}`,
		Keywords:    "run fast faster speed",
		Permissions: []profiles.Permission{"player.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in SprintIn) (SprintOut, error) {
			return world.Do(s.w, c, func(tx *world.Tx) (SprintOut, error) {
				ch, err := s.named(tx, c.Principal(), &in.Entity)
				if err != nil {
					return SprintOut{}, err
				}
				if err := s.p.Pace(tx, in.Entity, in.Sprinting, ch.Crouch); err != nil {
					return SprintOut{}, err
				}
				return SprintOut{in.Sprinting}, c.Emit("player.sprinted", event{in.Entity, in.Meta})
			})
		},
	})
}

// CrouchIn is the input of player.crouch.
type CrouchIn struct {
	Entity    world.ID        `json:"entity,omitempty" jsonschema_description:"Id of the character, such as ent_3; left out: your own."`
	Crouching bool            `json:"crouching" jsonschema:"default=true" jsonschema_description:"Whether it is to crouch; false has it stand up."`
	Meta      registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event player.crouched."`
}

// CrouchOut is the output of player.crouch.
type CrouchOut struct {
	Crouching bool    `json:"crouching" jsonschema_description:"Whether it is to crouch from now on. Where there is no room to stand up it stays low until there is."`
	Height    float64 `json:"height" jsonschema_description:"How tall it is then, in metres, if there is room."`
}

func (s *Stage) crouch() registry.Skill {
	return registry.Define(registry.Spec[CrouchIn, CrouchOut]{
		Name:  "player.crouch",
		Title: "Have a character crouch",
		Description: "Have a character crouch, to get under something, or stand up again: crouching it is less tall and slower. " +
			`Example: {"entity":"ent_3","crouching":true}`,
		Keywords:    "sneak duck",
		Permissions: []profiles.Permission{"player.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in CrouchIn) (CrouchOut, error) {
			return world.Do(s.w, c, func(tx *world.Tx) (CrouchOut, error) {
				ch, err := s.named(tx, c.Principal(), &in.Entity)
				if err != nil {
					return CrouchOut{}, err
				}
				if err := s.p.Pace(tx, in.Entity, ch.Sprinting, in.Crouching); err != nil {
					return CrouchOut{}, err
				}
				return CrouchOut{in.Crouching, ch.Height(in.Crouching)}, c.Emit("player.crouched", event{in.Entity, in.Meta})
			})
		},
	})
}
