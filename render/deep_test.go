package render

import (
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/limina-mcp/limina/world"
)

// TestDeep holds that what is filled from the nearest face on shows the same as what is filled in order, where many things are before each other, some of them at
// one place.
func TestDeep(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	s := &Scene{}
	for i := range 200 {
		o := Object{ID: world.ID(i + 1), Kind: Kind(i % 6), Size: Vec3{1, 2, 1}, Transform: world.Transform{Rotation: world.NoRotation(), Scale: Vec3{1, 1, 1}}}
		if i%4 > 0 { // the rest are at one place
			o.Transform.Position = Vec3{random.Float64() * 2, random.Float64(), random.Float64() * 2}
		}
		s.Objects = append(s.Objects, o)
	}
	for _, v := range []View{Iso, FromCamera} {
		o := &Options{Width: 200, Height: 160, Workers: 2}
		camera := s.fit(Iso, nil, o.Width, o.Height)
		if v == FromCamera {
			camera = Camera{Position: Vec3{1, 1.6, 5}, Target: Vec3{1, 1, 0}, FOV: 60}
		}
		d := drawing{scene: s, options: o, img: image.NewRGBA(image.Rect(0, 0, o.Width, o.Height)), samples: 2}
		d.lens = newLens(&camera, 2*o.Width, 2*o.Height)
		fr := d.faces(facing, func(*Object) bool { return true })
		if covers := fr.covers(); !(covers > 5*float64(fr.width*fr.height)) {
			t.Fatalf("the faces cover the picture only %v times", covers/float64(fr.width*fr.height))
		}
		one, other := newCanvas(fr.width*fr.height, true), newCanvas(fr.width*fr.height, true)
		spans := make([]span, fr.height)
		for i := range fr.faces {
			f := &fr.faces[i]
			fr.scan(f, int(f.top), spans[:f.bottom-f.top])
			fr.paint(one, int32(i+1), int(f.top), spans[:f.bottom-f.top])
		}
		fr.fillDeep(other, 2)
		wrong, shown := 0, 0
		for i := range one.near {
			if math.Abs(float64(one.near[i]-other.near[i])) > 1e-5 {
				t.Fatalf("%s: sample %d is %v near, want %v", v, i, other.near[i], one.near[i])
			}
			if one.face[i] != 0 {
				shown++
			}
			if one.face[i] != other.face[i] {
				wrong++
			}
		}
		if wrong > shown/1000 {
			t.Errorf("%s: of %d samples %d show another face", v, shown, wrong)
		}
	}
}

