package scene_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/world"
)

// TestQueryEntitiesOfAHugeWorld lists all that one answer has room for, refuses to list more, and says how to ask for less.
func TestQueryEntitiesOfAHugeWorld(t *testing.T) {
	const tail = 200 // bytes of a name
	w := world.New(world.Config{})
	reg := registry.New(registry.Options{Tick: w.Tick})
	if err := reg.Register(scene.All(w)...); err != nil {
		t.Fatal(err)
	}
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	fill := func(n int) {
		t.Helper()
		_, err := w.Update(t.Context(), func(tx *world.Tx) error {
			for i := range n {
				id, err := tx.Create(world.Spec{Name: "n" + strings.Repeat("x", tail-1), Position: world.Vec3{float64(i), 0, 0}})
				if err != nil {
					return err
				}
				if _, err := tx.AddTag(id, "all"); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	call := func(input string) registry.Result {
		return reg.Invoke(t.Context(), &registry.Request{Name: "scene.queryEntities", Input: []byte(input), Principal: p}, nil)
	}
	fill(30_000)
	if res := call(`{}`); res.Err != nil || strings.Count(string(res.Output), `"entity":`) != 30_000 {
		t.Fatalf("of 30,000: %d bytes, %v", len(res.Output), res.Err)
	}
	fill(5_000)
	for _, input := range []string{`{}`, `{"tag":"all"}`, `{"name":"nx"}`, `{"near":[0,0,0],"radius":1e5}`} {
		res := call(input)
		if res.Err == nil || res.Err.Code != registry.CodeCapacityExceeded || !strings.Contains(res.Err.Message, "near and a smaller radius") {
			t.Errorf("%s: %d bytes, %v", input, len(res.Output), res.Err)
		}
	}
	if res := call(`{"near":[0,0,0],"radius":4.5}`); res.Err != nil || strings.Count(string(res.Output), `"entity":`) != 10 {
		t.Errorf("of a small area: %.200s, %v", res.Output, res.Err)
	}
}
