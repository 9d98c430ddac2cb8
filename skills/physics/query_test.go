package physics_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/physics"
	"github.com/limina-mcp/limina/world"
)

func callerBob(t testing.TB) *profiles.Principal {
	t.Helper()
	return skilltest.Caller(t, "bob", "player.limited")
}

// boxes makes three: one with a body at x 0, one turned by 45° at x 10, one without a body at x 20.
func boxes(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
	t.Helper()
	s.Must(t, p, "scene.createEntity", `{"static":true}`)
	s.Must(t, p, "scene.createEntity", `{"position":[10,0,0],"static":true}`)
	s.Must(t, p, "three.setTransform", `{"entity":"ent_1","rotationEuler":[0,0.78539816339744831,0],"scale":[2,1,2]}`)
	s.Must(t, p, "scene.createEntity", `{"position":[20,0,0]}`)
	s.Must(t, p, "scene.createEntity", `{"shape":"sphere","size":2,"position":[0,10,0],"dynamic":true}`)
}

func TestRaycast(t *testing.T) {
	skilltest.Run(t, still, "physics.raycast", []skilltest.Case{
		{Name: "a box", Setup: boxes, Input: `{"origin":[-5,0,0],"direction":[1,0,0]}`, Want: `{"hit":true,"distance":4.5,"point":[-0.5,0,0],"entity":"ent_0"}`},
		{Name: "of any length", Setup: boxes, Input: `{"origin":[-5,0,0],"direction":[1e30,0,0]}`, Want: `{"hit":true,"distance":4.5,"point":[-0.5,0,0],"entity":"ent_0"}`},
		{Name: "from inside", Setup: boxes, Input: `{"origin":[0,0,0],"direction":[0,0,1]}`, Want: `{"hit":true,"distance":0,"point":[0,0,0],"entity":"ent_0"}`},
		{Name: "a ball", Setup: boxes, Input: `{"origin":[0,20,0],"direction":[0,-1,0]}`, Want: `{"hit":true,"distance":9,"point":[0,11,0],"entity":"ent_3"}`},
		{Name: "too far", Setup: boxes, Input: `{"origin":[-5,0,0],"direction":[1,0,0],"maxDistance":4}`, Want: `{"hit":false}`},
		{Name: "without a body", Setup: boxes, Input: `{"origin":[20,9,0],"direction":[0,-1,0]}`, Want: `{"hit":false}`},
		{Name: "past the corner of a turned box", Setup: boxes, Input: `{"origin":[10.9,9,0.9],"direction":[0,-1,0]}`, Want: `{"hit":false}`},
		{Name: "nowhere", Input: `{"origin":[0,0,0],"direction":[0,0,0]}`, Code: registry.CodeInvalidInput, Err: "direction: must not be [0, 0, 0]"},
	})
	skilltest.Needs(t, still, "physics.raycast", `{"origin":[0,0,0],"direction":[0,1,0]}`, "physics.read",
		"builder.readWrite", "builder.review", "combat.writer", "game.author", "npc.agent", "player.full", "player.limited",
		"reviewer", "reviewer.coordinator", "social.actor", "system.readonly", "terrain.author", "world.author")
}

func TestOverlap(t *testing.T) {
	skilltest.Run(t, still, "physics.overlap", []skilltest.Case{
		{
			Name: "turned by degrees", Input: `{"position":[0,0,0],"size":[1,1,1],"rotationEuler":[0,45,0]}`,
			Want: `{"entities":[],"more":0,"note":"rotationEuler is in radians, and was taken so: 45 is 7.2 turns. If degrees were meant, give [0,0.7854,0]"}`,
		},
		{Name: "a box", Setup: boxes, Input: `{"position":[0.9,0,0],"size":[1,1,1]}`, Want: `{"entities":[{"entity":"ent_0","position":[0,0,0],"depth":0.09999999999999998}],"more":0}`},
		{Name: "only touching", Setup: boxes, Input: `{"position":[1,0,0],"size":[1,1,1]}`, Want: `{"entities":[],"more":0}`},
		{Name: "past the corner of a turned box", Setup: boxes, Input: `{"position":[10.9,0,0.9],"size":[0.2,1,0.2]}`, Want: `{"entities":[],"more":0}`},
		{Name: "a sphere", Setup: boxes, Input: `{"shape":"sphere","position":[0,11.5,0],"radius":1}`, Want: `{"entities":[{"entity":"ent_3","position":[0,10,0],"depth":0.5}],"more":0}`},
		{Name: "more than are wanted", Setup: boxes, Input: `{"position":[5,0,0],"size":[20,20,20],"limit":1}`, Want: `{"entities":[{"entity":"ent_0","position":[0,0,0],"depth":5.5}],"more":2}`},
		{Name: "a box with a radius", Input: `{"position":[0,0,0],"radius":1}`, Code: registry.CodeInvalidInput, Err: "size: a box needs size, and takes no radius"},
		{Name: "a sphere with a size", Input: `{"shape":"sphere","position":[0,0,0],"size":[1,1,1]}`, Code: registry.CodeInvalidInput, Err: "radius: a sphere needs radius, and takes no size"},
		{Name: "a flat box", Input: `{"position":[0,0,0],"size":[1,0,1]}`, Code: registry.CodeInvalidInput, Err: "size[1]: must be above 0, got 0"},
	})
}

