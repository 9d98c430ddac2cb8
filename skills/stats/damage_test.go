package stats_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

func TestDamage(t *testing.T) {
	enemy := after(hero, [2]string{"scene.createEntity", `{}`})
	skilltest.Run(t, all, "damage.apply", []skilltest.Case{
		{Name: "some", Setup: hero, Input: `{"targetEntity":"ent_0","amount":30}`, Want: `{"damage":30,"remaining":50,"killed":false}`},
		{Name: "more than there is", Setup: hero, Input: `{"targetEntity":"ent_0","amount":300}`, Want: `{"damage":80,"remaining":0,"killed":true}`},
		{Name: "to one who is dead", Setup: after(hero, [2]string{"damage.apply", `{"targetEntity":"ent_0","amount":300}`}), Input: `{"targetEntity":"ent_0","amount":1}`, Want: `{"damage":0,"remaining":0,"killed":false,"reason":"ent_0 has no health left"}`},
		{Name: "to one without health", Setup: enemy, Input: `{"targetEntity":"ent_1","amount":1}`, Err: `ent_1 has neither hp nor health: stats.create {"entity":"ent_1","stats":[{"name":"hp","value":100}]} gives it some`},
		{Name: "to nobody", Setup: hero, Input: `{"targetEntity":"ent_9","amount":1}`, Err: "unknown entity ent_9; the nearest are ent_0"},
		{Name: "by nobody", Setup: hero, Input: `{"targetEntity":"ent_0","attackerEntity":"ent_9","amount":1}`, Err: "unknown entity ent_9; the nearest are ent_0"},
		{Name: "by what is nobody's", Setup: enemy, Input: `{"targetEntity":"ent_0","attackerEntity":"ent_1","amount":1}`, Want: `{"damage":1,"remaining":79,"killed":false}`},
		{Name: "a large config", Setup: hero, Input: `{"targetEntity":"ent_0","amount":1,"config":{"a":"` + long + `"}}`, Code: registry.CodeCapacityExceeded, Err: "config: holds at most 4096 bytes, this one has 4104"},
	})
	skilltest.Run(t, all, "damage.heal", []skilltest.Case{
		{Name: "some", Setup: hero, Input: `{"targetEntity":"ent_0","amount":5}`, Want: `{"healed":5,"remaining":85}`},
		{Name: "more than there is room for", Setup: hero, Input: `{"targetEntity":"ent_0","amount":3e38}`, Want: `{"healed":20,"remaining":100}`},
		{Name: "one who is dead", Setup: after(hero, [2]string{"damage.apply", `{"targetEntity":"ent_0","amount":300}`}), Input: `{"targetEntity":"ent_0","amount":1}`, Want: `{"healed":1,"remaining":1}`},
		{Name: "one without health", Setup: enemy, Input: `{"targetEntity":"ent_1","amount":1}`, Err: `ent_1 has neither hp nor health: stats.create {"entity":"ent_1","stats":[{"name":"hp","value":100}]} gives it some`},
	})
	for _, name := range []string{"damage.apply", "damage.heal"} {
		skilltest.Needs(t, all, name, `{"targetEntity":"ent_0","amount":1}`, "damage.write", "builder.readWrite", "combat.writer", "npc.agent")
	}
}

