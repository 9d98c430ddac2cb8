package picture_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"math"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/picture"
	"github.com/limina-mcp/limina/skills/ui"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/terrain"
)

func skills(w *world.World, _ *agents.Agents) []registry.Skill {
	panels := ui.New(w)
	return append(picture.All(picture.Source{World: w, Panels: panels}), ui.All(panels)...)
}

// row makes n boxes in rows of 30, each 1 m wide and 2 m from the next.
func row(t testing.TB, s *skilltest.Server, n int) {
	t.Helper()
	_, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
		for i := range n {
			id, err := tx.Create(world.Spec{Position: world.Vec3{2 * float64(i%30), 0.5, 2 * float64(i/30)}, Name: strings.Repeat("x", i%3)})
			if err != nil {
				return err
			}
			if err := s.World.Shapes.Set(tx, id, world.Shape{Kind: "box", Size: world.Vec3{1, 1, 1}, Color: 0x9c4a35}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// look calls scene.render and checks the picture against what is said of it.
func look(t testing.TB, s *skilltest.Server, input string) (picture.RenderOut, image.Image) {
	t.Helper()
	res := s.Registry.Invoke(t.Context(), &registry.Request{
		Name: "scene.render", Input: []byte(input), Principal: skilltest.Caller(t, "ann", "system.readonly"),
	}, nil)
	if res.Err != nil {
		t.Fatalf("%s: %v", input, res.Err)
	}
	var out picture.RenderOut
	if err := json.Unmarshal(res.Output, &out); err != nil {
		t.Fatal(err)
	}
	if len(res.Content) != 1 || res.Content[0].MIMEType != out.MIMEType || len(res.Content[0].Data) != out.Bytes || out.Bytes > picture.MaxFile {
		t.Fatalf("%s: says %+v, has %d contents", input, out, len(res.Content))
	}
	img, _, err := image.Decode(bytes.NewReader(res.Content[0].Data))
	if err != nil || img.Bounds() != image.Rect(0, 0, out.Width, out.Height) {
		t.Fatalf("%s: the picture has %v, %v", input, img.Bounds(), err)
	}
	return out, img
}

func TestRender(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := skilltest.New(t, skills)
		row(t, s, 60)
		for _, input := range []string{
			`{}`, `{"view":"sheet","labels":"id"}`, `{"style":"wireframe"}`, `{"style":"ids","view":"top"}`, `{"format":"jpeg","grid":false}`,
			`{"camera":{"position":[0,1.7,6],"target":[4,1,0]}}`, `{"fit":["ent_3"],"highlight":["ent_4"],"width":1280,"height":960}`,
		} {
			out, _ := look(t, s, input)
			listed := 0
			for _, v := range out.Views {
				listed += len(v.Entities)
				if v.Visible == 0 || len(v.Entities) == 0 {
					t.Errorf("%s: nothing shows: %+v", input, v)
				}
			}
			if out.Revision != 1 || listed > 40 {
				t.Errorf("%s: revision %d, %d entities are listed", input, out.Revision, listed)
			}
		}
	})
}

// TestWaterWears looks down at water and at a river, which have the colour of their material, and light of their own by night.
func TestWaterWears(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := skilltest.New(t, skills)
		var ids []world.ID
		dress := func(m world.Material) {
			t.Helper()
			_, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
				for i := len(ids); i < 2; i++ {
					id, err := tx.Create(world.Spec{Position: world.Vec3{10 * float64(i), 1, 0}})
					if err != nil {
						return err
					}
					ids = append(ids, id)
					water := world.Water{Size: 6, Color: 0x2b5d72}
					if i == 1 {
						water.Line = []world.Vec3{{0, 0, -3}, {0, 0, 3}}
					}
					if err := s.World.Waters.Set(tx, id, water); err != nil {
						return err
					}
				}
				for _, id := range ids {
					if err := s.World.Materials.Set(tx, id, m); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		seen := func() (list [2][3]int) {
			t.Helper()
			for i := range list {
				_, img := look(t, s, fmt.Sprintf(`{"format":"png","width":64,"height":64,"grid":false,"labels":"none","camera":{"position":[%d,9,0],"target":[%d,1,-0.001]}}`, 10*i, 10*i))
				r, g, b, _ := img.At(32, 32).RGBA()
				list[i] = [3]int{int(r >> 8), int(g >> 8), int(b >> 8)}
			}
			return list
		}
		dress(world.Material{})
		own := seen()
		red, glow := uint32(0xff0000), uint32(0xff5500)
		dress(world.Material{Color: &red})
		painted := seen()
		dress(world.Material{Color: &red, Emissive: glow})
		lit := seen()
		for i := range own {
			if own[i][0] >= own[i][2] || painted[i][0] < painted[i][2]+60 {
				t.Errorf("water %d is %v, painted red %v", i, own[i], painted[i])
			}
			if lit[i][0] != 255 || lit[i][2] > painted[i][2]-60 { // what is below it is hidden
				t.Errorf("water %d is %v, as lava %v", i, painted[i], lit[i])
			}
		}
	})
}

// TestBuriedCamera says so if a camera is placed in something, or below the ground.
func TestBuriedCamera(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := skilltest.New(t, skills)
		row(t, s, 3) // at x 0, 2 and 4
		_, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
			if err := s.World.Materials.Set(tx, 3, world.Material{Name: "glass"}); err != nil {
				return err
			}
			id, err := tx.Create(world.Spec{Position: world.Vec3{100, 5, 0}})
			if err != nil {
				return err
			}
			if err := s.World.Shapes.Set(tx, id, world.Shape{Kind: "mesh", Size: world.Vec3{1, 1, 1}}); err != nil {
				return err
			}
			return s.World.Grounds.Set(tx, id, world.Ground{Land: terrain.Land{Seed: 3, Type: terrain.Plains, Relief: 3, FeatureSize: 60, Base: 1}})
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			at   world.Vec3
			note string
		}{
			{world.Vec3{0, 3, 0.1}, ""},
			{world.Vec3{0, 0.6, 0.1}, "camera.position is inside ent_0, which hides what is around it: give another"},
			{world.Vec3{2, 0.6, 0.1}, "camera.position is inside ent_1 (x), which hides what is around it: give another"},
			{world.Vec3{4, 0.6, 0.1}, ""},
			{world.Vec3{100, -20, 0}, "camera.position is below the ground, which is 7.6 m high there: give it a y above that"},
			{world.Vec3{100, 30, 0}, ""},
		} {
			out, _ := look(t, s, fmt.Sprintf(`{"width":64,"height":64,"camera":{"position":[%v,%v,%v],"target":[50,1,50]}}`, c.at[0], c.at[1], c.at[2]))
			if out.Note != c.note {
				t.Errorf("from %v: %q, want %q", c.at, out.Note, c.note)
			}
		}
	})
}

