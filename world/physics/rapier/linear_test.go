package rapier

import (
	"context"
	"testing"

	"github.com/tetratelabs/wazero/experimental"

	"github.com/limina-mcp/limina/world/physics"
)

func TestLinearMemory(t *testing.T) {
	const limit = 1 << 20
	for name, m := range map[string]experimental.LinearMemory{"the system's": linear(0, limit), "Go's": &heap{}} {
		b := m.Reallocate(1000)
		for i := range b {
			if b[i] != 0 {
				t.Fatalf("%s memory begins with %d at %d", name, b[i], i)
			}
			b[i] = byte(i)
		}
		b = m.Reallocate(limit)
		if len(b) != limit {
			t.Fatalf("%s memory has %d bytes, not %d", name, len(b), limit)
		}
		for i := range b {
			want := byte(0)
			if i < 1000 {
				want = byte(i)
			}
			if b[i] != want {
				t.Fatalf("%s memory holds %d at %d after it grew, not %d", name, b[i], i, want)
			}
		}
		m.Free()
	}
}

// TestClosedEngine holds that an engine whose memory is gone says so and touches none of it.
func TestClosedEngine(t *testing.T) {
	r := New("")
	defer r.Close()
	opened, err := r.Open(context.Background(), physics.Settings{Gravity: -9.81, TimeStep: 1.0 / 60})
	if err != nil {
		t.Fatal(err)
	}
	body := physics.Body{Kind: physics.Dynamic, Form: physics.Form{Kind: physics.Ball, Radius: 1}}
	body.Rotation[3] = 1
	if _, err := opened.Add(&body); err != nil {
		t.Fatal(err)
	}
	if err := opened.Close(); err != nil {
		t.Fatal(err)
	}
	if err := opened.Close(); err != nil {
		t.Errorf("closing again: %v", err)
	}
	if err := opened.Step(); err == nil {
		t.Error("a closed engine steps")
	}
	if _, err := opened.Add(&body); err == nil {
		t.Error("a closed engine takes a body")
	}
	if _, err := opened.Awake(nil); err == nil {
		t.Error("a closed engine says how bodies are")
	}
}
