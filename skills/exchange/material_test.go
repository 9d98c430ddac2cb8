package exchange_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/internal/race"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/exchange"
	"github.com/limina-mcp/limina/skills/history"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/skills/picture"
	"github.com/limina-mcp/limina/skills/prefab"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/world"
)

// checks is a picture of two colours.
func checks(side int, a, b color.Color) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			c := a
			if (x*2/side+y*2/side)%2 == 1 {
				c = b
			}
			img.Set(x, y, c)
		}
	}
	return img
}

// textures returns a folder with images, good ones and bad ones.
func textures(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	put := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	asPNG := func(img image.Image) []byte {
		var b bytes.Buffer
		if err := png.Encode(&b, img); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	cobble := asPNG(checks(8, color.RGBA{120, 110, 100, 255}, color.RGBA{60, 60, 60, 255}))
	put("cobble.png", cobble)
	put("copy.png", cobble)
	put("cobble_n.png", asPNG(checks(8, color.RGBA{128, 128, 255, 255}, color.RGBA{200, 128, 200, 255})))
	put("cobble_r.png", asPNG(checks(8, color.Gray{255}, color.Gray{90})))
	var b bytes.Buffer
	if err := jpeg.Encode(&b, checks(16, color.White, color.RGBA{200, 0, 0, 255}), nil); err != nil {
		t.Fatal(err)
	}
	put("paint.jpg", b.Bytes())
	put("half.png", cobble[:len(cobble)/2])
	put("note.png", []byte("this is a text"))
	put("large.png", head(100_000, 100_000))
	put("wide.png", asPNG(image.NewGray(image.Rect(0, 0, material.MaxSide+1, 1))))
	put("widest.png", asPNG(image.NewGray(image.Rect(0, 0, material.MaxSide, 1))))
	put("long.png", append(slices.Clone(cobble), make([]byte, material.MaxFile+1-len(cobble))...))
	put("notes.txt", []byte("no image"))
	if err := os.Mkdir(filepath.Join(dir, "folder.png"), 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// head is the beginning of a PNG of a size: who reads more than that has read it before he looked at the size.
func head(width, height uint32) []byte {
	chunk := append(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte("IHDR"), width), height), 8, 6, 0, 0, 0)
	file := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), chunk...)
	return binary.BigEndian.AppendUint32(file, crc32.ChecksumIEEE(chunk))
}

func sum(t testing.TB, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	hash := sha256.Sum256(data)
	return hex.EncodeToString(hash[:])
}

// surfaces are the skills of a server that have to do with materials.
func surfaces(dir string) skilltest.Skills {
	return func(w *world.World, _ *agents.Agents) []registry.Skill {
		return slices.Concat(exchange.Materials(exchange.Deps{World: w, Materials: material.New(w), Dir: dir}), scene.All(w), three.All(w), history.All(w))
	}
}

