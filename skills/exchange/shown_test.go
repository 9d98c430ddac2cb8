package exchange_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/skills/exchange"
	"github.com/limina-mcp/limina/world"
)

// sight is what somebody who does not know Limina sees of an entity.
type sight struct {
	At, Size             world.Vec3
	Color                uint32
	Roughness, Metalness float64
	Emissive             uint32
	Both                 bool // sides of its surface show
}

// sights returns what a file shows, by the ids of entities.
func sights(t *rapid.T, doc *gltf.Document) map[string]sight {
	seen := map[string]sight{}
	for _, n := range doc.Nodes {
		var says struct {
			Limina struct{ Entity, ShapeOf string }
		}
		if err := json.Unmarshal(n.Extras, &says); err != nil {
			t.Fatal(err)
		}
		id, at := says.Limina.Entity, world.Vec3(n.Translation)
		for above := n.Parent; above != gltf.None; above = doc.Nodes[above].Parent {
			for k, x := range doc.Nodes[above].Translation {
				at[k] += x
			}
		}
		if says.Limina.ShapeOf != "" {
			id = says.Limina.ShapeOf
		} else if n.Mesh == gltf.None {
			seen[id] = sight{At: at}
			continue
		}
		part := doc.Meshes[n.Mesh].Primitives[0]
		var size world.Vec3
		for k := range size {
			for _, p := range part.Geometry.Positions {
				size[k] = max(size[k], 2*math.Abs(float64(p[k]))*n.Scale[k])
			}
		}
		m := doc.Materials[part.Material]
		seen[id] = sight{at, size, gltf.SRGB(m.Color), m.Roughness, m.Metallic, gltf.SRGB([4]float64{m.Emissive[0], m.Emissive[1], m.Emissive[2], 1}), m.DoubleSided}
	}
	return seen
}

// TestShown: who does not know Limina sees, of the entities that were named and of what is below them, each in its place, its
// size, its colour and its surface.
func TestShown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newPlace()
		length := rapid.SampledFrom([]float64{0.5, 1, 2})
		color := rapid.SampledFrom([]uint32{0, 0xff8000})
		share := rapid.SampledFrom([]float64{0, 0.25, 1})
		some := func(name string) bool { return rapid.Bool().Draw(t, name) }
		want, named := map[string]sight{}, []world.ID{}
		_, err := p.w.Update(t.Context(), func(tx *world.Tx) error {
			for i := range rapid.IntRange(1, 6).Draw(t, "entities") {
				parent := world.ID(rapid.IntRange(0, i).Draw(t, "parent"))
				id, err := tx.Create(world.Spec{Parent: parent, Position: world.Vec3{float64(i + 1), length.Draw(t, "x"), 0}})
				if err != nil {
					return err
				}
				_, below := want[parent.String()]
				if some("named") {
					named, below = append(named, id), true
				}
				look := sight{Color: color.Draw(t, "color")}
				look.At, _ = tx.Position(id)
				kind := rapid.SampledFrom([]string{"box", "sphere", "capsule", "capsule", "cylinder", "cone", "wedge", "mesh"}).Draw(t, "kind")
				if kind == "mesh" {
					x := float32(length.Draw(t, "size"))
					asset, err := p.meshes.Add(tx, &gltf.Geometry{Positions: [][3]float32{{x, 0, 0}, {0, x, 0}, {0, 0, x}}, Triangles: [][3]uint32{{0, 1, 2}}})
					if err == nil {
						err = p.meshes.Give(tx, id, asset, look.Color)
					}
					if err != nil {
						return err
					}
					look.Size, look.Both = world.Vec3{2 * float64(x), 2 * float64(x), 2 * float64(x)}, true
				} else {
					size := world.Vec3{length.Draw(t, "size"), length.Draw(t, "size"), length.Draw(t, "size")}
					if err := p.w.Shapes.Set(tx, id, world.Shape{Kind: kind, Size: size, Color: look.Color}); err != nil {
						return err
					}
					if look.Size = size; kind == "capsule" {
						thin := min(size[0], size[1], size[2])
						look.Size = world.Vec3{thin, size[1], thin}
					}
				}
				look.Roughness = 0.9
				if some("a material") {
					m := world.Material{PBR: true}
					if some("its color") {
						look.Color = color.Draw(t, "color")
						m.Color = &look.Color
					}
					if some("its surface") {
						look.Roughness, look.Metalness = share.Draw(t, "roughness"), share.Draw(t, "metalness")
						m.Roughness, m.Metalness = &look.Roughness, &look.Metalness
					}
					if some("its light") {
						look.Emissive = color.Draw(t, "light")
						m.Emissive = look.Emissive
					}
					if err := p.w.Materials.Set(tx, id, m); err != nil {
						return err
					}
				}
				if below {
					want[id.String()] = look
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		var file []byte
		p.w.View(func(v *world.View) {
			doc, err := exchange.Document(p.w, v, p.meshes, named)
			if err == nil {
				file, err = gltf.Encode(doc)
			}
			if err != nil {
				t.Fatal(err)
			}
		})
		doc, err := gltf.Decode(file, gltf.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-5 })
		if diff := cmp.Diff(want, sights(t, doc), near); diff != "" {
			t.Fatalf("(-made +shown):\n%s", diff)
		}
	})
}
