package dev_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/dev"
	"github.com/limina-mcp/limina/world"
)

var reader = &profiles.Principal{ID: "ann", Session: "s1", Grants: profiles.Grant("scene.read")}

func newRegistry(t *testing.T, s *dev.Sources, more ...registry.Skill) *registry.Registry {
	t.Helper()
	reg := registry.New(registry.Options{})
	if err := reg.Register(append(dev.All(s), more...)...); err != nil {
		t.Fatal(err)
	}
	return reg
}

// call calls a skill and returns its output, or "code: message".
func call(t *testing.T, reg *registry.Registry, name, input string) string {
	t.Helper()
	res := reg.Invoke(t.Context(), &registry.Request{Name: name, Input: []byte(input), Principal: reader}, nil)
	if res.Err != nil {
		return fmt.Sprintf("%s: %s", res.Err.Code, res.Err.Message)
	}
	return string(res.Output)
}

// names is a source that names what it was told to.
func names(invalidated ...string) dev.Source {
	return dev.SourceFunc(func(*registry.Call) ([]string, error) { return invalidated, nil })
}

func TestReload(t *testing.T) {
	s := dev.NewSources()
	failing := dev.SourceFunc(func(*registry.Call) ([]string, error) { return nil, errors.New("secret") })
	refusing := dev.SourceFunc(func(*registry.Call) ([]string, error) { return nil, registry.Failf("the file is open") })
	for _, err := range []error{
		s.Add(dev.TargetScene, "village", names("ent_1", "ent_2")), s.Add(dev.TargetScene, "town", names()),
		s.Add(dev.TargetData, "prices", names("prices")), s.Add(dev.TargetSkill, "bad.one", failing), s.Add(dev.TargetSkill, "bad.two", refusing),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	reg := newRegistry(t, s)
	tests := []struct{ input, want string }{
		{`{"target":"scene","name":"village"}`, `{"ok":true,"target":"scene","invalidated":["ent_1","ent_2"]}`},
		{`{"target":"scene","name":"town","reason":"new houses"}`, `{"ok":true,"target":"scene","invalidated":[],"reason":"new houses"}`},
		{`{"target":"data"}`, `{"ok":true,"target":"data","invalidated":["prices"]}`},
		{`{"target":"scene"}`, `invalid_input: name: there is more than one scene, say which: scene town, scene village`},
		{
			`{"target":"data","name":"village"}`,
			`handler_error: there is no source for data village; what can be reloaded: data prices, scene town, scene village, skill bad.one, skill bad.two`,
		},
		{`{"target":"skill","name":"bad.one"}`, `handler_error: internal error in call 6; nothing was changed`},
		{`{"target":"skill","name":"bad.two"}`, `handler_error: the file is open`},
		{`{"target":"world"}`, `invalid_input: target: must be one of "skill", "scene", "data", got "world"`},
		{`{}`, `invalid_input: target: is required`},
		{`{"target":"data","name":""}`, `invalid_input: name: `},
		{`{"target":"data","reason":"` + strings.Repeat("é", 201) + `"}`, `invalid_input: reason: `},
	}
	for _, tt := range tests {
		if got := call(t, reg, "dev.reload", tt.input); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s:\n got %s\nwant %s", tt.input, got, tt.want)
		}
	}
	if k, _ := reg.Lookup("dev.reload"); k.Info().Version != "2.0.0" {
		t.Errorf("the version is %s", k.Info().Version)
	}
}

func TestNoSources(t *testing.T) {
	reg := newRegistry(t, nil)
	want := "handler_error: nothing can be reloaded here: the operator has registered no source"
	if got := call(t, reg, "dev.reload", `{"target":"skill","name":"dev.reload"}`); got != want {
		t.Errorf("got %s", got)
	}
	s := dev.NewSources()
	if err := s.Add(dev.TargetData, "prices", names()); err != nil {
		t.Fatal(err)
	}
	want = "handler_error: there is no source for skill; what can be reloaded: data prices"
	if got := call(t, newRegistry(t, s), "dev.reload", `{"target":"skill"}`); got != want {
		t.Errorf("got %s", got)
	}
}

