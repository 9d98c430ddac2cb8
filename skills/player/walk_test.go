package player_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/player"
	"github.com/limina-mcp/limina/world"
)

// standing is where the centre of a character of the usual measures is above the ground that it stands on.
const standing = 0.85 + 0.0175

// near reports whether a is b but for some centimetres.
func near(a, b float64) bool { return math.Abs(a-b) < 0.03 }

// TestWalk holds a character to its speed, whoever calls how often, and to standing still after it.
func TestWalk(t *testing.T) {
	s := newSite(t)
	id := s.spawn(world.Vec3{0, 2, 0})
	if y := s.at(id)[1]; !near(y, standing) {
		t.Fatalf("it stands at y %v, want %v", y, standing)
	}
	if n := s.awake(); n != 0 {
		t.Errorf("%d bodies are awake while all stand", n)
	}
	tick := s.World.Tick()
	s.Steps(100)
	if s.World.Tick() != tick {
		t.Error("a world in which all stand commits")
	}
	var out player.MoveOut
	s.do(&out, "player.move", `{"entity":%q,"forward":1,"yaw":1.5707963267948966,"seconds":2}`, id)
	if !out.Moved || !out.Grounded || !near(out.NewPosition[0], 0) {
		t.Errorf("player.move = %+v", out)
	}
	s.Steps(180)
	if p := s.at(id); !near(p[0], 9) || !near(p[1], standing) || !near(p[2], 0) {
		t.Errorf("after 2 s along x it is at %v, want 9 m from 0", p)
	}
	if n := s.awake(); n != 0 {
		t.Errorf("%d bodies are awake after the walk", n)
	}
	for range 120 { // twice in every step
		s.do(nil, "player.move", `{"entity":%q,"strafe":1,"run":true,"yaw":3.141592653589793}`, id)
		s.do(nil, "player.move", `{"entity":%q,"strafe":1,"run":true,"yaw":3.141592653589793}`, id)
		s.Steps(1)
	}
	s.do(&out, "player.move", `{"entity":%q}`, id)
	s.Steps(30)
	if p := s.at(id); out.Moved || !near(p[0], 9+16) || !near(p[2], 0) {
		t.Errorf("after 2 s at a run to the right of -z it is at %v, want x 25; moved %v", p, out.Moved)
	}
}

// TestSlowly sends a character about with less and less of its speed, on a floor, a ramp and a box that can be pushed: it sinks into
// nothing.
func TestSlowly(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func(s *site)
	}{
		{"a floor", func(*site) {}},
		{"a ramp", func(s *site) {
			ramp := s.box("static", world.Vec3{0, 0, 0}, world.Vec3{6, 0.2, 6})
			s.do(nil, "three.setTransform", `{"entity":%q,"rotationEuler":[0.3,0,0]}`, ramp)
		}},
		{"a box", func(s *site) { s.box("dynamic", world.Vec3{0, 0.25, 0}, world.Vec3{12, 0.5, 12}) }},
	} {
		for forward := 1.0; forward > 0.0004; forward *= 0.6 {
			s := newSite(t)
			c.build(s)
			id := s.spawn(world.Vec3{0, 2, 0})
			height := s.at(id)[1]
			for i := range 200 {
				if i%20 == 0 {
					s.do(nil, "player.move", `{"entity":%q,"forward":%v,"yaw":%v,"seconds":0.5}`, id, forward, i)
				}
				s.Steps(1)
				s.clear(fmt.Sprintf("%s, %.4f, step %d", c.name, forward, i), id)
			}
			if h := s.at(id)[1]; c.name != "a ramp" && math.Abs(h-height) > 0.02 {
				t.Errorf("%s, %.4f: it stood at %v and is at %v now", c.name, forward, height, h)
			}
		}
	}
}

