package exchange_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/exchange"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/mesh"
	"github.com/limina-mcp/limina/skills/terrain"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// library returns a folder with a pillar, 1 m wide and 2 m high, whose middle is 5 m over the origin of the file.
func library(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	s := skilltest.New(t, skills(dir))
	if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
		id, err := tx.Create(world.Spec{Name: "pillar", Position: world.Vec3{0, 5, 0}, Scale: world.Vec3{1, 2, 1}})
		if err != nil {
			return err
		}
		return s.World.Shapes.Set(tx, id, world.Shape{Kind: "box", Size: world.Vec3{1, 1, 1}, Color: 0xff0000})
	}); err != nil {
		t.Fatal(err)
	}
	s.Must(t, skilltest.Caller(t, "ann", skilltest.Builder), "scene.export", `{"file":"pillar.glb"}`)
	return dir
}

// room returns the box that an entity and what is below it take up.
func room(s *skilltest.Server, id world.ID) (b solid.Bounds) {
	s.World.View(func(v *world.View) { b = solid.Tree(s.World, v, id) })
	return b
}

// glb returns a file that has only JSON.
func glb(text string) []byte {
	for len(text)%4 != 0 {
		text += " "
	}
	b := binary.LittleEndian.AppendUint32([]byte("glTF"), 2)
	b = binary.LittleEndian.AppendUint32(b, uint32(20+len(text)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(text)))
	return append(append(b, "JSON"...), text...)
}

// A model stands where it is to stand and is as high as it is to be, however it is turned and scaled.
func TestPlaceAsset(t *testing.T) {
	dir := library(t)
	s, ann := skilltest.New(t, skills(dir)), skilltest.Caller(t, "ann", skilltest.Builder)
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9*(1+math.Abs(a)+math.Abs(b)) }
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Float64Range(-100, 100)
		vec := func(name string, of *rapid.Generator[float64]) world.Vec3 {
			return world.Vec3{of.Draw(t, name), of.Draw(t, name), of.Draw(t, name)}
		}
		in := map[string]any{"assetId": rapid.SampledFrom([]string{"pillar", "pillar.glb"}).Draw(t, "name"), "ground": rapid.Bool().Draw(t, "ground")}
		at, scale, turned := vec("at", number), world.Vec3{1, 1, 1}, world.Quat{3: 1}
		in["position"] = at
		if rapid.Bool().Draw(t, "scaled") {
			scale = vec("scale", rapid.Float64Range(0.1, 10))
			in["scale"] = scale
		}
		if rapid.Bool().Draw(t, "turned") {
			r := vec("rotation", rapid.Float64Range(-3, 3))
			in["rotation"], turned = r, world.QuatFromEuler(r[0], r[1], r[2])
		}
		// What it takes up at the origin, by its corners.
		want := solid.Nothing()
		for i := range 8 {
			corner := world.Vec3{float64(i&1) - 0.5, 5 + 2*float64(i>>1&1) - 1, float64(i>>2) - 0.5}
			p := turned.Rotate(corner.Mul(scale))
			want = want.Join(solid.Bounds{Lo: p, Hi: p})
		}
		if rapid.Bool().Draw(t, "normalized") {
			high := rapid.Float64Range(0.1, 50).Draw(t, "high")
			by := high / want.Size()[1]
			in["normalizeHeight"], want = high, solid.Bounds{Lo: want.Lo.Scale(by), Hi: want.Hi.Scale(by)}
		}
		if want = want.Moved(at); in["ground"] == true {
			want = want.Moved(world.Vec3{1: at[1] - want.Lo[1]})
		}
		text, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		var out exchange.PlaceOut
		answer, failed := s.Call(ann, "asset.place", string(text))
		if failed != nil {
			t.Fatalf("%s: %v", text, failed)
		}
		if err := json.Unmarshal([]byte(answer), &out); err != nil {
			t.Fatal(err)
		}
		got := room(s, out.Entity)
		for k := range 3 {
			if !near(got.Lo[k], want.Lo[k]) || !near(got.Hi[k], want.Hi[k]) || !near(out.Bounds[k], want.Size()[k]) {
				t.Fatalf("%s: it takes up %v, and is said to be %v large; want %v", text, got, out.Bounds, want)
			}
		}
		if _, err := s.World.Update(context.Background(), func(tx *world.Tx) error { // the world holds a thousand
			tx.Destroy(out.Entity)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	})
}

// On generated ground a model stands on that, unless it is to be over it.
func TestPlaceAssetOnLand(t *testing.T) {
	dir := library(t)
	s := skilltest.New(t, func(w *world.World, _ *agents.Agents) []registry.Skill {
		m := mesh.New(w)
		return append(exchange.All(exchange.Deps{World: w, Meshes: m, Dir: dir}), terrain.All(terrain.New(w, m))...)
	})
	ann := skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, ann, "world.generateRegion", `{"seed":3,"bounds":{"minTx":0,"minTz":0,"maxTx":0,"maxTz":0}}`)
	ground, some := solid.NewLooks(s.World), 0
	for _, at := range []world.Vec3{{0, -500, 0}, {10, -500, 7}, {10, 500, 7}} {
		var out exchange.PlaceOut
		if err := json.Unmarshal([]byte(s.Must(t, ann, "asset.place", fmt.Sprintf(`{"assetId":"pillar","position":[%v,%v,%v]}`, at[0], at[1], at[2]))), &out); err != nil {
			t.Fatal(err)
		}
		want := at[1]
		s.World.View(func(v *world.View) {
			if y, ok := ground.Ground(v, at[0], at[2]); ok && y > want {
				want, some = y, some+1
			}
		})
		if got := room(s, out.Entity).Lo[1]; math.Abs(got-want) > 1e-9 {
			t.Errorf("at %v it stands at %v, want %v", at, got, want)
		}
	}
	if some != 2 {
		t.Errorf("%d of them stood on the ground, want 2", some)
	}
}

