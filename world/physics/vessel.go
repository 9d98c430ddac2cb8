package physics

import (
	"math"
	"slices"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// What is here has hulls float by the air in them. What is hollow, and open above or nowhere, keeps water out as long as that is lower than its rim: it is lifted by the
// water of which all of it takes the room, and whatever lies in it stays dry. Once its rim is under water it is full, and only its walls float, or sink.

// vessel is what may be hollow: a model of several pieces, or dynamic bodies that are fixed to each other.
type vessel struct {
	planks []plank            // the first is the one in whose axes all is
	around solid.Bounds       // of all of them
	pieces int                // convex ones, of all of them
	holds  map[attitude]*hold // found out when they are first needed
	grid   *grid

	// In the step that is being taken, of what is near water.
	now    *hold
	middle world.Vec3 // of what is around it, in the world
	rims   []float64  // how high the water has to be to come into each cavity, in the world
}

// plank is one of the bodies, and where it is in the axes of the first.
type plank struct {
	body *body
	form Form
	at   stance
}

// attitude is which way is up in the axes of a vessel, in steps of about 15 degrees.
type attitude [3]int8

// steady is how many attitudes there are to a unit.
const steady = 4

// up is the direction of an attitude.
func (a attitude) up() world.Vec3 {
	v := world.Vec3{float64(a[0]), float64(a[1]), float64(a[2])}
	return v.Scale(1 / v.Len())
}

// attitudeOf returns the attitude that is nearest to a direction of length 1.
func attitudeOf(up world.Vec3) (a attitude) {
	for i := range up {
		a[i] = int8(math.Round(up[i] * steady))
	}
	return a
}

// hold is what of a vessel is hollow, if one way is up.
type hold struct {
	cavities []cavity
	of       []uint8 // by cell of the grid: one more than the index of the cavity that it is of; 0: of none
}

// cavity is a room in a vessel that water comes into over a rim, or not at all.
type cavity struct {
	rim   []world.Vec3 // where water comes in first, if it tilts one way or the other; none: nowhere
	cells []cell       // their part is how much room they have, in m³
}

// Measures of looking for cavities.
const (
	finest = 16   // so many cells the longest side of a vessel has, and each at most
	coarse = 8    // … and at least
	tight  = 1.01 // walls are taken for so much larger, so that they meet
	few    = 4    // a cavity has so many cells at least …
	lots   = 255  // … and a vessel so many cavities at most
	brim   = 0.02 // so far below its rim the water has to be, in metres, to lift by all of the air

	holding = 3  // so many convex pieces it takes to hold water
	atOnce  = 16 // so many vessels are looked at in a step, each of which may take a millisecond
)

// grid is cells in the axes of a vessel, the outermost of which are outside.
type grid struct {
	lo, cell world.Vec3
	n        [3]int
	wall     [3][]bool // by axis and cell: whether there is something between it and the next
	solid    []bool
}

// lay returns the grid of a vessel.
func (s *vessel) lay() *grid {
	g := &grid{}
	size := s.around.Size()
	longest := max(size[0], size[1], size[2])
	for k := range size {
		n := min(max(int(math.Ceil(size[k]/longest*finest)), coarse), finest)
		g.cell[k] = size[k] / float64(n)
		g.n[k] = n + 2
		// What is built is symmetric, and where its halves meet is no place to look through.
		g.lo[k] = s.around.Lo[k] - float64(g.cell[k]*(1-0.0873))
	}
	count := g.n[0] * g.n[1] * g.n[2]
	g.solid = make([]bool, count)
	for k := range g.wall {
		g.wall[k] = make([]bool, count)
	}
	for i := range s.planks {
		whole := s.planks[i].form.at(s.planks[i].at.Position, s.planks[i].at.Rotation)
		for _, piece := range whole.Parts() {
			g.block(piece.Scaled(tight))
		}
	}
	return g
}

// middle returns where the middle of the cell k along an axis is.
func (g *grid) middle(axis, k int) float64 {
	return g.lo[axis] + float64(g.cell[axis]*(float64(k)+0.5))
}

func (g *grid) place(i int) (at world.Vec3) {
	for axis, k := range g.seat(i) {
		at[axis] = g.middle(axis, k)
	}
	return at
}

func (g *grid) seat(i int) [3]int {
	return [3]int{i % g.n[0], i / g.n[0] % g.n[1], i / g.n[0] / g.n[1]}
}

// stride is how far it is from a cell to the next along an axis.
func (g *grid) stride(axis int) int { return [3]int{1, g.n[0], g.n[0] * g.n[1]}[axis] }

// block notes what a convex solid is in the way of.
func (g *grid) block(s solid.Solid) {
	room := s.Bounds()
	var lo, hi [3]int // the cells whose middles may be in it
	for k := range lo {
		lo[k] = max(int(math.Floor((room.Lo[k]-g.lo[k])/g.cell[k]-0.5)), 0)
		hi[k] = min(int(math.Ceil((room.Hi[k]-g.lo[k])/g.cell[k]-0.5)), g.n[k]-1)
	}
	for axis := range lo {
		one, other := (axis+1)%3, (axis+2)%3
		step := g.stride(axis)
		for a := lo[one]; a <= hi[one]; a++ {
			for b := lo[other]; b <= hi[other]; b++ {
				from, dir := world.Vec3{}, world.Vec3{}
				from[one], from[other], dir[axis] = g.middle(one, a), g.middle(other, b), 1
				far := from
				from[axis], far[axis] = room.Lo[axis]-1, room.Hi[axis]+1
				enter, meets := s.Ray(from, dir)
				leave, leaves := s.Ray(far, dir.Scale(-1))
				if !meets || !leaves {
					continue
				}
				first, last := from[axis]+enter, far[axis]-leave
				base := a*g.stride(one) + b*g.stride(other)
				for k := max(lo[axis]-1, 0); k <= hi[axis]; k++ {
					at := g.middle(axis, k)
					i := base + k*step
					if at >= first && at <= last {
						g.solid[i] = true
					}
					if k+1 < g.n[axis] && last >= at && first <= g.middle(axis, k+1) {
						g.wall[axis][i] = true
					}
				}
			}
		}
	}
}

// each visits the cells next to one that nothing keeps from it.
func (g *grid) each(i int, visit func(k int)) {
	for axis, k := range g.seat(i) {
		step := g.stride(axis)
		if k > 0 && !g.wall[axis][i-step] {
			visit(i - step)
		}
		if k < g.n[axis]-1 && !g.wall[axis][i] {
			visit(i + step)
		}
	}
}

// spills returns how high water outside has to be to come into each cell, whose heights are given: +Inf where it never does.
func (g *grid) spills(heights []float64) (spill []float64) {
	spill = make([]float64, len(heights))
	for i := range spill {
		spill[i] = math.Inf(1)
		for axis, k := range g.seat(i) {
			if k == 0 || k == g.n[axis]-1 {
				spill[i] = heights[i]
			}
		}
	}
	for changed, round := true, 0; changed; round++ {
		changed = false
		for k := range spill {
			i := k
			if round%2 == 1 {
				i = len(spill) - 1 - k
			}
			least := spill[i]
			g.each(i, func(k int) { least = min(least, max(spill[k], heights[i])) })
			if least < spill[i] {
				spill[i], changed = least, true
			}
		}
	}
	return spill
}

// hold returns what of a grid is hollow if that is up.
func (g *grid) hold(up world.Vec3) *hold {
	heights := make([]float64, len(g.solid))
	for i := range heights {
		heights[i] = g.place(i).Dot(up)
	}
	spill, h := g.spills(heights), &hold{of: make([]uint8, len(heights))}
	kept := func(i int) bool { return !g.solid[i] && spill[i] > heights[i]+1e-9 }
	seen := make([]bool, len(spill))
	for i := range spill {
		if seen[i] || !kept(i) || len(h.cavities) == lots {
			continue
		}
		var lid, all []int
		for open := []int{i}; len(open) > 0; {
			at := open[len(open)-1]
			if open = open[:len(open)-1]; seen[at] {
				continue
			}
			seen[at] = true
			all = append(all, at)
			g.each(at, func(k int) {
				if kept(k) {
					open = append(open, k)
				} else if !g.solid[k] {
					lid = append(lid, k)
				}
			})
		}
		if len(all) < few {
			continue
		}
		c := cavity{cells: g.cells(all)}
		if !math.IsInf(spill[i], 1) {
			c.rim = g.rim(lid, up)
		}
		h.cavities = append(h.cavities, c)
		for _, k := range all {
			h.of[k] = uint8(len(h.cavities))
		}
	}
	return h
}

// rim returns those places of the surface that is over a cavity where water comes in first, whichever way that tilts.
func (g *grid) rim(lid []int, up world.Vec3) (rim []world.Vec3) {
	half := 0.0 // water comes in between the cells that it stands in and those of the surface
	for k := range up {
		half += math.Abs(float64(up[k]*g.cell[k])) / 2
	}
	side := up.Cross(world.Vec3{1, 0, 0})
	if other := up.Cross(world.Vec3{0, 0, 1}); other.Len() > side.Len() {
		side = other
	}
	front := side.Cross(up)
	for _, way := range [...]world.Vec3{side, front, side.Scale(-1), front.Scale(-1), side.Add(front), side.Sub(front), front.Sub(side), side.Add(front).Scale(-1)} {
		best, far := world.Vec3{}, math.Inf(-1)
		for _, i := range lid {
			if at := g.place(i); at.Dot(way) > far {
				best, far = at, at.Dot(way)
			}
		}
		if at := best.Sub(up.Scale(half)); !slices.Contains(rim, at) {
			rim = append(rim, at)
		}
	}
	return rim
}

// cells puts the cells of a cavity together to a few.
func (g *grid) cells(all []int) (list []cell) {
	lo, hi := g.seat(all[0]), g.seat(all[0])
	for _, i := range all {
		for k, at := range g.seat(i) {
			lo[k], hi[k] = min(lo[k], at), max(hi[k], at)
		}
	}
	var sums [along * along * along]struct {
		n      float64
		at     world.Vec3
		lo, hi world.Vec3
	}
	for _, i := range all {
		nth, scale := 0, 1
		for k, at := range g.seat(i) {
			nth += scale * ((at - lo[k]) * along / (hi[k] - lo[k] + 1))
			scale *= along
		}
		s, at := &sums[nth], g.place(i)
		if s.n == 0 {
			s.lo, s.hi = at, at
		}
		s.n, s.at, s.lo, s.hi = s.n+1, s.at.Add(at), s.lo.Min(at), s.hi.Max(at)
	}
	room := g.cell[0] * g.cell[1] * g.cell[2]
	for i := range sums {
		if s := &sums[i]; s.n > 0 {
			list = append(list, cell{at: s.at.Scale(1 / s.n), half: s.hi.Sub(s.lo).Add(g.cell).Scale(0.5), part: float64(s.n * room)})
		}
	}
	return list
}

// at returns which cell of the grid a place is in, false if none.
func (g *grid) at(p world.Vec3) (i int, ok bool) {
	for axis := range p {
		k := int(math.Floor((p[axis] - g.lo[axis]) / g.cell[axis]))
		if k < 0 || k >= g.n[axis] {
			return 0, false
		}
		i += k * g.stride(axis)
	}
	return i, true
}

// newVessel returns the vessel that bodies are.
func newVessel(planks ...plank) *vessel {
	s := &vessel{planks: planks, around: solid.Nothing(), holds: map[attitude]*hold{}}
	for i := range planks {
		whole := planks[i].form.at(planks[i].at.Position, planks[i].at.Rotation)
		s.around = s.around.Join(whole.Bounds())
		s.pieces++
		if m := planks[i].form.Model; m != nil {
			s.pieces += len(m.Parts) - 1
		}
	}
	return s
}

// as reports whether two vessels are of the same.
func (s *vessel) as(o *vessel) bool { return s != nil && slices.Equal(s.planks, o.planks) }

// survey returns what of a vessel is hollow as it lies, nil if nothing is, or that has yet to be found out in a step that has less to do.
func (p *Physics) survey(s *vessel, up world.Vec3) *hold {
	a := attitudeOf(up)
	h := s.holds[a]
	if h == nil {
		if p.surveys >= atOnce {
			return nil
		}
		p.surveys++
		if s.grid == nil {
			s.grid = s.lay()
		}
		h = s.grid.hold(a.up())
		s.holds[a] = h
	}
	if len(h.cavities) == 0 {
		return nil
	}
	return h
}

// vesselOf returns the vessel that a body is by itself or with others, nil for none.
func (p *Physics) vesselOf(b *body) *vessel {
	if f := &b.made.Form; b.fixed || f.Kind != Model {
		return b.vessel
	}
	if alone := (plank{b, b.made.Form, stance{Rotation: world.NoRotation()}}); b.vessel == nil || b.vessel.planks[0] != alone {
		b.vessel = newVessel(alone)
	}
	return b.vessel
}

// whole reports whether a vessel may be hollow, and all planks of it are as they were, and move.
func (s *vessel) whole() bool {
	if s.pieces < holding {
		return false
	}
	for i := range s.planks {
		if b := s.planks[i].body; !b.live || b.made.Kind != Dynamic || b.made.Form != s.planks[i].form {
			return false
		}
	}
	return true
}

// build finds out which bodies are fixed to each other: when joints have changed.
func (p *Physics) build() {
	for _, b := range p.bodies {
		b.fixed = false
	}
	welds, groups := map[world.ID][]*link{}, map[world.ID][]world.ID{}
	for i := range p.links {
		if l := &p.links[i]; l.welds() {
			welds[l.ID], welds[l.To] = append(welds[l.ID], l), append(welds[l.To], l)
		}
	}
	for id, root := range p.bonds() {
		if b := p.bodies[id]; b != nil {
			b.fixed = true
			groups[root] = append(groups[root], id)
		}
	}
	for _, ids := range groups {
		made := newVessel(p.planks(slices.Min(ids), welds)...)
		if old := made.planks[0].body.vessel; old.as(made) {
			made = old
		}
		for i := range made.planks {
			made.planks[i].body.vessel = made
		}
	}
	for _, b := range p.bodies {
		if !b.fixed && b.vessel != nil && len(b.vessel.planks) > 1 {
			b.vessel = nil
		}
	}
}

// planks returns a body and those that are fixed to it, each where its joints have it.
func (p *Physics) planks(first world.ID, welds map[world.ID][]*link) (list []plank) {
	at := map[world.ID]stance{first: {Rotation: world.NoRotation()}}
	for open := []world.ID{first}; len(open) > 0; open = open[1:] {
		id := open[0]
		b := p.bodies[id]
		list = append(list, plank{b, b.made.Form, at[id]})
		for _, l := range welds[id] {
			to, on, by := l.To, &l.Made.B, &l.Made.A
			if to == id {
				to, on, by = l.ID, by, on
			}
			if _, known := at[to]; !known && p.bodies[to] != nil {
				at[to] = at[id].joined(on, by)
				open = append(open, to)
			}
		}
	}
	return list
}

// joined returns where something is whose frame b is where a is on what is at s.
func (s stance) joined(a, b *Frame) (to stance) {
	to.Rotation = s.Rotation.Mul(a.Turn).Mul(b.Turn.Conj())
	to.Position = s.Position.Add(s.Rotation.Rotate(a.At)).Sub(to.Rotation.Rotate(b.At))
	return to
}

// launch finds out what vessels keep dry in the step that is being taken, and how they are lifted by the air in them.
func (p *Physics) launch() {
	p.launched, p.surveys = p.launched[:0], 0
	if len(p.pools) == 0 && !p.rewet {
		return
	}
	for _, b := range p.at {
		if b != nil {
			b.aloft, b.air = load{}, 0
		}
	}
	for _, b := range p.at {
		if b == nil || !b.live || b.made.Kind != Dynamic {
			continue
		}
		if s := p.vesselOf(b); s != nil && s.planks[0].body == b && s.whole() {
			p.raise(s)
		}
	}
}

// raise is launch of one vessel.
func (p *Physics) raise(s *vessel) {
	first := &s.planks[0].body.made
	own := first.Rotation.Conj()
	s.middle = first.Position.Add(first.Rotation.Rotate(s.around.Center()))
	var near [4]*world.Pool
	pools := p.wets(near[:0], s.middle, s.reach())
	if len(pools) == 0 {
		return
	}
	y := own.Rotate(world.Vec3{0, 1, 0})
	if s.now = p.survey(s, y); s.now == nil {
		return
	}
	p.launched = append(p.launched, s)
	s.rims = s.rims[:0]
	for i := range s.now.cavities {
		rim := math.Inf(1)
		for _, at := range s.now.cavities[i].rim {
			rim = min(rim, first.Position[1]+y.Dot(at))
		}
		s.rims = append(s.rims, rim)
	}
	if !p.rewet && !slices.ContainsFunc(s.planks, func(k plank) bool { return p.stirring(k.body) }) {
		return
	}
	mass, heavy, middle, room := 0.0, 0.0, world.Vec3{}, 0.0
	for i := range s.planks {
		k := &s.planks[i]
		weight := k.body.made.weight()
		mass += weight
		heavy += k.body.made.heavy()
		middle = middle.Add(k.at.Position.Add(k.at.Rotation.Rotate(k.body.middle())).Scale(weight))
	}
	middle = middle.Scale(1 / mass)
	for i := range s.now.cavities {
		for k := range s.now.cavities[i].cells {
			room += s.now.cavities[i].cells[k].part
		}
	}
	dt, gravity, rel := 1/float64(p.w.StepRate()), p.heaviness(), heavy/float64(waters*room)
	linear, angular, size := own.Rotate(first.Linear), own.Rotate(first.Angular), s.around.Size()
	heart := s.planks[0].body.middle()
	var force, torque world.Vec3
	air := 0.0
	for i := range s.now.cavities {
		for k := range s.now.cavities[i].cells {
			c := &s.now.cavities[i].cells[k]
			at := first.Position.Add(first.Rotation.Rotate(c.at))
			surface, flow, _ := pools.Flows(at[0], at[2])
			speed := linear.Add(angular.Cross(c.at.Sub(heart))).Sub(own.Rotate(flow))
			under := c.under(surface-at[1], y, speed, 0, dt)
			under *= min(max((s.rims[i]-surface)/brim, 0), 1)
			if !(under > 0) {
				continue
			}
			share := float64(waters*under*c.part) / heavy
			air += share
			gets := moved(y, speed, size, dt, gravity, rel).Scale(float64(share*mass) / dt)
			force, torque = force.Add(gets), torque.Add(c.at.Sub(middle).Cross(gets))
		}
	}
	force, torque = first.Rotation.Rotate(force), first.Rotation.Rotate(torque)
	for i := range s.planks { // as if all were one
		b := s.planks[i].body
		share := b.made.weight() / mass
		b.aloft, b.air = load{force.Scale(share), torque.Scale(share)}, air
	}
}

// reach is how far from its middle a vessel reaches, in metres.
func (s *vessel) reach() float64 { return s.around.Size().Len() / 2 }

// beside returns the vessels of the step, but one, that may keep something dry that is within reach of a place. They are good until it is called again.
func (p *Physics) beside(at world.Vec3, reach float64, but *vessel) []*vessel {
	p.besides = p.besides[:0]
	for _, s := range p.launched {
		if far := reach + s.reach(); s != but && s.middle.Dist2(at) <= far*far {
			p.besides = append(p.besides, s)
		}
	}
	return p.besides
}

// spared reports whether one of several vessels keeps a place dry over or around which the water is so high.
func spared(by []*vessel, at world.Vec3, surface float64) bool {
	for _, s := range by {
		first := &s.planks[0].body.made
		i, ok := s.grid.at(first.Rotation.Conj().Rotate(at.Sub(first.Position)))
		if !ok {
			continue
		}
		if nth := s.now.of[i]; nth > 0 && surface < s.rims[nth-1] {
			return true
		}
	}
	return false
}