// TestDiagonal goes no faster ahead and aside at once, and half as fast when told so.
func TestDiagonal(t *testing.T) {
	s := newSite(t)
	id := s.spawn(world.Vec3{0, 1, 0})
	s.do(nil, "player.move", `{"entity":%q,"forward":1,"strafe":1,"seconds":1}`, id)
	s.Steps(70)
	if p := s.at(id); !near(p[2], 4.5/math.Sqrt2) || !near(p[0], -4.5/math.Sqrt2) {
		t.Errorf("ahead and to the right from z: at %v", p)
	}
	before := s.at(id)
	s.do(nil, "player.move", `{"entity":%q,"forward":-0.5,"seconds":1}`, id)
	s.Steps(70)
	if d := before[2] - s.at(id)[2]; !near(d, 2.25) {
		t.Errorf("half as fast backwards: %v metres", d)
	}
}

// TestStairs walks up ten steps of 0.2 m, and is stopped by the wall behind them.
func TestStairs(t *testing.T) {
	s := newSite(t)
	for i := range 10 {
		h := 0.2 * float64(i+1)
		s.box("static", world.Vec3{0, h / 2, 2 + 0.4*float64(i)}, world.Vec3{3, h, 0.4})
	}
	s.box("static", world.Vec3{0, 1, 7.8}, world.Vec3{3, 2, 4})
	s.box("static", world.Vec3{0, 4, 9}, world.Vec3{3, 4, 1}) // its face is at z 8.5
	id := s.spawn(world.Vec3{0, 1, 0})
	s.do(nil, "player.move", `{"entity":%q,"forward":1,"seconds":6}`, id)
	s.Steps(400)
	p := s.at(id)
	if !near(p[1], 2+standing) {
		t.Errorf("it has climbed to y %v, want %v", p[1], 2+standing)
	}
	if !near(p[2], 8.5-0.35-0.0175) {
		t.Errorf("the wall at z 8.5 stopped it at z %v", p[2])
	}
	if n := s.awake(); n != 0 {
		t.Errorf("%d bodies are awake at the wall", n)
	}
}

// TestSteps is stopped by a step that is higher than its radius.
func TestSteps(t *testing.T) {
	s := newSite(t)
	s.box("static", world.Vec3{0, 0.25, 3}, world.Vec3{3, 0.5, 2})
	id := s.spawn(world.Vec3{0, 1, 0})
	s.do(nil, "player.move", `{"entity":%q,"forward":1,"seconds":2}`, id)
	s.Steps(150)
	if p := s.at(id); !near(p[1], standing) || p[2] > 2 {
		t.Errorf("a step of 0.5 m: it is at %v", p)
	}
}

// TestEdge falls off an edge and lands, no faster than it may.
func TestEdge(t *testing.T) {
	s := newSite(t)
	s.box("static", world.Vec3{0, 19.5, 0}, world.Vec3{4, 1, 4})
	id := s.spawn(world.Vec3{0, 21, 0})
	s.do(nil, "player.move", `{"entity":%q,"forward":1,"seconds":0.8}`, id)
	s.Steps(60)
	high := s.at(id)
	if high[1] > 19.9 || high[1] < 10 || high[2] < 2 {
		t.Fatalf("a second after it went it is at %v", high)
	}
	s.Steps(200)
	if p := s.at(id); !near(p[1], standing) || p[2]-high[2] > 0.01 {
		t.Errorf("from %v it fell to %v", high, p)
	}
}

