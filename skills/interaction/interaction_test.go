package interaction_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

func TestRegister(t *testing.T) {
	box := hall([2]string{"scene.createEntity", `{}`}) // ent_6
	skilltest.Run(t, all, "interaction.register", []skilltest.Case{
		{Name: "small", Setup: box, Input: `{"entity":"ent_6","prompt":"Kick"}`, Want: ok, Check: func(t testing.TB, s *server, _ *profiles.Principal) {
			t.Helper()
			if got := s.Entity(t, "ent_6"); !strings.Contains(got, `"interaction":{"prompt":"Kick","type":"custom","maxRange":3}`) {
				t.Errorf("viewers get %s", got)
			}
		}},
		{Name: "again", Setup: hall(), Input: `{"entity":"ent_2","prompt":"Enter","type":"open","config":{"open":{"rotationEuler":[0,1.5,0]}}}`, Want: `{"ok":true,"turns":85.9}`},
		{Name: "one that is there already", Setup: hall(), Input: `{"entity":"ent_2","prompt":"Enter","type":"open","config":{"open":{"rotationEuler":[0,0,0]}}}`, Want: `{"ok":true,"note":"it does not move: config.open says how it is when it is open, as three.setTransform would have it, and so it is already"}`},
		{Name: "a box that stays", Setup: box, Input: `{"entity":"ent_6","prompt":"Open","type":"open"}`, Want: `{"ok":true,"note":"it does not move, only its flag changes: config {\"open\":{\"rotationEuler\":[0,1.57,0]}} has it turn about its position, {\"open\":{\"position\":[x,y,z]}} slide"}`},
		{Name: "in degrees", Setup: box, Input: `{"entity":"ent_6","prompt":"Open","type":"open","config":{"open":{"rotationEuler":[0,90,0]}}}`, Want: `{"ok":true,"turns":116.6,"note":"config.open.rotationEuler is in radians, and was taken so: 90 is 14.3 turns. If degrees were meant, give [0,1.5708,0]"}`},
		{Name: "nobody", Setup: box, Input: `{"entity":"ent_60","prompt":"Open"}`, Err: `unknown entity ent_60; the nearest are ent_4, ent_5, ent_6`},
		{Name: "no prompt", Setup: box, Input: `{"entity":"ent_6","prompt":""}`, Code: registry.CodeInvalidInput, Err: `prompt: must have from 1 to 100 characters, got 0`},
		{Name: "what only the server says", Setup: box, Input: `{"entity":"ent_6","prompt":"x","action":"game.won"}`, Code: registry.CodeInvalidInput, Err: `action: game.won is emitted by the server alone, when it is so: choose another name`},
		{Name: "no range", Setup: box, Input: `{"entity":"ent_6","prompt":"x","maxRange":0}`, Code: registry.CodeInvalidInput, Err: `maxRange: must be greater than 0, got 0`},
		{Name: "what it is", Setup: box, Input: `{"entity":"ent_6","prompt":"x","type":"pickup"}`, Code: registry.CodeInvalidInput, Err: `config.itemId: a pickup needs the item that it is, of item.define: {"itemId":"gold_coin","quantity":5}`},
		{Name: "an item there is not", Setup: box, Input: `{"entity":"ent_6","prompt":"x","type":"pickup","config":{"itemId":"coins"}}`, Err: `config.itemId: unknown item "coins"; the nearest is coin; item.define makes a new one`},
		{Name: "none", Setup: box, Input: `{"entity":"ent_6","prompt":"x","type":"pickup","config":{"itemId":"coin","quantity":0}}`, Code: registry.CodeInvalidInput, Err: `config.quantity: must be from 1 to 1000000, got 0`},
		{Name: "half", Setup: box, Input: `{"entity":"ent_6","prompt":"x","type":"pickup","config":{"itemId":"coin","quantity":0.5}}`, Code: registry.CodeInvalidInput, Err: `config.quantity: must be an integer, got 0.5`},
		{Name: "somebody", Setup: box, Input: `{"entity":"ent_5","prompt":"x","type":"pickup","config":{"itemId":"coin"}}`, Err: `ent_5 is a body or a character, which nobody picks up; talk, use and custom are for those`},
		{Name: "what no pickup has", Setup: box, Input: `{"entity":"ent_6","prompt":"x","type":"pickup","config":{"itemId":"coin","qty":5}}`, Code: registry.CodeInvalidInput, Err: `config.qty: unknown field, allowed: itemId, quantity, open, key`},
		{Name: "what no door has", Setup: box, Input: `{"entity":"ent_6","prompt":"x","type":"open","config":{"rotationEuler":[0,1.57,0]}}`, Code: registry.CodeInvalidInput, Err: `config.rotationEuler: unknown field, put it into open: allowed: open, key`},
		{Name: "what no lever has", Setup: box, Input: `{"entity":"ent_6","prompt":"x","type":"toggle","config":{"kei":"key"}}`, Code: registry.CodeInvalidInput, Err: `config.kei: unknown field, did you mean "key"? allowed: open, key`},
		{Name: "what is handed on", Setup: box, Input: `{"entity":"ent_6","prompt":"x","type":"talk","config":{"mood":"happy"}}`, Want: `{"ok":true}`},
		{Name: "nowhere", Setup: box, Input: `{"entity":"ent_6","prompt":"x","type":"open","config":{"open":{}}}`, Code: registry.CodeInvalidInput, Err: `config.open: give position, rotationEuler or both: where it is when it is open`},
		{Name: "somewhere", Setup: box, Input: `{"entity":"ent_6","prompt":"x","type":"open","config":{"open":{"position":[1,2]}}}`, Code: registry.CodeInvalidInput, Err: `config.open.position: must have 3 items, got 2`},
		{Name: "at once", Setup: box, Input: `{"entity":"ent_6","prompt":"x","type":"open","config":{"open":{"position":[1,2,3],"seconds":0}}}`, Code: registry.CodeInvalidInput, Err: `config.open.seconds: must be greater than 0 and at most 3600, got 0`},
		{Name: "what falls", Setup: hall([2]string{"scene.createEntity", `{"dynamic":true}`}), Input: `{"entity":"ent_6","prompt":"x","type":"open","config":{"open":{"position":[1,2,3]}}}`, Err: `config.open: ent_6 moves by itself; what opens has a static body or none`},
		{Name: "a key there is not", Setup: box, Input: `{"entity":"ent_6","prompt":"x","type":"open","config":{"key":"kee"}}`, Err: `config.key: unknown item "kee"; the nearest is key; item.define makes a new one`},
		{Name: "large", Setup: box, Input: `{"entity":"ent_6","prompt":"x","config":{"a":"` + strings.Repeat("x", 9000) + `"}}`, Code: registry.CodeCapacityExceeded, Err: `config: holds at most 8192 bytes, this one has 9008`},
	})
}

