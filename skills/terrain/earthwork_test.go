package terrain_test

import (
	"fmt"
	"maps"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

// entity returns the id in an answer.
func entity(out map[string]any) string { return out["entity"].(string) }

// TestEarthworkGoesWithItsEntity moves, turns, scales, copies, groups and destroys what was made of the ground: the ground goes with it, at once, and undo
// takes each back.
func TestEarthworkGoesWithItsEntity(t *testing.T) {
	s := newSite(t)
	s.do("world.generateRegion", hilly)
	wild := map[[2]float64]float64{}
	for _, p := range [][2]float64{{0, 0}, {20, 0}, {-20, 0}, {0, 20}, {0, -20}, {20, 20}, {13, 13}, {-13, -13}} {
		wild[p] = s.height(p[0], p[1])
	}
	natural := func(what string, x, z float64) { t.Helper(); near(t, what, s.height(x, z), wild[[2]float64{x, z}]) }
	road := entity(s.do("terrain.shape", `{"center":[-20,0],"to":[20,0],"radius":2,"edge":1,"y":30}`))
	near(t, "the road", s.height(20, 0), 30)

	s.do("three.setTransform", `{"entity":%q,"position":[-20,33,0]}`, road)
	near(t, "raised", s.height(20, 0), 33)
	s.do("three.setTransform", `{"entity":%q,"rotationEuler":[0,%v,0]}`, road, -math.Pi/4)
	natural("where it was", 20, 0)
	near(t, "turned", s.height(-20+40*math.Sqrt(0.5)-1, 40*math.Sqrt(0.5)-1), 33)
	s.do("world.undo", `{"steps":2}`)
	near(t, "as it was", s.height(20, 0), 30)

	// In a group it turns about the middle of that.
	group := entity(s.do("scene.createEntity", `{"position":[0,0,0],"shape":"box"}`))
	s.do("scene.group", `{"entities":[%q],"into":%q}`, road, group)
	s.do("three.setTransform", `{"entity":%q,"rotationEuler":[0,%v,0]}`, group, math.Pi/2)
	natural("where it was", 20, 0)
	near(t, "turned with its group", s.height(0, 20), 30)
	near(t, "at its other end", s.height(0, -20), 30)
	s.do("three.setTransform", `{"entity":%q,"rotationEuler":[0,0,0]}`, group)
	near(t, "turned back", s.height(-20, 0), 30)

	s.do("scene.destroyEntity", `{"entity":%q}`, group)
	for p := range wild {
		natural("without it", p[0], p[1])
	}
	s.do("world.undo", `{}`)
	near(t, "back with its group", s.height(20, 0), 30)
	natural("beside it", 20, 20)
	s.do("world.redo", `{}`)
	natural("gone again", 20, 0)

	lake := s.do("terrain.shape", `{"form":"basin","center":[13,13],"radius":5,"edge":2,"rise":4,"water":true}`)
	s.do("three.setTransform", `{"entity":%q,"position":[-13,%v,-13]}`, entity(lake), lake["y"].(float64)+4)
	natural("where the lake was", 13, 13)
	within(t, "its bottom", s.height(-13, -13), lake["y"].(float64), 0.6)
	water := s.do("scene.queryEntities", `{"ids":[%q]}`, lake["water"].(string))["entities"].([]any)[0].(map[string]any)["position"].([]any)
	if water[0].(float64) != -13 || math.Abs(water[1].(float64)-lake["waterLevel"].(float64)) > 1e-4 {
		t.Errorf("its water is at %v, and was at %v", water, lake["waterLevel"])
	}
	s.do("scene.destroyEntity", `{"entity":%q}`, entity(lake))
	natural("where the lake was last", -13, -13)
	if n := s.do("scene.queryEntities", `{"name":"water"}`)["entities"].([]any); len(n) > 0 {
		t.Errorf("its water stays: %v", n)
	}
}

// TestEarthworkWears paints a road that is there: its ground has the colour, until that is taken back.
func TestEarthworkWears(t *testing.T) {
	s := newSite(t)
	s.do("world.generateRegion", hilly)
	road := entity(s.do("terrain.shape", `{"center":[-20,0],"to":[20,0],"radius":2,"edge":1,"y":30}`))
	was := s.tiles()
	s.do("three.setMaterial", `{"entity":%q,"color":4473924}`, road)
	painted := 0
	for id, g := range s.tiles() {
		for _, w := range g.Land.Works.List() {
			if painted++; w.Color == nil || *w.Color != 4473924 {
				t.Errorf("on tile %s the road has the color %v", id, w.Color)
			}
		}
	}
	if painted == 0 {
		t.Error("there is no road")
	}
	s.do("world.undo", `{}`)
	if !maps.Equal(s.tiles(), was) {
		t.Error("an undo does not give back how it looked")
	}
	lake := s.do("terrain.shape", `{"form":"basin","center":[13,13],"radius":5,"edge":2,"rise":4,"water":true}`)
	was = s.tiles()
	if out := s.do("three.setMaterial", `{"entity":%q,"color":16733440,"emissive":16733440}`, entity(lake)); out["entities"] != 1.0 || !maps.Equal(s.tiles(), was) {
		t.Errorf("lava is not the water of its basin: %v", out)
	}
	if got := s.Entity(t, lake["water"].(string)); !strings.Contains(got, `"material":{"color":16733440,"emissive":16733440}`) {
		t.Errorf("its water is %s", got)
	}
}

// TestEarthworksOfTwo has two builders shape one tile: each takes back what is his, in any order.
func TestEarthworksOfTwo(t *testing.T) {
	s := newSite(t)
	bob := skilltest.Caller(t, "bob", skilltest.Builder)
	s.do("world.generateRegion", hilly)
	wild := [2]float64{s.height(10, 10), s.height(30, 30)}
	s.do("terrain.shape", `{"center":[10,10],"radius":4,"edge":1,"y":20}`)
	s.Must(t, bob, "terrain.shape", `{"center":[30,30],"radius":4,"edge":1,"y":25}`)
	s.do("world.undo", `{}`)
	near(t, "taken back", s.height(10, 10), wild[0])
	near(t, "the other's", s.height(30, 30), 25)
	s.do("world.redo", `{}`)
	near(t, "again", s.height(10, 10), 20)
	s.Must(t, bob, "world.undo", `{}`)
	near(t, "the other's, taken back", s.height(30, 30), wild[1])
	near(t, "left alone", s.height(10, 10), 20)
}

// What a dry run or a call that fails does to works leaves the ground alone, and so does what comes of it later.
func TestEarthworkRolledBack(t *testing.T) {
	s := newSite(t)
	s.do("world.generateRegion", hilly)
	plot := entity(s.do("terrain.shape", `{"center":[0,0],"radius":5,"edge":1,"y":30}`))
	for _, call := range []string{
		`{"operations":[{"skill":"scene.destroyEntity","input":{"entity":%q}},{"skill":"three.setTransform","input":{"entity":"ent_999","position":[0,0,0]}}]}`,
		`{"operations":[{"skill":"three.setTransform","input":{"entity":%q,"position":[20,30,0]}},{"skill":"three.setTransform","input":{"entity":"ent_999","position":[0,0,0]}}]}`,
	} {
		if got, err := s.Call(s.ann, "world.batch", fmt.Sprintf(call, plot)); err == nil {
			t.Fatalf("it succeeds: %s", got)
		}
		near(t, "rolled back", s.height(0, 0), 30)
		s.do("scene.createEntity", `{}`)
		near(t, "afterwards", s.height(0, 0), 30)
	}
}

// A tile follows as many works as it takes, and what is beyond reach of all ground waits for some.
func TestEarthworksAreBounded(t *testing.T) {
	s := newSite(t)
	s.do("world.generateRegion", hilly)
	plot := entity(s.do("terrain.shape", `{"center":[5,5],"radius":2,"edge":0,"y":30}`))
	s.do("scene.array", `{"entity":%q,"pattern":"line","count":80,"step":[0,0,0.01]}`, plot)
	near(t, "under many", s.height(5, 5), 30)
	if _, err := s.Call(s.ann, "terrain.shape", `{"center":[5,5],"radius":2}`); err == nil || err.Code != registry.CodeCapacityExceeded || !strings.Contains(err.Message, "64 are allowed") {
		t.Errorf("one more: %v", err)
	}
	s.do("three.setTransform", `{"entity":%q,"position":[5000,30,5]}`, plot)
	near(t, "the next one's", s.height(5, 5), 30)
}

// Whatever is done with works, one by one, undone and redone, the ground is what a world that has only the end of it would have.
func TestGroundFollowsEarthworks(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := newSite(t)
		s.do("world.generateRegion", hilly)
		place := rapid.Custom(func(rt *rapid.T) float64 { return float64(rapid.IntRange(-40, 40).Draw(rt, "place")) })
		var works []string
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			x, z := place.Draw(rt, "x"), place.Draw(rt, "z")
			which := ""
			if len(works) > 0 {
				which = rapid.SampledFrom(works).Draw(rt, "which")
			}
			var call, input string
			switch what := rapid.IntRange(0, 6).Draw(rt, "what"); {
			case what < 2 || which == "":
				call = "terrain.shape"
				input = fmt.Sprintf(`{"form":%q,"center":[%v,%v],"radius":%v}`, rapid.SampledFrom([]string{"level", "basin", "mound"}).Draw(rt, "form"), x, z, rapid.IntRange(1, 12).Draw(rt, "radius"))
			case what == 2:
				call, input = "three.setTransform", fmt.Sprintf(`{"entity":%q,"position":[%v,%v,%v]}`, which, x, rapid.IntRange(-9, 9).Draw(rt, "y"), z)
			case what == 3:
				call, input = "scene.destroyEntity", fmt.Sprintf(`{"entity":%q}`, which)
			case what == 4:
				call, input = "world.undo", `{}`
			case what == 5:
				call, input = "world.redo", `{}`
			default:
				call, input = "scene.array", fmt.Sprintf(`{"entity":%q,"pattern":"line","count":2,"step":[%v,0,1]}`, which, x)
			}
			text, err := s.Call(s.ann, call, input)
			if err == nil && call == "terrain.shape" {
				works = append(works, text[strings.Index(text, "ent_"):strings.Index(text, `",`)])
			}
		}
		was := s.tiles()
		_, err := s.World.Update(t.Context(), func(tx *world.Tx) error { return tx.Restore(tx.AppendSnapshot(nil)) }) // which makes all of it anew
		if err != nil {
			rt.Fatal(err)
		}
		for id, g := range s.tiles() {
			if was[id] != g {
				rt.Fatalf("the tile %v is %v, and should be %v", id, was[id], g)
			}
		}
	})
}

func (s *site) tiles() (all map[world.ID]world.Ground) {
	s.World.View(func(v *world.View) { all = maps.Collect(s.World.Grounds.All(v)) })
	return all
}
