// Package material knows the materials that an entity can be given by name: what scene.createEntity and three.setMaterial take
// as "material". Some every world has; others are imported, by material.import of package exchange, and made of images.
package material

import (
	"fmt"
	"strings"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/world"
)

// Material is the look of a surface.
type Material struct {
	Name      string
	Color     uint32  // 0xRRGGBB
	Roughness float64 // 0 a mirror, 1 chalk
	Metalness float64 // 0 no metal, 1 metal

	// Imported says that it is made of images, see [Set]. An entity that has it has no roughness and metalness of its own, unless it is given
	// some, so that it changes with the material; its colour tints the images, and white leaves them as they are.
	Imported bool
}

// Glass is the name of the material that is seen through.
const Glass = "glass"

// Builtin returns the materials that every world has, in alphabetical order.
func Builtin() []Material { return builtin[:] }

// builtin is never written, nor is byName.
var builtin = [...]Material{
	{Name: "brick", Color: 0x9c4a35, Roughness: 0.9},
	{Name: "concrete", Color: 0x9a9a96, Roughness: 0.95},
	{Name: "fabric", Color: 0x7a6f8a, Roughness: 1},
	{Name: Glass, Color: 0xd6ecf2, Roughness: 0.05},
	{Name: "gold", Color: 0xffd24a, Roughness: 0.25, Metalness: 1},
	{Name: "grass", Color: 0x4f8a3c, Roughness: 1},
	{Name: "ice", Color: 0xcfeaf7, Roughness: 0.1},
	{Name: "leather", Color: 0x6b4226, Roughness: 0.7},
	{Name: "marble", Color: 0xece8e1, Roughness: 0.2},
	{Name: "metal", Color: 0xb4b8bc, Roughness: 0.35, Metalness: 1},
	{Name: "plaster", Color: 0xe9e4d8, Roughness: 0.9},
	{Name: "plastic", Color: 0xd9d9d9, Roughness: 0.4},
	{Name: "rubber", Color: 0x2b2b2b, Roughness: 0.95},
	{Name: "sand", Color: 0xd9c48f, Roughness: 1},
	{Name: "snow", Color: 0xf7fafc, Roughness: 0.9},
	{Name: "stone", Color: 0x85827c, Roughness: 0.9},
	{Name: "tile", Color: 0xb5563c, Roughness: 0.6},
	{Name: "water", Color: 0x2b5d7a, Roughness: 0.1},
	{Name: "wood", Color: 0x8a5a33, Roughness: 0.75},
}

var byName = func() map[string]*Material {
	all := make(map[string]*Material, len(builtin))
	for i := range builtin {
		all[builtin[i].Name] = &builtin[i]
	}
	return all
}()

// Named returns a material of a world by its name, shared and not to be changed. Its error names those there are.
func Named(v *world.View, name string) (*Material, error) {
	if m := byName[name]; m != nil {
		return m, nil
	}
	if s, ok := SetOf(v, name); ok {
		return &Material{Name: name, Color: white, Roughness: s.BaseRoughness, Metalness: s.Metalness, Imported: true}, nil
	}
	return nil, registry.Invalidf("material: unknown material %q; there are %s%s", quote.Clip(name), strings.Join(names(), ", "), imported(v))
}

// IsBuiltin reports whether a name is that of a material that every world has.
func IsBuiltin(name string) bool { return byName[name] != nil }

// Check reports whether a name is that of a material of w, as a call sees it; "" is none, and good. Its error is that of [Named].
func Check(w *world.World, c world.Caller, name string) error {
	if name == "" || byName[name] != nil {
		return nil
	}
	_, err := world.Read(w, c, func(v *world.View) (*Material, error) { return Named(v, name) })
	return err
}

// white is the colour that leaves images as they are.
const white = 0xffffff

// Values returns what an entity has of its own that gets the material: nil for what it has of the material.
func (m *Material) Values() (roughness, metalness *float64) {
	if m.Imported {
		return nil, nil
	}
	return &m.Roughness, &m.Metalness
}

// Worn is what an entity wears that is of the material and has nothing of its own.
func (m *Material) Worn() world.Material {
	worn := world.Material{Name: m.Name}
	worn.Roughness, worn.Metalness = m.Values()
	return worn
}

func names() []string {
	all := make([]string, len(builtin))
	for i, m := range builtin {
		all[i] = m.Name
	}
	return all
}

// imported names the imported materials for a message, after others; nothing if there are none.
func imported(v *world.View) string {
	const most = 20
	sets := setsOf(v)
	if sets == nil || sets.Len(v) == 0 {
		return ""
	}
	var all []string
	for name := range sets.All(v) {
		if len(all) == most {
			return fmt.Sprintf("; imported: %s and %d more", strings.Join(all, ", "), sets.Len(v)-most)
		}
		all = append(all, quote.Clip(name))
	}
	return "; imported: " + strings.Join(all, ", ")
}
