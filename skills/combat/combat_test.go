package combat_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/combat"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/stats"
	"github.com/limina-mcp/limina/world"
)

// duel puts two boxes side by side, a metre apart, of which the second has health, and a third one without.
func duel(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
	t.Helper()
	for _, c := range [][2]string{
		{"scene.createEntity", `{"position":[0,0.5,0]}`},
		{"scene.createEntity", `{"position":[0,0.5,2]}`},
		{"scene.createEntity", `{"position":[9,0.5,2]}`},
		{"stats.create", `{"entity":"ent_1","stats":[{"name":"hp","value":100}]}`},
	} {
		s.Must(t, p, c[0], c[1])
	}
}

func TestMelee(t *testing.T) {
	skilltest.Run(t, all, "combat.melee", []skilltest.Case{
		{Name: "a strike", Setup: duel, Input: `{"attackerEntity":"ent_0","targetEntity":"ent_1","damage":10,` + noCrit + `}`, Want: `{"hit":true,"damage":10,"killed":false,"crit":false,"entity":"ent_1","remaining":90}`},
		{Name: "a lucky one", Setup: duel, Input: `{"attackerEntity":"ent_0","targetEntity":"ent_1","damage":10,"config":{"critChance":1,"critMultiplier":3}}`, Want: `{"hit":true,"damage":30,"killed":false,"crit":true,"entity":"ent_1","remaining":70}`},
		{Name: "the last one", Setup: duel, Input: `{"attackerEntity":"ent_0","damage":1000}`, Want: `{"hit":true,"damage":100,"killed":true,"crit":false,"entity":"ent_1","remaining":0}`},
		{Name: "too short", Setup: duel, Input: `{"attackerEntity":"ent_0","targetEntity":"ent_1","damage":10,"range":1.4}`, Want: `{"hit":false,"reason":"ent_1 is 1.5 m away, and the range is 1.4: go nearer"}`},
		{Name: "just long enough", Setup: duel, Input: `{"attackerEntity":"ent_0","targetEntity":"ent_1","damage":10,"range":1.5,` + noCrit + `}`, Want: `{"hit":true,"damage":10,"killed":false,"crit":false,"entity":"ent_1","remaining":90}`},
		{Name: "in no way", Setup: duel, Input: `{"attackerEntity":"ent_0","damage":10,"range":1}`, Want: `{"hit":false,"reason":"nobody with health is in front of ent_0 within 1 m"}`},
		{Name: "at what has no health", Setup: duel, Input: `{"attackerEntity":"ent_0","targetEntity":"ent_2","damage":10}`, Err: `ent_2 has neither hp nor health: stats.create {"entity":"ent_2","stats":[{"name":"hp","value":100}]} gives it some`},
		{Name: "at nobody", Setup: duel, Input: `{"attackerEntity":"ent_0","targetEntity":"ent_8","damage":10}`, Err: "unknown entity ent_8; the nearest are ent_0, ent_1, ent_2"},
		{Name: "by nobody", Setup: duel, Input: `{"attackerEntity":"ent_8","targetEntity":"ent_1","damage":10}`, Err: "unknown entity ent_8; the nearest are ent_0, ent_1, ent_2"},
		{Name: "at itself", Setup: duel, Input: `{"attackerEntity":"ent_1","targetEntity":"ent_1","damage":10}`, Code: registry.CodeInvalidInput, Err: "targetEntity: is the attacker itself"},
		{Name: "with much luck", Setup: duel, Input: `{"attackerEntity":"ent_0","damage":10,"config":{"critChance":2}}`, Code: registry.CodeInvalidInput, Err: "config.critChance: must be a number from 0 to 1, got 2"},
		{Name: "of no type", Setup: duel, Input: `{"attackerEntity":"ent_0","damage":10,"config":{"type":"water"}}`, Code: registry.CodeInvalidInput, Err: `config.type: must be a type of damage.apply, such as "fire", got "water"`},
		{Name: "with much to say", Setup: duel, Input: `{"attackerEntity":"ent_0","damage":10,"config":{"a":"` + strings.Repeat("x", stats.MaxConfig) + `"}}`, Code: registry.CodeCapacityExceeded, Err: "config: holds at most 4096 bytes, this one has 4104"},
	})
	for name, input := range map[string]string{
		"combat.melee": `{"attackerEntity":"ent_0","damage":10}`, "combat.ranged": `{"attackerEntity":"ent_0","damage":10}`, "combat.defend": `{"entity":"ent_0"}`,
		"ability.define": `{"id":"x","cooldownTicks":1}`, "ability.cast": `{"entity":"ent_0","id":"x"}`,
	} {
		skilltest.Needs(t, all, name, input, "combat.write", "builder.readWrite", "combat.writer", "npc.agent", "player.full")
	}
	skilltest.Needs(t, all, "ability.status", `{"entity":"ent_0","id":"x"}`, "stats.read", "builder.readWrite", "combat.writer", "npc.agent", "player.full", "player.limited")
}

