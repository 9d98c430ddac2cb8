package physics

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/limina-mcp/limina/world"
)

// note looks at what a commit has touched. Before there is an engine it only looks for what needs one.
func (p *Physics) note(v *world.View, changes []world.Change) {
	if p.w.Environment.TimeScale.Get(v) == 0 {
		p.tellStepped() // there may be no step for long: who waits for one must know
	}
	p.rewets(v, changes)
	if p.config.Open == nil || p.w.Bodies.Len(v) == 0 && len(p.bodies) == 0 {
		return
	}
	if !p.started {
		if !p.wanted && p.anyMoving(v, changes) {
			p.wanted = true
			p.opening = p.open(p.Gravity(v))
		}
		return
	}
	for i := range changes {
		p.touch(v, changes[i].ID)
		p.rejoin = p.rejoin || p.hangs(v, changes[i].ID)
	}
}

// hangs reports whether an entity hangs on something, or did when the engine was told last, in another way than the engine knows.
func (p *Physics) hangs(v *world.View, id world.ID) bool {
	j, has := p.joints.Get(v, id)
	i, had := slices.BinarySearchFunc(p.links, id, func(l link, id world.ID) int { return cmp.Compare(l.ID, id) })
	if !has || !had {
		return has != had
	}
	want, ok := p.hold(v, id, &j)
	return !ok || !p.links[i].like(&want)
}

func (p *Physics) anyMoving(v *world.View, changes []world.Change) bool {
	for i := range changes {
		if b, ok := p.w.Bodies.Get(v, changes[i].ID); ok && b.Type == "dynamic" || p.characters.Has(v, changes[i].ID) {
			return true
		}
	}
	return false
}

// touch puts an entity into the queue, if it has a body, or had one, and is not as the engine knows it.
func (p *Physics) touch(v *world.View, id world.ID) {
	b := p.bodies[id]
	if b == nil {
		if !p.w.Bodies.Has(v, id) {
			return
		}
		b = &body{id: id}
		p.bodies[id] = b
	}
	if b.queued || (b.live || b.lost) && p.same(v, b) {
		return
	}
	b.queued = true
	p.queue = append(p.queue, b)
}

// same reports whether the engine knows an entity as it is.
func (p *Physics) same(v *world.View, b *body) bool {
	want, ok := p.describe(v, b.id)
	return ok && want.Position == b.position && want.Rotation == b.rotation && alike(&want, &b.made)
}

// alike reports whether two bodies are the same but for where they are and how they move.
func alike(a, b *Body) bool {
	return a.Kind == b.Kind && a.Form == b.Form && sameGround(a.Ground, b.Ground) && a.Friction == b.Friction && a.Restitution == b.Restitution && a.Mass == b.Mass && a.Density == b.Density
}

// Reach is how far from the origin bodies move, and how large they are at most, in metres: beyond that
// float32 has no millimetres. What is beyond it is no body, and stays where it is.
const Reach = 100_000

// lightest is the least mass of a body in kg: float32 has no inverse of much less.
const lightest = 1e-30

// kick is how much faster a push makes a body at most, in m/s. Engines have limits of their own, far below
// this, but square a speed before they look, and float32 ends at 1e38.
const kick = 1e15

// weight returns the mass of a body in kg.
func (b *Body) weight() float64 {
	if b.Mass == 0 {
		return b.Form.Volume() // at 1 kg/m³
	}
	return b.Mass
}

// Weight returns the mass of an entity's body in kg; 0 if it has none, or is out of [Reach].
func (p *Physics) Weight(v *world.View, id world.ID) float64 {
	b, ok := p.describe(v, id)
	if !ok {
		return 0
	}
	return b.weight()
}

// bearable returns an impulse in its direction that the engine can give the body.
func (b *Body) bearable(impulse world.Vec3) world.Vec3 {
	if most, size := kick*b.weight(), impulse.Len(); size > most {
		return impulse.Scale(most / size)
	}
	return impulse
}

// outside is the refusal of an entity that has a body and is out of the engine's reach, nil if it is not.
func (p *Physics) outside(v *world.View, id world.ID) error {
	_, ok := p.describe(v, id)
	if b := p.bodies[id]; !p.w.Bodies.Has(v, id) || ok && (b == nil || !b.lost || !p.same(v, b)) {
		return nil
	}
	return &world.Error{Code: "handler_error", Message: fmt.Sprintf("%s does not move: it is, or was, further than %d m from the origin along an axis, or larger than that; "+
		"three.setTransform brings it back", id, Reach)}
}

