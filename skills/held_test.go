package skills_test

import (
	"strings"
	"testing"
)

// TestClaimsAreHeldAgainstRoom has somebody build beside another one's claim: what reaches into it is refused, whatever its middle is and whatever was
// done to it, and what does not is not.
func TestClaimsAreHeldAgainstRoom(t *testing.T) {
	r := newStage(t)
	ada := god("ada")
	r.Do("world.generateRegion", `{"seed":7,"type":"plains","bounds":{"minTx":0,"minTz":0,"maxTx":1,"maxTz":0}}`) // ent_0, ent_1 and ent_2
	must := func(name, input string) string { t.Helper(); return r.Must(t, ada, name, input) }
	slab := entityOf(t, must("scene.createEntity", `{"scale":[40,1,10],"position":[40,10,10]}`))
	beam := entityOf(t, must("scene.createEntity", `{"scale":[30,1,1],"position":[65,20,10]}`))
	group := entityOf(t, must("scene.createEntity", `{"position":[70,20,10]}`))
	must("scene.group", `{"entities":["`+beam+`"],"into":"`+group+`"}`)
	hole := entityOf(t, must("terrain.shape", `{"form":"basin","center":[30,10],"radius":9,"edge":3,"y":0}`))
	small := entityOf(t, must("terrain.shape", `{"form":"mound","center":[70,40],"radius":5,"edge":1}`))
	far := entityOf(t, must("scene.createEntity", `{"position":[90,2,40]}`))
	r.Do("world.claim", `{"min":[10,-20,0],"max":[40,30,20],"seconds":600}`)

	for _, c := range []struct{ what, name, input string }{
		{"a box around it", "scene.createEntity", `{"scale":[90,30,60],"position":[60,10,30]}`},
		{"a slab with its end there, moved away", "three.setTransform", `{"entity":"` + slab + `","position":[80,10,40]}`},
		{"… painted", "three.setMaterial", `{"entity":"` + slab + `","color":255}`},
		{"… made small", "three.setTransform", `{"entity":"` + slab + `","scale":[1,1,1]}`},
		{"… destroyed", "scene.destroyEntity", `{"entity":"` + slab + `"}`},
		{"a group with a part that gets there", "three.setTransform", `{"entity":"` + group + `","position":[50,20,10]}`},
		{"water over it", "world.addWater", `{"level":2,"size":300}`},
		{"ground dug beside it", "terrain.shape", `{"form":"basin","center":[45,10],"radius":8,"edge":1}`},
		{"a road to it", "terrain.shape", `{"center":[90,10],"to":[39,10],"radius":2,"edge":0}`},
		{"what was dug there, filled up", "scene.destroyEntity", `{"entity":"` + hole + `"}`},
		{"… moved away", "three.setTransform", `{"entity":"` + hole + `","position":[80,0,30]}`},
		{"a hill brought there", "three.setTransform", `{"entity":"` + small + `","position":[44,0,10]}`},
		{"a thing put there", "three.setTransform", `{"entity":"` + far + `","position":[20,2,10]}`},
		{"the ground taken away", "scene.destroyEntity", `{"entity":"ent_0"}`},
		{"the ground painted", "three.setMaterial", `{"entity":"ent_1","color":255}`},
	} {
		if got, err := r.Call(ada, c.name, c.input); err == nil || !strings.Contains(err.Message, "ann holds") {
			t.Errorf("%s: %s, %v", c.what, got, err)
		}
	}
	for _, c := range []struct{ what, name, input string }{
		{"a box beside it", "scene.createEntity", `{"scale":[10,10,10],"position":[45,5,10]}`},
		{"a slab above it", "scene.createEntity", `{"scale":[90,1,60],"position":[40,31,10]}`},
		{"the group moved away", "three.setTransform", `{"entity":"` + group + `","position":[75,20,10]}`},
		{"ground shaped on a tile that reaches there", "terrain.shape", `{"form":"mound","center":[30,40],"radius":8,"edge":1}`},
		{"the hill moved", "three.setTransform", `{"entity":"` + small + `","position":[60,0,40]}`},
		{"… and that undone", "world.undo", `{}`},
		{"the hill taken away", "scene.destroyEntity", `{"entity":"` + small + `"}`},
	} {
		if got, err := r.Call(ada, c.name, c.input); err != nil {
			t.Errorf("%s: %s, %v", c.what, got, err)
		}
	}
	r.Do("three.setTransform", `{"entity":%q,"position":[28,0,10]}`, hole)
}

