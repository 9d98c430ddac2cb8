package skills_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/world"
)

// TestRestoreEverything takes a snapshot of a world that holds something in each kind of state that the
// catalogue declares, empties the world, and has all of it read back.
func TestRestoreEverything(t *testing.T) {
	s := newServer(t, 100)
	var empty, full []byte
	s.world.View(func(v *world.View) { empty = v.AppendSnapshot(nil) })

	ann, bob := god("ann"), god("bob")
	furnish(t, s, ann)
	do := func(who *profiles.Principal, skill, input string) string {
		t.Helper()
		k, ok := s.registry.Lookup(skill)
		if !ok {
			t.Fatalf("no skill %s", skill)
		}
		res := s.call(who, k, []byte(input), nil)
		if res.Err != nil {
			t.Errorf("%s: %v", skill, res.Err)
		}
		return string(res.Output)
	}
	for _, call := range [][2]string{
		{"three.setMaterial", `{"entity":"ent_1","material":"brick","castShadow":true}`},
		{"scene.group", `{"entities":["ent_1","ent_2"],"name":"wood"}`},
		{"ui.hudPanel", `{"anchor":{"kind":"screen","corner":"top-left","marginPx":[1,2]},"lines":["a"],"style":{"padding":{"top":1,"right":2,"bottom":3,"left":4},"text":{"color":{"r":1,"g":2,"b":3,"a":4}}},"lifecycle":{"ttl":1000}}`},
		{"audio.play", `{"freq":440,"secs":10}`},
		{"audio.playBGM", `{"trackId":"dawn","config":{"a":[1]}}`},
		{"audio.setBusVolume", `{"bus":"voice","volume":0.5}`},
		{"audio.setReverb", `{"position":[1,2,3],"radius":4}`},
		{"world.setTime", `{"time":7,"transitionMs":10000,"hoursPerMinute":1}`},
		{"world.setWeather", `{"weather":"custom","config":{"fish":true}}`},
		{"world.setTimeScale", `{"scale":0.5}`},
		{"physics.setGravity", `{"gravity":3.71}`},
		{"world.setSky", `{"sky":"space","ground":true}`},
		{"world.setSpawn", `{"position":[1,2,3]}`},
		{"world.addWater", `{}`},
		{"three.setLighting", `{"castShadow":true}`},
		{"render.enablePost", `{"ao":{"samples":8},"bloom":{"enabled":false}}`},
		{"prefab.define", `{"name":"post","parameters":[{"name":"high","default":2}],"operations":[{"skill":"scene.createEntity","input":{"size":"$high"}}]}`},
		{"prefab.define", `{"name":"copy","from":["ent_1"]}`},
		{"prefab.instantiate", `{"name":"post"}`},
		{"trigger.create", `{"entity":"ent_1","center":[0,0,2],"size":[1,1,1]}`},
		{"trigger.onStay", `{"triggerId":"trg_0","action":{"type":"emit","data":{"deep":{"a":[1,2]}}}}`},
		{"behavior.define", `{"id":"watch","name":"Watch","routines":[{"id":"day","name":"","schedule":[{"hour":6,"action":"emit","target":"dawn"},{"hour":8,"action":"goTo","position":[1,2,3]}]}],"reactions":[{"trigger":"start","action":{"type":"say","data":{"text":"Oh"}},"cooldown":2,"config":{"radius":3}}],"goals":[{"id":"rounds","type":"patrol","config":{"waypoints":[[1,2,3]],"wait":2}},{"id":"think","type":"custom","config":{"a":[1]}}]}`},
		{"behavior.assign", `{"entity":"ent_2","profileId":"watch"}`},
		{"behavior.setGoal", `{"entity":"ent_2","type":"guard","config":{"damage":2}}`},
		{"behavior.onEvent", `{"entity":"ent_2","trigger":"next","action":{"type":"emit","target":"over"}}`},
		{"npc.setAttitude", `{"entity":"ent_2","towardEntity":"ent_1","attitude":"hostile"}`},
		{"npc.memorize", `{"entity":"ent_2","key":"it","value":{"a":[1]}}`},
		{"dialogue.define", `{"id":"talk","name":"Talk","startNode":"a","nodes":[{"id":"a","text":"Hm?","speaker":"He","choices":[{"text":"Hm.","nextNodeId":"","condition":"not flag('b')","effects":{"game":{"counter":{"name":"coins"}}}}],"config":{"a":[1]}}]}`},
		{"dialogue.start", `{"treeId":"talk","speaker":"ent_2","listener":"ann"}`},
		{"dialogue.setMood", `{"speaker":"ent_2","mood":"glad"}`},
		{"event.emit", `{"eventName":"start"}`},
		{"game.state", `{"action":"set","name":"wave","value":{"a":[1]}}`},
		{"game.counter", `{"name":"coins","action":"increment"}`},
		{"game.timer", `{"name":"bomb","duration":9}`},
		{"game.lose", `{}`},
		{"item.define", `{"id":"hat","name":"Hat","config":{"warm":true}}`},
		{"inventory.create", `{"entity":"ent_1","typeRestrictions":["general"]}`},
		{"inventory.add", `{"entity":"ent_1","itemId":"hat","quantity":3}`},
		{"item.equip", `{"entity":"ent_1","itemId":"hat","equipmentSlot":"head"}`},
		{"cutscene.define", `{"id":"intro","loop":true,"keyframes":[{"atTick":3,"action":{"type":"camera","data":{"a":[1]}}}]}`},
		{"cutscene.play", `{"id":"intro"}`},
		{"interaction.register", `{"entity":"ent_2","prompt":"Open","type":"open","maxRange":9,"config":{"open":{"rotationEuler":[0,1,0]}}}`},
		{"interaction.open", `{"entity":"ent_2"}`},
		{"social.approach", `{"target":[40,0,0]}`},
		{"physics.applyImpulse", `{"entity":"ent_1","impulse":[1,0,0],"at":[0,0.2,0.1]}`},
		{"physics.addJoint", `{"entity":"ent_1","kind":"hinge","max":3}`},
		{"physics.setMotor", `{"entity":"ent_1","target":2,"strength":9}`},
		{"player.move", `{"entity":"ent_3","forward":1}`},
		{"navmesh.moveTo", `{"entity":"ent_3","from":[-10,0,-10],"target":[-20,0,-20]}`},
		{"navmesh.setSpeed", `{"entity":"ent_1","speed":2}`},
		{"animation.createStateMachine", `{"entity":"ent_2","name":"m","defaultState":"s","states":[{"name":"s","clipId":"turn"}],"parameters":[{"name":"p","type":"bool","defaultValue":true}],"transitions":[{"from":"s","to":"s","conditions":[{"param":"p","op":"equals","value":false}]}]}`},
		{"animation.follow", `{"entity":"ent_2","pathId":"line","ends":"again"}`},
		{"stats.onZero", `{"entity":"ent_1","statName":"hp","action":{"type":"emit","data":{"deep":{"a":[1,2]}}}}`},
		{"status.apply", `{"targetEntity":"ent_1","type":"burn","duration":9,"onTick":"it burns","config":{"a":[1]}}`},
		{"damage.apply", `{"targetEntity":"ent_1","amount":1000}`},
		{"combat.defend", `{"entity":"ent_3","reflectChance":0.5}`},
		{"ability.define", `{"id":"dash","cooldownTicks":60,"resourceStat":"mana","cost":2}`},
		{"ability.cast", `{"entity":"ent_3","id":"dash"}`},
		{"combat.rules", `{"pvp":false,"weapons":[{"id":"fists","damage":2},{"id":"bow","item":"hat","ranged":true,"damage":2,"cooldown":1}],"defend":{"duration":2}}`},
		{"quest.define", `{"id":"errand","name":"Errand","objectives":[{"id":"slay","type":"kill","description":"d","required":3,"config":{"a":[1]}},{"id":"go","type":"reach","description":"d","target":"ent_1"},{"id":"zone","type":"reach","description":"d","target":"trg_0"},{"id":"place","type":"reach","description":"d","config":{"position":[9,9,9]}},{"id":"wait","type":"custom","description":"d","config":{"event":"later"}}],"rewards":{"xp":5,"a":[1]}}`},
		{"quest.offer", `{"entity":"ent_3","questId":"errand"}`},
		{"quest.accept", `{"entity":"ent_3","questId":"errand"}`},
		{"event.emit", `{"eventName":"later"}`},
		{"progression.skillTree", `{"id":"magic","name":"Magic","nodes":[{"id":"focus","name":"Focus","effects":{"mana":1,"a":[1]}}]}`},
		{"progression.onLevelUp", `{"entity":"ent_3","action":{"type":"emit","data":{"deep":{"a":[1,2]}}}}`},
		{"progression.xp", `{"entity":"ent_3","amount":100}`},
		{"progression.unlock", `{"entity":"ent_3","id":"swim"}`},
		{"progression.allocate", `{"entity":"ent_3","treeId":"magic","nodeId":"focus"}`},
		{"vfx.create", `{"config":{"config":{"a":[1]}}}`},
		{"vfx.attach", `{"vfxId":"vfx_0","entity":"ent_1"}`},
		{"vfx.atPosition", `{"position":[1,2,3],"lifetime":9}`},
		{"camera.thirdPerson", `{"target":"ent_1","config":{"a":[1]}}`},
		{"camera.shake", `{}`},
		{"input.bind", `{"name":"jump","sources":["Space"]}`},
		{"director.configure", `{"buildRate":0.5}`},
		{"director.start", `{}`},
		{"damage.apply", `{"targetEntity":"ent_3","amount":1}`},
		{"architecture.building", `{"position":[60,0,60],"windows":[{"wall":"back"}]}`},
		{"terrain.shape", `{"form":"basin","center":[110,110],"to":[120,120],"radius":5}`},
	} {
		do(ann, call[0], call[1])
	}
	var bobs struct {
		Entity string `json:"entity"`
	}
	if err := json.Unmarshal([]byte(do(bob, "agent.embody", `{}`)), &bobs); err != nil {
		t.Fatal(err)
	}
	do(ann, "input.bind", fmt.Sprintf(`{"entity":%q,"name":"gas","sources":["KeyW"]}`, bobs.Entity))
	do(bob, "input.set", `{"name":"gas","value":true}`)
	do(bob, "social.approach", `{"target":"ent_1"}`) // ann goes to a point

	var want, got [32]byte
	s.world.View(func(v *world.View) { full, want = v.AppendSnapshot(nil), v.ContentHash() })
	var kinds struct {
		Columns map[string]map[string]json.RawMessage `json:"columns"`
		Tables  map[string]map[string]json.RawMessage `json:"tables"`
	}
	if err := json.Unmarshal(full, &kinds); err != nil {
		t.Fatal(err)
	}
	elsewhere := map[string]bool{ // what steps or files make
		"trigger.spawned": true, "trigger.left": true, "action.spawner": true, "prefab.made": true, "prefab.makers": true, "agents.kept": true, "navmesh.stuck": true, "character.ground": true, "light": true, "mesh": true, "meshes": true, "materials": true, "material.images": true, "animation.pose": true, "action.calls": true, "action.shares": true, "behavior.rests": true,
	}
	for name, values := range kinds.Columns {
		if len(values) == 0 && !elsewhere[name] {
			t.Errorf("no entity has %q: give one of them some", name)
		}
	}
	for name, rows := range kinds.Tables {
		if len(rows) == 0 && !elsewhere[name] {
			t.Errorf("the table %q is empty: give it a row", name)
		}
	}
	for _, snapshot := range [][]byte{empty, full} {
		if _, err := s.world.Update(context.Background(), func(tx *world.Tx) error { return tx.Restore(snapshot) }); err != nil {
			t.Fatal(err)
		}
	}
	s.world.View(func(v *world.View) { got = v.ContentHash() })
	if got != want {
		var now []byte
		s.world.View(func(v *world.View) { now = v.AppendSnapshot(nil) })
		t.Errorf("what was restored is\n%s\nwant\n%s", now, full)
	}
}