func TestQuery(t *testing.T) {
	const (
		sign = `{"entity":"ent_4","prompt":"Read","type":"custom","distance":0.65,"inReach":true}`
		coin = `{"entity":"ent_0","prompt":"Take the coins","type":"pickup","distance":1.55,"inReach":true}`
		door = `{"entity":"ent_2","prompt":"Open the door","type":"open","distance":3.15,"inReach":true}`
	)
	rounded := func(s string) string {
		return strings.NewReplacer("0.6499999999999999", "0.65", "1.5499999999999998", "1.55").Replace(s)
	}
	s, ann := skilltest.New(t, all), skilltest.Caller(t, "ann", visitor)
	hall()(t, s, ann)
	for _, c := range [][2]string{
		{`{}`, sign + "," + coin + "," + door},
		{`{"actorEntity":"ent_5","maxRange":1.6}`, sign + "," + coin},
		{`{"position":[9,1,0],"maxRange":0.1}`, `{"entity":"ent_3","prompt":"Throw the lever","type":"toggle","distance":0,"inReach":true}`},
		{`{"position":[13,1,0]}`, `{"entity":"ent_3","prompt":"Throw the lever","type":"toggle","distance":3.5,"inReach":false}`},
		{`{"position":[100,1,0]}`, ``},
	} {
		if got := rounded(s.Must(t, ann, "interaction.query", c[0])); got != `{"interactables":[`+c[1]+`]}` {
			t.Errorf("%s\n got %s\nwant %s", c[0], got, c[1])
		}
	}
	for in, want := range map[string]string{
		`{}`: `you have nothing to act with: agent.embody or player.spawn makes it; or give position`, `{"actorEntity":"ent_77"}`: `unknown entity ent_77; the nearest are ent_3, ent_4, ent_5`,
	} {
		if out, err := s.Call(skilltest.Caller(t, "bob", visitor), "interaction.query", in); err == nil || err.Message != want {
			t.Errorf("%s: %s, %v", in, out, err)
		}
	}
	two := skilltest.Caller(t, "dora", visitor)
	s.Must(t, two, "player.spawn", `{"position":[0,1,30]}`)
	s.Must(t, two, "player.spawn", `{"position":[0,1,33]}`)
	if _, err := s.Call(two, "interaction.query", `{}`); err == nil || err.Message != "actorEntity: you have 2 characters, such as ent_6 and ent_7: name one; or give position" {
		t.Errorf("with two characters: %v", err)
	}
}

