package physics

import (
	"math"

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
	flow     world.Vec3 // of the water that it swims in
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

// creeps is that along x and z for which one is not moved at all that is sent elsewhere.
const creeps = still / 10

// whole is which part of its way a character comes at least that is carried and does not stumble.
const whole = 0.99

// walk has the characters that are awake take a step. It writes nothing into the world, because the
// step may have to be taken again.
func (p *Physics) walk(tx *world.Tx) error {
	p.walked, p.trod = p.walked[:0], p.trod[:0]
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
	if !w.stays {
		f := &w.body.made.Form
		p.trod = append(p.trod, trod{w.position[0], w.position[1], w.position[2], f.Radius, f.HalfHeight + f.Radius})
	}
}

// trod is where a character has come to in a step by itself, and how wide and tall it is from its middle: each that comes after it looks at all of these.
type trod struct{ x, y, z, radius, tall float64 }

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
		return p.told || p.rewet || p.awake > 0 && tx.Step()%p.w.StepsIn(looks) == 0 && p.Waits(&tx.View, id) // what moves may have come below it
	}
	g := p.bodies[under]
	return g == nil || !g.live || g.told == tx.Step() || g.made.Kind == Dynamic && g.awakeAt == p.last && (!g.borne || p.sways(g, p.bodies[id]))
}

// sways reports whether something that floats takes who stands on it along, or round. Else he is not to look whether it does: that would keep it awake.
func (p *Physics) sways(g, on *body) bool {
	by, ok := g.turned()
	return p.drift(g, on) != world.Vec3{} || ok && math.Abs(by[1]) >= unturned
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
	if floats, looked := p.floats(&tx.View, &w, &c, step); floats {
		w.stays, w.rests, w.position, w.rotation = true, looked, b.position, b.rotation
		p.came(&w)
		return nil
	}
	t, _ := tx.WorldTransform(id)
	w.rotation = t.Rotation
	to := p.intend(tx, &w, &c)
	got, free, err := p.strolls(&w, &to)
	if !free && err == nil {
		got, err = p.tread(&w, &to)
	}
	if err != nil {
		return err
	}
	w.land(to.pace, &got)
	p.slow(&w, to.pace, got.Way)
	if got.Ground != NoHandle {
		w.ground = p.idOf(got.Ground)
	} else if !w.grounded {
		w.ground = 0
	}
	w.position = p.reached(b, &to, got.Way)
	p.give(&w, to.way)
	if err := p.stray(&w, to.way, got.Way); err != nil {
		return err
	}
	if !free && w.position[1] < b.position[1]-still {
		if err := p.bear(&w); err != nil {
			return err
		}
	}
	if err := p.duck(&w, &c, t.Scale); err != nil {
		return err
	}
	w.rests = !to.turns && (w.grounded || w.swims && math.Abs(w.over) < still) && !to.sent && !to.fresh && !to.rides && w.motion.Last <= step && w.motion.Jump <= step && w.motion.Thrown == [2]float64{} && w.low == c.Crouching && got.Way.Len() < still
	if w.rests {
		w.position = b.position
	}
	p.came(&w)
	if w.rests && to.under != nil && to.under.made.Kind == Dynamic { // what has been aimed at where it is already may keep a rounding of speed, by which the boat would never fall asleep
		return p.engine.Rest(b.handle, w.position, w.rotation)
	}
	return p.engine.Aim(b.handle, w.position, w.rotation)
}

// intent is where a character is to go in a step.
type intent struct {
	pace  world.Vec3 // by itself
	way   world.Vec3 // with all that moves it
	sent  bool       // something else has moved it, too
	stood bool       // it has stood on something
	under *body      // what that is; nil for nothing that there is a body of
	fresh bool       // the engine finds that where it was, until this step is taken
	rides bool       // that is dynamic, and takes it along
	turns bool       // that turns, and it with that
}

// intend finds out where a character is to go.
func (p *Physics) intend(tx *world.Tx, w *walked, c *Character) (to intent) {
	step := tx.Step()
	w.ground, _ = p.grounds.Get(&tx.View, w.id)
	to.under = p.bodies[w.ground]
	to.fresh = to.under != nil && to.under.told == step
	p.soak(&tx.View, w)
	to.pace = p.pace(&tx.View, w, c, step)
	wish, sent := p.wishes[w.id]
	to.sent, to.stood = sent, w.grounded
	if to.stood {
		wish[1] = max(wish[1], 0) // from so near the engine lets it through what it stands on
	}
	lift := p.carried(w, step)
	to.turns = !sent && w.motion.Last < step && w.turn(to.under, p.last, step)
	to.rides = to.under != nil && to.under.made.Kind == Dynamic && lift != world.Vec3{}
	to.way = to.pace.Add(wish).Add(lift)
	if w.grounded && (to.way[0] != 0 || to.way[2] != 0 || to.under != nil && to.under.made.Kind == Dynamic) {
		to.way[1] = wish[1] + lift[1] // it follows the ground anyway; one that presses on it stumbles now and then
	}
	return to
}

// tread asks the engine how far a character comes.
func (p *Physics) tread(w *walked, to *intent) (got Walked, err error) {
	s := Stride{Way: to.way, Mass: push, Feet: feet(w.body.made.Form.Radius)}
	if w.swims {
		s.Feet.Snap = 0 // it is not drawn down to the bed
	}
	if got, err = p.engine.Walk(w.body.handle, &s); err != nil {
		return got, err
	}
	under := to.under
	if l, came := level(to.way), level(got.Way); l > 0 && under != nil && (under.made.Kind == Kinematic || to.rides) && came < float64(whole*l) { // it stumbles, or there is a wall: a hair higher it does not stumble
		high := s
		high.Way[1] += still
		again, err := p.engine.Walk(w.body.handle, &high)
		if err != nil {
			return got, err
		}
		if came < l/2 || level(again.Way) > came {
			s, got = high, again
		}
	}
	if got, err = p.overEdge(w, &s, got); err != nil {
		return got, err
	}
	if under != nil && under.live && under.shifted+1 >= p.now {
		got.Way = carriedOnce(got.Way, to.way, under.shift(w.body.position))
	}
	return got, nil
}

// reached returns where a character is that has gone a way.
func (p *Physics) reached(b *body, to *intent, way world.Vec3) world.Vec3 {
	at := round(b.position.Add(way))
	if math.Abs(way[0]) < creeps && math.Abs(way[2]) < creeps { // it was sent nowhere, and does not creep
		at[0], at[2] = b.position[0], b.position[2]
		if to.stood && (to.sent || len(p.intruders) > 0) && way[1] < -still && to.under != nil && to.under.made.Kind == Static && !to.fresh {
			at[1] = b.position[1] // what comes down on it, or a wish, does not press it into what it stands on
		}
	}
	return at
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
	gravity := float64(c.Gravity * p.sinks(v))
	if w.swims {
		m.Rise, w.grounded = float(m.Rise, w.over, dt, gravity), false
	} else {
		m.Rise = max(m.Rise-float64(gravity*dt), -MaxFall)
	}
	way := world.Vec3{float64((m.Thrown[0] + w.flow[0]) * dt), float64(m.Rise * dt), float64((m.Thrown[1] + w.flow[2]) * dt)}
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
	left, far := l-throwLoss/float64(p.w.StepRate()), want.Dot(v)
	if left <= 0 || far > 0 && got.Dot(v) < far/2 {
		w.motion.Thrown = [2]float64{}
		return
	}
	v = v.Scale(left / l)
	w.motion.Thrown = [2]float64{v[0], v[2]}
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
