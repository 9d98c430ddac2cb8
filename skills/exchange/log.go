package exchange

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"

	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/skills/mesh"
)

// What a scene as a log says of itself; docs/scene-log.md describes the form.
const (
	logFormat  = "limina-scene-log"
	logVersion = 1
	mimeLog    = "application/jsonl"
)

// Manifest says what a log holds.
type Manifest struct {
	Format   string `json:"format"`
	Version  int    `json:"version"`
	Entities int    `json:"entities"`
	Meshes   int    `json:"meshes"`
	Lines    int    `json:"lines"`
	Bytes    int    `json:"bytes"`  // of the log
	SHA256   string `json:"sha256"` // of the log
	Head     Head   `json:"head"`
}

// Head is the state of the world that was exported.
type Head struct {
	Revision uint64 `json:"revision"`
	Content  string `json:"content"` // sha256 of all that there was, also of what was not exported
}

// line is one line of a log: a mesh, or an entity that is made.
type line struct {
	Op string `json:"op"` // "image", "material", "mesh" or "entity"

	// Of an image, the sha256 of which is its name, and of a material, which has a name, too:
	Image string        `json:"image,omitempty"`
	Data  string        `json:"data,omitempty"` // in base64
	Set   *material.Set `json:"set,omitempty"`

	// Of a mesh, and, the name, of an entity that looks like it:
	Mesh      string       `json:"mesh,omitempty"`
	Positions [][3]float32 `json:"positions,omitempty"`
	Normals   [][3]float32 `json:"normals,omitempty"`
	Triangles [][3]uint32  `json:"triangles,omitempty"`
	Coords    [][2]float32 `json:"coords,omitempty"` // in images

	// Of an entity:
	Parent   string      `json:"parent,omitempty"` // its id
	Position *[3]float64 `json:"pos,omitempty"`
	Rotation *[4]float64 `json:"rot,omitempty"`
	Scale    *[3]float64 `json:"scale,omitempty"`
	record
}

// EncodeLog writes a document as a log: meshes first, then entities, each behind its parent.
func EncodeLog(doc *gltf.Document, head Head) (log []byte, m Manifest, err error) {
	return encodeLog(doc, head, nil)
}

// encodeLog is EncodeLog with lines that stand before all others.
func encodeLog(doc *gltf.Document, head Head, first []line) (log []byte, m Manifest, err error) {
	m = Manifest{Format: logFormat, Version: logVersion, Head: head}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	put := func(l *line) {
		m.Lines++
		if err == nil {
			err = enc.Encode(l)
		}
	}
	for i := range first {
		put(&first[i])
	}
	names := map[*gltf.Geometry]string{}
	written := make([]bool, len(doc.Nodes))
	var emit func(i int)
	emit = func(i int) {
		if written[i] || err != nil {
			return
		}
		written[i] = true
		n := &doc.Nodes[i]
		rec, wrong := recordOf(n)
		if wrong != nil || rec.part() {
			return
		}
		l := line{Op: "entity", Position: &n.Translation, Rotation: &n.Rotation, Scale: &n.Scale, record: rec}
		l.OwnCoords = false // the mesh says so itself
		if n.Parent != gltf.None {
			emit(n.Parent)
			above, _ := recordOf(&doc.Nodes[n.Parent]) // it was one of ours a moment ago
			l.Parent = above.Entity
		}
		if n.Mesh != gltf.None && rec.Shape != nil && rec.Shape.Kind == mesh.Shape {
			g := doc.Meshes[n.Mesh].Primitives[0].Geometry
			l.Mesh = names[g]
			if l.Mesh == "" {
				m.Meshes++
				l.Mesh = fmt.Sprintf("mesh_%d", m.Meshes)
				names[g] = l.Mesh
				put(&line{Op: "mesh", Mesh: l.Mesh, Positions: g.Positions, Normals: g.Normals, Triangles: g.Triangles, Coords: g.Coords})
			}
		}
		m.Entities++
		put(&l)
	}
	for i := range doc.Nodes {
		emit(i)
	}
	log = buf.Bytes()
	m.Bytes, m.SHA256 = len(log), sumOf(log)
	return log, m, err
}

func sumOf(log []byte) string {
	sum := sha256.Sum256(log)
	return hex.EncodeToString(sum[:])
}

// holds refuses a log that is not the one that a manifest is of.
func (m *Manifest) holds(log []byte, format string, version int) error {
	switch most := limits(); {
	case m.Format != format || m.Version != version:
		return registry.Invalidf("manifest: format must be %q and version %d, got %.40q and %d", format, version, m.Format, m.Version)
	case len(log) > most.Bytes:
		return registry.Errorf(registry.CodeCapacityExceeded, "log: may have %d bytes, this has %d", most.Bytes, len(log))
	case m.SHA256 != sumOf(log) || m.Bytes != len(log):
		return registry.Invalidf("manifest: the log is another one: it has %d bytes and the sha256 %s", len(log), sumOf(log))
	}
	return nil
}

// DecodeLog reads a log that is what its manifest says, within the limits of what is imported.
func DecodeLog(log []byte, m *Manifest) (*gltf.Document, error) {
	r, err := readLog(log, m)
	if err != nil {
		return nil, err
	}
	return &r.doc, nil
}

