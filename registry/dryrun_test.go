package registry_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// TestRehearsalThatPanics has a handler catch the panic of what it rehearses, and go on: of the rehearsal
// nothing remains.
func TestRehearsalThatPanics(t *testing.T) {
	r := newRig(t, registry.Options{}, registry.Define(registry.Spec[struct{}, struct{}]{
		Name: "test.brave", Description: "Try something out.", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(c *registry.Call, _ struct{}) (struct{}, error) {
			func() {
				defer func() { _ = recover() }()
				_, _ = c.Rehearse(func() error {
					if _, err := c.Invoke("test.write", []byte(`{"line":"a","emits":1}`)); err != nil {
						t.Error(err)
					}
					panic("boom")
				})
			}()
			_, err := c.Invoke("test.write", []byte(`{"line":"b"}`))
			return struct{}{}, err
		},
	}))
	r.must("test.brave", "")
	if lines := r.ledger.all(); len(lines) != 1 || lines[0] != "b" {
		t.Errorf("committed %q, want b", lines)
	}
	if got, want := r.tree(), "skill.executed test.brave\n  skill.executed test.write\n"; got != want {
		t.Errorf("events\n%swant\n%s", got, want)
	}
}

// TestRehearsalIsAllThatIsUndone has a handler do something, rehearse something, and do something again: the rehearsal is
// undone and nobody is asked or told of it, and with what was done before and after it is as always.
func TestRehearsalIsAllThatIsUndone(t *testing.T) {
	var asked, told []string
	r := newRig(t, registry.Options{
		Gate: gate(func(p *registry.Pending) registry.Verdict {
			asked = append(asked, string(p.Input))
			return registry.Verdict{}
		}),
		Recorder: recorder{before: func(_ *registry.Call, input []byte) error { // and wants to know nothing after it
			told = append(told, string(input))
			return nil
		}},
	}, registry.Define(registry.Spec[struct{}, struct{}]{
		Name: "test.weigh", Description: "Try something out in between.", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(c *registry.Call, _ struct{}) (struct{}, error) {
			write := func(line string) error {
				_, err := c.Invoke("test.write", []byte(`{"line":"`+line+`","emits":1}`))
				return err
			}
			first := write("a")
			_, tried := c.Rehearse(func() error { return write("b") })
			return struct{}{}, errors.Join(first, tried, write("c"))
		},
	}))
	r.must("test.weigh", "")
	if diff := cmp.Diff([]string{"a", "c"}, r.ledger.all()); diff != "" {
		t.Errorf("committed (-want +got):\n%s", diff)
	}
	want := []string{`{}`, `{"line":"a","emits":1}`, `{"line":"c","emits":1}`}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Errorf("the gate was asked of (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("the recorder was told of (-want +got):\n%s", diff)
	}
	const done = "  skill.executed test.write\n    test.wrote"
	if got, want := r.tree(), "skill.executed test.weigh\n"+done+" a\n"+done+" c\n"; got != want {
		t.Errorf("events\n%swant\n%s", got, want)
	}
}

// TestDryRun tries calls out: the answer is there, and nothing else but one event. Neither the gate nor
// the recorder is asked; a failure is what it always is; what acts beyond the transaction is refused.
func TestDryRun(t *testing.T) {
	asked := 0
	outward := registry.Define(registry.Spec[struct{}, struct{}]{
		Name: "test.outward", Description: "Write a file.", Permissions: []profiles.Permission{profiles.Anyone}, Outward: true,
		Handle: func(*registry.Call, struct{}) (struct{}, error) { asked++; return struct{}{}, nil },
	})
	try := registry.Define(registry.Spec[step, registry.Object]{
		Name: "test.try", Description: "Try a skill.", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(c *registry.Call, in step) (out registry.Object, err error) {
			_, err = c.Rehearse(func() error {
				text, err := c.Invoke(in.Name, in.Input)
				out = registry.Object(text)
				return err
			})
			return out, err
		},
	})
	tests := []struct{ name, skill, input, want, tree string }{
		{
			"a call", "test.seq", seq("", `test.write {"line":"a","emits":1}`), "ok",
			"skill.dryRun test.seq\n",
		},
		{
			"a call inside", "test.try", `{"name":"test.write","input":{"line":"a","emits":1}}`, "ok",
			"skill.executed test.try\n",
		},
		{
			"a call inside that fails", "test.try", `{"name":"test.seq","input":` + seq("", `test.write {"line":"a"}`, `test.write {"line":"b","then":"refuse"}`) + `}`,
			"forbidden: not today",
			"skill.refused test.try forbidden\n  skill.refused test.seq forbidden\n    skill.refused test.write forbidden\n",
		},
		{
			"a call inside that goes on after a failure", "test.try",
			`{"name":"test.seq","input":` + seq(`,"go":true`, `test.write {"line":"b","then":"refuse"}`) + `}`, "ok",
			"skill.executed test.try\n",
		},
		{
			"a failure", "test.seq", seq("", `test.write {"line":"a"}`, `test.write {"line":"b","then":"fail"}`), "handler_error: line: b is not liked",
			"skill.failed test.seq handler_error\n  skill.failed test.write handler_error\n",
		},
		{
			"outward", "test.outward", `{}`, "invalid_input: dryRun: test.outward does what cannot be taken back, so it cannot be tried out",
			"skill.refused test.outward invalid_input\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			hold := gate(func(p *registry.Pending) registry.Verdict {
				if p.Skill.Name != "test.try" {
					t.Errorf("the gate was asked about %s", p.Skill.Name)
				}
				return registry.Verdict{}
			})
			r := newRig(t, registry.Options{Gate: hold}, outward, try)
			res := r.reg.Invoke(context.Background(), &registry.Request{
				Name: tt.skill, Input: []byte(tt.input), Principal: writer(), DryRun: tt.skill != "test.try",
			}, nil)
			if got := text(res.Err); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if res.Tick != 0 || len(r.ledger.all()) != 0 || asked != 0 {
				t.Errorf("something was done: tick %d, %q", res.Tick, r.ledger.all())
			}
			changes := "" // of a dry run that succeeds, by a transaction that cannot tell them
			if tt.skill != "test.try" && tt.want == "ok" {
				changes = "{}"
			}
			if got := string(res.Changes); got != changes {
				t.Errorf("it would have changed %q, want %q", got, changes)
			}
			if got := r.tree(); got != tt.tree {
				t.Errorf("events\n%swant\n%s", got, tt.tree)
			}
			if e := r.events()[0]; e.Type == registry.EventDryRun && !strings.Contains(string(e.Payload), `"input":`+tt.input) {
				t.Errorf("the event of the dry run does not say its input: %s", e.Payload)
			}
		})
	}
}
