package gltf_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/gltf"
)

// documents draws documents of all kinds.
func documents(t *rapid.T) *gltf.Document {
	number := rapid.OneOf(rapid.Float64Range(-1e9, 1e9), rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, -1, 0.1, 1e-300, 3.4e38, math.MaxFloat64, math.SmallestNonzeroFloat64}))
	vec := func(name string) (v [3]float64) {
		for i := range v {
			v[i] = number.Draw(t, name)
		}
		return v
	}
	doc := &gltf.Document{Generator: rapid.String().Draw(t, "generator")}
	share := rapid.Float64Range(0, 1)
	var images []*gltf.Image
	for i := range rapid.IntRange(0, 2).Draw(t, "images") {
		images = append(images, &gltf.Image{
			Name: fmt.Sprint("image ", i), MIME: rapid.SampledFrom([]string{gltf.PNG, gltf.JPEG}).Draw(t, "format"),
			Data: rapid.SliceOfN(rapid.Byte(), 1, 9).Draw(t, "file"),
		})
	}
	image := func(name string) *gltf.Image {
		if i := rapid.IntRange(-1, len(images)-1).Draw(t, name); i >= 0 {
			return images[i]
		}
		return nil
	}
	for range rapid.IntRange(0, 3).Draw(t, "materials") {
		doc.Materials = append(doc.Materials, gltf.Material{
			Name: rapid.String().Draw(t, "material"), Metallic: share.Draw(t, "metallic"), Roughness: share.Draw(t, "roughness"),
			Color:       [4]float64{share.Draw(t, "r"), share.Draw(t, "g"), share.Draw(t, "b"), share.Draw(t, "a")},
			Emissive:    [3]float64{share.Draw(t, "red light"), share.Draw(t, "green light"), share.Draw(t, "blue light")},
			DoubleSided: rapid.Bool().Draw(t, "both sides"),
			ColorImage:  image("colors"), SurfaceImage: image("surface"), NormalImage: image("normals"), LightImage: image("light image"),
		})
		m := &doc.Materials[len(doc.Materials)-1]
		if m.NormalImage != nil {
			m.NormalScale = number.Draw(t, "bumps")
		}
		if m.ColorImage != nil && rapid.Bool().Draw(t, "holes") {
			if m.Cutoff = share.Draw(t, "cutoff"); m.Cutoff > 0 {
				m.Color[3] = 1
			}
		}
		if rapid.Bool().Draw(t, "material extras") {
			doc.Materials[len(doc.Materials)-1].Extras = json.RawMessage(`{"a":"<1>"}`)
		}
		doc.Textures = shown(doc)
	}
	var last *gltf.Geometry
	for range rapid.IntRange(0, 3).Draw(t, "meshes") {
		m := gltf.Mesh{Name: rapid.String().Draw(t, "mesh")}
		for range rapid.IntRange(1, 2).Draw(t, "primitives") {
			if last == nil || rapid.Bool().Draw(t, "its own") {
				last = geometry(t, len(images) > 0)
			}
			m.Primitives = append(m.Primitives, gltf.Primitive{
				Geometry: last, Material: rapid.IntRange(gltf.None, len(doc.Materials)-1).Draw(t, "its material"),
			})
		}
		doc.Meshes = append(doc.Meshes, m)
	}
	for range rapid.IntRange(0, 3).Draw(t, "lights") {
		positive := rapid.OneOf(rapid.Float64Range(0, 1e5), rapid.SampledFrom([]float64{0, 0.1, 5e-324, math.MaxFloat64}))
		l := gltf.Light{
			Name: rapid.String().Draw(t, "light"), Kind: rapid.SampledFrom([]string{gltf.Point, gltf.Spot, gltf.Directional}).Draw(t, "kind"),
			Color:     [3]float64{share.Draw(t, "r"), share.Draw(t, "g"), share.Draw(t, "b")},
			Intensity: positive.Draw(t, "intensity"), Range: positive.Draw(t, "range"),
		}
		if l.Kind == gltf.Spot {
			l.Outer = rapid.Float64Range(1e-9, math.Pi/2).Draw(t, "outer")
			l.Inner = math.Nextafter(rapid.Float64Range(0, l.Outer).Draw(t, "inner"), -1)
			l.Inner = max(l.Inner, 0)
		}
		doc.Lights = append(doc.Lights, l)
	}
	for i := range rapid.IntRange(0, 8).Draw(t, "nodes") {
		n := gltf.Identity()
		n.Name = rapid.String().Draw(t, "name")
		n.Parent = rapid.IntRange(gltf.None, i-1).Draw(t, "parent")
		n.Mesh = rapid.IntRange(gltf.None, len(doc.Meshes)-1).Draw(t, "its mesh")
		n.Light = rapid.IntRange(gltf.None, len(doc.Lights)-1).Draw(t, "its light")
		n.Translation, n.Scale = vec("translation"), vec("scale")
		if x := rapid.Float64Range(-1, 1).Draw(t, "turn"); x != 0 {
			n.Rotation = [4]float64{0, x, 0, math.Sqrt(1 - x*x)}
		}
		if rapid.Bool().Draw(t, "extras") {
			text, err := json.Marshal(map[string]any{"entity": fmt.Sprintf("ent_%d", i), "text": rapid.String().Draw(t, "text")})
			if err != nil {
				t.Fatal(err)
			}
			n.Extras = text
		}
		doc.Nodes = append(doc.Nodes, n)
	}
	return doc
}

// shown is how many images the materials of a document have.
func shown(doc *gltf.Document) int {
	all := map[*gltf.Image]bool{}
	for _, m := range doc.Materials {
		all[m.ColorImage], all[m.SurfaceImage], all[m.NormalImage], all[m.LightImage] = true, true, true, true
	}
	delete(all, nil)
	return len(all)
}

func geometry(t *rapid.T, coords bool) *gltf.Geometry {
	g := &gltf.Geometry{}
	n := rapid.IntRange(1, 6).Draw(t, "vertices")
	for range n {
		at := rapid.Float32Range(-1e6, 1e6)
		g.Positions = append(g.Positions, [3]float32{at.Draw(t, "x"), at.Draw(t, "y"), at.Draw(t, "z")})
		g.Normals = append(g.Normals, [3]float32{0, 1, 0})
	}
	if rapid.Bool().Draw(t, "flat") {
		g.Normals = nil
	}
	if coords || rapid.Bool().Draw(t, "coords") {
		for range n {
			g.Coords = append(g.Coords, [2]float32{rapid.Float32().Draw(t, "u"), rapid.Float32().Draw(t, "v")})
		}
	}
	if rapid.Bool().Draw(t, "tangents") {
		for range g.Normals {
			g.Tangents = append(g.Tangents, [4]float32{1, 0, 0, rapid.SampledFrom([]float32{1, -1}).Draw(t, "mirrored")})
		}
	}
	for range rapid.IntRange(1, 5).Draw(t, "triangles") {
		i := rapid.Uint32Range(0, uint32(n-1))
		g.Triangles = append(g.Triangles, [3]uint32{i.Draw(t, "a"), i.Draw(t, "b"), i.Draw(t, "c")})
	}
	return g
}

// TestRoundTrip writes documents, reads them, and writes them again: nothing is lost, bit for bit.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc := documents(t)
		first, err := gltf.Encode(doc)
		if err != nil {
			t.Fatal(err)
		}
		read, err := gltf.Decode(first, gltf.Limits{Images: 1 << 10})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(doc, read, bits); diff != "" {
			t.Fatalf("(-written +read):\n%s", diff)
		}
		if a, b := shown(doc), shown(read); a != b {
			t.Fatalf("%d images became %d", a, b)
		}
		second, err := gltf.Encode(read)
		if err != nil || !bytes.Equal(first, second) {
			t.Fatalf("written again it is another file: %v", err)
		}
	})
}

// TestImagesArePassedOver reads a file with images as one without, where none are wanted.
func TestImagesArePassedOver(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc := documents(t)
		file, err := gltf.Encode(doc)
		if err != nil {
			t.Fatal(err)
		}
		read, err := gltf.Decode(file, gltf.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range doc.Materials {
			m := &doc.Materials[i]
			if m.LightImage != nil {
				m.Emissive = [3]float64{}
			}
			m.ColorImage, m.SurfaceImage, m.NormalImage, m.LightImage, m.NormalScale, m.Cutoff = nil, nil, nil, nil, 0, 0
		}
		for _, m := range doc.Meshes {
			for _, p := range m.Primitives {
				p.Geometry.Coords, p.Geometry.Tangents = nil, nil
			}
		}
		if diff := cmp.Diff(doc, read, bits); diff != "" {
			t.Fatalf("(-written +read):\n%s", diff)
		}
	})
}

// TestAlpha reads what is seen through: only in the mode BLEND alpha says how much.
func TestAlpha(t *testing.T) {
	for mode, want := range map[string]float64{``: 1, `"alphaMode":"OPAQUE",`: 1, `"alphaMode":"MASK",`: 1, `"alphaMode":"BLEND",`: 0.25} {
		doc, err := gltf.Decode(glb(`{"asset":{"version":"2.0"},"materials":[{`+mode+`"pbrMetallicRoughness":{"baseColorFactor":[1,0,0,0.25]}}]}`, nil), gltf.Limits{})
		if err != nil || doc.Materials[0].Color != [4]float64{1, 0, 0, want} {
			t.Errorf("%s: %v, %v", mode, doc, err)
		}
	}
}

