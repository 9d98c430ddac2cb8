package physics

import (
	"slices"

	"github.com/limina-mcp/limina/world"
)

// What is here has characters weigh on the dynamic bodies that they stand on. Their weight is a force that stays until they go elsewhere, and not a push in
// each step, which would keep what they stand on awake, and creeping.

// heft is how many times as much as a body somebody weighs at most who stands on it: light things under a heavy load give way to each other.
const heft = 10.0

// load is the weight that rests on a body, as a force in N and a torque in N·m.
type load struct{ force, torque world.Vec3 }

// mount finds out who stands on which dynamic body.
func (p *Physics) mount(v *world.View) {
	clear(p.riders)
	for id, on := range p.grounds.All(v) {
		if b := p.bodies[id]; b != nil && b.live {
			if g := p.bodies[on]; g != nil && g.live && g.made.Kind == Dynamic {
				p.riders[on] = append(p.riders[on], b.position)
			}
		}
	}
}

// burden has what somebody stands on carry his weight in the step that is being taken, but what water bears, which [Physics.bears] loads.
func (p *Physics) burden() error {
	if len(p.riders)+len(p.laden) == 0 {
		return nil
	}
	ids := p.laden
	for id := range p.riders {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	p.laden = ids[:0]
	for _, id := range slices.Compact(ids) {
		b := p.bodies[id]
		if b == nil || !b.live || b.borne {
			continue
		}
		carries := b.laden(p.riders[id], p.heaviness())
		if len(p.riders[id]) > 0 {
			p.laden = append(p.laden, id)
		}
		if carries == b.carries {
			continue
		}
		b.carries = carries
		asleep := b.awakeAt != p.last && b.told != p.now
		if err := p.engine.Bear(b.handle, carries.force, carries.torque, asleep); err != nil {
			return err
		}
	}
	return nil
}

// laden returns what weighs on a body on which characters stand.
func (b *body) laden(riders []world.Vec3, gravity float64) (l load) {
	if len(riders) == 0 {
		return l
	}
	down := world.Vec3{0, -min(push, heft*b.made.weight()) * gravity, 0}
	middle := b.made.Position.Add(b.made.Rotation.Rotate(b.middle()))
	for _, at := range riders {
		l.force, l.torque = l.force.Add(down), l.torque.Add(at.Sub(middle).Cross(down))
	}
	return l
}
