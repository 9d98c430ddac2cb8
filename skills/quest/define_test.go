package quest_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/quest"
)

// define is the input of quest.define with an objective, and more of it.
func define(objective, more string) string {
	return `{"id":"q","name":"N","objectives":[{"id":"o","description":"d",` + objective + `}]` + more + `}`
}

const talking = `"type":"talk"`

func TestDefine(t *testing.T) {
	coin := [2]string{"item.define", `{"id":"coin","name":"Coin"}`}
	bad := func(name, input, err string) skilltest.Case {
		return skilltest.Case{Name: name, Setup: skilltest.Hero(coin), Input: input, Code: registry.CodeInvalidInput, Err: err}
	}
	skilltest.Run(t, all, "quest.define", []skilltest.Case{
		{Name: "the least", Input: define(talking, ""), Want: `{"ok":true}`},
		{
			Name: "the most", Setup: skilltest.Hero(coin, simple("p", ""), simple("f", "")),
			Input: define(`"type":"collect","target":"coin","required":3,"config":{"icon":"c"}`, `,"description":"d","prerequisites":["p"],"followUpQuests":["f"],"config":{"autoAccept":true,"turnIn":true,"repeatable":true,"level":3},"meta":{"a":1},`+
				`"rewards":{"items":[{"itemId":"coin","quantity":5}],"xp":100,"stats":{"gold":2.5},"game":{"counter":{"name":"saved"}},"event":"done","title":"Hero"}`),
			Want: `{"ok":true,"notes":["rewards.title is only told to viewers"]}`,
		},
		{
			Name: "rewards that the server does not know", Input: define(talking, `,"rewards":{"gold":10,"score":-2,"item":[],"a":1,"b":2,"c":3}`),
			Want: `{"ok":true,"notes":["rewards.a is only told to viewers; stats {\"a\":1} gives it","rewards.b is only told to viewers; stats {\"b\":2} gives it","rewards.c is only told to viewers; stats {\"c\":3} gives it",` +
				`"rewards.gold is only told to viewers; stats {\"gold\":10} gives it","rewards: more is only told to viewers"]}`,
		},
		{Name: "a reward that is nearly one", Input: define(talking, `,"rewards":{"item":[],"score":-2}`), Want: `{"ok":true,"notes":["rewards.item is only told to viewers; did you mean \"items\"?","rewards.score is only told to viewers; stats {\"score\":-2} takes it"]}`},
		bad("a stat without a name", define(talking, `,"rewards":{"stats":{"":1}}`), `rewards.stats: the name of a stat has from 1 to 64 characters, "" has 0`),
		{Name: "in place of one", Setup: taken("q", ""), Input: define(talking, ""), Want: `{"ok":true}`},
		{Name: "quests that are not there", Setup: skilltest.Hero(simple("next", "")), Input: define(talking, `,"prerequisites":["first"],"followUpQuests":["Next","q"]`), Want: `{"ok":true,"notes":["prerequisites[0]: there is no quest \"first\" yet","followUpQuests[0]: there is no quest \"Next\" yet; did you mean \"next\"?"]}`},
		{Name: "an item that is not there", Setup: skilltest.Hero(coin), Input: define(`"type":"collect","target":"coins"`, ""), Want: `{"ok":true,"notes":["objectives[0].target: nothing but quest.update advances it for now: unknown item \"coins\"; the nearest is coin; item.define makes a new one"]}`},
		{Name: "nowhere", Input: define(`"type":"reach","target":"castle"`, ""), Want: `{"ok":true,"notes":["objectives[0].target: nothing but quest.update advances it: name an entity or a zone, trg_0, or give a config.position"]}`},
		{Name: "no event", Input: define(`"type":"custom"`, ""), Want: `{"ok":true,"notes":["objectives[0].config.event: nothing but quest.update advances it: name an event, {\"event\":\"leverPulled\"}"]}`},

		{Name: "nobody", Setup: skilltest.Hero(), Input: define(`"type":"kill","target":"ent_9"`, ""), Err: "objectives[0].target: unknown entity ent_9; the nearest are ent_0"},
		{Name: "no zone", Setup: skilltest.Hero(), Input: define(`"type":"reach","target":"trg_9"`, ""), Err: "objectives[0].target: unknown trigger trg_9; there is none: trigger.create makes one"},
		{Name: "a reward that is not there", Setup: skilltest.Hero(coin), Input: define(talking, `,"rewards":{"items":[{"itemId":"coins"}]}`), Err: `rewards.items[0].itemId: unknown item "coins"; the nearest is coin; item.define makes a new one`},
		{Name: "too large", Input: define(talking, `,"config":{"a":"`+strings.Repeat("x", quest.MaxData)+`"}`), Code: registry.CodeCapacityExceeded, Err: "rewards: holds at most 16384 bytes, this one has 16394"},
		{Name: "the wrong rights", As: "game.author", Input: define(talking, `,"rewards":{"xp":100}`), Code: registry.CodeForbidden, Err: "missing permission: progression.write, which rewards.xp needs"},
		{Name: "the rights", As: "game.author", Input: define(talking, `,"rewards":{"event":"a","game":{"flag":{"name":"a"}}}`), Want: `{"ok":true}`},

		bad("no entity", define(`"type":"kill","target":"ent_07"`, ""), `objectives[0].target: "ent_07" is not an entity id; ids look like "ent_0", "ent_17"`),
		bad("an objective twice", `{"id":"q","name":"N","objectives":[{"id":"o","type":"talk","description":"d"},{"id":"o","type":"talk","description":"d"}]}`, `objectives[1].id: "o" is there twice`),
		bad("one that needs itself", define(talking, `,"prerequisites":["q"]`), `prerequisites: "q" would have to be completed before it can be offered`),
		bad("two places", define(`"type":"reach","target":"ent_0","config":{"position":[0,0,0]}`, ""), "objectives[0].config.position: there is a target too; give one of them"),
		bad("half a place", define(`"type":"reach","config":{"position":[0,0]}`, ""), "objectives[0].config.position: must have 3 items, got 2"),
		bad("no size", define(`"type":"reach","target":"ent_0","config":{"radius":0}`, ""), "objectives[0].config.radius: must be above 0, got 0"),
		bad("when to talk", define(`"type":"talk","config":{"on":"begun"}`, ""), `objectives[0].config.on: must be "started" or "ended", got "begun"`),
		bad("a long event", define(`"type":"custom","config":{"event":"`+strings.Repeat("x", 129)+`"}`, ""), "objectives[0].config.event: must have at most 128 characters"),
		bad("an event that is none", define(`"type":"custom","config":{"event":5}`, ""), "objectives[0].config.event: must be a string, got 5"),
		bad("a way that is none", define(talking, `,"config":{"turnIn":"yes"}`), `config.turnIn: must be true or false, got the string "yes"`),
		bad("items that are none", define(talking, `,"rewards":{"items":["coin"]}`), `rewards.items[0]: must be an object with itemId (optional: quantity), got the string "coin"`),
		bad("too many items", define(talking, `,"rewards":{"items":[`+strings.TrimSuffix(strings.Repeat(`{"itemId":"coin"},`, 17), ",")+`]}`), "rewards.items: must have at most 16 items, got 17"),
		bad("half a point", define(talking, `,"rewards":{"xp":1.5}`), "rewards.xp: must be a whole number from 1 on: how much experience"),
		bad("no points", define(talking, `,"rewards":{"xp":0}`), "rewards.xp: must be a whole number from 1 on: how much experience"),
		bad("stats that are none", define(talking, `,"rewards":{"stats":{"gold":"much"}}`), `rewards.stats: must be numbers by the names of stats, {"gold":50}`),
		bad("more than there is", define(talking, `,"rewards":{"stats":{"gold":1e39,"mana":-1e40}}`), "rewards.stats.gold: must be from -3.4e+38 to 3.4e+38, got 1e+39"),
		bad("no game", define(talking, `,"rewards":{"game":{"counters":{}}}`), `rewards.game.counters: unknown field, did you mean "counter"? allowed: flag, counter, state, timer, outcome, cutscene; rewards.game.counters.name: is required: a string of from 1 to 128 characters`),
		bad("a timer without end", define(talking, `,"rewards":{"game":{"timer":{"name":"t","onComplete":"a"}}}`), "rewards.game.timer.onComplete: a timer without duration has no end"),
		bad("what is the server's to say", define(talking, `,"rewards":{"event":"quest.completed:q"}`), "rewards.event: quest.completed:q is emitted by the server alone, when it is so: choose another name"),
		bad("a long name of an event", define(talking, `,"rewards":{"event":"`+strings.Repeat("x", 129)+`"}`), "rewards.event: must have at most 128 characters"),
	})
}

