package dialogue_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/skills/dialogue"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

// step is a node as the test sees it: choices to others, each open while a flag is set, or always.
type step []struct {
	to   int // -1: the end
	flag int // -1: none
}

// TestAgainstOne walks through random trees, and compares it with one that looks at the choices by hand.
func TestAgainstOne(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := skilltest.NewRoom(t, all)
		n := rapid.IntRange(1, 6).Draw(rt, "nodes")
		flags := make([]bool, 3)
		nodes, texts := make([]step, n), []string{}
		for i := range nodes {
			nodes[i] = make(step, rapid.IntRange(0, 4).Draw(rt, "choices"))
			for j := range nodes[i] {
				nodes[i][j].to, nodes[i][j].flag = rapid.IntRange(-1, n-1).Draw(rt, "to"), rapid.IntRange(-1, 2).Draw(rt, "flag")
			}
		}
		for i := 1; i < n; i++ { // so that choices lead to all
			nodes[i-1] = append(nodes[i-1], step{{i, -1}}...)
		}
		for i, s := range nodes {
			var choices []string
			for j, c := range s {
				next, only := "", ""
				if c.to >= 0 {
					next = fmt.Sprint("n", c.to)
				}
				if c.flag >= 0 {
					only = fmt.Sprintf(`,"condition":"flag('f%d')"`, c.flag)
				}
				choices = append(choices, fmt.Sprintf(`{"text":"c%d","nextNodeId":%q%s}`, j, next, only))
			}
			texts = append(texts, fmt.Sprintf(`{"id":"n%d","text":"t","speaker":"","choices":[%s]}`, i, strings.Join(choices, ",")))
		}
		r.Do("scene.createEntity", `{}`)
		r.Do("scene.createEntity", `{}`)
		r.Do("dialogue.define", `{"id":"a","name":"A","startNode":"n0","nodes":[%s]}`, strings.Join(texts, ","))
		at, offered := -1, []int{}
		enter := func(to int) {
			at, offered = to, nil
			if to < 0 {
				return
			}
			for j, c := range nodes[to] {
				if c.flag < 0 || flags[c.flag] {
					offered = append(offered, j)
				}
			}
			if len(offered) == 0 {
				at = -1
			}
		}
		for range rapid.IntRange(1, 20).Draw(rt, "turns") {
			switch turn := rapid.IntRange(0, 9).Draw(rt, "turn"); {
			case turn == 0:
				f := rapid.IntRange(0, 2).Draw(rt, "which")
				flags[f] = !flags[f]
				r.Do("game.flag", `{"name":"f%d","value":%t}`, f, flags[f])
			case at < 0:
				r.Do("dialogue.start", `{"treeId":"a",%s}`, two)
				enter(0)
			default:
				i := rapid.IntRange(0, len(offered)-1).Draw(rt, "choice")
				c := nodes[at][offered[i]]
				out := r.Do("dialogue.choose", `{%s,"choiceIndex":%d}`, two, i)
				if open := c.flag < 0 || flags[c.flag]; open != strings.Contains(out, `"ok":true`) {
					rt.Fatalf("choice %d of node %d: %s", offered[i], at, out)
				} else if open {
					enter(c.to)
				}
			}
			var got dialogue.GetOut
			if err := json.Unmarshal([]byte(r.Do("dialogue.get", `{%s}`, two)), &got); err != nil {
				rt.Fatal(err)
			}
			if (got.CurrentNode != nil) != (at >= 0) {
				rt.Fatalf("it is at %v, want node %d", got.CurrentNode, at)
			}
			if at < 0 {
				continue
			}
			var want []dialogue.ChoiceOut
			for i, j := range offered {
				want = append(want, dialogue.ChoiceOut{Index: i, Text: fmt.Sprint("c", j)})
			}
			if got.CurrentNode.ID != fmt.Sprint("n", at) || !slices.Equal(got.CurrentNode.Choices, want) {
				rt.Fatalf("it is at %+v, want node %d with %v", got.CurrentNode, at, want)
			}
		}
	})
}
