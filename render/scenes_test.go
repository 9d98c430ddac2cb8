package render_test

import (
	"image"
	"image/color"

	"github.com/limina-mcp/limina/render"
	"github.com/limina-mcp/limina/world"
)

// at returns a place.
func at(x, y, z float64) world.Transform {
	t := world.Identity()
	t.Position = world.Vec3{x, y, z}
	return t
}

// turned returns a place, turned about y.
func turned(x, y, z, angle float64) world.Transform {
	t := at(x, y, z)
	t.Rotation = world.QuatFromEuler(0, angle, 0)
	return t
}

// boxes returns a town of n boxes.
func boxes(n int) *render.Scene {
	s := &render.Scene{}
	colors := []uint32{0x9c4a35, 0xe9e4d8, 0x85827c, 0xb5563c, 0x8a5a33, 0x4f8a3c}
	for i := range n {
		h := 0.6 + float64(i*7%11)/4
		s.Objects = append(s.Objects, render.Object{
			ID: world.ID(i + 1), Kind: render.Box, Size: world.Vec3{1.2, h, 1.2}, Color: colors[i%len(colors)],
			Transform: turned(float64(i%25)*2-24, h/2, float64(i/25)*2-20, float64(i)/7),
		})
	}
	return s
}

// shapes returns one of everything.
func shapes() *render.Scene {
	n := 17
	hills := &render.Heights{Columns: n, Rows: n, Cell: 0.25}
	for z := range n {
		for x := range n {
			hills.At = append(hills.At, float64((x*x+3*z+x*z)%7)/14)
		}
	}
	pyramid := &render.Mesh{
		Vertices:  []world.Vec3{{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}, {0, 1.6, 0}},
		Triangles: [][3]uint32{{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}, {0, 2, 1}, {0, 3, 2}},
	}
	tilted := at(3, 1.2, 2.5)
	tilted.Rotation = world.QuatFromEuler(0.6, 0.3, 0.9)
	return &render.Scene{
		Objects: []render.Object{
			{ID: 1, Name: "crate", Kind: render.Box, Size: world.Vec3{1.5, 1.5, 1.5}, Color: 0x8a5a33, Transform: turned(-3, 0.75, 0, 0.4)},
			{ID: 2, Name: "ball", Kind: render.Sphere, Size: world.Vec3{1.6, 1.6, 1.6}, Color: 0xb5563c, Transform: at(-0.8, 0.8, 0)},
			{ID: 3, Name: "ann", Kind: render.Capsule, Size: world.Vec3{0.7, 1.7, 0.7}, Color: 0x4a7fb5, Transform: at(1, 0.85, 0)},
			{ID: 4, Name: "column", Kind: render.Cylinder, Size: world.Vec3{0.8, 2.4, 0.8}, Color: 0xece8e1, Transform: at(2.5, 1.2, -1)},
			{ID: 5, Name: "tree", Kind: render.Cone, Size: world.Vec3{1.5, 2.5, 1.5}, Color: 0x4f8a3c, Transform: at(4.2, 1.25, 0)},
			{ID: 6, Name: "pyramid", Kind: render.Solid, Mesh: pyramid, Color: 0xd9c48f, Transform: at(-3.5, 0, 3)},
			{ID: 7, Name: "hills", Kind: render.Field, Heights: hills, Color: 0x6fa05a, Transform: at(0, 0, 3.5)},
			{ID: 8, Name: "egg", Kind: render.Sphere, Size: world.Vec3{0.8, 1.6, 0.8}, Color: 0xe9e4d8, Transform: tilted},
			{ID: 9, Name: "buried", Kind: render.Box, Size: world.Vec3{1, 1, 1}, Color: 0x7a6f8a, Transform: at(-1, -0.6, -2.5)},
		},
		Waters: []render.Water{{Center: world.Vec3{4, 0.2, 4}, Right: world.Vec3{1.5, 0, 0}, Front: world.Vec3{0, 0, 1.5}, Color: 0x2b5d7a}},
		Texts:  []render.Text{{At: world.Vec3{1, 2.2, 0}, Lines: []string{"Hello, I am Ann."}}},
	}
}

// finished returns a square at night of which the picture is finished in every way.
func finished() *render.Scene {
	s := square()
	s.Post = render.Post{
		AO:    &render.AO{Radius: 0.8, Scale: 1.5, DistanceExponent: 1.5, Thickness: 1, Samples: 16, ResolutionScale: 0.5, Intensity: 0.9},
		Bloom: &render.Bloom{Strength: 0.8, Radius: 0.7, Threshold: 0.7},
		Grade: &render.Grade{Exposure: 1.2, Contrast: 1.1, Saturation: 0.7},
	}
	return s
}

