package physics_test

import (
	"math"
	"testing"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// bed lays the bed of a lake, and the lake: its surface is at 0.
func (r *rig) bed(deep float64) (lake world.ID) {
	r.thing(world.Vec3{0, -deep - 0.5, 0}, world.Vec3{200, 1, 200}, world.Body{Type: "static"})
	return r.lake(0, 100)
}

func (r *rig) turned(id world.ID) (up float64) {
	r.View(func(v *world.View) {
		at, _ := v.WorldTransform(id)
		up = at.Rotation.Rotate(world.Vec3{0, 1, 0})[1]
	})
	return up
}

// settles takes steps until all of these rest, and returns how many that took.
func (r *rig) settles(most int, ids ...world.ID) (n int) {
	r.t.Helper()
	r.steps(1)
	for n = 1; n < most; n++ {
		rest := true
		for _, id := range ids {
			rest = rest && r.resting(id)
		}
		if rest {
			return n
		}
		r.steps(1)
	}
	for _, id := range ids {
		r.t.Errorf("after %d steps %v does not rest: it is at %v, its up is %v", most, id, r.at(id), r.turned(id))
	}
	return n
}

// TestFloat has boxes, balls and other things of every density come to rest: as deep in the water as they are heavy, upright where they are flat, or on the bed.
func TestFloat(t *testing.T) {
	for _, density := range []float64{30, 100, 400, 800, 2500} {
		for _, collider := range []string{"box", "sphere", "cylinder", "cone", "wedge", "capsule"} {
			for _, size := range []world.Vec3{{1, 1, 1}, {2, 0.02, 2}, {3, 1, 3}, {0.2, 0.2, 0.2}} {
				r := newRig(t)
				r.bed(6)
				b := r.thing(world.Vec3{0, 1, 0}, size, world.Body{Type: "dynamic", Collider: collider, Friction: 0.5, Density: density})
				r.settles(1800, b)
				y, reach := r.at(b)[1], size.Len()
				switch {
				case density > 1000 && y > -6+reach:
					t.Errorf("a %s of %v, %v kg/m³, rests at %v, not on the bed", collider, size, density, y)
				case density < 1000 && math.Abs(y) > reach/2+0.05:
					t.Errorf("a %s of %v, %v kg/m³, rests at %v, not on the water", collider, size, density, y)
				}
				if want := size[1] * (0.5 - max(density, 100)/1000); collider == "box" && density < 1000 && size[1] >= 0.2 && size[0] > size[1] && math.Abs(y-want) > 0.03 {
					t.Errorf("a box of %v, %v kg/m³, is at %v, want %v", size, density, y, want)
				}
			}
		}
	}
}

// TestDensity has things float by what they are said to be: by density, by mass, by material, and else as wood does.
func TestDensity(t *testing.T) {
	r := newRig(t)
	r.bed(4)
	want := map[world.ID]float64{}
	put := func(b world.Body, material string, density float64) {
		b.Type = "dynamic"
		id := r.thing(world.Vec3{float64(3 * len(want)), 0.5, 0}, world.Vec3{1, 0.5, 1}, b)
		r.must(func(tx *world.Tx) error { return r.Materials.Set(tx, id, world.Material{Name: material}) })
		want[id] = density
	}
	put(world.Body{}, "", 400)
	put(world.Body{}, "wood", 400)
	put(world.Body{}, "stone", 2500)
	put(world.Body{}, "ice", 917)
	put(world.Body{Mass: 300}, "stone", 600) // a hollow one
	put(world.Body{Mass: 900}, "wood", 1800)
	put(world.Body{Density: 300}, "stone", 300)
	r.steps(600)
	for id, density := range want {
		r.View(func(v *world.View) {
			if got := r.Density(v, id); got != density {
				t.Errorf("%v has %v kg/m³, want %v", id, got, density)
			}
			if b, _ := r.Bodies.Get(v, id); b.Density > 0 && r.Weight(v, id) != b.Density/2 {
				t.Errorf("%v, of %v kg/m³ and 0.5 m³, has %v kg", id, b.Density, r.Weight(v, id))
			}
		})
		y, floats := 0.25-density/2000, density < 1000
		if !floats {
			y = -3.75
		}
		if got := r.at(id)[1]; math.Abs(got-y) > 0.03 {
			t.Errorf("%v, of %v kg/m³, is at %v, want %v", id, density, got, y)
		}
	}
	for id := range want { // what was wood turns into stone
		r.must(func(tx *world.Tx) error { return r.Materials.Set(tx, id, world.Material{Name: "stone"}) })
	}
	r.steps(600)
	for id, density := range want {
		if y := r.at(id)[1]; density == 400 && y > -3.7 {
			t.Errorf("%v is of stone now, and at %v", id, y)
		}
	}
}

// TestUpright has a plank that is on its edge, and a wedge and a cone that are anyhow, lie flat, or still, and what is all under water not turn by itself.
func TestUpright(t *testing.T) {
	r := newRig(t)
	r.bed(30)
	tilt := world.QuatFromEuler(0, 0, 1.2)
	turn := func(id world.ID) {
		r.must(func(tx *world.Tx) error { return tx.SetRotation(id, tilt) })
	}
	plank := r.thing(world.Vec3{0, 0, 0}, world.Vec3{2, 0.2, 3}, world.Body{Type: "dynamic"})
	turn(plank)
	var under []world.ID
	for i, collider := range []string{"box", "cone", "wedge", "cylinder"} {
		id := r.thing(world.Vec3{float64(8 * (i + 1)), -20, 0}, world.Vec3{1, 2, 3}, world.Body{Type: "dynamic", Collider: collider, Density: 1000})
		turn(id)
		under = append(under, id)
	}
	r.settles(1200, append(under, plank)...)
	if up := math.Abs(r.turned(plank)); up < 0.99 {
		t.Errorf("the up of the plank is %v", up)
	}
	for _, id := range under {
		if up := r.turned(id); math.Abs(up-math.Cos(1.2)) > 0.02 || math.Abs(r.at(id)[1]+20) > 0.2 {
			t.Errorf("%v, as heavy as water, is at %v, its up %v, want it to stay as it was", id, r.at(id), up)
		}
	}
}

// TestWaterMoves has what floats, asleep, go with the water: up in a lock, down when it goes, elsewhere when it is taken away; and what sleeps on land wakes in a
// flood. What has nothing to do with it sleeps on.
func TestWaterMoves(t *testing.T) {
	r := newRig(t)
	lake := r.bed(6)
	crate := r.box(world.Vec3{0, 0.2, 0})
	far := r.thing(world.Vec3{80, -5.5, 0}, world.Vec3{1, 1, 1}, world.Body{Type: "dynamic"})
	r.settles(900, crate, far)
	level := func(y float64) {
		r.must(func(tx *world.Tx) error { return tx.SetPosition(lake, world.Vec3{0, y, 0}) })
		if r.resting(crate) {
			t.Error("the water has moved, and the crate is said to rest")
		}
		r.steps(1)
		if !r.resting(far) {
			t.Error("what is not in the water is awake")
		}
		r.settles(900, crate)
	}
	for _, y := range []float64{2, 2.01, -3} {
		if level(y); math.Abs(r.at(crate)[1]-y-0.1) > 0.03 {
			t.Errorf("with the water at %v the crate is at %v", y, r.at(crate))
		}
	}
	before := r.Tick()
	r.steps(300)
	if r.Tick() != before {
		t.Error("a world that rests on water commits")
	}
	r.must(func(tx *world.Tx) error { tx.Destroy(lake); return nil })
	r.settles(600, crate)
	if y := r.at(crate)[1]; math.Abs(y+5.5) > 0.02 {
		t.Errorf("without the water the crate is at %v", y)
	}
	lake = r.lake(0, 100)
	r.settles(900, crate)
	if y := r.at(crate)[1]; math.Abs(y-0.1) > 0.03 {
		t.Errorf("in the water that came the crate is at %v", y)
	}
	r.must(func(tx *world.Tx) error { return tx.SetScale(lake, world.Vec3{0.1, 1, 0.1}) }) // 10 m, and still around it
	r.settles(900, crate)
	if y := r.at(crate)[1]; math.Abs(y-0.1) > 0.03 {
		t.Errorf("in a pool the crate is at %v", y)
	}
	r.must(func(tx *world.Tx) error { return tx.SetPosition(lake, world.Vec3{30, 0, 0}) })
	r.settles(900, crate)
	if y := r.at(crate)[1]; math.Abs(y+5.5) > 0.02 {
		t.Errorf("beside the pool the crate is at %v", y)
	}
}

// TestDryCellar has nothing float in a room under the water, which has a ceiling.
func TestDryCellar(t *testing.T) {
	r := newRig(t)
	r.bed(6)
	r.thing(world.Vec3{0, -2, 0}, world.Vec3{20, 0.4, 20}, world.Body{Type: "static"})
	box := r.box(world.Vec3{0, -5.5, 0})
	r.settles(600, box)
	if y := r.at(box)[1]; math.Abs(y+5.5) > 0.02 {
		t.Errorf("under a ceiling a crate is at %v", y)
	}
}

// raft fixes boxes to each other: a floor of 2 by 4 m and a wall all around, with its front at +z.
func (r *rig) raft(at world.Vec3) (boat []world.ID) {
	for _, p := range []struct{ at, size world.Vec3 }{
		{world.Vec3{0, 0, 0}, world.Vec3{2, 0.3, 4}},
		{world.Vec3{-0.9, 0.4, 0}, world.Vec3{0.2, 0.5, 4}},
		{world.Vec3{0.9, 0.4, 0}, world.Vec3{0.2, 0.5, 4}},
		{world.Vec3{0, 0.4, -1.9}, world.Vec3{1.6, 0.5, 0.2}},
		{world.Vec3{0, 0.4, 1.9}, world.Vec3{1.6, 0.5, 0.2}},
	} {
		boat = append(boat, r.thing(at.Add(p.at), p.size, world.Body{Type: "dynamic", Friction: 0.5, Density: 250}))
		if n := len(boat) - 1; n > 0 {
			r.hang(boat[n], physics.Joint{Kind: physics.Weld, To: boat[0], On: p.at})
		}
	}
	return boat
}

// TestBoat has a boat of several boxes stay level with a crate on it, rest, and carry somebody who stands in it, dry though its floor is under water; and go where it
// is pushed, and turn where it is pushed beside its middle.
func TestBoat(t *testing.T) {
	r := newRig(t)
	r.bed(6)
	boat := r.raft(world.Vec3{0, 0.3, 0})
	crate := r.thing(world.Vec3{0, 0.8, -1}, world.Vec3{0.6, 0.6, 0.6}, world.Body{Type: "dynamic", Friction: 0.5, Mass: 60})
	r.settles(1200, append(boat, crate)...)
	level := func(when string) {
		t.Helper()
		if up, y := r.turned(boat[0]), r.at(boat[0])[1]; up < 0.99 || y < -0.3 || y > 0.2 {
			t.Errorf("%s the boat is at %v, its up %v", when, r.at(boat[0]), up)
		}
		if on := r.at(crate).Sub(r.at(boat[0])); math.Abs(on[1]-0.45) > 0.1 || on.Len() > 2 {
			t.Errorf("%s the crate is %v from the middle of the boat", when, on)
		}
	}
	level("at rest")
	who := r.walker(r.at(boat[0]).Add(world.Vec3{0, 1.1, 0.8}))
	r.settles(1200, append(boat, crate, who)...)
	level("with somebody in it")
	if r.swims(who) || r.feet(who) < r.at(boat[0])[1]+0.1 {
		t.Errorf("who stands in it swims %v, his feet at %v", r.swims(who), r.feet(who))
	}
	r.View(func(v *world.View) {
		if got := r.Drag(v, who); got != 1 {
			t.Errorf("who stands in it walks %v as fast as on land", got)
		}
	})
	push := func(impulse, at world.Vec3) {
		for range 30 {
			r.must(func(tx *world.Tx) error {
				turn, _ := tx.WorldTransform(boat[0])
				_, err := r.PushAt(tx, boat[0], turn.Rotation.Rotate(impulse), at)
				return err
			})
			r.steps(10)
		}
		r.settles(2400, append(boat, crate, who)...)
	}
	push(world.Vec3{0, 0, 100}, world.Vec3{})
	if at := r.at(boat[0]); at[2] < 4 || math.Abs(at[0]) > 1 {
		t.Errorf("pushed forward it has come to %v", at)
	}
	level("having gone forward")
	if d := r.at(who).Sub(r.at(boat[0])); d.Len() > 2 || d[1] < 0.9 {
		t.Errorf("who stood in it is %v from its middle", d)
	}
	push(world.Vec3{0, 0, 60}, world.Vec3{0.9, 0, 0})
	var front world.Vec3
	r.View(func(v *world.View) {
		at, _ := v.WorldTransform(boat[0])
		front = at.Rotation.Rotate(world.Vec3{0, 0, 1})
	})
	if front[2] > 0.9 {
		t.Errorf("rowed on one side its front is to %v", front)
	}
	level("having turned")
}

// TestPushAt has what is pushed beside its middle turn, and refuses a place that is not on it.
func TestPushAt(t *testing.T) {
	r := newRig(t)
	r.floor()
	box := r.box(world.Vec3{0, 20, 0})
	r.must(func(tx *world.Tx) error {
		if _, err := r.PushAt(tx, box, world.Vec3{0, 0, 1}, world.Vec3{0.6, 0, 0}); err == nil {
			t.Error("a push 10 cm beside it was taken")
		}
		return nil
	})
	r.must(func(tx *world.Tx) error {
		_, err := r.PushAt(tx, box, world.Vec3{0, 0, 0.1}, world.Vec3{0.5, 0, 0})
		return err
	})
	r.steps(30)
	r.View(func(v *world.View) {
		at, _ := v.WorldTransform(box)
		// 0.05 N·m·s on 1/6 kg·m² is 0.3 rad/s about -y
		if front := at.Rotation.Rotate(world.Vec3{0, 0, 1}); math.Abs(front[0]+math.Sin(0.15)) > 0.02 {
			t.Errorf("after half a second its front is to %v", front)
		}
	})
}

// TestFloatAgain has the same things float in the same way each time, bit for bit, also where the engine is made anew meanwhile.
func TestFloatAgain(t *testing.T) {
	for _, rebuild := range []uint64{0, 100} {
		var first string
		for n := range 2 {
			r := newRig(t)
			if rebuild > 0 {
				if err := r.RebuildAt(rebuild); err != nil {
					t.Fatal(err)
				}
			}
			r.bed(6)
			boat := r.raft(world.Vec3{0, 1, 0})
			for i := range 6 {
				r.thing(world.Vec3{float64(i) / 2, 3 + float64(i), 0.3}, world.Vec3{0.7, 0.7, 0.7}, world.Body{Type: "dynamic", Collider: []string{"box", "sphere", "cone"}[i%3]})
			}
			r.steps(300)
			if hash := r.hash(); n == 0 {
				first = hash
			} else if hash != first {
				t.Errorf("rebuilt at %d: another world", rebuild)
			}
			r.settles(2400, boat...)
		}
	}
}
