package skills_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/world"
)

// TestRiverCarries has swimmers, boats, ways and checks go by the water of a river, as high as it is where each of them is.
func TestRiverCarries(t *testing.T) {
	r := moving(t)
	r.Do("world.generateRegion", `{"seed":3,"type":"plains","bounds":{"minTx":-1,"minTz":-1,"maxTx":0,"maxTz":0}}`)
	var river struct{ Course []world.Vec3 }
	if err := json.Unmarshal([]byte(r.Do("terrain.shape", `{"form":"river","points":[[-40,10,0],[0,6,4],[40,2,0]],"radius":5,"depth":2,"edge":25}`)), &river); err != nil {
		t.Fatal(err)
	}
	course := river.Course
	for _, at := range []world.Vec3{course[6], course[16]} {
		who := entityOf(t, r.Do("player.spawn", `{"position":[%v,%v,%v]}`, at[0], at[1]+1, at[2]))
		raft := entityOf(t, r.Do("scene.createEntity", `{"position":[%v,%v,%v],"scale":[1,0.4,1],"material":"wood","dynamic":true}`, at[0]+2.5, at[1]+1, at[2]))
		r.Steps(400)
		is := r.At(t, raft)
		level := math.NaN()
		r.World.View(func(v *world.View) { level, _ = r.World.WaterLevel(v, is[0], is[2]) })
		if math.Abs(is[1]-level) > 0.2 || math.Abs(is[1]-at[1]) > 1.2 {
			t.Errorf("a raft that was let down at %v is at %v, and the water at %v", at, is, level)
		}
		if !strings.Contains(r.Entity(t, who), `"swimming":true`) {
			t.Errorf("nobody swims at %v, but is at %v", at, r.At(t, who))
		}
		if feet := r.At(t, who)[1] - 0.9; feet > at[1] || feet < at[1]-1.4 {
			t.Errorf("who swims at %v has his feet at %v", at, feet)
		}
		if said := r.Do("scene.validate", `{}`); strings.Contains(said, raft) {
			t.Errorf("of a raft is said %s", said)
		}
		r.Do("scene.destroyEntity", `{"entity":%q}`, raft)
		r.Do("player.despawn", `{"entity":%q}`, who)
	}
	over := func(water string) string {
		r.Do("navmesh.build", `{"bounds":{"minX":-30,"minZ":-40,"maxX":30,"maxZ":40},"cellSize":0.5,"water":%q}`, water)
		return r.Do("navmesh.isReachable", `{"from":[0,0,-36],"to":[0,0,37]}`)
	}
	if dry := over("ignore"); !strings.Contains(dry, `"reachable":true`) {
		t.Fatalf("across the bed it is %s", dry)
	}
	if block := over("block"); !strings.Contains(block, `"reachable":false`) {
		t.Errorf("across the river it is %s", block)
	}
	if swum := over("avoid"); !strings.Contains(swum, `"reachable":true`) {
		t.Errorf("through the river it is %s", swum)
	}
}
