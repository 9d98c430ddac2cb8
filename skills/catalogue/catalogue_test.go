package catalogue_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/catalogue"
	"github.com/limina-mcp/limina/trace"
)

// What everybody may call, and what of that is core.
const (
	ownCore = "skills.list skills.describe skills.search skills.browse "
	own     = ownCore + "skills.call "
)

func TestList(t *testing.T) {
	r := newRig(t)
	reader := as("scene.read")
	tests := []struct {
		as          *profiles.Principal
		input, want string
	}{
		{reader, `{}`, "scene.queryEntities far.tool " + own},
		{reader, `{"mode":"full"}`, "scene.queryEntities far.tool " + own},
		{reader, `{"mode":"bootstrap"}`, "scene.queryEntities " + ownCore},
		{nil, `{}`, own},
		{builder, `{"mode":"bootstrap"}`, "scene.createEntity scene.queryEntities " + ownCore},
		{reader, `{"mode":"all"}`, `invalid_input: mode: must be one of "bootstrap", "full", got "all"`},
	}
	for _, tt := range tests {
		if got := r.names(tt.as, "skills.list", tt.input); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.input, got, tt.want)
		}
	}
	want := `{"tools":[{"name":"scene.queryEntities","description":"List entities by tag or near a point.","category":"scene","priority":"core"},` +
		`{"name":"far.tool","description":"A tool from elsewhere.","category":"far","priority":"standard"},`
	if got := r.call(reader, "skills.list", `{}`); !strings.HasPrefix(got, want) {
		t.Errorf("got %s", got)
	}
}

func TestDescribe(t *testing.T) {
	r := newRig(t)
	var got catalogue.DescribeOut
	if err := json.Unmarshal([]byte(r.call(builder, "skills.describe", `{"name":"scene_createEntity"}`)), &got); err != nil {
		t.Fatal(err)
	}
	if got.Name != "scene.createEntity" || got.Version != "1.0.0" || got.Category != "scene" || got.Description != "Add a box or a sphere to the world." {
		t.Errorf("got %+v", got)
	}
	const (
		input  = `{"properties":{"size":{"type":"integer","maximum":9,"minimum":1,"default":2}},"additionalProperties":false,"type":"object"}`
		output = `{"properties":{"skill":{"type":"string"},"size":{"type":"integer"}},"additionalProperties":false,"type":"object","required":["skill","size"]}`
	)
	if string(got.InputSchema) != input || string(*got.OutputSchema) != output {
		t.Errorf("schemas %s and %s", got.InputSchema, *got.OutputSchema)
	}
	want := `{"name":"far.tool","version":"1.0.0","category":"far","description":"A tool from elsewhere.",` +
		`"input_schema":{"type":"object","properties":{"a":{"type":"string"}}}}`
	if got := r.call(builder, "skills.describe", `{"name":"far.tool"}`); got != want {
		t.Errorf("a raw skill:\n got %s\nwant %s", got, want)
	}
	var both catalogue.DescribeOut
	if err := json.Unmarshal([]byte(r.call(builder, "skills.describe", `{"names":["scene.createEntity","far.tool","scene_createEntity"]}`)), &both); err != nil {
		t.Fatal(err)
	}
	if both.Name != got.Name || string(both.InputSchema) != string(got.InputSchema) || len(both.Others) != 2 || both.Others[0].Name != "far.tool" || both.Others[1].Name != got.Name || string(both.Others[1].InputSchema) != string(got.InputSchema) {
		t.Errorf("of several it says %+v", both)
	}
	for input, want := range map[string]string{
		`{}`:                                   "invalid_input: name: is required: the name of a skill; or give names, a list of up to 16",
		`{"name":"far.tool","names":["x"]}`:    "invalid_input: names: is instead of name: leave one of them out",
		`{"names":["far.toool","far.tooool"]}`: "not_found: unknown skill: far.toool. Nearest: far.tool",
		`{"names":["far.tooool","far.tool"]}`:  strings.TrimSuffix(want, "}") + `,"missing":[{"name":"far.tooool","reason":"unknown skill: far.tooool. Nearest: far.tool, skills.search"}]}`,
	} {
		if got := r.call(builder, "skills.describe", input); got != want {
			t.Errorf("%s: %s, want %s", input, got, want)
		}
	}
}

// TestUnknownToDescribe checks what is said of a skill that the caller may not call, which permission that needs, and of one that nobody has.
func TestUnknownToDescribe(t *testing.T) {
	r := newRig(t)
	reader := as("scene.read")
	for name, want := range map[string]string{
		"world.setWeather":   "forbidden: your profile, , may not call world.setWeather: it needs the permission world.write",
		"world_setWeather":   "forbidden: your profile, , may not call world.setWeather: it needs the permission world.write",
		"world.setWeathre":   "not_found: unknown skill: world.setWeathre. skills.search finds skills by words",
		"scene.queryEntitys": "not_found: unknown skill: scene.queryEntitys. Nearest: scene.queryEntities",
		"":                   "invalid_input: name: is required: the name of a skill; or give names, a list of up to 16",
	} {
		input, _ := json.Marshal(map[string]string{"name": name})
		if got := r.call(reader, "skills.describe", string(input)); got != want {
			t.Errorf("%q: got %s, want %s", name, got, want)
		}
	}
}

