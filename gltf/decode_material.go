package gltf

import (
	"encoding/json"
	"fmt"
)

// material reads a material, and its images where they are wanted.
func (d *decoder) material(number int) (Material, error) {
	m := &d.file.Materials[number]
	out := Material{Name: m.Name, Color: [4]float64{1, 1, 1, 1}, Metallic: 1, Roughness: 1, DoubleSided: m.DoubleSided, Extras: objectOrNone(m.Extras)}
	if p := m.PBR; p != nil {
		if p.BaseColorFactor != nil {
			out.Color = *p.BaseColorFactor
		}
		if m.AlphaMode != blend {
			out.Color[3] = 1 // it counts for nothing, or says of each point of a texture whether it is there
		}
		if p.MetallicFactor != nil {
			out.Metallic = *p.MetallicFactor
		}
		if p.RoughnessFactor != nil {
			out.Roughness = *p.RoughnessFactor
		}
	}
	if err := out.checkNumbers(); err != nil {
		return out, err
	}
	light, err := m.light()
	if out.Emissive = light; err != nil {
		d.lose("material %d: the light that it gives off: %s", number, err)
	}
	if d.dressed {
		d.dress(&out, m, number)
	}
	if m.EmissiveTexture != nil && out.LightImage == nil {
		out.Emissive = [3]float64{} // few of such images are bright in most places
	}
	return out, nil
}

// light is what a material gives off, as strong as it says, up to what can be shown.
func (m *material) light() (light [3]float64, err error) {
	if m.EmissiveFactor == nil {
		return light, nil
	}
	if err := json.Unmarshal(m.EmissiveFactor, &light); err != nil {
		return [3]float64{}, fmt.Errorf("emissiveFactor: %w", err)
	}
	strength := 1.0
	if m.Extensions != nil {
		var of struct {
			Light struct {
				Strength *float64 `json:"emissiveStrength"`
			} `json:"KHR_materials_emissive_strength"`
		}
		if err = json.Unmarshal(m.Extensions, &of); err == nil && of.Light.Strength != nil {
			strength = *of.Light.Strength
		}
	}
	for i := range light {
		light[i] = min(max(light[i]*strength, 0), 1)
	}
	return light, err
}

// dress gives a material its images. They all lie alike: as the first of them does.
func (d *decoder) dress(out *Material, m *material, number int) {
	first := "" // of those that it has
	take := func(what string, on *worn) (*Image, error) {
		lies, err := on.lies()
		if err != nil {
			return nil, err
		}
		if first != "" && lies != d.lays[number] {
			return nil, fmt.Errorf("texture %d does not lie as its %s do, and all have to lie alike", on.Index, first)
		}
		img, err := d.image(on)
		if err == nil && first == "" {
			first, d.lays[number] = what, lies
		}
		return img, err
	}
	get := func(what string, on *worn) *Image {
		if on == nil {
			return nil
		}
		img, err := take(what, on)
		if err != nil {
			d.lose("material %d: its %s: %s", number, what, err)
		}
		return img
	}
	if p := m.PBR; p != nil {
		out.ColorImage, out.SurfaceImage = get("colours", p.Color), get("roughness and metalness", p.Surface)
	}
	if out.NormalImage = get("bumps", m.Normal); out.NormalImage != nil {
		if out.NormalScale = 1; m.Normal.Scale != nil {
			out.NormalScale = *m.Normal.Scale
		}
	}
	if m.EmissiveTexture != nil {
		var on worn
		if err := json.Unmarshal(m.EmissiveTexture, &on); err != nil {
			d.lose("material %d: its light: %s", number, err)
		} else {
			out.LightImage = get("light", &on)
		}
	}
	if m.AlphaMode == mask && out.ColorImage != nil {
		out.Cutoff = m.cutoff()
	}
}

// cutoff is how opaque the image of colours has to be for there to be anything, where alphaMode is MASK: the alpha of the material counts, too.
func (m *material) cutoff() float64 {
	least := cutoff
	if m.AlphaCutoff != nil {
		least = *m.AlphaCutoff
	}
	if f := m.PBR.BaseColorFactor; f != nil && f[3] > 0 {
		least /= f[3]
	}
	return min(max(least, 0), 1)
}

// image returns the image of a texture on a material.
func (d *decoder) image(on *worn) (*Image, error) {
	f := &d.file
	if on.Index < 0 || on.Index >= len(f.Textures) {
		return nil, fmt.Errorf("there is no texture %d", on.Index)
	}
	source := f.Textures[on.Index].Source
	if source == nil || *source < 0 || *source >= len(f.Images) {
		return nil, fmt.Errorf("texture %d has no %s or %s image", on.Index, PNG, JPEG)
	}
	if img := d.images[*source]; img != nil {
		return img, nil
	}
	p := &f.Images[*source]
	if p.BufferView == nil || *p.BufferView < 0 || *p.BufferView >= len(f.BufferViews) {
		return nil, fmt.Errorf("image %d is not in the file", *source)
	}
	data, err := d.viewed(*p.BufferView)
	if err != nil {
		return nil, err
	}
	if p.MIME != PNG && p.MIME != JPEG || len(data) == 0 {
		return nil, fmt.Errorf("image %d is neither %s nor %s: %s", *source, PNG, JPEG, clip(p.MIME))
	}
	if len(data) > d.limits.Images {
		return nil, fmt.Errorf("image %d has %d bytes, and of those that all images may have %d are left", *source, len(data), d.limits.Images)
	}
	d.limits.Images -= len(data)
	img := &Image{Name: p.Name, MIME: p.MIME, Data: data}
	d.images[*source] = img
	return img, nil
}