// TestJump jumps as high as speed and gravity say, and onto a box.
func TestJump(t *testing.T) {
	s := newSite(t)
	s.box("static", world.Vec3{0, 0.5, 3}, world.Vec3{3, 1, 3})
	id := s.spawn(world.Vec3{0, 1, 0})
	var out player.JumpOut
	s.do(&out, "player.jump", `{"entity":%q}`, id)
	if !out.Jumped || !out.Grounded {
		t.Errorf("player.jump = %+v", out)
	}
	top := 0.0
	for range 60 {
		s.Steps(1)
		top = max(top, s.at(id)[1])
		if s.at(id)[1] > 1.5 {
			if s.do(&out, "player.jump", `{"entity":%q}`, id); out.Jumped || out.Grounded {
				t.Fatalf("in mid air: %+v", out)
			}
		}
	}
	if rise := top - standing; rise < 1.3 || rise > 8*8/(2*22.0) {
		t.Errorf("it rose by %v m, want about 8²/(2·22)", rise)
	}
	if y := s.at(id)[1]; !near(y, standing) {
		t.Errorf("it came down to y %v", y)
	}
	s.do(nil, "player.move", `{"entity":%q,"forward":1,"jump":true,"seconds":0.7}`, id)
	s.Steps(90)
	if p := s.at(id); !near(p[1], 1+standing) || p[2] < 1.5 {
		t.Errorf("it jumped onto the box to %v", p)
	}
}

// TestCrouch goes under a slab, where it cannot stand up, and stands up beyond it.
func TestCrouch(t *testing.T) {
	s := newSite(t)
	s.box("static", world.Vec3{0, 2, 4}, world.Vec3{4, 1.2, 4}) // its underside is at y 1.4, from z 2 to 6
	id := s.spawn(world.Vec3{0, 1, 0})
	s.do(nil, "player.move", `{"entity":%q,"forward":1,"seconds":2}`, id)
	s.Steps(130)
	if p := s.at(id); p[2] > 2 {
		t.Fatalf("upright it went to %v", p)
	}
	var out player.CrouchOut
	s.do(&out, "player.crouch", `{"entity":%q}`, id)
	s.Steps(30)
	const low = 0.25 + standing - 0.5
	if p := s.at(id); !out.Crouching || out.Height != 1.2 || !near(p[1], low) {
		t.Errorf("crouching: %+v at %v, want y %v", out, p, low)
	}
	from := s.at(id)
	s.do(nil, "player.move", `{"entity":%q,"forward":1,"run":true,"seconds":1}`, id)
	s.Steps(60)
	if d := s.at(id)[2] - from[2]; !near(d, 2.25) {
		t.Errorf("crouching it went %v m in a second, want 2.25", d)
	}
	s.do(&out, "player.crouch", `{"entity":%q,"crouching":false}`, id)
	s.Steps(30)
	if p := s.at(id); out.Crouching || out.Height != 1.7 || !near(p[1], low) {
		t.Errorf("under the slab: %+v at %v", out, p)
	}
	if n := s.awake(); n != 0 {
		t.Errorf("%d bodies are awake under the slab", n)
	}
	s.do(nil, "player.move", `{"entity":%q,"forward":1,"seconds":2}`, id)
	s.Steps(130)
	if p := s.at(id); !near(p[1], standing) || p[2] < 6 {
		t.Errorf("beyond the slab it is at %v", p)
	}
}

// TestPush walks against a box that can be pushed.
func TestPush(t *testing.T) {
	s := newSite(t)
	id := s.spawn(world.Vec3{0, 1, 0})
	box := s.box("dynamic", world.Vec3{0, 0.5, 2}, world.Vec3{1, 1, 1})
	s.do(nil, "player.move", `{"entity":%q,"forward":1,"seconds":1}`, id)
	s.Steps(200)
	if p := s.at(box); p[2] < 3 || !near(p[1], 0.5) {
		t.Errorf("the box was pushed to %v", p)
	}
	if n := s.awake(); n != 0 {
		t.Errorf("%d bodies are awake in the end", n)
	}
}

