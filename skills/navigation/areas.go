package navigation

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// Area is a part of a grid from which no way leads out.
type Area struct {
	Cells  int        `json:"cells" jsonschema_description:"How many cells it has; with levels, places."`
	At     world.Vec3 `json:"at" jsonschema_description:"One of them, near its middle."`
	Entity world.ID   `json:"entity,omitempty" jsonschema_description:"What it is in, or on, if it is in something that the largest is not in: a house whose doors are too narrow, for one."`
}

// told is how many areas navmesh.build tells of at most, and small how many cells one has at least.
const (
	told  = 8
	small = 4
)

// parts returns of each place in which area it is, counted from 0 in the order of their first places, -1 for one where nobody can be; and how many places each has.
func (g *Grid) parts() (of []int32, sizes []int) {
	of = make([]int32, g.places())
	for i := range of {
		of[i] = -1
	}
	var queue []int
	for place := range of {
		if of[place] >= 0 || !g.walkable(place) {
			continue
		}
		n := int32(len(sizes))
		queue = g.flood(place, queue[:0], func(p int) bool {
			if of[p] >= 0 {
				return false
			}
			of[p] = n
			return true
		})
		sizes = append(sizes, len(queue))
	}
	return of, sizes
}

// flood appends to a queue all places that one gets to from a place, it included. enter is asked of each, and reports whether that was not reached before.
// Diagonal steps lead to no others, as they need those beside them.
func (g *Grid) flood(from int, queue []int, enter func(place int) bool) []int {
	if !enter(from) {
		return queue
	}
	queue = append(queue, from)
	for i := len(queue) - 1; i < len(queue); i++ {
		col, row := g.at(queue[i])
		for way := range 4 {
			if next, ok := g.step(queue[i], col, row, way); ok && enter(next) {
				queue = append(queue, next)
			}
		}
	}
	return queue
}

// reached returns of each place whether one gets there from a place.
func (g *Grid) reached(from int) []bool {
	in := make([]bool, g.places())
	g.flood(from, nil, func(place int) bool {
		if in[place] {
			return false
		}
		in[place] = true
		return true
	})
	return in
}

// closest returns the middle of the place that is nearest to a point of those that one gets to from another, as seen from above and by storeys; false if nobody
// can be at that.
func (g *Grid) closest(from, to world.Vec3) (world.Vec3, bool) {
	a, ok := g.placeAt(from)
	if !ok {
		return to, false
	}
	in := g.reached(a)
	return g.nearestOf(to, func(place int) bool { return in[place] })
}

// goal is where a way is to end: at a point, or where an entity is, which takes up room there.
type goal struct {
	at     world.Vec3
	entity world.ID // 0: a point
	room   solid.Bounds
}

// goal returns where a way to somewhere is to end.
func (m *Mesh) goal(v *world.View, to Target) (is goal, err error) {
	is.entity = to.Entity
	if is.at, err = to.At(v); err == nil && to.Entity != 0 {
		is.room = solid.Tree(m.w, v, to.Entity)
	}
	return is, err
}

// toward returns the place for somebody who sets out at a point and wants to get to a goal: that or, of an entity, the nearest to it to which a way leads. why says
// why there is none within [Out] of the entity, "" if there is; the place is what there is all the same.
func (g *Grid) toward(from world.Vec3, is *goal) (to world.Vec3, why string) {
	a, ok := g.placeAt(from)
	if is.entity == 0 || !ok {
		return is.at, ""
	}
	in := g.reached(a)
	if b, ok := g.placeAt(is.at); ok && in[b] {
		return is.at, ""
	}
	near, ok := g.nearestOf(is.at, func(place int) bool { return in[place] })
	if !ok {
		return is.at, ""
	}
	if far := near.Max(is.room.Lo).Min(is.room.Hi).Flat(near); far > Out {
		return near, fmt.Sprintf("no way leads to %v: the nearest place that can be reached is %v, %.3g m from it", is.entity, shown.Point(near), far)
	}
	return near, ""
}