func TestPickup(t *testing.T) {
	const far = `{"ok":false,"reason":"ent_0 is 17.55 m away from ent_5, and 3 m is the most; navmesh.moveTo {\"entity\":\"ent_5\",\"target\":[15.15,0.85,0]} takes it there"}`
	skilltest.Run(t, all, "interaction.pickup", []skilltest.Case{
		{Name: "a visitor without an inventory", As: visitor, Setup: hall(), Input: `{"itemEntity":"ent_0"}`, Want: `{"ok":true,"slot":0,"itemId":"coin","quantity":2}`, Check: func(t testing.TB, s *server, p *profiles.Principal) {
			t.Helper()
			has("ent_5", "0:2coin")(t, s, p)
			if s.Len() != 5 {
				t.Errorf("%d entities are left", s.Len())
			}
		}},
		{Name: "into a slot", As: visitor, Setup: hall(), Input: `{"itemEntity":"ent_0","actorEntity":"ent_5","slot":4}`, Want: `{"ok":true,"slot":4,"itemId":"coin","quantity":2}`, Check: has("ent_5", "4:2coin")},
		{Name: "from afar", As: visitor, Setup: hall([2]string{"three.setTransform", `{"entity":"ent_0","position":[18,0.1,0]}`}), Input: `{"itemEntity":"ent_0"}`, Want: far, Check: has("ent_5", `ent_5 has no inventory: inventory.create {"entity":"ent_5"} gives it one`)},
		{Name: "without room", As: visitor, Setup: hall([2]string{"inventory.create", `{"entity":"ent_5","typeRestrictions":["tool"]}`}), Input: `{"itemEntity":"ent_0"}`, Want: `{"ok":false,"reason":"ent_5 takes \"tool\" only, and \"coin\" is of the category \"general\""}`},
		{Name: "as another", As: visitor, Setup: func(t testing.TB, s *server, p *profiles.Principal) {
			t.Helper()
			hall()(t, s, p)
			s.Must(t, skilltest.Caller(t, "bob", visitor), "agent.embody", `{"position":[2,0,0]}`)
		}, Input: `{"itemEntity":"ent_0","actorEntity":"ent_6"}`, Code: registry.CodeForbidden, Err: `actorEntity: ent_6 is the body of another agent, bob, who alone acts with it: leave it out to act with your own, which agent.embody or player.spawn makes`},
		{Name: "as a thing", As: visitor, Setup: hall(), Input: `{"itemEntity":"ent_0","actorEntity":"ent_4"}`, Code: registry.CodeForbidden, Err: `actorEntity: ent_4 is neither a body nor a character: leave it out to act with your own; to have a thing act needs the permission interaction.configure`},
		{Name: "as a thing, by who may", Setup: hall([2]string{"inventory.create", `{"entity":"ent_4"}`}, [2]string{"interaction.register", `{"entity":"ent_0","prompt":"x","type":"pickup","maxRange":9,"config":{"itemId":"coin"}}`}), Input: `{"itemEntity":"ent_0","actorEntity":"ent_4"}`, Want: `{"ok":true,"slot":0,"itemId":"coin","quantity":1}`},
		{Name: "with nothing", As: visitor, Setup: func(t testing.TB, s *server, _ *profiles.Principal) {
			t.Helper()
			hall()(t, s, skilltest.Caller(t, "bob", visitor))
		}, Input: `{"itemEntity":"ent_0"}`, Err: `you have nothing to act with: agent.embody or player.spawn makes it`},
		{Name: "a door", As: visitor, Setup: hall(), Input: `{"itemEntity":"ent_2"}`, Err: `ent_2 is registered as "open", not as pickup: interaction.interact does what it is for`},
		{Name: "what is nothing", As: visitor, Setup: hall(), Input: `{"itemEntity":"ent_1"}`, Err: `ent_1 is nothing that can be used: interaction.query lists what is, and interaction.register {"entity":"ent_1","prompt":"…"} makes it so; your profile may not call interaction.register, which needs interaction.configure: somebody else has to`},
		{Name: "itself", Setup: hall(), Input: `{"itemEntity":"ent_0","actorEntity":"ent_0"}`, Code: registry.CodeInvalidInput, Err: `actorEntity: ent_0 is, or is in, what it is to pick up`},
		{
			Name: "a bag that is not empty", As: visitor, Setup: hall([2]string{"inventory.create", `{"entity":"ent_0"}`}, [2]string{"inventory.add", `{"entity":"ent_0","itemId":"key"}`}), Input: `{"itemEntity":"ent_0"}`,
			Want: `{"ok":false,"reason":"ent_0 holds items, which would be lost: inventory.transfer empties it first"}`,
		},
		{
			Name: "what another lies in", As: visitor, Setup: hall([2]string{"interaction.register", `{"entity":"ent_2","prompt":"x","type":"pickup","config":{"itemId":"key"}}`}, [2]string{"interaction.register", `{"entity":"ent_1","prompt":"x","type":"pickup","config":{"itemId":"coin"}}`}),
			Input: `{"itemEntity":"ent_2"}`, Want: `{"ok":false,"reason":"ent_1 is in it, which would be lost: pick that up first"}`,
		},
		{
			Name: "where somebody has moved in", As: visitor, Setup: func(t testing.TB, s *server, p *profiles.Principal) {
				t.Helper()
				hall()(t, s, p)
				s.Must(t, skilltest.Caller(t, "bob", skilltest.Builder), "agent.embody", `{"entity":"ent_0"}`)
			}, Input: `{"itemEntity":"ent_0"}`, Want: `{"ok":false,"reason":"ent_0 is a body or a character, which nobody picks up"}`,
		},
	})
}

