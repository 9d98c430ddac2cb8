package terrain_test

import (
	"encoding/base64"
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
		{Name: "a form", Input: `{"form":"hole","center":[0,0],"radius":5}`, Code: registry.CodeInvalidInput, Err: `form: must be one of "level", "basin", "mound", "river", got "hole"`},
		{Name: "depth of a plot", Setup: setup(hilly), Input: `{"center":[0,0],"radius":5,"rise":2}`, Code: registry.CodeInvalidInput, Err: "rise: is of a mound, a basin or a river; level ground has y, its height"},
		{Name: "a hill's height", Setup: setup(hilly), Input: `{"form":"mound","center":[0,0],"radius":5,"y":2}`, Code: registry.CodeInvalidInput, Err: "y: is of level ground or a basin; a mound lies on what is there, and has rise"},
		{Name: "a wet road", Setup: setup(hilly), Input: `{"center":[0,0],"radius":5,"water":true}`, Code: registry.CodeInvalidInput, Err: "water: only a basin or a river is filled; world.addWater lays water elsewhere"},
		{Name: "nothing", Setup: setup(hilly), Input: `{"radius":5}`, Code: registry.CodeInvalidInput, Err: "center: is required: where its middle is, [x, z], or points, what a line goes through"},
		{Name: "two lines", Setup: setup(hilly), Input: `{"center":[0,0],"points":[[0,0],[9,9]],"radius":5}`, Code: registry.CodeInvalidInput, Err: "points: are in place of center, to and toY: leave those out"},
		{Name: "heights twice", Setup: setup(hilly), Input: `{"points":[[0,1,0],[9,1,9]],"y":2,"radius":5}`, Code: registry.CodeInvalidInput, Err: "y: is of points [x, z]; these have heights of their own"},
		{Name: "some heights", Setup: setup(hilly), Input: `{"points":[[0,1,0],[9,9]],"radius":5}`, Code: registry.CodeInvalidInput, Err: "points[1]: must have 3 numbers as those before it, got 2"},
		{Name: "a ring of nothing", Setup: setup(hilly), Input: `{"center":[0,0],"closed":true,"radius":5}`, Code: registry.CodeInvalidInput, Err: "closed: is of points"},
		{Name: "of what there is not", Setup: setup(hilly), Input: `{"center":[0,0],"radius":5,"material":"asphalt"}`, Code: registry.CodeInvalidInput, Err: `material: unknown material "asphalt"; there are brick, concrete, fabric, glass, gold, grass, ice, leather, marble, metal, plaster, plastic, rubber, sand, snow, stone, tile, water, wood`},
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

// TestShapeWinding lays a road that winds: it follows the land without its bumps, looks as a road, as a picture and the triangles of the page show it, keeps trees off, and
// goes with its entity.
func TestShapeWinding(t *testing.T) {
	s := newSite(t)
	region := s.do("world.generateRegion", hilly)["regionId"].(string)
	natural := func(x, z float64) float64 { return s.height(x, z) }
	begin := natural(-40, -40)
	colors := func(tile string) []byte {
		t.Helper()
		b, err := base64.StdEncoding.DecodeString(s.do("scene.geometry", `{"entity":%q}`, tile)["colors"].(string))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	of := func(b []byte, r, g, bl byte) (n int) {
		for i := 0; i < len(b); i += 3 {
			if b[i] == r && b[i+1] == g && b[i+2] == bl {
				n++
			}
		}
		return n
	}
	plain := colors("ent_1")
	road := s.do("terrain.shape", `{"points":[[-40,-40],[-20,-30],[-10,0],[20,20],[40,40]],"radius":2.5}`)
	id := entity(road)
	within(t, "where it begins", s.height(-40, -40), begin, 0.2)
	// The curve goes through its points, level across, and nowhere steeper than 1 in 2 though it is laid over hills.
	for _, p := range [][2]float64{{-20, -30}, {-10, 0}, {20, 20}} {
		y := s.height(p[0], p[1])
		for _, off := range [][2]float64{{1, 0}, {0, 1}, {-1, 0}, {0, -1}} {
			within(t, "beside its middle", s.height(p[0]+off[0], p[1]+off[1]), y, 0.5)
		}
	}
	const r, g, b = 0x7a, 0x71, 0x68 // gravel
	if n := of(colors("ent_1"), r, g, b); n < 100 || of(plain, r, g, b) != 0 {
		t.Errorf("%d vertices of the tile are of gravel", n)
	}
	s.do("world.populateBiome", `{"regionId":%q,"type":"forest"}`, region)
	ground := s.do("scene.queryEntities", `{"tag":"scattered"}`)["entities"].([]any)
	for _, one := range ground {
		at := one.(map[string]any)["position"].([]any)
		x, z := at[0].(float64), at[2].(float64)
		if math.Hypot(x+10, z) < 3 || math.Hypot(x-20, z-20) < 3 {
			t.Errorf("a tree stands on the road at %v, %v", x, z)
		}
	}
	if len(ground) == 0 {
		t.Error("nothing grows")
	}
	s.do("scene.destroyEntity", `{"entity":%q}`, id)
	if n := of(colors("ent_1"), r, g, b); n != 0 {
		t.Errorf("%d vertices are of a road that is gone", n)
	}

	// A paved yard, and a straight road of another colour; a field looks as what grows there.
	s.do("terrain.shape", `{"center":[-20,-20],"radius":8,"material":"stone"}`)
	s.do("terrain.shape", `{"center":[-44,-44],"to":[-30,-44],"radius":2,"color":4473924}`)
	s.do("terrain.shape", `{"center":[-40,-10],"radius":5}`)
	tile := colors("ent_1")
	if of(tile, 0x44, 0x44, 0x44) < 20 || of(tile, r, g, b) != 0 || of(tile, 0x44, 0x44, 0x44)+of(tile, plain[0], plain[1], plain[2]) == len(tile)/3 {
		t.Errorf("of asphalt are %d vertices, of gravel %d", of(tile, 0x44, 0x44, 0x44), of(tile, r, g, b))
	}
}

// TestShapeBeyond tells where a part of what is shaped is beyond the tiles.
func TestShapeBeyond(t *testing.T) {
	s := newSite(t)
	s.do("world.generateRegion", peaks) // to x 144
	for input, want := range map[string]bool{
		`{"center":[130,0],"radius":20}`: true, `{"center":[100,0],"radius":20}`: false,
		`{"center":[100,0],"to":[150,0],"radius":2}`: true, `{"points":[[100,0],[120,20],[140,0]],"radius":2}`: false, `{"points":[[100,0],[150,20],[140,40]],"radius":2}`: true,
	} {
		note, _ := s.do("terrain.shape", "%s", input)["note"].(string)
		if got := strings.Contains(note, "is beyond the tiles of generated ground, where nothing is shaped; world.streamFollow adds tiles"); got != want {
			t.Errorf("%s: is said %q", input, note)
		}
	}
}

// TestShapeRiver digs a bed that winds, whose water is in it and floods no valley beside it.
func TestShapeRiver(t *testing.T) {
	s := newSite(t)
	s.do("world.generateRegion", hilly)
	river := s.do("terrain.shape", `{"form":"basin","points":[[-40,-40],[-30,0],[0,10],[30,10],[40,40]],"radius":4,"edge":3,"depth":3,"water":true}`)
	level := river["waterLevel"].(float64)
	for _, p := range [][2]float64{{-30, 0}, {0, 10}, {30, 10}} {
		if y := s.height(p[0], p[1]); y > level-2 {
			t.Errorf("at %v the bed is %v high, and the water %v", p, y, level)
		}
	}
	group := river["water"].(string)
	var covered float64
	wet := map[[2]float64]int{}
	for _, one := range s.do("scene.queryEntities", `{"below":%q,"details":true}`, group)["entities"].([]any) {
		is := one.(map[string]any)
		at, looks := is["position"].([]any), is["details"].(map[string]any)
		width := looks["shape"].(map[string]any)["size"].([]any)[0].(float64)
		depth := width
		if scale, ok := looks["scale"].([]any); ok {
			depth *= scale[2].(float64)
		}
		covered += width * depth
		near(t, "the level", at[1].(float64), level)
		for _, p := range [][2]float64{{-30, 0}, {0, 10}, {30, 10}, {-39, -30}, {40, -40}, {-40, 40}, {0, -20}, {0, 35}} {
			if math.Abs(p[0]-at[0].(float64)) <= width/2 && math.Abs(p[1]-at[2].(float64)) <= depth/2 {
				wet[p]++
			}
		}
	}
	for p, want := range map[[2]float64]int{{-30, 0}: 1, {0, 10}: 1, {30, 10}: 1, {40, -40}: 0, {-40, 40}: 0, {0, -20}: 0, {0, 35}: 0} {
		if wet[p] != want {
			t.Errorf("at %v there are %d waters, want %d", p, wet[p], want)
		}
	}
	if covered > 3000 { // of 88 by 88 m
		t.Errorf("the river covers %v m²", covered)
	}
}
