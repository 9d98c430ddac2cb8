package vfx_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/batch"
	"github.com/limina-mcp/limina/skills/checkpoint"
	"github.com/limina-mcp/limina/skills/history"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/layout"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/skills/vfx"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

func all(w *world.World, _ *agents.Agents) []registry.Skill {
	return append(others(w), vfx.All(vfx.New(w))...)
}

// others are the skills that those of the package are used with.
func others(w *world.World) []registry.Skill {
	return slices.Concat(scene.All(w), layout.All(w, solid.NewLooks(w)), three.All(w), batch.All(w), history.All(w), checkpoint.All(checkpoint.New(w)))
}

func TestCalls(t *testing.T) {
	made := skilltest.Calls("vfx.create", `{"config":{}}`)
	bursts := skilltest.Calls("vfx.atPosition", `{"position":[0,0,0]}`)
	long := strings.Repeat("x", vfx.MaxConfig)
	skilltest.Run(t, all, "vfx.create", []skilltest.Case{
		{Name: "a fountain", Input: `{"config":{},"meta":{"a":1}}`, Want: `{"vfxId":"vfx_0"}`},
		{Name: "a second one", Setup: made, Input: `{"config":{"shape":"cone","config":{"position":[1,2,3],"radius":0,"mine":true}}}`, Want: `{"vfxId":"vfx_1"}`},
		{Name: "that emits nothing", Input: `{"config":{"emissionRate":0}}`, Want: `{"vfxId":"vfx_0","note":"it emits nothing: emissionRate is 0"}`},
		{Name: "that nobody sees", Input: `{"config":{"startColor":[1,1,1,0]}}`, Want: `{"vfxId":"vfx_0","note":"nothing of it will be seen: the opacity of startColor and of endColor is 0"}`},
		{Name: "too many particles", Input: `{"config":{"maxParticles":10001}}`, Code: registry.CodeInvalidInput, Err: "config.maxParticles: must be from 1 to 10000, got 10001"},
		{Name: "a shape that nothing has", Input: `{"config":{"shape":"ring"}}`, Code: registry.CodeInvalidInput, Err: `config.shape: must be one of "sphere", "cone", "box", "point", got "ring"`},
		{Name: "nowhere", Input: `{"config":{"config":{"position":[1,2]}}}`, Code: registry.CodeInvalidInput, Err: "config.config.position: must have 3 items, got 2"},
		{Name: "a shape less than nothing", Input: `{"config":{"config":{"radius":-1}}}`, Code: registry.CodeInvalidInput, Err: "config.config.radius: must be from 0 to 3.4e+38, got -1"},
		{Name: "a large config", Input: `{"config":{"config":{"a":"` + long + `"}}}`, Code: registry.CodeCapacityExceeded, Err: "config.config: holds at most 4096 bytes, this one has 4104"},
		{
			Name: "more than all may have", Input: `{"config":{"maxParticles":10000}}`, Code: registry.CodeCapacityExceeded,
			Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				for range 4 {
					s.Must(t, p, "vfx.create", `{"config":{"maxParticles":10000}}`)
				}
			},
			Err: "with this 50000 of 65536 particles would be yours, and the 15536 that are left are for others: give it fewer, or vfx.destroy others",
		},
		{
			Name: "more than are left", Input: `{"config":{"maxParticles":10000}}`, Code: registry.CodeCapacityExceeded,
			Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				for i := range 6 {
					who := skilltest.Caller(t, string(rune('a'+i/4)), "builder.readWrite")
					s.Must(t, who, "vfx.create", fmt.Sprintf(`{"config":{"maxParticles":%d}}`, 10000-i/5*1000))
				}
			},
			Err: "with this there would be 69000 particles, at most 65536; 0 are yours: give it fewer, or vfx.destroy others",
		},
	})
	skilltest.Run(t, all, "vfx.play", []skilltest.Case{
		{Name: "one", Setup: made, Input: `{"vfxId":"vfx_0","meta":{}}`, Want: `{"ok":true}`},
		{Name: "another", Setup: made, Input: `{"vfxId":"vfx_3"}`, Err: "unknown emitter vfx_3; the nearest are vfx_0"},
		{Name: "what is none", Setup: made, Input: `{"vfxId":"fire"}`, Err: "unknown emitter fire; the nearest are vfx_0"},
		{Name: "none", Input: `{"vfxId":"vfx_0"}`, Err: "unknown emitter vfx_0; there is none: vfx.create makes one"},
		{Name: "a burst", Setup: bursts, Input: `{"vfxId":"vfx_0"}`, Err: "vfx_0 is a burst, which plays once and is gone by itself: vfx.create makes what can be played"},
	})
	skilltest.Run(t, all, "vfx.stop", []skilltest.Case{
		{Name: "what plays", Setup: skilltest.Calls("vfx.create", `{"config":{}}`, "vfx.play", `{"vfxId":"vfx_0"}`), Input: `{"vfxId":"vfx_0"}`, Want: `{"ok":true}`},
		{Name: "what does not", Setup: made, Input: `{"vfxId":"vfx_0"}`, Want: `{"ok":true}`},
		{Name: "a burst", Setup: bursts, Input: `{"vfxId":"vfx_0"}`, Err: "vfx_0 is a burst, which plays once and is gone by itself: vfx.create makes what can be played"},
	})
	skilltest.Run(t, all, "vfx.destroy", []skilltest.Case{
		{Name: "an emitter", Setup: made, Input: `{"vfxId":"vfx_0"}`, Want: `{"ok":true}`},
		{Name: "a burst", Setup: bursts, Input: `{"vfxId":"vfx_0","meta":{"a":1}}`, Want: `{"ok":true}`},
		{Name: "none", Input: `{"vfxId":"vfx_0"}`, Err: "unknown emitter vfx_0; there is none: vfx.create makes one"},
	})
	skilltest.Run(t, all, "vfx.attach", []skilltest.Case{
		{Name: "what is still", Setup: skilltest.Calls("scene.createEntity", `{}`, "vfx.create", `{"config":{}}`), Input: `{"vfxId":"vfx_0","entity":"ent_0","meta":{}}`, Want: `{"ok":true,"note":"it does not play: vfx.play has it emit"}`},
		{Name: "what plays", Setup: skilltest.Calls("scene.createEntity", `{}`, "vfx.create", `{"config":{}}`, "vfx.play", `{"vfxId":"vfx_0"}`), Input: `{"vfxId":"vfx_0","entity":"ent_0","offset":[0,1,0]}`, Want: `{"ok":true}`},
		{Name: "to nothing", Setup: made, Input: `{"vfxId":"vfx_0","entity":"ent_7"}`, Err: "unknown entity ent_7; the world has none"},
		{Name: "a burst", Setup: bursts, Input: `{"vfxId":"vfx_0","entity":"ent_7"}`, Err: "vfx_0 is a burst, which plays once and is gone by itself: vfx.create makes what can be played"},
	})
	skilltest.Run(t, all, "vfx.atPosition", []skilltest.Case{
		{Name: "a puff", Input: `{"position":[1,2,3]}`, Want: `{"ok":true,"vfxId":"vfx_0"}`},
		{Name: "as it is wanted", Input: `{"position":[1,2,3],"config":{"gravity":0,"endColor":[1,0,0,1],"endSize":2,"spread":0,"shape":"box","radius":2,"blendMode":"alpha","mine":1}}`, Want: `{"ok":true,"vfxId":"vfx_0"}`},
		{Name: "a circle and more", Input: `{"position":[1,2,3],"config":{"spread":400}}`, Code: registry.CodeInvalidInput, Err: "config.spread: must be from 0 to 360, got 400"},
		{Name: "a blend that there is not", Input: `{"position":[1,2,3],"config":{"blendMode":"add"}}`, Code: registry.CodeInvalidInput, Err: `config.blendMode: must be one of additive, alpha, multiply, got "add"`},
		{Name: "a colour without opacity", Input: `{"position":[1,2,3],"config":{"endColor":[1,0,0]}}`, Code: registry.CodeInvalidInput, Err: "config.endColor: must have 4 items, got 3"},
		{Name: "too many", Input: `{"position":[1,2,3],"count":201}`, Code: registry.CodeInvalidInput, Err: "count: must be from 1 to 200, got 201"},
		{Name: "a large config", Input: `{"position":[1,2,3],"config":{"a":"` + long + `"}}`, Code: registry.CodeCapacityExceeded, Err: "config: holds at most 4096 bytes, this one has 4104"},
	})
	for name, input := range map[string]string{
		"vfx.create": `{"config":{}}`, "vfx.play": `{"vfxId":"vfx_0"}`, "vfx.stop": `{"vfxId":"vfx_0"}`, "vfx.attach": `{"vfxId":"vfx_0","entity":"ent_0"}`,
		"vfx.destroy": `{"vfxId":"vfx_0"}`, "vfx.atPosition": `{"position":[1,2,3]}`,
	} {
		skilltest.Needs(t, all, name, input, "vfx.write", "builder.readWrite", "vfx.writer")
	}
}