// TestWhoIsInFront puts others around one who strikes without a target, in turns of 15 degrees, and the attacker too.
func TestWhoIsInFront(t *testing.T) {
	for degrees := 0; degrees < 360; degrees += 15 {
		f := newField(t)
		f.fighter(0, 0.5, 0)
		yaw := math.Pi / 3
		f.Do("three.setTransform", `{"entity":"ent_0","rotationEuler":[0,%v,0]}`, yaw)
		a := yaw + float64(degrees)*math.Pi/180
		f.living("scene.createEntity", `{"shape":"sphere","size":0.2,"position":[%v,1,%v]}`, 1.5*math.Sin(a), 1.5*math.Cos(a))
		f.Do("combat.melee", `{"attackerEntity":"ent_0","damage":10,%s}`, noCrit)
		if hit, want := f.hp("ent_1") < 100, degrees < 60 || degrees > 300; degrees%60 != 0 && hit != want || degrees%180 == 0 && hit != want {
			t.Errorf("at %d degrees it is hit: %t", degrees, hit)
		}
	}
}

// TestNearest has the nearest of several struck, as long as it lives, and groups wherever they are met.
func TestNearest(t *testing.T) {
	f := newField(t)
	f.fighter(0, 0.5, 0)
	far, near := f.fighter(0.5, 0.5, 2.2), f.fighter(-0.5, 0.5, 2)
	f.Do("scene.createEntity", `{"position":[0,0.5,1.3],"size":0.2}`) // a part of a group: ent_3
	f.Do("scene.createEntity", `{"position":[0,30,1.3],"size":0.2}`)  // ent_4
	f.Do("scene.group", `{"entities":["ent_3","ent_4"],"name":"totem"}`)
	f.Do("stats.create", `{"entity":"ent_5","stats":[{"name":"hp","value":100}]}`)
	strike := func() { f.Do("combat.melee", `{"attackerEntity":"ent_0","damage":60,%s}`, noCrit) }
	for i, want := range [][3]float64{{100, 100, 40}, {100, 100, 0}, {100, 40, 0}, {100, 0, 0}, {40, 0, 0}, {0, 0, 0}, {0, 0, 0}} {
		strike()
		if got := [3]float64{f.hp(far), f.hp(near), f.hp("ent_5")}; got != want {
			t.Errorf("after strike %d they have %v, want %v", i+1, got, want)
		}
	}
}

