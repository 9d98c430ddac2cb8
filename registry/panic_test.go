package registry_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"
	"github.com/rs/zerolog"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// mine is a value whose methods panic when they are told to.
type mine string

func (m *mine) UnmarshalJSON(data []byte) error {
	*m = mine(strings.Trim(string(data), `"`))
	return m.fail("decoder")
}

func (m mine) MarshalJSON() ([]byte, error) { return []byte(`"` + string(m) + `"`), m.fail("encoder") }

func (mine) JSONSchema() *jsonschema.Schema { return &jsonschema.Schema{Type: "string"} }

func (m mine) fail(at string) error {
	if string(m) == at {
		panic("boom in the " + at)
	}
	return nil
}

type mineField struct {
	At mine `json:"at,omitempty"`
}

// TestPanics has everything panic that is not the registry's own: the call fails, nothing is
// committed, the log tells what happened, and the next call is as good as any.
func TestPanics(t *testing.T) {
	var stderr bytes.Buffer
	at := ""
	fail := func(here string) {
		if at == here {
			panic("boom in the " + here)
		}
	}
	r := newRig(t, registry.Options{
		Logger: zerolog.New(&stderr),
		Gate: gate(func(*registry.Pending) registry.Verdict {
			fail("gate")
			return registry.Verdict{}
		}),
		Recorder: recorder{
			before: func(*registry.Call, []byte) error { fail("recorder, before"); return nil },
			after:  func(registry.Outcome) error { fail("recorder, after"); return nil },
		},
	})
	if err := r.reg.Register(registry.Define(registry.Spec[mineField, mineField]{
		Name: "test.mine", Description: "Panic where told.", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(c *registry.Call, in mineField) (mineField, error) {
			r.ledger.write(c, string(in.At))
			fail("handler")
			return in, nil
		},
	})); err != nil {
		t.Fatal(err)
	}
	for _, place := range []string{"decoder", "gate", "recorder, before", "handler", "encoder", "recorder, after"} {
		t.Run(place, func(t *testing.T) {
			at = place
			before := len(r.events())
			stderr.Reset()
			res := r.call(writer(), "test.mine", `{"at":"`+place+`"}`)
			contains(t, text(res.Err), "handler_error: internal error in call")
			contains(t, stderr.String(), "boom in the "+place)
			contains(t, stderr.String(), "panic_test.go")
			events := r.events()
			if len(events) != before+1 || events[before].Type != registry.EventFailed {
				t.Fatalf("events %v", r.types()[before:])
			}
			if e := events[before]; strings.Contains(string(e.Payload), "boom") || r.payload(e)["input"] == nil {
				t.Errorf("event %s", e.Payload)
			}
			res = r.call(writer(), "test.seq", seq("", `test.mine {"at":"`+place+`"}`))
			contains(t, text(res.Err), "handler_error: internal error in call")

			at = ""
			if res := r.call(writer(), "test.mine", `{"at":"none"}`); res.Err != nil || string(res.Output) != `{"at":"none"}` {
				t.Errorf("the next call: %s %s", text(res.Err), res.Output)
			}
		})
	}
	for _, line := range r.ledger.all() {
		if line != "none" {
			t.Errorf("committed %q", line)
		}
	}
}

// watchedLedger is a ledger whose commits somebody watches who panics.
type watchedLedger struct {
	ledger
	ends int
}

func (l *watchedLedger) Commit(intent uint64) {
	l.ends++
	l.ledger.Commit(intent)
	panic("the watcher panics")
}

func (l *watchedLedger) Rollback() {
	l.ends++
	l.ledger.Rollback()
}

// TestPanicInCommit: a transaction is ended once, also if its Commit panics, and it is that panic which is seen.
func TestPanicInCommit(t *testing.T) {
	l := &watchedLedger{}
	r := newRig(t, registry.Options{}, registry.Define(registry.Spec[struct{}, struct{}]{
		Name: "test.commit", Description: "Commit.", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(c *registry.Call, _ struct{}) (struct{}, error) {
			l.mu.Lock()
			l.begun, l.open = true, []string{"line"}
			c.Begin(l)
			return struct{}{}, nil
		},
	}))
	defer func() {
		if p := recover(); p != "the watcher panics" || l.ends != 1 {
			t.Errorf("panic %v, after %d ends", p, l.ends)
		}
	}()
	r.call(writer(), "test.commit", "")
	t.Error("no panic")
}

func TestPanicOfTypedCall(t *testing.T) {
	r := newRig(t, registry.Options{})
	_, err := registry.Invoke[writeIn, writeOut](t.Context(), r.reg, writer(), "test.write", writeIn{Line: "a", Then: "panic"})
	if err == nil {
		t.Fatal("no error")
	}
	if e := r.events()[0]; e.Type != registry.EventFailed || r.payload(e)["input"].(map[string]any)["line"] != "a" {
		t.Errorf("event %s %s", e.Type, e.Payload)
	}
	if len(r.ledger.all()) != 0 {
		t.Errorf("lines %v", r.ledger.all())
	}
}

// A call that is over says so to who has kept it.
func TestKeptCall(t *testing.T) {
	var kept *registry.Call
	keep := registry.Define(registry.Spec[struct{}, struct{}]{
		Name: "test.keep", Description: "Keep the call.", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(c *registry.Call, _ struct{}) (struct{}, error) {
			kept = c
			return struct{}{}, nil
		},
	})
	r := newRig(t, registry.Options{}, keep)
	if res := r.call(writer(), "test.keep", `{}`); res.Err != nil {
		t.Fatal(res.Err)
	}
	for name, use := range map[string]func(){
		"Context":     func() { kept.Context() },
		"Intent":      func() { kept.Intent() },
		"Emit":        func() { _ = kept.Emit("test.late", struct{}{}) },
		"Transaction": func() { kept.Transaction() },
		"Invoke":      func() { _, _ = kept.Invoke("test.keep", nil) },
	} {
		if got := panicOf(use); got != "registry: a Call is used after its handler has returned" {
			t.Errorf("%s: %q", name, got)
		}
	}
}
