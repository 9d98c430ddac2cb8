package terrain_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/internal/rapiertest"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
	bodies "github.com/limina-mcp/limina/world/physics"
)

func all(w *world.World, a *agents.Agents) []registry.Skill {
	return skills.All(skills.Deps{World: w, Agents: a})
}

// site is a world with the whole catalogue, as one builder sees it.
type site struct {
	*skilltest.Server
	t   *testing.T
	ann *profiles.Principal
}

func newSite(t *testing.T) *site {
	t.Helper()
	return &site{skilltest.New(t, all), t, skilltest.Caller(t, "ann", skilltest.Builder)}
}

// do calls a skill that has to succeed and returns what it answered.
func (s *site) do(name, format string, args ...any) map[string]any {
	s.t.Helper()
	var out map[string]any
	text := s.Must(s.t, s.ann, name, fmt.Sprintf(format, args...))
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		s.t.Fatalf("%s: %s: %v", name, text, err)
	}
	return out
}

const mountains = `{"seed":1234,"type":"mountains","bounds":{"minTx":-1,"minTz":-1,"maxTx":0,"maxTz":0}}`

func setup(input string) func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
	return func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
		t.Helper()
		s.Must(t, p, "world.generateRegion", input)
	}
}

func TestGenerateRegion(t *testing.T) {
	skilltest.Run(t, all, "world.generateRegion", []skilltest.Case{
		{
			Name:  "one tile",
			Input: `{"seed":7331,"type":"plains","bounds":{"minTx":0,"minTz":0,"maxTx":0,"maxTz":0}}`,
			Want:  `{"regionId":"ent_0","tiles":1,"bodies":[1],"keys":["0,0"],"meshes":1,"relief":{"minY":-0.8394873142242432,"maxY":0.3103275001049042},"lowest":[48,-0.8394873142242432,48],"highest":[0,0.3103275001049042,48],"seaLevel":-1.7999999999999998}`,
			Check: func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
				t.Helper()
				text := s.Entity(t, "ent_1")
				for _, part := range []string{`"ground":{"land":{"seed":7331,"type":"plains"`, `"tile":[0,0],"lod":0}`, `"kind":"terrain"`, `"type":"static"`} {
					if !strings.Contains(text, part) {
						t.Errorf("a client gets %s, without %s", text, part)
					}
				}
			},
		},
		{
			Name: "unseen, stretched, coarse", Input: `{"seed":1,"lod":4,"render":false,"bounds":{"minTx":0,"minTz":0,"maxTx":1,"maxTz":0},"hints":{"relief":0,"base":2},"surface":{"exaggerateY":{"factor":3,"pivot":1}}}`,
			Want: `{"regionId":"ent_0","tiles":2,"bodies":[1,2],"keys":["0,0","1,0"],"meshes":0,"relief":{"minY":4,"maxY":4},"lowest":[0,4,0],"highest":[0,4,0],"seaLevel":4}`,
		},
		{Name: "backwards", Input: `{"seed":1,"bounds":{"minTx":1,"minTz":0,"maxTx":0,"maxTz":0}}`, Code: registry.CodeInvalidInput, Err: "bounds.minTx: must not be more than maxTx, got 1 and 0"},
		{Name: "too many", Input: `{"seed":1,"bounds":{"minTx":0,"minTz":0,"maxTx":17,"maxTz":17}}`, Code: registry.CodeInvalidInput, Err: "bounds: are 324 tiles, at most 289 are allowed; make a smaller region and let world.streamFollow load more"},
		{Name: "on top of another", Setup: setup(mountains), Input: `{"seed":1,"bounds":{"minTx":0,"minTz":0,"maxTx":1,"maxTz":0}}`, Code: registry.CodeInvalidInput, Err: "bounds: where tile 0,0 goes there is ground already: ent_4 of the region ent_0; destroy that, or choose other bounds"},
		{Name: "two sea levels", Input: `{"seed":1,"bounds":{"minTx":0,"minTz":0,"maxTx":0,"maxTz":0},"surface":{"seaLevel":1,"seaFraction":0.5}}`, Code: registry.CodeInvalidInput, Err: "surface.seaFraction: give either seaLevel or seaFraction"},
	})
	skilltest.Needs(t, all, "world.generateRegion", mountains, "terrain.generate", "builder.readWrite", "terrain.author")
}

func TestHintsAreAClosedSet(t *testing.T) {
	s := newSite(t)
	for input, want := range map[string]string{
		`{"seed":1,"bounds":{"minTx":0,"minTz":0,"maxTx":0,"maxTz":0},"hints":{"relief":201}}`: "hints.relief",
		`{"seed":1,"bounds":{"minTx":0,"minTz":0,"maxTx":0,"maxTz":0},"hints":{"lava":1}}`:     "hints.lava",
		`{"seed":1,"bounds":{"minTx":0,"minTz":0,"maxTx":0,"maxTz":0},"type":"moor"}`:          "type",
	} {
		if _, err := s.Call(s.ann, "world.generateRegion", input); err == nil || err.Code != registry.CodeInvalidInput || !strings.Contains(err.Message, want) {
			t.Errorf("%s: %v, which does not name %s", input, err, want)
		}
	}
}

