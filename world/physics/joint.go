package physics

import (
	"fmt"
	"iter"
	"math"

	"github.com/limina-mcp/limina/world"
)

// Joint is how an entity hangs on another one, or on a place in the world. It is a component of the entity that hangs, and what viewers see of
// it. An entity has one; any number may hang on one other. It holds while both have bodies and one of them is dynamic.
//
// A joint is at a place on each of the two, in the space of that entity, so that it keeps its place when an entity is made larger. The x axis
// of what a place is turned by is the joint's axis. What has turned, or slid, is measured from where the two places lie on one another.
type Joint struct {
	Kind   JointKind  `json:"kind"`
	To     world.ID   `json:"to,omitempty"` // 0: a place
	At     world.Vec3 `json:"at"`           // where on the entity
	Turn   world.Quat `json:"turn"`
	On     world.Vec3 `json:"on"` // where on To, or in the space that the entity is in: under its parent, if it has one
	OnTurn world.Quat `json:"onTurn"`

	Limited bool    `json:"limited,omitempty"` // of a [Hinge] and a [Slider]: it goes from Low to High only
	Low     float64 `json:"low,omitempty"`     // in radians, or metres
	High    float64 `json:"high,omitempty"`
	Motor   Motor   `json:"motor,omitzero"`
	Pace    float64 `json:"pace,omitempty"` // how fast a motor goes to where it is to go, in rad/s or m/s

	Length  float64 `json:"length,omitempty"`     // of a [Rope], at most; of a [Spring], at rest
	Stiff   float64 `json:"stiff,omitempty"`      // of a [Spring], in N/m
	Damped  float64 `json:"damped,omitempty"`     // of a [Spring], in N·s/m
	Collide bool    `json:"collide,omitempty"`    // the two meet each other all the same
	Break   float64 `json:"breakForce,omitempty"` // in N: it gives way when it would have to hold with more; 0: never
}

// Hang has an entity hang on another one, or on the world, instead of what it hung on. It fails, and changes nothing, if one of them is unknown,
// has no body, or is out of [Reach], or neither moves.
func (p *Physics) Hang(tx *world.Tx, id world.ID, j Joint) error {
	moves := false
	for _, end := range []world.ID{id, j.To} {
		if end == 0 {
			continue
		}
		if !tx.Exists(end) {
			return tx.Unknown(end)
		}
		b, ok := p.w.Bodies.Get(&tx.View, end)
		if !ok {
			return &world.Error{Code: "handler_error", Message: fmt.Sprintf("%s has no body for a joint to hold on to", end)}
		}
		if err := p.outside(&tx.View, end); err != nil {
			return err
		}
		moves = moves || b.Type == "dynamic"
	}
	switch {
	case j.To == 0 && !within(j.anchor(&tx.View, id).Position, Reach):
		return &world.Error{Code: "handler_error", Message: fmt.Sprintf("a joint is at most %d m from the origin along an axis", Reach)}
	case id == j.To:
		return onItself(id)
	case !moves:
		return &world.Error{Code: "handler_error", Message: fmt.Sprintf("nothing would move: neither %s nor what it hangs on has a dynamic body", id)}
	}
	p.aims.Remove(tx, id)
	return p.joints.Set(tx, id, j)
}

// Drive changes the motor of an entity's joint. A motor that is to go to a place begins where the joint is. It fails if the entity hangs on nothing.
func (p *Physics) Drive(tx *world.Tx, id world.ID, m Motor, pace float64) error {
	j, ok := p.joints.Get(&tx.View, id)
	if !ok {
		return &world.Error{Code: "handler_error", Message: fmt.Sprintf("%s has no joint", id)}
	}
	at := p.Travel(&tx.View, id)
	j.Motor, j.Pace = m, pace
	p.aims.Remove(tx, id)
	if m.Drive == ToPlace && at != m.Goal {
		if err := p.aims.Set(tx, id, at); err != nil {
			return err
		}
	}
	return p.joints.Set(tx, id, j)
}

// Rehang has an entity hang as it did in another world, or when a copy of it was taken: unlike [Physics.Hang] it does not ask whether the joint holds anything now.
// aim is where its motor pushed to on the way to its goal, see [Physics.Aim], or nil. It fails, and changes nothing, if one of the two is unknown, or both are one.
func (p *Physics) Rehang(tx *world.Tx, id world.ID, j Joint, aim *float64) error {
	for _, end := range []world.ID{id, j.To} {
		if end != 0 && !tx.Exists(end) {
			return tx.Unknown(end)
		}
	}
	if id == j.To {
		return onItself(id)
	}
	p.aims.Remove(tx, id)
	if aim != nil && j.Motor.Drive == ToPlace && *aim != j.Motor.Goal {
		if err := p.aims.Set(tx, id, *aim); err != nil {
			return err
		}
	}
	return p.joints.Set(tx, id, j)
}

func onItself(id world.ID) error {
	return &world.Error{Code: "handler_error", Message: fmt.Sprintf("%s cannot hang on itself", id)}
}

// Unhang takes an entity's joint away and reports whether it had one.
func (p *Physics) Unhang(tx *world.Tx, id world.ID) bool {
	p.aims.Remove(tx, id)
	return p.joints.Remove(tx, id)
}

// Joint returns what an entity hangs on; false if on nothing.
func (p *Physics) Joint(v *world.View, id world.ID) (Joint, bool) { return p.joints.Get(v, id) }

// Aim returns where the motor of an entity's joint pushes to now, on its way to its goal; false if it is on no way.
func (p *Physics) Aim(v *world.View, id world.ID) (at float64, ok bool) { return p.aims.Get(v, id) }

