package registry_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// TestNobodyToAsk makes calls that have no client: they are told so when they ask, and what would be told to one is lost.
func TestNobodyToAsk(t *testing.T) {
	type in struct {
		Open bool `json:"open,omitempty"`
	}
	asked := false
	r := newRig(t, registry.Options{})
	if err := r.reg.Register(registry.Define(registry.Spec[in, struct{}]{
		Name: "test.ask", Description: "Ask.", Permissions: []profiles.Permission{profiles.Anyone}, Slow: true, Detach: registry.DetachLate,
		Handle: func(c *registry.Call, in in) (struct{}, error) {
			asked = true
			for _, kind := range []registry.QuestionKind{registry.AskForm, registry.AskURL, registry.AskSample, registry.AskRoots} {
				if c.Can(kind) {
					t.Errorf("nobody answers %v", kind)
				}
			}
			c.Detach()
			c.Log(registry.LevelEmergency, "is anybody there?")
			c.Progress(1, 2, "half")
			if in.Open {
				r.ledger.write(c, "a")
			}
			_, err := c.Roots()
			return struct{}{}, err
		},
	})); err != nil {
		t.Fatal(err)
	}
	for input, want := range map[string]string{
		`{}`:            "handler_error: test.ask has a question for whoever calls, but this caller cannot be asked; nothing was changed",
		`{"open":true}`: "handler_error: internal error in call ", // everybody would wait for the answer
	} {
		contains(t, text(r.call(writer(), "test.ask", input).Err), want)
	}
	if !asked || len(r.ledger.all()) != 0 {
		t.Errorf("the handler ran: %v; lines %v", asked, r.ledger.all())
	}
}

// TestConditionInside checks which revision the calls inside a call have seen: that of their caller, or the one that he gives them.
func TestConditionInside(t *testing.T) {
	var saw []any
	look := func(c *registry.Call) {
		if revision, ok := c.Seen(); ok {
			saw = append(saw, revision)
		} else {
			saw = append(saw, "nothing")
		}
	}
	other := uint64(7)
	r := newRig(t, registry.Options{},
		registry.Define(registry.Spec[struct{}, struct{}]{
			Name: "test.look", Description: "Look.", Permissions: []profiles.Permission{profiles.Anyone},
			Handle: func(c *registry.Call, _ struct{}) (struct{}, error) { look(c); return struct{}{}, nil },
		}),
		registry.Define(registry.Spec[struct{}, struct{}]{
			Name: "test.outer", Description: "Have others look.", Permissions: []profiles.Permission{profiles.Anyone},
			Handle: func(c *registry.Call, _ struct{}) (struct{}, error) {
				_, err := c.Invoke("test.look", nil)
				if err == nil {
					_, err = c.InvokeIf(&other, "test.look", nil)
				}
				look(c)
				return struct{}{}, err
			},
		}))
	r.must("test.outer", "")
	seen := uint64(41)
	if res := r.reg.Invoke(t.Context(), &registry.Request{Name: "test.outer", Principal: writer(), IfRevision: &seen}, nil); res.Err != nil {
		t.Fatal(res.Err)
	}
	if diff := cmp.Diff([]any{"nothing", uint64(7), "nothing", uint64(41), uint64(7), uint64(41)}, saw); diff != "" {
		t.Errorf("seen (-want +got):\n%s", diff)
	}
}
