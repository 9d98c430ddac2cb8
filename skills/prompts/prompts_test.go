package prompts_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

func newEngine(t *testing.T) *engine.Engine {
	t.Helper()
	e, err := engine.New(engine.Config{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.World.Update(t.Context(), func(tx *world.Tx) error {
		for _, tags := range [][]string{{"roof"}, {"roof", "tower"}, {"gate"}} {
			if _, err := tx.Create(world.Spec{Tags: tags}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func builder() *profiles.Principal {
	return &profiles.Principal{ID: "ada", Grants: profiles.Grant("scene.read", "scene.write")}
}

// Each prompt says what was asked for, brings the world with it, and names tools that there are.
func TestPrompts(t *testing.T) {
	e := newEngine(t)
	tools := regexp.MustCompile(`\b[a-z]+_[a-z][a-zA-Z]*\b`)
	for _, tt := range []struct {
		name      string
		arguments map[string]string
		want      []string
	}{
		{"build", map[string]string{"what": "a house"}, []string{"Build a house in the Limina world", "1. Find room"}},
		{"build", map[string]string{"what": "a pier", "style": "ruined", "near": "tower"}, []string{"Style: ruined.", `beside everything with the tag "tower"`, `scene_inspect {"tag":"tower"}`}},
		{"build", map[string]string{"what": "a pier", "near": "ent_2"}, []string{"the surroundings of the entity ent_2", "limina://entity/ent_2"}},
		{"repair", nil, []string{"Inspect and repair the whole world"}},
		{"repair", map[string]string{"where": "roof", "fault": "a gap"}, []string{`everything with the tag "roof"`, "Reported: a gap."}},
		{"tour", nil, []string{"Length: medium: six stops.", "world.getSpawn"}},
		{"tour", map[string]string{"from": "ent_1", "length": "short"}, []string{"Begin at the surroundings of the entity ent_1", "Length: short."}},
	} {
		p, err := e.Registry.Prompt(t.Context(), builder(), tt.name, tt.arguments)
		if err != nil {
			t.Errorf("%s %v: %v", tt.name, tt.arguments, err)
			continue
		}
		if r := p.Messages[0].Content.Resource; r == nil || r.URI != "limina://world/summary" || !json.Valid([]byte(r.Text)) || !strings.Contains(r.Text, `"entityCount":3`) {
			t.Errorf("%s: it begins with %+v, want the world in short", tt.name, p.Messages[0])
		}
		text := p.Messages[1].Content.Text
		for _, want := range tt.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s %v: %s\nwant it to contain %q", tt.name, tt.arguments, text, want)
			}
		}
		for _, name := range tools.FindAllString(text, -1) {
			if _, ok := e.Registry.Lookup(name); !ok {
				t.Errorf("%s names the tool %s, which is not there", tt.name, name)
			}
		}
	}
	looker := &profiles.Principal{ID: "eve", Grants: profiles.Grant("scene.read")}
	if _, err := e.Registry.Prompt(t.Context(), looker, "build", map[string]string{"what": "a house"}); err == nil || err.Error() != "missing permission: scene.write" {
		t.Errorf("build without the permission: %v", err)
	}
}

func TestCompletion(t *testing.T) {
	e := newEngine(t)
	for _, tt := range []struct{ prompt, argument, written, want string }{
		{"build", "what", "a li", "a lighthouse on a rock"},
		{"build", "style", "stone", "rustic, wood and stone"},
		{"build", "near", "", "roof gate tower"},
		{"repair", "where", "t", "tower gate"},
		{"repair", "fault", "gap", "a gap in a wall"},
		{"tour", "length", "sh", "short: three stops"},
	} {
		p, _ := e.Registry.Prompts().Lookup(tt.prompt)
		s, err := p.Complete(t.Context(), registry.Partial{Name: tt.argument, Value: tt.written, Principal: builder()})
		if got := strings.Join(s.Values, " "); err != nil || got != tt.want {
			t.Errorf("%s %s %q: %s, %v, want %s", tt.prompt, tt.argument, tt.written, got, err, tt.want)
		}
	}
}