// TestACharacterIsToldTheWay has a character that is too far away go where it is told to.
func TestACharacterIsToldTheWay(t *testing.T) {
	s, ann := skilltest.New(t, all), skilltest.Caller(t, "ann", visitor)
	hall()(t, s, skilltest.Caller(t, "nobody", visitor))
	s.Must(t, ann, "player.spawn", `{"position":[-8,0.87,0]}`)
	const want = `{"ok":false,"reason":"ent_0 is 9.55 m away from ent_5, and 3 m is the most; player.move {\"entity\":\"ent_5\",\"forward\":1,\"yaw\":1.57} takes it there in 7.15 m, or navmesh.moveTo {\"entity\":\"ent_5\",\"target\":[-0.85,0.87,0]}"}`
	if got := s.Must(t, ann, "interaction.pickup", `{"itemEntity":"ent_0"}`); got != want {
		t.Errorf("got %s", got)
	}
	s.Must(t, ann, "player.spawn", `{"position":[-8,0.87,3]}`)
	if _, err := s.Call(ann, "interaction.pickup", `{"itemEntity":"ent_0"}`); err == nil || err.Message != `actorEntity: you have 2 characters, such as ent_5 and ent_6: name one` {
		t.Errorf("with two: %v", err)
	}
}

func TestDrop(t *testing.T) {
	full := hall([2]string{"inventory.create", `{"entity":"ent_5"}`}, [2]string{"inventory.add", `{"entity":"ent_5","itemId":"coin","quantity":5}`})
	skilltest.Run(t, all, "interaction.drop", []skilltest.Case{
		{Name: "at one's feet", As: visitor, Setup: full, Input: `{"itemId":"coin","quantity":3}`, Want: `{"ok":true,"itemEntity":"ent_6"}`, Check: func(t testing.TB, s *server, p *profiles.Principal) {
			t.Helper()
			has("ent_5", "0:2coin")(t, s, p)
			for _, part := range []string{`"pos":[0,0.09999999999999978,0]`, `"name":"Coin"`, `"kind":"sphere"`, `"interaction":{"prompt":"Pick up Coin","type":"pickup","maxRange":3}`} {
				if got := s.Entity(t, "ent_6"); !strings.Contains(got, part) {
					t.Errorf("viewers get %s, want %s", got, part)
				}
			}
			if got := s.Must(t, p, "interaction.pickup", `{"itemEntity":"ent_6"}`); got != `{"ok":true,"slot":0,"itemId":"coin","quantity":3}` {
				t.Errorf("picked up again: %s", got)
			}
			has("ent_5", "0:5coin")(t, s, p)
		}},
		{Name: "near", As: visitor, Setup: full, Input: `{"itemId":"coin","position":[2,1,0]}`, Want: `{"ok":true,"itemEntity":"ent_6"}`},
		{Name: "far", As: visitor, Setup: full, Input: `{"itemId":"coin","position":[6,1,0]}`, Want: `{"ok":false,"reason":"position is 5.65 m away from ent_5, and 3 m is the most; navmesh.moveTo {\"entity\":\"ent_5\",\"target\":[3.25,0.85,0]} takes it there"}`},
		{Name: "more than there are", As: visitor, Setup: full, Input: `{"itemId":"coin","quantity":6}`, Want: `{"ok":false,"reason":"ent_5 has 5 \"coin\", not 6"}`, Check: has("ent_5", "0:5coin")},
		{Name: "what there is not", As: visitor, Setup: full, Input: `{"itemId":"gold"}`, Err: `unknown item "gold"; there are coin, key, potion; item.define makes a new one; your profile may not call item.define, which needs item.configure: somebody else has to`},
		{Name: "of nobody", As: visitor, Setup: hall(), Input: `{"itemId":"coin"}`, Err: `ent_5 has no inventory: inventory.create {"entity":"ent_5"} gives it one; your profile may not call inventory.create, which needs inventory.configure: somebody else has to`},
	})
}

