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

// survey finds the places of a grid with floors. It is that of one call, in its transaction.
type survey struct {
	in     *BuildIn
	g      *Grid
	things []surface
	over   [][]int32 // of each cell, what of things may be within reach of who stands in it
	slope  float64   // how steep a floor is at most, height for distance
	lowest float64
	most   float64
	level  func(x, z float64) (y float64, ok bool) // of water
	swims  []int                                   // places
	work   int                                     // what was looked at closely, in sixteenths of a pair of solids
}

// surface is a thing of which it matters what is on top.
type surface struct {
	thing
	ground bool
	level  bool // its upper side is
}

// findFloors has the grid have all places where one can stand, and the ways between those that touch.
func (in *BuildIn) findFloors(m *Mesh, v *world.View, g *Grid) error {
	s := &survey{in: in, g: g, slope: groundSlope, lowest: -world.MaxNumber, most: world.MaxNumber}
	if h := in.HeightField; h != nil {
		given.Set(&s.slope, h.MaxSlope)
		given.Set(&s.lowest, h.MinY)
		given.Set(&s.most, h.MaxY)
	}
	if in.Water != ignoreWater && m.w.Waters.Len(v) > 0 {
		s.level = func(x, z float64) (float64, bool) { return m.w.WaterLevel(v, x, z) }
	}
	if err := s.collect(m, v); err != nil {
		return err
	}
	g.Floors = &Floors{First: make([]int32, 1, g.len()+1), Step: in.Step, Above: in.Height + in.Step}
	g.Heights = []float64{}
	for cell := range g.len() {
		if !g.blocked(cell) {
			s.places(cell)
		}
		if len(g.Heights) > MaxCells {
			return registry.Errorf(registry.CodeCapacityExceeded, "levels: there are more than %d places to stand: take larger cells or smaller bounds", MaxCells)
		}
		if s.work > maxTests*16 {
			return in.tooMuch()
		}
		g.Floors.First = append(g.Floors.First, int32(len(g.Heights)))
	}
	g.Floors.Links = make([]byte, len(g.Heights))
	for cell := range g.len() {
		if s.link(cell); s.work > maxTests*16 {
			return in.tooMuch()
		}
	}
	if len(s.swims) > 0 {
		g.Deep = make([]byte, (len(g.Heights)+7)/8)
		for _, place := range s.swims {
			g.Deep[place>>3] |= 1 << (place & 7)
		}
	}
	g.Blocked = nil // no more than that nothing is there
	return nil
}

// collect finds what is in the world, and which cells it is over.
func (s *survey) collect(m *Mesh, v *world.View) error {
	ignored, err := s.in.ignored(v)
	if err != nil {
		return err
	}
	g := s.g
	s.over = make([][]int32, g.len())
	for id := range v.All() {
		ground := m.w.Grounds.Has(v, id)
		if !ground && m.moves(v, id, ignored) {
			continue
		}
		o, ok := solid.Of(m.w, v, id)
		if !ok {
			continue
		}
		t := surface{newThing(o), ground, level(&o)}
		for cell := range g.near(t.b, s.in.AgentRadius) {
			s.over[cell] = append(s.over[cell], int32(len(s.things)))
			s.work++
		}
		if s.work > maxTests*16 {
			return s.in.tooMuch()
		}
		s.things = append(s.things, t)
	}
	return nil
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

// places adds the places of a cell to the grid.
func (s *survey) places(cell int) {
	g := s.g
	at := g.spot(cell, 0)
	floors := s.floors(cell, at[0], at[2])
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
// ground, is no floor.
func (s *survey) floors(cell int, x, z float64) (floors []float64) {
	ground, found, steep := s.in.Ground, false, false
	for _, i := range s.over[cell] {
		t := &s.things[i]
		if x < t.b.Lo[0] || x > t.b.Hi[0] || z < t.b.Lo[2] || z > t.b.Hi[2] {
			continue
		}
		s.work++
		_, high, ok := t.s.Column(x, z)
		switch {
		case !ok:
		case !t.ground:
			if t.level || !s.steep(&t.s, x, z, high) {
				floors = append(floors, high)
			}
		case !found || high > ground:
			ground, found, steep = high, true, s.steep(&t.s, x, z, high)
		}
	}
	floors = slices.DeleteFunc(floors, func(y float64) bool { return y <= ground+touching })
	if up, wet := s.afloat(x, z); !steep || wet && ground < up { // what one swims over may be steep
		floors = append(floors, ground)
	}
	for i, y := range floors { // to a micrometre, so that what was to be level is
		floors[i] = math.Round(y*1e6) / 1e6
	}
	slices.Sort(floors)
	return s.float(floors, x, z)
}

// steep reports whether a solid is too steep to stand on at a point of its upper side, by how much that rises or falls from there on, as far as it goes.
func (s *survey) steep(o *solid.Solid, x, z, high float64) bool {
	const near = 1e-3
	s.work += 4
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
		crowded, closely := s.in.crowds(&room, floor, &t.thing)
		if closely {
			s.work += 16
		}
		if crowded && !s.climbs(room.Center, floor, &t.thing) {
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
	floors := s.floors(int(row)*g.Cols+int(col), x, z)
	for _, at := range slices.Backward(floors) {
		if at <= floor+s.in.Step+touching {
			return at, at >= floor-s.in.Step-touching
		}
	}
	return 0, false
}

// link finds the ways from the places of a cell to those of the next ones along x and z, which are ways back too.
func (s *survey) link(cell int) {
	g := s.g
	first, end := g.in(cell)
	col, row := cell%g.Cols, cell/g.Cols
	for i := 0; i < 4; i += 2 { // +x, +z
		c, r := col+neighbours[i][0], row+neighbours[i][1]
		if c == g.Cols || r == g.Rows {
			continue
		}
		next := r*g.Cols + c
		if a, b := g.in(next); a == b {
			continue
		}
		for place := first; place < end; place++ {
			other := g.nearestIn(next, g.Heights[place])
			if g.nearestIn(cell, g.Heights[other]) == place && s.joined(cell, place, next, other) {
				g.Floors.Links[place] |= 1 << i
				g.Floors.Links[other] |= 2 << i
			}
		}
	}
}

// joined reports whether one gets from the middle of a place in a cell to that of one in the next, and back.
func (s *survey) joined(cell, place, next, other int) bool {
	a, b := s.g.middle(cell, place), s.g.middle(next, other)
	if len(s.over[cell]) == 0 && len(s.over[next]) == 0 {
		return true // the level ground
	}
	there, ok := s.follow(a, a[1], b)
	if !ok || math.Abs(there-b[1]) > touching {
		return false
	}
	back, ok := s.follow(b, b[1], a)
	return ok && math.Abs(back-a[1]) <= touching
}
