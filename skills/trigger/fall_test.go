package trigger_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/internal/rapiertest"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/trigger"
	"github.com/limina-mcp/limina/world"
	bodies "github.com/limina-mcp/limina/world/physics"
)

// falling is a world in which bodies fall.
func falling(t *testing.T) *room {
	t.Helper()
	return open(t, func(w *world.World, _ *agents.Agents) []registry.Skill {
		p := bodies.New(w, bodies.Config{Open: rapiertest.Runtime().Open, Gravity: -9.81})
		t.Cleanup(func() {
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		})
		return slices.Concat(scene.All(w), trigger.All(trigger.New(w, audio.New(w))))
	})
}

// TestFallingBall lets a ball fall through a zone onto a floor, twice, and gets the same world.
func TestFallingBall(t *testing.T) {
	fall := func() [32]byte {
		r := falling(t)
		r.Do("scene.createEntity", `{"position":[0,-25,0],"size":50,"static":true}`)
		r.Do("scene.createEntity", `{"shape":"sphere","position":[0,10,0],"dynamic":true}`)
		r.Do("trigger.create", `{"center":[0,5,0],"size":[2,1,2]}`)
		r.Do("trigger.onEnter", `{"triggerId":"trg_0","action":{"type":"emit","target":"in"}}`)
		r.Do("trigger.onExit", `{"triggerId":"trg_0","action":{"type":"emit","target":"out"}}`)
		r.Do("trigger.onExit", `{"triggerId":"trg_0","action":{"type":"spawn","data":{"shape":"sphere","position":[0,10,0],"dynamic":true}}}`)
		r.Steps(54) // in 0.9 s it falls 4 m, to 6
		if got := r.Heard(); got != nil {
			t.Errorf("above the zone: %q", got)
		}
		r.Steps(6)
		if diff := cmp.Diff([]string{"emit enter ent_1 in"}, r.Heard()); diff != "" {
			t.Errorf("in the zone (-want +got):\n%s", diff)
		}
		r.Steps(600)
		// What was spawned falls through too, and has nothing spawned.
		if diff := cmp.Diff([]string{"emit exit ent_1 out", "emit enter ent_2 in", "emit exit ent_2 out"}, r.Heard()); diff != "" {
			t.Errorf("below it (-want +got):\n%s", diff)
		}
		return r.World.Hash()
	}
	if first, second := fall(), fall(); first != second {
		t.Error("the same fall gave two worlds")
	}
}
