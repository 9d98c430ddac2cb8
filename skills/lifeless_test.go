package skills_test

import (
	"strings"
	"testing"
)

// TestCopiesDoNotLive copies a torch whose flame has a behavior, and what has none: who copies is told what copies do not do.
func TestCopiesDoNotLive(t *testing.T) {
	r := newStage(t)
	r.Do("behavior.define", `{"id":"flicker","name":"Flicker","goals":[{"id":"stay","type":"guard"}]}`)
	flame := entityOf(t, r.Do("scene.createEntity", `{"name":"flame"}`))
	torch := entityOf(t, r.Do("scene.createEntity", `{"name":"torch"}`))
	r.Do("scene.group", `{"entities":[%q],"into":%q}`, flame, torch)
	r.Do("behavior.assign", `{"entity":%q,"profileId":"flicker"}`, flame)
	stone := entityOf(t, r.Do("scene.createEntity", `{}`))
	for _, c := range []struct{ name, input, want string }{
		{"scene.clone", `{"entity":"` + torch + `","offset":[2,0,0]}`, `"note":"copies have no behavior, as ` + flame + ` has, which is part of ` + torch},
		{"scene.array", `{"entity":"` + torch + `","pattern":"line","count":3,"step":[2,0,0]}`, `"note":"copies have no behavior, as ` + flame + ` has`},
		{"scene.clone", `{"entity":"` + flame + `"}`, `"note":"copies have no behavior, as ` + flame + ` has: behavior.assign`},
		{"scene.clone", `{"entity":"` + stone + `"}`, ""},
	} {
		if got := r.Do(c.name, "%s", c.input); !strings.Contains(got, c.want) || c.want == "" && strings.Contains(got, "note") {
			t.Errorf("%s %s: %s, want %s", c.name, c.input, got, c.want)
		}
	}
}
