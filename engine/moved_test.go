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
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// Who moves the folder of a process that has it, and starts another one there, has two worlds: the first process touches nothing that is not its own, not even
// when it ends. Nobody changes anything in a world that is kept no more.
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
		for i := range 3 {
			res := operator(t, first, "scene.createEntity", `{"shape":"sphere"}`)
			if taken := res.Err != nil && res.Err.Code == registry.CodeCapacityExceeded && strings.Contains(res.Err.Message, "(another process has its folder)"); taken != (i > 0) {
				t.Errorf("after %d minutes: %v", 10*i, res.Err)
			}
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

// TestNothingIsChangedThatIsNotKept: while the disk takes nothing, which it may for a moment, what is there is read, and time goes on; what would be lost is refused. Once it does again
// all is as ever, and on the disk. With Sync who is refused waits for nothing.
func TestNothingIsChangedThatIsNotKept(t *testing.T) {
	for _, synced := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "town")
			e := town(t, dir, engine.Config{Sync: synced, Always: true})
			err := e.Run(t.Context(), func(context.Context) error {
				does(t, e, "scene.createEntity", `{}`)
				time.Sleep(time.Minute)
				if err := os.Rename(dir, dir+" moved"); err != nil {
					return err
				}
				if err := os.WriteFile(dir, nil, 0o600); err != nil { // no folder can be made there
					return err
				}
				does(t, e, "scene.createEntity", `{}`)
				time.Sleep(4 * time.Second)
				does(t, e, "scene.createEntity", `{}`)
				time.Sleep(2 * time.Second)
				steps := e.World.Steps()
				for _, skill := range []string{"scene.createEntity", "world.batch"} {
					res := operator(t, e, skill, map[string]string{"scene.createEntity": `{}`, "world.batch": `{"operations":[{"skill":"scene.createEntity","input":{}}]}`}[skill])
					if res.Err == nil || res.Err.Code != registry.CodeCapacityExceeded || !strings.Contains(res.Err.Message, "cannot be kept at present (not a directory)") {
						t.Errorf("%s: %v", skill, res.Err)
					}
				}
				does(t, e, "scene.inspect", `{}`)
				s, err := e.Mcp.Open(mcp.Identity{AgentID: "ada", SessionID: "s1", Profile: "builder.readWrite"})
				if err != nil {
					return err
				}
				if res := e.Mcp.CallTool(t.Context(), s, mcp.Request{Tool: "scene.createEntity", Input: []byte(`{}`)}); res.Error == nil || res.Error.Code != registry.CodeCapacityExceeded {
					t.Errorf("a client is told %v", res.Error)
				}
				s.Close()
				time.Sleep(time.Second)
				if now := e.World.Steps(); now == steps {
					t.Error("time stands still")
				}
				if err := os.Remove(dir); err != nil {
					return err
				}
				time.Sleep(time.Minute)
				does(t, e, "scene.createEntity", `{}`)
				return nil
			})
			if err != nil {
				t.Error(err)
			}
			again := town(t, dir, engine.Config{})
			again.World.View(func(v *world.View) {
				if v.Len() != 4 {
					t.Errorf("there are %d entities, want those 4 that were made", v.Len())
				}
			})
			if err := again.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
