package ui_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/limina-mcp/limina/registry"
)

// TestSchemasAgree holds the schemas to what the decoder takes, on the inputs of the other tests.
func TestSchemasAgree(t *testing.T) {
	h := newHouse(t)
	for _, o := range openers() {
		schema := resolve(t, h.r, o.skill)
		if err := schema.Validate(plain(t, "{"+o.extra+everything+"}")); err != nil {
			t.Errorf("%s: the schema refuses a good input: %v", o.skill, err)
		}
		for _, tt := range refused {
			input := plain(t, "{"+strings.TrimSuffix(o.extra+tt.body, ",")+"}")
			err := schema.Validate(input)
			if malformed := strings.HasPrefix(tt.want, "invalid_input: "); malformed != (err != nil) {
				t.Errorf("%s: %s: the decoder says %s; the schema says %v", o.skill, tt.name, tt.want, err)
			}
		}
	}
}

func resolve(t *testing.T, r *registry.Registry, skill string) *jsonschema.Resolved {
	t.Helper()
	k, _ := r.Lookup(skill)
	var s jsonschema.Schema
	if err := json.Unmarshal(k.InputSchema(), &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

// TestSchemasArePortable looks for what MCP clients are known to choke on.
func TestSchemasArePortable(t *testing.T) {
	for _, k := range newHouse(t).r.List(registry.Filter{}) {
		for _, text := range []json.RawMessage{k.InputSchema(), k.OutputSchema()} {
			root := plain(t, string(text)).(map[string]any)
			if root["type"] != "object" || root["anyOf"] != nil {
				t.Errorf("%s: the root is no plain object", k.Name())
			}
			walk(t, k.Name(), root)
		}
	}
}

func walk(t *testing.T, path string, schema any) {
	t.Helper()
	s, ok := schema.(map[string]any)
	if !ok {
		t.Errorf("%s: is the boolean schema %v", path, schema)
		return
	}
	for key := range s {
		switch key {
		case "$ref", "$defs", "$schema", "oneOf", "allOf", "not", "if":
			t.Errorf("%s: has %s", path, key)
		}
	}
	branches, _ := s["anyOf"].([]any)
	if typ, isString := s["type"].(string); isString == (branches != nil) {
		t.Errorf("%s: has type %q and %d branches, want one or the other", path, typ, len(branches))
	}
	if s["description"] == nil && !strings.HasSuffix(path, "[]") && strings.Contains(path, "/") {
		t.Errorf("%s: has no description", path)
	}
	for _, b := range branches {
		if m, ok := b.(map[string]any); ok && m["anyOf"] != nil {
			t.Errorf("%s: a branch has branches", path)
		}
		walk(t, path, b)
	}
	members, _ := s["properties"].(map[string]any)
	for name, m := range members {
		walk(t, path+"/"+name, m)
	}
	if items, ok := s["items"]; ok {
		walk(t, path+"[]", items)
	}
}
