package terrain_test

import (
	"math"
	"testing"

	"github.com/limina-mcp/limina/world/terrain"
)

// winding returns a land with a road of asphalt that winds through tiles 0, 0 and 1, 0, with a hairpin bend.
func winding(t *testing.T) (l terrain.Land, road terrain.Work) {
	t.Helper()
	l, err := terrain.New(5, terrain.Hills, terrain.Hints{})
	if err != nil {
		t.Fatal(err)
	}
	asphalt := uint32(0x444444)
	road = terrain.Work{Form: terrain.Level, Radius: 2, Edge: 4, Color: &asphalt}
	at := [][3]float64{{-5, 4, 10}, {20, 5, 12}, {44, 6, 12}, {60, 7.5, 16}, {44, 9, 20}, {20, 10, 20}, {4, 12, 44}}
	for i, p := range at[1:] {
		road.Line = append(road.Line, terrain.Piece{at[i][0], at[i][1], at[i][2], p[0], p[1], p[2]})
	}
	road.At, road.To = [2]float64{-5, 10}, [2]float64{4, 44}
	if l.Works, err = terrain.WorksOf([]terrain.Work{road}); err != nil {
		t.Fatal(err)
	}
	return l, road
}

// TestWinding: on a line that winds the ground is as high as that is, beside it there is no step, also between the legs of a hairpin bend, and tiles that know only the
// pieces that are near them have the same ground.
func TestWinding(t *testing.T) {
	l, road := winding(t)
	for _, p := range road.Line {
		for _, part := range []float64{0.1, 0.5, 0.9} {
			x, y, z := p[0]+part*(p[3]-p[0]), p[1]+part*(p[4]-p[1]), p[2]+part*(p[5]-p[2])
			if got := l.Height(x, z); math.Abs(got-y) > 1e-9 {
				t.Errorf("the road is %v high at %v, %v, want %v", got, x, z, y)
			}
		}
	}
	// At x 25 the legs, at z 12 and 20, are more than 4 m higher than each other, and between them are 4 m of slope.
	for z := 12.0; z < 20; z += 0.05 {
		if a, b := l.Height(25, z), l.Height(25, z+0.05); math.Abs(a-b) > 0.5 {
			t.Errorf("between the legs there is a step from %v to %v at z %v", a, b, z)
		}
	}
	for tx := range 2 {
		part := l
		own := road.In(tx, 0)
		if len(own.Line) == 0 || len(own.Line) > len(road.Line) {
			t.Fatalf("tile %d knows %d pieces", tx, len(own.Line))
		}
		var err error
		if part.Works, err = terrain.WorksOf([]terrain.Work{own}); err != nil {
			t.Fatal(err)
		}
		all, known := l.Tile(tx, 0, 0), part.Tile(tx, 0, 0)
		for i := range all.Heights {
			if all.Heights[i] != known.Heights[i] {
				t.Fatalf("sample %d of tile %d is %v, want %v", i, tx, known.Heights[i], all.Heights[i])
			}
		}
	}
	if far := road.In(3, 3); len(far.Line) != 0 || road.Near(3, 3) || !road.Near(0, 0) {
		t.Errorf("a tile far away knows %d pieces", len(far.Line))
	}
}

// TestMesh: the triangles of a tile have no gaps between them and none to the tile beside, lie on its surface, and have the colour of a road where that is, to a
// quarter of a cell.
func TestMesh(t *testing.T) {
	l, road := winding(t)
	for _, tile := range []*terrain.Tile{l.Tile(0, 0, 0), l.Tile(1, 0, 0)} {
		if !tile.Edged() {
			t.Fatal("no edge of a road goes through it")
		}
		m := tile.Mesh()
		sides := map[[2]uint32]int{}
		area := 0.0
		for _, tri := range m.Triangles {
			a, b, c := m.Points[tri[0]], m.Points[tri[1]], m.Points[tri[2]]
			flat := (b[2]-a[2])*(c[0]-a[0]) - (b[0]-a[0])*(c[2]-a[2])
			if flat <= 0 {
				t.Fatalf("triangle %v of %v, %v, %v does not face up", tri, a, b, c)
			}
			area += flat / 2
			for k := range 3 {
				i, j := tri[k], tri[(k+1)%3]
				sides[[2]uint32{i, j}]++
			}
		}
		if math.Abs(area-terrain.Size*terrain.Size) > 1e-6 {
			t.Errorf("the triangles have %v m² as seen from above, want %v", area, terrain.Size*terrain.Size)
		}
		for side, n := range sides {
			a, b := m.Points[side[0]], m.Points[side[1]]
			outer := a[0] == b[0] && math.Abs(a[0]) == terrain.Size/2 || a[2] == b[2] && math.Abs(a[2]) == terrain.Size/2
			if back := sides[[2]uint32{side[1], side[0]}]; n != 1 || back != 1 && !outer || outer && back != 0 {
				t.Fatalf("side %v to %v is that of %d triangles and of %d beside it", a, b, n, back)
			}
		}
		for i, p := range m.Points {
			x, z := p[0]+terrain.Size*(float64(tile.X)+0.5), p[2]+terrain.Size*(float64(tile.Z)+0.5)
			if math.Abs(tile.Height(x, z)-p[1]) > 1e-6 {
				t.Fatalf("vertex %v is not on the surface, which is %v high", p, tile.Height(x, z))
			}
			if away := road.Away(x, z); (m.Colors[i] == 0x444444) != (away < road.Radius) && math.Abs(away-road.Radius) > tile.Cell/4 {
				t.Fatalf("%v m away from the road it is %06x", away, m.Colors[i])
			}
		}
	}
	border := func(m *terrain.Mesh, x float64) map[[2]float64]bool {
		at := map[[2]float64]bool{}
		for _, p := range m.Points {
			if p[0] == x {
				at[[2]float64{p[1], p[2]}] = true
			}
		}
		return at
	}
	left, right := border(l.Tile(0, 0, 0).Mesh(), terrain.Size/2), border(l.Tile(1, 0, 0).Mesh(), -terrain.Size/2)
	if len(left) <= terrain.Cells+1 || len(left) != len(right) {
		t.Errorf("on their border the tiles have %d and %d vertices", len(left), len(right))
	}
	for p := range left {
		if !right[p] {
			t.Errorf("a vertex at %v of the border is that of one tile only", p)
		}
	}
	plain := l.Tile(0, 2, 0)
	if m := plain.Mesh(); plain.Edged() || len(m.Points) != len(plain.Heights) || len(m.Triangles) != 2*terrain.Cells*terrain.Cells {
		t.Errorf("a tile without a road has %d points and %d triangles", len(m.Points), len(m.Triangles))
	}
}