func TestImportMaterial(t *testing.T) {
	dir := textures(t)
	albedo, normal, rough, paint := sum(t, dir, "cobble.png"), sum(t, dir, "cobble_n.png"), sum(t, dir, "cobble_r.png"), sum(t, dir, "paint.jpg")
	skilltest.Run(t, surfaces(dir), "material.import", []skilltest.Case{
		{
			Name: "an albedo", Input: `{"name":"cobble","albedo":"cobble.png"}`,
			Want:  `{"name":"cobble","maps":["albedo"],"hashes":{"albedo":"` + albedo + `"}}`,
			Check: sees(`{"cobble":{"albedo":"` + albedo + `","scale":0.5,"normalStrength":1,"sharpness":4,"metalness":0,"baseRoughness":0.85,"color":16777215,"mean":5920080}}`),
		},
		{
			Name:  "everything",
			Input: `{"name":"cobble","albedo":"cobble.png","normal":"cobble_n.png","roughness":"cobble_r.png","triplanar":true,"scale":2,"normalStrength":0,"sharpness":8,"metalness":0.5,"baseRoughness":0,"color":255,"light":"paint.jpg","cutoff":0.25,"hashes":{"albedo":"` + strings.ToUpper(albedo) + `","light":"` + paint + `"}}`,
			Want:  `{"name":"cobble","maps":["albedo","normal","roughness","light"],"hashes":{"albedo":"` + albedo + `","light":"` + paint + `","normal":"` + normal + `","roughness":"` + rough + `"}}`,
			Check: sees(`{"cobble":{"albedo":"` + albedo + `","normal":"` + normal + `","roughness":"` + rough + `","light":"` + paint + `","triplanar":true,"scale":2,"normalStrength":0,"sharpness":8,"metalness":0.5,"baseRoughness":0,"color":255,"cutoff":0.25,"mean":5920080}}`),
		},
		{
			Name: "a JPEG", Input: `{"name":"paint","albedo":"paint.jpg"}`, Want: `{"name":"paint","maps":["albedo"],"hashes":{"albedo":"` + paint + `"}}`,
		},
		{
			Name: "as wide as may be", Input: `{"name":"wide","albedo":"widest.png"}`, Want: `{"name":"wide","maps":["albedo"],"hashes":{"albedo":"` + sum(t, dir, "widest.png") + `"}}`,
		},
		{Name: "the name of one that is there", Input: `{"name":"brick","albedo":"cobble.png"}`, Code: registry.CodeInvalidInput, Err: `name: brick is a material that every world has; choose another name`},
		{Name: "no such file", Input: `{"name":"a","albedo":"gravel.png"}`, Err: `albedo: there is no file gravel.png on the server; of images there are cobble.png, cobble_n.png, cobble_r.png, copy.png, folder.png, half.png, large.png, long.png, note.png, paint.jpg, wide.png, widest.png`},
		{Name: "no such file of another map", Input: `{"name":"a","albedo":"cobble.png","roughness":"cobble"}`, Err: `roughness: there is no file cobble on the server; of images there are cobble.png, cobble_n.png, cobble_r.png, copy.png, folder.png, half.png, large.png, long.png, note.png, paint.jpg, wide.png, widest.png`},
		{Name: "a folder", Input: `{"name":"a","albedo":"folder.png"}`, Err: `albedo: folder.png is no file`},
		{Name: "a text", Input: `{"name":"a","albedo":"cobble.png","normal":"note.png"}`, Code: registry.CodeInvalidInput, Err: `normal: note.png: this is no PNG or JPEG image`},
		{Name: "half a file", Input: `{"name":"a","albedo":"half.png"}`, Code: registry.CodeInvalidInput, Err: `albedo: half.png: it cannot be read: png: invalid format: not enough pixel data`},
		{Name: "too wide", Input: `{"name":"a","albedo":"wide.png"}`, Code: registry.CodeCapacityExceeded, Err: `albedo: wide.png: it has 2049×1 pixels, from 1×1 to 2048×2048 are allowed`},
		{Name: "too wide to be read", Input: `{"name":"a","roughness":"large.png","albedo":"cobble.png"}`, Code: registry.CodeCapacityExceeded, Err: `roughness: large.png: it has 100000×100000 pixels, from 1×1 to 2048×2048 are allowed`},
		{Name: "too long", Input: `{"name":"a","albedo":"long.png"}`, Code: registry.CodeCapacityExceeded, Err: `albedo: long.png has more than 4194304 bytes, which is what is allowed`},
		{Name: "another file than it was", Input: `{"name":"a","albedo":"cobble.png","hashes":{"albedo":"` + paint + `"}}`, Code: registry.CodeInvalidInput, Err: `hashes.albedo: the file cobble.png has ` + albedo},
		{Name: "a hash of nothing", Input: `{"name":"a","albedo":"cobble.png","hashes":{"normal":"` + normal + `"}}`, Code: registry.CodeInvalidInput, Err: `hashes.normal: hashes are of the files that are given as albedo, normal, roughness and light`},
		{Name: "scale", Input: `{"name":"a","albedo":"cobble.png","scale":0}`, Code: registry.CodeInvalidInput, Err: `scale: must be greater than 0 and at most 1000, got 0`},
		{Name: "roughness", Input: `{"name":"a","albedo":"cobble.png","baseRoughness":1.5}`, Code: registry.CodeInvalidInput, Err: `baseRoughness: must be at least 0 and at most 1, got 1.5`},
		{Name: "cutoff", Input: `{"name":"a","albedo":"cobble.png","cutoff":128}`, Code: registry.CodeInvalidInput, Err: `cutoff: must be at least 0 and at most 1, got 128`},
		{Name: "a way out", Input: `{"name":"a","albedo":"../cobble.png"}`, Code: registry.CodeInvalidInput, Err: `albedo: must be 1 to 100 letters, digits, dots, hyphens or underscores, the first no dot, got "../cobble.png"`},
		{Name: "permission", As: "social.actor", Input: `{"name":"a","albedo":"cobble.png"}`, Code: registry.CodeForbidden, Err: `missing permission: scene.write`},
	})
	skilltest.Needs(t, surfaces(dir), "material.import", `{"name":"cobble","albedo":"cobble.png"}`, "scene.write", "builder.readWrite", "builder.review", "terrain.author")
	nowhere := skilltest.New(t, surfaces(""))
	_, err := nowhere.Call(skilltest.Caller(t, "ann", skilltest.Builder), "material.import", `{"name":"a","albedo":"a.png"}`)
	if err == nil || !strings.Contains(err.Message, "albedo: the server has no folder for files: its operator gives one with --files DIR") {
		t.Errorf("without a folder: %v", err)
	}
}

