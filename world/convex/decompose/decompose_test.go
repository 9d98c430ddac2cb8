package decompose_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/convex"
	"github.com/limina-mcp/limina/world/convex/decompose"
)

// mesh is a surface as it is given.
type mesh struct {
	points    [][3]float32
	triangles [][3]uint32
}

// quad adds a rectangle, or what is bent like one, counterclockwise from outside.
func (m *mesh) quad(a, b, c, d [3]float32) {
	n := uint32(len(m.points))
	m.points = append(m.points, a, b, c, d)
	m.triangles = append(m.triangles, [3]uint32{n, n + 1, n + 2}, [3]uint32{n, n + 2, n + 3})
}

// sides are those of a box, by its corners: of three bits, along which axes each is at the far end.
var sides = [6][4]int{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}

// corner returns one of a box.
func corner(lo, hi [3]float32, i int) [3]float32 {
	for k := range lo {
		if i>>k&1 == 1 {
			lo[k] = hi[k]
		}
	}
	return lo
}

func (m *mesh) box(lo, hi [3]float32, but ...int) {
	for i, s := range sides {
		if len(but) == 0 || but[0] != i {
			m.quad(corner(lo, hi, s[0]), corner(lo, hi, s[1]), corner(lo, hi, s[2]), corner(lo, hi, s[3]))
		}
	}
}

// inward turns all triangles about.
func (m *mesh) inward() {
	for i := range m.triangles {
		t := &m.triangles[i]
		t[0], t[1] = t[1], t[0]
	}
}

// turned adds what an outline in x and y makes when it is turned about y.
func (m *mesh) turned(outline [][2]float64, steps int) {
	at := func(p [2]float64, i int) [3]float32 {
		sin, cos := world.Sincos(2 * math.Pi * float64(i%steps) / float64(steps))
		return [3]float32{float32(p[0] * cos), float32(p[1]), float32(p[0] * sin)}
	}
	for i, p := range outline {
		q := outline[(i+1)%len(outline)]
		for k := range steps {
			m.quad(at(p, k+1), at(q, k+1), at(q, k), at(p, k))
		}
	}
}

// sheet adds a surface of cells over x and z.
func (m *mesh) sheet(side int, height func(x, z int) float64) {
	at := func(x, z int) [3]float32 { return [3]float32{float32(x), float32(height(x, z)), float32(z)} }
	for x := range side {
		for z := range side {
			m.quad(at(x, z), at(x, z+1), at(x+1, z+1), at(x+1, z))
		}
	}
}

// model puts pieces together, each of which has to be one.
func model(t interface{ Fatalf(string, ...any) }, pieces [][]world.Vec3) *convex.Model {
	var points []convex.Vec
	var indices [][]uint32
	for _, piece := range pieces {
		var list []uint32
		for _, p := range piece {
			list = append(list, uint32(len(points)))
			points = append(points, convex.Vec(p))
		}
		indices = append(indices, list)
	}
	m, err := convex.New(points, indices)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return m
}

// holds reports whether a point is in one of the pieces of a model.
func holds(m *convex.Model, p world.Vec3) bool {
	for _, part := range m.Parts {
		in := true
		for _, f := range part.Faces {
			in = in && world.Vec3(f.Normal).Dot(p.Sub(part.At)) <= f.Off
		}
		if in {
			return true
		}
	}
	return false
}

func (m *mesh) model(t interface{ Fatalf(string, ...any) }, most int) *convex.Model {
	pieces := decompose.Surface(m.points, m.triangles, most)
	if len(pieces) == 0 || len(pieces) > most {
		t.Fatalf("%d pieces, at most %d are allowed", len(pieces), most)
	}
	return model(t, pieces)
}

