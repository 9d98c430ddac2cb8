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

// TestTheRulesOfTheDocs runs the example of what players fight with: one has fists, and a bow once he holds it.
func TestTheRulesOfTheDocs(t *testing.T) {
	f, bob := match(t, "")
	f.Example(t, f.Ann, "../../docs/games.md", "### What players fight with")
	if got := f.Must(t, bob, "combat.melee", `{"attackerEntity":"ent_1","damage":2,"config":{"critChance":0}}`); !strings.Contains(got, `"damage":2`) {
		t.Errorf("with fists: %s", got)
	}
	shoot := func(want string) {
		t.Helper()
		if got := f.Must(t, bob, "combat.ranged", `{"attackerEntity":"ent_1","targetEntity":"ent_0","damage":8,"config":{"critChance":0}}`); !strings.Contains(got, want) {
			t.Errorf("he shoots: %s, want %s in it", got, want)
		}
	}
	shoot(`does not hold the item`)
	f.Do("inventory.add", `{"entity":"ent_1","itemId":"bow"}`)
	f.Must(t, bob, "item.equip", `{"entity":"ent_1","itemId":"bow","equipmentSlot":"hand"}`)
	shoot(`"damage":8`)
	shoot(`rests for 90 steps more`)
}
