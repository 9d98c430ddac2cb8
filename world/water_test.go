package world_test

import (
	"math"
	"testing"

	"github.com/limina-mcp/limina/world"
)

// TestBanks has the banks of a river be beside its line, and parallel to it in bends. The page's test, viewer/web/test/water.test.mjs, has the same river.
func TestBanks(t *testing.T) {
	river := world.Water{Size: 4, Line: []world.Vec3{{0, 5, 0}, {10, 4, 0}, {10, 2, 10}}}
	pool := river.Pool(world.Identity())
	for i, want := range [][2]world.Vec3{{{0, 5, -2}, {0, 5, 2}}, {{12, 4, -2}, {8, 4, 2}}, {{12, 2, 10}, {8, 2, 10}}} {
		for side, at := range pool.Banks()[i] {
			if at.Dist(want[side]) > 1e-9 {
				t.Errorf("at point %d the bank %d is at %v, want %v", i, side, at, want[side])
			}
		}
	}
}

// TestRiverLevel has a river be as high at each place as the nearest one of its line, begin and end straight across, and go where its entity goes.
func TestRiverLevel(t *testing.T) {
	river := world.Water{Size: 4, Line: []world.Vec3{{0, 5, 0}, {10, 3, 0}, {10, 1, 10}}}
	type place struct {
		x, z, level float64 // NaN: none
	}
	none := math.NaN()
	look := func(name string, at world.Transform, places ...place) {
		pool := river.Pool(at)
		for _, p := range places {
			y, ok := pool.Level(p.x, p.z)
			if ok != !math.IsNaN(p.level) || ok && math.Abs(y-p.level) > 1e-9 {
				t.Errorf("%s: at %v, %v the water is at %v, %v, want %v", name, p.x, p.z, y, ok, p.level)
			}
			lo, hi := pool.Box()
			if ok && (p.x < lo[0] || p.z < lo[2] || p.x > hi[0] || p.z > hi[2] || y < lo[1] || y > hi[1]) {
				t.Errorf("%s: %v, %v is out of its box, %v to %v", name, p.x, p.z, lo, hi)
			}
		}
	}
	look("where it was made", world.Identity(), place{0, 0, 5}, place{5, 1.9, 4}, place{5, 2.1, none}, place{-0.1, 0, none}, place{11.3, -1.3, 3}, place{11.5, -1.5, none},
		place{10, 5, 2}, place{12, 5, 2}, place{12.1, 5, none}, place{10, 10, 1}, place{10, 10.1, none})
	turned := world.Transform{Position: world.Vec3{100, 7, 0}, Rotation: world.QuatFromEuler(0, math.Pi/2, 0), Scale: world.Vec3{2, 1, 2}}
	look("turned and scaled", turned, place{100, 0, 12}, place{100, -10, 11}, place{103.9, -10, 11}, place{104.1, -10, none}, place{120, -20, 8})
}

// TestWaterLevel has of several waters the highest count.
func TestWaterLevel(t *testing.T) {
	w := world.New(world.Config{})
	if _, err := w.Update(t.Context(), func(tx *world.Tx) error {
		for i, water := range []world.Water{{Size: 100}, {Size: 4, Line: []world.Vec3{{0, 5, 0}, {10, -1, 0}}}} {
			id, err := tx.Create(world.Spec{Position: world.Vec3{float64(i), 0, 0}})
			if err != nil {
				return err
			}
			if err := w.Waters.Set(tx, id, water); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	w.View(func(v *world.View) {
		all := w.Pools(v)
		for x, want := range map[float64]float64{-40: 0, 0.5: 0, 1: 5, 6: 2, 10.9: 0, 40: 0} {
			y, ok := w.WaterLevel(v, x, 1)
			again, too := all.Level(x, 1)
			if !ok || !too || math.Abs(y-want) > 1e-9 || y != again {
				t.Errorf("at %v the water is at %v, %v, of all of them at %v, %v, want %v", x, y, ok, again, too, want)
			}
		}
		if y, ok := w.WaterLevel(v, 60, 0); ok {
			t.Errorf("beside the water it is at %v", y)
		}
	})
}

// TestFlow has a river flow along its line, fastest in its middle, not at all at its banks, and turned with its entity.
func TestFlow(t *testing.T) {
	water := world.Water{Size: 10, Line: []world.Vec3{{0, 4, 0}, {20, 2, 0}, {20, 0, 20}}, Flow: 2}
	turned := world.Identity()
	turned.Rotation = world.QuatFromEuler(0, math.Pi/2, 0) // x goes to -z
	for _, c := range []struct {
		at   world.Transform
		x, z float64
		want world.Vec3
		ok   bool
	}{
		{world.Identity(), 10, 0, world.Vec3{2, 0, 0}, true},
		{world.Identity(), 10, 2.5, world.Vec3{1.5, 0, 0}, true},
		{world.Identity(), 10, -5, world.Vec3{}, true},
		{world.Identity(), 10, 6, world.Vec3{}, false},
		{world.Identity(), 20, 15, world.Vec3{0, 0, 2}, true},
		{world.Identity(), -1, 0, world.Vec3{}, false},
		{turned, 0, -10, world.Vec3{0, 0, -2}, true},
	} {
		p := water.Pool(c.at)
		y, flow, ok := p.Flows(c.x, c.z)
		level, there := p.Level(c.x, c.z)
		if flow.Dist(c.want) > 1e-9 || ok != c.ok || y != level || ok != there {
			t.Errorf("at %v, %v it flows with %v, %v, and is %v high; want %v, %v and %v", c.x, c.z, flow, ok, y, c.want, c.ok, level)
		}
	}
	w := world.New(world.Config{})
	if _, err := w.Update(t.Context(), func(tx *world.Tx) error {
		for _, level := range []float64{0, 3.5} { // a lake over the end of the river, and another below it
			lake, err := tx.Create(world.Spec{Position: world.Vec3{20, level - 3, 20}})
			if err != nil {
				return err
			}
			if err := w.Waters.Set(tx, lake, world.Water{Size: 12}); err != nil {
				return err
			}
		}
		id, err := tx.Create(world.Spec{})
		if err != nil {
			return err
		}
		return w.Waters.Set(tx, id, water)
	}); err != nil {
		t.Fatal(err)
	}
	w.View(func(v *world.View) {
		for _, c := range []struct{ x, z, speed float64 }{{10, 0, 2}, {20, 10, 2}, {20, 19, 0}, {50, 50, 0}} {
			_, flow, _ := w.Pools(v).Flows(c.x, c.z)
			if got := flow.Len(); math.Abs(got-c.speed) > 1e-9 {
				t.Errorf("at %v, %v the world's water flows with %v m/s, want %v", c.x, c.z, got, c.speed)
			}
		}
	})
}
