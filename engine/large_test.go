package engine_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/world"
)

// TestLargeSceneComesBack holds that what is exported is taken again, also where it is thousands of things.
func TestLargeSceneComesBack(t *testing.T) {
	const boxes = 6000
	dir := t.TempDir()
	start := func() *engine.Engine {
		e, err := engine.New(engine.Config{Rigid: true, Files: dir})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	e := start()
	for range boxes {
		does(t, e, "scene.createEntity", `{}`)
	}
	for _, form := range []string{"glb", "log"} {
		if res := operator(t, e, "scene.export", `{"file":"all","form":"`+form+`"}`); res.Err != nil || strings.Contains(string(res.Output), "note") {
			t.Fatalf("%s: %s, %v", form, res.Output, res.Err)
		}
		again := start()
		does(t, again, "scene.import", `{"file":"all","form":"`+form+`"}`)
		again.World.View(func(v *world.View) {
			if n := again.World.Shapes.Len(v); n != boxes {
				t.Errorf("%s: %d boxes came back, of %d", form, n, boxes)
			}
		})
	}
}
