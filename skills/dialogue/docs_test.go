package dialogue_test

import (
	"testing"

	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

// TestDocs runs the example of docs/games.md.
func TestDocs(t *testing.T) {
	r := skilltest.NewRoom(t, all)
	r.Example(t, r.Ann, "../../docs/games.md", "## Conversations")
	skilltest.Holds(t, "coins", r.Do("game.counter", `{"name":"coins"}`), `{"value":2}`)
	skilltest.Holds(t, "the sword", r.Do("inventory.count", `{"entity":"ent_1","itemId":"sword"}`), `{"count":1}`)
}
