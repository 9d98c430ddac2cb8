package player_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/limina-mcp/limina/skills/player"
	"github.com/limina-mcp/limina/world"
)

// slide moves an entity by steps from one place to another.
func (s *site) slide(id world.ID, to world.Vec3, steps int, each func()) {
	s.t.Helper()
	from, n := s.at(id.String()), 0
	s.mover = func(tx *world.Tx) error {
		n++
		return tx.SetPosition(id, from.Add(to.Sub(from).Scale(float64(n)/float64(steps))))
	}
	for range steps {
		s.Steps(1)
		each()
	}
	s.mover = nil
}

// TestPushedByPlatform has platforms move into a character by steps: it is pushed along, and is never in one.
func TestPushedByPlatform(t *testing.T) {
	for _, c := range []struct {
		name         string
		at, size, to world.Vec3
		steps        int
		want         world.Vec3
	}{
		{"slowly", world.Vec3{-2, 1, 0}, world.Vec3{1, 2, 4}, world.Vec3{1, 1, 0}, 600, world.Vec3{1.5 + 0.3675, standing, 0}},
		{"fast", world.Vec3{-2, 1, 0}, world.Vec3{1, 2, 4}, world.Vec3{4, 1, 0}, 20, world.Vec3{4.5 + 0.3675, standing, 0}},
		{"a thin one", world.Vec3{-2, 1, 0}, world.Vec3{0.01, 2, 4}, world.Vec3{1, 1, 0}, 60, world.Vec3{1.005 + 0.3675, standing, 0}},
		{"at its feet", world.Vec3{-4, 0.1, 0}, world.Vec3{4, 0.2, 4}, world.Vec3{0, 0.1, 0}, 120, world.Vec3{2 + 0.3675, standing, 0}},
		{"at its head", world.Vec3{-4, 1.6, 0}, world.Vec3{4, 0.3, 4}, world.Vec3{0, 1.6, 0}, 120, world.Vec3{2 + 0.3675, standing, 0}},
		{"up from below", world.Vec3{0, -1, 0}, world.Vec3{3, 1, 3}, world.Vec3{0, 0.5, 0}, 120, world.Vec3{0, 1 + standing, 0}},
	} {
		s := newSite(t)
		platform := s.kinematic(c.at, c.size)
		id := s.spawn(world.Vec3{0, 1, 0})
		s.slide(platform, c.to, c.steps, func() { s.clear(c.name, id) })
		s.Steps(30)
		p := s.at(id)
		last := 2 * c.to.Dist(c.at) / float64(c.steps) // the engine goes by how fast the platform was before
		if p[0] < c.want[0]-0.03 || p[0] > c.want[0]+last+0.03 || !near(p[1], c.want[1]) || !near(p[2], c.want[2]) || s.awake() != 0 {
			t.Errorf("%s: it is at %v, want %v, and %d are awake", c.name, p, c.want, s.awake())
		}
	}
}

// TestSqueezed presses a character between a platform and what does not move: it gets out, aside or else up.
func TestSqueezed(t *testing.T) {
	for _, c := range []struct {
		name string
		wall func(s *site)
		at   world.Vec3
		to   world.Vec3
	}{
		{"against a wall", func(s *site) { s.box("static", world.Vec3{1, 1, 0}, world.Vec3{0.5, 2, 4}) }, world.Vec3{-2, 1, 0}, world.Vec3{0.2, 1, 0}},
		{"in an alley", func(s *site) {
			s.box("static", world.Vec3{1, 3, 0}, world.Vec3{0.5, 6, 4})
			s.box("static", world.Vec3{0, 3, 1}, world.Vec3{4, 6, 0.5})
			s.box("static", world.Vec3{0, 3, -1}, world.Vec3{4, 6, 0.5})
		}, world.Vec3{-2, 1, 0}, world.Vec3{0.2, 1, 0}},
		{"a lift under a ceiling", func(s *site) { s.box("static", world.Vec3{0, 3.5, 0}, world.Vec3{4, 1, 4}) }, world.Vec3{0, -1.6, 0}, world.Vec3{0, 1, 0}},
		{"a ceiling that comes down", func(*site) {}, world.Vec3{0, 5, 0}, world.Vec3{0, 1.2, 0}},
	} {
		s := newSite(t)
		c.wall(s)
		platform := s.kinematic(c.at, world.Vec3{1.4, 3, 1.4})
		id := s.spawn(world.Vec3{0, 1, 0})
		s.slide(platform, c.to, 120, func() { s.clear(c.name, id) })
		s.Steps(90)
		s.clear(c.name, id)
		if p := s.at(id); p[1] < standing-0.03 || s.awake() != 0 {
			t.Errorf("%s: it is at %v, and %d are awake", c.name, p, s.awake())
		}
	}
}