// TestWalls has walls stop strikes and shots, whatever the two stand on or in.
func TestWalls(t *testing.T) {
	f := newField(t)
	f.fighter(0, 0.5, 0)
	f.fighter(0, 0.5, 2)
	strike := func() string {
		return f.Do("combat.melee", `{"attackerEntity":"ent_0","targetEntity":"ent_1","damage":1,%s}`, noCrit)
	}
	shoot := func() string {
		return f.Do("combat.ranged", `{"attackerEntity":"ent_0","targetEntity":"ent_1","damage":1,%s}`, noCrit)
	}
	f.Do("scene.createEntity", `{"position":[0,-10,0],"size":20,"static":true}`)      // the ground
	f.Do("scene.createEntity", `{"position":[0,0.5,0],"size":2,"static":true}`)       // what the attacker stands in
	f.Do("scene.createEntity", `{"position":[0,0.5,1],"size":0.1}`)                   // what has no body
	f.Do("scene.createEntity", `{"position":[0,3,1],"size":0.1,"static":true}`)       // ent_5: what is above
	f.Do("scene.createEntity", `{"position":[0,0.5,9],"size":0.1,"static":true}`)     // what is behind
	f.Do("stats.create", `{"entity":"ent_4","stats":[{"name":"health","value":10}]}`) // what has no body, and lives now
	skilltest.Holds(t, "a strike by somebody", strike(), `{"hit":true,"damage":1,"killed":false,"crit":false,"entity":"ent_1","remaining":99}`)
	skilltest.Holds(t, "a shot at somebody behind", shoot(), `{"fired":true,"hit":true,"damage":1,"killed":false,"crit":false,"entity":"ent_4","point":[0,0.5,0.95],"remaining":9}`)
	f.Do("scene.destroyEntity", `{"entity":"ent_4"}`)
	skilltest.Holds(t, "a strike", strike(), `{"hit":true,"damage":1,"killed":false,"crit":false,"entity":"ent_1","remaining":98}`)
	skilltest.Holds(t, "a shot", shoot(), `{"fired":true,"hit":true,"damage":1,"killed":false,"crit":false,"entity":"ent_1","point":[0,0.5,1.5],"remaining":97}`)
	f.Do("three.setTransform", `{"entity":"ent_5","position":[0,0.5,1]}`)
	skilltest.Holds(t, "a strike at a wall", strike(), `{"hit":false,"reason":"ent_5 is between ent_0 and ent_1"}`)
	skilltest.Holds(t, "a strike at whom there is, at a wall", f.Do("combat.melee", `{"attackerEntity":"ent_0","damage":1}`), `{"hit":false,"reason":"nobody with health is in front of ent_0 within 2 m"}`)
	skilltest.Holds(t, "a shot at a wall", shoot(), `{"fired":true,"hit":false,"entity":"ent_5","point":[0,0.5,0.95],"reason":"ent_5 stopped it"}`)
}

func TestRanged(t *testing.T) {
	skilltest.Run(t, all, "combat.ranged", []skilltest.Case{
		{Name: "at a target", Setup: duel, Input: `{"attackerEntity":"ent_0","targetEntity":"ent_1","damage":10,` + noCrit + `}`, Want: `{"fired":true,"hit":true,"damage":10,"killed":false,"crit":false,"entity":"ent_1","point":[0,0.5,1.5],"remaining":90}`},
		{Name: "ahead", Setup: duel, Input: `{"attackerEntity":"ent_0","damage":10,` + noCrit + `}`, Want: `{"fired":true,"hit":true,"damage":10,"killed":false,"crit":false,"entity":"ent_1","point":[0,0.5,1.5],"remaining":90}`},
		{Name: "in a direction", Setup: duel, Input: `{"attackerEntity":"ent_0","direction":[0,0,1e-30],"damage":10}`, Code: registry.CodeInvalidInput, Err: "direction: must not be [0, 0, 0]"},
		{Name: "to nowhere", Setup: duel, Input: `{"attackerEntity":"ent_0","direction":[0,7,0],"damage":10}`, Want: `{"fired":true,"hit":false,"point":[0,100.5,0],"reason":"it met nothing within 100 m"}`},
		{Name: "past the target", Setup: duel, Input: `{"attackerEntity":"ent_0","targetEntity":"ent_1","direction":[0,0,-1],"damage":10,"config":{"range":5}}`, Want: `{"fired":true,"hit":false,"point":[0,0.5,-5],"reason":"it met nothing within 5 m"}`},
		{Name: "too far", Setup: duel, Input: `{"attackerEntity":"ent_0","targetEntity":"ent_1","damage":10,"config":{"range":1.4}}`, Want: `{"fired":true,"hit":false,"point":[0,0.5,1.4],"reason":"it met nothing within 1.4 m"}`},
		{Name: "at itself", Setup: duel, Input: `{"attackerEntity":"ent_1","targetEntity":"ent_1","damage":10}`, Code: registry.CodeInvalidInput, Err: "targetEntity: is the attacker itself"},
		{Name: "at what has no health", Setup: duel, Input: `{"attackerEntity":"ent_0","targetEntity":"ent_2","damage":10}`, Err: `ent_2 has neither hp nor health: stats.create {"entity":"ent_2","stats":[{"name":"hp","value":100}]} gives it some`},
	})
}

