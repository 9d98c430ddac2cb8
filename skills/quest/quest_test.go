package quest_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/quest"
	"github.com/limina-mcp/limina/world"
)

// heard checks what viewers were told.
func (r *room) heard(when string, want ...string) {
	r.t.Helper()
	if got := r.Heard(); !slices.Equal(got, want) {
		r.t.Errorf("%s viewers are told\n%s\nwant\n%s", when, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestKills count by who has struck, and by what the dead are called.
func TestKills(t *testing.T) {
	r := newRoom(t)
	for i, name := range []string{"goblin", "goblin", "rat", "goblin"} {
		r.Do("scene.createEntity", `{"position":[%d,0,0]}`, i+1)
		r.Do("stats.create", `{"entity":"ent_%d","stats":[{"name":"hp","value":10}]}`, i+1)
		r.Do("scene.setName", `{"entity":"ent_%d","name":%q}`, i+1, name)
	}
	r.Do("ecs.addComponent", `{"entity":"ent_4","component":"chief"}`)
	r.Do("stats.onZero", `{"entity":"ent_4","statName":"hp","action":{"type":"destroy"}}`)
	r.give("q", `{"id":"goblins","type":"kill","description":"d","target":"goblin","required":5},{"id":"rat","type":"kill","description":"d","target":"ent_3"},`+
		`{"id":"chief","type":"kill","description":"d","target":"chief"},{"id":"any","type":"kill","description":"d","required":9}`, "")
	strike := func(attacker, target string, amount int) {
		r.Do("damage.apply", `{"attackerEntity":%q,"targetEntity":%q,"amount":%d}`, attacker, target, amount)
	}
	strike("ent_0", "ent_1", 9)
	r.next("after a wound", "q active goblins 0/5, rat 0/1, chief 0/1, any 0/9")
	strike("ent_0", "ent_1", 9)
	r.stands("before the next step", "q active goblins 0/5, rat 0/1, chief 0/1, any 0/9")
	r.next("after a goblin", "q active goblins 1/5, rat 0/1, chief 0/1, any 1/9")
	strike("ent_0", "ent_1", 9)
	r.next("who is dead dies no more", "q active goblins 1/5, rat 0/1, chief 0/1, any 1/9")
	strike("ent_1", "ent_2", 99)
	r.Do("damage.apply", `{"targetEntity":"ent_3","amount":99}`)
	r.next("what others have killed", "q active goblins 1/5, rat 0/1, chief 0/1, any 1/9")
	r.Do("damage.heal", `{"targetEntity":"ent_3","amount":1}`)
	strike("ent_0", "ent_3", 99)
	strike("ent_0", "ent_4", 99)
	r.next("two in one step, of which one is gone by then", "q active goblins 2/5, rat 1/1, chief 1/1, any 3/9")
	if r.Len() != 4 {
		t.Errorf("there are %d entities, want 4: the chief is gone", r.Len())
	}
}

// TestCollecting counts the most that somebody has held at a time, from before he has accepted too.
func TestCollecting(t *testing.T) {
	r := newRoom(t)
	r.Do("item.define", `{"id":"herb","name":"Herb"}`)
	r.Do("item.define", `{"id":"hat","name":"Hat"}`)
	r.Do("inventory.create", `{"entity":"ent_0"}`)
	r.Do("inventory.add", `{"entity":"ent_0","itemId":"herb","quantity":2}`)
	r.give("q", `{"id":"herbs","type":"collect","description":"d","target":"herb","required":5},{"id":"hats","type":"collect","description":"d","target":"hat"}`, "")
	r.stands("at first", "q active herbs 2/5, hats 0/1")
	r.Do("inventory.remove", `{"entity":"ent_0","itemId":"herb","quantity":2}`)
	r.Do("inventory.add", `{"entity":"ent_0","itemId":"herb","quantity":1}`)
	r.next("with fewer", "q active herbs 2/5, hats 0/1")
	r.Do("inventory.add", `{"entity":"ent_0","itemId":"herb","quantity":3}`)
	r.next("with more", "q active herbs 4/5, hats 0/1")
	r.Do("world.undo", `{}`)
	r.next("what was taken back was held all the same", "q active herbs 4/5, hats 0/1")
	r.Do("inventory.add", `{"entity":"ent_0","itemId":"herb","quantity":50}`)
	r.Do("inventory.add", `{"entity":"ent_0","itemId":"hat"}`)
	r.Do("item.equip", `{"entity":"ent_0","itemId":"hat","equipmentSlot":"head"}`)
	r.next("with all, of which one is worn", "q completed herbs 5/5, hats 1/1")
}

// TestReaching notices who comes to a place, into a zone, near somebody, and whom somebody comes near.
func TestReaching(t *testing.T) {
	r := newRoom(t)
	move := func(entity string, x, z float64) {
		r.Do("three.setTransform", `{"entity":%q,"position":[%v,0,%v]}`, entity, x, z)
	}
	r.Do("scene.createEntity", `{"position":[50,0,0]}`) // ent_1
	r.Do("scene.createEntity", `{"position":[0,0,90]}`) // ent_2, which comes
	r.Do("trigger.create", `{"center":[20,0,0],"size":[1,1,1]}`)
	at := func(id, target, config string) string {
		return fmt.Sprintf(`{"id":%q,"type":"reach","description":"d"%s,"config":{%s}}`, id, target, config)
	}
	r.give("q", at("place", "", `"position":[10,0,0]`)+","+at("zone", `,"target":"trg_0"`, "")+","+at("far", `,"target":"ent_1"`, `"radius":5`)+","+at("guest", `,"target":"ent_2"`, ""), "")
	r.stands("at first", "q active place 0/1, zone 0/1, far 0/1, guest 0/1")
	move("ent_0", 7.9, 0)
	r.next("almost there", "q active place 0/1, zone 0/1, far 0/1, guest 0/1")
	move("ent_0", 8, 0)
	r.next("there", "q active place 1/1, zone 0/1, far 0/1, guest 0/1")
	move("ent_0", 20, 0)
	r.next("in the zone", "q active place 1/1, zone 1/1, far 0/1, guest 0/1")
	move("ent_0", 46, 3)
	r.next("near somebody", "q active place 1/1, zone 1/1, far 1/1, guest 0/1")
	move("ent_2", 46, 1)
	r.next("near whom somebody comes", "q completed place 1/1, zone 1/1, far 1/1, guest 1/1")

	r.give("again", at("place", "", `"position":[46,0,3]`), "")
	r.stands("who is there already", "q completed place 1/1, zone 1/1, far 1/1, guest 1/1; again completed place 1/1")
	r.give("late", at("zone", `,"target":"trg_0"`, ""), "")
	r.Do("quest.define", `{"id":"late","name":"N","objectives":[%s]}`, at("zone", "", `"position":[40,0,3],"radius":6`))
	r.Steps(1)
	if log := r.log("ent_0"); !strings.HasSuffix(log, "late completed zone 1/1") {
		t.Errorf("after the place was another one: %s", log)
	}
	r.give("around", at("zone", `,"target":"trg_0"`, ""), "")
	r.Do("trigger.create", `{"center":[46,0,3],"size":[1,1,1]}`)
	r.Do("quest.define", `{"id":"around","name":"N","objectives":[%s]}`, at("zone", `,"target":"trg_1"`, ""))
	r.Steps(1)
	if log := r.log("ent_0"); !strings.HasSuffix(log, "around completed zone 1/1") {
		t.Errorf("in a zone that is new: %s", log)
	}
}

// TestNewZone makes a zone around who stands there: of a quest that names a zone which comes back by an undo.
func TestNewZone(t *testing.T) {
	r := newRoom(t)
	r.Do("trigger.create", `{"center":[9,0,9],"size":[1,1,1],"tag":"late"}`)
	r.give("q", `{"id":"zone","type":"reach","description":"d","target":"trg_0"}`, "")
	r.Do("trigger.remove", `{"triggerId":"trg_0"}`)
	r.Do("three.setTransform", `{"entity":"ent_0","position":[9,0,9]}`)
	r.Do("ecs.addComponent", `{"entity":"ent_0","component":"late"}`)
	r.next("where the zone was", "q active zone 0/1")
	r.Do("world.undo", `{"steps":1}`) // the tag
	r.Do("world.redo", `{}`)
	r.next("where the zone was, again", "q active zone 0/1")
}

// TestTalking counts dialogues that are between who has the quest and the target, as the server announces them.
func TestTalking(t *testing.T) {
	r := newRoom(t)
	for i, name := range []string{"Mara", "Tom"} {
		r.Do("scene.createEntity", `{}`)
		r.Do("scene.setName", `{"entity":"ent_%d","name":%q}`, i+1, name)
	}
	r.give("q", `{"id":"mara","type":"talk","description":"d","target":"Mara","required":2},{"id":"tom","type":"talk","description":"d","target":"ent_2","config":{"on":"ended"}},{"id":"any","type":"talk","description":"d","required":9}`, "")
	announce := func(name string, about world.ID, data string) {
		t.Helper()
		_, err := r.World.Update(context.Background(), func(tx *world.Tx) error {
			return r.does.Announce(tx, action.Event{Name: name, Entity: about, Data: registry.Object(data)})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	announce("dialogue.started", 2, `{"treeId":"t","speaker":"ent_1","listener":"ent_2"}`)
	r.next("others talk", "q active mara 0/2, tom 0/1, any 0/9")
	announce("dialogue.started", 2, `{"treeId":"t","speaker":"ent_1","listener":"ent_0"}`)
	r.next("with Mara", "q active mara 1/2, tom 0/1, any 1/9")
	announce("dialogue.ended", 1, `{"speaker":"ent_1"}`)
	r.next("about who has the quest", "q active mara 1/2, tom 0/1, any 1/9")
	announce("dialogue.started", 1, `{"speaker":"ent_2"}`)
	r.next("with Tom", "q active mara 1/2, tom 0/1, any 2/9")
	announce("dialogue.ended", 0, `{"speaker":"ent_2","listener":"ent_0"}`)
	r.next("to the end", "q active mara 1/2, tom 1/1, any 2/9")
	announce("dialogue.started", 1, `{"speaker":"ent_0"}`)
	r.next("to himself", "q active mara 1/2, tom 1/1, any 2/9")
}

// TestEvents count about who has the quest, about nobody, and, with a target, about that.
func TestEvents(t *testing.T) {
	r := newRoom(t)
	for i := 1; i <= 2; i++ {
		r.Do("scene.createEntity", `{}`)
		r.Do("scene.setName", `{"entity":"ent_%d","name":"lever %d"}`, i, i)
	}
	r.give("q", `{"id":"own","type":"custom","description":"d","required":9,"config":{"event":"e"}},{"id":"lever","type":"custom","description":"d","target":"lever 1","required":9,"config":{"event":"e"}}`, "")
	emit := func(more string) { r.Do("event.emit", `{"eventName":"e"%s}`, more) }
	r.Do("event.emit", `{"eventName":"other"}`)
	r.next("another", "q active own 0/9, lever 0/9")
	emit("")
	r.next("about nobody", "q active own 1/9, lever 0/9")
	emit(`,"entity":"ent_0"`)
	r.next("about him", "q active own 2/9, lever 0/9")
	emit(`,"entity":"ent_2"`)
	r.next("about another", "q active own 2/9, lever 0/9")
	emit(`,"entity":"ent_1"`)
	r.next("about the target", "q active own 2/9, lever 1/9")
	emit(`,"entity":"ent_1","payload":{"actorEntity":"ent_0"}`)
	r.next("about the target, by him", "q active own 3/9, lever 2/9")
	emit(`,"entity":"ent_1","payload":{"actorEntity":"ent_2"}`)
	emit(`,"payload":{"actorEntity":"ent_2"}`)
	r.next("by another", "q active own 3/9, lever 2/9")
	emit("")
	emit("")
	r.next("two in a step", "q active own 5/9, lever 2/9")
	r.Do("quest.fail", `{"entity":"ent_0","questId":"q"}`)
	emit("")
	r.next("when it is over", "q failed own 5/9, lever 2/9")
}

// TestTheWholeWay has a hero go from quest to quest without a call: a listener, a reward and a follow-up lead on.
func TestTheWholeWay(t *testing.T) {
	r := newRoom(t, "questId", "objectiveId", "progress", "completed", "missed", "event", "target", "level", "entity", "error")
	r.Do("item.define", `{"id":"key","name":"Key"}`)
	r.Do("stats.create", `{"entity":"ent_0","stats":[{"name":"gold","value":1}]}`)
	r.Do("quest.define", `{"id":"first","name":"First","objectives":[{"id":"go","type":"reach","description":"d","config":{"position":[9,0,0]}}],"followUpQuests":["second"],`+
		`"rewards":{"items":[{"itemId":"key","quantity":2}],"xp":100,"stats":{"gold":50,"luck":1},"game":{"counter":{"name":"done"}},"event":"gate","title":"x"}}`)
	r.Do("quest.define", `{"id":"second","name":"Second","prerequisites":["first"],"objectives":[{"id":"key","type":"collect","description":"d","target":"key"},{"id":"gate","type":"custom","description":"d","config":{"event":"opened"}}],"config":{"autoAccept":true}}`)
	r.Do("event.listen", `{"eventName":"gate","action":{"type":"emit","target":"opened"}}`)
	r.Do("event.listen", `{"eventName":"quest.completed:second","action":{"type":"custom","target":"the end"}}`)
	r.offer("first")
	r.Do("quest.accept", `{"entity":"ent_0","questId":"first"}`)
	r.Do("three.setTransform", `{"entity":"ent_0","position":[9,0,1]}`)
	r.heard("at first", "quest.offered first ent_0", "quest.accepted first ent_0")
	r.next("there", "first completed go 1/1; second active key 0/1, gate 0/1")
	r.heard("there", "quest.objective first go 1 true ent_0", "progression.levelUp 2 ent_0", "event.emit gate ent_0",
		"quest.completed first ent_0", "quest.offered second ent_0", "quest.accepted second ent_0", "event.emit opened ent_0")
	r.next("then", "first completed go 1/1; second completed key 1/1, gate 1/1")
	r.heard("then", "quest.objective second key 1 true ent_0", "quest.objective second gate 1 true ent_0", "quest.completed second ent_0", "event.custom the end ent_0")
	for _, want := range [][3]string{
		{"stats.get", `{"entity":"ent_0","statName":"gold"}`, `"value":51`},
		{"stats.get", `{"entity":"ent_0","statName":"luck"}`, `"value":1`},
		{"game.counter", `{"name":"done"}`, `"value":1`},
		{"inventory.count", `{"entity":"ent_0","itemId":"key"}`, `"count":2`},
		{"progression.level", `{"entity":"ent_0"}`, `"level":2`},
	} {
		if out := r.Do(want[0], "%s", want[1]); !strings.Contains(out, want[2]) {
			t.Errorf("%s: %s, want %s", want[0], out, want[2])
		}
	}
}

// TestActions has zones and listeners offer quests, and more.
func TestActions(t *testing.T) {
	r := newRoom(t, "target", "type", "entity", "error")
	r.Do("quest.define", "%s", simple("q", "")[1])
	for _, what := range []string{"offer", "accept", "complete", "fail"} {
		r.Do("event.listen", `{"eventName":%q,"action":{"type":"call","target":"quest.%s","data":{"entity":"$entity","questId":"q"}}}`, what, what)
	}
	emit := func(what string) { r.Do("event.emit", `{"eventName":%q,"entity":"ent_0"}`, what) }
	r.Do("trigger.create", `{"center":[9,0,0],"size":[1,1,1]}`)
	r.Do("trigger.onEnter", `{"triggerId":"trg_0","action":{"type":"call","target":"quest.offer","data":{"entity":"$entity","questId":"q"}}}`)
	r.Do("three.setTransform", `{"entity":"ent_0","position":[9,0,0]}`)
	r.next("in the zone", "q available do 0/2")
	emit("accept")
	r.next("accepted", "q active do 0/2")
	emit("fail")
	r.next("failed", "q failed do 0/2")
	emit("offer")
	emit("accept")
	r.next("once more", "q active do 0/2")
	r.Heard()
	emit("complete")
	emit("offer")
	r.next("too early", "q active do 0/2")
	r.Do("event.emit", `{"eventName":"offer"}`)
	r.Steps(1)
	r.heard("too early", "event.emit ent_0", "event.emit ent_0",
		`event.failed quest.complete call ent_0 "do" is at 0 of 2; force completes it nevertheless`, `event.failed quest.offer call ent_0 "q" of ent_0 is active already`,
		"event.emit", "event.failed call it is about no entity: name one as the target of the action")
	r.Do("quest.update", `{"entity":"ent_0","questId":"q","objectiveId":"do","progress":1}`)
	r.Do("quest.define", "%s", simple("q", `,"config":{"turnIn":true}`)[1])
	r.Do("quest.update", `{"entity":"ent_0","questId":"q","objectiveId":"do","progress":2}`)
	emit("complete")
	r.next("turned in", "q completed do 2/2")
}

// TestNoRoom gives what can be given.
func TestNoRoom(t *testing.T) {
	r := newRoom(t)
	for _, id := range []string{"sword", "coin"} {
		r.Do("item.define", `{"id":%q,"name":"N","stackable":%t}`, id, id == "coin")
	}
	r.Do("inventory.create", `{"entity":"ent_0","capacity":1}`)
	r.Do("quest.define", `%s`, simple("q", `,"rewards":{"items":[{"itemId":"sword","quantity":2},{"itemId":"coin","quantity":5}]}`)[1])
	r.offer("q")
	r.Do("quest.accept", `{"entity":"ent_0","questId":"q"}`)
	out := r.Do("quest.complete", "%s", force("q")[1])
	if !strings.Contains(out, `"missed":["rewards.items[0]: ent_0 has room for 1 of 2 \"sword\""]`) {
		t.Errorf("it was completed by %s", out)
	}
	if out := r.Do("inventory.list", `{"entity":"ent_0"}`); !strings.Contains(out, `"items":[{"itemId":"coin","name":"N","quantity":5`) || strings.Contains(out, "sword") {
		t.Errorf("it has %s", out)
	}
}

// TestState is undone, in checkpoints, and gone with its bearer; viewers see the log, and nothing of what quests are for.
func TestState(t *testing.T) {
	r := newRoom(t)
	r.Do("quest.define", `{"id":"q","name":"Goblins","description":"In the cellar","objectives":[{"id":"slay","type":"custom","description":"Slay them","required":2,"config":{"event":"slain"}}],"rewards":{"secret":1}}`)
	before := r.Content()
	r.Do("checkpoint.create", `{"name":"before"}`)
	r.offer("q")
	r.Do("quest.accept", `{"entity":"ent_0","questId":"q"}`)
	r.Do("quest.track", `{"entity":"ent_0","questId":"q"}`)
	r.Do("event.emit", `{"eventName":"slain"}`)
	const want = `"quests":[{"questId":"q","name":"Goblins","description":"In the cellar","status":"active","objectives":[{"id":"slay","description":"Slay them","progress":0,"required":2}],"tracked":true,"offeredTick":0,"acceptedTick":0}]`
	if got := r.Entity(t, "ent_0"); !strings.Contains(got, want) || strings.Contains(got, "secret") {
		t.Errorf("viewers see %s, want %s", got, want)
	}
	r.Do("world.undo", `{"steps":4}`)
	if r.Content() != before {
		t.Error("an undo leaves another world")
	}
	r.Do("world.redo", `{}`)
	r.next("after a redo", "q active slay 1/2*")
	r.Do("scene.clone", `{"entity":"ent_0"}`)
	if got := r.log("ent_1"); got != "" {
		t.Errorf("a clone has the quests %s", got)
	}
	r.Do("scene.destroyEntity", `{"entity":"ent_0"}`)
	r.Do("event.emit", `{"eventName":"slain"}`)
	r.Steps(1)
	r.Do("world.undo", `{}`)
	r.Do("world.undo", `{}`)
	r.stands("back", "q active slay 1/2*")
	r.Do("event.emit", `{"eventName":"slain"}`)
	r.next("and at it", "q completed slay 2/2")
	r.Do("checkpoint.load", `{"name":"before"}`)
	if r.Content() != before {
		t.Error("a checkpoint brings another world back")
	}
}

// TestLoaded has been on a quest for as long as when the checkpoint was made.
func TestLoaded(t *testing.T) {
	r := newRoom(t)
	r.Steps(3)
	r.Do("quest.define", "%s", simple("q", "")[1])
	r.offer("q")
	r.Steps(2)
	r.Do("quest.accept", `{"entity":"ent_0","questId":"q"}`)
	r.Do("checkpoint.create", `{"name":"here"}`)
	r.Steps(100)
	r.Do("quest.fail", `{"entity":"ent_0","questId":"q"}`)
	r.Do("checkpoint.load", `{"name":"here"}`)
	const want = `{"quests":[{"questId":"q","name":"N","status":"active","objectives":[{"id":"do","description":"d","progress":0,"required":2,"completed":false}],"tracked":false,"offeredTick":103,"acceptedTick":105}]}`
	if got := r.Do("quest.list", `{"entity":"ent_0"}`); got != want {
		t.Errorf("after a load: %s, want %s", got, want)
	}
}

// TestDialogues counts what package dialogue runs.
func TestDialogues(t *testing.T) {
	r := newRoom(t)
	r.Do("scene.createEntity", `{}`)
	r.Do("scene.setName", `{"entity":"ent_1","name":"Mara"}`)
	r.give("q", `{"id":"ask","type":"talk","description":"d","target":"Mara"},{"id":"hear","type":"talk","description":"d","target":"Mara","config":{"on":"ended"}}`, "")
	r.Do("dialogue.define", `{"id":"hello","name":"Hello","startNode":"a","nodes":[{"id":"a","text":"Well?","speaker":"Mara","choices":[{"text":"Bye.","nextNodeId":""}]}]}`)
	r.Do("dialogue.start", `{"treeId":"hello","speaker":"ent_1","listener":"ent_0"}`)
	r.next("it begins", "q active ask 1/1, hear 0/1")
	r.Do("dialogue.choose", `{"speaker":"ent_1","listener":"ent_0","choiceIndex":0}`)
	r.next("it is over", "q completed ask 1/1, hear 1/1")
}

// TestDefinedAnew keeps the objectives that a log has; what advances them is as it is now.
func TestDefinedAnew(t *testing.T) {
	r := newRoom(t)
	r.give("q", `{"id":"a","type":"custom","description":"d","required":3,"config":{"event":"old"}},{"id":"b","type":"custom","description":"d","config":{"event":"b"}}`, "")
	r.Do("quest.define", `{"id":"q","name":"N","objectives":[{"id":"a","type":"custom","description":"d","required":7,"config":{"event":"new"}},{"id":"c","type":"custom","description":"d","config":{"event":"new"}}]}`)
	for _, name := range []string{"old", "b", "new"} {
		r.Do("event.emit", `{"eventName":%q}`, name)
	}
	r.next("after events", "q active a 1/3, b 0/1")
	r.Do("quest.update", `{"entity":"ent_0","questId":"q","objectiveId":"b","progress":1}`)
	r.Do("quest.update", `{"entity":"ent_0","questId":"q","objectiveId":"a","progress":3}`)
	r.stands("all of it", "q completed a 3/3, b 1/1")
}

// TestLowered has an objective that is done undone; what the server sees counts again.
func TestLowered(t *testing.T) {
	r := newRoom(t)
	r.give("q", `{"id":"here","type":"reach","description":"d","config":{"position":[0,0,0]}},{"id":"more","type":"custom","description":"d","required":3}`, "")
	for _, progress := range []int{2, 0, 1} {
		r.Do("quest.update", `{"entity":"ent_0","questId":"q","objectiveId":"more","progress":%d}`, progress)
		r.stands("set", fmt.Sprintf("q active here 1/1, more %d/3", progress))
	}
	r.Do("quest.update", `{"entity":"ent_0","questId":"q","objectiveId":"here","progress":0}`)
	r.next("set back, where he is", "q active here 1/1, more 1/3")
}

// TestCircle has a quest offer itself, and its reward count for it: once in a step, and no further than events lead to one another.
func TestCircle(t *testing.T) {
	r := newRoom(t)
	r.Do("quest.define", `{"id":"q","name":"N","objectives":[{"id":"a","type":"custom","description":"d","config":{"event":"next"}}],"followUpQuests":["q"],"rewards":{"event":"again"},"config":{"autoAccept":true,"repeatable":true}}`)
	r.Do("event.listen", `{"eventName":"again","action":{"type":"emit","target":"next"}}`)
	r.offer("q")
	r.Do("event.emit", `{"eventName":"next"}`)
	r.Steps(5)
	times := func(n int) {
		t.Helper()
		if got := r.Entity(t, "ent_0"); !strings.Contains(got, fmt.Sprintf(`"times":%d,`, n)) || !strings.Contains(got, `"status":"active"`) {
			t.Errorf("it was not completed %d times and offered again: %s", n, got)
		}
	}
	times(5)
	r.Steps(200)
	times(action.MaxChain/2 + 1)
}

// TestClaims: what somebody does elsewhere advances who is in a region that another has claimed.
func TestClaims(t *testing.T) {
	r := newRoom(t)
	r.give("q", `{"id":"a","type":"custom","description":"d","required":3,"config":{"event":"e"}}`, "")
	bob := skilltest.Caller(t, "bob", skilltest.Builder)
	r.Must(t, bob, "world.claim", `{"min":[-5,-5,-5],"max":[5,5,5]}`)
	r.Do("event.emit", `{"eventName":"e"}`)
	r.next("of ann, in bob's region", "q active a 1/3")
	if _, err := r.Call(r.Ann, "quest.fail", `{"entity":"ent_0","questId":"q"}`); err == nil {
		t.Error("ann ends a quest in bob's region")
	}
}

// TestBounds fills what is bounded.
func TestBounds(t *testing.T) {
	r := newRoom(t)
	for i := range quest.MaxLog {
		id := fmt.Sprintf("q%d", i)
		r.Do("quest.define", "%s", simple(id, "")[1])
		r.offer(id)
		r.Do("quest.accept", `{"entity":"ent_0","questId":%q}`, id)
		r.Do("quest.complete", "%s", force(id)[1])
	}
	r.Do("quest.define", "%s", simple("more", "")[1])
	_, err := r.Call(r.Ann, "quest.offer", of("offer", "more")[1])
	if err == nil || err.Message != "ent_0 has 64 quests in its log, which is the most" || err.Code != registry.CodeCapacityExceeded {
		t.Errorf("one more than a log holds: %v", err)
	}
	for i := quest.MaxLog + 1; i < quest.MaxQuests*3/4; i++ {
		r.Do("quest.define", "%s", simple(fmt.Sprintf("q%d", i), "")[1])
	}
	if _, err := r.Call(r.Ann, "quest.define", simple("last", "")[1]); err == nil || err.Code != registry.CodeCapacityExceeded {
		t.Errorf("one quest more than there may be: %v", err)
	}
}

// TestMuch has more happen between two steps than waits: what is beyond that counts for nothing, and no call fails.
func TestMuch(t *testing.T) {
	r := newRoom(t)
	r.give("q", `{"id":"a","type":"custom","description":"d","required":9999,"config":{"event":"e"}}`, "")
	for range quest.MaxWaiting + 10 {
		r.Do("event.emit", `{"eventName":"e"}`)
	}
	r.next("after too much", fmt.Sprintf("q active a %d/9999", quest.MaxWaiting))
}

// TestMuchOfOne: who emits without end keeps nothing from counting that others emit.
func TestMuchOfOne(t *testing.T) {
	r := newRoom(t)
	r.give("q", `{"id":"a","type":"custom","description":"d","required":9999,"config":{"event":"e"}},{"id":"b","type":"custom","description":"d","required":2,"config":{"event":"f"}}`, "")
	bob := skilltest.Caller(t, "bob", skilltest.Builder)
	for range quest.MaxWaiting + 10 {
		r.Must(t, bob, "event.emit", `{"eventName":"e"}`)
	}
	r.Do("event.emit", `{"eventName":"f"}`)
	r.next("after too much", fmt.Sprintf("q active a %d/9999, b 1/2", quest.MaxWaiting))
}

// TestIdle: a world with quests that nothing concerns costs steps nothing.
func TestIdle(t *testing.T) {
	r := newRoom(t)
	r.give("q", `{"id":"a","type":"kill","description":"d"},{"id":"b","type":"reach","description":"d","config":{"position":[9,0,0]}}`, "")
	r.Steps(1)
	before := r.World.Tick()
	r.Steps(10)
	if now := r.World.Tick(); now != before {
		t.Errorf("10 steps in which nothing happens are %d commits", now-before)
	}
}

// TestManyAtATime has events concern more than a step looks at: the rest is looked at in the next.
func TestManyAtATime(t *testing.T) {
	r := newRoom(t)
	r.Do("quest.define", `{"id":"q","name":"N","objectives":[{"id":"a","type":"custom","description":"d","required":999,"config":{"event":"e"}}],"config":{"autoAccept":true}}`)
	const many = 100
	for i := range many {
		if i > 0 {
			r.Do("scene.createEntity", `{}`)
		}
		r.Do("quest.offer", `{"entity":"ent_%d","questId":"q"}`, i)
	}
	for range many {
		r.Do("event.emit", `{"eventName":"e"}`)
	}
	r.next("after a step", fmt.Sprintf("q active a %d/999", quest.MaxStep/many+1))
	r.next("after another", fmt.Sprintf("q active a %d/999", many))
	if got, want := r.log("ent_99"), fmt.Sprintf("q active a %d/999", many); got != want {
		t.Errorf("the last one: %q, want %q", got, want)
	}
}
