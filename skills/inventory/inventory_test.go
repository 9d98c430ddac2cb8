package inventory_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/inventory"
	"github.com/limina-mcp/limina/trace"
)

const ok = `{"ok":true}`

func TestDefine(t *testing.T) {
	skilltest.Run(t, all, "item.define", []skilltest.Case{
		{Name: "small", Input: `{"id":"coin","name":"Coin"}`, Want: ok},
		{Name: "again", Setup: shop(), Input: `{"id":"coin","name":"Coin"}`, Want: `{"ok":true,"replaced":true}`},
		{
			Name: "whole", Want: ok,
			Input: `{"id":"elixir","name":"Elixir","description":"Heals","icon":"e.png","stackable":true,"maxStack":5,"weight":0.2,"category":"food","usageBehavior":"heal","config":{"amount":20,"drop":{"shape":"sphere","size":0.2}}}`,
		},
		{Name: "no id", Input: `{"id":"","name":"x"}`, Code: registry.CodeInvalidInput, Err: `id: must have from 1 to 64 characters, got 0`},
		{Name: "no name", Input: `{"id":"x","name":""}`, Code: registry.CodeInvalidInput, Err: `name: must have from 1 to 64 characters, got 0`},
		{Name: "what only the server says", Input: `{"id":"x","name":"X","usageBehavior":"game.restarted"}`, Code: registry.CodeInvalidInput, Err: `usageBehavior: game.restarted is emitted by the server alone, when it is so: choose another name`},
		{Name: "a stack of none", Input: `{"id":"x","name":"X","maxStack":0}`, Code: registry.CodeInvalidInput, Err: `maxStack: must be from 1 to 1000000, got 0`},
		{Name: "a look that is none", Input: `{"id":"x","name":"X","config":{"drop":{"shape":"torus"}}}`, Code: registry.CodeInvalidInput, Err: `config.drop.shape: must be one of "box", "sphere", "cylinder", "cone", "wedge", "figure", got "torus"`},
		{Name: "a look of nothing", Input: `{"id":"x","name":"X","config":{"drop":3}}`, Code: registry.CodeInvalidInput, Err: `config.drop: must be an object (optional: shape, collider, size, material, pbr, color, position, dynamic, …), got 3`},
		{Name: "a look of no stuff", Input: `{"id":"x","name":"X","config":{"drop":{"dynamic":true,"static":true}}}`, Code: registry.CodeInvalidInput, Err: `config.drop: dynamic and static exclude each other: set one of them`},
		{Name: "large", Input: `{"id":"x","name":"X","config":{"a":"` + strings.Repeat("x", 9000) + `"}}`, Code: registry.CodeCapacityExceeded, Err: `config: holds at most 8192 bytes, this one has 9008`},
	})
}

func TestCreate(t *testing.T) {
	skilltest.Run(t, all, "inventory.create", []skilltest.Case{
		{Name: "good", Setup: shop([2]string{"scene.createEntity", `{}`}), Input: `{"entity":"ent_2"}`, Want: ok, Check: holds("ent_2", "")},
		{Name: "larger", Setup: shop([2]string{"inventory.add", `{"entity":"ent_0","itemId":"coin"}`}), Input: `{"entity":"ent_0","capacity":200}`, Want: ok, Check: holds("ent_0", "0:1coin")},
		{Name: "smaller", Setup: shop([2]string{"inventory.add", `{"entity":"ent_0","itemId":"coin","slot":1}`}), Input: `{"entity":"ent_0","capacity":1}`, Err: `capacity: slot 1 of ent_0 holds 1 "coin"; inventory.remove or transfer empties it first`},
		{Name: "limited", Setup: shop([2]string{"inventory.add", `{"entity":"ent_0","itemId":"coin"}`}), Input: `{"entity":"ent_0","typeRestrictions":["food"]}`, Err: `typeRestrictions: ent_0 has "coin", of the category "general", which they leave out; remove it first, or let the category in`},
		{
			Name: "limited against what is worn", Setup: shop([2]string{"inventory.add", `{"entity":"ent_0","itemId":"hat"}`}, [2]string{"item.equip", `{"entity":"ent_0","itemId":"hat","equipmentSlot":"head"}`}),
			Input: `{"entity":"ent_0","typeRestrictions":["food"]}`, Err: `typeRestrictions: ent_0 has "hat", of the category "clothes", which they leave out; remove it first, or let the category in`,
		},
		{Name: "nobody", Setup: shop(), Input: `{"entity":"ent_9"}`, Err: `unknown entity ent_9; the nearest are ent_0, ent_1`},
		{Name: "none", Setup: shop(), Input: `{"entity":"ent_0","capacity":0}`, Code: registry.CodeInvalidInput, Err: `capacity: must be from 1 to 200, got 0`},
		{Name: "many", Setup: shop(), Input: `{"entity":"ent_0","capacity":201}`, Code: registry.CodeInvalidInput, Err: `capacity: must be from 1 to 200, got 201`},
	})
}

