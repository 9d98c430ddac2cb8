package rapier

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// Rapier's own numbers.
const (
	typeDynamic   = 0
	typeFixed     = 1
	typeKinematic = 2 // by position

	massByDensity = 0
	massGiven     = 1

	allGroups      = 0xffffffff
	usualPairs     = 0b0000_0000_0000_1111 // dynamic with all kinds
	tellCollisions = 1
	combineAverage = 0
)

// Add makes a body with its colliders.
func (e *Engine) Add(b *physics.Body) (h physics.Handle, err error) {
	defer catch(&err)
	zero := e.vector(0, world.Vec3{})
	position, linear, angular := e.vector(1, b.Position), e.vector(2, b.Linear), e.vector(3, b.Angular)
	turn := e.rotation(b.Rotation)
	kind := uint64(typeFixed)
	switch b.Kind {
	case physics.Dynamic:
		kind = typeDynamic
	case physics.Kinematic:
		kind = typeKinematic
	}
	none := ref(e.none)
	bits := e.call(
		"rawrigidbodyset_createRigidBody", ref(e.sets.bodies), 1, position, turn,
		f32(1), f32(0), 0, zero, linear, angular, zero, none, // gravity scale, no mass of its own, velocities
		1, 1, 1, 1, 1, 1, f32(0), f32(b.Drag()), // free to move and turn
		kind, 1, truth(b.Asleep), f32(0), truth(b.Kind == physics.Dynamic), 0, 0, 0, // may sleep, CCD
	)
	e.call("__wbg_rawrotation_free", turn, 0)
	h = physics.Handle(bits)
	e.verify(h, b)
	if b.Bare {
		return h, nil
	}
	e.put(h, b, &physics.Part{Form: b.Form, Rotation: world.NoRotation()}, share(b, &b.Form))
	for i := range b.Parts {
		e.put(h, b, &b.Parts[i], share(b, &b.Parts[i].Form))
	}
	return h, nil
}

// share is what one of the forms of a body has of the mass that it was given, by volume; 0 if it was given none.
func share(b *physics.Body, form *physics.Form) float64 {
	if len(b.Parts) == 0 || b.Mass == 0 {
		return b.Mass
	}
	all := b.Form.Volume()
	for i := range b.Parts {
		all += b.Parts[i].Form.Volume()
	}
	if !(all > 0) {
		return b.Mass / float64(1+len(b.Parts))
	}
	return float64(b.Mass * form.Volume() / all)
}

// put gives a new body the colliders of a form, which have that mass: of a model one for each piece, else one. The first of all is what the body is worn as.
func (e *Engine) put(h physics.Handle, b *physics.Body, p *physics.Part, whole float64) {
	turn := ref(e.none)
	if p.Rotation != world.NoRotation() {
		turn = e.rotation(p.Rotation)
		defer e.call("__wbg_rawrotation_free", turn, 0)
	}
	add := func(shape uint64, at world.Vec3, mass float64) {
		collider := e.collide(h, b, shape, e.vector(1, at), turn, mass)
		e.own(collider, h)
		if !e.dressed(h) {
			e.wear(collider, h)
		}
	}
	switch {
	case b.Field != nil:
		add(e.field(b.Field), p.Position, whole)
	case p.Form.Kind == physics.Model:
		for i := range p.Form.Model.Parts {
			part := &p.Form.Model.Parts[i]
			mass := float64(whole * part.Volume / p.Form.Model.Volume)
			if shape := e.hull(p.Form.Piece(i)); shape != 0 {
				add(shape, p.Position, mass)
				continue
			}
			half, at := p.Form.Scale.Mul(part.Alone().Half), p.Form.Scale.Mul(part.At) // too thin for a hull
			shape := e.call("rawshape_cuboid", f32(math.Abs(half[0])), f32(math.Abs(half[1])), f32(math.Abs(half[2])))
			add(shape, p.Position.Add(p.Rotation.Rotate(at)), mass)
		}
	default:
		add(e.form(&p.Form), p.Position, whole)
	}
}