// TestDoor closes a door that turns on who stands in its way.
func TestDoor(t *testing.T) {
	for _, steps := range []int{15, 60, 240} {
		s := newSite(t)
		s.box("static", world.Vec3{-3, 1.5, 0}, world.Vec3{4, 3, 0.2})
		s.box("static", world.Vec3{2.2, 1.5, 0}, world.Vec3{4, 3, 0.2})
		door := s.kinematic(world.Vec3{-1, 1.5, 0.6}, world.Vec3{0.1, 3, 1.2})
		id := s.spawn(world.Vec3{-0.4, 1, 0.6})
		n := 0
		s.mover = func(tx *world.Tx) error {
			n++
			a := math.Pi / 2 * float64(n) / float64(steps)
			hinge := world.Vec3{-1, 1.5, 0}
			turn := world.QuatFromEuler(0, a, 0)
			if err := tx.SetRotation(door, turn); err != nil {
				return err
			}
			return tx.SetPosition(door, hinge.Add(turn.Rotate(world.Vec3{0, 0, 0.6})))
		}
		for range steps {
			s.Steps(1)
			s.clear(fmt.Sprintf("a door in %d steps", steps), id)
		}
		s.mover = nil
		s.Steps(30)
		if p := s.at(id); !near(p[1], standing) || math.Abs(p[2]) > 2.5 || s.awake() != 0 {
			t.Errorf("a door in %d steps: it is at %v, and %d are awake", steps, p, s.awake())
		}
	}
}

// TestCrowdPushed has a wall push a row of characters that stand one behind the other, and then against another wall.
func TestCrowdPushed(t *testing.T) {
	for _, end := range []bool{false, true} {
		s := newSite(t)
		if end {
			s.box("static", world.Vec3{5, 1.5, 0}, world.Vec3{1, 3, 20})
		}
		platform := s.kinematic(world.Vec3{-2, 1.5, 0}, world.Vec3{1, 3, 20})
		var ids []string
		for i := range 5 { // the youngest is pushed first
			ids = append(ids, s.spawn(world.Vec3{3.2 - 0.8*float64(i), 1, 0}))
		}
		s.slide(platform, world.Vec3{2, 1.5, 0}, 240, func() {
			for _, id := range ids {
				s.clear("a row", id)
			}
		})
		s.Steps(100)
		for i, id := range ids {
			s.clear("a row", id)
			if p := s.at(id); !end && (!near(p[1], standing) || p[0] < 2.8) {
				t.Errorf("with room character %d is pushed to %v", i, p)
			}
		}
		if s.awake() != 0 {
			t.Errorf("end %v: %d are awake", end, s.awake())
		}
	}
}

// ball makes a static ball of a width.
func (s *site) ball(tx *world.Tx, at, turn world.Vec3, width float64) error {
	id, err := tx.Create(world.Spec{Position: at})
	if err != nil {
		return err
	}
	if err := s.World.Shapes.Set(tx, id, world.Shape{Kind: "sphere", Size: world.Vec3{width, width, width}}); err != nil {
		return err
	}
	if err := tx.SetRotation(id, world.QuatFromEuler(turn[0], turn[1], turn[2])); err != nil {
		return err
	}
	return s.World.Bodies.Set(tx, id, world.Body{Type: "static", Collider: "sphere"})
}

