package physics_test

import (
	"testing"

	"github.com/limina-mcp/limina/world"
)

// crowd returns a world with many boxes in one place, and a box that is elsewhere.
func crowd(t *testing.T) (r *rig, alone world.ID) {
	t.Helper()
	r = newRig(t)
	r.floor()
	r.must(func(tx *world.Tx) error {
		for range 200 {
			if _, err := r.create(tx, world.Vec3{0, 2, 0}, world.Vec3{1, 1, 1}, world.Body{Type: "dynamic", Friction: 0.5}); err != nil {
				return err
			}
		}
		return nil
	})
	return r, r.box(world.Vec3{50, 2, 0})
}

// TestCrowd puts many bodies in one place. They come in by and by, as there is room, and what is elsewhere is not held up; after a rebuild, too.
func TestCrowd(t *testing.T) {
	r, alone := crowd(t)
	r.steps(1)
	if s := r.Stats(); s.Awake != 33 {
		t.Errorf("of 200 bodies in one place and one elsewhere the engine has %d, want 33", s.Awake)
	}
	if r.resting(150) {
		t.Error("a body that waits for room is said to rest")
	}
	r.steps(60)
	if y := r.at(alone)[1]; y > 0.6 {
		t.Errorf("what is elsewhere is at y %v, want 0.5", y)
	}
	twin, _ := crowd(t)
	twin.steps(61)
	for _, r := range []*rig{r, twin} {
		if err := r.RebuildAt(r.Steps() + 30); err != nil {
			t.Fatal(err)
		}
		r.steps(600)
	}
	if r.hash() != twin.hash() {
		t.Error("the second time it went on otherwise")
	}
	for id := world.ID(2); id <= 201; id++ {
		if r.at(id) == (world.Vec3{0, 2, 0}) {
			t.Errorf("%v still waits", id)
		}
	}
}

// TestCrowdOfPlanks puts much close together that is not in one place: all of it moves at once.
func TestCrowdOfPlanks(t *testing.T) {
	r := newRig(t)
	r.must(func(tx *world.Tx) error {
		for i := range 100 {
			if _, err := r.create(tx, world.Vec3{0, 50, float64(float64(i) * 0.1)}, world.Vec3{10, 5, 0.1}, world.Body{Type: "dynamic"}); err != nil {
				return err
			}
		}
		return nil
	})
	r.steps(1)
	if s := r.Stats(); s.Awake != 100 {
		t.Errorf("%d of 100 move", s.Awake)
	}
}

// TestCrowdIsLeft destroys, moves and puts together what waits and what moves.
func TestCrowdIsLeft(t *testing.T) {
	r, _ := crowd(t)
	r.steps(1)
	r.must(func(tx *world.Tx) error {
		for id := world.ID(100); id < 190; id++ {
			tx.Destroy(id)
		}
		return tx.SetPosition(195, world.Vec3{-50, 2, 0})
	})
	r.steps(1)
	if y := r.at(195)[1]; y >= 2 {
		t.Errorf("what left the crowd is at y %v", y)
	}
	r.must(func(tx *world.Tx) error {
		for id := world.ID(2); id < 100; id++ {
			if err := tx.SetPosition(id, world.Vec3{0, 2, 30}); err != nil {
				return err
			}
		}
		return nil
	})
	r.steps(1)
	if s := r.Stats(); s.Awake > 80 {
		t.Errorf("%d move after 98 were put together", s.Awake)
	}
	r.steps(600)
	for id := world.ID(2); id < 100; id++ {
		if r.at(id) == (world.Vec3{0, 2, 30}) {
			t.Errorf("%v still waits", id)
		}
	}
}
