package physics

import (
	"math"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// What is here has dynamic bodies float in water, or sink. A body is taken for a few dozen cells; each is lifted by the water that it is in, as much as that weighs
// of which it takes the room, and braked by it, or taken along where it flows. What is tipped so rights itself, and what is loaded lies deeper.

// Densities in kg/m³.
const (
	waters    = 1000.0
	usual     = 400.0   // of what nobody has said anything about: it floats, as a crate or a boat does
	lightable = 100.0   // what is lighter is lifted as this is: it is on the water
	heaviest  = 25000.0 // what is heavier sinks as this does
)

// densities are those of materials, by the names that skills give them. What is not there is taken for usual.
var densities = map[string]float64{
	"brick": 1900, "concrete": 2400, "glass": 2500, "gold": 19300, "ice": 917, "leather": 860, "marble": 2700, "metal": 7800, "plaster": 1300,
	"plastic": 900, "rubber": 1100, "sand": 1600, "snow": 300, "stone": 2500, "tile": 2000, "water": waters,
}

// Density returns the density in kg/m³ by which a dynamic body floats or sinks: the one it was given, else its mass by its volume, else that of the material by
// which it goes, else that of light wood. It is 0 of an entity that has no dynamic body, or is out of [Reach]. What is lighter than water floats.
func (p *Physics) Density(v *world.View, id world.ID) float64 {
	b, ok := p.describe(v, id)
	if !ok {
		return 0
	}
	return b.Density
}

// weighs fills in how dense a dynamic body is.
func (p *Physics) weighs(v *world.View, id world.ID, b *Body, d *world.Body) {
	switch {
	case d.Density > 0:
		b.Density = d.Density
	case d.Mass > 0:
		b.Density = float64(d.Mass / max(b.Form.Volume(), lightest))
	default:
		b.Density = usual
		if m, ok := p.w.Materials.Get(v, id); ok {
			if is, known := densities[m.Name]; known {
				b.Density = is
			}
		}
	}
}

// rel is how dense a body is for water, of which it is 1.
func (b *Body) rel() float64 { return min(max(b.Density, lightable), heaviest) / waters }

// heavy is how many kg of water that weighs which a body weighs as much as, by how dense it is: what has no mass given weighs less for the engine.
func (b *Body) heavy() float64 { return float64(b.rel() * waters * max(b.Form.Volume(), lightest)) }

// Measures of how water brakes.
const (
	bobs   = 3.0  // what of its speed up and down goes in a second that floats, in e-folds
	glides = 0.6  // that along each axis of its own, of what measures a metre along it: what is long goes on, and goes aside less
	drags  = 0.5  // and so much more for each m/s
	most   = 0.45 // no more than this part of it in a step
	lulls  = 0.05 // what is slower in water, at its edge, in m/s, may fall asleep …
	stiff  = 4    // how tall what floats is at least, in what it falls in a step, by how dense it is
	thin   = 0.1  // what is thinner goes aside like this, in metres
	calms  = 1    // … when it has been for so long, in seconds: what bobs is slow at its highest, too
	tells  = 1e-3 // what is as much more or less under water stirs
)

// bulk is what a form takes up, in cells.
type bulk struct {
	form   Form
	middle world.Vec3 // of all cells: where the body's weight is
	cells  []cell
}

// cell is a box of a body, in its own axes.
type cell struct {
	at, half world.Vec3
	part     float64 // what it has of the body
}

// along is how many cells a form is cut into along an axis, and fine how often each is looked at along an axis, whether that is in it.
const (
	along = 3
	fine  = 4
	many  = 16 // a model of more pieces has one cell of each
)

// cut returns what a form takes up.
func (f *Form) cut() *bulk {
	b := &bulk{form: *f}
	add := func(lo, hi world.Vec3, n int, whole float64, in func(world.Vec3) bool) {
		half := hi.Sub(lo).Scale(0.5 / float64(n))
		first, sum := len(b.cells), 0.0
		for i := range n * n * n {
			c := cell{half: half}
			for k, nth := range [3]int{i % n, i / n % n, i / n / n} {
				c.at[k] = lo[k] + float64(half[k]*float64(2*nth+1))
			}
			if c.part = c.within(in); c.part > 0 {
				b.cells = append(b.cells, c)
				sum += c.part
			}
		}
		for i := range b.cells[first:] {
			b.cells[first+i].part *= whole / sum
		}
	}
	if f.Kind == Model {
		n := 2
		if len(f.Model.Parts) == 1 {
			n = along
		} else if len(f.Model.Parts) > many {
			n = 1
		}
		for i := range f.Model.Parts {
			lo, hi := span(f.Piece(i))
			add(lo, hi, n, f.Model.Parts[i].Volume/f.Model.Volume, f.piece(i))
		}
	} else {
		lo, hi := f.box()
		add(lo, hi, along, 1, f.has)
	}
	for i := range b.cells {
		b.middle = b.middle.Add(b.cells[i].at.Scale(b.cells[i].part))
	}
	return b
}

// fills returns what a body takes up.
func (b *body) fills() *bulk {
	if b.bulk == nil || b.bulk.form != b.made.Form {
		b.bulk = b.made.Form.cut()
	}
	return b.bulk
}

// middle returns where the weight of a body is, in its own axes.
func (b *body) middle() world.Vec3 {
	if b.made.Form.Kind == Model {
		return b.fills().middle
	}
	return b.made.Form.middle()
}

// within returns which part of a cell is in something.
func (c *cell) within(in func(world.Vec3) bool) float64 {
	if in == nil {
		return 1
	}
	n := 0
	for i := range fine * fine * fine {
		at := c.at
		for k, nth := range [3]int{i % fine, i / fine % fine, i / fine / fine} {
			at[k] += float64(c.half[k] * (float64(2*nth+1)/fine - 1))
		}
		if in(at) {
			n++
		}
	}
	return float64(n) / (fine * fine * fine)
}

// box returns the box around a form, in its own axes.
func (f *Form) box() (lo, hi world.Vec3) {
	half := world.Vec3{f.Radius, f.HalfHeight, f.Radius}
	switch f.Kind {
	case Box, Model:
		half = f.Half
	case Wedge:
		half = world.Vec3{math.Abs(f.Half[0]), math.Abs(f.Half[1]), math.Abs(f.Half[2])}
	case Ball:
		half[1] = f.Radius
	case Capsule:
		half[1] += f.Radius
	}
	return half.Scale(-1), half
}

// middle returns where the weight of a form is.
func (f *Form) middle() (at world.Vec3) {
	switch f.Kind {
	case Cone:
		at[1] = -f.HalfHeight / 2
	case Wedge: // of the right triangle that its side is
		at[1], at[2] = -f.Half[1]/3, -f.Half[2]/3
	case Model:
		return f.cut().middle
	}
	return at
}

// has reports whether a place in the box around a form, but of a model, is in the form.
func (f *Form) has(at world.Vec3) bool {
	r2 := float64(at[0]*at[0]) + float64(at[2]*at[2])
	switch f.Kind {
	case Ball, Capsule:
		y := max(math.Abs(at[1])-f.HalfHeight, 0)
		if f.Kind == Ball {
			y = at[1]
		}
		return r2+float64(y*y) <= f.Radius*f.Radius
	case Cylinder:
		return r2 <= f.Radius*f.Radius
	case Cone:
		r := f.Radius * (f.HalfHeight - at[1]) / (2 * f.HalfHeight)
		return r2 <= r*r
	case Wedge:
		return at[1]/f.Half[1]+at[2]/f.Half[2] <= 0
	default:
		return true
	}
}

// piece returns what tells of a place whether it is in a piece of a model.
func (f *Form) piece(i int) func(world.Vec3) bool {
	part := &f.Model.Parts[i]
	return func(at world.Vec3) bool {
		for k := range at {
			at[k] /= f.Scale[k]
		}
		at = at.Sub(world.Vec3(part.At))
		for k := range part.Faces {
			if face := &part.Faces[k]; world.Vec3(face.Normal).Dot(at) > face.Off {
				return false
			}
		}
		return true
	}
}

// span returns the box around points.
func span(points []world.Vec3) (lo, hi world.Vec3) {
	lo, hi = points[0], points[0]
	for _, p := range points[1:] {
		lo, hi = lo.Min(p), hi.Max(p)
	}
	return lo, hi
}

// buoy has what is in water, and awake, float or sink in the step that is being taken; where water has changed, what sleeps is woken that is more or less in it.
func (p *Physics) buoy(v *world.View) error {
	if len(p.pools) == 0 && !p.rewet {
		return nil
	}
	for _, b := range p.at {
		if b == nil || !b.live || b.made.Kind != Dynamic {
			continue
		}
		awake := p.stirring(b)
		if !awake && !p.rewet {
			continue
		}
		if err := p.lift(v, b, awake); err != nil {
			return err
		}
	}
	return nil
}

// stirring reports whether a body is awake, or will be in the step that is being taken.
func (p *Physics) stirring(b *body) bool { return b.awakeAt == p.last || b.told == p.now }

// wets appends the waters of the step that may be within reach of a place.
func (p *Physics) wets(dst world.Pools, at world.Vec3, reach float64) world.Pools {
	for _, l := range p.pools {
		if lo, hi := l.Box(); at[1]-reach < hi[1] && at[0]+reach >= lo[0] && at[0]-reach <= hi[0] && at[2]+reach >= lo[2] && at[2]-reach <= hi[2] {
			dst = append(dst, l)
		}
	}
	return dst
}

// lift has a body float or sink in a step.
func (p *Physics) lift(v *world.View, b *body, awake bool) error {
	var near [4]*world.Pool
	was, flowed, reach := b.wet, b.flow, b.made.Form.reach()
	b.wet, b.flow = b.air, world.Vec3{}
	force, torque := b.aloft.force, b.aloft.torque
	if pools := p.wets(near[:0], b.made.Position, reach); len(pools) > 0 {
		f, t := p.bears(v, b, pools)
		force, torque = force.Add(f), torque.Add(t)
	}
	if !awake && math.Abs(b.wet-was) < tells && b.flow == flowed || b.wet == 0 && !b.borne {
		return nil
	}
	b.borne, b.carries = b.wet > 0, load{}
	if speed := b.made.Linear.Len() + float64(b.made.Angular.Len()*reach); !awake || speed > lulls || speed > lulls/10 && b.flow.Len() > lulls { // one that a current has begun to take along
		b.stirred = p.now
	}
	return p.engine.Bear(b.handle, force, torque, p.now < b.stirred+p.w.StepsIn(calms))
}

// bears returns the force with which water bears a body, and brakes it, and the torque, and notes how much of it is wet.
func (p *Physics) bears(v *world.View, b *body, pools world.Pools) (force, torque world.Vec3) {
	bulk := b.fills()
	dt, gravity := 1/float64(p.w.StepRate()), p.heaviness()
	turn := b.made.Rotation
	own := turn.Conj()
	y, linear, angular := own.Rotate(world.Vec3{0, 1, 0}), own.Rotate(b.made.Linear), own.Rotate(b.made.Angular)
	rel := b.made.rel()
	lo, hi := b.made.Form.box()
	size := hi.Sub(lo)
	tall := extent(0, y, size)
	wide := max(0, float64(stiff*gravity*dt*dt)/rel-tall) / 2 // what is thinner would be thrown about: it goes under as if its cells were so much taller
	top := b.made.Position[1] + tall/2
	one := math.Inf(-1)
	if covered(pools, b.made.Position, b.made.Form.reach()) {
		one = pools[0].At.Position[1]
	}
	surface, flow, _ := pools.Flows(b.made.Position[0], b.made.Position[2])
	if surface > top && p.dry(v, b.made.Position, surface, b.id) {
		return force, torque
	}
	b.flow = flow
	by := p.beside(b.made.Position, b.made.Form.reach(), b.vessel)
	for i := range bulk.cells {
		c := &bulk.cells[i]
		surface, flow := one, world.Vec3{}
		if math.IsInf(one, -1) || len(by) > 0 {
			from := b.made.Position.Add(turn.Rotate(c.at))
			if surface, flow, _ = pools.Flows(from[0], from[2]); spared(by, from, surface) {
				continue
			}
		}
		off := c.at.Sub(bulk.middle)
		speed := linear.Add(angular.Cross(off))
		under := c.under(surface-b.made.Position[1]-y.Dot(c.at), y, speed, wide, dt)
		if under == 0 {
			continue
		}
		part := float64(under * c.part)
		b.wet += part
		if flow != (world.Vec3{}) { // water brakes what goes otherwise than it does, and so takes it along
			speed = speed.Sub(own.Rotate(flow))
		}
		gets := moved(y, speed, size, dt, gravity, rel).Scale(float64(part / rel))
		force, torque = force.Add(gets), torque.Add(off.Cross(gets))
	}
	weight := b.made.weight() / dt
	if b.wet > 0 { // who stands on it does not press on it by himself; of what weighs less than it floats by, he weighs less, too
		down := y.Scale(-float64(push*gravity*dt) / (b.made.Density * max(b.made.Form.Volume(), lightest)))
		for _, at := range p.riders[b.id] {
			off := own.Rotate(at.Sub(b.made.Position)).Sub(bulk.middle)
			force, torque = force.Add(down), torque.Add(off.Cross(down))
		}
	}
	return turn.Rotate(force.Scale(weight)), turn.Rotate(torque.Scale(weight))
}

// under returns how much of a cell is under water whose surface is so far above its middle, in the middle of a step: it would bob the more the longer that is. y is up, and the speed
// that of the cell, in the axes of the body; wide is by how much taller it is taken for.
func (c *cell) under(deep float64, y, speed world.Vec3, wide, dt float64) float64 {
	tall := extent(wide, y, c.half)
	deep -= float64(speed.Dot(y)*dt) / 2
	return min(max((deep+tall)/(2*tall), 0), 1)
}

// extent is how far a box that measures so much along its axes reaches along a direction of length 1, and so much farther.
func extent(far float64, dir, size world.Vec3) float64 {
	for k := range dir {
		far += math.Abs(float64(dir[k] * size[k]))
	}
	return far
}

// moved returns how much faster water has something be after a step that is as dense as water, and where it is that is of what measures so much along its axes.
func moved(y, speed, size world.Vec3, dt, gravity, rel float64) world.Vec3 {
	gets := y.Scale(float64(gravity*dt) - brake(speed.Dot(y), float64(bobs*dt), rel))
	for k := range gets {
		gets[k] -= brake(speed[k], float64((glides+float64(drags*math.Abs(speed[k])))*dt)/max(size[k], thin), rel)
	}
	return gets
}

// brake returns what of a speed goes, of which this part would go of what is as dense as water: not more than can in a step.
func brake(speed, part, rel float64) float64 {
	return float64(speed * min(part, float64(most*rel)))
}

// covered reports whether a single level water is over or under all that is within reach of a place.
func covered(pools world.Pools, at world.Vec3, reach float64) bool {
	if len(pools) != 1 {
		return false
	}
	l := pools[0]
	if l.At.Rotation != world.NoRotation() || len(l.Line) > 0 {
		return false
	}
	lo, hi := l.Box()
	return at[0]-reach >= lo[0] && at[0]+reach <= hi[0] && at[2]-reach >= lo[2] && at[2]+reach <= hi[2]
}

// dry reports whether something is between a place and the surface of the water over it, which keeps that off.
func (p *Physics) dry(v *world.View, at world.Vec3, surface float64, id world.ID) bool {
	own := p.bodies[id]
	walks := func(o world.ID) bool {
		if o == id || p.characters.Has(v, o) {
			return true
		}
		with := p.bodies[o]
		return own != nil && own.vessel != nil && with != nil && with.vessel == own.vessel
	}
	_, dry := p.firm.Ray(v, at, world.Vec3{0, 1, 0}, surface-at[1], walks)
	return dry
}

// aboard reports whether a character stands in something that floats, and whose rim, or that of what is fixed to it, is above the water there: in a boat.
func (p *Physics) aboard(ground world.ID, feet world.Vec3, surface float64) bool {
	g := p.bodies[ground]
	if g == nil || !g.live || g.made.Kind != Dynamic || g.wet == 0 {
		return false
	}
	at := solid.Bounds{Lo: feet, Hi: feet}
	rim := func(b *body) bool {
		room := b.form(b.position, b.rotation).Bounds()
		return room.Hi[1] > surface && room.Near(at, hull)
	}
	if rim(g) {
		return true
	}
	for i := range p.links {
		l := &p.links[i]
		if l.Made.Kind != Weld || l.ID != ground && l.To != ground {
			continue
		}
		other := l.ID
		if other == ground {
			other = l.To
		}
		if b := p.bodies[other]; b != nil && b.live && rim(b) {
			return true
		}
	}
	return false
}

// hull is how far from who stands in a boat its rim is at most, in metres.
const hull = 10