// TestPushesOn makes a ball in a character that pushes another on by that, where the engine once had it follow into the other, as
// rapid found it (the first) and what is like that.
func TestPushesOn(t *testing.T) {
	for _, c := range []struct{ at, turn world.Vec3 }{
		{world.Vec3{-1.7678507268428802, 0.5, 2.5181216187775135e-06}, world.Vec3{0, -3, 2.487615273651784}},
		{world.Vec3{-1.7002905186897368, 0.2654684172982722, 4.184223937274265e-06}, world.Vec3{1.7019952864257375, 2.404234621959784, 2.929053167327951}},
		{world.Vec3{-1.7012958204466289, 0.45945637829267316, 3.6163088690624016e-06}, world.Vec3{-1.45458005957479, 1.5800025357635192, 0.49776413048017343}},
		{world.Vec3{-1.7369188179173496, 0.32713717327312675, -2.1229531903965784e-06}, world.Vec3{1.4759688910197486, -2.3133392971222726, 2.9215979826890646}},
		{world.Vec3{-1.8629248228254418, 0.7404149938556182, -4.242611290971905e-06}, world.Vec3{-0.9910054191958206, 1.3671708008057397, -1.1221248068355067}},
	} {
		s := newSite(t)
		one, other := s.spawn(world.Vec3{0, 1, 0}), s.spawn(world.Vec3{1, 1, 0})
		s.update(func(tx *world.Tx) error { return s.ball(tx, c.at, c.turn, 3.8224258422851562) })
		for range 60 {
			s.Steps(1)
			s.clear("the one pushed", one)
			s.clear("the one pushed on", other)
		}
		if p, q := s.at(one), s.at(other); p[0] < 0.4 || q[0]-p[0] < 0.7 || q[0] > 1.35 {
			t.Errorf("a ball at %v: they are at %v and %v", c.at, p, q)
		}
	}
}

// TestPushedUnder has a step move one character away, and make balls that push another to below it in the same step, as rapid found it: who
// is below once rose with the other, as fast as that was, when it had come down again.
func TestPushedUnder(t *testing.T) {
	s := newSite(t)
	for _, at := range []world.Vec3{{1, 1, 3}, {1, 4, 1}, {3, 1, 1}} { // nearer ways out
		s.box("static", at, world.Vec3{1.4, 1.4, 1.4})
	}
	above, below := s.spawn(world.Vec3{0, 1, 0}), s.spawn(world.Vec3{1, 1, 0})
	s.mover = func(tx *world.Tx) error {
		s.mover = nil
		if err := s.ball(tx, world.Vec3{0.03125, 1, 0.375}, world.Vec3{1, 1, 1}, 2.75); err != nil {
			return err
		}
		if err := s.ball(tx, world.Vec3{1, 0.5, -0.125}, world.Vec3{0.375, -0.25, 3}, 5); err != nil {
			return err
		}
		return tx.SetPosition(s.id(above), world.Vec3{-1.625, 2.578125, -0.5169868469238281})
	}
	for range 60 {
		s.Steps(1)
		s.clear("above", above)
		s.clear("below", below)
	}
	if p, q := s.at(above), s.at(below); p[1]-q[1] < 1.5 || !near(q[1], standing) || s.awake() != 0 {
		t.Errorf("they are at %v and %v, and %d are awake", p, q, s.awake())
	}
}

// TestFallsPastWall has a wall move against one that falls: it goes on falling.
func TestFallsPastWall(t *testing.T) {
	s := newSite(t)
	wall := s.kinematic(world.Vec3{-1.2, 10, 0}, world.Vec3{1, 20, 4})
	var made player.SpawnOut
	s.do(&made, "player.spawn", `{"position":[0,15,0]}`)
	id := made.Entity.String()
	s.slide(wall, world.Vec3{0.8, 10, 0}, 60, func() { s.clear("falling", id) })
	if y := s.at(id)[1]; y > 6 {
		t.Errorf("after a second beside a wall that pushes it it has come down from y 15 to %v", y)
	}
}