// TestShotAtAPoint shoots at an entity that looks like nothing.
func TestShotAtAPoint(t *testing.T) {
	f := newField(t)
	f.fighter(0, 0.5, 0)
	f.Must(t, skilltest.Caller(t, "bob", skilltest.Builder), "agent.embody", `{"position":[0,0.5,8]}`)
	f.Do("stats.create", `{"entity":"ent_1","stats":[{"name":"hp","value":100}]}`)
	f.Do("combat.ranged", `{"attackerEntity":"ent_0","targetEntity":"ent_1","damage":10,"speed":4,%s}`, noCrit)
	if got := f.hp("ent_1"); got != 90 {
		t.Errorf("it has %v", got)
	}
}

// TestViewersSeeFights looks at what viewers draw.
func TestViewersSeeFights(t *testing.T) {
	f := newField(t)
	f.fighter(0, 0.5, 0)
	f.fighter(0, 0.5, 2)
	f.Do("combat.melee", `{"attackerEntity":"ent_0","targetEntity":"ent_1","damage":10,"config":{"critChance":1,"sound":"clang"}}`)
	f.Do("combat.melee", `{"attackerEntity":"ent_0","targetEntity":"ent_1","damage":10,"range":0.1}`)
	f.Do("combat.ranged", `{"attackerEntity":"ent_0","targetEntity":"ent_1","damage":10,"speed":6,"config":{"critChance":0,"type":"fire"}}`)
	want := []string{
		`damage.dealt {"entity":"ent_1","attacker":"ent_0","type":"physical","damage":20,"remaining":80,"crit":true,"by":"ann","config":{"critChance":1,"sound":"clang"}}`,
		`combat.melee {"attacker":"ent_0","target":"ent_1","hit":true,"crit":true,"by":"ann","config":{"critChance":1,"sound":"clang"}}`,
		`combat.melee {"attacker":"ent_0","target":"ent_1","hit":false,"by":"ann"}`,
		`damage.dealt {"entity":"ent_1","attacker":"ent_0","type":"fire","damage":10,"remaining":70,"by":"ann","config":{"critChance":0,"type":"fire"}}`,
		`combat.ranged {"attacker":"ent_0","from":[0,0.5,0],"to":[0,0.5,1.5],"speed":6,"seconds":0.25,"entity":"ent_1","hit":true,"by":"ann","config":{"critChance":0,"type":"fire"}}`,
	}
	if diff := cmp.Diff(want, f.Heard()); diff != "" {
		t.Errorf("viewers are told (-want +got):\n%s", diff)
	}
}

// TestUnable has those do nothing who cannot.
func TestUnable(t *testing.T) {
	for _, c := range []struct{ skill, input, why string }{
		{"status.apply", `{"targetEntity":"ent_0","type":"stun","duration":1}`, "ent_0 is stunned (eff_0)"},
		{"status.apply", `{"targetEntity":"ent_0","type":"freeze","duration":1}`, "ent_0 is frozen (eff_0)"},
		{"damage.apply", `{"targetEntity":"ent_0","amount":1000}`, "ent_0 has no health left"},
	} {
		f := newField(t)
		f.fighter(0, 0.5, 0)
		f.fighter(0, 0.5, 2)
		f.Do("ability.define", `{"id":"dash","cooldown":0.0833}`)
		f.Do(c.skill, "%s", c.input)
		f.Heard()
		skilltest.Holds(t, "a strike", f.Do("combat.melee", `{"attackerEntity":"ent_0","targetEntity":"ent_1","damage":10}`), fmt.Sprintf(`{"hit":false,"reason":%q}`, c.why))
		skilltest.Holds(t, "a shot", f.Do("combat.ranged", `{"attackerEntity":"ent_0","targetEntity":"ent_1","damage":10}`), fmt.Sprintf(`{"fired":false,"hit":false,"reason":%q}`, c.why))
		skilltest.Holds(t, "a stance", f.Do("combat.defend", `{"entity":"ent_0"}`), fmt.Sprintf(`{"ok":false,"expiresTick":0,"reason":%q}`, c.why))
		skilltest.Holds(t, "a cast", f.Do("ability.cast", `{"entity":"ent_0","id":"dash"}`), fmt.Sprintf(`{"ok":false,"reason":%q,"cooldownRemaining":0}`, c.why))
		if got := f.Heard(); got != nil || f.hp("ent_1") != 100 {
			t.Errorf("%s: the other has %v, viewers are told %q", c.why, f.hp("ent_1"), got)
		}
		f.Steps(60)
		if out := f.Do("ability.cast", `{"entity":"ent_0","id":"dash"}`); strings.Contains(out, `"ok":true`) != (c.skill == "status.apply") {
			t.Errorf("%s, and a second later: %s", c.why, out)
		}
	}
}

