package physics_test

import (
	"math"
	"testing"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/terrain"
)

// tile creates static ground whose middle is at a place.
func (r *rig) tile(at world.Vec3, kind terrain.Type, lod int, scale world.Vec3) (id world.ID) {
	r.t.Helper()
	land, err := terrain.New(77, kind, terrain.Hints{})
	if err != nil {
		r.t.Fatal(err)
	}
	r.must(func(tx *world.Tx) error {
		if id, err = tx.Create(world.Spec{Position: at, Scale: scale}); err != nil {
			return err
		}
		if err := r.Grounds.Set(tx, id, world.Ground{Land: land, LOD: lod}); err != nil {
			return err
		}
		return r.Bodies.Set(tx, id, world.Body{Type: "static", Friction: 1})
	})
	return id
}

// gap returns how far one entity is from another, as the world has them.
func (r *rig) gap(a, b world.ID) (gap float64) {
	r.View(func(v *world.View) {
		p, okP := r.Collider(v, a)
		q, okQ := r.Collider(v, b)
		if !okP || !okQ {
			r.t.Fatalf("%v and %v have colliders: %v, %v", a, b, okP, okQ)
		}
		gap = solid.Between(p, q).Gap
	})
	return gap
}

// TestGroundIsWhereItIsSaidToBe drops boxes and balls on the rough cells of a coarse tile, which is moved and scaled: where they
// touch the engine's surface they touch that of the collider, to its triangles.
func TestGroundIsWhereItIsSaidToBe(t *testing.T) {
	r := newRig(t)
	at := world.Vec3{100, 7, -60}
	ground := r.tile(at, terrain.Mountains, 2, world.Vec3{1.25, 0.5, 1.25})
	var things []world.ID
	for i := range 60 {
		p := at.Add(world.Vec3{float64(i%8)*6 - 21.3, 24, float64(i/8)*6 - 22.1})
		collider := []string{"box", "sphere"}[i%2]
		things = append(things, r.thing(p, world.Vec3{0.4, 0.4, 0.4}, world.Body{Type: "dynamic", Collider: collider, Friction: 1}))
	}
	touched := map[world.ID]bool{}
	least := math.Inf(1)
	for range 400 {
		r.steps(1)
		for _, id := range things {
			gap := r.gap(ground, id)
			least = min(least, gap)
			touched[id] = touched[id] || gap < 0.01
		}
	}
	for _, id := range things {
		if !touched[id] {
			t.Errorf("%v, at %v, never touched the ground", id, r.at(id))
		}
	}
	if least < -0.33 { // at 20 m/s they come down as far in a step
		t.Errorf("something was %v deep in the ground", -least)
	}
	// What lies still lies on it.
	resting := 0
	for _, id := range things {
		if r.resting(id) {
			resting++
			if gap := r.gap(ground, id); math.Abs(gap) > 0.02 {
				t.Errorf("%v rests %v over the ground", id, gap)
			}
		}
	}
	if resting == 0 {
		t.Error("nothing has come to rest")
	}
}

// TestGroundChanges: another tile, another height or no ground at all is what bodies meet from then on.
func TestGroundChanges(t *testing.T) {
	r := newRig(t)
	ground := r.tile(world.Vec3{}, terrain.Plains, 0, world.Vec3{1, 1, 1})
	box := r.box(world.Vec3{0, 4, 0})
	r.steps(200)
	if gap := r.gap(ground, box); !r.resting(box) || math.Abs(gap) > 0.01 {
		t.Fatalf("the box rests: %v, %v over the ground", r.resting(box), gap)
	}
	before := r.at(box)[1]
	r.must(func(tx *world.Tx) error { return tx.SetPosition(ground, world.Vec3{0, -3, 0}) })
	r.steps(200)
	if fell := before - r.at(box)[1]; math.Abs(fell-3) > 0.02 {
		t.Errorf("the ground went down by 3 m, the box by %v", fell)
	}
	r.must(func(tx *world.Tx) error {
		tx.Destroy(ground)
		return nil
	})
	r.steps(60)
	if y := r.at(box)[1]; y > before-6 {
		t.Errorf("there is no ground any more, and the box is at %v", y)
	}
	if r.Stats().Bodies != 1 {
		t.Errorf("%d bodies are left", r.Stats().Bodies)
	}
}

// TestGroundMadeAnew: what goes on with an engine that was made anew meets the same ground.
func TestGroundMadeAnew(t *testing.T) {
	r := newRig(t)
	ground := r.tile(world.Vec3{}, terrain.Hills, 0, world.Vec3{1, 1, 1})
	ball := r.thing(world.Vec3{3, 12, 4}, world.Vec3{1, 1, 1}, world.Body{Type: "dynamic", Collider: "sphere", Friction: 0.8})
	r.steps(60)
	if err := r.RebuildAt(r.Steps() + 1); err != nil {
		t.Fatal(err)
	}
	r.steps(60)
	if len(r.rebuilds) != 1 {
		t.Fatalf("the engine was rebuilt %d times", len(r.rebuilds))
	}
	if gap := r.gap(ground, ball); gap < -0.05 || gap > 1 {
		t.Errorf("the ball is %v over the ground, at %v", gap, r.at(ball))
	}
}
