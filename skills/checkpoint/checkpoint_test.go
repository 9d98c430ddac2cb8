package checkpoint_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/checkpoint"
	"github.com/limina-mcp/limina/skills/ecs"
	"github.com/limina-mcp/limina/skills/history"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/world"
)

func skills(w *world.World, _ *agents.Agents) []registry.Skill {
	return slices.Concat(scene.All(w), ecs.All(w), history.All(w), checkpoint.All(checkpoint.New(w)))
}

// kept is what a checkpoint has to give back.
type kept struct {
	tick     uint64
	entities int
	content  [32]byte
	world    bool   // it holds the world
	state    string // the game state, "" for none
}

func (k *kept) text(name string) string {
	return fmt.Sprintf(`{"name":%q,"tick":%d,"entityCount":%d}`, name, k.tick, k.entities)
}

func now(s *skilltest.Server) (content [32]byte, tick uint64, entities int) {
	s.World.View(func(v *world.View) { content, tick, entities = v.ContentHash(), v.Tick(), v.Len() })
	return content, tick, entities
}

// TestCheckpoints has two agents build, keep and come back in any order. What was kept comes back whoever has changed what since,
// also after it was undone that it came back; what was not asked for is not kept, and nothing else changes checkpoints.
func TestCheckpoints(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := skilltest.New(t, skills)
		people := []*profiles.Principal{skilltest.Caller(t, "ann", skilltest.Builder), skilltest.Caller(t, "bob", skilltest.Builder)}
		all := map[string]*kept{}
		must := func(p *profiles.Principal, name, input string) string {
			out, err := s.Call(p, name, input)
			if err != nil {
				rt.Fatalf("%s %s: %v", name, input, err)
			}
			return out
		}
		rt.Repeat(map[string]func(*rapid.T){
			"build": func(t *rapid.T) {
				p := rapid.SampledFrom(people).Draw(t, "who")
				entity := fmt.Sprintf("ent_%d", rapid.IntRange(0, 5).Draw(t, "entity"))
				_, _ = s.Call(p, rapid.SampledFrom([]string{"scene.createEntity", "scene.destroyEntity", "ecs.addComponent", "world.undo"}).Draw(t, "skill"),
					rapid.SampledFrom([]string{`{}`, `{"entity":"` + entity + `"}`, `{"entity":"` + entity + `","component":"tree"}`}).Draw(t, "input"))
			},
			"create": func(t *rapid.T) {
				name := rapid.SampledFrom([]string{"a", "b", "<ü>"}).Draw(t, "name")
				k := &kept{world: rapid.Bool().Draw(t, "world")}
				in := map[string]any{"name": name, "includeEntityPositions": k.world}
				if rapid.Bool().Draw(t, "a state") {
					state := fmt.Sprintf(`{"n":%d}`, rapid.IntRange(0, 9).Draw(t, "n"))
					in["gameState"], in["includeGameState"] = json.RawMessage(state), false
					if rapid.Bool().Draw(t, "to keep") {
						in["includeGameState"], k.state = true, state
					}
				}
				text, err := json.Marshal(in)
				if err != nil {
					t.Fatal(err)
				}
				if k.content, k.tick, k.entities = now(s); !k.world {
					k.entities = 0
				}
				if got, want := must(people[0], "checkpoint.create", string(text)), fmt.Sprintf(`{"ok":true,"name":%q,"entityCount":%d}`, name, k.entities); got != want {
					t.Fatalf("got %s, want %s", got, want)
				}
				all[name] = k
			},
			"load": func(t *rapid.T) {
				if len(all) == 0 {
					return
				}
				name := rapid.SampledFrom(slices.Sorted(maps.Keys(all))).Draw(t, "name")
				k, p := all[name], rapid.SampledFrom(people).Draw(t, "who")
				before, tick, _ := now(s)
				want := `{"ok":true,"checkpoint":` + k.text(name)
				if k.state != "" {
					want += `,"gameState":` + k.state
				}
				if got := must(p, "checkpoint.load", fmt.Sprintf(`{"name":%q}`, name)); got != want+"}" {
					t.Fatalf("got %s, want %s}", got, want)
				}
				after, later, _ := now(s)
				if !k.world && after != before || k.world && after != k.content {
					t.Fatalf("%q has not come back", name)
				}
				if later > tick {
					must(p, "world.undo", `{}`)
					if undone, _, _ := now(s); undone != before {
						t.Fatalf("%q cannot be undone", name)
					}
				}
			},
			"delete": func(t *rapid.T) {
				name := rapid.SampledFrom([]string{"a", "b", "<ü>"}).Draw(t, "name")
				before, _, _ := now(s)
				out, err := s.Call(people[1], "checkpoint.delete", fmt.Sprintf(`{"name":%q}`, name))
				if _, there := all[name]; there != (err == nil) || there && out != `{"ok":true}` {
					t.Fatalf("delete %q: %s, %v", name, out, err)
				}
				delete(all, name)
				if after, _, _ := now(s); after != before {
					t.Fatal("to delete a checkpoint changes the world")
				}
			},
			"": func(t *rapid.T) {
				var list []string
				for _, name := range slices.Sorted(maps.Keys(all)) {
					list = append(list, all[name].text(name))
				}
				if got, want := must(people[1], "checkpoint.list", `{}`), `{"checkpoints":[`+strings.Join(list, ",")+`]}`; got != want {
					t.Fatalf("got %s, want %s", got, want)
				}
			},
		})
	})
}

