package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/internal/goroutine"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/world"
)

// NothingIn and NothingOut are of skills that are about what they do.
type (
	NothingIn  struct{}
	NothingOut struct{}
)

// TestLocked has engine code ask for a world that it has locked itself, in every way that there is: it is told so, by an error where there is one to
// return, and nothing of it remains. It waited for itself, and everybody for it.
func TestLocked(t *testing.T) {
	if goroutine.ID() == 0 {
		t.Skip("goroutines cannot be told apart here")
	}
	e, err := engine.New(engine.Config{Rigid: true, Logger: zerolog.Nop()})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	ada, err := e.Mcp.Open(mcp.Identity{AgentID: "ada", SessionID: "s1", Profile: "builder.readWrite"})
	if err != nil {
		t.Fatal(err)
	}
	defer ada.Close()
	ctx, w := t.Context(), e.World
	invoke := func() error {
		_, err := mcp.Invoke[scene.CreateEntityIn, scene.CreateEntityOut](ctx, e.Mcp, ada, "scene.createEntity", registry.Default[scene.CreateEntityIn]())
		return err
	}
	callTool := func() error {
		res := e.Mcp.CallTool(ctx, ada, mcp.Request{Tool: "scene.queryEntities"})
		if res.Error == nil {
			return nil
		}
		return res.Error
	}
	update := func() error {
		_, err := w.Update(ctx, func(tx *world.Tx) error { _, err := tx.Create(world.Spec{}); return err })
		return err
	}
	panicking := func(fn func()) func() error {
		return func() (err error) {
			defer func() {
				if r := recover(); r != nil {
					err = r.(error)
				}
			}()
			fn()
			return nil
		}
	}
	inner := map[string]func() error{
		"mcp.Invoke": invoke, "CallTool": callTool, "World.Update": update,
		"World.View": panicking(func() { w.View(func(*world.View) {}) }),
		"World.Hash": panicking(func() { w.Hash() }),
		"World.Step": panicking(func() { w.Step(ctx) }),

		"Engine.Sync": func() error { return e.Sync(ctx) }, "Engine.Close": e.Close,
	}

	var what func() error // what the skills, the step and the observer do
	skill := func(name string, effect registry.Effect, handle func(c *registry.Call) error) registry.Skill {
		return registry.Define(registry.Spec[NothingIn, NothingOut]{
			Name: name, Description: "Try it.", Permissions: []profiles.Permission{profiles.Anyone}, Effect: effect,
			Handle: func(c *registry.Call, _ NothingIn) (NothingOut, error) { return NothingOut{}, handle(c) },
		})
	}
	write := func(c *registry.Call, fn func() error) error {
		_, err := world.Do(w, c, func(tx *world.Tx) (NothingOut, error) {
			if _, err := tx.Create(world.Spec{}); err != nil {
				return NothingOut{}, err
			}
			return NothingOut{}, fn()
		})
		return err
	}
	if err := e.Registry.Register(
		skill("try.within", registry.Writes, func(c *registry.Call) error { return write(c, what) }),
		skill("try.after", registry.Writes, func(c *registry.Call) error { // its transaction is still open
			return errors.Join(write(c, func() error { return nil }), what())
		}),
		skill("try.reading", registry.Reads, func(c *registry.Call) error {
			_, err := world.Read(w, c, func(*world.View) (NothingOut, error) { return NothingOut{}, what() })
			return err
		}),
	); err != nil {
		t.Fatal(err)
	}
	call := func(name string) func() error {
		return func() error {
			if res := e.Mcp.CallTool(ctx, ada, mcp.Request{Tool: name}); res.Error != nil {
				return res.Error
			}
			return nil
		}
	}
	inStep, observed := false, false
	var said error
	w.OnStep("try", func(*world.Tx) error {
		if inStep {
			said = what()
		}
		return said
	})
	defer w.Observe(func(*world.Commit) {
		if observed {
			said = what()
		}
	})()
	outer := map[string]func() error{
		"world.Do": call("try.within"), "after world.Do": call("try.after"), "world.Read": call("try.reading"),
		"World.Update": func() error {
			_, err := w.Update(ctx, func(*world.Tx) error { return what() })
			return err
		},
		"World.View": func() (err error) {
			w.View(func(*world.View) { err = what() })
			return err
		},
		"a step": func() error {
			inStep = true
			defer func() { inStep = false }()
			w.Step(ctx)
			return said
		},
	}
	for around, run := range outer {
		for within, fn := range inner {
			t.Run(fmt.Sprint(within, " in ", around), func(t *testing.T) {
				said, what = nil, fn
				before := content(w)
				if err := run(); err == nil || !strings.Contains(err.Error(), "locked by the very goroutine") || !strings.Contains(err.Error(), "Call.Invoke") {
					t.Errorf("it says %v", err)
				}
				if content(w) != before {
					t.Error("something of it remains")
				}
			})
		}
	}
	t.Run("an observer", func(t *testing.T) {
		what, said, observed = invoke, nil, true
		err := update()
		observed = false
		if err != nil || said == nil || !strings.Contains(said.Error(), "locked by the very goroutine") {
			t.Errorf("the update %v, what it caused %v", err, said)
		}
	})
	t.Run("then", func(t *testing.T) { // nothing of all that has stayed locked
		if err := errors.Join(invoke(), callTool(), update()); err != nil {
			t.Error(err)
		}
	})
	t.Run("another world", func(t *testing.T) {
		other := world.New(world.Config{})
		what = func() error {
			_, err := other.Update(context.Background(), func(tx *world.Tx) error { _, err := tx.Create(world.Spec{}); return err })
			return err
		}
		if err := call("try.within")(); err != nil {
			t.Error(err)
		}
	})
}

func content(w *world.World) (hash [32]byte) {
	w.View(func(v *world.View) { hash = v.ContentHash() })
	return hash
}
