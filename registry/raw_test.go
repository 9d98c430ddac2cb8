package registry_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/registry/raw"
)

// rawSkill is a raw skill that hands its input to do.
func rawSkill(tb testing.TB, in, out string, do func(json.RawMessage) (json.RawMessage, error)) (registry.Skill, error) {
	tb.Helper()
	spec := registry.RawSpec{
		Name: "raw.do", Description: "Do.", Permissions: []profiles.Permission{profiles.Anyone}, InputSchema: json.RawMessage(in),
		Handle: func(_ *registry.Call, input json.RawMessage) (json.RawMessage, error) { return do(input) },
	}
	if out != "" {
		spec.OutputSchema = json.RawMessage(out)
	}
	return raw.Define(spec)
}

func TestRawDeclaration(t *testing.T) {
	const object = `{"type":"object"}`
	tests := []struct{ in, out, want string }{
		{object, "", ""},
		{object, object, ""},
		{"", "", "input schema: "},
		{"null", "", `input schema: the root must have type "object"`},
		{"true", "", `input schema: the root must have type "object"`},
		{`{"type":"string"}`, "", `input schema: the root must have type "object"`},
		{`{"type":["object","null"]}`, "", `input schema: the root must have type "object"`},
		{`{"type":"objekt"}`, "", "input schema: "},
		{`{"type":"object","properties":{"a":{"pattern":"("}}}`, "", "input schema: "},
		{`{"type":"object","$ref":"#/$defs/none"}`, "", "input schema: "},
		{`{"type":"object","properties":{"a":{"$ref":"http://127.0.0.1:1/s.json"}}}`, "", "input schema: "},
		{`{"type":"object"`, "", "input schema: "},
		{`{"type":"object","properties":{"next":{"$ref":"#"}}}`, "", ""}, // a list is no circle
		{`{"type":"object","$ref":"#"}`, "", `input schema: the reference at "#" leads back to itself`},
		{
			`{"type":"object","properties":{"a":{"$ref":"#/$defs/b"}},"$defs":{"b":{"anyOf":[{"type":"null"},{"$ref":"#/properties/a"}]}}}`, "",
			"leads back to itself",
		},
		{`{"type":"object","properties":{"a":{"$ref":"#/%24defs/x~1y~0"}},"$defs":{"x/y~":{"not":{"allOf":[true,{"$ref":"#/$defs/x~1y~0"}]}}}}`, "", "leads back to itself"},
		{`{"type":"object","properties":{"a":{"$ref":"#/$defs/b/anyOf/1"}},"$defs":{"b":{"anyOf":[true,{"type":"null"}]}}}`, "", ""},
		{`{"type":"object","properties":{"a":{"$ref":"#/$defs/b/anyOf/2"}},"$defs":{"b":{"anyOf":[true,{"type":"null"}]}}}`, "", "leads nowhere"},
		{`{"type":"object","$Ref":"#"}`, "", `the reference at "#" leads back to itself`},
		{`{"type":"object","ALLOF":[{"$ref":"#"}]}`, "", `leads back to itself`},
		{`{"type":"object","$id":"http://example.com/a","$ref":"#/$defs/b","$defs":{"b":{"type":"object"}}}`, "", ""},
		{
			`{"type":"object","properties":{"a":{"$id":"http://example.com/a","$ref":"#/$defs/b","$defs":{"b":{"$ref":"#"}}}},"$defs":{"b":{}}}`, "",
			`$id at "#/properties/a" is not supported`,
		},
		{`{"type":"object","properties":{"a":{"$dynamicRef":"#a"}}}`, "", `$dynamicRef at "#/properties/a" is not supported`},
		{`{"type":"object","properties":{"$ref":{"type":"string"},"default":{"$ref":"#"}},"default":{"$ref":"x"}}`, "", ""},
		{object, `{"type":"array"}`, `output schema: the root must have type "object"`},
	}
	for _, tt := range tests {
		_, err := rawSkill(t, tt.in, tt.out, func(in json.RawMessage) (json.RawMessage, error) { return in, nil })
		got := ""
		if err != nil {
			got = err.Error()
		}
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("Define(%s, %s): got %q, want %q", tt.in, tt.out, got, tt.want)
		}
	}
	if _, err := raw.Define(registry.RawSpec{
		Name: "raw.do", Description: "Do.", Permissions: []profiles.Permission{profiles.Anyone}, InputSchema: json.RawMessage(object),
	}); err == nil || err.Error() != "skill raw.do has no Handle" {
		t.Errorf("a raw skill without a Handle: %v", err)
	}
	if _, err := raw.Define(registry.RawSpec{Name: "raw do"}); err == nil {
		t.Error("a raw skill with a bad name was defined")
	}
	if _, err := raw.Define(registry.RawSpec{Name: "raw.do", Description: "Do.", Permissions: []profiles.Permission{"Bad!"}}); err == nil {
		t.Error("a raw skill with a bad permission was defined")
	}
}

const rawIn = `{"type":"object","properties":{"a":{"type":"object","properties":{"n":{"type":"integer","maximum":3}}},"name":{"type":"string"}},"required":["a"],"additionalProperties":false}`