// TestWhatCounts does damage to one who has this and that against it.
func TestWhatCounts(t *testing.T) {
	for _, c := range []struct {
		name, stats, effect, blow string
		remaining                 float64 // of 100
	}{
		{"nothing", ``, ``, `"amount":10`, 90},
		{"defense", `{"name":"defense","value":8}`, ``, `"amount":10`, 94},
		{"a lot of defense", `{"name":"defense","value":80}`, ``, `"amount":10`, 99},
		{"a lot of defense, and next to nothing", `{"name":"defense","value":80}`, ``, `"amount":0.25`, 99.75},
		{"a weakness", `{"name":"defense","value":-8,"minValue":-10}`, ``, `"amount":10`, 86},
		{"a resistance", `{"name":"fireResistance","value":0.75}`, ``, `"amount":20,"type":"fire"`, 95},
		{"a resistance to something else", `{"name":"fireResistance","value":0.75}`, ``, `"amount":20,"type":"ice"`, 80},
		{"all of it", `{"name":"fireResistance","value":7}`, ``, `"amount":20,"type":"fire"`, 100},
		{"a weakness for fire", `{"name":"fireResistance","value":-1,"minValue":-1}`, ``, `"amount":20,"type":"fire"`, 60},
		{"a shield", ``, `{"targetEntity":"ent_0","type":"shield","duration":9,"magnitude":6}`, `"amount":10`, 96},
		{"a large shield", ``, `{"targetEntity":"ent_0","type":"shield","duration":9,"magnitude":60}`, `"amount":10`, 100},
		{"a buff of its defense", `{"name":"defense","value":2}`, `{"targetEntity":"ent_0","type":"buff","duration":9,"magnitude":4,"config":{"stat":"defense"}}`, `"amount":10`, 93},
		{"a buff that is no stat's", `{"name":"defense","value":2}`, `{"targetEntity":"ent_0","type":"buff","duration":9,"magnitude":4}`, `"amount":10`, 91},
		{"a strong attacker", ``, `{"targetEntity":"ent_1","type":"buff","duration":9}`, `"amount":10,"attackerEntity":"ent_1"`, 80},
		{"a weak attacker", ``, `{"targetEntity":"ent_1","type":"buff","duration":9,"magnitude":-0.5}`, `"amount":10,"attackerEntity":"ent_1"`, 95},
	} {
		r := newRoom(t)
		r.Do("scene.createEntity", `{}`)
		r.give(`{"name":"health","value":100}`)
		if c.stats != "" {
			r.give(c.stats)
		}
		if c.effect != "" {
			r.Do("status.apply", "%s", c.effect)
		}
		r.Do("damage.apply", `{"targetEntity":"ent_0",%s}`, c.blow)
		if got := r.stat("ent_0", "health"); got != c.remaining {
			t.Errorf("%s: of 100 there is %v left, want %v", c.name, got, c.remaining)
		}
	}
}

// TestShields spends one after the other.
func TestShields(t *testing.T) {
	r := newRoom(t)
	r.give(`{"name":"hp","value":100}`)
	for _, magnitude := range []float64{5, 10} {
		r.Do("status.apply", `{"targetEntity":"ent_0","type":"shield","duration":9,"magnitude":%v,"onRemove":"broken"}`, magnitude)
	}
	r.Heard()
	skilltest.Holds(t, "a blow", r.Do("damage.apply", `{"targetEntity":"ent_0","amount":8}`), `{"damage":0,"remaining":100,"killed":false,"absorbed":8}`)
	skilltest.Holds(t, "what is left", r.Do("status.list", `{"targetEntity":"ent_0"}`), `{"effects":[{"id":"eff_1","type":"shield","duration":9,"elapsed":0,"magnitude":7}]}`)
	want := []string{
		`status.ended {"entity":"ent_0","effectId":"eff_0","type":"shield","magnitude":0,"event":"broken","why":"spent","by":"ann"}`,
		`damage.dealt {"entity":"ent_0","type":"physical","damage":0,"remaining":100,"absorbed":8,"by":"ann"}`,
	}
	if diff := cmp.Diff(want, r.Heard()); diff != "" {
		t.Errorf("viewers are told (-want +got):\n%s", diff)
	}
	skilltest.Holds(t, "a second blow", r.Do("damage.apply", `{"targetEntity":"ent_0","amount":8}`), `{"damage":1,"remaining":99,"killed":false,"absorbed":7}`)
	if diff := cmp.Diff([]string{`broken ent_0 {"effectId":"eff_0","type":"shield","magnitude":0} ann`, `broken ent_0 {"effectId":"eff_1","type":"shield","magnitude":0} ann`}, r.emitted); diff != "" {
		t.Errorf("those who listen are told (-want +got):\n%s", diff)
	}
}

