package registry_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/registry"
)

func TestRecorder(t *testing.T) {
	type outcome struct {
		Input, Output, Err string
		Tick               uint64
	}
	var got []outcome
	r := newRig(t, registry.Options{Recorder: recordAll(func(c *registry.Call, input string, o registry.Outcome) error {
		got = append(got, outcome{c.Skill().Name + " " + input, string(o.Output), text(o.Err), o.Tick})
		return nil
	})})
	r.must("test.echo", `{"text":"reads"}`) // is not recorded
	r.must("test.write", `{"line":"a"}`)
	r.call(writer(), "test.write", `{"line":"b","then":"fail"}`)
	r.call(writer(), "test.write", `{"line":"c","then":"break"}`)
	r.call(reader(), "test.write", `{"line":"d"}`)
	r.must("test.seq", seq("", `test.write {"line":"e"}`))
	want := []outcome{
		{`test.write {"line":"a"}`, `{"lines":1}`, "ok", 1},
		{`test.write {"line":"b","then":"fail"}`, "", "handler_error: line: b is not liked", 2},
		{`test.write {"line":"c","then":"break"}`, "", "handler_error: internal error in call 4; nothing was changed", 2},
		{`test.write {"line":"e"}`, `{"lines":1}`, "ok", 2},
		{`test.seq ` + seq("", `test.write {"line":"e"}`), `{"results":["{\"lines\":1}"]}`, "ok", 2},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestRecorderLearnsOfPanics: who was told that a call begins is told that it has ended, also where the handler, what
// writes its output or the recorder itself panics.
func TestRecorderLearnsOfPanics(t *testing.T) {
	began, ended := 0, []string{}
	panics := false
	r := newRig(t, registry.Options{Recorder: recorder{
		before: func(*registry.Call, []byte) error { began++; return nil },
		after: func(o registry.Outcome) error {
			ended = append(ended, text(o.Err))
			if panics {
				panic("out of paper")
			}
			return nil
		},
	}})
	r.call(writer(), "test.write", `{"line":"a","then":"panic"}`)
	r.call(writer(), "test.seq", seq(`,"go":true`, `test.write {"line":"b","then":"panic"}`))
	panics = true
	r.call(writer(), "test.write", `{"line":"c"}`)
	want := []string{
		"handler_error: internal error in call 1; nothing was changed",
		"handler_error: internal error in call 2; nothing was changed", "ok",
		"ok",
	}
	if diff := cmp.Diff(want, ended); diff != "" || began != len(want) {
		t.Errorf("told of %d calls, then (-want +got):\n%s", began, diff)
	}
	if lines := r.ledger.all(); lines != nil {
		t.Errorf("committed %q", lines)
	}
}

// recordAll is a recorder that is told everything after the handler.
type recordAll func(c *registry.Call, input string, o registry.Outcome) error

func (f recordAll) Record(c *registry.Call, input []byte) (func(registry.Outcome) error, error) {
	return func(o registry.Outcome) error { return f(c, string(input), o) }, nil
}

// TestRecorderFails has the recorder of an inner call fail: the outer one may go on.
func TestRecorderFails(t *testing.T) {
	for _, when := range []string{"before", "after"} {
		t.Run(when, func(t *testing.T) {
			fail := false
			check := func(at string) error {
				if fail && at == when {
					fail = false
					return errors.New("no paper")
				}
				return nil
			}
			r := newRig(t, registry.Options{Recorder: recorder{
				before: func(c *registry.Call, _ []byte) error {
					if c.Skill().Name == "test.write" {
						return check("before")
					}
					return nil
				},
				after: func(registry.Outcome) error { return check("after") },
			}})
			fail = true
			r.must("test.seq", seq(`,"go":true`, `test.write {"line":"a"}`, `test.write {"line":"b"}`))
			if diff := cmp.Diff([]string{"b"}, r.ledger.all()); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
		})
	}
}
