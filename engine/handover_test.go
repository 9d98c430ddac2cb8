package engine_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/trace"
)

// Who waits for a folder until the process before has ended gets it when that has written its last word, and goes on behind it.
func TestHandover(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		var next *engine.Engine
		closing := false
		clock := func() time.Time {
			if closing && next == nil { // the last event is being appended
				e, err := engine.New(engine.Config{Rigid: true})
				if err != nil {
					t.Error(err)
				} else if e.Keep(dir) == nil {
					next = e
				}
			}
			return time.Now()
		}
		e := town(t, dir, engine.Config{Trace: trace.Options{Clock: clock}})
		does(t, e, "scene.createEntity", `{"shape":"box"}`)
		closing = true
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		if next != nil {
			t.Error("another process has the folder while this one still writes")
			does(t, next, "scene.createEntity", `{"shape":"box"}`)
			if err := next.Close(); err != nil {
				t.Error(err)
			}
		}
		after := town(t, dir, engine.Config{})
		if err := after.Close(); err != nil {
			t.Error(err)
		}
	})
}
