package render_test

import (
	"image"
	"math"
	"testing"

	"github.com/limina-mcp/limina/render"
	"github.com/limina-mcp/limina/world"
)

// house returns a room of four walls under a roof that reaches beyond them, and far from it a tower, by which a picture is about more.
func house() []render.Object {
	part := func(id world.ID, at, size world.Vec3) render.Object {
		return render.Object{ID: id, Color: 0xffffff, Size: size, Transform: world.Transform{Position: at, Rotation: world.QuatFromEuler(0, 0, 0), Scale: world.Vec3{1, 1, 1}}}
	}
	return []render.Object{
		part(1, world.Vec3{0, 1.6, -2.875}, world.Vec3{8, 3.2, 0.25}), part(2, world.Vec3{0, 1.6, 2.875}, world.Vec3{8, 3.2, 0.25}),
		part(3, world.Vec3{-3.875, 1.6, 0}, world.Vec3{0.25, 3.2, 5.5}), part(4, world.Vec3{3.875, 1.6, 0}, world.Vec3{0.25, 3.2, 5.5}),
		part(5, world.Vec3{0, 3.3, 0}, world.Vec3{9, 0.2, 7}), part(6, world.Vec3{0, -0.1, 0}, world.Vec3{20, 0.2, 20}),
		part(7, world.Vec3{300, 20, 0}, world.Vec3{4, 40, 4}),
	}
}

func grey(m image.Image, x, y int) int {
	r, g, b, _ := m.At(x, y).RGBA()
	return int(r+g+b) / 3 >> 8
}

// Eaves throw a straight shadow on the wall below them, however much else there is.
func TestEavesThrowAStraightShadow(t *testing.T) {
	camera := &render.Camera{Position: world.Vec3{0, 1.7, 8}, Target: world.Vec3{0, 2, 3}, FOV: 40}
	pic := draw(t, &render.Scene{Objects: house(), Light: render.Light{Sun: world.Vec3{0.3, 1, 0.5}}}, render.Options{View: render.FromCamera, Camera: camera})
	edge := 0
	for x := 40; x < 600; x++ {
		from := 0
		for from < 240 && grey(pic.Image, x, from) > 120 { // sky, and the front of the roof
			from++
		}
		for from < 480 && grey(pic.Image, x, from) < 110 {
			from++
		}
		if edge == 0 {
			edge = from
		}
		if from < edge-1 || from > edge+1 {
			t.Fatalf("the shadow of the eaves ends at row %d in column %d, at row %d in column 40", from, x, edge)
		}
	}
	if edge < 100 || edge > 400 {
		t.Errorf("the shadow ends at row %d", edge)
	}
}

// No sun gets through where a wall and the roof on it meet.
func TestNoSunGetsIntoAClosedRoom(t *testing.T) {
	for _, sun := range []world.Vec3{{0.3, 1, 0.5}, {1, 0.4, 0.2}, {0.1, 0.2, -1}} {
		for _, target := range []world.Vec3{{-3.5, 3, -2.5}, {3.5, 3, 2.5}, {3, 0.2, 2}} {
			camera := &render.Camera{Position: world.Vec3{0, 1.7, 0}, Target: target, FOV: 80}
			shade := draw(t, &render.Scene{Objects: house(), Light: render.Light{Sun: sun, Power: 1e-6}}, render.Options{View: render.FromCamera, Camera: camera})
			pic := draw(t, &render.Scene{Objects: house(), Light: render.Light{Sun: sun}}, render.Options{View: render.FromCamera, Camera: camera})
			if differs := difference(pic.Image, shade.Image); differs != "" {
				t.Errorf("sun from %v, towards %v: the sun gets in: %s", sun, target, differs)
			}
		}
	}
}

// Ground that is far away is drawn coarser, and there is no gap between what is coarse and what is not.
func TestFarGroundHasNoGaps(t *testing.T) {
	s := &render.Scene{}
	height := func(x, z float64) float64 { return 2 * math.Sin(x/17) * math.Sin(z/13) }
	for i := -2; i <= 2; i++ {
		for j := range 16 {
			f := &render.Heights{Columns: 33, Rows: 33, Cell: 1.5, At: make([]float64, 33*33)}
			cx, cz := float64(i)*48, -float64(j)*48
			for k := range f.At {
				f.At[k] = height(cx+1.5*float64(k%33)-24, cz+1.5*float64(k/33)-24)
			}
			s.Objects = append(s.Objects, render.Object{
				ID: world.ID(len(s.Objects) + 1), Kind: render.Field, Heights: f, Color: 0x80a060,
				Transform: world.Transform{Position: world.Vec3{cx, 0, cz}, Rotation: world.QuatFromEuler(0, 0, 0), Scale: world.Vec3{1, 1, 1}},
			})
		}
	}
	camera := &render.Camera{Position: world.Vec3{0, 40, 0}, Target: world.Vec3{0, 0, -150}, FOV: 40}
	pic := draw(t, s, render.Options{View: render.FromCamera, Camera: camera, NoShadows: true})
	for x := 200; x < 440; x++ {
		ground := false
		for y := range 480 {
			r, _, b, _ := pic.Image.At(x, y).RGBA()
			switch is := r > b; {
			case is:
				ground = true
			case ground:
				t.Fatalf("one sees the sky through the ground at %d, %d", x, y)
			}
		}
		if !ground {
			t.Fatalf("there is no ground in column %d", x)
		}
	}
}
