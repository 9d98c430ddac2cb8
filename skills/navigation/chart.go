package navigation

import (
	"math"
	"reflect"
	"slices"
	"sync"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// chart holds the grid of a world as the world is now, or, for steps, was a moment ago. It follows from how the grid was built and from what stands there, and from nothing
// else: a world that is read from a disk, or replayed, has the same one. It is made when it is first asked for; then what has changed is made anew, and what that may matter to.
type chart struct {
	trail *world.Trail

	mu   sync.RWMutex // guards what follows against others who ask
	land *survey
	now  sight
	step sight  // what steps see
	at   uint64 // the step in which they looked last
}

// sight is the grid as somebody sees it.
type sight struct {
	of    *Grid // how it was built
	every uint64
	grid  *Grid
	err   error // why there is none: nobody can walk on grid then
}

// now returns the grid as the world is now, nil if none was built. The error says why that cannot be.
func (m *Mesh) now(v *world.View) (*Grid, error) {
	how := m.grid.Get(v)
	if how == nil || how.How == nil {
		return how, nil
	}
	c := &m.chart
	stepping, step := v.Stepping(), v.Step()
	c.mu.RLock()
	if stepping && c.step.of == how && (c.at == step || step%c.step.every != 0) {
		defer c.mu.RUnlock()
		return c.step.grid, c.step.err
	}
	if !stepping && c.now.of == how && c.trail.Current(v) {
		defer c.mu.RUnlock()
		return c.now.grid, c.now.err
	}
	c.mu.RUnlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.catchUp(m, v, how)
	if stepping {
		c.step, c.at = c.now, step
	}
	return c.now.grid, c.now.err
}

// catchUp makes the grid what it is now. mu is held.
func (c *chart) catchUp(m *Mesh, v *world.View, how *Grid) {
	if c.now.of != how {
		c.land = nil
	}
	c.trail.Follow(v, func() { c.land = nil }, func(id world.ID) {
		if c.land != nil {
			c.land.update(m, v, id)
		}
	})
	if c.land == nil || c.land.void {
		c.land = newSurvey(m, v, how.How)
	}
	c.now = sight{of: how, every: c.land.every()}
	if c.now.err = c.land.draw(m, v); c.now.err != nil {
		c.land.void = true
		c.now.grid = how.How.closed()
	} else {
		c.now.grid = c.land.g
	}
}

// every is in how many steps one looks at what has changed: what changes all the time, such as a flood that rises, costs a step no more than it can spare. That depends on
// nothing but the grid, so that steps that are taken again see what they saw, whoever has asked in between.
func (s *survey) every() uint64 {
	const each, most = 2048, 128
	return uint64(min(max(len(s.over)*s.samples/each, 1), most))
}

// samples is at how many points one looks for each cell.
func (in *BuildIn) samples() int {
	if !in.Levels {
		return 1
	}
	return 1 + int(min(4*in.CellSize/pace, 1<<20))
}

// size is how many entities the grid follows from.
func (c *chart) size() int {
	if c.land == nil {
		return 0
	}
	return len(c.land.slots)
}

// drop forgets what the grid follows from. What steps see stays: whether somebody has asked in between must make no difference to them.
func (c *chart) drop() { c.land, c.now = nil, sight{} }

// see is now for who goes on without: where there can be none nobody can walk.
func (m *Mesh) see(v *world.View) *Grid {
	g, _ := m.now(v)
	return g
}

// closed returns a grid on which nobody can walk.
func (in *BuildIn) closed() *Grid {
	g, _ := in.plan() // which was looked at when it was built
	for i := range g.Blocked {
		g.Blocked[i] = 0xff
	}
	return g
}

// survey is what a grid follows from, and makes it.
type survey struct {
	in      *BuildIn
	g       *Grid // the newest; only draw makes another one
	ignored map[world.ID]bool
	fixed   map[world.ID]footing // ground and water, of which all follows
	tiles   map[world.ID]*tile   // of a grid without floors: the ground
	base    []byte               // cells that are blocked whatever stands there; nil before it was laid
	things  []surface
	free    []int32            // of things
	slots   map[world.ID]int32 // of things
	over    [][]int32          // of each cell, what of things may be within reach of who stands in it
	load    []int32            // of each cell, what that costs
	weight  int                // of all of them
	samples int                // see BuildIn.samples

	flooded bool           // it has not been laid, or ground or water has changed since
	whole   bool           // it was laid for the first time, and not drawn
	void    bool           // all has to be looked at anew
	dirty   []solid.Bounds // what has changed since it was drawn
	other   []int          // cells that have other ground or water since it was drawn
	mark    []bool         // of cells; of draw

	slope  float64 // with floors: how steep one is at most, height for distance
	lowest float64
	most   float64
	level  func(x, z float64) (y float64, ok bool) // of water
	swims  []int                                   // places

	heights, here []float64 // floors are put into
	dull          bool      // for tests: all is looked up where it is, and nothing known of what is near
}

// surface is a thing of which it matters what is on top.
type surface struct {
	thing
	ground bool
	level  bool    // its upper side is
	top    float64 // of what is upright: how high that is
}

// under reports whether what is upright is under or over x, z.
func (t *surface) under(x, z float64) bool {
	h := &t.s.Half
	return h[0] > 0 && h[1] > 0 && h[2] > 0 && math.Abs((x-t.s.Center[0])/h[0]) <= 1 && math.Abs((z-t.s.Center[2])/h[2]) <= 1
}

// newSurvey looks at all of the world.
func newSurvey(m *Mesh, v *world.View, in *BuildIn) *survey {
	g, _ := in.plan()
	s := &survey{
		in: in, g: g, flooded: true, ignored: map[world.ID]bool{}, fixed: map[world.ID]footing{}, tiles: map[world.ID]*tile{}, slots: map[world.ID]int32{},
		samples: in.samples(), over: make([][]int32, g.len()), load: make([]int32, g.len()), mark: make([]bool, g.len()),
	}
	for _, id := range in.Ignore {
		s.ignored[id] = true
	}
	for id := range v.All() {
		if s.look(m, v, id); s.void {
			break
		}
	}
	return s
}

// update looks at an entity that has changed, which may be gone, and at all that is below it.
func (s *survey) update(m *Mesh, v *world.View, id world.ID) {
	if s.void {
		return
	}
	s.look(m, v, id)
	for below := range v.Below(id) {
		s.look(m, v, below)
	}
}

// lay has the grid have nothing on it but the ground and the water that there is now, and notes which cells that makes others. A grid with floors has ground among
// what stands there, and is laid once.
func (s *survey) lay(m *Mesh, v *world.View) {
	g, _ := s.in.plan()
	s.in.blockCells(g)
	if s.in.Levels {
		s.steepness()
	} else {
		s.ground(m, v, g)
	}
	base := g.Blocked
	if s.whole = s.base == nil; !s.whole {
		for cell := range g.len() {
			if has(s.base, cell) != has(base, cell) || s.g.ground(cell, s.in.Ground) != g.ground(cell, s.in.Ground) || s.g.deep(cell) != g.deep(cell) {
				s.other = append(s.other, cell)
			}
		}
		g.Blocked = s.g.Blocked // as it was drawn
	}
	s.g, s.base = g, base
}

// look takes an entity in as it is now.
func (s *survey) look(m *Mesh, v *world.View, id world.ID) {
	settled := s.settle(m, v, id)
	t, stands := s.find(m, v, id)
	slot, known := s.slots[id]
	if known {
		if old := &s.things[slot]; stands && *old == t && settled {
			return
		}
		s.remove(id, slot)
	}
	if stands {
		s.add(id, t)
	}
}

// footing is what of ground and water all follows from.
type footing struct {
	ground world.Ground
	water  world.Water
	at     world.Transform
}

// settle takes an entity in as ground or water, of which most that changes, such as a name, matters to nobody who walks. It reports whether that is as it was.
func (s *survey) settle(m *Mesh, v *world.View, id world.ID) bool {
	var is footing
	var land, wet bool
	is.ground, land = m.w.Grounds.Get(v, id)
	is.water, wet = m.w.Waters.Get(v, id)
	was, known := s.fixed[id]
	switch {
	case land || wet:
		is.at, _ = v.WorldTransform(id)
		if known && reflect.DeepEqual(is, was) {
			return true
		}
		s.fixed[id] = is
	case known:
		delete(s.fixed, id)
	default:
		return true
	}
	delete(s.tiles, id)
	switch {
	case !s.in.Levels:
		s.flooded = true
	case s.in.Water != ignoreWater:
		s.wets(&was)
		s.wets(&is)
	}
	return false
}

// wets notes that water has changed, over which floors it is or was.
func (s *survey) wets(f *footing) {
	if f.water.Size == 0 {
		return
	}
	lo, hi := f.water.Box(&f.at)
	lo[1], hi[1] = -2*world.MaxNumber, 2*world.MaxNumber
	s.dirty = append(s.dirty, solid.Bounds{Lo: lo, Hi: hi})
}

// find returns an entity as a thing that is in the way, or walked on; false if it is neither.
func (s *survey) find(m *Mesh, v *world.View, id world.ID) (t surface, ok bool) {
	if !v.Exists(id) {
		return t, false
	}
	ground := m.w.Grounds.Has(v, id)
	if !s.in.Levels && (ground || s.in.Obstacles != nil) || !ground && m.moves(v, id, s.ignored) {
		return t, false
	}
	o, ok := solid.Of(m.w, v, id)
	if !ok {
		return t, false
	}
	t = surface{thing: newThing(o, m.gives(v, id)), ground: ground, level: level(&o)}
	if t.upright {
		_, t.top, _ = o.Column(o.Center[0], o.Center[2])
	}
	return t, true
}

// maxWeight is how much a grid may have to look at: some seconds, in which the world waits.
const maxWeight = 64_000_000

// closely is how often a thing counts that is not as simple as an upright box, and crowded how much may be over a cell before it counts for more, all of it being
// held against all of it.
const (
	closely = 8
	crowded = 64
)

// costs returns what it costs to look at a cell that has a load, of so many things: each is held against every other, and costs what it does each time.
func costs(load int32, things int) int {
	over := int(max(0, load-crowded))
	if over == 0 {
		return int(load)
	}
	return int(load) + over*over/int(load)*things
}

// cost is the load of a thing.
func (t *surface) cost() int32 {
	if t.upright || t.ground {
		return 1
	}
	return closely
}

func (s *survey) add(id world.ID, t surface) {
	slot := int32(len(s.things))
	if n := len(s.free); n > 0 {
		slot, s.free = s.free[n-1], s.free[:n-1]
		s.things[slot] = t
	} else {
		s.things = append(s.things, t)
	}
	s.slots[id] = slot
	s.dirty = append(s.dirty, t.b)
	for cell := range s.g.near(t.b, s.in.radius()) {
		s.weight -= costs(s.load[cell], len(s.over[cell])) * s.samples
		s.over[cell] = append(s.over[cell], slot)
		s.load[cell] += t.cost()
		s.weight += costs(s.load[cell], len(s.over[cell])) * s.samples
		if s.weight > maxWeight {
			s.void = true
			return
		}
	}
}

func (s *survey) remove(id world.ID, slot int32) {
	t := &s.things[slot]
	delete(s.slots, id)
	s.free = append(s.free, slot)
	s.dirty = append(s.dirty, t.b)
	for cell := range s.g.near(t.b, s.in.radius()) {
		s.weight -= costs(s.load[cell], len(s.over[cell])) * s.samples
		at := slices.Index(s.over[cell], slot)
		last := len(s.over[cell]) - 1
		s.over[cell][at] = s.over[cell][last]
		s.over[cell] = s.over[cell][:last]
		s.load[cell] -= t.cost()
		s.weight += costs(s.load[cell], len(s.over[cell])) * s.samples
	}
	*t = surface{}
}

// draw makes the grid what the world is, if it is not.
func (s *survey) draw(m *Mesh, v *world.View) error {
	if s.void {
		return registry.Errorf(registry.CodeCapacityExceeded, "cellSize: there is too much in the way for a grid as fine as %v m: navmesh.build it with larger cells or smaller bounds", s.in.CellSize)
	}
	if s.flooded {
		s.lay(m, v)
		s.flooded = false
	}
	if !s.whole && len(s.dirty) == 0 && len(s.other) == 0 {
		return nil
	}
	g := *s.g
	s.spread()
	if !s.in.Levels {
		g.Blocked = slices.Clone(g.Blocked)
		s.block(&g)
	} else if err := s.findFloors(m, v, &g); err != nil {
		return err
	}
	s.g, s.whole, s.dirty, s.other = &g, false, s.dirty[:0], s.other[:0]
	return nil
}

// spread marks the cells of which something may be other than it was: those that something was or is over, and, with floors, those from which one looks whether one
// gets onto something there. That goes from a cell to where a thing in reach is nearest, and, of one that is not upright, on towards its middle.
func (s *survey) spread() {
	for i := range s.mark {
		s.mark[i] = s.whole
	}
	if s.whole {
		return
	}
	for _, cell := range s.other {
		s.mark[cell] = true
	}
	r := s.in.radius()
	for _, b := range s.dirty {
		if !s.in.Levels {
			s.marks(b, r)
			continue
		}
		s.marks(b, 2*r+2*s.g.CellSize)
		for _, slot := range s.slots {
			if t := &s.things[slot]; !t.upright && !t.ground && t.b.Near(b, 0) {
				s.marks(t.b, r)
			}
		}
	}
}

func (s *survey) marks(b solid.Bounds, r float64) {
	for cell := range s.g.near(b, r) {
		s.mark[cell] = true
	}
}

// block blocks the marked cells of a grid without floors that things are too near to, and no others of them but those of base.
func (s *survey) block(g *Grid) {
	for cell, marked := range s.mark {
		if !marked {
			continue
		}
		if has(s.base, cell) {
			g.block(cell)
			continue
		}
		g.Blocked[cell>>3] &^= 1 << (cell & 7)
		if len(s.over[cell]) == 0 {
			continue
		}
		floor := g.ground(cell, s.in.Ground)
		room := s.in.room(g, cell, floor)
		if slices.ContainsFunc(s.over[cell], func(i int32) bool { return s.in.crowds(&room, floor, &s.things[i].thing) }) {
			g.block(cell)
		}
	}
}
