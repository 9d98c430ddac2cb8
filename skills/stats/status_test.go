package stats_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/event"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/stats"
	"github.com/limina-mcp/limina/world"
)

func TestStatus(t *testing.T) {
	bare := after(hero, [2]string{"scene.createEntity", `{}`})
	skilltest.Run(t, all, "status.apply", []skilltest.Case{
		{Name: "poison", Setup: hero, Input: `{"targetEntity":"ent_0","type":"poison","duration":5}`, Want: `{"effectId":"eff_0"}`},
		{Name: "the longest", Setup: hero, Input: `{"targetEntity":"ent_0","type":"slow","duration":3.4e38,"magnitude":3.4e38,"tickInterval":3e38}`, Want: `{"effectId":"eff_0"}`},
		{Name: "a stun of what has no stats", Setup: bare, Input: `{"targetEntity":"ent_1","type":"stun","duration":1e-9}`, Want: `{"effectId":"eff_0"}`},
		{Name: "poison in what has no health", Setup: bare, Input: `{"targetEntity":"ent_1","type":"poison","duration":5}`, Err: `ent_1 has neither hp nor health: stats.create {"entity":"ent_1","stats":[{"name":"hp","value":100}]} gives it some`},
		{Name: "poison that heals", Setup: hero, Input: `{"targetEntity":"ent_0","type":"poison","duration":5,"magnitude":-1}`, Code: registry.CodeInvalidInput, Err: "magnitude: must be above 0 for poison, got -1"},
		{Name: "on nobody", Setup: hero, Input: `{"targetEntity":"ent_5","type":"stun","duration":5}`, Err: "unknown entity ent_5; the nearest are ent_0"},
		{Name: "a buff of what is not there", Setup: hero, Input: `{"targetEntity":"ent_0","type":"buff","duration":5,"config":{"stat":"manna"}}`, Err: `ent_0 has no stat "manna"; did you mean "mana"? it has hp, mana, gold`},
		{Name: "a buff of health", Setup: hero, Input: `{"targetEntity":"ent_0","type":"buff","duration":5,"config":{"stat":"hp"}}`, Code: registry.CodeInvalidInput, Err: "config.stat: health is not buffed: use a shield, or damage.heal"},
		{Name: "a buff of a number", Setup: hero, Input: `{"targetEntity":"ent_0","type":"buff","duration":5,"config":{"stat":7}}`, Code: registry.CodeInvalidInput, Err: `config.stat: must be the name of a stat, such as "defense"`},
		{Name: "a large config", Setup: hero, Input: `{"targetEntity":"ent_0","type":"stun","duration":5,"config":{"a":"` + long + `"}}`, Code: registry.CodeCapacityExceeded, Err: "config: holds at most 4096 bytes, this one has 4104"},
		{Name: "without the right to its event", As: "npc.agent", Setup: asGod, Input: `{"targetEntity":"ent_0","type":"stun","duration":5,"onTick":"x"}`, Code: registry.CodeForbidden, Err: "missing permission: event.write, which onTick needs: leave it out"},
		{
			Name: "too many", Setup: after(hero, repeat(stats.MaxEffects, [2]string{"status.apply", `{"targetEntity":"ent_0","type":"stun","duration":5}`})...),
			Input: `{"targetEntity":"ent_0","type":"stun","duration":5}`, Code: registry.CodeCapacityExceeded, Err: "ent_0 has 16 effects, which is the most: they end by themselves, or by status.remove",
		},
	})
	poisoned := after(bare, [2]string{"status.apply", `{"targetEntity":"ent_0","type":"poison","duration":5}`})
	skilltest.Run(t, all, "status.remove", []skilltest.Case{
		{Name: "one", Setup: poisoned, Input: `{"targetEntity":"ent_0","effectId":"eff_0"}`, Want: `{"ok":true}`},
		{Name: "another", Setup: poisoned, Input: `{"targetEntity":"ent_0","effectId":"eff_8"}`, Err: "ent_0 has no effect eff_8; the nearest are eff_0"},
		{Name: "of one without", Setup: poisoned, Input: `{"targetEntity":"ent_1","effectId":"eff_0"}`, Err: "ent_1 has no effect eff_0: there is none on it"},
		{Name: "of nobody", Setup: poisoned, Input: `{"targetEntity":"ent_7","effectId":"eff_0"}`, Err: "unknown entity ent_7; the nearest are ent_0, ent_1"},
	})
	skilltest.Run(t, all, "status.list", []skilltest.Case{
		{Name: "one", Setup: poisoned, Input: `{"targetEntity":"ent_0"}`, Want: `{"effects":[{"id":"eff_0","type":"poison","duration":5,"elapsed":0,"magnitude":1}]}`},
		{Name: "none", Setup: poisoned, Input: `{"targetEntity":"ent_1"}`, Want: `{"effects":[]}`},
		{Name: "of nobody", Setup: poisoned, Input: `{"targetEntity":"ent_7"}`, Err: "unknown entity ent_7; the nearest are ent_0, ent_1"},
	})
	skilltest.Needs(t, all, "status.apply", `{"targetEntity":"ent_0","type":"stun","duration":5}`, "status.write", "builder.readWrite", "combat.writer", "npc.agent")
	skilltest.Needs(t, all, "status.remove", `{"targetEntity":"ent_0","effectId":"eff_0"}`, "status.write", "builder.readWrite", "combat.writer", "npc.agent")
	skilltest.Needs(t, all, "status.list", `{"targetEntity":"ent_0"}`, "status.read", "builder.readWrite", "combat.writer", "npc.agent", "player.full", "player.limited")
}