// TestWhoFights has nobody fight by what is somebody else's: another's body, another's character.
func TestWhoFights(t *testing.T) {
	f := newField(t)
	bob, npc := skilltest.Caller(t, "bob", skilltest.Builder), skilltest.Caller(t, "npc", "npc.agent")
	f.Must(t, bob, "agent.embody", `{}`)                   // ent_0
	f.Must(t, bob, "player.spawn", `{"position":[0,1,2]}`) // ent_1
	f.Do("scene.createEntity", `{"position":[0,0.5,4]}`)   // ent_2
	f.Do("stats.create", `{"entity":"ent_2","stats":[{"name":"hp","value":100}]}`)
	f.Do("ability.define", `{"id":"dash","cooldownTicks":5}`)
	const body, character = "ent_0 is the body of another agent, bob, who alone has it act", "ent_1 is somebody else's character: move your own (player.spawn makes one); others' need the permission scene.write"
	for _, c := range []struct {
		entity, why string
	}{{"ent_0", body}, {"ent_1", character}} {
		for name, input := range map[string]string{
			"combat.melee": `{"attackerEntity":%q,"damage":1}`, "combat.ranged": `{"attackerEntity":%q,"damage":1}`, "combat.defend": `{"entity":%q}`,
			"ability.cast": `{"entity":%q,"id":"dash"}`, "damage.apply": `{"targetEntity":"ent_2","attackerEntity":%q,"amount":1}`,
		} {
			input = fmt.Sprintf(input, c.entity)
			if _, err := f.Call(npc, name, input); err == nil || err.Code != registry.CodeForbidden || err.Message != c.why {
				t.Errorf("%s %s of somebody else: %v", name, input, err)
			}
			if _, err := f.Call(bob, name, input); err != nil {
				t.Errorf("%s %s of whose it is: %v", name, input, err)
			}
		}
	}
	if _, err := f.Call(npc, "combat.melee", `{"attackerEntity":"ent_2","damage":1}`); err != nil {
		t.Errorf("by what is nobody's: %v", err)
	}
}

// TestCrits counts critical hits: as many as config says, the same in every world of one seed, and given back by an undo.
func TestCrits(t *testing.T) {
	fight := func() (crits string) {
		f := newField(t)
		f.fighter(0, 0.5, 0)
		f.fighter(0, 0.5, 2)
		f.Do("stats.create", `{"entity":"ent_1","stats":[{"name":"hp","value":100000}]}`)
		for range 300 {
			crits += fmt.Sprint(strings.Count(f.Do("combat.melee", `{"attackerEntity":"ent_0","damage":10,"config":{"critChance":0.25}}`), `"crit":true`))
		}
		return crits
	}
	one := fight()
	if n := strings.Count(one, "1"); n < 50 || n > 100 {
		t.Errorf("of 300 strikes %d were critical, want about 75", n)
	}
	if one != fight() {
		t.Error("in another world of the same seed others are critical")
	}
}

