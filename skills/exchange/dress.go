package exchange

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"math"
	"slices"

	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/render"
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/world"
)

// coat is what images lie on what a node shows.
type coat struct {
	node      int
	name      string // of the material
	set       *material.Set
	color     uint32 // what the albedo is multiplied by, 0xRRGGBB
	roughness float64
	metallic  float64
	emissive  uint32
	both      bool       // seen from both sides
	metres    world.Vec3 // how large is what the node's geometry has as 1; below 0 where it is mirrored
}

// wear notes what images lie on a node that shows an entity, if there is a library that has them. size is how large in the entity's space what
// the geometry has as 1 is.
func (x *writer) wear(node int, id world.ID, rec *record, size world.Vec3, both bool) {
	m := rec.Material
	if x.library == nil || m == nil || material.IsBuiltin(m.Name) {
		return
	}
	set := x.sets[m.Name]
	if set == nil {
		if set = x.files(m.Name); set == nil {
			return
		}
		x.sets[m.Name] = set
	}
	c := coat{node: node, name: m.Name, set: set, color: set.Tint(ownColor(rec)), roughness: set.BaseRoughness, metallic: set.Metalness, emissive: m.Emissive, both: both}
	t, _ := x.v.WorldTransform(id)
	c.metres = t.Scale.Mul(size)
	if m.Roughness != nil {
		c.roughness = min(max(*m.Roughness, 0), 1)
	}
	if m.Metalness != nil {
		c.metallic = min(max(*m.Metalness, 0), 1)
	}
	x.coats = append(x.coats, c)
}

// files keeps the image files of a material, which are not copied, and returns those that there are; nil if the world has no such material, or not its albedo.
func (x *writer) files(name string) *material.Set {
	set, ok := material.SetOf(x.v, name)
	if !ok {
		return nil
	}
	for _, hash := range []*string{&set.Albedo, &set.Normal, &set.Roughness, &set.Light} {
		data, ok := x.library.File(x.v, *hash)
		if !ok {
			*hash = ""
			continue
		}
		x.images[*hash] = data
	}
	if set.Albedo == "" {
		return nil
	}
	return &set
}

// mapped reports whether the images lie on a geometry as that says.
func (c *coat) mapped(g *gltf.Geometry) bool { return c.set.Mapped && len(g.Coords) > 0 }

// bumps returns the image of the bumps that show, "" for none.
func (c *coat) bumps() (hash string) {
	if c.set.NormalStrength == 0 {
		return ""
	}
	return c.set.Normal
}

// ownColor is the colour of what has a record, and a shape, without its material's.
func ownColor(rec *record) uint32 {
	return worn(rec, rec.Shape.Color)
}

// worn is the colour of what has a record, and another by itself.
func worn(rec *record, own uint32) uint32 {
	if rec.Material != nil {
		own = rec.Material.Over(own)
	}
	return own & 0xffffff
}

// dressed returns the document that was written with the images that lie on things. It fails with errFull as soon as it is sure that its file would have
// more bytes than most. The world need not be locked.
func (x *writer) dressed(ctx context.Context, most int) (*gltf.Document, error) {
	d := dresser{
		writer: writer{doc: x.doc, shown: map[showing]int{}, room: most},
		raw:    x.images, metal: map[string]bool{}, pictures: map[picture]*gltf.Image{}, laid: map[lay]*paper{}, skins: map[skin]int{}, plain: map[int]int{},
	}
	d.doc.Nodes, d.doc.Meshes, d.doc.Materials = slices.Clone(x.doc.Nodes), nil, nil
	on := map[int]*coat{}
	for i := range x.coats {
		c := &x.coats[i]
		on[c.node] = c
		d.metal[c.set.Roughness] = d.metal[c.set.Roughness] || c.metallic > 0
	}
	for i := range d.doc.Nodes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n := &d.doc.Nodes[i]
		if n.Mesh == gltf.None {
			continue
		}
		p := x.doc.Meshes[n.Mesh].Primitives[0]
		if c := on[i]; c != nil {
			if err := d.node(n, c, p.Geometry); err != nil {
				return nil, err
			}
			continue
		}
		number, ok := d.plain[p.Material]
		if !ok {
			number = len(d.doc.Materials)
			d.plain[p.Material] = number
			d.doc.Materials = append(d.doc.Materials, x.doc.Materials[p.Material])
		}
		n.Mesh = d.mesh(p.Geometry, number)
	}
	return &d.doc, nil
}

