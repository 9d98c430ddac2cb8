package render

import (
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/world"
)

// picture draws an image of any colours.
func picture(t *rapid.T, most int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, rapid.IntRange(1, most).Draw(t, "width"), rapid.IntRange(1, most).Draw(t, "height")))
	for i := range img.Pix {
		img.Pix[i] = rapid.Byte().Draw(t, "level")
	}
	return img
}

// tent is how much of a texel shows at a place, both on a circle of n texels: all of it in its middle, nothing at the next.
func tent(at float64, texel, n int) float64 {
	most := 0.0
	sum := 0.0
	for turn := -2; turn <= 2; turn++ {
		d := math.Abs(at - (float64(texel) + 0.5 + float64(turn*n)))
		sum += max(1-d, 0)
		most = max(most, sum)
	}
	return most
}

// TestSample compares what a texture shows with the sum of all its texels, each as near as it is.
func TestSample(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		img := picture(t, 6)
		w, h := img.Rect.Dx(), img.Rect.Dy()
		texture := NewTexture(img, 64)
		at := rapid.OneOf(rapid.Float64Range(-3, 3), rapid.SampledFrom([]float64{0, 1, -1, 0.5, -1e-18, 1e15, math.Nextafter(1, 0)}))
		u, v := at.Draw(t, "u"), at.Draw(t, "v")
		got := texture.sample(u, v, 0)
		x, y := (u-math.Floor(u))*float64(w), (-v-math.Floor(-v))*float64(h)
		var want rgb
		opacity := 0.0
		for j := range h {
			for i := range w {
				c := img.NRGBAAt(i, j)
				part := tent(x, i, w) * tent(y, j, h)
				opacity += part * float64(c.A) / 255
				want = want.add(rgb{float64(c.R) / 255, float64(c.G) / 255, float64(c.B) / 255}.scale(part))
			}
		}
		if d := max(math.Abs(got.r-want.r), math.Abs(got.g-want.g), math.Abs(got.b-want.b)); !(d < 1e-9) {
			t.Fatalf("at %v, %v it is %v, want %v", u, v, got, want)
		}
		if got := texture.opacity(u, v, 0); math.Abs(got-opacity) > 1e-9 {
			t.Fatalf("at %v, %v it is opaque by %v, want %v", u, v, got, opacity)
		}
	})
}

// TestShrink compares a smaller image with the mean of what each of its texels covers, added up in pieces of which all sizes are whole numbers.
func TestShrink(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		img := picture(t, 9)
		full := texelsOf(img)
		w, h := rapid.IntRange(1, full.width).Draw(t, "to width"), rapid.IntRange(1, full.height).Draw(t, "to height")
		small := full.shrink(w, h)
		for y := range h {
			for x := range w {
				for k := range full.parts {
					sum := 0
					for j := range full.height { // a piece is 1/h high, of which each row has h, and each of the small ones full.height
						for i := range full.width {
							sum += int(full.at[full.parts*((y*full.height+j)/h*full.width+(x*full.width+i)/w)+k])
						}
					}
					all := full.width * full.height
					if got, want := small.at[small.parts*(y*w+x)+k], uint8((2*sum+all)/(2*all)); got != want {
						t.Fatalf("%d×%d to %d×%d: at %d, %d it is %d, want %d", full.width, full.height, w, h, x, y, got, want)
					}
				}
			}
		}
	})
}

