package physics

import (
	"math"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// obstacle is a body that does not give way: one that is static or kinematic.
type obstacle struct {
	id     world.ID
	solid  solid.Solid
	bounds solid.Bounds
	gives  bool // a character, which can be pushed on
	in     bool // the character that looks for a way out is in it
}

// contact returns how a character, with its bounds, is to the obstacle: with a Gap of 0 where they are apart.
func (o *obstacle) contact(me *solid.Solid, bounds *solid.Bounds) solid.Contact {
	if !o.bounds.Near(*bounds, 0) {
		return solid.Contact{}
	}
	return solid.Between(o.solid, *me)
}

// far is how far a character looks for a way out at most, in its height, and farthest in its radius: the way is looked over in
// steps of that.
const (
	far      = 2.0
	farthest = 100.0
)

// heap is how many things one may be in that still looks for a way aside: each costs as much as the first.
const heap = 16

// halvings are how often the way out of a body is halved: to less than a micrometre for a character of the usual measures, and to
// less than a millimetre on the way up to the end of [Reach].
const halvings = 28

// escape is a search for a way out of everything that a character is in.
type escape struct {
	me     solid.Solid
	around []obstacle
	in     []*obstacle // those of them that it is in
	pushes bool        // what gives is not in the way
	keeps  float64     // how near it may come to the rest where it ends
	radius float64
	most   float64    // how far it goes
	best   float64    // how far the best way goes
	way    world.Vec3 // that
}

// wayOut returns how a character gets out of what it is in, and the id of that which it is deepest in, 0 if it is in nothing. It goes
// the shortest way that leads through nothing else: aside, onto a step or up, at most as far as twice its height. Where there is none
// it goes up through whatever is there, to the first place with room for it; that is no further than [Reach], else there is no way
// out. One that is under generated ground, and over nothing, is in that. It pushes on what gives where that makes the way shorter by
// more than its radius. One that is put somewhere, and in nothing, is moved a little where it touches something. What is around is
// asked for with bounds.
func wayOut(me solid.Solid, put bool, around func(room solid.Bounds) []obstacle) (way world.Vec3, in world.ID, out bool) {
	e := escape{me: me, radius: me.Half[0], best: math.Inf(1)}
	e.most = min(far*2*me.Half[1], farthest*e.radius)
	room, reach := me.Bounds(), e.most+float64(climb*e.radius)
	e.around = around(solid.Bounds{Lo: room.Lo.Sub(world.Vec3{reach, reach, reach}), Hi: room.Hi.Add(world.Vec3{reach, reach, reach})})
	skin, rise := float64(gap*e.radius), 0.0
	if what, deepest := e.enter(-still); what != nil {
		in = what.id
		for _, e.keeps = range [...]float64{skin / 2, -still} { // from nearer the engine may let it through
			if len(e.in) > heap {
				break
			}
			e.pushes = false
			e.search(what, &deepest)
			if e.gives() {
				e.pushes = true
				e.best -= e.radius
				e.search(what, &deepest)
			}
			if !math.IsInf(e.best, 1) {
				return e.way, in, true
			}
		}
	} else if hill := e.under(around); hill != nil {
		depth, _ := hill.solid.Fall(me, math.Inf(1))
		in, rise = hill.id, skin-depth
	} else {
		if what, deepest := e.enter(skin / 2); put && what != nil {
			e.most, e.keeps = 2*skin, -still
			e.search(what, &deepest)
		}
		return e.way, 0, true
	}
	room.Hi[1] = math.Inf(1)
	e.around = around(room)
	rise = e.above(rise)
	return world.Vec3{0, rise, 0}, in, me.Center[1]+rise <= Reach
}

// enter finds out what it is in, or not as far from as it keeps, and what it is deepest in, nil if there is nothing.
func (e *escape) enter(keeps float64) (what *obstacle, deepest solid.Contact) {
	bounds := e.me.Bounds()
	e.in = e.in[:0]
	for i := range e.around {
		o := &e.around[i]
		o.in = false
		if !o.bounds.Near(bounds, max(keeps, 0)) {
			continue
		}
		c := solid.Between(o.solid, e.me)
		if c.Gap >= keeps {
			continue
		}
		o.in = true
		e.in = append(e.in, o)
		if what == nil || c.Gap < deepest.Gap {
			what, deepest = o, c
		}
	}
	return what, deepest
}

// gives reports whether there is anybody around that can be pushed on.
func (e *escape) gives() bool {
	for i := range e.around {
		if e.around[i].gives {
			return true
		}
	}
	return false
}

// under returns the generated ground that it is under, if nothing is below it that it could stand on.
func (e *escape) under(around func(room solid.Bounds) []obstacle) (hill *obstacle) {
	room := e.me.Bounds()
	feet := room.Lo[1]
	room.Lo[1], room.Hi[1] = math.Inf(-1), math.Inf(1)
	all := around(room)
	for i := range all {
		o := &all[i]
		if o.bounds.Lo[1] < feet {
			return nil
		}
		if o.over(&e.me) {
			hill = o
		}
	}
	return hill
}

// over reports whether an obstacle is generated ground over a character.
func (o *obstacle) over(me *solid.Solid) bool {
	if o.solid.Kind != solid.Field || o.solid.Axes[1] != (world.Vec3{0, 1, 0}) {
		return false
	}
	d, ok := o.solid.Fall(*me, 0)
	return ok && d < -still
}

// search tries the directions that come into question.
func (e *escape) search(what *obstacle, deepest *solid.Contact) {
	if most := e.most; deepest.Normal[1] < -upright { // what is down there may be nothing
		e.most = min(e.most, climb*e.radius)
		e.try(deepest.Normal, 0)
		e.most = most
	} else {
		e.try(deepest.Normal, 0)
	}
	e.try(world.Vec3{0, 1, 0}, 0)
	if what.solid.Kind == solid.Field {
		return
	}
	for _, lift := range [...]float64{0, float64(climb * e.radius)} {
		for _, axis := range what.solid.Axes {
			e.try(flat(axis), lift)
			e.try(flat(axis.Scale(-1)), lift)
		}
		e.try(flat(deepest.Normal), lift)
		e.try(flat(e.me.Center.Sub(what.solid.Center)), lift)
	}
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

// try looks whether there is a shorter way out along a direction of length 1, after it was lifted.
func (e *escape) try(along world.Vec3, lift float64) {
	if along == (world.Vec3{}) {
		return
	}
	from := e.me.Moved(world.Vec3{0, lift, 0})
	most := min(e.most, e.best-lift)
	if most <= 0 || !e.out(from.Moved(along.Scale(most))) {
		return
	}
	most = halve(0, most, func(d float64) bool { return e.out(from.Moved(along.Scale(d))) })
	if most+lift > e.best-still { // of equal ones the first
		return
	}
	// Steps of a radius pass by nothing, however thin.
	n := math.Ceil(most / e.radius)
	for i := range int(n) + 1 {
		if !e.free(from.Moved(along.Scale(float64(most*float64(i))/max(n, 1))), -still) {
			return
		}
	}
	if !e.free(from.Moved(along.Scale(most)), e.keeps) {
		return
	}
	e.best, e.way = most+lift, along.Scale(most).Add(world.Vec3{0, lift, 0})
}

// halve returns about the least distance that is out, where most is, and whatever is farther than one that is.
func halve(least, most float64, out func(float64) bool) float64 {
	for range halvings {
		if half := (least + most) / 2; out(half) {
			most = half
		} else {
			least = half
		}
	}
	return most
}

// out reports whether it is out of what it was in.
func (e *escape) out(me solid.Solid) bool {
	for _, o := range e.in {
		if solid.Between(o.solid, me).Gap < float64(gap*e.radius) {
			return false
		}
	}
	return true
}

// free reports whether it is no nearer than that to anything but what it was in.
func (e *escape) free(me solid.Solid, keeps float64) bool {
	bounds := me.Bounds()
	for i := range e.around {
		o := &e.around[i]
		if !o.in && (!e.pushes || !o.gives) && o.bounds.Near(bounds, max(keeps, 0)) && solid.Between(o.solid, me).Gap < keeps {
			return false
		}
	}
	return true
}

// above returns how far up the first place is that is in nothing, from one on. Beyond Reach it does not look: there numbers are too coarse to get out of anything.
func (e *escape) above(rise float64) float64 {
	for {
		before := rise
		for i := range e.around { // what it is above of it comes into no more: so this ends
			o := &e.around[i]
			me := e.me.Moved(world.Vec3{0, rise, 0})
			bounds := me.Bounds()
			if o.contact(&me, &bounds).Gap >= -still {
				continue
			}
			skin := float64(gap * e.radius)
			most := rise + o.bounds.Hi[1] - bounds.Lo[1] + skin + still
			rise = halve(rise, most, func(d float64) bool {
				return solid.Between(o.solid, e.me.Moved(world.Vec3{0, d, 0})).Gap >= skin
			})
		}
		if rise == before || !(e.me.Center[1]+rise <= Reach) {
			return rise
		}
	}
}
