package validation_test

import (
	"testing"

	"github.com/limina-mcp/limina/world"
)

// TestBoats: what lies in water stands nowhere and hangs nowhere; what hovers over it comes down to it, and where the ground is higher there is none.
func TestBoats(t *testing.T) {
	s := newSite(t, 1)
	s.update(func(tx *world.Tx) error {
		id, err := tx.Create(world.Spec{Position: world.Vec3{0, 2, 0}})
		if err != nil {
			return err
		}
		return s.World.Waters.Set(tx, id, world.Water{Size: 20})
	})
	s.box(world.Vec3{0, 2.1, 0}, world.Vec3{2, 0.8, 4})                // a boat
	s.box(world.Vec3{0, 3, 0}, world.Vec3{0.2, 1.2, 0.2})              // its mast
	high := s.box(world.Vec3{5, 3, 5}, world.Vec3{1, 1, 1})            // half a metre over the water
	beside := s.box(world.Vec3{15, 2.1, 0}, world.Vec3{2, 0.8, 4})     // where there is none
	under := s.box(world.Vec3{-5, 0.9, -5}, world.Vec3{0.5, 0.5, 0.5}) // under it, over its bed
	out := s.validate(`{"checks":["floating"]}`)
	got := map[world.ID]float64{}
	for _, f := range out.Findings {
		got[f.Entities[0]] = f.Amount
	}
	for id, want := range map[world.ID]float64{high: 0.5, beside: 1.7, under: 0.65} {
		if d := got[id] - want; !(d > -0.01 && d < 0.01) {
			t.Errorf("%v: %v, want %v", id, got[id], want)
		}
	}
	if len(got) != 3 {
		t.Errorf("%v", show(out.Findings))
	}
}

// TestDraught: what lies in water where no ground was made is not below that; beside the water it is.
func TestDraught(t *testing.T) {
	s := newSite(t, 1)
	s.update(func(tx *world.Tx) error {
		id, err := tx.Create(world.Spec{})
		if err != nil {
			return err
		}
		return s.World.Waters.Set(tx, id, world.Water{Size: 20})
	})
	s.box(world.Vec3{0, -0.2, 0}, world.Vec3{2, 1, 4}) // a boat
	s.box(world.Vec3{0, -3, 5}, world.Vec3{1, 1, 1})   // what has gone down
	beside := s.box(world.Vec3{15, -0.2, 0}, world.Vec3{2, 1, 4})
	out := s.validate(`{"checks":["belowGround","floating"]}`)
	if len(out.Findings) != 1 || out.Findings[0].Entities[0] != beside {
		t.Errorf("%v", show(out.Findings))
	}
	s.update(func(tx *world.Tx) error { return s.World.Environment.Sky.Set(tx, world.Sky{Kind: "air", Bare: true}) })
	if out := s.validate(`{"checks":["belowGround"]}`); len(out.Findings) != 0 {
		t.Errorf("where there is no ground: %v", show(out.Findings))
	}
}