func TestApplyImpulse(t *testing.T) {
	skilltest.Run(t, still, "physics.applyImpulse", []skilltest.Case{
		{Name: "a dynamic body", Setup: boxes, Input: `{"entity":"ent_3","impulse":[1,2,3]}`, Want: `{"ok":true,"speed":0.8932549026920645}`},
		{Name: "a static body", Setup: boxes, Input: `{"entity":"ent_0","impulse":[1,2,3]}`, Want: `{"ok":false,"reason":"ent_0 has a static body, which no push moves: three.setTransform puts it elsewhere, and physics.setBody with type dynamic makes it one that can be pushed"}`},
		{Name: "no body", Setup: boxes, Input: `{"entity":"ent_2","impulse":[1,2,3]}`, Want: `{"ok":false,"reason":"ent_2 has no body: three.setTransform puts it elsewhere, and physics.setBody with type dynamic makes it one that can be pushed"}`},
		{
			Name: "a group", Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				boxes(t, s, p) // ent_0 to ent_3
				if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
					group, err := tx.Create(world.Spec{}) // ent_4, of what moves and what does not
					if err != nil {
						return err
					}
					for id := world.ID(1); id <= 4; id++ {
						if err := tx.SetParent(id, group); err != nil {
							return err
						}
					}
					return nil
				}); err != nil {
					t.Fatal(err)
				}
			}, Input: `{"entity":"ent_4","impulse":[1,2,3]}`, Want: `{"ok":false,"reason":"ent_4 has no body of its own, and what is below it has: push ent_3"}`,
		},
		{
			Name: "a large group", Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
					above := world.ID(0)
					for range 8 { // ent_0 with seven below, one under the other
						id, err := tx.Create(world.Spec{Parent: above})
						if err != nil {
							return err
						}
						if above != 0 {
							if err := s.World.Bodies.Set(tx, id, world.Body{Type: "dynamic", Collider: "box"}); err != nil {
								return err
							}
						}
						above = id
					}
					return nil
				}); err != nil {
					t.Fatal(err)
				}
			}, Input: `{"entity":"ent_0","impulse":[1,2,3]}`,
			Want: `{"ok":false,"reason":"ent_0 has no body of its own, and what is below it has: push ent_1, ent_2, ent_3, ent_4, ent_5 or one of 2 more"}`,
		},
		{
			Name: "a body out of reach", Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				boxes(t, s, p)
				s.Must(t, p, "three.setTransform", `{"entity":"ent_3","scale":[1e30,1,1]}`)
			}, Input: `{"entity":"ent_3","impulse":[1,2,3]}`, Err: "ent_3 does not move: it is, or was, further than 100000 m from the origin along an axis, or larger than that; three.setTransform brings it back",
		},
		{Name: "nobody", Setup: boxes, Input: `{"entity":"ent_9","impulse":[1,2,3]}`, Err: "unknown entity ent_9; the nearest are ent_1, ent_2, ent_3"},
	})
	skilltest.Needs(t, still, "physics.applyImpulse", `{"entity":"ent_9","impulse":[1,2,3]}`, "physics.write",
		"builder.readWrite", "builder.review", "player.full", "player.limited", "terrain.author")
}

// How many there are beyond the limit is told without their depth, and is what a list of all has.
func TestOverlapBeyondTheLimit(t *testing.T) {
	s, ann := skilltest.New(t, still), skilltest.Caller(t, "ann", skilltest.Builder)
	r := rand.New(rand.NewPCG(3, 4))
	some := func(lo, hi float64) float64 { return math.Round((lo+(hi-lo)*r.Float64())*1000) / 1000 }
	shapes := []string{"box", "sphere", "cylinder", "cone", "wedge"}
	for range 150 {
		s.Must(t, ann, "scene.createEntity", fmt.Sprintf(`{"shape":%q,"collider":%q,"static":true,"position":[%v,%v,%v],"rotationEuler":[%v,%v,0],"scale":[%v,%v,%v]}`,
			shapes[r.IntN(5)], append(shapes, "capsule")[r.IntN(6)], some(-4, 4), some(-4, 4), some(-4, 4), some(0, 3), some(0, 3), some(.1, 2), some(.1, 2), some(.1, 2)))
	}
	beyond := 0
	for range 60 {
		place := fmt.Sprintf(`"position":[%v,%v,%v],`, some(-5, 5), some(-5, 5), some(-5, 5))
		if r.IntN(2) == 0 {
			place += fmt.Sprintf(`"shape":"sphere","radius":%v`, some(.01, 4))
		} else {
			place += fmt.Sprintf(`"size":[%v,%v,%v],"rotationEuler":[%v,%v,0]`, some(.01, 6), some(.01, 6), some(.01, 6), some(0, 3), some(0, 3))
		}
		var all, one physics.OverlapOut
		for limit, out := range map[int]*physics.OverlapOut{500: &all, 1: &one} {
			if err := json.Unmarshal([]byte(s.Must(t, ann, "physics.overlap", fmt.Sprintf(`{%s,"limit":%d}`, place, limit))), out); err != nil {
				t.Fatal(err)
			}
		}
		if want := max(len(all.Entities)-1, 0); all.More != 0 || one.More != want {
			t.Errorf("%s: %d beyond the first, of %d", place, one.More, len(all.Entities))
		}
		beyond += one.More
	}
	if beyond < 500 {
		t.Errorf("only %d were asked for", beyond)
	}
}