func TestOfferAcceptDecline(t *testing.T) {
	const input = `{"entity":"ent_0","questId":"q","meta":{"a":1}}`
	const yes = `{"ok":true}`
	no := func(reason string) string {
		return `{"ok":false,"reason":"` + strings.ReplaceAll(reason, `"`, `\"`) + `"}`
	}
	skilltest.Run(t, all, "quest.offer", []skilltest.Case{
		{Name: "first", Setup: skilltest.Hero(simple("q", "")), Input: input, Want: yes},
		{Name: "again", Setup: skilltest.Hero(simple("q", ""), of("offer", "q")), Input: input, Want: no(`"q" of ent_0 is available already`)},
		{Name: "while it is active", Setup: taken("q", ""), Input: input, Want: no(`"q" of ent_0 is active already`)},
		{Name: "after it was declined", Setup: skilltest.Hero(simple("q", ""), of("offer", "q"), of("decline", "q")), Input: input, Want: yes},
		{Name: "after it has failed", Setup: taken("q", "", of("fail", "q")), Input: input, Want: yes},
		{Name: "after it was completed", Setup: taken("q", "", force("q")), Input: input, Want: no(`ent_0 has completed "q"; config {"repeatable":true} of quest.define has it offered again`)},
		{Name: "one that is repeated", Setup: taken("q", `,"config":{"repeatable":true}`, force("q")), Input: input, Want: yes},
		{Name: "what needs another", Setup: skilltest.Hero(simple("q", `,"prerequisites":["first"]`)), Input: input, Want: no(`"q" is for who has completed "first", and ent_0 has not`)},
		{Name: "what needs another that is completed", Setup: taken("first", "", force("first"), simple("q", `,"prerequisites":["first"]`)), Input: input, Want: yes},
		{Name: "too many", Setup: skilltest.Hero(append(open(quest.MaxOpen), simple("q", ""))...), Input: input, Code: registry.CodeCapacityExceeded, Err: "ent_0 has 16 quests that are available or active, which is the most: quest.decline or quest.fail ends one"},
		{Name: "none", Setup: skilltest.Hero(), Input: input, Err: `unknown quest "q"; there is none: quest.define makes one`},
		{Name: "another", Setup: skilltest.Hero(simple("goblins", "")), Input: input, Err: `unknown quest "q"; there is "goblins"`},
		{Name: "nobody", Setup: skilltest.Hero(simple("q", "")), Input: `{"entity":"ent_9","questId":"q"}`, Err: "unknown entity ent_9; the nearest are ent_0"},
	})
	skilltest.Run(t, all, "quest.accept", []skilltest.Case{
		{Name: "what is offered", Setup: skilltest.Hero(simple("q", ""), of("offer", "q")), Input: input, Want: yes},
		{Name: "what is not", Setup: skilltest.Hero(simple("q", "")), Input: input, Want: no(`ent_0 was not offered "q": quest.offer offers it`)},
		{Name: "again", Setup: taken("q", ""), Input: input, Want: no(`ent_0 has "q" accepted already; quest.fail ends it`)},
		{Name: "what has failed", Setup: taken("q", "", of("fail", "q")), Input: input, Want: no(`"q" of ent_0 is failed`)},
		{Name: "what needs another by now", Setup: skilltest.Hero(simple("q", ""), of("offer", "q"), simple("q", `,"prerequisites":["first"]`)), Input: input, Want: no(`"q" is for who has completed "first", and ent_0 has not`)},
		{Name: "nobody", Setup: skilltest.Hero(simple("q", "")), Input: `{"entity":"ent_9","questId":"q"}`, Err: "unknown entity ent_9; the nearest are ent_0"},
	})
	for _, skill := range []string{"decline", "fail", "track"} {
		skilltest.Run(t, all, "quest."+skill, []skilltest.Case{
			{Name: "what is not there", Setup: skilltest.Hero(simple("q", "")), Input: input, Want: no(`ent_0 was not offered "q": quest.offer offers it`)},
			{Name: "what is over", Setup: taken("q", "", force("q")), Input: input, Want: no(`"q" of ent_0 is completed`)},
			{Name: "none", Setup: skilltest.Hero(), Input: input, Err: `unknown quest "q"; there is none: quest.define makes one`},
		})
	}
	skilltest.Run(t, all, "quest.decline", []skilltest.Case{
		{Name: "what is offered", Setup: skilltest.Hero(simple("q", ""), of("offer", "q")), Input: input, Want: yes, Check: lists(`{"quests":[]}`)},
		{Name: "what is accepted", Setup: taken("q", ""), Input: input, Want: no(`ent_0 has "q" accepted already; quest.fail ends it`)},
		{
			Name: "what was completed before", Setup: taken("q", `,"config":{"repeatable":true}`, force("q"), of("offer", "q")), Input: input, Want: yes,
			Check: lists(`{"quests":[{"questId":"q","name":"N","status":"completed","objectives":[{"id":"do","progress":2,"required":2,"completed":true}],"tracked":false,"offeredTick":0,"completedTick":0}]}`),
		},
	})
	skilltest.Run(t, all, "quest.fail", []skilltest.Case{
		{Name: "what is active", Setup: taken("q", ""), Input: input, Want: yes, Check: lists(`{"quests":[{"questId":"q","name":"N","status":"failed","objectives":[{"id":"do","progress":0,"required":2,"completed":false}],"tracked":false,"offeredTick":0,"acceptedTick":0,"failedTick":0}]}`)},
		{Name: "what is offered", Setup: skilltest.Hero(simple("q", ""), of("offer", "q")), Input: input, Want: no(`"q" is offered to ent_0, who has not accepted it: quest.accept accepts it`)},
	})
	skilltest.Run(t, all, "quest.track", []skilltest.Case{
		{Name: "what is active", Setup: taken("q", ""), Input: input, Want: yes},
		{Name: "again", Setup: taken("q", "", of("track", "q")), Input: input, Want: yes},
		{
			Name: "another", Setup: taken("first", "", of("track", "first"), simple("q", ""), of("offer", "q"), of("accept", "q")), Input: input, Want: yes,
			Check: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				if out := s.Must(t, p, "quest.list", `{"entity":"ent_0"}`); strings.Count(out, `"tracked":true`) != 1 || strings.Index(out, `"tracked":true`) < strings.Index(out, `"questId":"q"`) {
					t.Errorf("tracked is %s", out)
				}
			},
		},
	})
	skilltest.Run(t, all, "quest.list", []skilltest.Case{
		{Name: "none", Setup: skilltest.Hero(), Input: `{"entity":"ent_0","meta":{"a":1}}`, Want: `{"quests":[]}`},
		{
			Name: "an active one", Setup: taken("q", "", of("track", "q"), simple("r", ""), of("offer", "r")), Input: `{"entity":"ent_0","status":"active"}`,
			Want: `{"quests":[{"questId":"q","name":"N","status":"active","objectives":[{"id":"do","description":"d","progress":0,"required":2,"completed":false}],"tracked":true,"offeredTick":0,"acceptedTick":0}]}`,
		},
		{Name: "nobody", Setup: skilltest.Hero(), Input: `{"entity":"ent_9"}`, Err: "unknown entity ent_9; the nearest are ent_0"},
	})
}