func TestUse(t *testing.T) {
	full := hall(
		[2]string{"inventory.create", `{"entity":"ent_5"}`}, [2]string{"inventory.add", `{"entity":"ent_5","itemId":"potion","quantity":3}`},
		[2]string{"inventory.add", `{"entity":"ent_5","itemId":"key"}`},
	)
	skilltest.Run(t, all, "interaction.use", []skilltest.Case{
		{Name: "one", As: visitor, Setup: full, Input: `{"itemId":"potion"}`, Want: `{"ok":true,"result":{"consumed":1,"left":2,"usageBehavior":"heal","config":{"amount":20}}}`, Check: has("ent_5", "0:2potion 1:1key")},
		{Name: "what is kept", As: visitor, Setup: full, Input: `{"itemId":"key","targetEntity":"ent_2"}`, Want: `{"ok":true,"result":{"consumed":0,"left":1,"usageBehavior":"keep"}}`, Check: has("ent_5", "0:3potion 1:1key")},
		{Name: "more of what is kept", As: visitor, Setup: full, Input: `{"itemId":"key","quantity":2}`, Want: `{"ok":false,"reason":"ent_5 has 1 \"key\", not 2"}`},
		{Name: "more", As: visitor, Setup: full, Input: `{"itemId":"potion","quantity":4}`, Want: `{"ok":false,"reason":"ent_5 has 3 \"potion\", not 4"}`},
		{Name: "on what is far", As: visitor, Setup: full, Input: `{"itemId":"potion","targetEntity":"ent_3"}`, Want: `{"ok":false,"reason":"ent_3 is 8.15 m away from ent_5, and 3 m is the most; navmesh.moveTo {\"entity\":\"ent_5\",\"target\":[5.75,0.85,0]} takes it there"}`, Check: has("ent_5", "0:3potion 1:1key")},
		{Name: "on what is not", As: visitor, Setup: full, Input: `{"itemId":"potion","targetEntity":"ent_33"}`, Err: `unknown entity ent_33; the nearest are ent_3, ent_4, ent_5`},
		{Name: "large", As: visitor, Setup: full, Input: `{"itemId":"potion","data":{"a":"` + strings.Repeat("x", 9000) + `"}}`, Code: registry.CodeCapacityExceeded, Err: `data: holds at most 8192 bytes, this one has 9008`},
	})
}