func TestAdd(t *testing.T) {
	add := func(in string) [2]string { return [2]string{"inventory.add", in} }
	skilltest.Run(t, all, "inventory.add", []skilltest.Case{
		{Name: "one", Setup: shop(), Input: `{"entity":"ent_0","itemId":"coin"}`, Want: `{"ok":true,"slot":0}`, Check: holds("ent_0", "0:1coin")},
		{Name: "onto a stack", Setup: shop(add(`{"entity":"ent_0","itemId":"coin","quantity":9,"slot":1}`)), Input: `{"entity":"ent_0","itemId":"coin","quantity":3}`, Want: `{"ok":true,"slot":1}`, Check: holds("ent_0", "0:2coin 1:10coin")},
		{Name: "as many as there is room for", Setup: shop(), Input: `{"entity":"ent_0","itemId":"coin","quantity":30}`, Want: `{"ok":true,"slot":0}`, Check: holds("ent_0", "0:10coin 1:10coin 2:10coin")},
		{Name: "more", Setup: shop(), Input: `{"entity":"ent_0","itemId":"coin","quantity":31}`, Want: `{"ok":false,"reason":"ent_0 has room for 30 of 31 \"coin\""}`, Check: holds("ent_0", "")},
		{Name: "what does not stack", Setup: shop(), Input: `{"entity":"ent_0","itemId":"sword","quantity":2}`, Want: `{"ok":true,"slot":0}`, Check: holds("ent_0", "0:1sword 1:1sword")},
		{Name: "into a slot", Setup: shop(), Input: `{"entity":"ent_0","itemId":"sword","slot":2}`, Want: `{"ok":true,"slot":2}`, Check: holds("ent_0", "2:1sword")},
		{Name: "into a slot of others", Setup: shop(add(`{"entity":"ent_0","itemId":"coin","slot":2}`)), Input: `{"entity":"ent_0","itemId":"sword","slot":2}`, Want: `{"ok":false,"reason":"slot 2 of ent_0 holds 1 \"coin\"; leave slot out to have one found"}`},
		{Name: "too many into a slot", Setup: shop(add(`{"entity":"ent_0","itemId":"coin","slot":2}`)), Input: `{"entity":"ent_0","itemId":"coin","slot":2,"quantity":10}`, Want: `{"ok":false,"reason":"slot 2 of ent_0 has room for 9 of 10 \"coin\"; leave slot out to have several found"}`},
		{Name: "too many into an empty slot", Setup: shop(), Input: `{"entity":"ent_0","itemId":"sword","slot":2,"quantity":2}`, Want: `{"ok":false,"reason":"slot 2 of ent_0 has room for 1 of 2 \"sword\"; leave slot out to have several found"}`},
		{Name: "the right category", Setup: shop(), Input: `{"entity":"ent_1","itemId":"bread"}`, Want: `{"ok":true,"slot":0}`},
		{Name: "the wrong category", Setup: shop(), Input: `{"entity":"ent_1","itemId":"sword"}`, Want: `{"ok":false,"reason":"ent_1 takes \"food\" only, and \"sword\" is of the category \"weapon\""}`},
		{
			Name: "a stack that has become too large", Setup: shop(add(`{"entity":"ent_0","itemId":"coin","quantity":9}`), [2]string{"item.define", `{"id":"coin","name":"Coin","maxStack":2}`}),
			Input: `{"entity":"ent_0","itemId":"coin","quantity":3}`, Want: `{"ok":true,"slot":1}`, Check: holds("ent_0", "0:9coin 1:2coin 2:1coin"),
		},
		{Name: "as a visitor", As: visitor, Setup: shop(), Input: `{"entity":"ent_0","itemId":"coin"}`, Code: registry.CodeForbidden, Err: `missing permission: inventory.configure or item.configure, to make items; what there is you get by interaction.pickup and inventory.transfer`},
		{Name: "beyond the slots", Setup: shop(), Input: `{"entity":"ent_0","itemId":"coin","slot":3}`, Code: registry.CodeInvalidInput, Err: `slot: ent_0 has the slots 0 to 2, got 3`},
		{Name: "none", Setup: shop(), Input: `{"entity":"ent_0","itemId":"coin","quantity":0}`, Code: registry.CodeInvalidInput, Err: `quantity: must be at least 1, got 0`},
		{Name: "unknown item", Setup: shop(), Input: `{"entity":"ent_0","itemId":"coins"}`, Err: `unknown item "coins"; the nearest is coin; item.define makes a new one`},
		{Name: "an item like no other", Setup: shop(), Input: `{"entity":"ent_0","itemId":"umbrella"}`, Err: `unknown item "umbrella"; there are bread, coin, hat, sword; item.define makes a new one`},
		{
			Name: "no item at all", Setup: do([2]string{"scene.createEntity", `{}`}, [2]string{"inventory.create", `{"entity":"ent_0"}`}),
			Input: `{"entity":"ent_0","itemId":"coin"}`, Err: `unknown item "coin"; there is none: item.define makes one`,
		},
		{Name: "without an inventory", Setup: shop([2]string{"scene.createEntity", `{}`}), Input: `{"entity":"ent_2","itemId":"coin"}`, Err: `ent_2 has no inventory: inventory.create {"entity":"ent_2"} gives it one`},
		{Name: "nobody", Setup: shop(), Input: `{"entity":"ent_7","itemId":"coin"}`, Err: `unknown entity ent_7; the nearest are ent_0, ent_1`},
	})
}

