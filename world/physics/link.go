package physics

import (
	"math"

	"github.com/limina-mcp/limina/world"
)

// link is a joint that the engine has, as it is in a snapshot, too.
type link struct {
	ID   world.ID // who hangs
	To   world.ID `json:",omitempty"`
	Made Hold
	On   world.Transform // of the place in the world that it hangs on
	A, B Handle
	Post Handle // the bare body at that place, or [NoHandle]
	Hold Handle

	Break float64 `json:",omitempty"`
}

// hold says what joint the engine is to have; false if none, because one of the two is not there or neither moves.
func (p *Physics) hold(v *world.View, id world.ID, j *Joint) (want link, ok bool) {
	b := p.bodies[id]
	if b == nil || !b.live {
		return want, false
	}
	want = link{ID: id, To: j.To, Break: j.Break, B: b.handle, A: NoHandle, Post: NoHandle, Made: Hold{
		Kind: j.Kind, Limited: j.Limited, Low: j.Low, High: j.High, Motor: j.Motor,
		Length: j.Length, Stiff: j.Stiff, Damped: j.Damped, Collide: j.Collide,
		B: p.frame(v, id, j.At, j.Turn), A: Frame{Turn: world.NoRotation()},
	}}
	if j.To == 0 {
		want.On = j.anchor(v, id)
		return want, b.made.Kind == Dynamic
	}
	a := p.bodies[j.To]
	if a == nil || !a.live {
		return want, false
	}
	want.A, want.Made.A = a.handle, p.frame(v, j.To, j.On, j.OnTurn)
	return want, a.made.Kind == Dynamic || b.made.Kind == Dynamic
}

// frame returns a place on an entity as it is on its body.
func (p *Physics) frame(v *world.View, id world.ID, at world.Vec3, turn world.Quat) Frame {
	t, _ := v.WorldTransform(id)
	return Frame{At: at.Mul(t.Scale), Turn: turn}
}

// hang has the engine have the joints that entities have, and motors go on.
func (p *Physics) hang(v *world.View) error {
	p.rejoin, p.astray = false, p.astray[:0]
	if p.joints.Len(v) == 0 && len(p.links) == 0 {
		return nil
	}
	old := p.links
	p.links, p.spare = p.spare[:0], old
	for id, j := range p.joints.All(v) {
		for len(old) > 0 && old[0].ID < id {
			if err := p.cut(&old[0]); err != nil {
				return err
			}
			old = old[1:]
		}
		var have *link
		if len(old) > 0 && old[0].ID == id {
			have, old = &old[0], old[1:]
		}
		if err := p.hangOne(v, id, &j, have); err != nil {
			return err
		}
	}
	for i := range old {
		if err := p.cut(&old[i]); err != nil {
			return err
		}
	}
	if !p.relinked {
		return nil
	}
	p.relinked = false
	roots := p.bonds()
	p.build(roots)
	return p.part(roots)
}

// hangOne does so for one entity; have is the joint that the engine has, or nil.
func (p *Physics) hangOne(v *world.View, id world.ID, j *Joint, have *link) error {
	want, ok := p.hold(v, id, j)
	if j.Motor.Drive == ToPlace {
		want.Made.Motor.Goal = p.aim(v, id, j, have)
	}
	if have != nil {
		goal := want.Made.Motor.Goal
		steered := goal != have.Made.Motor.Goal
		have.Made.Motor.Goal = goal
		if ok && have.like(&want) {
			p.links = append(p.links, *have)
			return p.stir(have, steered)
		}
		if err := p.cut(have); err != nil {
			return err
		}
	}
	if !ok {
		return nil
	}
	a := want.A
	if want.To == 0 {
		post, err := p.engine.Add(&Body{Kind: Static, Bare: true, Position: want.On.Position, Rotation: want.On.Rotation})
		if err != nil {
			return err
		}
		want.Post, a = post, post
	}
	var err error
	if want.Hold, err = p.engine.Join(a, want.B, &want.Made); err != nil {
		return err
	}
	p.links, p.relinked = append(p.links, want), true
	return nil
}

// like reports whether the engine has a joint as it is to be.
func (l *link) like(want *link) bool {
	return l.A == want.A && l.B == want.B && l.To == want.To && l.On == want.On && l.Made == want.Made && l.Break == want.Break
}

// cut takes a joint out of the engine.
func (p *Physics) cut(l *link) error {
	p.relinked = true
	if l.Post != NoHandle {
		return p.engine.Remove(l.Post) // and what hangs on it
	}
	return p.engine.Part(l.Hold)
}

// stir has a motor go elsewhere, and wakes what it moves, also what it turns so slowly that an engine would take it for being at rest. What hangs
// on something that is moved an engine wakes by itself.
func (p *Physics) stir(l *link, steered bool) error {
	switch {
	case steered:
		if err := p.engine.Steer(l.Hold, &l.Made); err != nil {
			return err
		}
	case !l.Made.Motor.endless():
		return nil
	}
	for _, end := range []*body{p.bodies[l.To], p.bodies[l.ID]} {
		if end != nil && end.made.Kind == Dynamic {
			if err := p.engine.Wake(end.handle); err != nil {
				return err
			}
		}
	}
	return nil
}

// aim returns where a motor pushes to in this step, on its way to where it is to go; have is the joint that the engine has, or nil.
func (p *Physics) aim(v *world.View, id world.ID, j *Joint, have *link) float64 {
	at, ok := p.aims.Get(v, id)
	if !ok {
		if have == nil || have.Made.Motor.Drive != ToPlace || have.Made.Motor.Goal == j.Motor.Goal {
			return j.Motor.Goal
		}
		at = p.Travel(v, id) // an undo, or a checkpoint, has another goal than the motor had: it begins where the joint is
		p.astray = append(p.astray, id)
	}
	return p.nearer(at, j)
}

// nearer returns where a motor pushes to a step after it pushed to at.
func (p *Physics) nearer(at float64, j *Joint) float64 {
	stride := j.Pace / float64(p.w.StepRate())
	if j.Pace <= 0 || math.Abs(j.Motor.Goal-at) <= stride {
		return j.Motor.Goal
	}
	return at + math.Copysign(stride, j.Motor.Goal-at)
}

// driven notes how far motors have come. It is called when the engine has taken the step, and nothing has been written back.
func (p *Physics) driven(tx *world.Tx) error {
	for _, id := range p.astray {
		if err := p.aims.Set(tx, id, p.Travel(&tx.View, id)); err != nil {
			return err
		}
	}
	p.astray = p.astray[:0]
	for id, at := range p.aims.All(&tx.View) {
		j, ok := p.joints.Get(&tx.View, id)
		at = p.nearer(at, &j)
		if !ok || j.Motor.Drive != ToPlace || at == j.Motor.Goal {
			p.aims.Remove(tx, id)
			continue
		}
		if err := p.aims.Set(tx, id, at); err != nil {
			return err
		}
	}
	return nil
}
