package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
)

// entity is what inspector.snapshot says of one.
type entity struct {
	Entity    string
	Transform struct {
		Position vec
		Rotation [4]float64
		Scale    vec
	}
	Shape *struct {
		Kind  string
		Size  vec
		Color int
	}
}

// draw writes a picture of everything in the world, seen from the front, right and above.
func (b *builder) draw(ctx context.Context, file string) error {
	var snapshot struct{ Entities []entity }
	if err := b.call(ctx, "skills_call", args{"name": "inspector.snapshot", "input": args{"limit": 500}}, &snapshot); err != nil {
		return err
	}
	var faces []face
	for _, e := range snapshot.Entities {
		if e.Shape != nil {
			faces = append(faces, facesOf(e)...)
		}
	}
	return os.WriteFile(file, []byte(picture(faces)), 0o644)
}

// face is one thing to paint: a polygon, or a disc if it has a radius.
type face struct {
	points []vec
	radius float64
	color  int
	light  float64 // how much of its colour it shows
}

// facesOf returns what of an entity faces the viewer.
func facesOf(e entity) []face {
	t, half := e.Transform, vec{}
	for i := range half {
		half[i] = e.Shape.Size[i] * t.Scale[i] / 2
	}
	if e.Shape.Kind == "sphere" {
		return []face{{points: []vec{t.Position}, radius: half[0], color: e.Shape.Color, light: 0.9}}
	}
	var faces []face
	for axis := range 3 {
		for _, side := range []float64{-1, 1} {
			var normal vec
			normal[axis] = side
			normal = rotate(t.Rotation, normal)
			if dot(normal, towardsViewer) <= 0 {
				continue
			}
			u, v := (axis+1)%3, (axis+2)%3
			f := face{color: e.Shape.Color, light: 0.45 + 0.55*math.Max(0, dot(normal, vec{0.45, 0.78, 0.43}))}
			for _, corner := range [][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
				var p vec
				p[axis], p[u], p[v] = side*half[axis], corner[0]*half[u], corner[1]*half[v]
				p = rotate(t.Rotation, p)
				for i := range p {
					p[i] += t.Position[i]
				}
				f.points = append(f.points, p)
			}
			faces = append(faces, f)
		}
	}
	return faces
}

// towardsViewer points from the scene to who looks at it; right and up span the picture.
var (
	towardsViewer = vec{0.5, 0.5, 0.7071}
	right         = vec{0.8165, 0, -0.5774}
	up            = vec{-0.2887, 0.866, -0.4082}
)

// depth is how near a face is to the viewer.
func (f face) depth() float64 {
	sum := 0.0
	for _, p := range f.points {
		sum += dot(p, towardsViewer)
	}
	return sum/float64(len(f.points)) + f.radius/2
}

// picture paints faces from the farthest to the nearest.
func picture(faces []face) string {
	const width, height, zoom = 760, 440, 34
	slices.SortStableFunc(faces, func(a, b face) int { return cmp.Compare(a.depth(), b.depth()) })
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d"><rect width="%d" height="%d" fill="#dfeaf2"/>`, width, height, width, height)
	at := func(p vec) (x, y float64) {
		return width/2 + 20 + zoom*dot(p, right), height/2 + 60 - zoom*dot(p, up)
	}
	polygon := func(points []vec, fill string) {
		b.WriteString(`<polygon points="`)
		for _, p := range points {
			x, y := at(p)
			fmt.Fprintf(&b, "%.1f,%.1f ", x, y)
		}
		fmt.Fprintf(&b, `" fill="%s" stroke="%s" stroke-width="0.7" stroke-linejoin="round"/>`, fill, fill)
	}
	polygon([]vec{{-9, 0, -7}, {9, 0, -7}, {9, 0, 9}, {-9, 0, 9}}, "#b9cfa0")
	for _, f := range faces {
		if f.radius > 0 {
			x, y := at(f.points[0])
			fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="%.1f" fill="%s"/>`, x, y, zoom*f.radius, shade(f.color, 0.75))
			fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="%.1f" fill="%s"/>`, x+zoom*f.radius*0.2, y-zoom*f.radius*0.25, zoom*f.radius*0.65, shade(f.color, 0.95))
			continue
		}
		polygon(f.points, shade(f.color, f.light))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func shade(color int, light float64) string {
	part := func(shift int) int { return int(math.Min(255, float64(color>>shift&255)*light)) }
	return fmt.Sprintf("#%02x%02x%02x", part(16), part(8), part(0))
}

func dot(a, b vec) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

// rotate turns v by the quaternion q (x, y, z, w).
func rotate(q [4]float64, v vec) vec {
	u := vec{q[0], q[1], q[2]}
	cross := func(a, b vec) vec {
		return vec{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
	}
	t := cross(u, v)
	for i := range t {
		t[i] *= 2
	}
	c := cross(u, t)
	for i := range v {
		v[i] += q[3]*t[i] + c[i]
	}
	return v
}