// TestEmission reads light that materials give off: with the extension up to what can be shown, and none where an image that cannot be had says where it is.
func TestEmission(t *testing.T) {
	const strong = `,"extensions":{"KHR_materials_emissive_strength":{"emissiveStrength":4}}`
	for material, want := range map[string][3]float64{
		``:                                  {},
		`"emissiveFactor":[0.125,0.25,0.5]`: {0.125, 0.25, 0.5},
		`"emissiveFactor":[0.125,0.25,0.5]` + strong:                                                          {0.5, 1, 1},
		`"emissiveFactor":[0.5,0,0],"extensions":{"KHR_materials_unlit":{}}`:                                  {0.5, 0, 0},
		`"emissiveFactor":[2,1.0000001,-1]`:                                                                   {1, 1, 0},
		`"emissiveFactor":[0.5,0,0],"extensions":{"KHR_materials_emissive_strength":{"emissiveStrength":-1}}`: {},
		`"emissiveFactor":[1,1,1],"emissiveTexture":{"index":0}` + strong:                                     {},
		`"emissiveFactor":[0.5,0,0],"extensions":{"KHR_materials_emissive_strength":{}}`:                      {0.5, 0, 0},
	} {
		doc, err := gltf.Decode(glb(`{"asset":{"version":"2.0"},"extensionsRequired":["KHR_materials_emissive_strength"],"materials":[{`+material+`}]}`, nil), gltf.Limits{Images: 100})
		if err != nil || doc.Materials[0].Emissive != want {
			t.Errorf("%s: %v, %v, want %v", material, doc, err, want)
			continue
		}
		if lost := strings.Contains(material, "emissiveTexture"); lost != slices.Contains(doc.Lost, "material 0: its light: there is no texture 0") {
			t.Errorf("%s: %q is told to be lost", material, doc.Lost)
		}
	}
	for material, want := range map[string]string{ // a file is worth having without
		`"emissiveFactor":"much"`:                  `material 0: the light that it gives off: emissiveFactor: `,
		`"emissiveFactor":[1,0,0],"extensions":[]`: `material 0: the light that it gives off: `,
	} {
		if doc, err := gltf.Decode(glb(`{"asset":{"version":"2.0"},"materials":[{`+material+`}]}`, nil), gltf.Limits{}); err != nil || len(doc.Lost) != 1 || !strings.HasPrefix(doc.Lost[0], want) {
			t.Errorf("%s: %v, %v, want it lost: %s", material, doc, err, want)
		}
	}
}

func TestColorsComeBack(t *testing.T) {
	for c := uint32(0); c < 1<<24; c += 0x010307 {
		if got := gltf.SRGB(gltf.Linear(c)); got != c {
			t.Fatalf("#%06x became #%06x", c, got)
		}
	}
	// The specification of sRGB, by other means.
	for b := range uint32(256) {
		x := float64(b) / 255
		want := x / 12.92
		if x > 0.04045 {
			want = math.Pow((x+0.055)/1.055, 2.4)
		}
		if got := gltf.Linear(b)[2]; math.Abs(got-want) > 1e-15 {
			t.Errorf("%d is %g, want %g", b, got, want)
		}
	}
}

// glb packs JSON and bytes as the specification says.
func glb(text string, bin []byte) []byte {
	for len(text)%4 != 0 {
		text += " "
	}
	out := []byte("glTF\x02\x00\x00\x00")
	out = binary.LittleEndian.AppendUint32(out, uint32(28+len(text)+len(bin)))
	out = append(binary.LittleEndian.AppendUint32(out, uint32(len(text))), "JSON"...)
	out = append(out, text...)
	out = append(binary.LittleEndian.AppendUint32(out, uint32(len(bin))), "BIN\x00"...)
	return append(out, bin...)
}

// square is four corners of a square, interleaved with as many normals, and the numbers 0 to 3 as bytes.
func square() []byte {
	var bin []byte
	for _, v := range [][6]float32{{0, 0, 0, 0, 0, 1}, {1, 0, 0, 0, 0, 1}, {0, 1, 0, 0, 0, 1}, {1, 1, 0, 0, 0, 1}} {
		for _, x := range v {
			bin = binary.LittleEndian.AppendUint32(bin, math.Float32bits(x))
		}
	}
	return append(bin, 0, 1, 2, 3)
}

const (
	head  = `{"asset":{"version":"2.0"},"buffers":[{"byteLength":100}],"bufferViews":[{"buffer":0,"byteLength":96,"byteStride":24},{"buffer":0,"byteOffset":96,"byteLength":4}],"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},{"bufferView":0,"byteOffset":12,"componentType":5126,"count":4,"type":"VEC3"},{"bufferView":1,"componentType":5121,"count":4,"type":"SCALAR"}],`
	strip = head + `"meshes":[{"primitives":[{"attributes":{"POSITION":0,"NORMAL":1},"indices":2,"mode":5}]}],`
)

// TestWhatOthersWrite reads what Encode does not write: interleaved vertices, strips, fans, matrices.
func TestWhatOthersWrite(t *testing.T) {
	doc, err := gltf.Decode(glb(strip+`"nodes":[{"mesh":0,"matrix":[0,0,-2,0, 0,3,0,0, 1,0,0,0, 5,6,7,1]}]}`, square()), gltf.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	g := doc.Meshes[0].Primitives[0].Geometry
	if diff := cmp.Diff([][3]uint32{{0, 1, 2}, {1, 3, 2}}, g.Triangles); diff != "" {
		t.Errorf("a strip (-want +got):\n%s", diff)
	}
	if g.Positions[3] != [3]float32{1, 1, 0} || g.Normals[3] != [3]float32{0, 0, 1} {
		t.Errorf("interleaved: %v, %v", g.Positions, g.Normals)
	}
	n := doc.Nodes[0]
	half := math.Sqrt(0.5)
	for i, want := range []float64{0, half, 0, half, 2, 3, 1, 5, 6, 7} {
		got := append(append(n.Rotation[:], n.Scale[:]...), n.Translation[:]...)[i]
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("the matrix became %+v", n)
			break
		}
	}
	fan := strings.Replace(strip, `"mode":5`, `"mode":6`, 1)
	if doc, err = gltf.Decode(glb(fan+`"nodes":[]}`, square()), gltf.Limits{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][3]uint32{{1, 2, 0}, {2, 3, 0}}, doc.Meshes[0].Primitives[0].Geometry.Triangles); diff != "" {
		t.Errorf("a fan (-want +got):\n%s", diff)
	}
}

// lit is a file with lights and nodes.
func lit(lights, nodes string) []byte {
	return glb(`{"asset":{"version":"2.0"},"extensionsRequired":["KHR_lights_punctual"],"extensions":{"KHR_lights_punctual":{"lights":[`+lights+`]}},"nodes":[`+nodes+`]}`, nil)
}

// TestLightsOfOthers reads lights as others write them: with what the extension lets them leave out, and with what
// it does not allow and means something.
func TestLightsOfOthers(t *testing.T) {
	half := math.Nextafter(math.Pi/2, 0)
	for text, want := range map[string]gltf.Light{
		`{"type":"point"}`: {Kind: "point", Color: [3]float64{1, 1, 1}, Intensity: 1},
		`{"type":"point","spot":{"outerConeAngle":9}}`: {Kind: "point", Color: [3]float64{1, 1, 1}, Intensity: 1},
		`{"type":"spot"}`: {Kind: "spot", Color: [3]float64{1, 1, 1}, Intensity: 1, Outer: math.Pi / 4},
		`{"type":"spot","spot":{"innerConeAngle":0.5}}`:                                        {Kind: "spot", Color: [3]float64{1, 1, 1}, Intensity: 1, Inner: 0.5, Outer: math.Pi / 4},
		`{"type":"directional","name":"Sun","color":[0.5,0,1],"intensity":0,"extras":{"a":1}}`: {Name: "Sun", Kind: "directional", Color: [3]float64{0.5, 0, 1}},
		// Of Blender, which reckons in float32: half a turn, and no soft edge.
		`{"color":[1,1,1],"intensity":54.35,"range":40,"spot":{"innerConeAngle":1.5707963705062866,"outerConeAngle":1.5707963705062866},"type":"spot"}`: {
			Kind: "spot", Color: [3]float64{1, 1, 1}, Intensity: 54.35, Range: 40, Inner: half, Outer: math.Pi / 2,
		},
		`{"type":"spot","spot":{"innerConeAngle":0.5,"outerConeAngle":0.5}}`: {Kind: "spot", Color: [3]float64{1, 1, 1}, Intensity: 1, Inner: math.Nextafter(0.5, 0), Outer: 0.5},
		`{"type":"point","color":[4,2,0],"intensity":3}`:                     {Kind: "point", Color: [3]float64{1, 0.5, 0}, Intensity: 12},
	} {
		doc, err := gltf.Decode(lit(text, `{"extensions":{"KHR_lights_punctual":{"light":0}}},{"extensions":{"EXT_other":7}},{}`), gltf.Limits{})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if diff := cmp.Diff([]gltf.Light{want}, doc.Lights, bits); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
		if doc.Nodes[0].Light != 0 || doc.Nodes[1].Light != gltf.None || doc.Nodes[2].Light != gltf.None {
			t.Errorf("%s: the lights of the nodes are %d, %d and %d", text, doc.Nodes[0].Light, doc.Nodes[1].Light, doc.Nodes[2].Light)
		}
	}
}

