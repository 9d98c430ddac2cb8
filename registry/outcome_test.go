package registry_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/trace"
)

// TestOneEvent checks that every outcome of a call is one event of its own, and what that says.
func TestOneEvent(t *testing.T) {
	call := map[string]any{"skill": "test.write", "version": "1.0.0", "intent": 1.0, "profile": "test"}
	with := func(more map[string]any) map[string]any {
		for k, v := range call {
			if _, has := more[k]; !has {
				more[k] = v
			}
		}
		return more
	}
	const internal = "internal error in call 1; nothing was changed"
	tests := []struct {
		name, skill, input string
		as                 *profiles.Principal
		want               string
		event              string
		payload            map[string]any
		tick               uint64
		lines              int
	}{
		{
			"done", "test.write", `{"line":"a"}`, writer(), "ok",
			registry.EventExecuted, with(map[string]any{"input": map[string]any{"line": "a"}}), 1, 1,
		},
		{
			"published name", "test_write", `{"line":"a"}`, writer(), "ok",
			registry.EventExecuted, with(map[string]any{"input": map[string]any{"line": "a"}}), 1, 1,
		},
		{
			"unknown", "test.wrote", `{}`, writer(), "not_found: unknown skill: test.wrote. Nearest: test.write",
			registry.EventRefused,
			map[string]any{
				"skill": "test.wrote", "version": "", "intent": 1.0, "profile": "test",
				"code": "not_found", "reason": "unknown skill: test.wrote. Nearest: test.write",
			},
			7, 0,
		},
		{
			"bad input", "test.write", `{"lime":"a"}`, writer(),
			`invalid_input: lime: unknown field, did you mean "line"? allowed: line, then, emits; line: is required: a string`,
			registry.EventRefused, with(map[string]any{
				"code":   "invalid_input",
				"reason": `lime: unknown field, did you mean "line"? allowed: line, then, emits; line: is required: a string`,
			}), 7, 0,
		},
		{
			"no JSON", "test.write", `{"line":`, writer(), "invalid_input: ",
			registry.EventRefused, nil, 7, 0,
		},
		{
			"no permission", "test.write", `{"line":"a"}`, reader(), "forbidden: missing permission: scene.write",
			registry.EventRefused, with(map[string]any{
				"code": "forbidden", "reason": "missing permission: scene.write", "required": []any{"scene.read", "scene.write"},
			}), 7, 0,
		},
		{
			"nobody", "test.write", `{"line":"a"}`, nil, "forbidden: missing permission: scene.read",
			registry.EventRefused, with(map[string]any{
				"profile": "", "code": "forbidden", "reason": "missing permission: scene.read",
				"required": []any{"scene.read", "scene.write"},
			}), 7, 0,
		},
		{
			"handler refuses", "test.write", `{"line":"a","then":"refuse"}`, writer(), "forbidden: not today",
			registry.EventRefused, with(map[string]any{
				"code": "forbidden", "reason": "not today", "required": []any{"scene.read", "scene.write"},
			}), 7, 0,
		},
		{
			"limit", "test.write", `{"line":"a","then":"exhaust"}`, writer(), "capacity_exceeded: the page is full",
			registry.EventRefused, with(map[string]any{"code": "capacity_exceeded", "reason": "the page is full"}), 7, 0,
		},
		{
			"handler fails", "test.write", `{"line":"a","then":"fail"}`, writer(), "handler_error: line: a is not liked",
			registry.EventFailed, with(map[string]any{
				"code": "handler_error", "reason": "line: a is not liked", "input": map[string]any{"line": "a", "then": "fail"},
			}), 7, 0,
		},
		{
			"handler fails with a secret", "test.write", `{"line":"a","then":"secret"}`, writer(), "handler_error: " + internal,
			registry.EventFailed, with(map[string]any{
				"code": "handler_error", "reason": internal, "input": map[string]any{"line": "a", "then": "secret"},
			}), 7, 0,
		},
		{
			"handler panics", "test.write", `{"line":"a","then":"panic"}`, writer(), "handler_error: " + internal,
			registry.EventFailed, with(map[string]any{
				"code": "handler_error", "reason": internal, "input": map[string]any{"line": "a", "then": "panic"},
			}), 7, 0,
		},
		{
			"output breaks its contract", "test.write", `{"line":"a","then":"break"}`, writer(), "handler_error: " + internal,
			registry.EventFailed, with(map[string]any{
				"code": "handler_error", "reason": internal, "input": map[string]any{"line": "a", "then": "break"},
			}), 7, 0,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, registry.Options{})
			res := r.call(tt.as, tt.skill, tt.input)
			if got := text(res.Err); !strings.HasPrefix(got, tt.want) {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
			events := r.events()
			if len(events) != 1 {
				t.Fatalf("events: %v", events)
			}
			e := events[0]
			if e.Type != tt.event || e.Tick != tt.tick || e.ParentEventID != nil || len(e.CausedBy) != 0 {
				t.Errorf("event %+v, want a %s at tick %d", e, tt.event, tt.tick)
			}
			if tt.as != nil && (e.ActorID != "mason" || e.ThreadID != "s1") {
				t.Errorf("event of %s in %s", e.ActorID, e.ThreadID)
			}
			if diff := cmp.Diff(tt.payload, r.payload(e)); tt.payload != nil && diff != "" {
				t.Errorf("payload (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]trace.ID{e.ID}, res.Events()); diff != "" {
				t.Errorf("Result.Events (-want +got):\n%s", diff)
			}
			if got := len(r.ledger.all()); got != tt.lines {
				t.Errorf("%d lines were committed, want %d", got, tt.lines)
			}
			if res.Err == nil && (res.Tick != tt.tick || r.ledger.intents[0] != res.Intent) {
				t.Errorf("tick %d, commits of the intents %v; intent %d", res.Tick, r.ledger.intents, res.Intent)
			}
		})
	}
}

