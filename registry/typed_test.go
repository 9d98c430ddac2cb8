package registry_test

import (
	"encoding/json"
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/trace"
)

// TestTypedIsTheSame makes the same calls with text and with Go values: same answers, same events.
func TestTypedIsTheSame(t *testing.T) {
	tests := []struct {
		name string
		as   *profiles.Principal
		text string
		in   writeIn
	}{
		{"done", writer(), `{"line":"a"}`, writeIn{Line: "a"}},
		{"with events", writer(), `{"line":"a","emits":2}`, writeIn{Line: "a", Emits: 2}},
		{"escapes", writer(), `{"line":"a\n\"<b>"}`, writeIn{Line: "a\n\"<b>"}},
		{"no permission", reader(), `{"line":"a"}`, writeIn{Line: "a"}},
		{"nobody", nil, `{"line":"a"}`, writeIn{Line: "a"}},
		{"bad input", writer(), `{"line":"a","then":"fly"}`, writeIn{Line: "a", Then: "fly"}},
		{"fails", writer(), `{"line":"a","then":"fail"}`, writeIn{Line: "a", Then: "fail"}},
		{"panics", writer(), `{"line":"a","then":"panic"}`, writeIn{Line: "a", Then: "panic"}},
		{"refuses", writer(), `{"line":"a","then":"refuse"}`, writeIn{Line: "a", Then: "refuse"}},
		{"breaks its contract", writer(), `{"line":"a","then":"break"}`, writeIn{Line: "a", Then: "break"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			byText, typed := newRig(t, registry.Options{}), newRig(t, registry.Options{})
			res := byText.call(tt.as, "test.write", tt.text)
			out, err := registry.Invoke[writeIn, writeOut](t.Context(), typed.reg, tt.as, "test_write", tt.in)
			var e *registry.Error
			if (err != nil) != errors.As(err, &e) {
				t.Fatalf("the error is a %T", err)
			}
			if text(e) != text(res.Err) {
				t.Errorf("typed: %s; by text: %s", text(e), text(res.Err))
			}
			if wantLines := 1; res.Err == nil && out.Lines != wantLines || res.Err != nil && out != (writeOut{}) {
				t.Errorf("typed output %+v", out)
			}
			type event struct{ Type, Actor, Session, Payload string }
			list := func(r *rig) (list []event) {
				for _, e := range r.events() {
					list = append(list, event{e.Type, e.ActorID, e.ThreadID, string(e.Payload)})
				}
				return list
			}
			if diff := cmp.Diff(list(byText), list(typed)); diff != "" {
				t.Errorf("events (-text +typed):\n%s", diff)
			}
			if diff := cmp.Diff(byText.ledger.all(), typed.ledger.all()); diff != "" {
				t.Errorf("lines (-text +typed):\n%s", diff)
			}
		})
	}
}

func TestTypedLimits(t *testing.T) {
	r := newRig(t, registry.Options{}, registry.Define(registry.Spec[struct {
		X float64 `json:"x"`
	}, struct {
		X float64 `json:"x"`
	}]{
		Name: "test.half", Description: "Halve, and break at zero.", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(_ *registry.Call, in struct {
			X float64 `json:"x"`
		},
		) (struct {
			X float64 `json:"x"`
		}, error,
		) {
			in.X = in.X / 2 / in.X
			return in, nil
		},
	}))
	type number = struct {
		X float64 `json:"x"`
	}
	for in, want := range map[float64]string{
		1:             "ok",
		math.Inf(1):   "invalid_input",
		1e39:          "invalid_input",
		math.NaN():    "invalid_input",
		0:             "handler_error", // 0/0 in the output
		math.Inf(-1):  "invalid_input",
		math.Pi * 1e9: "ok",
	} {
		_, err := registry.Invoke[number, number](t.Context(), r.reg, writer(), "test.half", number{in})
		got := "ok"
		var e *registry.Error
		if errors.As(err, &e) {
			got = string(e.Code)
		}
		if got != want {
			t.Errorf("%v: got %s, want %s", in, got, want)
		}
	}
}