// TestTextureFromAfar looks at fine checks from farther and farther away: from near they are black and white, from far they are grey, and nothing
// between is brighter than white or darker than the one before.
func TestTextureFromAfar(t *testing.T) {
	img := image.NewGray(image.Rect(0, 0, 64, 64))
	for i := range img.Pix {
		img.Pix[i] = uint8((i+i/64)%2) * 255
	}
	texture := NewTexture(img, 64)
	last := math.Inf(1)
	for _, pixel := range []float64{0, 1, 1.25, 1.5, 1.75, 2, 8, 64, 1e9, math.Inf(1)} {
		lo, hi := 1.0, 0.0
		for i := range 64 {
			c := texture.sample((float64(i)+0.5)/64, 0.5/64, pixel/64).g
			lo, hi = min(lo, c), max(hi, c)
		}
		if contrast := hi - lo; !(contrast <= last) || pixel <= 1 && contrast != 1 || pixel >= 2 && contrast > 0.01 {
			t.Errorf("pixels of %v texels: from %v to %v", pixel, lo, hi)
		} else {
			last = contrast
		}
	}
	if mean := texture.Mean(); mean != 0x808080 {
		t.Errorf("the mean is %06x", mean)
	}
	if small := NewTexture(img, 16); small.levels[0].width != 16 || small.Bytes() >= texture.Bytes()/10 {
		t.Errorf("a texture of 16 texels has %d, and %d bytes", small.levels[0].width, small.Bytes())
	}
}

// TestTexelsOf reads images of all kinds alike.
func TestTexelsOf(t *testing.T) {
	plain := image.NewNRGBA(image.Rect(-1, 2, 2, 4))
	for y := 2; y < 4; y++ {
		for x := -1; x < 2; x++ {
			plain.SetNRGBA(x, y, color.NRGBA{uint8(100 + 30*x), uint8(40 * y), 7, uint8(50 * (x + 2))})
		}
	}
	want := texelsOf(plain)
	if !slices.Equal(want.at[:4], []uint8{70, 80, 7, 50}) {
		t.Errorf("the first texel is %v", want.at[:4])
	}
	deep := image.NewNRGBA64(plain.Rect)
	ycc := image.NewYCbCr(plain.Rect, image.YCbCrSubsampleRatio444)
	for y := 2; y < 4; y++ {
		for x := -1; x < 2; x++ {
			c := plain.NRGBAAt(x, y)
			deep.SetNRGBA64(x, y, color.NRGBA64{uint16(c.R) * 257, uint16(c.G) * 257, uint16(c.B) * 257, uint16(c.A) * 257})
			i := ycc.YOffset(x, y)
			ycc.Y[i], ycc.Cb[i], ycc.Cr[i] = color.RGBToYCbCr(c.R, c.G, c.B)
		}
	}
	for _, other := range []image.Image{deep, ycc} {
		got := texelsOf(other)
		if other == ycc != (got.parts == 3) {
			t.Errorf("a %T has %d parts", other, got.parts)
		}
		for i := range 6 {
			for k := range got.parts {
				if d := int(got.at[got.parts*i+k]) - int(want.at[4*i+k]); d < -3 || d > 3 {
					t.Errorf("of a %T texel %d is %v, want %v", other, i, got.at[got.parts*i:][:got.parts], want.at[4*i:][:4])
				}
			}
		}
	}
	if none := NewTexture(image.NewGray(image.Rectangle{}), 8); none.Mean() != 0 {
		t.Error("an image without pixels is not black")
	}
}

// TestSides holds the sides of a surface to what they are: weights that add up to 1, images that are upright and not mirrored where they are seen from outside, and
// bumps to the right and up that are to the right and up.
func TestSides(t *testing.T) {
	part := rapid.Float64Range(-1, 1)
	rapid.Check(t, func(t *rapid.T) {
		n := unit(Vec3{part.Draw(t, "x"), part.Draw(t, "y"), part.Draw(t, "z")})
		if rapid.IntRange(0, 3).Draw(t, "a corner") == 0 {
			n = unit(Vec3{1, 1, -1})
		}
		c := coat{Surface: Surface{Triplanar: rapid.Bool().Draw(t, "triplanar"), Sharpness: rapid.Float64Range(0.01, 32).Draw(t, "sharpness")}}
		var store [3]side
		list := c.sides(n, &store)
		sum := 0.0
		for i := range list {
			s := &list[i]
			sum += s.weight
			if math.Abs(n[s.axis]) > 1e-3 && signOf(n[s.axis]) != s.sign {
				t.Fatalf("%v has the side %v", n, *s)
			}
			out := Vec3{}
			out[s.axis] = s.sign
			right, up := s.bumped(1, 0), s.bumped(0, 1)
			if right.Cross(up) != out {
				t.Fatalf("the side %v has %v to the right and %v up: it is mirrored", out, right, up)
			}
			if s.axis != 1 && up != (Vec3{0, 1, 0}) {
				t.Fatalf("the side %v has %v up", out, up)
			}
			at := Vec3{part.Draw(t, "px"), part.Draw(t, "py"), part.Draw(t, "pz")}
			u, v := s.place(at, 2)
			u2, v2 := s.place(at.Add(right.Scale(0.25)).Add(up.Scale(0.125)).Add(out.Scale(3)), 2)
			if math.Abs(u2-u-0.5) > 1e-12 || math.Abs(v2-v-0.25) > 1e-12 {
				t.Fatalf("the side %v: 0.25 m to the right and 0.125 m up are %v, %v of an image that repeats twice in a metre", out, u2-u, v2-v)
			}
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Fatalf("the weights of %v add up to %v", n, sum)
		}
		if !c.Triplanar && len(list) != 1 {
			t.Fatalf("%d sides without triplanar", len(list))
		}
	})
}

