package spatial

import (
	"math"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// MeasureIn is the input of spatial.measure.
type MeasureIn struct {
	FromEntity world.ID    `json:"fromEntity,omitempty" jsonschema_description:"Where to measure from: an entity. Give this or fromPoint."`
	FromPoint  *world.Vec3 `json:"fromPoint,omitempty" jsonschema_description:"Where to measure from: x, y, z in metres."`
	ToEntity   world.ID    `json:"toEntity,omitempty" jsonschema_description:"Where to measure to: an entity. Give this or toPoint."`
	ToPoint    *world.Vec3 `json:"toPoint,omitempty" jsonschema_description:"Where to measure to: x, y, z in metres."`
}

// MeasureOut is the output of spatial.measure.
type MeasureOut struct {
	Distance   float64    `json:"distance" jsonschema_description:"From centre to centre, in metres."`
	Horizontal float64    `json:"horizontal" jsonschema_description:"The same as seen from above."`
	Delta      world.Vec3 `json:"delta" jsonschema_description:"The way from the one centre to the other: add it to from and you are at to."`
	Gap        float64    `json:"gap" jsonschema_description:"From surface to surface, in metres; below 0 they overlap, by so much. Of a group, that of the nearest of its parts."`
	Direction  world.Vec3 `json:"direction" jsonschema_description:"The direction of the gap, of length 1: moved that way by gap, the first touches the second."`
	Touching   bool       `json:"touching" jsonschema_description:"Whether the surfaces are within a millimetre of each other."`
}

// Measure is spatial.measure.
func Measure(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[MeasureIn, MeasureOut]{
		Name:  "spatial.measure",
		Title: "Measure a distance",
		Description: "Measure between two entities, two points, or one of each: between the centres, and between the surfaces as they are turned, so that you see whether two things touch, overlap, or leave a gap. " +
			`Example: {"fromEntity":"ent_3","toEntity":"ent_4"}`,
		Keywords:    "far apart gap long",
		Permissions: []profiles.Permission{"scene.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in MeasureIn) (MeasureOut, error) {
			switch {
			case (in.FromEntity == 0) == (in.FromPoint == nil):
				return MeasureOut{}, registry.Invalidf("fromEntity, fromPoint: give one of the two")
			case (in.ToEntity == 0) == (in.ToPoint == nil):
				return MeasureOut{}, registry.Invalidf("toEntity, toPoint: give one of the two")
			}
			return world.Read(w, c, in.measure)
		},
	})
}

func (in *MeasureIn) measure(v *world.View) (MeasureOut, error) {
	from, err := end(v, in.FromEntity, in.FromPoint)
	if err != nil {
		return MeasureOut{}, err
	}
	to, err := end(v, in.ToEntity, in.ToPoint)
	if err != nil {
		return MeasureOut{}, err
	}
	const millimetre = 0.001
	way, contact := to.mid.Sub(from.mid), between(v, &from, &to)
	return MeasureOut{
		Distance:   shown.Number(world.Bounded(way.Len())),
		Horizontal: shown.Number(world.Bounded(world.Vec3{way[0], 0, way[2]}.Len())),
		Delta:      told(way),
		Gap:        shown.Number(world.Bounded(contact.Gap)),
		Direction:  shown.Point(contact.Normal),
		Touching:   math.Abs(contact.Gap) <= millimetre,
	}, nil
}

// between returns how the parts of two bodies are to each other that are nearest, or deepest in each other. What is part of
// both does not count: a brick is as far from its house as from what else is in it.
func between(v *world.View, from, to *body) solid.Contact {
	switch {
	case !to.group && !from.group:
		return solid.Between(from.tree.parts[0].Solid, to.tree.parts[0].Solid)
	case !to.group, from.group && from.id != to.id && v.Within(to.id, from.id):
		c := between(v, to, from)
		return solid.Contact{Gap: c.Gap, Normal: c.Normal.Scale(-1)}
	}
	least := solid.Contact{Gap: math.Inf(1)}
	if from.id != to.id {
		others := below(nil, v, to.id, from)
		for i := range others {
			least = from.tree.nearest(&others[i], least)
		}
	}
	if math.IsInf(least.Gap, 1) { // nothing is left of one that is not of the other
		return solid.Between(upright(from.box.Center(), from.box.Size()), upright(to.box.Center(), to.box.Size()))
	}
	return least
}

// end is one end of what is measured.
func end(v *world.View, id world.ID, p *world.Vec3) (body, error) {
	if p != nil {
		return spot(*p), nil
	}
	return thing(v, id)
}