// TestLightsForOthers: a file says that it uses the extension, not that it needs it, and one without lights says nothing.
func TestLightsForOthers(t *testing.T) {
	lamp := gltf.Identity()
	lamp.Light = 1
	doc := &gltf.Document{Nodes: []gltf.Node{lamp}, Lights: []gltf.Light{
		{Kind: gltf.Point, Color: [3]float64{1, 0.5, 0}, Intensity: 32, Range: 12},
		{Name: "beam", Kind: gltf.Spot, Color: [3]float64{1, 1, 1}, Intensity: 64, Inner: 0.25, Outer: 0.5},
	}}
	const want = `{"asset":{"version":"2.0"},"extensionsUsed":["KHR_lights_punctual"],"extensions":{"KHR_lights_punctual":{"lights":[` +
		`{"type":"point","color":[1,0.5,0],"intensity":32,"range":12},{"name":"beam","type":"spot","color":[1,1,1],"intensity":64,"spot":{"innerConeAngle":0.25,"outerConeAngle":0.5}}]}},` +
		`"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"extensions":{"KHR_lights_punctual":{"light":1}}}]}`
	file, err := gltf.Encode(doc)
	if err != nil || strings.TrimRight(string(file[20:]), " ") != want {
		t.Errorf("got %s, %v", file[20:], err)
	}
	doc.Nodes[0].Light, doc.Lights = gltf.None, nil
	if file, err = gltf.Encode(doc); err != nil || bytes.Contains(file, []byte("xtensions")) {
		t.Errorf("without lights: %s, %v", file[20:], err)
	}
}

// TestMatrices turns rotations and scales into matrices and has them taken apart.
func TestMatrices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := gltf.Identity()
		length := 0.0
		for i := range n.Rotation {
			n.Rotation[i] = rapid.Float64Range(-1, 1).Draw(t, "q")
			length += n.Rotation[i] * n.Rotation[i]
		}
		if length < 0.01 {
			t.Skip("no rotation")
		}
		for i := range n.Rotation {
			n.Rotation[i] /= math.Sqrt(length)
		}
		x, y, z, w := n.Rotation[0], n.Rotation[1], n.Rotation[2], n.Rotation[3]
		m := [16]float64{
			1 - 2*(y*y+z*z), 2 * (x*y + z*w), 2 * (x*z - y*w), 0,
			2 * (x*y - z*w), 1 - 2*(x*x+z*z), 2 * (y*z + x*w), 0,
			2 * (x*z + y*w), 2 * (y*z - x*w), 1 - 2*(x*x+y*y), 0,
			0, 0, 0, 1,
		}
		for i := range 3 {
			n.Scale[i] = rapid.Float64Range(0.1, 10).Draw(t, "scale")
			for k := range 3 {
				m[4*i+k] *= n.Scale[i]
			}
		}
		text, _ := json.Marshal(m)
		doc, err := gltf.Decode(glb(`{"asset":{"version":"2.0"},"nodes":[{"matrix":`+string(text)+`}]}`, nil), gltf.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		got, same := doc.Nodes[0], 0.0
		for i := range 4 {
			same += got.Rotation[i] * n.Rotation[i]
		}
		if math.Abs(math.Abs(same)-1) > 1e-9 {
			t.Fatalf("the rotation %v became %v", n.Rotation, got.Rotation)
		}
		for i := range 3 {
			if math.Abs(got.Scale[i]-n.Scale[i]) > 1e-9 {
				t.Fatalf("the scale %v became %v", n.Scale, got.Scale)
			}
		}
	})
}