// force completes a quest of ent_0.
func force(id string) [2]string {
	return [2]string{"quest.complete", `{"entity":"ent_0","force":true,"questId":"` + id + `"}`}
}

// open is n quests that are offered to ent_0.
func open(n int) (calls [][2]string) {
	for i := range n {
		id := string(rune('a' + i))
		calls = append(calls, simple(id+id, ""), of("offer", id+id))
	}
	return calls
}

// lists checks what quest.list says of ent_0.
func lists(want string) func(testing.TB, *skilltest.Server, *profiles.Principal) {
	return func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
		t.Helper()
		if got := s.Must(t, p, "quest.list", `{"entity":"ent_0"}`); got != want {
			t.Errorf("the quests are\n%s\nwant\n%s", got, want)
		}
	}
}

func TestUpdateAndComplete(t *testing.T) {
	update := func(progress string) string {
		return `{"entity":"ent_0","questId":"q","objectiveId":"do","progress":` + progress + `,"meta":{"a":1}}`
	}
	reward := `,"rewards":{"xp":30,"title":"Hero"},"followUpQuests":["none","next"]`
	next := simple("next", "")
	skilltest.Run(t, all, "quest.update", []skilltest.Case{
		{Name: "a part", Setup: taken("q", reward), Input: update("1"), Want: `{"ok":true,"completed":false,"questCompleted":false,"rewards":{},"followUpQuests":[]}`},
		{Name: "all of it", Setup: taken("q", reward, next), Input: update("2"), Want: `{"ok":true,"completed":true,"questCompleted":true,"rewards":{"xp":30,"title":"Hero"},"followUpQuests":["next"]}`},
		{Name: "more than that", Setup: taken("q", reward, next), Input: update("9007199254740991"), Want: `{"ok":true,"completed":true,"questCompleted":true,"rewards":{"xp":30,"title":"Hero"},"followUpQuests":["next"]}`},
		{Name: "nothing", Setup: taken("q", reward), Input: update("0"), Want: `{"ok":true,"completed":false,"questCompleted":false,"rewards":{},"followUpQuests":[]}`},
		{Name: "of one that is turned in", Setup: taken("q", `,"config":{"turnIn":true}`), Input: update("2"), Want: `{"ok":true,"completed":true,"questCompleted":false,"rewards":{},"followUpQuests":[]}`},
		{Name: "of one that is not accepted", Setup: skilltest.Hero(simple("q", ""), of("offer", "q")), Input: update("1"), Want: `{"ok":false,"reason":"\"q\" is offered to ent_0, who has not accepted it: quest.accept accepts it","completed":false,"questCompleted":false,"rewards":{},"followUpQuests":[]}`},
		{Name: "of another", Setup: taken("q", ""), Input: strings.Replace(update("1"), `"do"`, `"done"`, 1), Err: `there is no objective "done" in "q"; there is "do"`},
		{Name: "of none", Setup: skilltest.Hero(), Input: update("1"), Err: `unknown quest "q"; there is none: quest.define makes one`},
	})
	const input = `{"entity":"ent_0","questId":"q","meta":{"a":1}}`
	skilltest.Run(t, all, "quest.complete", []skilltest.Case{
		{Name: "too early", Setup: taken("q", reward), Input: input, Want: `{"ok":false,"reason":"\"do\" is at 0 of 2; force completes it nevertheless","rewards":{},"followUpQuests":[]}`},
		{Name: "by force", Setup: taken("q", reward, next), Input: force("q")[1], Want: `{"ok":true,"rewards":{"xp":30,"title":"Hero"},"followUpQuests":["next"]}`},
		{Name: "one that is turned in", Setup: taken("q", `,"config":{"turnIn":true}`, [2]string{"quest.update", update("2")}), Input: input, Want: `{"ok":true,"rewards":{},"followUpQuests":[]}`},
		{Name: "again", Setup: taken("q", "", force("q")), Input: input, Want: `{"ok":false,"reason":"\"q\" of ent_0 is completed","rewards":{},"followUpQuests":[]}`},
		{
			Name: "what cannot be given", Setup: taken("q", `,"rewards":{"stats":{"hp":5},"xp":1}`), Input: force("q")[1],
			Want: `{"ok":true,"rewards":{"stats":{"hp":5},"xp":1},"followUpQuests":[],"missed":["rewards.stats: ent_0 has no stats: stats.create gives it some"]}`,
		},
		{Name: "none", Setup: skilltest.Hero(), Input: input, Err: `unknown quest "q"; there is none: quest.define makes one`},
	})
}

