package skills_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

// An instance that follows a path of the world itself is on that, wherever it is made, and begins at the place of it that is nearest; one whose prefab makes the
// path has it beside itself. Who guards does so where he was put.
func TestInstancesSetOff(t *testing.T) {
	r := moving(t)
	r.Do("animation.authorPath", `{"id":"lane","points":[[-20,0.1,-10],[-20,0.1,10]],"smooth":false}`)
	r.Do("prefab.define", `{"name":"creep","operations":[
		{"skill":"animation.follow","input":{"entity":"$self.entity","pathId":"lane","speed":2,"acceleration":0,"ends":"stop"}},
		{"skill":"scene.createEntity","input":{"shape":"sphere","size":0.8,"position":[0,0.4,0]}}]}`)
	on := func(id string, at world.Vec3) {
		t.Helper()
		is := r.At(t, id)
		if d := is.Sub(at); d.Len() > 0.05 {
			t.Errorf("%s is at %v, want %v", id, is, at)
		}
	}
	atOnce := entityOf(t, r.Do("prefab.instantiate", `{"name":"creep"}`))
	there := entityOf(t, r.Do("prefab.instantiate", `{"name":"creep","position":[-20,0,6]}`))
	on(atOnce, world.Vec3{-20, 0.1, 0})
	on(there, world.Vec3{-20, 0.1, 6})
	r.Steps(60)
	on(atOnce, world.Vec3{-20, 0.1, 2})
	on(there, world.Vec3{-20, 0.1, 8})

	r.Do("prefab.define", `{"name":"swing","operations":[
		{"skill":"animation.authorPath","input":{"id":"way:$self.entity","points":[[0,1,0],[4,1,0]],"smooth":false}},
		{"skill":"scene.createEntity","input":{}},
		{"skill":"animation.follow","input":{"entity":"$self.entity","pathId":"way:$self.entity","speed":1,"acceleration":0}}]}`)
	own := entityOf(t, r.Do("prefab.instantiate", `{"name":"swing","position":[50,0,0]}`))
	r.Steps(180) // it waits for 2 s first
	if at := r.At(t, own); math.Abs(at[0]-51) > 0.05 {
		t.Errorf("on a path of its own it is at %v", at)
	}

	hero := entityOf(t, r.Do("scene.createEntity", `{"position":[30,0,32]}`))
	r.Do("behavior.define", `{"id":"sentry","name":"Sentry","goals":[{"id":"g","type":"guard","config":{"radius":5,"speed":3}}]}`)
	r.Do("prefab.define", `{"name":"sentry","operations":[{"skill":"scene.createEntity","input":{}},{"skill":"behavior.assign","input":{"entity":"$self.entity","profileId":"sentry"}}]}`)
	sentry := entityOf(t, r.Do("prefab.instantiate", `{"name":"sentry","position":[30,0,30]}`))
	r.Do("npc.setAttitude", `{"entity":%q,"towardEntity":%q,"attitude":"hostile"}`, sentry, hero)
	r.Do("three.setTransform", `{"entity":%q,"position":[30,0,60]}`, hero)
	r.Steps(600)
	on(sentry, world.Vec3{30, 0, 30})
}

