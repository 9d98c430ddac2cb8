package layout

import (
	"fmt"
	"math"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/behind"
	"github.com/limina-mcp/limina/skills/internal/curve"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// PlaceIn is the input of scene.place.
type PlaceIn struct {
	Entity   world.ID    `json:"entity" jsonschema_description:"What to place, with everything below it."`
	Relation string      `json:"relation" validate:"oneof=on under leftOf rightOf inFrontOf behind inside alignedWith facing onGround" jsonschema_description:"Where it goes. on, under: touching the target from above or below, over its middle; on stands where it would come to lie if let down there, as on the seat of a chair. leftOf (-x), rightOf (+x), inFrontOf (+z), behind (-z): beside the target, on the same level. inside: in its middle, standing on its bottom. alignedWith: only along axes. facing: turned so that its front (+z) looks at the target, not moved. onGround: down or up to what is below its middle, or the ground; needs no target."`
	Target   world.ID    `json:"target,omitempty" jsonschema_description:"What it is placed in relation to."`
	Point    *world.Vec3 `json:"point,omitempty" jsonschema_description:"A point x, y, z instead of a target."`
	Gap      float64     `json:"gap" validate:"gte=0,lte=1000" jsonschema:"default=0" jsonschema_description:"Metres left between the two."`
	Offset   world.Vec3  `json:"offset" jsonschema:"default=0 0 0" jsonschema_description:"Metres x, y, z to add in the end, such as [0.5,0,0] for half a metre right of the middle."`
	Axes     string      `json:"axes" validate:"oneof=x y z xy xz yz xyz" jsonschema:"default=xz" jsonschema_description:"For alignedWith: along which axes."`
	Edge     string      `json:"edge" validate:"oneof=center min max" jsonschema:"default=center" jsonschema_description:"For alignedWith: middles, lower or upper sides on one line."`
	Grid     float64     `json:"grid,omitempty" validate:"omitempty,gt=0,lte=1000" jsonschema_description:"Snap the middle, in x and z, to multiples of this many metres."`
}

// PlaceOut is the output of scene.place.
type PlaceOut struct {
	Position world.Vec3 `json:"position" jsonschema_description:"Where the entity is now, in world space."`
	Bounds   Box        `json:"bounds" jsonschema_description:"What it takes up there, with everything below it."`
	Overlaps []world.ID `json:"overlaps" jsonschema_description:"What it is now more than a centimetre deep in, at most 20: [] is good."`
	Note     string     `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// deep is how deep something has to be in another thing to count as being in it, in metres.
const deep = 0.01

// maxOverlaps bounds how many overlaps are told.
const maxOverlaps = 20

// Place is scene.place.
func Place(w *world.World, things *solid.Index) registry.Skill {
	return registry.Define(registry.Spec[PlaceIn, PlaceOut]{
		Name:  "scene.place",
		Title: "Place an entity in relation to another",
		Description: "Move an entity to where it belongs by saying how it is to be to another one: on it, under it, beside it, inside it, in line with it, facing it, or on the ground. " +
			"Sizes, rotations and children are taken into account, so there is nothing to compute; the answer says what it cuts into there. To set numbers yourself use three.setTransform. " +
			`Example: {"entity":"ent_3","relation":"on","target":"ent_1"}`,
		Published:   true,
		Keywords:    "put align beside next on top under stack adjacent other",
		Permissions: mayWrite,
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in PlaceIn) (PlaceOut, error) {
			return world.Do(w, c, func(tx *world.Tx) (PlaceOut, error) {
				before, _ := tx.Transform(in.Entity)
				was := solid.Tree(w, &tx.View, in.Entity)
				if err := in.place(w, things, tx); err != nil {
					return PlaceOut{}, err
				}
				at, _ := tx.Position(in.Entity)
				out := PlaceOut{Position: shown.Point(at), Bounds: boxOf(solid.Tree(w, &tx.View, in.Entity)), Overlaps: overlaps(w, things, &tx.View, in.Entity), Note: in.boxed(w, things, &tx.View)}
				out.Note = shown.Notes(out.Note, in.wet(w, &tx.View))
				if now, _ := tx.Transform(in.Entity); now != before && len(tx.Children(in.Entity)) > 0 {
					out.Note = shown.Notes(out.Note, behind.Things(w, &tx.View, in.Entity, was))
				}
				return out, nil
			})
		},
	})
}

func (in *PlaceIn) place(w *world.World, things *solid.Index, tx *world.Tx) error {
	if !tx.Exists(in.Entity) {
		return tx.Unknown(in.Entity)
	}
	own := solid.Tree(w, &tx.View, in.Entity)
	if in.Relation == "onGround" {
		if in.Target != 0 || in.Point != nil {
			return registry.Invalidf("target: onGround takes neither target nor point")
		}
		own = standing(w, &tx.View, in.Entity, own)
		return in.finish(w, tx, world.Vec3{0, ground(things, &tx.View, in.Entity, own) + in.Gap - own.Lo[1], 0})
	}
	to, err := in.target(w, tx)
	if err != nil {
		return err
	}
	if fields := grounds(w, &tx.View, in.Target); in.Relation == "on" && len(fields) > 0 {
		return in.finish(w, tx, in.land(standing(w, &tx.View, in.Entity, own), to, fields))
	}
	if in.Relation == "facing" {
		return in.face(w, tx, to.Center())
	}
	way := in.snapped(own, in.way(own, to))
	if in.Relation == "on" && in.Target != 0 {
		if top, ok := top(tree(w, &tx.View, in.Target), own.Moved(way)); ok {
			way[1] -= to.Hi[1] - top
		}
	}
	return shift(tx, in.Entity, way)
}

// top returns the height of what of some solids is highest where own is, seen from above, false if nothing of them is there. What own only touches beside it does not
// count.
func top(all []solid.Solid, own solid.Bounds) (high float64, ok bool) {
	high = math.Inf(-1)
	for i := range own.Lo {
		edge := min(deep, own.Size()[i]/4)
		own.Lo[i], own.Hi[i] = own.Lo[i]+edge, own.Hi[i]-edge
	}
	for i := range all {
		for _, s := range all[i].Parts() {
			to := s.Bounds()
			lo, hi := to.Lo.Max(own.Lo), to.Hi.Min(own.Hi)
			if lo[0] > hi[0] || lo[2] > hi[2] || to.Hi[1] <= high {
				continue
			}
			if y, there := summit(s, to, lo, hi); there {
				high, ok = max(high, y), true
			}
		}
	}
	return high, ok
}

// summit returns the height of the highest place of a convex solid that takes up so much, between x and z of lo and hi, false if it has none there: how far a box of that ground plan,
// which is high enough, is let down until it touches.
func summit(s solid.Solid, to solid.Bounds, lo, hi world.Vec3) (high float64, ok bool) {
	tall := float64(to.Size()[1]/2) + 1
	mid := lo.Add(hi).Scale(0.5)
	box := solid.Solid{Kind: solid.Box, Axes: [3]world.Vec3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, Half: world.Vec3{float64((hi[0] - lo[0]) / 2), tall, float64((hi[2] - lo[2]) / 2)}}
	touches := func(y float64) bool {
		box.Center = world.Vec3{mid[0], y + tall, mid[2]}
		return solid.Within(box, s, 0)
	}
	low, high := to.Lo[1], to.Hi[1]
	if !touches(low) {
		return 0, false
	}
	for range 48 { // what it takes up is halved to less than a billionth of a millimetre, or as far as numbers go
		if y := float64(low/2) + float64(high/2); touches(y) {
			low = y
		} else {
			high = y
		}
	}
	return high, true
}

// wet says that what was put on the ground stands in water, "" if it does not.
func (in *PlaceIn) wet(w *world.World, v *world.View) string {
	const wades = 0.3 // metres of water in which things stand about
	if in.Relation != "onGround" {
		return ""
	}
	own := solid.Tree(w, v, in.Entity)
	mid := own.Center()
	level, ok := w.WaterLevel(v, mid[0], mid[2])
	switch {
	case !ok || level < own.Lo[1]+wades:
		return ""
	case own.Hi[1] <= level:
		return fmt.Sprintf("it is under water, on the bed: the water there is at y %.4g", level)
	}
	return fmt.Sprintf("it stands in water %.2g m deep, whose surface is at y %.4g", level-own.Lo[1], level)
}

// boxed says that what was put on a mesh stands on the box around that, "" if it does not.
func (in *PlaceIn) boxed(w *world.World, things *solid.Index, v *world.View) string {
	if in.Relation != "on" && in.Relation != "onGround" {
		return ""
	}
	const wide, near = 2.0, 0.05 // metres: on what is smaller the box is near enough
	own := solid.Tree(w, v, in.Entity)
	below := solid.Bounds{Lo: own.Lo.Sub(world.Vec3{0, in.Gap + near, 0}), Hi: world.Vec3{own.Hi[0], own.Lo[1], own.Hi[2]}}
	for _, f := range things.In(v, below) {
		room := f.Solid.Bounds()
		size := room.Size()
		if solid.Boxed(w, v, f.Entity) && !v.Within(f.Entity, in.Entity) && math.Abs(room.Hi[1]+in.Gap+in.Offset[1]-own.Lo[1]) < near && min(size[0], size[2]) > wide && size[1] > near {
			return fmt.Sprintf("%v is a mesh, and %v stands on the box around it: its surface may be lower there; a picture shows how much, and offset lowers it", f.Entity, in.Entity)
		}
	}
	return ""
}

// target returns what the entity is placed in relation to.
func (in *PlaceIn) target(w *world.World, tx *world.Tx) (solid.Bounds, error) {
	switch {
	case in.Target != 0 && in.Point != nil:
		return solid.Bounds{}, registry.Invalidf("point: give either target or point")
	case in.Point != nil:
		return solid.Bounds{Lo: *in.Point, Hi: *in.Point}, nil
	case in.Target == 0:
		return solid.Bounds{}, registry.Invalidf("target: %s needs a target, or a point", in.Relation)
	case !tx.Exists(in.Target):
		return solid.Bounds{}, tx.Unknown(in.Target)
	}
	if tx.Within(in.Target, in.Entity) {
		return solid.Bounds{}, registry.Invalidf("target: %v is %v itself or below it: it would move along", in.Target, in.Entity)
	}
	return solid.Tree(w, &tx.View, in.Target), nil
}

// way returns how far own has to move.
func (in *PlaceIn) way(own, to solid.Bounds) world.Vec3 {
	mid := to.Center().Sub(own.Center())
	level := to.Lo[1] - own.Lo[1] // both stand on the same floor
	switch in.Relation {
	case "on":
		return world.Vec3{mid[0], to.Hi[1] + in.Gap - own.Lo[1], mid[2]}
	case "under":
		return world.Vec3{mid[0], to.Lo[1] - in.Gap - own.Hi[1], mid[2]}
	case "leftOf":
		return world.Vec3{to.Lo[0] - in.Gap - own.Hi[0], level, mid[2]}
	case "rightOf":
		return world.Vec3{to.Hi[0] + in.Gap - own.Lo[0], level, mid[2]}
	case "inFrontOf":
		return world.Vec3{mid[0], level, to.Hi[2] + in.Gap - own.Lo[2]}
	case "behind":
		return world.Vec3{mid[0], level, to.Lo[2] - in.Gap - own.Hi[2]}
	case "inside":
		return world.Vec3{mid[0], level + in.Gap, mid[2]}
	}
	return in.align(own, to)
}

func (in *PlaceIn) align(own, to solid.Bounds) (way world.Vec3) {
	for _, axis := range in.Axes {
		i := axis - 'x'
		switch in.Edge {
		case "min":
			way[i] = to.Lo[i] - own.Lo[i]
		case "max":
			way[i] = to.Hi[i] - own.Hi[i]
		default:
			way[i] = to.Center()[i] - own.Center()[i]
		}
	}
	return way
}

// finish moves the entity, after offset and grid.
func (in *PlaceIn) finish(w *world.World, tx *world.Tx, way world.Vec3) error {
	return shift(tx, in.Entity, in.snapped(solid.Tree(w, &tx.View, in.Entity), way))
}

// snapped is a way of own with offset and grid.
func (in *PlaceIn) snapped(own solid.Bounds, way world.Vec3) world.Vec3 {
	way = way.Add(in.Offset)
	if in.Grid > 0 {
		mid := own.Center().Add(way)
		for _, i := range [...]int{0, 2} {
			way[i] += float64(math.Round(mid[i]/in.Grid)*in.Grid) - mid[i]
		}
	}
	return way
}

// face turns the entity about the vertical axis, and a spot up and down, too: its light goes to the target.
func (in *PlaceIn) face(w *world.World, tx *world.Tx, to world.Vec3) error {
	t, _ := tx.WorldTransform(in.Entity)
	d := to.Sub(t.Position)
	turn, ok := world.Yaw(d[0], d[2])
	if lamp, _ := w.Lights.Get(&tx.View, in.Entity); lamp.Kind == "spot" {
		turn, ok = curve.Facing(d.Scale(1/d.Len())), d.Len() > 0
	}
	if !ok {
		return registry.Invalidf("target: is straight above or below %v, so that no way of turning faces it", in.Entity)
	}
	t.Rotation = turn
	t.Position = t.Position.Add(in.Offset)
	return set(tx, in.Entity, t)
}

// grounds returns the pieces of generated ground that an entity is, or has below it.
func grounds(w *world.World, v *world.View, id world.ID) (fields []solid.Solid) {
	if id == 0 {
		return nil
	}
	for _, s := range tree(w, v, id) {
		if s.Kind == solid.Field {
			fields = append(fields, s)
		}
	}
	return fields
}

// standing returns the bounds of an entity, own, without how far foundations reach down below the rest of it.
func standing(w *world.World, v *world.View, id world.ID, own solid.Bounds) solid.Bounds {
	low, dug := own.Hi[1], false
	look := func(id world.ID) {
		if s, ok := solid.Of(w, v, id); ok && !v.HasTag(id, solid.Foundation) {
			low = min(low, s.Bounds().Lo[1])
		}
		dug = dug || v.HasTag(id, solid.Foundation)
	}
	look(id)
	for below := range v.Below(id) {
		look(below)
	}
	if dug && low < own.Hi[1] {
		own.Lo[1] = low
	}
	return own
}

// land returns how far own has to move to stand on ground: where it is if it is over that, else in its middle.
func (in *PlaceIn) land(own, to solid.Bounds, fields []solid.Solid) world.Vec3 {
	mid := own.Center()
	for _, at := range [...]world.Vec3{mid, to.Center()} {
		for i := range fields {
			if _, y, ok := fields[i].Column(at[0], at[2]); ok {
				return world.Vec3{at[0] - mid[0], y + in.Gap - own.Lo[1], at[2] - mid[2]}
			}
		}
	}
	return in.way(own, to)
}

// ground returns the height of what is highest under the middle of an entity: the top of something
// that it does not hold and that is not above its own top, or the ground: generated ground if there is
// any, which may be lower than 0 and under which nothing is, and else 0.
func ground(things *solid.Index, v *world.View, id world.ID, own solid.Bounds) (high float64) {
	high, _ = groundOf(things, v, id, own)
	return high
}

// groundOf is ground, and returns how much was looked at.
func groundOf(things *solid.Index, v *world.View, id world.ID, own solid.Bounds) (high float64, looked int) {
	mid := own.Center()
	high, _ = things.Ground(v, mid[0], mid[2])
	below := solid.Bounds{Lo: world.Vec3{mid[0], min(high, own.Hi[1]), mid[2]}, Hi: world.Vec3{mid[0], own.Hi[1], mid[2]}}
	things.Each(v, below, func(f *solid.Found) bool {
		looked++
		_, top, ok := f.Solid.Column(mid[0], mid[2])
		if ok && top > high && top <= own.Hi[1] && !v.Within(f.Entity, id) {
			high = top
		}
		return true
	})
	return high, looked
}

// overlaps returns what an entity, or something below it, is in.
func overlaps(w *world.World, things *solid.Index, v *world.View, id world.ID) []world.ID {
	own, s := tree(w, v, id), site{w: w, v: v, things: things}
	var in []world.ID
	for _, f := range things.In(v, solid.Tree(w, v, id)) {
		if len(in) == maxOverlaps {
			break
		}
		if v.Within(f.Entity, id) || f.Solid.Kind == solid.Field { // what stands on a slope digs in
			continue
		}
		if s.in(own, world.Vec3{}, &f) {
			in = append(in, f.Entity)
		}
	}
	return in
}

// tree returns the solids of an entity and of everything below it.
func tree(w *world.World, v *world.View, id world.ID) (all []solid.Solid) {
	add := func(id world.ID) {
		if s, ok := solid.Of(w, v, id); ok {
			all = append(all, s)
		}
	}
	add(id)
	for part := range v.Below(id) {
		add(part)
	}
	return all
}