// describe says what body an entity is to have; false if none.
func (p *Physics) describe(v *world.View, id world.ID) (Body, bool) {
	d, ok := p.w.Bodies.Get(v, id)
	if !ok {
		return Body{}, false
	}
	t, _ := v.WorldTransform(id)
	size := world.Vec3{1, 1, 1}
	if shape, ok := p.w.Shapes.Get(v, id); ok {
		size = shape.Size
	}
	size = size.Mul(t.Scale)
	if !within(t.Position, Reach) || !within(size, Reach) {
		return Body{}, false
	}
	b := Body{
		Form: NewForm(d.Collider, size), Position: t.Position, Rotation: t.Rotation,
		Friction: d.Friction, Restitution: d.Restitution, Mass: d.Mass,
	}
	if d.Collider == "mesh" {
		if m := p.w.Model(v, id); m != nil {
			b.Form = ModelForm(m, t.Scale)
		}
	}
	if b.Mass == 0 && d.Density > 0 {
		b.Mass = float64(d.Density * b.Form.Volume())
	}
	if b.Mass > 0 {
		b.Mass = max(b.Mass, lightest)
	}
	switch d.Type {
	case "dynamic":
		b.Kind = Dynamic
		p.weighs(v, id, &b, &d)
	case "kinematic":
		b.Kind = Kinematic
	}
	if g, ok := p.w.Grounds.Get(v, id); ok {
		return b, p.ground(&b, g, t.Scale)
	}
	return b, true
}

// within reports whether no coordinate is further from 0 than reach. NaN is.
func within(p world.Vec3, reach float64) bool {
	return math.Abs(p[0]) <= reach && math.Abs(p[1]) <= reach && math.Abs(p[2]) <= reach
}

// tell has the engine know an entity as it is. Who moves in a step is on its way, else it was put there.
func (p *Physics) tell(v *world.View, b *body, moving bool) error {
	want, ok := p.describe(v, b.id)
	switch {
	case !ok && !b.live:
		delete(p.bodies, b.id)
		return nil
	case b.lost && want.Position == b.position && want.Rotation == b.rotation && alike(&want, &b.made):
		return nil
	case !ok:
		return p.remove(b)
	case !b.live:
		return p.enter(b, want)
	}
	b.note(&want, p.now)
	switch {
	case !alike(&want, &b.made):
		want.Linear, want.Angular = b.made.Linear, b.made.Angular
		if want.Kind != Dynamic {
			want.Linear, want.Angular = world.Vec3{}, world.Vec3{}
		}
		if err := p.engine.Remove(b.handle); err != nil {
			return err
		}
		b.live, p.at[b.handle.Index()] = false, nil
		return p.enter(b, want)
	case want.Position == b.position && want.Rotation == b.rotation:
		return nil
	}
	return p.move(b, &want, moving)
}

// note has the body remember by how much it will be higher, in this step, for who stands on it.
func (b *body) note(want *Body, step uint64) {
	if want.Kind == Dynamic || b.made.Kind == Dynamic || want.Form.Kind != b.made.Form.Kind || want.Rotation != b.rotation {
		return
	}
	rise := want.Position[1] + want.Form.top() - (b.position[1] + b.made.Form.top())
	if rise > 0 {
		b.raised, b.raise = step, rise
	}
}

// move has the body be where the entity is.
func (p *Physics) move(b *body, want *Body, moving bool) error {
	if crowded, err := p.crowded(want); crowded || err != nil {
		return errors.Join(err, p.wait(b))
	}
	b.told, p.told = p.now, true
	if b.made.Kind == Kinematic {
		b.shifted, b.from = p.now, stance{b.position, b.rotation}
	}
	p.intrudes(b)
	b.position, b.rotation = want.Position, want.Rotation
	if b.made.Kind == Dynamic {
		b.from = stance{b.position, b.rotation}
	}
	b.made.Position, b.made.Rotation = want.Position, want.Rotation
	b.made.Linear, b.made.Angular = world.Vec3{}, world.Vec3{}
	if moving && b.made.Kind == Kinematic {
		return p.engine.Aim(b.handle, want.Position, want.Rotation)
	}
	return p.engine.Place(b.handle, want.Position, want.Rotation)
}

// enter has the engine have a body that it has not, if there is room.
func (p *Physics) enter(b *body, want Body) error {
	crowded, err := p.crowded(&want)
	switch {
	case err != nil:
		return err
	case crowded:
		return p.wait(b)
	}
	return p.add(b, want)
}

func (p *Physics) add(b *body, want Body) error {
	told := want
	if want.Ground != nil {
		told.Field = p.field(want.Ground)
	}
	h, err := p.engine.Add(&told)
	if err != nil {
		return err
	}
	b.handle, b.live, b.lost, b.made, b.borne, b.carries = h, true, false, want, false, load{}
	b.told, p.told = p.now, true
	b.position, b.rotation = want.Position, want.Rotation
	b.from = stance{b.position, b.rotation}
	p.index(b)
	p.intrudes(b)
	return nil
}

// intrudes notes that a body was put somewhere, where there may be a character.
func (p *Physics) intrudes(b *body) {
	if b.made.Kind != Dynamic {
		p.moved = append(p.moved, b)
	}
}

// index notes whose the body with a handle is.
func (p *Physics) index(b *body) {
	i := b.handle.Index()
	for i >= len(p.at) {
		p.at = append(p.at, nil)
	}
	p.at[i] = b
}

func (p *Physics) remove(b *body) error {
	delete(p.bodies, b.id)
	b.live, p.told = false, true
	p.at[b.handle.Index()] = nil
	return p.engine.Remove(b.handle)
}