// TestDefend takes a stance after the other.
func TestDefend(t *testing.T) {
	f := newField(t)
	f.fighter(0, 0.5, 0)
	f.fighter(0, 0.5, 2)
	skilltest.Holds(t, "a stance", f.Do("combat.defend", `{"entity":"ent_1","damageReduction":1,"duration":100}`), `{"ok":true,"expiresTick":6000}`)
	f.Steps(10)
	skilltest.Holds(t, "a shorter one", f.Do("combat.defend", `{"entity":"ent_1","damageReduction":0.5}`), `{"ok":true,"expiresTick":70}`)
	f.Do("combat.melee", `{"attackerEntity":"ent_0","damage":10,%s}`, noCrit)
	if got := f.hp("ent_1"); got != 95 {
		t.Errorf("it has %v, want 95", got)
	}
	f.Do("combat.defend", `{"entity":"ent_1","reflectChance":1}`)
	skilltest.Holds(t, "thrown back", f.Do("combat.melee", `{"attackerEntity":"ent_0","damage":10,"knockback":3,%s}`, noCrit),
		`{"hit":true,"damage":0,"killed":false,"crit":false,"entity":"ent_1","remaining":95,"reflected":10,"reason":"ent_1 threw it back"}`)
	if got := f.hp("ent_0"); got != 90 {
		t.Errorf("the attacker has %v, want 90", got)
	}
}

// TestAbilities pays and waits.
func TestAbilities(t *testing.T) {
	caster := func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
		t.Helper()
		duel(t, s, p)
		s.Must(t, p, "ability.define", `{"id":"fireball","cooldown":1,"resourceStat":"hp","cost":70}`)
		s.Must(t, p, "ability.define", `{"id":"dash","cooldownTicks":0}`)
	}
	skilltest.Run(t, all, "ability.define", []skilltest.Case{
		{Name: "one", Input: `{"id":"x","cooldownTicks":60}`, Want: `{"ok":true}`},
		{Name: "twice", Input: `{"id":"x","cooldownTicks":60,"cooldown":1}`, Code: registry.CodeInvalidInput, Err: "cooldown: give it, in seconds, or cooldownTicks, in simulation steps, and not both; 0 is none"},
		{Name: "never", Input: `{"id":"x"}`, Code: registry.CodeInvalidInput, Err: "cooldown: give it, in seconds, or cooldownTicks, in simulation steps, and not both; 0 is none"},
		{Name: "anew", Setup: caster, Input: `{"id":"fireball","cooldownTicks":6,"resourceStat":"mana"}`, Want: `{"ok":true}`},
		{Name: "a cost of nothing", Input: `{"id":"x","cooldownTicks":60,"cost":2}`, Code: registry.CodeInvalidInput, Err: "cost: of which stat? Name it in resourceStat"},
	})
	skilltest.Run(t, all, "ability.cast", []skilltest.Case{
		{Name: "one", Setup: caster, Input: `{"entity":"ent_1","id":"fireball"}`, Want: `{"ok":true,"cooldownRemaining":60,"spent":70}`},
		{Name: "a free one", Setup: caster, Input: `{"entity":"ent_0","id":"dash"}`, Want: `{"ok":true,"cooldownRemaining":0,"spent":0}`},
		{Name: "by what has not what it costs", Setup: caster, Input: `{"entity":"ent_0","id":"fireball"}`, Err: "ent_0 has no stats: stats.create gives it some"},
		{Name: "another", Setup: caster, Input: `{"entity":"ent_1","id":"firebal"}`, Err: `unknown ability "firebal"; the nearest is "fireball"`},
		{Name: "quite another", Setup: caster, Input: `{"entity":"ent_1","id":"teleport"}`, Err: `unknown ability "teleport"; there are 2, such as "dash"`},
		{Name: "none", Setup: duel, Input: `{"entity":"ent_1","id":"dash"}`, Err: `unknown ability "dash"; there is none: ability.define makes one`},
		{Name: "by nobody", Setup: caster, Input: `{"entity":"ent_9","id":"dash"}`, Err: "unknown entity ent_9; the nearest are ent_0, ent_1, ent_2"},
	})
	skilltest.Run(t, all, "ability.status", []skilltest.Case{
		{Name: "one", Setup: caster, Input: `{"entity":"ent_1","id":"fireball"}`, Want: `{"defined":true,"ready":true,"cooldownRemaining":0}`},
		{Name: "by what has not what it costs", Setup: caster, Input: `{"entity":"ent_0","id":"fireball"}`, Want: `{"defined":true,"ready":false,"cooldownRemaining":0,"reason":"ent_0 has no stats: stats.create gives it some"}`},
		{Name: "another", Setup: caster, Input: `{"entity":"ent_1","id":"firebal"}`, Want: `{"defined":false,"ready":false,"cooldownRemaining":0,"reason":"unknown ability \"firebal\"; the nearest is \"fireball\""}`},
		{Name: "of nobody", Setup: caster, Input: `{"entity":"ent_9","id":"dash"}`, Err: "unknown entity ent_9; the nearest are ent_0, ent_1, ent_2"},
	})
	f := newField(t)
	caster(t, f.Server, f.Ann)
	cast := func() string { return f.Do("ability.cast", `{"entity":"ent_1","id":"fireball"}`) }
	cast()
	skilltest.Holds(t, "at once again", cast(), `{"ok":false,"reason":"ent_1 has to wait 60 steps more, which are 1 s","cooldownRemaining":60}`)
	f.Do("damage.heal", `{"targetEntity":"ent_1","amount":100}`)
	f.Steps(59)
	skilltest.Holds(t, "a step early", cast(), `{"ok":false,"reason":"ent_1 has to wait 1 steps more, which are 0.0167 s","cooldownRemaining":1}`)
	f.Steps(1)
	skilltest.Holds(t, "when it is time", cast(), `{"ok":true,"cooldownRemaining":60,"spent":70}`)
	f.Steps(60)
	skilltest.Holds(t, "without what it costs", cast(), `{"ok":false,"reason":"it costs 70 hp, and ent_1 has 30","cooldownRemaining":0}`)
	if diff := cmp.Diff([]string{`ability.cast {"entity":"ent_1","id":"fireball","by":"ann"}`}, f.Heard()[:1]); diff != "" {
		t.Errorf("viewers are told (-want +got):\n%s", diff)
	}
	if got := f.Entity(t, "ent_1"); !strings.Contains(got, `"cooldowns":[{"id":"fireball","ready":120}]`) {
		t.Errorf("viewers get %s", got)
	}
	f.Do("world.undo", `{"steps":2}`) // the healing came in between
	if got := f.hp("ent_1"); got != 30 {
		t.Errorf("after an undo it has %v", got)
	}
}

