package physics

import (
	"math"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// intruder is a body that does not give way, such as one that was put somewhere in this step.
type intruder struct {
	body   *body
	solid  solid.Solid
	bounds solid.Bounds
}

// contact returns how a character, with its bounds, is to the intruder: with a Gap of 0 where they are apart.
func (o *intruder) contact(me *solid.Solid, bounds *solid.Bounds) solid.Contact {
	if !o.bounds.Near(*bounds, 0) {
		return solid.Contact{}
	}
	return solid.Between(o.solid, *me)
}

// far is how far a character is pushed out of a body at most, in its height, and farthest in its radius: the way is looked over in
// steps of that.
const (
	far      = 2.0
	farthest = 100.0
)

// halvings are how often the way out of a body is halved: to less than a micrometre for a character of the usual measures.
const halvings = 24

// intrude finds out what was put somewhere in this step.
func (p *Physics) intrude() {
	p.intruders = p.intruders[:0]
	for _, b := range p.moved {
		if b.live && b.told == p.now && b.made.Kind != Dynamic {
			s := p.solid(&b.made)
			p.intruders = append(p.intruders, intruder{b, s, s.Bounds()})
		}
	}
}

// invaded reports whether something may have been put into a character.
func (p *Physics) invaded(b *body) bool {
	if b == nil || !b.live || len(p.intruders) == 0 {
		return false
	}
	s := b.made.Form.at(b.position, b.rotation)
	bounds := s.Bounds()
	for i := range p.intruders {
		if o := &p.intruders[i]; o.body != b && o.contact(&s, &bounds).Gap < -still {
			return true
		}
	}
	return false
}

// shove moves a character out of what was put into it in this step, by the shortest way that is free, and reports whether it did.
// Where there is none it stays. What lifts it is left to that.
func (p *Physics) shove(w *walked, lifted bool) bool {
	if len(p.intruders) == 0 {
		return false
	}
	f := &w.body.made.Form
	me := f.at(w.position, w.rotation)
	bounds := me.Bounds()
	var in []*solid.Solid
	var deepest solid.Contact
	var what *body
	for i := range p.intruders {
		o := &p.intruders[i]
		if o.body == w.body || lifted && o.body.id == w.ground {
			continue
		}
		c := o.contact(&me, &bounds)
		if c.Gap >= -still {
			continue
		}
		in = append(in, &o.solid)
		if c.Gap < deepest.Gap {
			deepest, what = c, o.body
		}
	}
	if what == nil {
		return false
	}
	e := escape{in: in, radius: f.Radius, most: min(far*2*(f.HalfHeight+f.Radius), farthest*f.Radius)}
	e.others = p.beside(w, &me, e.most+float64(climb*f.Radius))
	e.best = math.Inf(1)
	up := world.Vec3{0, 1, 0}
	e.try(me, deepest.Normal, 0)
	e.try(me, up, 0)
	if what.made.Ground == nil {
		for _, lift := range [...]float64{0, float64(climb * f.Radius)} {
			for i := range 3 {
				for _, sign := range [...]float64{1, -1} {
					e.try(me, flat(what.rotation.Rotate(axis(i)).Scale(sign)), lift)
				}
			}
			e.try(me, flat(deepest.Normal), lift)
			e.try(me, flat(me.Center.Sub(what.position)), lift)
		}
	}
	if math.IsInf(e.best, 1) {
		return false
	}
	w.position = round(w.position.Add(e.way))
	w.motion.Rise = 0
	return true
}

func axis(i int) (v world.Vec3) {
	v[i] = 1
	return v
}

// flat returns a direction as seen from above, with the length 1, or zero if it is upright.
func flat(d world.Vec3) world.Vec3 {
	d[1] = 0
	l := d.Len()
	if l < 1e-6 {
		return world.Vec3{}
	}
	return d.Scale(1 / l)
}

// beside returns what does not give way near a character, and that it is not in.
func (p *Physics) beside(w *walked, me *solid.Solid, reach float64) []intruder {
	bounds := me.Bounds()
	var all []intruder
	for _, b := range p.at {
		if b == nil || b == w.body || !b.live || b.made.Kind == Dynamic {
			continue
		}
		s := p.solid(&b.made)
		if room := s.Bounds(); room.Near(bounds, reach) && solid.Between(s, *me).Gap >= 0 {
			all = append(all, intruder{b, s, room})
		}
	}
	return all
}

// escape is a search for a way out.
type escape struct {
	in     []*solid.Solid // what it is in
	others []intruder
	radius float64
	most   float64    // how far it goes
	best   float64    // how far the best way goes
	way    world.Vec3 // that
}

// try looks whether there is a shorter way out along a direction of length 1, after it was lifted.
func (e *escape) try(me solid.Solid, along world.Vec3, lift float64) {
	if along == (world.Vec3{}) {
		return
	}
	from := me.Moved(world.Vec3{0, lift, 0})
	least, most := 0.0, min(e.most, e.best-lift)
	if most <= 0 || !e.out(from.Moved(along.Scale(most))) {
		return
	}
	for range halvings { // what is out of something convex stays out
		if half := (least + most) / 2; e.out(from.Moved(along.Scale(half))) {
			most = half
		} else {
			least = half
		}
	}
	if most+lift > e.best-still { // of equal ones the first
		return
	}
	// Steps of a radius pass by nothing, however thin.
	n := math.Ceil(most / e.radius)
	for i := range int(n) + 1 {
		if !e.free(from.Moved(along.Scale(float64(most*float64(i)) / max(n, 1)))) {
			return
		}
	}
	e.best, e.way = most+lift, along.Scale(most).Add(world.Vec3{0, lift, 0})
}

// out reports whether it is out of what it was in.
func (e *escape) out(me solid.Solid) bool {
	for _, s := range e.in {
		if solid.Between(*s, me).Gap < float64(gap*e.radius) {
			return false
		}
	}
	return true
}

// free reports whether it is in nothing else.
func (e *escape) free(me solid.Solid) bool {
	bounds := me.Bounds()
	for i := range e.others {
		if e.others[i].contact(&me, &bounds).Gap < 0 {
			return false
		}
	}
	return true
}
