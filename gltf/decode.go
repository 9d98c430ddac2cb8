package gltf

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Limits bound what Decode takes. A zero means the default.
type Limits struct {
	Bytes     int // of the file; default 16 MiB
	Nodes     int // default 10,000; of materials, meshes, their primitives, lights, images and textures there may be as many each, of accessors and buffer views eight times
	Vertices  int // of all geometry, as often as it is used anew; default 200,000
	Triangles int // likewise; default 400,000
	Depth     int // how many nodes may be above one another; default 64
	Images    int // bytes of all images; default 0: images, and the coordinates and tangents by which they lie, are passed over. Images that cannot be had, or lie otherwise than the others of their material, are, too: see [Document.Lost]
}

func (l Limits) complete() Limits {
	for _, x := range []struct{ limit, otherwise *int }{
		{&l.Bytes, new(16 << 20)}, {&l.Nodes, new(10_000)}, {&l.Vertices, new(200_000)}, {&l.Triangles, new(400_000)}, {&l.Depth, new(64)},
	} {
		if *x.limit <= 0 {
			*x.limit = *x.otherwise
		}
	}
	return l
}

// Decode reads a GLB. Its errors say what is wrong with the file, where, and what is allowed.
func Decode(data []byte, limits Limits) (*Document, error) {
	d := decoder{limits: limits.complete(), shared: map[string]*Geometry{}, images: map[int]*Image{}, lays: map[int]lay{}}
	d.dressed = d.limits.Images > 0
	if len(data) > d.limits.Bytes {
		return nil, fmt.Errorf("the file has %d bytes, at most %d are allowed", len(data), d.limits.Bytes)
	}
	if err := d.open(data); err != nil {
		return nil, err
	}
	doc := &Document{Generator: d.file.Asset.Generator, Textures: len(d.file.Textures)}
	for i := range d.file.Materials {
		m, err := d.material(i)
		if err != nil {
			return nil, fmt.Errorf("material %d: %w", i, err)
		}
		doc.Materials = append(doc.Materials, m)
	}
	for i := range d.file.Meshes {
		m, err := d.mesh(i)
		if err != nil {
			return nil, fmt.Errorf("mesh %d: %w", i, err)
		}
		doc.Meshes = append(doc.Meshes, m)
	}
	if err := d.lights(doc); err != nil {
		return nil, err
	}
	doc.Lost = d.lost
	return doc, d.nodes(doc)
}

// decoder takes a file apart.
type decoder struct {
	limits    Limits
	file      file
	bin       []byte
	shared    map[string]*Geometry // by what they are made of
	dressed   bool                 // images are read
	images    map[int]*Image
	lays      map[int]lay // by material: how its images lie
	lost      []string
	vertices  int // read so far
	triangles int
}

// open finds the chunks and reads the JSON.
func (d *decoder) open(data []byte) error {
	word := func(at int) int { return int(binary.LittleEndian.Uint32(data[at:])) }
	if len(data) < headerSize+chunkHead || word(0) != magic {
		return fmt.Errorf("this is no GLB: it does not begin with glTF and a header")
	}
	if v := word(4); v != 2 {
		return fmt.Errorf("this is GLB of version %d, only 2 is known", v)
	}
	size := word(8)
	if size > len(data) || size < headerSize+chunkHead {
		return fmt.Errorf("the header says %d bytes, the file has %d", size, len(data))
	}
	data = data[:size]
	for at, first := headerSize, true; at+chunkHead <= len(data); first = false {
		size, kind := word(at), word(at+4)
		at += chunkHead
		if size > len(data)-at {
			return fmt.Errorf("a chunk of %d bytes goes beyond the end of the file", size)
		}
		chunk := data[at : at+size]
		at += size
		switch {
		case first && kind != chunkJSON:
			return fmt.Errorf("the first chunk is not JSON")
		case first:
			if err := d.read(chunk); err != nil {
				return fmt.Errorf("the JSON: %w", err)
			}
		case kind == chunkBIN && d.bin == nil:
			d.bin = chunk
		}
	}
	return d.known()
}

// known refuses files that need what is not known here.
func (d *decoder) known() error {
	f := &d.file
	if major, _, _ := strings.Cut(f.Asset.Version, "."); major != "2" || f.Asset.MinVersion > "2.0" {
		return fmt.Errorf("this is glTF %q, only 2.0 is known", f.Asset.Version)
	}
	need := slices.DeleteFunc(slices.Clone(f.ExtensionsRequired), func(name string) bool {
		return name == lightsName || name == strengthName || name == transformName || name == quantizedName
	})
	if len(need) > 0 {
		return fmt.Errorf("the file needs the extensions %q, none is known: export it without compression", clip(strings.Join(need, ", ")))
	}
	for i, b := range f.Buffers {
		if i > 0 || b.URI != "" {
			return fmt.Errorf("buffer %d is not in the file: export it as one GLB", i)
		}
		if b.ByteLength < 0 || b.ByteLength > len(d.bin) {
			return fmt.Errorf("buffer %d has %d bytes, the file has %d of it", i, b.ByteLength, len(d.bin))
		}
	}
	return nil
}