// TestPoison has it take health step by step, whatever is against blows, and end.
func TestPoison(t *testing.T) {
	r := newRoom(t)
	r.give(`{"name":"hp","value":20},{"name":"defense","value":50},{"name":"poisonResistance","value":0.5}`)
	r.Do("combat.defend", `{"entity":"ent_0","duration":100,"damageReduction":1}`)
	r.Steps(7)
	r.Do("status.apply", `{"targetEntity":"ent_0","type":"poison","duration":1.1,"magnitude":3,"tickInterval":0.5,"onApply":"sick","onTick":"sicker","onRemove":"well"}`)
	var when []int
	for step := 1; step <= 100; step++ {
		before := r.stat("ent_0", "hp")
		r.Steps(1)
		if now := r.stat("ent_0", "hp"); now != before {
			when = append(when, step)
			if before-now != 1.5 {
				t.Errorf("at once it takes %v", before-now)
			}
		}
	}
	if want := []int{30, 60}; !slices.Equal(when, want) {
		t.Errorf("it takes health in the steps %v, want %v", when, want)
	}
	data := func(s string) string { return s + ` ent_0 {"effectId":"eff_0","type":"poison","magnitude":3} ann` }
	if diff := cmp.Diff([]string{data("sick"), data("sicker"), data("sicker"), data("well")}, r.emitted); diff != "" {
		t.Errorf("those who listen are told (-want +got):\n%s", diff)
	}
	want := []string{
		`status.applied {"entity":"ent_0","effectId":"eff_0","type":"poison","magnitude":3,"event":"sick","by":"ann"}`,
		`status.ticked {"entity":"ent_0","effectId":"eff_0","type":"poison","magnitude":3,"event":"sicker","by":"ann"}`,
		`damage.dealt {"entity":"ent_0","type":"poison","damage":1.5,"remaining":18.5,"by":"ann"}`,
		`status.ticked {"entity":"ent_0","effectId":"eff_0","type":"poison","magnitude":3,"event":"sicker","by":"ann"}`,
		`damage.dealt {"entity":"ent_0","type":"poison","damage":1.5,"remaining":17,"by":"ann"}`,
		`status.ended {"entity":"ent_0","effectId":"eff_0","type":"poison","magnitude":3,"event":"well","why":"time","by":"ann"}`,
	}
	if diff := cmp.Diff(want, r.Heard()); diff != "" {
		t.Errorf("viewers are told (-want +got):\n%s", diff)
	}
}

