package combat_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

// visitor is somebody who plays and may fight.
func visitor(id string) *profiles.Principal {
	g, _ := profiles.Builtin().Resolve("player.limited")
	return &profiles.Principal{Kind: profiles.KindAgent, ID: id, Grants: profiles.Grant(append(g.List(), "combat.write")...)}
}

// match is a field with a goblin, ent_0, at z 1.2; bob's body, ent_1, at the origin, who looks at it, with a sword in his hand; and cid's, ent_2, at z -1.
func match(t testing.TB, rules string) (f *field, bob *profiles.Principal) {
	t.Helper()
	f, bob = newField(t), visitor("bob")
	f.Do("item.define", `{"id":"iron_sword","name":"Sword"}`)
	f.Do("item.define", `{"id":"halberd","name":"Halberd"}`)
	f.fighter(0, 0.5, 1.2)
	for _, who := range []struct {
		p  *profiles.Principal
		at string
	}{{bob, "[0,0,0]"}, {visitor("cid"), "[0,0,-1]"}} {
		f.Must(t, who.p, "agent.embody", `{"position":`+who.at+`}`)
	}
	for _, id := range []string{"ent_1", "ent_2"} {
		f.Do("stats.create", `{"entity":%q,"stats":[{"name":"hp","value":100}]}`, id)
	}
	f.Do("inventory.create", `{"entity":"ent_1"}`)
	f.Do("inventory.add", `{"entity":"ent_1","itemId":"iron_sword"}`)
	f.Must(t, bob, "item.equip", `{"entity":"ent_1","itemId":"iron_sword","equipmentSlot":"hand"}`)
	if rules != "" {
		if got := f.Do("combat.rules", "%s", rules); got != `{"ok":true}` {
			t.Errorf("the rules: %s", got)
		}
	}
	return f, bob
}

const arms = `{"pvp":false,"weapons":[{"id":"fists","damage":2,"critChance":0},{"id":"sword","item":"iron_sword","damage":10,"range":1.5,"cooldown":1,"knockback":3,"critChance":0},` +
	`{"id":"bow","ranged":true,"damage":5,"range":30,"type":"fire","critChance":0},{"id":"halberd","item":"halberd","damage":50}],"defend":{"damageReduction":0.25,"cooldown":2}}`

