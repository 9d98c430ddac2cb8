package rapier

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// Rapier solves a step in parts, and keeps of each joint the impulses of the last part only: a jerk in another one leaves nothing. While joints are
// weighed the parts are steps of their own, of which each is solved at once, so that all impulses are seen. That is the same arithmetic but for
// looking in each part for what touches: a step of hundreds of boxes that tumble costs twice as much.
const parts = 4

// Where joints are in the module's memory: one behind the other in an array, in which a new one is the last. Like [stride] and
// what is with it this holds for one build, and is checked whenever a joint is made.
const (
	jointsAt      = 72 // from the address of the joint set: where the address of the array is, and how many there are
	jointSize     = 432
	frameAt       = 0 // from the beginning of a joint: the frames on its bodies, of 32 bytes, a rotation and then a place 16 bytes on
	limitsAt      = 80
	limitImpulse  = 8
	motorsAt      = 160
	motorImpulse  = 20
	axesAt        = 328 // bits of the six axes: which are locked, have limits, have motors, are taken together
	bodiesAt      = 336
	impulsesAt    = 352
	jointHandleAt = 376

	inertiaAt = 144 // from the beginning of a body: xx xy xz yy yz zz of the inverse of its inertia, in the world's axes
	centerAt  = 168 // its centre of mass, in the world
	massAt    = 180 // the inverse of its mass
)

// weighed is a joint of which it is measured how it holds.
type weighed struct {
	joint   physics.Handle
	at      uint32 // the address of the joint; 0: there is none
	rows    [3]row // by which it holds along axes, in their order
	n       int
	along   world.Vec3 // the one way along which a motor pushes, and a rope or a spring pulls
	impulse world.Vec3 // that it has given in this step
}

// row is one direction in which a joint holds: how an impulse of 1 changes what moves with the two bodies.
type row struct {
	linear   world.Vec3
	one, two world.Vec3 // about the centre of each
	impulse  uint32     // where in the joint is what was given
}

// aim is where a kinematic body is to be at the end of a step; of several the last counts.
type aim struct {
	body     physics.Handle
	from, to physics.Frame
}

// Weigh has it measured with what force these joints hold, in steps to come.
func (e *Engine) Weigh(joints []physics.Handle) (err error) {
	defer catch(&err)
	e.weighed = e.weighed[:0]
	for _, j := range joints {
		e.weighed = append(e.weighed, weighed{joint: j})
	}
	if fine := len(joints) > 0; fine != e.fine {
		e.fine = fine
		share := uint64(1)
		if fine {
			share = parts
		}
		e.call("rawintegrationparameters_set_dt", ref(e.sets.parameters), f32(e.settings.TimeStep/float64(share)))
		e.call("rawintegrationparameters_set_numSolverIterations", ref(e.sets.parameters), parts/share)
	}
	return nil
}

// Loads appends the forces with which the joints held that are weighed.
func (e *Engine) Loads(dst []float64) []float64 {
	for i := range e.weighed {
		dst = append(dst, e.weighed[i].impulse.Len()/e.settings.TimeStep)
	}
	return dst
}

// stepFinely is Step while joints are weighed.
func (e *Engine) stepFinely() {
	e.findWeighed()
	for part := 1; part <= parts; part++ {
		e.lead(part)
		array := e.array()
		for i := range e.weighed {
			e.brace(&e.weighed[i], array)
		}
		e.advance()
		e.drain()
		for i := range e.weighed {
			e.weigh(&e.weighed[i])
		}
	}
}

// lead has kinematic bodies go a part of their way, as evenly as in a step that is taken at once.
func (e *Engine) lead(part int) {
	share := float64(part) / parts
	for i := range e.aims {
		a := &e.aims[i]
		if part == 1 {
			s := e.state(e.array(), a.body)
			a.from = physics.Frame{At: s.Position, Turn: s.Rotation}
		}
		to := a.to
		if part < parts {
			to = between(&a.from, &a.to, share)
		}
		e.aim(a.body, to.At, to.Turn)
	}
}

// between returns a share of the way from one frame to another.
func between(from, to *physics.Frame, share float64) physics.Frame {
	f := physics.Frame{At: from.At.Add(to.At.Sub(from.At).Scale(share))}
	cos := 0.0
	for i := range to.Turn {
		cos += float64(from.Turn[i] * to.Turn[i])
	}
	for i := range to.Turn { // the shorter way round
		f.Turn[i] = float64(from.Turn[i]*(1-share)) + float64(to.Turn[i]*math.Copysign(share, cos))
	}
	turn, ok := f.Turn.Unit()
	if !ok {
		turn = to.Turn
	}
	f.Turn = turn
	return f
}

// joints returns the address of the first joint, and how many there are.
func (e *Engine) joints() (array uint32, n int) {
	b := e.bytes(e.sets.joints+jointsAt, 8)
	return binary.LittleEndian.Uint32(b), int(binary.LittleEndian.Uint32(b[4:]))
}

// findWeighed finds the joints that are weighed.
func (e *Engine) findWeighed() {
	places := map[physics.Handle]uint32{}
	array, n := e.joints()
	for i := range n {
		at := array + uint32(i)*jointSize
		places[handleAt(e.bytes(at+jointHandleAt, 8))] = at
	}
	for i := range e.weighed {
		w := &e.weighed[i]
		w.at, w.impulse = places[w.joint], world.Vec3{}
	}
}

