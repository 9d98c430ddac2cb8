package interaction_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

// TestNoMoveMakesOrEndsAnItem has ann and bob pick up, drop, transfer, wear and take back at random. Whatever comes of it, as many coins lie about, are
// in bags and are worn as there were at the beginning; and what is refused changes nothing.
func TestNoMoveMakesOrEndsAnItem(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := skilltest.New(t, all)
		ann, bob := skilltest.Caller(t, "ann", skilltest.Builder), skilltest.Caller(t, "bob", skilltest.Builder)
		s.Must(t, ann, "item.define", `{"id":"coin","name":"Coin","maxStack":3}`)
		s.Must(t, ann, "agent.embody", `{"position":[0,0,0]}`) // ent_0
		s.Must(t, bob, "agent.embody", `{"position":[1,0,0]}`) // ent_1
		s.Must(t, ann, "inventory.create", `{"entity":"ent_0","capacity":2}`)
		s.Must(t, ann, "inventory.create", `{"entity":"ent_1","capacity":3}`)
		total := 0
		for i := range 3 { // ent_2 to ent_4
			n := rapid.IntRange(1, 4).Draw(rt, "n")
			s.Must(t, ann, "scene.createEntity", fmt.Sprintf(`{"position":[%d,0,0]}`, i))
			s.Must(t, ann, "interaction.register", fmt.Sprintf(`{"entity":"ent_%d","prompt":"x","type":"pickup","config":{"itemId":"coin","quantity":%d}}`, i+2, n))
			total += n
		}
		done := [2]int{}
		for range rapid.IntRange(1, 30).Draw(rt, "turns") {
			who, me, other := ann, 0, 1
			if rapid.Bool().Draw(rt, "bob") {
				who, me, other = bob, 1, 0
			}
			n, slot := rapid.IntRange(1, 4).Draw(rt, "n"), ""
			if rapid.IntRange(0, 3).Draw(rt, "in a slot") == 0 {
				slot = fmt.Sprintf(`,"slot":%d`, rapid.IntRange(0, 3).Draw(rt, "slot"))
			}
			lies := rapid.IntRange(0, 12).Draw(rt, "entity")
			var name, in string
			switch rapid.IntRange(0, 7).Draw(rt, "turn") {
			case 0, 1:
				name, in = "interaction.pickup", fmt.Sprintf(`{"itemEntity":"ent_%d"%s}`, lies, slot)
			case 2:
				name, in = "interaction.interact", fmt.Sprintf(`{"entity":"ent_%d"}`, lies)
			case 3:
				name, in = "interaction.drop", fmt.Sprintf(`{"itemId":"coin","quantity":%d%s}`, n, slot)
			case 4:
				name, in = "inventory.transfer", fmt.Sprintf(`{"fromEntity":"ent_%d","toEntity":"ent_%d","itemId":"coin","quantity":%d}`, me, other, n)
			case 5:
				name, in = "item.equip", fmt.Sprintf(`{"entity":"ent_%d","itemId":"coin","equipmentSlot":"ear"}`, me)
			case 6:
				name, in = "item.unequip", fmt.Sprintf(`{"entity":"ent_%d","equipmentSlot":"ear"}`, me)
			case 7:
				name, in = "world.undo", `{}`
				if done[me] == 0 { // what was there at the beginning stays
					continue
				}
			}
			before := s.Content()
			out, err := s.Call(who, name, in)
			switch changed := s.Content() != before; {
			case changed && (err != nil || strings.Contains(out, `"ok":false`)):
				rt.Fatalf("%s %s is refused and changes the world: %s %v", name, in, out, err)
			case name == "world.undo" && err == nil:
				done[me]--
			case changed:
				done[me]++
			}
			if got := coins(t, s); got != total {
				rt.Fatalf("after %s %s there are %d coins, want %d", name, in, got, total)
			}
		}
	})
}

// coins counts those that lie about, are in bags, and are worn.
func coins(t testing.TB, s *server) (n int) {
	t.Helper()
	s.World.View(func(v *world.View) {
		var kinds struct {
			Columns map[string]map[string]json.RawMessage `json:"columns"`
		}
		if err := json.Unmarshal(v.AppendSnapshot(nil), &kinds); err != nil {
			t.Fatal(err)
		}
		for _, text := range kinds.Columns["interaction.setup"] {
			var lies struct {
				ItemID   string
				Quantity int
			}
			if err := json.Unmarshal(text, &lies); err != nil {
				t.Fatal(err)
			}
			n += lies.Quantity
		}
		for _, column := range []string{"inventory.items", "equipment"} {
			for _, text := range kinds.Columns[column] {
				var held []struct{ Quantity *int }
				if err := json.Unmarshal(text, &held); err != nil {
					t.Fatal(err)
				}
				for _, h := range held {
					if h.Quantity == nil {
						n++
					} else {
						n += *h.Quantity
					}
				}
			}
		}
	})
	return n
}
