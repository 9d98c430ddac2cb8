package interaction_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

// TestTheDocsExample makes the calls that docs/games.md shows.
func TestTheDocsExample(t *testing.T) {
	s, ann, last := skilltest.New(t, all), skilltest.Caller(t, "ann", skilltest.Builder), ""
	s.Example(t, ann, "../../docs/games.md", "## Things that can be used", func(skill, out string) {
		if last = out; strings.Contains(out, `"ok":false`) || strings.Contains(out, `"note"`) {
			t.Errorf("%s: %s", skill, out)
		}
	})
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