// brace notes in which directions a joint is about to hold. Rapier solves for impulses of rows that have nothing to do with one another any more: it
// takes out of each what the ones before it do, those against turning first. Here the same is done.
func (e *Engine) brace(w *weighed, array uint32) {
	w.n = 0
	if w.at == 0 {
		return
	}
	j := e.bytes(w.at, jointSize)
	one, two := e.masses(array, handleAt(j[bodiesAt:])), e.masses(array, handleAt(j[bodiesAt+8:]))
	here, there := one.frame(j[frameAt:]), two.frame(j[frameAt+32:])
	locked, limited, coupled := j[axesAt], j[axesAt+1], j[axesAt+3]
	way := there.At.Sub(here.At)
	if coupled != 0 {
		w.along = unit(way)
		return
	}
	var axes [3]world.Vec3
	for i := range axes {
		axes[i][i] = 1
		axes[i] = here.Turn.Rotate(axes[i])
	}
	w.along = axes[0]
	var rows [6]row
	n := 0
	for i, axis := range axes {
		if locked&(1<<(i+3)) != 0 {
			rows[n] = row{one: axis, two: axis}
			n++
		}
	}
	turning := n
	// The first body is held where it meets the second, which has gone along the axes that are free.
	arm := there.At
	for i, axis := range axes {
		if locked&(1<<i) != 0 {
			arm = arm.Sub(axis.Scale(axis.Dot(way)))
		}
	}
	hold := func(i int, impulse uint32) {
		rows[n] = row{axes[i], arm.Sub(one.center).Cross(axes[i]), there.At.Sub(two.center).Cross(axes[i]), impulse}
		n++
	}
	for i := range axes {
		if locked&(1<<i) != 0 {
			hold(i, uint32(impulsesAt+4*i))
		}
	}
	if locked&1 == 0 && limited&1 != 0 {
		hold(0, limitsAt+limitImpulse)
	}
	for i := range n {
		own := rows[i].dot(&rows[i], &one, &two)
		for k := i + 1; k < n && own > 0; k++ {
			rows[k].without(&rows[i], rows[k].dot(&rows[i], &one, &two)/own)
		}
	}
	w.n = copy(w.rows[:], rows[turning:n])
}

// weigh adds up what a joint has given in a part of a step.
func (e *Engine) weigh(w *weighed) {
	if w.at == 0 {
		return
	}
	j := e.bytes(w.at, jointSize)
	for i := range w.rows[:w.n] {
		r := &w.rows[i]
		w.impulse = w.impulse.Add(r.linear.Scale(float(j[r.impulse:])))
	}
	pull := 0.0
	if j[axesAt+2]&1 != 0 {
		pull = float(j[motorsAt+motorImpulse:])
	}
	if j[axesAt+3] != 0 && j[axesAt+1]&1 != 0 {
		pull += float(j[limitsAt+limitImpulse:])
	}
	w.impulse = w.impulse.Add(w.along.Scale(pull))
}

// mass is where a body is and how hard it is to move.
type mass struct {
	position physics.Frame
	center   world.Vec3
	light    float64       // the inverse of its mass; 0 for what does not give way
	loose    [3]world.Vec3 // that of its inertia
}

func (e *Engine) masses(array uint32, h physics.Handle) mass {
	b := e.bytes(array+uint32(h.Index())*stride, stride)
	var i [6]float64
	for k := range i {
		i[k] = float(b[inertiaAt+4*k:])
	}
	return mass{
		position: physics.Frame{At: vec(b[positionAt:]), Turn: quat(b[rotationAt:])}, center: vec(b[centerAt:]), light: float(b[massAt:]),
		loose: [3]world.Vec3{{i[0], i[1], i[2]}, {i[1], i[3], i[4]}, {i[2], i[4], i[5]}},
	}
}

// frame returns a joint's frame on the body as it is in the world.
func (m *mass) frame(b []byte) physics.Frame {
	return physics.Frame{At: m.position.At.Add(m.position.Turn.Rotate(vec(b[16:]))), Turn: m.position.Turn.Mul(quat(b))}
}

// spin returns how an impulse that turns changes the body's turning.
func (m *mass) spin(v world.Vec3) world.Vec3 {
	return world.Vec3{m.loose[0].Dot(v), m.loose[1].Dot(v), m.loose[2].Dot(v)}
}

// dot returns how much an impulse in one row does in another.
func (r *row) dot(o *row, one, two *mass) float64 {
	return float64(r.linear.Dot(o.linear)*(one.light+two.light)) + r.one.Dot(one.spin(o.one)) + r.two.Dot(two.spin(o.two))
}

// without takes some of another row out of one.
func (r *row) without(o *row, share float64) {
	r.linear = r.linear.Sub(o.linear.Scale(share))
	r.one, r.two = r.one.Sub(o.one.Scale(share)), r.two.Sub(o.two.Scale(share))
}

// unit returns the direction of v, along x if it has none.
func unit(v world.Vec3) world.Vec3 {
	size := v.Len()
	if !(size > 0) {
		return world.Vec3{1, 0, 0}
	}
	return v.Scale(1 / size)
}

// verifyJoint fails if a new joint is not where it is expected to be, with the numbers that it was given.
func (e *Engine) verifyJoint(h, a, b physics.Handle, j *physics.Hold) {
	array, n := e.joints()
	if n > 0 {
		at := e.bytes(array+uint32(n-1)*jointSize, jointSize)
		one, two := vec(at[frameAt+16:]), vec(at[frameAt+48:])
		same := handleAt(at[jointHandleAt:]) == h && handleAt(at[bodiesAt:]) == a && handleAt(at[bodiesAt+8:]) == b
		for i := range one {
			same = same && f32(one[i]) == f32(j.A.At[i]) && f32(two[i]) == f32(j.B.At[i])
		}
		if same {
			return
		}
	}
	panic(trap{errors.New("joints are not where they are expected in the module's memory")})
}

// handleAt reads a handle.
func handleAt(b []byte) physics.Handle { return physics.Handle(binary.LittleEndian.Uint64(b)) }
