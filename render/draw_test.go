package render_test

import (
	"image"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/internal/race"
	"github.com/limina-mcp/limina/render"
	"github.com/limina-mcp/limina/world"
)

func box(id int, size world.Vec3, t world.Transform) render.Object {
	return render.Object{ID: world.ID(id), Kind: render.Box, Size: size, Color: 0xffffff, Transform: t}
}

// TestViews looks at a long box from everywhere: 4 m along x, 2 m high, 1 m along z.
func TestViews(t *testing.T) {
	scene := &render.Scene{Objects: []render.Object{box(1, world.Vec3{4, 2, 1}, at(10, 1, -3))}}
	for view, want := range map[render.View]image.Point{
		render.Front: {400, 200}, render.Back: {400, 200}, render.Left: {200, 400}, render.Right: {200, 400}, render.Top: {400, 100},
	} {
		pic := draw(t, scene, render.Options{View: view, Width: 480, Height: 480})
		v := pic.Views[0]
		if len(v.Objects) != 1 || v.Objects[0].Box.Size() != want {
			t.Errorf("%s shows %+v, want a box of %v", view, v.Objects, want)
			continue
		}
		o := v.Objects[0]
		if o.Pixels != want.X*want.Y || o.Box.Min.X != 480-o.Box.Max.X || o.Box.Min.Y != 480-o.Box.Max.Y {
			t.Errorf("%s: %+v is not whole, or not in the middle", view, o)
		}
		if got := float64(o.Box.Dy()) / v.Scale; math.Abs(got-map[bool]float64{true: 1, false: 2}[view == render.Top]) > 0.01 {
			t.Errorf("%s: %d pixels at %g pixels a metre are %g m", view, o.Box.Dy(), v.Scale, got)
		}
	}
}

func TestFit(t *testing.T) {
	scene := boxes(100)
	pic := draw(t, scene, render.Options{View: render.Top, Fit: []world.ID{7, 9999}})
	for _, o := range pic.Views[0].Objects {
		if o.ID == 7 && o.Pixels > 640*480/6 {
			return
		}
	}
	t.Errorf("fitted to ent_6, the picture shows %+v", pic.Views[0].Objects)
}

// TestFallen has one box of a hundred fall: the picture stays the one of the others, unless it is asked for.
func TestFallen(t *testing.T) {
	scene := boxes(100)
	fell := &scene.Objects[17]
	low := func(y float64) { fell.Transform.Position[1] = y }
	scale := func(o render.Options) float64 { return draw(t, scene, o).Views[0].Scale }
	low(1)
	want := scale(render.Options{})
	low(-2000)
	if got := scale(render.Options{}); got < want/1.2 {
		t.Errorf("with one that has fallen 2 km a metre is %g pixels, before %g", got, want)
	}
	if got := scale(render.Options{Fit: []world.ID{fell.ID, scene.Objects[18].ID}}); got > want/10 {
		t.Errorf("asked for it, a metre is %g pixels", got)
	}
	for i := range scene.Objects { // all of them: it is where the scene is
		scene.Objects[i].Transform.Position[1] -= 2000
	}
	low(-2000)
	if got := scale(render.Options{}); got < want/1.2 {
		t.Errorf("with all of them below a metre is %g pixels, before %g", got, want)
	}
}

func TestHiddenAndHighlighted(t *testing.T) {
	scene := &render.Scene{Objects: []render.Object{
		box(1, world.Vec3{4, 4, 1}, at(0, 2, 0)), box(2, world.Vec3{1, 1, 1}, at(0, 2, -3)),
	}}
	o := render.Options{View: render.Front, Width: 100, Height: 100}
	plain := draw(t, scene, o)
	if seen := plain.Views[0].Objects; len(seen) != 1 || seen[0].ID != 1 {
		t.Errorf("a wall before a box: %+v shows", seen)
	}
	o.Highlight = []world.ID{2}
	marked := draw(t, scene, o)
	if len(marked.Views[0].Objects) != 1 {
		t.Error("what is highlighted does not show more than before")
	}
	if difference(marked.Image, plain.Image) == "" {
		t.Error("the highlighted box behind the wall is not outlined")
	}
}

