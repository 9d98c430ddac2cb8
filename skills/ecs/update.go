package ecs

import (
	"math"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/slant"
	"github.com/limina-mcp/limina/world"
)

// UpdateComponentIn is the input of ecs.updateComponent.
type UpdateComponentIn struct {
	Entity    world.ID  `json:"entity" jsonschema_description:"Id of the entity, such as ent_3."`
	Component string    `json:"component" validate:"oneof=position rotation scale" jsonschema_description:"What to overwrite."`
	Value     []float64 `json:"value" validate:"min=3,max=4" jsonschema_description:"position: x, y, z in metres. scale: factors along x, y, z. rotation: the quaternion x, y, z, w, made to have length 1; w is 1 if left out."`
}

// UpdateComponentOut is the output of ecs.updateComponent.
type UpdateComponentOut struct {
	OK bool `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`

	Note string `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// UpdateComponent is ecs.updateComponent.
func UpdateComponent(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[UpdateComponentIn, UpdateComponentOut]{
		Name:  "ecs.updateComponent",
		Title: "Set position, rotation or scale",
		Description: "Overwrite one of position, rotation or scale of an entity, relative to its parent if it has one. An entity with a body is moved with its body. " +
			`To set several at once, or a rotation in angles, use three.setTransform. Example: {"entity":"ent_3","component":"position","value":[1,0.5,2]}`,
		Permissions: []profiles.Permission{"ecs.modify"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in UpdateComponentIn) (UpdateComponentOut, error) {
			if in.Component != "rotation" && len(in.Value) != 3 {
				return UpdateComponentOut{}, registry.Invalidf("value: %s takes 3 numbers, got %d", in.Component, len(in.Value))
			}
			if in.Component == "rotation" && slices.Equal(in.Value, make([]float64, 4)) {
				return UpdateComponentOut{}, registry.Invalidf("value: must not be all zeros; no rotation is [0, 0, 0, 1]")
			}
			return world.Do(w, c, func(tx *world.Tx) (UpdateComponentOut, error) {
				return UpdateComponentOut{OK: true, Note: in.note(&tx.View)}, in.apply(tx)
			})
		},
	})
}

// note says what of the input may be a mistake: a rotation that looks like angles, as of a quaternion of length 1 no number is beyond 1, and a scale that
// does not do to all that is below what it seems to.
func (in *UpdateComponentIn) note(v *world.View) string {
	if in.Component == "scale" {
		return slant.Note(v, in.Entity, world.Vec3(in.Value))
	}
	if in.Component == "rotation" && len(in.Value) == 3 && slices.ContainsFunc(in.Value, func(x float64) bool { return math.Abs(x) > 1 }) {
		return "a rotation is a quaternion x, y, z, w here, and was taken so, with w 1. If angles were meant, call three.setTransform with rotationEuler, in radians"
	}
	return ""
}

// apply writes the value, which has the length that the component takes.
func (in *UpdateComponentIn) apply(tx *world.Tx) error {
	v := world.Vec3(in.Value)
	switch in.Component {
	case "position":
		return tx.SetPosition(in.Entity, v)
	case "scale":
		return tx.SetScale(in.Entity, v)
	default:
		q := world.Quat{v[0], v[1], v[2], 1}
		if len(in.Value) == 4 {
			q[3] = in.Value[3]
		}
		return tx.SetRotation(in.Entity, q)
	}
}
