package physics

import (
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// What is here has characters come to an end of their fall where the world has none: who is spawned over nothing stays in the air until there is something, and who has
// fallen out of the world is put back.

// perch is the component of where a character is put back that falls out of the world. It is immutable.
type perch struct {
	At    world.Vec3 `json:"at"`              // where it stood last, or was put at first
	Waits bool       `json:"waits,omitempty"` // it stays in the air there, as there is nothing below
	Fell  uint64     `json:"fell,omitempty"`  // the step in which it was put back last; 0: never
}

// Measures of falling out of the world.
const (
	lost    = 30  // how far below its perch a character is that has fallen out of the world, if there is nothing below it, in metres
	caught  = 500 // how far below a dynamic body counts for something, which may itself be falling for ever
	looks   = 0.5 // how often it is looked, in seconds
	strayed = 0.5 // how far from its perch a character stands at least that has another one, in metres
)

// below reports whether there is anything below a character, or would be below one at a place, however far, that it could come to stand on or swim in. Half is
// from its middle to its feet. Other characters are nothing.
func (p *Physics) below(v *world.View, id world.ID, at world.Vec3, half, radius float64) bool {
	under := world.Vec3{at[0], -world.MaxNumber, at[2]}
	over := at
	for _, i := range [...]int{0, 2} {
		under[i] -= radius
		over[i] += radius
	}
	column := solid.Bounds{Lo: under, Hi: over}
	for _, f := range p.firm.In(v, column) {
		if !p.characters.Has(v, f.Entity) {
			return true
		}
	}
	if p.wetBelow(v, id, at.Add(world.Vec3{0, -half, 0}), 2*half) {
		return true
	}
	column.Lo[1] = at[1] - caught
	for id, b := range p.w.Bodies.All(v) {
		if b.Type != "dynamic" {
			continue
		}
		if d, ok := p.describe(v, id); ok && p.solid(&d).Bounds().Near(column, 0) {
			return true
		}
	}
	return false
}

// wetBelow reports whether there is water below the feet of a character that is so tall, or it is in some: there it swims up. Under what keeps water off,
// such as an island beneath a sea, one falls.
func (p *Physics) wetBelow(v *world.View, id world.ID, feet world.Vec3, height float64) bool {
	for of, water := range p.w.Waters.All(v) {
		at, _ := v.WorldTransform(of)
		if y, here := water.Level(&at, feet[0], feet[2]); here && y <= feet[1] {
			return true
		}
	}
	return p.depth(v, feet, height, id) > 0
}

// Waits reports whether an entity is a character that stays in the air, because there is nothing below it.
func (p *Physics) Waits(v *world.View, id world.ID) bool {
	at, ok := p.perches.Get(v, id)
	return ok && at.Waits
}

// Fell returns the step in which a character that had fallen out of the world was put back last, 0 if it never was.
func (p *Physics) Fell(v *world.View, id world.ID) (step uint64) {
	at, _ := p.perches.Get(v, id)
	return at.Fell
}

// OnFell has fn told of each character that has fallen out of the world, from where, and to where it was put back. It is given once, where the world is put together.
func (p *Physics) OnFell(fn func(tx *world.Tx, id world.ID, from, to world.Vec3) error) {
	p.fell = append(p.fell, fn)
}

// floats reports whether a character that is to take a step stays in the air instead, and whether it was looked what is below it: that is so now and then only, and where it
// was moved. Until then it is awake, so that nothing it was roused by is forgotten. It goes on where it is sent somewhere, or there is something below by now.
func (p *Physics) floats(v *world.View, w *walked, c *Character, step uint64) (floats, looked bool) {
	if c.Grounded || c.Swimming || !p.Waits(v, w.id) {
		return false, false
	}
	m, b := &w.motion, w.body
	_, sent := p.wishes[w.id]
	if sent || m.Rise != 0 || m.Last > step || m.Jump > step || m.Thrown != [2]float64{} {
		return false, false
	}
	if step%p.w.StepsIn(looks) != 0 && b.told+1 != step {
		return true, false
	}
	f := &b.made.Form
	return !p.below(v, w.id, b.position, f.HalfHeight+f.Radius, f.Radius), true
}

// fall notes where a character has come to stand, and puts it back if it has fallen out of the world.
func (p *Physics) fall(tx *world.Tx, w *walked) error {
	if w.stays || tx.Step()%p.w.StepsIn(looks) != 0 {
		return nil
	}
	old, has := p.perches.Get(&tx.View, w.id)
	at, f := w.position, &w.body.made.Form
	half := f.HalfHeight + f.Radius
	switch {
	case !has || w.grounded && (old.Waits || at.Dist(old.At) > strayed):
		return p.perches.Set(tx, w.id, perch{At: at, Fell: old.Fell})
	case w.grounded || w.swims || old.At[1]-at[1] < lost || p.below(&tx.View, w.id, at, half, f.Radius):
		return nil
	}
	to := perch{At: old.At, Fell: tx.Step()}
	if !p.below(&tx.View, w.id, to.At, half, f.Radius) {
		spawn := p.w.Environment.Spawn.Get(&tx.View).Add(world.Vec3{0, half + 2*gap*f.Radius, 0})
		if to.Waits = !p.below(&tx.View, w.id, spawn, half, f.Radius); !to.Waits {
			to.At = spawn
		}
	}
	if err := p.perches.Set(tx, w.id, to); err != nil {
		return err
	}
	if err := p.motions.Set(tx, w.id, motion{}); err != nil {
		return err
	}
	if err := tx.PutAt(w.id, to.At, w.rotation); err != nil {
		return err
	}
	for _, fn := range p.fell {
		if err := fn(tx, w.id, at, to.At); err != nil {
			return err
		}
	}
	return nil
}
