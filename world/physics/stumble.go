package physics

import (
	"math"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// What is here has characters come where the engine's own controller does not take them, and not come where it should not.

// Measures of getting over an edge, in the radius of the character.
const (
	edge  = 0.3  // the stride onto an edge
	hop   = 0.45 // … and how high that is
	ahead = 1.03 // what is free so far away, and …
	rise  = 0.97 // so high, is a step: slopes that are too steep to climb are not
)

// overEdge has a character that stands, and comes not half as far as it wants to, take a longer stride, if that leads up: onto the edge of a step. The engine
// lifts it over the edge and sets it down where the stride ends; after a short one it lies against the edge and slides back, so that a slow one would never
// come up. Where it lies between two edges, the engine does not lift it: it hops.
func (p *Physics) overEdge(w *walked, s *Stride, got Walked) (Walked, error) {
	radius := w.body.made.Form.Radius
	l, least := level(s.Way), edge*radius
	if !w.grounded || w.motion.Thrown != [2]float64{} || l < still || l >= least || level(got.Way) >= l/2 {
		return got, nil
	}
	over := world.Vec3{float64(s.Way[0] * (ahead * radius / l)), float64(rise * radius), float64(s.Way[2] * (ahead * radius / l))}
	if fits, err := p.engine.Fits(w.body.made.Form, round(w.body.position.Add(over)), w.rotation, w.body.handle); err != nil || !fits {
		return got, err
	}
	long := *s
	for _, try := range [...]struct{ rise, part float64 }{{still, 0.5}, {hop * radius, 0.95}} {
		long.Way = world.Vec3{s.Way[0] * (least / l), try.rise, s.Way[2] * (least / l)}
		far, err := p.engine.Walk(w.body.handle, &long)
		if err != nil {
			return got, err
		}
		along := (float64(far.Way[0]*s.Way[0]) + float64(far.Way[2]*s.Way[2])) / l
		on := p.of(far.Ground) // what gives way, or goes about, is pushed and not climbed
		if far.Way[1] >= still && along >= float64(try.part*least) && on != nil && on.made.Kind == Static {
			return far, nil
		}
	}
	return got, nil
}

// give has a character stay where it is, seen from above, that would walk into one that has taken its
// step before: the engine knows where that was. Nor is it raised into one of those, further than it wants.
func (p *Physics) give(w *walked, want world.Vec3) {
	f := &w.body.made.Form
	x, y, z, tall := w.position[0], w.position[1], w.position[2], f.HalfHeight+f.Radius
	for i := range p.trod {
		o := &p.trod[i]
		near, dx, dz := f.Radius+o.radius, x-o.x, z-o.z
		if dx >= near || dx <= -near || dz >= near || dz <= -near || math.Abs(y-o.y) > tall+o.tall || float64(dx*dx)+float64(dz*dz) >= near*near {
			continue
		}
		w.position[0], w.position[2] = w.body.position[0], w.body.position[2]
		if most := w.body.position[1] + max(want[1], 0); w.position[1] > most+still && p.meets(w) {
			w.position[1] = float64(float32(most))
		}
		return
	}
}

// meets reports whether a character would come into one that has taken its step before.
func (p *Physics) meets(w *walked) bool {
	me := w.body.made.Form.at(w.position, w.rotation)
	for i := range p.walked {
		if o := &p.walked[i]; !o.stays && solid.Between(o.body.made.Form.at(o.position, o.rotation), me).Gap < -still {
			return true
		}
	}
	return false
}

// stray has a character stay where it is, seen from above, that the engine takes further than it wants, into something of which the
// engine knows where it is. Whoever touches what has moved in the step before is taken along once more, by as much, and now and then
// without a look at what is there: so one that has pushed another on would follow into that.
func (p *Physics) stray(w *walked, want, got world.Vec3) error {
	b, along := w.body, got
	along[1] = 0
	if l := along.Len(); l < still || got.Sub(want).Dot(along) < float64(still*l) {
		return nil
	}
	fits, err := p.engine.Fits(b.made.Form, w.position, w.rotation, b.handle)
	if fits || err != nil {
		return err
	}
	from := b.made.Form.at(b.position, w.rotation)
	to := from.Moved(along)
	room := to.Bounds()
	for _, o := range p.at {
		if o == nil || o == b || !o.live || o.made.Kind == Dynamic || o.told == p.now || o.walked == p.now {
			continue
		}
		s := p.solid(&o.made)
		if s.Bounds().Near(room, 0) && solid.Between(s, to).Gap < min(solid.Between(s, from).Gap, 0)-still {
			w.position[0], w.position[2] = b.position[0], b.position[2]
			if w.grounded { // it has not seen that either
				w.position[1] = max(w.position[1], b.position[1])
			}
			return nil
		}
	}
	return nil
}

// rounding is what a character that goes down along a wall may come nearer to it, in metres.
const rounding = 1e-6

// bear has a character that would go down into something go no further than to above that. Where it follows the ground with less than a few
// millimetres to go aside, the engine now and then does not see the ground, and takes it down by the whole of a step.
func (p *Physics) bear(w *walked) error {
	b := w.body
	fits, err := p.engine.Fits(b.made.Form, w.position, w.rotation, b.handle)
	if fits || err != nil {
		return err
	}
	top := w.position
	top[1] = b.position[1]
	from, to := b.made.Form.at(top, w.rotation), b.made.Form.at(w.position, w.rotation)
	room, drop := to.Bounds(), top[1]-w.position[1]
	room.Hi[1] += drop
	for _, o := range p.at {
		if o == nil || o == b || !o.live {
			continue
		}
		s := p.solid(&o.made)
		if !s.Bounds().Near(room, 0) {
			continue
		}
		keeps := min(solid.Between(s, from).Gap-rounding, gap*b.made.Form.Radius/2) // it may have been let in
		near := func(d float64) bool { return solid.Between(s, from.Moved(world.Vec3{0, -d, 0})).Gap < keeps }
		if near(drop) {
			drop = halve(0, drop, near)
		}
	}
	w.position[1] = float64(float32(top[1] - drop))
	return nil
}
