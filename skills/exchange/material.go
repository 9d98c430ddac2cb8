package exchange

import (
	"slices"
	"strings"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/files"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/world"
)

// MaterialIn is the input of material.import.
type MaterialIn struct {
	Name           string            `json:"name" validate:"min=1,max=64" jsonschema_description:"What it is called as material of scene.createEntity and three.setMaterial. Not the name of one that every world has, such as brick. What was imported under this name before is replaced, wherever it shows."`
	Albedo         files.Name        `json:"albedo" jsonschema_description:"Name of an image file on the server, PNG or JPEG, that can be laid side by side with itself: the colours. It may have 2048×2048 pixels and 4 MiB."`
	Normal         files.Name        `json:"normal,omitempty" jsonschema_description:"Name of an image file with the directions of bumps: a normal map as OpenGL has it, green is up."`
	Roughness      files.Name        `json:"roughness,omitempty" jsonschema_description:"Name of an image file with how rough it is where: its green is multiplied by baseRoughness, white leaves that."`
	Light          files.Name        `json:"light,omitempty" jsonschema_description:"Name of an image file with where it gives off light, and of what colour: it is multiplied by emissive, as three.setMaterial has it, without which there is none."`
	Cutoff         float64           `json:"cutoff" validate:"gte=0,lte=1" jsonschema:"default=0" jsonschema_description:"0.5: where the albedo is less opaque than half there is nothing, as between leaves or bars. 0: how opaque it is counts for nothing."`
	Mapped         bool              `json:"mapped" jsonschema:"default=false" jsonschema_description:"true: on models of GLB files that say where images lie on them, they lie so, as in the program that made the model. On all else, and with false, they repeat by scale."`
	Triplanar      bool              `json:"triplanar" jsonschema:"default=false" jsonschema_description:"false: each place has the images from the one of six sides that it faces most, for boxes and walls. true: from three sides, one going over into the other, for what is round or rugged."`
	Scale          float64           `json:"scale" validate:"gt=0,lte=1000" jsonschema:"default=0.5" jsonschema_description:"How often the images repeat in a metre: 0.5 is once in two metres, whatever the size of the entity."`
	NormalStrength float64           `json:"normalStrength" validate:"gte=0,lte=10" jsonschema:"default=1" jsonschema_description:"How much the bumps show: 0 not at all."`
	Sharpness      float64           `json:"sharpness" validate:"gt=0,lte=32" jsonschema:"default=4" jsonschema_description:"Of triplanar: how short the way is on which one side goes over into the other. 1 is long, 16 short."`
	Metalness      float64           `json:"metalness" validate:"gte=0,lte=1" jsonschema:"default=0" jsonschema_description:"0 is no metal, 1 is metal."`
	BaseRoughness  float64           `json:"baseRoughness" validate:"gte=0,lte=1" jsonschema:"default=0.85" jsonschema_description:"0 is a mirror, 1 is chalk."`
	Color          *uint32           `json:"color,omitempty" validate:"omitempty,gte=0,lte=16777215" jsonschema_description:"Colour, 0xRRGGBB as a number, that the albedo is multiplied by. Left out: white, which leaves it as it is."`
	Hashes         map[string]string `json:"hashes,omitempty" validate:"max=4" jsonschema_description:"What the sha256 of the files must be, as hashes of an earlier answer: by albedo, normal, roughness and light. Other files are refused, so that the same call cannot bring something else."`
}

// MaterialOut is the output of material.import.
type MaterialOut struct {
	Name     string            `json:"name" jsonschema_description:"What it is called."`
	Maps     []string          `json:"maps" jsonschema_description:"What it has images for: albedo, normal, roughness, light."`
	Hashes   map[string]string `json:"hashes" jsonschema_description:"The sha256 of each of the files, in hexadecimal digits."`
	Replaced bool              `json:"replaced,omitempty" jsonschema_description:"Whether there was one of that name, which this is in place of."`
}

