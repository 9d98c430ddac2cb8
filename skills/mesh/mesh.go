// Package mesh keeps the meshes of a world: surfaces of triangles that entities of the shape "mesh"
// show. A mesh is named by its content, so that the same one is kept once, however often it is
// imported.
//
//	asset, err := meshes.Add(tx, geometry)
//	err = meshes.Give(tx, entity, asset, color)
//
// A mesh may say of which convex pieces it consists, [Meshes.AddSolid]: then it takes up their room, not that of the box around it, and a body may
// collide as they do. Of one that does not, [Meshes.Enclosed] finds them.
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
	"github.com/limina-mcp/limina/world/convex"
)

// Limits of what a world keeps.
const (
	MaxMeshes = 4096
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
	Coords    []byte `json:"coords,omitempty"`  // in images
	Pieces    []byte `json:"pieces,omitempty"`  // of each convex piece how many positions it has, and which
	Corners   []byte `json:"corners,omitempty"` // positions that only pieces have
}

func (r *row) size() int {
	return len(r.Positions) + len(r.Normals) + len(r.Triangles) + len(r.Coords) + len(r.Pieces) + len(r.Corners)
}

// parts are what the name of a mesh is made of.
func (r *row) parts() [][]byte {
	parts := [][]byte{r.Positions, r.Normals, r.Triangles}
	if len(r.Coords) > 0 || len(r.Pieces) > 0 { // meshes without any are named as they were when there were none
		parts = append(parts, r.Coords)
	}
	if len(r.Pieces) > 0 {
		parts = append(parts, r.Pieces)
	}
	if len(r.Corners) > 0 {
		parts = append(parts, r.Corners)
	}
	return parts
}

// name is what a mesh is called.
func (r *row) name() string {
	sum := sha256.New()
	for _, part := range r.parts() {
		_, _ = sum.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(part))))
		_, _ = sum.Write(part)
	}
	return "mesh_" + hex.EncodeToString(sum.Sum(nil)[:12])
}

// Meshes are the meshes of a world; a world has one. Its methods read through a View and write
// through a Tx, and so may be called by whoever holds one.
type Meshes struct {
	w    *world.World
	refs *world.Component[Ref]
	rows *world.Table[string, row]

	mu       sync.Mutex
	read     map[string]*unpacked
	enclosed map[enclosing]*Solid // what was found lately
}

// unpacked is a row as it is used.
type unpacked struct {
	geometry *gltf.Geometry
	model    *convex.Model // nil if it says of no pieces
}

// New declares in w what meshes need.
func New(w *world.World) *Meshes {
	m := &Meshes{
		w:    w,
		refs: world.NewComponent[Ref](w, "mesh"),
		rows: world.NewTable[string, row](w, "meshes", MaxMeshes, world.Private, world.Derived),
		read: map[string]*unpacked{}, enclosed: map[enclosing]*Solid{},
	}
	w.SetModels(m.Model)
	return m
}

// Add keeps a mesh and returns its name. It fails if the world keeps as much as it may.
func (m *Meshes) Add(tx *world.Tx, g *gltf.Geometry) (asset string, err error) {
	r := pack(g)
	asset = r.name()
	return asset, m.add(tx, asset, r)
}

// Solid is a mesh that consists of convex pieces.
type Solid struct {
	// Took is what it took to find the faces of its pieces: the sum of the cubes of how many corners they have, of which a million takes some 20 ms; 0 if the world
	// had it.
	Took int

	asset string
	row   row
	unpacked
}

// Pieces are the convex pieces that a mesh consists of.
type Pieces struct {
	Of      [][]uint32   // of each piece which of the mesh's positions it has, and, counted on behind those, which of the corners
	Corners [][3]float32 // positions that no triangle has
}

// NewSolid makes a mesh that consists of pieces. It fails, with invalid_input, if they are none, see [convex.New]. It may
// take milliseconds for each piece that has many corners, unless the world has such a mesh already, so it is called before a transaction begins.
func (m *Meshes) NewSolid(g *gltf.Geometry, pieces Pieces) (*Solid, error) {
	r := pack(g)
	return m.solid(&r, g, pieces)
}

// solid is NewSolid of a mesh that is packed already.
func (m *Meshes) solid(r *row, g *gltf.Geometry, pieces Pieces) (*Solid, error) {
	s := &Solid{row: *r}
	s.row.Corners = words(pieces.Corners)
	for _, piece := range pieces.Of {
		s.row.Pieces = binary.LittleEndian.AppendUint32(s.row.Pieces, uint32(len(piece)))
		for _, i := range piece {
			s.row.Pieces = binary.LittleEndian.AppendUint32(s.row.Pieces, i)
		}
	}
	s.asset = s.row.name()
	m.mu.Lock()
	known := m.read[s.asset]
	m.mu.Unlock()
	if known != nil {
		s.unpacked = *known
		return s, nil
	}
	made, err := model(g, pieces)
	if err != nil {
		return nil, registry.Invalidf("pieces: %s", err)
	}
	for _, piece := range pieces.Of {
		s.Took += len(piece) * len(piece) * len(piece)
	}
	s.unpacked = unpacked{g, made}
	return s, nil
}

