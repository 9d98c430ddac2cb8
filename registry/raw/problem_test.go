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

// TestAll has inputs with several things wrong: all of them are told, with where they are, so that one more call is enough.
func TestAll(t *testing.T) {
	k, err := raw.Define(registry.RawSpec{
		Name: "elsewhere.order", Description: "Order.", Permissions: []profiles.Permission{profiles.Anyone},
		InputSchema: json.RawMessage(`{"type":"object","required":["who","lines"],"additionalProperties":false,
			"$defs":{"name":{"type":"string","minLength":2}},
			"properties":{
				"who":{"$ref":"#/$defs/name"},"n":{"type":"integer","maximum":3},"same":{"$ref":"#/properties/n"},
				"lines":{"type":"array","items":{"type":"object","required":["what"],"properties":{"what":{"$ref":"#/$defs/name"},"many":{"type":"integer"}}}},
				"either":{"anyOf":[{"type":"string"},{"type":"boolean"}]},
				"pair":{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}]}},
			"dependentRequired":{"n":["same"]}}`),
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
		`{"who":"ada","lines":[]}`: "",
		`{}`:                       "who: is required; lines: is required",
		`{"who":"a","n":7,"z":1,"lines":[{"what":"tea"},{"many":"2"},4]}`: `lines[1].what: is required; lines[1].many: type: 2 has type "string", want "integer"; ` +
			`lines[2]: type: 4 has type "integer", want "object"; n: maximum: 7 is greater than 3; who: minLength: "a" contains 1 Unicode code points, fewer than 2; ` +
			`z: unknown field, allowed: either, lines, n, pair, same, who`,
		`{"who":"ada","lines":[],"n":1}`:                  `dependentRequired["n"]: missing properties ["same"]`,
		`{"who":"ada","lines":[],"same":9}`:               "same: maximum: 9 is greater than 3",
		`{"who":"ada","lines":[],"n":9,"pair":["a","b"]}`: `n: maximum: 9 is greater than 3; pair[]: type: b has type "string", want "integer"`,
	} {
		res := r.Invoke(t.Context(), &registry.Request{Name: "elsewhere.order", Input: []byte(input), Principal: new(profiles.Principal)}, nil)
		got := ""
		if res.Err != nil {
			got = res.Err.Message
		}
		if got != want {
			t.Errorf("%s:\n%s\nwant\n%s", input, got, want)
		}
	}
	var long []any
	for range 500 {
		long = append(long, 1)
	}
	input, err := json.Marshal(map[string]any{"who": "ada", "lines": long})
	if err != nil {
		t.Fatal(err)
	}
	res := r.Invoke(t.Context(), &registry.Request{Name: "elsewhere.order", Input: input, Principal: new(profiles.Principal)}, nil)
	if res.Err == nil || len(res.Err.Message) > 4096 {
		t.Errorf("500 that are wrong: %v", res.Err)
	}
}
