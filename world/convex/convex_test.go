package convex_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/world/convex"
)

func Example() {
	// A pyramid over a square of two metres, three metres high.
	m, err := convex.New([]convex.Vec{{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}, {0, 3, 0}}, [][]uint32{{0, 1, 2, 3, 4}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d faces, %d directions of edges, %.3g m³\n", len(m.Parts[0].Faces), len(m.Parts[0].Edges), m.Volume)
	// Output: 5 faces, 6 directions of edges, 4 m³
}

func TestErrors(t *testing.T) {
	flat := []convex.Vec{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {1, 0, 1}, {0.5, 0, 2}}
	for want, pieces := range map[string][][]uint32{
		"must be 1 to 256 pieces, got 0":                 {},
		"piece 0: there is no point 5":                   {{0, 1, 2, 5}},
		"piece 0: must have 4 to 64 points that differ":  {{0, 1, 2, 2}},
		"piece 0: its points must not be all in a plane": {{0, 1, 2, 3, 4}},
	} {
		if _, err := convex.New(flat, pieces); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v: %v, want %s", pieces, err, want)
		}
	}
}

// TestPrism holds prisms over regular polygons, turned anyhow, to what is known of them.
func TestPrism(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 32).Draw(t, "n")
		r, h := rapid.Float64Range(0.1, 50).Draw(t, "r"), rapid.Float64Range(0.01, 50).Draw(t, "h")
		turn := rapid.Float64Range(0, 6).Draw(t, "turn")
		s, c := math.Sincos(rapid.Float64Range(0, 6).Draw(t, "tilt"))
		var points []convex.Vec
		var all []uint32
		for i := range 2 * n {
			b, a := math.Sincos(turn + 2*math.Pi*float64(i/2)/float64(n))
			x, y, z := r*a, h*(float64(i%2)-0.5), r*b
			p := convex.Vec{x*c - y*s, x*s + y*c, z}
			for k := range p {
				p[k] = float64(float32(p[k])) // as they are kept
			}
			points, all = append(points, p), append(all, uint32(i))
		}
		m, err := convex.New(points, [][]uint32{all})
		if err != nil {
			t.Fatal(err)
		}
		p := m.Parts[0]
		if len(p.Faces) != n+2 {
			t.Errorf("%d faces, want %d", len(p.Faces), n+2)
		}
		edges := n + 1 // those around, and those up
		if n%2 == 0 {
			edges = n/2 + 1
		}
		if len(p.Edges) != edges {
			t.Errorf("%d directions of edges, want %d", len(p.Edges), edges)
		}
		if want := float64(n) / 2 * r * r * math.Sin(2*math.Pi/float64(n)) * h; math.Abs(m.Volume-want) > 1e-3*want {
			t.Errorf("volume %v, want %v", m.Volume, want)
		}
	})
}

// TestUnevenBase: a base whose points are within rounding of one plane, three of them nearly in a line, has edges on all its sides.
func TestUnevenBase(t *testing.T) {
	const little = 1.0 / (1 << 20)
	m, err := convex.New([]convex.Vec{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1.0 / 64, -3.0 / 8, little}, {1.5, 1.5, 1.5}, {-1.0 / 32, 0.5, -little}}, [][]uint32{{0, 1, 2, 3, 4, 5, 6}})
	if err != nil {
		t.Fatal(err)
	}
	level := 0
	for _, e := range m.Parts[0].Edges {
		if math.Abs(e[2]) < 1e-5 {
			level++
		}
	}
	if level != 4 {
		t.Errorf("the base has edges in %d directions, want 4: %v", level, m.Parts[0].Edges)
	}
}

// TestFaces holds the faces of what is between random points to what faces are: no point is outside of any, each has three points at least,
// and whatever is beyond all points in some direction is outside of one.
func TestFaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Map(rapid.Float32Range(-2, 2), func(x float32) float64 { return float64(x) })
		var points []convex.Vec
		var all []uint32
		for i := range rapid.IntRange(4, 24).Draw(t, "n") {
			points, all = append(points, convex.Vec{number.Draw(t, "x"), number.Draw(t, "y"), number.Draw(t, "z")}), append(all, uint32(i))
		}
		m, err := convex.New(points, [][]uint32{all})
		if err != nil {
			return // all in a plane, or the same
		}
		p := m.Parts[0]
		dot := func(a, b convex.Vec) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
		for _, f := range p.Faces {
			touching := 0
			for _, q := range p.Points {
				switch d := dot(f.Normal, q) - f.Off; {
				case d > 1e-9:
					t.Errorf("%v is %v out of the face %v", q, d, f)
				case d > -1e-4:
					touching++
				}
			}
			if touching < 3 {
				t.Errorf("the face %v has %d points", f, touching)
			}
		}
		dir := convex.Vec{number.Draw(t, "dx"), number.Draw(t, "dy"), number.Draw(t, "dz")}
		length := math.Sqrt(dot(dir, dir))
		if length < 0.1 {
			return
		}
		best, far := convex.Vec{}, math.Inf(-1)
		for _, q := range p.Points {
			if along := dot(dir, q); along > far {
				best, far = q, along
			}
		}
		outside := false
		for _, f := range p.Faces {
			beyond := convex.Vec{best[0] + 0.05*dir[0]/length, best[1] + 0.05*dir[1]/length, best[2] + 0.05*dir[2]/length}
			outside = outside || dot(f.Normal, beyond) > f.Off
		}
		if !outside {
			t.Errorf("nothing says that what is beyond %v along %v is outside", best, dir)
		}
	})
}

func BenchmarkNew(b *testing.B) {
	var points []convex.Vec
	var all []uint32
	for i := range 64 { // two rings of 32
		s, c := math.Sincos(math.Pi * float64(i/2) / 16)
		points, all = append(points, convex.Vec{c, float64(i % 2), s}), append(all, uint32(i))
	}
	for b.Loop() {
		if _, err := convex.New(points, [][]uint32{all}); err != nil {
			b.Fatal(err)
		}
	}
}
