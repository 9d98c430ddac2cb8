package physics_test

import (
	"encoding/hex"
	"fmt"
	"math"
	"testing"

	"github.com/limina-mcp/limina/internal/race"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// TestFall has a box fall on a floor, rest, and rise again when it is pushed.
func TestFall(t *testing.T) {
	r := newRig(t)
	r.floor()
	box := r.box(world.Vec3{0, 3, 0})
	r.steps(30)
	if y := r.at(box)[1]; !(y < 2 && y > 1) || r.resting(box) {
		t.Errorf("after half a second the box is at y %v, resting %v", y, r.resting(box))
	}
	r.steps(300)
	if y := r.at(box)[1]; math.Abs(y-0.5) > 0.01 || !r.resting(box) {
		t.Errorf("in the end the box is at y %v, resting %v", y, r.resting(box))
	}
	before := r.Tick()
	r.steps(100)
	if r.Tick() != before {
		t.Error("a world at rest commits")
	}
	r.must(func(tx *world.Tx) error {
		if ok, err := r.Push(tx, box, world.Vec3{0, 3, 0}); !ok || err != nil {
			t.Errorf("Push = %v, %v", ok, err)
		}
		return nil
	})
	if r.resting(box) {
		t.Error("a box that was pushed rests")
	}
	r.steps(6)
	if y := r.at(box)[1]; y < 0.6 {
		t.Errorf("after a push the box is at y %v", y)
	}
}

// TestUntouched takes back everything that would have reached the engine.
func TestUntouched(t *testing.T) {
	r := newRig(t)
	r.floor()
	box := r.box(world.Vec3{0, 0.5, 0})
	r.steps(200)
	hash := r.Hash()
	r.must(func(tx *world.Tx) error {
		mark := tx.Savepoint()
		tx.Destroy(box)
		if _, err := r.create(tx, world.Vec3{5, 5, 5}, world.Vec3{1, 1, 1}, world.Body{Type: "dynamic"}); err != nil {
			return err
		}
		tx.RollbackTo(mark)
		if _, err := r.Push(tx, box, world.Vec3{9, 9, 9}); err != nil {
			return err
		}
		if err := tx.SetPosition(box, world.Vec3{0, 50, 0}); err != nil {
			return err
		}
		tx.RollbackTo(mark)
		return nil
	})
	if r.Hash() != hash || !r.resting(box) {
		t.Error("what was rolled back left something")
	}
	r.steps(60)
	if y := r.at(box)[1]; math.Abs(y-0.5) > 0.01 {
		t.Errorf("what was rolled back moved the box to y %v", y)
	}
}

// TestChanges changes what a body depends on.
func TestChanges(t *testing.T) {
	r := newRig(t)
	floor := r.floor()
	box := r.box(world.Vec3{0, 0.5, 0})
	other := r.box(world.Vec3{10, 0.5, 0})
	r.steps(200)

	r.must(func(tx *world.Tx) error { return tx.SetPosition(box, world.Vec3{3, 2, 0}) })
	r.steps(1)
	if p := r.at(box); p[0] != 3 || math.Abs(p[1]-2) > 0.01 {
		t.Errorf("after it was moved the box is at %v", p)
	}
	r.steps(300)
	if p := r.at(box); math.Abs(p[0]-3) > 0.05 || math.Abs(p[1]-0.5) > 0.01 {
		t.Errorf("the box fell to %v", p)
	}
	r.must(func(tx *world.Tx) error { return tx.SetScale(box, world.Vec3{1, 3, 1}) })
	r.steps(300)
	if y := r.at(box)[1]; math.Abs(y-1.5) > 0.02 {
		t.Errorf("three times as high the box stands at y %v", y)
	}
	r.must(func(tx *world.Tx) error { tx.Destroy(floor); return nil })
	r.steps(60)
	if r.at(box)[1] > -1 || r.at(other)[1] > -1 {
		t.Errorf("without a floor the boxes are at %v and %v", r.at(box), r.at(other))
	}
	r.must(func(tx *world.Tx) error { tx.Destroy(box); r.Bodies.Remove(tx, other); return nil })
	y := r.at(other)[1]
	r.steps(10)
	if s := r.Stats(); s.Bodies != 0 || s.Awake != 0 || r.at(other)[1] != y {
		t.Errorf("without bodies there are %+v, and the entity is at %v, not %v", s, r.at(other)[1], y)
	}
}

// TestCarried has bodies whose entities are children.
func TestCarried(t *testing.T) {
	r := newRig(t)
	r.floor()
	cart := r.thing(world.Vec3{0, 2, 0}, world.Vec3{1, 1, 1}, world.Body{Type: "kinematic"})
	box := r.box(world.Vec3{0, 3, 0})
	r.must(func(tx *world.Tx) error {
		if err := tx.SetParent(box, cart); err != nil {
			return err
		}
		return tx.SetPosition(box, world.Vec3{4, 1, 0}) // 4, 3, 0 in the world
	})
	r.steps(300)
	if p := r.at(box); math.Abs(p[0]-4) > 0.05 || math.Abs(p[1]-0.5) > 0.01 {
		t.Errorf("the child fell to %v, want 4, 0.5, 0", p)
	}
	r.must(func(tx *world.Tx) error { return tx.SetPosition(cart, world.Vec3{10, 2, 0}) })
	r.steps(300)
	if p := r.at(box); math.Abs(p[0]-14) > 0.05 || math.Abs(p[1]-0.5) > 0.01 {
		t.Errorf("the child was carried to %v, want 14, 0.5, 0", p)
	}
}

// TestPlatform has a kinematic body with a box on it be put a little higher before every step.
func TestPlatform(t *testing.T) {
	r := newRig(t)
	lift := r.thing(world.Vec3{0, 0, 0}, world.Vec3{4, 0.2, 4}, world.Body{Type: "kinematic", Friction: 0.5})
	box := r.box(world.Vec3{0, 0.6, 0})
	for i := range 120 {
		r.must(func(tx *world.Tx) error { return tx.SetPosition(lift, world.Vec3{0, float64(i) / 120, 0}) })
		r.steps(1)
	}
	if y := r.at(box)[1]; math.Abs(y-1.6) > 0.1 {
		t.Errorf("the lift brought the box to y %v, want 1.6", y)
	}
}

// TestNone holds that what needs no engine starts none.
func TestNone(t *testing.T) {
	r := newRig(t)
	r.floor()
	r.thing(world.Vec3{}, world.Vec3{1, 1, 1}, world.Body{Type: "kinematic"})
	r.must(func(tx *world.Tx) error {
		mark := tx.Savepoint()
		if _, err := r.create(tx, world.Vec3{}, world.Vec3{1, 1, 1}, world.Body{Type: "dynamic"}); err != nil {
			return err
		}
		tx.RollbackTo(mark)
		return nil
	})
	r.steps(10)
	if r.opened != 0 {
		t.Errorf("%d engines were opened for a world in which nothing falls", r.opened)
	}
}

// TestBeyond has a body leave the engine's reach: it stops, and comes back when it is put back.
func TestBeyond(t *testing.T) {
	r := newRig(t)
	box := r.box(world.Vec3{0, -physics.Reach + 1, 0})
	far := r.box(world.Vec3{1e9, 0, 0})
	r.steps(200)
	y := r.at(box)[1]
	if y < -physics.Reach || !r.resting(box) || !r.resting(far) || r.at(far) != (world.Vec3{1e9, 0, 0}) {
		t.Errorf("beyond the reach: y %v, %v", y, r.at(far))
	}
	r.must(func(tx *world.Tx) error { return tx.SetPosition(box, world.Vec3{}) })
	r.must(func(tx *world.Tx) error { return tx.SetPosition(far, world.Vec3{3, 0, 0}) })
	r.steps(60)
	if r.at(box)[1] > -4 || r.at(far)[1] > -4 {
		t.Errorf("put back they are at %v and %v; they should fall", r.at(box), r.at(far))
	}
}

// TestOutside has those refused that would wait in vain for what is beyond the reach.
func TestOutside(t *testing.T) {
	r := newRig(t)
	fallen, far := r.box(world.Vec3{0, -physics.Reach + 1, 0}), r.box(world.Vec3{1e9, 0, 0})
	huge := r.thing(world.Vec3{}, world.Vec3{1, 1e30, 1}, world.Body{Type: "dynamic"})
	r.steps(200)
	r.must(func(tx *world.Tx) error {
		for _, id := range []world.ID{fallen, far, huge} {
			ok, err := r.Push(tx, id, world.Vec3{1, 0, 0})
			if want := fmt.Sprintf("%s does not move: it is, or was, further than 100000 m from the origin along an axis, or larger than that; three.setTransform brings it back", id); ok || err == nil || err.Error() != want {
				t.Errorf("Push = %v, %v, want %s", ok, err, want)
			}
		}
		for _, id := range []world.ID{fallen, far} {
			if err := tx.SetPosition(id, world.Vec3{}); err != nil {
				return err
			}
			if ok, err := r.Push(tx, id, world.Vec3{1, 0, 0}); !ok || err != nil {
				t.Errorf("put back: Push = %v, %v", ok, err)
			}
		}
		return nil
	})
}

// TestHardPushes holds that what is pushed flies off, however hard it is pushed and however light it is.
func TestHardPushes(t *testing.T) {
	r := newRig(t)
	type push struct {
		collider      string
		size          world.Vec3
		mass, impulse float64
		z             float64
	}
	pushes := []push{
		{"box", world.Vec3{1, 1, 1}, 0, 1e6, 0},
		{"box", world.Vec3{1, 1, 1}, 0, 1e20, 100},
		{"box", world.Vec3{1, 1, 1}, 0, 3e38, 200},
		{"sphere", world.Vec3{1, 1, 1}, 0, 3e38, 300},
		{"capsule", world.Vec3{1, 2, 1}, 0, 3e38, 400},
		{"cylinder", world.Vec3{1, 2, 1}, 0, 3e38, 900},
		{"cone", world.Vec3{1, 2, 1}, 0, 3e38, 1000},
		{"wedge", world.Vec3{1, 2, 1}, 0, 3e38, 1100},
		{"box", world.Vec3{1e-30, 1e-30, 1e-30}, 0, 1e20, 500},
		{"box", world.Vec3{1e5, 1e5, 1e5}, 0, 3e38, -60_000},
		{"box", world.Vec3{1, 1, 1}, 1e6, 3e38, 600},
		{"box", world.Vec3{1, 1, 1}, 1e-300, 1, 700},
		{"box", world.Vec3{1, 1, 1}, 1e-30, 1, 800},
	}
	ids := make([]world.ID, len(pushes))
	for i, p := range pushes {
		ids[i] = r.thing(world.Vec3{0, 0, p.z}, p.size, world.Body{Type: "dynamic", Collider: p.collider, Mass: p.mass})
		r.must(func(tx *world.Tx) error {
			_, err := r.Push(tx, ids[i], world.Vec3{p.impulse, 0, 0})
			return err
		})
	}
	r.steps(30)
	for i, p := range pushes {
		if at := r.at(ids[i]); at[0] < 100 || at[1] > -1 || at[2] != p.z {
			t.Errorf("%+v: pushed for half a second it is at %v, want far along x, and fallen", p, at)
		}
	}
}

// TestDrag holds that what rolls is stopped in time, and what has flat sides turns on in the air.
func TestDrag(t *testing.T) {
	for collider, want := range map[string]float64{"box": 0, "wedge": 0, "sphere": 1, "capsule": 1, "cylinder": 1, "cone": 1} {
		form := physics.NewForm(collider, world.Vec3{1, 2, 1})
		b := physics.Body{Kind: physics.Dynamic, Form: form}
		if got := b.Drag(); got != want {
			t.Errorf("a %s: %v, want %v", collider, got, want)
		}
		b = physics.Body{Kind: physics.Dynamic, Form: physics.NewForm("sphere", world.Vec3{1, 1, 1}), Parts: []physics.Part{{Form: form}}}
		if got := b.Drag(); got != want {
			t.Errorf("a ball with a %s: %v, want %v", collider, got, want)
		}
	}
}

// TestRound has cylinders, cones and wedges rest, roll and lie as they are: on an end, on the side, and as deep in each other as
// their form says.
func TestRound(t *testing.T) {
	r := newRig(t)
	r.floor()
	lying := world.QuatFromEuler(math.Pi/2, 0, 0)
	slant := math.Atan2(0.5, 2) // between a cone's axis and its side
	for _, c := range []struct {
		name, collider string
		size           world.Vec3
		turn           world.Quat
		push           world.Vec3
		y, least, most float64 // where its middle comes to, how high, how far along x
	}{
		{"a drum on its end", "cylinder", world.Vec3{1, 2, 1}, world.NoRotation(), world.Vec3{}, 1, -0.01, 0.01},
		{"an uneven drum is as wide as it is at most", "cylinder", world.Vec3{1, 2, 0.2}, lying, world.Vec3{}, 0.5, -0.01, 0.01},
		{"a barrel that is pushed rolls", "cylinder", world.Vec3{1, 2, 1}, lying, world.Vec3{3, 0, 0}, 0.5, 2, 8},
		{"a drum that is pushed slides, and stops", "cylinder", world.Vec3{2, 0.5, 2}, world.NoRotation(), world.Vec3{3, 0, 0}, 0.25, 0.05, 1},
		{"a cone on its base", "cone", world.Vec3{1, 2, 1}, world.NoRotation(), world.Vec3{}, 1, -0.01, 0.01},
		{"a wedge on its base", "wedge", world.Vec3{1, 1, 2}, world.NoRotation(), world.Vec3{}, 0.5, -0.01, 0.01},
		{"a wedge on its back", "wedge", world.Vec3{1, 1, 2}, world.QuatFromEuler(-math.Pi/2, 0, 0), world.Vec3{}, 1, -0.01, 0.01},
		{"a wedge on its slope", "wedge", world.Vec3{1, 1, 2}, world.QuatFromEuler(math.Pi-math.Atan(0.5), 0, 0), world.Vec3{}, 0, -0.01, 0.01},
		{"a wedge that its size turns upside down falls over onto its slope", "wedge", world.Vec3{1, -1, 2}, world.NoRotation(), world.Vec3{}, 0, -0.05, 0.05},
		{"a cone on its side", "cone", world.Vec3{1, 2, 1}, world.QuatFromEuler(math.Pi/2-slant, 0, 0), world.Vec3{}, math.Sin(slant), -0.05, 0.05},
	} {
		id := r.thing(world.Vec3{0, c.y + 0.02, 0}, c.size, world.Body{Type: "dynamic", Collider: c.collider, Friction: 0.5})
		r.must(func(tx *world.Tx) error {
			if err := tx.SetRotation(id, c.turn); err != nil {
				return err
			}
			_, err := r.Push(tx, id, c.push)
			return err
		})
		r.steps(600)
		at := r.at(id)
		if math.Abs(at[1]-c.y) > 0.01 || at[0] < c.least || at[0] > c.most {
			t.Errorf("%s: its middle comes to %v, want y %v and x from %v to %v", c.name, at, c.y, c.least, c.most)
		}
		r.View(func(v *world.View) {
			s, ok := r.Collider(v, id)
			if !ok || math.Abs(s.Bounds().Lo[1]) > 0.01 {
				t.Errorf("%s: what it collides as is %+v, which is %v deep", c.name, s, s.Bounds().Lo)
			}
		})
		r.must(func(tx *world.Tx) error {
			tx.Destroy(id)
			return nil
		})
	}
}

// drop puts n boxes in layers of a hundred above a floor.
func (r *rig) drop(n int) {
	r.floor()
	r.must(func(tx *world.Tx) error {
		for i := range n {
			layer, x, z := i/100, i%10, i/10%10
			at := world.Vec3{float64(float64(x)*1.1) + float64(float64(layer)*0.05), 1 + float64(float64(layer)*1.3), float64(float64(z) * 1.1)}
			if _, err := r.create(tx, at, world.Vec3{1, 1, 1}, world.Body{Type: "dynamic", Friction: 0.5}); err != nil {
				return err
			}
		}
		return nil
	})
}

func (r *rig) hash() string {
	h := r.Hash()
	return hex.EncodeToString(h[:])
}

// TestSameWorld drops boxes on a floor, twice. The world is the same, bit for bit, and pinned: it is on every platform.
func TestSameWorld(t *testing.T) {
	n, want := 1000, "04343295fcaac97e96aa5fbac612ee5a1127796d9ed5d8e4ce3c77638e6e402c"
	if race.Enabled {
		n, want = 100, "b410ec59c281e4e8d3f4e80326dbb611a94340bb3dbdb3543716f83d7c7ec2bb"
	}
	const half = 60
	one, two := newRig(t), newRig(t)
	one.drop(n)
	two.drop(n)
	one.steps(2 * half)
	two.steps(2 * half)
	if got := one.hash(); got != want {
		t.Errorf("the world is %s, want %s", got, want)
	}
	if got := two.hash(); got != want {
		t.Errorf("the second time it is %s, want %s", got, want)
	}
}

// TestRebuild has the engine fail in the middle of a collapse. No entity is lost, it is told, and a
// replay that does the same at the same step ends in the same world.
func TestRebuild(t *testing.T) {
	run := func(fail bool, replay []physics.Rebuild) *rig {
		r := newRig(t)
		if fail {
			r.fail = func(f *failing) error {
				if r.Steps() == 50 && r.opened == 1 {
					return errTold
				}
				return nil
			}
		}
		for _, b := range replay {
			if err := r.RebuildAt(b.Step); err != nil {
				t.Fatal(err)
			}
		}
		r.drop(100)
		r.steps(40)
		r.must(func(tx *world.Tx) error {
			_, err := r.Push(tx, 5, world.Vec3{0, 3, 0})
			return err
		})
		r.steps(110)
		return r
	}
	failed := run(true, nil)
	if len(failed.rebuilds) != 1 || failed.rebuilds[0].Step != 50 || failed.opened != 2 {
		t.Fatalf("rebuilds %+v with %d engines, want one at step 50", failed.rebuilds, failed.opened)
	}
	if s := failed.Stats(); s.Bodies != 101 || s.Rebuilds != 1 {
		t.Errorf("after the rebuild: %+v", s)
	}
	if y := failed.at(50)[1]; math.Abs(y-0.5) > 0.05 {
		t.Errorf("a box is at y %v after a rebuild, want 0.5", y)
	}
	replayed := run(false, failed.rebuilds)
	if failed.hash() != replayed.hash() {
		t.Errorf("the replay of a rebuild is another world")
	}
	if run(false, nil).hash() == failed.hash() {
		t.Error("the hash does not tell whether there was a rebuild")
	}
}

// TestFailing has every engine fail for a while: bodies stand still, no new engine is made of the same bodies, nor at once of
// others, and they go on when one works.
func TestFailing(t *testing.T) {
	r := newRig(t)
	box := r.box(world.Vec3{0, 100, 0})
	r.steps(10)
	y := r.at(box)[1]
	r.fail = func(*failing) error { return errTold }
	r.steps(300)
	if r.at(box)[1] != y {
		t.Error("the box moved without an engine")
	}
	if r.opened != 2 {
		t.Errorf("%d engines were made, the last ones of what one had failed with", r.opened)
	}
	for range 300 {
		r.box(world.Vec3{10, 1, 0})
		r.steps(1)
	}
	if r.opened != 4 { // in the first of these steps, and 120 later
		t.Errorf("%d engines were made, want 4", r.opened)
	}
	r.fail = nil
	r.steps(240)
	if got := r.at(box)[1]; got >= y || r.opened != 5 {
		t.Errorf("after the engine worked again the box went from y %v to %v, with %d engines", y, got, r.opened)
	}
}

// TestTouches remembers who touched whom.
func TestTouches(t *testing.T) {
	r := newRig(t)
	floor := r.floor()
	box := r.box(world.Vec3{0, 1, 0})
	r.steps(60)
	all, next := r.Touches(0, 10)
	if len(all) == 0 || !all[0].Began || !all[0].Located || next != uint64(len(all)) {
		t.Fatalf("touches %+v, next %d", all, next)
	}
	if a, b := all[0].A, all[0].B; min(a, b) != floor || max(a, b) != box {
		t.Errorf("%s touched %s", a, b)
	}
	if math.Abs(all[0].Point[1]) > 0.05 || math.Abs(math.Abs(all[0].Normal[1])-1) > 1e-3 {
		t.Errorf("they touched at %v with the normal %v", all[0].Point, all[0].Normal)
	}
	r.must(func(tx *world.Tx) error { return tx.SetPosition(box, world.Vec3{0, 50, 0}) })
	r.steps(2)
	if all, _ = r.Touches(next, 10); len(all) != 1 || all[0].Began || all[0].Number != next {
		t.Errorf("after it was taken away: %+v", all)
	}
}