func TestSheetShowsFourViews(t *testing.T) {
	pic := draw(t, shapes(), render.Options{View: render.Sheet})
	var got []string
	covered := 0
	for i, v := range pic.Views {
		got = append(got, string(v.View))
		covered += v.Bounds.Dx() * v.Bounds.Dy()
		for _, w := range pic.Views[:i] {
			if v.Bounds.Overlaps(w.Bounds) {
				t.Errorf("%s and %s overlap", v.View, w.View)
			}
		}
		for _, o := range v.Objects {
			if !o.Box.In(v.Bounds) || o.Box.Empty() {
				t.Errorf("%s: %+v is outside %v", v.View, o, v.Bounds)
			}
		}
	}
	if diff := cmp.Diff([]string{"iso", "front", "top", "left"}, got); diff != "" || covered < 640*480*99/100 {
		t.Errorf("the views cover %d pixels; (-want +got):\n%s", covered, diff)
	}
}

// TestShadow compares the ground on the side that the sun does not reach with that on the other.
func TestShadow(t *testing.T) {
	scene := &render.Scene{
		Objects: []render.Object{box(1, world.Vec3{2, 2, 2}, at(0, 1, 0))},
		Light:   render.Light{Sun: world.Vec3{1, 1, 0}},
	}
	o := render.Options{View: render.Top, Width: 200, Height: 200, Grid: true, Fit: []world.ID{1}}
	bright := func(p *render.Picture, x, z float64) uint32 {
		v := p.Views[0]
		r, _, _, _ := p.Image.At(100+int(x*v.Scale), 100+int(z*v.Scale)).RGBA()
		return r >> 8
	}
	o.Fit = nil
	scene.Objects = append(scene.Objects, box(2, world.Vec3{0.1, 0.1, 0.1}, at(4, 0.05, 0)), box(3, world.Vec3{0.1, 0.1, 0.1}, at(-4, 0.05, 0)))
	pic := draw(t, scene, o)
	lit, dark := bright(pic, 2.3, 0.3), bright(pic, -2.3, 0.3)
	if lit < dark+40 {
		t.Errorf("beside the box the ground is %d towards the sun and %d away from it", lit, dark)
	}
	scene.Objects[0].NoCast = true
	if got := bright(draw(t, scene, o), -2.3, 0.3); got != lit {
		t.Errorf("a box that throws no shadow darkens the ground to %d", got)
	}
	scene.Objects[0].NoCast, o.NoShadows = false, true
	if got := bright(draw(t, scene, o), -2.3, 0.3); got != lit {
		t.Errorf("without shadows the ground is %d", got)
	}
}