// TestListeners has event.listen hear of an effect, about the entity that it is on, and of what comes to zero.
func TestListeners(t *testing.T) {
	s := skilltest.New(t, func(w *world.World, a *agents.Agents) []registry.Skill {
		does := action.New(w, audio.New(w))
		return slices.Concat(scene.All(w), stats.All(stats.New(w, stats.Deps{Does: does, Agents: a})), event.All(event.New(w, does)))
	})
	ann := skilltest.Caller(t, "ann", skilltest.Builder)
	for _, c := range [][2]string{
		{"scene.createEntity", `{}`},
		{"stats.create", `{"entity":"ent_0","stats":[{"name":"hp","value":3}]}`},
		{"event.listen", `{"eventName":"it hurts","action":{"type":"setState","data":{"addTags":["hurt"]}}}`},
		{"event.listen", `{"eventName":"dead","action":{"type":"spawn","data":{"size":0.1}}}`},
		{"stats.onZero", `{"entity":"ent_0","statName":"hp","action":{"type":"emit","target":"dead"}}`},
		{"status.apply", `{"targetEntity":"ent_0","type":"burn","duration":3,"onTick":"it hurts"}`},
	} {
		s.Must(t, ann, c[0], c[1])
	}
	tagged := func() bool { return strings.Contains(s.Entity(t, "ent_0"), `"hurt"`) }
	s.Steps(59)
	if tagged() {
		t.Error("it is hurt before it is")
	}
	s.Steps(2)
	if !tagged() || s.Len() != 1 {
		t.Errorf("there are %d entities, and ent_0 is %s", s.Len(), s.Entity(t, "ent_0"))
	}
	if s.Steps(121); s.Len() != 2 {
		t.Errorf("it is dead, and there are %d entities", s.Len())
	}
}

// TestTicksEndWithTheEffect has the last tick in the step in which the effect ends.
func TestTicksEndWithTheEffect(t *testing.T) {
	r := newRoom(t)
	r.give(`{"name":"hp","value":20}`)
	r.Do("status.apply", `{"targetEntity":"ent_0","type":"burn","duration":3,"magnitude":2}`)
	if r.Steps(500); r.stat("ent_0", "hp") != 14 {
		t.Errorf("of 20 there is %v left, want 14: three ticks", r.stat("ent_0", "hp"))
	}
	// It kills, and goes on then without doing more.
	r.Do("status.apply", `{"targetEntity":"ent_0","type":"burn","duration":60,"magnitude":10}`)
	r.Heard()
	r.Steps(240)
	killed, hurt := 0, 0
	for _, m := range r.Heard() {
		if strings.Contains(m, `"killed":true`) {
			killed++
		}
		if strings.HasPrefix(m, "damage.dealt") {
			hurt++
		}
	}
	if killed != 1 || hurt != 2 {
		t.Errorf("it was killed %d times, and hurt %d times, want 1 and 2", killed, hurt)
	}
}

// TestFireThaws has fire end a freeze, and cold not.
func TestFireThaws(t *testing.T) {
	r := newRoom(t)
	r.give(`{"name":"hp","value":20},{"name":"iceResistance","value":0.5}`)
	r.Do("status.apply", `{"targetEntity":"ent_0","type":"freeze","duration":60}`)
	r.Do("status.apply", `{"targetEntity":"ent_0","type":"stun","duration":60}`)
	r.Do("damage.apply", `{"targetEntity":"ent_0","amount":1,"type":"ice"}`)
	if got := r.Do("status.list", `{"targetEntity":"ent_0"}`); strings.Count(got, "eff_") != 2 {
		t.Errorf("after ice: %s", got)
	}
	r.Do("status.apply", `{"targetEntity":"ent_0","type":"burn","duration":60}`)
	r.Steps(59)
	if got := r.Do("status.list", `{"targetEntity":"ent_0"}`); strings.Count(got, "eff_") != 3 {
		t.Errorf("before the fire takes anything: %s", got)
	}
	r.Steps(1)
	if got := r.Do("status.list", `{"targetEntity":"ent_0"}`); strings.Contains(got, "freeze") || strings.Count(got, "eff_") != 2 {
		t.Errorf("after fire: %s", got)
	}
}