// TestBurst has a burst go by itself, in the step in which the last of it ends.
func TestBurst(t *testing.T) {
	r := skilltest.NewRoom(t, all)
	empty := r.Content()
	r.Steps(3)
	r.Do("vfx.atPosition", `{"position":[0,1,0],"lifetime":0.05}`)
	r.Do("vfx.atPosition", `{"position":[0,1,0],"lifetime":1e30}`)
	r.Steps(2)
	if got := r.Shared("vfx.emitters"); !strings.Contains(got, `"start":3,"stop":6`) || !strings.Contains(got, fmt.Sprintf(`"start":3,"stop":%d`, 3+60*vfx.MaxBurst)) {
		t.Errorf("viewers see %s", got)
	}
	r.Steps(1)
	if got := r.Shared("vfx.emitters"); strings.Contains(got, "vfx_0") || !strings.Contains(got, "vfx_1") {
		t.Errorf("in the step after its last viewers see %s", got)
	}
	r.Do("vfx.destroy", `{"vfxId":"vfx_1"}`)
	if r.Content() != empty {
		t.Error("bursts leave something")
	}
	tick := r.World.Tick()
	if r.Steps(10); r.World.Tick() != tick {
		t.Error("steps go on when there is nothing")
	}
}

// TestUndo takes back what was made, also what has gone since.
func TestUndo(t *testing.T) {
	r := skilltest.NewRoom(t, all)
	r.Do("scene.createEntity", `{}`)
	before := r.Content()
	r.Do("vfx.create", `{"config":{}}`)
	r.Do("vfx.attach", `{"vfxId":"vfx_0","entity":"ent_0"}`)
	r.Do("vfx.play", `{"vfxId":"vfx_0"}`)
	r.Do("vfx.atPosition", `{"position":[0,0,0]}`)
	r.Steps(4)
	after := r.Content()
	r.Do("world.undo", `{"steps":4}`)
	if r.Content() != before {
		t.Errorf("undo leaves %s", r.Shared("vfx.emitters"))
	}
	r.Do("world.redo", `{}`)
	if r.Content() != after {
		t.Errorf("redo brings %s", r.Shared("vfx.emitters"))
	}
	r.Steps(100)
	r.Do("vfx.stop", `{"vfxId":"vfx_0"}`)
	r.Do("world.undo", `{}`)
	if got := r.Shared("vfx.emitters"); !strings.Contains(got, `"playing":true,"start":0`) {
		t.Errorf("after the stop was taken back viewers see %s", got)
	}
	r.Do("vfx.destroy", `{"vfxId":"vfx_0"}`)
	r.Do("world.undo", `{}`)
	r.Do("scene.destroyEntity", `{"entity":"ent_0"}`)
	if got := r.Shared("vfx.emitters"); got != `{}` {
		t.Errorf("an emitter that came back outlives what it is attached to: %s", got)
	}
}

