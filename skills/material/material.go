// Package material knows the materials that an entity can be given by name: what
// scene.createEntity and three.setMaterial take as "material".
package material

import (
	"strings"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
)

// Material is the look of a surface.
type Material struct {
	Name      string
	Color     uint32  // 0xRRGGBB
	Roughness float64 // 0 a mirror, 1 chalk
	Metalness float64 // 0 no metal, 1 metal
}

// Glass is the name of the material that is seen through.
const Glass = "glass"

// Builtin returns the materials that every world has, in alphabetical order.
func Builtin() []Material { return builtin[:] }

// builtin is never written, nor is byName.
var builtin = [...]Material{
	{"brick", 0x9c4a35, 0.9, 0},
	{"concrete", 0x9a9a96, 0.95, 0},
	{"fabric", 0x7a6f8a, 1, 0},
	{Glass, 0xd6ecf2, 0.05, 0},
	{"gold", 0xffd24a, 0.25, 1},
	{"grass", 0x4f8a3c, 1, 0},
	{"ice", 0xcfeaf7, 0.1, 0},
	{"leather", 0x6b4226, 0.7, 0},
	{"marble", 0xece8e1, 0.2, 0},
	{"metal", 0xb4b8bc, 0.35, 1},
	{"plaster", 0xe9e4d8, 0.9, 0},
	{"plastic", 0xd9d9d9, 0.4, 0},
	{"rubber", 0x2b2b2b, 0.95, 0},
	{"sand", 0xd9c48f, 1, 0},
	{"snow", 0xf7fafc, 0.9, 0},
	{"stone", 0x85827c, 0.9, 0},
	{"tile", 0xb5563c, 0.6, 0},
	{"water", 0x2b5d7a, 0.1, 0},
	{"wood", 0x8a5a33, 0.75, 0},
}

var byName = func() map[string]*Material {
	all := make(map[string]*Material, len(builtin))
	for i := range builtin {
		all[builtin[i].Name] = &builtin[i]
	}
	return all
}()

// Named returns a material by its name, shared and not to be changed. Its error names all there are.
func Named(name string) (*Material, error) {
	if m := byName[name]; m != nil {
		return m, nil
	}
	return nil, registry.Invalidf("material: unknown material %q; there are %s", quote.Clip(name), strings.Join(names(), ", "))
}

func names() []string {
	all := make([]string, len(builtin))
	for i, m := range builtin {
		all[i] = m.Name
	}
	return all
}
