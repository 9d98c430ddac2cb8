package rapier

import (
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// touch is that two colliders began or ceased to touch.
type touch struct {
	a, b  physics.Handle
	began bool
}

// maxLocated is how many contacts of one step are looked up in the narrow phase.
const maxLocated = 256

// Contacts appends who began and who ceased to touch whom in the last step, and where, for the first
// 256 of those who began.
func (e *Engine) Contacts(dst []physics.Contact) (out []physics.Contact, err error) {
	defer catch(&err)
	e.drain()
	located := 0
	for _, t := range e.touches {
		c := physics.Contact{A: e.owner(t.a), B: e.owner(t.b), Began: t.began}
		if t.began && located < maxLocated {
			located++
			e.locate(t, &c)
		}
		dst = append(dst, c)
	}
	e.touches = e.touches[:0]
	return dst, nil
}

// drain notes who began and who ceased to touch whom since it was last called, or since the last of Rapier's steps.
func (e *Engine) drain() {
	e.invoke(e.hot.drain, ref(e.sets.events), ref(e.objects.lend(e.heard)))
	e.objects.back()
}

func (e *Engine) owner(collider physics.Handle) physics.Handle {
	if i := collider.Index(); i < len(e.owners) && e.owners[i].collider == collider {
		return e.owners[i].body
	}
	return physics.NoHandle
}

// locate finds out where two colliders touch.
func (e *Engine) locate(t touch, c *physics.Contact) {
	pair := e.call("rawnarrowphase_contact_pair", ref(e.sets.narrow), uint64(t.a), uint64(t.b))
	if pair == 0 {
		return
	}
	defer e.call("__wbg_rawcontactpair_free", pair, 0)
	manifold := e.call("rawcontactpair_contactManifold", pair, 0)
	if manifold == 0 {
		return
	}
	defer e.call("__wbg_rawcontactmanifold_free", manifold, 0)
	if e.call("rawcontactmanifold_num_solver_contacts", manifold) == 0 {
		return
	}
	e.call("rawcontactmanifold_normal", manifold, ref(e.objects.lend(e.spot)))
	e.objects.back()
	c.Normal = e.spotted()
	found := e.call("rawcontactmanifold_solver_contact_point", manifold, ref(e.sets.bodies), 0, ref(e.objects.lend(e.spot)))
	e.objects.back()
	c.Point, c.Located = e.spotted(), found != 0
	if e.call("rawcontactpair_collider1", pair) != uint64(t.a) {
		c.Normal = c.Normal.Scale(-1)
	}
}

// spotted is the vector that the module has written.
func (e *Engine) spotted() world.Vec3 {
	v := e.spot.values
	return world.Vec3{float64(v[0]), float64(v[1]), float64(v[2])}
}