// TestAttached has emitters go with what they are attached to, and come back with it.
func TestAttached(t *testing.T) {
	r := skilltest.NewRoom(t, all)
	r.Do("scene.createEntity", `{}`)
	r.Do("scene.createEntity", `{}`)
	for range 3 {
		r.Do("vfx.create", `{"config":{}}`)
	}
	r.Do("vfx.attach", `{"vfxId":"vfx_0","entity":"ent_0"}`)
	r.Do("vfx.attach", `{"vfxId":"vfx_1","entity":"ent_0"}`)
	r.Do("vfx.attach", `{"vfxId":"vfx_1","entity":"ent_1"}`) // it changes its mind
	r.Do("vfx.attach", `{"vfxId":"vfx_2","entity":"ent_1"}`)
	there := func() (all []string) {
		for i := range 3 {
			if h := fmt.Sprintf("vfx_%d", i); strings.Contains(r.Shared("vfx.emitters"), h) {
				all = append(all, h)
			}
		}
		return all
	}
	r.Do("scene.clone", `{"entity":"ent_1"}`)
	r.Do("scene.destroyEntity", `{"entity":"ent_2"}`)
	r.Do("scene.destroyEntity", `{"entity":"ent_0"}`)
	if diff := cmp.Diff([]string{"vfx_1", "vfx_2"}, there()); diff != "" {
		t.Errorf("after ent_0 was destroyed (-want +got):\n%s", diff)
	}
	r.Do("world.undo", `{}`)
	r.Do("scene.destroyEntity", `{"entity":"ent_1"}`)
	if diff := cmp.Diff([]string{"vfx_0"}, there()); diff != "" {
		t.Errorf("after ent_1 was, and ent_0 is back (-want +got):\n%s", diff)
	}
	r.Do("scene.destroyEntity", `{"entity":"ent_0"}`)
	if there() != nil {
		t.Errorf("after all was: %q", there())
	}
}

// TestCheckpoint brings a fire back, and a burst, which has as long as it had.
func TestCheckpoint(t *testing.T) {
	r := skilltest.NewRoom(t, all)
	r.Do("vfx.create", `{"config":{}}`)
	r.Do("vfx.play", `{"vfxId":"vfx_0"}`)
	r.Do("vfx.atPosition", `{"position":[0,0,0],"lifetime":1}`)
	r.Steps(20)
	r.Do("checkpoint.create", `{"name":"here"}`)
	r.Do("vfx.destroy", `{"vfxId":"vfx_0"}`)
	r.Steps(100)
	r.Do("checkpoint.load", `{"name":"here"}`)
	for _, steps := range []int{39, 1} {
		r.Steps(steps)
		if got := r.Shared("vfx.emitters"); !strings.Contains(got, "vfx_0") || strings.Contains(got, "vfx_1") != (steps > 1) {
			t.Errorf("after %d steps more viewers see %s", steps, got)
		}
	}
}
