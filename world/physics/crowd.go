package physics

import (
	"math"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// Bodies that are in one another cost the engine a pair each: a thousand in one place are half a million, which takes it many
// seconds a step, and more memory than it has. What falls or is pushed does not get there, only what is put there. So a dynamic
// body that is put where many are already waits, out of the engine and in its place, until there is room.
const (
	mostTogether = 32 // bodies that reach into the middle of a dynamic one that is put somewhere
	mostTries    = 16 // of those that wait, in a step
)

// spot is a cube of space, of those whose edge is 2 to the power of size.
type spot struct {
	size int
	at   world.Vec3
}

// crowded reports whether where a body is to be put there are too many. If not, it is remembered to be there: the engine finds it
// only after the step.
func (p *Physics) crowded(b *Body) (bool, error) {
	if b.Kind != Dynamic {
		return false, nil
	}
	core := b.Form.core() / 2
	var err error
	if p.about, err = p.engine.Around(p.about[:0], b.Position, world.Vec3{core, core, core}, mostTogether); err != nil {
		return false, err
	}
	n := len(p.about)
	_, size := math.Frexp(2 * b.Form.reach())
	here := solid.Bounds{Lo: b.Position, Hi: b.Position}
	for i := range 8 { // what is as large and reaches here has its middle at most half an edge away
		side := world.Vec3{float64(i & 1), float64(i >> 1 & 1), float64(i >> 2)}
		for _, o := range p.fresh[spotOf(b.Position, size, side.Sub(world.Vec3{0.5, 0.5, 0.5}))] {
			if o.Near(here, 0) {
				n++
			}
		}
	}
	if n >= mostTogether {
		return true, nil
	}
	s := spotOf(b.Position, size, world.Vec3{})
	p.fresh[s] = append(p.fresh[s], b.Form.at(b.Position, b.Rotation).Bounds())
	return false, nil
}

// spotOf returns the spot of a size that a place is in, moved by so many edges.
func spotOf(at world.Vec3, size int, by world.Vec3) spot {
	for i := range at {
		at[i] = math.Floor(math.Ldexp(at[i], -size) + by[i])
	}
	return spot{size, at}
}

// wait has a body be in nobody's way until there is room for it.
func (p *Physics) wait(b *body) error {
	if !b.waits {
		b.waits = true
		p.waiting = append(p.waiting, b)
	}
	b.lost = false
	if !b.live {
		return nil
	}
	b.live, p.told = false, true
	p.at[b.handle.Index()] = nil
	return p.engine.Remove(b.handle)
}

// admit tries those that have waited for longest.
func (p *Physics) admit(v *world.View) error {
	for tries, n := 0, len(p.waiting); n > 0 && tries < mostTries; n-- {
		b := p.waiting[0]
		p.waiting = p.waiting[1:]
		b.waits = false
		if b.live || p.bodies[b.id] != b {
			continue
		}
		tries++
		if err := p.tell(v, b, false); err != nil {
			return err
		}
	}
	if len(p.waiting) == 0 {
		p.waiting = nil
	}
	return nil
}
