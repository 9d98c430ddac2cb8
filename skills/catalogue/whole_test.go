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
// the first three, for a single word the first, and for what is said at more length, as to somebody who builds, among the first five.
func TestSearchTheCatalogue(t *testing.T) {
	r, builder := wholeRig(t)
	for file, first := range map[string]int{"searches.txt": 3, "words.txt": 1, "sentences.txt": 5} {
		for query, want := range wanted(t, file) {
			input, _ := json.Marshal(map[string]string{"query": query})
			found := strings.Fields(r.names(builder, "skills.search", string(input)))
			if !slices.ContainsFunc(found[:min(first, len(found))], func(name string) bool { return slices.Contains(want, name) }) {
				t.Errorf("%q finds %v, want one of %v among the first %d", query, found, want, first)
			}
		}
	}
}

// TestNamesOfOthers calls skills by the names that other programs give to such tools: the refusal suggests the skill that does it
// before all others, and at most three.
func TestNamesOfOthers(t *testing.T) {
	r, builder := wholeRig(t)
	for name, want := range wanted(t, "names.txt") {
		for _, call := range []struct{ skill, input string }{
			{name, `{}`},
			{"skills.call", `{"name":"` + name + `"}`},
			{"skills.describe", `{"name":"` + name + `"}`},
			{"world.batch", `{"operations":[{"skill":"` + name + `"}]}`},
		} {
			err := r.reg.Invoke(t.Context(), &registry.Request{Name: call.skill, Input: []byte(call.input), Principal: builder}, nil).Err
			if err == nil || err.Code != registry.CodeNotFound || len(err.Near) == 0 || len(err.Near) > 3 || !slices.Contains(want, err.Near[0]) {
				t.Errorf("%s %s: %+v, want one of %v first", call.skill, call.input, err, want)
			}
		}
	}
}

// TestNamesThatMeanNothing holds that the refusal of a name of which nothing is known says what finds skills, and that
// nobody is told of a skill that he may not call.
func TestNamesThatMeanNothing(t *testing.T) {
	r, builder := wholeRig(t)
	const lost = "not_found: unknown skill: execute_code. skills.search finds skills by words"
	if got := r.call(builder, "execute_code", `{}`); got != lost {
		t.Errorf("got %s, want %s", got, lost)
	}
	if got := r.call(as("scene.read"), "delete_object", `{}`); strings.Contains(got, "destroy") {
		t.Errorf("a reader is told of it: %s", got)
	}
	r.reg.Unregister("skills.search")
	if got := r.call(builder, "execute_code", `{}`); got != "not_found: unknown skill: execute_code" {
		t.Errorf("without skills.search: %s", got)
	}
}

// wholeRig is a rig of the whole catalogue, with somebody who may call all of it.
func wholeRig(t *testing.T) (*rig, *profiles.Principal) {
	t.Helper()
	w := world.New(world.Config{})
	r := &rig{t, registry.New(registry.Options{Tick: w.Tick})}
	if err := r.reg.Register(skills.All(skills.Deps{World: w, Agents: agents.New(w)})...); err != nil {
		t.Fatal(err)
	}
	var all []profiles.Permission
	for _, k := range r.reg.List(registry.Filter{}) {
		all = append(all, k.Info().Permissions...)
	}
	return r, as(all...)
}

// wanted reads a file of testdata: what is asked, and the skills of which one is wanted.
func wanted(t *testing.T, file string) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	list := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		if asked, names, ok := strings.Cut(strings.TrimSpace(line), " | "); ok { // else it is words about the rest
			list[asked] = strings.Fields(names)
		}
	}
	return list
}