// A condition sees what all actions of one event, or of one zone, have made of the game, and nothing in between: a wave begins and has enemies left, and is not over.
func TestConditionsSeeTheWhole(t *testing.T) {
	r := room(t)
	r.Do("game.counter", `{"name":"over","action":"set","value":0}`)
	r.Do("game.condition", `{"name":"c","expression":"counter(\"wave\") > 0 and counter(\"left\") == 0","onTrue":"cleared"}`)
	set := func(counter string, value int) string {
		return fmt.Sprintf(`{"type":"setState","data":{"game":{"counter":{"name":%q,"action":"set","value":%d}}}}`, counter, value)
	}
	r.Do("event.listen", `{"eventName":"cleared","action":{"type":"setState","data":{"game":{"counter":{"name":"over"}}}}}`)
	r.Do("trigger.create", `{"center":[0,0,0],"size":[1,1,1]}`)
	for _, a := range []string{set("wave", 1), set("left", 6)} {
		r.Do("event.listen", `{"eventName":"wave","action":%s}`, a)
		r.Do("trigger.onEnter", `{"triggerId":"trg_0","action":%s}`, a)
	}
	over := func() string { return r.Do("game.counter", `{"name":"over"}`) }
	begin := func() {
		r.Do("game.counter", `{"name":"wave","action":"set","value":0}`)
		r.Do("game.counter", `{"name":"left","action":"set","value":0}`)
	}
	r.Do("event.emit", `{"eventName":"wave"}`)
	r.Steps(4)
	if got := over(); got != `{"value":0}` {
		t.Errorf("between two listeners the wave was over: %s", got)
	}
	begin()
	r.Do("scene.createEntity", `{"position":[9,0,0]}`)
	r.Steps(2)
	r.Do("three.setTransform", `{"entity":"ent_0","position":[0,0,0]}`)
	r.Steps(4)
	if got := r.Do("game.counter", `{"name":"left"}`) + over(); got != `{"value":6}{"value":0}` {
		t.Errorf("between two actions of a zone the wave was over: %s", got)
	}
	r.Do("event.listen", `{"eventName":"kill","action":%s}`, set("left", 0))
	r.Do("event.emit", `{"eventName":"kill"}`)
	r.Steps(4)
	if got := over(); got != `{"value":1}` {
		t.Errorf("when it is over that counts as %s", got)
	}
}

// TestRace runs the example of docs/games.md: gates count in their order, and the best time is the best.
func TestRace(t *testing.T) {
	r := room(t)
	r.Example(t, r.Ann, "../docs/games.md", "### Numbers that are worked out")
	kart := "ent_0"
	stat := func(name string) string { return r.Do("stats.get", `{"entity":%q,"statName":%q}`, kart, name) }
	drive := func(seconds int, x, z float64) {
		t.Helper()
		r.Do("three.setTransform", `{"entity":%q,"position":[%v,0.5,%v]}`, kart, x, z)
		r.Steps(60 * seconds)
	}
	r.Steps(60 * 3)
	if got := r.Do("game.flag", `{"name":"green"}`); !strings.Contains(got, `"value":false`) {
		t.Errorf("it is green after %s", got)
	}
	r.Steps(10)
	if got := r.Do("game.flag", `{"name":"green"}`); got != `{"value":true}` {
		t.Fatalf("it is not green: %s", got)
	}
	drive(1, 40, 20) // the second gate first
	drive(1, 0, 0)
	if got := stat("laps"); !strings.Contains(got, `"value":0`) {
		t.Errorf("gates in another order are a lap: %s", got)
	}
	for _, seconds := range []int{4, 2, 3} {
		drive(seconds, 0, 40)
		drive(1, 40, 20)
		drive(1, 0, 0)
	}
	if got := stat("laps"); !strings.Contains(got, `"value":3`) {
		t.Errorf("three laps are %s; %q", got, r.Heard())
	}
	var best struct{ Value float64 }
	if err := json.Unmarshal([]byte(stat("best")), &best); err != nil || math.Abs(best.Value-4) > 0.1 {
		t.Errorf("the best of laps of 8, 4 and 5 s is %v (%v)", best.Value, err)
	}
}

