package skills_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

// ofOneself are the skills that mean the caller's own body or character when the field is left out, with what else they are given.
var ofOneself = []struct{ skill, field, rest string }{
	{"inventory.list", "entity", ``},
	{"inventory.count", "entity", `,"itemId":"sword"`},
	{"inventory.has", "entity", `,"itemId":"sword"`},
	{"item.equip", "entity", `,"itemId":"sword","equipmentSlot":"hand"`},
	{"item.unequip", "entity", `,"equipmentSlot":"head"`},
	{"stats.get", "entity", `,"statName":"hp"`},
	{"status.list", "targetEntity", ``},
	{"quest.list", "entity", ``},
	{"quest.offer", "entity", `,"questId":"more"`},
	{"quest.accept", "entity", `,"questId":"find"`},
	{"quest.decline", "entity", `,"questId":"find"`},
	{"quest.track", "entity", `,"questId":"begun"`},
	{"quest.fail", "entity", `,"questId":"begun"`},
	{"progression.level", "entity", ``},
	{"progression.allocate", "entity", `,"treeId":"magic","nodeId":"fire"`},
	{"ability.cast", "entity", `,"id":"jump"`},
	{"ability.status", "entity", `,"id":"jump"`},
	{"combat.defend", "entity", ``},
	{"combat.melee", "attackerEntity", `,"damage":1`},
	{"combat.ranged", "attackerEntity", `,"damage":1,"direction":[1,0,0]`},
	{"player.move", "entity", `,"forward":1`},
	{"player.jump", "entity", ``},
	{"player.sprint", "entity", ``},
	{"player.crouch", "entity", ``},
}

// hero is a stage on which ann has a character, ent_1, that has something of all that there is.
func hero(t *testing.T) *skilltest.Room {
	t.Helper()
	r := newStage(t)
	for _, call := range [][2]string{
		{"scene.createEntity", `{"size":20,"position":[0,-10,0],"static":true}`},
		{"player.spawn", `{"position":[0,1,0]}`},
		{"stats.create", `{"entity":"ent_1","stats":[{"name":"hp","value":30}]}`},
		{"status.apply", `{"targetEntity":"ent_1","type":"buff","duration":99}`},
		{"item.define", `{"id":"sword","name":"Sword"}`},
		{"item.define", `{"id":"hat","name":"Hat"}`},
		{"inventory.create", `{"entity":"ent_1"}`},
		{"inventory.add", `{"entity":"ent_1","itemId":"sword","quantity":2}`},
		{"inventory.add", `{"entity":"ent_1","itemId":"hat"}`},
		{"item.equip", `{"entity":"ent_1","itemId":"hat","equipmentSlot":"head"}`},
		{"quest.define", `{"id":"find","name":"Find","objectives":[{"id":"a","type":"custom","description":"A"}]}`},
		{"quest.define", `{"id":"more","name":"More","objectives":[{"id":"a","type":"custom","description":"A"}]}`},
		{"quest.define", `{"id":"begun","name":"Begun","config":{"autoAccept":true},"objectives":[{"id":"a","type":"custom","description":"A"}]}`},
		{"quest.offer", `{"entity":"ent_1","questId":"find"}`},
		{"quest.offer", `{"entity":"ent_1","questId":"begun"}`},
		{"progression.xp", `{"entity":"ent_1","amount":100}`},
		{"progression.skillTree", `{"id":"magic","name":"Magic","nodes":[{"id":"fire","name":"Fire","effects":{}}]}`},
		{"ability.define", `{"id":"jump","cooldownTicks":60}`},
	} {
		r.Do(call[0], "%s", call[1])
	}
	r.Steps(30)
	return r
}

// TestOneself: who names nobody means himself, and is answered as if he had; who has nothing, or several, is told the field and what would help.
func TestOneself(t *testing.T) {
	nobody := newStage(t)
	several := hero(t)
	several.Do("player.spawn", `{"position":[3,1,0]}`)
	for _, of := range ofOneself {
		left := "{" + strings.TrimPrefix(of.rest, ",") + "}"
		named := fmt.Sprintf(`{%q:"ent_1"%s}`, of.field, of.rest)
		if got, want := hero(t).Do(of.skill, "%s", left), hero(t).Do(of.skill, "%s", named); got != want || strings.Contains(got, `"ok":false`) {
			t.Errorf("%s %s: %s, and %s: %s", of.skill, left, got, named, want)
		}
		for room, want := range map[*skilltest.Room]string{
			nobody:  of.field + ": you have no body or character of your own, which agent.embody or player.spawn makes: name an entity, such as ent_3",
			several: of.field + ": you have 2 characters, such as ent_1 and ent_2: name one",
		} {
			if _, err := room.Call(room.Ann, of.skill, left); err == nil || err.Code != registry.CodeInvalidInput || err.Message != want {
				t.Errorf("%s %s: %v, want %s", of.skill, left, err, want)
			}
		}
	}
}

// TestOneselfBesideABody moves the character of somebody whose body is none.
func TestOneselfBesideABody(t *testing.T) {
	r := hero(t)
	r.Do("agent.embody", `{"position":[0,1,5]}`)
	for _, skill := range []string{"player.move", "player.jump", "player.sprint", "player.crouch"} {
		if _, err := r.Call(r.Ann, skill, `{}`); err != nil {
			t.Errorf("%s: %v", skill, err)
		}
	}
}
