package behavior_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/terrain"
)

// stops takes steps, and returns where ent_0 stood still for half a second or more, as far as the first rest that is over.
func stops(t testing.TB, r *skilltest.Room, steps int, each func(at world.Vec3)) (all []world.Vec3) {
	t.Helper()
	still, was := 0, r.At(t, "ent_0")
	for range steps {
		r.Steps(1)
		at := r.At(t, "ent_0")
		each(at)
		switch {
		case at == was:
			still++
		case still >= seconds/2:
			all, still = append(all, was), 0
		default:
			still = 0
		}
		was = at
	}
	return all
}

// TestWander goes here and there around where it was when it got the goal, and rests in between; the same world does so in the same way, also one
// that is kept and loaded meanwhile.
func TestWander(t *testing.T) {
	const radius = 3
	live := func(loaded bool) []world.Vec3 {
		r := town(t)
		r.Do("behavior.setGoal", `{"entity":"ent_0","type":"wander"}`) // in whose place another comes
		put(r, "ent_0", 5, 5)
		r.Do("behavior.setGoal", `{"entity":"ent_0","type":"wander","config":{"radius":%d,"wait":1,"speed":4}}`, radius)
		tracker, err := r.World.Track()
		if err != nil {
			t.Fatal(err)
		}
		within := func(at world.Vec3) {
			if d := math.Hypot(at[0]-5, at[2]-5); d > radius+1e-9 || at[1] != 0 {
				t.Fatalf("it is at %v, %v m from its place", at, d)
			}
		}
		first := stops(t, r, seconds*10, within)
		for at := r.At(t, "ent_0"); at == r.At(t, "ent_0"); { // until it is on its way
			r.Steps(1)
		}
		if loaded {
			var kept world.Image
			if err := json.Unmarshal(tracker.Append(nil), &kept); err != nil {
				t.Fatal(err)
			}
			r = skilltest.NewRoom(t, all)
			if err := r.World.Load(&kept); err != nil {
				t.Fatal(err)
			}
		}
		return append(first, stops(t, r, seconds*30, within)...)
	}
	first := live(false)
	if diff := cmp.Diff(first, live(true)); diff != "" {
		t.Errorf("the world that was loaded goes on otherwise (-kept +loaded):\n%s", diff)
	}
	seen := map[world.Vec3]bool{}
	quarters := map[[2]bool]bool{}
	for _, at := range first {
		seen[at] = true
		quarters[[2]bool{at[0] > 5, at[2] > 5}] = true
	}
	if len(first) < 12 || len(seen) < len(first)-1 || len(quarters) < 4 {
		t.Errorf("in 40 s it has stood at %v", first)
	}
}

// TestWanderInProfile wanders around a place, to which it goes from where it is.
func TestWanderInProfile(t *testing.T) {
	r := town(t)
	live(r, `"goals":[{"id":"stroll","type":"wander","position":[20,0,0],"config":{"radius":2,"speed":10}}]`)
	r.Steps(seconds * 3)
	for _, at := range stops(t, r, seconds*20, func(world.Vec3) {}) {
		if math.Hypot(at[0]-20, at[2]) > 2 {
			t.Errorf("it stands at %v", at)
		}
	}
	does(t, r, `{"profileId":"p","goalId":"stroll","type":"wander"}`)
}

// TestWanderOnGrid keeps to where one can walk, and says so where there is nowhere.
func TestWanderOnGrid(t *testing.T) {
	r := town(t)
	r.Do("navmesh.build", `{"bounds":{"minX":-6,"minZ":-6,"maxX":6,"maxZ":6},"cellSize":1,"obstacles":[{"minX":1.1,"minZ":-5.9,"maxX":2.9,"maxZ":5.9}]}`)
	r.Do("behavior.setGoal", `{"entity":"ent_0","type":"wander","config":{"radius":9,"wait":0.5,"speed":8}}`)
	west := 0
	for _, at := range stops(t, r, seconds*40, func(at world.Vec3) {
		if at[0] > 1 && at[0] < 3 || math.Abs(at[0]) > 6 || math.Abs(at[2]) > 6 {
			t.Fatalf("it is at %v", at)
		}
	}) {
		if at[0] < 1 {
			west++
		}
	}
	if west < 10 {
		t.Errorf("it has been west of the wall %d times", west)
	}
	r.Do("navmesh.build", `{"bounds":{"minX":-60,"minZ":-60,"maxX":60,"maxZ":60},"cellSize":2,"obstacles":[{"minX":-50,"minZ":-50,"maxX":50,"maxZ":50}]}`)
	r.Steps(seconds * 4)
	does(t, r, `{"goalId":"goal_0","type":"wander","stuck":"there is nowhere to wander to"}`)
}

// TestWanderAshore keeps to generated ground, and out of the water.
func TestWanderAshore(t *testing.T) {
	r := town(t)
	land, err := terrain.New(7, terrain.Hills, terrain.Hints{})
	if err != nil {
		t.Fatal(err)
	}
	var ground solid.Solid
	var level float64
	if _, err = r.World.Update(t.Context(), func(tx *world.Tx) error {
		tile := world.Ground{Land: land}
		id, err := tx.Create(world.Spec{Position: tile.Place()})
		if err != nil {
			return err
		}
		if err := r.World.Grounds.Set(tx, id, tile); err != nil {
			return err
		}
		ground, _ = solid.Of(r.World, &tx.View, id)
		_, y, _ := ground.Column(24, 24)
		level = y - 1
		sea, err := tx.Create(world.Spec{Position: world.Vec3{24, level, 24}})
		if err != nil {
			return err
		}
		return r.World.Waters.Set(tx, sea, world.Water{Size: 200})
	}); err != nil {
		t.Fatal(err)
	}
	r.Do("three.setTransform", `{"entity":"ent_0","position":[24,%v,24]}`, level+1.5)
	r.Do("behavior.setGoal", `{"entity":"ent_0","type":"wander","config":{"radius":40,"wait":0.5,"speed":20}}`)
	met := 0
	for _, at := range stops(t, r, seconds*60, func(at world.Vec3) {
		if _, y, ok := ground.Column(at[0], at[2]); !ok || y < level-0.3 || math.Abs(at[1]-y-0.5) > 1e-9 {
			t.Fatalf("it is at %v, where the ground is at %v, and the water at %v", at, y, level)
		}
	}) {
		if met++; at[1] < level+0.5 {
			t.Errorf("it stands at %v in water at %v", at, level)
		}
	}
	if met < 10 {
		t.Errorf("it has stood at %d places", met)
	}
}

// TestWanderIsRefused names what is wrong.
func TestWanderIsRefused(t *testing.T) {
	skilltest.Run(t, all, "behavior.setGoal", []skilltest.Case{
		{Name: "a target", Setup: two, Input: `{"entity":"ent_0","type":"wander","target":"ent_1"}`, Code: registry.CodeInvalidInput, Err: "target: wander goes from place to place, and takes none: follow stays near somebody"},
		{Name: "a radius of nothing", Setup: two, Input: `{"entity":"ent_0","type":"wander","config":{"radius":0}}`, Code: registry.CodeInvalidInput, Err: "config.radius: must be a number from 0.1 to 1000, got 0"},
		{Name: "a place for who follows", Setup: two, Input: `{"entity":"ent_0","type":"follow","target":"ent_1","position":[1,2,3]}`, Code: registry.CodeInvalidInput, Err: "position: is for patrol, wander, guard and goTo"},
	})
}
