package gltf

import (
	"encoding/json"
	"fmt"
	"math"
)

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