func TestRefusals(t *testing.T) {
	camera := func(c render.Camera) render.Options { return render.Options{View: render.FromCamera, Camera: &c} }
	for want, o := range map[string]render.Options{
		"picture size":             {Width: 32},
		"must be from 64 to 2048":  {Height: 5000},
		"no view":                  {View: "below"},
		"no style":                 {Style: "oil"},
		"no labels":                {Labels: "price"},
		"needs one":                {View: render.FromCamera},
		"looks nowhere":            camera(render.Camera{FOV: 60}),
		"needs a field of view":    camera(render.Camera{Target: world.Vec3{1}}),
		"from 1 to 170":            camera(render.Camera{Target: world.Vec3{1}, FOV: 180}),
		"position and target must": camera(render.Camera{Target: world.Vec3{math.NaN()}, FOV: 60}),
	} {
		if _, err := render.Draw(shapes(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got %v, want an error about %q", o, err, want)
		}
	}
}

// TestAnything draws scenes that make no sense, from places that make none, and wants only an answer.
func TestAnything(t *testing.T) {
	number := rapid.OneOf(rapid.Float64Range(-5, 5), rapid.SampledFrom([]float64{0, 1e-30, 1e9, -1e13, 3e38, math.NaN(), math.Inf(1), math.Inf(-1)}))
	vec := rapid.Custom(func(t *rapid.T) world.Vec3 {
		return world.Vec3{number.Draw(t, "x"), number.Draw(t, "y"), number.Draw(t, "z")}
	})
	rapid.Check(t, func(t *rapid.T) {
		s := &render.Scene{Light: render.Light{Sun: vec.Draw(t, "sun"), Power: number.Draw(t, "power")}}
		for i := range rapid.IntRange(0, 6).Draw(t, "objects") {
			v := func(name string) world.Vec3 { return vec.Draw(t, name) }
			o := render.Object{ID: world.ID(i + 1), Kind: render.Kind(rapid.IntRange(0, int(render.Field)+1).Draw(t, "kind")), Size: v("size")}
			o.Transform = world.Transform{Position: v("at"), Scale: v("scale"), Rotation: world.QuatFromEuler(1, 2, 3)}
			o.Mesh = &render.Mesh{Vertices: []world.Vec3{v("a"), v("b"), v("c")}, Triangles: [][3]uint32{{0, 1, 2}, {2, 1, 7}}}
			o.Heights = &render.Heights{Columns: 2, Rows: 2, Cell: number.Draw(t, "cell"), At: []float64{1, number.Draw(t, "height"), 0, 2}}
			s.Objects = append(s.Objects, o)
		}
		s.Waters = []render.Water{{Center: vec.Draw(t, "water"), Right: vec.Draw(t, "right"), Front: vec.Draw(t, "front")}}
		river := render.Water{}
		for range rapid.IntRange(0, 4).Draw(t, "banks") {
			river.Banks = append(river.Banks, [2]world.Vec3{vec.Draw(t, "left"), vec.Draw(t, "right")})
		}
		s.Waters = append(s.Waters, river)
		s.Post = render.Post{
			AO: &render.AO{
				Radius: number.Draw(t, "radius"), Scale: number.Draw(t, "strength"), DistanceExponent: number.Draw(t, "exponent"), Thickness: number.Draw(t, "thickness"),
				Samples: rapid.IntRange(-9, 99).Draw(t, "samples"), ResolutionScale: number.Draw(t, "share"), Intensity: number.Draw(t, "intensity"),
			},
			Bloom: &render.Bloom{Strength: number.Draw(t, "strength"), Radius: number.Draw(t, "radius"), Threshold: number.Draw(t, "threshold")},
			Grade: &render.Grade{Exposure: number.Draw(t, "exposure"), Contrast: number.Draw(t, "contrast"), Saturation: number.Draw(t, "saturation")},
		}
		s.Texts = []render.Text{{At: vec.Draw(t, "text"), Lines: []string{"a", "ü"}}}
		o := render.Options{Width: 64, Height: 64, Grid: true, Axes: true, Labels: render.LabelIDs, Highlight: []world.ID{1}}
		o.View = rapid.SampledFrom([]render.View{render.Iso, render.Top, render.Sheet, render.Left, render.FromCamera}).Draw(t, "view")
		o.Style = rapid.SampledFrom([]render.Style{render.Shaded, render.Wireframe, render.IDs}).Draw(t, "style")
		o.Camera = &render.Camera{Position: vec.Draw(t, "eye"), Target: vec.Draw(t, "target"), FOV: number.Draw(t, "fov"), Height: number.Draw(t, "tall")}
		if pic, err := render.Draw(s, o); err == nil {
			for _, v := range pic.Views {
				for _, o := range v.Objects {
					if !o.Box.In(v.Bounds) {
						t.Fatalf("%+v is outside of %v", o, v.Bounds)
					}
				}
			}
		}
	})
}

func TestEncode(t *testing.T) {
	if race.Enabled {
		return // one goroutine computes
	}
	pic := draw(t, boxes(500), render.Options{Grid: true, Axes: true})
	for _, c := range []struct {
		format render.Format
		limit  int
		mime   string
	}{
		{render.PNG, 0, "image/png"},
		{render.JPEG, 0, "image/jpeg"},
		{render.Auto, 0, "image/png"},
		{render.Auto, 70 << 10, "image/jpeg"},
		{render.JPEG, 20 << 10, "image/jpeg"},
	} {
		f, err := pic.Encode(c.format, c.limit)
		if err != nil || f.MIME != c.mime || c.limit > 0 && len(f.Data) > c.limit {
			t.Errorf("%s in %d bytes: %d bytes of %q, %v", c.format, c.limit, len(f.Data), f.MIME, err)
		}
	}
	if _, err := pic.Encode(render.PNG, 1000); err == nil || !strings.Contains(err.Error(), "1000 are allowed") {
		t.Errorf("a PNG in 1000 bytes: %v", err)
	}
	plain := draw(t, &render.Scene{}, render.Options{View: render.Front})
	if f, err := plain.Encode(render.Auto, 70<<10); err != nil || f.MIME != "image/png" {
		t.Errorf("an empty scene becomes %q, %v; want a PNG", f.MIME, err)
	}
}

// TestHeavyScenes draws what would be ten million triangles.
func TestHeavyScenes(t *testing.T) {
	m := &render.Mesh{Vertices: []world.Vec3{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, Triangles: make([][3]uint32, 1_000_000)}
	m.Triangles[0] = [3]uint32{0, 1, 2}
	s := &render.Scene{}
	for i := range 10 {
		s.Objects = append(s.Objects, render.Object{ID: world.ID(i + 1), Kind: render.Solid, Mesh: m, Transform: at(float64(2*i), 0, 0)})
	}
	seen := draw(t, s, render.Options{View: render.Front, Width: 300, Height: 64, NoShadows: true}).Views[0].Objects
	if len(seen) != 10 {
		t.Fatalf("%d of 10 meshes show", len(seen))
	}
	// A triangle fills half of the box around it.
	if whole := seen[9].Pixels; seen[0].Pixels > whole*6/10 || seen[1].Pixels < whole*9/10 {
		t.Errorf("the first mesh has %d pixels, the second %d, the last, a box, %d", seen[0].Pixels, seen[1].Pixels, whole)
	}
}

// TestFloorInTheGround looks at floors whose tops are at height 0 from many places: what was built hides the ground.
func TestFloorInTheGround(t *testing.T) {
	floor := box(1, world.Vec3{30, 0.2, 30}, at(0, -0.1, 0))
	floor.Color = 0x00ff00
	scene := &render.Scene{Objects: []render.Object{floor}}
	views := []render.Options{{View: render.Iso}, {View: render.Top}}
	for i := range 20 {
		sin, cos := math.Sincos(float64(i))
		views = append(views, render.Options{View: render.FromCamera, Camera: &render.Camera{
			Position: world.Vec3{9 * sin, 0.5 + float64(i), 7 * cos}, Target: world.Vec3{sin, 0, cos}, FOV: 60,
		}})
	}
	for i, o := range views {
		o.Width, o.Height = 320, 240
		o.Style = render.IDs
		without := draw(t, scene, o)
		o.Grid = true
		with := draw(t, scene, o)
		middle := image.Rect(140, 105, 180, 135)
		if o.Camera != nil { // the horizon may be above
			middle = image.Rect(120, 150, 200, 200)
		}
		for y := middle.Min.Y; y < middle.Max.Y; y++ {
			for x := middle.Min.X; x < middle.Max.X; x++ {
				if a, b := without.Image.At(x, y), with.Image.At(x, y); a != b {
					t.Fatalf("view %d: the floor is %v at %d, %d, with the ground in the same place %v", i, a, x, y, b)
				}
			}
		}
	}
}