// refusal is an error of a package that does not know the registry.
type refusal struct{ code, message string }

func (e refusal) Error() string             { return "secret" }
func (e refusal) Refusal() (string, string) { return e.code, e.message }

func TestErrorsThatReachTheCaller(t *testing.T) {
	var none *registry.Error
	tests := []struct {
		err  error
		want string
	}{
		{registry.Failf("a"), "handler_error: a"},
		{fmt.Errorf("around: %w", registry.Errorf(registry.CodeCapacityExceeded, "b")), "capacity_exceeded: b"},
		{refusal{"invalid_input", "c"}, "invalid_input: c"},
		{fmt.Errorf("around: %w", refusal{"capacity_exceeded", "d"}), "capacity_exceeded: d"},
		{refusal{"made_up", "e"}, "handler_error: e"},
		{&registry.Error{Code: "made_up", Message: "f"}, "handler_error: f"},
		{&registry.Error{Message: "g"}, "handler_error: g"},
		{context.DeadlineExceeded, "handler_error: timed out; nothing was changed"},
		{fmt.Errorf("around: %w", context.Canceled), "handler_error: cancelled; nothing was changed"},
		{errors.New("secret"), "handler_error: internal error in call 1; nothing was changed"},
		{none, "handler_error: internal error in call 1; nothing was changed"},
	}
	for _, tt := range tests {
		r := newRig(t, registry.Options{}, registry.Define(registry.Spec[echoIn, echoOut]{
			Name: "test.err", Description: "Fail.", Permissions: []profiles.Permission{profiles.Anyone},
			Handle: func(*registry.Call, echoIn) (echoOut, error) { return echoOut{}, tt.err },
		}))
		if got := text(r.call(writer(), "test.err", "").Err); got != tt.want {
			t.Errorf("%T %v: got %s\nwant %s", tt.err, tt.err, got, tt.want)
		}
	}
}

