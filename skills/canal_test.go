package skills_test

import (
	"strings"
	"testing"
)

// TestCanal has water be as long and as wide as it was asked for, and as it is scaled and turned: one swims where it is, and walks where it is not.
func TestCanal(t *testing.T) {
	r := moving(t)
	r.Do("scene.createEntity", `{"name":"floor","position":[0,-0.5,0],"scale":[80,1,80],"static":true}`)
	swims := func(x, z float64) bool {
		t.Helper()
		ann := entityOf(t, r.Do("player.spawn", `{"position":[%v,0.9,%v]}`, x, z))
		r.Steps(60)
		in := r.Entity(t, ann)
		r.Do("player.despawn", `{"entity":%q}`, ann)
		return strings.Contains(in, `"swimming":true`)
	}
	is := func(what string, wet, dry [2]float64) {
		t.Helper()
		if !swims(wet[0], wet[1]) {
			t.Errorf("%s: nobody swims at %v", what, wet)
		}
		if swims(dry[0], dry[1]) {
			t.Errorf("%s: somebody swims at %v", what, dry)
		}
	}
	pool := entityOf(t, r.Do("world.addWater", `{"level":2,"size":30,"depth":8,"center":[4,0]}`))
	is("along x", [2]float64{17, 3}, [2]float64{4, 6})
	if said := r.Do("scene.queryEntities", `{"entity":%q}`, pool); !strings.Contains(said, `"shape":{"kind":"water","size":[30,0,30]}`) || !strings.Contains(said, `"scale":[1,1,0.26667]`) && !strings.Contains(said, `"scale":[1,1,0.266666`) {
		t.Errorf("of the water is said %s", said)
	}
	r.Do("three.setTransform", `{"entity":%q,"rotationEuler":[0,1.5708,0]}`, pool)
	is("turned", [2]float64{5, 13}, [2]float64{17, 3})
	r.Do("three.setTransform", `{"entity":%q,"rotationEuler":[0,0,0],"scale":[0.2,1,1]}`, pool)
	is("scaled", [2]float64{6, 13}, [2]float64{10, 0})
	r.Do("three.setTransform", `{"entity":%q,"rotationEuler":[0,0.7854,0],"scale":[1,1,0.1]}`, pool) // from the far left to the near right
	is("across", [2]float64{12, -8}, [2]float64{12, 8})
	for _, levels := range []string{"false", "true"} {
		r.Do("navmesh.build", `{"bounds":{"minX":-6,"minZ":-10,"maxX":14,"maxZ":10},"cellSize":0.5,"levels":%s,"water":"block"}`, levels)
		for to, want := range map[string]string{"[10,0,8]": "true", "[-2,0,-8]": "false"} {
			if got := r.Do("navmesh.isReachable", `{"from":[12,0,-2],"to":%s}`, to); !strings.Contains(got, `"reachable":`+want) {
				t.Errorf("levels %s: to %s it is %s", levels, to, got)
			}
		}
	}
}

// TestForest has a wood be as large as it was asked for, and leave out roads, paved yards and water, but not fields.
func TestForest(t *testing.T) {
	r := room(t)
	r.Do("world.generateRegion", `{"seed":77,"type":"hills","bounds":{"minTx":-2,"minTz":-2,"maxTx":1,"maxTz":1}}`)
	r.Do("terrain.shape", `{"center":[-80,-80],"to":[80,60],"radius":4,"y":1,"toY":1}`)
	r.Do("terrain.shape", `{"center":[50,-50],"radius":20,"y":1}`)
	r.Do("terrain.shape", `{"center":[-40,50],"radius":16,"y":3,"material":"stone"}`)
	r.Do("world.addWater", `{"level":0.5,"size":192}`)
	said := r.Do("asset.scatter", `{"regionId":"ent_0","list":2000,"config":{"seed":5,"density":16,"count":300,"assets":[{"id":"pine"},{"id":"oak"}]}}`)
	if !strings.Contains(said, `"instances":300,"mounted":300`) {
		t.Fatalf("it is no wood of 300: %.200s", said)
	}
	field := 0
	for _, p := range placesOf(t, said) {
		if away := p[0]*140 - p[2]*160 + 80*140 - 80*160; away*away < 5*5*(140*140+160*160) && p[0] < 80 {
			t.Errorf("one stands at %v, on the road", p)
		}
		if x, z := p[0]+40, p[2]-50; x*x+z*z < 15*15 {
			t.Errorf("one stands at %v, in the paved yard", p)
		}
		if p[1] < 0.5 {
			t.Errorf("one stands at %v, in the water", p)
		}
		if x, z := p[0]-50, p[2]+50; x*x+z*z < 20*20 {
			field++
		}
	}
	if field == 0 {
		t.Error("none stands in the field")
	}
	if said := r.Do("asset.scatter", `{"regionId":"ent_0","config":{"seed":6,"density":4,"count":2000,"assets":[{"id":"rock"}]}}`); strings.Contains(said, `"instances":0`) {
		t.Errorf("of fewer places than were asked for: %.200s", said)
	}
}
