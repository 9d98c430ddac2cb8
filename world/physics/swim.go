package physics

import (
	"math"

	"github.com/limina-mcp/limina/world"
)

// What is here has characters wade, swim and get out of water again. A current takes along who swims, not who wades. Water is as high everywhere as [world.Pool] says, and everything under it is wet down to what
// keeps it off: a ceiling, as of a cellar or a tunnel.

// How deep water is for a character, in its height.
const (
	wades = 0.25 // what is deeper slows it
	Swims = 0.6  // what is deeper carries it: so deep it lies in the water
)

// swimPace is what a swimmer has of its walking speed.
const swimPace = 0.5

// Measures of swimming, in metres and seconds.
const (
	shoal   = 0.05 // so much less than afloat still carries: there it finds its feet
	buoyed  = 1.5  // how fast water lifts, and what is lighter than it lets down, at most
	righted = 3    // how fast that is for each metre that it is too deep
	braked  = 40   // how much slower in a second it gets that falls in
	dives   = 0.3  // no deeper than so it can jump out
)

// depth returns how deep in water the feet of a character are that is so tall, in metres; 0 on land.
func (p *Physics) depth(v *world.View, feet world.Vec3, height float64, id world.ID) float64 {
	level, _ := p.w.WaterLevel(v, feet[0], feet[2])
	return p.under(v, level, feet, height, id)
}

// under is depth where it is known how high the water is over or under the feet.
func (p *Physics) under(v *world.View, level float64, feet world.Vec3, height float64, id world.ID) float64 {
	if level <= feet[1] {
		return 0
	}
	middle := feet.Add(world.Vec3{0, height / 2, 0})
	if level > middle[1] && p.dry(v, middle, level, id) {
		return 0
	}
	return level - feet[1]
}

// soak finds out how deep in water a character is that takes a step, and whether it swims.
func (p *Physics) soak(v *world.View, w *walked) {
	f := &w.body.made.Form
	half := f.HalfHeight + f.Radius
	feet := w.body.position
	feet[1] -= half
	level, flow, _ := p.pools.Flows(feet[0], feet[2])
	deep := p.under(v, level, feet, 2*half, w.id)
	if deep > 0 && len(p.launched) > 0 {
		by := p.beside(w.body.position, half, nil)
		for _, part := range [...]float64{0.1, 0.3, 0.5} {
			if spared(by, feet.Add(world.Vec3{0, float64(part * 2 * half), 0}), level) {
				deep = 0
			}
		}
	}
	if deep > 0 && w.grounded && p.aboard(w.ground, feet, feet[1]+deep) {
		deep = 0
	}
	w.wet = deep / (2 * half)
	w.over = float64((w.wet - Swims) * 2 * half)
	w.swims = w.wet > 0 && w.over > -shoal && w.motion.Rise <= buoyed
	if w.swims {
		w.flow = flow
	}
}

// through returns how fast somebody is in water that would have a speed on land, whose usual one is walk. wet is how deep that is, in its height.
func through(speed, walk, wet float64) float64 {
	part := min(max((wet-wades)/(Swims-wades), 0), 1)
	return float64(speed*(1-part)) + float64(min(speed, float64(walk*swimPace))*part)
}

// float returns how fast a swimmer rises after a part of a second, who rises so fast and is so much too deep.
func float(rise, over, dt, gravity float64) float64 {
	if math.Abs(over) < still && math.Abs(rise) < buoyed/10 {
		return over / dt // there it stays
	}
	want := min(max(float64(over*righted), -buoyed), buoyed)
	return rise + min(max(want-rise, -float64(gravity*dt)), float64(braked*dt))
}

// rewets notes that a commit has changed water, so that who rests is to look whether it still does.
func (p *Physics) rewets(v *world.View, changes []world.Change) {
	if p.w.Waters.Len(v) == 0 && len(p.waters) == 0 {
		return
	}
	for i := range changes {
		id := changes[i].ID
		switch has := p.w.Waters.Has(v, id); {
		case has:
			p.waters[id], p.rewet = struct{}{}, true
		default:
			if _, had := p.waters[id]; had {
				delete(p.waters, id)
				p.rewet = true
			}
		}
	}
}

// Drag is how much of its walking speed a character has in the water that it is in, 0 to 1: all of it on land, and what is no character.
func (p *Physics) Drag(v *world.View, id world.ID) float64 {
	if p.w.Waters.Len(v) == 0 || !p.characters.Has(v, id) {
		return 1
	}
	b, ok := p.describe(v, id)
	if !ok || b.Form.Kind != Capsule {
		return 1
	}
	half := b.Form.HalfHeight + b.Form.Radius
	feet := b.Position
	feet[1] -= half
	deep := p.depth(v, feet, 2*half, id)
	if c, _ := p.characters.Get(v, id); deep > 0 && c.Grounded {
		if ground, ok := p.grounds.Get(v, id); ok && p.aboard(ground, feet, feet[1]+deep) {
			deep = 0
		}
	}
	return through(1, 1, deep/(2*half))
}

// Swimming reports whether an entity is a character that swims.
func (p *Physics) Swimming(v *world.View, id world.ID) bool {
	c, _ := p.characters.Get(v, id)
	return c.Swimming
}
