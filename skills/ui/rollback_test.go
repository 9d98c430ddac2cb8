package ui_test

import (
	"errors"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// TestFailureLeavesNothing runs every skill inside a call that fails afterwards, in each way it can.
func TestFailureLeavesNothing(t *testing.T) {
	h := newHouse(t)
	h.entity()
	h.call("ui.label", `{"anchor":{"kind":"world","entity":"ent_0"},"lifecycle":{"ttl":5}}`, `{"handle":"ui_0"}`)
	steps := []struct{ skill, input string }{
		{"ui.panel", `{"kind":"callout","anchor":{"kind":"screen"},"lifecycle":{"ttl":5}}`},
		{"ui.label", `{"anchor":{"kind":"world","entity":"ent_0"}}`},
		{"ui.textBox", `{"anchor":{"kind":"screen"}}`},
		{"ui.speechBubble", `{"anchor":{"kind":"world","entity":"ent_0"},"lifecycle":{"ttl":1}}`},
		{"ui.thoughtBubble", `{"anchor":{"kind":"screen"}}`},
		{"ui.callout", `{"anchor":{"kind":"screen"}}`},
		{"ui.hudPanel", `{"anchor":{"kind":"screen"}}`},
		{"ui.update", `{"handle":"ui_0","text":"new","style":{"width":3}}`},
		{"ui.remove", `{"handle":"ui_0"}`},
	}
	ends := map[string]func(tx *world.Tx) error{
		"fails":  func(*world.Tx) error { return errors.New("no") },
		"panics": func(*world.Tx) error { panic("no") },
	}
	type none struct{}
	for name, end := range ends {
		for n := 1; n <= len(steps); n++ {
			fail := registry.Define(registry.Spec[none, none]{
				Name: "test.fail", Description: "Do n things, then fail.", Permissions: []profiles.Permission{profiles.Anyone},
				Handle: func(c *registry.Call, _ none) (none, error) {
					return world.Do(h.w, c, func(tx *world.Tx) (none, error) {
						for _, s := range steps[:n] {
							if _, err := c.Invoke(s.skill, []byte(s.input)); err != nil {
								t.Errorf("%s: %v", s.skill, err)
							}
						}
						return none{}, end(tx)
					})
				},
			})
			if err := h.r.Register(fail); err != nil {
				t.Fatal(err)
			}
			before := h.w.Hash()
			if got := h.try("test.fail", `{}`); got[:15] != "handler_error: " {
				t.Fatalf("the call that %s gave %s", name, got)
			}
			if h.w.Hash() != before {
				t.Errorf("a call that %s after %d skills left a mark on the world", name, n)
			}
			h.r.Unregister("test.fail")
		}
	}
	// The handles and everything behind them are as if nothing had been tried.
	h.call("ui.label", `{"anchor":{"kind":"screen"}}`, `{"handle":"ui_1"}`)
	h.step(5)
	if h.shown(0) || !h.shown(1) {
		t.Error("the panels that are shown are not the right ones")
	}
}