// TestNotShot pushes a character a long way, past boxes that are light: they are not thrown.
func TestNotShot(t *testing.T) {
	s := newSite(t)
	id := s.spawn(world.Vec3{0, 1, 0})
	wall := s.box("static", world.Vec3{20, 1, 0}, world.Vec3{4, 2, 9})
	light := s.box("dynamic", world.Vec3{-2, 0.25, 0}, world.Vec3{0.5, 0.5, 0.5})
	s.Steps(200)
	s.do(nil, "three.setTransform", `{"entity":%q,"position":[0.3,1,0]}`, wall)
	s.Steps(200)
	s.clear("pushed by two metres", id)
	if p := s.at(light); p.Dist(world.Vec3{-2, 0.25, 0}) > 1.5 {
		t.Errorf("the box was thrown to %v", p)
	}
}

// TestManyIntruders puts many things into many characters by one change.
func TestManyIntruders(t *testing.T) {
	s := newSite(t)
	var ids []string
	for i := range 16 {
		ids = append(ids, s.spawn(world.Vec3{float64(i%4) * 1.1, 1, float64(i/4) * 1.1}))
	}
	s.update(func(tx *world.Tx) error {
		for i := range 30 {
			id, err := tx.Create(world.Spec{Position: world.Vec3{float64(i%6) * 0.7, 0.4, float64(i/6) * 0.8}})
			if err != nil {
				return err
			}
			if err := s.World.Shapes.Set(tx, id, world.Shape{Kind: "box", Size: world.Vec3{0.3, 0.8, 0.3}}); err != nil {
				return err
			}
			if err := s.World.Bodies.Set(tx, id, world.Body{Type: "static", Collider: "box"}); err != nil {
				return err
			}
		}
		return nil
	})
	for range 120 {
		s.Steps(1)
		for _, id := range ids {
			s.clear("among posts", id)
		}
	}
	if s.awake() != 0 {
		t.Errorf("%d are awake in the end", s.awake())
	}
}

// TestGroupIntrudes moves and scales groups, and an instance of a prefab, into a character.
func TestGroupIntrudes(t *testing.T) {
	for _, c := range []struct{ name, change string }{
		{"moved", `"position":[0,0,0]`},
		{"scaled", `"scale":[4,1,4]`},
		{"scaled unevenly and turned", `"position":[0,0,0],"scale":[1,2,3],"rotationEuler":[0,0.7,0]`},
		{"mirrored", `"position":[0,0,0],"scale":[-1,1,-1]`},
	} {
		s := newSite(t)
		id := s.spawn(world.Vec3{0, 1, 0})
		s.do(nil, "prefab.define", `{"name":"hut","operations":[
			{"skill":"scene.createEntity","input":{"position":[0.3,0.5,0],"size":1,"static":true}},
			{"skill":"scene.createEntity","input":{"position":[-0.6,1,0.2],"size":0.5,"static":true}}]}`)
		var made struct{ Entity string }
		s.do(&made, "prefab.instantiate", `{"name":"hut","position":[2,0,0]}`)
		s.Steps(10)
		s.do(nil, "three.setTransform", `{"entity":%q,%s}`, made.Entity, c.change)
		s.Steps(1)
		s.clear(c.name, id)
		s.Steps(90)
		s.clear(c.name, id)
		if p := s.at(id); p[1] < standing-0.03 || s.awake() != 0 {
			t.Errorf("%s: it is at %v, and %d are awake", c.name, p, s.awake())
		}
	}
}

