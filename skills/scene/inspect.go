package scene

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// InspectIn is the input of scene.inspect.
type InspectIn struct {
	Tag        string `json:"tag,omitempty" jsonschema_description:"Only entities with this tag."`
	SampleSize int    `json:"sampleSize" validate:"gte=0,lte=64" jsonschema:"default=8" jsonschema_description:"How many entities to show as a sample."`
}

// InspectOut is the output of scene.inspect.
type InspectOut struct {
	EntityCount int            `json:"entityCount" jsonschema_description:"How many entities there are."`
	Bounds      *Bounds        `json:"bounds" jsonschema:"nullable" jsonschema_description:"The smallest upright box around them and what is below them, size and rotation included; null if there are none."`
	Center      *world.Vec3    `json:"center" jsonschema:"nullable" jsonschema_description:"The middle of bounds; null if there are none."`
	Size        *world.Vec3    `json:"size" jsonschema:"nullable" jsonschema_description:"The edge lengths of bounds in metres; null if there are none."`
	TagCounts   map[string]int `json:"tagCounts" jsonschema_description:"How many of them have each tag."`
	Names       map[string]int `json:"names,omitempty" jsonschema_description:"How many of those that have no parent have each name: of 40 names at most, the rarest. scene.queryEntities with name finds them."`
	Sample      []Sampled      `json:"sample" jsonschema_description:"Some of them, evenly spread from the oldest to the newest."`
}

// Bounds is an upright box.
type Bounds struct {
	Min world.Vec3 `json:"min" jsonschema_description:"Corner with the smallest coordinates."`
	Max world.Vec3 `json:"max" jsonschema_description:"Corner with the largest coordinates."`
}

// Sampled is an entity of the sample.
type Sampled struct {
	Entity   world.ID   `json:"entity" jsonschema_description:"Id of the entity."`
	Name     string     `json:"name,omitempty" jsonschema_description:"Its name, if it has one."`
	Position world.Vec3 `json:"position" jsonschema_description:"Where its centre is, in metres."`
}

// Inspect is scene.inspect.
func Inspect(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[InspectIn, InspectOut]{
		Name:  "scene.inspect",
		Title: "Summarise the world",
		Description: "Summarise the whole world, or everything with one tag: how many entities, the box around them, how many have which tag, what stands there by name, and a sample. The answer stays small however large the world is. " +
			`Use it first, and after building to check; use scene.queryEntities to list what matches. Example: {"tag":"building"}`,
		Published:   true,
		Keywords:    "info world many count number describe content state here",
		Permissions: []profiles.Permission{"scene.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in InspectIn) (InspectOut, error) {
			return world.Read(w, c, func(v *world.View) (InspectOut, error) { return in.inspect(w, v), nil })
		},
	})
}

// inspect summarises what in selects.
func (in *InspectIn) inspect(w *world.World, v *world.View) InspectOut {
	out := InspectOut{TagCounts: map[string]int{}}
	each := v.All()
	out.EntityCount = v.Len()
	if in.Tag != "" {
		ids := v.Tagged(in.Tag)
		each, out.EntityCount = slices.Values(ids), len(ids)
	} else {
		out.TagCounts = v.AllTags()
	}
	n, named := 0, map[string]int{}
	take := min(in.SampleSize, out.EntityCount)
	for id := range each {
		if in.Tag == "" || !below(v, id, in.Tag) { // else it is in the bounds of that
			lo, hi := in.room(w, v, id)
			if out.Bounds == nil {
				out.Bounds = &Bounds{lo, hi}
			}
			out.Bounds.Min, out.Bounds.Max = out.Bounds.Min.Min(lo), out.Bounds.Max.Max(hi)
		}
		if in.Tag != "" {
			for _, tag := range v.Tags(id) {
				out.TagCounts[tag]++
			}
		}
		if len(out.Sample) < take && n == len(out.Sample)*out.EntityCount/take {
			p, _ := v.Position(id)
			out.Sample = append(out.Sample, Sampled{id, v.Name(id), shown.Point(p)})
		}
		if name := v.Name(id); name != "" && v.Parent(id) == 0 && (len(named) < mostCounted || named[name] > 0) {
			named[name]++
		}
		n++
	}
	out.Names = rarest(named)
	return out.measured()
}

