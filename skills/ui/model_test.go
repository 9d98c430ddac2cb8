package ui_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/skills/ui"
	"github.com/limina-mcp/limina/world"
)

// TestPanelsAgainstModel compares the panels, and when they go, with something simpler: a map that
// is looked through from end to end in every step. A second world that is given the same ends up the
// same.
func TestPanelsAgainstModel(t *testing.T) {
	type panel struct {
		entity world.ID
		left   int // steps; 0 for ever
	}
	rapid.Check(t, func(rt *rapid.T) {
		h, twin := newHouse(t), newHouse(t)
		both := func(do func(*house)) { do(h); do(twin) }
		model := map[ui.Handle]panel{}
		alive := map[world.ID]bool{}
		next := ui.Handle(0)
		rt.Repeat(map[string]func(*rapid.T){
			"open": func(rt *rapid.T) {
				p := panel{left: rapid.IntRange(0, 6).Draw(rt, "ttl")}
				anchor, life := `{"kind":"screen"}`, `{}`
				if n := rapid.IntRange(0, 4).Draw(rt, "entity"); alive[world.ID(n)] {
					p.entity = world.ID(n)
					anchor = fmt.Sprintf(`{"kind":"world","entity":%q}`, p.entity)
				}
				if p.left > 0 {
					life = fmt.Sprintf(`{"ttl":%d}`, p.left)
				}
				both(func(h *house) {
					h.call("ui.label", `{"anchor":`+anchor+`,"lifecycle":`+life+`}`, fmt.Sprintf(`{"handle":%q}`, next))
				})
				model[next] = p
				next++
			},
			"remove": func(rt *rapid.T) {
				handle := ui.Handle(rapid.IntRange(0, int(next)).Draw(rt, "handle"))
				p, ok := model[handle]
				ok = ok && (p.entity == 0 || alive[p.entity])
				both(func(h *house) {
					h.call("ui.remove", fmt.Sprintf(`{"handle":%q}`, handle), fmt.Sprintf(`{"removed":%v}`, ok))
				})
				if ok {
					delete(model, handle)
				}
			},
			"create": func(*rapid.T) {
				var id world.ID
				both(func(h *house) { id = h.entity() })
				alive[id] = true
			},
			"destroy": func(rt *rapid.T) {
				id := world.ID(rapid.IntRange(1, 4).Draw(rt, "entity"))
				if alive[id] {
					both(func(h *house) { h.destroy(id) })
					delete(alive, id)
				}
			},
			"step": func(*rapid.T) {
				both(func(h *house) { h.step(1) })
				for h, p := range model {
					p.left--
					if p.left == 0 || p.entity != 0 && !alive[p.entity] {
						delete(model, h)
						continue
					}
					p.left = max(p.left, -1)
					model[h] = p
				}
			},
			"": func(rt *rapid.T) {
				for handle := range next {
					p, want := model[handle]
					want = want && (p.entity == 0 || alive[p.entity])
					if h.shown(handle) != want {
						rt.Fatalf("is %s shown: %v, want %v", handle, !want, want)
					}
				}
				if h.w.Hash() != twin.w.Hash() {
					rt.Fatal("the same calls and steps made another world")
				}
			},
		})
	})
}