func TestPlaceAssetCalls(t *testing.T) {
	dir := library(t)
	for name, data := range map[string][]byte{
		"broken.glb": []byte("glTF"), "two.glb": glb(`{"asset":{"version":"2.0"},"textures":[{"source":0},{}],"nodes":[{"name":"root"},{}],"scenes":[{"nodes":[0,1]}]}`),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	hash := func(name string) string { return fileSum(t, filepath.Join(dir, name)) }
	pillar := func(id string) string {
		info, err := os.Stat(filepath.Join(dir, "pillar.glb"))
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf(`{"kind":"gltf","assetId":%q,"source":"pillar.glb","hash":%q,"bytes":%d,"rootName":"pillar","objectCount":2,"meshCount":1,"materialCount":1,"textureCount":0}`, id, hash("pillar.glb"), info.Size())
	}
	sees := func(entity string, wants ...string) func(testing.TB, *skilltest.Server, *profiles.Principal) {
		return func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
			t.Helper()
			for _, want := range wants {
				if got := s.Entity(t, entity); !strings.Contains(got, want) {
					t.Errorf("%s is %s, without %s", entity, got, want)
				}
			}
		}
	}
	skilltest.Run(t, skills(dir), "asset.place", []skilltest.Case{
		{
			Name: "by name", Input: `{"assetId":"pillar"}`, Want: `{"entity":"ent_0","hash":"` + hash("pillar.glb") + `","resource":` + pillar("pillar") + `,"bounds":[1,2,1]}`,
			Check: sees("ent_0", `"name":"pillar"`, `"pos":[0,0,0]`),
		},
		{
			Name: "painted", Input: `{"assetId":"pillar.glb","ground":false,"material":{"color":255,"metalness":1},"hash":"` + strings.ToUpper(hash("pillar.glb")) + `"}`,
			Want:  `{"entity":"ent_0","hash":"` + hash("pillar.glb") + `","resource":` + pillar("pillar.glb") + `,"bounds":[1,2,1]}`,
			Check: sees("ent_1", `"parent":"ent_0"`, `"color":255`, `"metalness":1`, `"pos":[0,5,0]`),
		},
		{
			Name: "in degrees", Input: `{"assetId":"pillar","rotation":[0,90,0],"normalizeHeight":0.5}`, Check: sees("ent_0", `"scale":[0.25,0.25,0.25]`),
			Want: `{"entity":"ent_0","hash":"` + hash("pillar.glb") + `","resource":` + pillar("pillar") + `,"bounds":[0.3355175699324321,0.5,0.3355175699324321],"note":"rotation is in radians, and was taken so: 90 is 14.3 turns. If degrees were meant, give [0,1.5708,0]"}`,
		},
		{Name: "nothing to see", Input: `{"assetId":"two"}`, Want: `{"entity":"ent_0","hash":"` + hash("two.glb") + `","resource":{"kind":"gltf","assetId":"two","source":"two.glb","hash":"` + hash("two.glb") + `","bytes":132,"rootName":"root","objectCount":2,"meshCount":0,"materialCount":0,"textureCount":2},"bounds":[0,0,0]}`},
		{Name: "no height", Input: `{"assetId":"two","normalizeHeight":1}`, Err: `normalizeHeight: two has no height; give scale instead, or leave both out`},
		{Name: "another", Input: `{"assetId":"pillar","hash":"` + strings.Repeat("0", 64) + `"}`, Code: registry.CodeInvalidInput, Err: `hash: the file pillar.glb has ` + hash("pillar.glb")},
		{Name: "unknown", Input: `{"assetId":"tree"}`, Err: `assetId: there is no model tree on the server; there are broken, pillar, two`},
		{Name: "broken", Input: `{"assetId":"broken"}`, Err: `assetId: the file broken.glb cannot be read: this is no GLB: it does not begin with glTF and a header`},
		{Name: "a path", Input: `{"assetId":"../pillar"}`, Code: registry.CodeInvalidInput, Err: `assetId: must be 1 to 100 letters, digits, dots, hyphens or underscores, the first no dot, got "../pillar"`},
		{Name: "may not", As: "player.limited", Input: `{"assetId":"pillar"}`, Code: registry.CodeForbidden, Err: `missing permission: scene.write`},
	})
	skilltest.Run(t, skills(dir), "three.loadGLTF", []skilltest.Case{
		{Name: "as it is", Input: `{"assetId":"pillar","position":[1,2,3]}`, Want: `{"entity":"ent_0","resource":` + pillar("pillar") + `}`, Check: sees("ent_0", `"pos":[1,2,3]`)},
		{Name: "unknown", Input: `{"assetId":"tree"}`, Err: `assetId: there is no model tree on the server; there are broken, pillar, two`},
	})
	skilltest.Run(t, skills(""), "asset.place", []skilltest.Case{{Name: "no folder", Input: `{"assetId":"pillar"}`, Err: `assetId: the server has no folder for files: its operator gives one with --files DIR; scene.import takes a file as data`}})
	skilltest.Run(t, skills(t.TempDir()), "asset.place", []skilltest.Case{{Name: "an empty folder", Input: `{"assetId":"pillar"}`, Err: `assetId: there is no model pillar on the server; there are none`}})
}

func fileSum(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(data))
}
