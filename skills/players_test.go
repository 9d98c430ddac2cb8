package skills_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

// TestTheDocsPlayers has somebody come into the place of docs/games.md who plays, and then one who may fight.
func TestTheDocsPlayers(t *testing.T) {
	const page, heading = "../docs/games.md", "## Who plays"
	r := newStage(t)
	r.Example(t, r.Ann, page, heading)
	pia := skilltest.Caller(t, "pia", "player.limited")
	r.Must(t, pia, "player.spawn", `{"position":[0,1,0]}`)
	r.Steps(2)
	if got := r.Must(t, pia, "stats.get", `{"entity":"ent_0","statName":"hp"}`); !strings.Contains(got, `"value":30`) {
		t.Errorf("her health is %s", got)
	}
	if got := r.Must(t, pia, "quest.list", `{"entity":"ent_0"}`); !strings.Contains(got, `"questId":"mushrooms","name":"Five mushrooms","status":"active"`) {
		t.Errorf("her quests are %s", got)
	}
	const strike = `{"attackerEntity":"ent_0","damage":1}`
	if _, err := r.Call(pia, "combat.melee", strike); err == nil || err.Message != "missing permission: combat.write" {
		t.Errorf("she strikes: %v", err)
	}

	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), heading+"\n")
	_, rest, _ = strings.Cut(rest, "```yaml\n")
	file, _, _ := strings.Cut(rest, "```\n")
	path := filepath.Join(t.TempDir(), "profiles.yaml")
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	set, err := profiles.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	grants, err := set.Resolve("player.fighter")
	if err != nil {
		t.Fatal(err)
	}
	fighter := *pia
	fighter.Grants = grants
	r.Must(t, &fighter, "combat.melee", strike)
}
