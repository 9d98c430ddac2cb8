package registry_test

import (
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// TestReadsMustNotChange calls skills that claim to read: one that changes something is rolled back
// and fails, whether it does so itself or by a call inside it.
func TestReadsMustNotChange(t *testing.T) {
	type in struct{}
	r := newRig(t, registry.Options{})
	reading := func(name string, do func(*registry.Call) error) {
		err := r.reg.Register(registry.Define(registry.Spec[in, struct{}]{
			Name: name, Description: "Claims to read.", Permissions: []profiles.Permission{profiles.Anyone}, Effect: registry.Reads,
			Handle: func(c *registry.Call, _ in) (struct{}, error) { return struct{}{}, do(c) },
		}))
		if err != nil {
			t.Fatal(err)
		}
	}
	reading("lies.itself", func(c *registry.Call) error { r.ledger.write(c, "x"); return nil })
	reading("lies.inside", func(c *registry.Call) error {
		_, err := c.Invoke("test.write", []byte(`{"line":"y"}`))
		return err
	})
	reading("reads.undone", func(c *registry.Call) error {
		_, _ = c.Invoke("test.write", []byte(`{"line":"z","then":"fail"}`))
		return nil
	})
	for name, want := range map[string]string{
		"lies.itself":  "handler_error",
		"lies.inside":  "handler_error",
		"reads.undone": "",
	} {
		var code registry.Code
		if res := r.call(writer(), name, `{}`); res.Err != nil {
			code = res.Err.Code
		}
		if string(code) != want {
			t.Errorf("%s: got %q, want %q", name, code, want)
		}
	}
	if r.ledger.commits != 0 || len(r.ledger.lines) != 0 {
		t.Errorf("%d commits with %q", r.ledger.commits, r.ledger.lines)
	}
}