// Astray returns the first of some points to which no way leads from where an entity is, and the nearest place to that to which one does; -1 if there is a way to
// all, or no grid is built, or the entity is where nobody can be.
func (m *Mesh) Astray(v *world.View, id world.ID, points []world.Vec3) (which int, nearest world.Vec3) {
	g := m.see(v)
	at, ok := v.Position(id)
	if g == nil || !ok || len(points) == 0 {
		return -1, nearest
	}
	at, above := g.start(at, m.above(v, id))
	if above != nil {
		at[1] -= *above
	}
	from, ok := g.placeAt(at)
	if !ok {
		return -1, nearest
	}
	in := g.reached(from)
	for i, p := range points {
		if place, ok := g.placeAt(g.beside(p)); ok && in[place] {
			continue
		}
		nearest, _ = g.nearestOf(p, func(place int) bool { return in[place] })
		return i, shown.Point(nearest)
	}
	return -1, nearest
}

// areas returns the areas of a grid, without those that are small, the largest first and [told] at most, and what is to be said about them: nothing, of one.
func (in *BuildIn) areas(m *Mesh, v *world.View, g *Grid) (all []Area, note string) {
	of, sizes := g.parts()
	var order []int
	for i, size := range sizes {
		if size >= small {
			order = append(order, i)
		}
	}
	n := len(order)
	if n < 2 {
		return nil, ""
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
	order = order[:min(n, told)]
	for i, at := range g.middles(of, sizes, order) {
		all = append(all, Area{Cells: sizes[order[i]], At: shown.Point(at)})
	}
	m.inside(v, g, all)
	wide := shown.Number(2*in.radius() + 2*in.CellSize)
	note = fmt.Sprintf("%d areas of %d cells and more that no way joins; the largest has %d cells", n, small, all[0].Cells)
	for _, a := range all[1:] {
		if a.Entity != 0 {
			note += fmt.Sprintf("; %s holds one of %d", a.Entity, a.Cells)
		}
	}
	return all, note + fmt.Sprintf(". Gaps and doors are sure to be open from %v m on, 2 agentRadius + 2 cellSize: smaller cells open narrower ones, 0.2 with an agentRadius of 0.4 those of houses", wide)
}

// middles returns a place of each of some areas that is near its middle.
func (g *Grid) middles(of []int32, sizes, areas []int) []world.Vec3 {
	sum := make([]world.Vec3, len(areas))
	which := map[int32]int{}
	for i, a := range areas {
		which[int32(a)] = i
	}
	each := func(fn func(i int, at world.Vec3)) {
		for cell := range g.len() {
			for place, end := g.in(cell); place < end; place++ {
				if i, ok := which[of[place]]; ok {
					fn(i, g.middle(cell, place))
				}
			}
		}
	}
	each(func(i int, at world.Vec3) { sum[i] = sum[i].Add(at) })
	best, far := make([]world.Vec3, len(areas)), make([]float64, len(areas))
	for i := range far {
		sum[i], far[i] = sum[i].Scale(1/float64(sizes[areas[i]])), math.Inf(1)
	}
	each(func(i int, at world.Vec3) {
		if d := at.Dist(sum[i]); d < far[i] {
			best[i], far[i] = at, d
		}
	})
	return best
}

// inside says of areas what they are in that the first is not in: the smallest such thing that is under nothing, as seen from above.
func (m *Mesh) inside(v *world.View, g *Grid, areas []Area) {
	size := make([]float64, len(areas))
	holds := func(b *solid.Bounds, at world.Vec3) bool {
		if g.Heights == nil {
			at[1] = b.Hi[1] // the ground is where it is built for
		}
		return b.Lo[0] <= at[0] && at[0] <= b.Hi[0] && b.Lo[2] <= at[2] && at[2] <= b.Hi[2] && b.Lo[1]-afoot <= at[1] && at[1] <= b.Hi[1]+touching
	}
	for id := range v.All() {
		if v.Parent(id) != 0 || m.w.Grounds.Has(v, id) || m.moves(v, id, nil) {
			continue
		}
		b := solid.Tree(m.w, v, id)
		if !(b.Hi[0] > b.Lo[0]) || holds(&b, areas[0].At) {
			continue
		}
		for i := 1; i < len(areas); i++ {
			flat := float64((b.Hi[0] - b.Lo[0]) * (b.Hi[2] - b.Lo[2]))
			if holds(&b, areas[i].At) && (areas[i].Entity == 0 || flat < size[i]) {
				areas[i].Entity, size[i] = id, flat
			}
		}
	}
}
