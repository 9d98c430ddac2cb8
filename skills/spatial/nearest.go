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
	n := nearby{in: in, v: v, from: &from}
	if !n.tagged() {
		things.Toward(v, from.box, in.MaxDistance, func(f *solid.Found) float64 { return n.take(f.Entity, &f.Solid, &f.Bounds) })
	}
	out := NearestOut{Entities: make([]Near, 0, len(n.best))}
	for _, b := range n.best {
		if b.group {
			b.Position = solid.Tree(v.World(), v, b.Entity).Center().Bounded()
		}
		out.Entities = append(out.Entities, Near{b.Entity, shown.Point(b.Position), shown.Number(b.Distance)})
	}
	return out, nil
}

// nearby is a search for what is nearest.
type nearby struct {
	in   *NearestIn
	v    *world.View
	from *body
	best []hit // so far, nearest first and of those that are as near the oldest; at most as many as are wanted
}

// hit is an entity that is near.
type hit struct {
	Near
	group bool // it is as large as what is below it, and where its middle is is found out in the end
}

// rounded has nothing be passed by that is as near as something else, but for rounding.
const rounded = 1 - 1e-9

// few is of how many entities at most one is looked at by its tag; where more have that, what is near is gone through.
const few = 16

// tagged looks at all that has the tag, and reports whether that was done: not where that is much of the world.
func (n *nearby) tagged() bool {
	if n.in.Tag == "" {
		return false
	}
	w, most := n.v.World(), n.v.Len()/few
	ids := n.v.Tagged(n.in.Tag)
	if len(ids) > most {
		return false
	}
	looked := 0
	var parts []world.ID
	for _, id := range ids {
		parts = append(parts, id)
		if w.Shapes.Has(n.v, id) {
			continue
		}
		for below := range n.v.Below(id) { // a group is as near as what is below it
			if looked++; looked > most {
				return false
			}
			parts = append(parts, below)
		}
	}
	slices.Sort(parts)
	for _, id := range slices.Compact(parts) {
		if s, ok := solid.Of(w, n.v, id); ok {
			b := s.Bounds()
			n.take(id, &s, &b)
		}
	}
	return true
}

// take looks at something with a shape, and returns how far away something may be in order to be wanted.
func (n *nearby) take(id world.ID, s *solid.Solid, b *solid.Bounds) (far float64) {
	in, v := n.in, n.v
	if in.Entity != 0 && v.Within(id, in.Entity) {
		return n.far()
	}
	is, above := in.Tag == "" || v.HasTag(id, in.Tag), in.groups(v, id)
	least := max(apart(*b, n.from.box), 0) * rounded
	is = is && n.wants(id, least)
	if !is && !slices.ContainsFunc(above, func(id world.ID) bool { return n.wants(id, least) }) {
		return n.far()
	}
	d := n.from.tree.nearest(&part{*s, *b}, solid.Contact{Gap: math.Inf(1)}).Gap
	if d > in.MaxDistance {
		return n.far()
	}
	if is {
		n.put(hit{Near{id, s.Center, max(d, 0)}, false})
	}
	for _, id := range above {
		n.put(hit{Near{Entity: id, Distance: max(d, 0)}, true})
	}
	return n.far()
}

// far is how far away something may be in order to be wanted.
func (n *nearby) far() float64 {
	if len(n.best) < n.in.Limit {
		return n.in.MaxDistance
	}
	return n.best[len(n.best)-1].Distance
}

// compare orders by distance, and the older one first.
func (n Near) compare(o Near) int {
	return cmp.Or(cmp.Compare(n.Distance, o.Distance), cmp.Compare(n.Entity, o.Entity))
}

// wants reports whether something may be among the nearest that is at least so far.
func (n *nearby) wants(id world.ID, least float64) bool {
	return len(n.best) < n.in.Limit || Near{Entity: id, Distance: least}.compare(n.best[len(n.best)-1].Near) <= 0
}

// put notes something, of which it is known by now how far it is, or how far what is below it is.
func (n *nearby) put(near hit) {
	if i := slices.IndexFunc(n.best, func(o hit) bool { return o.Entity == near.Entity }); i >= 0 {
		if n.best[i].Distance <= near.Distance {
			return
		}
		n.best = slices.Delete(n.best, i, i+1)
	}
	at, _ := slices.BinarySearchFunc(n.best, near.Near, func(o hit, near Near) int { return o.compare(near) })
	if at < n.in.Limit {
		n.best = slices.Insert(n.best, at, near)
		n.best = n.best[:min(len(n.best), n.in.Limit)]
	}
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
