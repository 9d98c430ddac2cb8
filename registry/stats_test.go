package registry_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

type napIn struct {
	How registry.Code `json:"how,omitempty"`
}

// Every call is counted once, by its outcome and by how long it took.
func TestStats(t *testing.T) {
	now := time.Unix(0, 0)
	var takes time.Duration
	nap := registry.Define(registry.Spec[napIn, struct{}]{
		Name: "test.nap", Description: "Take time.", Permissions: []profiles.Permission{"scene.write"},
		Handle: func(_ *registry.Call, in napIn) (out struct{}, err error) {
			now = now.Add(takes)
			if in.How != "" {
				err = registry.Errorf(in.How, "so it be")
			}
			return out, err
		},
	})
	outer := registry.Define(registry.Spec[struct{}, struct{}]{
		Name: "test.outer", Description: "Nap twice.", Permissions: []profiles.Permission{"scene.write"},
		Handle: func(c *registry.Call, _ struct{}) (out struct{}, err error) {
			_, _ = c.Invoke("test.nap", nil)
			_, _ = c.Invoke("test.nap", []byte(`{"how":1}`))
			_, _ = c.Invoke("test.missing", nil)
			return out, nil
		},
	})
	r := newRig(t, registry.Options{Clock: func() time.Time { return now }}, nap, outer)
	for _, takes = range []time.Duration{
		0, time.Nanosecond, time.Microsecond, time.Microsecond + 1, 2 * time.Microsecond, 3 * time.Microsecond,
		time.Millisecond, registry.LatencyBound(registry.LatencyBounds - 1), time.Hour,
	} {
		r.call(writer(), "test.nap", `{}`)
	}
	takes = 0
	for _, how := range []registry.Code{registry.CodeCapacityExceeded, registry.CodeHandlerError, registry.CodeHandlerError, "own_code"} {
		r.call(writer(), "test.nap", `{"how":"`+string(how)+`"}`)
	}
	r.call(reader(), "test.nap", `{}`)
	r.call(writer(), "test.nap", `[]`)
	r.call(writer(), "test.missing", `{}`)
	_, _ = registry.Invoke[napIn, struct{}](context.Background(), r.reg, writer(), "test.nap", napIn{})
	takes = time.Millisecond
	r.call(writer(), "test.outer", `{}`)

	k, _ := r.reg.Lookup("test.nap")
	got := k.Stats()
	want := registry.Stats{
		Succeeded: 10, // an hour is over the time that a call has
		Failed: map[registry.Code]uint64{
			registry.CodeCapacityExceeded: 1, registry.CodeHandlerError: 4, registry.CodeForbidden: 1, registry.CodeInvalidInput: 2,
		},
	}
	want.Latency[0] = 3 + 4 + 2 + 1 + 1
	want.Latency[1], want.Latency[2], want.Latency[10], want.Latency[23], want.Latency[24] = 2, 1, 2, 1, 1
	want.Elapsed = time.Nanosecond + time.Microsecond + time.Microsecond + 1 + 5*time.Microsecond + 2*time.Millisecond + registry.LatencyBound(23) + time.Hour
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("stats (-want +got):\n%s", diff)
	}
	if got.Calls() != 18 {
		t.Errorf("%d calls", got.Calls())
	}
	k, _ = r.reg.Lookup("test.outer")
	if got := k.Stats(); got.Calls() != 1 || got.Latency[10] != 1 {
		t.Errorf("of the outer call %+v", got)
	}
}
