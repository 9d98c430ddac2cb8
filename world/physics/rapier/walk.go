package rapier

import (
	"encoding/binary"
	"math"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// noNumber is how the module is told that an optional number is left out.
var noNumber = math.Float64bits(1<<53 - 1)

// A surface is a slope if its normal's y is at least this, and ground if it is at least that: 45 degrees,
// as the controller has it, and a little for rounding.
const (
	slope = 0.02
	level = 0.7
)

// Walk finds out how far a character comes, with Rapier's kinematic character controller, and pushes
// the dynamic bodies that it walks against.
func (e *Engine) Walk(h physics.Handle, s *physics.Stride) (w physics.Walked, err error) {
	defer catch(&err)
	e.tune(s)
	sets := &e.sets
	e.call("rawkinematiccharactercontroller_computeColliderMovement", ref(e.control), f32(e.settings.TimeStep),
		ref(sets.broad), ref(sets.narrow), ref(sets.bodies), ref(sets.colliders), uint64(e.collider(h)), e.vector(0, s.Way),
		1, math.Float64bits(float64(float32(s.Mass))), 0, noNumber, refUndefined)
	e.call("rawkinematiccharactercontroller_computedMovement", ref(e.control), ref(e.objects.lend(e.spot)))
	e.objects.back()
	w = physics.Walked{Way: e.spotted(), Ground: physics.NoHandle}
	w.Grounded = e.call("rawkinematiccharactercontroller_computedGrounded", ref(e.control)) != 0
	if w.Grounded {
		w.Ground, w.Grounded = e.ground()
	}
	return w, nil
}

// tune sets the controller to a character's measures, if it was set to those of another.
func (e *Engine) tune(s *physics.Stride) {
	if e.tuned == s.Feet {
		return
	}
	e.tuned = s.Feet
	at := ref(e.control)
	e.call("rawkinematiccharactercontroller_setOffset", at, f32(s.Feet.Gap))
	e.call("rawkinematiccharactercontroller_enableAutostep", at, f32(s.Feet.Step), f32(s.Feet.Width), 1)
	e.call("rawkinematiccharactercontroller_enableSnapToGround", at, f32(s.Feet.Snap))
}

// ground returns the body that the character of the last Walk has come to stand on: the one whose
// surface is most level of those that it met. It reports false if that is too steep to stand on. A
// character that stays on the ground by being snapped to it has met none.
func (e *Engine) ground() (found physics.Handle, ok bool) {
	best := slope
	found = physics.NoHandle
	n := e.call("rawkinematiccharactercontroller_numComputedCollisions", ref(e.control))
	for i := range n {
		if e.call("rawkinematiccharactercontroller_computedCollision", ref(e.control), i, ref(e.collision)) == 0 {
			continue
		}
		e.call("rawcharactercollision_worldNormal1", ref(e.collision), ref(e.objects.lend(e.spot)))
		e.objects.back()
		if y := e.spotted()[1]; y > best {
			best, found = y, e.owner(physics.Handle(e.call("rawcharactercollision_handle", ref(e.collision))))
		}
	}
	return found, best == slope || best >= level
}

// Around appends the bodies of the colliders whose bounds meet a box.
func (e *Engine) Around(dst []physics.Handle, middle, half world.Vec3, most int) (found []physics.Handle, err error) {
	defer catch(&err)
	s := &e.sets
	e.around, e.most = dst, len(dst)+most
	e.call("rawbroadphase_collidersWithAabbIntersectingAabb", ref(s.broad), ref(s.narrow), ref(s.bodies), ref(s.colliders),
		e.vector(0, middle), e.vector(1, half), ref(e.objects.lend(e.find)))
	e.objects.back()
	found, e.around = e.around, nil
	return found, nil
}

// Fits reports whether a form, somewhere, would touch no body but one.
func (e *Engine) Fits(f physics.Form, at world.Vec3, turned world.Quat, but physics.Handle) (ok bool, err error) {
	defer catch(&err)
	shape, turn := e.form(&f), e.rotation(turned)
	s := &e.sets
	out := e.call("__wbindgen_add_to_stack_pointer", uint64(0xfffffff0)) // 16 bytes of the module's stack
	e.call("rawbroadphase_intersectionWithShape", out, ref(s.broad), ref(s.narrow), ref(s.bodies), ref(s.colliders),
		e.vector(0, at), turn, shape, 0, noNumber, 0, 0, 1, uint64(but), refUndefined)
	hit := binary.LittleEndian.Uint32(e.bytes(uint32(out), 4))
	e.call("__wbindgen_add_to_stack_pointer", 16)
	e.call("__wbg_rawshape_free", shape, 0)
	e.call("__wbg_rawrotation_free", turn, 0)
	return hit == 0, nil
}
