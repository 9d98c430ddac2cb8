package checkpoint_test

import (
	"testing"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/checkpoint"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

// TestWaitsForItsTurn: what keeps everybody from the world for long waits for its turn.
func TestWaitsForItsTurn(t *testing.T) {
	skilltest.WaitsForTurn(t, func(w *world.World) ([]registry.Skill, *registry.Turns) {
		p := checkpoint.New(w)
		return checkpoint.All(p), p.Turns()
	}, "checkpoint.load", `{"name":"x"}`)
}
