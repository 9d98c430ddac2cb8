package spatial

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// BoundsIn is the input of spatial.bounds.
type BoundsIn struct {
	Entities []world.ID `json:"entities" validate:"min=1,max=500" jsonschema_description:"The entities to measure, with all that is below them."`
}

// BoundsOut is the output of spatial.bounds.
type BoundsOut struct {
	Min    world.Vec3 `json:"min" jsonschema_description:"Corner with the smallest coordinates, in metres."`
	Max    world.Vec3 `json:"max" jsonschema_description:"Corner with the largest coordinates; its y is the top."`
	Center world.Vec3 `json:"center" jsonschema_description:"The middle."`
	Size   world.Vec3 `json:"size" jsonschema_description:"The edge lengths."`
	Parts  []Part     `json:"parts" jsonschema_description:"The same for each entity that was named, if there is more than one."`
}

// Part is the bounds of one entity.
type Part struct {
	Entity world.ID   `json:"entity" jsonschema_description:"Id of the entity."`
	Min    world.Vec3 `json:"min" jsonschema_description:"Corner with the smallest coordinates."`
	Max    world.Vec3 `json:"max" jsonschema_description:"Corner with the largest coordinates."`
}

// Bounds is spatial.bounds.
func Bounds(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[BoundsIn, BoundsOut]{
		Name:  "spatial.bounds",
		Title: "How large it is",
		Description: "Measure the smallest upright box around entities as they stand in the world: size, scale, rotation and everything below them included. Use it to put the next thing on top of or beside what is there. " +
			`For the whole world or everything with a tag use scene.inspect. Example: {"entities":["ent_3"]}`,
		Keywords:    "big large dimension height width extent tall",
		Permissions: []profiles.Permission{"scene.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in BoundsIn) (BoundsOut, error) {
			return world.Read(w, c, func(v *world.View) (BoundsOut, error) { return in.measure(w, v) })
		},
	})
}

func (in *BoundsIn) measure(w *world.World, v *world.View) (BoundsOut, error) {
	all := solid.Nothing()
	out := BoundsOut{Parts: []Part{}}
	for _, id := range in.Entities {
		if !v.Exists(id) {
			return BoundsOut{}, v.Unknown(id)
		}
		b := solid.Tree(w, v, id)
		all = all.Join(b)
		if len(in.Entities) > 1 {
			out.Parts = append(out.Parts, Part{id, told(b.Lo), told(b.Hi)})
		}
	}
	out.Min, out.Max, out.Center, out.Size = told(all.Lo), told(all.Hi), told(all.Center()), told(all.Size())
	return out, nil
}

// told is a place or a size that may go out, as answers tell it.
func told(p world.Vec3) world.Vec3 { return shown.Point(p.Bounded()) }