// Driven reports whether a motor moves an entity without an end.
func (p *Physics) Driven(v *world.View, id world.ID) bool {
	j, ok := p.joints.Get(v, id)
	return ok && j.Motor.endless()
}

// Joints yields every entity that hangs on something, in id order.
func (p *Physics) Joints(v *world.View) iter.Seq2[world.ID, Joint] {
	return p.joints.All(v)
}

// Place has a joint of an entity be, on it and on what j.To says, where two places in the world are now, turned like that there.
func (j *Joint) Place(v *world.View, id world.ID, at, on world.Vec3, turn world.Quat) {
	own, _ := v.WorldTransform(id)
	here := own.Relative(world.Transform{Position: at, Rotation: turn})
	j.At, j.Turn = here.Position, here.Rotation
	j.put(j.space(v, id), world.Transform{Position: on, Rotation: turn})
}

// Apart has a joint on a place be told in the space of the world, in which its entity is without what it is under.
func (j *Joint) Apart(v *world.View, id world.ID) {
	if j.To == 0 && v.Parent(id) != 0 {
		j.put(world.Identity(), j.anchor(v, id))
	}
}

// put has the other end be at a place in the world; space is what it is told in.
func (j *Joint) put(space, on world.Transform) {
	there := space.Relative(on)
	j.On, j.OnTurn = there.Position, there.Rotation
}

// space returns what the place that an entity hangs on is told in: what it hangs on, or what it is under.
func (j *Joint) space(v *world.View, id world.ID) world.Transform {
	if j.To != 0 {
		return spaceOf(v, j.To)
	}
	return spaceOf(v, v.Parent(id))
}

// spaceOf returns the space of an entity, that of the world for none.
func spaceOf(v *world.View, id world.ID) world.Transform {
	if t, ok := v.WorldTransform(id); ok {
		return t
	}
	return world.Identity()
}

// within returns a place on the other end where it is in the world, if that is told in a space.
func (j *Joint) within(space world.Transform) world.Transform {
	return world.Transform{Position: space.Point(j.On), Rotation: space.Rotation.Mul(j.OnTurn)}
}

// anchor returns where a joint is on what it hangs on.
func (j *Joint) anchor(v *world.View, id world.ID) world.Transform { return j.within(j.space(v, id)) }

// ends returns where the two places of a joint are in the world, and how they are turned.
func (p *Physics) ends(v *world.View, id world.ID, j *Joint) (on, at world.Transform) {
	own, _ := v.WorldTransform(id)
	return j.anchor(v, id), world.Transform{Position: own.Point(j.At), Rotation: own.Rotation.Mul(j.Turn)}
}

// Ends returns where a joint of an entity is in the world: on what it hangs on, and on the entity itself. They are one place but for a rope and a spring.
func (p *Physics) Ends(v *world.View, id world.ID) (on, at world.Vec3) {
	j, _ := p.joints.Get(v, id)
	one, other := p.ends(v, id, &j)
	return one.Position, other.Position
}

// Axis returns the direction of the axis of an entity's joint in the world, as it is on what it hangs on, of length 1.
func (p *Physics) Axis(v *world.View, id world.ID) world.Vec3 {
	j, _ := p.joints.Get(v, id)
	on, _ := p.ends(v, id, &j)
	return on.Rotation.Rotate(world.Vec3{1, 0, 0})
}

// Travel returns how far an entity has turned about its hinge, from -π to π in radians, or slid along its slider in metres, or how far the
// ends of its rope or spring are from one another; 0 for any other joint.
func (p *Physics) Travel(v *world.View, id world.ID) float64 {
	j, ok := p.joints.Get(v, id)
	if !ok {
		return 0
	}
	on, at := p.ends(v, id, &j)
	way := at.Position.Sub(on.Position)
	switch j.Kind {
	case Hinge:
		q := on.Rotation.Conj().Mul(at.Rotation)
		return turned(q[0], q[3])
	case Slider:
		return way.Dot(on.Rotation.Rotate(world.Vec3{1, 0, 0}))
	}
	if j.Kind.Spans() {
		return way.Len()
	}
	return 0
}

// turned returns the angle from -π to π about an axis by the sine and the cosine of its half, up to a common factor. It is found by halving, because
// atan2 has other bits on other platforms.
func turned(sin, cos float64) float64 {
	if cos < 0 {
		sin, cos = -sin, -cos // the same rotation
	}
	low, high := 0.0, math.Pi/2
	for range 50 {
		middle := (low + high) / 2
		s, c := world.Sincos(middle)
		if float64(s*cos) < float64(c*math.Abs(sin)) {
			low = middle
		} else {
			high = middle
		}
	}
	return math.Copysign(low+high, sin)
}

// kin is the joint of a copy: what hung on what was copied, too, hangs on the copy of it, and what hung in the space of that keeps its place there.
func kin(j Joint, root bool, copyOf func(world.ID) (world.ID, bool)) (Joint, bool) {
	if j.To == 0 {
		return j, !root
	}
	to, ok := copyOf(j.To)
	j.To = to
	return j, ok
}

// reparented keeps the place at which an entity hangs, which is in the space of another one now.
func (p *Physics) reparented(tx *world.Tx, id, before world.ID) error {
	j, ok := p.joints.Get(&tx.View, id)
	if !ok || j.To != 0 {
		return nil
	}
	j.put(j.space(&tx.View, id), j.within(spaceOf(&tx.View, before)))
	return p.joints.Set(tx, id, j)
}