// TestGroups looks at a group, which has no shape of its own: what is below it fills the picture and is outlined.
func TestGroups(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := skilltest.New(t, skills)
		row(t, s, 8)
		_, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
			group, err := tx.Create(world.Spec{Name: "pair"})
			if err != nil {
				return err
			}
			within, err := tx.Create(world.Spec{Parent: group})
			if err != nil {
				return err
			}
			if err := tx.SetParent(3, group); err != nil {
				return err
			}
			return tx.SetParent(4, within)
		})
		if err != nil {
			t.Fatal(err)
		}
		parts, plain := look(t, s, `{"view":"front","grid":false,"fit":["ent_2","ent_3"]}`)
		group, outlined := look(t, s, `{"view":"front","grid":false,"fit":["ent_8"],"highlight":["ent_8"]}`)
		if got, want := group.Views[0].Camera, parts.Views[0].Camera; got != want {
			t.Errorf("fitted to a group the camera is %+v, to its parts %+v", got, want)
		}
		seen := 0
		for _, e := range parts.Views[0].Entities {
			if e.Entity != 3 && e.Entity != 4 {
				continue
			}
			seen++
			y := e.Box[1] + e.Box[3]/4 // away from the label, which is in the middle
			for _, x := range []int{e.Box[0] - 1, e.Box[0] + e.Box[2]} {
				if plain.At(x, y) == outlined.At(x, y) {
					t.Errorf("%v of the group that is highlighted has no line at %d, %d", e.Entity, x, y)
				}
			}
		}
		if seen != 2 {
			t.Errorf("%d of 2 parts are seen", seen)
		}
		_, named := look(t, s, `{"view":"front","grid":false,"labels":"name","fit":["ent_8"],"highlight":["ent_8"]}`)
		reads := false // in the middle, where one label says pair and the other ent_8
		for x := 295; x < 345; x++ {
			reads = reads || named.At(x, 240) != outlined.At(x, 240)
		}
		if !reads {
			t.Error("the group that is highlighted is not called by its name")
		}
	})
}

func TestRenderIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := skilltest.New(t, skills)
		row(t, s, 600)
		out, _ := look(t, s, `{"view":"top","maxEntities":500}`)
		if v := out.Views[0]; v.Visible != 600 || len(v.Entities) != 500 {
			t.Errorf("%d of %d entities that show are listed", len(v.Entities), v.Visible)
		}
		if out, _ := look(t, s, `{"view":"sheet"}`); len(out.Views) != 4 || len(out.Views[1].Entities) != 10 {
			t.Errorf("a sheet lists %d entities in its second view", len(out.Views[1].Entities))
		}
	})
}

// TestReveal looks at what is in a box of walls: it hardly shows, and that is told; with reveal what is before it is left out, and nothing else.
func TestReveal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := skilltest.New(t, skills)
		_, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
			for _, part := range [][2]world.Vec3{
				{{0, 1, -3}, {6, 2, 0.2}},
				{{-3, 1, 0}, {0.2, 2, 6}},
				{{0, 1, 3}, {6, 2, 0.2}},
				{{3, 1, 0}, {0.2, 2, 6}},
				{{0, 2.1, 0}, {6.2, 0.2, 6.2}},
				{{0, 0.5, 0}, {1, 1, 1}},
				{{0, 1.1, 0}, {0.4, 0.2, 0.4}}, // a vase on it
			} {
				id, err := tx.Create(world.Spec{Position: part[0]})
				if err != nil {
					return err
				}
				if err := s.World.Shapes.Set(tx, id, world.Shape{Kind: "box", Size: part[1]}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		box := func(v *picture.View) (pixels int) {
			for _, e := range v.Entities {
				if e.Entity.String() == "ent_5" {
					pixels = e.Pixels
				}
			}
			return pixels
		}
		out, _ := look(t, s, `{"fit":["ent_5"],"view":"front"}`)
		if want := "ent_2 hides most of what is to fit, in the view front: reveal true leaves out what is before it"; box(&out.Views[0]) != 0 || out.Note != want || out.Views[0].LeftOut != nil {
			t.Errorf("from the front: %+v", out)
		}
		for view, left := range map[string]string{"front": "[ent_2]", "back": "[ent_0]", "top": "[ent_4]"} {
			out, _ := look(t, s, `{"fit":["ent_5"],"reveal":true,"view":"`+view+`"}`)
			if got := fmt.Sprint(out.Views[0].LeftOut); got != left || box(&out.Views[0]) < 640*480/4 || out.Note != "" {
				t.Errorf("%s: left out is %s, want %s: %+v", view, got, left, out)
			}
		}
		if out, _ := look(t, s, `{"fit":["ent_5","ent_2"],"view":"front"}`); out.Note != "" {
			t.Errorf("what hides one of them is one itself: %+v", out)
		}
		if out, _ := look(t, s, `{"fit":["ent_2"],"reveal":true,"view":"front"}`); out.Note != "" || out.Views[0].LeftOut != nil {
			t.Errorf("nothing is before the front: %+v", out)
		}
	})
}