// room returns the corners of what an entity takes up: with a tag all that is below it counts, else that is counted by itself.
func (in *InspectIn) room(w *world.World, v *world.View, id world.ID) (lo, hi world.Vec3) {
	if in.Tag != "" {
		return whole(w, v, id)
	}
	return extent(w, v, id)
}

// below reports whether an entity is below one that has a tag.
func below(v *world.View, id world.ID, tag string) bool {
	for up := range v.Up(v.Parent(id)) {
		if v.HasTag(up, tag) {
			return true
		}
	}
	return false
}

const (
	mostNamed   = 40   // names that are told
	mostCounted = 4096 // … and that are counted, the first that are come upon
)

// rarest returns the names that the fewest have: what stands out, such as a tram among sleepers.
func rarest(named map[string]int) map[string]int {
	names := slices.SortedFunc(maps.Keys(named), func(a, b string) int { return cmp.Or(cmp.Compare(named[a], named[b]), cmp.Compare(a, b)) })
	if len(names) > mostNamed {
		for _, name := range names[mostNamed:] {
			delete(named, name)
		}
	}
	return named
}

// measured adds what follows from the bounds.
func (out InspectOut) measured() InspectOut {
	if b := out.Bounds; b != nil {
		b.Min, b.Max = b.Min.Bounded(), b.Max.Bounded()
		size, centre := b.Max.Sub(b.Min).Bounded(), b.Min.Scale(.5).Add(b.Max.Scale(.5))
		size, centre = shown.Point(size), shown.Point(centre)
		b.Min, b.Max, out.Center, out.Size = shown.Point(b.Min), shown.Point(b.Max), &centre, &size
	}
	return out
}

// whole is extent of an entity and everything below it. One without a shape that has something below it takes up nothing else.
func whole(w *world.World, v *world.View, id world.ID) (lo, hi world.Vec3) {
	children := v.Children(id)
	if _, shaped := w.Shapes.Get(v, id); shaped || len(children) == 0 {
		lo, hi = extent(w, v, id)
	} else {
		lo, hi = whole(w, v, children[0])
		children = children[1:]
	}
	for _, child := range children {
		l, h := whole(w, v, child)
		lo, hi = lo.Min(l), hi.Max(h)
	}
	return lo, hi
}

// extent returns the corners of the smallest upright box around an entity's shape, or around the ground that it is; of an entity
// that is neither, its position twice.
func extent(w *world.World, v *world.View, id world.ID) (lo, hi world.Vec3) {
	t, _ := v.WorldTransform(id)
	shape, ok := w.Shapes.Get(v, id)
	if !ok || shape.Kind != "box" && shape.Kind != "sphere" {
		if s, ok := solid.Of(w, v, id); ok { // of ground, which may be unseen: it is not around its position, but as high as the land
			b := s.Bounds()
			return b.Lo, b.Hi
		}
		return t.Position, t.Position
	}
	half := t.Scale.Mul(shape.Size).Scale(0.5)
	if t.Rotation == world.NoRotation() { // as most that was built is
		for i, x := range half {
			half[i] = math.Abs(x)
		}
		return t.Position.Sub(half), t.Position.Add(half)
	}
	var reach world.Vec3
	for i := range 3 {
		var edge world.Vec3
		edge[i] = half[i]
		for k, x := range t.Rotation.Rotate(edge) {
			if shape.Kind == "sphere" {
				reach[k] += float64(x * x)
			} else {
				reach[k] += math.Abs(x)
			}
		}
	}
	if shape.Kind == "sphere" { // an ellipsoid, if its scale is uneven
		for k := range reach {
			reach[k] = math.Sqrt(reach[k])
		}
	}
	return t.Position.Sub(reach), t.Position.Add(reach)
}
