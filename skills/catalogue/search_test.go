package catalogue_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/catalogue"
)

func TestSearch(t *testing.T) {
	r := newRig(t)
	tests := []struct {
		as          *profiles.Principal
		input, want string
	}{
		{builder, `{"query":"scene.createEntity"}`, "scene.createEntity "},
		{builder, `{"query":"SCENE_createentity"}`, "scene.createEntity "},
		{builder, `{"query":"create"}`, "scene.createEntity "},
		{builder, `{"query":"entity create"}`, "scene.createEntity "},
		{builder, `{"query":"creat ent"}`, "scene.createEntity "},
		{builder, `{"query":"can I remove these entities"}`, "scene.destroyEntity "},
		{builder, `{"query":"set the weather, please to rain"}`, "world.setWeather "}, // most of its words
		{builder, `{"query":"sun"}`, "three.setLighting "},
		{builder, `{"query":"colors"}`, "three.setLighting "},
		{builder, `{"query":"music"}`, "audio.playBGM "},
		{builder, `{"query":"bgm"}`, "audio.playBGM "},
		{builder, `{"query":"again if"}`, "audio.playBGM "}, // as it stands
		{builder, `{"query":"ntit","category":"scene"}`, "scene.createEntity scene.destroyEntity scene.queryEntities "},
		{builder, `{"query":"entity","category":"scene"}`, "scene.createEntity scene.destroyEntity scene.queryEntities "},
		{builder, `{"query":"entity","category":"scene","limit":1}`, "scene.createEntity "},
		{as("scene.read"), `{"query":"scene"}`, "scene.queryEntities skills.describe skills.call "},
		{as("scene.read"), `{"query":"world.setWeather"}`, ""},
		{builder, `{"query":"quantum"}`, ""},
		{builder, `{"query":"the","category":"world"}`, "world.setWeather "}, // nothing but filler
		{builder, `{"query":"","category":"world"}`, "world.setWeather "},
		{builder, `{"query":" \t","category":"world"}`, "world.setWeather "},
		{builder, `{"query":"???","category":"world"}`, ""},
		{builder, `{"query":"x","limit":0}`, `invalid_input: limit: must be from 1 to 100, got 0`},
		{builder, `{"query":"x","limit":101}`, `invalid_input: limit: must be from 1 to 100, got 101`},
		{builder, `{"qeury":"x"}`, `invalid_input: qeury: unknown field, did you mean "query"?`},
	}
	for _, tt := range tests {
		if got := r.names(tt.as, "skills.search", tt.input); got != tt.want && (tt.want == "" || !strings.Contains(tt.want, ":") || !strings.HasPrefix(got, tt.want)) {
			t.Errorf("%s:\n got %s\nwant %s", tt.input, got, tt.want)
		}
	}
	want := `{"matches":[{"name":"audio.playBGM","description":"Play a music track, again and again if you like.","category":"audio"}]}`
	if got := r.call(builder, "skills.search", `{"query":"bgm"}`); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	want = `{"matches":[],"categories":["audio","far","scene","system","three","world"],"try":"leave category out, or try fewer or simpler words for what is there or what happens, such as trade, quest or door, or skills.browse with one of the categories. A thing without a skill of its own is built: of parts by scene.createEntity, rows and rings of them by scene.array, many alike by prefab.define"}`
	if got := r.call(builder, "skills.search", `{"query":"bgm","category":"sound"}`); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	want = strings.Replace(want, "leave category out, or ", "", 1)
	if got := r.call(builder, "skills.search", `{"query":"quantum"}`); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	want = `{"matches":[],"categories":["far","scene","system"],"try":"leave category out, or try fewer or simpler words for what is there or what happens, such as trade, quest or door, or skills.browse with one of the categories"}` // that the caller may call something in
	if got := r.call(as("scene.read"), "skills.search", `{"query":"bgm","category":"audio"}`); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestSearchFloor holds the search to the rule of the catalogue: whatever contains the query, and
// may be called, is found; nothing else is found twice or without right; and a query that is a name
// finds that skill first.
func TestSearchFloor(t *testing.T) {
	r := newRig(t)
	all := r.reg.List(registry.Filter{})
	rapid.Check(t, func(rt *rapid.T) {
		caller := rapid.SampledFrom([]*profiles.Principal{builder, as("scene.read"), as()}).Draw(rt, "caller")
		i := rapid.SampledFrom(all).Draw(rt, "skill").Info()
		text := []rune(i.Name + " " + i.Description)
		from := rapid.IntRange(0, len(text)-1).Draw(rt, "from")
		to := rapid.IntRange(from, min(from+20, len(text))).Draw(rt, "to")
		query := string(text[from:to])
		if rapid.Bool().Draw(rt, "upper") {
			query = strings.ToUpper(query)
		}
		if rapid.IntRange(0, 9).Draw(rt, "name") == 0 {
			query = i.Name
		}
		input, _ := json.Marshal(map[string]any{"query": query, "limit": 100})
		found := map[string]bool{}
		list := strings.Fields(r.names(caller, "skills.search", string(input)))
		for _, name := range list {
			k, ok := r.reg.Lookup(name)
			if !ok || found[name] || !k.Allowed(caller.Grants) {
				rt.Fatalf("%q finds %v", query, list)
			}
			found[name] = true
		}
		for _, k := range all {
			i := k.Info()
			has := func(s string) bool {
				return strings.Contains(strings.ToLower(s), strings.ToLower(strings.TrimSpace(query)))
			}
			if k.Allowed(caller.Grants) && (has(i.Name) || has(i.Description) || has(i.Category)) && !found[i.Name] {
				rt.Errorf("%q does not find %s, but %v", query, i.Name, list)
			}
			if k.Allowed(caller.Grants) && query == i.Name && list[0] != i.Name {
				rt.Errorf("%q finds %v", query, list)
			}
		}
		if again := strings.Fields(r.names(caller, "skills.search", string(input))); strings.Join(again, " ") != strings.Join(list, " ") {
			rt.Errorf("%q finds %v, then %v", query, list, again)
		}
	})
}

// TestSearchFollowsTheSet searches while skills come and go.
func TestSearchFollowsTheSet(t *testing.T) {
	r := newRig(t)
	ask := func(want string) {
		t.Helper()
		if got := r.names(builder, "skills.search", `{"query":"yodel"}`); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	ask("")
	if err := r.reg.Register(thing("audio.yodel", "Call over a valley.", false, "audio.play")); err != nil {
		t.Fatal(err)
	}
	ask("audio.yodel ")
	if err := r.reg.Replace(thing("audio.playBGM", "Music, also to yodel with.", false, "audio.play")); err != nil {
		t.Fatal(err)
	}
	ask("audio.yodel audio.playBGM ")
	r.reg.Unregister("audio.yodel")
	ask("audio.playBGM ")
}

// TestSearchInTwoRegistries has one skills.search serve two registries.
func TestSearchInTwoRegistries(t *testing.T) {
	search := catalogue.Search()
	var rigs [2]*rig
	for i, name := range []string{"one.yodel", "two.yodel"} {
		rigs[i] = &rig{t, registry.New(registry.Options{})}
		if err := rigs[i].reg.Register(search, thing(name, "Call over a valley.", false, "audio.play")); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		for i, want := range []string{"one.yodel ", "two.yodel "} {
			if got := rigs[i].names(builder, "skills.search", `{"query":"yodel"}`); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	reg := registry.New(registry.Options{})
	for i := range 200 {
		name := fmt.Sprintf("group%d.doThing%d", i%20, i)
		if err := reg.Register(thing(name, strings.Repeat("Do a thing with an entity, in some way or other. ", 5), false, "scene.write")); err != nil {
			b.Fatal(err)
		}
	}
	if err := reg.Register(catalogue.Search()); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		reg.Invoke(b.Context(), &registry.Request{Name: "skills.search", Input: []byte(`{"query":"move the wall to another thing"}`), Principal: builder}, nil)
	}
}