// TestVisitorsOfClaims has a player walk about in a claim of somebody else's: what he does with himself is his.
func TestVisitorsOfClaims(t *testing.T) {
	r := newStage(t)
	r.Do("scene.createEntity", `{"name":"wall"}`)
	r.Do("item.define", `{"id":"apple","name":"Apple"}`)
	r.Do("world.claim", `{"min":[-10,-10,-10],"max":[10,10,10],"seconds":600}`)
	ben := god("ben")
	hat := entityOf(t, r.Must(t, ben, "scene.createEntity", `{"shape":"cone","position":[30,1,0]}`))
	who := entityOf(t, r.Must(t, ben, "player.spawn", `{"position":[3,1,3]}`))
	for _, c := range [][2]string{
		{"player.move", `{"forward":1}`},
		{"player.jump", `{}`},
		{"inventory.create", `{"entity":"` + who + `"}`},
		{"inventory.add", `{"entity":"` + who + `","itemId":"apple"}`},
		{"scene.group", `{"entities":["` + hat + `"],"into":"` + who + `"}`},
		{"three.setMaterial", `{"entity":"` + hat + `","color":255}`},
		{"three.setTransform", `{"entity":"` + who + `","position":[4,1,4]}`},
	} {
		if got, err := r.Call(ben, c[0], c[1]); err != nil {
			t.Errorf("%s %s: %s, %v", c[0], c[1], got, err)
		}
	}
	if _, err := r.Call(ben, "three.setTransform", `{"entity":"ent_0","position":[4,1,4]}`); err == nil || !strings.Contains(err.Message, "ann holds") {
		t.Errorf("somebody else's wall: %v", err)
	}
}

// TestClaimsRoundabout has somebody want what another one has claimed by taking it for a part of himself, by what it is under, and by what hangs on it.
func TestClaimsRoundabout(t *testing.T) {
	r := newStage(t)
	ben := god("ben")
	wall := entityOf(t, r.Do("scene.createEntity", `{"position":[0,0.5,0]}`))
	lamp := entityOf(t, r.Do("scene.createEntity", `{"position":[2,0.5,0]}`))
	house := entityOf(t, r.Do("scene.group", `{"entities":["%s"],"origin":[20,0,0]}`, lamp))
	crate := entityOf(t, r.Do("scene.createEntity", `{"position":[4,3,0],"dynamic":true}`))
	hook := entityOf(t, r.Do("scene.createEntity", `{"position":[4,6,0],"static":true}`))
	r.Do("animation.authorClip", `{"id":"up","duration":1,"tracks":[{"property":"position.y","keys":[{"t":0,"value":0},{"t":1,"value":50}]}]}`)
	r.Do("world.claim", `{"min":[-5,-1,-5],"max":[5,9,5],"seconds":600}`)
	who := entityOf(t, r.Must(t, ben, "player.spawn", `{"position":[12,1,0]}`))
	load := entityOf(t, r.Must(t, ben, "scene.createEntity", `{"position":[7,3,0],"dynamic":true}`))
	bag := entityOf(t, r.Must(t, ben, "scene.createEntity", `{"position":[12,2,0]}`))
	tower := entityOf(t, r.Must(t, ben, "scene.createEntity", `{"position":[50,2,0]}`))
	for _, c := range []struct{ what, name, input string }{
		{"her wall for a body", "agent.embody", `{"entity":"` + wall + `"}`},
		{"her house for a body, which is under something outside", "agent.embody", `{"entity":"` + house + `"}`},
		{"her wall carried by him", "scene.group", `{"entities":["` + wall + `"],"into":"` + who + `"}`},
		{"her house carried by him", "scene.group", `{"entities":["` + house + `"],"into":"` + who + `"}`},
		{"… and moved in the same step", "world.batch", `{"operations":[{"skill":"scene.group","input":{"entities":["` + wall + `"],"into":"` + who + `"}},{"skill":"three.setTransform","input":{"entity":"` + who + `","position":[40,1,0]}}]}`},
		{"her house played", "animation.play", `{"entity":"` + house + `","clipId":"up"}`},
		{"a rope to her crate", "physics.addJoint", `{"entity":"` + load + `","to":"` + crate + `","kind":"rope","at":[7,3,0]}`},
		{"her wall painted", "three.setMaterial", `{"entity":"` + wall + `","color":255}`},
	} {
		if got, err := r.Call(ben, c.name, c.input); err == nil || !strings.Contains(err.Message, "ann holds") {
			t.Errorf("%s: %s, %v", c.what, got, err)
		}
	}
	for _, c := range []struct{ what, name, input string }{
		{"a rope to what stands fast", "physics.addJoint", `{"entity":"` + load + `","to":"` + hook + `","kind":"rope","at":[7,3,0]}`},
		{"his tower for a body", "agent.embody", `{"entity":"` + tower + `"}`},
		{"with which he visits her", "three.setTransform", `{"entity":"` + tower + `","position":[0,2,3]}`},
		{"a bag that he takes along", "scene.group", `{"entities":["` + bag + `"],"into":"` + who + `"}`},
		{"where he visits her", "three.setTransform", `{"entity":"` + who + `","position":[3,1,3]}`},
		{"and paints it", "three.setMaterial", `{"entity":"` + bag + `","color":255}`},
		{"and throws it away", "scene.destroyEntity", `{"entity":"` + bag + `"}`},
		{"and himself", "player.despawn", `{"entity":"` + who + `"}`},
	} {
		if got, err := r.Call(ben, c.name, c.input); err != nil {
			t.Errorf("%s: %s, %v", c.what, got, err)
		}
	}
	// Who takes another body leaves the tower there, which is to build.
	if got, err := r.Call(ben, "agent.embody", `{"entity":"`+load+`"}`); err == nil || !strings.Contains(err.Message, "ann holds") {
		t.Errorf("the tower left in her claim: %s, %v", got, err)
	}
}