func readLog(log []byte, m *Manifest) (*logReader, error) {
	if err := m.holds(log, logFormat, logVersion); err != nil {
		return nil, err
	}
	r := logReader{nodes: map[string]int{}, meshes: map[string]int{}, images: map[string]material.Image{}}
	for text := range bytes.Lines(log) {
		r.line++
		if err := r.read(text); err != nil {
			return nil, registry.Invalidf("log, line %d: %s", r.line, err)
		}
	}
	if r.line != m.Lines || len(r.doc.Nodes) != m.Entities || len(r.doc.Meshes) != m.Meshes {
		return nil, registry.Invalidf("manifest: says %d lines, %d entities and %d meshes, the log has %d, %d and %d", m.Lines, m.Entities, m.Meshes, r.line, len(r.doc.Nodes), len(r.doc.Meshes))
	}
	return &r, r.hangsOnSomething()
}

// logReader makes a document of lines.
type logReader struct {
	doc                 gltf.Document
	line                int   // counted from 1
	lines               []int // of nodes
	nodes, meshes       map[string]int
	vertices, triangles int
	images              map[string]material.Image
	dressings           []dressing
}

// where says on which line a node stands.
func (r *logReader) where(node int) string { return fmt.Sprintf("log, line %d", r.lines[node]) }

func (r *logReader) read(text []byte) error {
	var l line
	if err := wire.Unmarshal(text, &l); err != nil {
		return err
	}
	switch l.Op {
	case "image":
		return r.image(&l)
	case "material":
		return r.material(&l)
	case "mesh":
		return r.mesh(&l)
	case "entity":
		return r.entity(&l)
	}
	return fmt.Errorf("op: must be image, material, mesh or entity, got %.40q", l.Op)
}

func (r *logReader) mesh(l *line) error {
	most := limits()
	r.vertices += len(l.Positions)
	r.triangles += len(l.Triangles)
	_, twice := r.meshes[l.Mesh]
	switch {
	case l.Mesh == "" || twice:
		return fmt.Errorf("mesh: needs a name of its own, got %.40q", l.Mesh)
	case r.vertices > most.Vertices || r.triangles > most.Triangles:
		return fmt.Errorf("a log may have %d positions and %d triangles", most.Vertices, most.Triangles)
	case len(l.Positions) == 0 || len(l.Triangles) == 0:
		return fmt.Errorf("positions and triangles: there must be some")
	case len(l.Normals) > 0 && len(l.Normals) != len(l.Positions):
		return fmt.Errorf("normals: must be as many as positions, %d, or none, got %d", len(l.Positions), len(l.Normals))
	case len(l.Coords) > 0 && len(l.Coords) != len(l.Positions):
		return fmt.Errorf("coords: must be as many as positions, %d, or none, got %d", len(l.Positions), len(l.Coords))
	}
	for _, n := range l.Normals {
		square := 0.0
		for _, x := range n {
			square += float64(float64(x) * float64(x))
		}
		if math.Abs(square-1) > 0.01 {
			return fmt.Errorf("normals: must have the length 1, got %v", n)
		}
	}
	for _, t := range l.Triangles {
		for _, i := range t {
			if int(i) >= len(l.Positions) {
				return fmt.Errorf("triangles: %d is no position, there are %d", i, len(l.Positions))
			}
		}
	}
	r.meshes[l.Mesh] = len(r.doc.Meshes)
	g := &gltf.Geometry{Positions: l.Positions, Normals: l.Normals, Triangles: l.Triangles, Coords: l.Coords}
	r.doc.Meshes = append(r.doc.Meshes, gltf.Mesh{Primitives: []gltf.Primitive{{Geometry: g, Material: gltf.None}}})
	return nil
}

func (r *logReader) entity(l *line) error {
	_, twice := r.nodes[l.Entity]
	switch {
	case l.Entity == "" || twice:
		return fmt.Errorf("entity: needs an id of its own, got %.40q", l.Entity)
	case l.Position == nil || l.Rotation == nil || l.Scale == nil:
		return fmt.Errorf("pos, rot and scale: required")
	case len(r.doc.Nodes) >= limits().Nodes:
		return fmt.Errorf("a log may have %d entities", limits().Nodes)
	case l.ShapeOf != "":
		return fmt.Errorf("shapeOf: is for glTF")
	case l.LightOf != "":
		return fmt.Errorf("lightOf: is for glTF")
	case l.Copies != nil || l.Flat || l.OwnCoords:
		return fmt.Errorf("copies, flat and ownCoords: are for glTF")
	}
	square := 0.0
	for _, x := range l.Rotation {
		square += float64(x * x)
	}
	if !(math.Abs(square-1) < 1e-3) { // what a document may hold
		return fmt.Errorf("rot: must have the length 1, got %v", *l.Rotation)
	}
	if err := l.check(""); err != nil {
		return err
	}
	n := gltf.Identity()
	n.Translation, n.Rotation, n.Scale = *l.Position, *l.Rotation, *l.Scale
	if l.Parent != "" {
		at, ok := r.nodes[l.Parent]
		if !ok {
			return fmt.Errorf("parent: %.40q is on no line before", l.Parent)
		}
		n.Parent = at
	}
	if l.Mesh != "" {
		at, ok := r.meshes[l.Mesh]
		if !ok {
			return fmt.Errorf("mesh: %.40q is on no line before", l.Mesh)
		}
		n.Mesh = at
		l.OwnCoords = len(r.doc.Meshes[at].Primitives[0].Geometry.Coords) > 0
	}
	text, err := json.Marshal(extras[record]{&l.record})
	if err != nil {
		return err
	}
	n.Extras = text
	r.nodes[l.Entity] = len(r.doc.Nodes)
	r.lines = append(r.lines, r.line)
	r.doc.Nodes = append(r.doc.Nodes, n)
	return nil
}