// sees checks what viewers get of the materials.
func sees(want string) func(testing.TB, *skilltest.Server, *profiles.Principal) {
	return func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
		t.Helper()
		if got := s.Shared("materials"); got != want {
			t.Errorf("viewers get\n     %s\nwant %s", got, want)
		}
	}
}

// keptImages returns the hashes of the images that a world keeps.
func keptImages(t testing.TB, s *skilltest.Server) []string {
	t.Helper()
	var snapshot []byte
	s.World.View(func(v *world.View) { snapshot = v.AppendSnapshot(nil) })
	var kept struct {
		Tables map[string]map[string]json.RawMessage `json:"tables"`
	}
	if err := json.Unmarshal(snapshot, &kept); err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(maps.Keys(kept.Tables["material.images"]))
}

// TestMaterialIsReplaced imports again: viewers are told of other images, those that nobody has any more are gone, the same again is no commit,
// and each of it is taken back as a whole.
func TestMaterialIsReplaced(t *testing.T) {
	dir := textures(t)
	s, ann := skilltest.New(t, surfaces(dir)), skilltest.Caller(t, "ann", skilltest.Builder)
	empty := s.Content()
	s.Must(t, ann, "material.import", `{"name":"cobble","albedo":"cobble.png","normal":"cobble_n.png"}`)
	first := s.Content()
	tick := s.World.Tick()
	if out := s.Must(t, ann, "material.import", `{"name":"cobble","albedo":"copy.png","normal":"cobble_n.png"}`); s.World.Tick() != tick || !strings.Contains(out, `"replaced":true`) {
		t.Errorf("the same images by another name are a commit, or not said to be there: %s", out)
	}
	s.Must(t, ann, "material.import", `{"name":"cobble","albedo":"paint.jpg"}`)
	if got, want := keptImages(t, s), []string{sum(t, dir, "paint.jpg")}; !slices.Equal(got, want) {
		t.Errorf("the world keeps the images %v, want %v", got, want)
	}
	s.Must(t, ann, "world.undo", `{}`)
	if s.Content() != first {
		t.Error("the material that was replaced did not come back with its images")
	}
	s.Must(t, ann, "world.undo", `{}`)
	if s.Content() != empty {
		t.Error("something is left of a material that was taken back")
	}
	s.Must(t, ann, "world.redo", `{}`)
	if s.Content() != first {
		t.Error("the material did not come again with its images")
	}
}

// TestMaterialDryRun says what would be, and that it would not, and leaves nothing.
func TestMaterialDryRun(t *testing.T) {
	dir := textures(t)
	s, ann := skilltest.New(t, surfaces(dir)), skilltest.Caller(t, "ann", skilltest.Builder)
	before := s.World.Hash()
	for input, good := range map[string]bool{`{"name":"cobble","albedo":"cobble.png"}`: true, `{"name":"cobble","albedo":"note.png"}`: false} {
		res := s.Registry.Invoke(t.Context(), &registry.Request{Name: "material.import", Input: []byte(input), Principal: ann, DryRun: true}, nil)
		if (res.Err == nil) != good {
			t.Errorf("%s would be %s, %v", input, res.Output, res.Err)
		}
		if s.World.Hash() != before {
			t.Errorf("a dry run of %s has changed the world", input)
		}
	}
}