func TestRemove(t *testing.T) {
	full := shop(
		[2]string{"inventory.add", `{"entity":"ent_0","itemId":"coin","quantity":15}`}, [2]string{"inventory.add", `{"entity":"ent_0","itemId":"sword"}`},
		[2]string{"item.equip", `{"entity":"ent_0","itemId":"sword","equipmentSlot":"hand"}`},
	)
	skilltest.Run(t, all, "inventory.remove", []skilltest.Case{
		{Name: "from the last", Setup: full, Input: `{"entity":"ent_0","itemId":"coin","quantity":6}`, Want: ok, Check: holds("ent_0", "0:9coin hand=sword")},
		{Name: "from a slot", Setup: full, Input: `{"entity":"ent_0","itemId":"coin","quantity":6,"slot":0}`, Want: ok, Check: holds("ent_0", "0:4coin 1:5coin hand=sword")},
		{Name: "all", Setup: full, Input: `{"entity":"ent_0","itemId":"coin","quantity":15}`, Want: ok, Check: holds("ent_0", "hand=sword")},
		{Name: "more", Setup: full, Input: `{"entity":"ent_0","itemId":"coin","quantity":16}`, Want: `{"ok":false,"reason":"ent_0 has 15 \"coin\", not 16"}`, Check: holds("ent_0", "0:10coin 1:5coin hand=sword")},
		{Name: "more than a slot has", Setup: full, Input: `{"entity":"ent_0","itemId":"coin","quantity":6,"slot":1}`, Want: `{"ok":false,"reason":"slot 1 of ent_0 holds 5 \"coin\", not 6 \"coin\""}`},
		{Name: "from an empty slot", Setup: full, Input: `{"entity":"ent_0","itemId":"coin","slot":2}`, Want: `{"ok":false,"reason":"slot 2 of ent_0 is empty; leave slot out to have the items found"}`},
		{Name: "what is worn", Setup: full, Input: `{"entity":"ent_0","itemId":"sword"}`, Want: `{"ok":false,"reason":"ent_0 has 0 \"sword\", not 1, and wears 1: item.unequip {\"entity\":\"ent_0\",\"equipmentSlot\":\"hand\"} puts it back first"}`},
		{Name: "unknown", Setup: full, Input: `{"entity":"ent_0","itemId":"sowrd"}`, Err: `unknown item "sowrd"; the nearest is sword; item.define makes a new one`},
		{
			Name: "another agent's", As: visitor, Setup: func(t testing.TB, s *server, p *profiles.Principal) {
				t.Helper()
				full(t, s, p)
				s.Must(t, skilltest.Caller(t, "bob", skilltest.Builder), "agent.embody", `{"entity":"ent_0"}`)
			},
			Input: `{"entity":"ent_0","itemId":"coin"}`, Code: registry.CodeForbidden,
			Err: `ent_0 is the body of another agent, bob, who alone acts with it: leave it out to act with your own, which agent.embody or player.spawn makes`,
		},
	})
}

