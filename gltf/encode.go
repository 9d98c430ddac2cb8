package gltf

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
)

// Encode writes a document as GLB. The same document gives the same bytes. Its errors name the node,
// mesh, material, light or animation that cannot be written.
func Encode(doc *Document) ([]byte, error) {
	e := encoder{shared: map[*Geometry]primitive{}, textures: map[*Image]int{}}
	e.file.Asset = asset{Version: "2.0", Generator: doc.Generator}
	for i := range doc.Materials {
		if err := e.material(&doc.Materials[i]); err != nil {
			return nil, fmt.Errorf("material %d: %w", i, err)
		}
	}
	for i := range doc.Meshes {
		if err := e.mesh(&doc.Meshes[i], doc.Materials); err != nil {
			return nil, fmt.Errorf("mesh %d: %w", i, err)
		}
	}
	if err := e.lights(doc.Lights); err != nil {
		return nil, err
	}
	if err := e.nodes(doc); err != nil {
		return nil, err
	}
	if err := e.animations(doc); err != nil {
		return nil, err
	}
	return e.glb()
}

// encoder collects the parts of a file.
type encoder struct {
	file     file
	bin      []byte
	shared   map[*Geometry]primitive
	textures map[*Image]int
}

func (e *encoder) mesh(m *Mesh, materials []Material) error {
	if len(m.Primitives) == 0 {
		return fmt.Errorf("it has no primitives")
	}
	out := mesh{Name: m.Name}
	for i := range m.Primitives {
		p := &m.Primitives[i]
		written, ok := e.shared[p.Geometry]
		if !ok {
			if err := p.Geometry.check(); err != nil {
				return fmt.Errorf("primitive %d: %w", i, err)
			}
			written = e.geometry(p.Geometry)
			e.shared[p.Geometry] = written
		}
		if p.Material != None {
			if p.Material < 0 || p.Material >= len(materials) {
				return fmt.Errorf("primitive %d: there is no material %d", i, p.Material)
			}
			if materials[p.Material].images() && len(p.Geometry.Coords) == 0 {
				return fmt.Errorf("primitive %d: material %d has images, and it no coordinates for them", i, p.Material)
			}
			written.Material = &p.Material
		}
		out.Primitives = append(out.Primitives, written)
	}
	e.file.Meshes = append(e.file.Meshes, out)
	return nil
}

func (e *encoder) geometry(g *Geometry) primitive {
	p := primitive{Attributes: map[string]int{}}
	lo, hi := g.Positions[0], g.Positions[0]
	for _, v := range g.Positions {
		for k := range v {
			lo[k], hi[k] = min(lo[k], v[k]), max(hi[k], v[k])
		}
	}
	p.Attributes["POSITION"] = vectors(e, g.Positions, "VEC3")
	a := &e.file.Accessors[p.Attributes["POSITION"]]
	a.Min = []float64{float64(lo[0]), float64(lo[1]), float64(lo[2])}
	a.Max = []float64{float64(hi[0]), float64(hi[1]), float64(hi[2])}
	if len(g.Normals) > 0 {
		p.Attributes["NORMAL"] = vectors(e, g.Normals, "VEC3")
	}
	if len(g.Coords) > 0 {
		p.Attributes["TEXCOORD_0"] = vectors(e, g.Coords, "VEC2")
	}
	if len(g.Tangents) > 0 {
		p.Attributes["TANGENT"] = vectors(e, g.Tangents, "VEC4")
	}
	if len(g.Colors) > 0 {
		p.Attributes["COLOR_0"] = vectors(e, g.Colors, "VEC3")
	}
	indices := e.indices(g.Triangles, len(g.Positions))
	p.Indices = &indices
	return p
}

func vectors[V [2]float32 | [3]float32 | [4]float32](e *encoder, list []V, kind string) (number int) {
	start := len(e.bin)
	for i := range list {
		for k := range len(list[i]) {
			e.bin = binary.LittleEndian.AppendUint32(e.bin, math.Float32bits(list[i][k]))
		}
	}
	return e.accessor(accessor{ComponentType: typeFloat, Count: len(list), Type: kind}, start, targetData)
}

