package terrain_test

import (
	"math"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

const hilly = `{"seed":7,"type":"hills","bounds":{"minTx":-1,"minTz":-1,"maxTx":0,"maxTz":0}}`

// height is how high the ground is at a place.
func (s *site) height(x, z float64) float64 {
	s.t.Helper()
	return s.do("terrain.sampleHeight", `{"x":%v,"z":%v}`, x, z)["y"].(float64)
}

func near(t *testing.T, what string, got, want float64) { t.Helper(); within(t, what, got, want, 0.01) }

// within is for what is between two samples of the ground.
func within(t *testing.T, what string, got, want, by float64) {
	t.Helper()
	if !(math.Abs(got-want) < by) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// TestShapeLevel makes a plot across the corner of four tiles: it is even, what is beyond its edge is as it was, and undo takes it back.
func TestShapeLevel(t *testing.T) {
	s := newSite(t)
	s.do("world.generateRegion", hilly)
	s.do("scene.createEntity", `{"position":[2,9,2]}`)
	before := map[[2]float64]float64{}
	for _, p := range [][2]float64{{0, 0}, {3, 4}, {-6, -3}, {-12.5, 0}, {20, 0}, {30, -30}} {
		before[p] = s.height(p[0], p[1])
	}
	out := s.do("terrain.shape", `{"center":[0,0],"radius":8,"edge":4}`)
	near(t, "its height", out["y"].(float64), before[[2]float64{0, 0}])
	if out["tiles"].(float64) != 4 || !strings.HasPrefix(out["note"].(string), "ent_5 stand") {
		t.Errorf("%v", out)
	}
	for p, was := range before {
		want := was
		if math.Hypot(p[0], p[1]) <= 8 {
			want = before[[2]float64{0, 0}]
		}
		near(t, "after", s.height(p[0], p[1]), want)
	}
	if b := s.height(-10, 0); !(b != before[[2]float64{0, 0}]) {
		t.Errorf("the slope is %v", b)
	}
	s.do("terrain.shape", `{"center":[0,7,0],"radius":3,"edge":0,"y":40}`)
	near(t, "on top of the other", s.height(0, 0), 40)
	near(t, "beside it", s.height(6, 0), before[[2]float64{0, 0}])
	s.do("world.undo", `{"steps":2}`)
	for p, was := range before {
		near(t, "undone", s.height(p[0], p[1]), was)
	}
}

// TestShapeRoad goes from one height to another.
func TestShapeRoad(t *testing.T) {
	s := newSite(t)
	s.do("world.generateRegion", hilly)
	from, to := s.height(-30, -20), s.height(30, 25)
	s.do("terrain.shape", `{"center":[-30,-20],"to":[30,25],"radius":3,"edge":6}`)
	for _, part := range []float64{0, 0.25, 0.5, 1} {
		near(t, "along it", s.height(-30+60*part, -20+45*part), from+part*(to-from))
	}
	near(t, "at its side", s.height(0-0.6*2, 2.5+0.8*2), (from+to)/2)
	s.do("terrain.shape", `{"center":[-30,-20],"to":[30,25],"radius":3,"y":5,"toY":1}`)
	near(t, "as it was told", s.height(0, 2.5), 3)
}

// TestShapeLake digs a basin and fills it: there is water in its middle, and none of it is seen beyond its rim.
func TestShapeLake(t *testing.T) {
	s := newSite(t)
	s.do("world.generateRegion", hilly)
	out := s.do("terrain.shape", `{"form":"basin","center":[-10,5],"radius":14,"rise":4,"water":true}`)
	level := out["waterLevel"].(float64)
	within(t, "its bottom", s.height(-10, 5), level-3.75, 0.2)
	water := s.do("scene.queryEntities", `{"name":"water","details":true}`)["entities"].([]any)[0].(map[string]any)
	at := water["position"].([]any)
	near(t, "the water", at[1].(float64), level)
	half := 14.0
	for _, d := range [][2]float64{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}} {
		if y := s.height(-10+d[0]*half, 5+d[1]*half); y < level {
			t.Errorf("the edge of the water is seen at %v: the ground is at %v, the water at %v", d, y, level)
		}
	}
	deep := s.do("terrain.sampleClimate", `{"x":-10,"z":5}`)
	if deep["biome"] == nil {
		t.Error(deep)
	}
}

// TestShapeMound is higher in the middle and no higher outside.
func TestShapeMound(t *testing.T) {
	s := newSite(t)
	s.do("world.generateRegion", `{"seed":7,"type":"hills","bounds":{"minTx":-1,"minTz":-1,"maxTx":0,"maxTz":0},"surface":{"exaggerateY":{"factor":2,"pivot":1}}}`)
	ray := func(x, z float64) float64 {
		return s.do("physics.raycast", `{"origin":[%v,200,%v],"direction":[0,-1,0],"maxDistance":400}`, x, z)["point"].([]any)[1].(float64)
	}
	top, out := ray(5, 5), ray(5, 20)
	got := s.do("terrain.shape", `{"form":"mound","center":[5,5],"radius":8,"edge":2,"rise":6}`)
	within(t, "the top", ray(5, 5), top+6, 0.3)
	within(t, "the answer", got["y"].(float64), top+6, 0.3)
	near(t, "beyond", ray(5, 20), out)
}

// TestShapedStays has what streams in, what is exported, and another process's heights go by what was shaped.
func TestShapedStays(t *testing.T) {
	s := newSite(t)
	region := s.do("world.generateRegion", hilly)["regionId"].(string)
	s.do("terrain.shape", `{"center":[0,0],"radius":8,"y":12}`)
	s.do("world.streamFollow", `{"regionId":%q,"anchor":[300,0,300],"radius":1}`, region)
	s.do("world.streamFollow", `{"regionId":%q,"anchor":[0,0,0],"radius":1}`, region)
	near(t, "come back", s.height(0, 0), 12)
}

func TestShapeRefuses(t *testing.T) {
	skilltest.Run(t, all, "terrain.shape", []skilltest.Case{
		{Name: "nowhere", Input: `{"center":[0,0],"radius":5}`, Err: "center: there is no generated ground within reach of x 0, z 0; world.generateRegion makes some"},
		{Name: "a form", Input: `{"form":"hole","center":[0,0],"radius":5}`, Code: registry.CodeInvalidInput, Err: `form: must be one of "level", "basin", "mound", got "hole"`},
		{Name: "depth of a plot", Setup: setup(hilly), Input: `{"center":[0,0],"radius":5,"rise":2}`, Code: registry.CodeInvalidInput, Err: "rise: is of a mound or a basin; level ground has y, its height"},
		{Name: "a hill's height", Setup: setup(hilly), Input: `{"form":"mound","center":[0,0],"radius":5,"y":2}`, Code: registry.CodeInvalidInput, Err: "y: is of level ground or a basin; a mound lies on what is there, and has rise"},
		{Name: "a wet road", Setup: setup(hilly), Input: `{"center":[0,0],"radius":5,"water":true}`, Code: registry.CodeInvalidInput, Err: "water: only a basin is filled; world.addWater lays water elsewhere"},
		{Name: "no end", Setup: setup(hilly), Input: `{"center":[0,0],"radius":5,"toY":1}`, Code: registry.CodeInvalidInput, Err: "toY: needs to, the place that is so high"},
	})
	s := newSite(t)
	id := s.do("world.generateRegion", hilly)["regionId"].(string)
	s.do("three.setTransform", `{"entity":%q,"rotationEuler":[0,1,0]}`, id)
	if got, err := s.Call(s.ann, "terrain.shape", `{"center":[0,0],"radius":5}`); err == nil || !strings.Contains(err.Message, "is turned, scaled or flattened as a whole") {
		t.Errorf("turned: %s, %v", got, err)
	}
	s.do("three.setTransform", `{"entity":%q,"rotationEuler":[0,0,0],"position":[100,5,0]}`, id)
	s.do("terrain.shape", `{"center":[100,0],"radius":5,"y":20}`)
	if hit := s.do("physics.raycast", `{"origin":[100,200,0],"direction":[0,-1,0],"maxDistance":400}`)["point"].([]any); math.Abs(hit[1].(float64)-20) > 0.01 {
		t.Errorf("moved: %v", hit)
	}
	for i := range 64 {
		_, err := s.Call(s.ann, "terrain.shape", `{"center":[100,0],"radius":5,"y":20}`)
		if full := i == 63; (err != nil) != full {
			t.Fatalf("the %dth: %v", i+2, err)
		}
	}
}