// TestGround takes the ground from under a character that rests, and carries it on a lift.
func TestGround(t *testing.T) {
	s := newSite(t)
	slab := s.box("static", world.Vec3{0, 2.5, 0}, world.Vec3{4, 1, 4})
	id := s.spawn(world.Vec3{0, 4, 0})
	other := s.spawn(world.Vec3{10, 1, 0})
	if y := s.at(id)[1]; !near(y, 3+standing) {
		t.Fatalf("it stands at y %v", y)
	}
	for _, ground := range []struct {
		change string
		top    float64
	}{{`"position":[0,2,0]`, 2.5}, {`"scale":[4,0.5,4]`, 2.25}, {`"position":[30,2,0]`, 0}, {`"position":[0,2.5,0]`, 0}} {
		s.do(nil, "three.setTransform", `{"entity":%q,%s}`, slab, ground.change)
		s.Steps(90)
		if y := s.at(id)[1]; !near(y, ground.top+standing) {
			t.Errorf("after %s of its ground it is at y %v, want it to stand on %v", ground.change, y, ground.top)
		}
	}
	s.do(nil, "three.setTransform", `{"entity":%q,"position":[0,4,0]}`, id)
	s.Steps(60)
	if y := s.at(id)[1]; !near(y, 2.75+standing) {
		t.Errorf("put above the slab it is at y %v", y)
	}
	s.do(nil, "scene.destroyEntity", `{"entity":%q}`, slab)
	s.Steps(90)
	if y := s.at(id)[1]; !near(y, standing) {
		t.Errorf("without its ground it is at y %v", y)
	}
	s.do(nil, "three.setTransform", `{"entity":%q,"position":[5,6,5]}`, id)
	s.Steps(120)
	if p := s.at(id); !near(p[0], 5) || !near(p[1], standing) || !near(p[2], 5) {
		t.Errorf("put in the air above 5, 5 it is at %v", p)
	}
	s.do(nil, "scene.destroyEntity", `{"entity":%q}`, id)
	s.Steps(10)
	if n := s.physics.Stats().Bodies; n != 2 || !near(s.at(other)[1], standing) {
		t.Errorf("%d bodies are left, want the floor and the other character", n)
	}
}

// TestRaise raises what a character stands on, by calls: it is lifted as far as there is room, and only by what is under it.
func TestRaise(t *testing.T) {
	for _, c := range []struct {
		name, change string
		y            float64 // of what it stands on then
	}{
		{"by a little", `"position":[0,0.35,0]`, 0.6},
		{"by a step", `"position":[0,0.6,0]`, 0.85},
		{"by more than it is tall", `"position":[0,2.75,0]`, 3},
		{"to the side, too", `"position":[1,1.25,0]`, 1.5},
		{"by being thicker", `"scale":[4,2.5,4]`, 1.5},
		{"and away from under it", `"position":[20,1.25,0]`, 0},
		{"not at all", `"position":[1,0.25,0]`, 0.5},
	} {
		s := newSite(t)
		slab := s.box("static", world.Vec3{0, 0.25, 0}, world.Vec3{4, 0.5, 4})
		id := s.spawn(world.Vec3{0, 1.5, 0})
		beside := s.spawn(world.Vec3{6, 1, 0})
		s.do(nil, "three.setTransform", `{"entity":%q,%s}`, slab, c.change)
		s.Steps(1)
		if y := s.at(id)[1]; c.y > 0 && y < c.y+standing-0.02 {
			t.Errorf("raised %s: after a step it is at y %v, in what it stands on", c.name, y)
		}
		s.Steps(90)
		if p := s.at(id); !near(p[0], 0) || !near(p[1], c.y+standing) || !near(p[2], 0) {
			t.Errorf("raised %s: it is at %v, want it to stand on %v", c.name, p, c.y)
		}
		if p := s.at(beside); !near(p[1], standing) || s.awake() != 0 {
			t.Errorf("raised %s: who stands beside it is at %v, and %d are awake", c.name, p, s.awake())
		}
	}
	s := newSite(t)
	slab := s.box("static", world.Vec3{0, 0.25, 0}, world.Vec3{4, 0.5, 4})
	s.box("static", world.Vec3{0, 3.5, 0}, world.Vec3{4, 1, 4})
	id := s.spawn(world.Vec3{0, 1.5, 0})
	s.do(nil, "three.setTransform", `{"entity":%q,"position":[0,1.25,0]}`, slab)
	s.Steps(1)
	if y := s.at(id)[1]; y < 2 || y > 3-0.85 {
		t.Errorf("raised to under a ceiling at y 3 it is at y %v", y)
	}
}

