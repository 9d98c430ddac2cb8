package three

import (
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/angle"
	"github.com/limina-mcp/limina/skills/internal/behind"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/skills/internal/slant"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// SetTransformIn is the input of three.setTransform.
type SetTransformIn struct {
	Entity        world.ID    `json:"entity" jsonschema_description:"Id of the entity, such as ent_3."`
	Position      *world.Vec3 `json:"position,omitempty" jsonschema_description:"New centre x, y, z in metres; y is up."`
	RotationEuler *world.Vec3 `json:"rotationEuler,omitempty" jsonschema_description:"New rotation: angles about x, y, z in radians, in the order XYZ of three.js. To turn on the spot: [0, angle, 0]."`
	Scale         *world.Vec3 `json:"scale,omitempty" jsonschema_description:"New scale factors along the entity's own x, y, z; [1,1,1] is its made size. A negative one mirrors, 0 makes it flat."`
}

// SetTransform is three.setTransform. Who moves a group is told which of the places and things stay that were in it, and who moves what goes by itself what goes says
// of it.
func SetTransform(w *world.World, goes func(v *world.View, id world.ID) string, places ...behind.Places) registry.Skill {
	return registry.Define(registry.Spec[SetTransformIn, Done]{
		Name:  "three.setTransform",
		Title: "Move, turn or scale an entity",
		Description: "Move, turn or resize an object: set position, rotation in radians and scale of an entity, any of them or all at once; what is left out stays as it is. The numbers are relative to the parent if it has one. " +
			`Scale a box unevenly to make walls, floors and posts. For a quaternion use ecs.updateComponent. Example: {"entity":"ent_3","position":[0,1.5,0],"rotationEuler":[0,1.5708,0],"scale":[4,3,0.2]}`,
		Published:   true,
		Keywords:    "move bring position rotate scale resize stretch mirror flip teleport player bigger smaller larger taller turn face tilt north south east west",
		Sets:        "position rotation rotationEuler scale",
		Permissions: []profiles.Permission{"scene.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in SetTransformIn) (Done, error) {
			return world.Do(w, c, func(tx *world.Tx) (Done, error) {
				t, ok := tx.Transform(in.Entity)
				if !ok {
					return Done{}, tx.Unknown(in.Entity)
				}
				note := in.note(&tx.View)
				to := in.over(t)
				if note == "" && to != t && len(tx.Children(in.Entity)) > 0 {
					bounds := solid.Tree(w, &tx.View, in.Entity)
					note = shown.Notes(behind.Note(&tx.View, bounds, places), behind.Things(w, &tx.View, in.Entity, bounds))
				}
				if note == "" && goes != nil && (to.Position != t.Position || to.Rotation != t.Rotation) {
					note = goes(&tx.View, in.Entity)
				}
				return Done{OK: true, Note: note}, tx.SetTransform(in.Entity, to)
			})
		},
	})
}

// note says what of the input may be a mistake.
func (in *SetTransformIn) note(v *world.View) string {
	switch {
	case in.Position == nil && in.RotationEuler == nil && in.Scale == nil:
		return "nothing changed: give position, rotationEuler, scale, or several of them"
	case in.Scale != nil && slices.Contains(in.Scale[:], 0):
		return "scale 0 makes it flat along that axis; 1 is its made size"
	}
	if a := in.RotationEuler; a != nil {
		if note := angle.Note("rotationEuler", a[:]...); note != "" {
			return note
		}
	}
	if in.Scale != nil {
		return slant.Note(v, in.Entity, *in.Scale)
	}
	return ""
}

// over returns t with what is given in place of what it has.
func (in *SetTransformIn) over(t world.Transform) world.Transform {
	if in.Position != nil {
		t.Position = *in.Position
	}
	if a := in.RotationEuler; a != nil {
		t.Rotation = world.QuatFromEuler(a[0], a[1], a[2])
	}
	if in.Scale != nil {
		t.Scale = *in.Scale
	}
	return t
}
