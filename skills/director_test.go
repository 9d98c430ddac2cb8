package skills_test

import (
	"strings"
	"testing"
)

// TestWhoPlays hurts an agent's body, a character, one with a behavior, and a thing: the director takes the first two for those who play.
func TestWhoPlays(t *testing.T) {
	for _, c := range []struct {
		name  string
		calls [][2]string // the first makes ent_0
		plays bool
	}{
		{"a body", [][2]string{{"agent.embody", `{}`}}, true},
		{"a character", [][2]string{{"player.spawn", `{"position":[0,1,0]}`}}, true},
		{"a body with a behavior", [][2]string{{"agent.embody", `{}`}, {"behavior.setGoal", `{"entity":"ent_0","type":"flee"}`}}, true},
		{"a character with a behavior", [][2]string{{"player.spawn", `{"position":[0,1,0]}`}, {"behavior.setGoal", `{"entity":"ent_0","type":"flee"}`}}, false},
		{"a thing", [][2]string{{"scene.createEntity", `{}`}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newServer(t, 100)
			ann := god("ann")
			for _, call := range append(c.calls, [][2]string{
				{"stats.create", `{"entity":"ent_0","stats":[{"name":"hp","value":100}]}`},
				{"director.configure", `{"pressureDamping":0,"buildRate":1e-9}`},
				{"director.start", `{}`},
				{"damage.apply", `{"targetEntity":"ent_0","amount":50}`},
			}...) {
				s.must(t, ann, call[0], call[1])
			}
			s.world.Step(t.Context())
			k, _ := s.registry.Lookup("director.status")
			status := string(s.call(ann, k, []byte(`{}`), nil).Output)
			if got := strings.Contains(status, `"tension":0.35`); got != c.plays {
				t.Errorf("the director takes it for one who plays: %t, want %t: %s", got, c.plays, status)
			}
		})
	}
}
