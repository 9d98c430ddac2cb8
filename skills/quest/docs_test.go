package quest_test

import (
	"slices"
	"strings"
	"testing"
)

// TestDocs runs the example of docs/games.md.
func TestDocs(t *testing.T) {
	r := newEmptyRoom(t, "name", "level")
	r.Example(t, r.Ann, "../../docs/games.md", "## Quests and levels", func(skill, out string) {
		if strings.Contains(out, `"ok":false`) || strings.Contains(out, `"note`) || strings.Contains(out, `"killed":false`) {
			t.Errorf("%s: %s", skill, out)
		}
	})
	r.Heard()
	r.next("the goblin is dead", "goblin completed slay 1/1; beyond active go 0/1")
	if r.Len() != 2 {
		t.Errorf("there are %d entities, want 2: the gate is open", r.Len())
	}
	r.Steps(1)
	if heard := r.Heard(); !slices.Contains(heard, "progression.levelUp 2") || !slices.Contains(heard, "audio.playSFX fanfare") {
		t.Errorf("viewers are told %q", heard)
	}
	r.Do("progression.allocate", `{"entity":"ent_0","treeId":"arms","nodeId":"tough"}`)
	for name, want := range map[string]string{"hp": `{"value":110,"maxValue":110,"minValue":0}`, "gold": `"value":20,`} {
		if got := r.Do("stats.get", `{"entity":"ent_0","statName":%q}`, name); !strings.Contains(got, want) {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	r.Do("three.setTransform", `{"entity":"ent_0","position":[0,0.5,7]}`)
	r.next("beyond the gate", "goblin completed slay 1/1; beyond completed go 1/1")
}