// TestSameGround: a region that is made again, after it was destroyed, is the same; so is what terrain.sampleHeight says, and a ray meets.
func TestSameGround(t *testing.T) {
	s := newSite(t)
	first := s.do("world.generateRegion", mountains)
	for _, at := range [][2]float64{{0, 0}, {-20.3, 17.7}, {31, -40.4}, {-47.9, -47.9}} {
		want := s.do("terrain.sampleHeight", `{"seed":1234,"type":"mountains","x":%v,"z":%v}`, at[0], at[1])["y"].(float64)
		hit := s.do("physics.raycast", `{"origin":[%v,100,%v],"direction":[0,-1,0]}`, at[0], at[1])
		if y := 100 - hit["distance"].(float64); math.Abs(y-want) > 1e-5 {
			t.Errorf("at %v the ray meets the ground at %v, the land is %v high", at, y, want)
		}
	}
	s.do("scene.destroyEntity", `{"entity":"ent_0"}`)
	if s.Len() != 0 {
		t.Errorf("%d entities are left of a region that was destroyed", s.Len())
	}
	second := s.do("world.generateRegion", mountains)
	delete(first, "regionId")
	delete(second, "regionId")
	delete(first, "bodies")
	delete(second, "bodies")
	if a, b := fmt.Sprint(first), fmt.Sprint(second); a != b {
		t.Errorf("first %s, then %s", a, b)
	}
}

// TestSampleWhatIsThere: what is not said of the land is as the generated ground there, or of the seed, and the answer says so.
func TestSampleWhatIsThere(t *testing.T) {
	const more = `{"seed":9,"type":"plains","lod":2,"bounds":{"minTx":1,"minTz":0,"maxTx":1,"maxTz":0},"hints":{"base":30,"relief":20}}`
	s := newSite(t)
	s.do("world.generateRegion", mountains) // ent_0, tiles -1 to 0
	s.do("world.generateRegion", more)
	for _, tt := range []struct {
		x, z       float64
		asked, say string
	}{
		{10, 20, ``, `"seed":1234,"type":"mountains","note":"as the generated ground ent_4"`},
		{10, 20, `"seed":1234,`, `"type":"mountains","note":"as the generated ground ent_4"`},
		{10, 20, `"type":"mountains",`, `"seed":1234,"note":"as the generated ground ent_4"`},
		{-48, -40, ``, `"seed":1234,"type":"mountains","note":"as the generated ground ent_1"`}, // an edge
		{96, 48, ``, `"seed":9,"type":"plains","note":"as the generated ground ent_6"`},
		{60, 20, ``, `"seed":9,"type":"plains","note":"as the generated ground ent_6"`},
	} {
		in := fmt.Sprintf(`{%s"x":%v,"z":%v}`, tt.asked, tt.x, tt.z)
		text := s.Must(t, s.ann, "terrain.sampleHeight", in)
		y := s.do("terrain.sampleHeight", "%s", in)["y"].(float64)
		hit := s.do("physics.raycast", `{"origin":[%v,100,%v],"direction":[0,-1,0]}`, tt.x, tt.z)
		if there := 100 - hit["distance"].(float64); math.Abs(y-there) > 1e-5 || !strings.HasSuffix(text, ","+tt.say+"}") {
			t.Errorf("%s: %s, where the ground is at %v, want it to say %s", in, text, there, tt.say)
		}
		if text := s.Must(t, s.ann, "terrain.sampleClimate", in); !strings.HasSuffix(text, ","+tt.say+"}") {
			t.Errorf("climate of %s: %s, want it to say %s", in, text, tt.say)
		}
	}
	for in, want := range map[string]string{ // what is asked for wins, and elsewhere it is the land of the seed
		`{"seed":1234,"type":"hills","x":10,"z":20}`:       `{"seed":1234,"type":"hills","x":10,"z":20}`,
		`{"seed":9,"x":10,"z":20,"lod":2}`:                 `{"seed":9,"type":"plains","hints":{"base":30,"relief":20},"x":10,"z":20,"lod":2}`,
		`{"seed":1234,"x":10,"z":20,"hints":{"relief":5}}`: `{"seed":1234,"type":"mountains","x":10,"z":20,"hints":{"relief":5}}`,
		`{"seed":5,"x":10,"z":20}`:                         `{"seed":5,"type":"hills","x":10,"z":20}`,
		`{"seed":9,"x":60,"z":20,"lod":1}`:                 `{"seed":9,"type":"plains","hints":{"base":30,"relief":20},"x":60,"z":20,"lod":1}`,
	} {
		if a, b := s.do("terrain.sampleHeight", "%s", in)["y"], s.do("terrain.sampleHeight", "%s", want)["y"]; a != b {
			t.Errorf("%s: %v, want as %s: %v", in, a, want, b)
		}
	}
	if got, want := s.do("terrain.sampleHeight", `{"seed":5,"x":10,"z":20}`)["note"], "no ground of this seed is generated: hills are taken where type is left out"; got != want {
		t.Errorf("the note is %q, want %q", got, want)
	}
	for in, want := range map[string]string{
		`{"x":500,"z":20}`:                 "seed: no generated ground is at x 500, z 20: give the seed and the type of a land, or regionId",
		`{"x":10,"z":20,"type":"islands"}`: "seed: no generated ground of the type islands is at x 10, z 20: give the seed and the type of a land, or regionId",
	} {
		if _, err := s.Call(s.ann, "terrain.sampleHeight", in); err == nil || err.Code != registry.CodeInvalidInput || err.Message != want {
			t.Errorf("%s: %v, want %s", in, err, want)
		}
	}
}

