package exchange_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/exchange"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/mesh"
	"github.com/limina-mcp/limina/world"
)

// TestExportRefusesEarly asks for a huge world: it is refused, in each form, without having been made.
func TestExportRefusesEarly(t *testing.T) {
	w := world.New(world.Config{})
	reg := registry.New(registry.Options{Tick: w.Tick})
	if err := reg.Register(exchange.All(exchange.Deps{World: w, Meshes: mesh.New(w)})...); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Update(t.Context(), func(tx *world.Tx) error {
		for i := range 100_000 {
			if _, err := tx.Create(world.Spec{Position: world.Vec3{float64(i), 0, 0}}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	for _, form := range []string{"glb", "log", "events"} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		res := reg.Invoke(t.Context(), &registry.Request{Name: "scene.export", Input: fmt.Appendf(nil, `{"form":%q}`, form), Principal: p}, nil)
		runtime.ReadMemStats(&after)
		if res.Err == nil || res.Err.Code != registry.CodeCapacityExceeded || !strings.Contains(res.Err.Message, "at most 2097152 bytes can be sent") {
			t.Fatalf("%s: %v", form, res.Err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 128<<20 {
			t.Errorf("%s: %d MB were taken before it was refused", form, took>>20)
		}
	}
}
