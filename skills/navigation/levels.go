package navigation

import (
	"math"
	"slices"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/given"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// pace is how far apart the points are, in metres, at which the floor under a way is looked at.
const pace = 0.1

// steepness notes what floors of a grid are walked on.
func (s *survey) steepness() {
	s.slope, s.lowest, s.most = groundSlope, -world.MaxNumber, world.MaxNumber
	if h := s.in.HeightField; h != nil {
		given.Set(&s.slope, h.MaxSlope)
		given.Set(&s.lowest, h.MinY)
		given.Set(&s.most, h.MaxY)
	}
}

// findFloors has a grid, which is as it was, have all places where one can stand in the marked cells, and the ways between those that touch.
func (s *survey) findFloors(m *Mesh, v *world.View, g *Grid) error {
	if s.in.Water != ignoreWater && m.w.Waters.Len(v) > 0 {
		s.level = m.w.Pools(v).Level
	}
	defer func() { s.level, s.swims = nil, nil }()
	was := *g
	g.Floors = &Floors{First: make([]int32, 1, g.len()+1), Step: s.in.Step, Above: s.in.Height + s.in.Step}
	g.Heights = make([]float64, 0, len(was.Heights))
	g.Floors.Links = make([]byte, 0, len(was.Heights))
	for cell := 0; cell < g.len(); {
		if !s.mark[cell] {
			cell = s.keep(g, &was, cell)
			continue
		}
		if !has(s.base, cell) {
			s.places(g, cell)
			g.Floors.Links = append(g.Floors.Links, make([]byte, len(g.Heights)-len(g.Floors.Links))...)
		}
		if len(g.Heights) > MaxCells {
			return registry.Errorf(registry.CodeCapacityExceeded, "levels: there are more than %d places to stand: navmesh.build it with larger cells or smaller bounds", MaxCells)
		}
		g.Floors.First = append(g.Floors.First, int32(len(g.Heights)))
		cell++
	}
	for cell, marked := range s.mark {
		if !marked {
			continue
		}
		col, row := cell%g.Cols, cell/g.Cols
		for i := 0; i < 4; i += 2 { // +x, +z
			dx, dz := neighbours[i][0], neighbours[i][1]
			if col+dx < g.Cols && row+dz < g.Rows {
				s.link(g, cell, cell+dz*g.Cols+dx, i)
			}
			if before := cell - dz*g.Cols - dx; col >= dx && row >= dz && !s.mark[before] {
				s.link(g, before, cell, i)
			}
		}
	}
	g.Deep = nil
	if len(s.swims) > 0 {
		g.Deep = noneOf(len(g.Heights))
		for _, place := range s.swims {
			put(g.Deep, place)
		}
	}
	g.Blocked = nil // no more than that nothing is there
	return nil
}

// keep has a grid be as it was from a cell on, up to the next one that is marked, which it returns.
func (s *survey) keep(g, was *Grid, cell int) (next int) {
	next = g.len()
	if n := slices.Index(s.mark[cell:], true); n >= 0 {
		next = cell + n
	}
	first, end := int(was.Floors.First[cell]), int(was.Floors.First[next])
	shift := len(g.Heights) - first
	for place := first; place < end && was.Deep != nil; place++ {
		if was.deep(place) {
			s.swims = append(s.swims, place+shift)
		}
	}
	g.Heights = append(g.Heights, was.Heights[first:end]...)
	g.Floors.Links = append(g.Floors.Links, was.Floors.Links[first:end]...)
	for _, end := range was.Floors.First[cell+1 : next+1] {
		g.Floors.First = append(g.Floors.First, end+int32(shift))
	}
	return next
}

// level reports whether a solid is a box of which a side is level.
func level(s *solid.Solid) bool {
	if s.Kind != solid.Box {
		return false
	}
	for _, a := range s.Axes {
		if math.Abs(a[1]) == 1 {
			return true
		}
	}
	return false
}

// places adds the places of a cell to a grid.
func (s *survey) places(g *Grid, cell int) {
	at := g.spot(cell, 0)
	s.here = append(s.here[:0], s.floors(cell, at[0], at[2])...)
	floors := s.here
	up, wet := s.afloat(at[0], at[2])
	for i, floor := range floors {
		switch {
		case floor < s.lowest || floor > s.most:
		case i+1 < len(floors) && floors[i+1] <= floor+s.in.Step: // one stands on that
		case s.room(cell, floor):
			if wet && floor == up {
				s.swims = append(s.swims, len(g.Heights))
			}
			g.Heights = append(g.Heights, floor)
		}
	}
}

// floors returns how high somebody who is over a cell may stand at x, z, lowest first: on the ground, and on what is there. What is too steep, or under
// ground, is no floor. They are good until it is asked again.
func (s *survey) floors(cell int, x, z float64) []float64 {
	at := column{x: x, z: z, floors: s.heights[:0], ground: s.in.Ground}
	for _, i := range s.over[cell] {
		t := &s.things[i]
		if x < t.b.Lo[0] || x > t.b.Hi[0] || z < t.b.Lo[2] || z > t.b.Hi[2] {
			continue
		}
		switch {
		case t.upright && !t.ground && !s.dull:
			if t.under(x, z) {
				at.floors = append(at.floors, t.top)
			}
		case t.s.Kind != solid.Model:
			if _, high, ok := t.s.Column(x, z); ok {
				s.meets(&at, t, &t.s, high)
			}
		default: // a gallery may be over an arcade
			several := at // so that what has no such parts needs no memory
			t.s.Columns(x, z, func(of *solid.Solid, _, high float64) { s.meets(&several, t, of, high) })
			at = several
		}
	}
	floors, ground, steep := at.floors, at.ground, at.steep
	floors = slices.DeleteFunc(floors, func(y float64) bool { return y <= ground+touching })
	if up, wet := s.afloat(x, z); !steep || wet && ground < up { // what one swims over may be steep
		floors = append(floors, ground)
	}
	for i, y := range floors { // to a micrometre, so that what was to be level is
		floors[i] = math.Round(y*1e6) / 1e6
	}
	slices.Sort(floors)
	floors = s.float(floors, x, z)
	s.heights = floors[:0]
	return floors
}

// column is what there is to stand on at x, z, as far as it has been looked at.
type column struct {
	x, z   float64
	floors []float64
	ground float64
	found  bool // generated ground
	steep  bool // … where it is that
}

// meets notes the upper side of a convex part of a thing.
func (s *survey) meets(at *column, t *surface, of *solid.Solid, high float64) {
	switch {
	case !t.ground:
		if t.level || !s.steep(of, at.x, at.z, high) {
			at.floors = append(at.floors, high)
		}
	case !at.found || high > at.ground:
		at.ground, at.found, at.steep = high, true, s.steep(of, at.x, at.z, high)
	}
}

// steep reports whether a solid is too steep to stand on at a point of its upper side, by how much that rises or falls from there on, as far as it goes.
func (s *survey) steep(o *solid.Solid, x, z, high float64) bool {
	const near = 1e-3
	var rise [2]float64
	for i, d := range [4][2]float64{{near, 0}, {-near, 0}, {0, near}, {0, -near}} {
		if _, y, ok := o.Column(x+d[0], z+d[1]); ok {
			rise[i/2] = max(rise[i/2], math.Abs(y-high)/near)
		}
	}
	return float64(rise[0]*rise[0])+float64(rise[1]*rise[1]) > float64(s.slope*s.slope)+touching
}

// room reports whether somebody has room on a floor everywhere in a cell. What he steps or climbs onto from its middle is not in the way.
func (s *survey) room(cell int, floor float64) bool {
	room := s.in.room(s.g, cell, floor)
	for _, i := range s.over[cell] {
		t := &s.things[i]
		if t.ground {
			continue
		}
		if s.in.crowds(&room, floor, &t.thing) && !s.climbs(room.Center, floor, &t.thing) {
			return false
		}
	}
	return true
}

// climbs reports whether one gets, from a floor under a point, onto a thing where that is nearest.
func (s *survey) climbs(from world.Vec3, floor float64, t *thing) bool {
	to := from.Max(t.b.Lo).Min(t.b.Hi)
	in := t.s.Center.Sub(to)
	in = in.Scale(min(1, 1e-3/max(in.Len(), 1e-9))) // a millimetre, so as to be on it
	to = to.Add(in)
	_, top, ok := t.s.Column(to[0], to[2])
	for range 10 { // a turned one does not fill its bounds
		if ok {
			break
		}
		to = to.Add(t.s.Center).Scale(0.5)
		_, top, ok = t.s.Column(to[0], to[2])
	}
	at, got := s.follow(from, floor, to)
	return ok && got && math.Abs(at-top) <= touching
}

// follow goes straight from a floor under a point to under another one, over what one can step onto and off on the way, and returns on which floor that
// is. It is false if something is too high, too deep or too steep.
func (s *survey) follow(from world.Vec3, floor float64, to world.Vec3) (at float64, ok bool) {
	n := math.Ceil(from.Flat(to) / pace)
	for i := 1.0; i <= n; i++ {
		part := i / n
		x, z := from[0]+float64((to[0]-from[0])*part), from[2]+float64((to[2]-from[2])*part)
		if floor, ok = s.onto(x, z, floor); !ok {
			return 0, false
		}
	}
	return floor, true
}

// onto returns the highest floor at x, z that is a step at most from one beside it.
func (s *survey) onto(x, z, floor float64) (at float64, ok bool) {
	g := s.g
	col, row := math.Floor((x-g.MinX)/g.CellSize), math.Floor((z-g.MinZ)/g.CellSize)
	col, row = min(max(col, 0), float64(g.Cols-1)), min(max(row, 0), float64(g.Rows-1)) // beside the grid what is over its edge is known
	return s.step(s.floors(int(row)*g.Cols+int(col), x, z), floor)
}

// step returns the highest of floors that is a step at most from one beside them.
func (s *survey) step(floors []float64, floor float64) (at float64, ok bool) {
	for _, at := range slices.Backward(floors) {
		if at <= floor+s.in.Step+touching {
			return at, at >= floor-s.in.Step-touching
		}
	}
	return 0, false
}

// link finds the ways from the places of a cell to those of the next one along x, i being 0, or z, i being 2, which are ways back too.
func (s *survey) link(g *Grid, cell, next, i int) {
	first, end := g.in(cell)
	a, b := g.in(next)
	for place := first; place < end; place++ {
		g.Floors.Links[place] &^= 1 << i
	}
	for place := a; place < b; place++ {
		g.Floors.Links[place] &^= 2 << i
	}
	var floors []float64
	var same bool // they are the same all the way
	for place := first; a < b && place < end; place++ {
		if place == first {
			floors, same = s.plain(g, cell, next)
		}
		other := g.nearestIn(next, g.Heights[place])
		if g.nearestIn(cell, g.Heights[other]) == place && s.joined(g, cell, place, next, other, floors, same) {
			g.Floors.Links[place] |= 1 << i
			g.Floors.Links[other] |= 2 << i
		}
	}
}

// plain returns the floors on the way from the middle of a cell to that of the next, if they are sure to be the same all the way, as they are mostly: what is there is
// upright and under all of it, or beside it.
func (s *survey) plain(g *Grid, cell, next int) (floors []float64, same bool) {
	if s.level != nil || s.dull {
		return nil, false
	}
	a, b := g.spot(cell, 0), g.spot(next, 0)
	for _, c := range [...]int{cell, next} {
		for _, i := range s.over[c] {
			t := &s.things[i]
			beside := b[0] < t.b.Lo[0]-touching || a[0] > t.b.Hi[0]+touching || b[2] < t.b.Lo[2]-touching || a[2] > t.b.Hi[2]+touching
			under := t.upright && !t.ground && t.b.Lo[0]+touching < a[0] && b[0] < t.b.Hi[0]-touching && t.b.Lo[2]+touching < a[2] && b[2] < t.b.Hi[2]-touching
			if !beside && !under {
				return nil, false
			}
		}
	}
	return s.floors(cell, a[0], a[2]), true
}

// joined reports whether one gets from the middle of a place in a cell to that of one in the next, and back. floors are those on the way, if they are the same all
// the way.
func (s *survey) joined(g *Grid, cell, place, next, other int, floors []float64, same bool) bool {
	a, b := g.middle(cell, place), g.middle(next, other)
	if len(s.over[cell]) == 0 && len(s.over[next]) == 0 {
		return true // the level ground
	}
	way := func(from, to world.Vec3) bool {
		there, ok := from[1], true
		if same {
			for range int(math.Ceil(from.Flat(to) / pace)) {
				before := there
				if there, ok = s.step(floors, there); !ok || there == before {
					break
				}
			}
		} else {
			there, ok = s.follow(from, from[1], to)
		}
		return ok && math.Abs(there-to[1]) <= touching
	}
	return way(a, b) && way(b, a)
}
