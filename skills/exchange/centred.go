package exchange

import (
	"context"

	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/skills/mesh"
	"github.com/limina-mcp/limina/world"
)

// centred is a mesh as an entity has it, which is in its middle.
type centred struct {
	geometry *gltf.Geometry
	middle   world.Vec3  // where in the mesh the entity is
	solid    *mesh.Solid // of which convex pieces it consists; nil if that is not known, or stands in the record
}

// How many convex pieces meshes of other programs are taken to consist of, at most.
const (
	maxPieces   = 64   // of one
	allPieces   = 1024 // of all in a file, but that each has its least
	leastPieces = 4
)

// center returns the meshes of a document that other programs have written, before a transaction begins: it may take seconds.
//
// An entity is in the middle of what it shows, which all that asks how large it is goes by. The meshes of other programs are about any point, as one at their foot: they
// are moved to the middle, and the entities the other way. And they do not say what is inside of them: that is found out.
func center(ctx context.Context, meshes *mesh.Meshes, doc *gltf.Document) (map[*gltf.Geometry]centred, error) {
	all := map[*gltf.Geometry]centred{}
	var order []*gltf.Geometry
	for i := range doc.Nodes {
		n := &doc.Nodes[i]
		if n.Mesh == gltf.None {
			continue
		}
		if rec, err := recordOf(n); err != nil || !rec.foreign {
			continue // what is wrong is told when it is made an entity
		}
		for _, p := range doc.Meshes[n.Mesh].Primitives {
			if _, known := all[p.Geometry]; !known {
				g, middle := middled(p.Geometry)
				all[p.Geometry] = centred{geometry: g, middle: middle}
				order = append(order, p.Geometry)
			}
		}
	}
	most := min(max(allPieces/max(len(order), 1), leastPieces), maxPieces)
	for _, g := range order {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		f := all[g]
		f.solid = meshes.Enclosed(f.geometry, most)
		all[g] = f
	}
	return all, nil
}

// middled returns a geometry about the middle of the box around it, and where that was. One that nearly is, is left as it is.
func middled(g *gltf.Geometry) (about *gltf.Geometry, middle world.Vec3) {
	if len(g.Positions) == 0 {
		return g, world.Vec3{}
	}
	lo, hi := g.Positions[0], g.Positions[0]
	for _, p := range g.Positions {
		for k := range p {
			lo[k], hi[k] = min(lo[k], p[k]), max(hi[k], p[k])
		}
	}
	var by [3]float32
	far, large := float32(0), float32(0)
	for k := range by {
		by[k] = lo[k]/2 + hi[k]/2
		far, large = max(far, by[k], -by[k]), max(large, hi[k]-lo[k])
	}
	const near = 1e-3 // of its size: nobody sees it
	if far <= near*large {
		return g, world.Vec3{}
	}
	moved := *g
	moved.Positions = make([][3]float32, len(g.Positions))
	for i, p := range g.Positions {
		for k := range p {
			moved.Positions[i][k] = p[k] - by[k]
		}
	}
	return &moved, world.Vec3{float64(by[0]), float64(by[1]), float64(by[2])}
}