func TestInteract(t *testing.T) {
	near := hall([2]string{"three.setTransform", `{"entity":"ent_3","position":[3,1,0]}`})
	skilltest.Run(t, all, "interaction.interact", []skilltest.Case{
		{Name: "a coin", As: visitor, Setup: hall(), Input: `{"entity":"ent_0"}`, Want: `{"ok":true,"result":{"did":"pickup","itemId":"coin","quantity":2,"slot":0}}`, Check: has("ent_5", "0:2coin")},
		{Name: "a door", As: visitor, Setup: hall(), Input: `{"entity":"ent_2"}`, Want: `{"ok":true,"result":{"did":"open","seconds":0.5}}`},
		{Name: "a lever", As: visitor, Setup: near, Input: `{"entity":"ent_3"}`, Want: `{"ok":true,"result":{"did":"toggle","active":true}}`},
		{Name: "a sign", As: visitor, Setup: hall(), Input: `{"entity":"ent_4","data":{"loud":true}}`, Want: `{"ok":true,"result":{"did":"told","config":{"text":"Welcome"}}}`},
		{Name: "a lever far away", As: visitor, Setup: hall(), Input: `{"entity":"ent_3"}`, Want: `{"ok":false,"reason":"ent_3 is 8.15 m away from ent_5, and 3 m is the most; navmesh.moveTo {\"entity\":\"ent_5\",\"target\":[5.75,0.85,0]} takes it there"}`},
		{Name: "by an author without a body", Setup: func(t testing.TB, s *server, _ *profiles.Principal) {
			t.Helper()
			hall()(t, s, skilltest.Caller(t, "bob", visitor))
		}, Input: `{"entity":"ent_3"}`, Want: `{"ok":true,"result":{"did":"toggle","active":true}}`},
		{Name: "a coin, by an author without a body", Setup: func(t testing.TB, s *server, _ *profiles.Principal) {
			t.Helper()
			hall()(t, s, skilltest.Caller(t, "bob", visitor))
		}, Input: `{"entity":"ent_0"}`, Err: `you have nothing to act with: agent.embody or player.spawn makes it`},
		{Name: "nobody", As: visitor, Setup: hall(), Input: `{"entity":"ent_44"}`, Err: `unknown entity ent_44; the nearest are ent_3, ent_4, ent_5`},
	})
}