func TestRefusals(t *testing.T) {
	ok := `"nodes":[{"mesh":0}]}`
	swap := func(old, by string) []byte { return glb(strings.Replace(strip+ok, old, by, 1), square()) }
	for want, data := range map[string][]byte{
		"no GLB":                          []byte("solid cube, as text, long enough"),
		"of version 1":                    []byte("glTF\x01\x00\x00\x00" + strings.Repeat("\x00", 20)),
		"header says":                     glb(strip+ok, square())[:60],
		"beyond the end":                  append([]byte("glTF\x02\x00\x00\x00\x18\x00\x00\x00\xff\x00\x00\x00JSON"), 1, 2, 3, 4),
		"first chunk":                     append([]byte("glTF\x02\x00\x00\x00\x18\x00\x00\x00\x04\x00\x00\x00BIN\x00"), 1, 2, 3, 4),
		"the JSON":                        glb("{", nil),
		"only 2.0":                        swap(`"2.0"`, `"1.0"`),
		"KHR_draco_mesh_compression":      swap(`"buffers"`, `"extensionsRequired":["KHR_draco_mesh_compression"],"buffers"`),
		"not in the file":                 swap(`{"byteLength":100}`, `{"byteLength":100,"uri":"a.bin"}`),
		"the file has 100 of it":          swap(`{"byteLength":100}`, `{"byteLength":101}`),
		"goes beyond the buffer":          swap(`"byteOffset":96`, `"byteOffset":97`),
		"go beyond its buffer view":       swap(`"count":4`, `"count":5`),
		"has a stride of 8":               swap(`"byteStride":24`, `"byteStride":8`),
		"must have three floats":          swap(`"VEC3"`, `"VEC2"`),
		"must have whole numbers":         swap(`5121`, `5126`),
		"there is no accessor 9":          swap(`"POSITION":0`, `"POSITION":9`),
		"is sparse":                       swap(`"count":4`, `"sparse":{},"count":4`),
		"it has no positions":             swap(`"POSITION":0,`, ``),
		"there is no mesh 1":              glb(strip+`"nodes":[{"mesh":1}]}`, square()),
		"there is no material 2":          swap(`"mode":5`, `"material":2`),
		"4 positions and 0 normals":       swap(`12,"componentType":5126,"count":4`, `12,"componentType":5126,"count":0`),
		"4 positions and 3 normals":       swap(`12,"componentType":5126,"count":4`, `12,"componentType":5126,"count":3`),
		"triangle 0 is":                   glb(strip+ok, bytes.Replace(square(), []byte{0, 1, 2, 3}, []byte{9, 1, 2, 3}, 1)),
		"position 0 is":                   glb(strip+ok, append([]byte{0, 0, 0xc0, 0x7f}, square()[4:]...)),
		"is above itself":                 glb(strip+`"nodes":[{"children":[1]},{"children":[0]}]}`, square()),
		"or it has one":                   glb(strip+`"nodes":[{"children":[2]},{"children":[2]},{}]}`, square()),
		"has not the length 1":            glb(strip+`"nodes":[{"rotation":[0,0,0,2]}]}`, square()),
		"shears":                          glb(strip+`"nodes":[{"matrix":[1,0,0,0, 1,1,0,0, 0,0,1,0, 0,0,0,1]}]}`, square()),
		"projects":                        glb(strip+`"nodes":[{"matrix":[1,0,0,1, 0,1,0,0, 0,0,1,0, 0,0,0,1]}]}`, square()),
		"flat":                            glb(strip+`"nodes":[{"matrix":[0,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]}]}`, square()),
		"more than 3 nodes":               glb(strip+`"nodes":[{},{},{},{}]}`, square()),
		"more than 1 triangles":           swap("none", "none"),
		"is more than 2 deep":             glb(strip+`"nodes":[{"children":[1]},{"children":[2]},{}]}`, square()),
		"more than 2 vertices":            glb(strip+`"nodes":[]}`, square()),
		"bytes, at most 100 are allowe":   glb(strip+`"nodes":[]}`, square()),
		"EXT_mesh_gpu_instancing\", none": glb(`{"asset":{"version":"2.0"},"extensionsRequired":["KHR_lights_punctual","EXT_mesh_gpu_instancing"]}`, nil),
		"more than 1 lights":              lit(`{"type":"point"},{"type":"point"}`, ""),
		`light 1: type: must be point, spot or directional, got "area"`:                                                     lit(`{"type":"point"},{"type":"area"}`, ""),
		`light 0: type: must be point, spot or directional, got ""`:                                                         lit(`null`, ""),
		"light 0: color: must be three numbers, got 2":                                                                      lit(`{"type":"point","color":[1,1]}`, ""),
		"light 0: color: must be three numbers, got 0":                                                                      lit(`{"type":"point","color":[]}`, ""),
		"light 0: color: its numbers must be from 0 to 1, got -0.5":                                                         lit(`{"type":"point","color":[1,-0.5,1]}`, ""),
		"light 0: color: its numbers must be from 0 to 1, got 2":                                                            lit(`{"type":"point","color":[2,-0.5,1]}`, ""),
		"light 0: intensity: must be 0 or more, and have an end, got -1":                                                    lit(`{"type":"point","intensity":-1}`, ""),
		"light 0: intensity: must be 0 or more, and have an end, got +Inf":                                                  lit(`{"type":"point","intensity":1e308,"color":[1e9,0,0]}`, ""),
		"light 0: range: must be more than 0, or left out, got 0":                                                           lit(`{"type":"point","range":0}`, ""),
		"light 0: range: must be more than 0, or left out, got -4":                                                          lit(`{"type":"directional","range":-4}`, ""),
		"light 0: spot.outerConeAngle: must be more than 0 and at most π/2, got 0":                                          lit(`{"type":"spot","spot":{"outerConeAngle":0}}`, ""),
		"light 0: spot.outerConeAngle: must be more than 0 and at most π/2, got 1.6":                                        lit(`{"type":"spot","spot":{"outerConeAngle":1.6}}`, ""),
		"light 0: spot.innerConeAngle: must be from 0 to outerConeAngle, which is 0.5, got 0.6":                             lit(`{"type":"spot","spot":{"innerConeAngle":0.6,"outerConeAngle":0.5}}`, ""),
		"light 0: spot.innerConeAngle: must be from 0 to outerConeAngle, which is 0.5, got -1":                              lit(`{"type":"spot","spot":{"innerConeAngle":-1,"outerConeAngle":0.5}}`, ""),
		"KHR_lights_punctual.lights[0]: json: cannot unmarshal string into Go struct field light.intensity of type float64": lit(`{"type":"point","intensity":"bright"}`, ""),
		"node 1: extensions.KHR_lights_punctual.light: is missing":                                                          lit(`{"type":"point"}`, `{},{"extensions":{"KHR_lights_punctual":{}}}`),
		"node 0: extensions.KHR_lights_punctual.light: there is no light 1, the file has 1":                                 lit(`{"type":"point"}`, `{"extensions":{"KHR_lights_punctual":{"light":1}}}`),
		"node 0: extensions.KHR_lights_punctual.light: there is no light -1, the file has 1":                                lit(`{"type":"point"}`, `{"extensions":{"KHR_lights_punctual":{"light":-1}}}`),
		"node 0: extensions.KHR_lights_punctual.light: there is no light 0, the file has 0":                                 glb(`{"asset":{"version":"2.0"},"nodes":[{"extensions":{"KHR_lights_punctual":{"light":0}}}]}`, nil),
	} {
		limits := map[string]gltf.Limits{
			"more than 3 nodes": {Nodes: 3}, "more than 1 triangles": {Triangles: 1}, "is more than 2 deep": {Depth: 2},
			"more than 2 vertices": {Vertices: 2}, "more than 1 lights": {Nodes: 1}, "bytes, at most 100 are allowe": {Bytes: 100},
		}[want]
		if _, err := gltf.Decode(data, limits); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
	node := func(change func(n *gltf.Node)) *gltf.Document {
		n := gltf.Identity()
		change(&n)
		return &gltf.Document{Nodes: []gltf.Node{n}}
	}
	picture := &gltf.Image{MIME: gltf.PNG, Data: []byte{1}}
	mesh := func(material int, g gltf.Geometry) []gltf.Mesh {
		g.Positions, g.Triangles = make([][3]float32, 3), [][3]uint32{{0, 1, 2}}
		return []gltf.Mesh{{Primitives: []gltf.Primitive{{Geometry: &g, Material: material}}}}
	}
	for want, doc := range map[string]*gltf.Document{
		"cannot be its parent": node(func(n *gltf.Node) { n.Parent = 0 }),
		"there is no mesh 0":   node(func(n *gltf.Node) { n.Mesh = 0 }),
		"not finite":           node(func(n *gltf.Node) { n.Scale[1] = math.Inf(1) }),
		"no JSON object":       node(func(n *gltf.Node) { n.Extras = json.RawMessage("7") }),
		"no primitives":        {Meshes: []gltf.Mesh{{}}},
		"no triangles":         {Meshes: []gltf.Mesh{{Primitives: []gltf.Primitive{{}}}}},
		"must be image/png":    {Materials: []gltf.Material{{ColorImage: &gltf.Image{MIME: "image/webp", Data: []byte{1}}}}},
		"of 0 bytes":           {Materials: []gltf.Material{{ColorImage: &gltf.Image{MIME: gltf.PNG}}}},
		"of its normals":       {Materials: []gltf.Material{{NormalImage: picture, NormalScale: math.NaN()}}},
		"no coordinates":       {Materials: []gltf.Material{{SurfaceImage: picture}}, Meshes: mesh(0, gltf.Geometry{})},
		"3 positions and 1 co": {Meshes: mesh(gltf.None, gltf.Geometry{Coords: make([][2]float32, 1)})},
		"coordinate 0":         {Meshes: mesh(gltf.None, gltf.Geometry{Coords: [][2]float32{{float32(math.Inf(1))}, {}, {}}})},
		"0 normals and 3 tang": {Meshes: mesh(gltf.None, gltf.Geometry{Tangents: make([][4]float32, 3)})},
		"tangent 0":            {Meshes: mesh(gltf.None, gltf.Geometry{Normals: make([][3]float32, 3), Tangents: make([][4]float32, 3)})},
		"extras are no JSON":   {Materials: []gltf.Material{{Extras: json.RawMessage("[]")}}},
		"from 0 to 1":          {Materials: []gltf.Material{{Roughness: 2}}},
		"there is no light 0":  node(func(n *gltf.Node) { n.Light = 0 }),
		"light 0: type":        {Lights: []gltf.Light{{}}},
		"light 0: color":       {Lights: []gltf.Light{{Kind: gltf.Point, Color: [3]float64{0, 0, math.NaN()}}}},
		"light 0: intensity":   {Lights: []gltf.Light{{Kind: gltf.Point, Intensity: math.Inf(1)}}},
		"light 0: range":       {Lights: []gltf.Light{{Kind: gltf.Point, Range: math.NaN()}}},
		"spot.outerConeAngle":  {Lights: []gltf.Light{{Kind: gltf.Spot}}},
		"spot.innerConeAngle":  {Lights: []gltf.Light{{Kind: gltf.Spot, Inner: 1, Outer: 1}}},
	} {
		if _, err := gltf.Encode(doc); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
}

// TestImagesThatCannotBeHad reads files whose images, or the coordinates by which they lie, are not read: the rest is, and it is told what is missing.
func TestImagesThatCannotBeHad(t *testing.T) {
	worn := func(on, texture, image string) []byte {
		return glb(`{"asset":{"version":"2.0"},"buffers":[{"byteLength":100}],"bufferViews":[{"byteLength":100},{"byteLength":101}],"materials":[{"doubleSided":true,"normalTexture":`+on+`}],"textures":[`+texture+`],"images":[`+image+`]}`, square())
	}
	const image = `{"bufferView":0,"mimeType":"image/png"}`
	moved := func(how string) []byte {
		return worn(`{"index":0,"extensions":{"KHR_texture_transform":{`+how+`}}}`, `{"source":0}`, image)
	}
	for _, tt := range []struct {
		file []byte
		most int // bytes of images
		lost string
	}{
		{worn(`{"index":0}`, `{"source":0}`, image), 100, ""},
		{worn(`{"index":0}`, `{"source":0}`, image), 99, "image 0 has 100 bytes, and of those that all images may have 99 are left"},
		{worn(`{"index":1}`, `{"source":0}`, image), 100, "there is no texture 1"},
		{worn(`{"index":0,"texCoord":-1}`, `{"source":0}`, image), 100, "texture 0: texCoord: must be 0 or more, got -1"},
		{moved(`"offset":[0,0],"scale":[1,1],"rotation":0`), 100, ""},
		{moved(`"offset":[0.5,0],"scale":[-2,1],"rotation":1,"texCoord":1`), 100, ""},
		{moved(`"offset":null,"scale":null,"rotation":null,"texCoord":null,"other":[]`), 100, ""},
		{moved(`"offset":[0.5]`), 100, "texture 0: extensions.KHR_texture_transform.offset: must be two numbers, got 1"},
		{moved(`"offset":[]`), 100, "texture 0: extensions.KHR_texture_transform.offset: must be two numbers, got 0"},
		{moved(`"scale":[1,2,3]`), 100, "texture 0: extensions.KHR_texture_transform.scale: must be two numbers, got 3"},
		{moved(`"scale":[1e999,1]`), 100, "texture 0: extensions.KHR_texture_transform: json: cannot unmarshal number 1e999 into Go struct field transform.scale of type float64"},
		{moved(`"rotation":"left"`), 100, "texture 0: extensions.KHR_texture_transform: json: cannot unmarshal string into Go struct field transform.rotation of type float64"},
		{moved(`"texCoord":0.5`), 100, "texture 0: extensions.KHR_texture_transform: json: cannot unmarshal number 0.5 into Go struct field transform.texCoord of type int"},
		{moved(`"texCoord":-1`), 100, "texture 0: texCoord: must be 0 or more, got -1"},
		{worn(`{"index":0,"extensions":{"KHR_texture_transform":null,"other":1}}`, `{"source":0}`, image), 100, ""},
		{worn(`{"index":0,"extensions":{"KHR_texture_transform":[1]}}`, `{"source":0}`, image), 100, "texture 0: extensions.KHR_texture_transform: json: cannot unmarshal array into Go value of type gltf.transform"},
		{worn(`{"index":0}`, `{"extensions":{}}`, image), 100, "texture 0 has no image/png or image/jpeg image"},
		{worn(`{"index":0}`, `{"source":0}`, `{"uri":"a.png"}`), 100, "image 0 is not in the file"},
		{worn(`{"index":0}`, `{"source":0}`, `{"bufferView":0,"mimeType":"image/webp"}`), 100, "image 0 is neither image/png nor image/jpeg: image/webp"},
		{worn(`{"index":0}`, `{"source":0}`, `{"bufferView":1,"mimeType":"image/png"}`), 100, "buffer view 1 goes beyond the buffer"},
	} {
		var want []string
		if tt.lost != "" {
			want = []string{"material 0: its bumps: " + tt.lost}
		}
		doc, err := gltf.Decode(tt.file, gltf.Limits{Images: tt.most})
		if err != nil || !slices.Equal(doc.Lost, want) || !doc.Materials[0].DoubleSided || (doc.Materials[0].NormalImage == nil) != (tt.lost != "") {
			t.Errorf("%s: %+v, %v", tt.lost, doc, err)
		}
	}
	lit := func(light string) []byte {
		return glb(`{"asset":{"version":"2.0"},"buffers":[{"byteLength":100}],"bufferViews":[{"byteLength":100}],"textures":[{"source":0}],"images":[`+image+`],
			"materials":[{"emissiveFactor":[1,0.5,0],"emissiveTexture":`+light+`}]}`, square())
	}
	for light, lost := range map[string]string{
		`{"index":0}`: "",
		`{"index":1}`: "there is no texture 1",
		`"all"`:       "json: cannot unmarshal string into Go value of type gltf.worn",
		`{"index":0,"extensions":{"KHR_texture_transform":1}}`: "texture 0: extensions.KHR_texture_transform: json: cannot unmarshal number into Go value of type gltf.transform",
	} {
		var want []string
		factor := [3]float64{1, 0.5, 0}
		if lost != "" {
			want, factor = []string{"material 0: its light: " + lost}, [3]float64{}
		}
		doc, err := gltf.Decode(lit(light), gltf.Limits{Images: 100})
		if err != nil || !slices.Equal(doc.Lost, want) || (doc.Materials[0].LightImage == nil) != (lost != "") || doc.Materials[0].Emissive != factor {
			t.Errorf("%s: %+v, %v", light, doc, err)
		}
	}
}

// TestCutoff reads how opaque an image has to be for there to be anything: only in the mode MASK, with what the material says of alpha.
func TestCutoff(t *testing.T) {
	for material, want := range map[string]float64{
		`"alphaCutoff":0.25,`:                      0,
		`"alphaMode":"OPAQUE","alphaCutoff":0.25,`: 0,
		`"alphaMode":"BLEND","alphaCutoff":0.25,`:  0,
		`"alphaMode":"MASK",`:                      0.5,
		`"alphaMode":"MASK","alphaCutoff":0.25,`:   0.25,
		`"alphaMode":"MASK","alphaCutoff":0,`:      0,
		`"alphaMode":"MASK","alphaCutoff":-1,`:     0,
		`"alphaMode":"MASK","alphaCutoff":7,`:      1,
		`"alphaMode":"MASK",` + `"pbrMetallicRoughness":{"baseColorFactor":[1,1,1,0.75],"baseColorTexture":{"index":0}}`:                   0.5 / 0.75,
		`"alphaMode":"MASK","alphaCutoff":0.25,` + `"pbrMetallicRoughness":{"baseColorFactor":[1,1,1,0.1],"baseColorTexture":{"index":0}}`: 1,
		`"alphaMode":"MASK",` + `"pbrMetallicRoughness":{"baseColorFactor":[1,1,1,0],"baseColorTexture":{"index":0}}`:                      0.5,
		`"alphaMode":"MASK",` + `"pbrMetallicRoughness":{"metallicRoughnessTexture":{"index":0}}`:                                          0,
	} {
		if !strings.Contains(material, "pbr") {
			material += `"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}`
		}
		doc, err := gltf.Decode(glb(`{"asset":{"version":"2.0"},"buffers":[{"byteLength":100}],"bufferViews":[{"byteLength":100}],"textures":[{"source":0}],
			"images":[{"bufferView":0,"mimeType":"image/png"}],"materials":[{`+material+`}]}`, square()), gltf.Limits{Images: 100})
		if err != nil || len(doc.Lost) > 0 || doc.Materials[0].Cutoff != want || want > 0 && doc.Materials[0].Color[3] != 1 {
			t.Errorf("%s: %+v, %v; want %v", material, doc, err, want)
		}
	}
}

// TestCoordinates reads coordinates of all the kinds that there may be, and passes over others.
func TestCoordinates(t *testing.T) {
	bin := square()
	for _, x := range []float32{0, 0.25, 1, -3, 0.5, 0.5, 7, 1} {
		bin = binary.LittleEndian.AppendUint32(bin, math.Float32bits(x))
	}
	at := len(bin)
	bin = append(bin, 0, 51, 255, 0, 102, 102, 0, 255, 0, 0, 51, 51, 255, 255, 0, 0, 102, 102, 102, 102, 0, 0, 255, 255)
	file := func(accessor string) []byte {
		return glb(`{"asset":{"version":"2.0"},"buffers":[{"byteLength":`+fmt.Sprint(len(bin))+`}],"bufferViews":[{"byteLength":96,"byteStride":24},{"byteOffset":96,"byteLength":4},{"byteOffset":100,"byteLength":32},{"byteOffset":`+fmt.Sprint(at)+`,"byteLength":24}],
			"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},{"bufferView":1,"componentType":5121,"count":4,"type":"SCALAR"},`+accessor+`],
			"meshes":[{"primitives":[{"attributes":{"POSITION":0,"TEXCOORD_0":2},"indices":1,"mode":5}]}]}`, bin)
	}
	for _, tt := range []struct {
		accessor string
		want     [][2]float32
		lost     string
	}{
		{`{"bufferView":2,"componentType":5126,"count":4,"type":"VEC2"}`, [][2]float32{{0, 0.25}, {1, -3}, {0.5, 0.5}, {7, 1}}, ""},
		{`{"bufferView":3,"componentType":5121,"normalized":true,"count":4,"type":"VEC2"}`, [][2]float32{{0, 0.2}, {1, 0}, {0.4, 0.4}, {0, 1}}, ""},
		{`{"bufferView":3,"byteOffset":8,"componentType":5123,"normalized":true,"count":4,"type":"VEC2"}`, [][2]float32{{0, 0.2}, {1, 0}, {0.4, 0.4}, {0, 1}}, ""},
		{`{"bufferView":3,"componentType":5121,"count":4,"type":"VEC2"}`, [][2]float32{{0, 51}, {255, 0}, {102, 102}, {0, 255}}, ""},
		{`{"bufferView":3,"componentType":5121,"normalized":true,"count":4,"type":"VEC3"}`, nil, "must have two floats, or numbers of one byte or two"},
		{`{"bufferView":2,"componentType":5126,"count":3,"type":"VEC2"}`, nil, "they are 3, and there are 4 positions"},
		{`{"bufferView":2,"componentType":5126,"count":5,"type":"VEC2"}`, nil, "go beyond its buffer view"},
		{`{"bufferView":3,"componentType":5126,"count":3,"type":"VEC2"}`, nil, "number 2 is ["},
		{`{"bufferView":2,"sparse":{},"componentType":5126,"count":4,"type":"VEC2"}`, nil, "is sparse"},
	} {
		doc, err := gltf.Decode(file(tt.accessor), gltf.Limits{Images: 1})
		if err != nil {
			t.Errorf("%s: %v", tt.accessor, err)
			continue
		}
		near := cmpopts.EquateApprox(0, 1e-6)
		if got := doc.Meshes[0].Primitives[0].Geometry.Coords; !cmp.Equal(got, tt.want, near) {
			t.Errorf("%s: %v, want %v", tt.accessor, got, tt.want)
		}
		if got := strings.Join(doc.Lost, "\n"); (got == "") != (tt.lost == "") || !strings.Contains(got, tt.lost) {
			t.Errorf("%s: lost %q, want %q", tt.accessor, got, tt.lost)
		}
	}
}

// TestQuantized reads what KHR_mesh_quantization makes of a square: whole numbers of all kinds, which a node makes small again.
func TestQuantized(t *testing.T) {
	var bin []byte
	for _, p := range [][3]int16{{-100, -100, 0}, {100, -100, 0}, {-100, 100, 0}, {100, 100, 50}} {
		for _, x := range append(p[:], 0) {
			bin = binary.LittleEndian.AppendUint16(bin, uint16(x))
		}
	}
	for range 4 {
		bin = append(bin, 73, 256-73, 73, 0) // a normal, aslant
	}
	for range 4 {
		bin = append(bin, 127, 0, 0, 256-127) // a tangent
	}
	bin = append(bin, 0, 0, 255, 0, 0, 255, 255, 255) // coordinates
	bin = append(bin, 0, 1, 2, 3)
	file := func(first string) []byte {
		return glb(`{"asset":{"version":"2.0"},"extensionsUsed":["KHR_mesh_quantization"],"extensionsRequired":["KHR_mesh_quantization"],"buffers":[{"byteLength":76}],
			"bufferViews":[{"byteLength":32,"byteStride":8},{"byteOffset":32,"byteLength":16,"byteStride":4},{"byteOffset":48,"byteLength":16},{"byteOffset":64,"byteLength":8},{"byteOffset":72,"byteLength":4}],
			"accessors":[{"bufferView":0,"count":4,"type":"VEC3",`+first+`},{"bufferView":1,"componentType":5120,"normalized":true,"count":4,"type":"VEC3"},{"bufferView":2,"componentType":5120,"normalized":true,"count":4,"type":"VEC4"},
				{"bufferView":3,"componentType":5121,"normalized":true,"count":4,"type":"VEC2"},{"bufferView":4,"componentType":5121,"count":4,"type":"SCALAR"}],
			"meshes":[{"primitives":[{"attributes":{"POSITION":0,"NORMAL":1,"TANGENT":2,"TEXCOORD_0":3},"indices":4,"mode":5}]}],"nodes":[{"mesh":0,"scale":[0.01,0.01,0.01]}]}`, bin)
	}
	doc, err := gltf.Decode(file(`"componentType":5122`), gltf.Limits{Images: 1})
	if err != nil || len(doc.Lost) > 0 {
		t.Fatal(err, doc)
	}
	third := float32(1 / math.Sqrt(3))
	normal, tangent := [3]float32{third, -third, third}, [4]float32{1, 0, 0, -1}
	want := &gltf.Geometry{
		Positions: [][3]float32{{-100, -100, 0}, {100, -100, 0}, {-100, 100, 0}, {100, 100, 50}},
		Normals:   [][3]float32{normal, normal, normal, normal}, Tangents: [][4]float32{tangent, tangent, tangent, tangent},
		Coords: [][2]float32{{0, 0}, {1, 0}, {0, 1}, {1, 1}}, Triangles: [][3]uint32{{0, 1, 2}, {1, 3, 2}},
	}
	if diff := cmp.Diff(want, doc.Meshes[0].Primitives[0].Geometry); diff != "" {
		t.Errorf("what was whole numbers (-want +got):\n%s", diff)
	}
	if doc, err = gltf.Decode(file(`"componentType":5122,"normalized":true`), gltf.Limits{}); err != nil || doc.Meshes[0].Primitives[0].Geometry.Positions[3] != [3]float32{100.0 / 32767, 100.0 / 32767, 50.0 / 32767} {
		t.Errorf("normalized: %v, %v", err, doc)
	}
	if _, err = gltf.Decode(file(`"componentType":5125`), gltf.Limits{}); err == nil || !strings.Contains(err.Error(), "accessor 0 must have three floats, or numbers of one byte or two") {
		t.Errorf("of four bytes: %v", err)
	}
}

// papered is a file of four corners of a square, and one image. They have two sets of coordinates, (0, 0), (1, 0), (0, 1), (1, 1) and twice that, and tangents.
func papered(top, materials, primitives string) []byte {
	bin := square()
	for set := range 2 {
		for _, x := range []float32{0, 0, 1, 0, 0, 1, 1, 1} {
			bin = binary.LittleEndian.AppendUint32(bin, math.Float32bits(x*float32(set+1)))
		}
	}
	for range 4 {
		for _, x := range []float32{1, 0, 0, 1} {
			bin = binary.LittleEndian.AppendUint32(bin, math.Float32bits(x))
		}
	}
	return glb(`{"asset":{"version":"2.0"},`+top+`"buffers":[{"byteLength":228}],
		"bufferViews":[{"byteLength":96,"byteStride":24},{"byteOffset":96,"byteLength":4},{"byteOffset":100,"byteLength":32},{"byteOffset":132,"byteLength":32},{"byteOffset":164,"byteLength":64}],
		"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},{"bufferView":0,"byteOffset":12,"componentType":5126,"count":4,"type":"VEC3"},{"bufferView":1,"componentType":5121,"count":4,"type":"SCALAR"},
			{"bufferView":2,"componentType":5126,"count":4,"type":"VEC2"},{"bufferView":3,"componentType":5126,"count":4,"type":"VEC2"},{"bufferView":4,"componentType":5126,"count":4,"type":"VEC4"}],
		"textures":[{"source":0}],"images":[{"bufferView":1,"mimeType":"image/png"}],"materials":[`+materials+`],"meshes":[{"primitives":[`+primitives+`]}]}`, bin)
}

// colored is a material with an image of colours that is moved; of which more can be said.
func colored(how, more string) string {
	return `{"pbrMetallicRoughness":{"baseColorTexture":{"index":0,"extensions":{"KHR_texture_transform":{` + how + `}}}` + more + `}}`
}

// sheet is a primitive of papered with all that it may have.
func sheet(material string) string {
	return `{"attributes":{"POSITION":0,"NORMAL":1,"TEXCOORD_0":3,"TEXCOORD_1":4,"TANGENT":5},"indices":2,"mode":5` + material + `}`
}

// TestMovedImages reads images that the extension KHR_texture_transform moves: the coordinates of the geometry are where it says.
func TestMovedImages(t *testing.T) {
	half := math.Sqrt(0.75)
	for _, tt := range []struct {
		how  string
		want [4][2]float64 // where (0, 0), (1, 0), (0, 1) and (1, 1) are
	}{
		{``, [4][2]float64{{0, 0}, {1, 0}, {0, 1}, {1, 1}}},
		{`"offset":[0.25,-0.5]`, [4][2]float64{{0.25, -0.5}, {1.25, -0.5}, {0.25, 0.5}, {1.25, 0.5}}},
		{`"scale":[2,-1]`, [4][2]float64{{0, 0}, {2, 0}, {0, -1}, {2, -1}}},
		{`"offset":[0,1],"scale":[1,-1]`, [4][2]float64{{0, 1}, {1, 1}, {0, 0}, {1, 0}}}, // the second example of the specification: from below
		{`"scale":[0,0],"offset":[0.5,0.5]`, [4][2]float64{{0.5, 0.5}, {0.5, 0.5}, {0.5, 0.5}, {0.5, 0.5}}},
		{`"rotation":1.5707963267948966`, [4][2]float64{{0, 0}, {0, -1}, {1, 0}, {1, -1}}}, // what was to the right is above
		{`"rotation":3.141592653589793`, [4][2]float64{{0, 0}, {-1, 0}, {0, -1}, {-1, -1}}},
		{`"rotation":-1.5707963267948966`, [4][2]float64{{0, 0}, {0, 1}, {-1, 0}, {-1, 1}}},
		{`"rotation":1e6`, [4][2]float64{{0, 0}, {0.9367521275, 0.3499935022}, {-0.3499935022, 0.9367521275}, {0.5867586254, 1.2867456297}}},
		{`"rotation":0.5235987755982988,"scale":[2,1],"offset":[1,0]`, [4][2]float64{{1, 0}, {1 + 2*half, -1}, {1.5, half}, {1.5 + 2*half, half - 1}}}, // scaled, then turned
		// The first example of the specification: the lower left quarter of the image.
		{`"offset":[0,1],"rotation":1.57079632679,"scale":[0.5,0.5]`, [4][2]float64{{0, 1}, {0, 0.5}, {0.5, 1}, {0.5, 0.5}}},
		{`"texCoord":1`, [4][2]float64{{0, 0}, {2, 0}, {0, 2}, {2, 2}}},
		{`"texCoord":1,"offset":[1,0]`, [4][2]float64{{1, 0}, {3, 0}, {1, 2}, {3, 2}}},
	} {
		doc, err := gltf.Decode(papered(`"extensionsRequired":["KHR_texture_transform"],`, colored(tt.how, ""), sheet(`,"material":0`)), gltf.Limits{Images: 100})
		if err != nil || len(doc.Lost) > 0 || doc.Materials[0].ColorImage == nil {
			t.Errorf("%s: %+v, %v", tt.how, doc, err)
			continue
		}
		g := doc.Meshes[0].Primitives[0].Geometry
		for i, got := range g.Coords {
			if want := tt.want[i]; !(math.Abs(float64(got[0])-want[0]) < 1e-6 && math.Abs(float64(got[1])-want[1]) < 1e-6) {
				t.Errorf("%s: coordinates %d are %v, want %v", tt.how, i, got, want)
			}
		}
		if moved := tt.how != "" && tt.how != `"texCoord":1`; len(g.Coords) != 4 || (len(g.Tangents) == 0) != moved {
			t.Errorf("%s: there are %d coordinates and %d tangents", tt.how, len(g.Coords), len(g.Tangents))
		}
	}
}

// TestTurnedImages turns images by any angle.
func TestTurnedImages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		angle := rapid.OneOf(rapid.Float64Range(-7, 7), rapid.Float64Range(-1e4, 1e4)).Draw(t, "angle")
		doc, err := gltf.Decode(papered("", colored(fmt.Sprintf(`"rotation":%v`, angle), ""), sheet(`,"material":0`)), gltf.Limits{Images: 100})
		if err != nil {
			t.Fatal(err)
		}
		got := doc.Meshes[0].Primitives[0].Geometry.Coords
		sin, cos := math.Sincos(angle)
		want := [][2]float32{{0, 0}, {float32(cos), float32(-sin)}, {float32(sin), float32(cos)}, {float32(cos + sin), float32(cos - sin)}}
		if !cmp.Equal(got, want, cmpopts.EquateApprox(0, 1e-6)) {
			t.Fatalf("turned by %v: %v, want %v", angle, got, want)
		}
	})
}

