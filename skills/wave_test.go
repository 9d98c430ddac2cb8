package skills_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/prefab"
)

// room is a server of the whole catalogue, as a builder sees it.
func room(t *testing.T) *skilltest.Room {
	t.Helper()
	s := newServer(t, 20_000)
	return (&skilltest.Server{World: s.world, Registry: s.registry}).Room(t, "type", "error")
}

// TestWave runs the example of docs/games.md: goblins come, once for each who enters, and go after the hero.
func TestWave(t *testing.T) {
	r := room(t)
	r.Example(t, r.Ann, "../docs/games.md", "### A wave of enemies")
	before := r.Len()
	r.Steps(2)
	if n := r.Len(); n != before {
		t.Errorf("%d entities come though nobody has entered", n-before)
	}
	r.Do("three.setTransform", `{"entity":"ent_0","position":[0,0.85,0]}`)
	r.Steps(2)
	if n := r.Len(); n != before+6 {
		t.Fatalf("%d entities come, want three goblins of two each; they are told %q", n-before, r.Heard())
	}
	from := r.At(t, "ent_1")
	r.Steps(120)
	if to := r.At(t, "ent_1"); to.Len() > from.Len()-3 {
		t.Errorf("a goblin is at %v, and was at %v", to, from)
	}
	r.Do("damage.apply", `{"targetEntity":"ent_1","amount":20}`)
	r.Steps(2)
	if n := r.Len(); n != before+4 {
		t.Errorf("%d entities are left of the goblins, want 4", n-before)
	}
}

// TestWaveTooLarge has an action make an instance of what takes long.
func TestWaveTooLarge(t *testing.T) {
	box := `{"skill":"scene.createEntity","input":{}}`
	for _, c := range []struct{ operations, want string }{
		{strings.Repeat(box+",", prefab.MaxInStep) + box, `name: an action makes instances of at most 64 operations and entities, of prefab "big" it would be 65: call prefab.instantiate yourself`},
		{box + `,{"skill":"scene.array","input":{"entity":"ent_0","pattern":"line","count":65,"step":[2,0,0]}}`, `name: an action makes instances of at most 64 entities, this one of prefab "big" has 65: call prefab.instantiate yourself`},
		{`{"skill":"scene.forEach","input":{"tag":"x","skill":"scene.destroyEntity","input":{"entity":"$$entity"}}}`, `name: prefab "big" calls scene.forEach, which takes long, and a simulation step waits for nobody: call prefab.instantiate yourself`},
	} {
		r := room(t)
		r.Do("scene.createEntity", `{}`)
		r.Do("prefab.define", `{"name":"big","operations":[%s]}`, c.operations)
		r.Do("event.listen", `{"eventName":"go","action":{"type":"call","target":"prefab.instantiate","data":{"name":"big"}}}`)
		r.Do("event.emit", `{"eventName":"go"}`)
		before := r.Len()
		r.Heard()
		r.Steps(2)
		if told := strings.Join(r.Heard(), "\n"); told != "event.failed call "+c.want {
			t.Errorf("they are told\n%s\nwant\n%s", told, c.want)
		}
		if r.Len() != before {
			t.Error("something is left of it")
		}
	}
}

// TestWaveFlood has each instance set off two more: the world is not full of them, and has room again once they are gone.
func TestWaveFlood(t *testing.T) {
	r := room(t)
	r.Do("prefab.define", `{"name":"cell","operations":[{"skill":"scene.createEntity","input":{}},{"skill":"event.emit","input":{"eventName":"split"}}]}`)
	for i := range 2 {
		r.Do("event.listen", `{"eventName":"split","action":{"type":"call","target":"prefab.instantiate","data":{"name":"cell","position":[%d,0,0]}}}`, 3*i)
	}
	r.Do("event.emit", `{"eventName":"split"}`)
	most := 0
	for range 200 {
		before := r.Len()
		r.Steps(1)
		most = max(most, r.Len()-before)
	}
	told := strings.Join(r.Heard(), "\n")
	const one = prefab.MaxStanding * 3 / 4 // agent's
	if n := r.Len(); n != one || most > 2*64 || !strings.Contains(told, "with this 752 of 1000 entities in instances that actions have made would be yours, and the 248 that are left are for others: destroy some") {
		t.Errorf("there are %d entities, %d in a step; they are told %.500s", n, most, told)
	}
	r.Do("scene.destroyEntity", `{"entity":"ent_0"}`)
	r.Do("event.emit", `{"eventName":"split"}`)
	r.Steps(5)
	if n := r.Len(); n != one {
		t.Errorf("there are %d entities after one was destroyed", n)
	}
	r.Do("prefab.instantiate", `{"name":"cell"}`) // whoever calls may make more
}
