package architecture

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// rebuilding is a house that is being changed.
type rebuilding struct {
	p     *Plans
	tx    *world.Tx
	group world.ID
	was   BuildingIn // what it was built from
	parts []old

	before, after looks
}

// old is a part that is there when the rebuilding begins.
type old struct {
	box   // as it was built
	id    world.ID
	at    world.Vec3
	shape world.Shape
	wears *world.Material // nil for none
}

// rebuild has the group hold the parts that a house has.
func (r *rebuilding) rebuild(in *BuildingIn) (out BuildingOut, err error) {
	r.find()
	r.before, _ = r.was.looks(&r.tx.View) // a material that is gone is on nothing any more
	if r.after, err = in.looks(&r.tx.View); err != nil {
		return out, err
	}
	boxes := plan(in)
	stay := r.match(boxes)
	if err := r.clear(stay); err != nil { // first, so that there is room in a world that is full
		return out, err
	}
	out = BuildingOut{EntityCount: len(boxes), Group: r.group, Entity: r.group}
	bounds := solid.Nothing()
	for i, b := range boxes {
		id := stay[i]
		if id == 0 {
			id, err = r.add(b)
		} else {
			err = r.keep(id, b)
		}
		if err != nil {
			return out, err
		}
		at, _ := r.tx.WorldTransform(id)
		out.Entities = append(out.Entities, id)
		out.Parts = append(out.Parts, Part{Kind: b.kind, Entity: id, Position: at.Position, Size: b.size.Mul(at.Scale)})
		if s, ok := solid.Of(r.p.w, &r.tx.View, id); ok {
			bounds = bounds.Join(s.Bounds())
		}
	}
	out.Bounds = Bounds{bounds.Lo, bounds.Hi}
	return out, nil
}

// find looks for the parts of the house: what bears their name and tag, and no more of a kind than it was built of.
func (r *rebuilding) find() {
	built := map[string][]box{}
	for _, b := range plan(&r.was) {
		built[b.kind] = append(built[b.kind], b)
	}
	for _, id := range r.tx.Children(r.group) {
		kind := r.tx.Name(id)
		if len(built[kind]) == 0 || !r.tx.HasTag(id, tag) {
			continue
		}
		at, _ := r.tx.Transform(id)
		shape, _ := r.p.w.Shapes.Get(&r.tx.View, id)
		part := old{built[kind][0], id, at.Position, shape, nil}
		if m, ok := r.p.w.Materials.Get(&r.tx.View, id); ok {
			part.wears = &m
		}
		r.parts = append(r.parts, part)
		built[kind] = built[kind][1:]
	}
}

// match returns, for each part that the house is to have, the one of its kind that it has already and that becomes it, or 0. Those that
// are nearest to each other come first, so that a window keeps its pane when there are more windows.
func (r *rebuilding) match(boxes []box) []world.ID {
	type pair struct {
		box  int
		id   world.ID
		dist float64
	}
	var pairs []pair
	for i, b := range boxes {
		for _, o := range r.parts {
			if o.kind == b.kind {
				pairs = append(pairs, pair{i, o.id, o.at.Dist(b.centre)})
			}
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.dist, b.dist), cmp.Compare(a.box, b.box), cmp.Compare(a.id, b.id))
	})
	stay, taken := make([]world.ID, len(boxes)), map[world.ID]bool{}
	for _, p := range pairs {
		if stay[p.box] == 0 && !taken[p.id] {
			stay[p.box], taken[p.id] = p.id, true
		}
	}
	return stay
}

// add makes a part that was not there. It looks as the nearest one on its side of the house does, if somebody has painted that.
func (r *rebuilding) add(b box) (world.ID, error) {
	l := *r.after.of(&b)
	id, err := r.p.create(&b, r.tx, world.Spec{Parent: r.group, Position: b.centre, Rotation: b.turn}, &l)
	if err != nil || b.glass {
		return id, err
	}
	beside := slices.DeleteFunc(slices.Clone(r.parts), func(o old) bool { return o.glass || side(o.kind) != side(b.kind) })
	if len(beside) == 0 {
		return id, nil
	}
	like := slices.MinFunc(beside, func(a, c old) int { return cmp.Compare(a.at.Dist(b.centre), c.at.Dist(b.centre)) })
	was := r.before.of(&like.box)
	if like.shape.Color != was.color {
		l.color = like.shape.Color
		if err := r.p.form(&b, r.tx, id, &l); err != nil {
			return 0, err
		}
	}
	if reflect.DeepEqual(like.wears, was.surface) {
		return id, nil
	}
	return id, r.wear(id, like.wears)
}

// wear has a part be of a material, or of none.
func (r *rebuilding) wear(id world.ID, m *world.Material) error {
	if m == nil {
		r.p.w.Materials.Remove(r.tx, id)
		return nil
	}
	return r.p.w.Materials.Set(r.tx, id, *m)
}

// side returns the side of the house that parts of a kind are on; a gable is on that of its wall.
func side(kind string) string {
	kind = strings.ToLower(kind)
	for _, s := range [...]string{"partition", "foundation", "floor", "step", "stair", "railing", "roof", "dormer", "chimney", "front", "back", "left", "right"} {
		if strings.Contains(kind, s) {
			return s
		}
	}
	return "front" // the lintel
}

// keep has a part be as it is to be, but for how somebody has painted it.
func (r *rebuilding) keep(id world.ID, b box) error {
	at := world.Transform{Position: b.centre, Rotation: b.turn, Scale: world.Vec3{1, 1, 1}}
	if now, _ := r.tx.Transform(id); !alike(now, at) {
		if err := r.tx.SetTransform(id, at); err != nil {
			return err
		}
	}
	was, is := r.before.of(&b), *r.after.of(&b)
	var wears *world.Material
	if m, ok := r.p.w.Materials.Get(&r.tx.View, id); ok {
		wears = &m
	}
	if reflect.DeepEqual(wears, was.surface) && !reflect.DeepEqual(wears, is.surface) {
		if err := r.wear(id, is.surface); err != nil {
			return err
		}
	}
	now, ok := r.p.w.Shapes.Get(&r.tx.View, id)
	if ok && now.Color != was.color {
		is.color = now.Color
	}
	return r.p.form(&b, r.tx, id, &is)
}

// clear takes the parts away that the house has no more: all but those that stay. What hangs on them stays with the house, where it is.
func (r *rebuilding) clear(stay []world.ID) error {
	for _, o := range r.parts {
		if slices.Contains(stay, o.id) {
			continue
		}
		for _, child := range r.tx.Children(o.id) {
			if err := r.tx.Reparent(child, r.group); err != nil {
				return err
			}
		}
		r.tx.Destroy(o.id)
	}
	return nil
}

// alike reports whether two transforms are the same but for rounding, also far from the middle of the world.
func alike(a, b world.Transform) bool {
	const slack = 1e-6
	for i := range a.Rotation {
		if math.Abs(a.Rotation[i]-b.Rotation[i]) > slack {
			return false
		}
	}
	return a.Position.Dist(b.Position) <= slack && a.Scale.Dist(b.Scale) <= slack
}