// collide gives a new body a collider, at a place of the body's own, and frees the shape.
func (e *Engine) collide(h physics.Handle, b *physics.Body, shape, position, turn uint64, mass float64) (collider physics.Handle) {
	zero, none := e.vector(0, world.Vec3{}), ref(e.none)
	mode := uint64(massByDensity)
	if mass > 0 {
		mode = massGiven
	}
	out := e.call("__wbindgen_add_to_stack_pointer", uint64(0xfffffff0)) // 16 bytes of the module's stack
	e.call(
		"rawcolliderset_createCollider", out, ref(e.sets.colliders), 1, shape, position, turn,
		mode, f32(mass), zero, zero, none, f32(1), // by volume: 1 kg/m³
		f32(b.Friction), f32(b.Restitution), combineAverage, combineAverage,
		0, allGroups, allGroups, usualPairs, 0, tellCollisions, f32(0), f32(0),
		1, uint64(h), ref(e.sets.bodies),
	)
	result := e.bytes(uint32(out), 16)
	made := binary.LittleEndian.Uint32(result)
	collider = physics.Handle(binary.LittleEndian.Uint64(result[8:]))
	e.call("__wbindgen_add_to_stack_pointer", 16)
	e.call("__wbg_rawshape_free", shape, 0)
	if made == 0 {
		panic(trap{errors.New("a body got no collider")})
	}
	return collider
}

// own notes whose a collider is.
func (e *Engine) own(collider, body physics.Handle) {
	for collider.Index() >= len(e.owners) {
		e.owners = append(e.owners, owner{})
	}
	e.owners[collider.Index()] = owner{collider, body}
}

// wear notes which collider is that of a body's form.
func (e *Engine) wear(collider, body physics.Handle) {
	for body.Index() >= len(e.worn) {
		e.worn = append(e.worn, owner{})
	}
	e.worn[body.Index()] = owner{collider, body}
}

// dressed reports whether it is noted which collider is that of a body's form.
func (e *Engine) dressed(body physics.Handle) bool {
	i := body.Index()
	return i < len(e.worn) && e.worn[i].body == body
}

// collider returns the collider of a body's form.
func (e *Engine) collider(body physics.Handle) physics.Handle {
	if e.dressed(body) {
		return e.worn[body.Index()].collider
	}
	panic(trap{errors.New("no such body")})
}

// owner is the body of a collider.
type owner struct{ collider, body physics.Handle }

// form makes a RawShape, of a model the box around it; the caller frees it.
func (e *Engine) form(f *physics.Form) uint64 {
	switch f.Kind {
	case physics.Ball:
		return e.call("rawshape_ball", f32(f.Radius))
	case physics.Capsule:
		return e.call("rawshape_capsule", f32(f.HalfHeight), f32(f.Radius))
	case physics.Cylinder:
		return e.call("rawshape_cylinder", f32(f.HalfHeight), f32(f.Radius))
	case physics.Cone:
		return e.call("rawshape_cone", f32(f.HalfHeight), f32(f.Radius))
	case physics.Wedge:
		corners := f.Corners()
		if hull := e.hull(corners[:]); hull != 0 {
			return hull
		}
		return e.call("rawshape_cuboid", f32(math.Abs(f.Half[0])), f32(math.Abs(f.Half[1])), f32(math.Abs(f.Half[2]))) // too thin for a hull
	default:
		return e.call("rawshape_cuboid", f32(f.Half[0]), f32(f.Half[1]), f32(f.Half[2]))
	}
}

// hull makes a RawShape of what is between points, 0 if that is too thin to be a body.
func (e *Engine) hull(points []world.Vec3) uint64 {
	numbers := make([]float32, 0, 3*len(points))
	for _, p := range points {
		numbers = append(numbers, float32(p[0]), float32(p[1]), float32(p[2]))
	}
	at, n := e.lend(numbers)
	return e.call("rawshape_convexHull", at, n)
}

// lend writes numbers for the module, which frees them, and returns where they are and how many.
func (e *Engine) lend(numbers []float32) (at, n uint64) {
	at = e.call("__wbindgen_export3", uint64(4*len(numbers)), 4)
	to := e.bytes(uint32(at), uint32(4*len(numbers)))
	for i, y := range numbers {
		binary.LittleEndian.PutUint32(to[4*i:], math.Float32bits(y))
	}
	return at, uint64(len(numbers))
}

// field makes a RawShape of a height field.
func (e *Engine) field(f *physics.Field) uint64 {
	at, n := e.lend(f.Heights)
	return e.call("rawshape_heightfield", uint64(f.Rows), uint64(f.Columns), at, n, e.vector(0, f.Size), 0)
}

// Remove takes a body away, with its colliders.
func (e *Engine) Remove(h physics.Handle) (err error) {
	defer catch(&err)
	e.unaim(h)
	s := &e.sets
	e.call("rawrigidbodyset_remove", ref(s.bodies), uint64(h), ref(s.islands), ref(s.colliders), ref(s.soft), ref(s.joints), ref(s.multibody))
	return nil
}

