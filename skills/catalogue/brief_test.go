package catalogue_test

import (
	gocmp "cmp"
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/registry/raw"
	"github.com/limina-mcp/limina/skills/catalogue"
)

// TestDescribeIsBrief has every skill of the catalogue described: its schemas are what they are, without the limits that all numbers have, and
// with each $ref standing for what it names. None is longer than a model can be asked to read, or repeats much of itself.
func TestDescribeIsBrief(t *testing.T) {
	r, builder := wholeRig(t)
	left := 0
	var without func(v any) any
	without = func(v any) any {
		switch v := v.(type) {
		case []any:
			for i := range v {
				v[i] = without(v[i])
			}
		case map[string]any:
			for name, x := range v {
				switch x {
				case 3.4e38, -3.4e38, float64(1<<53 - 1), -float64(1<<53 - 1):
					if name == "maximum" || name == "minimum" {
						delete(v, name)
						left++
						continue
					}
				}
				v[name] = without(x)
			}
		}
		return v
	}
	read := func(text []byte) (v any) {
		if err := json.Unmarshal(text, &v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	refs := 0
	whole := func(text []byte) any {
		root := read(text).(map[string]any)
		defs, _ := root["$defs"].(map[string]any)
		delete(root, "$defs")
		var expand func(v any) any
		expand = func(v any) any {
			switch v := v.(type) {
			case []any:
				for i := range v {
					v[i] = expand(v[i])
				}
			case map[string]any:
				full := map[string]any{}
				if ref, ok := v["$ref"].(string); ok {
					def, ok := defs[strings.TrimPrefix(ref, "#/$defs/")]
					if !ok {
						t.Fatalf("%s leads nowhere in %s", ref, text)
					}
					refs++
					delete(v, "$ref")
					maps.Copy(full, expand(read(must(json.Marshal(def)))).(map[string]any))
				}
				for name, x := range v {
					full[name] = expand(x)
				}
				return full
			}
			return v
		}
		return expand(root)
	}
	for _, k := range r.reg.List(registry.Filter{}) {
		var got catalogue.DescribeOut
		if err := json.Unmarshal([]byte(r.call(builder, "skills.describe", `{"name":"`+k.Name()+`"}`)), &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(without(read(k.InputSchema())), whole(got.InputSchema)); diff != "" {
			t.Errorf("the input of %s (-want +got):\n%s", k.Name(), diff)
		}
		if diff := cmp.Diff(without(read(k.OutputSchema())), whole(*got.OutputSchema)); diff != "" {
			t.Errorf("the output of %s (-want +got):\n%s", k.Name(), diff)
		}
	}
	if refs < 50 {
		t.Errorf("%d parts are referred to", refs)
	}
	for name, most := range map[string]int{"ui.label": 13_100, "ui.update": 7_000} {
		if n := len(r.call(builder, "skills.describe", `{"name":"`+name+`"}`)); n > most {
			t.Errorf("%s takes %d bytes to describe, want at most %d", name, n, most)
		}
	}
	if left < 100 {
		t.Errorf("%d limits were left out", left)
	}
}

// TestDescribeOthersSchemas has skills described whose schemas come from elsewhere: what refers already, or is beyond what is read here, is as it was.
func TestDescribeOthersSchemas(t *testing.T) {
	point := `{"type":"object","properties":{"x":{"type":"number","description":"The first."},"y":{"type":"number","description":"The second, which is up."},"z":{"type":"number","description":"The third."}},"required":["x","y","z"]}`
	four := `"a":` + point + `,"b":` + point + `,"c":` + strings.TrimSuffix(point, "}") + `,"default":{"x":1,"y":2,"z":3}},"d":{"type":"array","items":` + point + `}`
	for _, tt := range []struct{ name, schema, want string }{
		{
			"repeats", `{"type":"object","properties":{` + four + `}}`,
			`{"type":"object","properties":{"a":{"$ref":"#/$defs/a"},"b":{"$ref":"#/$defs/a"},"c":{"$ref":"#/$defs/a","default":{"x":1,"y":2,"z":3}},"d":{"type":"array","items":{"$ref":"#/$defs/a"}}},"$defs":{"a":` + point + `}}`,
		},
		{"refers", `{"type":"object","properties":{` + four + `,"e":{"$ref":"#/$defs/e"}},"$defs":{"e":{"type":"string"}}}`, ""},
		{"short", `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"},"c":true}}`, ""},
		{"values", `{"type":"object","properties":{"a":{"enum":[` + point + `,` + point + `,` + point + `]}}}`, ""},
	} {
		k, err := raw.Define(registry.RawSpec{Name: "other." + tt.name, Description: "A tool.", InputSchema: []byte(tt.schema), Permissions: []profiles.Permission{profiles.Anyone}, Handle: func(*registry.Call, json.RawMessage) (json.RawMessage, error) { return nil, nil }})
		if err != nil {
			t.Fatal(err)
		}
		r := newRig(t)
		if err := r.reg.Register(k); err != nil {
			t.Fatal(err)
		}
		var got catalogue.DescribeOut
		if err := json.Unmarshal([]byte(r.call(builder, "skills.describe", `{"name":"other.`+tt.name+`"}`)), &got); err != nil {
			t.Fatal(err)
		}
		if want := gocmp.Or(tt.want, tt.schema); string(got.InputSchema) != want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got.InputSchema, want)
		}
	}
}

func must(text []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return text
}
