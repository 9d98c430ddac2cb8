package ui_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/skills/ui"
	"github.com/limina-mcp/limina/world"
)

// TestViewersGetPanels looks at what leaves the world: the panels by handle, and nothing of what is
// kept beside them.
func TestViewersGetPanels(t *testing.T) {
	h := newHouse(t)
	var changed [][]string
	t.Cleanup(h.w.Observe(func(c *world.Commit) { changed = append(changed, append([]string(nil), c.World...)) }))
	e := h.entity()
	h.call("ui.label", `{"anchor":{"kind":"world","entity":"ent_0"},"text":"<a>","lifecycle":{"ttl":2}}`, `{"handle":"ui_0"}`)
	var panels, entity string
	h.w.View(func(v *world.View) {
		panels = string(h.w.AppendShared(nil, v, "ui.panels"))
		entity = string(h.w.AppendEntity(nil, v, e))
	})
	want := `{"ui_0":{"kind":"label","anchor":{"kind":"world","entity":"ent_0","offset":[0,0.3,0]},"text":"<a>","lifecycle":{"ttl":2},"since":0,"until":2}}`
	if panels != want {
		t.Errorf("viewers get %s, want %s", panels, want)
	}
	if want := `{"id":"ent_0","eid":0,"pos":[0,0,0],"rot":[0,0,0,1],"scale":[1,1,1]}`; entity != want {
		t.Errorf("viewers get the entity as %s, want %s", entity, want)
	}
	h.step(2)
	if diff := cmp.Diff([][]string{nil, {"ui.panels"}, {"ui.panels"}}, changed); diff != "" {
		t.Errorf("what viewers are told that changed differs (-want +got):\n%s", diff)
	}
}

func TestEvents(t *testing.T) {
	h := newHouse(t)
	for _, tt := range []struct{ skill, input, want string }{
		{"ui.label", `{"anchor":{"kind":"screen"}}`, `ui.opened {"handle":"ui_0","kind":"label"}`},
		{"ui.update", `{"handle":"ui_0","text":"a"}`, `ui.updated {"handle":"ui_0"}`},
		{"ui.remove", `{"handle":"ui_0"}`, `ui.removed {"handle":"ui_0"}`},
	} {
		h.try(tt.skill, tt.input)
		next, _ := h.r.Trace().Head()
		e, _ := h.r.Trace().Get(next - 1)
		if got := e.Type + " " + string(e.Payload); got != tt.want {
			t.Errorf("%s: the event is %s, want %s", tt.skill, got, tt.want)
		}
	}
}

// TestAboveItsEntity has labels and bubbles without an offset stand above what they are at, with all that is below it; all else is in its middle.
func TestAboveItsEntity(t *testing.T) {
	h := newHouse(t)
	e := h.entity()
	h.update(func(tx *world.Tx) error {
		if err := h.w.Shapes.Set(tx, e, world.Shape{Kind: "box", Size: world.Vec3{1, 2, 1}}); err != nil {
			return err
		}
		hat, err := tx.Create(world.Spec{Parent: e, Position: world.Vec3{0, 1.25, 0}})
		if err != nil {
			return err
		}
		return h.w.Shapes.Set(tx, hat, world.Shape{Kind: "box", Size: world.Vec3{1, 0.5, 1}})
	})
	opened := ui.Handle(0)
	for kind, want := range map[ui.Kind]world.Vec3{
		ui.KindLabel: {0, 1.8, 0}, ui.KindSpeechBubble: {0, 1.8, 0}, ui.KindThoughtBubble: {0, 1.8, 0}, ui.KindTextBox: {}, ui.KindCallout: {},
	} {
		for given, want := range map[string]world.Vec3{``: want, `,"offset":[0,0,0]`: {}} {
			h.try("ui."+string(kind), `{"anchor":{"kind":"world","entity":"ent_0"`+given+`},"text":"hello"}`)
			panel := h.panel(opened)
			opened++
			h.w.View(func(v *world.View) {
				if at := panel.Anchor.World.At(v); at.Dist(want) > 1e-9 {
					t.Errorf("ui.%s%s is at %v, want %v", kind, given, at, want)
				}
			})
		}
	}
}

// TestOffsetsTurn has the x and z of an offset turn with the entity about the vertical, its y be up however that is tilted, and both stay along the axes of the world where the anchor says
// so, or is one of a world that was made before offsets turned.
func TestOffsetsTurn(t *testing.T) {
	h := newHouse(t)
	e := h.entity()
	label := func(more string) ui.Panel {
		var out struct{ Handle ui.Handle }
		if err := json.Unmarshal([]byte(h.try("ui.label", `{"anchor":{"kind":"world","entity":"ent_0","offset":[1,2,3]`+more+`},"text":"Inn"}`)), &out); err != nil {
			t.Fatal(err)
		}
		return h.panel(out.Handle)
	}
	turns, stays, old := label(""), label(`,"axes":"world"`), ui.Panel{}
	if err := json.Unmarshal([]byte(`{"kind":"label","anchor":{"kind":"world","entity":"ent_0","offset":[1,2,3]},"text":"Inn"}`), &old); err != nil {
		t.Fatal(err)
	}
	quarter := math.Pi / 2
	for _, c := range []struct {
		turn  world.Quat
		turns world.Vec3
	}{
		{world.NoRotation(), world.Vec3{1, 2, 3}},
		{world.QuatFromEuler(0, quarter, 0), world.Vec3{3, 2, -1}},
		{world.QuatFromEuler(0, -quarter, 0), world.Vec3{-3, 2, 1}},
		{world.QuatFromEuler(0, 2*quarter, 0), world.Vec3{-1, 2, -3}},
		{world.QuatFromEuler(0.7, 0, 0), world.Vec3{1, 2, 3}},
		{world.QuatFromEuler(0, 0, 3), world.Vec3{1, 2, 3}},
		{world.QuatFromEuler(quarter, 0, 0), world.Vec3{1, 2, 3}},
	} {
		h.update(func(tx *world.Tx) error {
			return tx.SetTransform(e, world.Transform{Position: world.Vec3{10, 0, 0}, Rotation: c.turn, Scale: world.Vec3{4, 4, 4}})
		})
		h.w.View(func(v *world.View) {
			for name, is := range map[string]struct {
				panel ui.Panel
				want  world.Vec3
			}{"a new one": {turns, c.turns}, "one along the world's axes": {stays, world.Vec3{1, 2, 3}}, "an old one": {old, world.Vec3{1, 2, 3}}} {
				if at := is.panel.Anchor.World.At(v).Sub(world.Vec3{10, 0, 0}); at.Dist(is.want) > 1e-6 {
					t.Errorf("%s at an entity that is turned by %v is %v from it, want %v", name, c.turn, at, is.want)
				}
			}
		})
	}
}

// TestFarthestPlace lists a panel beyond what the world has numbers for: there it is as far as they go, and the list is one.
func TestFarthestPlace(t *testing.T) {
	h := newHouse(t)
	h.call("ui.label", `{"anchor":{"kind":"world","point":[3.4e38,0,-3.4e38],"offset":[3.4e38,1,0]},"text":"far"}`, `{"handle":"ui_0"}`)
	if got := h.try("ui.list", `{}`); !strings.Contains(got, `"position":[3.4e+38,1,-3.4e+38]`) {
		t.Error(got)
	}
}
