package engine_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/engine"
)

// builder makes a call that has to do what it is to, and returns what came of it; what is in want has to be in it.
func (p *place) builder(agent, skill, input string, want ...string) string {
	p.t.Helper()
	got := p.must(agent, "builder.readWrite", skill, input)
	for _, part := range want {
		if !strings.Contains(got, part) {
			p.t.Errorf("%s %s: %s, without %s", skill, input, got, part)
		}
	}
	return got
}

// gold says how much gold somebody has, and how often the bell rang.
func (p *place) gold(entity string) string {
	p.t.Helper()
	stat := p.as("ann", "builder.readWrite", "stats.get", fmt.Sprintf(`{"entity":%q}`, entity))
	_, gold, _ := strings.Cut(stat, `"name":"gold","value":`)
	gold, _, _ = strings.Cut(gold, ",")
	bell := p.builder("ann", "game.counter", `{"name":"bell"}`)
	_, bell, _ = strings.Cut(bell, `"value":`)
	return gold + " gold, bell " + strings.TrimRight(bell, "}")
}

// What a quest of somebody who is banned is done for is given once he is not any more, as often as it was done; not before, and not twice. Nothing else about it waits: it is completed, and what
// follows is offered.
func TestQuestsOfTheBanned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t, engine.Config{Always: true})
		p.builder("ann", "scene.createEntity", `{"name":"hero"}`)
		p.builder("ann", "event.listen", `{"eventName":"rang","action":`+counts("bell")+`}`)
		const errand = `{"id":"errand","name":"Errand","objectives":[{"id":"go","type":"custom","description":"Go","config":{"event":"gone"}}],"rewards":{"stats":{"gold":5},"event":"rang"},"followUpQuests":["next"],"config":{"autoAccept":true,"repeatable":true}}`
		p.builder("ann", "quest.define", `{"id":"next","name":"Next","objectives":[{"id":"o","type":"talk","description":"d"}]}`)
		p.builder("eve", "quest.define", errand)
		offer := func() { p.builder("ann", "quest.offer", `{"entity":"ent_0","questId":"errand"}`, `"ok":true`) }
		done := func(want ...string) {
			t.Helper()
			p.builder("ann", "quest.update", `{"entity":"ent_0","questId":"errand","objectiveId":"go","progress":1}`, append(want, `"questCompleted":true`)...)
		}
		holds := func(when, want string) {
			t.Helper()
			p.passed(1)
			if got := p.gold("ent_0"); got != want {
				t.Errorf("%s: %s, want %s", when, got, want)
			}
		}
		offer()
		done(`"followUpQuests":["next"]`)
		holds("before", "5 gold, bell 1")

		if err := p.Ban([]string{"eve"}); err != nil {
			t.Fatal(err)
		}
		offer()
		done(`"missed":["rewards: eve is banned from this server: nothing is done for him; they are given once that ends"]`)
		offer()
		p.builder("ann", "event.emit", `{"eventName":"gone"}`) // completed by the server
		holds("while she is banned", "5 gold, bell 1")
		p.builder("ann", "quest.list", `{"entity":"ent_0","status":"completed"}`, `"questId":"errand"`)
		offer() // what is owed does not go with that
		p.builder("ann", "checkpoint.create", `{"name":"owed"}`)

		if err := p.Ban(nil); err != nil {
			t.Fatal(err)
		}
		holds("once she is not", "15 gold, bell 3")
		p.passed(5)
		holds("later", "15 gold, bell 3")
		p.builder("ann", "checkpoint.load", `{"name":"owed"}`)
		holds("with the checkpoint of before", "15 gold, bell 3")

		// Who defines a quest anew gives what is owed of it by then.
		if err := p.Ban([]string{"eve"}); err != nil {
			t.Fatal(err)
		}
		done()
		holds("banned again", "15 gold, bell 3")
		p.builder("ann", "quest.define", strings.Replace(errand, `"gold":5`, `"gold":1`, 1))
		holds("now it is ann's", "16 gold, bell 4")
	})
}