func TestKnown(t *testing.T) {
	none := func(m *mesh) {}
	for _, tt := range []struct {
		name       string
		make       func(m *mesh)
		pieces     int     // at most
		volume, by float64 // and by how much of it it may be off
		in, out    []world.Vec3
	}{
		{"a cube", func(m *mesh) { m.box([3]float32{-1, -1, -1}, [3]float32{1, 1, 1}) }, 1, 8, 1e-6, []world.Vec3{{.9, .9, .9}}, []world.Vec3{{1.1, 0, 0}}},
		{"a cube without a bottom", func(m *mesh) { m.box([3]float32{-1, -1, -1}, [3]float32{1, 1, 1}, 2) }, 1, 8, 1e-6, []world.Vec3{{0, -.9, 0}}, nil},
		{"walls without ends", func(m *mesh) {
			outline := [][2]float32{{0, 0}, {0, 4}, {1, 4}, {1, 3.5}, {.5, 3.5}, {.5, .5}, {3.5, .5}, {3.5, 3.5}, {3, 3.5}, {3, 4}, {4, 4}, {4, 0}}
			for i, a := range outline {
				b := outline[(i+1)%len(outline)]
				m.quad([3]float32{a[0], 0, a[1]}, [3]float32{b[0], 0, b[1]}, [3]float32{b[0], 2, b[1]}, [3]float32{a[0], 2, a[1]})
			}
		}, 6, 12, .01, []world.Vec3{{.25, 1, 2}, {2, 1.9, .25}, {.9, .1, 3.75}}, []world.Vec3{{2, 1, 2}, {2, 1, 3.75}}},
		{"a bowl", func(m *mesh) { m.box([3]float32{-1, -1, -1}, [3]float32{1, 1, 1}, 3) }, 5, .16, .25, []world.Vec3{{0, -.999, 0}, {.999, 0, 0}}, []world.Vec3{{0, 0, 0}, {0, 1, 0}}},
		{"a tunnel", func(m *mesh) {
			m.box([3]float32{-1, 0, -5}, [3]float32{1, 2, 5}, 4)
			m.points, m.triangles = m.points[:len(m.points)-4], m.triangles[:len(m.triangles)-2]
		}, 4, 8 * 10 * .04, .25, []world.Vec3{{0, 1.999, 0}, {.999, 1, 4.5}}, []world.Vec3{{0, 1, 0}, {0, 1, 5}, {0, 1, -5}}},
		{"a table", func(m *mesh) {
			m.box([3]float32{-1, .9, -1}, [3]float32{1, 1, 1})
			for i := range 4 {
				x, z := float32(i%2)*1.75-1, float32(i/2)*1.75-1
				m.box([3]float32{x, 0, z}, [3]float32{x + .25, .9, z + .25})
			}
		}, 8, .4 + 4*.9*.0625, 1e-6, []world.Vec3{{0, .95, 0}, {-.9, .1, .9}}, []world.Vec3{{0, .5, 0}}},
		{"a room with a way in, its walls and its roof in one", func(m *mesh) {
			grid(m, 8, func(x, y, z int) bool {
				wall := x == 0 || x == 7 || z == 0 || z == 7 || y == 7
				door := z == 7 && y < 5 && (x == 3 || x == 4)
				return wall && !door
			})
		}, 10, 512 - 6*6*7 - 10, 1e-6, []world.Vec3{{.5, 1, 4}, {4, 7.5, 4}, {2, 2, 7.5}, {4, 5.5, 7.5}}, []world.Vec3{{4, 2, 7.5}, {4, 4, 4}, {4, .1, 4}}},
		{"a room that is seen from inside", func(m *mesh) {
			m.box([3]float32{-2, -1, -2}, [3]float32{2, 1, 2})
			m.inward()
		}, 6, .9, .1, []world.Vec3{{1.999, .5, .5}, {0, -.999, 0}}, []world.Vec3{{0, 0, 0}, {1.9, 0, 0}}},
		{"a tower", func(m *mesh) { m.turned([][2]float64{{1.5, 4}, {2, 4}, {2, 0}, {1.5, 0}}, 32) }, 24, 4 * 16 * (4 - 2.25) * math.Sin(math.Pi/16), .1, []world.Vec3{{1.75, 2, 0}, {1.3, 2, 1.3}}, []world.Vec3{{0, 2, 0}, {.9, 2, .9}}},
		{"hills", func(m *mesh) {
			m.sheet(40, func(x, z int) float64 {
				a, _ := world.Sincos(float64(x) / 8)
				b, _ := world.Sincos(float64(z) / 9)
				return 2 * (a + b)
			})
		}, 64, 700, .3, []world.Vec3{{12.5, 3.8, 14}}, []world.Vec3{{38, 4, 38}, {12.5, -1, 14}}},
		{"a wall without thickness", func(m *mesh) {
			m.quad([3]float32{0, 0, 0}, [3]float32{4, 0, 0}, [3]float32{4, 3, 0}, [3]float32{0, 3, 0})
		}, 1, 4 * 3 * 4 * 4e-3, .01, []world.Vec3{{2, 1, -.001}}, []world.Vec3{{2, 1, .001}}},
		{"leaves", func(m *mesh) {
			for i := range 300 {
				sin, cos := world.Sincos(float64(i) * 2.4)
				y := float64(i)/150 - 1
				r := math.Sqrt(1 - y*y)
				a := [3]float32{float32(r * cos), float32(y), float32(r * sin)}
				m.quad(a, [3]float32{a[0] + .1, a[1], a[2]}, [3]float32{a[0] + .1, a[1] + .1, a[2]}, [3]float32{a[0], a[1] + .1, a[2]})
			}
		}, 8, 4 * math.Pi / 3, .1, []world.Vec3{{0, 0, 0}}, []world.Vec3{{1.2, 0, 0}}},
		{"a fence", func(m *mesh) {
			for i := range 40 {
				x := float32(i) / 4
				m.box([3]float32{x, 0, 0}, [3]float32{x + .125, 1, .0625})
			}
			m.box([3]float32{0, .75, .0625}, [3]float32{9.875, .875, .125})
		}, 41, 40*.125*.0625 + 9.875*.125*.0625, 1e-6, []world.Vec3{{.1, .1, .05}, {.2, .8, .1}}, []world.Vec3{{.2, .5, .05}}},
		{"a heap", func(m *mesh) {
			for i := range 100 {
				x, z := float32(i%10), float32(i/10)
				m.box([3]float32{x, 0, z}, [3]float32{x + .75, 1 + x/4, z + .75})
			}
		}, 64, 100 * .5625 * 2.125, .15, []world.Vec3{{.5, .5, .5}, {9.5, 3, 9.5}}, []world.Vec3{{.5, 3, .5}, {0, 3, 9}}},
		{"far away and small", func(m *mesh) { m.box([3]float32{1e-20, 0, 0}, [3]float32{3e-20, 1e-20, 1e-20}) }, 1, 2e-60, 1e-6, nil, nil},
		{"nothing", none, 0, 0, 0, nil, nil},
		{"a line", func(m *mesh) {
			m.points = [][3]float32{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}
			m.triangles = [][3]uint32{{0, 1, 2}}
		}, 0, 0, 0, nil, nil},
		{"no number", func(m *mesh) {
			m.box([3]float32{0, 0, 0}, [3]float32{1, 1, float32(math.NaN())})
		}, 0, 0, 0, nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var m mesh
			tt.make(&m)
			pieces := decompose.Surface(m.points, m.triangles, 64)
			if len(pieces) > tt.pieces || tt.pieces > 0 && len(pieces) == 0 {
				t.Fatalf("%d pieces, want at most %d", len(pieces), tt.pieces)
			}
			if tt.pieces == 0 {
				return
			}
			got := model(t, pieces)
			t.Logf("%d pieces of %g", len(pieces), got.Volume)
			if math.Abs(got.Volume-tt.volume) > tt.by*tt.volume {
				t.Errorf("the pieces have %g, want %g", got.Volume, tt.volume)
			}
			for _, p := range tt.in {
				if !holds(got, p) {
					t.Errorf("%v is in none", p)
				}
			}
			for _, p := range tt.out {
				if holds(got, p) {
					t.Errorf("%v is in one", p)
				}
			}
		})
	}
}

