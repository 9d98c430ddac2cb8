// Package sculpt makes the surfaces of models, and the convex pieces that they consist of, from what people say of them: an outline that is drawn
// out, a profile that is turned about an axis, a path that something follows, points that something is between.
//
// Everything is computed with products that are rounded one by one, and with [world.Sincos], so that every platform has the same points, which end up as
// float32.
package sculpt

import (
	"fmt"
	"math"

	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/convex"
)

// Form is a model that was made.
type Form struct {
	Points []world.Vec3
	Faces  [][]uint32 // polygons, counterclockwise as seen from outside, each flat or nearly so
	Pieces [][]uint32 // convex; all of them together are what is inside
	Soft   float64    // faces that meet at an angle whose cosine is more than this are lit as if round; 0 for none
}

// MaxPoints is how many points a form has at most.
const MaxPoints = 20000

// point adds a point.
func (f *Form) point(p world.Vec3) uint32 {
	f.Points = append(f.Points, p)
	return uint32(len(f.Points) - 1)
}

// check says whether there is not too much of it.
func (f *Form) check() error {
	if n := len(f.Pieces); n > convex.MaxPieces {
		return fmt.Errorf("this makes %d convex pieces, and a model may have %d: fewer points, or segments, make fewer", n, convex.MaxPieces)
	}
	if n := len(f.Points); n > MaxPoints {
		return fmt.Errorf("this makes %d points, and a model may have %d: fewer points, or segments, make fewer", n, MaxPoints)
	}
	return nil
}

// Center moves the form so that the middle of the box around it is at the origin, and returns where that was.
func (f *Form) Center() world.Vec3 {
	lo, hi := f.Points[0], f.Points[0]
	for _, p := range f.Points {
		lo, hi = lo.Min(p), hi.Max(p)
	}
	mid := lo.Add(hi).Scale(0.5)
	for i := range f.Points {
		f.Points[i] = f.Points[i].Sub(mid)
	}
	return mid
}

// Geometry returns the surface: triangles with normals. What faces have in common at a soft edge has one normal, else each has its own.
func (f *Form) Geometry() *gltf.Geometry {
	g := &gltf.Geometry{}
	type corner struct {
		point  uint32
		normal [3]float32
	}
	normals := make([]world.Vec3, len(f.Faces)) // as long as twice the area of the face
	around := make([][]int, len(f.Points))      // the faces at each point
	for i, face := range f.Faces {
		normals[i] = f.normal(face)
		for _, p := range face {
			around[p] = append(around[p], i)
		}
	}
	soft := func(i, j int) bool {
		return f.Soft > 0 && normals[i].Dot(normals[j]) > float64(float64(f.Soft*normals[i].Len())*normals[j].Len())
	}
	made := map[corner]uint32{}
	for i, face := range f.Faces {
		if normals[i].Len() == 0 {
			continue
		}
		at := make([]uint32, len(face))
		for k, p := range face {
			var sum world.Vec3
			for _, other := range around[p] {
				if other == i || soft(i, other) {
					sum = sum.Add(normals[other])
				}
			}
			key := corner{p, single(sum.Scale(1 / sum.Len()))}
			index, there := made[key]
			if !there {
				index = uint32(len(g.Positions))
				g.Positions, g.Normals = append(g.Positions, single(f.Points[p])), append(g.Normals, key.normal)
				made[key] = index
			}
			at[k] = index
		}
		for _, t := range f.triangles(face) {
			g.Triangles = append(g.Triangles, [3]uint32{at[t[0]], at[t[1]], at[t[2]]})
		}
	}
	return g
}

func single(p world.Vec3) [3]float32 {
	return [3]float32{float32(p[0]), float32(p[1]), float32(p[2])}
}

// normal is that of a polygon by Newell's method (1972), as long as twice its area.
func (f *Form) normal(face []uint32) (n world.Vec3) {
	for k := range face {
		n = n.Add(f.Points[face[k]].Sub(f.Points[face[0]]).Cross(f.Points[face[(k+1)%len(face)]].Sub(f.Points[face[0]])))
	}
	return n
}

// triangles cuts a face, whose corners are counted from 0.
func (f *Form) triangles(face []uint32) [][3]int {
	if len(face) == 3 {
		return [][3]int{{0, 1, 2}}
	}
	n := f.normal(face)
	// As seen along the axis that the normal goes along most.
	u, v, flip := 1, 2, n[0] < 0
	if math.Abs(n[1]) > math.Abs(n[0]) {
		u, v, flip = 2, 0, n[1] < 0
	}
	if math.Abs(n[2]) > max(math.Abs(n[0]), math.Abs(n[1])) {
		u, v, flip = 0, 1, n[2] < 0
	}
	if flip {
		u, v = v, u
	}
	flat := make([]Point, len(face))
	for i, p := range face {
		flat[i] = Point{f.Points[p][u], f.Points[p][v]}
	}
	return triangulate(flat)
}

// Solid returns the surface of the form and its pieces by the indices of positions of that.
func (f *Form) Solid() (*gltf.Geometry, [][]uint32) {
	g := f.Geometry()
	at := map[[3]float32]uint32{}
	for i, p := range g.Positions {
		if _, there := at[p]; !there {
			at[p] = uint32(i)
		}
	}
	pieces := make([][]uint32, len(f.Pieces))
	for i, piece := range f.Pieces {
		for _, p := range piece {
			key := single(f.Points[p])
			index, there := at[key]
			if !there { // a corner of pieces that is inside
				index = uint32(len(g.Positions))
				g.Positions, g.Normals = append(g.Positions, key), append(g.Normals, [3]float32{0, 1, 0})
				at[key] = index
			}
			pieces[i] = append(pieces[i], index)
		}
	}
	return g, pieces
}
