package animation_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/animation"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/event"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/layout"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/skills/trigger"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// withZones are the skills in a world in which zones have things play.
func withZones(w *world.World, a *agents.Agents) []registry.Skill {
	clips, does := animation.New(w, a), action.New(w, audio.New(w))
	does.Animate(clips)
	return slices.Concat(scene.All(w), three.All(w), layout.All(w, solid.NewLooks(w)), animation.All(clips), trigger.All(trigger.On(w, does)))
}

// TestDocs runs the example of docs/games.md.
func TestDocs(t *testing.T) {
	s := with(t, withZones)
	s.Example(t, s.Ann, "../../docs/games.md", "## Things that move")
	s.Steps(120)
	s.turned("ent_0", 0, 0, math.Pi/2)
	s.at("ent_1", 0.5, 1, 4)
	s.Do("scene.createEntity", `{"shape":"sphere","position":[0,1,6]}`)
	s.Steps(90)
	s.at("ent_1", 0, 1, 3.5)
}

// TestDocsPaths runs the example of docs/games.md of a train.
func TestDocsPaths(t *testing.T) {
	s := with(t, func(w *world.World, a *agents.Agents) []registry.Skill {
		clips, does := animation.New(w, a), action.New(w, audio.New(w))
		does.Animate(clips)
		clips.OnArrive(func(tx *world.Tx, id world.ID, what string, of animation.Arrival) error {
			return does.Tell(tx, "path", what, of.Stop, id, "", of)
		})
		return slices.Concat(scene.All(w), three.All(w), animation.All(clips), event.All(event.New(w, does)))
	})
	s.Example(t, s.Ann, "../../docs/games.md", "### Along a path")
	low, high := 0, 0
	for range 40 * 60 {
		s.Steps(1)
		switch y := s.see("ent_3").Pos[1]; {
		case y < 1.001:
			low++
		case y > 2.999:
			high++
		}
	}
	if high < 5*60 || low < 10*60 {
		t.Errorf("the gate was lifted for %d steps, and down for %d", high, low)
	}
}

// An action has a state machine go on, and one that cannot is told.
func TestCues(t *testing.T) {
	s := with(t, withZones)
	clips(t, s.Server, s.Ann)
	s.Do("animation.createStateMachine", `{"entity":"ent_0","name":"m","defaultState":"still","states":[{"name":"still","clipId":"walk"},{"name":"up","clipId":"rise"},{"name":"open","clipId":"open"}],
		"parameters":[{"name":"go","type":"bool","defaultValue":false}],"transitions":[{"from":"still","to":"up","duration":0,"conditions":[{"param":"go","op":"true"}]}]}`)
	s.Do("trigger.create", `{"center":[50,0,0],"size":[1,1,1]}`)
	s.Do("trigger.onEnter", `{"triggerId":"trg_0","action":{"type":"animation","target":"ent_0","data":{"param":"go","value":true}}}`)
	s.Do("trigger.onExit", `{"triggerId":"trg_0","action":{"type":"animation","target":"ent_0","data":{"state":"open"}}}`)
	s.Do("trigger.onExit", `{"triggerId":"trg_0","action":{"type":"animation","data":{"clipId":"none"}}}`)
	s.Do("trigger.onExit", `{"triggerId":"trg_0","action":{"type":"animation","target":"hero","data":{"wave":1}}}`)
	s.Do("scene.createEntity", `{"position":[50,0,0]}`)
	s.Steps(62)
	s.at("ent_0", 1, 4, 3)
	s.Heard()
	s.Do("three.setTransform", `{"entity":"ent_1","position":[60,0,0]}`)
	s.Steps(70)
	s.turned("ent_0", 0, math.Pi/2, 0)
	told := s.Heard()
	failed := slices.ContainsFunc(told, func(m string) bool {
		return strings.HasPrefix(m, "trigger.failed") && strings.Contains(m, `unknown clip`)
	})
	handed := slices.ContainsFunc(told, func(m string) bool {
		return strings.HasPrefix(m, "trigger.animation") && strings.Contains(m, `{"wave":1}`)
	})
	if !failed || !handed {
		t.Errorf("told: %q", told)
	}
	for _, c := range [][2]string{
		{`{"clipId":"open","lop":false}`, `action.data.lop: unknown field, did you mean "loop"?`},
		{`{"clipId":"open","state":"up"}`, `action.data: say one of clipId, param with value, and state`},
		{`{"param":"go"}`, `action.data: param and value go together`},
	} {
		_, err := s.Call(s.Ann, "trigger.onEnter", `{"triggerId":"trg_0","action":{"type":"animation","data":`+c[0]+`}}`)
		if err == nil || !strings.HasPrefix(err.Message, c[1]) {
			t.Errorf("%s: %v, want %s", c[0], err, c[1])
		}
	}
	if _, err := s.Call(s.Ann, "trigger.onEnter", `{"triggerId":"trg_0","action":{"type":"animation","target":"door","data":{"clipId":"open"}}}`); err == nil || !strings.HasPrefix(err.Message, "action.target: ") {
		t.Errorf("a target that is no entity: %v", err)
	}
}