// TestGroundRaised makes generated ground under, into and over a character, moves it, and takes it away.
func TestGroundRaised(t *testing.T) {
	s := newSite(t)
	id := s.spawn(world.Vec3{20, 1, 20})
	var made struct {
		RegionID string `json:"regionId"`
	}
	s.do(&made, "world.generateRegion", `{"seed":3,"type":"mountains","bounds":{"minTx":0,"minTz":0,"maxTx":0,"maxTz":0}}`)
	s.Steps(1)
	s.clear("ground is made", id)
	s.Steps(120)
	s.clear("ground is made", id)
	high := 0.0
	for _, by := range []float64{0.2, 3, 40, 10} {
		s.do(nil, "three.setTransform", `{"entity":%q,"position":[0,%v,0]}`, made.RegionID, by)
		s.Steps(1)
		s.clear("ground is moved", id)
		s.Steps(300)
		s.clear("ground is moved", id)
		switch y := s.at(id)[1]; {
		case y < standing-0.03:
			t.Errorf("with the ground raised by %v it is at y %v", by, y)
		case by == 40:
			high = y
		case by == 10 && math.Abs(high-y-30) > 0.6:
			t.Errorf("with the ground let down by 30 it has gone from y %v to %v", high, y)
		}
	}
	s.do(nil, "scene.destroyEntity", `{"entity":%q}`, made.RegionID)
	s.Steps(300)
	if y := s.at(id)[1]; !near(y, standing) || s.awake() != 0 {
		t.Errorf("without the ground it is at y %v, and %d are awake", y, s.awake())
	}
}

// TestMeasures holds characters to what is written of steps and slopes.
func TestMeasures(t *testing.T) {
	for _, c := range []struct {
		radius, height float64
		up             bool
	}{{0.35, 0.3, true}, {0.35, 0.34, true}, {0.35, 0.42, false}, {0.2, 0.19, true}, {0.2, 0.27, false}, {0.6, 0.45, true}, {0.6, 0.7, false}} {
		s := newSite(t)
		s.box("static", world.Vec3{0, c.height / 2, 3}, world.Vec3{4, c.height, 2})
		var made player.SpawnOut
		s.do(&made, "player.spawn", `{"position":[0,2,0],"radius":%v}`, c.radius)
		s.Steps(60)
		s.do(nil, "player.move", `{"entity":%q,"forward":1,"seconds":0.9}`, made.Entity)
		s.Steps(90)
		p := s.at(made.Entity.String())
		if up := p[1] > c.height+0.5+c.radius; up != c.up || s.awake() != 0 {
			t.Errorf("radius %v, a step of %v: it is at %v, %d awake", c.radius, c.height, p, s.awake())
		}
	}
	for _, c := range []struct {
		degrees float64
		up      bool
	}{{10, true}, {30, true}, {43, true}, {48, false}, {70, false}} {
		s := newSite(t)
		ramp := s.box("static", world.Vec3{0, 0, 6}, world.Vec3{6, 1, 9})
		s.do(nil, "three.setTransform", `{"entity":%q,"rotationEuler":[%v,0,0]}`, ramp, -c.degrees*math.Pi/180)
		id := s.spawn(world.Vec3{0, 1, 0})
		s.do(nil, "player.move", `{"entity":%q,"forward":1,"seconds":1.3}`, id)
		s.Steps(140)
		if p := s.at(id); (p[1] > 1.1) != c.up || s.awake() != 0 {
			t.Errorf("a slope of %v degrees: it is at %v, %d awake", c.degrees, p, s.awake())
		}
	}
}

// TestThin runs and falls against what is a millimetre thick.
func TestThin(t *testing.T) {
	for _, speed := range []float64{4.5, 8, 100, 1000} {
		s := newSite(t)
		s.box("static", world.Vec3{0, 2, 3}, world.Vec3{60, 4, 0.001})
		s.box("static", world.Vec3{0, 20, -5}, world.Vec3{5, 0.001, 5})
		var made player.SpawnOut
		s.do(&made, "player.spawn", `{"position":[0,1,0],"walkSpeed":%v}`, speed)
		falls := s.spawn(world.Vec3{0, 100, -5})
		for range 3 {
			s.do(nil, "player.move", `{"entity":%q,"forward":1,"seconds":0.3}`, made.Entity)
			s.Steps(60)
		}
		if p := s.at(made.Entity.String()); !near(p[2], 3-0.0005-0.3675) || !near(p[1], standing) {
			t.Errorf("at %v m/s against a thin wall it is at %v", speed, p)
		}
		s.Steps(200)
		if y := s.at(falls)[1]; !near(y, 20+standing) {
			t.Errorf("falling onto a thin floor it is at y %v", y)
		}
	}
}