// What an action works out is checked when it is attached, and told where it comes to nothing; prefabs and batches leave it to the action.
func TestWorkedOut(t *testing.T) {
	r := room(t)
	r.Do("game.counter", `{"name":"wave","action":"set","value":3}`)
	r.Do("prefab.define", `{"name":"creep","parameters":[{"name":"hp","default":1}],"operations":[{"skill":"stats.create","input":{"entity":"$self.entity","stats":[{"name":"hp","value":"$hp"}]}},
		{"skill":"event.listen","input":{"eventName":"hit:$self.entity","action":{"type":"setState","data":{"game":{"state":{"name":"last","value":"$(counter(\"wave\") + counter(\"of:$self.entity\") - 1)"}}}}}}]}`)
	r.Do("world.batch", `{"operations":[{"skill":"event.listen","as":"l","input":{"eventName":"go","action":{"type":"call","target":"prefab.instantiate","data":{"name":"creep","parameters":{"hp":"$(20 + counter(\"wave\") * -5 / 2)"}}}}}]}`)
	r.Do("event.emit", `{"eventName":"go"}`)
	r.Steps(2)
	if got := r.Do("stats.get", `{"entity":"ent_0","statName":"hp"}`); !strings.Contains(got, `"value":12.5`) {
		t.Errorf("a creep of the third wave has %s; %q", got, r.Heard())
	}
	r.Do("game.counter", `{"name":"of:ent_0","action":"set","value":7}`)
	r.Do("event.emit", `{"eventName":"hit:ent_0"}`)
	r.Steps(2)
	if got := r.Do("game.state", `{"name":"last"}`); !strings.Contains(got, `"value":9`) {
		t.Errorf("it has worked out %s; %q", got, r.Heard())
	}
	r.Do("event.listen", `{"eventName":"void","action":{"type":"setState","data":{"game":{"state":{"name":"x","value":"$(1 / counter(\"none\"))"}}}}}`)
	r.Heard()
	r.Do("event.emit", `{"eventName":"void"}`)
	r.Steps(2)
	if told := strings.Join(r.Heard(), "\n"); !strings.Contains(told, `$(1 / counter("none")) comes to nothing: something in it was never set, or is no number`) {
		t.Errorf("of what comes to nothing they are told %q", told)
	}
	for _, c := range []struct{ data, want string }{
		{`{"type":"setState","data":{"game":{"counter":{"name":"a","value":"$(counter(a))"}}}}`, `action.data: $( ): expression: at character 9, "a)": want a name in quotes`},
		{`{"type":"setState","data":{"game":{"counter":{"nam":"a","value":"$(1)"}}}}`, `action.data.game.counter.nam: unknown field`},
		{`{"type":"call","target":"stats.modify","data":{"entity":"$entity","statName":"a","delta":1,"by":"$(1)"}}`, `action.data.by: unknown field`},
		{`{"type":"call","target":"stats.modify","data":{"entity":"$entity","statName":"a","delta":"$(\"a\" + 1)"}}`, `what stands beside + is a number, this is a text`},
	} {
		_, err := r.Call(r.Ann, "event.listen", `{"eventName":"e","action":`+c.data+`}`)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s is answered %v, want %s", c.data, err, c.want)
		}
	}
}

// TestTowerDefence plays the example of docs/games.md with a player of the profile player.limited: it is lost without a tower, begins anew, and is won with one.
func TestTowerDefence(t *testing.T) {
	r := room(t)
	r.Example(t, r.Ann, "../docs/games.md", "### A tower defence")
	state := func() string { return r.Do("game.state", `{"name":"none"}`) }
	wait := func(what, want string, seconds int) {
		t.Helper()
		for range seconds {
			if strings.Contains(state(), `"`+want+`"`) {
				return
			}
			r.Steps(60)
		}
		t.Fatalf("%s: %s, wave %s, lives %s, gold %s; they are told %q", what, state(), r.Do("game.counter", `{"name":"wave"}`), r.Do("game.counter", `{"name":"lives"}`), r.Do("game.counter", `{"name":"gold"}`), r.Heard())
	}
	wait("without a tower", "lost", 60)
	r.Steps(60 * 11)
	if got := state(); strings.Contains(got, "lost") {
		t.Fatalf("it does not begin anew: %s", got)
	}
	if got := r.Do("scene.queryEntities", `{"tag":"prefab:creep"}`); got != `{"entities":[]}` {
		t.Errorf("of the game before there are %s", got)
	}
	bob := skilltest.Caller(t, "bob", "player.limited")
	r.Must(t, bob, "player.spawn", `{"position":[-3,1,4]}`)
	build := func() string { return r.Must(t, bob, "interaction.interact", `{"entity":"ent_0"}`) }
	if got := build(); !strings.Contains(got, `"ok":true`) {
		t.Fatalf("bob builds: %s", got)
	}
	r.Steps(2)
	if got := r.Do("game.counter", `{"name":"gold"}`) + r.Do("scene.queryEntities", `{"name":"tower"}`); !strings.HasPrefix(got, `{"value":0}`) || strings.Count(got, `"entity"`) != 1 {
		t.Errorf("for 20 gold there is %s", got)
	}
	wait("with a tower", "won", 600)
	if got := r.Do("game.counter", `{"name":"wave"}`) + r.Do("game.counter", `{"name":"gold"}`); got != `{"value":10}{"value":250}` {
		t.Errorf("after ten waves of five there are %s; they are told %q", got, r.Heard())
	}
}