func TestTransfer(t *testing.T) {
	full := shop([2]string{"inventory.add", `{"entity":"ent_0","itemId":"bread","quantity":12}`}, [2]string{"inventory.add", `{"entity":"ent_1","itemId":"bread","quantity":1}`})
	skilltest.Run(t, all, "inventory.transfer", []skilltest.Case{
		{Name: "some", Setup: full, Input: `{"fromEntity":"ent_0","toEntity":"ent_1","itemId":"bread","quantity":8}`, Want: ok, Check: func(t testing.TB, s *server, p *profiles.Principal) {
			t.Helper()
			holds("ent_0", "0:4bread")(t, s, p)
			holds("ent_1", "0:5bread 1:4bread")(t, s, p)
		}},
		{Name: "more than there is room for", Setup: full, Input: `{"fromEntity":"ent_0","toEntity":"ent_1","itemId":"bread","quantity":10}`, Want: `{"ok":false,"reason":"ent_1 has room for 9 of 10 \"bread\""}`, Check: holds("ent_0", "0:5bread 1:5bread 2:2bread")},
		{Name: "more than there are", Setup: full, Input: `{"fromEntity":"ent_1","toEntity":"ent_0","itemId":"bread","quantity":2}`, Want: `{"ok":false,"reason":"ent_1 has 1 \"bread\", not 2"}`},
		{Name: "to oneself", Setup: full, Input: `{"fromEntity":"ent_0","toEntity":"ent_0","itemId":"bread"}`, Code: registry.CodeInvalidInput, Err: `toEntity: must be another than fromEntity, got ent_0 for both`},
		{Name: "to nobody", Setup: full, Input: `{"fromEntity":"ent_0","toEntity":"ent_9","itemId":"bread"}`, Err: `unknown entity ent_9; the nearest are ent_0, ent_1`},
	})
}