// TestSampleRegion: of a region that was moved, turned or stretched it is said how high it is where it lies now, as a ray meets it, asked about by its id or by the place alone, and beyond
// its tiles how its land goes on.
func TestSampleRegion(t *testing.T) {
	for name, c := range map[string]struct {
		surface, move string
		beyond        bool
	}{
		"as it was made": {beyond: true},
		"stretched":      {surface: `,"surface":{"exaggerateY":{"factor":3,"pivot":2}}`, beyond: true},
		"moved":          {move: `{"entity":"ent_0","position":[20,7,-30]}`, beyond: true},
		"turned":         {move: `{"entity":"ent_0","position":[20,7,-30],"rotationEuler":[0,0.6,0]}`},
	} {
		s := newSite(t)
		s.do("world.generateRegion", `{"seed":1234,"type":"mountains","bounds":{"minTx":-1,"minTz":-1,"maxTx":1,"maxTz":0}%s}`, c.surface)
		if c.move != "" {
			s.do("three.setTransform", "%s", c.move)
		}
		s.do("terrain.sampleHeight", `{"x":4,"z":4,"regionId":"ent_0"}`)
		for _, at := range [][2]float64{{10, -12}, {25.3, -20}, {31, -41}} {
			there := 500 - s.do("physics.raycast", `{"origin":[%v,500,%v],"direction":[0,-1,0],"maxDistance":1000}`, at[0], at[1])["distance"].(float64)
			for _, region := range []string{"", `,"regionId":"ent_0"`} {
				got := s.do("terrain.sampleHeight", `{"x":%v,"z":%v%s}`, at[0], at[1], region)
				if y := got["y"].(float64); math.Abs(y-there) > 1e-3 || got["type"] != "mountains" || got["seed"] != 1234.0 {
					t.Errorf("%s: at %v%s it is %v, and a ray meets it at %v", name, at, region, got, there)
				}
				here := s.do("terrain.sampleClimate", `{"x":%v,"z":%v%s}`, at[0], at[1], region)
				x, z := at[0], at[1]
				if c.move != "" {
					x, z = x-20, z+30
				}
				if name == "turned" {
					x, z = math.Cos(0.6)*x-math.Sin(0.6)*z, math.Sin(0.6)*x+math.Cos(0.6)*z
				}
				if want := s.do("terrain.sampleClimate", `{"seed":1234,"type":"mountains","x":%v,"z":%v}`, x, z); math.Abs(here["tempC"].(float64)-want["tempC"].(float64)) > 1e-6 {
					t.Errorf("%s: at %v%s the climate is %v, want %v", name, at, region, here, want)
				}
			}
		}
		if !c.beyond {
			if _, err := s.Call(s.ann, "terrain.sampleHeight", `{"x":300,"z":0,"regionId":"ent_0"}`); err == nil || err.Message != "regionId: ent_0 is turned or scaled, and has no tile at x 300, z 0" {
				t.Errorf("%s: beyond its tiles: %v", name, err)
			}
			continue
		}
		before := s.do("terrain.sampleHeight", `{"x":300,"z":0,"regionId":"ent_0"}`)["y"].(float64)
		s.do("world.streamFollow", `{"regionId":"ent_0","anchor":[300,0,0],"radius":0}`)
		if y := s.do("terrain.sampleHeight", `{"x":300,"z":0,"regionId":"ent_0"}`)["y"].(float64); math.Abs(y-before) > 1e-3 {
			t.Errorf("%s: beyond its tiles it was to be %v, and is %v", name, before, y)
		}
	}
	s := newSite(t)
	s.do("world.generateRegion", mountains)
	for in, want := range map[string]string{
		`{"x":1,"z":1,"regionId":"ent_0","seed":3}`:             "seed: regionId says which land it is: leave one of the two out",
		`{"x":1,"z":1,"regionId":"ent_0","type":"hills"}`:       "type: regionId says which land it is: leave one of the two out",
		`{"x":1,"z":1,"regionId":"ent_0","hints":{"relief":3}}`: "hints: regionId says which land it is: leave one of the two out",
		`{"x":1,"z":1,"regionId":"ent_0","lod":2}`:              "lod: is of a land by seed and type: a region has one; leave lod or regionId out",
		`{"x":1,"z":1,"regionId":"ent_1"}`:                      "regionId: ent_1 is no region; world.generateRegion makes one and returns its id",
	} {
		if _, err := s.Call(s.ann, "terrain.sampleHeight", in); err == nil || err.Message != want {
			t.Errorf("%s: %v, want %s", in, err, want)
		}
	}
}

