package skills_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/skills/physics"
	"github.com/limina-mcp/limina/skills/terrain"
	"github.com/limina-mcp/limina/world"
)

// placesOf returns where things were scattered.
func placesOf(t *testing.T, said string) (all []world.Vec3) {
	t.Helper()
	var out terrain.ScatterOut
	if err := json.Unmarshal([]byte(said), &out); err != nil {
		t.Fatal(err)
	}
	for _, p := range out.Placements {
		all = append(all, world.Vec3{p.X, p.Y, p.Z})
	}
	return all
}

// TestRings turns sections that are beside the axis: they leave it free.
func TestRings(t *testing.T) {
	for _, c := range []struct {
		name, input string
		volume      float64
	}{
		{"the orbit of a planet", `{"profile":[[13,-0.02],[13.05,-0.02],[13.05,0.02],[13,0.02]],"segments":64}`, 0.04 * math.Pi * (13.05*13.05 - 13*13)},
		{"closed, the other way round", `{"profile":[[1,0],[1,1],[2,1],[2,0],[1,0]],"segments":64}`, 3 * math.Pi},
		{"with a notch", `{"profile":[[1,0],[2,0],[2,1],[1.5,0.5],[1,1],[1,0]],"segments":32}`, 0},
		{"half of one", `{"profile":[[1,0],[2,0],[2,1],[1,1],[1,0]],"segments":64,"angle":3.14159}`, 1.5 * math.Pi},
	} {
		r := room(t)
		said := r.Do("scene.lathe", "%s", c.input)
		var out struct {
			Volume float64
			Bounds struct{ Min, Max world.Vec3 }
		}
		if err := json.Unmarshal([]byte(said), &out); err != nil {
			t.Fatal(err)
		}
		if c.volume > 0 && math.Abs(out.Volume/c.volume-1) > 0.01 {
			t.Errorf("%s: it has %v m³, want %v: %s", c.name, out.Volume, c.volume, said)
		}
		if hit := r.Do("physics.raycast", `{"origin":[0,5,0.1],"direction":[0,-1,0],"maxDistance":20}`); !strings.Contains(hit, `"hit":false`) {
			t.Errorf("%s: the axis is not free: %s", c.name, hit)
		}
		mid := (out.Bounds.Max[0] + map[bool]float64{true: 13, false: 1.1}[out.Bounds.Max[0] > 10]) / 2
		if hit := r.Do("physics.raycast", `{"origin":[%v,5,0.01],"direction":[0,-1,0],"maxDistance":20}`, mid); !strings.Contains(hit, `"hit":true`) {
			t.Errorf("%s: nothing is at %v: %s", c.name, mid, hit)
		}
	}
	r := room(t)
	if said := r.Do("scene.lathe", `{"profile":[[0,0],[1,0],[1,2],[0,2],[0,0]],"segments":24}`); !strings.Contains(said, `"pieces":1`) || !strings.Contains(said, `"volume":6.2`) {
		t.Errorf("what comes back along the axis is not full: %s", said)
	}
	if _, err := r.Call(r.Ann, "scene.lathe", `{"profile":[[0,0],[1,0],[1,1],[0,0]]}`); err == nil || !strings.Contains(err.Message, "profile[0]: a profile that ends where it begins is the section of a ring") {
		t.Errorf("a section on the axis: %v", err)
	}
	if said := r.Do("scene.lathe", `{"profile":[[0.6,0],[0.6,0.3],[0.4,0.4],[0.35,3.6],[0.6,4]]}`); strings.Contains(said, `"pieces":24`) {
		t.Errorf("a column is a ring: %s", said)
	}
}

