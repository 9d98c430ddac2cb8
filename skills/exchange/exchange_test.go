package exchange_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/exchange"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/mesh"
	"github.com/limina-mcp/limina/skills/picture"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/terrain"
)

// skills returns the skills of a server whose files are in dir.
func skills(dir string) skilltest.Skills {
	return func(w *world.World, _ *agents.Agents) []registry.Skill {
		m := mesh.New(w)
		return append(exchange.All(exchange.Deps{World: w, Meshes: m, Dir: dir}), picture.All(picture.Source{World: w, Meshes: m})...)
	}
}

// place is a world with what files need.
type place struct {
	w      *world.World
	meshes *mesh.Meshes
}

func newPlace() place {
	w := world.New(world.Config{})
	return place{w, mesh.New(w)}
}

// fill makes entities of all kinds.
func (p place) fill(t *rapid.T) {
	number := rapid.OneOf(rapid.Float64Range(-1000, 1000), rapid.SampledFrom([]float64{0, 1, -1, 0.1, 1e-300, 3.4e38}))
	vec := func(name string) world.Vec3 {
		return world.Vec3{number.Draw(t, name), number.Draw(t, name), number.Draw(t, name)}
	}
	some := func(name string) bool { return rapid.Bool().Draw(t, name) }
	_, err := p.w.Update(context.Background(), func(tx *world.Tx) error {
		n := rapid.IntRange(1, 8).Draw(t, "entities")
		for i := range n {
			id, err := tx.Create(world.Spec{
				Name: rapid.StringN(0, 20, 60).Draw(t, "name"), Tags: rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"tree", "wall", "ü"}), 0, 3, rapid.ID[string]).Draw(t, "tags"),
			})
			if err != nil {
				return err
			}
			r := world.QuatFromEuler(number.Draw(t, "turn"), 0.3, float64(i))
			if err := tx.SetTransform(id, world.Transform{Position: vec("at"), Rotation: r, Scale: vec("scale")}); err != nil {
				return err
			}
			if some("a shape") {
				kind := rapid.SampledFrom([]string{"box", "sphere", "capsule", "cylinder", "cone", "wedge"}).Draw(t, "kind")
				size := vec("size")
				for k := range size {
					size[k] = math.Abs(size[k])
				}
				if err := p.w.Shapes.Set(tx, id, world.Shape{Kind: kind, Size: size, Color: rapid.Uint32Range(0, 0xffffff).Draw(t, "color")}); err != nil {
					return err
				}
			} else if some("a mesh") {
				asset, err := p.meshes.Add(tx, &gltf.Geometry{Positions: [][3]float32{{0, 0, 0}, {float32(i), 0, 0}, {0, 1, 0}}, Triangles: [][3]uint32{{0, 1, 2}}})
				if err != nil {
					return err
				}
				if err := p.meshes.Give(tx, id, asset, 0x102030); err != nil {
					return err
				}
			}
			if some("ground") {
				land, err := terrain.New(int64(i), "hills", terrain.Hints{})
				if err != nil {
					return err
				}
				g := world.Ground{Land: land, Tile: [2]int{i - 4, 3}, LOD: i % (terrain.MaxLOD + 1)}
				if err := p.w.Grounds.Set(tx, id, g); err != nil {
					return err
				}
				if _, shown := p.w.Shapes.Get(&tx.View, id); !shown && some("shown") {
					if err := p.w.Shapes.Set(tx, id, world.Shape{Kind: "terrain", Size: world.Vec3{48, 9, 48}, Color: 0x556644}); err != nil {
						return err
					}
				}
			}
			if some("a material") {
				rough, color := rapid.Float64Range(0, 1).Draw(t, "roughness"), uint32(i)
				if err := p.w.Materials.Set(tx, id, world.Material{Name: "brick", Roughness: &rough, Color: &color, Emissive: color & 0xff}); err != nil {
					return err
				}
			}
			if some("a body") {
				if err := p.w.Bodies.Set(tx, id, world.Body{Type: "static", Collider: "box", Friction: 0.5}); err != nil {
					return err
				}
			}
			if some("water") {
				water := world.Water{Size: 12, Color: 0x2b5d72}
				if some("a river") {
					water.Line = []world.Vec3{{0, 3, 0}, {5, 2, float64(i)}, {9, 0, 20}}
				}
				if err := p.w.Waters.Set(tx, id, water); err != nil {
					return err
				}
			}
			if some("a light") {
				if err := p.w.Lights.Set(tx, id, anyLight(t)); err != nil {
					return err
				}
			}
		}
		for i := range n { // a parent may be younger than its child
			parent := world.ID(rapid.IntRange(0, n).Draw(t, "parent"))
			var refused *world.Error
			if err := tx.SetParent(world.ID(i+1), parent); err != nil && !errors.As(err, &refused) {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Skip("the world does not take it") // numbers that go beyond float32 below a parent
	}
}