// TestWhoMay calls as those who may not author, for their own body and for others'.
func TestWhoMay(t *testing.T) {
	for _, skill := range []string{"offer", "complete", "fail"} {
		skilltest.Needs(t, all, "quest."+skill, of(skill, "q")[1], "quest.write", "builder.readWrite", "game.author")
	}
	for _, skill := range []string{"accept", "decline", "track"} {
		skilltest.Needs(t, all, "quest."+skill, of(skill, "q")[1], "quest.read", "builder.readWrite", "game.author", "player.full", "player.limited")
	}
	skilltest.Needs(t, all, "quest.update", `{"entity":"ent_0","questId":"q","objectiveId":"o","progress":1}`, "quest.write", "builder.readWrite", "game.author")
	skilltest.Needs(t, all, "quest.define", define(talking, ""), "quest.configure", "builder.readWrite", "game.author")
	skilltest.Needs(t, all, "quest.list", `{"entity":"ent_0"}`, "quest.read", "builder.readWrite", "game.author", "player.full", "player.limited")

	r := newRoom(t)
	r.Do("agent.embody", `{}`) // ent_1
	bob := &profiles.Principal{Kind: profiles.KindAgent, ID: "bob", Session: "bob's", Grants: profiles.Grant("quest.read", "quest.write", "agent.write")}
	r.Must(t, bob, "agent.embody", `{}`) // ent_2
	r.Do("quest.define", `%s`, simple("q", "")[1])
	for _, call := range [][2]string{{"offer", ""}, {"accept", ""}, {"track", ""}, {"update", `,"objectiveId":"do","progress":1`}, {"complete", `,"force":true`}} {
		for _, entity := range []string{"ent_0", "ent_1", "ent_2"} {
			input := `{"questId":"q","entity":"` + entity + `"` + call[1] + `}`
			_, err := r.Call(bob, "quest."+call[0], input)
			if may := entity != "ent_1" || call[0] == "offer"; (err == nil) != may || err != nil && err.Code != registry.CodeForbidden {
				t.Errorf("bob, quest.%s %s: %v", call[0], input, err)
			}
		}
		if call[0] != "offer" {
			r.Do("quest."+call[0], `{"questId":"q","entity":"ent_1"%s}`, call[1])
		}
	}
}