func TestAdd(t *testing.T) {
	s := dev.NewSources()
	tests := []struct {
		target dev.Target
		name   string
		source dev.Source
		want   string
	}{
		{dev.TargetData, "prices", names(), ""},
		{dev.TargetData, "prices", names(), "dev: data prices has a source already"},
		{dev.TargetScene, "prices", names(), ""},
		{"world", "prices", names(), `dev: target "world": want skill, scene or data`},
		{dev.TargetData, "", names(), "dev: a source of target data needs a name and a Source"},
		{dev.TargetData, "wares", nil, "dev: a source of target data needs a name and a Source"},
	}
	for _, tt := range tests {
		got := ""
		if err := s.Add(tt.target, tt.name, tt.source); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("Add(%q, %q): got %q, want %q", tt.target, tt.name, got, tt.want)
		}
	}
}

// versioned is the skill demo.hello, which answers its version.
func versioned(version string) registry.Skill {
	type out struct {
		Version string `json:"version"`
	}
	return registry.Define(registry.Spec[struct{}, out]{
		Name: "demo.hello", Version: version, Description: "Say which version this is.", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(*registry.Call, struct{}) (out, error) { return out{version}, nil },
	})
}

func TestReloadSkill(t *testing.T) {
	s := dev.NewSources()
	version := 1
	for name, build := range map[string]func() (registry.Skill, error){
		"demo.hello": func() (registry.Skill, error) { version++; return versioned(fmt.Sprintf("%d.0.0", version)), nil },
		"demo.other": func() (registry.Skill, error) { return versioned("9.0.0"), nil },
		"demo.none": func() (registry.Skill, error) {
			return registry.Skill{}, registry.Failf("hello.go: line 7: syntax error")
		},
	} {
		if err := s.Add(dev.TargetSkill, name, dev.SkillSource(name, build)); err != nil {
			t.Fatal(err)
		}
	}
	reg := newRegistry(t, s, versioned("1.0.0"))
	generation := reg.Generation()
	for _, step := range []struct{ skill, input, want string }{
		{"demo.hello", ``, `{"version":"1.0.0"}`},
		{"dev.reload", `{"target":"skill","name":"demo.hello"}`, `{"ok":true,"target":"skill","invalidated":["demo.hello"]}`},
		{"demo.hello", ``, `{"version":"2.0.0"}`},
		{"dev.reload", `{"target":"skill","name":"demo.other"}`, `handler_error: internal error`},
		{"dev.reload", `{"target":"skill","name":"demo.none"}`, `handler_error: hello.go: line 7: syntax error`},
		{"demo.hello", ``, `{"version":"2.0.0"}`},
	} {
		if got := call(t, reg, step.skill, step.input); !strings.HasPrefix(got, step.want) {
			t.Errorf("%s %s: got %s, want %s", step.skill, step.input, got, step.want)
		}
	}
	if got := reg.Generation() - generation; got != 1 {
		t.Errorf("the set has changed %d times", got)
	}
}

// TestFailedReload has a scene fail when it is half rebuilt.
func TestFailedReload(t *testing.T) {
	w := world.New(world.Config{})
	s := dev.NewSources()
	fail := true
	if err := s.Add(dev.TargetScene, "village", dev.SourceFunc(func(c *registry.Call) ([]string, error) {
		return world.Do(w, c, func(tx *world.Tx) ([]string, error) {
			id, err := tx.Create(world.Spec{})
			if fail {
				err = registry.Failf("no timber")
			}
			return []string{id.String()}, err
		})
	})); err != nil {
		t.Fatal(err)
	}
	reg, empty := newRegistry(t, s), w.Hash()
	if got := call(t, reg, "dev.reload", `{"target":"scene"}`); got != "handler_error: no timber" || w.Hash() != empty {
		t.Errorf("got %s", got)
	}
	fail = false
	if got := call(t, reg, "dev.reload", `{"target":"scene"}`); got != `{"ok":true,"target":"scene","invalidated":["ent_0"]}` || w.Hash() == empty {
		t.Errorf("got %s", got)
	}
}