// TestRevealsAHouse looks into a house of two storeys that is named itself, and at its floor plan, on generated ground: ground is never left out.
func TestRevealsAHouse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := skilltest.New(t, skills)
		_, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
			house, err := tx.Create(world.Spec{Name: "house"})
			if err != nil {
				return err
			}
			for _, part := range []struct {
				name     string
				at, size world.Vec3
			}{
				{"backWall", world.Vec3{0, 2, -3}, world.Vec3{6, 2, 0.2}},
				{"frontWall", world.Vec3{0, 3.1, 3}, world.Vec3{6, 4.2, 0.2}}, // of both storeys
				{"table", world.Vec3{0, 1.4, 0}, world.Vec3{1, 0.8, 1}},
				{"floor", world.Vec3{0, 3.1, 0}, world.Vec3{6, 0.2, 6}},
				{"backWall", world.Vec3{0, 4.2, -3}, world.Vec3{6, 2, 0.2}},
				{"bed", world.Vec3{0, 3.5, 0}, world.Vec3{1, 0.6, 1}},
				{"roofLeft", world.Vec3{-2, 5.4, 0}, world.Vec3{4, 0.2, 7}},
			} {
				id, err := tx.Create(world.Spec{Name: part.name, Position: part.at, Parent: house})
				if err != nil {
					return err
				}
				if err := s.World.Shapes.Set(tx, id, world.Shape{Kind: "box", Size: part.size}); err != nil {
					return err
				}
			}
			ground, err := tx.Create(world.Spec{Position: world.Vec3{0, 0, 24}})
			if err != nil {
				return err
			}
			return errors.Join(s.World.Shapes.Set(tx, ground, world.Shape{Kind: "box", Size: world.Vec3{48, 4, 48}}),
				s.World.Grounds.Set(tx, ground, world.Ground{Land: terrain.Land{Seed: 3, Type: terrain.Plains, Relief: 3, FeatureSize: 60, Base: 1}}))
		})
		if err != nil {
			t.Fatal(err)
		}
		pixels := func(input, entity string) (n int, left string) {
			out, _ := look(t, s, input)
			for _, e := range out.Views[0].Entities {
				if e.Entity.String() == entity {
					n = e.Pixels
				}
			}
			return n, fmt.Sprint(out.Views[0].LeftOut)
		}
		if n, left := pixels(`{"fit":["ent_0"],"reveal":true,"view":"top"}`, "ent_3"); n == 0 || left != "[ent_4 ent_5 ent_6 ent_7]" {
			t.Errorf("the table has %d pixels, left out is %s", n, left)
		}
		if n, _ := pixels(`{"fit":["ent_0"],"view":"top"}`, "ent_3"); n != 0 {
			t.Error("one sees the table through the roof")
		}
		if n, left := pixels(`{"fit":["ent_0"],"cut":1.5,"view":"top"}`, "ent_3"); n == 0 || left != "[]" {
			t.Errorf("in the plan the table has %d pixels, left out is %s", n, left)
		}
		// A wall that is cut off half way up is half as high, and as wide.
		whole, _ := pixels(`{"fit":["ent_1"],"view":"back","grid":false}`, "ent_1")
		half, _ := pixels(`{"fit":["ent_1"],"cut":1,"view":"back","grid":false}`, "ent_1")
		if whole == 0 || half < whole*9/20 || half > whole*11/20 {
			t.Errorf("the wall has %d pixels, cut off %d", whole, half)
		}
		for _, input := range []string{`{"fit":["ent_0"],"reveal":true}`, `{"fit":["ent_0"],"cut":0.5}`, `{"fit":["ent_1"],"reveal":true,"view":"front"}`} {
			if n, left := pixels(input, "ent_8"); n == 0 || strings.Contains(left, "ent_8") {
				t.Errorf("%s: ground has %d pixels, left out is %s", input, n, left)
			}
		}
	})
}

// TestPanelsShow compares pictures of a world with and without a panel, and a material.
func TestPanelsShow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := skilltest.New(t, skills)
		row(t, s, 1)
		differs := func(a, b image.Image) bool {
			for y := range a.Bounds().Dy() {
				for x := range a.Bounds().Dx() {
					if a.At(x, y) != b.At(x, y) {
						return true
					}
				}
			}
			return false
		}
		_, before := look(t, s, `{}`)
		if _, again := look(t, s, `{}`); differs(before, again) {
			t.Error("two pictures of the same world differ")
		}
		s.Must(t, skilltest.Caller(t, "ann", skilltest.Builder), "ui.label", `{"anchor":{"kind":"world","entity":"ent_0","offset":[0,1,0]},"text":"Hello"}`)
		_, labelled := look(t, s, `{}`)
		if !differs(before, labelled) {
			t.Error("a label in the world does not show")
		}
		s.Must(t, skilltest.Caller(t, "ann", skilltest.Builder), "ui.remove", `{"handle":"ui_0"}`)
		const words = `{"anchor":{"kind":"world","entity":"ent_0","offset":[0,1,0]},"text":"Hello"}`
		s.Must(t, skilltest.Caller(t, "ann", skilltest.Builder), "ui.speechBubble", words)
		if _, bubble := look(t, s, `{}`); !differs(bubble, labelled) {
			t.Error("no line goes from a speech bubble to who speaks")
		}
		s.Must(t, skilltest.Caller(t, "ann", skilltest.Builder), "ui.remove", `{"handle":"ui_1"}`)
		s.Must(t, skilltest.Caller(t, "ann", skilltest.Builder), "ui.label", words)
		red := uint32(0xff0000)
		_, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
			return s.World.Materials.Set(tx, 1, world.Material{Color: &red})
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, img := look(t, s, `{}`); !differs(labelled, img) {
			t.Error("the colour of a material does not show")
		}
		_, whole := look(t, s, `{}`)
		_, sheet := look(t, s, `{"view":"sheet"}`)
		_, ids := look(t, s, `{"style":"ids"}`)
		s.Must(t, skilltest.Caller(t, "ann", skilltest.Builder), "ui.hudPanel", `{"anchor":{"kind":"screen","corner":"center"},"text":"Score"}`)
		if _, img := look(t, s, `{}`); !differs(whole, img) {
			t.Error("a panel on the screen does not show")
		}
		if _, img := look(t, s, `{"view":"sheet"}`); differs(sheet, img) {
			t.Error("a panel on the screen shows in a sheet")
		}
		if _, img := look(t, s, `{"style":"ids"}`); differs(ids, img) {
			t.Error("a panel on the screen shows among the ids")
		}
	})
}

