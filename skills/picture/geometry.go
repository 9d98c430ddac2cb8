package picture

import (
	"encoding/base64"
	"encoding/binary"
	"math"

	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/terrain"
)

// GeometryIn is the input of scene.geometry.
type GeometryIn struct {
	Entity world.ID `json:"entity" jsonschema_description:"Id of an entity whose shape is a mesh or a tile of generated ground."`
}

// GeometryOut is the output of scene.geometry. The lists of numbers are little-endian, in base64.
type GeometryOut struct {
	Vertices  int    `json:"vertices" jsonschema_description:"How many vertices there are."`
	Count     int    `json:"count" jsonschema_description:"How many triangles there are."`
	Positions string `json:"positions" jsonschema_description:"Base64 of three 32-bit floats a vertex: x, y, z in metres about the entity's position, before its rotation and scale."`
	Normals   string `json:"normals,omitempty" jsonschema_description:"Base64 of three signed bytes a vertex: the normal, times 127. Without, faces are flat."`
	Triangles string `json:"triangles" jsonschema_description:"Base64 of three 32-bit unsigned integers a triangle: its vertices, counted from 0."`
	Coords    string `json:"coords,omitempty" jsonschema_description:"Base64 of two 32-bit floats a vertex: where it is in the images of a material that is mapped, to the right and down, from 0 to 1 across an image."`
	Colors    string `json:"colors,omitempty" jsonschema_description:"Base64 of three bytes a vertex, red, green and blue, of ground; where the entity's material has a color that counts instead."`
}

// ReadGeometry is scene.geometry. Entities whose component mesh names the same asset, or whose component ground is the same,
// have the same geometry.
func ReadGeometry(s Source) registry.Skill {
	return registry.Define(registry.Spec[GeometryIn, GeometryOut]{
		Name:  "scene.geometry",
		Title: "Get the triangles of a mesh or of ground",
		Description: "Get the triangles of an entity that is an imported mesh or a tile of generated ground, as base64, for a program that draws the world. " +
			`To look at the world yourself use scene.render, to take a scene elsewhere scene.export. Example: {"entity":"ent_3"}`,
		Permissions: []profiles.Permission{"scene.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Slow:        true,
		Less:        "get the mesh by scene.export with a file name",
		Handle: func(c *registry.Call, in GeometryIn) (GeometryOut, error) {
			encode, err := world.Read(s.World, c, func(v *world.View) (func() GeometryOut, error) {
				shape, ok := s.World.Shapes.Get(v, in.Entity)
				if !v.Exists(in.Entity) {
					return nil, v.Unknown(in.Entity)
				}
				if g, is := s.World.Grounds.Get(v, in.Entity); is {
					if tile := s.World.Surface(g); tile != nil {
						return func() GeometryOut { return tileOut(tile) }, nil
					}
				}
				if s.Meshes != nil {
					if g, _, is := s.Meshes.Of(v, in.Entity); is {
						return func() GeometryOut { return meshOut(g) }, nil
					}
				}
				if !ok {
					return nil, registry.Invalidf("entity: %v has no shape; only meshes and tiles of ground have triangles of their own", in.Entity)
				}
				return nil, registry.Invalidf("entity: %v is a %s of size %v; only meshes and tiles of ground have triangles of their own", in.Entity, shape.Kind, shape.Size)
			})
			if err != nil {
				return GeometryOut{}, err
			}
			return encode(), nil
		},
	})
}

// meshOut encodes a mesh.
func meshOut(g *gltf.Geometry) GeometryOut {
	out := GeometryOut{Vertices: len(g.Positions), Count: len(g.Triangles)}
	var e encoder
	for _, p := range g.Positions {
		e.floats(p[0], p[1], p[2])
	}
	out.Positions = e.text()
	for _, n := range g.Normals {
		e.normal(float64(n[0]), float64(n[1]), float64(n[2]))
	}
	out.Normals = e.text()
	for _, t := range g.Triangles {
		e.triangle(t[0], t[1], t[2])
	}
	out.Triangles = e.text()
	for _, c := range g.Coords {
		e.floats(c[0], c[1])
	}
	out.Coords = e.text()
	return out
}

// tileOut encodes a tile of ground, whose position is that of its middle.
func tileOut(t *terrain.Tile) GeometryOut {
	m := t.Mesh()
	out := GeometryOut{Vertices: len(m.Points), Count: len(m.Triangles)}
	var e encoder
	for _, p := range m.Points {
		e.floats(float32(p[0]), float32(p[1]), float32(p[2]))
	}
	out.Positions = e.text()
	for _, n := range m.Normals {
		e.normal(n[0], n[1], n[2])
	}
	out.Normals = e.text()
	for _, tri := range m.Triangles {
		e.triangle(tri[0], tri[1], tri[2])
	}
	out.Triangles = e.text()
	for _, c := range m.Colors {
		e.bytes = append(e.bytes, byte(c>>16), byte(c>>8), byte(c))
	}
	out.Colors = e.text()
	return out
}

// encoder collects numbers.
type encoder struct{ bytes []byte }

func (e *encoder) floats(list ...float32) {
	for _, x := range list {
		e.bytes = binary.LittleEndian.AppendUint32(e.bytes, math.Float32bits(x))
	}
}

func (e *encoder) triangle(i, j, k uint32) {
	for _, n := range [...]uint32{i, j, k} {
		e.bytes = binary.LittleEndian.AppendUint32(e.bytes, n)
	}
}

func (e *encoder) normal(x, y, z float64) {
	for _, v := range [...]float64{x, y, z} {
		e.bytes = append(e.bytes, byte(int8(math.Round(min(max(v, -1), 1)*127))))
	}
}

// text returns what was collected as base64, and begins anew.
func (e *encoder) text() string {
	s := base64.StdEncoding.EncodeToString(e.bytes)
	e.bytes = e.bytes[:0]
	return s
}