// Place puts a body somewhere, at rest.
func (e *Engine) Place(h physics.Handle, p world.Vec3, q world.Quat) (err error) {
	defer catch(&err)
	e.unaim(h)
	bodies, zero := ref(e.sets.bodies), e.vector(0, world.Vec3{})
	e.call("rawrigidbodyset_rbSetTranslation", bodies, uint64(h), f32(p[0]), f32(p[1]), f32(p[2]), 1)
	e.call("rawrigidbodyset_rbSetRotation", bodies, uint64(h), f32(q[0]), f32(q[1]), f32(q[2]), f32(q[3]), 1)
	e.call("rawrigidbodyset_rbSetLinvel", bodies, uint64(h), zero, 1)
	e.call("rawrigidbodyset_rbSetAngvel", bodies, uint64(h), zero, 1)
	return nil
}

// Rest puts a kinematic body somewhere, and to sleep.
func (e *Engine) Rest(h physics.Handle, p world.Vec3, q world.Quat) (err error) {
	defer catch(&err)
	e.unaim(h)
	bodies := ref(e.sets.bodies)
	e.call("rawrigidbodyset_rbSetTranslation", bodies, uint64(h), f32(p[0]), f32(p[1]), f32(p[2]), 0)
	e.call("rawrigidbodyset_rbSetRotation", bodies, uint64(h), f32(q[0]), f32(q[1]), f32(q[2]), f32(q[3]), 0)
	e.call("rawrigidbodyset_rbSleep", bodies, uint64(h))
	return nil
}

// Aim has a kinematic body be somewhere after the next step.
func (e *Engine) Aim(h physics.Handle, p world.Vec3, q world.Quat) (err error) {
	defer catch(&err)
	e.aims = append(e.aims, aim{body: h, to: physics.Frame{At: p, Turn: q}})
	e.aim(h, p, q)
	return nil
}

func (e *Engine) aim(h physics.Handle, p world.Vec3, q world.Quat) {
	bodies := ref(e.sets.bodies)
	e.call("rawrigidbodyset_rbSetNextKinematicTranslation", bodies, uint64(h), f32(p[0]), f32(p[1]), f32(p[2]))
	e.call("rawrigidbodyset_rbSetNextKinematicRotation", bodies, uint64(h), f32(q[0]), f32(q[1]), f32(q[2]), f32(q[3]))
}

// unaim forgets where a body was to be.
func (e *Engine) unaim(h physics.Handle) {
	e.aims = slices.DeleteFunc(e.aims, func(a aim) bool { return a.body == h })
}

// Pull has bodies get faster by so much along y.
func (e *Engine) Pull(gravity float64) (err error) {
	defer catch(&err)
	e.call("rawvector_set_y", ref(e.sets.gravity), f32(gravity))
	return nil
}

// Push adds an impulse.
func (e *Engine) Push(h physics.Handle, impulse world.Vec3) (err error) {
	defer catch(&err)
	e.call("rawrigidbodyset_rbApplyImpulse", ref(e.sets.bodies), uint64(h), e.vector(0, impulse), 1)
	return nil
}

// Twist adds an impulse that turns.
func (e *Engine) Twist(h physics.Handle, impulse world.Vec3) (err error) {
	defer catch(&err)
	e.call("rawrigidbodyset_rbApplyTorqueImpulse", ref(e.sets.bodies), uint64(h), e.vector(0, impulse), 1)
	return nil
}

// Bear has a force act on a body, and a torque, until it is told of others.
func (e *Engine) Bear(h physics.Handle, force, torque world.Vec3, stirs bool) (err error) {
	defer catch(&err)
	bodies, wakes := ref(e.sets.bodies), truth(stirs)
	e.call("rawrigidbodyset_rbResetForces", bodies, uint64(h), wakes)
	e.call("rawrigidbodyset_rbResetTorques", bodies, uint64(h), wakes)
	e.call("rawrigidbodyset_rbAddForce", bodies, uint64(h), e.vector(0, force), wakes)
	e.call("rawrigidbodyset_rbAddTorque", bodies, uint64(h), e.vector(0, torque), wakes)
	return nil
}

// Step advances everything by one time step.
func (e *Engine) Step() (err error) {
	defer catch(&err)
	e.touches = e.touches[:0]
	if e.fine {
		e.stepFinely()
	} else {
		e.advance()
	}
	e.aims = e.aims[:0]
	return nil
}

// advance takes one of Rapier's steps.
func (e *Engine) advance() {
	s := &e.sets
	e.invoke(e.hot.step, ref(s.pipeline), ref(s.gravity), ref(s.parameters), ref(s.islands), ref(s.broad), ref(s.narrow),
		ref(s.bodies), ref(s.colliders), ref(s.soft), ref(s.joints), ref(s.multibody), ref(s.ccd), ref(s.events),
		refUndefined, refNull, refNull)
}
