package physics

import (
	"math"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// walked is what came of a step of a character, until it is written into the world.
type walked struct {
	id       world.ID
	body     *body // nil if it has none
	motion   motion
	rests    bool
	stays    bool // it has not walked, as the engine knows it only since this step
	freed    bool // it has been looked whether it is in something
	position world.Vec3
	rotation world.Quat
	grounded bool
	ground   world.ID
	low      bool
	wet      float64 // how deep in water it is, in its height
	over     float64 // how much deeper than who swims, in metres
	swims    bool
}

// Measures of characters in their radius, and the mass that they push with, in kg.
const (
	gap   = 0.05
	climb = 1.0
	ledge = 0.5
	push  = 80.0
)

// fastest is how fast characters walk and leave the ground at most, in m/s.
const fastest = 1000

// still is what a character that rests may move in a step, in metres: the engine moves it to and fro by
// a tenth of that.
const still = 0.001

// unturned is the sine of half the angle that a dynamic body turns at least in a step, to take who stands on it round: under his weight it turns to and fro
// by a part of it.
const unturned = 5e-5

// whole is which part of its way a character comes at least that is carried and does not stumble.
const whole = 0.99

// idly is what a dynamic body may move in a step without taking who stands on it along, in metres: under his weight what lies, or is held by a motor, gives way and
// comes back by so much.
const idly = 0.0004

// walk has the characters that are awake take a step. It writes nothing into the world, because the
// step may have to be taken again.
func (p *Physics) walk(tx *world.Tx) error {
	p.walked = p.walked[:0]
	if p.characters.Len(&tx.View) == 0 {
		return nil
	}
	p.intruders = p.intruders[:0]
	if !p.told && !p.rewet && p.awake == 0 && len(p.wishes) == 0 { // nothing can have been taken from under those that rest
		for id, m := range p.motions.All(&tx.View) {
			if err := p.stride(tx, id, m); err != nil {
				return err
			}
		}
		return nil
	}
	p.intrude(&tx.View)
	for id := range p.characters.All(&tx.View) {
		m, awake := p.motions.Get(&tx.View, id)
		if !awake && !p.roused(tx, id) && !p.invaded(p.bodies[id]) {
			continue
		}
		if err := p.stride(tx, id, m); err != nil {
			return err
		}
	}
	return p.shove(tx)
}

// came notes what came of a step of a character.
func (p *Physics) came(w *walked) {
	if w.body != nil {
		w.body.walked, w.body.nth = p.now, len(p.walked)
	}
	p.walked = append(p.walked, *w)
}

// wish notes where something else in this step, such as an agent's walk, has moved a character to: it
// is to go there as far as it comes. It reports false for what is no character, or was changed otherwise.
func (p *Physics) wish(v *world.View, b *body) bool {
	if !b.live || b.told == p.now || b.made.Kind != Kinematic || !p.characters.Has(v, b.id) {
		return false
	}
	want, ok := p.describe(v, b.id)
	if !ok || !alike(&want, &b.made) {
		return false
	}
	if want.Position != b.position {
		p.wishes[b.id] = want.Position.Sub(b.position)
	}
	return true
}

// roused reports whether a character that rests must look whether it still stands.
func (p *Physics) roused(tx *world.Tx, id world.ID) bool {
	if _, sent := p.wishes[id]; sent {
		return true
	}
	if b := p.bodies[id]; b == nil || b.told == tx.Step() {
		return b != nil
	}
	under, ok := p.grounds.Get(&tx.View, id)
	if !ok || p.rewet {
		return p.told || p.rewet
	}
	g := p.bodies[under]
	return g == nil || !g.live || g.told == tx.Step() || g.made.Kind == Dynamic && g.awakeAt == p.last
}

// stride has one character take a step.
func (p *Physics) stride(tx *world.Tx, id world.ID, m motion) error {
	b, step := p.bodies[id], tx.Step()
	c, _ := p.characters.Get(&tx.View, id)
	w := walked{id: id, body: b, motion: m, low: c.Crouching, grounded: c.Grounded, swims: c.Swimming}
	switch {
	case b == nil || !b.live || b.made.Kind != Kinematic || b.made.Form.Kind != Capsule:
		w.stays, w.rests, w.grounded, w.swims = true, true, false, false
		p.came(&w)
		return nil
	case b.told == step:
		w.stays, w.position, w.rotation = true, b.position, b.rotation
		p.came(&w)
		return nil
	}
	w.ground, _ = p.grounds.Get(&tx.View, id)
	under := p.bodies[w.ground]
	fresh := under != nil && under.told == step // the engine finds it where it was, until this step is taken
	t, _ := tx.WorldTransform(id)
	w.rotation = t.Rotation
	p.soak(&tx.View, &w)
	pace := p.pace(&tx.View, &w, &c, step)
	wish, sent := p.wishes[id]
	stood := w.grounded
	if stood {
		wish[1] = max(wish[1], 0) // from so near the engine lets it through what it stands on
	}
	lift := p.carried(&w, step)
	turned := !sent && m.Last < step && w.turn(under, p.last, step)
	rides := under != nil && under.made.Kind == Dynamic && lift != world.Vec3{}
	want := pace.Add(wish).Add(lift)
	if w.grounded && (want[0] != 0 || want[2] != 0 || rides && lift[1] > 0) {
		want[1] = wish[1] + lift[1] // it follows the ground anyway; one that presses on it stumbles now and then
	}
	s := Stride{Way: want, Mass: push, Feet: feet(b.made.Form.Radius)}
	if w.swims {
		s.Feet.Snap = 0 // it is not drawn down to the bed
	}
	got, err := p.engine.Walk(b.handle, &s)
	if err != nil {
		return err
	}
	if l, came := level(want), level(got.Way); l > 0 && under != nil && (under.made.Kind == Kinematic || rides) && came < float64(whole*l) { // it stumbles, or there is a wall: a hair higher it does not stumble
		high := s
		high.Way[1] += still
		again, err := p.engine.Walk(b.handle, &high)
		if err != nil {
			return err
		}
		if came < l/2 || level(again.Way) > came {
			s, got = high, again
		}
	}
	if got, err = p.overEdge(&w, &s, got); err != nil {
		return err
	}
	if under != nil && under.live && under.shifted+1 >= step {
		got.Way = carriedOnce(got.Way, want, under.shift(w.body.position))
	}
	w.land(pace, &got)
	p.slow(&w, pace, got.Way)
	if got.Ground != NoHandle {
		w.ground = p.idOf(got.Ground)
	} else if !w.grounded {
		w.ground = 0
	}
	w.position = round(b.position.Add(got.Way))
	if math.Abs(got.Way[0]) < still/10 && math.Abs(got.Way[2]) < still/10 { // it was sent nowhere, and does not creep
		w.position[0], w.position[2] = b.position[0], b.position[2]
		if stood && (sent || len(p.intruders) > 0) && got.Way[1] < -still && under != nil && under.made.Kind == Static && !fresh {
			w.position[1] = b.position[1] // what comes down on it, or a wish, does not press it into what it stands on
		}
	}
	p.give(&w, want)
	if err := p.stray(&w, want, got.Way); err != nil {
		return err
	}
	if w.position[1] < b.position[1]-still {
		if err := p.bear(&w); err != nil {
			return err
		}
	}
	if err := p.duck(&w, &c, t.Scale); err != nil {
		return err
	}
	w.rests = !turned && (w.grounded || w.swims && math.Abs(w.over) < still) && !sent && !fresh && !rides && w.motion.Last <= step && w.motion.Jump <= step && w.motion.Thrown == [2]float64{} && w.low == c.Crouching && got.Way.Len() < still
	if w.rests {
		w.position = b.position
	}
	p.came(&w)
	return p.engine.Aim(b.handle, w.position, w.rotation)
}

// feet says what a character of a radius can do.
func feet(radius float64) Feet {
	return Feet{Gap: gap * radius, Step: climb * radius, Width: ledge * radius, Snap: climb * radius}
}

// round returns where float32 has a point.
func round(p world.Vec3) world.Vec3 {
	return world.Vec3{float64(float32(p[0])), float64(float32(p[1])), float64(float32(p[2]))}
}

// pace returns where a character goes in a step by itself, and turns it to there.
func (p *Physics) pace(v *world.View, w *walked, c *Character, step uint64) world.Vec3 {
	m := &w.motion
	dt, part := 1/float64(p.w.StepRate()), 1.0
	if p.hindered != nil {
		part = p.hindered(v, w.id)
	}
	if (w.grounded || w.swims && w.over < dives) && m.Jump >= step && part > 0 {
		m.Rise, m.Jump, w.grounded, w.swims = min(c.JumpSpeed, fastest), 0, false, false
	}
	if w.swims {
		m.Rise, w.grounded = float(m.Rise, w.over, dt, c.Gravity), false
	} else {
		m.Rise = max(m.Rise-float64(c.Gravity*dt), -MaxFall)
	}
	way := world.Vec3{float64(m.Thrown[0] * dt), float64(m.Rise * dt), float64(m.Thrown[1] * dt)}
	if m.Last < step || part <= 0 {
		return way
	}
	w.rotation = world.QuatFromEuler(0, m.Yaw, 0)
	speed := through(c.speed(m), c.WalkSpeed, w.wet)
	to := heading(m.Forward, m.Strafe, w.rotation).Scale(float64(min(speed, fastest)*part) * dt)
	return world.Vec3{to[0] + way[0], way[1], to[2] + way[2]}
}

// heading is where an intent leads one that looks somewhere, at most 1 long.
func heading(forward, strafe float64, looks world.Quat) world.Vec3 {
	to := world.Vec3{-strafe, 0, forward}
	if l := to.Len(); l > 1 {
		to = to.Scale(1 / l)
	}
	return looks.Rotate(to)
}

// land notes whether a character stands after a step, and stops it where it has hit its head.
func (w *walked) land(pace world.Vec3, got *Walked) {
	rise := &w.motion.Rise
	w.grounded = got.Grounded && *rise <= 0
	if w.grounded || *rise > 0 && got.Way[1] < pace[1]/2 {
		*rise = 0
	}
}

// slow has a character lose what it has of being thrown, some with every step, and all where it comes only half as far that way as it
// wanted: there is a wall.
func (p *Physics) slow(w *walked, want, got world.Vec3) {
	if w.motion.Thrown == [2]float64{} {
		return
	}
	v := world.Vec3{w.motion.Thrown[0], 0, w.motion.Thrown[1]}
	l := v.Len()
	left, far := l-ThrowLoss/float64(p.w.StepRate()), want.Dot(v)
	if left <= 0 || far > 0 && got.Dot(v) < far/2 {
		w.motion.Thrown = [2]float64{}
		return
	}
	v = v.Scale(left / l)
	w.motion.Thrown = [2]float64{v[0], v[2]}
}

// carried returns how far a body takes a character with it that stands on it. One that is kinematic and has moved in this step
// does so, and one that is dynamic by as much as in the last, unless that is more than a step on foot: then it was taken away. Any that
// is raised under it, as by a call, lifts it: it would be in it.
func (p *Physics) carried(w *walked, step uint64) world.Vec3 {
	g, radius := p.bodies[w.ground], w.body.made.Form.Radius
	switch {
	case g == nil || !g.live:
		return world.Vec3{}
	case g.made.Kind == Dynamic:
		if way := p.drift(g, w.body); w.grounded && way.Len() <= climb*radius {
			return way
		}
	case g.shifted == step:
		if way := g.shift(w.body.position); way.Len() <= climb*radius {
			return way
		}
	case g.raised == step && g.below(w.body.position, radius):
		return world.Vec3{0, g.raise, 0}
	}
	return world.Vec3{}
}

// turn has a character that goes nowhere by itself turn with what it stands on, about the vertical, as who sits in a tram that goes round a bend does. It
// reports whether that turns.
func (w *walked) turn(g *body, last, step uint64) bool {
	if g == nil || !g.live || g.shifted != step && (g.made.Kind != Dynamic || !w.grounded || g.awakeAt != last) || g.rotation == g.from.Rotation {
		return false
	}
	front := g.rotation.Rotate(g.from.Rotation.Conj().Rotate(world.Vec3{0, 0, 1}))
	by, ok := world.Yaw(front[0], front[2])
	if !ok || math.Abs(by[1]) < 1e-9 || g.made.Kind == Dynamic && math.Abs(by[1]) < unturned {
		return false
	}
	w.rotation, ok = by.Mul(w.rotation).Unit()
	return ok
}

// drift is how far a dynamic body takes who stands on it along in a step: as far as it went under his feet in the last one; nowhere if that is no more
// than what lies there moves anyway. Who is raised keeps his distance. If the two touched, each would hold the other up.
func (p *Physics) drift(g, on *body) world.Vec3 {
	if g.awakeAt != p.last {
		return world.Vec3{}
	}
	feet, full := on.position, gap*on.made.Form.Radius
	feet[1] -= on.made.Form.HalfHeight + on.made.Form.Radius
	way := g.shift(feet)
	if way.Len() < idly {
		way = world.Vec3{}
	}
	if lacks := full - p.above(g, on); lacks > full/2 || lacks > 0 && way[1] > 0 {
		way[1] = max(way[1], 0) + lacks
	}
	return way
}

// above returns how far a character is from what it stands on.
func (p *Physics) above(g, on *body) float64 {
	return solid.Between(p.solid(&g.made), on.made.Form.at(on.position, on.rotation)).Gap
}

// level is how long a way is, seen from above.
func level(way world.Vec3) float64 {
	way[1] = 0
	return way.Len()
}

// carriedOnce returns the way of a character without what the engine has added to it, level, in the direction in which what it stands on
// goes, or went in the step before: as Rapier's controller does, now and then, for what moves.
func carriedOnce(way, want, goes world.Vec3) world.Vec3 {
	goes[1] = 0
	l := goes.Len()
	if l == 0 {
		return way
	}
	along := goes.Scale(1 / l)
	if more := way.Sub(want).Dot(along); more > 0 {
		return way.Sub(along.Scale(more))
	}
	return way
}

// shift is how far what is at a point goes with a body that was moved, and turned, in this step; with a dynamic one, in the last.
func (b *body) shift(at world.Vec3) world.Vec3 {
	off := b.from.Rotation.Conj().Rotate(at.Sub(b.from.Position))
	return b.position.Add(b.rotation.Rotate(off)).Sub(at)
}

// below reports whether a body is in the column under and over something round.
func (b *body) below(at world.Vec3, radius float64) bool {
	f := &b.made.Form
	off := at.Sub(b.position)
	off[1] = 0
	half := f.Half
	switch f.Kind {
	case Ball, Capsule:
		return off.Len() <= f.Radius+radius
	case Cylinder, Cone, Wedge: // which may lie
		room := f.at(b.position, b.rotation).Bounds()
		off, half = at.Sub(room.Center()), room.Size().Scale(0.5)
	default:
		off = b.rotation.Conj().Rotate(off)
	}
	return math.Abs(off[0]) <= half[0]+radius && math.Abs(off[2]) <= half[2]+radius
}

// duck makes a character low, or upright if there is room. Its feet stay where they are.
func (p *Physics) duck(w *walked, c *Character, scale world.Vec3) error {
	if c.Crouch == c.Crouching {
		return nil
	}
	now, then := NewForm("capsule", c.size(c.Crouching).Mul(scale)), NewForm("capsule", c.size(c.Crouch).Mul(scale))
	rise := then.HalfHeight - now.HalfHeight
	at := w.position.Add(world.Vec3{0, rise, 0})
	if rise > 0 {
		ok, err := p.engine.Fits(then, at, w.rotation, w.body.handle)
		if err != nil || !ok {
			return err
		}
	}
	w.low = c.Crouch
	return nil
}

// settleCharacters writes into the world what characters have done.
func (p *Physics) settleCharacters(tx *world.Tx) error {
	p.rewet = false
	for i := range p.walked {
		w := &p.walked[i]
		if !w.stays && !p.put(tx, w.body, w.position, w.rotation) {
			p.lose(w.body)
			w.rests, w.grounded, w.ground, w.swims = true, false, 0, false
		}
		if err := p.record(tx, w); err != nil {
			return err
		}
	}
	return nil
}

// record writes the components of a character that has taken a step.
func (p *Physics) record(tx *world.Tx, w *walked) error {
	if w.ground == 0 {
		p.grounds.Remove(tx, w.id)
	} else if old, _ := p.grounds.Get(&tx.View, w.id); old != w.ground {
		if err := p.grounds.Set(tx, w.id, w.ground); err != nil {
			return err
		}
	}
	c, _ := p.characters.Get(&tx.View, w.id)
	if c.Crouching != w.low {
		if err := p.resize(tx, w, &c); err != nil {
			return err
		}
	}
	if c.Grounded != w.grounded || c.Crouching != w.low || c.Swimming != w.swims {
		c.Grounded, c.Crouching, c.Swimming = w.grounded, w.low, w.swims
		if err := p.characters.Set(tx, w.id, c); err != nil {
			return err
		}
	}
	if w.rests {
		p.motions.Remove(tx, w.id)
		return nil
	}
	if old, ok := p.motions.Get(&tx.View, w.id); ok && old == w.motion {
		return nil
	}
	return p.motions.Set(tx, w.id, w.motion)
}

// resize gives a character the shape that it is to have. The engine is told with the next step.
func (p *Physics) resize(tx *world.Tx, w *walked, c *Character) error {
	shape, _ := p.w.Shapes.Get(&tx.View, w.id)
	shape.Size = c.size(w.low)
	if err := p.w.Shapes.Set(tx, w.id, shape); err != nil {
		return err
	}
	t, _ := tx.WorldTransform(w.id)
	now, then := NewForm("capsule", c.size(!w.low).Mul(t.Scale)), NewForm("capsule", shape.Size.Mul(t.Scale))
	return place(tx, w.id, t.Position.Add(world.Vec3{0, then.HalfHeight - now.HalfHeight, 0}), t.Rotation)
}
