package picture_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/skills/mesh"
	"github.com/limina-mcp/limina/skills/picture"
	"github.com/limina-mcp/limina/world"
)

// halves returns the file of an image that is of one colour above and of another below.
func halves(t testing.TB, above, below color.Color) material.Image {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 8, 8))
	for i := range 64 {
		c := above
		if i >= 32 {
			c = below
		}
		img.Set(i%8, i/8, c)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	read, err := material.Read(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// withMaterials serves the skills of a world that keeps imported materials.
func withMaterials(t *testing.T) (*skilltest.Server, *material.Library) {
	t.Helper()
	var library *material.Library
	s := skilltest.New(t, func(w *world.World, _ *agents.Agents) []registry.Skill {
		library = material.New(w)
		return picture.All(picture.Source{World: w, Materials: library})
	})
	return s, library
}

// imports makes a material of a world, and gives it to its entities.
func imports(t *testing.T, s *skilltest.Server, l *material.Library, name string, set material.Set, images ...material.Image) {
	t.Helper()
	_, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
		if _, err := l.Import(tx, name, set, images...); err != nil {
			return err
		}
		white := uint32(0xffffff)
		for id := range tx.All() {
			if err := s.World.Materials.Set(tx, id, world.Material{Name: name, Color: &white}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestSurfaceShows looks at a box whose material is green above and blue below, at the next picture too, and at what becomes of it: another image under the
// same name shows, and without the material the box is white.
func TestSurfaceShows(t *testing.T) {
	s, library := withMaterials(t)
	row(t, s, 1)
	colors := func() (above, below [3]uint32) {
		t.Helper()
		_, img := look(t, s, `{"view":"front","format":"png","grid":false,"shadows":false,"width":200,"height":200}`)
		at := func(x, y int) [3]uint32 {
			r, g, b, _ := img.At(x, y).RGBA()
			return [3]uint32{r >> 8, g >> 8, b >> 8}
		}
		return at(100, 80), at(100, 120)
	}
	mostly := func(c [3]uint32, channel int) bool {
		for i, x := range c {
			if i != channel && x+60 > c[channel] {
				return false
			}
		}
		return true
	}
	green := halves(t, color.RGBA{40, 230, 40, 255}, color.RGBA{40, 40, 230, 255})
	red := halves(t, color.RGBA{230, 30, 30, 255}, color.RGBA{40, 230, 40, 255})
	set := material.Set{Albedo: green.Hash, Scale: 1, BaseRoughness: 1, Color: 0xffffff, Mean: green.Mean}
	imports(t, s, library, "flag", set, green)
	for range 2 {
		// The middle of the box is where the image begins: above it is the lower half.
		if above, below := colors(); !mostly(above, 2) || !mostly(below, 1) {
			t.Errorf("the box is %v above and %v below, want it blue and green", above, below)
		}
	}
	set.Albedo = red.Hash
	imports(t, s, library, "flag", set, red)
	if above, below := colors(); !mostly(above, 1) || !mostly(below, 0) {
		t.Errorf("with another image the box is %v above and %v below, want it green and red", above, below)
	}
	imports(t, s, library, "other", set, red)
	_, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
		return s.World.Materials.Set(tx, 1, world.Material{Name: "lost", Color: new(uint32(0xffffff))})
	})
	if err != nil {
		t.Fatal(err)
	}
	if above, below := colors(); above != below || mostly(above, 0) || mostly(above, 1) || mostly(above, 2) {
		t.Errorf("of a material that nobody has the box is %v above and %v below", above, below)
	}
}

// TestModelShows looks at a square that says that it is of the upper half of an image, and not where that repeats.
func TestModelShows(t *testing.T) {
	var library *material.Library
	var meshes *mesh.Meshes
	s := skilltest.New(t, func(w *world.World, _ *agents.Agents) []registry.Skill {
		library, meshes = material.New(w), mesh.New(w)
		return picture.All(picture.Source{World: w, Materials: library, Meshes: meshes})
	})
	_, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
		id, err := tx.Create(world.Spec{})
		if err != nil {
			return err
		}
		asset, err := meshes.Add(tx, &gltf.Geometry{
			Positions: [][3]float32{{-1, 1, 0}, {1, 1, 0}, {1, -1, 0}, {-1, -1, 0}}, Triangles: [][3]uint32{{0, 3, 2}, {0, 2, 1}},
			Coords: [][2]float32{{0, 0.1}, {1, 0.1}, {1, 0.4}, {0, 0.4}},
		})
		if err != nil {
			return err
		}
		return meshes.Give(tx, id, asset, 0xffffff)
	})
	if err != nil {
		t.Fatal(err)
	}
	img := halves(t, color.RGBA{40, 230, 40, 255}, color.RGBA{40, 40, 230, 255})
	for mapped, want := range map[bool][2]string{true: {"green", "green"}, false: {"blue", "green"}} {
		imports(t, s, library, "flag", material.Set{Albedo: img.Hash, Mapped: mapped, Scale: 0.5, BaseRoughness: 1, Color: 0xffffff, Mean: img.Mean}, img)
		_, shown := look(t, s, `{"view":"front","format":"png","grid":false,"shadows":false,"width":200,"height":200}`)
		for i, y := range []int{80, 120} {
			_, g, b, _ := shown.At(100, y).RGBA()
			if got := map[bool]string{true: "green", false: "blue"}[g > b]; got != want[i] {
				t.Errorf("mapped %t: at %d it is %s, want %s", mapped, y, got, want[i])
			}
		}
	}
}

// TestImage gets the file of an image as it was, while a material has it.
func TestImage(t *testing.T) {
	s, library := withMaterials(t)
	row(t, s, 1)
	img := halves(t, color.White, color.Black)
	imports(t, s, library, "flag", material.Set{Albedo: img.Hash, Scale: 1}, img)
	ask := func(hash string) (out picture.ImageOut, err error) {
		input, _ := json.Marshal(picture.ImageIn{Hash: hash})
		res := s.Registry.Invoke(t.Context(), &registry.Request{Name: "scene.image", Input: input, Principal: skilltest.Caller(t, "ann", "system.readonly")}, nil)
		if res.Err != nil {
			return out, res.Err
		}
		return out, json.Unmarshal(res.Output, &out)
	}
	out, err := ask(img.Hash)
	if err != nil {
		t.Fatal(err)
	}
	data, err := base64.StdEncoding.DecodeString(out.Data)
	if sum := sha256.Sum256(data); err != nil || hex.EncodeToString(sum[:]) != img.Hash || out.MIMEType != "image/png" {
		t.Errorf("the image is %v of %s, %v", data, out.MIMEType, err)
	}
	other := halves(t, color.Black, color.White)
	imports(t, s, library, "flag", material.Set{Albedo: other.Hash, Scale: 1}, other)
	want := "hash: no material of this world has an image \"" + img.Hash + "\": the table materials has the hashes of all"
	if _, err := ask(img.Hash); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("when no material has it: %v", err)
	}
	if _, err := ask("beef"); err == nil || !strings.Contains(err.Error(), "hash: ") {
		t.Errorf("of what is no hash: %v", err)
	}
	skilltest.Needs(t, func(w *world.World, _ *agents.Agents) []registry.Skill {
		return picture.All(picture.Source{World: w, Materials: material.New(w)})
	}, "scene.image", `{"hash":"`+img.Hash+`"}`, "scene.read",
		"builder.readWrite", "builder.review", "combat.writer", "game.author", "npc.agent", "player.full", "player.limited", "reviewer", "reviewer.coordinator", "social.actor", "system.readonly", "terrain.author", "vfx.writer", "world.author")
}
