package skills_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

// TestRemoved: whatever is defined by a name is removed by a skill of its domain. What has something to do with it is named, and how that ends; an undo brings it back.
func TestRemoved(t *testing.T) {
	type step struct {
		skill, input string
		want         string // in the answer, or in the error where refused
		refused      bool
	}
	do := func(skill, input string) step { return step{skill: skill, input: input} }
	says := func(skill, input, want string) step { return step{skill: skill, input: input, want: want} }
	refused := func(skill, input, want string) step { return step{skill, input, want, true} }
	for _, c := range []struct {
		what  string
		steps []step
	}{
		{"an ability", []step{
			do("ability.define", `{"id":"dash","cooldownTicks":60}`),
			do("ability.cast", `{"entity":"ent_0","id":"dash"}`),
			do("event.listen", `{"eventName":"go","action":{"type":"call","target":"ability.cast","data":{"entity":"ent_0","id":"dash"}}}`),
			do("event.listen", `{"eventName":"go","action":{"type":"call","target":"ability.cast","data":{"entity":"ent_0","id":"dasher"}}}`),
			refused("ability.remove", `{"id":"dahs"}`, `the nearest is "dash"`),
			says("ability.remove", `{"id":"dash"}`, `{"ok":true,"resting":1,"rules":1}`),
			says("ability.status", `{"entity":"ent_0","id":"dash"}`, `"defined":false`),
			do("world.undo", `{}`),
			says("ability.status", `{"entity":"ent_0","id":"dash"}`, `"defined":true`),
		}},
		{"a dialogue", []step{
			do("dialogue.define", `{"id":"smith","name":"S","startNode":"a","nodes":[{"id":"a","text":"Hi","choices":[{"text":"Yes","nextNodeId":""}]}]}`),
			do("scene.createEntity", `{}`),
			do("event.listen", `{"eventName":"dialogue.ended","action":{"type":"setState","data":{"game":{"counter":{"name":"ends"}}}}}`),
			do("dialogue.start", `{"treeId":"smith","speaker":"ent_0","listener":"ent_1"}`),
			do("interaction.register", `{"entity":"ent_0","type":"talk","prompt":"Talk","config":{"treeId":"smith"}}`),
			refused("dialogue.remove", `{"id":"smith"}`, `id: ent_0 begins "smith": interaction.unregister {"entity":"ent_0"} ends that`),
			do("interaction.unregister", `{"entity":"ent_0"}`),
			says("dialogue.remove", `{"id":"smith"}`, `{"ok":true,"ended":1,"rules":0}`),
			says("dialogue.get", `{"speaker":"ent_0","listener":"ent_1"}`, `{"history":[{"nodeId":"a"}]}`),
			do("", ""),
			says("game.counter", `{"name":"ends","action":"get"}`, `"value":1`),
			do("world.undo", `{}`),
			says("dialogue.get", `{"speaker":"ent_0","listener":"ent_1"}`, `"id":"a"`),
		}},
		{"a skill tree", []step{
			do("progression.skillTree", `{"id":"magic","name":"M","nodes":[{"id":"a","name":"A","effects":{"hp":1}}]}`),
			do("progression.xp", `{"entity":"ent_0","amount":1000}`),
			do("progression.allocate", `{"entity":"ent_0","treeId":"magic","nodeId":"a"}`),
			says("progression.remove", `{"treeId":"magic"}`, `{"ok":true,"kept":1,"rules":0}`),
			refused("progression.allocate", `{"entity":"ent_0","treeId":"magic","nodeId":"a"}`, `there is none`),
			says("progression.level", `{"entity":"ent_0"}`, `"treeId":"magic"`),
			do("world.undo", `{}`),
			says("progression.remove", `{"treeId":"magic"}`, `"kept":1`),
		}},
		{"a quest", []step{
			do("quest.define", `{"id":"rats","name":"Rats","objectives":[{"id":"o","type":"custom","description":"d"}]}`),
			do("quest.define", `{"id":"kings","name":"Kings","prerequisites":["rats"],"objectives":[{"id":"o","type":"custom","description":"d"}]}`),
			do("quest.define", `{"id":"mice","name":"Mice","followUpQuests":["rats"],"objectives":[{"id":"o","type":"custom","description":"d"}]}`),
			do("scene.createEntity", `{}`),
			do("scene.createEntity", `{}`),
			do("quest.offer", `{"entity":"ent_0","questId":"rats"}`),
			do("quest.accept", `{"entity":"ent_0","questId":"rats"}`),
			do("quest.offer", `{"entity":"ent_1","questId":"rats"}`),
			do("quest.offer", `{"entity":"ent_2","questId":"rats"}`),
			do("quest.accept", `{"entity":"ent_2","questId":"rats"}`),
			says("quest.update", `{"entity":"ent_2","questId":"rats","objectiveId":"o","progress":1}`, `"questCompleted":true`),
			refused("quest.remove", `{"id":"rats"}`, `the quest "kings" needs "rats" (prerequisites)`),
			do("quest.remove", `{"id":"kings"}`),
			says("quest.remove", `{"id":"rats"}`, `{"ok":true,"ended":2,"rules":1}`),
			says("quest.list", `{"entity":"ent_0"}`, `"status":"failed"`),
			says("quest.list", `{"entity":"ent_1"}`, `{"quests":[]}`),
			says("quest.list", `{"entity":"ent_2"}`, `"status":"completed"`),
			do("world.undo", `{}`),
			says("quest.list", `{"entity":"ent_0"}`, `"status":"active"`),
			says("quest.list", `{"entity":"ent_1"}`, `"status":"available"`),
		}},
		{"a kind of item", []step{
			do("item.define", `{"id":"key","name":"Key"}`),
			do("inventory.create", `{"entity":"ent_0"}`),
			do("inventory.add", `{"entity":"ent_0","itemId":"key","quantity":2}`),
			do("item.equip", `{"entity":"ent_0","itemId":"key","equipmentSlot":"hand"}`),
			do("scene.createEntity", `{"position":[3,0.5,0]}`),
			do("scene.createEntity", `{"position":[6,0.5,0]}`),
			do("interaction.register", `{"entity":"ent_1","type":"pickup","prompt":"Take","config":{"itemId":"key"}}`),
			do("interaction.register", `{"entity":"ent_2","type":"open","prompt":"Open","config":{"key":"key"}}`),
			do("game.condition", `{"name":"c","expression":"counter(\"a\") > 1","onTrue":"x"}`),
			do("event.listen", `{"eventName":"go","action":{"type":"emit","target":"y","if":"item(\"key\") > 0"}}`),
			refused("item.remove", `{"id":"key"}`, `id: ent_0 has "key": inventory.remove of all of it from "ent_0" ends that`),
			do("inventory.remove", `{"entity":"ent_0","itemId":"key"}`),
			refused("item.remove", `{"id":"key"}`, `id: ent_0 wears "key": item.unequip of "ent_0"`),
			do("item.unequip", `{"entity":"ent_0","equipmentSlot":"hand"}`),
			do("inventory.remove", `{"entity":"ent_0","itemId":"key"}`),
			refused("item.remove", `{"id":"key"}`, `id: 2 entities are, or open with, "key", such as ent_1`),
			do("interaction.unregister", `{"entity":"ent_1"}`),
			do("scene.destroyEntity", `{"entity":"ent_2"}`),
			says("item.remove", `{"id":"key"}`, `{"ok":true,"rules":1}`),
			refused("inventory.add", `{"entity":"ent_0","itemId":"key"}`, `unknown item "key"`),
			do("world.undo", `{}`),
			do("inventory.add", `{"entity":"ent_0","itemId":"key"}`),
		}},
		{"a profile of behavior", []step{
			do("behavior.define", `{"id":"guard","name":"G","reactions":[{"trigger":"alarm","action":{"type":"say","data":{"text":"Oh"}}}]}`),
			do("scene.createEntity", `{}`),
			do("behavior.assign", `{"entity":"ent_0","profileId":"guard"}`),
			do("behavior.assign", `{"entity":"ent_1","profileId":"guard"}`),
			refused("behavior.remove", `{"id":"guard"}`, `id: 2 entities live by "guard", such as ent_0: behavior.assign {"entity":"ent_0","profileId":""} ends that of one`),
			do("behavior.assign", `{"entity":"ent_0","profileId":""}`),
			do("behavior.assign", `{"entity":"ent_1","profileId":""}`),
			says("behavior.remove", `{"id":"guard"}`, `{"ok":true,"rules":0}`),
			refused("behavior.assign", `{"entity":"ent_0","profileId":"guard"}`, `there is none`),
			do("world.undo", `{}`),
			do("behavior.assign", `{"entity":"ent_0","profileId":"guard"}`),
			do("event.emit", `{"eventName":"alarm"}`),
		}},
		{"a clip", []step{
			do("animation.authorClip", `{"id":"spin","duration":8,"tracks":[{"property":"rotation.z","keys":[{"t":0,"value":0},{"t":8,"value":6.2}]}]}`),
			do("animation.play", `{"entity":"ent_0","clipId":"spin"}`),
			do("cutscene.define", `{"id":"c","keyframes":[{"atTick":1,"action":{"type":"animation","target":"ent_0","data":{"clipId":"spin"}}}]}`),
			refused("animation.remove", `{}`, `clipId: give either clipId or pathId`),
			refused("animation.remove", `{"pathId":"spin"}`, `is a clip`),
			refused("animation.remove", `{"clipId":"spin"}`, `clipId: ent_0 plays "spin": animation.stop {"entity":"ent_0"} ends that`),
			do("animation.stop", `{"entity":"ent_0"}`),
			do("animation.createStateMachine", `{"entity":"ent_0","name":"m","defaultState":"b","states":[{"name":"a","clipId":"spin"},{"name":"b","clipId":"spin"}]}`),
			do("animation.stop", `{"entity":"ent_0","layer":0}`),
			refused("animation.remove", `{"clipId":"spin"}`, `clipId: ent_0 has a state machine with "spin": animation.stop {"entity":"ent_0"} ends that`),
			do("animation.stop", `{"entity":"ent_0"}`),
			says("animation.remove", `{"clipId":"spin"}`, `{"ok":true,"rules":1}`),
			refused("animation.play", `{"entity":"ent_0","clipId":"spin"}`, `there is none`),
			do("world.undo", `{}`),
			do("animation.play", `{"entity":"ent_0","clipId":"spin"}`),
		}},
		{"a path", []step{
			do("animation.authorPath", `{"id":"line","points":[[0,0,0],[30,0,0]]}`),
			do("scene.createEntity", `{}`),
			do("animation.follow", `{"entities":["ent_0","ent_1"],"pathId":"line"}`),
			refused("animation.remove", `{"pathId":"line"}`, `pathId: ent_0 follows "line": animation.stop {"entity":"ent_0"} ends that`),
			do("animation.stop", `{"entity":"ent_0"}`),
			says("animation.remove", `{"pathId":"line"}`, `{"ok":true,"rules":0}`),
			refused("animation.follow", `{"entities":["ent_0"],"pathId":"line"}`, `there is none`),
			do("world.undo", `{}`),
			do("animation.follow", `{"entities":["ent_0"],"pathId":"line"}`),
		}},
		{"a control", []step{
			do("input.bind", `{"name":"jump","sources":["Space"]}`),
			do("event.listen", `{"eventName":"input.released:jump","action":{"type":"setState","data":{"game":{"counter":{"name":"up"}}}}}`),
			do("input.set", `{"name":"jump","value":1}`),
			refused("input.unbind", `{"name":"jmp"}`, `the nearest is "jump"`),
			do("input.unbind", `{"name":"jump"}`),
			do("", ""),
			says("game.counter", `{"name":"up","action":"get"}`, `"value":1`),
			refused("input.action", `{"name":"jump"}`, `you have bound nothing`),
		}},
	} {
		t.Run(c.what, func(t *testing.T) {
			r := newStage(t)
			ann := skilltest.Caller(t, "ann", skilltest.Builder)
			r.Must(t, ann, "scene.createEntity", `{}`)
			for _, s := range c.steps {
				if s.skill == "" { // what waits is heard
					r.Steps(2)
					continue
				}
				got, err := r.Call(ann, s.skill, s.input)
				switch {
				case s.refused && (err == nil || !strings.Contains(err.Message, s.want)):
					t.Errorf("%s %s: %s, %v, want to be refused with %s", s.skill, s.input, got, err, s.want)
				case !s.refused && err != nil:
					t.Fatalf("%s %s: %v", s.skill, s.input, err)
				case !s.refused && !strings.Contains(got, s.want):
					t.Errorf("%s %s: %s, want %s", s.skill, s.input, got, s.want)
				}
			}
		})
	}
}
