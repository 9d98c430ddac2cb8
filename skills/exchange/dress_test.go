package exchange_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/exchange"
	"github.com/limina-mcp/limina/skills/history"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/skills/mesh"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/world"
)

// paperer is a server that makes materials of the images in a folder, and files of what has them.
type paperer struct {
	*skilltest.Server
	ann     *profiles.Principal
	meshes  *mesh.Meshes
	library *material.Library
	dir     string
}

func newPaperer(t testing.TB, dir string) *paperer {
	t.Helper()
	p := &paperer{ann: skilltest.Caller(t, "ann", skilltest.Builder), dir: dir}
	p.Server = skilltest.New(t, func(w *world.World, _ *agents.Agents) []registry.Skill {
		p.meshes, p.library = mesh.New(w), material.New(w)
		d := exchange.Deps{World: w, Meshes: p.meshes, Materials: p.library, Dir: dir}
		return slices.Concat(exchange.Materials(d), exchange.All(d), scene.All(w), three.All(w), history.All(w))
	})
	return p
}

// export returns a file of a scene, and what the answer notes.
func (p *paperer) export(t testing.TB, input string) (doc *gltf.Document, data []byte, note string) {
	t.Helper()
	res := p.Registry.Invoke(t.Context(), &registry.Request{Name: "scene.export", Input: []byte(input), Principal: p.ann}, nil)
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	var out exchange.ExportOut
	if err := json.Unmarshal(res.Output, &out); err != nil {
		t.Fatal(err)
	}
	if out.File == nil {
		data = res.Content[0].Resource.Blob
	} else {
		var err error
		if data, err = os.ReadFile(filepath.Join(p.dir, string(*out.File))); err != nil {
			t.Fatal(err)
		}
	}
	doc, err := gltf.Decode(data, gltf.Limits{Bytes: 64 << 20, Vertices: 1 << 20, Triangles: 1 << 20, Images: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	return doc, data, out.Note
}

// surface returns the material of what a file shows of an entity.
func surface(t testing.TB, doc *gltf.Document, id string) *gltf.Material {
	t.Helper()
	for _, n := range doc.Nodes {
		if n.Mesh != gltf.None && bytes.Contains(n.Extras, []byte(`"`+id+`"`)) {
			return &doc.Materials[doc.Meshes[n.Mesh].Primitives[0].Material]
		}
	}
	t.Fatalf("the file shows nothing of %s", id)
	return nil
}

// TestImagesAreExported takes what is made of images elsewhere: the file has each of them once, as they are, and what they mean to glTF.
func TestImagesAreExported(t *testing.T) {
	p := newPaperer(t, textures(t))
	file := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(p.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	p.Must(t, p.ann, "material.import", `{"name":"cobble","albedo":"cobble.png","normal":"cobble_n.png","roughness":"cobble_r.png","color":16711935,"baseRoughness":0.5,"normalStrength":2}`)
	p.Must(t, p.ann, "material.import", `{"name":"paint","albedo":"paint.jpg"}`)
	p.Must(t, p.ann, "material.import", `{"name":"smooth","albedo":"cobble.png","normal":"cobble_n.png","normalStrength":0}`)
	for _, name := range []string{"cobble", "cobble", "paint", "smooth", "brick"} {
		p.Must(t, p.ann, "scene.createEntity", `{"material":"`+name+`"}`)
	}
	p.Must(t, p.ann, "three.setMaterial", `{"entity":"ent_1","roughness":0.25,"color":65280}`)
	doc, data, note := p.export(t, `{}`)
	if note != "" {
		t.Errorf("the answer notes %s", note)
	}
	if n := strings.Count(string(data), `"mimeType"`); n != 4 || doc.Textures != 4 {
		t.Errorf("the file has %d images and %d textures, want 4: each once", n, doc.Textures)
	}
	m := surface(t, doc, "ent_0")
	for what, img := range map[string]*gltf.Image{"cobble.png": m.ColorImage, "cobble_n.png": m.NormalImage, "cobble_r.png": m.SurfaceImage} {
		if img == nil || img.MIME != gltf.PNG || !bytes.Equal(img.Data, file(what)) {
			t.Errorf("the image %s is %+v", what, img)
		}
	}
	if m.Color != gltf.Linear(0xff00ff) || m.Metallic != 0 || m.Roughness != 0.5 || m.NormalScale != 2 {
		t.Errorf("the cobbles are %+v", m)
	}
	if m := surface(t, doc, "ent_1"); m.Color != gltf.Linear(0) || m.Roughness != 0.25 || m.ColorImage != surface(t, doc, "ent_0").ColorImage {
		t.Errorf("the green cobbles are %+v, want the black that green is of magenta", m)
	}
	if m := surface(t, doc, "ent_2"); m.Color != gltf.Linear(0xffffff) || m.ColorImage.MIME != gltf.JPEG || !bytes.Equal(m.ColorImage.Data, file("paint.jpg")) || m.NormalImage != nil || m.SurfaceImage != nil {
		t.Errorf("the paint is %+v", m)
	}
	if m := surface(t, doc, "ent_3"); m.ColorImage != surface(t, doc, "ent_0").ColorImage || m.NormalImage != nil {
		t.Errorf("what has no bumps is %+v", m)
	}
	if m := surface(t, doc, "ent_4"); m.ColorImage != nil || m.Name != "brick" {
		t.Errorf("the bricks are %+v", m)
	}
	p.Must(t, p.ann, "scene.destroyEntity", `{"entity":"ent_0"}`)
	p.Must(t, p.ann, "scene.import", `{"data":"`+base64.StdEncoding.EncodeToString(data)+`"}`)
	found := 0
	p.World.View(func(v *world.View) {
		for _, m := range p.World.Materials.All(v) {
			if m.Name == "cobble" && m.Color == nil && m.Roughness == nil {
				found++
			}
		}
	})
	if found != 1 {
		t.Errorf("what was made of images came back %d times", found)
	}
}

// TestRoughnessOfMetal: glTF multiplies metalness by the blue of the roughness map, which is no metalness here. So a map on metal has white
// there, and its green as it was; one that has that already, and one on what is no metal, are as they are kept.
func TestRoughnessOfMetal(t *testing.T) {
	p := newPaperer(t, textures(t))
	var b bytes.Buffer
	blue := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	blue.Set(0, 0, color.NRGBA{9, 40, 255, 255})
	blue.Set(1, 0, color.NRGBA{0, 90, 255, 255})
	if err := png.Encode(&b, blue); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.dir, "blue.png"), b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	p.Must(t, p.ann, "material.import", `{"name":"iron","albedo":"cobble.png","roughness":"cobble_r.png","metalness":1}`)
	p.Must(t, p.ann, "material.import", `{"name":"blue","albedo":"cobble.png","roughness":"blue.png","metalness":1}`)
	p.Must(t, p.ann, "scene.createEntity", `{"material":"iron"}`)
	p.Must(t, p.ann, "scene.createEntity", `{"material":"blue"}`)
	p.Must(t, p.ann, "scene.createEntity", `{"material":"iron"}`)
	p.Must(t, p.ann, "three.setMaterial", `{"entity":"ent_2","metalness":0}`)
	doc, _, _ := p.export(t, `{}`)
	iron := surface(t, doc, "ent_0")
	img, err := png.Decode(bytes.NewReader(iron.SurfaceImage.Data))
	if err != nil || img.Bounds() != image.Rect(0, 0, 8, 8) || iron.Metallic != 1 {
		t.Fatalf("%v, %v of metalness %v", err, img.Bounds(), iron.Metallic)
	}
	for y := range 8 {
		for x := range 8 {
			want := color.NRGBA{255, 255, 255, 255}
			if (x/4+y/4)%2 == 1 {
				want.G = 90
			}
			if got := color.NRGBAModel.Convert(img.At(x, y)); got != want {
				t.Fatalf("at %d, %d the map is %v, want %v", x, y, got, want)
			}
		}
	}
	if got := surface(t, doc, "ent_1").SurfaceImage.Data; !bytes.Equal(got, b.Bytes()) {
		t.Error("a map whose blue is white already was changed")
	}
	if other := surface(t, doc, "ent_2"); other.SurfaceImage != iron.SurfaceImage || other.Metallic != 0 {
		t.Error("of one map there are two")
	}
	doc, _, _ = p.export(t, `{"entities":["ent_2"]}`)
	kept, err := os.ReadFile(filepath.Join(p.dir, "cobble_r.png"))
	if err != nil || !bytes.Equal(surface(t, doc, "ent_2").SurfaceImage.Data, kept) {
		t.Errorf("%v, or the map of what is no metal was changed", err)
	}
}

// sides says how images lie on each side of a thing, as [render.Surface] has it: what is to the right and up.
var sides = map[world.Vec3][2]world.Vec3{
	{1, 0, 0}: {{0, 0, -1}, {0, 1, 0}}, {-1, 0, 0}: {{0, 0, 1}, {0, 1, 0}},
	{0, 1, 0}: {{1, 0, 0}, {0, 0, -1}}, {0, -1, 0}: {{1, 0, 0}, {0, 0, 1}},
	{0, 0, 1}: {{1, 0, 0}, {0, 1, 0}}, {0, 0, -1}: {{-1, 0, 0}, {0, 1, 0}},
}

// sideOf returns the side that a direction points to the most.
func sideOf(n world.Vec3) (side world.Vec3) {
	best := math.Inf(-1)
	for s := range sides {
		if d := s.Dot(n); d > best+1e-9 {
			best, side = d, s
		}
	}
	return side
}

// TestImagesLie takes things of all shapes and sizes, turned and mirrored ones: on each triangle the images lie as the side says that it faces, in metres, upright,
// and so do its tangents.
func TestImagesLie(t *testing.T) {
	p := newPaperer(t, textures(t))
	const repeats = 1.5
	p.Must(t, p.ann, "material.import", fmt.Sprintf(`{"name":"cobble","albedo":"cobble.png","normal":"cobble_n.png","scale":%v}`, repeats))
	bent := &gltf.Geometry{ // two triangles that share an edge, on two sides
		Positions: [][3]float32{{0, 0, 0}, {0, 1, 0}, {1, 0, -0.25}, {-0.5, 0, -2}, {9, 9, 9}},
		Triangles: [][3]uint32{{0, 2, 1}, {0, 1, 3}},
	}
	smooth := &gltf.Geometry{Positions: bent.Positions, Triangles: bent.Triangles, Normals: [][3]float32{{0, 0, 1}, {0, 0, 1}, {0.6, 0, 0.8}, {-1, 0, 0}, {0, 1, 0}}}
	_, err := p.World.Update(t.Context(), func(tx *world.Tx) error {
		top, err := tx.Create(world.Spec{Rotation: world.QuatFromEuler(1, 2, 3), Scale: world.Vec3{2, 2, 2}})
		if err != nil {
			return err
		}
		for _, kind := range []string{"box", "sphere", "capsule", "cylinder", "cone", "wedge", "bent", "smooth"} {
			for i, scale := range []world.Vec3{{1, 1, 1}, {3, 0.5, 2}, {-1, 2, 0.25}, {1, -1, -1}, {0, 1, 2}} {
				spec := world.Spec{Name: kind, Rotation: world.QuatFromEuler(0.3, float64(i), 0), Parent: top * world.ID(i%2)}
				id, err := tx.Create(spec)
				if err != nil {
					return err
				}
				if err := tx.SetTransform(id, world.Transform{Rotation: spec.Rotation, Scale: scale}); err != nil {
					return err
				}
				if err := p.World.Materials.Set(tx, id, world.Material{Name: "cobble"}); err != nil {
					return err
				}
				g := map[string]*gltf.Geometry{"bent": bent, "smooth": smooth}[kind]
				if g == nil {
					if err := p.World.Shapes.Set(tx, id, world.Shape{Kind: kind, Size: world.Vec3{1, 2, 1.5}}); err != nil {
						return err
					}
					continue
				}
				asset, err := p.meshes.Add(tx, g)
				if err != nil {
					return err
				}
				if err := p.meshes.Give(tx, id, asset, 0xffffff); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	doc, data, _ := p.export(t, `{}`)
	facing := map[string]int{}
	for i, n := range doc.Nodes {
		if n.Mesh == gltf.None {
			continue
		}
		metres, name := world.Vec3{1, 1, 1}, ""
		for at := i; at != gltf.None; at = doc.Nodes[at].Parent {
			metres = metres.Mul(doc.Nodes[at].Scale)
			if name == "" {
				name = doc.Nodes[at].Name
			}
		}
		for k, m := range metres {
			metres[k] = math.Copysign(max(math.Abs(m), 1e-9), m)
		}
		g := doc.Meshes[n.Mesh].Primitives[0].Geometry
		for _, tri := range g.Triangles {
			facing[checkTriangle(t, fmt.Sprintf("node %d, a %s %v large", i, name, metres), g, tri, metres, repeats)]++
		}
	}
	for side := range sides {
		if facing[fmt.Sprint(side)] == 0 {
			t.Errorf("nothing faces %v", side)
		}
	}
	// What comes back has the meshes that there were, not those that images lie on.
	p.Must(t, p.ann, "scene.import", `{"data":"`+base64.StdEncoding.EncodeToString(data)+`"}`)
	assets, many := map[string]int{}, 0
	p.World.View(func(v *world.View) {
		for id := range v.All() {
			if _, asset, ok := p.meshes.Of(v, id); ok {
				assets[asset]++
				many++
			}
		}
	})
	if len(assets) != 2 || many != 20 {
		t.Errorf("there are %d meshes on %d entities, want 2 on 20", len(assets), many)
	}
}

// checkTriangle holds a triangle to how images lie on what is so large, and returns the side that it faces.
func checkTriangle(t *testing.T, what string, g *gltf.Geometry, tri [3]uint32, metres world.Vec3, repeats float64) string {
	t.Helper()
	wide := func(v [3]float32) world.Vec3 { return world.Vec3{float64(v[0]), float64(v[1]), float64(v[2])} }
	length1 := func(v world.Vec3) world.Vec3 { return v.Scale(1 / v.Len()) }
	outward := func(i uint32) world.Vec3 {
		n := wide(g.Normals[i])
		return length1(world.Vec3{n[0] / metres[0], n[1] / metres[1], n[2] / metres[2]})
	}
	sum := outward(tri[0]).Add(outward(tri[1])).Add(outward(tri[2]))
	side := sideOf(sum)
	right, up := sides[side][0], sides[side][1]
	for _, i := range tri {
		at := wide(g.Positions[i]).Mul(metres).Scale(repeats)
		u, v := float64(g.Coords[i][0]), float64(g.Coords[i][1])
		if math.Abs(u-at.Dot(right)) > 1e-5 || math.Abs(v+at.Dot(up)) > 1e-5 {
			t.Fatalf("%s: at %v, which faces %v, the image is at %v, %v, want %v, %v", what, at, side, u, v, at.Dot(right), -at.Dot(up))
		}
		n, x := outward(i), wide([3]float32(g.Tangents[i][:3]))
		x = length1(x.Mul(metres))
		y := n.Cross(x).Scale(float64(g.Tangents[i][3]))
		if min(math.Abs(metres[0]), math.Abs(metres[1]), math.Abs(metres[2])) > 1e-6 { // what is flat has no way along it
			if math.Abs(n.Dot(x)) > 1e-5 || x.Dot(right) < -1e-5 || y.Dot(up) < -1e-5 || math.Abs(x.Dot(n.Cross(right))) > 1e-5 {
				t.Fatalf("%s: at %v with the normal %v the tangent is %v and up is %v, want right %v and up %v", what, at, n, x, y, right, up)
			}
		}
	}
	return fmt.Sprint(side)
}

// TestTriplanarIsNoted: the file lays images from one side, and the answer says so.
func TestTriplanarIsNoted(t *testing.T) {
	p := newPaperer(t, textures(t))
	p.Must(t, p.ann, "material.import", `{"name":"rock","albedo":"cobble.png","triplanar":true}`)
	p.Must(t, p.ann, "scene.createEntity", `{"shape":"sphere","material":"rock"}`)
	doc, _, note := p.export(t, `{}`)
	if surface(t, doc, "ent_0").ColorImage == nil || note != "the images of rock are triplanar, for which GLB has no word: each face has them from the one side that it faces most" {
		t.Errorf("the answer notes %q", note)
	}
	const none = `"note":"the images of rock are not in the file: what is made of them has their mean colour, and looks as it does here only where material.import has been called"`
	if out := p.Must(t, p.ann, "scene.export", `{"form":"events"}`); !strings.Contains(out, none) {
		t.Errorf("events: %s", out)
	}
}

// log returns a scene as a log, as the input of scene.import.
func (p *paperer) log(t testing.TB) (manifest exchange.Manifest, log, note string) {
	t.Helper()
	res := p.Registry.Invoke(t.Context(), &registry.Request{Name: "scene.export", Input: []byte(`{"form":"log"}`), Principal: p.ann}, nil)
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	var out exchange.ExportOut
	if err := errors.Join(json.Unmarshal(res.Output, &out), json.Unmarshal(out.Manifest, &manifest)); err != nil {
		t.Fatal(err)
	}
	return manifest, res.Content[1].Resource.Text, out.Note
}

// take imports a log, which may have been changed.
func (p *paperer) take(t testing.TB, m exchange.Manifest, log string) (string, *registry.Error) {
	t.Helper()
	sum := sha256.Sum256([]byte(log))
	m.SHA256, m.Bytes = hex.EncodeToString(sum[:]), len(log)
	input, err := json.Marshal(map[string]any{"manifest": m, "log": log})
	if err != nil {
		t.Fatal(err)
	}
	return p.Call(p.ann, "scene.import", string(input))
}

// TestLogHasImages takes what is made of images to another world by a log: there it is made of them, too, and the content is the same. What is there
// under a name stays.
func TestLogHasImages(t *testing.T) {
	p := newPaperer(t, textures(t))
	p.Must(t, p.ann, "material.import", `{"name":"cobble","albedo":"cobble.png","normal":"cobble_n.png","roughness":"cobble_r.png","scale":3,"color":16711935,"normalStrength":0}`)
	p.Must(t, p.ann, "material.import", `{"name":"rock","albedo":"cobble.png","triplanar":true,"sharpness":7}`)
	for _, name := range []string{"rock", "cobble", "brick", "rock"} {
		p.Must(t, p.ann, "scene.createEntity", `{"material":"`+name+`"}`)
	}
	m, log, note := p.log(t)
	if images, sets := strings.Count(log, `"op":"image"`), strings.Count(log, `"op":"material"`); images != 3 || sets != 2 || note != "" || m.Lines != 9 {
		t.Errorf("%d images and %d materials on %d lines, noted %q; want 3, 2, 9 and nothing", images, sets, m.Lines, note)
	}
	other := newPaperer(t, "")
	if out, err := other.take(t, m, log); err != nil || strings.Contains(out, "note") {
		t.Errorf("%s, %v", out, err)
	}
	if other.Content() != p.Content() || hex.EncodeToString(other.contentHash()) != m.Head.Content {
		t.Error("the content is another one")
	}
	if _, err := other.take(t, m, log); err != nil { // it is all there
		t.Error(err)
	}
	third := newPaperer(t, p.dir)
	third.Must(t, third.ann, "material.import", `{"name":"rock","albedo":"paint.jpg"}`)
	out, err := third.take(t, m, log)
	if want := `"note":"log, line 5: there is another material rock here, which stays as it is and is on what came"`; err != nil || !strings.Contains(out, want) {
		t.Errorf("%s, %v, want %s", out, err, want)
	}
	lines := strings.SplitAfter(log, "\n")
	swap := func(old, by string) string { return strings.Replace(log, old, by, 1) }
	albedo := sum(t, p.dir, "cobble.png")
	before := other.World.Hash()
	for changed, want := range map[string]string{
		strings.Join(lines[1:], ""): "log, line 3: set: the image " + albedo[:1],
		lines[0] + log:              "log, line 2: image: ",
		lines[0] + lines[1] + lines[2] + lines[3] + lines[3]:  "log, line 5: name: cobble is on a line before",
		swap(albedo, strings.Repeat("0", 64)):                 "log, line 1: image: must be the sha256 of data, " + albedo,
		swap(`"data":"`, `"data":"!`):                         "log, line 1: data: must be base64",
		swap(`"data":"iVBORw`, `"data":"AAAAAA`):              "log, line 1: data: this is no PNG or JPEG image",
		swap(`"name":"cobble"`, `"name":"brick"`):             "log, line 4: name: brick is a material that every world has",
		swap(`"name":"cobble"`, `"name":""`):                  "log, line 4: name: must have 1 to 64 bytes, got 0",
		swap(`"scale":3`, `"scale":0`):                        "log, line 4: set.scale: must be from 1e-300 to 1000, got 0",
		swap(`"color":16711935`, `"color":16777216`):          "log, line 4: set.color: must be from 0 to 1.6777215e+07, got 1.6777216e+07",
		swap(`"set":{"albedo":"`+albedo, `"set":{"albedo":"`): "log, line 4: set.albedo: required",
	} {
		if _, err := other.take(t, m, changed); err == nil || !strings.Contains(err.Message, want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if other.World.Hash() != before {
		t.Error("something came into the world")
	}
}

// contentHash is that of all that there is.
func (p *paperer) contentHash() (hash []byte) {
	p.World.View(func(v *world.View) {
		sum := v.ContentHash()
		hash = sum[:]
	})
	return hash
}

// TestImagesThatDoNotFit: a scene whose images are larger than an answer may be is sent without them, and can be written with them.
func TestImagesThatDoNotFit(t *testing.T) {
	p := newPaperer(t, textures(t))
	noise := image.NewNRGBA(image.Rect(0, 0, 1024, 1024))
	random := rand.New(rand.NewPCG(1, 2))
	for i := range noise.Pix {
		noise.Pix[i] = uint8(random.Uint32()) | uint8(0xff*(i%4/3))
	}
	var b bytes.Buffer
	if err := png.Encode(&b, noise); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.dir, "noise.png"), b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	p.Must(t, p.ann, "material.import", `{"name":"noise","albedo":"noise.png"}`)
	p.Must(t, p.ann, "material.import", `{"name":"cobble","albedo":"cobble.png","color":16711935,"metalness":0.25,"baseRoughness":0.5}`)
	p.Must(t, p.ann, "scene.createEntity", `{"material":"noise"}`)
	p.Must(t, p.ann, "scene.createEntity", `{"material":"cobble"}`)
	doc, data, note := p.export(t, `{}`)
	const want = "the images of noise, cobble are not in the file, which would have more than 2097152 bytes with them (name a file on the server as file, which may have more): what is made of them has their mean colour, and looks as it does here only where material.import has been called"
	if note != want || len(data) > 10_000 {
		t.Errorf("of %d bytes the answer notes %q", len(data), note)
	}
	// The image is 120, 110, 100 and 60, 60, 60 in equal parts, and the tint takes the green.
	if m := surface(t, doc, "ent_1"); m.ColorImage != nil || m.Color != gltf.Linear(0x5a0050) || m.Metallic != 0.25 || m.Roughness != 0.5 {
		t.Errorf("without images it is %+v", m)
	}
	if m, log, note := p.log(t); note != want || len(log) > 10_000 || m.Lines != 2 {
		t.Errorf("of a log of %d bytes the answer notes %q", len(log), note)
	}
	if _, _, note := p.export(t, `{"entities":["ent_1"]}`); note != "" {
		t.Errorf("of what fits the answer notes %q", note)
	}
	doc, _, note = p.export(t, `{"file":"a.glb"}`)
	if note != "" || !bytes.Equal(surface(t, doc, "ent_0").ColorImage.Data, b.Bytes()) {
		t.Errorf("of a file the answer notes %q", note)
	}
	p.Must(t, p.ann, "scene.import", `{"file":"a.glb"}`)
}