// TestStance has blows kept off and thrown back.
func TestStance(t *testing.T) {
	r := newRoom(t)
	r.Do("scene.createEntity", `{}`)
	r.Do("scene.createEntity", `{}`)
	r.give(`{"name":"hp","value":100},{"name":"defense","value":4}`)
	r.Do("stats.create", `{"entity":"ent_1","stats":[{"name":"hp","value":100}]}`)
	skilltest.Holds(t, "combat.defend", r.Do("combat.defend", `{"entity":"ent_0","duration":0.5,"damageReduction":0.75}`), `{"ok":true,"expiresTick":30}`)
	blow := func(by string) string {
		return r.Do("damage.apply", `{"targetEntity":"ent_0","attackerEntity":%q,"amount":22}`, by)
	}
	skilltest.Holds(t, "kept off", blow("ent_1"), `{"damage":5,"remaining":95,"killed":false}`)
	r.Steps(29)
	skilltest.Holds(t, "kept off to the end", blow("ent_1"), `{"damage":5,"remaining":90,"killed":false}`)
	r.Steps(1)
	skilltest.Holds(t, "over", blow("ent_1"), `{"damage":20,"remaining":70,"killed":false}`)
	r.Do("combat.defend", `{"entity":"ent_0","reflectChance":1}`)
	r.Do("combat.defend", `{"entity":"ent_1","reflectChance":1,"damageReduction":0}`)
	skilltest.Holds(t, "thrown back, and not again", blow("ent_1"), `{"damage":0,"remaining":70,"killed":false,"reflected":22,"reason":"ent_0 threw it back"}`)
	skilltest.Holds(t, "thrown back at what has no health", blow("ent_2"), `{"damage":0,"remaining":70,"killed":false,"reason":"ent_0 threw it back"}`)
	skilltest.Holds(t, "from nobody", r.Do("damage.apply", `{"targetEntity":"ent_0","amount":22}`), `{"damage":10,"remaining":60,"killed":false}`)
	skilltest.Holds(t, "from itself", blow("ent_0"), `{"damage":10,"remaining":50,"killed":false}`)
	// How often it is thrown back is drawn from the world's random source: the same in every world of one seed.
	draws := func() (s string) {
		r := newRoom(t)
		r.Do("scene.createEntity", `{}`)
		r.give(`{"name":"hp","value":1000}`)
		r.Do("combat.defend", `{"entity":"ent_0","reflectChance":0.3}`)
		for range 200 {
			before := r.stat("ent_0", "hp")
			r.Do("damage.apply", `{"targetEntity":"ent_0","attackerEntity":"ent_1","amount":1}`)
			s += fmt.Sprint(int(2 * (before - r.stat("ent_0", "hp"))))
		}
		return s
	}
	one, other := draws(), draws()
	n := 0
	for _, c := range one {
		if c == '0' {
			n++
		}
	}
	if one != other || n < 40 || n > 80 {
		t.Errorf("of 200 blows %d were thrown back, want about 60; another world: %t", n, one != other)
	}
}

// TestWhoseAttacker has nobody attack by what is somebody else's.
func TestWhoseAttacker(t *testing.T) {
	r := newRoom(t)
	r.give(`{"name":"hp","value":100}`)
	bob := skilltest.Caller(t, "bob", skilltest.Builder)
	r.Must(t, bob, "agent.embody", `{}`) // ent_1
	_, err := r.Call(r.Ann, "damage.apply", `{"targetEntity":"ent_0","attackerEntity":"ent_1","amount":1}`)
	if err == nil || err.Code != registry.CodeForbidden || err.Message != "ent_1 is the body of another agent, bob, who alone has it act" {
		t.Errorf("by another's body: %v", err)
	}
	skilltest.Holds(t, "by one's own", r.Must(t, bob, "damage.apply", `{"targetEntity":"ent_0","attackerEntity":"ent_1","amount":1}`), `{"damage":1,"remaining":99,"killed":false}`)
}
