package interaction_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

// TestTheDocsExample makes the calls that docs/games.md shows.
func TestTheDocsExample(t *testing.T) {
	page, err := os.ReadFile("../../docs/games.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(page), "## Things that can be used\n")
	_, calls, shown := strings.Cut(section, "```json\n")
	calls, _, ends := strings.Cut(calls, "```")
	if !found || !shown || !ends {
		t.Fatal("docs/games.md shows no example")
	}
	s, ann := skilltest.New(t, all), skilltest.Caller(t, "ann", skilltest.Builder)
	d, last := json.NewDecoder(strings.NewReader(calls)), ""
	for d.More() {
		var call [2]json.RawMessage
		var name string
		if err := d.Decode(&call); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(call[0], &name); err != nil {
			t.Fatal(err)
		}
		last = s.Must(t, ann, name, string(call[1]))
		if strings.Contains(last, `"ok":false`) || strings.Contains(last, `"note"`) {
			t.Errorf("%s %s: %s", name, call[1], last)
		}
	}
	if last != `{"ok":true,"seconds":1}` {
		t.Errorf("at the end: %s", last)
	}
	heard := listen(t, s)
	s.Steps(60)
	turned(t, s, "ent_2", 1.57)
	if all := strings.Join(*heard, "\n"); !strings.Contains(all, "door_creak") {
		t.Errorf("nobody hears the door:\n%s", all)
	}
}