// dresser lays images on what a document shows.
type dresser struct {
	writer
	raw      map[string][]byte // the files of images
	metal    map[string]bool   // the roughness maps that something of metal has
	pictures map[picture]*gltf.Image
	laid     map[lay]*paper
	skins    map[skin]int // materials with images
	plain    map[int]int  // those without, by what they were
}

// picture is an image in the file.
type picture struct {
	hash  string
	metal bool // its blue is made white, see [dresser.surfaceImage]
}

// skin is what makes two materials with images the same.
type skin struct {
	set                 *material.Set
	color               uint32
	roughness, metallic float64
	emissive            uint32
	both                bool
}

// lay is what makes images lie the same on two geometries.
type lay struct {
	geometry *gltf.Geometry
	metres   world.Vec3
	scale    float64
	bumps    bool
}

// paper is a geometry on which images lie.
type paper struct {
	gltf.Geometry
	copies []int // the vertices, of the geometry as it was, that those behind them are
}

// node gives a node a geometry on which images lie, and a material of them.
func (d *dresser) node(n *gltf.Node, c *coat, g *gltf.Geometry) error {
	number, err := d.skin(c)
	if err != nil {
		return err
	}
	if c.mapped(g) {
		n.Mesh = d.mesh(g, number)
		return nil
	}
	key := lay{g, c.metres, c.set.Scale, c.bumps() != ""}
	p := d.laid[key]
	if p == nil {
		p = lie(g, c.metres, c.set.Scale, key.bumps)
		d.laid[key] = p
		if err := d.need(12*(len(p.Positions)+len(p.Normals)) + 8*len(p.Coords) + 16*len(p.Tangents) + 6*len(p.Triangles)); err != nil {
			return err
		}
	}
	n.Mesh = d.mesh(&p.Geometry, number)
	rec, err := recordOf(n)
	if err != nil || rec.part() {
		return err
	}
	rec.Copies, rec.Flat, rec.OwnCoords = p.copies, len(g.Normals) == 0, false
	n.Extras, err = json.Marshal(extras[record]{&rec})
	if err != nil {
		return err
	}
	return d.need(len(n.Extras))
}

// skin returns the number of the material that a coat is.
func (d *dresser) skin(c *coat) (number int, err error) {
	key := skin{c.set, c.color, c.roughness, c.metallic, c.emissive, c.both}
	number, ok := d.skins[key]
	if ok {
		return number, nil
	}
	said, err := json.Marshal(extras[madeOf]{&madeOf{c.name, *c.set}})
	if err != nil {
		return 0, err
	}
	m := gltf.Material{Extras: said, Name: c.name, Color: gltf.Linear(c.color), Metallic: c.metallic, Roughness: c.roughness, Emissive: light(c.emissive), DoubleSided: c.both, Cutoff: c.set.Cutoff}
	if m.ColorImage, err = d.image(c.set.Albedo, c.name+" albedo"); err != nil {
		return 0, err
	}
	if m.SurfaceImage, err = d.surfaceImage(c.set.Roughness, c.name+" roughness"); err != nil {
		return 0, err
	}
	if m.NormalImage, err = d.image(c.bumps(), c.name+" normal"); err != nil {
		return 0, err
	}
	if m.NormalImage != nil {
		m.NormalScale = c.set.NormalStrength
	}
	if m.LightImage, err = d.image(c.set.Light, c.name+" light"); err != nil {
		return 0, err
	}
	number = len(d.doc.Materials)
	d.skins[key] = number
	d.doc.Materials = append(d.doc.Materials, m)
	return number, nil
}

// image returns an image as the world keeps it, nil for none. Its name is that of its first use.
func (d *dresser) image(hash, name string) (*gltf.Image, error) {
	return d.picture(picture{hash: hash}, name, func(data []byte) []byte { return data })
}

