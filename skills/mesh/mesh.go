// Package mesh keeps the meshes of a world: surfaces of triangles that entities of the shape "mesh"
// show. A mesh is named by its content, so that the same one is kept once, however often it is
// imported.
//
//	asset, err := meshes.Add(tx, geometry)
//	err = meshes.Give(tx, entity, asset, color)
//
// Meshes are as authoritative as everything else in the world: hashed, rolled back and replayed.
// Viewers see which mesh an entity has, in its component "mesh", but not the mesh itself.
package mesh

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"sync"

	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// Limits of what a world keeps.
const (
	MaxMeshes = 1024
	MaxBytes  = 32 << 20 // of all meshes
)

// Shape is the kind of shape of an entity that has a mesh.
const Shape = "mesh"

// Ref says which mesh an entity has: its component "mesh".
type Ref struct {
	Asset string `json:"asset"`
}

// row is a mesh as the world keeps it: numbers of four bytes, the lowest first.
type row struct {
	Positions []byte `json:"positions"`
	Normals   []byte `json:"normals,omitempty"`
	Triangles []byte `json:"triangles"`
	Coords    []byte `json:"coords,omitempty"` // in images
}

func (r *row) size() int {
	return len(r.Positions) + len(r.Normals) + len(r.Triangles) + len(r.Coords)
}

// parts are what the name of a mesh is made of.
func (r *row) parts() [][]byte {
	parts := [][]byte{r.Positions, r.Normals, r.Triangles}
	if len(r.Coords) > 0 { // meshes without any are named as they were when there were none
		parts = append(parts, r.Coords)
	}
	return parts
}

// Meshes are the meshes of a world; a world has one. Its methods read through a View and write
// through a Tx, and so may be called by whoever holds one.
type Meshes struct {
	w    *world.World
	refs *world.Component[Ref]
	rows *world.Table[string, row]

	mu   sync.Mutex
	read map[string]*gltf.Geometry // rows that were unpacked
}

// New declares in w what meshes need.
func New(w *world.World) *Meshes {
	return &Meshes{
		w:    w,
		refs: world.NewComponent[Ref](w, "mesh"),
		rows: world.NewTable[string, row](w, "meshes", MaxMeshes, world.Private),
		read: map[string]*gltf.Geometry{},
	}
}

// Add keeps a mesh and returns its name. It fails if the world keeps as much as it may.
func (m *Meshes) Add(tx *world.Tx, g *gltf.Geometry) (asset string, err error) {
	r := pack(g)
	sum := sha256.New()
	for _, part := range r.parts() {
		_, _ = sum.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(part))))
		_, _ = sum.Write(part)
	}
	asset = "mesh_" + hex.EncodeToString(sum.Sum(nil)[:12])
	if _, there := m.rows.Get(&tx.View, asset); there {
		return asset, nil
	}
	kept := r.size()
	for _, other := range m.rows.All(&tx.View) {
		kept += other.size()
	}
	if kept > MaxBytes {
		return "", registry.Errorf(registry.CodeCapacityExceeded, "with this mesh the world would keep %d bytes of meshes, at most %d are allowed", kept, MaxBytes)
	}
	return asset, m.rows.Set(tx, asset, r)
}

// Give makes a mesh the shape of an entity. The size of the shape is that of the smallest box about the
// entity's position that holds the mesh.
func (m *Meshes) Give(tx *world.Tx, id world.ID, asset string, color uint32) error {
	g, ok := m.get(&tx.View, asset)
	if !ok {
		return fmt.Errorf("there is no mesh %s", asset)
	}
	var size world.Vec3
	for _, p := range g.Positions {
		for i := range size {
			size[i] = max(size[i], 2*math.Abs(float64(p[i])))
		}
	}
	if err := m.refs.Set(tx, id, Ref{asset}); err != nil {
		return err
	}
	return m.w.Shapes.Set(tx, id, world.Shape{Kind: Shape, Size: size, Color: color})
}

// Of returns the mesh of an entity and its name; ok is false if it has none. The mesh is shared and
// not to be changed.
func (m *Meshes) Of(v *world.View, id world.ID) (g *gltf.Geometry, asset string, ok bool) {
	ref, ok := m.refs.Get(v, id)
	if !ok {
		return nil, "", false
	}
	g, ok = m.get(v, ref.Asset)
	return g, ref.Asset, ok
}

// Has reports whether there is a mesh of this name.
func (m *Meshes) Has(v *world.View, asset string) bool {
	_, ok := m.rows.Get(v, asset)
	return ok
}

func (m *Meshes) get(v *world.View, asset string) (*gltf.Geometry, bool) {
	r, ok := m.rows.Get(v, asset)
	if !ok {
		return nil, false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	g := m.read[asset]
	if g == nil {
		g = unpack(&r)
		m.read[asset] = g
	}
	return g, true
}

func pack(g *gltf.Geometry) row {
	r := row{Positions: words(g.Positions), Normals: words(g.Normals), Coords: words(g.Coords)}
	for _, t := range g.Triangles {
		for _, i := range t {
			r.Triangles = binary.LittleEndian.AppendUint32(r.Triangles, i)
		}
	}
	return r
}

// words returns numbers as they are kept.
func words[V [2]float32 | [3]float32](list []V) (b []byte) {
	for _, v := range list {
		for i := range len(v) {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v[i]))
		}
	}
	return b
}

func unpack(r *row) *gltf.Geometry {
	g := &gltf.Geometry{Positions: vectors[[3]float32](r.Positions), Normals: vectors[[3]float32](r.Normals), Coords: vectors[[2]float32](r.Coords)}
	for i := 0; i < len(r.Triangles)/4; i += 3 {
		g.Triangles = append(g.Triangles, [3]uint32{word(r.Triangles, i), word(r.Triangles, i+1), word(r.Triangles, i+2)})
	}
	return g
}

func word(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[4*i:]) }

// vectors returns what words was given; nil for none.
func vectors[V [2]float32 | [3]float32](b []byte) (list []V) {
	var v V
	for i := 0; i < len(b)/4; i += len(v) {
		for k := range len(v) {
			v[k] = math.Float32frombits(word(b, i+k))
		}
		list = append(list, v)
	}
	return list
}
