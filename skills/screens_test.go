package skills_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

// TestOwnScreens runs the example of docs/games.md: whoever comes has a panel on his own screen, which goes with him.
func TestOwnScreens(t *testing.T) {
	r := room(t)
	r.Example(t, r.Ann, "../docs/games.md", "### Each player's own screen")
	bob, eve := skilltest.Caller(t, "bob", "player.limited"), skilltest.Caller(t, "eve", "player.limited")
	picture := func(p *profiles.Principal) string {
		res := r.Registry.Invoke(t.Context(), &registry.Request{Name: "scene.render", Input: []byte(`{"view":"front","width":128,"height":96}`), Principal: p}, nil)
		if res.Err != nil || len(res.Content) != 1 {
			t.Fatalf("%v, with %d pictures", res.Err, len(res.Content))
		}
		return string(res.Content[0].Data)
	}
	r.Must(t, bob, "player.spawn", `{"position":[0,1,0]}`)
	r.Steps(3)
	skilltest.Holds(t, "the panels", r.Shared("ui.panels"), `{"ui_0":{"kind":"hudPanel","anchor":{"kind":"screen","corner":"top-left","entity":"ent_0"},"text":"{stat:hp} health","since":1}}`)
	ann, his, hers := picture(r.Ann), picture(bob), picture(eve)
	if ann != hers || ann == his {
		t.Errorf("bob's panel is to be in bob's picture alone: of ann's it is %v that it is eve's, and %v that it is bob's", ann == hers, ann == his)
	}
	r.Must(t, eve, "player.spawn", `{"position":[3,1,0]}`)
	r.Steps(3)
	if panels := r.Shared("ui.panels"); strings.Count(panels, `"corner":"top-left"`) != 2 {
		t.Errorf("two players have %s", panels)
	}
	r.Must(t, bob, "player.despawn", `{"entity":"ent_0"}`)
	r.Steps(3)
	if panels := r.Shared("ui.panels"); strings.Contains(panels, `"entity":"ent_0"`) || !strings.Contains(panels, `"entity":"ent_1"`) {
		t.Errorf("when bob has gone there is %s", panels)
	}
	r.Do("scene.createEntity", `{}`)
	if out := r.Do("ui.hudPanel", `{"anchor":{"kind":"screen","entity":"ent_2"},"text":"x"}`); !strings.Contains(out, "ent_2 is nobody's body or character") {
		t.Errorf("a panel on the screen of who plays a box: %s", out)
	}
}
