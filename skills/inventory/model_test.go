package inventory_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

// bag is an inventory as the test sees it: a word for each item, by slot and by place.
type bag struct {
	slots [][]string
	worn  map[string]string
}

// TestAgainstBagsOfSingleItems moves items at random between bags in which each lies by itself, and undoes it now and then. The
// totals change by add and remove only, and by as many as they say.
func TestAgainstBagsOfSingleItems(t *testing.T) {
	most := map[string]int{"coin": 10, "sword": 1, "hat": 2}
	names := []string{"coin", "sword", "hat"}
	rapid.Check(t, func(rt *rapid.T) {
		s, ann := skilltest.New(t, all), skilltest.Caller(t, "ann", skilltest.Builder)
		shop([2]string{"inventory.create", `{"entity":"ent_1","capacity":4}`})(t, s, ann)
		bags := []*bag{{make([][]string, 3), map[string]string{}}, {make([][]string, 4), map[string]string{}}}
		total := map[string]int{}
		yes := func(out string) bool { return strings.HasPrefix(out, `{"ok":true`) }
		for range rapid.IntRange(1, 40).Draw(rt, "turns") {
			i := rapid.IntRange(0, 1).Draw(rt, "who")
			b, item, n := bags[i], rapid.SampledFrom(names).Draw(rt, "item"), rapid.IntRange(1, 12).Draw(rt, "n")
			place := rapid.SampledFrom([]string{"hand", "head"}).Draw(rt, "place")
			before := s.Content()
			var want, got bool
			switch turn := rapid.IntRange(0, 4).Draw(rt, "turn"); turn {
			case 0:
				now := b.clone()
				want = now.add(item, n, most[item])
				got = yes(s.Must(t, ann, "inventory.add", fmt.Sprintf(`{"entity":"ent_%d","itemId":%q,"quantity":%d}`, i, item, n)))
				if want {
					bags[i] = now
					total[item] += n
				}
			case 1:
				now := b.clone()
				want = now.remove(item, n)
				got = yes(s.Must(t, ann, "inventory.remove", fmt.Sprintf(`{"entity":"ent_%d","itemId":%q,"quantity":%d}`, i, item, n)))
				if want {
					bags[i] = now
					total[item] -= n
				}
			case 2:
				now, other := b.clone(), bags[1-i].clone()
				want = now.remove(item, n) && other.add(item, n, most[item])
				got = yes(s.Must(t, ann, "inventory.transfer", fmt.Sprintf(`{"fromEntity":"ent_%d","toEntity":"ent_%d","itemId":%q,"quantity":%d}`, i, 1-i, item, n)))
				if want {
					bags[i], bags[1-i] = now, other
				}
			case 3:
				now := b.clone()
				want = now.worn[place] == item || now.remove(item, 1) && (now.worn[place] == "" || now.add(now.worn[place], 1, most[now.worn[place]]))
				now.worn[place] = item
				got = yes(s.Must(t, ann, "item.equip", fmt.Sprintf(`{"entity":"ent_%d","itemId":%q,"equipmentSlot":%q}`, i, item, place)))
				if want {
					bags[i] = now
				}
			case 4:
				now := b.clone()
				want = now.worn[place] != "" && now.add(now.worn[place], 1, most[now.worn[place]])
				delete(now.worn, place)
				got = yes(s.Must(t, ann, "item.unequip", fmt.Sprintf(`{"entity":"ent_%d","equipmentSlot":%q}`, i, place)))
				if want {
					bags[i] = now
				}
			}
			if got != want {
				rt.Fatalf("was it done: %t, want %t", got, want)
			}
			if after := s.Content(); after != before && rapid.Bool().Draw(rt, "undo and redo") {
				s.Must(t, ann, "world.undo", `{}`)
				if s.Content() != before {
					rt.Fatal("an undo leaves another world")
				}
				s.Must(t, ann, "world.redo", `{}`)
			} else if !want && after != before {
				rt.Fatal("what was not done has changed the world")
			}
			sum := map[string]int{}
			for j, b := range bags {
				if got := contents(t, s, ann, fmt.Sprintf("ent_%d", j)); got != b.text(sum) {
					rt.Fatalf("ent_%d holds %q, want %q", j, got, b.text(map[string]int{}))
				}
			}
			for _, item := range names {
				if sum[item] != total[item] {
					rt.Fatalf("there are %d %s, want %d", sum[item], item, total[item])
				}
			}
		}
	})
}

func (b *bag) clone() *bag {
	c := &bag{make([][]string, len(b.slots)), map[string]string{}}
	for i, s := range b.slots {
		c.slots[i] = append([]string(nil), s...)
	}
	for k, v := range b.worn {
		c.worn[k] = v
	}
	return c
}

// add puts items in one by one.
func (b *bag) add(item string, n, most int) bool {
	for range n {
		at := -1
		for i, s := range b.slots {
			if len(s) > 0 && s[0] == item && len(s) < most {
				at = i
				break
			}
		}
		for i := 0; at < 0 && i < len(b.slots); i++ {
			if len(b.slots[i]) == 0 {
				at = i
			}
		}
		if at < 0 {
			return false
		}
		b.slots[at] = append(b.slots[at], item)
	}
	return true
}

func (b *bag) remove(item string, n int) bool {
	for range n {
		at := -1
		for i, s := range b.slots {
			if len(s) > 0 && s[0] == item {
				at = i
			}
		}
		if at < 0 {
			return false
		}
		b.slots[at] = b.slots[at][1:]
	}
	return true
}

// text writes what is in a bag as contents does, and adds it to a sum.
func (b *bag) text(sum map[string]int) string {
	var parts []string
	for i, s := range b.slots {
		if len(s) > 0 {
			parts = append(parts, fmt.Sprintf("%d:%d%s", i, len(s), s[0]))
			sum[s[0]] += len(s)
		}
	}
	for _, place := range []string{"hand", "head"} {
		if item := b.worn[place]; item != "" {
			parts = append(parts, place+"="+item)
			sum[item]++
		}
	}
	return strings.Join(parts, " ")
}
