package animation_test

import (
	"math"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

func TestAuthorClip(t *testing.T) {
	track := func(property, keys string) string {
		return `{"id":"c","duration":2,"tracks":[{"property":"` + property + `","keys":[` + keys + `]}]}`
	}
	bad := func(name, input, err string) skilltest.Case {
		return skilltest.Case{Name: name, Input: input, Code: registry.CodeInvalidInput, Err: err}
	}
	skilltest.Run(t, all, "animation.authorClip", []skilltest.Case{
		{Name: "good", Input: rise, Want: `{"ok":true,"tracks":1,"keys":2}`},
		{Name: "of a name that nothing goes by", Input: track("mood", `{"t":0,"value":1}`), Want: `{"ok":true,"tracks":1,"keys":1,"note":"tracks[0].property: \"mood\" moves nothing by itself, and is kept for animation.sampleClip; what moves is position, rotation, scale, one axis of them such as rotation.y, color and intensity"}`},
		{Name: "in degrees", Input: track("rotation.y", `{"t":0,"value":0},{"t":2,"value":90}`), Want: `{"ok":true,"tracks":1,"keys":2,"note":"tracks[0].keys[1].value is in radians, and was taken so: 90 is 14.3 turns. If degrees were meant, give 1.5708"}`},
		{Name: "once round in degrees", Input: track("rotation.y", `{"t":0,"value":0},{"t":2,"value":360}`), Want: `{"ok":true,"tracks":1,"keys":2,"note":"tracks[0].keys[1].value is in radians, and was taken so: 360 is 57.3 turns. If degrees were meant, give 6.2832"}`},
		{Name: "a few turns", Input: track("rotation.y", `{"t":0,"value":0},{"t":2,"value":18.85}`), Want: `{"ok":true,"tracks":1,"keys":2}`},
		{Name: "smooth", Input: `{"id":"c","duration":2,"tracks":[{"property":"position.y","interp":"smooth","keys":[{"t":0,"value":0},{"t":2,"value":3}]}]}`, Want: `{"ok":true,"tracks":1,"keys":2}`},
		bad("another word for it", `{"id":"c","duration":2,"tracks":[{"property":"position.y","interp":"ease-in-out","keys":[{"t":0,"value":0}]}]}`, `tracks[0].interp: must be one of "step", "linear", "smooth", got "ease-in-out" (did you mean "smooth"?)`),
		bad("too late", track("position", `{"t":3,"value":[0,0,0]}`), `tracks[0].keys[0].t: must be at most the duration, 2, got 3`),
		bad("a number for a place", track("position", `{"t":0,"value":1}`), `tracks[0].keys[0].value: position has 3 numbers, metres along x, y, z, got 1`),
		bad("a list for one axis", track("position.x", `{"t":0,"value":[1,2,3]}`), `tracks[0].keys[0].value: position.x has one number, got 3`),
		bad("keys that differ", track("scale", `{"t":0,"value":1},{"t":1,"value":[1,1,1]}`), `tracks[0].keys[1].value: has 3 numbers, and the first key 1: all keys of a track have as many`),
		bad("no color", track("color", `{"t":0,"value":16777216}`), `tracks[0].keys[0].value: must be an integer from 0 to 16777215, got 1.6777216e+07`),
		bad("no color of three", track("color", `{"t":0,"value":[0,0,255]}`), `tracks[0].keys[0].value: must be three numbers from 0 to 1, got [0 0 255]`),
		bad("no rotation", track("rotation", `{"t":0,"value":[0,0,0,0]}`), `tracks[0].keys[0].value: is no rotation: a quaternion is four numbers x, y, z, w that are not all 0`),
		bad("dark beyond dark", track("intensity", `{"t":0,"value":-1}`), `tracks[0].keys[0].value: must be 0 or more, got -1`),
		bad("a word", track("position.x", `{"t":0,"value":"up"}`), `tracks[0].keys[0].value: must be a number, or an array of 1 to 16 numbers`),
		bad("no values", track("mood", `{"t":0,"value":[]}`), `tracks[0].keys[0].value: must be a number, or an array of 1 to 16 numbers`),
	})
}

func TestPlayRefuses(t *testing.T) {
	skilltest.Run(t, all, "animation.play", []skilltest.Case{
		{Name: "good", Setup: clips, Input: `{"entity":"ent_0","clipId":"rise"}`, Want: `{"ok":true}`},
		{Name: "a clip of a model", Setup: clips, Input: `{"entity":"ent_0","clipId":"walk"}`, Want: `{"ok":true,"note":"walk is a clip of a model: viewers draw it, and nothing moves here. animation.authorClip makes clips that move"}`},
		{Name: "no clips", Setup: nil, Input: `{"entity":"ent_0","clipId":"rise"}`, Err: `unknown entity ent_0; the world has none`},
		{Name: "no entity", Setup: clips, Input: `{"entity":"ent_7","clipId":"rise"}`, Err: `unknown entity ent_7; the nearest are ent_0`},
		{Name: "no clip", Setup: clips, Input: `{"entity":"ent_0","clipId":"risen"}`, Err: `clipId: unknown clip "risen", did you mean "rise"?`},
		{Name: "no clip at all like it", Setup: clips, Input: `{"entity":"ent_0","clipId":"xyzzy"}`, Err: `clipId: unknown clip "xyzzy"; there are open, rise, turn, walk. animation.authorClip makes another`},
		{Name: "a path", Setup: paths, Input: `{"entity":"ent_0","clipId":"loop"}`, Err: `clipId: "loop" is a path, no clip: animation.follow with pathId has something go along it`},
		{
			Name: "a body that falls", Input: `{"entity":"ent_1","clipId":"rise"}`,
			Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				clips(t, s, p)
				s.Must(t, p, "scene.createEntity", `{"dynamic":true}`)
			},
			Err: `entity: ent_1 has a dynamic body, which the physics moves: make it anew with static, which plays along, or without a body`,
		},
		{
			Name: "my own body", Input: `{"entity":"ent_0","clipId":"rise"}`,
			Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				clips(t, s, p)
				s.Must(t, p, "agent.embody", `{"entity":"ent_0"}`)
			},
			Want: `{"ok":true,"note":"ent_0 goes where it is sent, so that clips do not move it; viewers are told what it plays"}`,
		},
	})
}