// anyLight draws a light that three.setLight, or a file, may give.
func anyLight(t *rapid.T) world.Light {
	l := world.Light{
		Kind: rapid.SampledFrom([]string{"point", "spot", "directional"}).Draw(t, "kind"), Color: rapid.Uint32Range(0, 0xffffff).Draw(t, "color"),
		Intensity: rapid.OneOf(rapid.Float64Range(0, 100), rapid.SampledFrom([]float64{0, 1, 0.1, 1e-300, 5e-324})).Draw(t, "intensity"),
	}
	if l.Kind != "directional" {
		l.Range = rapid.OneOf(rapid.Float64Range(1e-9, 1000), rapid.Just(0.0)).Draw(t, "range")
	}
	if l.Kind == "spot" {
		l.Angle = rapid.Float64Range(1e-9, math.Pi).Draw(t, "angle")
	}
	return l
}

// entity is everything that a file has to keep of one.
type entity struct {
	Name      string
	Tags      []string
	Transform world.Transform
	Parent    string
	Has       string
	Mesh      *gltf.Geometry
}

// entities returns all of them, by their ids before.
func (p place) entities(v *world.View, was func(world.ID) string) map[string]entity {
	all := map[string]entity{}
	for id := range v.All() {
		e := entity{Name: v.Name(id), Tags: slices.Clone(v.Tags(id))}
		e.Transform, _ = v.Transform(id)
		if parent := v.Parent(id); parent != 0 {
			e.Parent = was(parent)
		}
		shape, has1 := p.w.Shapes.Get(v, id)
		material, has2 := p.w.Materials.Get(v, id)
		body, has3 := p.w.Bodies.Get(v, id)
		light, has4 := p.w.Lights.Get(v, id)
		ground, has5 := p.w.Grounds.Get(v, id)
		water, has6 := p.w.Waters.Get(v, id)
		text, _ := json.Marshal([]any{has6, water, has1, shape, has2, material, has3, body, has4, light, has5, ground})
		e.Has = string(text)
		e.Mesh, _, _ = p.meshes.Of(v, id)
		all[was(id)] = e
	}
	return all
}

// take puts a document into an empty world, under other ids, and compares what stands there then.
func (p place) take(t *rapid.T, doc *gltf.Document, want map[string]entity) {
	_, err := p.w.Update(context.Background(), func(tx *world.Tx) error {
		if _, err := tx.Create(world.Spec{}); err != nil { // so that ids differ
			return err
		}
		tx.Destroy(1)
		done, err := exchange.Insert(tx, p.meshes, doc, 0)
		if err != nil {
			return err
		}
		was := map[world.ID]string{}
		for old, now := range done.Now {
			was[now] = old
		}
		got := p.entities(&tx.View, func(id world.ID) string { return was[id] })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-exported +imported):\n%s", diff)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestRoundTrip takes random worlds through a file: every entity comes back with its name, tags,
// parent, transform, bit for bit, and components, and the file says which it was.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from, to := newPlace(), newPlace()
		from.fill(t)
		var want map[string]entity
		var file []byte
		from.w.View(func(v *world.View) {
			want = from.entities(v, world.ID.String)
			doc, err := exchange.Document(from.w, v, from.meshes, nil)
			if err != nil {
				t.Fatal(err)
			}
			if file, err = gltf.Encode(doc); err != nil {
				t.Fatal(err)
			}
		})
		doc, err := gltf.Decode(file, gltf.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		to.take(t, doc, want)
	})
}

