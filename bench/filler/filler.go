// Package filler declares skills that stand for those the catalogue does not have yet, so that the
// start of a full one can be measured today.
package filler

import (
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// In is as large as the input of a usual skill.
type In struct {
	Kind     string     `json:"kind,omitempty" validate:"omitempty,oneof=small large" jsonschema:"default=small" jsonschema_description:"One of two kinds."`
	Size     float64    `json:"size,omitempty" validate:"gt=0,lte=50" jsonschema:"default=1" jsonschema_description:"Edge length in metres."`
	Color    int        `json:"color,omitempty" validate:"gte=0,lte=16777215" jsonschema:"default=16777215" jsonschema_description:"Colour as 0xRRGGBB."`
	Position world.Vec3 `json:"position,omitempty" jsonschema_description:"Centre, in metres."`
	Name     string     `json:"name" validate:"min=1,max=64" jsonschema_description:"What it is called."`
	Tags     []string   `json:"tags,omitempty" validate:"max=8" jsonschema_description:"Words to find it by."`
	Solid    bool       `json:"solid,omitempty" jsonschema_description:"Whether things bump into it."`
	Note     string     `json:"note,omitempty" validate:"max=280" jsonschema_description:"Free text."`
}

// Out is as large as the output of a usual skill.
type Out struct {
	Entity world.ID   `json:"entity" jsonschema_description:"What was made."`
	At     world.Vec3 `json:"at" jsonschema_description:"Where it stands."`
}

// Fill registers skills until r has n of them. Each is compiled on its own, as a real one is.
func Fill(r *registry.Registry, n int) error {
	var skills []registry.Skill
	for i := len(r.List(registry.Filter{})); i < n; i++ {
		skills = append(skills, registry.Define(registry.Spec[In, Out]{
			Name:        fmt.Sprintf("filler.skill%d", i),
			Description: "Stand in for a skill that is still to come.",
			Permissions: []profiles.Permission{"scene.write"},
			Effect:      registry.Writes,
			Handle:      func(*registry.Call, In) (Out, error) { return Out{}, nil },
		}))
	}
	return r.Register(skills...)
}
