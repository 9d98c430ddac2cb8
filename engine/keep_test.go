package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/server/metrics"
	"github.com/limina-mcp/limina/world"
)

// operator calls a skill as somebody who may do everything that a builder may.
func operator(t rapid.TB, e *engine.Engine, skill, input string) registry.Result {
	t.Helper()
	grants, err := e.Profiles.Resolve("builder.readWrite")
	if err != nil {
		t.Fatal(err)
	}
	return e.Registry.Invoke(context.Background(), &registry.Request{
		Name: skill, Input: []byte(input),
		Principal: &profiles.Principal{Kind: profiles.KindOperator, ID: "ann", Session: "s", Profile: "builder.readWrite", Grants: grants},
	}, nil)
}

// Whatever serve is, Run lets go of the world's folder, and what was done is there.
func TestKeptByRunThatServesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		for i, serve := range []func(*engine.Engine) func(context.Context) error{
			func(*engine.Engine) func(context.Context) error { return nil },
			func(e *engine.Engine) func(context.Context) error {
				return func(context.Context) error {
					if res := operator(t, e, "scene.createEntity", `{}`); res.Err != nil {
						t.Error(res.Err)
					}
					panic("serve broke")
				}
			},
			func(*engine.Engine) func(context.Context) error { return func(context.Context) error { return nil } },
		} {
			e, err := engine.New(engine.Config{Rigid: true, Always: true})
			if err != nil {
				t.Fatal(err)
			}
			if err := e.Keep(dir); err != nil {
				t.Fatal(err)
			}
			e.World.View(func(v *world.View) {
				if v.Len() != max(i-1, 0) {
					t.Errorf("round %d begins with %d entities", i, v.Len())
				}
			})
			func() {
				defer func() {
					if got := recover(); (got != nil) != (i == 1) || got != nil && got != "serve broke" {
						t.Errorf("round %d panicked with %v", i, got)
					}
				}()
				err = e.Run(t.Context(), serve(e))
			}()
			if got := fmt.Sprint(err); i == 0 && got != "engine: Run has nothing to serve: the function is nil" || i == 2 && err != nil {
				t.Errorf("round %d: %v", i, err)
			}
		}
	})
}

// One Run of an engine goes on at a time: another leaves it alone. After the end nothing is promised that is not kept.
func TestOneRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, err := engine.New(engine.Config{Rigid: true, Always: true})
		if err != nil {
			t.Fatal(err)
		}
		refused := func(what string, err error, want string) {
			t.Helper()
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %s", what, err, want)
			}
		}
		nothing := func(context.Context) error { return nil }
		err = e.Run(t.Context(), func(context.Context) error {
			refused("Run in Run", e.Run(t.Context(), nothing), "going on already")
			refused("Keep in Run", e.Keep(t.TempDir()), "before Run")
			before := e.World.Steps()
			time.Sleep(time.Second)
			if n := e.World.Steps() - before; n < 59 || n > 61 {
				t.Errorf("%d steps in a second: the engine was ended", n)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		refused("Keep after Run", e.Keep(t.TempDir()), "closed")
		if err := e.Run(t.Context(), nothing); err != nil {
			t.Errorf("Run of a world that nobody keeps, once more: %v", err)
		}
		kept, err := engine.New(engine.Config{Rigid: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(kept.Keep(t.TempDir()), kept.Run(t.Context(), nothing)); err != nil {
			t.Error(err)
		}
		refused("Run of a world that is kept no more", kept.Run(t.Context(), nothing), "not kept any more")
	})
}

// A kept world is on the disk soon after it was changed, and whole after Run.
func TestKeep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "town")
		begin := func() *engine.Engine {
			e, err := engine.New(engine.Config{Rigid: true, Always: true})
			if err != nil {
				t.Fatal(err)
			}
			if err := e.Keep(dir); err != nil {
				t.Fatal(err)
			}
			return e
		}
		e := begin()
		for _, again := range []string{dir, filepath.Join(t.TempDir(), "other")} {
			if err := e.Keep(again); err == nil || !strings.Contains(err.Error(), "the world is kept already") {
				t.Errorf("to keep what is kept in %s: %v", again, err)
			}
		}
		err := e.Run(t.Context(), func(context.Context) error {
			if res := operator(t, e, "scene.createEntity", `{"position":[1,2,3],"color":255}`); res.Err != nil {
				t.Error(res.Err)
			}
			var m metrics.Text
			synctest.Wait()
			time.Sleep(50 * time.Millisecond)
			e.Figures(&m)
			if text := string(m.Bytes()); !strings.Contains(text, "limina_unsaved_seconds 0.05\n") {
				t.Errorf("at once after a change the figures are\n%s", text)
			}
			time.Sleep(time.Second / 10)
			text, err := os.ReadFile(filepath.Join(dir, "world.jsonl"))
			if err != nil || !strings.Contains(string(text), `"ent_0":{"pos":[1,2,3]`) {
				t.Errorf("a tenth of a second after a change the file has %s, %v", text, err)
			}
			if res := operator(t, e, "world.setTime", `{"time":20,"transitionMs":10000}`); res.Err != nil {
				t.Error(res.Err)
			}
			time.Sleep(5 * time.Second)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		next := begin()
		defer next.Close()
		if next.World.Hash() != e.World.Hash() {
			t.Error("the world that was opened is another one")
		}
		other, err := engine.New(engine.Config{Rigid: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := other.Keep(dir); err == nil || !strings.Contains(err.Error(), "another process") {
			t.Errorf("a world that is in use is opened: %v", err)
		}
		if err := other.Close(); err != nil {
			t.Error(err)
		}
	})
}