// TestWhichCoordinates: the material of a texture says which set of coordinates a geometry has, its extension before all.
func TestWhichCoordinates(t *testing.T) {
	on := func(set, how string) string {
		return `{"pbrMetallicRoughness":{"baseColorTexture":{"index":0,"texCoord":` + set + `,"extensions":{` + how + `}}}}`
	}
	for _, tt := range []struct {
		material string
		want     float32 // u of the second corner
	}{
		{on("0", ``), 1},
		{on("1", ``), 2},
		{on("1", `"KHR_texture_transform":{"texCoord":0}`), 1},
		{on("0", `"KHR_texture_transform":{"texCoord":1}`), 2},
		{on("1", `"KHR_texture_transform":{}`), 2},
		{on("7", ``), 0},
		{`{}`, 1},
	} {
		doc, err := gltf.Decode(papered("", tt.material, sheet(`,"material":0`)), gltf.Limits{Images: 100})
		if err != nil || len(doc.Lost) > 0 {
			t.Errorf("%s: %+v, %v", tt.material, doc, err)
			continue
		}
		g := doc.Meshes[0].Primitives[0].Geometry
		if tt.want == 0 && len(g.Coords) != 0 || tt.want != 0 && g.Coords[1] != [2]float32{tt.want, 0} || len(g.Tangents) != 4 {
			t.Errorf("%s: %v, tangents %v", tt.material, g.Coords, g.Tangents)
		}
	}
}

