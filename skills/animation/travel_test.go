package animation_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

// loop is a way round that is no circle, and shuttle one of 20 m along x.
const (
	loop    = `{"id":"loop","closed":true,"points":[[0,1,0],[30,1,4],[36,1,30],[10,1,40],[-8,1,22]]}`
	shuttle = `{"id":"shuttle","points":[[0,1,0],[20,1,0]]}`
)

func paths(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
	t.Helper()
	s.Must(t, p, "animation.authorPath", loop)
	s.Must(t, p, "animation.authorPath", shuttle)
	s.Must(t, p, "scene.createEntity", `{"position":[0,1,0],"scale":[1,1,4]}`)
	s.Must(t, p, "scene.createEntity", `{"position":[0,1,9],"scale":[1,1,6],"static":true}`)
	s.Must(t, p, "scene.group", `{"entities":["ent_1"],"origin":[0,1,9]}`)
}

func TestAuthorPath(t *testing.T) {
	bad := func(name, input, err string) skilltest.Case {
		return skilltest.Case{Name: name, Input: input, Code: registry.CodeInvalidInput, Err: err}
	}
	skilltest.Run(t, all, "animation.authorPath", []skilltest.Case{
		{Name: "straight", Input: shuttle, Want: `{"ok":true,"length":20}`},
		{Name: "of straight pieces", Input: `{"id":"p","smooth":false,"closed":true,"points":[[0,0,0],[3,0,0],[3,0,4]]}`, Want: `{"ok":true,"length":12}`},
		{
			Name:  "stops in any order",
			Input: `{"id":"p","points":[[0,1,0],[20,1,0]],"stops":[{"position":[15,1,2]},{"name":"Mill","position":[5,0,0],"seconds":9}]}`,
			Want:  `{"ok":true,"length":20,"stops":[{"name":"Mill","at":5,"position":[5,1,0],"off":1},{"name":"1","at":15,"position":[15,1,0],"off":2}]}`,
		},
		{
			Name:  "a stop elsewhere",
			Input: `{"id":"p","points":[[0,1,0],[20,1,0]],"stops":[{"position":[15,1,20]}]}`,
			Want:  `{"ok":true,"length":20,"stops":[{"name":"1","at":15,"position":[15,1,0],"off":20}],"note":"stops[0].position is 20 m from the path, whose nearest place was taken: is it meant?"}`,
		},
		bad("no way", `{"id":"p","points":[[1,1,1],[1,1,1]]}`, `points: must not all be at the same place`),
		bad("one point", `{"id":"p","points":[[1,1,1]]}`, `points: must have from 2 to 200 items, got 1`),
		bad("two stops in one place", `{"id":"p","points":[[0,1,0],[20,1,0]],"stops":[{"position":[15,1,0]},{"name":"B","position":[15,1,1]}]}`, `stops: 1 and B are at the same place of the path, 15 m along it`),
	})
}

