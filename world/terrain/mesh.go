package terrain

import (
	"math"
	"slices"
)

// finely is into how many cells each way one is parted through which the edge of a road goes, so that it is seen as an edge.
const finely = 4

// Mesh is the surface of a tile as triangles.
type Mesh struct {
	Points    [][3]float64 // from the tile's middle, y above 0; the samples first, as they are in Heights
	Normals   [][3]float64 // of length 1, up
	Colors    []uint32     // 0xRRGGBB, as [Look.Colors] has them
	Triangles [][3]uint32
}

// Mesh returns the surface of a tile as triangles: two for each of its cells, and more where a work that has a colour ends, all in the same planes. It
// has no gaps, also to the tiles beside it. It is not to be changed.
func (t *Tile) Mesh() *Mesh {
	if !t.Edged() {
		return t.triangles()
	}
	t.drawn.Do(func() { t.mesh = t.triangles() }) // which takes a while
	return t.mesh
}

func (t *Tile) triangles() *Mesh {
	b := &meshing{t: t, look: t.Look(), at: map[[2]int]uint32{}}
	n := t.Side * t.Side
	b.m = Mesh{Points: make([][3]float64, 0, n), Normals: make([][3]float64, 0, n), Colors: make([]uint32, 0, n)}
	for z := range t.Side {
		for x := range t.Side {
			b.add(float64(x), float64(z))
		}
	}
	for z := range t.Side - 1 {
		for x := range t.Side - 1 {
			b.cell(x, z)
		}
	}
	return &b.m
}

// Edged reports whether a tile has more triangles than two for each of its cells.
func (t *Tile) Edged() bool {
	t.parted.Do(t.part)
	return t.edged
}

// part finds out through which cells the edge of a work goes that has a colour, of those of the tile and one around it.
func (t *Tile) part() {
	if t.LOD > 0 || !slices.ContainsFunc(t.works, func(w Work) bool { return w.Color != nil }) {
		return
	}
	t.edges = make([]bool, (t.Side+1)*(t.Side+1))
	for z := -1; z < t.Side; z++ {
		for x := -1; x < t.Side; x++ {
			if t.through(x, z) {
				t.edges[t.cell(x, z)] = true
				t.edged = t.edged || min(x, z) >= 0 && max(x, z) < t.Side-1
			}
		}
	}
}

// cell is where a cell is in edges.
func (t *Tile) cell(x, z int) int { return (z+1)*(t.Side+1) + x + 1 }

// edge reports whether the edge of a work that has a colour goes through a cell, which may be just beside the tile.
func (t *Tile) edge(x, z int) bool {
	t.parted.Do(t.part)
	return t.edges != nil && t.edges[t.cell(x, z)]
}

// through works that out.
func (t *Tile) through(x, z int) bool {
	const about = 0.85 // of a cell: half its diagonal, and what it takes to go over
	atX, atZ := t.sample(t.X, x)+t.Cell/2, t.sample(t.Z, z)+t.Cell/2
	for i := range t.works {
		w := &t.works[i]
		if w.Color != nil && math.Abs(w.Away(atX, atZ)-w.Radius) < float64(about*t.Cell) {
			return true
		}
	}
	return false
}

// meshing is a mesh that is being made. Places are counted in the finest cells.
type meshing struct {
	t    *Tile
	look *Look
	m    Mesh
	at   map[[2]int]uint32 // the vertices
}

// vertex returns the vertex at a place.
func (b *meshing) vertex(u, v int) uint32 {
	if u%finely == 0 && v%finely == 0 {
		return uint32(v/finely*b.t.Side + u/finely)
	}
	key := [2]int{u, v}
	i, there := b.at[key]
	if !there {
		i = b.add(float64(u)/finely, float64(v)/finely)
		b.at[key] = i
	}
	return i
}