func clip(text string) string {
	if len(text) > 200 {
		return strings.ToValidUTF8(text[:200], "") + "…"
	}
	return text
}

// mostLost is how many parts of a file that are not read are told.
const mostLost = 100

// UnshownColors ends what [Document.Lost] says of a mesh whose vertices have colours.
const UnshownColors = "the colours of its vertices are not shown"

// lose notes what of the file is not read, and why.
func (d *decoder) lose(format string, args ...any) {
	if len(d.lost) < mostLost {
		d.lost = append(d.lost, fmt.Sprintf(format, args...))
	}
}

// mesh reads a mesh; of one that has no triangles nothing is left.
func (d *decoder) mesh(number int) (Mesh, error) {
	m, colored := &d.file.Meshes[number], false
	out := Mesh{Name: m.Name}
	for i := range m.Primitives {
		p := &m.Primitives[i]
		mode := modeTriangles
		if p.Mode != nil {
			mode = *p.Mode
		}
		if mode < modeTriangles || mode > modeFan { // points and lines
			continue
		}
		g, err := d.geometry(p, mode)
		if err != nil {
			return out, fmt.Errorf("primitive %d: %w", i, err)
		}
		read := Primitive{Geometry: g, Material: None}
		if p.Material != nil {
			if *p.Material < 0 || *p.Material >= len(d.file.Materials) {
				return out, fmt.Errorf("primitive %d: there is no material %d", i, *p.Material)
			}
			read.Material = *p.Material
		}
		if len(g.Triangles) > 0 {
			out.Primitives = append(out.Primitives, read)
			_, has := p.Attributes["COLOR_0"]
			colored = colored || has
		}
	}
	if colored && d.dressed {
		d.lose("mesh %d: %s", number, UnshownColors)
	}
	return out, nil
}

func (d *decoder) geometry(p *primitive, mode int) (*Geometry, error) {
	position, ok := p.Attributes["POSITION"]
	if !ok {
		return nil, fmt.Errorf("it has no positions")
	}
	normal, hasNormals := p.Attributes["NORMAL"]
	lies := d.laid(p.Material)
	coord, hasCoords := p.Attributes[fmt.Sprint("TEXCOORD_", lies.set)]
	tangent, hasTangents := p.Attributes["TANGENT"]
	hasCoords = hasCoords && d.dressed
	moved := hasCoords && lies.moved()
	hasTangents = hasTangents && d.dressed && !moved // they would point to where u grew before
	key := fmt.Sprint(position, normal, hasNormals, mode)
	if d.dressed {
		key += fmt.Sprint(" ", coord, hasCoords, tangent, hasTangents)
	}
	if moved {
		key += fmt.Sprint(" ", lies.across, lies.down)
	}
	if p.Indices != nil {
		key += fmt.Sprint(" ", *p.Indices)
	}
	if g, ok := d.shared[key]; ok {
		return g, nil
	}
	g := &Geometry{}
	var err error
	if g.Positions, err = vectorsOf[[3]float32](d, position); err != nil {
		return nil, fmt.Errorf("positions: %w", err)
	}
	if hasNormals {
		if g.Normals, err = directionsOf[[3]float32](d, normal); err != nil {
			return nil, fmt.Errorf("normals: %w", err)
		}
		if len(g.Normals) != len(g.Positions) { // also none, which would stand for no accessor at all
			return nil, fmt.Errorf("it has %d positions and %d normals", len(g.Positions), len(g.Normals))
		}
	}
	if hasCoords {
		g.Coords = d.coords(coord, len(g.Positions), &lies)
	}
	if hasTangents {
		g.Tangents = d.tangents(tangent, len(g.Normals))
	}
	corners, err := d.corners(p.Indices, len(g.Positions))
	if err != nil {
		return nil, fmt.Errorf("indices: %w", err)
	}
	if g.Triangles, err = d.triangulate(corners, mode); err != nil {
		return nil, err
	}
	if len(g.Triangles) > 0 {
		if err := g.check(); err != nil {
			return nil, err
		}
	}
	d.shared[key] = g
	return g, nil
}