// TestWhoHears looks at what viewers are told, and has somebody listen to a lever and to a potion.
func TestWhoHears(t *testing.T) {
	s, ann := skilltest.New(t, all), skilltest.Caller(t, "ann", visitor)
	hall(
		[2]string{"three.setTransform", `{"entity":"ent_3","position":[3,1,0]}`},
		[2]string{"inventory.create", `{"entity":"ent_5"}`}, [2]string{"inventory.add", `{"entity":"ent_5","itemId":"potion"}`},
		[2]string{"event.listen", `{"eventName":"lever","action":{"type":"setState","data":{"name":"thrown"}}}`},
		[2]string{"event.listen", `{"eventName":"heal","action":{"type":"setState","data":{"name":"healed"}}}`},
	)(t, s, ann)
	heard := listen(t, s)
	s.Must(t, ann, "interaction.interact", `{"entity":"ent_4","data":{"loud":true},"meta":{"by":"x"}}`)
	s.Must(t, ann, "interaction.toggle", `{"entity":"ent_3"}`)
	s.Must(t, ann, "interaction.use", `{"itemId":"potion"}`)
	own := []string{}
	for _, h := range *heard {
		if strings.HasPrefix(h, "interaction.") {
			own = append(own, h)
		}
	}
	want := []string{
		`interaction.interacted {"entity":"ent_4","actorEntity":"ent_5","by":"ann","type":"custom","data":{"loud":true}}`,
		`interaction.toggled {"entity":"ent_3","actorEntity":"ent_5","by":"ann","type":"toggle","action":"lever","active":true,"state":"on"}`,
		`interaction.used {"actorEntity":"ent_5","by":"ann","itemId":"potion","quantity":1,"usageBehavior":"heal"}`,
	}
	if diff := cmp.Diff(want, own); diff != "" {
		t.Errorf("viewers are told (-want +got):\n%s", diff)
	}
	s.Steps(1)
	for entity, name := range map[string]string{"ent_3": "thrown", "ent_5": "healed"} {
		if got := s.Entity(t, entity); !strings.Contains(got, `"name":"`+name+`"`) {
			t.Errorf("%s: %s, want the name %s", entity, got, name)
		}
	}
}

// TestWhatItHasBecome has a listener for each thing that can become of a lever and of a locked door.
func TestWhatItHasBecome(t *testing.T) {
	s, ann, carl := skilltest.New(t, all), skilltest.Caller(t, "ann", visitor), skilltest.Caller(t, "carl", skilltest.Builder)
	hall(
		[2]string{"three.setTransform", `{"entity":"ent_3","position":[2,1,1]}`},
		[2]string{"interaction.register", `{"entity":"ent_2","prompt":"Open","type":"open","action":"door","maxRange":4,"config":{"key":"key"}}`},
		[2]string{"inventory.create", `{"entity":"ent_5"}`},
	)(t, s, ann)
	for _, name := range []string{"lever.on", "lever.off", "door", "door.opened", "door.closed", "door.locked"} {
		s.Must(t, carl, "event.listen", fmt.Sprintf(`{"eventName":%q,"action":{"type":"custom","data":{"is":%q}}}`, name, name))
	}
	heard := listen(t, s)
	for _, c := range []struct{ name, skill, in, state, want string }{
		{"on", "interaction.toggle", `{"entity":"ent_3"}`, "on", "lever.on"},
		{"off", "interaction.interact", `{"entity":"ent_3"}`, "off", "lever.off"},
		{"locked", "interaction.open", `{"entity":"ent_2"}`, "locked", "door.locked"},
		{"given the key", "", "", "", ""},
		{"opened", "interaction.open", `{"entity":"ent_2"}`, "opened", "door door.opened"},
		{"open already", "interaction.open", `{"entity":"ent_2"}`, "", ""},
		{"closed", "interaction.toggle", `{"entity":"ent_2"}`, "closed", "door door.closed"},
	} {
		*heard = nil
		if c.skill == "" {
			s.Must(t, carl, "inventory.add", `{"entity":"ent_5","itemId":"key"}`)
			continue
		}
		s.Must(t, ann, c.skill, c.in)
		s.Steps(1)
		var done []string
		for _, m := range *heard {
			if kind, text, _ := strings.Cut(m, " "); strings.HasPrefix(kind, "interaction.") {
				if !strings.Contains(text, fmt.Sprintf(`"state":%q`, c.state)) || !strings.Contains(text, `"actorEntity":"ent_5"`) {
					t.Errorf("%s: viewers are told %s", c.name, m)
				}
			} else if _, is, ok := strings.Cut(text, `"is":"`); ok {
				is, _, _ = strings.Cut(is, `"`)
				done = append(done, is)
			}
		}
		if got := strings.Join(done, " "); got != c.want {
			t.Errorf("%s: heard by %q, want %q", c.name, got, c.want)
		}
	}
}