// TestMovedApart has one geometry with materials that move their images in different ways: it is as many as there are ways, and one where it has no coordinates
// or images are not wanted.
func TestMovedApart(t *testing.T) {
	materials := strings.Join([]string{colored(`"offset":[0.5,0]`, ""), colored(`"offset":[0,0.5]`, ""), colored(`"offset":[0.5,0],"rotation":0`, ""), colored("", ""), "{}"}, ",")
	on := func(sheet func(string) string) string {
		var list []string
		for i := range 5 {
			list = append(list, sheet(fmt.Sprintf(`,"material":%d`, i)))
		}
		return strings.Join(append(list, sheet("")), ",")
	}
	bare := func(material string) string {
		return `{"attributes":{"POSITION":0},"indices":2,"mode":5` + material + `}`
	}
	for _, tt := range []struct {
		sheet  func(string) string
		images int
		want   []int // which of all that are different it is
	}{
		{sheet, 100, []int{0, 1, 0, 2, 2, 2}},
		{sheet, 0, []int{0, 0, 0, 0, 0, 0}},
		{bare, 100, []int{0, 0, 0, 0, 0, 0}},
	} {
		doc, err := gltf.Decode(papered("", materials, on(tt.sheet)), gltf.Limits{Images: tt.images})
		if err != nil {
			t.Fatal(err)
		}
		var all []*gltf.Geometry
		var got []int
		for _, p := range doc.Meshes[0].Primitives {
			if !slices.Contains(all, p.Geometry) {
				all = append(all, p.Geometry)
			}
			got = append(got, slices.Index(all, p.Geometry))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("they are %v, want %v", got, tt.want)
		}
		if len(all) == 3 && (all[0].Coords[1] != [2]float32{1.5, 0} || all[1].Coords[1] != [2]float32{1, 0.5} || all[2].Coords[1] != [2]float32{1, 0}) {
			t.Errorf("they lie by %v, %v and %v", all[0].Coords, all[1].Coords, all[2].Coords)
		}
	}
	// Each is counted.
	const want = "the file has more than 7 vertices"
	if _, err := gltf.Decode(papered("", materials, on(sheet)), gltf.Limits{Images: 100, Vertices: 7}); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want an error with %q", err, want)
	}
}

