package registry_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// TestMaxOutput has answers that are just short enough and a little too long: the latter are refused, with how to ask for less,
// and nothing remains of their calls.
func TestMaxOutput(t *testing.T) {
	type in struct {
		Bytes int `json:"bytes"`
	}
	type out struct {
		Text string `json:"text"`
	}
	l := &ledger{}
	long := func(name, less string) registry.Skill {
		return registry.Define(registry.Spec[in, out]{
			Name: name, Description: "Write, and answer at length.", Permissions: []profiles.Permission{"scene.write"}, Less: less,
			Handle: func(c *registry.Call, in in) (out, error) {
				l.write(c, name)
				return out{strings.Repeat("x", in.Bytes)}, nil
			},
		})
	}
	r := newRig(t, registry.Options{}, long("test.long", "name fewer"), long("test.longer", ""))
	const most = registry.MaxOutput - len(`{"text":""}`)
	for _, tt := range []struct {
		skill string
		bytes int
		want  string
	}{
		{"test.long", most, ""},
		{"test.long", most + 1, "the answer has more than 8388608 bytes: name fewer"},
		{"test.longer", most + 1, "the answer has more than 8388608 bytes: ask for less"},
	} {
		before := len(l.all())
		res := r.call(writer(), tt.skill, fmt.Sprintf(`{"bytes":%d}`, tt.bytes))
		if tt.want == "" {
			if res.Err != nil || len(res.Output) != registry.MaxOutput {
				t.Errorf("%s of %d: %d bytes, %v", tt.skill, tt.bytes, len(res.Output), res.Err)
			}
			continue
		}
		if res.Err == nil || res.Err.Code != registry.CodeCapacityExceeded || res.Err.Message != tt.want || len(res.Output) > 0 {
			t.Errorf("%s of %d: %d bytes, %v, want %s", tt.skill, tt.bytes, len(res.Output), res.Err, tt.want)
		}
		if n := len(l.all()); n != before {
			t.Errorf("%s of %d has left %d lines", tt.skill, tt.bytes, n-before)
		}
	}
}