// surfaceImage returns the image that a roughness map is in glTF, where green is roughness, as it is here, and blue metalness, which is one
// number here. Of what is no metal, 0 times blue is 0, so the map is as it is kept; else it is one whose blue is 1 everywhere.
func (d *dresser) surfaceImage(hash, name string) (*gltf.Image, error) {
	if !d.metal[hash] {
		return d.image(hash, name)
	}
	return d.picture(picture{hash, true}, name, whiteBlue)
}

func (d *dresser) picture(key picture, name string, of func([]byte) []byte) (*gltf.Image, error) {
	if key.hash == "" {
		return nil, nil
	}
	img := d.pictures[key]
	if img == nil {
		data := of(d.raw[key.hash])
		img = &gltf.Image{Name: name, MIME: material.MIME(data), Data: data}
		d.pictures[key] = img
		return img, d.need(len(data))
	}
	return img, nil
}

// whiteBlue returns an image file with the green of another one, and 1 as red and blue; the file itself if its blue is that already, or if
// it cannot be read.
func whiteBlue(data []byte) []byte {
	img, err := material.Decode(data)
	if err != nil { // it was read when it was imported: by another program, perhaps
		return data
	}
	palette := make(color.Palette, 256)
	for i := range palette {
		palette[i] = color.NRGBA{0xff, uint8(i), 0xff, 0xff}
	}
	b := img.Bounds()
	out := image.NewPaletted(image.Rect(0, 0, b.Dx(), b.Dy()), palette)
	done := true
	for y := range b.Dy() {
		for x := range b.Dx() {
			c := color.NRGBAModel.Convert(img.At(b.Min.X+x, b.Min.Y+y)).(color.NRGBA)
			out.Pix[y*out.Stride+x] = c.G
			done = done && c.B == 0xff
		}
	}
	if done {
		return data
	}
	var buf bytes.Buffer
	if png.Encode(&buf, out) != nil { // never: a buffer takes everything
		return data
	}
	return buf.Bytes()
}

// maxCoord bounds coordinates in images: beyond, a float32 does not tell parts of an image apart.
const maxCoord = 1e9

// lie returns a geometry on which images lie as package render lays them without Triplanar, but for each triangle as a whole: by the normals of its
// corners, or its own if there are none. metres is how large what it has as 1 is, scale how often images repeat in a metre; with bumps it has
// tangents. Vertices that it has of its own stand first, in their order; copies of them are for triangles on which images lie otherwise.
func lie(g *gltf.Geometry, metres world.Vec3, scale float64, bumps bool) *paper {
	for i, m := range metres {
		if math.Abs(m) < 1e-9 {
			metres[i] = math.Copysign(1e-9, m)
		}
	}
	p := &paper{Geometry: gltf.Geometry{
		Positions: slices.Clone(g.Positions), Normals: slices.Clone(g.Normals),
		Coords: make([][2]float32, len(g.Positions)), Triangles: make([][3]uint32, 0, len(g.Triangles)),
	}}
	if len(g.Normals) == 0 {
		p.Normals = make([][3]float32, len(g.Positions))
		for i := range p.Normals {
			p.Normals[i] = [3]float32{0, 1, 0} // of what is on no triangle
		}
	}
	if bumps {
		p.Tangents = make([][4]float32, len(g.Positions))
		for i, n := range p.Normals {
			p.Tangents[i] = tangent(n, world.Vec3{1, 0, 0}, metres)
		}
	}
	type corner struct {
		of        uint32
		right, up world.Vec3
		normal    [3]float32
	}
	known, used := map[corner]uint32{}, make([]bool, len(g.Positions))
	for _, t := range g.Triangles {
		own := normalOf(g, t, metres)
		right, up := render.Lie(facing(g, t, metres, own))
		var made [3]uint32
		for k, of := range t {
			c := corner{of: of, right: right, up: up, normal: narrow(unit(own.Mul(metres)))}
			if len(g.Normals) > 0 {
				c.normal = g.Normals[of]
			}
			at, ok := known[c]
			if !ok {
				if at = of; used[of] {
					at = uint32(len(p.Positions))
					p.copies = append(p.copies, int(of))
					p.Positions, p.Normals, p.Coords = append(p.Positions, g.Positions[of]), append(p.Normals, c.normal), append(p.Coords, [2]float32{})
					if bumps {
						p.Tangents = append(p.Tangents, [4]float32{})
					}
				}
				used[of], known[c] = true, at
				place := wide(g.Positions[of]).Mul(metres).Scale(scale)
				p.Normals[at], p.Coords[at] = c.normal, [2]float32{coord(place.Dot(right)), coord(-place.Dot(up))}
				if bumps {
					p.Tangents[at] = tangent(c.normal, right, metres)
				}
			}
			made[k] = at
		}
		p.Triangles = append(p.Triangles, made)
	}
	return p
}