// TestTypedZero sends zeros where there are defaults: what is recorded is the call that was made.
func TestTypedZero(t *testing.T) {
	type in struct {
		Loud  bool     `json:"loud,omitempty" jsonschema:"default=true"`
		Times int      `json:"times,omitempty" validate:"gte=0,lte=3" jsonschema:"default=1"`
		Tags  []string `json:"tags,omitzero" jsonschema:"default=[\"a\"]"`
		Scale float64  `json:"scale,omitempty" validate:"gt=0,lte=9" jsonschema:"default=2"`
	}
	type out struct{ in }
	skill := registry.Define(registry.Spec[in, out]{
		Name: "test.zero", Description: "Answer with the input.", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(_ *registry.Call, in in) (out, error) { return out{in}, nil },
	})
	r := newRig(t, registry.Options{}, skill)
	typed, err := registry.Invoke[in, out](t.Context(), r.reg, writer(), "test.zero", in{Scale: 3})
	if err != nil {
		t.Fatal(err)
	}
	var event struct{ Input json.RawMessage }
	if err := json.Unmarshal(r.events()[0].Payload, &event); err != nil {
		t.Fatal(err)
	}
	want, err := json.Marshal(map[string]any{"loud": typed.Loud, "times": typed.Times, "tags": []string{}, "scale": typed.Scale})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.call(writer(), "test.zero", string(event.Input)); !jsonEqual(t, got.Output, want) {
		t.Errorf("a call with %s, as recorded, answers %s; the call itself %s", event.Input, got.Output, want)
	}
	_, err = registry.Invoke[in, out](t.Context(), r.reg, writer(), "test.zero", in{})
	if want := "scale: must be greater than 0 and at most 9, got 0"; err == nil || err.Error() != want {
		t.Errorf("a zero beyond the limits: %v, want %s", err, want)
	}
}

func jsonEqual(t *testing.T, a, b []byte) bool {
	t.Helper()
	var x, y any
	if err := errors.Join(json.Unmarshal(a, &x), json.Unmarshal(b, &y)); err != nil {
		t.Fatalf("%v: %s, %s", err, a, b)
	}
	return cmp.Equal(x, y)
}

func TestTypedMismatch(t *testing.T) {
	r := newRig(t, registry.Options{})
	_, err := registry.Invoke[writeIn, echoOut](t.Context(), r.reg, writer(), "test.write", writeIn{Line: "a"})
	var e *registry.Error
	if !errors.As(err, &e) || text(e) != "invalid_input: skill test.write does not take registry_test.writeIn and give registry_test.echoOut: its types are registry_test.writeIn and registry_test.writeOut" {
		t.Errorf("got %v", err)
	}
	_, err = registry.Invoke[writeIn, writeOut](t.Context(), r.reg, writer(), "test.rite", writeIn{})
	if !errors.As(err, &e) || text(e) != "not_found: unknown skill: test.rite. Nearest: test.write" {
		t.Errorf("got %v", err)
	}
	if diff := cmp.Diff([]string{registry.EventRefused, registry.EventRefused}, r.types()); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if _, err := registry.Invoke[writeIn, writeOut](t.Context(), r.reg, writer(), "test.write", writeIn{Line: "b"}); err != nil {
		t.Errorf("the next call: %v", err)
	}
}

func TestTypedTraceFailure(t *testing.T) {
	r := newRig(t, registry.Options{Trace: trace.New(trace.Options{Sink: sink(func([]byte) error { return errors.New("full") })})})
	out, err := registry.Invoke[writeIn, writeOut](t.Context(), r.reg, writer(), "test.write", writeIn{Line: "a"})
	if err == nil || out != (writeOut{}) || len(r.ledger.all()) != 0 {
		t.Errorf("got %+v, %v; lines %v", out, err, r.ledger.all())
	}
}

func TestDefault(t *testing.T) {
	if diff := cmp.Diff(echoIn{Text: "hi"}, registry.Default[echoIn]()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
