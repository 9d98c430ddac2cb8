package navigation_test

import (
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/navigation"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// maze is a grid as the test sees it: cells of 1 m from the origin on.
type maze struct {
	cols, rows int
	wall       map[[2]int]bool
	height     func(c [2]int) float64
	slope      float64
	diagonal   bool
}

func (m *maze) inside(c [2]int) bool {
	return c[0] >= 0 && c[0] < m.cols && c[1] >= 0 && c[1] < m.rows && !m.wall[c]
}

// step reports whether one can go from a cell to the next one, and how long that is along the slope.
func (m *maze) step(a, b [2]int) (long float64, ok bool) {
	dx, dz := b[0]-a[0], b[1]-a[1]
	level := math.Hypot(float64(dx), float64(dz))
	if !m.inside(a) || !m.inside(b) || math.Abs(m.height(a)-m.height(b)) > level*m.slope {
		return level, false
	}
	long = math.Hypot(level, m.height(a)-m.height(b))
	if dx == 0 || dz == 0 {
		return long, true
	}
	for _, c := range [][2]int{{a[0] + dx, a[1]}, {a[0], a[1] + dz}} {
		_, first := m.step(a, c)
		_, second := m.step(c, b)
		if !first || !second {
			return long, false
		}
	}
	return long, m.diagonal
}

// shortest is how far it is from a cell to another, infinite if there is no way: by relaxing every
// edge until nothing gets shorter any more.
func (m *maze) shortest(from, to [2]int) float64 {
	far := map[[2]int]float64{from: 0}
	for changed := true; changed; {
		changed = false
		for x := range m.cols {
			for z := range m.rows {
				d, ok := far[[2]int{x, z}]
				for i := range 9 {
					next := [2]int{x + i%3 - 1, z + i/3 - 1}
					long, open := m.step([2]int{x, z}, next)
					if known, reached := far[next]; ok && open && (!reached || d+long < known-1e-9) {
						far[next], changed = d+long, true
					}
				}
			}
		}
	}
	if d, ok := far[to]; ok && m.inside(from) && m.inside(to) {
		return d
	}
	return math.Inf(1)
}

// TestShortest compares ways in random mazes with those of a search that is as simple as can be, and
// walks every one of them cell by cell.
func TestShortest(t *testing.T) {
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	rapid.Check(t, func(rt *rapid.T) {
		m := &maze{
			cols: rapid.IntRange(1, 9).Draw(rt, "cols"), rows: rapid.IntRange(1, 9).Draw(rt, "rows"),
			wall: map[[2]int]bool{}, diagonal: rapid.Bool().Draw(rt, "diagonal"), slope: math.Inf(1), height: func([2]int) float64 { return 0 },
		}
		in := registry.Default[navigation.BuildIn]()
		in.Bounds, in.CellSize, in.Diagonal = &navigation.Rect{MaxX: float64(m.cols), MaxZ: float64(m.rows)}, 1, m.diagonal
		for i := range m.cols * m.rows {
			if c := [2]int{i % m.cols, i / m.cols}; rapid.IntRange(0, 9).Draw(rt, "wall") < 3 {
				m.wall[c] = true
				in.BlockedCells = append(in.BlockedCells, c)
			}
		}
		if rapid.Bool().Draw(rt, "hills") {
			h := rapid.SliceOfN(rapid.Float64Range(0, 2), m.cols*m.rows, m.cols*m.rows).Draw(rt, "heights")
			m.slope = rapid.Float64Range(0.3, 1.5).Draw(rt, "slope")
			m.height = func(c [2]int) float64 { return h[c[1]*m.cols+c[0]] }
			in.HeightField = &navigation.HeightField{Heights: h, MaxSlope: &m.slope}
		}
		s := skilltest.New(t, all)
		if _, err := registry.Invoke[navigation.BuildIn, navigation.BuildOut](t.Context(), s.Registry, p, "navmesh.build", in); err != nil {
			rt.Fatal(err)
		}
		cell := func(name string) [2]int {
			return [2]int{rapid.IntRange(0, m.cols-1).Draw(rt, name+" x"), rapid.IntRange(0, m.rows-1).Draw(rt, name+" z")}
		}
		from, to := cell("from"), cell("to")
		find := func() navigation.FindPathOut {
			out, err := registry.Invoke[navigation.FindPathIn, navigation.FindPathOut](t.Context(), s.Registry, p, "navmesh.findPath",
				navigation.FindPathIn{From: navigation.Target{Point: middle(from)}, To: navigation.Target{Point: middle(to)}})
			if err != nil {
				rt.Fatal(err)
			}
			return out
		}
		out, want := find(), m.shortest(from, to)
		if again := find(); !reflect.DeepEqual(again, out) {
			rt.Fatalf("asked twice: %v and %v", out, again)
		}
		if out.Reachable == math.IsInf(want, 1) {
			rt.Fatalf("reachable %v, the shortest is %v", out.Reachable, want)
		}
		if !out.Reachable {
			return
		}
		if got := m.walk(rt, out.Path); math.Abs(got-want) > 1e-4 || math.Abs(out.Length-want) > 1e-4 {
			rt.Fatalf("the way %v is %v long, and said to be %v, the shortest %v", out.Path, got, out.Length, want)
		}
	})
}

func middle(c [2]int) world.Vec3 { return world.Vec3{float64(c[0]) + 0.5, 0, float64(c[1]) + 0.5} }

// walk goes along a path cell by cell and returns how long it is.
func (m *maze) walk(t *rapid.T, path []world.Vec3) (sum float64) {
	at := [2]int{int(path[0][0]), int(path[0][2])}
	for _, p := range path {
		to := [2]int{int(p[0]), int(p[2])}
		for at != to {
			next := at
			for i := range 2 {
				next[i] += min(max(to[i]-at[i], -1), 1)
			}
			long, ok := m.step(at, next)
			if !ok {
				t.Fatalf("the way %v goes from %v to %v, which cannot be done", path, at, next)
			}
			sum += long
			at = next
		}
	}
	return sum
}

// TestObstaclesAreKeptAwayFrom puts turned boxes, balls and upright boxes into a yard and looks at points
// of every cell: in a walkable one none is nearer to anything than the radius, and in a blocked one some
// are nearly that near.
func TestObstaclesAreKeptAwayFrom(t *testing.T) {
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	rapid.Check(t, func(rt *rapid.T) {
		s := skilltest.New(t, all)
		draw := func(lo, hi float64) float64 {
			return float64(rapid.IntRange(int(lo*100), int(hi*100)).Draw(rt, "n")) / 100
		}
		for i := range rapid.IntRange(1, 3).Draw(rt, "things") {
			kind := rapid.SampledFrom([]string{"box", "sphere"}).Draw(rt, "kind")
			turn := 0.0
			if rapid.Bool().Draw(rt, "turned") {
				turn = draw(0, 3)
			}
			do(t, s, p, nil, "scene.createEntity", `{"shape":%q,"position":[%v,%v,%v]}`, kind, draw(0, 6), draw(0, 1), draw(0, 6))
			do(t, s, p, nil, "three.setTransform", `{"entity":"ent_%d","rotationEuler":[0,%v,0],"scale":[%v,%v,%v]}`, i, turn, draw(0.2, 4), draw(0.5, 4), draw(0.2, 4))
		}
		radius := draw(0, 1)
		do(t, s, p, nil, "navmesh.build", `{"bounds":{"minX":0,"minZ":0,"maxX":6,"maxZ":6},"cellSize":0.75,"agentRadius":%v}`, radius)
		for range 10 {
			x, z := 0.75*float64(rapid.IntRange(0, 7).Draw(rt, "column")), 0.75*float64(rapid.IntRange(0, 7).Draw(rt, "row"))
			var out navigation.FindPathOut
			do(t, s, p, &out, "navmesh.findPath", `{"from":[%v,0,%v],"to":[%v,0,%v]}`, x+0.3, z+0.3, x+0.4, z+0.4)
			near := nearest(s, x, z)
			if out.Reachable && near < radius-1e-3 {
				rt.Fatalf("one can be at %v, %v, which is %v from something; the radius is %v", x, z, near, radius)
			}
			if !out.Reachable && near > radius+0.3 {
				rt.Fatalf("one cannot be at %v, %v, which is %v from everything; the radius is %v", x, z, near, radius)
			}
		}
	})
}

// nearest is how far the points of a cell are from everything that is not stepped over, in the height in
// which one walks: 0 inside.
func nearest(s *server, x, z float64) float64 {
	best := math.Inf(1)
	s.World.View(func(v *world.View) {
		for id := range v.All() {
			thing, _ := solid.Of(s.World, v, id)
			if b := thing.Bounds(); b.Hi[1] <= 0.35+1e-5 || b.Lo[1] >= 1.8-1e-5 {
				continue
			}
			for i := range 16 {
				for y := 0.351; y < 1.8; y += 0.2 {
					at := world.Transform{Position: world.Vec3{x + 0.01 + 0.24*float64(i%4), y, z + 0.01 + 0.24*float64(i/4)}, Rotation: world.NoRotation(), Scale: world.Vec3{1, 1, 1}}
					best = min(best, max(solid.Between(solid.New(world.Shape{Kind: "sphere"}, at), thing).Gap, 0))
				}
			}
		}
	})
	return best
}
