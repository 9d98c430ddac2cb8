package skills_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/registry"
)

// TestStateIsWritable looks at the state that the catalogue declares.
func TestStateIsWritable(t *testing.T) {
	if err := newServer(t, 10).world.Check(); err != nil {
		t.Error(err)
	}
}

// TestSchemasSuitClients walks every schema of the catalogue and holds it to what MCP clients can
// read: see "Schema portability" and the client rules below it in the notes on MCP (issue 2). A
// client that stumbles over one tool often loses them all.
func TestSchemasSuitClients(t *testing.T) {
	wires := map[string]string{}
	for _, k := range newServer(t, 10).registry.List(registry.Filter{}) {
		if err := k.Check(); err != nil { // Define leaves it to the first call
			t.Error(err)
			continue
		}
		info := k.Info()
		if other, taken := wires[k.WireName()]; taken || len(k.WireName()) > registry.MaxNameLength {
			t.Errorf("%s: the published name %s is too long or that of %s", info.Name, k.WireName(), other)
		}
		wires[k.WireName()] = info.Name
		if info.Title == "" || info.Description == "" {
			t.Errorf("%s has no title or no description", info.Name)
		}
		suits(t, info.Name+" input", k.InputSchema())
		suits(t, info.Name+" output", k.OutputSchema())
	}
}

func suits(t *testing.T, name string, text json.RawMessage) {
	t.Helper()
	var root map[string]any
	if err := json.Unmarshal(text, &root); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if root["type"] != "object" {
		t.Errorf("%s: the root's type is %v, want object", name, root["type"])
	}
	for _, combinator := range []string{"anyOf", "oneOf", "allOf", "not", "if", "enum", "const"} {
		if _, has := root[combinator]; has {
			t.Errorf("%s: the root has %s", name, combinator)
		}
	}
	if problem := walk(root, ""); problem != "" {
		t.Errorf("%s: %s", name, problem)
	}
}

// walk returns what is wrong below a subschema.
func walk(s map[string]any, path string) string {
	for _, key := range []string{"$ref", "$schema", "$defs", "$id", "definitions"} {
		if _, has := s[key]; has {
			return path + " has " + key
		}
	}
	if union, has := s["anyOf"].([]any); has {
		return walkList(union, path+" anyOf")
	}
	if _, single := s["type"].(string); !single {
		return fmt.Sprintf("%s has the type %v, want one name", path, s["type"])
	}
	properties, _ := s["properties"].(map[string]any)
	for name, p := range properties {
		sub, ok := p.(map[string]any)
		if !ok {
			return path + "." + name + " is no schema but a boolean"
		}
		if sub["description"] == nil {
			return path + "." + name + " has no description"
		}
		if problem := walk(sub, path+"."+name); problem != "" {
			return problem
		}
	}
	if items, has := s["items"]; has {
		return walkList([]any{items}, path+"[]")
	}
	switch more := s["additionalProperties"].(type) {
	case map[string]any:
		return walk(more, path+".*")
	case bool:
		if more {
			return path + " has additionalProperties true"
		}
	case nil:
		if len(properties) > 0 {
			return path + " does not say that there is nothing else"
		}
	}
	return ""
}

func walkList(list []any, path string) string {
	for _, item := range list {
		sub, ok := item.(map[string]any)
		if !ok {
			return path + " is no schema but a boolean"
		}
		if problem := walk(sub, path); problem != "" {
			return problem
		}
	}
	return ""
}

// TestListsAreTheSameEachTime compares the lists of two servers.
func TestListsAreTheSameEachTime(t *testing.T) {
	list := func() (all []string) {
		for _, k := range newServer(t, 10).registry.List(registry.Filter{}) {
			all = append(all, fmt.Sprintf("%+v %s %s", k.Info(), k.InputSchema(), k.OutputSchema()))
		}
		return all
	}
	if diff := cmp.Diff(list(), list()); diff != "" {
		t.Errorf("two lists differ:\n%s", diff)
	}
}