// A panel in the world is smaller the farther away it is, and goes with panels false, as those of the screen do.
func TestPanelsAreFarAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := skilltest.New(t, skills)
		row(t, s, 1)
		pictures := func() (list []image.Image) {
			for _, input := range []string{
				`{"camera":{"position":[0,4,12],"target":[0,4,0]}}`, `{"camera":{"position":[0,4,300],"target":[0,4,0]}}`, `{"view":"sheet","panels":false}`, `{"panels":false}`,
			} {
				_, img := look(t, s, input)
				list = append(list, img)
			}
			return list
		}
		before := pictures()
		s.Must(t, skilltest.Caller(t, "ann", skilltest.Builder), "ui.textBox", `{"anchor":{"kind":"world","point":[0,4,0]},"title":"Rules of this place","lines":["No running","No shouting","No fishing"]}`)
		after := pictures()
		s.Must(t, skilltest.Caller(t, "ann", skilltest.Builder), "ui.hudPanel", `{"anchor":{"kind":"screen","corner":"center"},"text":"Score"}`)
		after[3] = pictures()[3]
		var differ [4]int
		for i := range before {
			for y := range before[i].Bounds().Dy() {
				for x := range before[i].Bounds().Dx() {
					if before[i].At(x, y) != after[i].At(x, y) {
						differ[i]++
					}
				}
			}
		}
		if near, far := differ[0], differ[1]; near < 19*7*4*13/2 || far == 0 || far > near/50 {
			t.Errorf("the panel covers %d pixels from near, %d from far away", near, far)
		}
		if differ[2]+differ[3] > 0 {
			t.Errorf("without panels %d and %d pixels show some", differ[2], differ[3])
		}
	})
}

// A picture that is too large for a PNG is a JPEG, and says so.
func TestLargePNG(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := skilltest.New(t, skills)
		row(t, s, 600)
		if out, _ := look(t, s, `{"format":"png","width":320,"height":240}`); out.MIMEType != "image/png" || out.Note != "" {
			t.Errorf("a small picture: %+v", out)
		}
		const most = "format: as PNG the picture is larger than 71680 bytes, so it is a JPEG: make width and height smaller for a PNG"
		if out, _ := look(t, s, `{"format":"png","width":1280,"height":960,"labels":"id"}`); out.MIMEType != "image/jpeg" || out.Note != most || out.Bytes > picture.MaxFile {
			t.Errorf("a large one: %+v", out)
		}
	})
}

