package save_test

import (
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/save"
	"github.com/limina-mcp/limina/world"
)

// TestWaitsForItsTurn: what keeps everybody from the world for long waits for its turn.
func TestWaitsForItsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var turns *registry.Turns
		s := skilltest.New(t, func(w *world.World, _ *agents.Agents) []registry.Skill {
			p := save.New(w, save.Options{})
			turns = p.Turns()
			return save.All(p)
		})
		release := s.Hold(t, turns)
		outcome := s.Start(t.Context(), skilltest.Caller(t, "ann", skilltest.Builder), "save.import", `{"data":"x"}`)
		if len(outcome) > 0 {
			t.Errorf("it has not waited: %v", <-outcome)
		}
		release()
		if err := <-outcome; err == nil {
			t.Error("there is something to be had")
		}
	})
}