// A lift rises by its own axes, holds its end, and what plays it is what viewers see.
func TestPlayOnce(t *testing.T) {
	s := newStage(t)
	clips(t, s.Server, s.Ann)
	s.Do("three.setTransform", `{"entity":"ent_0","rotationEuler":[0,0,1.5707963267948966]}`) // its y is now along -x
	s.Do("animation.play", `{"entity":"ent_0","clipId":"rise","loop":false}`)
	s.at("ent_0", 1, 2, 3)
	s.Steps(60)
	s.at("ent_0", -1, 2, 3)
	s.Steps(60)
	s.at("ent_0", -3, 2, 3)
	s.Steps(60)
	s.at("ent_0", -3, 2, 3)
	if got := s.see("ent_0").Animation; len(got) != 1 || got[0].ClipID != "rise" || !got[0].Ended {
		t.Errorf("what plays: %+v", got)
	}
	if told := s.Heard(); len(told) != 1 || told[0] != `animation.finished {"entity":"ent_0","clipId":"rise","layer":0}` {
		t.Errorf("told: %q", told)
	}
	before := s.World.Tick()
	s.Steps(60)
	if s.World.Tick() != before {
		t.Error("what holds its end costs commits")
	}
	s.Do("animation.stop", `{"entity":"ent_0","fadeOutMs":1000}`)
	s.Steps(30)
	s.at("ent_0", -1, 2, 3)
	s.Steps(31)
	s.at("ent_0", 1, 2, 3)
	if got := s.see("ent_0").Animation; len(got) != 0 {
		t.Errorf("still plays: %+v", got)
	}
	if got := s.Do("animation.stop", `{"entity":"ent_0"}`); got != `{"ok":false}` {
		t.Errorf("stopped twice: %s", got)
	}
}

// A group turns about its origin, over and over, and is stopped where it is.
func TestPlayGroup(t *testing.T) {
	s := newStage(t)
	clips(t, s.Server, s.Ann)
	s.Do("scene.createEntity", `{"position":[5,0,0],"static":true}`)
	s.Do("scene.group", `{"entities":["ent_1"],"origin":[3,0,0]}`)
	s.Do("animation.play", `{"entity":"ent_2","clipId":"turn","speed":2}`)
	if got := s.see("ent_1").RigidBody.Type; got != "kinematic" {
		t.Errorf("what is moved has a %s body", got)
	}
	where := func() world.Vec3 {
		var at world.Vec3
		id, _ := world.ParseID("ent_1")
		s.World.View(func(v *world.View) { at, _ = v.Position(id) })
		return at
	}
	for i, want := range []world.Vec3{{3, 0, -2}, {1, 0, 0}, {3, 0, 2}, {5, 0, 0}, {3, 0, -2}} {
		s.Steps(30)
		if got := where(); got.Dist(want) > 1e-4 {
			t.Errorf("after %d quarters it is at %v, want %v", i+1, got, want)
		}
	}
	s.Do("animation.stop", `{"entity":"ent_2"}`)
	s.Steps(30)
	if got := where(); got.Dist(world.Vec3{3, 0, -2}) > 1e-4 {
		t.Errorf("stopped, it is at %v", got)
	}
	if got := s.see("ent_1").RigidBody.Type; got != "static" {
		t.Errorf("what stands again has a %s body", got)
	}
}

