package rapier

import (
	"errors"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// Which of a joint's six axes are locked, as bits in Rapier's order: sliding along x, y, z, turning about x, y, z.
const (
	lockAll     = 0b111111
	freeTurnX   = lockAll &^ 0b001000
	freeSlideX  = lockAll &^ 0b000001
	freeTurning = 0b000111
)

// The axes by number.
const (
	slideX = 0
	turnX  = 3
)

// How motors act: by acceleration, so that they do the same to what is light and what is heavy. One that is to go at a speed loses what it lacks at
// a rate of eager per second. One that is to go to a place is a spring without swinging: pull = w² and brake = 2w (critical damping of a harmonic
// oscillator of w per second), so stiff that a body hanging from it sags by some thousandth of a radian.
const (
	eager = 1e5
	pull  = 1e4
	brake = 200
)

// Join has two bodies hold each other.
func (e *Engine) Join(a, b physics.Handle, j *physics.Hold) (h physics.Handle, err error) {
	defer catch(&err)
	made := e.joint(j)
	if made == 0 {
		panic(trap{errors.New("a joint without an axis")})
	}
	joints := ref(e.sets.joints)
	h = physics.Handle(e.call("rawimpulsejointset_createJoint", joints, made, uint64(a), uint64(b), 1))
	e.call("__wbg_rawgenericjoint_free", made, 0)
	handle := uint64(h)
	if !j.Kind.Spans() { // it matters how its frames are turned
		one, other := e.rotation(j.A.Turn), e.rotation(j.B.Turn)
		e.call("rawimpulsejointset_jointSetLocalFrame1", joints, handle, e.vector(0, j.A.At), one)
		e.call("rawimpulsejointset_jointSetLocalFrame2", joints, handle, e.vector(0, j.B.At), other)
		e.call("__wbg_rawrotation_free", one, 0)
		e.call("__wbg_rawrotation_free", other, 0)
	}
	e.verifyJoint(h, a, b, j)
	e.call("rawimpulsejointset_jointSetContactsEnabled", joints, handle, truth(j.Collide))
	axis, moves := travels(j.Kind)
	if !moves {
		return h, nil
	}
	if j.Limited {
		e.call("rawimpulsejointset_jointSetLimits", joints, handle, axis, f32(j.Low), f32(j.High))
	}
	if j.Motor.Drive != physics.Loose && j.Motor.Strength > 0 {
		e.call("rawimpulsejointset_jointSetMotorMaxForce", joints, handle, axis, f32(j.Motor.Strength))
	}
	return h, e.Steer(h, j)
}

// Steer gives a motor its goal.
func (e *Engine) Steer(joint physics.Handle, j *physics.Hold) (err error) {
	defer catch(&err)
	axis, moves := travels(j.Kind)
	if !moves {
		return nil
	}
	joints, handle, goal := ref(e.sets.joints), uint64(joint), f32(j.Motor.Goal)
	switch j.Motor.Drive {
	case physics.ToSpeed:
		e.call("rawimpulsejointset_jointConfigureMotorVelocity", joints, handle, axis, goal, f32(eager))
	case physics.ToPlace:
		e.call("rawimpulsejointset_jointConfigureMotorPosition", joints, handle, axis, goal, f32(pull), f32(brake))
	}
	return nil
}

// travels returns the one axis along or about which a joint moves, and whether there is one.
func travels(k physics.JointKind) (axis uint64, ok bool) {
	switch k {
	case physics.Hinge:
		return turnX, true
	case physics.Slider:
		return slideX, true
	}
	return 0, false
}

// joint makes a RawGenericJoint; the caller frees it.
func (e *Engine) joint(j *physics.Hold) uint64 {
	a, b := e.vector(0, j.A.At), e.vector(1, j.B.At)
	var locked uint64
	switch j.Kind {
	case physics.Rope:
		return e.call("rawgenericjoint_rope", f32(j.Length), a, b)
	case physics.Spring:
		return e.call("rawgenericjoint_spring", f32(j.Length), f32(j.Stiff), f32(j.Damped), a, b)
	case physics.Hinge:
		locked = freeTurnX
	case physics.Slider:
		locked = freeSlideX
	case physics.Unheld:
	case physics.Socket:
		locked = freeTurning
	default:
		locked = lockAll
	}
	return e.call("rawgenericjoint_generic", a, b, e.vector(2, world.Vec3{1, 0, 0}), locked)
}

// Part takes a joint away.
func (e *Engine) Part(joint physics.Handle) (err error) {
	defer catch(&err)
	e.call("rawimpulsejointset_remove", ref(e.sets.joints), uint64(joint), 1)
	return nil
}

// Wake wakes a body.
func (e *Engine) Wake(h physics.Handle) (err error) {
	defer catch(&err)
	e.call("rawrigidbodyset_rbWakeUp", ref(e.sets.bodies), uint64(h))
	return nil
}