// coords returns where n vertices are in images that lie so, nil if that cannot be had.
func (d *decoder) coords(number, n int, lies *lay) [][2]float32 {
	list, err := vectorsOf[[2]float32](d, number)
	for i := 0; err == nil && i < len(list); i++ {
		if lies.moved() {
			list[i] = lies.at(list[i])
		}
		if !finite(list[i][:]) {
			err = fmt.Errorf("number %d is %v", i, list[i])
		}
	}
	if err == nil && len(list) != n {
		err = fmt.Errorf("they are %d, and there are %d positions", len(list), n)
	}
	if err != nil {
		d.lose("accessor %d: coordinates in images: %s", number, err)
		return nil
	}
	return list
}

// tangents returns those of n normals, nil if they cannot be had: they can be made of the coordinates.
func (d *decoder) tangents(number, n int) [][4]float32 {
	list, err := directionsOf[[4]float32](d, number)
	if err != nil || len(list) != n || slices.ContainsFunc(list, func(t [4]float32) bool { return !finite(t[:]) || t[3] != 1 && t[3] != -1 }) {
		return nil
	}
	return list
}

func (d *decoder) tooMany() error {
	return fmt.Errorf("the file has more than %d triangles, which is what is allowed", d.limits.Triangles)
}

// triangulate returns the triangles of a list, a strip or a fan.
func (d *decoder) triangulate(corners []uint32, mode int) (list [][3]uint32, err error) {
	n := len(corners) / 3
	if mode != modeTriangles {
		n = max(len(corners)-2, 0)
	}
	if d.triangles += n; d.triangles > d.limits.Triangles {
		return nil, d.tooMany()
	}
	list = make([][3]uint32, n)
	for i := range list {
		switch mode {
		case modeTriangles:
			list[i] = [3]uint32(corners[3*i:])
		case modeFan:
			list[i] = [3]uint32{corners[i+1], corners[i+2], corners[0]}
		default: // each second one of a strip is turned around
			list[i] = [3]uint32{corners[i], corners[i+1+i%2], corners[i+2-i%2]}
		}
	}
	return list, nil
}

// nodes reads the nodes and who is whose parent. Nodes that are in no scene are read too.
func (d *decoder) nodes(doc *Document) error {
	for range d.file.Nodes {
		doc.Nodes = append(doc.Nodes, Identity())
	}
	for i := range d.file.Nodes {
		for _, child := range d.file.Nodes[i].Children {
			if child < 0 || child >= len(doc.Nodes) || child == i || doc.Nodes[child].Parent != None {
				return fmt.Errorf("node %d cannot be the parent of %d: there is no such node, or it has one", i, child)
			}
			doc.Nodes[child].Parent = i
		}
	}
	if err := acyclic(doc.Nodes); err != nil {
		return err
	}
	for i := range doc.Nodes {
		if err := d.node(&doc.Nodes[i], &d.file.Nodes[i]); err != nil {
			return fmt.Errorf("node %d: %w", i, err)
		}
		depth := 0
		for at := i; at != None; at = doc.Nodes[at].Parent {
			if depth++; depth > d.limits.Depth {
				return fmt.Errorf("node %d is more than %d deep", i, d.limits.Depth)
			}
		}
	}
	if s := d.file.Scene; s != nil && *s >= 0 && *s < len(d.file.Scenes) {
		doc.Extras = objectOrNone(d.file.Scenes[*s].Extras)
	}
	return nil
}

func (d *decoder) node(out *Node, n *node) (err error) {
	out.Name, out.Extras = n.Name, objectOrNone(n.Extras)
	if n.Matrix != nil {
		if err := out.decompose(n.Matrix); err != nil {
			return err
		}
	}
	if n.Translation != nil {
		out.Translation = *n.Translation
	}
	if n.Rotation != nil {
		out.Rotation = *n.Rotation
	}
	if n.Scale != nil {
		out.Scale = *n.Scale
	}
	if n.Mesh != nil {
		if *n.Mesh < 0 || *n.Mesh >= len(d.file.Meshes) {
			return fmt.Errorf("there is no mesh %d", *n.Mesh)
		}
		out.Mesh = *n.Mesh
	}
	if x := n.Extensions; x != nil && x.Light != nil {
		if out.Light, err = d.lightOf(x.Light.Light); err != nil {
			return fmt.Errorf("extensions.%s.light: %w", lightsName, err)
		}
	}
	return checkPlace(out)
}

// objectOrNone drops extras that are no object: the specification allows them and nobody writes them.
// Of others it drops the white space, as Encode does.
func objectOrNone(text json.RawMessage) json.RawMessage {
	var out bytes.Buffer
	if len(text) == 0 || !object(text) || json.Compact(&out, text) != nil {
		return nil
	}
	return out.Bytes()
}