// TestShove puts things into a character that rests, by calls: it is pushed out by the shortest free way, or else up, in one step, and walks
// and rests as ever after that.
func TestShove(t *testing.T) {
	const beside = 0.35 + 0.0175 // how far from a wall its centre is
	for _, c := range []struct {
		name     string
		at, size world.Vec3
		change   string
		want     world.Vec3
	}{
		{"a wall is moved", world.Vec3{2, 1, 0}, world.Vec3{1, 2, 4}, `"position":[0.55,1,0]`, world.Vec3{0.05 - beside, standing, 0}},
		{"a wall is moved over its middle", world.Vec3{2, 1, 0}, world.Vec3{1, 2, 4}, `"position":[0.1,1,0]`, world.Vec3{-0.4 - beside, standing, 0}},
		{"a wall is turned and moved", world.Vec3{2, 1, 0}, world.Vec3{1, 2, 4}, `"position":[0,1,0.55],"rotationEuler":[0,1.5707963267948966,0]`, world.Vec3{0, standing, 0.05 - beside}},
		{"a wall is made thicker", world.Vec3{2, 1, 0}, world.Vec3{1, 2, 4}, `"scale":[4,2,4]`, world.Vec3{-beside, standing, 0}},
		{"a low plate is moved under it", world.Vec3{5, 0.1, 0}, world.Vec3{4, 0.2, 4}, `"position":[0,0.1,0]`, world.Vec3{0, 0.2 + standing, 0}},
		{"a high plate is moved under it", world.Vec3{5, 0.3, 0}, world.Vec3{4, 0.6, 4}, `"position":[0,0.3,0]`, world.Vec3{0, 0.6 + standing, 0}},
		{"a plate comes out of the floor", world.Vec3{0, -0.6, 0}, world.Vec3{4, 0.2, 4}, `"position":[0,0.2,0]`, world.Vec3{0, 0.3 + standing, 0}},
		{"a box is put over it", world.Vec3{20, 2, 0}, world.Vec3{4, 4, 3.8}, `"position":[0,2,0.5]`, world.Vec3{0, standing, -1.4 - beside}},
		{"a ceiling is let down", world.Vec3{0, 4, 0}, world.Vec3{3.9, 1, 4}, `"position":[0.5,2,0]`, world.Vec3{-1.45 - 0.35, standing, 0}},
		{"a hall is put over it", world.Vec3{40, 5, 0}, world.Vec3{20, 10, 20}, `"position":[0,5,0]`, world.Vec3{0, 10 + standing, 0}},
	} {
		s := newSite(t)
		box := s.box("static", c.at, c.size)
		id := s.spawn(world.Vec3{0, 1.5, 0})
		other := s.spawn(world.Vec3{0, 1.5, 15})
		s.do(nil, "three.setTransform", `{"entity":%q,%s}`, box, c.change)
		s.Steps(1)
		if p := s.at(id); p.Sub(c.want).Len() > 0.1 {
			t.Errorf("%s: after a step it is at %v, want %v", c.name, p, c.want)
		}
		s.Steps(60)
		if p := s.at(id); p.Sub(c.want).Len() > 0.1 {
			t.Errorf("%s: it is at %v, want %v", c.name, p, c.want)
		}
		if p := s.at(other); !near(p[0], 0) || !near(p[2], 15) || s.awake() != 0 {
			t.Errorf("%s: who stands elsewhere is at %v, and %d are awake", c.name, p, s.awake())
		}
	}
	// Its back to a wall that is thin, it does not go through it, but aside.
	s := newSite(t)
	s.box("static", world.Vec3{-0.45, 1, 0}, world.Vec3{0.02, 2, 10})
	wall := s.box("static", world.Vec3{2, 1, 0}, world.Vec3{1, 2, 2})
	id := s.spawn(world.Vec3{0, 1, 0})
	s.do(nil, "three.setTransform", `{"entity":%q,"position":[0.3,1,0.4]}`, wall)
	s.Steps(60)
	if p := s.at(id); p[0] < -0.1 || !near(p[1], standing) || !near(p[2], -0.6-beside) {
		t.Errorf("between two walls it is at %v", p)
	}
	s.box("static", world.Vec3{0.3, 0.5, -1}, world.Vec3{1, 1, 1}) // made as a cube of a metre where it is
	s.Steps(60)
	if p := s.at(id); p[0] < -0.1 || !near(p[1], standing) || !near(p[2], -1.5-beside) {
		t.Errorf("where a box was made it is at %v", p)
	}
}

