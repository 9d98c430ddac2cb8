package prefab_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/prefab"
)

// TestReplace makes instances anew where they stand: with other parameters, as another prefab, as copies of instances, and back by undo.
func TestReplace(t *testing.T) {
	s := skilltest.New(t, builders)
	ann := skilltest.Caller(t, "ann", skilltest.Builder)
	do := func(name, input string) (out prefab.InstantiateOut) {
		t.Helper()
		if err := json.Unmarshal([]byte(s.Must(t, ann, name, input)), &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	at := func(id, want string) {
		t.Helper()
		got := s.Must(t, ann, "scene.queryEntities", `{"ids":["`+id+`"],"details":true}`)
		for part := range strings.SplitSeq(want, " & ") {
			if !strings.Contains(got, part) {
				t.Errorf("%s is %s, want %s", id, got, part)
			}
		}
	}
	s.Must(t, ann, "prefab.define", table)
	s.Must(t, ann, "prefab.define", `{"name":"stool","operations":[{"skill":"scene.createEntity","input":{"position":[0,0.4,0],"shape":"cylinder"}}]}`)
	group := do("scene.createEntity", `{"position":[10,0,0]}`).Entity.String()
	first := do("prefab.instantiate", `{"name":"table","parameters":{"width":2,"material":"metal"},"position":[1,0,2],"rotationEuler":[0,1.5708,0],"parent":"`+group+`"}`)
	id := first.Entity.String()
	vase := do("scene.createEntity", `{"position":[11,1,2],"name":"vase"}`).Entity.String()
	s.Must(t, ann, "scene.group", `{"entities":["`+vase+`"],"into":"`+id+`"}`)
	at(id, `"position":[11,0,2] & "children":4`)

	out := do("prefab.instantiate", `{"name":"table","replace":"`+id+`","parameters":{"width":3}}`)
	if out.Entity != first.Entity || out.Entities != 4 || len(out.Results) != 2 {
		t.Errorf("made anew: %+v", out)
	}
	at(id, `"position":[11,0,2] & "name":"table" & "children":4 & "parent":"`+group+`"`)
	at(vase, `"position":[11,1,2]`)
	var top struct{ Entity string }
	if err := json.Unmarshal(out.Results[0].Result, &top); err != nil {
		t.Fatal(err)
	}
	at(top.Entity, `"scale":[3,0.05,0.8] & metal & "position":[11,0.75,2]`)

	// A copy is an instance too, of its own parts.
	var copied struct{ Entities []string }
	if err := json.Unmarshal([]byte(s.Must(t, ann, "scene.array", `{"entity":"`+id+`","pattern":"line","count":2,"step":[5,0,0]}`)), &copied); err != nil {
		t.Fatal(err)
	}
	other := copied.Entities[0]
	do("prefab.instantiate", `{"name":"stool","replace":"`+other+`"}`)
	at(other, `"name":"stool" & "tags":["prefab:stool"] & "children":2`)
	at(id, `"name":"table" & "tags":["prefab:table"] & "children":4`)
	at(top.Entity, `"scale":[3,0.05,0.8]`)
	s.Must(t, ann, "world.undo", `{}`)
	at(other, `"name":"table" & "children":4`)

	for _, c := range []struct{ input, want string }{
		{`{"name":"table","replace":"` + vase + `"}`, "replace: " + vase + " is no instance of a prefab; scene.queryEntities with the tag prefab:table finds those of this one"},
		{`{"name":"table","replace":"ent_999"}`, "ent_999"},
		{`{"name":"table","replace":"` + id + `","position":[1,2,3]}`, "replace: an instance that is made anew stays where it is; leave position"},
		{`{"name":"table","replace":"` + id + `","parameters":{"width":9}}`, "parameters.width: "},
	} {
		if _, err := s.Call(ann, "prefab.instantiate", c.input); err == nil || !strings.Contains(err.Message, c.want) {
			t.Errorf("%s: %v, want %q", c.input, err, c.want)
		}
	}
	at(id, `"children":4`)

	// A prefab that has changed since gives what it has now, and asks for nothing that it has no more.
	s.Must(t, ann, "prefab.remove", `{"name":"table"}`)
	s.Must(t, ann, "prefab.define", `{"name":"table","parameters":[{"name":"width","default":1}],"operations":[{"skill":"scene.createEntity","input":{"size":"$width"}}]}`)
	do("prefab.instantiate", `{"name":"table","replace":"`+id+`"}`)
	at(id, `"children":2`)
}
