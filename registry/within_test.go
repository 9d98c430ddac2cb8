package registry_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// TestInvokeIn makes calls in a transaction of somebody else, who has written a line: what fails leaves nothing but its event, and
// nothing is committed before he does.
func TestInvokeIn(t *testing.T) {
	slow := registry.Define(registry.Spec[struct{}, struct{}]{
		Name: "test.slow", Description: "Take long.", Slow: true, Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(*registry.Call, struct{}) (struct{}, error) { panic("it was called") },
	})
	short := registry.Define(registry.Spec[struct{}, struct{}]{
		Name: "test.short", Description: "Take long, but not here.", Slow: true, Short: true, Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(c *registry.Call, _ struct{}) (out struct{}, err error) {
			if c.Lent() {
				return out, registry.Failf("everybody waits")
			}
			return out, nil
		},
	})
	for _, tt := range []struct {
		name, skill, input, err string
		dry                     bool
		lines                   []string
		tree                    string
	}{
		{
			name: "good", skill: "test.write", input: `{"line":"b","emits":1}`,
			lines: []string{"a", "b"}, tree: "skill.executed test.write\n  test.wrote b\n",
		},
		{
			name: "one that only reads", skill: "test.echo", input: `{}`,
			lines: []string{"a"}, tree: "skill.executed test.echo\n",
		},
		{
			name: "calls inside it, of which one fails", skill: "test.seq", input: seq(`,"go":true`, `test.write {"line":"b","then":"fail"}`, `test.write {"line":"c"}`),
			lines: []string{"a", "c"}, tree: "skill.executed test.seq\n  skill.failed test.write handler_error\n  skill.executed test.write\n",
		},
		{
			name: "a failure", skill: "test.write", input: `{"line":"b","then":"fail"}`, err: "handler_error: line: b is not liked",
			lines: []string{"a"}, tree: "skill.failed test.write handler_error\n",
		},
		{
			name: "a panic", skill: "test.write", input: `{"line":"b","then":"panic"}`, err: "handler_error: internal error",
			lines: []string{"a"}, tree: "skill.failed test.write handler_error\n",
		},
		{
			name: "an output that breaks the contract", skill: "test.write", input: `{"line":"b","then":"break"}`, err: "handler_error: internal error",
			lines: []string{"a"}, tree: "skill.failed test.write handler_error\n",
		},
		{
			name: "bad input", skill: "test.write", input: `{}`, err: "invalid_input: line: is required",
			lines: []string{"a"}, tree: "skill.refused test.write invalid_input\n",
		},
		{
			name: "no such skill", skill: "test.rite", input: `{}`, err: "not_found: unknown skill: test.rite",
			lines: []string{"a"}, tree: "skill.refused test.rite not_found\n",
		},
		{
			name: "a slow one", skill: "test.slow", input: `{}`, err: "handler_error: test.slow takes long, and nobody can wait for it here",
			lines: []string{"a"}, tree: "skill.refused test.slow handler_error\n",
		},
		{
			name: "one that is short here", skill: "test.short", input: `{}`, err: "handler_error: everybody waits",
			lines: []string{"a"}, tree: "skill.failed test.short handler_error\n",
		},
		{
			name: "a dry run", skill: "test.write", input: `{"line":"b"}`, dry: true, err: "handler_error: test.write cannot be tried here",
			lines: []string{"a"}, tree: "skill.refused test.write handler_error\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, registry.Options{}, slow, short)
			r.ledger.mu.Lock()
			r.ledger.begun, r.ledger.open = true, []string{"a"}
			res := r.reg.InvokeIn(t.Context(), r.ledger, &registry.Request{Name: tt.skill, Input: []byte(tt.input), Principal: writer(), DryRun: tt.dry})
			got := ""
			if res.Err != nil {
				got = string(res.Err.Code) + ": " + res.Err.Message
			}
			if tt.err == "" && got != "" || !strings.HasPrefix(got, tt.err) {
				t.Errorf("%s, want %s", got, tt.err)
			}
			if r.ledger.commits != 0 {
				t.Error("it was committed")
			}
			r.ledger.Commit(1)
			if diff := cmp.Diff(tt.lines, r.ledger.all()); diff != "" {
				t.Errorf("the lines differ (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.tree, r.tree()); diff != "" {
				t.Errorf("the log differs (-want +got):\n%s", diff)
			}
		})
	}
}

// TestInvokeInTyped: the same from Go values. What is not there, or does not take these, is refused.
func TestInvokeInTyped(t *testing.T) {
	r := newRig(t, registry.Options{})
	r.ledger.mu.Lock()
	r.ledger.begun, r.ledger.open = true, []string{"a"}
	if _, err := registry.InvokeIn[writeIn, writeOut](t.Context(), r.reg, r.ledger, writer(), "test.write", writeIn{Line: "b"}); err != nil {
		t.Error(err)
	}
	if _, err := registry.InvokeIn[writeIn, writeOut](t.Context(), r.reg, r.ledger, writer(), "test.write", writeIn{Line: "c", Then: "fail"}); err == nil {
		t.Error("it did not fail")
	}
	if _, err := registry.InvokeIn[writeIn, writeOut](t.Context(), r.reg, r.ledger, writer(), "test.none", writeIn{}); err == nil || !strings.Contains(err.Error(), "test.none") {
		t.Errorf("%v", err)
	}
	r.ledger.Commit(1)
	if diff := cmp.Diff([]string{"a", "b"}, r.ledger.all()); diff != "" {
		t.Errorf("the lines differ (-want +got):\n%s", diff)
	}
}
