package raw_test

import (
	"encoding/json"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/registry/raw"
)

// TestNumbers holds that what is wrong with a number is said with numbers as people write them.
func TestNumbers(t *testing.T) {
	k, err := raw.Define(registry.RawSpec{
		Name: "elsewhere.numbers", Description: "Take numbers.", Permissions: []profiles.Permission{profiles.Anyone},
		InputSchema: json.RawMessage(`{"type":"object","properties":{"min":{"minimum":-2.5},"max":{"maximum":7},
			"above":{"exclusiveMinimum":0},"below":{"exclusiveMaximum":1},"step":{"multipleOf":0.5},"text":{"pattern":"^9/1 7.000000$"}}}`),
		Handle: func(_ *registry.Call, input json.RawMessage) (json.RawMessage, error) { return input, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	r := registry.New(registry.Options{})
	if err := r.Register(k); err != nil {
		t.Fatal(err)
	}
	for input, want := range map[string]string{
		`{"min":-3}`:    "min: minimum: -3 is less than -2.5",
		`{"max":9}`:     "max: maximum: 9 is greater than 7",
		`{"max":7.1}`:   "max: maximum: 7.1 is greater than 7",
		`{"max":1e30}`:  "max: maximum: 1e+30 is greater than 7",
		`{"above":0}`:   "above: exclusiveMinimum: 0 is less than or equal to 0",
		`{"below":1}`:   "below: exclusiveMaximum: 1 is greater than or equal to 1",
		`{"step":0.7}`:  "step: multipleOf: 0.7 is not a multiple of 0.5",
		`{"text":"no"}`: `text: pattern: "no" does not match regular expression "^9/1 7.000000$"`,
		`{"max":7}`:     "",
	} {
		res := r.Invoke(t.Context(), &registry.Request{Name: "elsewhere.numbers", Input: []byte(input), Principal: new(profiles.Principal)}, nil)
		got := ""
		if res.Err != nil {
			got = res.Err.Message
		}
		if got != want {
			t.Errorf("%s: %s, want %s", input, got, want)
		}
	}
}