// grid adds the surface of the cells of a cube that are full.
func grid(m *mesh, side int, full func(x, y, z int) bool) {
	is := func(at [3]int) bool {
		for _, k := range at {
			if k < 0 || k >= side {
				return false
			}
		}
		return full(at[0], at[1], at[2])
	}
	for i := range side * side * side {
		at := [3]int{i % side, i / side % side, i / side / side}
		if !is(at) {
			continue
		}
		lo := [3]float32{float32(at[0]), float32(at[1]), float32(at[2])}
		hi := [3]float32{lo[0] + 1, lo[1] + 1, lo[2] + 1}
		for k, s := range sides {
			next := at
			next[k/2] += k%2*2 - 1
			if !is(next) {
				m.quad(corner(lo, hi, s[0]), corner(lo, hi, s[1]), corner(lo, hi, s[2]), corner(lo, hi, s[3]))
			}
		}
	}
}

// What is made of cubes is in the pieces where there are cubes, and hardly anywhere else.
func TestCubes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const side = 4
		full := map[[3]int]bool{}
		for range rapid.IntRange(1, 6).Draw(t, "boxes") {
			var lo, hi [3]int
			for k := range lo {
				lo[k] = rapid.IntRange(0, side-1).Draw(t, "from")
				hi[k] = rapid.IntRange(lo[k], min(side-1, lo[k]+2)).Draw(t, "to")
			}
			for x := lo[0]; x <= hi[0]; x++ {
				for y := lo[1]; y <= hi[1]; y++ {
					for z := lo[2]; z <= hi[2]; z++ {
						full[[3]int{x, y, z}] = true
					}
				}
			}
		}
		var m mesh
		grid(&m, side, func(x, y, z int) bool { return full[[3]int{x, y, z}] })
		got := m.model(t, convex.MaxPieces)
		const within = 4 // points that are looked at along each axis of a cube
		extra := 0
		for i := range side * side * side {
			at := [3]int{i % side, i / side % side, i / side / side}
			for n := range within * within * within {
				var p world.Vec3
				for k, step := range [3]int{n % within, n / within % within, n / within / within} {
					p[k] = float64(at[k]) + (float64(step)+.5)/within
				}
				switch in := holds(got, p); {
				case in && !full[at]:
					extra++
				case !in && full[at]:
					t.Fatalf("%v is in no piece", p)
				}
			}
		}
		// A twentieth of a piece may be too much where no cut takes much of that away, which is rare: of thousands of these one has more than a hundredth.
		if most := .06 * float64(len(full)*within*within*within); float64(extra) > most {
			t.Fatalf("of the points of empty cubes %d are in pieces, want at most %g", extra, most)
		}
	})
}

