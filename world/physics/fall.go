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
}

// Measures of falling out of the world.
const (
	lost    = 30  // how far below its perch a character is that has fallen out of the world, if there is nothing below it, in metres
	caught  = 500 // how far below a dynamic body counts for something, which may itself be falling for ever
	looks   = 0.5 // how often it is looked, in seconds
	strayed = 0.5 // how far from its perch a character stands at least that has another one, in metres
)

// Below reports whether there is anything below a place, however far, that a character could come to stand on or swim in. Other characters are nothing.
func (p *Physics) Below(v *world.View, at world.Vec3, radius float64) bool {
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
	if _, ok := p.w.WaterLevel(v, at[0], at[2]); ok { // under water one swims up
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

// Waits reports whether an entity is a character that stays in the air, because there is nothing below it.
func (p *Physics) Waits(v *world.View, id world.ID) bool {
	at, ok := p.perches.Get(v, id)
	return ok && at.Waits
}

// OnFell has fn told of each character that has fallen out of the world, from where, and to where it was put back. It is given once, where the world is put together.
func (p *Physics) OnFell(fn func(tx *world.Tx, id world.ID, from, to world.Vec3) error) {
	p.fell = append(p.fell, fn)
}

// floats reports whether a character that is to take a step stays in the air instead. It goes on where it is sent somewhere, or there is something below by now.
func (p *Physics) floats(v *world.View, w *walked, c *Character, step uint64) bool {
	if c.Grounded || c.Swimming || !p.Waits(v, w.id) {
		return false
	}
	m := &w.motion
	_, sent := p.wishes[w.id]
	if sent || m.Last > step || m.Jump > step || m.Thrown != [2]float64{} {
		return false
	}
	return !p.Below(v, w.body.position, w.body.made.Form.Radius)
}

// fall notes where a character has come to stand, and puts it back if it has fallen out of the world.
func (p *Physics) fall(tx *world.Tx, w *walked) error {
	if w.stays || tx.Step()%p.w.StepsIn(looks) != 0 {
		return nil
	}
	old, has := p.perches.Get(&tx.View, w.id)
	at := w.position
	switch {
	case !has || w.grounded && (old.Waits || at.Dist(old.At) > strayed):
		return p.perches.Set(tx, w.id, perch{At: at})
	case w.grounded || w.swims || old.At[1]-at[1] < lost || p.Below(&tx.View, at, w.body.made.Form.Radius):
		return nil
	}
	to := perch{At: old.At}
	if f := &w.body.made.Form; !p.Below(&tx.View, to.At, f.Radius) {
		spawn := p.w.Environment.Spawn.Get(&tx.View).Add(world.Vec3{0, f.HalfHeight + f.Radius + 2*gap*f.Radius, 0})
		if to.Waits = !p.Below(&tx.View, spawn, f.Radius); !to.Waits {
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