// TestUnregister has a door be a wall again, while it opens: it stays where it was, and whoever tries is told.
func TestUnregister(t *testing.T) {
	s, ann, carl := skilltest.New(t, all), skilltest.Caller(t, "ann", visitor), skilltest.Caller(t, "carl", skilltest.Builder)
	hall([2]string{"three.setTransform", `{"entity":"ent_2","position":[0,0,2]}`})(t, s, ann)
	s.Must(t, ann, "interaction.open", `{"entity":"ent_2"}`)
	s.Steps(5)
	at := yaw(t, s, "ent_2")
	if got := s.Must(t, carl, "interaction.unregister", `{"entity":"ent_2"}`); got != `{"ok":true}` {
		t.Errorf("unregister = %s", got)
	}
	s.Steps(60)
	if now := yaw(t, s, "ent_2"); now != at || at == 0 {
		t.Errorf("it is turned by %v, and was by %v", now, at)
	}
	for _, c := range []struct {
		who               *profiles.Principal
		skill, in, prefix string
	}{
		{ann, "interaction.close", `{"entity":"ent_2"}`, "ent_2 is nothing that can be used"},
		{carl, "interaction.unregister", `{"entity":"ent_2"}`, "ent_2 is nothing that can be used"},
		{carl, "interaction.unregister", `{"entity":"ent_77"}`, "unknown entity ent_77"},
	} {
		if out, err := s.Call(c.who, c.skill, c.in); err == nil || !strings.HasPrefix(err.Message, c.prefix) {
			t.Errorf("%s %s: %s, %v", c.skill, c.in, out, err)
		}
	}
	s.Must(t, carl, "world.undo", `{}`)
	s.Steps(60)
	if now := yaw(t, s, "ent_2"); now == at {
		t.Error("it does not go on after the undo")
	}
}

func TestPermissions(t *testing.T) {
	skilltest.Needs(t, all, "interaction.register", `{"entity":"ent_0","prompt":"x"}`, "interaction.configure", skilltest.Builder)
	skilltest.Needs(t, all, "interaction.unregister", `{"entity":"ent_0"}`, "interaction.configure", skilltest.Builder)
	skilltest.Needs(t, all, "interaction.query", `{"position":[0,0,0]}`, "interaction.read", skilltest.Builder, "npc.agent", "player.full", visitor)
	for name, in := range map[string]string{
		"interact": `{"entity":"ent_0"}`, "pickup": `{"itemEntity":"ent_0"}`, "drop": `{"itemId":"x"}`, "use": `{"itemId":"x"}`, "open": `{"entity":"ent_0"}`, "close": `{"entity":"ent_0"}`, "toggle": `{"entity":"ent_0"}`,
	} {
		skilltest.Needs(t, all, "interaction."+name, in, "interaction.write", skilltest.Builder, "player.full", visitor)
	}
}