func TestFollowRefuses(t *testing.T) {
	bad := func(name, input, err string) skilltest.Case {
		return skilltest.Case{Name: name, Setup: paths, Input: input, Code: registry.CodeInvalidInput, Err: err}
	}
	skilltest.Run(t, all, "animation.follow", []skilltest.Case{
		{Name: "good", Setup: paths, Input: `{"entity":"ent_0","pathId":"shuttle"}`, Want: `{"ok":true,"length":20,"seconds":21.88854,"places":[[0,1,0]],"note":"it never gets to 5 m/s: its longest way without a stop is 20 m, on which an acceleration of 1 m/s² takes it to 4.47 m/s; with a larger acceleration, or 0, it does; ent_0 reaches 0.5 m below the path: with height 0.5 it stands on it"}`},
		{Name: "at its end", Setup: paths, Input: `{"entity":"ent_0","pathId":"shuttle","ends":"stop","from":20,"acceleration":0}`, Want: `{"ok":true,"length":20,"seconds":4,"places":[[20,1,0]],"note":"it is at the end of the path already, where it stays: with reverse it goes back, and from says where else it begins; ent_0 reaches 0.5 m below the path: with height 0.5 it stands on it"}`},
		{Name: "no path", Setup: paths, Input: `{"entity":"ent_0","pathId":"loops"}`, Err: `pathId: unknown path "loops", did you mean "loop"?`},
		{Name: "no paths", Input: `{"entity":"ent_0","pathId":"loops"}`, Err: `pathId: unknown path "loops"; there is none: animation.authorPath makes one`},
		{Name: "no such entity", Setup: paths, Input: `{"entities":["ent_0","ent_7"],"pathId":"loop"}`, Err: `entities[1]: unknown entity ent_7; the nearest are ent_0, ent_1, ent_2`},
		{
			Name: "a clip", Input: `{"entity":"ent_0","pathId":"rise"}`, Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				clips(t, s, p)
			},
			Err: `pathId: "rise" is a clip, no path: animation.play with clipId has something play it`,
		},
		bad("nothing", `{"pathId":"loop"}`, `entities: is required: what follows the path, the first of a train in front`),
		bad("both", `{"pathId":"loop","entity":"ent_0","entities":["ent_1"]}`, `entity: say either entity or entities, not both`),
		bad("one in the other", `{"pathId":"loop","entities":["ent_2","ent_1"]}`, `entities[1]: ent_1 is in ent_2, with which it goes anyhow: name one of them`),
		bad("one twice", `{"pathId":"loop","entities":["ent_0","ent_0"]}`, `entities[0]: ent_0 is in ent_0, with which it goes anyhow: name one of them`),
		bad("ends of what has none", `{"pathId":"loop","entity":"ent_0","ends":"stop"}`, "ends: the path \"loop\" is closed, and has no ends: leave it out"),
		bad("from beyond", `{"pathId":"shuttle","entity":"ent_0","from":21}`, `from: must be at most the length of the path, 20 m, got 21`),
		bad("too long a train", `{"pathId":"shuttle","entities":["ent_0","ent_2"],"spacing":30}`, `entities: the train is 30 m long, and the path 20: name fewer, or let points be farther apart`),
		{
			Name: "a body that falls", Input: `{"entity":"ent_3","pathId":"loop"}`,
			Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				paths(t, s, p)
				s.Must(t, p, "scene.createEntity", `{"dynamic":true}`)
			},
			Err: `entity: ent_3 has a dynamic body, which the physics moves: make it anew with static, which plays along, or without a body`,
		},
		{
			Name: "my own body", Input: `{"entities":["ent_0"],"pathId":"loop"}`,
			Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				paths(t, s, p)
				s.Must(t, p, "agent.embody", `{"entity":"ent_0"}`)
			},
			Err: `entities[0]: ent_0 goes where it is sent, by its feet or its agent: navmesh.moveTo and player.move have it go; what follows a path is a thing, on which it may stand or which it may be put under`,
		},
	})
}

