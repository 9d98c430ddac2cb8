package behavior_test

import (
	"math"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

// tower is a room in which ent_0 stands under a floor at 3 m that has a ramp up to it from the east (ent_2, ent_3), and ent_1 on that floor, above it.
func tower(t testing.TB) *skilltest.Room {
	t.Helper()
	r := town(t)
	r.Do("three.setTransform", `{"entity":"ent_0","position":[0,0.5,0],"scale":[0.4,1,0.4]}`)
	r.Do("scene.createEntity", `{"position":[0,2.9,0],"scale":[6,0.2,6]}`)
	r.Do("scene.createEntity", `{"position":[6,1.4,0],"rotationEuler":[0,0,-0.4636476],"scale":[6.7082,0.2,2]}`)
	r.Do("three.setTransform", `{"entity":"ent_1","position":[0,3.5,0],"scale":[0.4,1,0.4]}`)
	r.Do("navmesh.build", `{"bounds":{"minX":-6,"minZ":-6,"maxX":12,"maxZ":6},"cellSize":0.5,"diagonal":true,"agentRadius":0.2,"levels":true,"ignore":["ent_0","ent_1"]}`)
	return r
}

// TestFollowUpstairs comes up to who stands a storey above it: he is not beside it.
func TestFollowUpstairs(t *testing.T) {
	r := tower(t)
	r.Do("behavior.setGoal", `{"entity":"ent_0","type":"follow","target":"ent_1","config":{"speed":6}}`)
	r.Steps(seconds * 6)
	if at := r.At(t, "ent_0"); at[1] < 3 || at.Dist(r.At(t, "ent_1")) > 2.5 {
		t.Errorf("it is at %v, %v", at, r.Entity(t, "ent_0"))
	}
}

// TestGuardUpstairs strikes nobody through the ceiling, goes up to him, and comes back to its own storey.
func TestGuardUpstairs(t *testing.T) {
	r := tower(t)
	r.Do("behavior.setGoal", `{"entity":"ent_0","type":"guard","config":{"radius":4,"speed":6}}`)
	r.Do("npc.setAttitude", "%s", hostile)
	for range seconds * 6 {
		r.Steps(1)
		for _, m := range r.Heard() {
			if at := r.At(t, "ent_0"); strings.Contains(m, "behavior.attacked") && at[1] < 3 {
				t.Fatalf("it strikes at %v", at)
			}
		}
	}
	if at := r.At(t, "ent_0"); at[1] < 3 {
		t.Errorf("it has not gone up, it is at %v", at)
	}
	r.Do("npc.setAttitude", "%s", strings.ReplaceAll(hostile, "hostile", "neutral"))
	r.Steps(seconds * 6)
	if at := r.At(t, "ent_0"); at[1] > 0.6 {
		t.Errorf("it has not come down, it is at %v", at)
	}
	r.Do("behavior.setGoal", `{"entity":"ent_0","type":"guard","config":{"radius":2.5,"speed":6}}`)
	r.Do("npc.setAttitude", "%s", hostile)
	r.Steps(seconds * 3)
	if at := r.At(t, "ent_0"); at[1] > 0.6 {
		t.Errorf("it goes after who is 3 m above its post, within 2.5 m of that: it is at %v", at)
	}
}

// TestCannotComeUp stands below who cannot be reached, and the world is at rest; it strikes at nobody there.
func TestCannotComeUp(t *testing.T) {
	for _, goal := range []string{`"follow","target":"ent_1"`, `"guard","config":{"radius":9}`} {
		r := tower(t)
		r.Do("npc.setAttitude", "%s", hostile)
		r.Do("scene.destroyEntity", `{"entity":"ent_3"}`)
		r.Do("navmesh.build", `{"bounds":{"minX":-6,"minZ":-6,"maxX":12,"maxZ":6},"cellSize":0.5,"levels":true,"ignore":["ent_0","ent_1"]}`)
		r.Do("behavior.setGoal", `{"entity":"ent_0","type":%s}`, goal)
		r.Steps(seconds * 4)
		if got := r.Entity(t, "ent_0"); !strings.Contains(got, `"stuck":"no way leads`) {
			t.Errorf("%s: it is %s", goal, got)
		}
		if heard := strings.Join(r.Heard(), " "); strings.Contains(heard, "attacked") {
			t.Errorf("%s: viewers are told %s", goal, heard)
		}
	}
}

// TestFleeOnOneStorey flees from who is as far away as it is told, and not from who is so above it.
func TestFleeOnOneStorey(t *testing.T) {
	r := tower(t)
	r.Do("behavior.setGoal", `{"entity":"ent_0","type":"flee","target":"ent_1","config":{"radius":2.5,"speed":6}}`)
	r.Steps(seconds * 2)
	stands(t, r, "ent_0", 0, 0)
	r.Do("three.setTransform", `{"entity":"ent_1","position":[1,0.5,0]}`)
	r.Steps(seconds * 2)
	if d := r.At(t, "ent_0").Dist(r.At(t, "ent_1")); d < 2.5 {
		t.Errorf("it is %v m away", d)
	}
}

// TestBelowAPillar comes as near as it can to who stands where nobody can walk, and is at rest there; it strikes at nobody above it.
func TestBelowAPillar(t *testing.T) {
	for _, goal := range []string{`"follow","target":"ent_1"`, `"guard","config":{"radius":9}`} {
		r := town(t)
		r.Do("npc.setAttitude", "%s", hostile)
		r.Do("scene.createEntity", `{"position":[3,2,0],"scale":[0.4,4,0.4]}`)
		r.Do("three.setTransform", `{"entity":"ent_1","position":[3,4.5,0]}`)
		r.Do("navmesh.build", `{"bounds":{"minX":-6,"minZ":-6,"maxX":12,"maxZ":6},"cellSize":0.5,"agentRadius":0.4,"levels":true,"ignore":["ent_0","ent_1"]}`)
		r.Do("behavior.setGoal", `{"entity":"ent_0","type":%s}`, goal)
		r.Steps(seconds * 4)
		if at := r.At(t, "ent_0"); math.Hypot(at[0]-3, at[2]) > 2.5 {
			t.Errorf("%s: it is at %v", goal, at)
		}
		tick := r.World.Tick()
		if r.Steps(seconds * 5); r.World.Tick() != tick {
			t.Errorf("%s: it can get no nearer, and the world changes %d times", goal, r.World.Tick()-tick)
		}
		if heard := strings.Join(r.Heard(), " "); strings.Contains(heard, "attacked") {
			t.Errorf("%s: viewers are told %s", goal, heard)
		}
	}
}