// What is convex is one piece, and that is its own.
func TestConvex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) convex.Vec {
			return convex.Vec{rapid.Float64Range(-2, 2).Draw(t, "x"), rapid.Float64Range(-1, 3).Draw(t, "y"), rapid.Float64Range(5, 8).Draw(t, "z")}
		}), 5, 12).Draw(t, "points")
		var all []uint32
		for i := range points {
			all = append(all, uint32(i))
		}
		want, err := convex.New(points, [][]uint32{all})
		if err != nil || want.Volume < 1 {
			t.Skip()
		}
		var m mesh
		part := &want.Parts[0]
		for i := range part.Faces {
			f := &part.Faces[i]
			var rim []world.Vec3
			for _, p := range part.Points {
				if world.Vec3(f.Normal).Dot(p)-f.Off > -1e-5 {
					rim = append(rim, p)
				}
			}
			if len(rim) != 3 {
				t.Skip()
			}
			if rim[1].Sub(rim[0]).Cross(rim[2].Sub(rim[0])).Dot(f.Normal) < 0 {
				rim[1], rim[2] = rim[2], rim[1]
			}
			n := uint32(len(m.points))
			for _, p := range rim {
				m.points = append(m.points, [3]float32{float32(p[0]), float32(p[1]), float32(p[2])})
			}
			m.triangles = append(m.triangles, [3]uint32{n, n + 1, n + 2})
		}
		got := m.model(t, 64)
		if len(got.Parts) != 1 || math.Abs(got.Volume-want.Volume) > .03*want.Volume {
			t.Fatalf("%d pieces of %g, want 1 of %g", len(got.Parts), got.Volume, want.Volume)
		}
	})
}

