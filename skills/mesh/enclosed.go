package mesh

import (
	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/world/convex/decompose"
)

// enclosing is which mesh was asked for, by the name that it has without pieces, and how many it may have.
type enclosing struct {
	asset string
	most  int
}

// Enclosed makes a mesh of at most so many pieces that together are what its surface encloses, see [decompose.Surface]; nil if it has no extent. It may take a
// second, unless the same was asked for lately, so it is called before a transaction begins.
func (m *Meshes) Enclosed(g *gltf.Geometry, most int) *Solid {
	r := pack(g)
	key := enclosing{r.name(), most}
	m.mu.Lock()
	s, known := m.enclosed[key]
	m.mu.Unlock()
	if known {
		return s
	}
	s = m.enclose(&r, g, most)
	m.mu.Lock()
	defer m.mu.Unlock()
	kept := r.size()
	for _, other := range m.enclosed {
		if other != nil {
			kept += other.row.size()
		}
	}
	if kept > MaxBytes || len(m.enclosed) >= MaxMeshes {
		clear(m.enclosed)
	}
	m.enclosed[key] = s
	return s
}

func (m *Meshes) enclose(r *row, g *gltf.Geometry, most int) *Solid {
	var pieces Pieces
	at := map[[3]float32]uint32{}
	for i, p := range g.Positions {
		if _, ok := at[p]; !ok {
			at[p] = uint32(i)
		}
	}
	for _, corners := range decompose.Surface(g.Positions, g.Triangles, most) {
		var piece []uint32
		for _, c := range corners {
			p := [3]float32{float32(c[0]), float32(c[1]), float32(c[2])}
			i, ok := at[p]
			if !ok {
				i = uint32(len(g.Positions) + len(pieces.Corners))
				at[p] = i
				pieces.Corners = append(pieces.Corners, p)
			}
			piece = append(piece, i)
		}
		pieces.Of = append(pieces.Of, piece)
	}
	if len(pieces.Of) == 0 {
		return nil
	}
	s, err := m.solid(r, g, pieces)
	if err != nil { // it is so small and far away that its corners are no piece any more when they are rounded
		return nil
	}
	return s
}
