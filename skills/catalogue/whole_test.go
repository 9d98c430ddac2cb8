package catalogue_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills"
	"github.com/limina-mcp/limina/world"
)

// TestSearchTheCatalogue asks the whole catalogue what agents ask: one of the skills that they need must be among
// the first three, and for a single word the first.
func TestSearchTheCatalogue(t *testing.T) {
	w := world.New(world.Config{})
	r := &rig{t, registry.New(registry.Options{Tick: w.Tick})}
	if err := r.reg.Register(skills.All(skills.Deps{World: w, Agents: agents.New(w)})...); err != nil {
		t.Fatal(err)
	}
	var all []profiles.Permission
	for _, k := range r.reg.List(registry.Filter{}) {
		all = append(all, k.Info().Permissions...)
	}
	builder := &profiles.Principal{ID: "ann", Session: "s1", Grants: profiles.Grant(all...)}
	for file, first := range map[string]int{"searches.txt": 3, "words.txt": 1} {
		asked, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(asked)) {
			query, wanted, ok := strings.Cut(strings.TrimSpace(line), " | ")
			if !ok {
				continue // words about the rest
			}
			input, _ := json.Marshal(map[string]string{"query": query})
			found := strings.Fields(r.names(builder, "skills.search", string(input)))
			want := strings.Fields(wanted)
			if !slices.ContainsFunc(found[:min(first, len(found))], func(name string) bool { return slices.Contains(want, name) }) {
				t.Errorf("%q finds %v, want one of %v among the first %d", query, found, want, first)
			}
		}
	}
}