func TestEquip(t *testing.T) {
	full := shop(
		[2]string{"inventory.add", `{"entity":"ent_0","itemId":"sword"}`}, [2]string{"inventory.add", `{"entity":"ent_0","itemId":"hat","quantity":3}`},
	)
	skilltest.Run(t, all, "item.equip", []skilltest.Case{
		{Name: "first", Setup: full, Input: `{"entity":"ent_0","itemId":"sword","equipmentSlot":"hand"}`, Want: ok, Check: holds("ent_0", "1:2hat 2:1hat hand=sword")},
		{Name: "one of a stack", Setup: full, Input: `{"entity":"ent_0","itemId":"hat","equipmentSlot":"head"}`, Want: ok, Check: func(t testing.TB, s *server, p *profiles.Principal) {
			t.Helper()
			holds("ent_0", "0:1sword 1:2hat head=hat")(t, s, p)
			if got := s.Must(t, p, "inventory.count", `{"entity":"ent_0","itemId":"hat"}`); got != `{"count":3,"equipped":1}` {
				t.Errorf("count: %s", got)
			}
			if got := s.Entity(t, "ent_0"); !strings.Contains(got, `"equipment":[{"equipmentSlot":"head","itemId":"hat"}]`) || strings.Contains(got, "sword") {
				t.Errorf("viewers get %s", got)
			}
			const list = `{"items":[{"itemId":"sword","name":"Sword","quantity":1,"slot":0,"equipped":false},{"itemId":"hat","name":"Hat","quantity":2,"slot":1,"equipped":true}],` +
				`"equipment":[{"equipmentSlot":"head","itemId":"hat","quantity":1}],"capacity":3,"free":1,"weight":5}`
			if got := s.Must(t, p, "inventory.list", `{"entity":"ent_0"}`); got != list {
				t.Errorf("list:\n got %s\nwant %s", got, list)
			}
		}},
		{
			Name: "in place of another", Input: `{"entity":"ent_0","itemId":"sword","equipmentSlot":"hand"}`, Want: ok, Check: holds("ent_0", "0:1hat 1:2hat hand=sword"),
			Setup: func(t testing.TB, s *server, p *profiles.Principal) {
				t.Helper()
				full(t, s, p)
				s.Must(t, p, "item.equip", `{"entity":"ent_0","itemId":"hat","equipmentSlot":"hand"}`)
			},
		},
		{
			Name: "what is there", Input: `{"entity":"ent_0","itemId":"hat","equipmentSlot":"hand"}`, Want: ok, Check: holds("ent_0", "0:1sword 1:2hat hand=hat"),
			Setup: func(t testing.TB, s *server, p *profiles.Principal) {
				t.Helper()
				full(t, s, p)
				s.Must(t, p, "item.equip", `{"entity":"ent_0","itemId":"hat","equipmentSlot":"hand"}`)
			},
		},
		{
			Name: "without room for what was there", Input: `{"entity":"ent_0","itemId":"hat","equipmentSlot":"hand"}`,
			Want: `{"ok":false,"reason":"what is on \"hand\" cannot go back: ent_0 has room for 0 of 1 \"sword\""}`, Check: holds("ent_0", "0:2coin 1:2hat 2:2hat hand=sword"),
			Setup: func(t testing.TB, s *server, p *profiles.Principal) {
				t.Helper()
				full(t, s, p)
				s.Must(t, p, "item.equip", `{"entity":"ent_0","itemId":"sword","equipmentSlot":"hand"}`)
				s.Must(t, p, "inventory.add", `{"entity":"ent_0","itemId":"hat"}`)
				s.Must(t, p, "inventory.add", `{"entity":"ent_0","itemId":"coin","quantity":2}`)
			},
		},
		{Name: "what it has not", Setup: full, Input: `{"entity":"ent_0","itemId":"coin","equipmentSlot":"hand"}`, Want: `{"ok":false,"reason":"ent_0 has 0 \"coin\", not 1"}`},
		{
			Name: "too much", Input: `{"entity":"ent_0","itemId":"sword","equipmentSlot":"hand"}`, Code: registry.CodeCapacityExceeded, Err: `ent_0 wears 16 things, which is the most: item.unequip takes one off`,
			Setup: func(t testing.TB, s *server, p *profiles.Principal) {
				t.Helper()
				full(t, s, p)
				for i := range inventory.MaxWorn {
					s.Must(t, p, "inventory.add", `{"entity":"ent_0","itemId":"hat"}`)
					s.Must(t, p, "item.equip", fmt.Sprintf(`{"entity":"ent_0","itemId":"hat","equipmentSlot":"%d"}`, i))
				}
			},
		},
	})
	worn := func(t testing.TB, s *server, p *profiles.Principal) {
		t.Helper()
		full(t, s, p)
		s.Must(t, p, "item.equip", `{"entity":"ent_0","itemId":"sword","equipmentSlot":"hand"}`)
	}
	skilltest.Run(t, all, "item.unequip", []skilltest.Case{
		{Name: "good", Setup: worn, Input: `{"entity":"ent_0","equipmentSlot":"hand"}`, Want: ok, Check: func(t testing.TB, s *server, p *profiles.Principal) {
			t.Helper()
			holds("ent_0", "0:1sword 1:2hat 2:1hat")(t, s, p)
			if got := s.Entity(t, "ent_0"); strings.Contains(got, "equipment") {
				t.Errorf("viewers get %s", got)
			}
		}},
		{Name: "elsewhere", Setup: worn, Input: `{"entity":"ent_0","equipmentSlot":"head"}`, Want: `{"ok":false,"reason":"ent_0 has nothing on \"head\"; it has something on \"hand\""}`},
		{Name: "naked", Setup: full, Input: `{"entity":"ent_0","equipmentSlot":"head"}`, Want: `{"ok":false,"reason":"ent_0 has nothing on \"head\"; it wears nothing"}`},
		{
			Name: "without room", Input: `{"entity":"ent_0","equipmentSlot":"hand"}`, Want: `{"ok":false,"reason":"ent_0 has room for 0 of 1 \"sword\""}`, Check: holds("ent_0", "0:1coin 1:2hat 2:1hat hand=sword"),
			Setup: func(t testing.TB, s *server, p *profiles.Principal) {
				t.Helper()
				worn(t, s, p)
				s.Must(t, p, "inventory.add", `{"entity":"ent_0","itemId":"coin"}`)
			},
		},
	})
}