// TestImagesThatLieOtherwise has images on one material that do not lie alike: the first decides, and others are not there.
func TestImagesThatLieOtherwise(t *testing.T) {
	const lost = " does not lie as its colours do, and all have to lie alike"
	surface := func(more string) string { return `,"metallicRoughnessTexture":{"index":0` + more + `}` }
	half := `,"extensions":{"KHR_texture_transform":{"offset":[0.5,0]}}`
	bumps := func(material, more string) string {
		return material[:len(material)-1] + `,"normalTexture":{"index":0` + more + `}}`
	}
	for _, tt := range []struct {
		material string
		images   [3]bool // colours, surface, bumps
		u        float32 // of the first corner
		lost     []string
	}{
		{bumps(colored(`"offset":[0.5,0]`, surface(half)), half), [3]bool{true, true, true}, 0.5, nil},
		{bumps(colored(`"offset":[0.5,0]`, surface(half)), ""), [3]bool{true, true, false}, 0.5, []string{"material 0: its bumps: texture 0" + lost}},
		{bumps(colored(`"offset":[0.5,0]`, surface("")), half), [3]bool{true, false, true}, 0.5, []string{"material 0: its roughness and metalness: texture 0" + lost}},
		{bumps(colored("", surface(half)), `,"texCoord":1`), [3]bool{true, false, false}, 0, []string{"material 0: its roughness and metalness: texture 0" + lost, "material 0: its bumps: texture 0" + lost}},
		{bumps(colored(`"offset":[1]`, surface(half)), ""), [3]bool{false, true, false}, 0.5, []string{
			"material 0: its colours: texture 0: extensions.KHR_texture_transform.offset: must be two numbers, got 1",
			"material 0: its bumps: texture 0 does not lie as its roughness and metalness do, and all have to lie alike",
		}},
		{bumps(strings.Replace(colored(`"offset":[1,0]`, ""), `"index":0`, `"index":7`, 1), half), [3]bool{false, false, true}, 0.5, []string{"material 0: its colours: there is no texture 7"}},
	} {
		doc, err := gltf.Decode(papered("", tt.material, sheet(`,"material":0`)), gltf.Limits{Images: 100})
		if err != nil {
			t.Errorf("%s: %v", tt.material, err)
			continue
		}
		m := &doc.Materials[0]
		if got := [3]bool{m.ColorImage != nil, m.SurfaceImage != nil, m.NormalImage != nil}; got != tt.images || !slices.Equal(doc.Lost, tt.lost) {
			t.Errorf("%s: images %v, want %v; lost %q, want %q", tt.material, got, tt.images, doc.Lost, tt.lost)
		}
		if got := doc.Meshes[0].Primitives[0].Geometry.Coords[0]; got != [2]float32{tt.u, 0} {
			t.Errorf("%s: it lies from %v on, want %v", tt.material, got, tt.u)
		}
	}
}

// TestMovedTooFar moves an image so far that coordinates would have no end: the geometry has none.
func TestMovedTooFar(t *testing.T) {
	for _, how := range []string{`"scale":[1e300,1]`, `"offset":[0,-1e39]`, `"scale":[1.7976931348623157e308,1.7976931348623157e308],"rotation":0.8`} {
		doc, err := gltf.Decode(papered("", colored(how, ""), sheet(`,"material":0`)), gltf.Limits{Images: 100})
		if err != nil || len(doc.Lost) != 1 || !strings.HasPrefix(doc.Lost[0], "accessor 3: coordinates in images: number ") || doc.Meshes[0].Primitives[0].Geometry.Coords != nil {
			t.Errorf("%s: %+v, %v", how, doc, err)
		}
	}
}

// TestVertexColors says of each mesh once that its vertices have colours, where it is told what is missing.
func TestVertexColors(t *testing.T) {
	text := strings.Replace(strip, `"POSITION":0,`, `"POSITION":0,"COLOR_0":1,`, 1)
	text = strings.Replace(text, `"mode":5}]}]`, `"mode":5},{"attributes":{"POSITION":0,"COLOR_0":1}}]},{"primitives":[{"attributes":{"POSITION":0},"indices":2,"mode":5}]},{"primitives":[{"attributes":{"POSITION":0},"mode":5},{"attributes":{"POSITION":0,"COLOR_0":1},"mode":5},{"attributes":{"POSITION":0},"mode":5}]},{"primitives":[{"attributes":{"POSITION":0,"COLOR_0":1},"mode":0}]}]`, 1)
	for images, want := range map[int][]string{0: nil, 1: {"mesh 0: the colours of its vertices are not shown", "mesh 2: the colours of its vertices are not shown"}} {
		doc, err := gltf.Decode(glb(text+`"nodes":[]}`, square()), gltf.Limits{Images: images})
		if err != nil || len(doc.Meshes) != 4 || !slices.Equal(doc.Lost, want) {
			t.Errorf("%+v, %v, want lost %q", doc, err, want)
		}
	}
}

// readAgain holds that what is read of a file can be written, and is read again as the same.
func readAgain(t rapid.TB, data []byte) {
	t.Helper()
	if doc, err := gltf.Decode(data, gltf.Limits{Bytes: 1 << 16, Vertices: 1000, Triangles: 1000, Images: 1 << 16}); err == nil {
		for _, m := range doc.Meshes {
			for _, p := range m.Primitives {
				if n := len(p.Geometry.Coords); n != 0 && n != len(p.Geometry.Positions) {
					t.Fatalf("%d positions have %d coordinates", len(p.Geometry.Positions), n)
				}
			}
		}
	}
	doc, err := gltf.Decode(data, gltf.Limits{Bytes: 1 << 16, Vertices: 1000, Triangles: 1000})
	if err != nil {
		return
	}
	for i := range doc.Meshes { // of points or lines nothing is left, and such a mesh cannot be written
		if len(doc.Meshes[i].Primitives) == 0 {
			return
		}
	}
	doc.Textures = 0 // their images were passed over
	again, err := gltf.Encode(doc)
	if err != nil {
		t.Fatalf("what was read cannot be written: %v", err)
	}
	read, err := gltf.Decode(again, gltf.Limits{})
	if err != nil {
		t.Fatalf("what was written cannot be read: %v", err)
	}
	if diff := cmp.Diff(doc, read, bits); diff != "" {
		t.Fatalf("(-first +second):\n%s", diff)
	}
}

// bits tells -0 from 0.
var bits = cmp.Comparer(func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) })

