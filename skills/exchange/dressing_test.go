package exchange_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/internal/race"
	"github.com/limina-mcp/limina/skills/exchange"
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/world"
)

// pixel is a PNG file of one pixel.
func pixel(t testing.TB, c color.Color) *gltf.Image {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, 1, 1))
	img.Set(0, 0, c)
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return &gltf.Image{Name: "a pixel", MIME: gltf.PNG, Data: b.Bytes()}
}

// square is one that says where images lie on it.
func square() *gltf.Geometry {
	return &gltf.Geometry{
		Positions: [][3]float32{{-1, 1, 0}, {1, 1, 0}, {1, -1, 0}, {-1, -1, 0}},
		Triangles: [][3]uint32{{0, 3, 2}, {0, 2, 1}},
		Coords:    [][2]float32{{0, 0}, {0.5, 0}, {0.5, 1}, {0, 1}},
	}
}

// model is a file of squares, one of each material.
func model(t testing.TB, g *gltf.Geometry, materials ...gltf.Material) []byte {
	t.Helper()
	doc := &gltf.Document{Materials: materials}
	for i := range materials {
		n := gltf.Identity()
		n.Name, n.Mesh = fmt.Sprintf("part %d of %d", i, len(materials)), i
		doc.Nodes = append(doc.Nodes, n)
		doc.Meshes = append(doc.Meshes, gltf.Mesh{Primitives: []gltf.Primitive{{Geometry: g, Material: i}}})
	}
	file, err := gltf.Encode(doc)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// takeFile imports a file and returns what the answer notes.
func (p *paperer) takeFile(t testing.TB, file []byte) (note string) {
	t.Helper()
	var out exchange.ImportOut
	if err := json.Unmarshal([]byte(p.Must(t, p.ann, "scene.import", `{"data":"`+base64.StdEncoding.EncodeToString(file)+`"}`)), &out); err != nil {
		t.Fatal(err)
	}
	return out.Note
}

// wears says of each entity by its name what material it has, how its shape is coloured, and what is said of the material if it is imported.
func (p *paperer) wears() map[string]string {
	all := map[string]string{}
	p.World.View(func(v *world.View) {
		for id := range v.All() {
			m, _ := p.World.Materials.Get(v, id)
			shape, _ := p.World.Shapes.Get(v, id)
			text := fmt.Sprintf("%s #%06x", m.Name, shape.Color)
			if m.Roughness != nil {
				text += fmt.Sprintf(" %g %g", *m.Roughness, *m.Metalness)
			}
			if m.Emissive != 0 {
				text += fmt.Sprintf(", gives off #%06x", m.Emissive)
			}
			if s, ok := material.SetOf(v, m.Name); ok {
				if s.Cutoff != 0 || s.Light != "" {
					text += fmt.Sprintf(", cut off at %g, light %.4s", s.Cutoff, s.Light)
				}
				text += fmt.Sprintf(", made of %.4s %.4s %.4s: mapped %t, roughness %g, metalness %g, bumps %g, #%06x, #%06x", s.Albedo, s.Normal, s.Roughness, s.Mapped, s.BaseRoughness, s.Metalness, s.NormalStrength, s.Color, s.Mean)
			}
			all[v.Name(id)] = text
		}
	})
	return all
}

// hash is the beginning of the name of an image.
func hash(t testing.TB, img *gltf.Image) string {
	t.Helper()
	read, err := material.Read(img.Data)
	if err != nil {
		t.Fatal(err)
	}
	return read.Hash[:4]
}

// TestModelsKeepTheirImages imports files of other programs: what they say of images becomes materials.
func TestModelsKeepTheirImages(t *testing.T) {
	red, bumps, rough := pixel(t, color.NRGBA{200, 0, 0, 255}), pixel(t, color.NRGBA{128, 128, 255, 255}), pixel(t, color.NRGBA{0, 128, 51, 255})
	white := [4]float64{1, 1, 1, 1}
	large := &gltf.Image{MIME: gltf.PNG, Data: append(slices.Clone(red.Data), make([]byte, material.MaxFile)...)}
	wide := &gltf.Image{MIME: gltf.PNG, Data: head(16384, 1024)}
	p := newPaperer(t, "")
	file := model(
		t, square(),
		gltf.Material{Name: "crate", Color: gltf.Linear(0x8080ff), Metallic: 1, Roughness: 0.5, ColorImage: red, NormalImage: bumps, NormalScale: 2, SurfaceImage: rough},
		gltf.Material{Name: "crate", Color: white, Metallic: 0.25, Roughness: 1, ColorImage: red},
		gltf.Material{Name: "brick", Color: white, Roughness: 1, ColorImage: red, NormalImage: bumps, NormalScale: -3},
		gltf.Material{Color: white, Roughness: 1, ColorImage: red},
		gltf.Material{Name: "plain", Color: gltf.Linear(0x102030), Metallic: 0.5, Roughness: 0.75},
		gltf.Material{Name: "bumps alone", Color: gltf.Linear(0x102030), Roughness: 1, NormalImage: bumps, NormalScale: 1},
		gltf.Material{Name: "pane", Color: [4]float64{1, 1, 1, 0.5}, Roughness: 0.25, ColorImage: red},
		gltf.Material{Name: "large", Color: white, Roughness: 1, ColorImage: large},
		gltf.Material{Name: "wide", Color: white, Roughness: 1, ColorImage: red, SurfaceImage: wide},
		gltf.Material{Name: strings.Repeat("ü", 40), Color: white, Roughness: 1, ColorImage: rough},
	)
	note := p.takeFile(t, file)
	want := `material 5: it has no image of colours, and others are not shown without; material 6: it is clear, and its image is not shown; ` +
		`material 8: its roughness and metalness: the image: it has 16384×1024 pixels, from 1×1 to 8192×8192, 16777216 in all, are allowed`
	if note != want {
		t.Errorf("the answer notes\n%s, want\n%s", note, want)
	}
	r, b, s := hash(t, red), hash(t, bumps), hash(t, rough)
	long := strings.Repeat("ü", 30)
	set := func(albedo, normal, rough, more string) string {
		return fmt.Sprintf(", made of %s %s %s: mapped true, %s", albedo, normal, rough, more)
	}
	wantWorn := map[string]string{
		"part 0 of 10": "crate #ffffff" + set(r, b, s, "roughness 0.5, metalness 0.2, bumps 2, #8080ff, #c80000"),
		"part 1 of 10": "crate 2 #ffffff" + set(r, "", "", "roughness 1, metalness 0.25, bumps 1, #ffffff, #c80000"),
		"part 2 of 10": "brick 2 #ffffff" + set(r, b, "", "roughness 1, metalness 0, bumps 0, #ffffff, #c80000"),
		"part 3 of 10": "material #ffffff" + set(r, "", "", "roughness 1, metalness 0, bumps 1, #ffffff, #c80000"),
		"part 4 of 10": " #102030 0.75 0.5",
		"part 5 of 10": " #102030 1 0",
		"part 6 of 10": "glass #ffffff 0.25 0",
		"part 7 of 10": "large #ffffff" + set(r, "", "", "roughness 1, metalness 0, bumps 1, #ffffff, #c80000"), // what is behind its end is not kept
		"part 8 of 10": "wide #ffffff" + set(r, "", "", "roughness 1, metalness 0, bumps 1, #ffffff, #c80000"),
		"part 9 of 10": long + " #ffffff" + set(s, "", "", "roughness 1, metalness 0, bumps 1, #ffffff, #008033"),
	}
	if diff := cmp.Diff(wantWorn, p.wears()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	p.World.View(func(v *world.View) {
		for id := range v.All() {
			if g, _, ok := p.meshes.Of(v, id); !ok || cmp.Diff(g, square()) != "" {
				t.Errorf("%s shows %+v", v.Name(id), g)
			}
		}
	})

	// The same once more makes no new ones.
	before := p.sets()
	p.takeFile(t, file)
	if got := p.sets(); !slices.Equal(got, before) || len(got) != 7 {
		t.Errorf("there are %q, want 7: before there were %q", got, before)
	}
}

// saying puts other text into the JSON of a file, once for each place where the old stands.
func saying(t testing.TB, file []byte, old string, by ...string) []byte {
	t.Helper()
	const head = 20 // of the file, and of the JSON in it
	end := head + int(binary.LittleEndian.Uint32(file[12:]))
	parts := strings.Split(string(file[head:end]), old)
	if len(parts) != len(by)+1 {
		t.Fatalf("%s stands in the file %d times, not %d", old, len(parts)-1, len(by))
	}
	text := parts[0]
	for i, part := range parts[1:] {
		text += by[i] + part
	}
	text += strings.Repeat(" ", -len(text)&3)
	out := slices.Concat(file[:head], []byte(text), file[end:])
	binary.LittleEndian.PutUint32(out[8:], uint32(len(out)))
	binary.LittleEndian.PutUint32(out[12:], uint32(len(text)))
	return out
}

// TestModelsMoveTheirImages imports a file that moves images, has one that lies otherwise than the colours, and holes in one: they lie as it says, and what is not
// shown is told.
func TestModelsMoveTheirImages(t *testing.T) {
	red, bumps := pixel(t, color.NRGBA{200, 0, 0, 255}), pixel(t, color.NRGBA{128, 128, 255, 255})
	crate := gltf.Material{Name: "crate", Color: [4]float64{1, 1, 1, 1}, Roughness: 1, ColorImage: red, NormalImage: bumps, NormalScale: 1}
	file := model(t, square(), crate, crate)
	const how = `"extensions":{"KHR_texture_transform":{"offset":[0,1],"rotation":1.5707963267948966,"scale":[0.5,1]}}`
	file = saying(t, file, `"baseColorTexture":{"index":0}`, `"baseColorTexture":{"index":0}`, `"baseColorTexture":{"index":0,`+how+`}`)
	file = saying(t, file, `"normalTexture"`, `"alphaMode":"MASK","normalTexture"`, `"normalTexture"`)
	file = saying(t, file, `"attributes":{`, `"attributes":{`, `"attributes":{"COLOR_0":0,`)
	file = saying(t, file, `{"asset"`, `{"extensionsRequired":["KHR_texture_transform"],"asset"`)
	p := newPaperer(t, "")
	want := `material 1: its bumps: texture 1 does not lie as its colours do, and all have to lie alike; mesh 1: the colours of its vertices are not shown`
	if note := p.takeFile(t, file); note != want {
		t.Errorf("the answer notes\n%s, want\n%s", note, want)
	}
	const mapped = "mapped true, roughness 1, metalness 0, bumps 1, #ffffff, #c80000"
	wantWorn := map[string]string{
		"part 0 of 2": fmt.Sprintf("crate #ffffff, cut off at 0.5, light , made of %s %s : %s", hash(t, red), hash(t, bumps), mapped),
		"part 1 of 2": fmt.Sprintf("crate 2 #ffffff, made of %s  : %s", hash(t, red), mapped),
	}
	if diff := cmp.Diff(wantWorn, p.wears()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	wantCoords := map[string][][2]float32{"part 0 of 2": square().Coords, "part 1 of 2": {{0, 1}, {0, 0.75}, {1, 0.75}, {1, 1}}}
	if diff := cmp.Diff(wantCoords, p.coords(), cmpopts.EquateApprox(0, 1e-6)); diff != "" {
		t.Errorf("how images lie (-want +got):\n%s", diff)
	}
}

// sets names the imported materials.
func (p *paperer) sets() (names []string) {
	p.World.View(func(v *world.View) {
		names = slices.Sorted(maps.Keys(maps.Collect(world.TableOf[string, material.Set](v, "materials").All(v))))
	})
	return names
}

// TestModelsHaveHolesAndLight imports a file whose materials have holes, and images of light, and exports it again: everything is as it was. Where an image of light
// cannot be had there is no light.
func TestModelsHaveHolesAndLight(t *testing.T) {
	leaf, glow := pixel(t, color.NRGBA{0, 200, 0, 40}), pixel(t, color.NRGBA{200, 200, 0, 255})
	wide := &gltf.Image{MIME: gltf.PNG, Data: head(16384, 1024)}
	white := [4]float64{1, 1, 1, 1}
	light := [3]float64{1, 0, 0}
	p := newPaperer(t, "")
	note := p.takeFile(t, model(
		t, square(),
		gltf.Material{Name: "leaves", Color: white, Roughness: 1, ColorImage: leaf, Cutoff: 0.25},
		gltf.Material{Name: "sign", Color: white, Roughness: 1, ColorImage: leaf, LightImage: glow, Emissive: light},
		gltf.Material{Name: "wide", Color: white, Roughness: 1, ColorImage: leaf, LightImage: wide, Emissive: light},
		gltf.Material{Name: "light alone", Color: white, Roughness: 1, LightImage: glow, Emissive: light},
		gltf.Material{Name: "even", Color: white, Roughness: 1, ColorImage: leaf, Emissive: light},
	))
	if want := `material 2: its light: the image: it has 16384×1024 pixels, from 1×1 to 8192×8192, 16777216 in all, are allowed; ` +
		`material 3: it has no image of colours, and others are not shown without`; note != want {
		t.Errorf("the answer notes\n%s, want\n%s", note, want)
	}
	made := fmt.Sprintf(", made of %s  : mapped true, roughness 1, metalness 0, bumps 1, #ffffff, #00c800", hash(t, leaf))
	want := map[string]string{
		"part 0 of 5": "leaves #ffffff, cut off at 0.25, light " + made,
		"part 1 of 5": "sign #ffffff, gives off #ff0000, cut off at 0, light " + hash(t, glow) + made,
		"part 2 of 5": "wide #ffffff" + made,
		"part 3 of 5": " #ffffff 1 0",
		"part 4 of 5": "even #ffffff, gives off #ff0000" + made,
	}
	if diff := cmp.Diff(want, p.wears()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	_, data, _ := p.export(t, `{}`)
	q := newPaperer(t, "")
	if note := q.takeFile(t, data); note != "" {
		t.Error(note)
	}
	m, log, _ := p.log(t)
	r := newPaperer(t, "")
	if out, err := r.take(t, m, log); err != nil || strings.Contains(out, `"note"`) {
		t.Fatal(err, out)
	}
	for form, there := range map[string]*paperer{"glb": q, "log": r} {
		if diff := cmp.Diff(want, there.wears()); diff != "" {
			t.Errorf("%s (-was +is):\n%s", form, diff)
		}
		if !slices.Equal(p.sets(), there.sets()) {
			t.Errorf("%s: the materials %q are %q", form, p.sets(), there.sets())
		}
	}
	if _, err := r.take(t, m, strings.Replace(log, `"cutoff":0.25`, `"cutoff":1.25`, 1)); err == nil || !strings.Contains(err.Message, "set.cutoff: must be from 0 to 1, got 1.25") {
		t.Error(err)
	}
}

// TestLargeImagesOfModels imports images that are larger than materials have them: they are made smaller, and that is told, also when the model is imported
// again, and when the world has them no more.
func TestLargeImagesOfModels(t *testing.T) {
	if race.Enabled {
		return // one goroutine computes
	}
	random := rand.New(rand.NewPCG(1, 1))
	noise := func(width, height int, alpha bool) *gltf.Image {
		img := image.NewNRGBA(image.Rect(0, 0, width, height))
		for i := range img.Pix {
			if img.Pix[i] = uint8(random.Uint32()); i%4 == 3 && !alpha {
				img.Pix[i] = 0xff
			}
		}
		var b bytes.Buffer
		if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, img); err != nil {
			t.Fatal(err)
		}
		return &gltf.Image{Name: fmt.Sprintf("noise %d", width), MIME: gltf.PNG, Data: b.Bytes()}
	}
	white := [4]float64{1, 1, 1, 1}
	file := model(
		t, square(),
		gltf.Material{Name: "wide", Color: white, Roughness: 1, ColorImage: noise(2050, 40, false)},
		gltf.Material{Name: "heavy", Color: white, Roughness: 1, ColorImage: noise(1300, 1300, false)},
		gltf.Material{Name: "holes", Color: white, Roughness: 1, ColorImage: noise(1301, 1300, true), Cutoff: 0.5},
	)
	p := newPaperer(t, "")
	look := func(note string) {
		t.Helper()
		if want := "noise 2050: its 2050×40 pixels became 1025×20; noise 1301: its 1301×1300 pixels became 650×650"; note != want {
			t.Errorf("the answer notes\n%s, want\n%s", note, want)
		}
		got := map[string]string{}
		p.World.View(func(v *world.View) {
			for _, name := range []string{"wide", "heavy", "holes"} {
				set, _ := material.SetOf(v, name)
				data, _ := p.library.File(v, set.Albedo)
				img, err := material.Decode(data)
				if err != nil || len(data) > material.MaxFile {
					t.Fatalf("%s: %d bytes, %v", name, len(data), err)
				}
				got[name] = fmt.Sprint(material.MIME(data), img.Bounds().Size())
			}
		})
		if diff := cmp.Diff(map[string]string{"wide": "image/png(1025,20)", "heavy": "image/jpeg(1300,1300)", "holes": "image/png(650,650)"}, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	look(p.takeFile(t, file))
	first := p.wears()
	look(p.takeFile(t, file))
	if diff := cmp.Diff(first, p.wears()); diff != "" || len(p.sets()) != 3 {
		t.Errorf("the same once more (-first +second), %d materials:\n%s", len(p.sets()), diff)
	}
	p.Must(t, p.ann, "world.undo", `{}`)
	p.Must(t, p.ann, "world.undo", `{}`)
	if len(p.sets()) != 0 {
		t.Errorf("undone, there are %q", p.sets())
	}
	look(p.takeFile(t, file))
}

// TestModelWithoutCoordinates has a material of images on what does not say how they lie: it is plain.
func TestModelWithoutCoordinates(t *testing.T) {
	p := newPaperer(t, "")
	other := square()
	other.Positions[0] = [3]float32{-2, 1, 0}
	crate := gltf.Material{Name: "crate", Color: gltf.Linear(0x336699), Roughness: 1, ColorImage: pixel(t, color.White)}
	doc := &gltf.Document{Materials: []gltf.Material{crate}}
	for i, g := range []*gltf.Geometry{square(), other} {
		n := gltf.Identity()
		n.Name, n.Mesh = fmt.Sprint("part ", i), i
		doc.Nodes = append(doc.Nodes, n)
		doc.Meshes = append(doc.Meshes, gltf.Mesh{Primitives: []gltf.Primitive{{Geometry: g, Material: 0}}})
	}
	file, err := gltf.Encode(doc)
	if err != nil {
		t.Fatal(err)
	}
	const coords = `"TEXCOORD_0"`
	last := bytes.LastIndex(file, []byte(coords))
	copy(file[last:], `"TEXCOORD_7"`)
	if bytes.Count(file, []byte(coords)) != 1 {
		t.Fatal("the file does not have coordinates twice")
	}
	if note := p.takeFile(t, file); note != "" {
		t.Error(note)
	}
	if got := p.wears(); !strings.HasPrefix(got["part 0"], "crate #ffffff, made of") || got["part 1"] != " #336699 1 0" {
		t.Errorf("%q", got)
	}
}

// TestOwnImagesComeBack exports what is made of images, of our own files and of others', and imports it elsewhere: everything is as it was.
func TestOwnImagesComeBack(t *testing.T) {
	red, rough := pixel(t, color.NRGBA{200, 0, 0, 255}), pixel(t, color.NRGBA{0, 128, 51, 255})
	p := newPaperer(t, textures(t))
	p.takeFile(t, model(
		t, square(),
		gltf.Material{Name: "crate", Color: gltf.Linear(0x8080ff), Metallic: 1, Roughness: 0.5, ColorImage: red, SurfaceImage: rough},
		gltf.Material{Name: "plain", Color: gltf.Linear(0x102030), Metallic: 0.5, Roughness: 0.75},
	))
	p.Must(t, p.ann, "material.import", `{"name":"cobble","albedo":"cobble.png","normal":"cobble_n.png","roughness":"cobble_r.png","triplanar":true,"scale":2,"sharpness":8,"metalness":0.5,"color":255}`)
	for i, input := range []string{`{"material":"cobble"}`, `{"material":"crate"}`, `{"material":"cobble","color":65280}`} {
		p.Must(t, p.ann, "scene.createEntity", fmt.Sprintf(`{"name":"box %d",%s`, i, input[1:]))
	}
	p.takeFile(t, model(t, square(), gltf.Material{Name: "other", Roughness: 1, Color: [4]float64{1, 1, 1, 1}}))
	p.Must(t, p.ann, "three.setMaterial", `{"entity":"ent_5","material":"cobble"}`) // which lies as wallpaper does
	for _, form := range []string{"glb", "log"} {
		t.Run(form, func(t *testing.T) {
			q := newPaperer(t, "")
			if form == "glb" {
				_, data, _ := p.export(t, `{}`)
				if note := q.takeFile(t, data); note != "" {
					t.Error(note)
				}
			} else {
				m, log, _ := p.log(t)
				if out, err := q.take(t, m, log); err != nil || strings.Contains(out, `"note"`) {
					t.Fatal(err, out)
				}
			}
			if diff := cmp.Diff(p.wearsApart(), q.wearsApart()); diff != "" {
				t.Errorf("(-was +is):\n%s", diff)
			}
			if diff := cmp.Diff(p.coords(), q.coords()); diff != "" {
				t.Errorf("how images lie (-was +is):\n%s", diff)
			}
			if !slices.Equal(p.sets(), q.sets()) {
				t.Errorf("the materials %q are %q", p.sets(), q.sets())
			}
		})
	}

	// Where it came from it is known.
	_, data, _ := p.export(t, `{}`)
	before := p.sets()
	if note := p.takeFile(t, data); note != "" || !slices.Equal(p.sets(), before) {
		t.Errorf("%s: %q, and before %q", note, p.sets(), before)
	}
	// Another of the name stays.
	q := newPaperer(t, textures(t))
	q.Must(t, q.ann, "material.import", `{"name":"cobble","albedo":"paint.jpg"}`)
	if note := q.takeFile(t, data); !strings.Contains(note, "there is another material cobble here, which stays as it is and is on what came") {
		t.Error(note)
	}
}

// wearsApart is wears without the hashes of roughness maps: of metal, a GLB has another form of them.
func (p *paperer) wearsApart() map[string]string {
	all := p.wears()
	for at, text := range all {
		if before, after, ok := strings.Cut(text, ": mapped"); ok {
			all[at] = before[:strings.LastIndex(before, " ")] + ": mapped" + after
		}
	}
	return all
}

// coords says how images lie on meshes, by the names of entities; of those on which they lie as wallpaper does a GLB has no coordinates of their own.
func (p *paperer) coords() map[string][][2]float32 {
	all := map[string][][2]float32{}
	p.World.View(func(v *world.View) {
		for id := range v.All() {
			if m, _ := p.World.Materials.Get(v, id); m.Name == "cobble" {
				continue
			}
			if g, _, ok := p.meshes.Of(v, id); ok {
				all[v.Name(id)] = g.Coords
			}
		}
	})
	return all
}

// TestMappedImport lays images of files on a model whose own file has none.
func TestMappedImport(t *testing.T) {
	p := newPaperer(t, textures(t))
	p.takeFile(t, model(t, square(), gltf.Material{Name: "bare", Color: [4]float64{1, 1, 1, 1}, Roughness: 1}))
	p.Must(t, p.ann, "material.import", `{"name":"paint","albedo":"paint.jpg","mapped":true}`)
	p.Must(t, p.ann, "three.setMaterial", `{"entity":"ent_0","material":"paint"}`)
	doc, _, note := p.export(t, `{}`)
	g := doc.Meshes[doc.Nodes[0].Mesh].Primitives[0].Geometry
	if m := surface(t, doc, "ent_0"); note != "" || m.ColorImage == nil || cmp.Diff(g.Coords, square().Coords) != "" {
		t.Errorf("%s; the image lies by %v", note, g.Coords)
	}
}

// TestModelsWithoutRoom imports a model when the world has all the images that it may: it comes without, and that is told.
func TestModelsWithoutRoom(t *testing.T) {
	dir := t.TempDir()
	p := newPaperer(t, dir)
	for i := range material.MaxBytes / material.MaxFile {
		name := fmt.Sprintf("large%d.png", i)
		data := slices.Concat(pixel(t, color.Gray{uint8(i)}).Data, bytes.Repeat([]byte{byte(i)}, material.MaxFile-200))
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
		p.Must(t, p.ann, "material.import", fmt.Sprintf(`{"name":"large %d","albedo":%q}`, i, name))
	}
	before := p.sets()
	img := pixel(t, color.NRGBA{1, 2, 3, 255})
	img.Data = append(img.Data, make([]byte, 64<<10)...)
	note := p.takeFile(t, model(t, square(), gltf.Material{Name: "crate", Color: gltf.Linear(0x336699), Roughness: 1, ColorImage: img}))
	if !strings.HasPrefix(note, "material 0 of the file: its images are not here: with these images the world would keep ") || !slices.Equal(p.sets(), before) {
		t.Errorf("%s; there are %q", note, p.sets())
	}
	if got := p.wears()["part 0 of 1"]; got != " #336699 1 0" {
		t.Errorf("it has %s", got)
	}
}

// TestOddMaterialExtras refuses what no export has written, and takes what others have for theirs.
func TestOddMaterialExtras(t *testing.T) {
	for extras, want := range map[string]string{
		`{"limina":{"material":"","set":{"scale":1,"sharpness":1}}}`:             "material 0 of the file: extras.limina.material: must have 1 to 64 bytes, got 0",
		`{"limina":{"material":"brick","set":{"scale":1,"sharpness":1}}}`:        "material 0 of the file: extras.limina.material: name: brick is a material that every world has; choose another name",
		`{"limina":{"material":"a","set":{"scale":0,"sharpness":1}}}`:            "material 0 of the file: extras.limina.set.scale: must be from 1e-300 to 1000, got 0",
		`{"limina":{"material":"a","set":{"scale":1,"sharpness":1,"color":-1}}}`: "material 0 of the file: extras.limina: json: cannot unmarshal",
		`{"limina":null}`:       "",
		`{"author":"somebody"}`: "",
	} {
		p := newPaperer(t, "")
		file := model(t, square(), gltf.Material{Name: "a", Color: [4]float64{1, 1, 1, 1}, Roughness: 1, ColorImage: pixel(t, color.White), Extras: json.RawMessage(extras)})
		got := ""
		if _, err := p.Call(p.ann, "scene.import", `{"data":"`+base64.StdEncoding.EncodeToString(file)+`"}`); err != nil {
			got = err.Message
		}
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", extras, got, want)
		}
	}
}