// What there is no room for is refused, with what makes room; what takes the place of another needs no room beside it.
func TestCheckpointBounds(t *testing.T) {
	s := skilltest.New(t, skills)
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	refused := func(skill, input, code, want string) {
		t.Helper()
		if out, err := s.Call(p, skill, input); err == nil || string(err.Code) != code || !strings.Contains(err.Message, want) {
			t.Errorf("%s %.60s: %s, %v; want %s: %s", skill, input, out, err, code, want)
		}
	}
	refused("checkpoint.load", `{"name":"a"}`, "handler_error", `name: there is no checkpoint "a"; there are none yet, checkpoint.create makes one`)
	state := func(name string, size int) string {
		return `{"name":"` + name + `","includeEntityPositions":false,"gameState":{"a":"` + strings.Repeat("x", size-len(`{"a":""}`)) + `"}}`
	}
	s.Must(t, p, "checkpoint.create", state("a", checkpoint.MaxBytes-100))
	refused("checkpoint.create", state("b", 101), "capacity_exceeded", "with this one they would hold 67108865: checkpoint.delete makes room")
	s.Must(t, p, "checkpoint.create", state("b", 100))
	s.Must(t, p, "checkpoint.create", state("b", 100))
	refused("checkpoint.create", `{"name":"c"}`, "capacity_exceeded", "checkpoints hold at most 67108864 bytes together")
	s.Must(t, p, "checkpoint.delete", `{"name":"a"}`)
	refused("checkpoint.delete", `{"name":"a"}`, "handler_error", `name: there is no checkpoint "a"; there are b`)
	for i := range checkpoint.MaxCheckpoints - 1 {
		s.Must(t, p, "checkpoint.create", fmt.Sprintf(`{"name":"%02d"}`, i))
	}
	refused("checkpoint.create", `{"name":"c"}`, "capacity_exceeded", "is full: it holds 32")
	s.Must(t, p, "checkpoint.create", `{"name":"b"}`)
	refused("checkpoint.load", `{"name":"c"}`, "handler_error", `there are 00, 01, 02`)
}

// TestCheckpointsOfActions: an action that makes a checkpoint in each step makes one in a second, and the more there is the more seldom.
func TestCheckpointsOfActions(t *testing.T) {
	s := skilltest.New(t, skills)
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	for range 1000 {
		s.Must(t, p, "scene.createEntity", `{}`)
	}
	made := 0
	var last string
	for range 600 {
		if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
			return tx.As("ann", func() error {
				res := s.Registry.InvokeIn(t.Context(), tx, &registry.Request{Name: "checkpoint.create", Input: []byte(`{"name":"auto"}`), Principal: p})
				if res.Err == nil {
					made++
				} else {
					last = res.Err.Message
				}
				return nil // of what fails nothing remains
			})
		}); err != nil {
			t.Fatal(err)
		}
		s.Steps(1)
	}
	if want := "actions of yours make a checkpoint of 1000 entities once in 2 simulated seconds: the next from step 600 on, which is in 0.0 s"; made != 5 || last != want {
		t.Errorf("%d checkpoints in ten seconds, and %s; want 5, and %s", made, last, want)
	}
	s.Must(t, p, "checkpoint.create", `{"name":"own"}`)
	s.Must(t, p, "checkpoint.create", `{"name":"own"}`)
}