// importMaterial is material.import.
func (d *Deps) importMaterial() registry.Skill {
	return registry.Define(registry.Spec[MaterialIn, MaterialOut]{
		Name:  "material.import",
		Title: "Make a material of images",
		Description: "Make a material of image files (textures) among those on the server, PNG or JPEG: an albedo, with a normal map, a roughness map and a map of light if there are. Then three.setMaterial, scene.createEntity and all others that name a material know it by its name, too. " +
			`Example: {"name":"cobble","albedo":"cobble_albedo.png","normal":"cobble_normal.png","scale":0.5}`,
		Keywords:    "texture textures png jpeg jpg albedo diffuse normal bump map pbr triplanar custom emissive transparent alpha cutout leaves foliage",
		Permissions: []profiles.Permission{"scene.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Slow:        true,
		Handle: func(c *registry.Call, in MaterialIn) (MaterialOut, error) {
			out := MaterialOut{Name: in.Name, Hashes: map[string]string{}}
			images, err := d.images(c, &in, &out)
			if err != nil {
				return MaterialOut{}, err
			}
			return world.Do(d.World, c, func(tx *world.Tx) (MaterialOut, error) {
				out.Replaced, err = d.Materials.Import(tx, in.Name, in.set(out.Hashes, images[0].Mean), images...)
				return out, err
			})
		},
	})
}

// set is what is kept of a material whose images have hashes; mean is the mean colour of the albedo.
func (in *MaterialIn) set(hashes map[string]string, mean uint32) material.Set {
	s := material.Set{
		Albedo: hashes["albedo"], Normal: hashes["normal"], Roughness: hashes["roughness"], Light: hashes["light"], Cutoff: in.Cutoff,
		Mapped: in.Mapped, Triplanar: in.Triplanar, Scale: in.Scale, NormalStrength: in.NormalStrength, Sharpness: in.Sharpness,
		Metalness: in.Metalness, BaseRoughness: in.BaseRoughness, Color: 0xffffff, Mean: mean,
	}
	if in.Color != nil {
		s.Color = *in.Color
	}
	return s
}

// images reads the image files of a material, and notes in out which there are. It checks that they have the hashes that are given.
func (d *Deps) images(c *registry.Call, in *MaterialIn, out *MaterialOut) (list []material.Image, err error) {
	if d.Dir == "" {
		return nil, registry.Failf("albedo: the server has no folder for files: its operator gives one with --files DIR; without it there are the materials that every world has, as three.setMaterial names them")
	}
	if material.IsBuiltin(in.Name) { // before anything is read for it
		return nil, material.Taken(in.Name)
	}
	files := []struct{ field, name string }{{"albedo", string(in.Albedo)}, {"normal", string(in.Normal)}, {"roughness", string(in.Roughness)}, {"light", string(in.Light)}}
	for field := range in.Hashes {
		if !slices.ContainsFunc(files, func(f struct{ field, name string }) bool { return f.field == field && f.name != "" }) {
			return nil, registry.Invalidf("hashes.%s: hashes are of the files that are given as albedo, normal, roughness and light", quote.Clip(field))
		}
	}
	done, err := d.Turns.Take(c)
	if err != nil {
		return nil, err
	}
	defer done()
	for _, f := range files {
		if f.name == "" {
			continue
		}
		img, err := d.image(f.field, f.name)
		if err != nil {
			return nil, err
		}
		if want, given := in.Hashes[f.field]; given && !strings.EqualFold(want, img.Hash) {
			return nil, registry.Invalidf("hashes.%s: the file %s has %s", f.field, f.name, img.Hash)
		}
		out.Maps, out.Hashes[f.field] = append(out.Maps, f.field), img.Hash
		list = append(list, img)
	}
	return list, nil
}

// image reads an image file that a field names.
func (d *Deps) image(field, name string) (material.Image, error) {
	if !d.folder().Has(name) {
		names, err := d.folder().List(".png", ".PNG", ".jpg", ".JPG", ".jpeg", ".JPEG")
		if err != nil {
			return material.Image{}, err
		}
		return material.Image{}, registry.Failf("%s: there is no file %s on the server; of images there are %s", field, name, files.Some(names))
	}
	data, err := d.read(field, name, material.MaxFile)
	if err != nil {
		return material.Image{}, err
	}
	img, err := material.Read(data)
	return img, registry.Under(field, registry.Under(name, err))
}