// TestLook turns an object about, with all that is on it: each place of it has the same colour, and its bumps turn with it.
func TestLook(t *testing.T) {
	angle := rapid.Float64Range(-3, 3)
	rapid.Check(t, func(t *rapid.T) {
		albedo, normal, rough := NewTexture(picture(t, 4), 8), NewTexture(picture(t, 4), 8), NewTexture(picture(t, 4), 8)
		give := func(t *Texture) func(int) *Texture { return func(int) *Texture { return t } }
		f := &Surface{
			Albedo: give(albedo), Normal: give(normal), Roughness: give(rough), Triplanar: rapid.Bool().Draw(t, "triplanar"),
			Scale: 0.7, NormalStrength: 1.5, Sharpness: 3, BaseRoughness: 0.5, Color: 0xffffff,
		}
		turn := world.QuatFromEuler(angle.Draw(t, "a"), angle.Draw(t, "b"), angle.Draw(t, "c"))
		still, moved := world.Identity(), world.Identity()
		moved.Position, moved.Rotation, moved.Scale = Vec3{3, -2, 5}, turn, Vec3{4, 0.5, 2}
		all := (&Scene{Objects: []Object{{Transform: still, Surface: f}, {Transform: moved, Surface: f}, {Transform: still}}}).papers(false).all
		if all[2] != nil {
			t.Fatal("something lies on what has no surface")
		}
		at, n := Vec3{0.3, -1.2, 0.8}, unit(Vec3{0.3, 0.5, -0.81})
		c, bumped, roughness := look(all[0], nil, at, n, 0.1)
		c2, bumped2, roughness2 := look(all[1], nil, turn.Rotate(at).Add(moved.Position), turn.Rotate(n), 0.1)
		off := max(math.Abs(c.r-c2.r), math.Abs(c.g-c2.g), math.Abs(c.b-c2.b), math.Abs(roughness-roughness2), turn.Rotate(bumped).Dist(bumped2))
		if !(off < 1e-9) {
			t.Fatalf("turned about it is %v, %v, %v; it was %v, %v, %v", c2, bumped2, roughness2, c, turn.Rotate(bumped), roughness)
		}
		if math.Abs(bumped.Len()-1) > 1e-12 || !(roughness >= 0 && roughness <= 0.5) {
			t.Fatalf("the normal %v, the roughness %v", bumped, roughness)
		}
	})
}

// look looks at a place on a paper.
func look(p *paper, l *lie, at, normal Vec3, pixel float64) (c rgb, bumped Vec3, roughness float64) {
	var here patch
	here.set(p, l, at, normal, pixel)
	return here.look()
}