func (e *encoder) indices(list [][3]uint32, positions int) (number int) {
	start, wide := len(e.bin), positions >= 1<<16
	for _, t := range list {
		for _, i := range t {
			if wide {
				e.bin = binary.LittleEndian.AppendUint32(e.bin, i)
			} else {
				e.bin = binary.LittleEndian.AppendUint16(e.bin, uint16(i))
			}
		}
	}
	kind := typeShort
	if wide {
		kind = typeInt
	}
	return e.accessor(accessor{ComponentType: kind, Count: 3 * len(list), Type: "SCALAR"}, start, targetIdx)
}

// accessor adds an accessor on what was written to the buffer since start.
func (e *encoder) accessor(a accessor, start, target int) (number int) {
	view := e.view(start, target)
	a.BufferView = &view
	e.file.Accessors = append(e.file.Accessors, a)
	return len(e.file.Accessors) - 1
}

// view adds a buffer view on what was written to the buffer since start; target is 0 for an image.
func (e *encoder) view(start, target int) (number int) {
	e.file.BufferViews = append(e.file.BufferViews, bufferView{ByteOffset: start, ByteLength: len(e.bin) - start, Target: target})
	for len(e.bin)%4 != 0 {
		e.bin = append(e.bin, 0)
	}
	return len(e.file.BufferViews) - 1
}

func (e *encoder) nodes(doc *Document) error {
	var roots []int
	identity := Identity()
	e.file.Nodes = make([]node, len(doc.Nodes))
	for i := range doc.Nodes {
		n := &doc.Nodes[i]
		if err := n.check(i, doc); err != nil {
			return fmt.Errorf("node %d: %w", i, err)
		}
		out := &e.file.Nodes[i]
		out.Name, out.Extras = n.Name, n.Extras
		if !same(n.Translation[:], identity.Translation[:]) {
			out.Translation = &n.Translation
		}
		if !same(n.Rotation[:], identity.Rotation[:]) {
			out.Rotation = &n.Rotation
		}
		if !same(n.Scale[:], identity.Scale[:]) {
			out.Scale = &n.Scale
		}
		if n.Mesh != None {
			out.Mesh = &n.Mesh
		}
		if n.Light != None {
			out.Extensions = lightAt(&n.Light)
		}
		if n.Parent == None {
			roots = append(roots, i)
		} else {
			e.file.Nodes[n.Parent].Children = append(e.file.Nodes[n.Parent].Children, i)
		}
	}
	if err := acyclic(doc.Nodes); err != nil {
		return err
	}
	if len(doc.Extras) > 0 && !object(doc.Extras) {
		return fmt.Errorf("the scene's extras are no JSON object")
	}
	zero := 0
	e.file.Scene, e.file.Scenes = &zero, []scene{{Nodes: roots, Extras: doc.Extras}}
	return nil
}

func object(text json.RawMessage) bool {
	text = bytes.TrimSpace(text)
	return json.Valid(text) && text[0] == '{'
}

// glb puts the file together.
func (e *encoder) glb() ([]byte, error) {
	if len(e.bin) > 0 {
		e.file.Buffers = []buffer{{ByteLength: len(e.bin)}}
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false) // which would write other extras than there are
	if err := enc.Encode(&e.file); err != nil {
		return nil, err
	}
	text := bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
	for len(text)%4 != 0 {
		text = append(text, ' ')
	}
	size := headerSize + chunkHead + len(text)
	if len(e.bin) > 0 {
		size += chunkHead + len(e.bin)
	}
	if uint64(size) > math.MaxUint32 {
		return nil, fmt.Errorf("the file would have %d bytes, more than a GLB can have", size)
	}
	out := make([]byte, 0, size)
	for _, word := range []int{magic, 2, size, len(text), chunkJSON} {
		out = binary.LittleEndian.AppendUint32(out, uint32(word))
	}
	out = append(out, text...)
	if len(e.bin) > 0 {
		out = binary.LittleEndian.AppendUint32(out, uint32(len(e.bin)))
		out = binary.LittleEndian.AppendUint32(out, chunkBIN)
		out = append(out, e.bin...)
	}
	return out, nil
}