// TestNobodyHears has too much wait for those who listen: effects do what they do nevertheless, and viewers are told why.
func TestNobodyHears(t *testing.T) {
	r := newRoom(t)
	r.give(`{"name":"hp","value":20}`)
	r.deaf = registry.Failf("too much")
	r.Do("status.apply", `{"targetEntity":"ent_0","type":"burn","duration":1,"onTick":"ouch","onRemove":"out"}`)
	r.Steps(60)
	if got := r.stat("ent_0", "hp"); got != 19 {
		t.Errorf("there is %v left, want 19", got)
	}
	for _, m := range r.Heard()[1:] {
		if strings.HasPrefix(m, "status.") && !strings.Contains(m, `"error":"too much"`) {
			t.Errorf("viewers are told %s", m)
		}
	}
	r.deaf = errors.New("inside")
	r.Do("status.apply", `{"targetEntity":"ent_0","type":"stun","duration":1,"onApply":"x"}`)
	if got := r.Heard(); len(got) != 1 || !strings.Contains(got[0], `"error":"it failed"`) {
		t.Errorf("viewers are told %q", got)
	}
}

// TestManyBearers has effects on as many entities as may be, and on one more.
func TestManyBearers(t *testing.T) {
	w := world.New(world.Config{})
	s := &skilltest.Server{World: w, Agents: agents.New(w), Registry: registry.New(registry.Options{Tick: w.Tick})}
	if err := s.Registry.Register(all(w, s.Agents)...); err != nil {
		t.Fatal(err)
	}
	ann := skilltest.Caller(t, "ann", skilltest.Builder)
	stun := func(n int) *registry.Error {
		s.Must(t, ann, "scene.createEntity", `{}`)
		_, err := s.Call(ann, "status.apply", fmt.Sprintf(`{"targetEntity":"ent_%d","type":"stun","duration":1}`, n))
		return err
	}
	for n := range stats.MaxBearers {
		if err := stun(n); err != nil {
			t.Fatal(err)
		}
	}
	if err := stun(stats.MaxBearers); err == nil || err.Code != registry.CodeCapacityExceeded || err.Message != "1024 entities have effects, which is the most: they end by themselves, or by status.remove" {
		t.Errorf("one more: %v", err)
	}
	s.Steps(60)
	if err := stun(stats.MaxBearers); err != nil {
		t.Errorf("a second later: %v", err)
	}
}

// TestUndoOfEffects takes effects back, and has one come back that an undo of its removal brings.
func TestUndoOfEffects(t *testing.T) {
	r := newRoom(t)
	r.give(`{"name":"hp","value":20}`)
	r.Do("status.apply", `{"targetEntity":"ent_0","type":"poison","duration":9}`)
	r.Steps(130)
	r.Do("world.undo", `{}`)
	if got := r.Do("status.list", `{"targetEntity":"ent_0"}`); got != `{"effects":[]}` {
		t.Errorf("after an undo there is %s", got)
	}
	if got := r.stat("ent_0", "hp"); got != 18 {
		t.Errorf("after an undo it has %v: what the steps took is no doing of ann's", got)
	}
	skilltest.Holds(t, "the next effect", r.Do("status.apply", `{"targetEntity":"ent_0","type":"poison","duration":2}`), `{"effectId":"eff_1"}`)
	r.Do("status.remove", `{"targetEntity":"ent_0","effectId":"eff_1"}`)
	r.Steps(500)
	r.Do("world.undo", `{}`)
	skilltest.Holds(t, "what is back", r.Do("status.list", `{"targetEntity":"ent_0"}`), `{"effects":[{"id":"eff_1","type":"poison","duration":2,"elapsed":2,"magnitude":1}]}`)
	r.Steps(1)
	skilltest.Holds(t, "a step later", r.Do("status.list", `{"targetEntity":"ent_0"}`), `{"effects":[]}`)
}

// TestIdleEffects has a world with nothing on anybody be idle, and one with something not.
func TestIdleEffects(t *testing.T) {
	r := newRoom(t)
	tick := r.World.Tick()
	r.Do("status.apply", `{"targetEntity":"ent_0","type":"stun","duration":1}`)
	if r.Steps(59); r.World.Tick() != tick+1 {
		t.Error("a stun changes the world with every step")
	}
	if r.Steps(1); r.World.Tick() != tick+2 {
		t.Error("a stun ends without a commit")
	}
}
