package behavior_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

// TestDocs runs the example of docs/games.md.
func TestDocs(t *testing.T) {
	r := skilltest.NewRoom(t, all)
	r.Example(t, r.Ann, "../../docs/games.md", "## Characters that live by themselves")
	r.Steps(seconds * 5)
	if hp := r.Do("stats.get", `{"entity":"ent_1","statName":"hp"}`); !strings.Contains(hp, `"value":0`) {
		t.Errorf("the thief has %s", hp)
	}
	r.Steps(seconds * 4)
	does(t, r, `{"profileId":"watchman","goalId":"rounds","type":"patrol"}`)
	r.Do("world.setTime", `{"time":22}`)
	r.Steps(seconds * 5)
	stands(t, r, "ent_0", 0, -6)
}
