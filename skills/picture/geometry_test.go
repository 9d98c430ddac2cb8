package picture_test

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/mesh"
	"github.com/limina-mcp/limina/skills/picture"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/terrain"
)

// triangles is what scene.geometry answers, read again.
type triangles struct {
	positions [][3]float32
	normals   [][3]int8
	corners   [][3]uint32
	colors    [][3]uint8
	coords    [][2]float32
}

// numbers reads a list of triples.
func numbers[T any](t *testing.T, text string) [][3]T {
	t.Helper()
	return listOf[[3]T](t, text)
}

// listOf reads vectors.
func listOf[V any](t *testing.T, text string) (out []V) {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	for len(data) > 0 {
		var v V
		n, err := binary.Decode(data, binary.LittleEndian, &v)
		if err != nil {
			t.Fatal(err)
		}
		out, data = append(out, v), data[n:]
	}
	return out
}

func geometry(t *testing.T, s *skilltest.Server, id world.ID) triangles {
	t.Helper()
	input, _ := json.Marshal(picture.GeometryIn{Entity: id})
	res := s.Registry.Invoke(t.Context(), &registry.Request{Name: "scene.geometry", Input: input, Principal: skilltest.Caller(t, "ann", "system.readonly")}, nil)
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	var out picture.GeometryOut
	if err := json.Unmarshal(res.Output, &out); err != nil {
		t.Fatal(err)
	}
	g := triangles{numbers[float32](t, out.Positions), numbers[int8](t, out.Normals), numbers[uint32](t, out.Triangles), numbers[uint8](t, out.Colors), listOf[[2]float32](t, out.Coords)}
	if len(g.positions) != out.Vertices || len(g.corners) != out.Count {
		t.Errorf("%d positions and %d triangles, said to be %d and %d", len(g.positions), len(g.corners), out.Vertices, out.Count)
	}
	return g
}

// withMeshes serves the skills of a world that keeps meshes.
func withMeshes(t *testing.T) (*skilltest.Server, *mesh.Meshes) {
	t.Helper()
	var meshes *mesh.Meshes
	s := skilltest.New(t, func(w *world.World, _ *agents.Agents) []registry.Skill {
		meshes = mesh.New(w)
		return picture.All(picture.Source{World: w, Meshes: meshes})
	})
	return s, meshes
}

func TestGeometryOfMesh(t *testing.T) {
	s, meshes := withMeshes(t)
	smooth := &gltf.Geometry{
		Positions: [][3]float32{{0, 0, 0}, {1.5, 0, 0}, {0, 0, -2}}, Normals: [][3]float32{{0, 1, 0}, {1, 0, 0}, {0, -0.6, 0.8}}, Triangles: [][3]uint32{{0, 1, 2}},
		Coords: [][2]float32{{0, 0}, {0.25, 3}, {-1, 1}},
	}
	flat := &gltf.Geometry{Positions: smooth.Positions, Triangles: [][3]uint32{{0, 1, 2}, {2, 1, 0}}}
	var ids [2]world.ID
	_, err := s.World.Update(t.Context(), func(tx *world.Tx) (err error) {
		for i, g := range []*gltf.Geometry{smooth, flat} {
			if ids[i], err = tx.Create(world.Spec{}); err != nil {
				return err
			}
			asset, err := meshes.Add(tx, g)
			if err != nil {
				return err
			}
			if err := meshes.Give(tx, ids[i], asset, 0xff0000); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	g := geometry(t, s, ids[0])
	if g.positions[2] != smooth.Positions[2] || g.corners[0] != smooth.Triangles[0] || len(g.colors) != 0 {
		t.Errorf("the mesh is %v", g)
	}
	if want := ([3]int8{0, -76, 102}); g.normals[2] != want || g.normals[1] != ([3]int8{127, 0, 0}) {
		t.Errorf("normals %v, want %v last", g.normals, want)
	}
	if !slices.Equal(g.coords, smooth.Coords) {
		t.Errorf("images lie by %v", g.coords)
	}
	if g := geometry(t, s, ids[1]); len(g.normals) != 0 || len(g.coords) != 0 || len(g.corners) != 2 {
		t.Errorf("the flat mesh is %v", g)
	}
}

// TestGeometryOfGround checks that a tile is the surface that things stand on: each corner is as high as the land is there.
func TestGeometryOfGround(t *testing.T) {
	s, _ := withMeshes(t)
	land, err := terrain.New(7, terrain.Hills, terrain.Hints{})
	if err != nil {
		t.Fatal(err)
	}
	ground := world.Ground{Land: land, Tile: [2]int{-1, 2}, LOD: 1}
	var id world.ID
	_, err = s.World.Update(t.Context(), func(tx *world.Tx) (err error) {
		if id, err = tx.Create(world.Spec{Position: ground.Place()}); err != nil {
			return err
		}
		if err := s.World.Shapes.Set(tx, id, world.Shape{Kind: "terrain", Size: world.Vec3{terrain.Size, 1, terrain.Size}}); err != nil {
			return err
		}
		return s.World.Grounds.Set(tx, id, ground)
	})
	if err != nil {
		t.Fatal(err)
	}
	g, at := geometry(t, s, id), ground.Place()
	if side := 17; len(g.positions) != side*side || len(g.normals) != side*side || len(g.colors) != side*side || len(g.corners) != 2*(side-1)*(side-1) {
		t.Fatalf("%d positions, %d normals, %d colours, %d triangles", len(g.positions), len(g.normals), len(g.colors), len(g.corners))
	}
	for i, p := range g.positions {
		if want := float32(land.Height(at[0]+float64(p[0]), at[2]+float64(p[2]))); p[1] != want {
			t.Fatalf("vertex %d at %v is %v high, the land %v", i, p, p[1], want)
		}
		if n := g.normals[i]; n[1] <= 0 {
			t.Fatalf("the normal at vertex %d points down: %v", i, n)
		}
	}
	area := 0.0
	for _, c := range g.corners {
		p, q, r := g.positions[c[0]], g.positions[c[1]], g.positions[c[2]]
		// From above the corners go round against the clock.
		twice := float64(q[2]-p[2])*float64(r[0]-p[0]) - float64(q[0]-p[0])*float64(r[2]-p[2])
		if twice <= 0 {
			t.Fatalf("triangle %v is seen from below", c)
		}
		area += twice / 2
	}
	if math.Abs(area-terrain.Size*terrain.Size) > 1e-6 {
		t.Errorf("the triangles cover %v m², a tile has %v", area, terrain.Size*terrain.Size)
	}
}

func TestGeometryOfWhatHasNone(t *testing.T) {
	s, _ := withMeshes(t)
	row(t, s, 1)
	if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error { _, err := tx.Create(world.Spec{}); return err }); err != nil {
		t.Fatal(err)
	}
	for input, want := range map[string]string{
		`{"entity":"ent_0"}`: "entity: ent_0 is a box of size [1 1 1]",
		`{"entity":"ent_1"}`: "entity: ent_1 has no shape",
		`{"entity":"ent_9"}`: "ent_9",
	} {
		res := s.Registry.Invoke(t.Context(), &registry.Request{Name: "scene.geometry", Input: []byte(input), Principal: skilltest.Caller(t, "ann", "system.readonly")}, nil)
		if res.Err == nil || !strings.Contains(res.Err.Error(), want) {
			t.Errorf("%s: %v, want %q", input, res.Err, want)
		}
	}
}
