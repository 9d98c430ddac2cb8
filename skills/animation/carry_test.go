package animation_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/internal/rapiertest"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/animation"
	"github.com/limina-mcp/limina/skills/player"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// newMoving returns a stage on which bodies move.
func newMoving(t *testing.T) *stage {
	t.Helper()
	var bodies *physics.Physics
	s := with(t, func(w *world.World, a *agents.Agents) []registry.Skill {
		clips := animation.New(w, a)
		bodies = physics.New(w, physics.Config{Open: rapiertest.Runtime().Open, Gravity: -9.81})
		cast := player.New(w, a, bodies)
		clips.Guard(cast.Guard, bodies.Walks)
		return slices.Concat(scene.All(w), three.All(w), player.All(cast), animation.All(clips))
	})
	t.Cleanup(func() {
		if err := bodies.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// A lift carries who stands on it, a box and a character; a sliding wall pushes what is in its way.
func TestCarries(t *testing.T) {
	s := newMoving(t)
	s.Do("scene.createEntity", `{"position":[0,-0.5,0],"static":true}`)
	s.Do("three.setTransform", `{"entity":"ent_0","scale":[40,1,40]}`)
	s.Do("scene.createEntity", `{"position":[0,0.1,0],"static":true}`) // the lift
	s.Do("three.setTransform", `{"entity":"ent_1","scale":[4,0.2,4]}`)
	s.Do("scene.createEntity", `{"position":[-1,0.7,0],"dynamic":true}`)
	s.Do("player.spawn", `{"position":[1,1.1,0]}`)
	s.Do("scene.createEntity", `{"position":[8,1,0],"static":true}`) // the wall
	s.Do("three.setTransform", `{"entity":"ent_4","scale":[0.5,2,3]}`)
	s.Do("scene.createEntity", `{"position":[10,0.5,0],"dynamic":true}`)
	s.Steps(60)
	box, person := s.see("ent_2").Pos, s.see("ent_3").Pos
	s.Do("animation.authorClip", `{"id":"rise","duration":4,"tracks":[{"property":"position.y","keys":[{"t":0,"value":0},{"t":4,"value":3}]}]}`)
	s.Do("animation.authorClip", `{"id":"slide","duration":3,"tracks":[{"property":"position.x","keys":[{"t":0,"value":0},{"t":3,"value":4}]}]}`)
	s.Do("animation.play", `{"entity":"ent_1","clipId":"rise","loop":false}`)
	s.Do("animation.play", `{"entity":"ent_4","clipId":"slide","loop":false}`)
	s.Steps(300)
	const near = 0.15 // metres
	for id, want := range map[string]world.Vec3{"ent_2": box.Add(world.Vec3{0, 3, 0}), "ent_3": person.Add(world.Vec3{0, 3, 0}), "ent_5": {12.9, 0.5, 0}} {
		if got := s.see(id).Pos; got.Dist(want) > near {
			t.Errorf("%s is at %v, want about %v", id, got, want)
		}
	}
	s.Do("animation.authorClip", `{"id":"aside","duration":2,"tracks":[{"property":"position.y","keys":[{"t":0,"value":3}]},{"property":"position.z","keys":[{"t":0,"value":0},{"t":2,"value":2}]}]}`)
	s.Do("animation.play", `{"entity":"ent_1","clipId":"aside","loop":false}`)
	s.Steps(180)
	for id, want := range map[string]world.Vec3{"ent_2": box.Add(world.Vec3{0, 3, 2}), "ent_3": person.Add(world.Vec3{0, 3, 2})} {
		if got := s.see(id).Pos; got.Dist(want) > near {
			t.Errorf("carried aside, %s is at %v, want about %v", id, got, want)
		}
	}
	s.Do("animation.authorClip", `{"id":"round","duration":8,"tracks":[{"property":"rotation.y","keys":[{"t":0,"value":0},{"t":8,"value":6.2832}]}]}`)
	s.Do("animation.play", `{"entity":"ent_1","clipId":"round","layer":1}`)
	s.Steps(120) // a quarter of a turn
	lift := s.see("ent_1").Pos
	off := s.see("ent_3").Pos.Sub(lift)
	if want := (world.Vec3{0, off[1], -1}); off.Dist(want) > near {
		t.Errorf("carried round, it is at %v from the middle, want about %v", off, want)
	}
}

// On what plays a clip and moves, or does not at the moment, a character walks as on the ground.
func TestWalksOnWhatPlays(t *testing.T) {
	const still = `{"property":"position.y","keys":[{"t":0,"value":0},{"t":4,"value":0}]}`
	var ground float64
	for _, c := range []struct{ name, tracks string }{
		{"nothing", ""},
		{"what stands", still},
		{"what turns not", `{"property":"rotation.y","keys":[{"t":0,"value":0},{"t":4,"value":0}]}`},
		{"what has ended", `{"property":"position.y","keys":[{"t":0,"value":-0.3},{"t":0.2,"value":0}]}`},
		{"what rises", `{"property":"position.y","keys":[{"t":0,"value":0},{"t":4,"value":4}]}`},
		{"what sinks", `{"property":"position.y","keys":[{"t":0,"value":0},{"t":4,"value":-4}]}`},
	} {
		s := newMoving(t)
		s.Do("scene.createEntity", `{"position":[0,-0.1,0],"static":true}`)
		s.Do("three.setTransform", `{"entity":"ent_0","scale":[16,0.2,16]}`)
		s.Do("player.spawn", `{"position":[-4,0.95,0]}`)
		s.Steps(30)
		if c.tracks != "" {
			s.Do("animation.authorClip", `{"id":"c","duration":4,"tracks":[%s]}`, c.tracks)
			s.Do("animation.play", `{"entity":"ent_0","clipId":"c","loop":false}`)
			s.Steps(30)
		}
		from := s.At(t, "ent_1")
		s.Do("player.move", `{"entity":"ent_1","forward":1,"yaw":1.5708,"seconds":1}`)
		s.Steps(60)
		went := s.At(t, "ent_1")[0] - from[0]
		if c.tracks == "" {
			ground = went
		}
		if went < 3 || math.Abs(went-ground) > 0.2 {
			t.Errorf("on %s it goes %.2f m in a second, and on the ground %.2f", c.name, went, ground)
		}
	}
}

// TestPlaySlants has a tilted platform play a lift's clip: who plays it is told that it goes aside, and how it goes straight up. What is turned about the vertical
// does, and a group around the platform.
func TestPlaySlants(t *testing.T) {
	s := newMoving(t)
	s.Do("scene.createEntity", `{"position":[0,1,0],"rotationEuler":[0,0,0.15],"static":true}`)
	s.Do("scene.createEntity", `{"position":[5,1,0],"rotationEuler":[0,1,0],"static":true}`)
	s.Do("animation.authorClip", `{"id":"up","duration":2,"tracks":[{"property":"position.y","keys":[{"t":0,"value":0},{"t":2,"value":3}]}]}`)
	s.Do("animation.authorClip", `{"id":"rise","duration":2,"tracks":[{"property":"position","keys":[{"t":0,"value":[0,0,0]},{"t":2,"value":[0,-3,0]}]}]}`)
	s.Do("animation.authorClip", `{"id":"aside","duration":2,"tracks":[{"property":"position","keys":[{"t":0,"value":[0,0,0]},{"t":2,"value":[3,0,0]}]}]}`)
	for input, noted := range map[string]bool{
		`{"entity":"ent_0","clipId":"up"}`: true, `{"entity":"ent_0","clipId":"rise"}`: true, `{"entity":"ent_0","clipId":"aside"}`: false, `{"entity":"ent_1","clipId":"up"}`: false,
	} {
		got := s.Do("animation.play", "%s", input)
		const want = `"note":"ent_0 is tilted, and goes along its own axes: its y leads along [-0.14944 0.98877 0]; to go straight up put it in a scene.group, which stands upright, and have that play the clip"`
		if strings.Contains(got, want) != noted || strings.Contains(got, "note") != noted {
			t.Errorf("%s: %s", input, got)
		}
	}
}
