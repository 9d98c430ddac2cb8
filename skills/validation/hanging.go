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

// held is a joint, and what it holds.
type held struct {
	id    world.ID
	joint physics.Joint
	to    string     // the type of the body that it hangs on, "" for none
	at    world.Vec3 // where it is on what it hangs on
}

// noteJoints copies the joints. One that holds nothing, because what it hung on is gone or has no body any more, is none.
func (s *stage) noteJoints(w *world.World, v *world.View, p *physics.Physics) {
	for id, j := range p.Joints(v) {
		own, has := w.Bodies.Get(v, id)
		if !has {
			continue
		}
		to, has := w.Bodies.Get(v, j.To)
		if own.Type != "dynamic" && to.Type != "dynamic" || j.To != 0 && !has {
			continue
		}
		_, at := p.Ends(v, id)
		s.joints = append(s.joints, held{id, j, to.Type, at})
	}
}

// hang notes what joints hold: who hangs on whom or on a place, and which bodies are in each other because a joint has them meet.
func (s *stage) hang() {
	if len(s.joints) == 0 {
		return
	}
	of := map[world.ID]*unit{} // by bodies
	for _, u := range s.units {
		for _, body := range u.bodies {
			of[body] = u
		}
	}
	for i := range s.joints {
		h := &s.joints[i]
		u := of[h.id]
		if u == nil {
			continue
		}
		u.hung = true
		if h.joint.To == 0 {
			u.hangs = true
			continue
		}
		o := of[h.joint.To]
		if o == nil { // it cannot be seen
			u.hangs = u.hangs || h.to != "dynamic"
			continue
		}
		o.hung = true
		if o == u {
			continue
		}
		u.ties, o.ties = append(u.ties, o), append(o.ties, u)
		if !h.joint.Collide && !h.joint.Kind.Spans() && (u.isAt(h.at, h.id) || o.isAt(h.at, h.joint.To)) {
			u.meet(h.id, h.joint.To)
			o.meet(h.joint.To, h.id)
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