// Whoever moves something while it plays moves its rest, and a clip that is made anew goes on where it is.
func TestMovedWhilePlaying(t *testing.T) {
	s := newStage(t)
	clips(t, s.Server, s.Ann)
	s.Do("animation.play", `{"entity":"ent_0","clipId":"rise"}`)
	s.Steps(60)
	s.at("ent_0", 1, 4, 3)
	s.Do("three.setTransform", `{"entity":"ent_0","position":[10,4,0]}`)
	s.Steps(30)
	s.at("ent_0", 10, 5, 0)
	s.Do("three.setTransform", `{"entity":"ent_0","rotationEuler":[1.5707963267948966,0,0]}`) // rises along z from now on
	s.Steps(15)
	s.at("ent_0", 10, 5, 0.5)
	s.Do("animation.authorClip", `%s`, strings.Replace(rise, "[0,4,0]", "[0,0,0]", 1))
	s.Steps(1)
	s.at("ent_0", 10, 5, -3)
}

func TestLayers(t *testing.T) {
	s := newStage(t)
	clips(t, s.Server, s.Ann)
	s.Do("animation.authorClip", `{"id":"aside","duration":1,"tracks":[{"property":"position.x","keys":[{"t":0,"value":8}]}]}`)
	s.Do("animation.authorClip", `{"id":"up","duration":1,"tracks":[{"property":"position.y","keys":[{"t":0,"value":4}]}]}`)
	s.Do("animation.play", `{"entity":"ent_0","clipId":"aside"}`)
	s.Do("animation.play", `{"entity":"ent_0","clipId":"up","layer":1,"weight":0.25}`)
	s.Steps(1)
	s.at("ent_0", 1+8*0.75, 2+1, 3) // a quarter of the way from one place to the other
	s.Do("animation.play", `{"entity":"ent_0","clipId":"up","layer":0,"fadeDuration":1}`)
	s.Do("animation.stop", `{"entity":"ent_0","layer":1}`)
	s.Steps(30)
	s.at("ent_0", 1+4, 2+2, 3)
	if got := s.Do("animation.getClipInfo", `{"entity":"ent_0"}`); got != `{"clips":[{"clipId":"aside","time":0.51667,"duration":1,"weight":0.5,"layer":0},{"clipId":"up","time":0.5,"duration":1,"weight":0.5,"layer":0}]}` {
		t.Errorf("while one fades: %s", got)
	}
	s.Steps(31)
	s.at("ent_0", 1, 2+4, 3)
	s.Do("animation.blend", `{"entity":"ent_0","clips":[{"clipId":"aside","weight":0.9},{"clipId":"up","weight":0.3}]}`)
	s.Steps(1)
	s.at("ent_0", 1+6, 2+1, 3)
	s.Do("animation.emote", `{"entity":"ent_0","clipId":"up","blendDuration":0}`)
	s.Steps(1)
	s.at("ent_0", 1, 2+4, 3)
	s.Steps(61)
	s.at("ent_0", 1+6, 2+1, 3)
	for range 15 {
		s.Do("animation.play", `{"entity":"ent_0","clipId":"up","layer":%d}`, 10+len(s.see("ent_0").Animation))
		if len(s.see("ent_0").Animation) == 16 {
			break
		}
	}
	if _, err := s.Call(s.Ann, "animation.play", `{"entity":"ent_0","clipId":"up","layer":500}`); err == nil || err.Code != registry.CodeCapacityExceeded {
		t.Errorf("a seventeenth clip: %v", err)
	}
}

