package skills_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/layout"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/terrain"
	"github.com/limina-mcp/limina/world"
)

// read calls a skill and reads its answer.
func read[T any](t *testing.T, r *skilltest.Room, skill, input string) (out T) {
	t.Helper()
	if err := json.Unmarshal([]byte(r.Do(skill, "%s", input)), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestNothingInHouses has plants be left out where something stands, or near it, or under a roof; not where others were planted.
func TestNothingInHouses(t *testing.T) {
	r := moving(t)
	r.Do("world.generateRegion", `{"seed":11,"type":"forest","bounds":{"minTx":0,"minTz":0,"maxTx":1,"maxTz":0}}`)
	before := read[terrain.PopulateBiomeOut](t, r, "world.populateBiome", `{"regionId":"ent_0"}`)
	again := read[terrain.PopulateBiomeOut](t, r, "world.populateBiome", `{"regionId":"ent_0"}`)
	if before.LeftOut != 0 || again.LeftOut != 0 || again.Instances != before.Instances {
		t.Errorf("with nothing there %+v, and again %+v", before, again)
	}
	r.Do("world.undo", `{}`)
	r.Do("world.undo", `{}`)
	ground := read[terrain.SampleHeightOut](t, r, "terrain.sampleHeight", `{"seed":11,"type":"forest","x":40,"z":24}`).Y
	house := read[struct{ Group, Entity world.ID }](t, r, "architecture.building", `{"position":[40,`+number(ground)+`,24],"width":30,"depth":24,"height":8}`)
	if house.Group == 0 || house.Entity != house.Group {
		t.Errorf("the house is %+v", house)
	}
	got := read[terrain.PopulateBiomeOut](t, r, "world.populateBiome", `{"regionId":"ent_0"}`)
	if got.LeftOut == 0 || got.Instances+got.LeftOut != before.Instances {
		t.Errorf("with a house there %+v, before %+v", got, before)
	}
	for _, e := range read[scene.QueryEntitiesOut](t, r, "scene.queryEntities", `{"tag":"scattered"}`).Entities {
		if math.Abs(e.Position[0]-40) < 15 && math.Abs(e.Position[2]-24) < 12 {
			t.Errorf("%s is planted in the house, at %v", e.Entity, e.Position)
		}
	}
	if out := read[terrain.ScatterOut](t, r, "asset.scatter", `{"regionId":"ent_0","config":{"seed":5,"density":12,"assets":[{"id":"rock"}]}}`); out.LeftOut == 0 || out.Instances == 0 {
		t.Errorf("scattered %+v", out)
	}
}

// number writes a number.
func number(x float64) string {
	text, _ := json.Marshal(x)
	return string(text)
}

// TestWaterOfRegion has world.addWater take a region by its id.
func TestWaterOfRegion(t *testing.T) {
	r := moving(t)
	region := read[terrain.GenerateRegionOut](t, r, "world.generateRegion", `{"seed":1234,"type":"islands","bounds":{"minTx":0,"minTz":0,"maxTx":3,"maxTz":1},"hints":{"base":5}}`)
	water := read[terrain.AddWaterOut](t, r, "world.addWater", `{"regionId":"`+region.RegionID.String()+`"}`)
	if water.Level != region.SeaLevel || water.Size != 192 {
		t.Errorf("the water is %+v, of %+v", water, region)
	}
	if same := read[terrain.AddWaterOut](t, r, "world.addWater", `{"region":"`+region.RegionID.String()+`"}`); same.Level != water.Level || same.Size != 192 {
		t.Errorf("by region it is %+v", same)
	}
	if at := r.At(t, water.Entity.String()); at != (world.Vec3{96, region.SeaLevel, 48}) {
		t.Errorf("it is at %v", at)
	}
	if out := read[terrain.AddWaterOut](t, r, "world.addWater", `{"regionId":"ent_0","level":-2,"size":50}`); out.Level != -2 || out.Size != 50 {
		t.Errorf("as was said it is %+v", out)
	}
	for input, want := range map[string]string{
		`{"region":7}`: "region: must be the id of a region, or an object with seed, type and bounds",
		`{"region":{"seed":1,"type":"hills","bounds":{"minTx":0,"minTz":0,"maxTx":1}}}`: "region.bounds.maxTz: ",
		`{"regionId":"ent_1"}`: "regionId: ent_1 is no region",
		`{"regionId":"ent_0","region":{"seed":1,"type":"hills","bounds":{"minTx":0,"minTz":0,"maxTx":1,"maxTz":1}}}`: "region, regionId: give one of the two",
	} {
		if _, err := r.Call(r.Ann, "world.addWater", input); err == nil || !strings.HasPrefix(err.Message, want) {
			t.Errorf("world.addWater %s: %v", input, err)
		}
	}
}

// TestArrayOnGround has copies of every pattern stand on what is below them, and refuses what does not apply.
func TestArrayOnGround(t *testing.T) {
	r := moving(t)
	r.Do("world.generateRegion", `{"seed":11,"type":"hills","bounds":{"minTx":-1,"minTz":-1,"maxTx":0,"maxTz":0}}`)
	post := entityOf(t, r.Do("scene.createEntity", `{"position":[0,40,0]}`))
	r.Do("scene.createEntity", `{"position":[4,35,0],"size":1,"static":true}`) // a roof on which one stands
	for _, input := range []string{`"pattern":"line","count":8,"step":[4,0,3]`, `"pattern":"grid","counts":[3,1,3],"spacing":[5,0,5]`, `"pattern":"circle","center":[-12,0,0],"count":9`} {
		out := read[layout.ArrayOut](t, r, "scene.array", `{"entity":"`+post+`","onGround":true,`+input+`}`)
		for _, id := range out.Entities {
			at := r.At(t, id.String())
			y := read[terrain.SampleHeightOut](t, r, "terrain.sampleHeight", `{"seed":11,"type":"hills","x":`+number(at[0])+`,"z":`+number(at[2])+`}`).Y
			if math.Abs(at[1]-0.5-y) > 0.01 {
				t.Errorf("%s: %s is at %v, the ground is at %v", input, id, at, y)
			}
		}
		r.Do("world.undo", `{}`)
	}
	if out := read[layout.ArrayOut](t, r, "scene.array", `{"entity":"`+post+`","onGround":true,"pattern":"line","count":2,"step":[4,0,0]}`); r.At(t, out.Entities[0].String())[1] != 36 {
		t.Errorf("on the roof it is at %v", r.At(t, out.Entities[0].String()))
	}
	for input, want := range map[string]string{
		`"pattern":"line","count":2,"step":[4,0,0],"area":{"min":[0,0,0],"max":[1,1,1]}`:                    "area: is for scatter only; leave it out for line",
		`"pattern":"circle","count":2,"radius":4,"clear":true`:                                              "clear: is for scatter only; leave it out for circle",
		`"pattern":"line","count":2,"step":[4,0,0],"apart":2`:                                               "apart: is for scatter only; leave it out for line",
		`"pattern":"grid","counts":[2,2,1],"spacing":[4,4,0],"onGround":true`:                               "onGround: is not for a grid with several along y: those above each other would stand in one place; give 1 along y",
		`"pattern":"circle","count":4,"radius":4,"rise":1,"onGround":true`:                                  "onGround: is not for a circle with rise; leave one of them out",
		`"pattern":"scatter","count":4,"area":{"min":[0,0,0],"max":[9,1,9]},"ground":false,"onGround":true`: "onGround: says that each stands on what is below it, and ground that none does; leave one of them out",
	} {
		if _, err := r.Call(r.Ann, "scene.array", `{"entity":"`+post+`",`+input+`}`); err == nil || err.Message != want {
			t.Errorf("scene.array %s: %v, want %s", input, err, want)
		}
	}
}
