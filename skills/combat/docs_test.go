package combat_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestDocs runs the example of docs/games.md.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile("../../docs/games.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "\n## Stats, damage, effects, fights\n")
	_, rest, _ = strings.Cut(rest, "```json\n")
	list, _, found := strings.Cut(rest, "```")
	var calls [][2]json.RawMessage
	if err := json.Unmarshal([]byte(list), &calls); err != nil || !found {
		t.Fatalf("found %t: %v", found, err)
	}
	f := newField(t)
	var left []float64
	for _, c := range calls {
		var name string
		if err := json.Unmarshal(c[0], &name); err != nil {
			t.Fatal(err)
		}
		if f.do(name, "%s", c[1]); strings.HasPrefix(name, "combat.") {
			left = append(left, f.hp("ent_1"))
		}
	}
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
