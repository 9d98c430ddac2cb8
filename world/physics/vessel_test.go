package physics_test

import (
	"math"
	"testing"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// ship builds a hull of plates that are fixed to each other: so long, high and wide outside, of steel 2 cm thick, its bottom so high.
func (r *rig) ship(bottom float64, size world.Vec3) (plates []world.ID) {
	const thick = 0.02
	x, y, z := size[0], size[1], size[2]
	at := func(dx, dy, dz float64) world.Vec3 { return world.Vec3{dx, bottom + dy, dz} }
	steel := world.Body{Type: "dynamic", Density: 7800, Friction: 0.5}
	for _, plate := range []struct{ at, size world.Vec3 }{
		{at(0, thick/2, 0), world.Vec3{x, thick, z}},
		{at(0, y/2, (z-thick)/2), world.Vec3{x, y, thick}},
		{at(0, y/2, (thick-z)/2), world.Vec3{x, y, thick}},
		{at((x-thick)/2, y/2, 0), world.Vec3{thick, y, z}},
		{at((thick-x)/2, y/2, 0), world.Vec3{thick, y, z}},
	} {
		plates = append(plates, r.thing(plate.at, plate.size, steel))
	}
	for _, id := range plates[1:] {
		r.hang(id, physics.Joint{Kind: physics.Weld, To: plates[0], On: r.at(id).Sub(r.at(plates[0]))})
	}
	return plates
}

// weight returns how many kg things have together.
func (r *rig) weight(ids ...world.ID) (kg float64) {
	r.View(func(v *world.View) {
		for _, id := range ids {
			kg += r.Weight(v, id)
		}
	})
	return kg
}

// TestShip has a hull of steel plates float as deep as the water weighs that it keeps out, upright, dry inside, and with a load in it; with too much of that it sinks.
func TestShip(t *testing.T) {
	size := world.Vec3{4, 1, 2}
	for _, c := range []struct {
		load  float64 // kg
		sinks bool
	}{{0, false}, {1500, false}, {6000, true}} {
		r := newRig(t)
		r.bed(6)
		plates := r.ship(-0.1, size)
		all := plates
		if c.load > 0 {
			all = append(all, r.thing(world.Vec3{0, 0.5, 0}, world.Vec3{1, 1, 1}, world.Body{Type: "dynamic", Density: c.load, Friction: 0.5}))
		}
		r.settles(2400, all...)
		bottom := r.at(plates[0])[1] - 0.01
		if c.sinks {
			if bottom > -5 {
				t.Errorf("with %v kg in it the hull, of %.0f kg, is at %v", c.load, r.weight(plates...), bottom)
			}
			continue
		}
		if want := -r.weight(all...) / 1000 / size[0] / size[2]; math.Abs(bottom-want) > 0.05 {
			t.Errorf("with %v kg in it the bottom of the hull, of %.0f kg, is at %v, want %v", c.load, r.weight(plates...), bottom, want)
		}
		if up := r.turned(plates[0]); up < 0.999 {
			t.Errorf("with %v kg in it the hull is tipped: up is %v", c.load, up)
		}
		if c.load > 0 {
			if y := r.at(all[len(all)-1])[1] - 0.5; math.Abs(y-bottom-0.02) > 0.02 {
				t.Errorf("the load is at %v, and the bottom of the hull at %v: it floats in what is dry", y, bottom)
			}
		}
	}
}

// TestShipByMaterial has a hull of metal plates whose mass nobody has said, so that they weigh next to nothing for the engine, float as one that weighs what metal does.
func TestShipByMaterial(t *testing.T) {
	r := newRig(t)
	r.bed(6)
	plates := r.ship(-0.1, world.Vec3{4, 1, 2})
	r.must(func(tx *world.Tx) error {
		for _, id := range plates {
			if err := r.Bodies.Set(tx, id, world.Body{Type: "dynamic", Friction: 0.5}); err != nil {
				return err
			}
			if err := r.Materials.Set(tx, id, world.Material{Name: "metal"}); err != nil {
				return err
			}
		}
		return nil
	})
	high := 0.0
	for range 300 {
		r.steps(1)
		high = max(high, r.at(plates[0])[1])
	}
	r.settles(2400, plates...)
	if y := r.at(plates[0])[1]; high > 0 || math.Abs(y+0.38) > 0.05 {
		t.Errorf("it comes to rest at %v, and was at %v at its highest", y, high)
	}
}

// press pushes something down for a step, with so many newton seconds.
func (r *rig) press(id world.ID, impulse float64) {
	r.t.Helper()
	r.must(func(tx *world.Tx) error {
		_, err := r.Push(tx, id, world.Vec3{0, -impulse, 0})
		return err
	})
	r.steps(1)
}

// TestShipSinks has hulls fill, whose wall is taken away, that lie on their side, or that are pushed under; what is closed all around comes up again.
func TestShipSinks(t *testing.T) {
	size := world.Vec3{4, 1, 2}
	for name, c := range map[string]struct {
		then  func(r *rig, plates []world.ID)
		sinks bool
	}{
		"as it is": {func(*rig, []world.ID) {}, false},
		"a hole": {func(r *rig, plates []world.ID) {
			r.must(func(tx *world.Tx) error {
				tx.Destroy(plates[3])
				return nil
			})
		}, true},
		"fallen apart": {func(r *rig, plates []world.ID) {
			r.must(func(tx *world.Tx) error {
				for _, id := range plates[1:] {
					r.Unhang(tx, id)
				}
				return nil
			})
		}, true},
		"held, and let go without its walls": {func(r *rig, plates []world.ID) {
			steel := world.Body{Type: "dynamic", Density: 7800}
			r.must(func(tx *world.Tx) error { return r.Bodies.Set(tx, plates[0], world.Body{Type: "static"}) })
			r.steps(2)
			r.must(func(tx *world.Tx) error {
				for _, id := range plates[1:] {
					tx.Destroy(id)
				}
				return r.Bodies.Set(tx, plates[0], steel)
			})
		}, true},
		"on its side": {func(r *rig, plates []world.ID) {
			r.must(func(tx *world.Tx) error {
				for _, id := range plates {
					at, _ := tx.WorldTransform(id)
					turn := world.QuatFromEuler(math.Pi/2, 0, 0)
					if err := tx.PutAt(id, turn.Rotate(at.Position), turn.Mul(at.Rotation)); err != nil {
						return err
					}
				}
				return nil
			})
		}, true},
		"pushed under": {func(r *rig, plates []world.ID) {
			for range 60 {
				r.press(plates[0], 2000)
			}
		}, true},
		"pushed under, with a lid": {func(r *rig, plates []world.ID) {
			lid := r.thing(r.at(plates[0]).Add(world.Vec3{0, 1, 0}), world.Vec3{4, 0.02, 2}, world.Body{Type: "dynamic", Density: 7800})
			r.hang(lid, physics.Joint{Kind: physics.Weld, To: plates[0], On: world.Vec3{0, 1, 0}})
			for range 60 {
				r.press(plates[0], 2000)
			}
			if y := r.at(plates[0])[1]; y > -1.5 {
				t.Errorf("it was not pushed under: %v", y)
			}
		}, false},
	} {
		r := newRig(t)
		r.bed(6)
		plates := r.ship(-0.4, size)
		r.steps(60)
		c.then(r, plates)
		r.steps(1200)
		if y := r.at(plates[0])[1]; c.sinks != (y < -4) {
			t.Errorf("%s: the bottom is at %v", name, y)
		}
	}
}

// TestAboardShip has somebody stand and jump in a hull whose bottom is far under water: he does not swim, and presses it down by what he weighs.
func TestAboardShip(t *testing.T) {
	r := newRig(t)
	r.bed(8)
	plates := r.ship(-1.2, world.Vec3{5, 3, 3})
	r.settles(1200, plates...)
	light := r.at(plates[0])[1]
	who := r.walker(world.Vec3{0, light + 1, 0})
	r.steps(300)
	if sunk := light - r.at(plates[0])[1]; math.Abs(sunk-80.0/1000/15) > 0.003 {
		t.Errorf("he presses it down by %v m", sunk)
	}
	floor := func() float64 { return r.feet(who) - r.at(plates[0])[1] - 0.01 }
	if light > -0.5 || math.Abs(floor()) > 0.05 || r.swims(who) {
		t.Fatalf("the bottom is at %v, his feet are %v above it; swims: %v", light, floor(), r.swims(who))
	}
	r.send(who, physics.Intent{Jump: true})
	high := 0.0
	for range 90 {
		r.steps(1)
		if high = max(high, floor()); r.swims(who) {
			t.Fatal("he swims in what is dry")
		}
	}
	if high < 1 {
		t.Errorf("he jumps %v m high", high)
	}
}

// BenchmarkShips steps a world in which 20 hulls of 5 plates float and are kept awake, or what is left of them without their ends.
func BenchmarkShips(b *testing.B) {
	for _, c := range []struct {
		name string
		open bool
	}{{"hulls", true}, {"rafts", false}} {
		b.Run(c.name, func(b *testing.B) {
			r := newRig(b)
			r.bed(20)
			var all []world.ID
			for i := range 20 {
				plates := r.ship(-0.4, world.Vec3{4, 1, 2})
				all = append(all, plates[0])
				r.must(func(tx *world.Tx) error {
					for _, id := range plates {
						at, _ := tx.WorldTransform(id)
						if err := tx.PutAt(id, at.Position.Add(world.Vec3{float64(6*(i%5) - 12), 0, float64(4*(i/5) - 8)}), at.Rotation); err != nil {
							return err
						}
					}
					if !c.open { // without its ends nothing of it is hollow
						tx.Destroy(plates[3])
						tx.Destroy(plates[4])
					}
					return nil
				})
			}
			r.steps(10)
			for b.Loop() {
				r.must(func(tx *world.Tx) error {
					for _, id := range all {
						if _, err := r.Push(tx, id, world.Vec3{}); err != nil {
							return err
						}
					}
					return nil
				})
				r.steps(1)
			}
		})
	}
}