// TestFollowRound has a train of two go round: each is as far from where it was as the speed says, all the time, its front ahead, and after a round it is where it was.
func TestFollowRound(t *testing.T) {
	s := newStage(t)
	paths(t, s.Server, s.Ann)
	out := s.Do("animation.follow", `{"entities":["ent_0","ent_2"],"pathId":"loop","speed":6}`)
	var length, seconds float64
	if _, err := fmt.Sscanf(out, `{"ok":true,"length":%g,"seconds":%g`, &length, &seconds); err != nil || math.Abs(seconds*6-length) > 1e-3 {
		t.Fatalf("%s: %v, want seconds that are the length by the speed", out, err)
	}
	front, back := s.see("ent_0"), s.see("ent_2")
	// They are 5.3 m apart along the way, the half of both and the gap between: as the crow flies in a bend a little less.
	if d := front.Pos.Dist(back.Pos); d > 5.3 || d < 5.1 {
		t.Errorf("the two are %v m apart, want a little less than 5.3", d)
	}
	if body := s.see("ent_1").RigidBody.Type; body != "kinematic" {
		t.Errorf("the body in the train is %q, want kinematic", body)
	}
	for i := range int(seconds*60) + 1 {
		was := s.see("ent_0")
		s.Steps(1)
		is := s.see("ent_0")
		step := is.Pos.Sub(was.Pos)
		if d := step.Len(); math.Abs(d-0.1) > 1e-3 {
			t.Fatalf("in step %d it went %v m, want 0.1", i, d)
		}
		if ahead := is.Rot.Rotate(world.Vec3{0, 0, 1}); ahead.Dot(step)/step.Len() < 0.99 {
			t.Fatalf("in step %d it looks along %v, and goes along %v", i, ahead, step)
		}
	}
	if d := s.see("ent_0").Pos.Dist(front.Pos); d > 0.11 {
		t.Errorf("after a round it is %v m from where it began", d)
	}
	// Of the first of a train animation.stop stops all, of another one that alone.
	s.Do("animation.stop", `{"entity":"ent_2"}`)
	front, back = s.see("ent_0"), s.see("ent_2")
	s.Steps(10)
	if s.see("ent_2").Pos != back.Pos || s.see("ent_0").Pos == front.Pos {
		t.Error("stopped, the second of a train goes on, or its first does not")
	}
	s.Do("animation.follow", `{"entities":["ent_0","ent_2"],"pathId":"loop","speed":6}`)
	s.Do("animation.stop", `{"entity":"ent_0"}`)
	front, back = s.see("ent_0"), s.see("ent_2")
	s.Steps(10)
	if s.see("ent_2").Pos != back.Pos || s.see("ent_0").Pos != front.Pos || s.see("ent_1").RigidBody.Type != "static" {
		t.Error("the train goes on after its first was stopped, or its body is not static again")
	}
}

// TestFollowTimetable has a tram go to and fro by a stop: when it is where.
func TestFollowTimetable(t *testing.T) {
	s := newStage(t)
	paths(t, s.Server, s.Ann)
	s.Do("animation.authorPath", `{"id":"shuttle","points":[[0,1,0],[20,1,0]],"stops":[{"name":"Mill","position":[8,1,0],"seconds":3}]}`)
	at := func(what string, x float64) {
		t.Helper()
		if got := s.see("ent_0").Pos; got.Dist(world.Vec3{x, 1, 0}) > 1e-6 {
			t.Errorf("%s it is at %v, want x %v", what, got, x)
		}
	}
	out := s.Do("animation.follow", `{"entity":"ent_0","pathId":"shuttle","speed":2,"acceleration":1,"wait":1}`)
	// From stop to stop: 2 s to be at 2 m/s, on 2 m, as long to stop, and the rest at 2 m/s.
	if want := `"seconds":36`; !strings.Contains(out, want) { // 1 + 6 + 3 + 8 there, and as many back
		t.Errorf("%s, want %s", out, want)
	}
	at("at once", 0)
	s.Steps(60 + 60)
	at("a second after it left", 0.5)
	s.Steps(60)
	at("two seconds after it left", 2)
	s.Steps(120)
	at("four seconds after it left", 6)
	s.Steps(60)
	at("a second before it stops", 7.5)
	s.Steps(60 + 3*60)
	at("after its stop", 8)
	s.Steps(60)
	at("a second after that", 8.5)
	s.Steps(7*60 + 60)
	at("at the end", 20)
	s.turned("ent_0", 0, math.Pi/2, 0)
	s.Steps(60)
	at("on its way back", 19.5)
	s.turned("ent_0", 0, math.Pi/2, 0) // backwards, as a tram

	s.Do("animation.follow", `{"entity":"ent_0","pathId":"shuttle","speed":2,"acceleration":0,"wait":1,"turnAround":true,"stops":false,"from":18,"front":"x"}`)
	at("put elsewhere", 18)
	s.turned("ent_0", 0, 0, 0)
	s.Steps(60 + 30)
	at("at the end", 20)
	s.turned("ent_0", 0, math.Pi/2, 0) // half way about
	s.Steps(30 + 60)
	at("on its way back", 18)
	s.turned("ent_0", 0, math.Pi, 0)

	s.Do("animation.follow", `{"entity":"ent_0","pathId":"shuttle","speed":2,"acceleration":0,"reverse":true,"ends":"stop","from":1,"side":2,"height":0.5,"stops":false}`)
	if got := s.see("ent_0").Pos; got.Dist(world.Vec3{1, 1.5, 2}) > 1e-6 {
		t.Errorf("it is at %v, want beside the path", got)
	}
	s.turned("ent_0", 0, -math.Pi/2, 0)
	s.Steps(60)
	if got := s.see("ent_0").Pos; got.Dist(world.Vec3{0, 1.5, 2}) > 1e-6 {
		t.Errorf("it is at %v, want at the end beside the path", got)
	}
	s.Do("animation.follow", `{"entity":"ent_0","pathId":"shuttle","speed":2,"acceleration":0,"ends":"again","from":19,"wait":1}`)
	s.Steps(30 + 59)
	at("waiting at the end", 20)
	s.Steps(2 + 60 + 59)
	at("begun anew", 2)
}