// TestPile draws ten thousand boxes at one place, which is done in the time of a few: each face is there once. Where they are a little beside each other no place is
// painted more often than a hundred times.
func TestPile(t *testing.T) {
	s := &Scene{}
	for i := range 10_000 {
		s.Objects = append(s.Objects, Object{ID: world.ID(i + 1), Size: Vec3{1, 1, 1}, Transform: world.Transform{Rotation: world.NoRotation(), Scale: Vec3{1, 1, 1}}})
	}
	d := drawing{scene: s, options: &Options{Width: 64, Height: 48}, img: image.NewRGBA(image.Rect(0, 0, 64, 48)), samples: 1}
	camera := s.fit(Iso, nil, 64, 48)
	d.lens = newLens(&camera, 64, 48)
	fr := d.faces(facing, func(*Object) bool { return true })
	if got := len(fr.ordered()); got != 3 {
		t.Errorf("of ten thousand boxes at one place %d faces are painted, want the 3 of the first", got)
	}
	pic, err := Draw(s, Options{Width: 64, Height: 64, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if seen := pic.Views[0].Objects; len(seen) != 1 || seen[0].ID != 1 {
		t.Errorf("it shows %d of them, want the first", len(seen))
	}
}

// TestFitWater takes water into the frame: with what is beside it, by itself, and by its id; water that reaches far beyond the rest is left out.
func TestFitWater(t *testing.T) {
	box := Object{ID: 1, Size: Vec3{1, 1, 1}, Transform: world.Transform{Rotation: world.NoRotation(), Scale: Vec3{1, 1, 1}}}
	pool := Water{ID: 2, Center: Vec3{1, 0, 0}, Right: Vec3{1, 0, 0}, Front: Vec3{0, 0, 1}}
	river := Water{ID: 3, Banks: [][2]Vec3{{{0, 2, -1}, {2, 2, -1}}, {{0, -1, 3}, {2, -1, 3}}}}
	right, up, forward := Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}
	for _, c := range []struct {
		name   string
		scene  Scene
		ids    []world.ID
		lo, hi Vec3
	}{
		{"beside a box", Scene{Objects: []Object{box}, Waters: []Water{pool}}, nil, Vec3{-0.5, -0.5, -1}, Vec3{2, 0.5, 1}},
		{"alone", Scene{Waters: []Water{pool}}, nil, Vec3{0, 0, -1}, Vec3{2, 0, 1}},
		{"by its id", Scene{Objects: []Object{box}, Waters: []Water{pool}}, []world.ID{2}, Vec3{0, 0, -1}, Vec3{2, 0, 1}},
		{"a river", Scene{Objects: []Object{box}, Waters: []Water{river}}, []world.ID{3}, Vec3{0, -1, -1}, Vec3{2, 2, 3}},
		{"a sea", Scene{Objects: []Object{box}, Waters: []Water{{Right: Vec3{200, 0, 0}, Front: Vec3{0, 0, 200}}}}, nil, Vec3{-0.5, -0.5, -0.5}, Vec3{0.5, 0.5, 0.5}},
	} {
		if r := c.scene.fitted(c.ids, right, up, forward, true); !r.some || r.lo != c.lo || r.hi != c.hi {
			t.Errorf("%s: it is fitted to %v %v, want %v %v", c.name, r.lo, r.hi, c.lo, c.hi)
		}
	}
}

// TestLava shows water that gives off light as bright by night as by day, and the less of what is below it the brighter that is.
func TestLava(t *testing.T) {
	shot := func(floor, emissive uint32, night float64) [3]int {
		bed := Object{ID: 1, Size: Vec3{8, 1, 8}, Color: floor, Transform: world.Transform{Position: Vec3{0, -2, 0}, Rotation: world.NoRotation(), Scale: Vec3{1, 1, 1}}}
		s := Scene{Objects: []Object{bed}, Waters: []Water{{Right: Vec3{4, 0, 0}, Front: Vec3{0, 0, 4}, Color: 0x200800, Emissive: emissive}}, Light: Light{Night: night}}
		pic, err := Draw(&s, Options{Width: 64, Height: 64, View: FromCamera, Camera: &Camera{Position: Vec3{0, 10, 0}, Target: Vec3{0, 0, -0.001}, Height: 6}})
		if err != nil {
			t.Fatal(err)
		}
		at := pic.Image.RGBAAt(32, 32)
		return [3]int{int(at.R), int(at.G), int(at.B)}
	}
	if bright := shot(0xffffff, 0xff5500, 0); bright != shot(0, 0xff5500, 0) || bright[0] != 0xff {
		t.Errorf("over white it is %v, over black %v", bright, shot(0, 0xff5500, 0))
	}
	if dull := shot(0xffffff, 0x401000, 0); dull[0] <= shot(0, 0x401000, 0)[0] {
		t.Errorf("what glows a little hides all: %v", dull)
	}
	day, night := shot(0, 0xff5500, 0), shot(0, 0xff5500, 1)
	if night[0] < 0xf0 || night[1] < 0x50 || night[1] > day[1] {
		t.Errorf("by night it is %v, by day %v", night, day)
	}
}

// TestRiver shows a river between its banks and nowhere else, over what is behind it and under what is before it, the whiter the steeper it falls.
func TestRiver(t *testing.T) {
	stone := Object{ID: 1, Kind: Sphere, Size: Vec3{1, 1, 1}, Transform: world.Transform{Position: Vec3{0, 2, 0}, Rotation: world.NoRotation(), Scale: Vec3{1, 1, 1}}}
	scene := Scene{Objects: []Object{stone}, Waters: []Water{{Color: 0x2b5d72, Banks: [][2]Vec3{{{2, 0, 4}, {-2, 0, 4}}, {{2, 0, -4}, {-2, 0, -4}}, {{2, -8, -10}, {-2, -8, -10}}}}}}
	dry := scene
	dry.Waters = nil
	shot := func(s Scene) func(x, z float64) [3]float64 {
		pic, err := Draw(&s, Options{Width: 120, Height: 200, View: FromCamera, Camera: &Camera{Position: Vec3{0, 30, -3}, Target: Vec3{0, 0, -3.001}, Height: 20}})
		if err != nil {
			t.Fatal(err)
		}
		return func(x, z float64) [3]float64 { // from above, ten pixels for a metre, -z is up
			at := pic.Image.RGBAAt(60+int(10*x), 100+int(10*(z+3)))
			return [3]float64{float64(at.R), float64(at.G), float64(at.B)}
		}
	}
	wet, bare := shot(scene), shot(dry)
	for _, p := range [][2]float64{{-1.8, 3}, {1.8, 3}, {1.5, -3}, {-1.5, -9}, {1.5, -6}} {
		if wet(p[0], p[1]) == bare(p[0], p[1]) {
			t.Errorf("no river shows at %v", p)
		}
	}
	for _, p := range [][2]float64{{-2.3, 3}, {2.3, -3}, {0, 4.5}, {0, -10.5}, {0, 0}} {
		if wet(p[0], p[1]) != bare(p[0], p[1]) {
			t.Errorf("a river shows at %v", p)
		}
	}
	if lies, falls := wet(1.5, -3), wet(1.5, -6); falls[0] < lies[0]+20 {
		t.Errorf("where it falls it is %v, where it lies %v", falls, lies)
	}
}