// TestApproach has an agent walk whose body is a character: it is stopped by a wall like any other, and
// does not leave the ground.
func TestApproach(t *testing.T) {
	s := newSite(t)
	id := s.spawn(world.Vec3{0, 1, 0})
	s.box("static", world.Vec3{0, 1, 4}, world.Vec3{20, 2, 1})
	s.box("static", world.Vec3{0, 0.1, 2}, world.Vec3{20, 0.2, 0.5})
	s.do(nil, "agent.embody", `{"entity":%q}`, id)
	s.as(skilltest.Caller(t, "ann", "social.actor"), nil, "social.approach", `{"target":[0,1,10]}`)
	top := 0.0
	for range 100 {
		s.Steps(1)
		top = max(top, s.at(id)[1])
	}
	if p := s.at(id); !near(p[2], 3.5-0.35-0.0175) || !near(p[1], standing) || !near(top, 0.2+standing) {
		t.Errorf("on its way it is at %v, and was at y %v", p, top)
	}
}

// TestUndoWhileWalking takes back what was built last, not where a character was sent since, which goes on.
func TestUndoWhileWalking(t *testing.T) {
	s := newSite(t)
	id := s.spawn(world.Vec3{0, 1, 0})
	box := s.box("static", world.Vec3{5, 0.5, 0}, world.Vec3{1, 1, 1})
	s.do(nil, "player.move", `{"entity":%q,"forward":1,"seconds":2}`, id)
	s.Steps(30)
	s.do(nil, "world.undo", `{}`)
	s.World.View(func(v *world.View) {
		if v.Exists(s.id(box)) {
			t.Errorf("%s is still there", box)
		}
	})
	before := s.at(id)
	s.Steps(60)
	if p := s.at(id); before[2] < 1 || p[2] < before[2]+3 {
		t.Errorf("it was at %v, and a second later at %v", before, p)
	}
}

// TestWedge walks up a wedge, whose slope rises towards -z, and is stopped by its back.
func TestWedge(t *testing.T) {
	s := newSite(t)
	s.do(nil, "scene.createEntity", `{"shape":"wedge","static":true,"position":[0,1,-6],"scale":[4,2,4]}`)
	id := s.spawn(world.Vec3{0, 1, 0})
	s.do(nil, "player.move", `{"entity":%q,"forward":-1,"seconds":5}`, id)
	top := 0.0
	for range 400 {
		s.Steps(1)
		p := s.at(id)
		top = max(top, p[1])
		if slope := -4 - p[2]; slope > 0.5 && slope < 3.5 && math.Abs(p[1]-(slope/2+standing)) > 0.1 {
			t.Fatalf("on its way up it is at %v", p)
		}
	}
	if !near(top, 2+standing) || s.at(id)[2] > -8 {
		t.Errorf("up the wedge it has come to y %v, and over the edge to %v", top, s.at(id))
	}
	s.do(nil, "player.move", `{"entity":%q,"forward":1,"seconds":5}`, id)
	s.Steps(330)
	if p := s.at(id); p[2] > -8 || !near(p[1], standing) {
		t.Errorf("against its back it has come to %v", p)
	}
}