// TestHeld has a player fight by the rules, and against them.
func TestHeld(t *testing.T) {
	for _, c := range []struct{ name, skill, input, want string }{
		{"with the strongest", "combat.melee", `{"attackerEntity":"ent_1","damage":10}`, `{"hit":true,"damage":10,"killed":false,"crit":false,"entity":"ent_0","remaining":90}`},
		{"with less than it does", "combat.melee", `{"attackerEntity":"ent_1","damage":3}`, `{"hit":true,"damage":3,"killed":false,"crit":false,"entity":"ent_0","remaining":97}`},
		{"with more", "combat.melee", `{"attackerEntity":"ent_1","damage":10.5}`, `invalid_input: damage: by combat.rules the weapon "sword" has 10 at most, got 10.5`},
		{"from farther", "combat.melee", `{"attackerEntity":"ent_1","damage":1,"range":50}`, `invalid_input: range: by combat.rules the weapon "sword" has 1.5 at most, got 50`},
		{"throwing", "combat.melee", `{"attackerEntity":"ent_1","damage":1,"knockback":4}`, `invalid_input: knockback: by combat.rules the weapon "sword" has 3 at most, got 4`},
		{"by luck", "combat.melee", `{"attackerEntity":"ent_1","damage":1,"config":{"critChance":1}}`, `invalid_input: config.critChance: by combat.rules the weapon "sword" has 0 at most, got 1`},
		{"very critically", "combat.melee", `{"attackerEntity":"ent_1","damage":1,"config":{"critMultiplier":3}}`, `invalid_input: config.critMultiplier: by combat.rules the weapon "sword" has 2 at most, got 3`},
		{"with ice", "combat.melee", `{"attackerEntity":"ent_1","damage":1,"config":{"type":"ice"}}`, `invalid_input: config.type: by combat.rules the weapon "sword" does damage of the type physical, got ice`},
		{"with fists", "combat.melee", `{"attackerEntity":"ent_1","damage":2,"config":{"weapon":"fists"}}`, `{"hit":true,"damage":2,"killed":false,"crit":false,"entity":"ent_0","remaining":98}`},
		{"with what he has not", "combat.melee", `{"attackerEntity":"ent_1","damage":2,"config":{"weapon":"halberd"}}`, `{"hit":false,"reason":"ent_1 does not hold the item \"halberd\", which the weapon \"halberd\" is: item.equip"}`},
		{"with what there is not", "combat.melee", `{"attackerEntity":"ent_1","damage":2,"config":{"weapon":"fist"}}`, `invalid_input: config.weapon: unknown weapon "fist"; the nearest is "fists"`},
		{"with a number", "combat.melee", `{"attackerEntity":"ent_1","damage":2,"config":{"weapon":7}}`, `invalid_input: config.weapon: must be the name of a weapon, got 7`},
		{"another player", "combat.melee", `{"attackerEntity":"ent_1","targetEntity":"ent_2","damage":2}`, `{"hit":false,"entity":"","reason":"ent_2 plays, and by combat.rules those who play do not hurt each other"}`},
		{"by a goblin", "combat.melee", `{"attackerEntity":"ent_0","targetEntity":"ent_1","damage":1}`, `forbidden: ent_0 is nobody's body: by combat.rules you fight with your own body or character, which agent.embody or player.spawn makes`},
		{"shooting", "combat.ranged", `{"attackerEntity":"ent_1","targetEntity":"ent_0","damage":5}`, `{"fired":true,"hit":true,"damage":5,"killed":false,"crit":false,"entity":"ent_0",`},
		{"shooting at another player", "combat.ranged", `{"attackerEntity":"ent_1","targetEntity":"ent_2","damage":5}`, `{"fired":true,"hit":false,"entity":"ent_2",`},
		{"shooting with a sword", "combat.ranged", `{"attackerEntity":"ent_1","damage":5,"config":{"weapon":"sword"}}`, `invalid_input: config.weapon: unknown weapon "sword"; `},
		{"shooting far", "combat.ranged", `{"attackerEntity":"ent_1","damage":5,"config":{"range":31}}`, `invalid_input: config.range: by combat.rules the weapon "bow" has 30 at most, got 31`},
		{"defending", "combat.defend", `{"entity":"ent_1"}`, `{"ok":true,"expiresTick":60}`},
		{"defending well", "combat.defend", `{"entity":"ent_1","damageReduction":0.9}`, `invalid_input: damageReduction: by combat.rules who defends himself has 0.25 at most, got 0.9`},
		{"defending long", "combat.defend", `{"entity":"ent_1","duration":9}`, `invalid_input: duration: by combat.rules who defends himself has 1 at most, got 9`},
		{"throwing back", "combat.defend", `{"entity":"ent_1","reflectChance":0.1}`, `invalid_input: reflectChance: by combat.rules who defends himself has 0 at most, got 0.1`},
		{"making abilities", "ability.define", `{"id":"x","cooldownTicks":0}`, `forbidden: missing permission: stats.configure, by which abilities are defined while combat.rules hold`},
		{"making rules", "combat.rules", `{"enabled":false}`, `forbidden: missing permission: stats.configure`},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, bob := match(t, arms)
			before := f.Content()
			got, err := f.Call(bob, c.skill, c.input)
			if err != nil {
				if got = string(err.Code) + ": " + err.Message; f.Content() != before {
					t.Error("what was refused has changed something")
				}
			}
			if !strings.HasPrefix(strings.ReplaceAll(got, `"entity":"",`, ""), strings.ReplaceAll(c.want, `"entity":"",`, "")) {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// TestRest has a weapon rest after it was used, also without meeting anybody, and another one be used meanwhile.
func TestRest(t *testing.T) {
	f, bob := match(t, arms)
	strike := func(input, want string) {
		t.Helper()
		if got := f.Must(t, bob, "combat.melee", input); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s in it", input, got, want)
		}
	}
	strike(`{"attackerEntity":"ent_1","damage":1,"range":0.1}`, `"hit":false`)
	strike(`{"attackerEntity":"ent_1","damage":10,"config":{"weapon":"sword"}}`, `the weapon \"sword\" rests for 60 steps more, which are 1 s`)
	strike(`{"attackerEntity":"ent_1","damage":2}`, `"damage":2`) // fists
	f.Steps(59)
	strike(`{"attackerEntity":"ent_1","damage":10,"config":{"weapon":"sword"}}`, `rests for 1 steps more`)
	f.Steps(1)
	strike(`{"attackerEntity":"ent_1","damage":10}`, `"damage":10`)
	f.Must(t, bob, "combat.defend", `{"entity":"ent_1"}`)
	f.Steps(119)
	if got := f.Must(t, bob, "combat.defend", `{"entity":"ent_1"}`); !strings.Contains(got, "rests for 1 steps more") {
		t.Errorf("defending again: %s", got)
	}
}

// TestNotHeld: without rules, and after they have ended, the caller chooses; authors always do.
func TestNotHeld(t *testing.T) {
	for name, rules := range map[string][]string{"never": nil, "no more": {arms, `{"enabled":false}`}} {
		f, bob := match(t, "")
		for _, r := range rules {
			f.Do("combat.rules", "%s", r)
		}
		f.Must(t, bob, "combat.melee", `{"attackerEntity":"ent_1","targetEntity":"ent_2","damage":70,"range":9,"config":{"critChance":0}}`)
		if hp := f.hp("ent_2"); hp != 30 {
			t.Errorf("%s: the other player has %v hp, want 30", name, hp)
		}
	}
	f, bob := match(t, `{}`)
	if got := f.Must(t, bob, "combat.melee", `{"attackerEntity":"ent_1","damage":1}`); got != `{"hit":false,"reason":"combat.rules give those who play nothing for that"}` {
		t.Errorf("without weapons: %s", got)
	}
	if got := f.Must(t, bob, "combat.defend", `{"entity":"ent_1"}`); got != `{"ok":false,"expiresTick":0,"reason":"combat.rules give those who play nothing for that"}` {
		t.Errorf("without a shield: %s", got)
	}
	f.Do("combat.melee", `{"attackerEntity":"ent_0","targetEntity":"ent_1","damage":70,"range":9,"config":{"critChance":0}}`)
	if hp := f.hp("ent_1"); hp != 30 {
		t.Errorf("an author's goblin leaves %v hp, want 30", hp)
	}
}

// TestRules makes rules that are good, doubtful and bad.
func TestRules(t *testing.T) {
	skilltest.Run(t, all, "combat.rules", []skilltest.Case{
		{Name: "peace", Input: `{}`, Want: `{"ok":true}`},
		{Name: "with an unknown item", Input: `{"weapons":[{"id":"fists","damage":2},{"id":"bow","damage":2,"item":"bow"}]}`, Want: `{"ok":true,"note":"weapons[1].item: unknown item \"bow\"; there is none: item.define makes one"}`},
		{Name: "twice the same", Input: `{"weapons":[{"id":"fists","damage":2},{"id":"fists","damage":3}]}`, Code: registry.CodeInvalidInput, Err: `weapons[1].id: "fists" is there twice`},
	})
	skilltest.Needs(t, all, "combat.rules", `{}`, "stats.configure", "builder.readWrite", "game.author", "npc.agent")
	f, _ := match(t, "")
	before := f.Content()
	f.Do("combat.rules", arms)
	tick := f.World.Tick()
	if f.Do("combat.rules", arms); f.World.Tick() != tick {
		t.Error("the same rules again change the world")
	}
	if f.Do("world.undo", `{}`); f.Content() != before {
		t.Error("undo leaves something")
	}
}