// TestWish moves a character that rests by a step, as an agent's walk does, through a wall and into the floor: it goes as far as it comes.
func TestWish(t *testing.T) {
	s := newSite(t)
	s.box("static", world.Vec3{0, 1, 2}, world.Vec3{10, 2, 0.2})
	id := s.spawn(world.Vec3{0, 1, 0})
	for _, c := range []struct{ to, want world.Vec3 }{
		{world.Vec3{0, standing, 5}, world.Vec3{0, standing, 1.9 - 0.3675}},
		{world.Vec3{1, 0.3, 0}, world.Vec3{1, standing, 0}},
		{world.Vec3{1, -5, 0}, world.Vec3{1, standing, 0}},
	} {
		s.mover = func(tx *world.Tx) error { s.mover = nil; return tx.SetPosition(s.id(id), c.to) }
		s.Steps(1)
		s.clear("moved by a step", id)
		s.Steps(30)
		if p := s.at(id); p.Dist(c.want) > 0.05 || s.awake() != 0 {
			t.Errorf("moved to %v by a step it is at %v, want %v; %d awake", c.to, p, c.want, s.awake())
		}
	}
}

// TestCarriedByPlatform has what a character stands on go and turn under it: it goes along as far, neither less nor more, and walks
// on it as on the ground.
func TestCarriedByPlatform(t *testing.T) {
	const narrow = 0.03
	for _, to := range []world.Vec3{{3, 0.5, 0}, {3, 2, -3}, {0, 2.5, 0}, {0, 0.5, 9}} {
		s := newSite(t)
		platform := s.kinematic(world.Vec3{0, 0.5, 0}, world.Vec3{8, 0.2, 8})
		id := s.spawn(world.Vec3{1, 0.6 + standing, 0})
		s.Steps(30)
		way := to.Sub(world.Vec3{0, 0.5, 0})
		s.slide(platform, to, 180, func() { s.clear("a platform", id) })
		s.Steps(30)
		if p, want := s.at(id), (world.Vec3{1, 0.6 + standing, 0}).Add(way); p.Dist(want) > narrow || s.awake() != 0 {
			t.Errorf("carried by %v it is at %v, want %v, and %d are awake", way, p, want, s.awake())
		}
		from := s.at(id)
		s.do(nil, "player.move", `{"entity":%q,"forward":1,"yaw":%v,"seconds":0.5}`, id, math.Pi/2)
		s.slide(platform, to.Sub(way), 180, func() {})
		s.Steps(30)
		if p, want := s.at(id), from.Sub(way).Add(world.Vec3{4.5 / 2, 0, 0}); p.Dist(want) > 0.1 {
			t.Errorf("walking on what goes by %v it is at %v, want %v", way.Scale(-1), p, want)
		}
	}

	s := newSite(t)
	platform := s.kinematic(world.Vec3{0, 0.5, 0}, world.Vec3{8, 0.2, 8})
	id := s.spawn(world.Vec3{3, 0.6 + standing, 0})
	s.Steps(30)
	turned := 0
	s.mover = func(tx *world.Tx) error {
		turned++
		return tx.SetRotation(platform, world.QuatFromEuler(0, float64(turned)*math.Pi/2/120, 0))
	}
	s.Steps(120)
	s.mover = nil
	s.Steps(30)
	if p := s.at(id); p.Dist(world.Vec3{0, 0.6 + standing, -3}) > 2*narrow {
		t.Errorf("turned by a quarter it is at %v, want 0, %v, -3", p, 0.6+standing)
	}
}
