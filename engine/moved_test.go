package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/engine"
)

// Who moves the folder of a process that has it, and starts another one there, has two worlds: the first process touches nothing that is not its own, not even
// when it ends.
func TestMovedAndTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "town")
		first := town(t, dir, engine.Config{})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() {
			ended <- first.Run(ctx, func(ctx context.Context) error { <-ctx.Done(); return nil })
		}()
		does(t, first, "scene.createEntity", `{"shape":"box"}`)
		time.Sleep(time.Minute)
		if err := os.Rename(dir, dir+" moved"); err != nil {
			t.Fatal(err)
		}
		second := town(t, dir, engine.Config{})
		for range 3 {
			does(t, first, "scene.createEntity", `{"shape":"sphere"}`)
			does(t, second, "scene.createEntity", `{"shape":"cone"}`)
			time.Sleep(10 * time.Minute)
		}
		cancel()
		if err := <-ended; err == nil || !strings.Contains(err.Error(), "another process") {
			t.Errorf("the first ends with %v, want that another has its folder", err)
		}
		does(t, second, "scene.createEntity", `{"shape":"cone"}`)
		if err := second.Close(); err != nil {
			t.Error(err)
		}
		for _, part := range []string{"", "trace"} {
			entries, _ := os.ReadDir(filepath.Join(dir, part))
			for _, e := range entries {
				if strings.Contains(e.Name(), "aside") {
					t.Errorf("the first has put aside what is the second's: %s", e.Name())
				}
			}
		}
		events, _ := told(t, dir)
		for _, e := range events {
			if strings.Contains(string(e.Payload), "sphere") {
				t.Errorf("the trace of the second has %s of the first", e.Payload)
			}
		}
		if err := town(t, dir, engine.Config{}).Close(); err != nil {
			t.Error(err)
		}
	})
}
