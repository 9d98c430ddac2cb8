package client_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/client"
)

// TestPanelsByArea has a view get the panels of what it sees, in every encoding: those of entities come and go with
// them, and what is on the screen everybody has.
func TestPanelsByArea(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		defer w.Close()
		defer func() { w.stop() }()
		ctx := context.Background()
		ada, ben := w.client(t, "ada"), w.client(t, "ben")
		defer ada.Close()
		defer ben.Close()
		call := func(name string, input map[string]any, out any) {
			t.Helper()
			if err := ada.Call(ctx, name, input, out); err != nil {
				t.Fatal(err)
			}
		}
		var box struct{ Entity client.ID }
		call("scene.createEntity", map[string]any{"position": []int{100, 0, 0}}, &box)
		label := func(text string, anchor map[string]any) {
			t.Helper()
			call("ui.label", map[string]any{"anchor": anchor, "text": text}, nil)
		}
		label("box", map[string]any{"kind": "world", "entity": box.Entity})
		label("near", map[string]any{"kind": "world", "point": []int{3, 0, 0}, "offset": []int{0, 2, 0}})
		label("hud", map[string]any{"kind": "screen"})

		var views []*client.View
		for i, encoding := range []client.Encoding{client.JSON, client.Packed, client.Binary} {
			v, err := ben.Subscribe(ctx, client.Subscription{Name: fmt.Sprint(i), Area: client.Within([3]float64{}, 10), Encoding: encoding})
			if err != nil {
				t.Fatal(err)
			}
			views = append(views, v)
		}
		check := func(when string, want ...string) {
			t.Helper()
			synctest.Wait()
			for _, v := range views {
				var got []string
				for i := range 4 {
					var panel struct{ Text string }
					if ok, err := v.Row("ui.panels", fmt.Sprintf("ui_%d", i), &panel); err != nil {
						t.Fatal(err)
					} else if ok {
						got = append(got, panel.Text)
					}
				}
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%s view %q has %v, want %v", when, v.Name(), got, want)
				}
			}
		}
		check("at first", "near", "hud")
		call("ecs.updateComponent", map[string]any{"entity": box.Entity, "component": "position", "value": []int{1, 0, 0}}, nil)
		check("with the box here", "box", "near", "hud")
		call("ui.update", map[string]any{"handle": "ui_0", "text": "crate"}, nil)
		check("after an update", "crate", "near", "hud")
		for _, v := range views {
			if err := v.Declare(ctx, client.Within([3]float64{100, 0, 0}, 10)); err != nil {
				t.Fatal(err)
			}
		}
		check("elsewhere", "hud")
		call("ui.update", map[string]any{"handle": "ui_0", "text": "chest"}, nil)
		call("ui.remove", map[string]any{"handle": "ui_1"}, nil)
		for _, v := range views {
			if err := v.Declare(ctx, client.Within([3]float64{}, 10)); err != nil {
				t.Fatal(err)
			}
		}
		check("back again", "chest", "hud")
		call("scene.destroyEntity", map[string]any{"entity": box.Entity}, nil)
		check("without the box", "hud")
	})
}
