package gltf

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
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

func (e *encoder) material(m *Material) error {
	if err := m.checkNumbers(); err != nil {
		return err
	}
	if len(m.Extras) > 0 && !object(m.Extras) {
		return fmt.Errorf("its extras are no JSON object")
	}
	color, metallic, roughness := m.Color, m.Metallic, m.Roughness
	out := material{
		Name: m.Name, DoubleSided: m.DoubleSided, Extras: m.Extras,
		PBR: &pbr{BaseColorFactor: &color, MetallicFactor: &metallic, RoughnessFactor: &roughness},
	}
	switch {
	case m.Cutoff > 0:
		out.AlphaMode, out.AlphaCutoff = mask, &m.Cutoff
	case color[3] < 1:
		out.AlphaMode = blend
	}
	if light := m.Emissive; light != [3]float64{} {
		text, err := json.Marshal(light)
		if err != nil {
			return err
		}
		out.EmissiveFactor = text
	}
	var glow *worn
	for _, t := range []struct {
		image *Image
		on    **worn
	}{{m.ColorImage, &out.PBR.Color}, {m.SurfaceImage, &out.PBR.Surface}, {m.NormalImage, &out.Normal}, {m.LightImage, &glow}} {
		if t.image == nil {
			continue
		}
		number, err := e.texture(t.image)
		if err != nil {
			return err
		}
		*t.on = &worn{Index: number}
	}
	if glow != nil {
		text, err := json.Marshal(glow)
		if err != nil {
			return err
		}
		out.EmissiveTexture = text
	}
	if out.Normal != nil {
		if math.IsNaN(m.NormalScale) || math.IsInf(m.NormalScale, 0) {
			return fmt.Errorf("the scale of its normals is %g", m.NormalScale)
		}
		scale := m.NormalScale
		out.Normal.Scale = &scale
	}
	e.file.Materials = append(e.file.Materials, out)
	return nil
}

// checkNumbers says which of a material's numbers is none that glTF allows.
func (m *Material) checkNumbers() error {
	for _, x := range append(append(m.Color[:], m.Emissive[:]...), m.Metallic, m.Roughness, m.Cutoff) {
		if !(x >= 0 && x <= 1) {
			return fmt.Errorf("its numbers must be from 0 to 1, got %g", x)
		}
	}
	return nil
}

// images reports whether images lie on a material.
func (m *Material) images() bool {
	return m.ColorImage != nil || m.SurfaceImage != nil || m.NormalImage != nil || m.LightImage != nil
}

// texture returns the number of the texture that shows an image, of which there is one.
func (e *encoder) texture(img *Image) (number int, err error) {
	if number, ok := e.textures[img]; ok {
		return number, nil
	}
	if img.MIME != PNG && img.MIME != JPEG || len(img.Data) == 0 {
		return 0, fmt.Errorf("its image %q of %d bytes must be %s or %s, got %q", img.Name, len(img.Data), PNG, JPEG, img.MIME)
	}
	start := len(e.bin)
	e.bin = append(e.bin, img.Data...)
	view, sampler := e.view(start, 0), 0
	number = len(e.file.Images)
	e.file.Images = append(e.file.Images, picture{Name: img.Name, MIME: img.MIME, BufferView: &view})
	e.file.Samplers = append(e.file.Samplers[:0], smooth)
	source := number
	e.file.Textures = append(e.file.Textures, texture{Sampler: &sampler, Source: &source})
	e.textures[img] = number
	return number, nil
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

// check says what is wrong with a geometry, nil if nothing is.
func (g *Geometry) check() error {
	if g == nil || len(g.Positions) == 0 || len(g.Triangles) == 0 {
		return fmt.Errorf("it has no triangles")
	}
	if len(g.Normals) != 0 && len(g.Normals) != len(g.Positions) {
		return fmt.Errorf("it has %d positions and %d normals", len(g.Positions), len(g.Normals))
	}
	if len(g.Coords) != 0 && len(g.Coords) != len(g.Positions) {
		return fmt.Errorf("it has %d positions and %d coordinates in images", len(g.Positions), len(g.Coords))
	}
	if len(g.Tangents) != 0 && len(g.Tangents) != len(g.Normals) {
		return fmt.Errorf("it has %d normals and %d tangents", len(g.Normals), len(g.Tangents))
	}
	for i, p := range g.Positions {
		if !finite(p[:]) {
			return fmt.Errorf("position %d is %v", i, p)
		}
	}
	for i, n := range g.Normals {
		if !finite(n[:]) {
			return fmt.Errorf("normal %d is %v", i, n)
		}
	}
	for i, c := range g.Coords {
		if !finite(c[:]) {
			return fmt.Errorf("coordinate %d is %v", i, c)
		}
	}
	for i, t := range g.Tangents {
		if !finite(t[:]) || t[3] != 1 && t[3] != -1 {
			return fmt.Errorf("tangent %d is %v", i, t)
		}
	}
	if len(g.Colors) != 0 && len(g.Colors) != len(g.Positions) {
		return fmt.Errorf("it has %d positions and %d colours", len(g.Positions), len(g.Colors))
	}
	for i, c := range g.Colors {
		if !(min(c[0], c[1], c[2]) >= 0 && max(c[0], c[1], c[2]) <= 1) {
			return fmt.Errorf("colour %d is %v", i, c)
		}
	}
	for i, t := range g.Triangles {
		if int(max(t[0], t[1], t[2])) >= len(g.Positions) {
			return fmt.Errorf("triangle %d is %v, and there are %d positions", i, t, len(g.Positions))
		}
	}
	return nil
}

func finite(v []float32) bool {
	for _, x := range v {
		if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
			return false
		}
	}
	return true
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

// same compares bit for bit: -0 is not 0.
func same(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// check says what is wrong with the i-th node.
func (n *Node) check(i int, doc *Document) error {
	switch {
	case n.Parent != None && (n.Parent < 0 || n.Parent >= len(doc.Nodes) || n.Parent == i):
		return fmt.Errorf("%d cannot be its parent", n.Parent)
	case n.Mesh != None && (n.Mesh < 0 || n.Mesh >= len(doc.Meshes)):
		return fmt.Errorf("there is no mesh %d", n.Mesh)
	case n.Light != None && (n.Light < 0 || n.Light >= len(doc.Lights)):
		return fmt.Errorf("there is no light %d", n.Light)
	case len(n.Extras) > 0 && !object(n.Extras):
		return fmt.Errorf("its extras are no JSON object")
	}
	return checkPlace(n)
}

func checkPlace(n *Node) error {
	length := 0.0
	for _, x := range n.Rotation {
		length += float64(x * x)
	}
	if !(math.Abs(length-1) < 1e-3) {
		return fmt.Errorf("its rotation %v has not the length 1", n.Rotation)
	}
	for _, x := range append(n.Translation[:], n.Scale[:]...) {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("its translation %v or its scale %v is not finite", n.Translation, n.Scale)
		}
	}
	return nil
}

// acyclic fails if a node is above itself.
func acyclic(nodes []Node) error {
	known := make([]bool, len(nodes)) // to hang on a root
	for i := range nodes {
		steps := 0
		for at := i; at != None && !known[at]; at = nodes[at].Parent {
			if steps++; steps > len(nodes) {
				return fmt.Errorf("node %d is above itself", i)
			}
		}
		for at := i; at != None && !known[at]; at = nodes[at].Parent {
			known[at] = true
		}
	}
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