// Pictures are dark by night, and lamps light what is around them then.
func TestNightAndLamps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := skilltest.New(t, skills)
		row(t, s, 1)
		bright := func() (sum uint64) {
			_, img := look(t, s, `{"view":"front","grid":false}`)
			for y := range img.Bounds().Dy() {
				for x := range img.Bounds().Dx() {
					r, g, b, _ := img.At(x, y).RGBA()
					sum += uint64(r + g + b)
				}
			}
			return sum
		}
		change := func(do func(tx *world.Tx) error) {
			t.Helper()
			if _, err := s.World.Update(t.Context(), do); err != nil {
				t.Fatal(err)
			}
		}
		day := bright()
		change(func(tx *world.Tx) error { return s.World.Environment.Time.Set(tx, world.Time{Hour: 23}) })
		night := bright()
		change(func(tx *world.Tx) error {
			id, err := tx.Create(world.Spec{Position: world.Vec3{0, 0.5, 3}})
			if err != nil {
				return err
			}
			return s.World.Lights.Set(tx, id, world.Light{Kind: "spot", Color: 0xffffff, Intensity: 1, Range: 10})
		})
		if got := bright(); got != night {
			t.Error("a spot that shines away from everything shows")
		}
		change(func(tx *world.Tx) error { return tx.SetRotation(2, world.QuatFromEuler(0, math.Pi, 0)) })
		if lit := bright(); night >= lit || 2*night >= day {
			t.Errorf("the day is %d bright, the night %d, and with a lamp %d", day, night, lit)
		}
	})
}

// Pictures show the weather.
func TestWeather(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := skilltest.New(t, skills)
		row(t, s, 1)
		looks := map[string]bool{}
		for _, kind := range []string{"clear", "rain", "snow", "fog", "storm"} {
			if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
				return s.World.Environment.Weather.Set(tx, world.Weather{Kind: kind, Intensity: 1})
			}); err != nil {
				t.Fatal(err)
			}
			_, img := look(t, s, `{"width":64,"height":64}`)
			text := fmt.Sprint(img)
			if looks[text] {
				t.Errorf("%s looks as other weather does", kind)
			}
			looks[text] = true
		}
	})
}

// In space it is black behind everything, with stars, rains never, and there is ground only where it is said.
func TestSky(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := skilltest.New(t, skills)
		row(t, s, 1)
		sky := func(sky world.Sky, weather string) (dark, all int) {
			if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
				if err := s.World.Environment.Weather.Set(tx, world.Weather{Kind: weather, Intensity: 1}); err != nil {
					return err
				}
				return s.World.Environment.Sky.Set(tx, sky)
			}); err != nil {
				t.Fatal(err)
			}
			_, img := look(t, s, `{"width":160,"height":120,"view":"camera","camera":{"position":[6,3,6],"target":[0,2.5,0]}}`)
			at := img.Bounds()
			for y := at.Min.Y; y < at.Max.Y; y++ {
				for x := at.Min.X; x < at.Max.X; x++ {
					if r, g, b, _ := img.At(x, y).RGBA(); r+g+b < 3*0x1000 {
						dark++
					}
					all++
				}
			}
			return dark, all
		}
		for _, c := range []struct {
			sky      world.Sky
			from, to float64 // of the picture that is black
		}{
			{world.Sky{Kind: "air"}, 0, 0.01},
			{world.Sky{Kind: "air", Bare: true}, 0, 0.01},
			{world.Sky{Kind: "space"}, 0.2, 0.7},
			{world.Sky{Kind: "space", Bare: true}, 0.75, 0.995},
		} {
			dry, all := sky(c.sky, "clear")
			if part := float64(dry) / float64(all); part < c.from || part > c.to {
				t.Errorf("%+v: %.3f of the picture is black", c.sky, part)
			}
			if wet, _ := sky(c.sky, "rain"); c.sky.Kind == "space" && wet != dry {
				t.Errorf("%+v: it rains", c.sky)
			}
		}
	})
}

// What is of glass hides nothing.
func TestGlass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := skilltest.New(t, skills)
		row(t, s, 1)
		if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
			id, err := tx.Create(world.Spec{Position: world.Vec3{0, 0.5, 3}})
			if err != nil {
				return err
			}
			return errors.Join(s.World.Shapes.Set(tx, id, world.Shape{Kind: "box", Size: world.Vec3{9, 9, 0.1}}),
				s.World.Materials.Set(tx, id, world.Material{Name: "glass"}))
		}); err != nil {
			t.Fatal(err)
		}
		if out, _ := look(t, s, `{"view":"front","grid":false}`); out.Views[0].Visible != 2 {
			t.Errorf("through glass %+v show", out.Views[0].Entities)
		}
	})
}