func coord(x float64) float32 { return float32(min(max(x, -maxCoord), maxCoord)) }

func wide(v [3]float32) world.Vec3 { return world.Vec3{float64(v[0]), float64(v[1]), float64(v[2])} }

func narrow(v world.Vec3) [3]float32 { return [3]float32{float32(v[0]), float32(v[1]), float32(v[2])} }

// unit returns a direction with the length 1; up for none.
func unit(v world.Vec3) world.Vec3 {
	if u, ok := v.Unit(); ok {
		return u
	}
	return world.Vec3{0, 1, 0}
}

// normalOf returns the normal of a triangle that is as large as metres say.
func normalOf(g *gltf.Geometry, t [3]uint32, metres world.Vec3) world.Vec3 {
	a, b, c := wide(g.Positions[t[0]]).Mul(metres), wide(g.Positions[t[1]]).Mul(metres), wide(g.Positions[t[2]]).Mul(metres)
	n := unit(unit(b.Sub(a)).Cross(unit(c.Sub(a))))
	if (metres[0] < 0) != (metres[1] < 0) != (metres[2] < 0) { // mirrored, its corners go the other way about
		n = n.Scale(-1)
	}
	return n
}

// facing returns the direction in which a triangle shows: by the normals of its corners, or its own.
func facing(g *gltf.Geometry, t [3]uint32, metres, own world.Vec3) (sum world.Vec3) {
	if len(g.Normals) == 0 {
		return own
	}
	for _, i := range t {
		sum = sum.Add(outward(g.Normals[i], metres))
	}
	if sum.Len() < 1e-6 {
		return own
	}
	return sum
}

// outward returns a normal of a geometry where that is as large as metres say.
func outward(n [3]float32, metres world.Vec3) world.Vec3 {
	return unit(world.Vec3{float64(n[0]) / metres[0], float64(n[1]) / metres[1], float64(n[2]) / metres[2]})
}

// tangent returns what is to the right on a surface with a normal, in the space of its geometry. Images never lie mirrored.
func tangent(normal [3]float32, right, metres world.Vec3) [4]float32 {
	n := outward(normal, metres)
	along := right.Sub(n.Scale(n.Dot(right)))
	if along.Len() < 1e-6 { // it shows right
		along = n.Cross(world.Vec3{n[1], n[2], n[0]})
	}
	t := narrow(unit(world.Vec3{along[0] / metres[0], along[1] / metres[1], along[2] / metres[2]}))
	return [4]float32{t[0], t[1], t[2], 1}
}

// whole returns the geometry that a copy of it, on which images lie, was made of; as it is if that is not to be seen any more.
func (r *record) whole(g *gltf.Geometry) *gltf.Geometry {
	if r.OwnCoords {
		return g
	}
	if len(g.Coords) > 0 || len(g.Tangents) > 0 {
		g = &gltf.Geometry{Positions: g.Positions, Normals: g.Normals, Triangles: g.Triangles}
	}
	n := len(g.Positions) - len(r.Copies)
	if len(r.Copies) == 0 && !r.Flat || n <= 0 || r.Flat && len(g.Normals) == 0 {
		return g
	}
	for i, of := range r.Copies {
		if of < 0 || of >= n || g.Positions[n+i] != g.Positions[of] || !r.Flat && len(g.Normals) > 0 && g.Normals[n+i] != g.Normals[of] {
			return g
		}
	}
	out := &gltf.Geometry{Positions: g.Positions[:n], Triangles: slices.Clone(g.Triangles)}
	if len(g.Normals) > 0 && !r.Flat {
		out.Normals = g.Normals[:n]
	}
	for i := range out.Triangles {
		for k, at := range out.Triangles[i] {
			if int(at) >= n {
				out.Triangles[i][k] = uint32(r.Copies[int(at)-n])
			}
		}
	}
	return out
}