// TestMeasured: however one asks, ground is as large as it is, seen or not, and what stands on it touches it.
func TestMeasured(t *testing.T) {
	for _, unseen := range []string{"", `,"render":false`} {
		s := newSite(t)
		s.do("world.generateRegion", "%s", strings.TrimSuffix(mountains, "}")+unseen+"}")
		s.do("ecs.addComponent", `{"entity":"ent_0","component":"land"}`)
		want := s.do("spatial.bounds", `{"entities":["ent_0"]}`)
		for _, which := range []string{`{}`, `{"tag":"land"}`} {
			got := s.do("scene.inspect", "%s", which)
			if b := got["bounds"].(map[string]any); fmt.Sprint(b["min"], b["max"]) != fmt.Sprint(want["min"], want["max"]) {
				t.Errorf("scene.inspect %s, %q: the bounds are %v, those of spatial.bounds %v", which, unseen, b, want)
			}
		}
		s.do("scene.createEntity", `{"shape":"sphere","position":[10,30,-30]}`)
		for _, entity := range []string{"ent_0", "ent_1", "ent_2", "ent_3", "ent_4"} {
			near := math.Inf(1)
			for _, f := range s.do("spatial.nearest", `{"point":[10,30,-30],"maxDistance":1000}`)["entities"].([]any) {
				if n := f.(map[string]any); n["entity"] == entity || entity == "ent_0" && n["entity"] != "ent_5" {
					near = min(near, n["distance"].(float64))
				}
			}
			if gap := s.do("spatial.measure", `{"fromPoint":[10,30,-30],"toEntity":%q}`, entity)["gap"].(float64); math.Abs(gap-near) > 1e-5 {
				t.Errorf("%s, %q: the gap is %v, but spatial.nearest has %v", entity, unseen, gap, near)
			}
		}
	}
}

// TestRoomOnGround: what reaches into the ground is said to, as deep as it is, and a free place is one that does not.
func TestRoomOnGround(t *testing.T) {
	s := newSite(t)
	s.do("world.generateRegion", mountains)
	height := func(x, z float64) float64 {
		return s.do("terrain.sampleHeight", `{"seed":1234,"type":"mountains","x":%v,"z":%v}`, x, z)["y"].(float64)
	}
	for _, at := range [][2]float64{{-20.3, 17.7}, {10, -30}, {-40, -12}} {
		y := height(at[0], at[1])
		if found := s.do("physics.overlap", `{"shape":"sphere","radius":0.5,"position":[%v,%v,%v]}`, at[0], y, at[1])["entities"].([]any); len(found) != 1 {
			t.Errorf("a ball half in the ground at %v meets %v", at, found)
		} else if f := found[0].(map[string]any); f["depth"].(float64) <= 0.1 {
			t.Errorf("a ball half in the ground at %v is %v deep in it", at, f["depth"])
		}
		if found := s.do("physics.overlap", `{"shape":"sphere","radius":0.5,"position":[%v,%v,%v]}`, at[0], y+5, at[1])["entities"].([]any); len(found) != 0 {
			t.Errorf("a ball 5 m over the ground at %v meets %v", at, found)
		}
		free := s.do("spatial.freeSpace", `{"size":[1,2,1],"near":[%v,%v,%v],"radius":40}`, at[0], y+1, at[1])
		if free["found"] != true {
			t.Errorf("near %v there is no room: %v", at, free)
			continue
		}
		p := free["position"].([]any)
		x, middle, z := p[0].(float64), p[1].(float64), p[2].(float64)
		if low := middle - 1 - height(x, z); low < -1e-6 || low > 1.5 {
			t.Errorf("the room found near %v hangs %v over the ground", at, low)
		}
		if found := s.do("physics.overlap", `{"size":[1,2,1],"position":[%v,%v,%v]}`, x, middle, z)["entities"].([]any); len(found) != 0 {
			t.Errorf("in the room found near %v there is %v", at, found)
		}
	}
}

func TestUndo(t *testing.T) {
	s := newSite(t)
	before := s.Content()
	s.do("world.generateRegion", mountains)
	after := s.Content()
	s.do("world.undo", `{}`)
	if s.Content() != before || s.Len() != 0 {
		t.Error("an undo leaves something of a region")
	}
	s.do("world.redo", `{}`)
	if s.Content() != after || s.Len() != 5 {
		t.Error("a redo does not bring the region back as it was")
	}
}

