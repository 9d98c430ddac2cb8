package exchange

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"image"
	"maps"
	"slices"

	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/world"
)

// dressing is a material made of images that comes with a scene.
type dressing struct {
	name   string
	set    material.Set
	images []material.Image
	where  string // it stands, for a message

	// Of a GLB file:
	materials []int        // which of its materials are it
	foreign   bool         // it may have another name here
	was       material.Set // what it was where it was exported: an image may have another form in the file
}

// madeOf is what glTF has no place for of a material that is made of images.
type madeOf struct {
	Material string       `json:"material"` // its name
	Set      material.Set `json:"set"`
}

// checkSet says what in a set no skill would have made; not of its images.
func checkSet(s *material.Set) error {
	for _, x := range []struct {
		what               string
		least, value, most float64
	}{
		{"scale", 1e-300, s.Scale, 1000},
		{"normalStrength", 0, s.NormalStrength, 10},
		{"sharpness", 1e-300, s.Sharpness, 32},
		{"metalness", 0, s.Metalness, 1},
		{"baseRoughness", 0, s.BaseRoughness, 1},
		{"cutoff", 0, s.Cutoff, 1},
		{"color", 0, float64(s.Color), 0xffffff},
	} {
		if !(x.value >= x.least && x.value <= x.most) {
			return fmt.Errorf("set.%s: must be from %g to %g, got %g", x.what, x.least, x.most, x.value)
		}
	}
	return nil
}

// fitting makes materials of those of a GLB file.
type fitting struct {
	*Deps
	call *registry.Call
	doc  *gltf.Document
	read map[*gltf.Image]material.Image // those that are good
	bad  map[*gltf.Image]error
	list []dressing
	lost []string // what of the images is not taken, and why
}

// fitted returns the materials of a GLB file that images make, of those that something in it has, and notes in its Lost what is not taken.
func (d *Deps) fitted(c *registry.Call, doc *gltf.Document) ([]dressing, error) {
	f := fitting{Deps: d, call: c, doc: doc, read: map[*gltf.Image]material.Image{}, bad: map[*gltf.Image]error{}}
	worn := map[int]bool{}
	for i := range doc.Nodes {
		if doc.Nodes[i].Mesh == gltf.None {
			continue
		}
		for _, p := range doc.Meshes[doc.Nodes[i].Mesh].Primitives {
			if p.Material != gltf.None && len(p.Geometry.Coords) > 0 {
				worn[p.Material] = true
			}
		}
	}
	for _, number := range slices.Sorted(maps.Keys(worn)) {
		if err := c.Context().Err(); err != nil { // decoding images takes time
			return nil, err
		}
		if err := f.material(number); err != nil {
			return nil, registry.Invalidf("material %d of the file: %s", number, err)
		}
	}
	doc.Lost = append(doc.Lost, f.lost...)
	return f.list, nil
}

// material takes a material that something has.
func (f *fitting) material(number int) error {
	m := &f.doc.Materials[number]
	lose := func(what string) { f.lost = append(f.lost, fmt.Sprintf("material %d: %s", number, what)) }
	switch {
	case m.ColorImage == nil && m.SurfaceImage == nil && m.NormalImage == nil && m.LightImage == nil:
		return nil
	case m.ColorImage == nil:
		lose("it has no image of colours, and others are not shown without")
		return nil
	case m.Color[3] < glassy:
		lose("it is clear, and its image is not shown")
		return nil
	}
	d := dressing{where: fmt.Sprintf("material %d of the file", number), materials: []int{number}}
	take := func(what string, img *gltf.Image) (got material.Image) {
		if img == nil {
			return got
		}
		got, err := f.image(img)
		if err != nil {
			lose("its " + what + ": " + err.Error())
			return material.Image{}
		}
		d.images = append(d.images, got)
		return got
	}
	albedo := take("colours", m.ColorImage)
	if albedo.Hash == "" {
		return nil
	}
	surface, bumps, glow := take("roughness and metalness", m.SurfaceImage), take("bumps", m.NormalImage), take("light", m.LightImage)
	if m.LightImage != nil && glow.Hash == "" {
		m.Emissive = [3]float64{} // it is nobody's everywhere
	}
	own, err := madeOfWhat(m)
	if err != nil {
		return err
	}
	if own != nil {
		if slices.ContainsFunc(f.list, func(other dressing) bool { return other.name == own.Material }) {
			return nil // in another colour
		}
		d.name, d.set, d.was = own.Material, own.Set, own.Set
	} else {
		d.name, d.foreign = cmp.Or(m.Name, "material"), true
		metal := 1.0
		if surface.Hash != "" {
			metal = float64(surface.Mean&0xff) / 0xff
		}
		d.set = material.Set{
			Mapped: true, Scale: 0.5, NormalStrength: 1, Sharpness: 4, // where it lies on other things it does as material.import has it
			Metalness: float64(m.Metallic * metal), BaseRoughness: m.Roughness, Color: gltf.SRGB(m.Color), Cutoff: m.Cutoff,
		}
		if bumps.Hash != "" {
			d.set.NormalStrength = min(max(m.NormalScale, 0), 10)
		}
	}
	d.set.Albedo, d.set.Roughness, d.set.Normal, d.set.Light, d.set.Mean = albedo.Hash, surface.Hash, bumps.Hash, glow.Hash, albedo.Mean
	f.list = append(f.list, d)
	return nil
}