func TestRenderRefuses(t *testing.T) {
	one := func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) { t.Helper(); row(t, s, 1) }
	skilltest.Run(t, skills, "scene.render", []skilltest.Case{
		{Name: "nobody", Setup: one, Input: `{"fit":["ent_9"]}`, Err: "unknown entity ent_9; the nearest are ent_0"},
		{Name: "nobody to highlight", Setup: one, Input: `{"highlight":["ent_0","ent_7"]}`, Err: "unknown entity ent_7; the nearest are ent_0"},
		{Name: "nothing to reveal", Input: `{"reveal":true}`, Code: registry.CodeInvalidInput, Err: "reveal: is for what is named in fit, and nothing is"},
		{Name: "nothing to cut", Input: `{"cut":1}`, Code: registry.CodeInvalidInput, Err: "cut: is measured from what is named in fit, and nothing is"},
		{Name: "no camera", Input: `{"view":"camera"}`, Code: registry.CodeInvalidInput, Err: `camera: the view "camera" needs it: {"position":[x,y,z],"target":[x,y,z]}`},
		{
			Name: "two cameras", Input: `{"view":"top","camera":{"position":[0,0,0],"target":[1,0,0]}}`, Code: registry.CodeInvalidInput,
			Err: `camera: only the view "camera" has one, the view "top" finds its own place; leave one of them out`,
		},
		{
			Name: "nowhere", Input: `{"camera":{"position":[1,0,0],"target":[1,0,0]}}`, Code: registry.CodeInvalidInput,
			Err: "camera.target: must be another place than camera.position",
		},
		{
			Name: "far away", Input: `{"camera":{"position":[1e30,0,0],"target":[1,0,0]}}`, Code: registry.CodeInvalidInput,
			Err: "camera: its position and target must be within ±1e+12 metres",
		},
		{
			Name: "below", Input: `{"view":"below"}`, Code: registry.CodeInvalidInput,
			Err: `view: must be one of "iso", "front", "back", "left", "right", "top", "sheet", "camera", got "below"`,
		},
	})
	skilltest.Needs(t, skills, "scene.render", `{"width":64,"height":64}`, "scene.read", profiles.Builtin().Names()...)
}

type timesIn struct {
	Times int `json:"times"`
}

// Pictures are drawn a few at a time, whoever wants them. Who waits may give up; a call that changes the world, for
// which all would wait, does not, and draws no more than some.
func TestRenderTakesTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := registry.NewTurns(1)
		s := skilltest.New(t, func(w *world.World, _ *agents.Agents) []registry.Skill {
			inside := registry.Define(registry.Spec[timesIn, struct{}]{
				Name: "demo.inside", Description: "Look while the world is locked.", Permissions: []profiles.Permission{profiles.Anyone},
				Handle: func(c *registry.Call, in timesIn) (out struct{}, err error) {
					return world.Do(w, c, func(*world.Tx) (struct{}, error) {
						for range in.Times {
							if _, err := c.Invoke("scene.render", []byte(`{"width":64,"height":64}`)); err != nil {
								return out, err
							}
						}
						return out, nil
					})
				},
			})
			return append(picture.All(picture.Source{World: w, Turns: turns}), inside)
		})
		row(t, s, 1)
		viewer := skilltest.Caller(t, "ann", "system.readonly")
		const small = `{"width":64,"height":64}`
		release := s.Hold(t, turns) // somebody draws
		first := s.Start(t.Context(), viewer, "scene.render", small)
		ctx, cancel := context.WithCancel(t.Context())
		second := s.Start(ctx, viewer, "scene.render", small)
		if len(first)+len(second) > 0 {
			t.Error("a picture was drawn beside another one")
		}
		for range 2 {
			if err := <-s.Start(t.Context(), viewer, "demo.inside", fmt.Sprintf(`{"times":%d}`, picture.MaxInside)); err != nil {
				t.Errorf("pictures in a call that changes the world: %v", err)
			}
		}
		if err := <-s.Start(t.Context(), viewer, "demo.inside", fmt.Sprintf(`{"times":%d}`, picture.MaxInside+1)); err == nil || err.Code != registry.CodeCapacityExceeded {
			t.Errorf("one more in such a call: %v", err)
		}
		cancel()
		if err := <-second; err == nil {
			t.Error("a call that was cancelled drew a picture")
		}
		release()
		if err := <-first; err != nil {
			t.Errorf("whose turn it was: %v", err)
		}
		s.Hold(t, turns)() // the turn has been given back
	})
}
