package skills_test

import (
	"math"
	"testing"

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