func TestRawInput(t *testing.T) {
	tests := []struct {
		input string
		want  []string // all in the text
	}{
		{`{"a":{"n":3}}`, nil},
		{`{"a":{"n":3.0},"name":"x"}`, nil},
		{`{"a":{"n":4}}`, []string{"invalid_input: a.n: maximum: 4"}},
		{`{"a":{"n":"4"}}`, []string{`invalid_input: a.n: type: 4 has type "string", want "integer"`}},
		{`{}`, []string{"invalid_input: a: is required"}},
		{``, []string{"invalid_input: a: is required"}},
		{`{"a":{},"b":1}`, []string{"invalid_input: b: unknown field, allowed: a, name"}},
		{`[]`, []string{"invalid_input: must be an object"}},
		{`null`, []string{"invalid_input: must be an object"}},
		{`7`, []string{"invalid_input: must be an object"}},
		{`{"a":{}`, []string{"invalid_input: "}},
		{`{"a":{}}}`, []string{"invalid_input: "}},
		{"{\"a\":{},\"name\":\"\xff\"}", []string{"invalid_input: "}},
		{`{"a":{},"a":{}}`, []string{"invalid_input: a: is given twice"}},
		{`{"a":{"n":1,"o":[{"p":1},{"q":{"":1,"":2}}]}}`, []string{"invalid_input: a.o[1].q[\"\"]: is given twice"}},
		{`{"a":{"n":1e400},"b":[1,{"c":-1e999}]}`, []string{
			"invalid_input: a.n: must be a number that 64 bits can hold, got 1e400; b[1].c: must be a number that 64 bits can hold, got -1e999",
		}},
		{strings.Repeat(`{"a":`, 129) + "1" + strings.Repeat("}", 129), []string{"invalid_input: not valid JSON: more than 128 arrays and objects"}},
		{`{"a":{"n":1,"o":[{"p":{}},{"p":{}},"p","p"]}}`, nil},
		{`{"a":{"x":"y","y":"x","z":"y"},"name":"a"}`, nil}, // no key twice, though a value is the text of one
	}
	for _, tt := range tests {
		k, err := rawSkill(t, rawIn, "", func(in json.RawMessage) (json.RawMessage, error) { return in, nil })
		if err != nil {
			t.Fatal(err)
		}
		r := newRig(t, registry.Options{}, k)
		res := r.call(writer(), "raw.do", tt.input)
		if tt.want == nil && (res.Err != nil || string(res.Output) != tt.input) {
			t.Errorf("%s: got %s %s", tt.input, text(res.Err), res.Output)
		}
		for _, want := range tt.want {
			contains(t, text(res.Err), want)
		}
		for _, e := range r.events() {
			r.payload(e)
		}
	}
}

func TestRawOutput(t *testing.T) {
	const schema = `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`
	tests := []struct{ schema, output, want string }{
		{schema, `{"n":1}`, `{"n":1}`},
		{schema, "{\r\n  \"n\": 1\n}", `{"n":1}`}, // a message is a line
		{schema, `{"n":"1"}`, ""},
		{schema, `{}`, ""},
		{"", `{}`, "{}"},
		{"", `{"any":[1, 2]}`, `{"any":[1, 2]}`},
		{"", `[]`, ""},
		{"", `null`, ""},
		{"", ``, ""},
		{"", `{`, ""},
		{"", `{} {}`, ""},
		{"", `{"a":{"b":1,"b":2}}`, ""},
		{"", `{"a":1e400}`, ""},
	}
	for _, tt := range tests {
		k, err := rawSkill(t, `{"type":"object"}`, tt.schema, func(json.RawMessage) (json.RawMessage, error) { return json.RawMessage(tt.output), nil })
		if err != nil {
			t.Fatal(err)
		}
		res := newRig(t, registry.Options{}, k).call(writer(), "raw.do", "")
		if tt.want == "" {
			contains(t, text(res.Err), "handler_error: internal error in call 1")
		} else if res.Err != nil || string(res.Output) != tt.want {
			t.Errorf("%q: got %s %s", tt.output, text(res.Err), res.Output)
		}
	}
	k, _ := rawSkill(t, `{"type":"object"}`, "", nil)
	if got := k.OutputSchema(); got != nil {
		t.Errorf("the output schema of a skill without one is %s", got)
	}
}

func TestRawFailure(t *testing.T) {
	k, err := rawSkill(t, `{"type":"object"}`, "", func(json.RawMessage) (json.RawMessage, error) {
		return nil, registry.Errorf(registry.CodeCapacityExceeded, "the upstream is busy")
	})
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, registry.Options{}, k)
	if got, want := text(r.call(writer(), "raw_do", "").Err), "capacity_exceeded: the upstream is busy"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestRawIsNotTyped(t *testing.T) {
	k, err := rawSkill(t, `{"type":"object"}`, "", func(in json.RawMessage) (json.RawMessage, error) { return in, nil })
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, registry.Options{}, k)
	_, err = registry.Invoke[echoIn, echoOut](t.Context(), r.reg, writer(), "raw.do", echoIn{})
	contains(t, err.Error(), "skill raw.do does not take registry_test.echoIn and give registry_test.echoOut: its input and its output have no Go type: call it with JSON")
}