// TestBumps has a normal map say plain, right and up.
func TestBumps(t *testing.T) {
	for _, c := range []struct {
		color color.NRGBA
		want  Vec3
	}{
		{color.NRGBA{128, 128, 255, 255}, Vec3{0, 0, 1}},
		{color.NRGBA{255, 128, 128, 255}, unit(Vec3{1, 0, 0.1})},
		{color.NRGBA{128, 255, 128, 255}, unit(Vec3{0, 1, 0.1})},
	} {
		img := image.NewNRGBA(image.Rect(0, 0, 1, 1))
		img.SetNRGBA(0, 0, c.color)
		f := &Surface{Normal: func(int) *Texture { return NewTexture(img, 8) }, Scale: 1, NormalStrength: 1, BaseRoughness: 0.5, Color: 0xffffff}
		p := (&Scene{Objects: []Object{{Transform: world.Identity(), Surface: f}}}).papers(false).all[0]
		if _, got, _ := look(p, nil, Vec3{}, Vec3{0, 0, 1}, 0); got.Dist(c.want) > 1e-12 {
			t.Errorf("%v is %v, want %v", c.color, got, c.want)
		}
		p.NormalStrength = 0
		if _, got, _ := look(p, nil, Vec3{}, Vec3{0, 0, 1}, 0); got != (Vec3{0, 0, 1}) {
			t.Errorf("%v without strength is %v", c.color, got)
		}
	}
}

// TestSideFor bounds what the images of a picture take.
func TestSideFor(t *testing.T) {
	for n := range 3 * 256 {
		side := sideFor(n)
		if bytes := n * side * side * 4; bytes > 80<<20 || side < 64 {
			t.Errorf("%d images of %d texels each way take %d bytes", n, side, bytes)
		}
	}
}

// TestHighlight is brightest where the light is mirrored, the fainter the rougher, and of metal has its colour.
func TestHighlight(t *testing.T) {
	up := Vec3{0, 1, 0}
	red := rgb{1, 0, 0}
	a, b := unit(Vec3{1, 1, 0}), unit(Vec3{-1, 1, 0})
	on, off := highlight(up, a, b, red, 0.3, 0), highlight(up, a, a, red, 0.3, 0)
	if !(on.g > 10*off.g) || on.r != on.g {
		t.Errorf("mirrored %v, not mirrored %v", on, off)
	}
	if rough := highlight(up, a, b, red, 1, 0); !(rough.g < on.g/10) {
		t.Errorf("of chalk %v, of what is smooth %v", rough, on)
	}
	if metal := highlight(up, a, b, red, 0.3, 1); metal.g != 0 || !(metal.r > on.r) {
		t.Errorf("of red metal %v", metal)
	}
}

// quarters is an image of four colours, red and green above blue and white.
func quarters() *Surface {
	img := image.NewNRGBA(image.Rect(0, 0, 64, 64))
	for y := range 64 {
		for x := range 64 {
			img.SetNRGBA(x, y, [2][2]color.NRGBA{{{255, 0, 0, 255}, {0, 255, 0, 255}}, {{0, 0, 255, 255}, {255, 255, 255, 255}}}[y/32][x/32])
		}
	}
	return &Surface{Albedo: func(side int) *Texture { return NewTexture(img, side) }, Mapped: true, Scale: 1, BaseRoughness: 1, Color: 0xffffff}
}

