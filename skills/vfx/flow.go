package vfx

import (
	"iter"
	"math"

	"github.com/limina-mcp/limina/world"
)

// Particle is one particle as it is at a time.
type Particle struct {
	At    world.Vec3
	Size  float64 // metres across
	Color Color
}

// All yields every emitter and burst, in the order of their handles.
func (e *Effects) All(v *world.View) iter.Seq2[Handle, Emitter] { return e.rows.All(v) }

// Particles yields those of an emitter that live in the step of a view, the oldest first.
func (e *Effects) Particles(v *world.View, h Handle, em *Emitter) iter.Seq[Particle] {
	at := world.Identity()
	if em.Entity != 0 {
		at, _ = v.WorldTransform(em.Entity)
	}
	at.Position = at.Position.Add(at.Rotation.Rotate(em.Position))
	now, rate := v.Step(), e.w.StepRate()
	return func(yield func(Particle) bool) {
		first, n, age := em.living(now, rate)
		for i := range n {
			k := first + float64(i)
			if !yield(em.particle(dice{uint32(h), uint32(math.Mod(k, 1<<32))}, at, age(k), rate)) {
				return
			}
		}
	}
}

// life is for how many seconds a particle is there: a step at least.
func (em *Emitter) life(rate int) float64 { return max(em.Lifetime, 1/float64(rate)) }

// living returns which particles there are in a step: n of them, from number first on, and how old one is, in seconds.
func (em *Emitter) living(now uint64, rate int) (first float64, n int, age func(k float64) float64) {
	life := em.life(rate)
	since := float64(now-em.Start) / float64(rate)
	if em.Count > 0 {
		if now >= em.Stop {
			return 0, 0, nil
		}
		return 0, em.Count, func(float64) float64 { return min(since, life) }
	}
	open := since
	if !em.Playing {
		open = float64(max(em.Stop, em.Start)-em.Start) / float64(rate) // one that never played has no stop
	}
	each := max(1/em.EmissionRate, life/float64(em.MaxParticles)) // seconds from one to the next
	end := math.Ceil(open / each)
	first = max(math.Floor((since-life)/each)+1, end-float64(em.MaxParticles), 0)
	if !(end > first) {
		return 0, 0, nil
	}
	return first, int(end - first), func(k float64) float64 { return min(max(since-float64(k*each), 0), life) }
}

// particle is how a particle is at an age.
func (em *Emitter) particle(d dice, at world.Transform, age float64, rate int) Particle {
	from, toward := em.begin(d)
	p := Particle{At: at.Position.Add(at.Rotation.Rotate(from.Add(toward.Scale(float64(em.StartSpeed * age)))))}
	p.At[1] += float64(float64(em.Gravity*age)*age) / 2
	part := age / em.life(rate)
	p.Size = between(em.StartSize, em.EndSize, part)
	for i := range p.Color {
		p.Color[i] = between(em.StartColor[i], em.EndColor[i], part)
	}
	return p
}

// between is what is that part of the way from a to b.
func between(a, b, part float64) float64 { return a + float64((b-a)*part) }

// begin is where a particle begins, from the emitter, and its direction, of length 1, along the emitter's axes.
func (em *Emitter) begin(d dice) (from, toward world.Vec3) {
	half := em.Spread * (math.Pi / 360)
	sin, cos := world.Sincos(2 * math.Pi * d.roll(0))
	if em.Shape == "cone" {
		out := math.Sqrt(d.roll(1))
		lean, up := world.Sincos(half * out)
		return world.Vec3{float64(cos * out), 0, float64(sin * out)}.Scale(em.Radius), world.Vec3{float64(cos * lean), up, float64(sin * lean)}
	}
	_, edge := world.Sincos(half)
	up := 1 - float64(d.roll(1)*(1-edge))
	lean := math.Sqrt(max(1-float64(up*up), 0))
	toward = world.Vec3{float64(cos * lean), up, float64(sin * lean)}
	switch em.Shape {
	case "box":
		from = world.Vec3{2*d.roll(2) - 1, 2*d.roll(3) - 1, 2*d.roll(4) - 1}.Scale(em.Radius)
	case "sphere":
		from = inBall(d).Scale(em.Radius)
	}
	return from, toward
}

// inBall is a point of a ball of radius 1, anywhere alike: the largest of three numbers is as far out as the third root of one.
func inBall(d dice) world.Vec3 {
	y := 2*d.roll(2) - 1
	sin, cos := world.Sincos(2 * math.Pi * d.roll(3))
	ring := math.Sqrt(max(1-float64(y*y), 0))
	return world.Vec3{float64(cos * ring), y, float64(sin * ring)}.Scale(max(d.roll(4), d.roll(5), d.roll(6)))
}

// reach is how far from an emitter its particles come, at most.
func (em *Emitter) reach(rate int) float64 {
	life := em.life(rate)
	flown := float64(math.Abs(em.StartSpeed)*life) + float64(float64(math.Abs(em.Gravity)*life)*life)/2
	return world.Bounded(2*em.Radius + flown + max(em.StartSize, em.EndSize))
}

// dice are the numbers of a particle.
type dice struct{ emitter, particle uint32 }

// roll returns one of its numbers, from 0 up to 1.
func (d dice) roll(which uint32) float64 {
	h := mix(mix(d.emitter+1) ^ d.particle)
	return float64(mix(h+which*0x9e3779b9)) / (1 << 32)
}

// mix spreads the bits of a number all over it: the end of MurmurHash3.
func mix(h uint32) uint32 {
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}
