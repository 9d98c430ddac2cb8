package skills_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/world"
)

// TestWaysAndWater has ways go round a lake where one can, across it where one cannot or the caller minds no water, and nowhere where it is to be kept out
// of; a character who swims across knows so, comes out, and an inhabitant without a body of the physics floats, too.
func TestWaysAndWater(t *testing.T) {
	r := moving(t)
	r.Do("world.generateRegion", `{"seed":3,"type":"plains","bounds":{"minTx":-1,"minTz":-1,"maxTx":0,"maxTz":0}}`)
	r.Do("terrain.shape", `{"form":"level","center":[0,0],"radius":40,"y":2}`)
	r.Do("terrain.shape", `{"form":"basin","center":[0,0],"radius":12,"edge":3,"y":2,"rise":4,"water":true}`)
	for _, levels := range []string{"false", "true"} {
		long := func(water string) (float64, bool) {
			got := r.Do("navmesh.build", `{"bounds":{"minX":-20,"minZ":-20,"maxX":20,"maxZ":20},"cellSize":0.5,"diagonal":true,"levels":%s,"water":%q}`, levels, water)
			if !strings.Contains(got, `"deep":`) != (water != "avoid") {
				t.Errorf("levels %s, water %s: %s", levels, water, got)
			}
			var out struct {
				Reachable bool
				Path      []world.Vec3
			}
			if err := json.Unmarshal([]byte(r.Do("navmesh.findPath", `{"from":[-16,2,0],"to":[16,2,0]}`)), &out); err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			for i := 1; i < len(out.Path); i++ {
				sum += out.Path[i].Flat(out.Path[i-1])
			}
			return sum, out.Reachable
		}
		if far, ok := long("avoid"); !ok || far < 36 {
			t.Errorf("levels %s: a way of %v m, %v; want one around the lake", levels, far, ok)
		}
		if far, ok := long("block"); !ok || far < 36 {
			t.Errorf("levels %s, blocked: a way of %v m, %v", levels, far, ok)
		}
		if far, ok := long("ignore"); !ok || far > 34 {
			t.Errorf("levels %s, ignored: a way of %v m, %v; want one through the lake", levels, far, ok)
		}
		// A strip from shore to shore: there is no way but through the water.
		r.Do("navmesh.build", `{"bounds":{"minX":-20,"minZ":-2,"maxX":20,"maxZ":2},"cellSize":0.5,"diagonal":true,"levels":%s,"water":"block"}`, levels)
		if got := r.Do("navmesh.isReachable", `{"from":[-16,2,0],"to":[16,2,0]}`); !strings.Contains(got, `"reachable":false`) {
			t.Errorf("levels %s: blocked, and still %s", levels, got)
		}
		r.Do("navmesh.build", `{"bounds":{"minX":-20,"minZ":-2,"maxX":20,"maxZ":2},"cellSize":0.5,"diagonal":true,"levels":%s}`, levels)
		who := entityOf(t, r.Do("player.spawn", `{"position":[-16,3,0]}`))
		r.Steps(60)
		thing := entityOf(t, r.Do("scene.createEntity", `{"position":[-16,2.5,1],"size":1}`))
		r.Do("navmesh.moveTo", `{"entity":%q,"target":[16,2,0],"speed":4}`, who)
		r.Do("navmesh.moveTo", `{"entity":%q,"target":[16,2,1],"speed":4}`, thing)
		swam, low, sunk := false, 9.0, 9.0
		for range 60 * 16 {
			r.Steps(1)
			if at := r.At(t, who); at[0] > -3 && at[0] < 3 {
				low = min(low, at[1])
				swam = swam || strings.Contains(r.Do("agent.getPerception", `{}`), `"swimming":true`)
			}
			if at := r.At(t, thing); at[0] > -3 && at[0] < 3 {
				sunk = min(sunk, at[1])
			}
		}
		if !swam || low < 1 {
			t.Errorf("levels %s: swam %v, at %v at the lowest", levels, swam, low)
		}
		if sunk < 1 {
			t.Errorf("levels %s: a thing that walks was at %v", levels, sunk)
		}
		if at := r.At(t, who); at[0] < 15.5 {
			t.Errorf("levels %s: it has come to %v", levels, at)
		}
		r.Do("player.despawn", `{"entity":%q}`, who)
		r.Do("scene.destroyEntity", `{"entity":%q}`, thing)
	}
}