// TestMapped looks at a square on which an image of four colours lies as its coordinates say.
func TestMapped(t *testing.T) {
	square := func(coords ...[2]float32) *Mesh { // its corners from the left above, clockwise
		return &Mesh{Vertices: []Vec3{{-1, 1, 0}, {1, 1, 0}, {1, -1, 0}, {-1, -1, 0}}, Triangles: [][3]uint32{{0, 3, 2}, {0, 2, 1}}, Coords: coords}
	}
	upright := [][2]float32{{0, 0}, {1, 0}, {1, 1}, {0, 1}}
	turned := world.Identity()
	turned.Rotation = world.QuatFromEuler(0, 0, math.Pi)
	mirrored := world.Identity()
	mirrored.Scale = Vec3{-1, 1, 1}
	for _, tt := range []struct {
		name  string
		mesh  *Mesh
		at    world.Transform
		plain bool   // the surface is not mapped
		want  string // what is seen in the four quarters, by rows: r, g, b or w
	}{
		{"upright", square(upright...), world.Identity(), false, "rgbw"},
		{"beyond the image", square([2]float32{3, -2}, [2]float32{4, -2}, [2]float32{4, -1}, [2]float32{3, -1}), world.Identity(), false, "rgbw"},
		{"a quarter turn in the image", square([2]float32{1, 0}, [2]float32{1, 1}, [2]float32{0, 1}, [2]float32{0, 0}), world.Identity(), false, "gwrb"},
		{"one colour of it", square([2]float32{0.75, 0.25}, [2]float32{0.75, 0.25}, [2]float32{0.75, 0.25}, [2]float32{0.75, 0.25}), world.Identity(), false, "gggg"},
		{"its lower half", square([2]float32{0, 0.6}, [2]float32{1, 0.6}, [2]float32{1, 0.9}, [2]float32{0, 0.9}), world.Identity(), false, "bwbw"},
		{"upside down", square(upright...), turned, false, "wbgr"},
		{"mirrored", square(upright...), mirrored, false, "grwb"},
		{"twice as large an image, not mapped", square([2]float32{0.75, 0.25}, [2]float32{0.75, 0.25}, [2]float32{0.75, 0.25}, [2]float32{0.75, 0.25}), world.Identity(), true, "wbgr"},
		{"no coordinates", square(), world.Identity(), false, "wbgr"},
		{"too few coordinates", square(upright[:3]...), world.Identity(), false, "wbgr"},
	} {
		for _, smooth := range []bool{false, true} {
			m := *tt.mesh
			if smooth {
				m.Normals = slices.Repeat([]Vec3{{0, 0, 1}}, 4)
			}
			f := quarters()
			f.Mapped = !tt.plain
			if len(m.Coords) != 4 || tt.plain {
				f.Scale = 0.5 // it begins in the middle: of an image as large as the square each quarter has the one across
			}
			s := &Scene{Objects: []Object{{Kind: Solid, Mesh: &m, Transform: tt.at, Surface: f, Color: 0xffffff}}}
			shown, err := Draw(s, Options{Width: 64, Height: 64, Camera: &Camera{Position: Vec3{0, 0, 4}, FOV: 50}})
			if err != nil {
				t.Fatal(err)
			}
			img := shown.Image
			got := ""
			for _, p := range []image.Point{{24, 24}, {40, 24}, {24, 40}, {40, 40}} {
				c := img.RGBAAt(p.X, p.Y)
				switch {
				case c.R > 80 && c.G > 80 && c.B > 80:
					got += "w"
				case c.R > 80:
					got += "r"
				case c.G > 80:
					got += "g"
				case c.B > 80:
					got += "b"
				default:
					got += "?"
				}
			}
			if got != tt.want {
				t.Errorf("%s, smooth: %t: %s, want %s", tt.name, smooth, got, tt.want)
			}
		}
	}
}

// TestDirections finds what is to the right and up on an image that lies on a face in any way: going there, it goes by that way only.
func TestDirections(t *testing.T) {
	number := rapid.Float64Range(-2, 2)
	rapid.Check(t, func(t *rapid.T) {
		vec := func(name string) Vec3 { return Vec3{number.Draw(t, name), number.Draw(t, name), number.Draw(t, name)} }
		b := builder{points: []Vec3{vec("a"), vec("b"), vec("c")}}
		f, ok := b.plane(0, 1, 2)
		if !ok {
			t.Skip("no triangle")
		}
		var l lie
		var at [3][2]float64
		for k := range at {
			at[k] = [2]float64{number.Draw(t, "u"), number.Draw(t, "v")}
		}
		for a := range 2 {
			l.at[a], l.by[a] = f.linear(at[0][a], at[1][a], at[2][a])
		}
		area := (at[1][0]-at[0][0])*(at[2][1]-at[0][1]) - (at[1][1]-at[0][1])*(at[2][0]-at[0][0])
		edge := b.points[1].Sub(b.points[0]).Cross(b.points[2].Sub(b.points[0])).Len()
		if math.Abs(area) < 0.01 || edge < 0.01 {
			t.Skip("the image is nearly a line")
		}
		for k, p := range b.points {
			if u, v := l.place(p); math.Abs(u-at[k][0])+math.Abs(v+at[k][1]) > 1e-6 {
				t.Fatalf("corner %d is at %v, %v of the image, want %v", k, u, v, at[k])
			}
		}
		right, up, ok := l.directions(f.normal)
		if !ok {
			t.Fatal("it has no directions")
		}
		u, v := l.place(b.points[0])
		u2, v2 := l.place(b.points[0].Add(right))
		_, v3 := l.place(b.points[0].Add(up))
		if !(u2 > u) || math.Abs(v2-v) > 1e-6*(1+l.by[1].Len()) || !(v3 > v) {
			t.Fatalf("from %v, %v it is to the right %v, %v, and up %v", u, v, u2, v2, v3)
		}
		if off := max(math.Abs(right.Dot(f.normal)), math.Abs(up.Dot(f.normal)), math.Abs(right.Dot(up)), math.Abs(right.Len()-1), math.Abs(up.Len()-1)); off > 1e-9 {
			t.Fatalf("right %v and up %v are not at right angles, on the face", right, up)
		}
	})
}