// TestGroundForOthers: who does not know Limina sees generated ground as a mesh that is where the ground is, its front up.
func TestGroundForOthers(t *testing.T) {
	for lod := range terrain.MaxLOD + 1 {
		p := newPlace()
		land, err := terrain.New(5, "mountains", terrain.Hints{})
		if err != nil {
			t.Fatal(err)
		}
		g := world.Ground{Land: land, Tile: [2]int{-2, 1}, LOD: lod}
		_, err = p.w.Update(t.Context(), func(tx *world.Tx) error {
			id, err := tx.Create(world.Spec{Position: g.Place()})
			return errors.Join(err, p.w.Grounds.Set(tx, id, g), p.w.Shapes.Set(tx, id, world.Shape{Kind: "terrain", Size: world.Vec3{48, 9, 48}}))
		})
		if err != nil {
			t.Fatal(err)
		}
		var shown *gltf.Geometry
		p.w.View(func(v *world.View) {
			doc, err := exchange.Document(p.w, v, p.meshes, nil)
			if err != nil {
				t.Fatal(err)
			}
			shown = doc.Meshes[doc.Nodes[0].Mesh].Primitives[0].Geometry
		})
		tile, edge := p.w.Surface(g), 0
		for _, at := range shown.Positions {
			x, z := float64(at[0])+terrain.Size/2, float64(at[2])+terrain.Size/2
			if y := tile.Surface(x/tile.Cell, z/tile.Cell); y != float64(at[1]) {
				t.Fatalf("lod %d: at %v, %v the ground is %v high, the mesh %v", lod, x, z, y, at[1])
			}
			if (x == 0 || x == terrain.Size) && (z == 0 || z == terrain.Size) {
				edge++
			}
		}
		if edge != 4 || len(shown.Positions) > 17*17 || len(shown.Normals) != len(shown.Positions) {
			t.Errorf("lod %d: %d positions, %d normals and %d corners", lod, len(shown.Positions), len(shown.Normals), edge)
		}
		for _, tri := range shown.Triangles {
			a, b, c := shown.Positions[tri[0]], shown.Positions[tri[1]], shown.Positions[tri[2]]
			if up := (b[2]-a[2])*(c[0]-a[0]) - (b[0]-a[0])*(c[2]-a[2]); up <= 0 {
				t.Fatalf("lod %d: a triangle faces down: %v, %v, %v", lod, a, b, c)
			}
		}
	}
}