// Many triangles are made fewer first; what comes out is the same.
func TestMany(t *testing.T) {
	const rings = 90
	var outline [][2]float64
	for i := range rings {
		sin, cos := world.Sincos(math.Pi * float64(i) / (rings - 1))
		outline = append(outline, [2]float64{float64(sin * 3), float64(cos * 2)})
	}
	var m mesh
	m.turned(outline, 120)
	if len(m.triangles) < 20000 {
		t.Fatalf("%d triangles are too few", len(m.triangles))
	}
	got := m.model(t, 64)
	if far := world.Vec3(got.Half).Dist(world.Vec3{3, 2, 3}); far > .002 { // as far as the surface, but for what is made coarser
		t.Errorf("it reaches %v, want [3 2 3]", got.Half)
	}
	if want := 4 * math.Pi / 3 * 9 * 2; len(got.Parts) != 1 || math.Abs(got.Volume-want) > .12*want {
		t.Errorf("%d pieces of %g, want 1 of %g", len(got.Parts), got.Volume, want)
	}
}

// The same surface has the same pieces, today and on every platform.
func TestPinned(t *testing.T) {
	var outline [][2]float64
	for i := range 12 {
		sin, cos := world.Sincos(2 * math.Pi * float64(i) / 12)
		outline = append(outline, [2]float64{3 + cos, sin})
	}
	var m mesh
	m.turned(outline, 24)
	pieces := decompose.Surface(m.points, m.triangles, 24)
	if again := decompose.Surface(m.points, m.triangles, 24); !reflect.DeepEqual(pieces, again) {
		t.Error("it is not the same twice")
	}
	sum := sha256.New()
	for _, piece := range pieces {
		if err := binary.Write(sum, binary.LittleEndian, piece); err != nil {
			t.Fatal(err)
		}
	}
	const want = "364516f237dcd2bf"
	if got := hex.EncodeToString(sum.Sum(nil)[:8]); got != want {
		t.Errorf("the pieces of a ring are %s, want %s", got, want)
	}
}

// Whatever the triangles, what comes out are pieces.
func FuzzSurface(f *testing.F) {
	f.Add([]byte("a surface of a few points that mean nothing at all, and are anywhere"), uint8(9))
	f.Add([]byte{0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0, 9, 9, 9, 9, 0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0}, uint8(4))
	f.Fuzz(func(t *testing.T, data []byte, most uint8) {
		if most == 0 || most > 64 || len(data) > 600 {
			return
		}
		var m mesh
		half := len(data) / 2
		for i := 0; i+3 <= half; i += 3 {
			m.points = append(m.points, [3]float32{float32(int8(data[i])), float32(int8(data[i+1])) / 3, float32(int8(data[i+2])) * 7})
		}
		if len(m.points) == 0 {
			return
		}
		for i := half; i+3 <= len(data); i += 3 {
			n := byte(min(len(m.points), 255))
			m.triangles = append(m.triangles, [3]uint32{uint32(data[i] % n), uint32(data[i+1] % n), uint32(data[i+2] % n)})
		}
		pieces := decompose.Surface(m.points, m.triangles, int(most))
		if len(pieces) > int(most) {
			t.Fatalf("%d pieces, at most %d are allowed", len(pieces), most)
		}
		for _, piece := range pieces {
			if len(piece) < 4 || len(piece) > 64 {
				t.Fatalf("a piece has %d corners", len(piece))
			}
			model(t, [][]world.Vec3{piece})
		}
	})
}

func ExampleSurface() {
	// An L of two metres, one high.
	points := [][3]float32{{0, 0, 0}, {2, 0, 0}, {2, 0, -1}, {1, 0, -1}, {1, 0, -2}, {0, 0, -2}, {0, 1, 0}, {2, 1, 0}, {2, 1, -1}, {1, 1, -1}, {1, 1, -2}, {0, 1, -2}}
	triangles := [][3]uint32{{0, 5, 3}, {3, 5, 4}, {0, 3, 1}, {1, 3, 2}, {6, 9, 11}, {9, 10, 11}, {6, 7, 9}, {7, 8, 9}}
	for i := range uint32(6) {
		next := (i + 1) % 6
		triangles = append(triangles, [3]uint32{i, next, next + 6}, [3]uint32{i, next + 6, i + 6})
	}
	for _, piece := range decompose.Surface(points, triangles, 64) {
		lo, hi := piece[0], piece[0]
		for _, p := range piece {
			lo, hi = lo.Min(p), hi.Max(p)
		}
		fmt.Println(lo, "to", hi)
	}
	// Output:
	// [0 0 -2] to [1 1 0]
	// [1 0 -1] to [2 1 0]
}