// TestMappedBumps has a normal map lean a square's light to the right of the image, wherever that is.
func TestMappedBumps(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 1, 1))
	img.SetNRGBA(0, 0, color.NRGBA{255, 128, 128, 255})
	c := &paper{coat: &coat{Surface: Surface{NormalStrength: 1, BaseRoughness: 0.5}, normal: NewTexture(img, 1), tint: rgb{1, 1, 1}}}
	for right, l := range map[Vec3]lie{
		{1, 0, 0}:  {by: [2]Vec3{{1, 0, 0}, {0, -1, 0}}},
		{-1, 0, 0}: {by: [2]Vec3{{-3, 0, 0}, {0, -1, 0}}},
		{0, 1, 0}:  {by: [2]Vec3{{0, 1, 0}, {7, 0, 0}}},
	} {
		if _, got, roughness := look(c, &l, Vec3{}, Vec3{0, 0, 1}, 0.1); got.Dist(unit(right.Add(Vec3{0, 0, 0.1}))) > 1e-9 || roughness != 0.5 {
			t.Errorf("to the right is %v: the normal leans to %v, roughness %v", right, got, roughness)
		}
	}
	if _, got, _ := look(c, &lie{}, Vec3{}, Vec3{0, 0, 1}, 0.1); got != (Vec3{0, 0, 1}) {
		t.Errorf("where the image has no direction the normal is %v", got)
	}
}

