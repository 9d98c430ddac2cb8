package spatial

import (
	"cmp"
	"math"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// NearestIn is the input of spatial.nearest.
type NearestIn struct {
	Entity      world.ID    `json:"entity,omitempty" jsonschema_description:"What to search around: an entity, which is not found itself, nor what is part of it. Give this or point."`
	Point       *world.Vec3 `json:"point,omitempty" jsonschema_description:"What to search around: x, y, z in metres. Give this or entity."`
	Tag         string      `json:"tag,omitempty" jsonschema_description:"Only entities with this tag."`
	MaxDistance float64     `json:"maxDistance" validate:"gt=0" jsonschema:"default=100" jsonschema_description:"How far to search, in metres from surface to surface."`
	Limit       int         `json:"limit" validate:"gte=1,lte=100" jsonschema:"default=5" jsonschema_description:"How many to list at most."`
}

// NearestOut is the output of spatial.nearest.
type NearestOut struct {
	Entities []Near `json:"entities" jsonschema_description:"The nearest entities that have a shape, with a tag also groups that have it, nearest first; the older one first where two are as near."`
}

// Near is an entity that is near.
type Near struct {
	Entity   world.ID   `json:"entity" jsonschema_description:"Id of the entity."`
	Position world.Vec3 `json:"position" jsonschema_description:"Where its centre is, in metres."`
	Distance float64    `json:"distance" jsonschema_description:"How far it is, from surface to surface, in metres; 0 if they touch or overlap."`
}

// Nearest is spatial.nearest.
func Nearest(w *world.World, things *solid.Index) registry.Skill {
	return registry.Define(registry.Spec[NearestIn, NearestOut]{
		Name:  "spatial.nearest",
		Title: "What is nearest",
		Description: "List what is nearest to a point or to an entity, by the distance of surfaces, not of centres: a long wall beside you counts as near. " +
			`For everything within a radius by centres use scene.queryEntities. Example: {"entity":"ent_3","tag":"tree","limit":3}`,
		Keywords:    "closest near who distance",
		Permissions: []profiles.Permission{"scene.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in NearestIn) (NearestOut, error) {
			if (in.Entity == 0) == (in.Point == nil) {
				return NearestOut{}, registry.Invalidf("entity, point: give one of the two")
			}
			return world.Read(w, c, func(v *world.View) (NearestOut, error) { return in.search(v, things) })
		},
	})
}

func (in *NearestIn) search(v *world.View, things *solid.Index) (NearestOut, error) {
	var from body
	if in.Point != nil {
		from = spot(*in.Point)
	} else {
		var err error
		if from, err = thing(v, in.Entity); err != nil {
			return NearestOut{}, err
		}
	}
	// Ever larger boxes: once enough is found within what a box is sure to hold, nothing nearer is left.
	var found []Near
	for reach := min(2, in.MaxDistance); ; reach = min(4*reach, in.MaxDistance) {
		found = in.within(v, things, &from, reach)
		if len(found) >= in.Limit || reach >= in.MaxDistance {
			break
		}
	}
	slices.SortStableFunc(found, func(a, b Near) int { return cmp.Compare(a.Distance, b.Distance) })
	found = found[:min(len(found), in.Limit)]
	for i := range found {
		f := &found[i]
		f.Position, f.Distance = shown.Point(f.Position), shown.Number(f.Distance)
	}
	return NearestOut{Entities: found}, nil
}

// within returns what is at most reach metres from a body.
func (in *NearestIn) within(v *world.View, things *solid.Index, from *body, reach float64) []Near {
	found := []Near{}
	b := from.box
	edge := world.Vec3{reach, reach, reach}
	var groups map[world.ID]float64 // that have the tag, and how far what is below them is
	for _, f := range things.In(v, solid.Bounds{Lo: b.Lo.Sub(edge), Hi: b.Hi.Add(edge)}) {
		if in.Entity != 0 && v.Within(f.Entity, in.Entity) {
			continue
		}
		is := in.Tag == "" || v.HasTag(f.Entity, in.Tag)
		above := in.groups(v, f.Entity)
		if !is && len(above) == 0 {
			continue
		}
		d := from.tree.nearest(&part{f.Solid, f.Bounds}, solid.Contact{Gap: math.Inf(1)}).Gap
		if d > reach {
			continue
		}
		if is {
			found = append(found, Near{f.Entity, f.Solid.Center, max(d, 0)})
		}
		for _, id := range above {
			if groups == nil {
				groups = map[world.ID]float64{}
			}
			if least, ok := groups[id]; !ok || d < least {
				groups[id] = d
			}
		}
	}
	if len(groups) > 0 {
		for id, d := range groups {
			found = append(found, Near{id, solid.Tree(v.World(), v, id).Center().Bounded(), max(d, 0)})
		}
		slices.SortFunc(found, func(a, b Near) int { return cmp.Compare(a.Entity, b.Entity) })
	}
	return found
}

// groups returns what has the tag above an entity and no shape of its own: as large as what is below it. What holds the
// entity that is searched around is none, as are its parts.
func (in *NearestIn) groups(v *world.View, id world.ID) (list []world.ID) {
	if in.Tag == "" {
		return nil
	}
	for up := range v.Up(v.Parent(id)) {
		if _, shaped := v.World().Shapes.Get(v, up); !shaped && v.HasTag(up, in.Tag) && (in.Entity == 0 || !v.Within(in.Entity, up)) {
			list = append(list, up)
		}
	}
	return list
}
