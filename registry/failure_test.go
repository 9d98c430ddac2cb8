package registry_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// TestWhatAHostLearnsOfFailures: who calls in process gets the cause of an internal error, which no text tells; of one that is Outward
// nobody says that nothing has happened; and the failure of a call that succeeded is nil.
func TestWhatAHostLearnsOfFailures(t *testing.T) {
	dry := errors.New("the well is dry")
	r := registry.New(registry.Options{})
	for name, outward := range map[string]bool{"test.in": false, "test.out": true} {
		if err := r.Register(registry.Define(registry.Spec[failIn, struct{}]{
			Name: name, Description: "Fail.", Permissions: []profiles.Permission{profiles.Anyone}, Outward: outward,
			Handle: func(_ *registry.Call, in failIn) (out struct{}, err error) {
				if in.Fail {
					return out, dry
				}
				return out, nil
			},
		})); err != nil {
			t.Fatal(err)
		}
		ok := r.Invoke(context.Background(), &registry.Request{Name: name}, nil)
		if err := ok.Failure(); err != nil {
			t.Errorf("%s: the failure of what succeeded is %#v", name, err)
		}
		res := r.Invoke(context.Background(), &registry.Request{Name: name, Input: []byte(`{"fail":true}`)}, nil)
		err := res.Failure()
		if !errors.Is(err, dry) {
			t.Errorf("%s: %v does not tell its cause", name, err)
		}
		if strings.Contains(err.Error(), "dry") {
			t.Errorf("%s: its text does: %v", name, err)
		}
		if elsewhere := strings.HasSuffix(err.Error(), "what it does elsewhere may be done"); elsewhere != outward {
			t.Errorf("%s: %v", name, err)
		}
	}
}

type failIn struct {
	Fail bool `json:"fail,omitempty"`
}
