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

// Measures of vessels.
const (
	brim    = 0.02 // so far below its rim the water has to be, in metres, to lift by all of the air
	holding = 3    // so many convex pieces it takes to hold water
	atOnce  = 16   // so many vessels are looked at in a step, each of which may take a millisecond
)

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

// built reports whether a vessel is of several bodies that are fixed to each other.
func (s *vessel) built() bool { return s != nil && len(s.planks) > 1 }

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
	if b.vessel.built() || b.made.Form.Kind != Model {
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

// build finds out what vessels there are of bodies that are fixed to each other, see [Physics.bonds]: when joints have changed.
func (p *Physics) build(roots map[world.ID]world.ID) {
	welds, groups := map[world.ID][]*link{}, map[world.ID][]world.ID{}
	for i := range p.links {
		if l := &p.links[i]; l.welds() {
			welds[l.ID], welds[l.To] = append(welds[l.ID], l), append(welds[l.To], l)
		}
	}
	for id, root := range roots {
		if p.bodies[id] != nil {
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
		if roots[b.id] == 0 && b.vessel.built() {
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
	mass, heavy, middle := 0.0, 0.0, world.Vec3{}
	for i := range s.planks {
		k := &s.planks[i]
		weight := k.body.made.weight()
		mass += weight
		heavy += k.body.made.heavy()
		middle = middle.Add(k.at.Position.Add(k.at.Rotation.Rotate(k.body.middle())).Scale(weight))
	}
	middle = middle.Scale(1 / mass)
	dt, gravity, rel := 1/float64(p.w.StepRate()), p.heaviness(), heavy/float64(waters*s.now.room)
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
