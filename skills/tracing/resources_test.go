package tracing_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/tracing"
	"github.com/limina-mcp/limina/trace"
)

func TestEventResource(t *testing.T) {
	l := trace.New(trace.Options{})
	reg := registry.New(registry.Options{Trace: l})
	if err := reg.Resources().Register(tracing.Resources(l)...); err != nil {
		t.Fatal(err)
	}
	_, err := l.Append(nil,
		trace.Draft{Type: "a.b", Actor: "ada", Session: "s", Payload: []byte(`{"x":1}`)},
		trace.Draft{Type: "a.long", Actor: "ada", Payload: []byte(`{"x":"` + strings.Repeat("y", 40_000) + `"}`)})
	if err != nil {
		t.Fatal(err)
	}
	reader := &profiles.Principal{ID: "rita", Grants: profiles.Grant("trace.read")}
	for _, tt := range []struct {
		as        *profiles.Principal
		uri, want string
	}{
		{reader, "limina://trace/evt_0", `"type":"a.b","actorId":"ada","threadId":"s","parentEventId":null,"causedBy":[]`},
		{reader, "limina://trace/evt_0", `"payload":{"x":1},"integrity":{"prev":"`},
		{reader, "limina://trace/evt_1", `"payload":{"bytes":40008,"note":"too long to show here: skills_call {\"name\":\"trace.tail\",\"input\":{\"afterSeq\":0,\"limit\":1}} has it all"}`},
		{reader, "limina://trace/evt_99", "not_found: eventId: evt_99 is not in the log, which holds evt_0 to evt_"},
		{reader, "limina://trace/12", `not_found: "12" is not an event id: want evt_<number>, such as "evt_12"`},
		{&profiles.Principal{ID: "ada"}, "limina://trace/evt_0", "forbidden: missing permission: trace.read"},
	} {
		contents, err := reg.Read(t.Context(), tt.as, tt.uri)
		var got string
		var e *registry.Error
		if errors.As(err, &e) {
			got = string(e.Code) + ": " + e.Message
		} else if got = contents[0].Text; !json.Valid([]byte(got)) {
			t.Errorf("%s is no JSON: %s", tt.uri, got)
		}
		if !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s, want it to contain %s", tt.uri, got, tt.want)
		}
	}
	r, _ := reg.Resources().Template("limina://trace/{event}")
	s, err := r.Complete(t.Context(), registry.Partial{Name: "event", Value: "evt_", Principal: reader})
	if err != nil || len(s.Values) != l.Len() || s.Values[len(s.Values)-1] != "evt_0" {
		t.Errorf("completion: %v, %v", s, err)
	}
	if _, err := r.Complete(t.Context(), registry.Partial{Name: "event"}); err == nil {
		t.Error("completion without the permission")
	}
}