// A conversation that somebody has written who is banned goes on: what its nodes bring about is not done, what its choices do is refused.
func TestDialoguesOfTheBanned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t, engine.Config{Always: true})
		for range 2 {
			p.builder("ann", "scene.createEntity", `{"position":[0,0,0]}`)
		}
		p.builder("ann", "event.listen", `{"eventName":"rang","action":`+counts("bell")+`}`)
		p.builder("eve", "dialogue.define", `{"id":"talk","name":"Talk","startNode":"hi","nodes":[
			{"id":"hi","text":"Hi","effects":{"stats":{"gold":5},"event":"rang"},"choices":[{"text":"Bye","nextNodeId":"bye"},{"text":"Pay","nextNodeId":"bye","effects":{"stats":{"gold":7}}}]},
			{"id":"bye","text":"Bye","effects":{"stats":{"gold":1},"note":"x"}}]}`)
		talk := func(want string) {
			t.Helper()
			p.builder("ann", "dialogue.start", `{"treeId":"talk","speaker":"ent_1","listener":"ent_0"}`, `"ok":true`, `"text":"Hi"`, want)
		}
		choose := func(i int, want ...string) {
			t.Helper()
			p.builder("ann", "dialogue.choose", fmt.Sprintf(`{"speaker":"ent_1","listener":"ent_0","choiceIndex":%d}`, i), want...)
		}
		holds := func(when, want string) {
			t.Helper()
			p.passed(1)
			if got := p.gold("ent_0"); got != want {
				t.Errorf("%s: %s, want %s", when, got, want)
			}
		}
		talk(`"effects":{"stats"`)
		choose(1, `"ok":true`, `"ended":true`)
		holds("before", "13 gold, bell 1")
		if err := p.Ban([]string{"eve"}); err != nil {
			t.Fatal(err)
		}
		talk(`"choices":[{"index":0,"text":"Bye"},{"index":1,"text":"Pay"}]}`) // nothing of effects
		choose(1, `"ok":false`, "eve is banned from this server")
		choose(0, `"ok":true`, `"text":"Bye","choices":[]}`, `"ended":true`)
		holds("while she is banned", "13 gold, bell 1")
		if err := p.Ban(nil); err != nil {
			t.Fatal(err)
		}
		talk(`"effects":{"stats"`)
		choose(0, `"ok":true`)
		holds("once she is not", "19 gold, bell 2")
	})
}

// What somebody has put on others, and the pacing that he has begun, goes on for nothing while he is banned: it hurts nobody, and nobody hears of it.
func TestEffectsOfTheBanned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t, engine.Config{Always: true})
		p.builder("ann", "scene.createEntity", `{"name":"hero"}`)
		p.builder("ann", "stats.create", `{"entity":"ent_0","stats":[{"name":"hp","value":100}]}`)
		for _, name := range []string{"tick", "end", "director.phase"} {
			p.builder("ann", "event.listen", fmt.Sprintf(`{"eventName":%q,"action":%s}`, name, counts(name)))
		}
		poison := func(seconds int) {
			p.builder("eve", "status.apply", fmt.Sprintf(`{"targetEntity":"ent_0","type":"poison","duration":%d,"magnitude":2,"onTick":"tick","onRemove":"end"}`, seconds))
		}
		p.builder("eve", "director.configure", `{"buildRate":1,"fadeRate":1,"sustainTicks":30,"restTicks":30}`)
		// state says what has become of it, since the last time.
		state := func() string {
			all := []string{p.builder("ann", "stats.get", `{"entity":"ent_0","statName":"hp"}`)}
			for _, name := range []string{"tick", "end", "director.phase"} {
				all = append(all, p.builder("ann", "game.counter", fmt.Sprintf(`{"name":%q}`, name)))
			}
			return strings.Join(all, " ")
		}
		poison(1_000_000)
		p.builder("eve", "director.start", `{}`)
		before := state()
		p.passed(3)
		if got := state(); got == before || !strings.Contains(got, `"value":94`) {
			t.Fatalf("before: %s, and then %s", before, got)
		}
		poison(2)
		if err := p.Ban([]string{"eve"}); err != nil {
			t.Fatal(err)
		}
		before = state()
		p.passed(10)
		if got := state(); got != before {
			t.Errorf("while she is banned: %s, and then %s", before, got)
		}
		p.builder("ann", "status.list", `{"targetEntity":"ent_0"}`, "poison")
		if err := p.Ban(nil); err != nil {
			t.Fatal(err)
		}
		p.passed(3)
		if got := state(); !strings.Contains(got, `"value":88`) {
			t.Errorf("once she is not: %s", got)
		}
	})
}
