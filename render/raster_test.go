package render

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/world"
)

// inside is what scan must find, the slow way: a sample's middle is inside a triangle, or on an edge
// that has the inside on the right of it or below.
func inside(t [3]corner, x, y int) bool {
	area := cross(t[0], t[1], t[2].x, t[2].y)
	if area < 0 {
		t[1], t[2] = t[2], t[1]
	}
	px, py := int32(x*sub+sub/2), int32(y*sub+sub/2)
	for i := range t {
		a, b := t[i], t[(i+1)%3]
		e := cross(a, b, px, py)
		takes := a.y > b.y || a.y == b.y && a.x < b.x // with y down: the left edges go up, the upper to the right
		if e < 0 || e == 0 && !takes {
			return false
		}
	}
	return area != 0
}

func cross(a, b corner, x, y int32) int64 {
	return int64(b.x-a.x)*int64(y-a.y) - int64(b.y-a.y)*int64(x-a.x)
}

// TestScan fills random triangles in both ways.
func TestScan(t *testing.T) {
	const side = 24
	point := rapid.Custom(func(t *rapid.T) corner {
		at := rapid.Int32Range(-40, side*sub+40)
		if rapid.Bool().Draw(t, "on a sample") {
			at = rapid.Map(rapid.Int32Range(-1, side), func(i int32) int32 { return i*sub + sub/2 })
		}
		return corner{at.Draw(t, "x"), at.Draw(t, "y")}
	})
	rapid.Check(t, func(t *rapid.T) {
		c := [3]corner{point.Draw(t, "a"), point.Draw(t, "b"), point.Draw(t, "c")}
		fr := &frame{width: side, height: side, corners: c[:]}
		spans := make([]span, side)
		fr.scan(&face{last: 3}, 0, spans)
		for y := range side {
			for x := range side {
				got := x >= int(spans[y].left) && x < int(spans[y].right)
				if want := inside(c, x, y); got != want {
					t.Fatalf("%v: sample %d, %d: got %v, want %v", c, x, y, got, want)
				}
			}
		}
	})
}

// hit returns how far along a ray a box or a wedge is, the slow way.
func hit(o *Object, origin, ray Vec3) (s float64, ok bool) {
	back := o.Transform.Rotation.Conj()
	from, along := back.Rotate(origin.Sub(o.Transform.Position)), back.Rotate(ray)
	enter, leave := near, math.Inf(1)
	for i := range 3 {
		half := o.Size[i] * o.Transform.Scale[i] / 2
		a, b := (-half-from[i])/along[i], (half-from[i])/along[i]
		enter, leave = max(enter, min(a, b)), min(leave, max(a, b))
		from[i], along[i] = from[i]/half, along[i]/half
	}
	if o.Kind == Wedge {
		if t := -(from[1] + from[2]) / (along[1] + along[2]); along[1]+along[2] < 0 {
			enter = max(enter, t)
		} else {
			leave = min(leave, t)
		}
	}
	return enter, enter <= leave && enter > near
}

// TestWhatShowsIsWhatARayHits compares pictures of random boxes and wedges, sample by sample, with the one that a
// ray through the sample's middle hits first. At edges a sample may belong to either side.
func TestWhatShowsIsWhatARayHits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := func(name string, lo, hi float64) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
		vec := func(name string, lo, hi float64) Vec3 {
			return Vec3{number(name+" x", lo, hi), number(name+" y", lo, hi), number(name+" z", lo, hi)}
		}
		s := &Scene{}
		for i := range rapid.IntRange(1, 6).Draw(t, "boxes") {
			a := vec("angles", -3, 3)
			mirrored := rapid.SampledFrom([]float64{1, -1})
			s.Objects = append(s.Objects, Object{ID: world.ID(i + 1), Kind: rapid.SampledFrom([]Kind{Box, Wedge}).Draw(t, "kind"), Size: vec("size", 0.5, 3), Transform: world.Transform{
				Position: vec("at", -3, 3), Rotation: world.QuatFromEuler(a[0], a[1], a[2]),
				Scale: vec("scale", 0.5, 1.5).Mul(Vec3{mirrored.Draw(t, "mirrored x"), mirrored.Draw(t, "mirrored y"), mirrored.Draw(t, "mirrored z")}),
			}})
		}
		c := Camera{Position: vec("eye", 4, 9), Target: vec("target", -1, 1), FOV: number("fov", 30, 90)}
		if rapid.Bool().Draw(t, "parallel") {
			c.FOV, c.Height = 0, 12
		}
		const side = 40
		fr := &frame{lens: newLens(&c, side, side), width: side, height: side}
		b := builder{fr: fr, scene: s}
		b.all(func(*Object) bool { return true })
		canvas := newCanvas(side*side, true)
		fr.fill(canvas, 1)
		wrong := 0
		for j := range side {
			at, by := fr.lens.row(j)
			for i := range side {
				x := float64(i)
				origin, ray := at.Add(fr.lens.originX.Scale(x)), by.Add(fr.lens.rayX.Scale(x))
				first, distance := int32(0), math.Inf(1)
				for k := range s.Objects {
					if d, ok := hit(&s.Objects[k], origin, ray); ok && d < distance {
						first, distance = int32(k+1), d
					}
				}
				got := canvas.face[j*side+i]
				if got == 0 || fr.faces[got-1].object+1 != first {
					if got != 0 || first != 0 {
						wrong++
					}
					continue
				}
				f := &fr.faces[got-1]
				steep := math.Abs(f.dx) + math.Abs(f.dy) // a corner that was rounded moves the face by some of that
				if fr.lens.perspective {
					steep *= distance * distance
				}
				if s := fr.lens.distance(float64(canvas.near[j*side+i])); math.Abs(s-distance) > 0.05+2*steep {
					wrong++ // at an edge of the box, another of its faces
				}
			}
		}
		if wrong > 40 {
			t.Fatalf("%d of %d samples show another thing than the ray hits, or at another distance", wrong, side*side)
		}
	})
}