// TestFollowSlopes has a path lead up: what follows it goes up with its front, unless it stays level.
func TestFollowSlopes(t *testing.T) {
	s := newStage(t)
	paths(t, s.Server, s.Ann)
	s.Do("animation.authorPath", `{"id":"up","points":[[0,0,0],[0,30,40]]}`)
	slope := math.Atan2(30, 40)
	s.Do("animation.follow", `{"entity":"ent_0","pathId":"up","from":25,"height":2}`)
	s.turned("ent_0", -slope, 0, 0)
	s.at("ent_0", 0, 15+2*math.Cos(slope), 20-2*math.Sin(slope))
	s.Do("animation.follow", `{"entity":"ent_0","pathId":"up","from":25,"height":2,"level":true}`)
	s.turned("ent_0", 0, 0, 0)
	s.at("ent_0", 0, 17, 20)
}

// TestFollowMoved has a way be moved with what follows it, and by whoever moves that; and a boat bob on its course.
func TestFollowMoved(t *testing.T) {
	s := newStage(t)
	paths(t, s.Server, s.Ann)
	s.Do("animation.follow", `{"entity":"ent_0","pathId":"shuttle","speed":2,"acceleration":0}`)
	s.Do("scene.createEntity", `{"position":[5,0,5]}`)
	s.Steps(2 * 60)
	s.Steps(60)
	s.at("ent_0", 2, 1, 0)
	s.Do("scene.group", `{"entities":["ent_0"],"origin":[2,1,0]}`)
	s.Steps(60)
	s.at("ent_0", 4, 1, 0)
	s.Do("three.setTransform", `{"entity":"ent_4","rotationEuler":[0,1.5707963267948966,0],"position":[2,1,50]}`)
	s.Steps(60)
	s.at("ent_0", 2, 1, 46) // 4 m along the x of its group
	s.turned("ent_0", 0, math.Pi, 0)
	s.Do("three.setTransform", `{"entity":"ent_0","position":[4,3,1]}`)
	s.Steps(60)
	s.at("ent_0", 3, 4, 44)

	s.Do("animation.authorClip", `{"id":"bob","duration":4,"tracks":[{"property":"position.y","keys":[{"t":0,"value":0},{"t":1,"value":0.5},{"t":4,"value":0}]}]}`)
	s.Do("animation.play", `{"entity":"ent_0","clipId":"bob"}`)
	s.Steps(60)
	s.at("ent_0", 3, 4.5, 42)
	s.Do("animation.stop", `{"entity":"ent_0","layer":0}`)
	s.Steps(60)
	s.at("ent_0", 3, 4, 40)
}

