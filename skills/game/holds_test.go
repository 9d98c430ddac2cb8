package game

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/world"
)

// TestAboutSomebody reads what somebody has and is, where that may be asked.
func TestAboutSomebody(t *testing.T) {
	w := world.New(world.Config{})
	g := New(w, action.New(w, nil))
	for _, what := range []string{"item", "stat", "quest"} {
		g.Know(what, func(_ *world.View, who world.ID, name string) (any, bool) {
			x, ok := map[string]any{"item key": 2.0, "item none": 0.0, "stat hp": 7.5, "quest rats": "active"}[what+" "+name]
			return x, ok && who == 7
		})
	}
	for src, want := range map[string]bool{
		`item("key") >= 2`: true, `item("none") == 0`: true, `stat("hp") < 8 and not flag("x")`: true, `stat("mana") < 1`: false, `stat("mana") >= 0`: false,
		`quest("rats") == "active"`: true, `quest("cats") == "active"`: false, `quest("cats") != "active"`: true,
	} {
		g.w.View(func(v *world.View) {
			if got, err := g.Holds(v, src, 7); got != want || err != nil {
				t.Errorf("%s is %v, %v, want %v", src, got, err, want)
			}
			if got, err := g.Holds(v, src, 0); got != strings.Contains(src, "!=") || err != nil {
				t.Errorf("%s of nobody is %v, %v", src, got, err)
			}
		})
	}
	for src, want := range map[string]string{
		`hasItem("key")`:       `expression: at character 1, "hasItem(\"key\")": hasItem means nothing: write item("…"), how many somebody has, stat("…") or quest("…"), which is "available", "active", "completed" or "failed"`,
		`item("key")`:          `expression: at character 1, "item(\"key\")": a condition is true or false, this is a number`,
		`quest("rats") == 3`:   `expression: at character 1, "quest(\"rats\") ==": a text never equals a number`,
		`stat("hp") == "full"`: `expression: at character 1, "stat(\"hp\") == \"f": a number never equals a text`,
	} {
		if err := AboutSomebody(src); err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", src, err, want)
		}
	}
}