// Half is how far it reaches from its origin along each axis.
func (s *Solid) Half() world.Vec3 { return s.model.Half }

// AddSolid is [Meshes.Add] for a mesh that consists of convex pieces.
func (m *Meshes) AddSolid(tx *world.Tx, s *Solid) (asset string, err error) {
	if err := m.add(tx, s.asset, s.row); err != nil {
		return "", err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.read[s.asset] == nil { // so that it need not be made again
		m.read[s.asset] = &s.unpacked
	}
	const spare = 64
	if len(m.read) > m.rows.Len(&tx.View)+spare { // of calls that came to nothing
		for kept := range m.read {
			if !m.Has(&tx.View, kept) {
				delete(m.read, kept)
			}
		}
	}
	return s.asset, nil
}

// model returns what pieces of a mesh are together.
func model(g *gltf.Geometry, pieces Pieces) (*convex.Model, error) {
	points := make([]convex.Vec, 0, len(g.Positions)+len(pieces.Corners))
	for _, list := range [][][3]float32{g.Positions, pieces.Corners} {
		for _, p := range list {
			points = append(points, convex.Vec{float64(p[0]), float64(p[1]), float64(p[2])})
		}
	}
	return convex.New(points, pieces.Of)
}

// add keeps a row under its name, if there is none. If the world is full, those go that no entity has, nor gets back by an undo.
func (m *Meshes) add(tx *world.Tx, asset string, r row) error {
	if m.Has(&tx.View, asset) {
		return nil
	}
	kept := m.kept(&tx.View) + r.size()
	if kept > MaxBytes || m.rows.Len(&tx.View) >= MaxMeshes {
		m.sweep(tx)
		kept = m.kept(&tx.View) + r.size()
	}
	if kept > MaxBytes {
		return registry.Errorf(registry.CodeCapacityExceeded, "with this mesh the world would keep %d bytes of meshes, at most %d are allowed: destroy what has large ones that are not needed; what can be undone counts until it is among the newest changes no more", kept, MaxBytes)
	}
	return m.rows.Set(tx, asset, r)
}

// kept is how many bytes all meshes have.
func (m *Meshes) kept(v *world.View) (sum int) {
	for _, r := range m.rows.All(v) {
		sum += r.size()
	}
	return sum
}

// sweep drops the meshes that nobody has.
func (m *Meshes) sweep(tx *world.Tx) {
	had := map[string]bool{}
	for ref := range m.refs.Known(&tx.View) {
		had[ref.Asset] = true
	}
	var idle []string
	for asset := range m.rows.All(&tx.View) {
		if !had[asset] {
			idle = append(idle, asset)
		}
	}
	for _, asset := range idle {
		m.rows.Delete(tx, asset)
	}
}

// Give makes a mesh the shape of an entity. The size of the shape is that of the smallest box about the
// entity's position that holds the mesh.
func (m *Meshes) Give(tx *world.Tx, id world.ID, asset string, color uint32) error {
	u, ok := m.get(&tx.View, asset)
	if !ok {
		return fmt.Errorf("there is no mesh %s", asset)
	}
	var size world.Vec3
	for _, p := range u.geometry.Positions {
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
	u, ok := m.get(v, ref.Asset)
	return u.geometry, ref.Asset, ok
}

// Model returns the convex pieces that the mesh of an entity consists of, nil if it has none, or none that says so.
func (m *Meshes) Model(v *world.View, id world.ID) *convex.Model {
	ref, ok := m.refs.Get(v, id)
	if !ok {
		return nil
	}
	u, _ := m.get(v, ref.Asset)
	return u.model
}

// Pieces returns the pieces of the mesh of an entity, as [Meshes.NewSolid] takes them; none if it says of none.
func (m *Meshes) Pieces(v *world.View, id world.ID) Pieces {
	ref, _ := m.refs.Get(v, id)
	r, _ := m.rows.Get(v, ref.Asset)
	return r.pieces()
}

// Has reports whether there is a mesh of this name.
func (m *Meshes) Has(v *world.View, asset string) bool {
	_, ok := m.rows.Get(v, asset)
	return ok
}

// get returns a mesh as it is used; what there is not is empty.
func (m *Meshes) get(v *world.View, asset string) (unpacked, bool) {
	r, ok := m.rows.Get(v, asset)
	if !ok {
		return unpacked{}, false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	u := m.read[asset]
	if u == nil {
		u = &unpacked{geometry: unpack(&r)}
		if pieces := r.pieces(); len(pieces.Of) > 0 {
			u.model, _ = model(u.geometry, pieces) // it was one when it was added
		}
		m.read[asset] = u
	}
	return *u, true
}

// pieces returns the pieces that a mesh says of.
func (r *row) pieces() (pieces Pieces) {
	pieces.Corners = vectors[[3]float32](r.Corners)
	for at, n := 0, len(r.Pieces)/4; at < n; {
		of := int(word(r.Pieces, at))
		piece := make([]uint32, 0, of)
		for at++; len(piece) < of && at < n; at++ {
			piece = append(piece, word(r.Pieces, at))
		}
		pieces.Of = append(pieces.Of, piece)
	}
	return pieces
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
