package gltf

import (
	"fmt"
	"math"
	"slices"
)

// Light is a lamp as the extension KHR_lights_punctual has it. It shines from where its node is, a spot and a
// directional one to where the node's -z points; how large the node is does not matter to it.
//
// https://github.com/KhronosGroup/glTF/tree/main/extensions/2.0/Khronos/KHR_lights_punctual
type Light struct {
	Name      string
	Kind      string     // Point, Spot or Directional
	Color     [3]float64 // linear red, green and blue, each 0 to 1
	Intensity float64    // in candela; of a directional light in lux
	Range     float64    // in metres, where nothing of it is left; 0: without end

	// Of a spot, in radians from the middle of its cone: where it begins to grow dark, and where it is.
	Inner, Outer float64 // 0 ≤ Inner < Outer ≤ π/2
}

// The kinds of lights.
const (
	Point       = "point"
	Spot        = "spot"
	Directional = "directional"
)

// nearRight is how far beyond a right angle half a cone may be in a file: programs that reckon in float32 write one
// that is.
const nearRight = math.Pi/2 + 1e-6

// lights reads the lights of a file. What is left out is what the extension says it is then. Two things that it
// does not allow are in files all the same, and mean something: a colour beyond 1, which makes its light as many
// times stronger, and a cone without a soft edge, whose inner angle then is a little smaller than the outer.
func (d *decoder) lights(doc *Document) error {
	if d.file.Extensions == nil || d.file.Extensions.Lights == nil {
		return nil
	}
	list := d.file.Extensions.Lights.Lights
	for i := range list {
		l, err := list[i].read()
		if err != nil {
			return fmt.Errorf("light %d: %w", i, err)
		}
		doc.Lights = append(doc.Lights, l)
	}
	return nil
}

func (l *light) read() (Light, error) {
	out := Light{Name: l.Name, Kind: l.Type, Color: [3]float64{1, 1, 1}, Intensity: 1}
	if l.Intensity != nil {
		out.Intensity = *l.Intensity
	}
	if l.Range != nil {
		if out.Range = *l.Range; !(out.Range > 0) {
			return out, fmt.Errorf("range: must be more than 0, or left out, got %g", out.Range)
		}
	}
	if l.Color != nil {
		if len(l.Color) != len(out.Color) {
			return out, fmt.Errorf("color: must be three numbers, got %d", len(l.Color))
		}
		out.Color = [3]float64(l.Color)
		if most := slices.Max(l.Color); most > 1 && slices.Min(l.Color) >= 0 {
			for k := range out.Color {
				out.Color[k] /= most
			}
			out.Intensity *= most
		}
	}
	if out.Kind == Spot {
		out.Outer = math.Pi / 4
		if s := l.Spot; s != nil {
			if s.Outer != nil {
				out.Outer = *s.Outer
			}
			if s.Inner != nil {
				out.Inner = *s.Inner
			}
		}
		said := out.Outer
		if said <= nearRight {
			out.Outer = min(said, math.Pi/2)
		}
		if out.Inner >= out.Outer && out.Inner <= said {
			out.Inner = math.Nextafter(out.Outer, 0)
		}
	}
	return out, out.check()
}

// check says what is wrong with a light, by the name that it has in a file.
func (l *Light) check() error {
	switch l.Kind {
	case Point, Spot, Directional:
	default:
		return fmt.Errorf("type: must be point, spot or directional, got %q", clip(l.Kind))
	}
	for _, x := range l.Color {
		if !(x >= 0 && x <= 1) {
			return fmt.Errorf("color: its numbers must be from 0 to 1, got %g", x)
		}
	}
	switch {
	case !(l.Intensity >= 0 && l.Intensity <= math.MaxFloat64):
		return fmt.Errorf("intensity: must be 0 or more, and have an end, got %g", l.Intensity)
	case !(l.Range >= 0 && l.Range <= math.MaxFloat64):
		return fmt.Errorf("range: must be more than 0, and have an end, got %g", l.Range)
	case l.Kind != Spot:
	case !(l.Outer > 0 && l.Outer <= math.Pi/2):
		return fmt.Errorf("spot.outerConeAngle: must be more than 0 and at most π/2, got %g", l.Outer)
	case !(l.Inner >= 0 && l.Inner < l.Outer):
		return fmt.Errorf("spot.innerConeAngle: must be from 0 to outerConeAngle, which is %g, got %g", l.Outer, l.Inner)
	}
	return nil
}

// lightOf returns the light of a node, which has to be there.
func (d *decoder) lightOf(number *int) (int, error) {
	count := 0
	if d.file.Extensions != nil && d.file.Extensions.Lights != nil {
		count = len(d.file.Extensions.Lights.Lights)
	}
	switch {
	case number == nil:
		return None, fmt.Errorf("is missing")
	case *number < 0 || *number >= count:
		return None, fmt.Errorf("there is no light %d, the file has %d", *number, count)
	}
	return *number, nil
}

// lights writes lights, all their numbers also where they are what they would be without.
func (e *encoder) lights(list []Light) error {
	if len(list) == 0 {
		return nil
	}
	out := make([]light, len(list))
	for i := range list {
		l := &list[i]
		if err := l.check(); err != nil {
			return fmt.Errorf("light %d: %w", i, err)
		}
		out[i] = light{Name: l.Name, Type: l.Kind, Color: l.Color[:], Intensity: &l.Intensity}
		if l.Range > 0 {
			out[i].Range = &l.Range
		}
		if l.Kind == Spot {
			out[i].Spot = &cone{&l.Inner, &l.Outer}
		}
	}
	e.file.ExtensionsUsed = []string{lightsName}
	e.file.Extensions = &ofFile{&lightList{out}}
	return nil
}

// lightAt is what a node says that has a light.
func lightAt(number *int) *ofNode { return &ofNode{&lightNumber{number}} }