// A strike that reaches far looks at all who live instead of all that is there, and meets whom a shorter one meets.
func TestFarStrike(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	some := func(lo, hi float64) float64 { return math.Round((lo+(hi-lo)*r.Float64())*100) / 100 }
	met := map[world.ID]bool{}
	for range 40 {
		f := newField(t)
		f.Do("scene.createEntity", `{"size":0.5}`) // ent_0 strikes
		groups := 0
		for i := 1; i <= 12; i++ {
			f.Do("scene.createEntity", `{"size":%v,"position":[%v,%v,%v]}`, some(.2, 1), some(-9, 9), some(0, 1), some(-9, 9))
			if r.IntN(2) == 0 {
				f.Do("stats.create", `{"entity":"ent_%d","stats":[{"name":"hp","value":1000}]}`, i)
			}
		}
		for i := 1; i < 12; i += 4 { // who lives is of parts, some of which live by themselves
			if f.Do("scene.group", `{"entities":["ent_%d","ent_%d"]}`, i, i+1); r.IntN(2) == 0 {
				f.Do("stats.create", `{"entity":"ent_%d","stats":[{"name":"hp","value":1000}]}`, 13+groups)
			}
			groups++
		}
		var near, far combat.MeleeOut
		for reach, out := range map[string]*combat.MeleeOut{"15.9": &near, "1000": &far} {
			if err := json.Unmarshal([]byte(f.Do("combat.melee", `{"attackerEntity":"ent_0","damage":1,"range":%s}`, reach)), out); err != nil {
				t.Fatal(err)
			}
		}
		if near.Entity != far.Entity {
			t.Errorf("a strike met %v, one that reaches farther %v", near.Entity, far.Entity)
		}
		met[near.Entity] = true
	}
	if len(met) < 5 {
		t.Errorf("only %v were met", met)
	}
}
