package registry_test

import (
	"context"
	"testing"

	"github.com/limina-mcp/limina/internal/race"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/trace"
)

type flatIn struct {
	Shape    string     `json:"shape,omitempty" validate:"omitempty,oneof=box sphere" jsonschema:"default=box"`
	Size     float64    `json:"size,omitempty" validate:"omitempty,gt=0,lte=50" jsonschema:"default=1"`
	Color    int        `json:"color,omitempty" validate:"omitempty,gte=0,lte=16777215"`
	Position [3]float64 `json:"position,omitempty"`
	Dynamic  bool       `json:"dynamic,omitempty"`
}

type flatOut struct {
	N int `json:"n"`
}

func flat(l *ledger) registry.Skill {
	return registry.Define(registry.Spec[flatIn, flatOut]{
		Name: "test.flat", Description: "Take numbers.", Permissions: []profiles.Permission{"scene.write"},
		Handle: func(c *registry.Call, in flatIn) (flatOut, error) {
			if c.Transaction() == nil {
				l.mu.Lock()
				l.begun = true
				c.Begin(l)
			}
			return flatOut{int(in.Size)}, nil
		},
	})
}

// screened is a gate that concerns nobody.
func screened() registry.Gate {
	return screen{func(*registry.Info, *profiles.Principal) bool { return false }, nil}
}

// TestAllocations counts what a call allocates once the pools and the trace are warm.
func TestAllocations(t *testing.T) {
	if race.Enabled {
		return // the race detector allocates, and makes pools forget
	}
	// A small log, so that it is full and turns over.
	r := newRig(t, registry.Options{Trace: trace.New(trace.Options{MaxEvents: 64}), Gate: screened()})
	if err := r.reg.Register(flat(r.ledger)); err != nil {
		t.Fatal(err)
	}
	p := writer()
	k, _ := r.reg.Lookup("test.flat")
	input := []byte(`{"shape":"sphere","size":2.5,"color":255,"position":[1,2,3],"dynamic":true}`)
	var dst []byte
	ctx := context.Background()
	paths := []struct {
		name string
		most float64
		call func() error
	}{
		{"text", 1, func() error {
			res := r.reg.Invoke(ctx, &registry.Request{Skill: k, Input: input, Principal: p}, dst[:0])
			dst = res.Output
			if res.Err != nil {
				return res.Err
			}
			return nil
		}},
		{"typed", 0, func() error {
			_, err := registry.Invoke[flatIn, flatOut](ctx, r.reg, p, "test.flat", flatIn{Shape: "box", Size: 2})
			return err
		}},
	}
	for _, path := range paths {
		for range 200 {
			if err := path.call(); err != nil {
				t.Fatal(err)
			}
		}
		if got := testing.AllocsPerRun(500, func() { _ = path.call() }); got > path.most {
			t.Errorf("%s: %v allocations a call, want at most %v", path.name, got, path.most)
		}
	}
}

func BenchmarkInvoke(b *testing.B) {
	r := newRig(b, registry.Options{Gate: screened()})
	if err := r.reg.Register(flat(r.ledger)); err != nil {
		b.Fatal(err)
	}
	p := writer()
	k, _ := r.reg.Lookup("test.flat")
	input := []byte(`{"shape":"sphere","size":2.5,"color":255,"position":[1,2,3],"dynamic":true}`)
	ctx := context.Background()
	b.Run("text", func(b *testing.B) {
		b.ReportAllocs()
		var dst []byte
		for b.Loop() {
			res := r.reg.Invoke(ctx, &registry.Request{Skill: k, Input: input, Principal: p}, dst[:0])
			dst = res.Output
		}
	})
	b.Run("typed", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := registry.Invoke[flatIn, flatOut](ctx, r.reg, p, "test.flat", flatIn{Shape: "box", Size: 2}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