func TestStreamFollow(t *testing.T) {
	s := newSite(t)
	s.do("world.generateRegion", mountains)
	got := s.do("world.streamFollow", `{"regionId":"ent_0","anchor":[30,5,-10],"radius":1}`)
	if got["active"] != 9.0 || fmt.Sprint(got["loaded"]) != "[-1,-2 0,-2 1,-2 1,-1 1,0]" || len(got["removed"].([]any)) != 0 {
		t.Errorf("around tile 0,-1: %v", got)
	}
	hash := s.World.Hash()
	if again := s.do("world.streamFollow", `{"regionId":"ent_0","anchor":[1,0,-47],"radius":1}`); s.World.Hash() != hash || again["active"] != 9.0 {
		t.Errorf("in the same tile: %v", again)
	}
	// Other ground is in the way of one of the nine.
	s.do("world.generateRegion", `{"seed":5,"type":"plains","bounds":{"minTx":11,"minTz":0,"maxTx":11,"maxTz":0}}`)
	if got := s.do("world.streamFollow", `{"regionId":"ent_0","anchor":[490,0,10],"radius":1}`); got["active"] != 8.0 || fmt.Sprint(got["blocked"]) != "[11,0]" || len(got["removed"].([]any)) != 9 {
		t.Errorf("beside other ground: %v", got)
	}
	if _, err := s.Call(s.ann, "world.streamFollow", `{"regionId":"ent_1","anchor":[0,0,0]}`); err == nil || !strings.Contains(err.Message, "ent_1") {
		t.Errorf("a tile is followed: %v", err)
	}
}

// lake is ground whose lowest point is at -3.543, and whose sea would be lower.
func lake(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
	t.Helper()
	s.Must(t, p, "world.generateRegion", `{"seed":7,"type":"plains","bounds":{"minTx":-2,"minTz":-2,"maxTx":1,"maxTz":1},"hints":{"relief":6,"featureSize":120}}`)
}

func TestAddWater(t *testing.T) {
	skilltest.Run(t, all, "world.addWater", []skilltest.Case{
		{Name: "by itself", Input: `{}`, Want: `{"entity":"ent_0","level":0,"size":400,"color":2841970}`},
		{
			Name: "for a region", Input: `{"region":{"seed":1234,"type":"islands","bounds":{"minTx":0,"minTz":0,"maxTx":3,"maxTz":1},"hints":{"base":5}}}`,
			Want: `{"entity":"ent_0","level":5,"size":192,"color":2841970}`,
			Check: func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
				t.Helper()
				if text := s.Entity(t, "ent_0"); !strings.Contains(text, `"pos":[96,5,48]`) || !strings.Contains(text, `"water":{"size":192,"color":2841970}`) {
					t.Errorf("a client gets %s", text)
				}
			},
		},
		{
			Name: "under all of the ground", Setup: lake, Input: `{"level":-3.6,"size":90}`,
			Want: `{"entity":"ent_17","level":-3.6,"size":90,"color":2841970,"note":"all of the generated ground there is higher than -3.6, so that it hides the water: the lowest is at -3.543; give a higher level"}`,
		},
		{Name: "in a valley", Setup: lake, Input: `{"level":-3.5,"size":90}`, Want: `{"entity":"ent_17","level":-3.5,"size":90,"color":2841970}`},
		{Name: "of no size", Input: `{"size":0}`, Code: registry.CodeInvalidInput, Err: "size: must be greater than 0 and at most 100000, got 0"},
	})
}

func TestClimate(t *testing.T) {
	s := newSite(t)
	desert := s.do("terrain.sampleClimate", `{"seed":3,"type":"desert","x":10,"z":10}`)
	if desert["name"] != "sand" || desert["biome"] != 2.0 || desert["tempC"].(float64) < 20 {
		t.Errorf("the climate of a desert is %v", desert)
	}
	if cold := s.do("terrain.sampleClimate", `{"seed":3,"type":"desert","x":10,"z":10,"hints":{"temperature":-40}}`); cold["name"] != "snow" {
		t.Errorf("at -40 °C it is %v", cold)
	}
}

// TestExtremes: where a region says that its highest and lowest points are, that high is its land.
func TestExtremes(t *testing.T) {
	s := newSite(t)
	out := s.do("world.generateRegion", `{"seed":5,"type":"islands","bounds":{"minTx":-2,"minTz":-2,"maxTx":1,"maxTz":1},"hints":{"relief":24}}`)
	relief := out["relief"].(map[string]any)
	for point, y := range map[string]any{"highest": relief["maxY"], "lowest": relief["minY"]} {
		at := out[point].([]any)
		land := s.do("terrain.sampleHeight", `{"seed":5,"type":"islands","hints":{"relief":24},"x":%v,"z":%v}`, at[0], at[2])["y"]
		if at[1] != y || land != y {
			t.Errorf("%s: %v, where the land is %v high; the relief is %v", point, at, land, relief)
		}
	}
}