// TestWhoseInput has calls fail for their input, at the outermost and inside: the error says whose input it is and what is
// wrong in it, for whoever explains it.
func TestWhoseInput(t *testing.T) {
	r := newRig(t, registry.Options{}, registry.Define(registry.Spec[echoIn, echoOut]{
		Name: "test.pair", Description: "Want what no tag says.", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(*registry.Call, echoIn) (echoOut, error) {
			return echoOut{}, registry.Invalidf("n: does not go with text")
		},
	}))
	tests := []struct{ skill, input, want, paths string }{
		{"test.echo", `{"n":11,"text":7}`, "test.echo", "n text"},
		{"test.pair", `{}`, "test.pair", ""},
		{"test.seq", seq("", `test.echo {"n":11}`), "test.echo", "n"},
		{"test.seq", seq("", `test.pair {}`), "test.pair", ""},
		{"test.seq", `{"steps":[{"name":"test.seq","input":` + seq("", `test.echo {"n":11}`) + `}]}`, "test.echo", "n"},
	}
	for _, tt := range tests {
		res := r.call(writer(), tt.skill, tt.input)
		if res.Err == nil || res.Err.Code != registry.CodeInvalidInput || res.Err.Skill != tt.want {
			t.Errorf("%s %s: got %+v, want the input of %s to be invalid", tt.skill, tt.input, res.Err, tt.want)
			continue
		}
		var paths []string
		for _, p := range res.Err.Problems {
			paths = append(paths, p.Path)
		}
		if got := strings.Join(paths, " "); got != tt.paths {
			t.Errorf("%s %s: problems at %q, want %q", tt.skill, tt.input, got, tt.paths)
		}
	}
	res := r.call(writer(), "test.seq", seq("", `test.ecko {}`))
	if diff := cmp.Diff([]string{"test.echo"}, res.Err.Near); diff != "" {
		t.Errorf("near (-want +got):\n%s", diff)
	}
}

// TestLogged checks that what must not reach a caller is in the log for the operator, under the number that the caller was
// told, and that nothing else is.
func TestLogged(t *testing.T) {
	var logged bytes.Buffer
	r := newRig(t, registry.Options{Logger: zerolog.New(&logged)})
	for i, tt := range []struct{ then, want string }{
		{"fail", ""},
		{"refuse", ""},
		{"secret", "password 1234"},
		{"panic", "the hand slips"},
		{"break", "the output breaks its contract: lines: "},
	} {
		logged.Reset()
		r.call(writer(), "test.write", `{"line":"a","then":"`+tt.then+`"}`)
		said := logged.String()
		if tt.want == "" && said != "" {
			t.Errorf("%s: the log says %s", tt.then, said)
		}
		if tt.want != "" && (!strings.Contains(said, tt.want) || !strings.Contains(said, fmt.Sprintf(`"skill":"test.write","call":%d`, i+1))) {
			t.Errorf("%s: the log says %q, want %q of test.write and call %d", tt.then, said, tt.want, i+1)
		}
	}
}

func TestUnknownSkill(t *testing.T) {
	r := newRig(t, registry.Options{})
	tests := []struct {
		as         *profiles.Principal
		name, want string
	}{
		{writer(), "test.ecko", "unknown skill: test.ecko. Nearest: test.echo"},
		{reader(), "test.wrte", "unknown skill: test.wrte"}, // test.write is not the reader's to know
		{writer(), "", "unknown skill: "},
		{writer(), "a\xffb", "unknown skill: ab"},
		{writer(), "two\nlines", "unknown skill: two\nlines"},
		{writer(), strings.Repeat("é", 500), "unknown skill: " + strings.Repeat("é", 48) + "…"},
	}
	for _, tt := range tests {
		res := r.call(tt.as, tt.name, "{}")
		if res.Err.Code != registry.CodeNotFound || !strings.HasPrefix(res.Err.Message, tt.want) {
			t.Errorf("%q: got %s, want %s", tt.name, text(res.Err), tt.want)
		}
		if tt.name == "test.wrte" && strings.Contains(res.Err.Message, "test.write") {
			t.Errorf("%q: a reader is told of test.write: %s", tt.name, text(res.Err))
		}
	}
	for _, e := range r.events() { // their payloads are JSON
		r.payload(e)
	}
}