func TestColorAndLight(t *testing.T) {
	s := newStage(t)
	s.Do("scene.createEntity", `{"color":255}`)
	s.Do("three.setLight", `{"entity":"ent_0","kind":"point","intensity":2}`)
	before := s.Entity(t, "ent_0")
	s.Do("animation.authorClip", `{"id":"flash","duration":2,"tracks":[{"property":"color","keys":[{"t":0,"value":16711680},{"t":1,"value":0}]},{"property":"intensity","interp":"step","keys":[{"t":0,"value":1},{"t":0.5,"value":9}]}]}`)
	s.Do("animation.play", `{"entity":"ent_0","clipId":"flash"}`)
	s.Steps(15)
	if got := s.see("ent_0"); *got.Material.Color != 0xBF0000 || got.Light.Intensity != 1 {
		t.Errorf("after a quarter: %x, %v", *got.Material.Color, got.Light.Intensity)
	}
	s.Steps(15)
	if got := s.see("ent_0"); *got.Material.Color != 0x800000 || got.Light.Intensity != 9 {
		t.Errorf("after half: %x, %v", *got.Material.Color, got.Light.Intensity)
	}
	s.Do("animation.stop", `{"entity":"ent_0","fadeOutMs":100}`)
	s.Steps(10)
	if got := s.Entity(t, "ent_0"); got != before {
		t.Errorf("at rest again: %s, want %s", got, before)
	}
}

// TestColorOfWater fades from the colour that water has by itself to that of a clip, half way.
func TestColorOfWater(t *testing.T) {
	s := newStage(t)
	s.Do("scene.createEntity", `{}`)
	if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
		s.World.Shapes.Remove(tx, 1)
		return s.World.Waters.Set(tx, 1, world.Water{Size: 9, Color: 255})
	}); err != nil {
		t.Fatal(err)
	}
	s.Do("animation.authorClip", `{"id":"blood","duration":1,"tracks":[{"property":"color","keys":[{"t":0,"value":16711680}]}]}`)
	s.Do("animation.play", `{"entity":"ent_0","clipId":"blood","weight":0.5}`)
	s.Steps(2)
	if got := s.see("ent_0"); got.Material.Color == nil || *got.Material.Color != 0x800080 {
		t.Errorf("it is %s", s.Entity(t, "ent_0"))
	}
}

// A door is shut, opens when it is told to and shuts by itself after it has been open.
func TestStateMachine(t *testing.T) {
	s := newStage(t)
	clips(t, s.Server, s.Ann)
	s.Do("animation.authorClip", `{"id":"shut","duration":1,"tracks":[{"property":"rotation","keys":[{"t":0,"value":[0,0,0]}]}]}`)
	s.Do("animation.createStateMachine", `{"entity":"ent_0","name":"door","defaultState":"shut","states":[{"name":"shut","clipId":"shut"},{"name":"open","clipId":"open"}],
		"parameters":[{"name":"push","type":"trigger","defaultValue":false},{"name":"keys","type":"int","defaultValue":0}],
		"transitions":[{"from":"shut","to":"open","duration":0,"conditions":[{"param":"push","op":"true"},{"param":"keys","op":"greater","value":1}]},{"from":"open","to":"shut","duration":0.5}]}`)
	state := func() string { return s.Do("animation.getClipInfo", `{"entity":"ent_0"}`) }
	s.Steps(100)
	before := s.World.Tick()
	s.Steps(10)
	if s.World.Tick() != before {
		t.Error("a machine that waits costs commits")
	}
	s.Do("animation.setParam", `{"entity":"ent_0","name":"push","value":true}`)
	s.Steps(10)
	if !strings.Contains(state(), `"state":"shut"`) {
		t.Errorf("opened without keys: %s", state())
	}
	s.Do("animation.setParam", `{"entity":"ent_0","name":"keys","value":2}`)
	s.Steps(31)
	if !strings.Contains(state(), `"state":"open"`) {
		t.Errorf("not open: %s", state())
	}
	s.turned("ent_0", 0, math.Pi/4, 0)
	s.Steps(30)
	s.turned("ent_0", 0, math.Pi/2, 0)
	s.Steps(15)
	s.turned("ent_0", 0, math.Pi/4, 0)
	s.Steps(20)
	s.turned("ent_0", 0, 0, 0)
	s.Steps(200)
	if !strings.Contains(state(), `"state":"shut"`) {
		t.Errorf("a trigger was heeded twice: %s", state())
	}
	s.Do("animation.transition", `{"entity":"ent_0","state":"open"}`)
	s.Steps(60)
	s.turned("ent_0", 0, math.Pi/2, 0)
	for _, c := range [][3]string{
		{"animation.setParam", `{"entity":"ent_0","name":"key","value":2}`, `name: unknown parameter "key", did you mean "keys"?`},
		{"animation.setParam", `{"entity":"ent_0","name":"keys","value":true}`, `value: must be a number, because "keys" is an int`},
		{"animation.setParam", `{"entity":"ent_0","name":"keys","value":1.5}`, `value: must be an integer, because "keys" is an int, got 1.5`},
		{"animation.setParam", `{"entity":"ent_0","name":"push","value":1}`, `value: must be true or false, because "push" is a trigger`},
		{"animation.transition", `{"entity":"ent_0","state":"ajar"}`, `state: unknown state "ajar"; there are shut, open`},
		{"animation.createStateMachine", `{"entity":"ent_0","name":"m","defaultState":"a","states":[{"name":"b","clipId":"open"}]}`, `defaultState: unknown state "a"; there are b`},
		{"animation.createStateMachine", `{"entity":"ent_0","name":"m","defaultState":"a","states":[{"name":"a","clipId":"open"}],"parameters":[{"name":"n","type":"int","defaultValue":1}],"transitions":[{"from":"a","to":"a","conditions":[{"param":"n","op":"true"}]}]}`, `transitions[0].conditions[0].op: true asks a bool or a trigger, and "n" is of type int: use equals, greater or less with a value`},
		{"animation.createStateMachine", `{"entity":"ent_0","name":"m","defaultState":"a","states":[{"name":"a","clipId":"open"}],"parameters":[{"name":"n","type":"int","defaultValue":1}],"transitions":[{"from":"a","to":"a","conditions":[{"param":"n","op":"less"}]}]}`, `transitions[0].conditions[0].value: is missing, and less compares with it`},
	} {
		if _, err := s.Call(s.Ann, c[0], c[1]); err == nil || err.Message != c[2] {
			t.Errorf("%s %s: %v, want %s", c[0], c[1], err, c[2])
		}
	}
}