// TestJetty: the posts of a jetty, most of them in the ground, each a little in the deck, stay where they are but for what they are in the deck, or are joined to that.
func TestJetty(t *testing.T) {
	s := newSite(t)
	s.do("world.generateRegion", `{"seed":5,"type":"islands","bounds":{"minTx":0,"minTz":0,"maxTx":0,"maxTz":0},"hints":{"relief":24,"featureSize":90,"base":-3}}`)
	box := func(x, y, z, width, height, depth float64) {
		id := s.do("scene.createEntity", `{"position":[%v,%v,%v]}`, x, y, z)["entity"]
		s.do("three.setTransform", `{"entity":%q,"scale":[%v,%v,%v]}`, id, width, height, depth)
	}
	for i := range 8 {
		box(24, 0.6, 28+2*float64(i), 2.4, 0.2, 2)
		for _, side := range []float64{-1.1, 1.1} {
			box(24+side, -1.6, 27+2*float64(i), 0.2, 5, 0.2)
		}
	}
	found := s.do("scene.validate", `{"limit":200}`)["findings"].([]any)
	if len(found) == 0 {
		t.Fatal("nothing was found")
	}
	for _, f := range found {
		f := f.(map[string]any)
		if f["kind"] != "interpenetrating" {
			t.Errorf("found %v", f["message"])
			continue
		}
		for _, fix := range f["fix"].([]any) {
			input := fix.(map[string]any)["input"].(map[string]any)
			if input["component"] == "joined" { // it stays where it is
				continue
			}
			id, _ := world.ParseID(input["entity"].(string))
			var was world.Vec3
			s.World.View(func(v *world.View) { was, _ = v.Position(id) })
			to := input["position"].([]any)
			if d := was.Dist(world.Vec3{to[0].(float64), to[1].(float64), to[2].(float64)}); d > 0.3 {
				t.Errorf("%v: it is to go %.2f m", f["message"], d)
			}
		}
	}
}

// TestTreesStand: two hundred trees, at least 2 m apart, on a hillside: scene.validate finds nothing wrong with one of them, and finds the one that
// is lifted, and the one that is buried.
func TestTreesStand(t *testing.T) {
	s := newSite(t)
	s.do("world.generateRegion", `{"seed":9,"type":"hills","bounds":{"minTx":-1,"minTz":-1,"maxTx":0,"maxTz":0}}`)
	s.do("scene.createEntity", `{"position":[0,40.75,0]}`)
	s.do("three.setTransform", `{"entity":"ent_5","scale":[0.3,1.5,0.3]}`)
	got := s.do("scene.array", `{"entity":"ent_5","pattern":"scatter","list":500,"count":200,"apart":2,"seed":4,"area":{"min":[-46,0,-46],"max":[46,50,46]}}`)
	trees := got["entities"].([]any)
	s.do("scene.destroyEntity", `{"entity":"ent_5"}`)
	validate := func() (findings []any) {
		return s.do("scene.validate", `{"checks":["floating","belowGround","interpenetrating","duplicate"]}`)["findings"].([]any)
	}
	if found := validate(); len(trees) != 200 || len(found) != 0 {
		t.Fatalf("of %d trees: %v", len(trees), found)
	}
	tree := func(i int) (id string, at world.Vec3) {
		id = trees[i].(string)
		parsed, _ := world.ParseID(id)
		s.World.View(func(v *world.View) { at, _ = v.Position(parsed) })
		return id, at
	}
	lifted, at := tree(17)
	s.do("three.setTransform", `{"entity":%q,"position":[%v,%v,%v]}`, lifted, at[0], at[1]+2, at[2])
	buried, at := tree(18)
	s.do("three.setTransform", `{"entity":%q,"position":[%v,%v,%v]}`, buried, at[0], at[1]-3, at[2])
	found := validate()
	if text := fmt.Sprint(found); len(found) != 2 || !strings.Contains(text, "kind:floating") || !strings.Contains(text, "kind:belowGround") || !strings.Contains(text, lifted) || !strings.Contains(text, buried) {
		t.Fatalf("%s was lifted and %s buried: %v", lifted, buried, found)
	}
	// What goes in by less than half is there on purpose.
	founded, at := tree(19)
	s.do("three.setTransform", `{"entity":%q,"position":[%v,%v,%v]}`, founded, at[0], at[1]-0.7, at[2])
	if again := validate(); !reflect.DeepEqual(again, found) {
		t.Errorf("with one that is founded: %v", again)
	}
	// What it says to do repairs them.
	for _, f := range found {
		for _, fix := range f.(map[string]any)["fix"].([]any) {
			op := fix.(map[string]any)
			input, _ := json.Marshal(op["input"])
			s.do(op["skill"].(string), "%s", input)
		}
	}
	if found := validate(); len(found) != 0 {
		t.Errorf("after the repairs: %v", found)
	}
	// On the ground, and on the region, is on its surface.
	for _, call := range []string{`{"entity":%q,"relation":"onGround"}`, `{"entity":%q,"relation":"on","target":"ent_0"}`} {
		s.do("three.setTransform", `{"entity":%q,"position":[3,90,4]}`, lifted)
		placed := s.do("scene.place", call, lifted)
		y := s.do("terrain.sampleHeight", `{"seed":9,"type":"hills","x":3,"z":4}`)["y"].(float64)
		if p := placed["position"].([]any); math.Abs(p[1].(float64)-0.75-y) > 1e-5 || p[0] != 3.0 {
			t.Errorf("%s: at %v, the ground is %v high", call, p, y)
		}
	}
}

