package registry_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/trace"
)

// TestOrder breaks every stage of the pipeline from the n-th on: the n-th must answer, and none
// behind it may have been reached.
func TestOrder(t *testing.T) {
	stages := []struct {
		name    string
		want    string   // code and text
		visited []string // stages that were asked before the events were appended
		event   string
	}{
		{"resolve", "not_found: unknown skill: order.no", nil, registry.EventRefused},
		{"validate", "invalid_input: n: must be from 0 to 10, got 11", nil, registry.EventRefused},
		{"permission", "forbidden: missing permission: scene.write", nil, registry.EventRefused},
		{"gate", "forbidden: the gate is closed", []string{"gate"}, registry.EventRefused},
		{"before", "handler_error: internal error in call 1; nothing was changed", []string{"gate", "before"}, registry.EventFailed},
		{"handler", "handler_error: the handler fails", []string{"gate", "before", "handler", "after"}, registry.EventFailed},
		{"output", "handler_error: internal error in call 1; nothing was changed", []string{"gate", "before", "handler", "after"}, registry.EventFailed},
		{"after", "handler_error: internal error in call 1; nothing was changed", []string{"gate", "before", "handler", "after"}, registry.EventFailed},
		{"trace", "handler_error: internal error in call 1; nothing was changed", []string{"gate", "before", "handler", "after"}, ""},
		{"none", "ok", []string{"gate", "before", "handler", "after"}, registry.EventExecuted},
	}
	var names []string
	for _, s := range stages {
		names = append(names, s.name)
	}
	for n, stage := range stages {
		t.Run(stage.name, func(t *testing.T) {
			var visited []string
			broken := func(at string) bool { return slices.Index(names, at) >= n }
			visit := func(at string) error {
				visited = append(visited, at)
				if broken(at) {
					return errors.New("secret of " + at)
				}
				return nil
			}
			l := &ledger{}
			reg := registry.New(registry.Options{
				Trace: trace.New(trace.Options{Sink: sink(func(lines []byte) error {
					if broken("trace") && bytes.Contains(lines, []byte(registry.EventExecuted)) {
						return errors.New("the disk is full")
					}
					return nil
				})}),
				Gate: gate(func(*registry.Pending) registry.Verdict {
					if visit("gate") != nil {
						return registry.Verdict{Decision: registry.Deny, Reason: "the gate is closed"}
					}
					return registry.Verdict{}
				}),
				Recorder: recorder{
					before: func(*registry.Call, []byte) error { return visit("before") },
					after:  func(registry.Outcome) error { return visit("after") },
				},
			})
			if err := reg.Register(registry.Define(registry.Spec[echoIn, writeOut]{
				Name: "order.yes", Description: "Go through all stages.", Permissions: []profiles.Permission{"scene.write"},
				Handle: func(c *registry.Call, _ echoIn) (writeOut, error) {
					l.write(c, "line")
					if visit("handler") != nil {
						return writeOut{}, registry.Failf("the handler fails")
					}
					if broken("output") {
						return writeOut{Lines: -1}, nil
					}
					return writeOut{Lines: 1}, nil
				},
			})); err != nil {
				t.Fatal(err)
			}
			name, input, p := "order.yes", `{"n":1}`, writer()
			if broken("resolve") {
				name = "order.no"
			}
			if broken("validate") {
				input = `{"n":11}`
			}
			if broken("permission") {
				p = reader()
			}
			res := reg.Invoke(t.Context(), &registry.Request{Name: name, Input: []byte(input), Principal: p}, []byte("kept "))

			if got := text(res.Err); got != stage.want {
				t.Errorf("got %s\nwant %s", got, stage.want)
			}
			if diff := cmp.Diff(stage.visited, visited); diff != "" {
				t.Errorf("stages (-want +got):\n%s", diff)
			}
			events, _ := reg.Trace().Tail(trace.Filter{})
			if stage.event == "" && len(events) != 0 || stage.event != "" && (len(events) != 1 || events[0].Type != stage.event) {
				t.Errorf("events %v, want one %q", events, stage.event)
			}
			done, output := 0, "kept "
			if stage.name == "none" {
				done, output = 1, `kept {"lines":1}`
			}
			if got := len(l.all()); got != done {
				t.Errorf("%d lines were committed, want %d", got, done)
			}
			if string(res.Output) != output {
				t.Errorf("output %q, want %q", res.Output, output)
			}
		})
	}
}
