package exchange_test

import (
	"testing"

	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/skills/exchange"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

// TestFigures looks at the files of people and statues: as large as they are, in their colours, of which skin and hair are other ones; and they come back.
func TestFigures(t *testing.T) {
	for material, primitives := range map[string]int{"": 5, "stone": 1} {
		s := skilltest.New(t, skills(t.TempDir()))
		if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
			id, err := tx.Create(world.Spec{Position: world.Vec3{0, 0.85, 0}})
			if err != nil {
				return err
			}
			if material != "" {
				if err := s.World.Materials.Set(tx, id, world.Material{Name: material}); err != nil {
					return err
				}
			}
			return s.World.Shapes.Set(tx, id, world.Shape{Kind: "figure", Size: world.Vec3{0.7, 1.7, 0.7}, Color: 0x4a90d9})
		}); err != nil {
			t.Fatal(err)
		}
		s.World.View(func(v *world.View) {
			doc, err := exchange.Document(s.World, v, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(doc.Meshes) != 1 || len(doc.Meshes[0].Primitives) != primitives || len(doc.Materials) != primitives {
				t.Fatalf("made of %q: %d meshes, %d materials", material, len(doc.Meshes), len(doc.Materials))
			}
			lo, hi := float32(1), float32(-1)
			for _, p := range doc.Meshes[0].Primitives {
				for i, at := range p.Geometry.Positions {
					lo, hi = min(lo, at[1]), max(hi, at[1])
					n := p.Geometry.Normals[i]
					if l := n[0]*n[0] + n[1]*n[1] + n[2]*n[2]; l < 0.99 || l > 1.01 {
						t.Fatalf("a normal is %v", n)
					}
				}
				outward(t, p.Geometry)
			}
			if lo < -0.87 || lo > -0.82 || hi < 0.82 || hi > 0.88 {
				t.Errorf("made of %q: it reaches from %v to %v, want from -0.85 to 0.85", material, lo, hi)
			}
		})
	}
}

// outward checks that the triangles of a geometry are seen from where its normals point.
func outward(t *testing.T, g *gltf.Geometry) {
	t.Helper()
	wrong := 0
	for _, c := range g.Triangles {
		var p, n [3]world.Vec3
		for i, k := range c {
			for axis := range 3 {
				p[i][axis], n[i][axis] = float64(g.Positions[k][axis]), float64(g.Normals[k][axis])
			}
		}
		out := p[1].Sub(p[0]).Cross(p[2].Sub(p[0]))
		if out.Len() > 1e-9 && out.Dot(n[0].Add(n[1]).Add(n[2])) < 0 {
			wrong++
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d triangles are seen from inside", wrong, len(g.Triangles))
	}
}