// TestPopulateTheLargest plants the largest region: what grows is thinned to what one call plants, evenly, and the answer says so.
func TestPopulateTheLargest(t *testing.T) {
	w := world.New(world.Config{Seed: 1, MaxEntities: 100_000})
	s := &site{&skilltest.Server{World: w, Agents: agents.New(w), Registry: registry.New(registry.Options{Tick: w.Tick})}, t, skilltest.Caller(t, "ann", skilltest.Builder)}
	if err := s.Registry.Register(all(w, s.Agents)...); err != nil {
		t.Fatal(err)
	}
	s.do("world.generateRegion", `{"seed":11,"type":"forest","bounds":{"minTx":0,"minTz":0,"maxTx":16,"maxTz":16}}`)
	got := s.do("world.populateBiome", `{"regionId":"ent_0"}`)
	layers := got["layers"].([]any)
	note, _ := got["note"].(string)
	if trees := layers[0].(map[string]any)["instances"]; trees != 2000.0 || !strings.Contains(note, "oak and pine at 2000 of ") {
		t.Errorf("planted %v: %s", trees, note)
	}
	quarters := map[[2]bool]int{}
	for _, found := range s.do("scene.queryEntities", `{"tag":"scattered"}`)["entities"].([]any) {
		p := found.(map[string]any)["position"].([]any)
		quarters[[2]bool{p[0].(float64) > 408, p[2].(float64) > 408}]++
	}
	for q, n := range quarters {
		if n < 400 {
			t.Errorf("%d stand in the quarter %v", n, q)
		}
	}
	if len(quarters) != 4 {
		t.Errorf("they stand in %v", quarters)
	}
}

func TestPopulateAndScatter(t *testing.T) {
	s := newSite(t)
	s.do("world.generateRegion", `{"seed":11,"type":"forest","bounds":{"minTx":0,"minTz":0,"maxTx":1,"maxTz":0}}`)
	got := s.do("world.populateBiome", `{"regionId":"ent_0"}`)
	n := int(got["instances"].(float64))
	if layers := got["layers"].([]any); n < 50 || got["type"] != "forest" || len(layers) != 2 || layers[0].(map[string]any)["mounted"] != layers[0].(map[string]any)["instances"] {
		t.Errorf("planted %v", got)
	}
	if found := s.do("scene.validate", `{"checks":["floating","belowGround"]}`); found["ok"] != true {
		t.Errorf("what was planted: %v", found["findings"])
	}
	if tagged := s.do("scene.queryEntities", `{"tag":"scattered"}`)["entities"].([]any); len(tagged) != n {
		t.Errorf("%d of %d are tagged", len(tagged), n)
	}
	s.do("world.undo", `{}`)
	const config = `{"regionId":"ent_0","list":500,"config":{"seed":5,"density":4,"coverage":0.8,"sizeRange":[0.5,2],"assets":[{"id":"villa"},{"id":%q}]}}`
	s.do("scene.createEntity", `{"position":[0,60,0],"size":2}`)
	var entity string
	s.World.View(func(v *world.View) {
		for id := range v.All() {
			entity = id.String() // the newest
		}
	})
	first := s.do("asset.scatter", config, entity)
	instances, mounted := first["instances"].(float64), first["mounted"].(float64)
	if mounted == 0 || mounted == instances || float64(len(first["placements"].([]any))) != instances {
		t.Errorf("scattered %v", first)
	}
	if found := s.do("scene.validate", `{"checks":["floating","belowGround"],"except":["none"]}`); len(found["findings"].([]any)) != 1 { // the original
		t.Errorf("what was scattered: %v", found["findings"])
	}
	places := func(out map[string]any) (list []string) {
		for _, p := range out["placements"].([]any) {
			m := p.(map[string]any)
			list = append(list, fmt.Sprint(m["assetId"], m["x"], m["y"], m["z"], m["yaw"], m["scale"]))
		}
		return list
	}
	s.do("world.undo", `{}`)
	if again := s.do("asset.scatter", config, entity); !slices.Equal(places(first), places(again)) {
		t.Error("the same call scatters to other places")
	}
	if _, said := first["note"]; said {
		t.Errorf("a note where no slope is given: %v", first["note"])
	}
	s.do("world.undo", `{}`)
	const degrees = `{"regionId":"ent_0","config":{"seed":5,"density":4,"slopeMax":30,"assets":[{"id":"rock"}]}}`
	if note := s.do("asset.scatter", degrees)["note"]; note != "config.slopeMax is height for distance, and was taken so: 30 is 88.1 degrees. If degrees were meant, give 0.5774" {
		t.Errorf("a slope in degrees: note %v", note)
	}
	for input, want := range map[string]string{
		`{"regionId":"ent_1","config":{"seed":1,"assets":[{"id":"rock"}]}}`:                                   "regionId: ent_1 is no region",
		`{"regionId":"ent_0","config":{"seed":1,"assets":[{"id":"ent_99999"}]}}`:                              "unknown entity ent_99999",
		`{"regionId":"ent_0","config":{"seed":1,"density":64,"assets":[{"id":"villa"}]}}`:                     "more than 2000 things",
		`{"regionId":"ent_0","config":{"seed":1,"elevationMin":3,"elevationMax":2,"assets":[{"id":"rock"}]}}`: "config.elevationMin: must not be more than elevationMax",
	} {
		if _, err := s.Call(s.ann, "asset.scatter", input); err == nil || !strings.Contains(err.Message, want) {
			t.Errorf("%s: %v, want %s", input, err, want)
		}
	}
}

