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
	if err := json.Unmarshal([]byte(r.Do("terrain.shape", `{"form":"river","points":[[-40,10,0],[0,6,4],[40,2,0]],"radius":5,"depth":2,"edge":25,"flow":0}`)), &river); err != nil {
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

// TestCurrent has what floats and who swims in the middle of a river drift along it as fast as that flows, around its bend, and nothing in one that stands.
func TestCurrent(t *testing.T) {
	for _, c := range []struct {
		flow         string
		least, speed float64 // in m/s: how fast they drift on the way at least, and the river
	}{{`,"flow":1`, 0.6, 1}, {"", 1, 2}, {`,"flow":0`, 0, 0}} {
		r := moving(t)
		r.Do("world.generateRegion", `{"seed":3,"type":"plains","bounds":{"minTx":-1,"minTz":-1,"maxTx":0,"maxTz":0}}`)
		var river struct {
			Course []world.Vec3
			Flow   float64
		}
		said := r.Do("terrain.shape", `{"form":"river","points":[[-44,10,0],[0,8,12],[44,6,0]],"radius":5,"depth":2,"edge":25%s}`, c.flow)
		if err := json.Unmarshal([]byte(said), &river); err != nil {
			t.Fatal(err)
		}
		if river.Flow != c.speed {
			t.Fatalf("it flows with %v m/s, want %v", river.Flow, c.speed)
		}
		at := river.Course[2]
		raft := entityOf(t, r.Do("scene.createEntity", `{"position":[%v,%v,%v],"scale":[1,0.4,1],"material":"wood","dynamic":true}`, at[0], at[1]+0.2, at[2]))
		who := entityOf(t, r.Do("player.spawn", `{"position":[%v,%v,%v]}`, at[0]+4, at[1]+0.5, at[2]+1))
		r.Steps(120)
		from := []world.Vec3{r.At(t, raft), r.At(t, who)}
		const seconds = 15
		r.Steps(60 * seconds)
		for i, id := range []string{raft, who} {
			is := r.At(t, id)
			pace := is.Flat(from[i]) / seconds
			if pace < c.least || pace > c.speed+0.01 || c.speed > 0 && is[0] <= from[i][0] {
				t.Errorf("flow%s: %s has gone from %v to %v, %.2f m/s", c.flow, id, from[i], is, pace)
			}
			level := math.NaN()
			r.World.View(func(v *world.View) { level, _ = r.World.WaterLevel(v, is[0], is[2]) })
			if math.IsNaN(level) || math.Abs(is[1]-level) > 1 {
				t.Errorf("flow%s: %s is at %v, and the water at %v", c.flow, id, is, level)
			}
		}
	}
}

// TestCurrentWakes has a raft that sleeps on a river that stands drift when that begins to flow, and rest when it is held by the bank.
func TestCurrentWakes(t *testing.T) {
	r := moving(t)
	r.Do("world.generateRegion", `{"seed":3,"type":"plains","bounds":{"minTx":-1,"minTz":-1,"maxTx":0,"maxTz":0}}`)
	var river struct {
		Course []world.Vec3
		Water  world.ID
	}
	if err := json.Unmarshal([]byte(r.Do("terrain.shape", `{"form":"river","points":[[-44,8,0],[44,7,0]],"radius":5,"depth":2,"edge":25,"flow":0}`)), &river); err != nil {
		t.Fatal(err)
	}
	at := river.Course[4]
	raft := entityOf(t, r.Do("scene.createEntity", `{"position":[%v,%v,%v],"scale":[3,0.4,2],"material":"wood","dynamic":true}`, at[0], at[1]+0.2, at[2]))
	r.Steps(900)
	from := r.At(t, raft)
	r.Steps(60)
	if is := r.At(t, raft); is != from {
		t.Fatalf("on a river that stands it has gone from %v to %v", from, is)
	}
	flow := func(speed float64) {
		t.Helper()
		if _, err := r.World.Update(t.Context(), func(tx *world.Tx) error {
			water, _ := r.World.Waters.Get(&tx.View, river.Water)
			water.Flow = speed
			return r.World.Waters.Set(tx, river.Water, water)
		}); err != nil {
			t.Fatal(err)
		}
	}
	flow(0.2)
	r.Steps(1200)
	if is := r.At(t, raft); is[0] < from[0]+2 {
		t.Errorf("on a river that flows it has gone from %v to %v", from, is)
	}
	flow(2)
	r.Steps(4000)
	from = r.At(t, raft)
	r.Steps(60)
	if is := r.At(t, raft); is.Dist(from) > 0.01 {
		t.Errorf("at the end of the river it still goes from %v to %v", from, is)
	}
}