// FuzzDecode reads anything.
func FuzzDecode(f *testing.F) {
	laid, err := gltf.Encode(&gltf.Document{
		Materials: []gltf.Material{{ColorImage: &gltf.Image{MIME: gltf.PNG, Data: []byte{1}}, Extras: json.RawMessage(`{"a":1}`)}},
		Meshes: []gltf.Mesh{{Primitives: []gltf.Primitive{{Geometry: &gltf.Geometry{
			Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, Triangles: [][3]uint32{{0, 1, 2}}, Coords: [][2]float32{{0, 0}, {1, 0}, {0.5, 2}},
		}}}}},
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(laid)
	f.Add(glb(strip+`"nodes":[{"mesh":0,"children":[1]},{"name":"ü","extras":{"entity":"ent_1"}}]}`, square()))
	f.Add(glb(strip+`"nodes":[{"extras": { "a <b" : "&\u2028" } }],"scene":0,"scenes":[{"extras":{"of" : "the scene"}}]}`, square()))
	f.Add(glb(`{"asset":{"version":"2.0"},"nodes":[{"matrix":[0,0,-2,0, 0,3,0,0, 1,0,0,0, 5,6,7,1]},{"translation":[-0,0,0],"rotation":[-0,0,0,1]}]}`, nil))
	f.Add(lit(`{"type":"spot","name":"l","color":[1,0.5,2],"intensity":54.3,"range":9,"spot":{"innerConeAngle":0.1,"outerConeAngle":1.5707963705062866}},{"type":"directional"}`,
		`{"extensions":{"KHR_lights_punctual":{"light":0}},"children":[1]},{"extensions":{"KHR_lights_punctual":{"light":1}}}`))
	f.Add(papered(`"extensionsRequired":["KHR_texture_transform"],`, colored(`"offset":[0,1],"rotation":1.5,"scale":[0.5,-1],"texCoord":1`, ""), sheet(`,"material":0`)))
	f.Fuzz(func(t *testing.T, data []byte) { readAgain(t, data) })
}

// TestOddFiles reads files that keep to the grammar of glTF and to little else.
func TestOddFiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		one := func(name string, choices ...string) string { return rapid.SampledFrom(choices).Draw(t, name) }
		some := func(name string, least, most int, item func() string) string {
			var list []string
			for range rapid.IntRange(least, most).Draw(t, name) {
				list = append(list, item())
			}
			return "[" + strings.Join(list, ",") + "]"
		}
		extras := func() string {
			return one("extras", "", "", `,"extras":{}`, `,"extras":{ "a" : 1.0 }`, `,"extras":null`, `,"extras":[1]`, `,"extras":{"a":"<\u2028\ud800\/","a":2}`, ",\"extras\":\t{\"\xff\":1e400}\n", `,"Extras":{"é":[[{}]]}`)
		}
		name := func() string {
			return one("name", "", `,"name":""`, `,"name":"a<b>&\u2028"`, `,"name":"\ud800"`, ",\"name\":\"\xff\"", `,"name":null`)
		}
		number := func() string {
			return one("number", "0", "-0", "1", "-1", "1e-400", "5e-324", "1.7976931348623157e308", "0.1", "-2.5", "16777217", "1E+2")
		}
		rotation := func() string {
			return one("rotation", "[0,0,0,1]", "[-0,0,0,1]", "[0,0,0,-1]", "[0,0,0,1.0004]", "[0.5,-0.5,0.5,0.5]", "[1,-0,0]", "null", "[0,0,0,1,5]")
		}
		vectors := func(offset string) string {
			return fmt.Sprintf(`{"bufferView":%s,"byteOffset":%s,"componentType":5126,"count":%s,"type":"VEC3"%s}`,
				one("view", "0", "0", "2"), offset, one("count", "4", "4", "4", "3", "1", "0"), one("more", "", `,"normalized":true`))
		}
		numbers := func() string {
			return one("indices", `{"bufferView":1,"componentType":5121,"count":4,"type":"SCALAR"}`, `{"bufferView":1,"componentType":5121,"byteOffset":1,"count":3,"type":"SCALAR"}`,
				`{"bufferView":1,"componentType":5123,"count":2,"type":"SCALAR"}`, `{"bufferView":0,"componentType":5125,"count":3,"type":"SCALAR"}`, `{"bufferView":1,"componentType":5121,"count":0,"type":"SCALAR"}`)
		}
		of := func(member string, count int, rare ...string) string { // an index, or none
			choices := append([]string{"", ""}, rare...)
			for i := range count {
				choices = append(choices, fmt.Sprintf(`,%q:%d`, member, i))
			}
			return one(member, choices...)
		}
		materials, meshes, lights := rapid.IntRange(0, 2).Draw(t, "materials"), rapid.IntRange(0, 2).Draw(t, "meshes"), rapid.IntRange(0, 2).Draw(t, "lights")
		angle := func() string {
			return one("angle", "0", "-0", "5e-324", "1e-323", "0.5", "0.7853981633974483", "1.5707963267948963", "1.5707963267948966", "1.5707963705062866", "2", "null")
		}
		light := func() string {
			text := `{"type":` + one("kind", `"point"`, `"spot"`, `"spot"`, `"spot"`, `"directional"`) + name() + extras()
			if rapid.Bool().Draw(t, "a color") {
				text += `,"color":` + some("parts", 3, 3, func() string { return one("part", "0", "-0", "1", "0.1", "0.1", "3", "5e-324", "1e308") })
			}
			text += one("intensity", "", "", `,"intensity":0`, `,"intensity":-0`, `,"intensity":1e300`, `,"intensity":5e-324`, `,"intensity":54351.4`, `,"intensity":null`)
			text += one("range", "", "", `,"range":5e-324`, `,"range":40`, `,"range":1.7e308`, `,"range":null`)
			return text + one("spot", "", `,"spot":{}`, `,"spot":null`, `,"spot":{"outerConeAngle":`+angle()+`}`, `,"spot":{"innerConeAngle":`+angle()+`,"outerConeAngle":`+angle()+`}`) + "}"
		}
		primitive := func() string {
			return fmt.Sprintf(`{"attributes":{"POSITION":%s%s}%s%s%s}`, one("position", "0", "0", "1"), one("normal", "", "", `,"NORMAL":0`, `,"NORMAL":1`),
				one("indices", "", "", `,"indices":2`, `,"indices":null`), of("mode", 0, `,"mode":4`, `,"mode":5`, `,"mode":6`, `,"mode":0`), of("material", materials, `,"material":null`))
		}
		children := make([]string, rapid.IntRange(0, 4).Draw(t, "nodes"))
		for i := range children {
			if above := rapid.IntRange(-1, len(children)-1).Draw(t, "parent"); above >= 0 && above != i {
				children[above] = strings.TrimPrefix(fmt.Sprintf("%s,%d", children[above], i), ",")
			}
		}
		node := func(children string) string {
			text := `{"weights":[]` + name() + extras() + of("mesh", meshes, `,"mesh":null`) + one("children", `,"children":[`+children+`]`, `,"Children":[`+children+`]`)
			if rapid.Bool().Draw(t, "translation") {
				text += `,"translation":` + some("parts", 3, 3, number)
			}
			if rapid.Bool().Draw(t, "scale") {
				text += `,"scale":` + some("parts", 2, 4, number)
			}
			if rapid.Bool().Draw(t, "turned") {
				text += `,"rotation":` + rotation()
			}
			text += of("extensions", 0, `,"extensions":null`, `,"extensions":{}`, `,"extensions":{"KHR_lights_punctual":null,"other":[]}`)
			if lights > 0 && rapid.Bool().Draw(t, "lit") {
				text += fmt.Sprintf(`,"extensions":{"KHR_lights_punctual":{"light":%d}}`, rapid.IntRange(0, lights-1).Draw(t, "its light"))
			}
			return text + one("matrix", "", "", `,"matrix":[0,0,-2,0, 0,3,0,0, 1,0,0,0, 5,6,7,1]`, `,"matrix":[1,0,0,0, 0,-1,0,0, 0,0,1e100,0, -0,0,1e308,1]`, `,"matrix":[-1,0,0,-0, 0,-1,0,0, 0,0,-1,0, 0,0,0,1]`) + "}"
		}
		material := func() string {
			factor := func() string { return one("factor", "0", "-0", "1", "5e-324", "0.9999999999999999", "0.1") }
			return `{"doubleSided":` + one("sides", "true", "false", "null") + name() + one("surface", "", `,"pbrMetallicRoughness":null`, `,"pbrMetallicRoughness":{"baseColorFactor":`+some("parts", 3, 4, factor)+`,"metallicFactor":`+factor()+`}`, `,"pbrMetallicRoughness":{"roughnessFactor":`+factor()+`}`) + one("mode", "", `,"alphaMode":"BLEND"`, `,"alphaMode":"MASK"`, `,"alphaMode":null`) + "}"
		}
		bin := rapid.SampledFrom([][]byte{square(), make([]byte, 100), bytes.Repeat([]byte{0, 1, 0, 128}, 25), bytes.Repeat([]byte{2, 0, 1, 0}, 25)}).Draw(t, "bytes")
		text := `{"asset":{"version":"2.0"` + one("generator", "", `,"generator":"<\udfff>"`, `,"minVersion":"2.0"`) + `},"buffers":[{"byteLength":100}],"bufferViews":[{"buffer":0,"byteLength":96,"byteStride":24},{"byteOffset":96,"byteLength":4},{"byteLength":100}],` +
			`"accessors":[` + vectors("0") + "," + vectors("12") + "," + numbers() + `],"materials":` + some("materials", materials, materials, material) +
			`,"meshes":` + some("meshes", meshes, meshes, func() string { return `{"primitives":` + some("primitives", 1, 2, primitive) + name() + "}" }) +
			`,"extensions":{"KHR_lights_punctual":` + one("lights", `{"lights":`+some("lights", lights, lights, light)+`}`, `{"lights":`+some("lights", lights, lights, light)+`}`, `null`, `{}`) + `},"nodes":[`
		for i := range children {
			text += strings.Repeat(",", min(i, 1)) + node(children[i])
		}
		text += `],"scene":` + one("scene", "0", "1", "-1", "null") + `,"scenes":` + some("scenes", 0, 2, func() string { return `{"nodes":[0]` + extras() + "}" }) + "}"
		readAgain(t, append(glb(text, bin), one("trailing", "", "", "x")...))
	})
}