// TestStandingCircle puts the spokes of a wheel that is seen from the front around it.
func TestStandingCircle(t *testing.T) {
	r := room(t)
	spoke := entityOf(t, r.Do("scene.createEntity", `{"position":[0,10,1],"scale":[0.1,1.6,0.1]}`))
	_, err := r.Call(r.Ann, "scene.array", fmt.Sprintf(`{"entity":%q,"pattern":"circle","center":[0,9,1],"count":12}`, spoke))
	if err == nil || !strings.Contains(err.Message, `straight along y from it`) || !strings.Contains(err.Message, `"z" for a wheel that is seen from the front`) {
		t.Errorf("about the upright axis: %v", err)
	}
	said := r.Do("scene.array", `{"entity":%q,"pattern":"circle","axis":"z","center":[0,9,1],"count":12}`, spoke)
	if !strings.Contains(said, `"count":11`) {
		t.Fatal(said)
	}
	for n, want := range map[int]world.Vec3{3: {-1, 9, 1}, 6: {0, 8, 1}, 9: {1, 9, 1}} {
		id := fmt.Sprintf("ent_%d", n)
		if at := r.At(t, id); at.Dist(want) > 1e-6 {
			t.Errorf("%s is at %v, want %v", id, at, want)
		}
	}
	if said := r.Do("scene.queryEntities", `{"ids":["ent_3"],"details":true}`); !strings.Contains(said, `"rotationEuler":[0,0,1.5708]`) {
		t.Errorf("a spoke that lies is not turned: %s", said)
	}
	gondola := entityOf(t, r.Do("scene.createEntity", `{"position":[30,5,0]}`))
	r.Do("scene.array", `{"entity":%q,"pattern":"circle","axis":"x","center":[30,5,0],"radius":4,"count":4,"turn":false}`, gondola)
	if at := r.At(t, gondola); at.Dist(world.Vec3{30, 9, 0}) > 1e-6 {
		t.Errorf("the first of a wheel that is seen from the side is at %v", at)
	}
	if _, err := r.Call(r.Ann, "scene.array", `{"entity":"ent_0","pattern":"line","axis":"x","step":[1,0,0],"count":2}`); err == nil || err.Message != "axis: is for circle only; leave it out for line" {
		t.Errorf("an axis for a line: %v", err)
	}
}

// TestSpiralTower lays ways up a spiral staircase of six rounds: that many turned steps lie over each other.
func TestSpiralTower(t *testing.T) {
	r := room(t)
	r.Do("scene.createEntity", `{"position":[0,-0.1,0],"scale":[10,0.2,10],"static":true}`)
	step := entityOf(t, r.Do("scene.createEntity", `{"position":[-1.3,0.1,0],"scale":[2.2,0.2,0.9],"static":true}`))
	r.Do("scene.array", `{"entity":%q,"pattern":"circle","center":[0,0.1,0],"count":90,"rounds":6,"rise":0.2}`, step)
	r.Do("navmesh.build", `{"levels":true}`)
	if said := r.Do("navmesh.findPath", `{"from":[-4,0,-4],"to":%s}`, pointOf(r.At(t, "ent_90").Add(world.Vec3{0, 0.1, 0}))); !strings.Contains(said, `"reachable":true`) {
		t.Errorf("nobody gets up: %.300s", said)
	}
}

func pointOf(p world.Vec3) string {
	text, _ := json.Marshal(p[:])
	return string(text)
}

// TestSettleTellsWhoFellOut sends a character off where there is no ground: it is told that it was put back.
func TestSettleTellsWhoFellOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := moving(t)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- r.World.Run(ctx) }()
		defer func() { cancel(); <-done }()
		r.Do("scene.createEntity", `{"position":[0,-0.1,-15],"scale":[14,0.2,32],"static":true}`)
		ann := entityOf(t, r.Do("player.spawn", `{"position":[0,1,0]}`))
		walk := func(yaw float64) (out physics.SettleOut) {
			t.Helper()
			r.Do("player.move", `{"entity":%q,"forward":1,"yaw":%v,"seconds":2}`, ann, yaw)
			if err := json.Unmarshal([]byte(r.Do("physics.settle", `{"entities":[%q],"seconds":30}`, ann)), &out); err != nil {
				t.Fatal(err)
			}
			return out
		}
		if out := walk(3.1416); out.PutBack != nil {
			t.Errorf("on the ground: %+v", out)
		}
		walk(0)
		if out := walk(0); len(out.PutBack) != 1 || out.PutBack[0].String() != ann {
			t.Errorf("beyond its edge: %+v", out)
		}
		if out := walk(3.1416); out.PutBack != nil {
			t.Errorf("on the ground again: %+v", out)
		}
	})
}