// foreign is a file that others could have written: a node with a mesh of two materials, and a child.
func foreign(t testing.TB) []byte {
	t.Helper()
	wall := func(x float32) *gltf.Geometry {
		return &gltf.Geometry{Positions: [][3]float32{{x, 0, 0}, {x + 1, 0, 0}, {x, 1, 0}}, Triangles: [][3]uint32{{0, 1, 2}}}
	}
	house, door := gltf.Identity(), gltf.Identity()
	house.Name, house.Mesh, house.Extras = "house", 0, json.RawMessage(`{"author":"bob","limits":[1]}`)
	door.Name, door.Parent, door.Translation = "door", 0, [3]float64{0.5, 0, 0}
	data, err := gltf.Encode(&gltf.Document{
		Nodes:     []gltf.Node{house, door},
		Meshes:    []gltf.Mesh{{Primitives: []gltf.Primitive{{Geometry: wall(0), Material: 0}, {Geometry: wall(1), Material: 1}}}},
		Materials: []gltf.Material{{Color: gltf.Linear(0xff8000), Roughness: 0.25}, {Color: gltf.Linear(0x0000ff), Metallic: 1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestGlass has what is of glass seen through in a file, and what is seen through in a file of others of glass.
func TestGlass(t *testing.T) {
	s := skilltest.New(t, skills(""))
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
		for _, name := range []string{"glass", "wood"} {
			id, err := tx.Create(world.Spec{})
			if err := errors.Join(err, s.World.Shapes.Set(tx, id, world.Shape{Kind: "box", Size: world.Vec3{1, 1, 1}}),
				s.World.Materials.Set(tx, id, world.Material{Name: name})); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	res := s.Registry.Invoke(t.Context(), &registry.Request{Name: "scene.export", Principal: p}, nil)
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	doc, err := gltf.Decode(res.Content[0].Resource.Blob, gltf.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	alpha := map[string]float64{}
	for _, m := range doc.Materials {
		alpha[m.Name] = m.Color[3]
	}
	if want := map[string]float64{"glass": 0.35, "wood": 1}; !maps.Equal(alpha, want) {
		t.Errorf("alpha is %v, want %v", alpha, want)
	}
	for i := range doc.Nodes { // now it is a file of others
		doc.Nodes[i].Extras = nil
	}
	data, err := gltf.Encode(doc)
	if err != nil {
		t.Fatal(err)
	}
	s = skilltest.New(t, skills(""))
	s.Must(t, p, "scene.import", input("data", data))
	panes := 0
	s.World.View(func(v *world.View) {
		for id := range v.All() {
			if m, ok := s.World.Materials.Get(v, id); ok && m.Name != "" {
				if panes++; m.Name != "glass" {
					t.Errorf("%v is of %q", id, m.Name)
				}
			}
		}
	})
	if panes != 1 {
		t.Errorf("%d things are of glass, want 1", panes)
	}
}

func input(field string, value any) string {
	text, _ := json.Marshal(map[string]any{field: value})
	return string(text)
}

func TestImportOfOthers(t *testing.T) {
	s := skilltest.New(t, skills(""))
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	out := s.Must(t, p, "scene.import", input("data", foreign(t)))
	if want := `{"entities":3,"roots":["ent_0"],"ids":[]}`; out != want {
		t.Errorf("got %s, want %s", out, want)
	}
	for id, want := range map[string]string{
		"ent_0": `"pos":[0.5,0.5,0],"rot":[0,0,0,1],"scale":[1,1,1],"name":"house","shape":{"kind":"mesh","size":[1,1,0],"color":16744448},"material":{"pbr":true,"roughness":0.25,"metalness":0},"mesh"`,
		"ent_1": `"pos":[1.5,0.5,0],"rot":[0,0,0,1],"scale":[1,1,1],"parent":"ent_0","name":"part 2 of house","shape":{"kind":"mesh","size":[1,1,0],"color":255},"material":{"pbr":true,"roughness":0,"metalness":1}`,
		"ent_2": `"pos":[0.5,0,0],"rot":[0,0,0,1],"scale":[1,1,1],"parent":"ent_0"`,
	} {
		if got := s.Entity(t, id); !strings.Contains(got, want) {
			t.Errorf("%s is %s, want %s", id, got, want)
		}
	}
	seen := s.Must(t, p, "scene.render", `{"view":"front","width":120,"height":120}`)
	var look picture.RenderOut
	if err := json.Unmarshal([]byte(seen), &look); err != nil {
		t.Fatal(err)
	}
	// The room about each mesh is 2 and 4 m wide, the triangles fill half a square metre of it.
	for _, e := range look.Views[0].Entities {
		full := look.Views[0].Camera.PixelsPerMetre * look.Views[0].Camera.PixelsPerMetre / 2
		if math.Abs(float64(e.Pixels)-full) > full/5 {
			t.Errorf("%s shows in %d pixels, want about %.0f", e.Entity, e.Pixels, full)
		}
	}
	if look.Views[0].Visible != 2 {
		t.Errorf("%d of the two meshes show", look.Views[0].Visible)
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	s := skilltest.New(t, skills(dir))
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	if err := os.WriteFile(filepath.Join(dir, "house.glb"), foreign(t), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Must(t, p, "scene.import", `{"file":"house.glb"}`)
	var out exchange.ExportOut
	text := s.Must(t, p, "scene.export", `{"file":"again.glb"}`)
	if err := json.Unmarshal([]byte(text), &out); err != nil || out.Entities != 3 {
		t.Fatalf("%s: %v", text, err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "again.glb"))
	if err != nil || len(data) != out.Bytes {
		t.Errorf("the file has %d bytes, the answer says %d: %v", len(data), out.Bytes, err)
	}
	s.Must(t, p, "scene.import", fmt.Sprintf(`{"file":"again.glb","sha256":%q,"parent":"ent_0"}`, out.SHA256))
	if got := s.Entity(t, "ent_3"); !strings.Contains(got, `"parent":"ent_0"`) {
		t.Errorf("put below ent_0 it is %s", got)
	}
	// Who reads a file while it is replaced reads all of the old one, and one that cannot be replaced leaves nothing behind.
	old, err := os.Open(filepath.Join(dir, "again.glb"))
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	s.Must(t, p, "scene.export", `{"file":"again.glb"}`)
	if still, err := io.ReadAll(old); err != nil || !bytes.Equal(still, data) {
		t.Errorf("who reads the file reads %d bytes of %d: %v", len(still), len(data), err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.glb"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Call(p, "scene.export", `{"file":"folder.glb"}`); err == nil {
		t.Error("a folder was replaced")
	}
	if list, _ := os.ReadDir(dir); len(list) != 3 {
		t.Errorf("there are %d files, want 3", len(list))
	}

	if err := os.WriteFile(filepath.Join(dir, "town.log.jsonl"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	secret := filepath.Join(t.TempDir(), "secret.glb")
	if err := os.WriteFile(secret, foreign(t), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(dir, "link.glb")); err != nil {
		t.Fatal(err)
	}
	for name, size := range map[string]int64{"full.glb": 16 << 20, "more.glb": 64<<20 + 1} {
		if err := errors.Join(os.WriteFile(filepath.Join(dir, name), nil, 0o600), os.Truncate(filepath.Join(dir, name), size)); err != nil {
			t.Fatal(err)
		}
	}
	before := s.World.Hash()
	for in, want := range map[string]string{
		`{"file":"folder.glb"}`:    "file: folder.glb is no file",
		`{"file":"link.glb"}`:      "file: the server cannot read the file link.glb: path escapes from parent; only its operator can mend that",
		`{"file":"full.glb"}`:      "this is no GLB",
		`{"file":"more.glb"}`:      "file: more.glb has more than 67108864 bytes",
		`{"file":"nothing.glb"}`:   "there is no file nothing.glb on the server; of GLB files there are again.glb, folder.glb, full.glb, house.glb, link.glb, more.glb",
		`{"file":"house"}`:         "there is no file house on the server, but there is house.glb",
		`{"file":"town"}`:          `there is no file town on the server, but a log of that name: set form to "log" or "events"`,
		`{"file":"../secret.glb"}`: "must be 1 to 100 letters",
		input("sha256", strings.Repeat("0", 64))[:1] + `"file":"house.glb",` + input("sha256", strings.Repeat("0", 64))[1:]: "sha256: the file has",
	} {
		if _, err := s.Call(p, "scene.import", in); err == nil || !strings.Contains(err.Message, want) {
			t.Errorf("%s: %v, want %q", in, err, want)
		}
	}
	if s.World.Hash() != before {
		t.Error("imports that failed changed the world")
	}
}

func TestExport(t *testing.T) {
	s := skilltest.New(t, skills(""))
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, p, "scene.import", input("data", foreign(t)))
	res := s.Registry.Invoke(t.Context(), &registry.Request{Name: "scene.export", Input: []byte(`{"entities":["ent_1"]}`), Principal: p}, nil)
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	doc, err := gltf.Decode(res.Content[0].Resource.Blob, gltf.Limits{})
	if err != nil || len(doc.Nodes) != 1 || doc.Nodes[0].Parent != gltf.None {
		t.Errorf("of ent_1 alone there are %+v, %v", doc, err)
	}
	for in, want := range map[string]string{
		`{"entities":["ent_9"]}`: "unknown entity ent_9",
		`{"file":"a.glb"}`:       "--files DIR",
	} {
		if _, err := s.Call(p, "scene.export", in); err == nil || !strings.Contains(err.Message, want) {
			t.Errorf("%s: %v, want %q", in, err, want)
		}
	}
}

// nodes is the input of an import of nodes, each of which is the only child of the one before if chained.
func nodes(t *testing.T, chained bool, nodes ...gltf.Node) string {
	t.Helper()
	for i := range nodes {
		if chained {
			nodes[i].Parent = i - 1
		}
	}
	data, err := gltf.Encode(&gltf.Document{Nodes: nodes})
	if err != nil {
		t.Fatal(err)
	}
	return input("data", data)
}

// extra is a node with a record of Limina's.
func extra(record string) gltf.Node {
	n := gltf.Identity()
	n.Extras = json.RawMessage(`{"limina":` + record + `}`)
	return n
}

// What no skill would have given an entity is not taken from a file either, and everything up to there is.
func TestRecordBounds(t *testing.T) {
	land, err := terrain.New(1, "hills", terrain.Hints{})
	if err != nil {
		t.Fatal(err)
	}
	hills, err := json.Marshal(land)
	if err != nil {
		t.Fatal(err)
	}
	s := skilltest.New(t, skills(""))
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	for _, tt := range []struct{ what, record, good, bad string }{
		{"shape.size", `{"shape":{"kind":"box","size":[1,2,?]}}`, "3.4e38", "-1"},
		{"shape.color", `{"shape":{"kind":"box","color":?}}`, "16777215", "16777216"},
		{"material.roughness", `{"material":{"roughness":?}}`, "1", "1.01"},
		{"material.metalness", `{"material":{"metalness":?}}`, "0", "-0.01"},
		{"material.color", `{"material":{"color":?}}`, "16777215", "16777216"},
		{"body.collider", `{"body":{"type":"static","collider":"?"}}`, "cone", "torus"},
		{"body.friction", `{"body":{"type":"static","friction":?}}`, "10", "10.1"},
		{"body.restitution", `{"body":{"type":"static","restitution":?}}`, "2", "2.1"},
		{"body.mass", `{"body":{"type":"dynamic","mass":?}}`, "1e9", "1.1e9"},
		{"light.color", `{"light":{"kind":"spot","color":?}}`, "16777215", "16777216"},
		{"ground.lod", `{"ground":{"land":` + string(hills) + `,"lod":?}}`, "0", "-1"},
		{"ground.tile", `{"ground":{"land":` + string(hills) + `,"tile":[?,0]}}`, "-100000", "100001"},
		{"ground.tile", `{"ground":{"land":` + string(hills) + `,"tile":[0,?]}}`, "100000", "-100001"},
	} {
		s.Must(t, p, "scene.import", nodes(t, false, extra(strings.Replace(tt.record, "?", tt.good, 1))))
		_, err := s.Call(p, "scene.import", nodes(t, false, extra(strings.Replace(tt.record, "?", tt.bad, 1))))
		if err == nil || !strings.HasPrefix(err.Message, "node 0 of the file: extras.limina."+tt.what+": must be ") {
			t.Errorf("%s with %s: %v", tt.record, tt.bad, err)
		}
	}
}

// The name of a foreign node is what of it a name may be.
func TestLongNames(t *testing.T) {
	s := skilltest.New(t, skills(""))
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	whole := strings.Repeat("x", world.MaxName)
	for name, want := range map[string]string{whole: whole, whole + "x": whole, whole[1:] + "ü": whole[1:]} {
		n := gltf.Identity()
		n.Name = name
		var out exchange.ImportOut
		if err := json.Unmarshal([]byte(s.Must(t, p, "scene.import", nodes(t, false, n))), &out); err != nil {
			t.Fatal(err)
		}
		s.World.View(func(v *world.View) {
			if got := v.Name(out.Roots[0]); got != want {
				t.Errorf("a node with %d bytes ending in %q has become %q", len(name), name[250:], got)
			}
		})
	}
}

func TestImportRefuses(t *testing.T) {
	ours := func(record string) string { return nodes(t, false, gltf.Identity(), extra(record)) }
	deep := &gltf.Document{}
	for i := range 65 {
		n := gltf.Identity()
		n.Parent = i - 1
		deep.Nodes = append(deep.Nodes, n)
	}
	tall, err := gltf.Encode(deep)
	if err != nil {
		t.Fatal(err)
	}
	s := skilltest.New(t, skills(""))
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	before := s.World.Hash()
	for in, want := range map[string]string{
		`{}`:                               "data: give the GLB file in base64",
		`{"data":"?"}`:                     "data: must be base64",
		`{"data":"AAAA","file":"a.glb"}`:   "not both",
		`{"file":"a.glb"}`:                 "--files DIR",
		`{"data":"AAAA"}`:                  "the file cannot be imported: this is no GLB",
		`{"data":"AAAA","parent":"ent_4"}`: "this is no GLB",
		input("data", tall):                "is more than 64 deep",
		nodes(t, true, extra(`{"entity":"ent_0"}`), extra(`{"shapeOf":"ent_0"}`), gltf.Identity()): "node 2 of the file: its parent is only the shape or the light of an entity",
		ours(`{"shape":{"kind":"blob"}}`):           "node 1 of the file: extras.limina.shape.kind: must be one of box, sphere",
		ours(`{"body":{"type":"soft"}}`):            "extras.limina.body.type: must be one of",
		ours(`{"material":{"roughness":2}}`):        "extras.limina.material.roughness: must be from 0 to 1, got 2",
		ours(`{"light":{"kind":"laser"}}`):          "extras.limina.light.kind",
		ours(`{"shape":{"kind":"terrain"}}`):        "extras.limina.ground: is missing",
		ours(`{"ground":{"land":{"type":"moor"}}}`): "extras.limina.ground.land: is none that hints could have given",
		ours(`{"ground":{"land":{},"lod":9}}`):      "extras.limina.ground.l",
		ours(`{"tags":"tree"}`):                     "node 1 of the file: extras.limina:",
		ours(`{"tags":[""]}`):                       "node 1 of the file: ",
		`{"data":"` + base64.StdEncoding.EncodeToString(foreign(t)) + `","parent":"ent_4"}`: "unknown entity ent_4",
	} {
		if _, err := s.Call(p, "scene.import", in); err == nil || !strings.Contains(err.Message, want) {
			t.Errorf("%.80s: %v, want %q", in, err, want)
		}
	}
	if s.World.Hash() != before {
		t.Error("imports that failed changed the world")
	}
	skilltest.Needs(t, skills(""), "scene.import", `{"data":"AAAA"}`, "scene.write", "builder.readWrite", "builder.review", "terrain.author")
	skilltest.Needs(t, skills(""), "scene.export", `{}`, "scene.read", profiles.Builtin().Names()...)
}

// TestNoFolder has an operator name a folder that is none.
func TestNoFolder(t *testing.T) {
	s := skilltest.New(t, skills(filepath.Join(t.TempDir(), "missing")))
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	for name, in := range map[string]string{"scene.export": `{"file":"a.glb"}`, "scene.import": `{"file":"a.glb"}`} {
		if _, err := s.Call(p, name, in); err == nil || !strings.Contains(err.Message, "the server cannot open its folder for files") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Files are written and read a few at a time, whoever wants them.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := registry.NewTurns(1)
		s := skilltest.New(t, func(w *world.World, _ *agents.Agents) []registry.Skill {
			return exchange.All(exchange.Deps{World: w, Meshes: mesh.New(w), Turns: turns})
		})
		builder := skilltest.Caller(t, "ann", skilltest.Builder)
		const junk = `{"data":"anVuaw=="}`
		release := s.Hold(t, turns) // somebody writes a file
		out, in := s.Start(t.Context(), builder, "scene.export", `{}`), s.Start(t.Context(), builder, "scene.import", junk)
		ctx, cancel := context.WithCancel(t.Context())
		gone := s.Start(ctx, builder, "scene.export", `{}`)
		if len(out)+len(in)+len(gone) > 0 {
			t.Error("a file was written or read beside another one")
		}
		cancel()
		if err := <-gone; err == nil {
			t.Error("a call that was cancelled wrote a file")
		}
		release()
		if err := <-out; err != nil {
			t.Errorf("scene.export: %v", err)
		}
		if err := <-in; err == nil || err.Code != registry.CodeInvalidInput {
			t.Errorf("scene.import of what is no file: %v", err)
		}
		s.Hold(t, turns)() // the turn has been given back
	})
}
