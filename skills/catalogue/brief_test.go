package catalogue_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/catalogue"
)

// TestDescribeIsBrief has every skill of the catalogue described: its schemas are what they are, without the limits that all numbers have.
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
	for _, k := range r.reg.List(registry.Filter{}) {
		var got catalogue.DescribeOut
		if err := json.Unmarshal([]byte(r.call(builder, "skills.describe", `{"name":"`+k.Name()+`"}`)), &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(without(read(k.InputSchema())), read(got.InputSchema)); diff != "" {
			t.Errorf("the input of %s (-want +got):\n%s", k.Name(), diff)
		}
		if diff := cmp.Diff(without(read(k.OutputSchema())), read(*got.OutputSchema)); diff != "" {
			t.Errorf("the output of %s (-want +got):\n%s", k.Name(), diff)
		}
	}
	if left < 100 {
		t.Errorf("%d limits were left out", left)
	}
}