// add adds a vertex at a place that is counted in cells.
func (b *meshing) add(u, v float64) uint32 {
	t := b.t
	last := t.Side - 2
	x, z := min(int(u), last), min(int(v), last)
	du, dv := u-float64(x), v-float64(z)
	i := z*t.Side + x
	// The corners of its triangle, and how much each counts.
	corners, parts := [3]int{i, i + 1, i + t.Side}, [3]float64{1 - du - dv, du, dv}
	if du+dv > 1 {
		corners, parts = [3]int{i + t.Side + 1, i + t.Side, i + 1}, [3]float64{du + dv - 1, 1 - du, 1 - dv}
	}
	var n [3]float64
	most := 0
	for k, c := range corners {
		for a := range n {
			n[a] += float64(parts[k] * b.look.Normals[c][a])
		}
		if parts[k] > parts[most] {
			most = k
		}
	}
	l := math.Sqrt(float64(n[0]*n[0]) + float64(n[1]*n[1]) + float64(n[2]*n[2]))
	c := corners[most]
	color := colorOf(b.look.Biomes[c], b.look.Normals[c][1])
	half := Size / 2.0
	px, pz := float64(u*t.Cell), float64(v*t.Cell)
	over := t.Cell
	if t.LOD == 0 {
		over /= finely
	}
	color = t.paint(color, float64(Size*float64(t.X))+px, float64(Size*float64(t.Z))+pz, over)
	b.m.Points = append(b.m.Points, [3]float64{px - half, t.Surface(u, v), pz - half})
	b.m.Normals = append(b.m.Normals, [3]float64{n[0] / l, n[1] / l, n[2] / l})
	b.m.Colors = append(b.m.Colors, color)
	return uint32(len(b.m.Points) - 1)
}

// cell adds the triangles of a cell.
func (b *meshing) cell(x, z int) {
	u, v := x*finely, z*finely
	if b.t.edge(x, z) {
		for dv := range finely {
			for du := range finely {
				b.square(u+du, v+dv, 1)
			}
		}
		return
	}
	left, right, up, down := b.t.edge(x-1, z), b.t.edge(x+1, z), b.t.edge(x, z-1), b.t.edge(x, z+1)
	if !left && !right && !up && !down {
		b.square(u, v, finely)
		return
	}
	const f = finely
	b.fan([3][2]int{{u, v}, {u, v + f}, {u + f, v}}, [3]bool{left, false, up})
	b.fan([3][2]int{{u + f, v}, {u, v + f}, {u + f, v + f}}, [3]bool{false, down, right})
}

// square adds a square of two triangles.
func (b *meshing) square(u, v, long int) {
	i, right, below, across := b.vertex(u, v), b.vertex(u+long, v), b.vertex(u, v+long), b.vertex(u+long, v+long)
	b.m.Triangles = append(b.m.Triangles, [3]uint32{i, below, right}, [3]uint32{right, below, across})
}

// fan adds a triangle of which some sides, each from a corner to the next, have the vertices of finer cells beside them.
func (b *meshing) fan(corners [3][2]int, fine [3]bool) {
	if fine == [3]bool{} {
		b.m.Triangles = append(b.m.Triangles, [3]uint32{b.vertex(corners[0][0], corners[0][1]), b.vertex(corners[1][0], corners[1][1]), b.vertex(corners[2][0], corners[2][1])})
		return
	}
	var ring []uint32
	u, v := 0, 0
	for k, c := range corners {
		next := corners[(k+1)%3]
		u, v = u+c[0], v+c[1]
		ring = append(ring, b.vertex(c[0], c[1]))
		for step := 1; fine[k] && step < finely; step++ {
			ring = append(ring, b.vertex(c[0]+(next[0]-c[0])*step/finely, c[1]+(next[1]-c[1])*step/finely))
		}
	}
	middle := b.add(float64(u)/(3*finely), float64(v)/(3*finely))
	for k := range ring {
		b.m.Triangles = append(b.m.Triangles, [3]uint32{middle, ring[k], ring[(k+1)%len(ring)]})
	}
}
