package interaction

import (
	"math"

	"github.com/limina-mcp/limina/world"
)

// way is how something opens, in the space that it is in when it is closed.
type way struct {
	Move  world.Vec3 `json:"move"`
	Turn  world.Quat `json:"turn"`
	Steps uint64     `json:"steps"` // how long it takes

	Hinge *world.Vec3 `json:"hinge,omitempty"` // the point about which it turns, as it lies in the thing; nil: its own position goes straight
}

// spot is where something is, and how it is turned, in the space of its parent.
type spot struct {
	Position world.Vec3 `json:"position"`
	Rotation world.Quat `json:"rotation"`
}

func (s spot) transform() world.Transform {
	return world.Transform{Position: s.Position, Rotation: s.Rotation, Scale: world.Vec3{1, 1, 1}}
}

func spotOf(t world.Transform) spot { return spot{t.Position, t.Rotation} }

// ajar is that something is not closed. It is At of Of steps on its way from Closed to Open.
type ajar struct {
	Closed spot   `json:"closed"`
	Open   spot   `json:"open"`
	At     uint64 `json:"at"`
	Of     uint64 `json:"of"`

	Hinge *world.Vec3 `json:"hinge,omitempty"`
}

// now returns where the thing is to be: at the ends to the bit.
func (a *ajar) now() spot {
	switch a.At {
	case 0:
		return a.Closed
	case a.Of:
		return a.Open
	}
	part := float64(a.At) / float64(a.Of)
	from, to := a.Closed.Rotation, a.Open.Rotation
	dot := float64(from[0]*to[0]) + float64(from[1]*to[1]) + float64(from[2]*to[2]) + float64(from[3]*to[3])
	var q world.Quat
	for i := range q {
		end := to[i]
		if dot < 0 { // the short way
			end = -end
		}
		q[i] = from[i] + float64(part*(end-from[i]))
	}
	l := math.Sqrt(float64(q[0]*q[0]) + float64(q[1]*q[1]) + float64(q[2]*q[2]) + float64(q[3]*q[3]))
	for i := range q {
		q[i] /= l
	}
	if a.Hinge != nil {
		return spot{about(a.Closed, *a.Hinge, q), q}
	}
	return spot{a.Closed.Position.Add(a.Open.Position.Sub(a.Closed.Position).Scale(part)), q}
}

// about is where something is that is turned to q about a hinge, of which it is known where in the thing it is.
func about(closed spot, hinge world.Vec3, q world.Quat) world.Vec3 {
	return closed.Position.Add(closed.Rotation.Rotate(hinge)).Sub(q.Rotate(hinge))
}

// follow has what was moved meanwhile, or is a copy, go on from where it is.
func (a *ajar) follow(is spot) {
	was := a.now()
	if was == is {
		return
	}
	a.Closed, a.Open = spotOf(is.transform().Apply(was.transform().Relative(a.Closed.transform()))), spotOf(is.transform().Apply(was.transform().Relative(a.Open.transform())))
	switch a.At { // to the bit
	case 0:
		a.Closed = is
	case a.Of:
		a.Open = is
	}
}

// closed returns where a thing is when it is closed.
func (t *Things) closed(v *world.View, id world.ID) spot {
	own, _ := v.Transform(id)
	a, ok := t.ajar.Get(v, id)
	if !ok {
		return spotOf(own)
	}
	a.follow(spotOf(own))
	return a.Closed
}

// send has a thing that opens go on its way, or come back, and returns how many steps that takes. The first is taken at once.
func (t *Things) send(tx *world.Tx, id world.ID, w *way, opening bool) (steps uint64, err error) {
	a, ok := t.ajar.Get(&tx.View, id)
	if !ok {
		own, _ := tx.Transform(id)
		closed := spotOf(own)
		a = ajar{Closed: closed, Open: spotOf(closed.transform().Apply(world.Transform{Position: w.Move, Rotation: w.Turn, Scale: world.Vec3{1, 1, 1}})), Of: w.Steps, Hinge: w.Hinge}
	}
	if err := t.moving.Set(tx, id, opening); err != nil {
		return 0, err
	}
	steps = a.At
	if opening {
		steps = a.Of - a.At
	}
	return steps, t.stride(tx, id, a, opening)
}

// step has what opens or closes go on.
func (t *Things) step(tx *world.Tx) error {
	for id, opening := range t.moving.All(&tx.View) {
		a, ok := t.ajar.Get(&tx.View, id)
		if !ok {
			t.moving.Remove(tx, id)
			continue
		}
		mark := tx.Savepoint()
		if t.stride(tx, id, a, opening) != nil { // it would be beyond the world's numbers
			tx.RollbackTo(mark)
			t.moving.Remove(tx, id)
		}
	}
	return nil
}

// stride takes one step.
func (t *Things) stride(tx *world.Tx, id world.ID, a ajar, opening bool) error {
	own, _ := tx.Transform(id)
	a.follow(spotOf(own))
	switch {
	case opening && a.At < a.Of:
		a.At++
	case !opening && a.At > 0:
		a.At--
	}
	now := a.now()
	own.Position, own.Rotation = now.Position, now.Rotation
	if err := tx.SetTransform(id, own); err != nil {
		return err
	}
	if opening && a.At == a.Of || !opening && a.At == 0 {
		t.moving.Remove(tx, id)
	}
	if a.At == 0 {
		t.ajar.Remove(tx, id)
		return nil
	}
	return t.ajar.Set(tx, id, a)
}