func TestBrowse(t *testing.T) {
	r := newRig(t)
	tests := []struct {
		as          *profiles.Principal
		input, want string
	}{
		{builder, `{"category":"scene"}`, "scene.createEntity scene.destroyEntity scene.queryEntities "},
		{builder, `{"category":"scene","limit":2}`, "scene.createEntity scene.destroyEntity "},
		{as("scene.read"), `{"category":"scene"}`, "scene.queryEntities "},
		{builder, `{"category":"system"}`, own},
		{
			builder, `{"category":"Scene"}`,
			`invalid_input: category: you may call nothing in "Scene"; the categories are audio, far, scene, system, three, world`,
		},
		{as("scene.read"), `{"category":"world"}`, `invalid_input: category: you may call nothing in "world"; the categories are far, scene, system`},
		{nil, `{"category":"` + strings.Repeat("x", 100) + `"}`, `invalid_input: category: you may call nothing in "` + strings.Repeat("x", 48) + `…"; the categories are system`},
		{nil, `{"category":""}`, `invalid_input: category: you may call nothing in ""; the categories are system`},
		{builder, `{"category":"scene","limit":0}`, `invalid_input: limit: must be from 1 to 100, got 0`},
		{builder, `{"category":"scene","limit":101}`, `invalid_input: limit: must be from 1 to 100, got 101`},
	}
	for _, tt := range tests {
		if got := r.names(tt.as, "skills.browse", tt.input); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.input, got, tt.want)
		}
	}
}

func TestCall(t *testing.T) {
	r := newRig(t)
	tests := []struct {
		as          *profiles.Principal
		input, want string
	}{
		{builder, `{"name":"scene.createEntity","input":{"size":3}}`, `{"skill":"scene.createEntity","size":3}`},
		{builder, `{"name":"scene_createEntity"}`, `{"skill":"scene.createEntity","size":2}`},
		{builder, `{"name":"far.tool","input":{"a":"x"}}`, `{"a":"x"}`},
		{builder, `{"name":"skills.call","input":{"name":"scene.createEntity"}}`, `{"skill":"scene.createEntity","size":2}`},
		{builder, `{"skill":"skills.call","input":{"skill":"scene.createEntity"}}`, `{"skill":"scene.createEntity","size":2}`},
		{builder, `{"name":"scene.createEntity","arguments":{"size":4}}`, `{"skill":"scene.createEntity","size":4}`},
		{as("scene.read"), `{"name":"scene.createEntity","input":{"size":3}}`, `forbidden: missing permission: scene.write`},
		{builder, `{"name":"scene.createEntity","input":{"size":10}}`, `invalid_input: size: must be from 1 to 9, got 10`},
		{builder, `{"name":"scene.createEntity","input":{"size":8}}`, `handler_error: size: eight is unlucky`},
		{builder, `{"name":"scene.createEntity","input":{"size":9}}`, `capacity_exceeded: size: nine is the limit`},
		{builder, `{"name":"scene.creatEntity"}`, `not_found: unknown skill: scene.creatEntity. Nearest: scene.createEntity`},
		{as("scene.read"), `{"name":"world.setWeathr"}`, `not_found: unknown skill: world.setWeathr`},
		{builder, `{"name":"scene.createEntity","input":"{}"}`, `invalid_input: input: must be an object`},
	}
	for _, tt := range tests {
		if got := r.call(tt.as, "skills.call", tt.input); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: got %s, want %s", tt.input, got, tt.want)
		}
	}
}

// TestCallIsRecorded checks that the log names the inner skill, whether it ran or not.
func TestCallIsRecorded(t *testing.T) {
	r := newRig(t)
	r.call(builder, "skills.call", `{"name":"scene.createEntity","input":{"size":3}}`)
	r.call(as("scene.read"), "skills.call", `{"name":"scene.createEntity"}`)
	events, _ := r.reg.Trace().Tail(trace.Filter{})
	var got []string
	for _, e := range events {
		var p struct{ Skill, Reason string }
		if err := json.Unmarshal(e.Payload, &p); err != nil {
			t.Fatal(err)
		}
		got = append(got, strings.TrimSpace(e.Type+" "+p.Skill+" "+p.Reason))
	}
	want := []string{
		"skill.executed skills.call", "skill.executed scene.createEntity",
		"skill.refused skills.call missing permission: scene.write", "skill.refused scene.createEntity missing permission: scene.write",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDeclarations(t *testing.T) {
	published, core := "", ""
	for _, k := range catalogue.All() {
		i := k.Info()
		if i.Published {
			published += i.Name + " "
		}
		if i.Core {
			core += i.Name + " "
		}
		if len(i.Permissions) != 0 || i.Version != "1.0.0" || i.Category != "system" || (i.Effect == registry.Reads) != (i.Name != "skills.call") {
			t.Errorf("%+v", i)
		}
	}
	if published != "skills.describe skills.search skills.call " || core != ownCore {
		t.Errorf("published are %s, core are %s", published, core)
	}
}
