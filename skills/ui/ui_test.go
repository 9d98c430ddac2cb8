package ui_test

import (
	"context"
	"errors"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/ui"
	"github.com/limina-mcp/limina/world"
)

// house is a world with panels and everything that calls of the skills need.
type house struct {
	t         *testing.T
	w         *world.World
	panels    *ui.Panels
	r         *registry.Registry
	principal profiles.Principal
}

func newHouse(t *testing.T) *house {
	t.Helper()
	w := world.New(world.Config{StepFailed: func(name string, err error) { t.Errorf("step %s: %v", name, err) }})
	grants, err := profiles.Builtin().Resolve("builder.readWrite")
	if err != nil {
		t.Fatal(err)
	}
	h := &house{
		t: t, w: w, panels: ui.New(w),
		r:         registry.New(registry.Options{Tick: w.Tick}),
		principal: profiles.Principal{Kind: profiles.KindAgent, ID: "ann", Session: "s1", Profile: "builder.readWrite", Grants: grants},
	}
	if err := h.r.Register(ui.All(h.panels)...); err != nil {
		t.Fatal(err)
	}
	return h
}

// try calls a skill with JSON and returns its output, or "code: message".
func (h *house) try(skill, input string) string {
	h.t.Helper()
	res := h.r.Invoke(context.Background(), &registry.Request{Name: skill, Input: []byte(input), Principal: &h.principal}, nil)
	if res.Err != nil {
		return string(res.Err.Code) + ": " + res.Err.Message
	}
	return string(res.Output)
}

// call is try that must give want.
func (h *house) call(skill, input, want string) {
	h.t.Helper()
	if got := h.try(skill, input); got != want {
		h.t.Errorf("%s %s\n got  %s\n want %s", skill, input, got, want)
	}
}

// entity creates an entity.
func (h *house) entity() world.ID {
	h.t.Helper()
	var id world.ID
	h.update(func(tx *world.Tx) (err error) {
		id, err = tx.Create(world.Spec{})
		return err
	})
	return id
}

func (h *house) destroy(id world.ID) {
	h.t.Helper()
	h.update(func(tx *world.Tx) error {
		if !tx.Destroy(id) {
			return errors.New("there is no such entity")
		}
		return nil
	})
}

func (h *house) update(fn func(*world.Tx) error) {
	h.t.Helper()
	if _, err := h.w.Update(context.Background(), fn); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) step(n int) {
	for range n {
		h.w.Step(context.Background())
	}
}

// panel returns a panel that must be there.
func (h *house) panel(handle ui.Handle) ui.Panel {
	h.t.Helper()
	var p ui.Panel
	var ok bool
	h.w.View(func(v *world.View) { p, ok = h.panels.Get(v, handle) })
	if !ok {
		h.t.Fatalf("%s is not shown", handle)
	}
	return p
}

func (h *house) shown(handle ui.Handle) (ok bool) {
	h.w.View(func(v *world.View) { _, ok = h.panels.Get(v, handle) })
	return ok
}
