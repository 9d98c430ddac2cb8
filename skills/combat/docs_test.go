package combat_test

import (
	"strings"
	"testing"
)

// TestDocs runs the example of docs/games.md.
func TestDocs(t *testing.T) {
	f := newField(t)
	var left []float64
	f.Example(t, f.Ann, "../../docs/games.md", "## Stats, damage, effects, fights", func(skill, _ string) {
		if strings.HasPrefix(skill, "combat.") {
			left = append(left, f.hp("ent_1"))
		}
	})
	if len(left) != 2 || left[0] != 20 || left[1] != 12 {
		t.Errorf("the goblin has %v, want 20 and 12", left)
	}
	f.Steps(179)
	if f.hp("ent_1") != 4 {
		t.Errorf("a step before the end it has %v, want 4", f.hp("ent_1"))
	}
	f.Steps(1)
	if n, gold := f.Len(), f.Entity(t, "ent_2"); n != 2 || !strings.Contains(gold, `"color":16766720`) || !strings.Contains(gold, `"pos":[0,0.5,1.5]`) {
		t.Errorf("there are %d entities, and the gold is %s", n, gold)
	}
}