// TestPlayers has who only plays decide about what is offered to him, and about nothing else.
func TestPlayers(t *testing.T) {
	r := newRoom(t)
	bob, cleo := skilltest.Caller(t, "bob", "player.limited"), skilltest.Caller(t, "cleo", "player.full")
	r.Must(t, bob, "player.spawn", `{"position":[0,2,3]}`)  // ent_1
	r.Must(t, cleo, "player.spawn", `{"position":[3,2,0]}`) // ent_2
	for _, id := range []string{"dig", "mow"} {
		r.Do("quest.define", `%s`, simple(id, "")[1])
		for i := range 3 {
			r.Do("quest.offer", `{"entity":"ent_%d","questId":%q}`, i, id)
		}
	}
	log := func(entity, want string) {
		t.Helper()
		if got := r.log(entity); got != want {
			t.Errorf("%s has %s, want %s", entity, got, want)
		}
	}
	r.Must(t, bob, "quest.accept", `{"questId":"dig"}`)
	r.Must(t, bob, "quest.track", `{"entity":"ent_1","questId":"dig"}`)
	r.Must(t, bob, "quest.decline", `{"questId":"mow"}`)
	log("ent_1", "dig active do 0/2*")
	for _, skill := range []string{"accept", "decline", "track"} {
		for _, entity := range []string{"ent_0", "ent_2"} { // nobody's, and another's
			_, err := r.Call(bob, "quest."+skill, `{"entity":"`+entity+`","questId":"dig"}`)
			if err == nil || err.Code != registry.CodeForbidden {
				t.Errorf("bob, quest.%s of %s: %v", skill, entity, err)
			}
		}
	}
	if _, err := r.Call(bob, "quest.accept", `{"entity":"ent_0","questId":"dig"}`); err == nil || err.Message != "entity: ent_0 is neither your body nor a character of yours, and for others decides who has the permission quest.write: leave it out to decide for yourself" {
		t.Errorf("for nobody's: %v", err)
	}
	log("ent_2", "dig available do 0/2; mow available do 0/2")
}