// madeOfWhat returns what scene.export has written of a material, nil for one that it has not.
func madeOfWhat(m *gltf.Material) (*madeOf, error) {
	own, err := extrasOf[madeOf](m.Extras)
	if own == nil || err != nil {
		return nil, err
	}
	if name := own.Material; name == "" || len(name) > material.MaxName {
		return nil, fmt.Errorf("extras.limina.material: must have 1 to %d bytes, got %d", material.MaxName, len(name))
	}
	if material.IsBuiltin(own.Material) {
		return nil, fmt.Errorf("extras.limina.material: %w", material.Taken(own.Material))
	}
	if err := checkSet(&own.Set); err != nil {
		return nil, fmt.Errorf("extras.limina.%w", err)
	}
	return own, nil
}

// image takes an image if it is one that materials can be made of.
func (f *fitting) image(img *gltf.Image) (material.Image, error) {
	if err := f.bad[img]; err != nil {
		return material.Image{}, err
	}
	if got, ok := f.read[img]; ok {
		return got, nil
	}
	got, had, has, err := f.shrunk(img.Data)
	if err != nil {
		f.bad[img] = err
		return got, err
	}
	if had != has {
		f.lost = append(f.lost, fmt.Sprintf("%s: its %d×%d pixels became %d×%d", cmp.Or(quote.Clip(img.Name), "an image"), had.X, had.Y, has.X, has.Y))
	}
	f.read[img] = got
	return got, nil
}

// shrunk is [material.Shrink] of an image, which is not decoded if the world has what came of it.
func (f *fitting) shrunk(data []byte) (img material.Image, had, has image.Point, err error) {
	sum := sha256.Sum256(data)
	if k, ok := f.seen.get(sum); ok {
		kept, err := world.Read(f.World, f.call, func(v *world.View) ([]byte, error) {
			kept, _ := f.Materials.File(v, k.hash)
			return kept, nil
		})
		if err != nil || kept != nil {
			return material.Image{Hash: k.hash, Bytes: kept, Mean: k.mean}, k.had, k.has, err
		}
	}
	if img, had, has, err = material.Shrink(data); err != nil {
		return img, had, has, fmt.Errorf("the image: %w", err)
	}
	f.seen.keep(sum, img, had, has)
	return img, had, has, nil
}

// dress imports the materials that come with a scene. It returns under which names those of a GLB file are here, by their numbers there, and says
// which it did not import, because there are others of their names or no room for them.
func (d *Deps) dress(tx *world.Tx, list []dressing) (worn map[int]string, lost []string, err error) {
	if d.Materials == nil {
		return nil, nil, nil
	}
	worn = map[int]string{}
	for i := range list {
		l := &list[i]
		name, there := l.name, false
		if l.foreign {
			name, there = free(&tx.View, l)
		} else if have, ok := material.SetOf(&tx.View, name); ok {
			if there = true; have != l.set && have != l.was {
				lost = append(lost, fmt.Sprintf("%s: there is another material %s here, which stays as it is and is on what came", l.where, quote.Clip(name)))
			}
		}
		if !there {
			if l.materials != nil { // a file is worth having without its images
				if err := d.Materials.Fits(&tx.View, l.images...); err != nil {
					lost = append(lost, fmt.Sprintf("%s: its images are not here: %s", l.where, err))
					continue
				}
			}
			if _, err := d.Materials.Import(tx, name, l.set, l.images...); err != nil {
				return nil, nil, err
			}
		}
		for _, number := range l.materials {
			worn[number] = name
		}
	}
	return worn, lost, nil
}

// free returns the name of a foreign material here: its own, with a number behind it if that is taken. there reports whether it is here
// already.
func free(v *world.View, l *dressing) (name string, there bool) {
	base := shorten(l.name, material.MaxName-len(" 999"))
	name = base
	for n := 2; ; n++ {
		if !material.IsBuiltin(name) {
			have, ok := material.SetOf(v, name)
			if !ok || have == l.set {
				return name, ok
			}
		}
		name = fmt.Sprintf("%s %d", base, n)
	}
}