// TestSlopes walks up and down a ramp of 30 degrees, and slides down one of 60.
func TestSlopes(t *testing.T) {
	s := newSite(t)
	ramp := s.box("static", world.Vec3{0, 0, 6}, world.Vec3{4, 1, 8})
	s.do(nil, "three.setTransform", `{"entity":%q,"rotationEuler":[%v,0,0]}`, ramp, -math.Pi/6)
	id := s.spawn(world.Vec3{0, 1, 0})
	s.do(nil, "player.move", `{"entity":%q,"forward":1,"seconds":2}`, id)
	s.Steps(130)
	up := s.at(id)
	if up[1] < 2 || s.awake() != 0 {
		t.Errorf("up a ramp of 30 degrees it has come to %v; %d awake", up, s.awake())
	}
	s.do(nil, "player.move", `{"entity":%q,"forward":-1,"seconds":2}`, id)
	for range 100 {
		s.Steps(1)
		if c := s.at(id); c[2] > 5.6 && c[2] < up[2]-0.3 && math.Abs(c[1]-(up[1]-(up[2]-c[2])*math.Tan(math.Pi/6))) > 0.05 {
			t.Fatalf("on its way down it is at %v, which is not on the ramp; it was at %v", c, up)
		}
	}
	s.Steps(60)
	if p := s.at(id); !near(p[1], standing) {
		t.Errorf("down again it is at %v", p)
	}
	steep := s.box("static", world.Vec3{20, 0, 6}, world.Vec3{4, 1, 12})
	s.do(nil, "three.setTransform", `{"entity":%q,"rotationEuler":[%v,0,0]}`, steep, -math.Pi/3)
	other := s.spawn(world.Vec3{20, 1, 0})
	s.do(nil, "player.move", `{"entity":%q,"forward":1,"seconds":3}`, other)
	s.Steps(200)
	if p := s.at(other); p[1] > 1.5 {
		t.Errorf("up a ramp of 60 degrees it has come to %v", p)
	}
	s.do(nil, "three.setTransform", `{"entity":%q,"position":[20,6,7]}`, other)
	s.Steps(300)
	if p := s.at(other); !near(p[1], standing) {
		t.Errorf("put on the steep ramp it stays at %v", p)
	}
}

// TestPacing holds what is said of how fast a character walks, and whether it is in the air, to what it does: pictures show both.
func TestPacing(t *testing.T) {
	s := newSite(t)
	id := s.spawn(world.Vec3{0, 0.9, 0})
	is := func(when string, pace float64, aloft bool) {
		t.Helper()
		number, err := world.ParseID(id)
		if err != nil {
			t.Fatal(err)
		}
		s.World.View(func(v *world.View) {
			if got, up := s.physics.Pacing(v, number), s.physics.Aloft(v, number); got != pace || up != aloft {
				t.Errorf("%s: it walks at %v m/s, in the air %v; want %v, %v", when, got, up, pace, aloft)
			}
			if s.physics.Pacing(v, 1) != 0 || s.physics.Aloft(v, 1) {
				t.Errorf("%s: the floor walks or flies", when)
			}
		})
	}
	is("it stands", 0, false)
	s.do(nil, "player.move", `{"entity":%q,"forward":1,"seconds":1}`, id)
	is("it was sent", 4.5, false)
	s.Steps(30)
	is("on its way", 4.5, false)
	s.do(nil, "player.move", `{"entity":%q,"forward":0.5,"run":true,"seconds":1}`, id)
	is("half of a run", 4, false)
	s.do(nil, "player.jump", `{"entity":%q}`, id)
	s.Steps(10)
	is("in a jump", 4, true)
	s.Steps(90)
	is("it has arrived", 0, false)
}
