package skills_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

// newStage is a server with the whole catalogue, on which ann may do everything.
func newStage(t testing.TB) *skilltest.Room {
	t.Helper()
	r := skilltest.Build(t, func(s *skilltest.Server) []registry.Skill {
		return skills.All(skills.Deps{World: s.World, Agents: s.Agents, Registry: s.Registry})
	}).Room(t)
	r.Ann = god("ann")
	return r
}

// TestCallSkills has the server call skills when somebody walks into a zone, hears an event or has no health left, as whoever wants it so.
func TestCallSkills(t *testing.T) {
	r := newStage(t)
	for _, call := range [][2]string{
		{"scene.createEntity", `{"position":[0,0,0]}`},
		{"stats.create", `{"entity":"ent_0","stats":[{"name":"hp","value":100}]}`},
		{"inventory.create", `{"entity":"ent_0"}`},
		{"item.define", `{"id":"coin","name":"Coin"}`},
		{"trigger.create", `{"center":[10,0,0],"size":[1,1,1]}`},
		{"trigger.onEnter", `{"triggerId":"trg_0","action":{"type":"call","target":"damage.apply","data":{"targetEntity":"$entity","amount":30,"type":"fire"}}}`},
		{"trigger.onEnter", `{"triggerId":"trg_0","action":{"type":"call","target":"inventory.add","data":{"entity":"$entity","itemId":"coin"}}}`},
		{"trigger.onEnter", `{"triggerId":"trg_0","action":{"type":"call","target":"inventory.add","data":{"entity":"$entity","itemId":"gem"}}}`},
		{"trigger.onEnter", `{"triggerId":"trg_0","action":{"type":"setState","data":{"game":{"state":{"name":"last","value":"$entity"}}}}}`},
	} {
		r.Do(call[0], "%s", call[1])
	}
	r.Heard()
	r.Do("three.setTransform", `{"entity":"ent_0","position":[10,0,0]}`)
	r.Steps(1)
	if got := r.Do("stats.get", `{"entity":"ent_0","statName":"hp"}`); !strings.Contains(got, `"value":70`) {
		t.Errorf("after the lava: %s", got)
	}
	if got := r.Do("inventory.list", `{"entity":"ent_0"}`); !strings.Contains(got, `"coin"`) {
		t.Errorf("it carries %s", got)
	}
	if got := r.Do("game.state", `{"name":"last"}`); !strings.Contains(got, `"value":"ent_0"`) {
		t.Errorf("who was last in the lava: %s", got)
	}
	want := `trigger.failed {"triggerId":"trg_0","on":"enter","entity":"ent_0","type":"call","target":"inventory.add","by":"ann","error":"unknown item \"gem\"; there is coin; item.define makes a new one"}`
	if got := r.Heard(); !slices.Contains(got, want) {
		t.Errorf("viewers are told\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	if got := r.Do("game.rules", `{"mentions":"gem"}`); !strings.Contains(got, `"failed":1,"lastError":"unknown item \"gem\"; there is coin; item.define makes a new one"`) {
		t.Errorf("of what has failed the rules tell %s", got)
	}
	if said := r.Do("audit.query", `{"cap":"damage.apply"}`); !strings.Contains(said, `"agentId":"ann"`) {
		t.Errorf("the trace says %s", said)
	}
	r.Steps(100)
	if got := r.Do("stats.get", `{"entity":"ent_0","statName":"hp"}`); !strings.Contains(got, `"value":70`) {
		t.Errorf("later: %s", got)
	}
}

// TestCallForTheActor gives who pulls a lever what he has earned.
func TestCallForTheActor(t *testing.T) {
	r := newStage(t)
	for _, call := range [][2]string{
		{"scene.createEntity", `{}`},
		{"scene.createEntity", `{}`},
		{"inventory.create", `{"entity":"ent_1"}`},
		{"item.define", `{"id":"coin","name":"Coin"}`},
		{"interaction.register", `{"entity":"ent_0","prompt":"Pull","type":"toggle","action":"pulled"}`},
		{"event.listen", `{"eventName":"pulled","action":{"type":"call","target":"inventory.add","data":{"entity":"$actor","itemId":"coin"}}}`},
		{"behavior.define", `{"id":"bird","name":"Bird","reactions":[{"trigger":"pulled","action":{"type":"setState","data":{"game":{"state":{"name":"seen","value":"$actor"}}}}}]}`},
		{"scene.createEntity", `{}`},
		{"behavior.assign", `{"entity":"ent_2","profileId":"bird"}`},
		{"interaction.interact", `{"entity":"ent_0","actorEntity":"ent_1"}`},
	} {
		r.Do(call[0], "%s", call[1])
	}
	r.Steps(3)
	if got := r.Do("inventory.list", `{"entity":"ent_1"}`); !strings.Contains(got, `"coin"`) {
		t.Errorf("who has pulled carries %s", got)
	}
	if got := r.Do("game.state", `{"name":"seen"}`); got != `{"value":"ent_1"}` {
		t.Errorf("the bird has seen %s", got)
	}
}

// TestCallCheckpoint goes back by itself to where a hero was when he has lost.
func TestCallCheckpoint(t *testing.T) {
	r := newStage(t)
	for _, call := range [][2]string{
		{"scene.createEntity", `{"position":[0,0,0]}`},
		{"stats.create", `{"entity":"ent_0","stats":[{"name":"hp","value":20}]}`},
		{"stats.onZero", `{"entity":"ent_0","statName":"hp","action":{"type":"emit","target":"dead"}}`},
		{"event.listen", `{"eventName":"dead","action":{"type":"call","target":"checkpoint.load","data":{"name":"start"}}}`},
		{"event.listen", `{"eventName":"dead","action":{"type":"call","target":"game.counter","data":{"name":"lives","action":"decrement"}}}`},
		{"game.counter", `{"name":"lives","action":"set","value":3}`},
		{"checkpoint.create", `{"name":"start"}`},
		{"three.setTransform", `{"entity":"ent_0","position":[50,0,0]}`},
		{"scene.createEntity", `{}`},
		{"damage.apply", `{"targetEntity":"ent_0","amount":20}`},
	} {
		r.Do(call[0], "%s", call[1])
	}
	r.Steps(3)
	got := r.Do("scene.inspect", `{}`) + r.Do("stats.get", `{"entity":"ent_0","statName":"hp"}`) + r.Do("game.counter", `{"name":"lives"}`)
	for _, want := range []string{`"position":[0,0,0]`, `"value":20`, `{"value":2}`} {
		if !strings.Contains(got, want) {
			t.Errorf("after his death nothing is %s: %s", want, got)
		}
	}
	if n := r.Len(); n != 1 {
		t.Errorf("there are %d entities", n)
	}
}

// TestCallCheckpointAgain has a hero die again as soon as he is back: he goes back again a second after the first time, and meanwhile what others' actions call, and they themselves, does not wait.
func TestCallCheckpointAgain(t *testing.T) {
	r := newStage(t)
	for _, call := range [][2]string{
		{"game.counter", `{"name":"seen","action":"set","value":0}`},
		{"event.listen", `{"eventName":"dead","action":{"type":"call","target":"checkpoint.load","data":{"name":"start"}}}`},
		{"event.listen", `{"eventName":"seen","action":{"type":"call","target":"game.counter","data":{"name":"seen","action":"increment"}}}`},
		{"checkpoint.create", `{"name":"start"}`},
	} {
		r.Do(call[0], "%s", call[1])
	}
	is := func(when string, entities int, seen string) {
		t.Helper()
		if got := r.Do("game.counter", `{"name":"seen"}`); r.Len() != entities || got != `{"value":`+seen+`}` {
			t.Errorf("%s: %d entities, want %d; seen %s, want %s", when, r.Len(), entities, got, seen)
		}
	}
	r.Do("scene.createEntity", `{}`)
	r.Do("event.emit", `{"eventName":"dead"}`)
	r.Steps(2)
	is("when he has died", 0, "0")
	r.Do("scene.createEntity", `{}`)
	r.Do("event.emit", `{"eventName":"dead"}`)
	for range 30 {
		r.Do("event.emit", `{"eventName":"dead"}`) // all that waits is gone with the world that it waits in
	}
	r.Do("event.emit", `{"eventName":"seen"}`)
	r.Steps(40)
	is("when he has died again", 1, "1")
	r.Heard()
	r.Steps(25)
	is("a second after the first time", 0, "0")
	r.Do("scene.createEntity", `{}`)
	r.Steps(200)
	is("later", 1, "0")
	r.Do("event.emit", `{"eventName":"dead"}`)
	r.Steps(2)
	r.Do("scene.createEntity", `{}`)
	r.Do("checkpoint.load", `{"name":"start"}`)
	is("by hand", 0, "0")
	for _, said := range r.Heard() {
		if strings.Contains(said, "failed") {
			t.Errorf("they are told %s", said)
		}
	}
}

// TestCallRefused tells whoever attaches an action that calls what is wrong with it: later nobody is there to be told.
func TestCallRefused(t *testing.T) {
	r := newStage(t)
	ann, author := r.Ann, skilltest.Caller(t, "ada", "game.author")
	for _, tt := range []struct {
		who               *profiles.Principal
		target, data, err string
	}{
		{ann, "damage.aply", `{}`, "not_found action.target: unknown skill: damage.aply. Nearest: damage.apply"},
		{ann, "", `{"skill":"damage.apply"}`, `invalid_input action.target: is the name of the skill to call, such as "damage.apply"; data is its input`},
		{ann, "damage.apply", `{"amount":"much"}`, `invalid_input action.data.amount: must be a number greater than 0, got the string "much"; action.data.targetEntity: is required`},
		{ann, "damage.apply", `{"targetEntity":"$entity","amount":1,"colour":1}`, "invalid_input action.data.colour: unknown field"},
		{ann, "stats.get", `{"entity":"$entity","statName":"hp"}`, "invalid_input action.target: stats.get only reads, and nobody would get its answer"},
		{ann, "world.batch", `{"operations":[]}`, "invalid_input action.target: world.batch takes long, and a simulation step waits for nobody; attach an action for each of its calls, or scene.forEach, if it is the same for several entities"},
		{ann, "scene.forEach", `{"tag":"coin","skill":"three.setMaterial","input":{"color":255}}`, ""},
		{ann, "scene.forEach", `{"tag":"coin","skill":"scene.destroyEntity"}`, ""},
		{ann, "scene.forEach", `{"tag":"coin"}`, "invalid_input action.data.skill: is required"},
		{ann, "scene.forEach", `{"tag":"coin","skill":"three.setMaterials"}`, "not_found action.data.skill: unknown skill: three.setMaterials. Nearest: three.setMaterial"},
		{ann, "scene.forEach", `{"tag":"coin","skill":"stats.modify","input":{"statName":"hp"}}`, "invalid_input action.data.input.delta: is required"},
		{ann, "scene.forEach", `{"tag":"coin","skill":"scene.render"}`, "invalid_input action.data.skill: scene.render only reads"},
		{ann, "scene.forEach", `{"tag":"coin","skill":"world.batch"}`, "invalid_input action.data.skill: world.batch takes long"},
		{author, "scene.forEach", `{"tag":"coin","skill":"scene.destroyEntity"}`, "forbidden missing permission: scene.write, which an action that calls scene.forEach needs"},
		{ann, "world.undo", `{}`, "invalid_input action.target: no action calls world.undo: a step has nothing of yours to take back"},
		{ann, "skills.call", `{"name":"game.win"}`, "invalid_input action.target: no action calls skills.call: name the skill itself"},
		{author, "inventory.add", `{"entity":"$entity","itemId":"x"}`, "forbidden missing permission: inventory.write, which an action that calls inventory.add needs"},
		{author, "game.win", `{}`, ""},
	} {
		_, err := r.Call(tt.who, "event.listen", fmt.Sprintf(`{"eventName":"go","action":{"type":"call","target":%q,"data":%s}}`, tt.target, tt.data))
		got := ""
		if err != nil {
			got = string(err.Code) + " " + err.Message
		}
		if tt.err == "" && got != "" || !strings.HasPrefix(got, tt.err) {
			t.Errorf("%s %s: %s, want %s", tt.target, tt.data, got, tt.err)
		}
	}
}

// TestForEachInStep has actions do the same to all that have a tag, so many in a step, and no more than one does.
func TestForEachInStep(t *testing.T) {
	r := newStage(t)
	for i := range 50 {
		r.Do("scene.createEntity", `{"position":[%d,0,0],"tags":["coin"]}`, i)
	}
	for range 3 {
		r.Do("event.listen", `{"eventName":"go","action":{"type":"call","target":"scene.forEach","data":{"tag":"coin","skill":"stats.create","input":{"keep":true,"stats":[{"name":"worth","value":"$(1 + counter(\"n\"))"}]}}}}`)
	}
	r.Do("event.listen", `{"eventName":"go","action":{"type":"call","target":"game.flag","data":{"name":"last","value":true}}}`)
	r.Do("event.emit", `{"eventName":"go"}`)
	steps := 0
	for ; steps < 10 && !strings.Contains(r.Do("game.flag", `{"name":"last"}`), "true"); steps++ {
		if steps == 1 {
			if got := r.Do("stats.get", `{"entity":"ent_49","statName":"worth"}`); !strings.Contains(got, `"value":1`) {
				t.Errorf("after the first step the last coin has %s", got)
			}
		}
		r.Steps(1)
	}
	if steps != 2 { // 50 and 50, 50 and the flag
		t.Errorf("what comes after 150 is done in step %d", steps)
	}
	fails := func(input, want string) {
		t.Helper()
		r.Do("event.listen", `{"eventName":"fail","action":{"type":"call","target":"scene.forEach","data":%s}}`, input)
		r.Heard()
		r.Do("event.emit", `{"eventName":"fail"}`)
		r.Steps(2)
		if got := strings.Join(r.Heard(), "\n"); !strings.Contains(got, want) {
			t.Errorf("%s: viewers are told %s, want %s", input, got, want)
		}
	}
	for i := range 20 {
		r.Do("scene.createEntity", `{"position":[%d,0,0],"tags":["coin"]}`, i)
	}
	fails(`{"tag":"coin","skill":"scene.destroyEntity"}`, "70 entities match, and an action does it for 64 at most: say more exactly which are meant")
	fails(`{"tag":"coin","limit":65,"skill":"scene.destroyEntity"}`, "limit: an action does it for 64 at most")
	r.Do("event.listen", `{"eventName":"clear","action":{"type":"call","target":"scene.forEach","data":{"tag":"coin","near":[0,0,0],"radius":3.5,"skill":"scene.destroyEntity"}}}`)
	r.Do("event.emit", `{"eventName":"clear"}`)
	r.Steps(2)
	if got := r.Do("scene.inspect", `{}`); !strings.Contains(got, `:62`) {
		t.Errorf("of 70 without the 8 near by there are %s", got)
	}
}

// TestCallsEnd has calls bring each other about, and more of them than a step makes.
func TestCallsEnd(t *testing.T) {
	r := newStage(t)
	r.Do("event.listen", `{"eventName":"round","action":{"type":"call","target":"event.emit","data":{"eventName":"round"}}}`)
	r.Heard()
	r.Do("event.emit", `{"eventName":"round"}`)
	r.Steps(200)
	got := r.Heard()
	if last := got[len(got)-1]; len(got) > 70 || !strings.Contains(last, "64 events have led to one another") {
		t.Errorf("%d moments, the last %s", len(got), last)
	}
	const listeners, events = 10, 60
	for range listeners {
		r.Do("event.listen", `{"eventName":"many","action":{"type":"call","target":"game.counter","data":{"name":"n","action":"increment"}}}`)
	}
	for range events {
		r.Do("event.emit", `{"eventName":"many"}`)
	}
	r.Heard()
	for i := range 10 {
		if i == 3 { // what waits is there again
			r.Do("checkpoint.create", `{"name":"now"}`)
			r.Steps(2)
			r.Do("checkpoint.load", `{"name":"now"}`)
		}
		r.Steps(1)
		done := min((i+1)*64, 512)
		if got, want := r.Do("game.counter", `{"name":"n"}`), fmt.Sprintf(`{"value":%d}`, done); got != want {
			t.Errorf("after %d steps: %s, want %s", i+1, got, want)
		}
	}
	if n := strings.Count(strings.Join(r.Heard(), "\n"), "512 calls of your actions wait to be made, 64 in a step, which is the most"); n != listeners*events-512 {
		t.Errorf("%d calls are told not to be made, want %d", n, listeners*events-512)
	}
}

// TestCallsTakeTurns: who has hundreds of calls wait keeps nobody else's from being made in the next step.
func TestCallsTakeTurns(t *testing.T) {
	r := newStage(t)
	bob := god("bob")
	for range 10 {
		r.Do("event.listen", `{"eventName":"many","action":{"type":"call","target":"game.counter","data":{"name":"anns","action":"increment"}}}`)
	}
	r.Must(t, bob, "event.listen", `{"eventName":"one","action":{"type":"call","target":"game.counter","data":{"name":"bobs","action":"increment"}}}`)
	for range 40 {
		r.Do("event.emit", `{"eventName":"many"}`)
	}
	r.Must(t, bob, "event.emit", `{"eventName":"one"}`)
	r.Steps(1)
	if anns, bobs := r.Do("game.counter", `{"name":"anns"}`), r.Do("game.counter", `{"name":"bobs"}`); anns != `{"value":63}` || bobs != `{"value":1}` {
		t.Errorf("after a step %s of ann's calls are made and %s of bob's, want 63 and 1", anns, bobs)
	}
}

// TestTheDocsCalls makes the world of docs/games.md, and has somebody die in its lava.
func TestTheDocsCalls(t *testing.T) {
	r := newStage(t)
	r.Example(t, r.Ann, "../docs/games.md", "## What the server calls")
	r.Do("three.setTransform", `{"entity":"ent_0","position":[9,0,0]}`)
	for seconds, want := range []string{`"value":60`, `"value":20`, `"value":100`} {
		r.Steps(60)
		if got := r.Do("stats.get", `{"entity":"ent_0","statName":"hp"}`); !strings.Contains(got, want) {
			t.Errorf("after %d s: %s, want %s", seconds+1, got, want)
		}
	}
	if got, want := fmt.Sprint(r.At(t, "ent_0")), "[0 0 0]"; got != want {
		t.Errorf("it is at %s, want %s", got, want)
	}
}
