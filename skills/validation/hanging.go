package validation

import (
	"slices"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// atJoint is how far from one of two things the place of a joint is at most that has them meet, in metres.
const atJoint = 0.1

// pair is a body and another one.
type pair struct{ one, other world.ID }

// hang notes what joints hold: who hangs on whom or on a place, and which bodies are in each other because a joint has them meet.
// A joint that holds nothing, because what it hung on is gone or has no body any more, is none.
func (s *stage) hang(w *world.World, v *world.View, p *physics.Physics) {
	of := map[world.ID]*unit{} // by bodies
	for _, u := range s.units {
		for _, body := range u.bodies {
			of[body] = u
		}
	}
	for id, j := range p.Joints(v) {
		u := of[id]
		own, has := w.Bodies.Get(v, id)
		if u == nil || !has {
			continue
		}
		to, has := w.Bodies.Get(v, j.To)
		switch {
		case own.Type != "dynamic" && to.Type != "dynamic" || j.To != 0 && !has:
			continue
		case j.To == 0:
			u.hung, u.hangs = true, true
			continue
		}
		o := of[j.To]
		u.hung = true
		if o == nil { // it cannot be seen
			u.hangs = u.hangs || to.Type != "dynamic"
			continue
		}
		o.hung = true
		if o == u {
			continue
		}
		u.ties, o.ties = append(u.ties, o), append(o.ties, u)
		if _, at := p.Ends(v, id); !j.Collide && !j.Kind.Spans() && (u.isAt(at, id) || o.isAt(at, j.To)) {
			u.meet(id, j.To)
			o.meet(j.To, id)
		}
	}
}

// isAt reports whether a place is at what moves with a body of a unit.
func (u *unit) isAt(at world.Vec3, body world.ID) bool {
	point := pointAt(at)
	for i := range u.solids {
		if u.bodies[i] == body && solid.Within(point, u.solids[i], atJoint) {
			return true
		}
	}
	return false
}

// pointAt is a place as a solid.
func pointAt(at world.Vec3) solid.Solid {
	return solid.New(world.Shape{}, world.Transform{Position: at, Rotation: world.NoRotation()})
}

// meet notes that a joint has a body of the unit meet that of another one.
func (u *unit) meet(own, other world.ID) {
	if u.meets == nil {
		u.meets = map[pair]bool{}
	}
	u.meets[pair{own, other}] = true
}

// bodyOf returns the entity with a body that another one moves with: itself, or the nearest above it; 0 if there is none.
func bodyOf(w *world.World, v *world.View, id world.ID) world.ID {
	for up := range v.Up(id) {
		if w.Bodies.Has(v, up) {
			return up
		}
	}
	return 0
}

// borne reports whether joints hold a unit, or what holds it, if that is known of held.
func (u *unit) borne(held map[*unit]bool) bool {
	return slices.ContainsFunc(u.ties, func(o *unit) bool { return o.fixed || o.hangs || held[o] })
}