// TestMaterialsAreBounded imports as many materials as there may be, and as many bytes.
func TestMaterialsAreBounded(t *testing.T) {
	dir := t.TempDir()
	base := pngOf(t, 1)
	const files = material.MaxBytes / material.MaxFile
	for i := range files + 1 {
		// Behind the end of a PNG may be anything.
		data := append(slices.Clone(base), make([]byte, material.MaxFile-len(base))...)
		data[len(data)-1] = byte(i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.png", i)), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, ann := skilltest.New(t, surfaces(dir)), skilltest.Caller(t, "ann", skilltest.Builder)
	for i := range files {
		s.Must(t, ann, "material.import", fmt.Sprintf(`{"name":"m%d","albedo":"%d.png"}`, i, i))
	}
	before := s.World.Hash()
	last := fmt.Sprintf(`"albedo":"%d.png"}`, files)
	_, err := s.Call(ann, "material.import", `{"name":"more",`+last)
	want := fmt.Sprintf("with these images the world would keep %d bytes of them, at most %d are allowed: take smaller ones, or remove materials that nothing has (material.remove)", material.MaxBytes+material.MaxFile, material.MaxBytes)
	if err == nil || err.Code != registry.CodeCapacityExceeded || err.Message != want || s.World.Hash() != before {
		t.Errorf("too many bytes: %v, or the world is another one", err)
	}
	s.Must(t, ann, "material.import", `{"name":"m0",`+last) // in the place of as many
	if race.Enabled {
		return // reading 256 files of 4 MiB takes half a minute
	}
	for i := files; i < material.MaxMaterials; i++ {
		s.Must(t, ann, "material.import", fmt.Sprintf(`{"name":"m%d","albedo":"1.png"}`, i))
	}
	_, err = s.Call(ann, "material.import", `{"name":"more","albedo":"1.png"}`)
	want = `name: the world has 256 imported materials, which is the most; remove those that nothing has (material.remove), or import it under the name of one of them, such as "m0", to replace that`
	if err == nil || err.Code != registry.CodeCapacityExceeded || err.Message != want {
		t.Errorf("too many materials: %v", err)
	}
	s.Must(t, ann, "material.import", `{"name":"m7","albedo":"2.png"}`)
}

// TestRemoveMaterial removes materials that nothing has, by name and all at once, and takes that back.
func TestRemoveMaterial(t *testing.T) {
	dir := textures(t)
	with := func(w *world.World, a *agents.Agents) []registry.Skill {
		return append(surfaces(dir)(w, a), prefab.All(prefab.New(w))...)
	}
	s, ann := skilltest.New(t, with), skilltest.Caller(t, "ann", skilltest.Builder)
	do := func(name, input string) string { return s.Must(t, ann, name, input) }
	refused := func(input, want string) {
		t.Helper()
		if _, err := s.Call(ann, "material.remove", input); err == nil || err.Message != want {
			t.Errorf("%s: %v, want %s", input, err, want)
		}
	}
	refused(`{"name":"cobble"}`, "name: there is no imported material cobble; the world has none")
	for i, name := range []string{"cobble", "rock", "tiles", "gobi"} {
		do("material.import", fmt.Sprintf(`{"name":%q,"albedo":%q}`, name, []string{"cobble.png", "paint.jpg"}[i%2]))
	}
	do("scene.createEntity", `{"material":"cobble"}`)
	do("prefab.define", `{"name":"dune","operations":[{"skill":"scene.createEntity","input":{"material":"gobi"}}]}`)
	before := s.Content()
	refused(`{}`, `name: give a name, or "unused":true for all that nothing has`)
	refused(`{"name":"rock","unused":true}`, `name: give a name, or "unused":true for all that nothing has`)
	refused(`{"name":"brick"}`, "name: brick is a material that every world has, and keeps")
	refused(`{"name":"gravel"}`, "name: there is no imported material gravel; there are 4, such as cobble")
	refused(`{"name":"rocks"}`, "name: there is no imported material rocks; there are 4, such as rock")
	refused(`{"name":"cobble"}`, "name: ent_0 has cobble: give it another material with three.setMaterial first")
	do("scene.createEntity", `{"material":"cobble"}`)
	refused(`{"name":"cobble"}`, "name: 2 entities have cobble, such as ent_0: give them another material with three.setMaterial first")
	do("scene.destroyEntity", `{"entity":"ent_1"}`)
	if s.Content() != before {
		t.Error("what was refused has changed the world")
	}
	skilltest.Holds(t, "unused", do("material.remove", `{"unused":true}`), `{"removed":["rock","tiles"],"left":2}`)
	do("world.undo", `{}`)
	if s.Content() != before {
		t.Error("undo does not bring them back")
	}
	do("world.redo", `{}`)
	skilltest.Holds(t, "by name", do("material.remove", `{"name":"gobi"}`), `{"removed":["gobi"],"left":1}`)
	skilltest.Holds(t, "none", do("material.remove", `{"unused":true}`), `{"removed":[],"left":1}`)
	skilltest.Needs(t, with, "material.remove", `{"unused":true}`, "scene.write", "builder.readWrite", "builder.review", "terrain.author")
}

// pngOf returns a file of a picture of some pixels.
func pngOf(t testing.TB, side int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, side, side))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestMaterialDocs makes the calls that docs/building.md shows.
func TestMaterialDocs(t *testing.T) {
	dir := textures(t)
	s := skilltest.New(t, func(w *world.World, a *agents.Agents) []registry.Skill {
		l := material.New(w)
		return slices.Concat(exchange.Materials(exchange.Deps{World: w, Materials: l, Dir: dir}), scene.All(w), three.All(w), picture.All(picture.Source{World: w, Materials: l}))
	})
	s.Example(t, skilltest.Caller(t, "ann", skilltest.Builder), "../../docs/building.md", "## Surfaces of images", func(skill, out string) {
		if strings.Contains(out, `"note"`) {
			t.Errorf("%s: %s", skill, out)
		}
	})
	s.World.View(func(v *world.View) {
		wall, _ := s.World.Materials.Get(v, 1)
		rock, _ := s.World.Materials.Get(v, 2)
		if wall.Name != "cobble" || wall.Roughness == nil || *wall.Roughness != 0.3 || rock.Name != "boulder" || rock.Roughness != nil {
			t.Errorf("the wall is of %+v, the rock of %+v", wall, rock)
		}
	})
}