// papered returns things on which images lie.
func papered() *render.Scene {
	const side = 64
	drawn := func(at func(x, y int) (r, g, b uint8)) func(int) *render.Texture {
		img := image.NewNRGBA(image.Rect(0, 0, side, side))
		for y := range side {
			for x := range side {
				r, g, b := at(x, y)
				img.SetNRGBA(x, y, color.NRGBA{r, g, b, 255})
			}
		}
		return func(most int) *render.Texture { return render.NewTexture(img, most) }
	}
	// joint tells how near a place is to the left or right, and to the upper or lower edge of its brick: 0 or 1.
	joint := func(x, y int) (across, down int, edge bool) {
		row := y / 16
		x = (x + row%2*16) % 32
		switch x {
		case 0, 1:
			across = -1
		case 30, 31:
			across = 1
		}
		switch y % 16 {
		case 0, 1:
			down = -1
		case 14, 15:
			down = 1
		}
		return across, down, across != 0 || down != 0
	}
	bricks := &render.Surface{
		Albedo: drawn(func(x, y int) (r, g, b uint8) {
			if _, _, edge := joint(x, y); edge {
				return 190, 185, 175
			}
			shade := uint8((x*7 + y*13 + x*y) % 23)
			return 150 + shade, 70 + shade, 50 + shade
		}),
		Normal: drawn(func(x, y int) (r, g, b uint8) {
			across, down, _ := joint(x, y)
			return uint8(128 + 90*across), uint8(128 - 90*down), 210
		}),
		Roughness: drawn(func(x, y int) (r, g, b uint8) {
			if _, _, edge := joint(x, y); edge {
				return 255, 255, 255
			}
			return 0, 130, 0
		}),
		Scale: 1, NormalStrength: 1, Sharpness: 4, BaseRoughness: 0.9, Color: 0xffffff,
	}
	letter := func(x, y int) (r, g, b uint8) { // an F, to see which way it stands
		if x > 12 && x < 22 && y > 8 && y < 56 || x >= 22 && x < 48 && (y > 8 && y < 18 || y > 28 && y < 38) {
			return 40, 60, 160
		}
		return 235, 230, 210
	}
	letters := &render.Surface{Albedo: drawn(letter), Scale: 1, BaseRoughness: 0.8, Color: 0xffffff}
	round := *bricks
	round.Triplanar = true
	gold := &render.Surface{Albedo: drawn(func(x, y int) (r, g, b uint8) { return 255, 205, uint8(60 + (x/8+y/8)%2*40) }), Scale: 2, Metalness: 1, BaseRoughness: 0.25, Color: 0xffffff}
	checks := &render.Surface{
		Albedo: drawn(func(x, y int) (r, g, b uint8) { v := uint8(60 + (x/32+y/32)%2*170); return v, v, v }), Scale: 1, BaseRoughness: 1, Color: 0xffe0c0,
	}
	slab := turned(2.6, 0.75, 1.2, 0.7)
	slab.Scale = world.Vec3{1, 1.5, 0.3}
	s := shapes()
	pyramid := s.Objects[5]
	pyramid.Transform, pyramid.Surface = at(4.5, 0, -2), bricks
	return &render.Scene{
		Objects: []render.Object{
			{ID: 1, Kind: render.Box, Size: world.Vec3{24, 0.2, 60}, Color: 0xffffff, Surface: checks, Transform: at(0, -0.1, -22)},
			{ID: 2, Kind: render.Box, Size: world.Vec3{3, 2.2, 0.4}, Color: 0xffffff, Surface: bricks, Transform: turned(-2.6, 1.1, -1, 0.35)},
			{ID: 3, Kind: render.Sphere, Size: world.Vec3{1.6, 1.6, 1.6}, Color: 0xffffff, Surface: &round, Transform: at(0.4, 0.8, -0.5)},
			{ID: 4, Kind: render.Box, Size: world.Vec3{1, 1, 1}, Color: 0xffffff, Surface: letters, Transform: slab},
			{ID: 5, Kind: render.Sphere, Size: world.Vec3{0.9, 0.9, 0.9}, Color: 0xffffff, Surface: gold, Transform: at(-0.6, 0.45, 1.6)},
			{ID: 6, Kind: render.Cylinder, Size: world.Vec3{0.7, 2, 0.7}, Color: 0xb0ffb0, Surface: letters, Transform: at(-4.4, 1, 0.6)},
			{ID: 7, Kind: render.Box, Size: world.Vec3{0.8, 0.8, 0.8}, Color: 0x8a5a33, Transform: turned(1.1, 0.4, 2, 0.3)},
			pyramid,
		},
		Lamps: []render.Lamp{{At: world.Vec3{-3.4, 1.6, 1.4}, Color: 0xffd9a0, Power: 0.8, Range: 4}},
	}
}

// noted has notes at all corners, and some that there is no room for.
func noted() *render.Scene {
	s := shapes()
	for _, c := range []render.Corner{"", "top-center", "top-right", "center", "bottom-left", "bottom-center", "bottom-right"} {
		s.Notes = append(s.Notes, render.Note{Corner: c, Lines: []string{"Score", "3 of 5 " + string(c)}})
	}
	long := render.Note{Corner: "top-left", Lines: []string{"a line that is longer than the whole picture is wide, which is cut"}}
	for range 30 {
		s.Notes = append(s.Notes, long)
	}
	return s
}

// figures are people who stand, walk, run, jump and crouch, and a statue.
func figures() *render.Scene {
	person := func(id world.ID, x float64, angle float64, p render.Pose, color uint32) render.Object {
		size := world.Vec3{0.7, 1.7, 0.7}
		if p.Low {
			size[1] = 1.2
		}
		return render.Object{ID: id, Kind: render.Figure, Size: size, Color: color, Transform: turned(x, size[1]/2, 0, angle), Pose: p, Dressed: true}
	}
	statue := person(6, 3.2, -0.3, render.Pose{}, 0x85827c)
	statue.Dressed = false
	statue.Transform.Position[1] += 0.5
	return &render.Scene{Objects: []render.Object{
		person(1, -3, 0.3, render.Pose{}, 0x4a90d9),
		person(2, -1.9, 1.1, render.Pose{Stride: 0.3, Speed: 1.4}, 0xe0a030),
		person(3, -0.5, 1.4, render.Pose{Stride: 2.6, Speed: 6}, 0xb5563c),
		person(4, 0.8, 0.4, render.Pose{Aloft: true}, 0x4f8a3c),
		person(5, 2, -0.8, render.Pose{Low: true}, 0x7a6f8a),
		statue,
		{ID: 7, Kind: render.Box, Size: world.Vec3{0.8, 0.5, 0.8}, Color: 0x85827c, Transform: at(3.2, 0.25, 0)},
	}}
}
