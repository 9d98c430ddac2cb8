package behavior_test

import "testing"

// BenchmarkTurrets is a second of 400 turrets among 400 who have the tag.
func BenchmarkTurrets(b *testing.B) {
	r := town(b)
	r.Do("behavior.define", "%s", profile(`"goals":[{"id":"f","type":"turret","config":{"tag":"creep","radius":8}}]`))
	for i := range 400 {
		r.Do("scene.createEntity", `{"position":[%d,0,%d],"tags":["creep"]}`, i%20*4, i/20*4)
		id := made(r.Do("scene.createEntity", `{"position":[%d,0,%d]}`, i%20*4+1, i/20*4+1))
		r.Do("behavior.assign", `{"entity":%q,"profileId":"p"}`, id)
	}
	for b.Loop() {
		r.Steps(seconds)
	}
}