// TestWhatIsKeptGoesWithItsOwner destroys a chest and takes that back, and copies it.
func TestWhatIsKeptGoesWithItsOwner(t *testing.T) {
	s, ann := skilltest.New(t, all), skilltest.Caller(t, "ann", skilltest.Builder)
	shop(
		[2]string{"inventory.add", `{"entity":"ent_0","itemId":"coin","quantity":15}`}, [2]string{"inventory.add", `{"entity":"ent_0","itemId":"sword"}`},
		[2]string{"item.equip", `{"entity":"ent_0","itemId":"sword","equipmentSlot":"hand"}`},
	)(t, s, ann)
	const all = "0:10coin 1:5coin hand=sword"
	before := s.Content()
	s.Must(t, ann, "scene.destroyEntity", `{"entity":"ent_0"}`)
	if _, err := s.Call(ann, "inventory.list", `{"entity":"ent_0"}`); err == nil || err.Message != `unknown entity ent_0, which was destroyed; the nearest are ent_1` {
		t.Errorf("of nobody: %v", err)
	}
	s.Must(t, ann, "world.undo", `{}`)
	holds("ent_0", all)(t, s, ann)
	if s.Content() != before {
		t.Error("an undo leaves another world")
	}
	s.Must(t, ann, "scene.clone", `{"entity":"ent_0"}`)
	holds("ent_2", "")(t, s, ann)
	holds("ent_0", all)(t, s, ann)
}

// TestEvents looks at the events of what was done, and of what was not.
func TestEvents(t *testing.T) {
	s, ann := skilltest.New(t, all), skilltest.Caller(t, "ann", skilltest.Builder)
	shop()(t, s, ann)
	s.Must(t, ann, "inventory.add", `{"entity":"ent_0","itemId":"coin","quantity":5,"meta":{"entity":"ent_9"}}`)
	s.Must(t, ann, "inventory.add", `{"entity":"ent_0","itemId":"coin","quantity":500}`)
	events, _ := s.Registry.Trace().Tail(trace.Filter{Type: "inventory.added"})
	if len(events) != 1 || string(events[0].Payload) != `{"entity":"ent_0","itemId":"coin","quantity":5,"meta":{"entity":"ent_9"}}` {
		t.Errorf("events %+v", events)
	}
}

func TestPermissions(t *testing.T) {
	skilltest.Needs(t, all, "item.define", `{"id":"x","name":"x"}`, "item.configure", skilltest.Builder)
	skilltest.Needs(t, all, "inventory.create", `{"entity":"ent_0"}`, "inventory.configure", skilltest.Builder)
	for name, in := range map[string]string{
		"inventory.remove": `{"entity":"ent_0","itemId":"x"}`, "inventory.transfer": `{"fromEntity":"ent_0","toEntity":"ent_1","itemId":"x"}`,
		"item.equip": `{"entity":"ent_0","itemId":"x","equipmentSlot":"x"}`, "item.unequip": `{"entity":"ent_0","equipmentSlot":"x"}`,
	} {
		skilltest.Needs(t, all, name, in, "inventory.write", skilltest.Builder, "player.full", visitor)
	}
	for name, in := range map[string]string{"inventory.list": `{"entity":"ent_0"}`, "inventory.count": `{"entity":"ent_0","itemId":"x"}`, "inventory.has": `{"entity":"ent_0","itemId":"x"}`} {
		skilltest.Needs(t, all, name, in, "inventory.read", skilltest.Builder, "npc.agent", "player.full", visitor)
	}
}