// TestHoles looks through the left half of a thing at what is behind it, whatever it is: in the picture, in its shadow, in the light of a lamp and where each
// thing has a colour of its own. What has no cutoff has no holes.
func TestHoles(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 64, 64))
	for i := range 64 * 64 {
		c := color.NRGBA{0, 255, 0, 255}
		if i%64 < 32 {
			c = color.NRGBA{0, 255, 0, 60}
		}
		img.SetNRGBA(i%64, i/64, c)
	}
	sheet := &Mesh{
		Vertices:  []Vec3{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}},
		Triangles: [][3]uint32{{0, 1, 2}, {0, 2, 3}},
		Coords:    [][2]float32{{0, 1}, {1, 1}, {1, 0}, {0, 0}},
	}
	box := Object{ID: 1, Kind: Box, Transform: world.Identity(), Size: Vec3{2, 2, 0.01}, Color: 0xffffff}
	mesh := Object{ID: 1, Kind: Solid, Mesh: sheet, Transform: world.Identity(), Color: 0xffffff}
	for name, front := range map[string]Object{"box": box, "mesh": mesh} {
		f := &Surface{Albedo: func(side int) *Texture { return NewTexture(img, side) }, Mapped: true, Scale: 0.5, BaseRoughness: 1, Color: 0xffffff}
		if name == "box" { // whose images begin in its middle
			f.Albedo = func(side int) *Texture {
				moved := image.NewNRGBA(img.Rect)
				for i := range 64 * 64 {
					moved.Set(i%64, i/64, img.At((i+32)%64, i/64))
				}
				return NewTexture(moved, side)
			}
		}
		front.Surface = f
		wall := Object{ID: 2, Kind: Box, Transform: world.Identity(), Size: Vec3{6, 6, 0.1}, Color: 0xff0000}
		wall.Transform.Position[2] = -3
		lamp := Lamp{At: Vec3{0, 0, 3}, Color: 0xffffff, Power: 1}
		at := func(pic *Picture, x, y int) color.RGBA { return pic.Image.RGBAAt(x, y) }
		draw := func(cutoff float64, o Options, lamps ...Lamp) *Picture {
			f.Cutoff = cutoff
			o.Width, o.Height, o.View, o.Camera = 200, 200, FromCamera, &Camera{Position: Vec3{0, 0, 5}, FOV: 60}
			pic, err := Draw(&Scene{Objects: []Object{front, wall}, Lamps: lamps, Light: Light{Sun: Vec3{0, 0.3, 1}, Night: map[bool]float64{true: 1}[len(lamps) > 0]}}, o)
			if err != nil {
				t.Fatal(err)
			}
			return pic
		}
		red := func(c color.RGBA) bool { return c.R > 2*c.G }
		for cutoff, through := range map[float64]bool{0: false, 0.1: false, 0.5: true, 1: true} {
			for what, pic := range map[string]*Picture{"sun": draw(cutoff, Options{}), "lamp": draw(cutoff, Options{}, lamp)} {
				if left, right := red(at(pic, 80, 100)), red(at(pic, 120, 100)); left != through || right {
					t.Errorf("%s, %s, cutoff %v: one looks through it on the left: %v, on the right: %v", name, what, cutoff, left, right)
				}
			}
			ids := draw(cutoff, Options{Style: IDs})
			if got := at(ids, 80, 100) == at(ids, 100, 40); got != through { // there is the wall
				t.Errorf("%s, ids, cutoff %v: one looks through it on the left: %v", name, cutoff, got)
			}
		}
		// Its shadow falls on the wall straight behind it, lower by what the sun is higher: the half with holes throws none.
		for what, lit := range map[string]func(x int) uint8{
			"sun":  func(x int) uint8 { return at(draw(0.5, Options{}), x, 140).R },
			"lamp": func(x int) uint8 { return at(draw(0.5, Options{}, lamp), x, 139).R },
		} {
			if left, right := lit(82), lit(118); !(float64(left) > 1.2*float64(right)) {
				t.Errorf("%s, %s: behind the holes it is %d bright, behind the rest %d", name, what, left, right)
			}
		}
	}
}

// TestLightMap has a thing give off light where its image says, and of the colour that it says.
func TestLightMap(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	img.Set(0, 0, color.NRGBA{255, 0, 0, 255})
	img.Set(1, 0, color.NRGBA{0, 0, 0, 255})
	f := &Surface{Light: func(side int) *Texture { return NewTexture(img, side) }, Scale: 0.5, BaseRoughness: 1, Color: 0xffffff}
	o := Object{ID: 1, Kind: Box, Transform: world.Identity(), Size: Vec3{2, 2, 0.1}, Color: 0x202020, Surface: f}
	draw := func(emissive uint32) *image.RGBA {
		o.Emissive = emissive
		pic, err := Draw(&Scene{Objects: []Object{o}}, Options{Width: 100, Height: 100, View: FromCamera, Camera: &Camera{Position: Vec3{0, 0, 2.5}, FOV: 60}})
		if err != nil {
			t.Fatal(err)
		}
		return pic.Image
	}
	none, lit := draw(0), draw(0xff8080)
	for x, want := range map[int]bool{65: true, 35: false} { // the image begins in the middle of the thing
		c, c0 := lit.RGBAAt(x, 50), none.RGBAAt(x, 50)
		if got := c.R > c0.R+100; got != want || c.G != c0.G {
			t.Errorf("at %d it is %v, and without light %v: gives it off: %v, want %v", x, c, c0, got, want)
		}
	}
}
