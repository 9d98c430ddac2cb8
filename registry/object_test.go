package registry_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

type metaIn struct {
	Meta registry.Object `json:"meta,omitempty"`
}

type metaOut struct {
	Meta registry.Object `json:"meta"`
}

func TestObject(t *testing.T) {
	tests := []struct {
		input string
		want  string // "" for invalid_input
	}{
		{`{}`, `{"meta":{}}`},
		{`{"meta":{}}`, `{"meta":{}}`},
		{`{"meta": {"a":[1,{"b":null}]} }`, `{"meta":{"a":[1,{"b":null}]}}`},
		{"{\"meta\":{\r\n\"a\" : 1}}", `{"meta":{"a":1}}`}, // an answer is one line
		{`{"meta":null}`, ""},
		{`{"meta":[]}`, ""},
		{`{"meta":"{}"}`, ""},
		{`{"meta":7}`, ""},
		{`{"meta":{"a":1e308}}`, `{"meta":{"a":1e308}}`},
	}
	r := newRig(t, registry.Options{}, registry.Define(registry.Spec[metaIn, metaOut]{
		Name: "test.meta", Description: "Hand on.", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(_ *registry.Call, in metaIn) (metaOut, error) { return metaOut(in), nil },
	}))
	for _, tt := range tests {
		res := r.call(writer(), "test.meta", tt.input)
		switch {
		case tt.want == "":
			contains(t, text(res.Err), "invalid_input: meta: must ")
		case res.Err != nil || string(res.Output) != tt.want:
			t.Errorf("%s: got %s %s, want %s", tt.input, text(res.Err), res.Output, tt.want)
		}
	}
	verify(t, r.log)
	for _, text := range []string{``, ` `, `[]`, `{`, `{"a":}`} {
		var o registry.Object
		if err := o.UnmarshalJSON([]byte(text)); err == nil {
			t.Errorf("an Object took %q", text)
		}
	}
	for given, want := range map[string]string{``: `{}`, ` {"a":1}`: `{"a":1}`, ` `: "", `[]`: "", `7`: "", `null`: "", `{"a":}`: ""} {
		r := newRig(t, registry.Options{}, registry.Define(registry.Spec[struct{}, metaOut]{
			Name: "test.give", Description: "Give an object.", Permissions: []profiles.Permission{profiles.Anyone},
			Handle: func(*registry.Call, struct{}) (metaOut, error) { return metaOut{Meta: registry.Object(given)}, nil },
		}))
		switch res := r.call(writer(), "test.give", ""); {
		case want == "":
			contains(t, text(res.Err), "handler_error: internal error")
		case res.Err != nil || string(res.Output) != `{"meta":`+want+`}`:
			t.Errorf("%s: got %s %s, want %s", given, text(res.Err), res.Output, want)
		}
	}
	schema, err := json.Marshal(registry.Object{}.JSONSchema())
	if err != nil || string(schema) != `{"type":"object"}` {
		t.Errorf("schema %s, %v", schema, err)
	}
}

func TestBeginTwice(t *testing.T) {
	for _, tx := range []any{nil, "no transaction"} {
		r := newRig(t, registry.Options{}, beginner(tx))
		contains(t, text(r.call(writer(), "test.begin", "").Err), "handler_error: internal error")
	}
	l := &ledger{}
	r := newRig(t, registry.Options{}, registry.Define(registry.Spec[struct{}, struct{}]{
		Name: "test.begin", Description: "Begin twice.", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(c *registry.Call, _ struct{}) (struct{}, error) {
			l.write(c, "a")
			c.Begin(l)
			return struct{}{}, nil
		},
	}))
	contains(t, text(r.call(writer(), "test.begin", "").Err), "handler_error: internal error")
	if len(l.all()) != 0 {
		t.Error("what was written before the mistake was committed")
	}
}

func beginner(tx any) registry.Skill {
	return registry.Define(registry.Spec[struct{}, struct{}]{
		Name: "test.begin", Description: "Begin.", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(c *registry.Call, _ struct{}) (struct{}, error) {
			c.Begin(tx)
			return struct{}{}, nil
		},
	})
}

// TestFaults asks what is wrong with an input without a call.
func TestFaults(t *testing.T) {
	called := false
	k := registry.Define(registry.Spec[metaIn, metaOut]{
		Name: "test.meta", Description: "Hand on.", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(_ *registry.Call, in metaIn) (metaOut, error) { called = true; return metaOut(in), nil },
	})
	r := newRig(t, registry.Options{}, k, registry.Define(registry.Spec[struct{}, struct{}]{
		Name: "test.ask", Description: "Ask.", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(c *registry.Call, _ struct{}) (struct{}, error) {
			for _, tt := range []struct{ input, want string }{
				{``, ``},
				{`{}`, ``},
				{`{"meta":{"a":1}}`, ``},
				{`{"meta":"{\"a\":1}","mode":1}`, `meta: must be an object, not a string that holds one: leave the quotes out; mode: unknown field, allowed: meta`},
				{`{"meta":{"a":1,"b":[{"c":1,"c":2}],"a":1e999}}`, `meta.b[0].c: is given twice; meta.a: is given twice; meta.a: must be a number that 64 bits can hold, got 1e999`},
				{`{`, `not valid JSON: the text ends too early, at offset 1, after "{"`},
			} {
				var got []string
				for _, p := range c.Faults(k, []byte(tt.input)) {
					got = append(got, p.String())
				}
				if said := strings.Join(got, "; "); said != tt.want {
					t.Errorf("%s: %s, want %s", tt.input, said, tt.want)
				}
			}
			if got := c.Faults(registry.Skill{}, []byte(`7`)); got != nil {
				t.Errorf("of the zero Skill it is %v", got)
			}
			return struct{}{}, nil
		},
	}))
	if res := r.call(writer(), "test.ask", ""); res.Err != nil {
		t.Error(res.Err)
	}
	if called {
		t.Error("the handler ran")
	}
}
