package director_test

import (
	"strings"
	"testing"
)

// TestDocs makes the calls that docs/games.md shows, and plays the game.
func TestDocs(t *testing.T) {
	r := newRoom(t, "phase")
	r.Example(t, r.Ann, "../../docs/games.md", "## Pacing", func(skill, out string) {
		if strings.Contains(out, `"ok":false`) || strings.Contains(out, `"note`) {
			t.Errorf("%s: %s", skill, out)
		}
	})
	goblins := func() int {
		return strings.Count(r.Do("scene.queryEntities", `{"name":"goblin"}`), `"entity"`)
	}
	lives := func(when, phase string, least, most int) {
		t.Helper()
		if n, now := goblins(), r.status().Phase; n < least || n > most || now != phase {
			t.Errorf("%s it is %s, and there are %d goblins, want %s and %d to %d", when, now, n, phase, least, most)
		}
	}
	lives("at first", "build_up", 1, 1)
	r.Steps(481)
	lives("after eight seconds", "build_up", 3, 3)
	r.Do("damage.apply", `{"targetEntity":"ent_0","amount":99}`)
	r.Steps(120)
	lives("when the hero is almost dead", "sustain", 3, 3)
	r.Steps(10 * 60)
	lives("then", "fade", 5, 6)
	for r.status().Phase == "fade" {
		r.Steps(1)
	}
	n := goblins()
	r.Steps(899)
	lives("while all rest", "rest", n, n)
	r.Steps(241)
	lives("when they have rested", "build_up", n+1, n+1)
}
