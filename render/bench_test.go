package render_test

import (
	"math"
	"slices"
	"testing"

	"github.com/limina-mcp/limina/render"
	"github.com/limina-mcp/limina/world"
)

// BenchmarkTown draws 500 boxes in 640×480 pixels.
func BenchmarkTown(b *testing.B) {
	s := boxes(500)
	for _, c := range []struct {
		name    string
		options render.Options
	}{
		{"plain", render.Options{Grid: true, NoShadows: true}},
		{"shadows", render.Options{Grid: true}},
		{"coarse", render.Options{Grid: true, NoShadows: true, Coarse: true}},
		{"coarse shadows", render.Options{Grid: true, Coarse: true}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := render.Draw(s, c.options); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkEncode makes files of that picture.
func BenchmarkEncode(b *testing.B) {
	pic, err := render.Draw(boxes(500), render.Options{Grid: true})
	if err != nil {
		b.Fatal(err)
	}
	for _, f := range []render.Format{render.Auto, render.PNG, render.JPEG} {
		b.Run(string(f), func(b *testing.B) {
			for b.Loop() {
				if _, err := pic.Encode(f, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// village returns forty houses of plain walls under gable roofs on hills, with trees, lamps and people, and an eye in its middle.
func village() (*render.Scene, *render.Camera) {
	s := &render.Scene{}
	hills := &render.Heights{Columns: 129, Rows: 129, Cell: 1}
	for z := range hills.Rows {
		for x := range hills.Columns {
			hills.At = append(hills.At, float64((x*x+3*z+x*z)%97)/485-0.2)
		}
	}
	add := func(o render.Object) {
		o.ID = world.ID(len(s.Objects) + 1)
		s.Objects = append(s.Objects, o)
	}
	add(render.Object{Kind: render.Field, Heights: hills, Color: 0x6fa05a, Transform: at(0, 0, 0)})
	for i := range 40 {
		x, z := float64(i%8)*11-38, float64(i/8)*12-24
		for k := range 4 {
			side := turned(x, 1.4, z, float64(k)*math.Pi/2)
			side.Position = side.Position.Add(side.Rotation.Rotate(world.Vec3{0, 0, 2.5}))
			for part := range 3 {
				wall := side
				wall.Position = wall.Position.Add(wall.Rotation.Rotate(world.Vec3{float64(part-1) * 1.7, 0, 0}))
				add(render.Object{Kind: render.Box, Size: world.Vec3{1.6, 2.8, 0.2}, Color: 0xd8cfc0, Transform: wall})
			}
		}
		for k := range 2 {
			roof := turned(x, 3.7, z, float64(k)*math.Pi)
			roof.Position = roof.Position.Add(roof.Rotation.Rotate(world.Vec3{0, 0, 1.4}))
			roof.Rotation = roof.Rotation.Mul(world.QuatFromEuler(0.6, 0, 0))
			add(render.Object{Kind: render.Box, Size: world.Vec3{5.6, 0.15, 3.6}, Color: 0x8a4a33, Transform: roof})
		}
		add(render.Object{Kind: render.Cylinder, Size: world.Vec3{0.3, 2, 0.3}, Color: 0x6a4a2a, Transform: at(x+4.5, 1, z+3)})
		add(render.Object{Kind: render.Cone, Size: world.Vec3{2.2, 3.4, 2.2}, Color: 0x3f6f3a, Transform: at(x+4.5, 3.2, z+3)})
		add(render.Object{Kind: render.Figure, Dressed: true, Size: world.Vec3{0.7, 1.7, 0.7}, Color: 0x4a90d9, Transform: turned(x+3.6, 0.85, z-3, float64(i)), Pose: render.Pose{Stride: float64(i), Speed: 1.4}})
	}
	return s, &render.Camera{Position: world.Vec3{-1, 1.9, 20}, Target: world.Vec3{0, 1.5, 0}, FOV: 60}
}

// BenchmarkVillage draws it from its middle in 640×480 pixels.
func BenchmarkVillage(b *testing.B) {
	for _, c := range []struct {
		name    string
		weather render.Weather
		people  bool
		options render.Options
	}{
		{"plain", render.Weather{}, false, render.Options{NoShadows: true}},
		{"shadows", render.Weather{}, false, render.Options{}},
		{"people", render.Weather{}, true, render.Options{}},
		{"rain", render.Weather{Kind: render.Rain, Intensity: 1}, true, render.Options{}},
		{"snow", render.Weather{Kind: render.Snow, Intensity: 1}, true, render.Options{}},
		{"reveal", render.Weather{}, true, render.Options{Fit: []world.ID{200, 201}, Reveal: true}},
	} {
		s, eye := village()
		s.Weather = c.weather
		if !c.people {
			s.Objects = slices.DeleteFunc(s.Objects, func(o render.Object) bool { return o.Kind == render.Figure })
		}
		c.options.View, c.options.Camera, c.options.Grid = render.FromCamera, eye, true
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := render.Draw(s, c.options); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