// What is taken back stands again as before it played; what is taken up again goes on.
func TestUndo(t *testing.T) {
	s := newStage(t)
	clips(t, s.Server, s.Ann)
	s.Do("scene.createEntity", `{"position":[0,0,0],"static":true}`)
	before := s.Content()
	s.Do("animation.play", `{"entity":"ent_1","clipId":"rise"}`)
	s.Steps(30)
	s.at("ent_1", 0, 1, 0)
	s.Do("world.undo", `{}`)
	s.Steps(1)
	s.at("ent_1", 0, 0, 0)
	if s.Content() != before {
		t.Errorf("undone, the world is not what it was: %s", s.Entity(t, "ent_1"))
	}
	s.Steps(29)
	s.at("ent_1", 0, 0, 0)
	s.Do("world.redo", `{}`)
	s.Steps(30)
	s.at("ent_1", 0, 3, 0)
	s.Do("animation.stop", `{"entity":"ent_1"}`)
	s.Steps(30)
	s.at("ent_1", 0, 3, 0)
	s.Do("world.undo", `{}`)
	s.Steps(15)
	s.at("ent_1", 0, 0.5, 0) // its second turn, begun 135 steps ago
}

// One that would leave the world ends, and disturbs nobody.
func TestFails(t *testing.T) {
	s := newStage(t)
	clips(t, s.Server, s.Ann)
	s.Do("scene.createEntity", `{"position":[3e38,0,0]}`)
	s.Do("animation.authorClip", `{"id":"away","duration":1,"tracks":[{"property":"position.x","keys":[{"t":0,"value":0},{"t":1,"value":3e38}]}]}`)
	s.Do("animation.play", `{"entity":"ent_1","clipId":"away"}`)
	s.Do("animation.play", `{"entity":"ent_0","clipId":"rise"}`)
	s.Steps(30)
	s.at("ent_0", 1, 3, 3)
	if told := s.Heard(); len(told) != 1 || !strings.HasPrefix(told[0], `animation.failed {"entity":"ent_1"`) {
		t.Errorf("told: %q", told)
	}
	if got := s.see("ent_1").Animation; len(got) != 0 {
		t.Errorf("still plays: %+v", got)
	}
}

func TestSampleClip(t *testing.T) {
	skilltest.Run(t, all, "animation.sampleClip", []skilltest.Case{
		{Name: "between", Setup: clips, Input: `{"id":"rise","t":0.5}`, Want: `{"found":true,"values":{"position":[0,1,0]}}`},
		{Name: "before", Setup: clips, Input: `{"id":"rise","t":-1}`, Want: `{"found":true,"values":{"position":[0,0,0]}}`},
		{Name: "beyond", Setup: clips, Input: `{"id":"turn","t":99}`, Want: `{"found":true,"values":{"rotation.y":6.283185307179586}}`},
		{Name: "of a model", Setup: clips, Input: `{"id":"walk","t":0}`, Want: `{"found":false}`},
		{Name: "unknown", Setup: clips, Input: `{"id":"nope","t":0}`, Want: `{"found":false}`},
	})
}