// TestUnsupportedOnGround: what stands on generated ground, over the level of 0 and below it, stays; what hangs over it falls, as far as the
// ground is.
func TestUnsupportedOnGround(t *testing.T) {
	s := &site{t: t, ann: skilltest.Caller(t, "ann", skilltest.Builder)}
	s.Server = skilltest.New(t, func(w *world.World, a *agents.Agents) []registry.Skill {
		return skills.All(skills.Deps{World: w, Agents: a, Physics: bodies.New(w, bodies.Config{Open: rapiertest.Runtime().Open, Gravity: -9.81})})
	})
	s.do("world.generateRegion", `{"seed":7331,"type":"plains","bounds":{"minTx":0,"minTz":0,"maxTx":1,"maxTz":1}}`)
	var heights []float64
	for _, at := range [][2]float64{{8, 8}, {20, 20}, {35, 5}, {12, 40}, {40, 40}} {
		y := s.do("terrain.sampleHeight", `{"seed":7331,"type":"plains","x":%v,"z":%v}`, at[0], at[1])["y"].(float64)
		heights = append(heights, y)
		s.do("scene.createEntity", `{"shape":"box","size":1,"position":[%v,%v,%v]}`, at[0], y+0.5, at[1])
	}
	if slices.Min(heights) > -0.1 || slices.Max(heights) < 0.1 {
		t.Fatalf("the places are %v high: choose some over and some below 0", heights)
	}
	s.do("scene.createEntity", `{"shape":"box","size":1,"position":[-40,0.5,-40]}`) // on level ground
	const input = `{"checks":["unsupported"],"seconds":5}`
	if out := s.do("scene.validate", input); out["ok"] != true {
		t.Errorf("where all stands: %v", out)
	}
	id := s.do("scene.createEntity", `{"shape":"box","size":1,"position":[5,%v,25]}`, 5.0)["entity"]
	out := s.do("scene.validate", input)
	found := out["findings"].([]any)
	if len(found) != 1 {
		t.Fatalf("one hangs in the air: %v", out)
	}
	f := found[0].(map[string]any)
	y := s.do("terrain.sampleHeight", `{"seed":7331,"type":"plains","x":5,"z":25}`)["y"].(float64)
	if fell := f["amount"].(float64); f["entities"].([]any)[0] != id || math.Abs(fell-(4.5-y)) > 0.2 {
		t.Errorf("the ground is %v high, and the finding is %v", y, f)
	}
}

// TestBallRollsDown: a ball rolls down a hill and comes to rest on the ground, where the skills say that the ground is.
func TestBallRollsDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p *bodies.Physics
		s := &site{t: t, ann: skilltest.Caller(t, "ann", skilltest.Builder)}
		s.Server = skilltest.New(t, func(w *world.World, a *agents.Agents) []registry.Skill {
			p = bodies.New(w, bodies.Config{Open: rapiertest.Runtime().Open, Gravity: -9.81})
			return skills.All(skills.Deps{World: w, Agents: a, Physics: p})
		})
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error)
		go func() { done <- s.World.Run(ctx) }()
		s.do("world.generateRegion", `{"seed":21,"type":"hills","bounds":{"minTx":-4,"minTz":-4,"maxTx":3,"maxTz":3}}`)
		s.do("scene.createEntity", `{"shape":"sphere","size":1,"position":[20,0,-15],"dynamic":true,"friction":0.9}`)
		start := s.do("scene.place", `{"entity":"ent_65","relation":"on","target":"ent_0"}`)["position"].([]any)
		settled := map[string]any{}
		for range 20 { // nothing but the ground's unevenness brakes it
			if settled = s.do("physics.settle", `{"entities":["ent_65"],"seconds":60}`); settled["settled"] == true {
				break
			}
		}
		id, _ := world.ParseID("ent_65")
		var at world.Vec3
		s.World.View(func(v *world.View) { at, _ = v.Position(id) })
		rolled := math.Hypot(at[0]-start[0].(float64), at[2]-start[2].(float64))
		ground := s.do("spatial.measure", `{"fromEntity":"ent_65","toPoint":[%v,%v,%v]}`, at[0], at[1]-1, at[2])
		y := s.do("terrain.sampleHeight", `{"seed":21,"x":%v,"z":%v}`, at[0], at[2])["y"].(float64)
		if settled["settled"] != true || rolled < 2 || start[1].(float64)-at[1] < 0.5 || at[1]-y < 0.45 || at[1]-y > 0.6 {
			t.Errorf("from %v it rolled %v to %v, where the ground is %v high; at rest: %v; %v", start, rolled, at, y, settled["settled"], ground)
		}
		cancel()
		<-done
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
}