// TestFollowUndo takes back what has to do with paths, one after the other.
func TestFollowUndo(t *testing.T) {
	s := newStage(t)
	paths(t, s.Server, s.Ann)
	s.Do("animation.follow", `{"entity":"ent_0","pathId":"shuttle","speed":2,"acceleration":0,"wait":0}`)
	s.Steps(60)
	s.at("ent_0", 2, 1, 0)
	s.Do("animation.stop", `{"entity":"ent_0"}`)
	s.Steps(60)
	s.at("ent_0", 2, 1, 0)
	s.Do("world.undo", `{}`)
	s.Steps(60)
	s.at("ent_0", 6, 1, 0) // as if nobody had stopped it
	s.Do("animation.authorPath", `{"id":"shuttle","points":[[0,1,0],[0,1,20]]}`)
	s.Steps(1)
	s.at("ent_0", 0, 1, 6+2/60.0)
	s.Do("world.undo", `{}`)
	s.Steps(1)
	s.at("ent_0", 6+4/60.0, 1, 0)
	s.Do("world.undo", `{}`) // of animation.follow
	s.Steps(60)
	s.at("ent_0", 0, 1, 0)
	if got := s.Entity(t, "ent_0"); strings.Contains(got, "travel") {
		t.Errorf("it follows a path still: %s", got)
	}
}

// TestFollowCopies has a copy of a train follow the way of its own, beside that of the original.
func TestFollowCopies(t *testing.T) {
	s := newStage(t)
	paths(t, s.Server, s.Ann)
	s.Do("scene.group", `{"entities":["ent_0","ent_2"],"origin":[0,0,0],"name":"train"}`)
	s.Do("animation.follow", `{"entities":["ent_0","ent_2"],"pathId":"loop","speed":6}`)
	s.Do("scene.clone", `{"entity":"ent_3","offset":[100,0,0]}`) // ent_4, with ent_5, ent_6 (and in that ent_7)
	s.Steps(120)
	for _, two := range [][2]string{{"ent_0", "ent_5"}, {"ent_2", "ent_6"}} {
		if a, b := s.see(two[0]), s.see(two[1]); a.Pos.Add(world.Vec3{100, 0, 0}).Dist(b.Pos) > 1e-9 {
			t.Errorf("the copy is at %v, and the original at %v", b.Pos, a.Pos)
		}
	}
	s.Do("animation.stop", `{"entity":"ent_5"}`)
	was, other := s.see("ent_6"), s.see("ent_2")
	s.Steps(60)
	if s.see("ent_6").Pos != was.Pos || s.see("ent_2").Pos == other.Pos {
		t.Error("the copy of the train does not stop with its first, or the original does")
	}
}

// TestFollowCarries has a tram take along who stands on it.
func TestFollowCarries(t *testing.T) {
	s := newMoving(t)
	s.Do("scene.createEntity", `{"position":[0,0,0],"scale":[3,0.4,6],"static":true}`)
	s.Do("animation.authorPath", `{"id":"bend","points":[[0,0,0],[0,0,12],[8,0,20],[20,0,20]]}`)
	s.Do("animation.follow", `{"entity":"ent_0","pathId":"bend","speed":3,"ends":"stop","wait":0}`)
	s.Do("player.spawn", `{"position":[0.5,1.15,0]}`)
	s.Steps(15 * 60)
	tram, who := s.see("ent_0"), s.see("ent_1")
	if tram.Pos.Dist(world.Vec3{20, 0, 20}) > 1e-6 {
		t.Fatalf("the tram is at %v", tram.Pos)
	}
	// It stood 0.5 m to the left of the middle, which is on the other side of the track as seen from there.
	if off := who.Pos.Sub(tram.Pos); math.Abs(off[0]) > 0.5 || math.Abs(off[2]+0.5) > 0.5 || off[1] < 0.9 {
		t.Errorf("it stands at %v from the middle of the tram", off)
	}
}

// BenchmarkFollow is a step in which a thousand things follow paths with stops.
func BenchmarkFollow(b *testing.B) {
	s := with(b, all)
	s.Do("animation.authorPath", `{"id":"loop","closed":true,"points":[[0,1,0],[30,1,4],[36,1,30],[10,1,40],[-8,1,22]],"stops":[{"position":[30,1,4]},{"position":[10,1,40]}]}`)
	for i := range 1000 {
		s.Do("scene.createEntity", `{"position":[%d,1,0]}`, i)
		s.Do("animation.follow", `{"entity":"ent_%d","pathId":"loop","speed":6,"from":%v}`, i, float64(i)*0.13)
	}
	s.Steps(1)
	for b.Loop() {
		s.Steps(1)
	}
}
