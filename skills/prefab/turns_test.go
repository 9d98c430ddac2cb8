package prefab_test

import (
	"testing"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/prefab"
	"github.com/limina-mcp/limina/world"
)

// TestWaitsForItsTurn: what keeps everybody from the world for long waits for its turn.
func TestWaitsForItsTurn(t *testing.T) {
	skilltest.WaitsForTurn(t, func(w *world.World) ([]registry.Skill, *registry.Turns) {
		p := prefab.New(w)
		return prefab.All(p), p.Turns()
	}, "prefab.instantiate", `{"name":"x"}`)
}
