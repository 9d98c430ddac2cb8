package mesh_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/mesh"
	"github.com/limina-mcp/limina/world"
)

// triangle is one of a size.
func triangle(size float32) *gltf.Geometry {
	return &gltf.Geometry{
		Positions: [][3]float32{{0, 0, 0}, {size, 0, 0}, {0, -2 * size, 0}},
		Normals:   [][3]float32{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}},
		Triangles: [][3]uint32{{0, 2, 1}},
	}
}

// An entity gets a mesh.
func Example() {
	w := world.New(world.Config{})
	meshes := mesh.New(w)
	_, err := w.Update(context.Background(), func(tx *world.Tx) error {
		flag, err := tx.Create(world.Spec{})
		if err != nil {
			return err
		}
		asset, err := meshes.Add(tx, triangle(1))
		if err != nil {
			return err
		}
		return meshes.Give(tx, flag, asset, 0xb5563c)
	})
	w.View(func(v *world.View) {
		_, asset, ok := meshes.Of(v, 1)
		shape, _ := w.Shapes.Get(v, 1)
		fmt.Println(asset, ok, shape.Size, err)
	})
	// Output: mesh_a54c5880bb8706557d187d7d true [2 4 0] <nil>
}

func TestMeshesAreKeptOnceAndRolledBack(t *testing.T) {
	w := world.New(world.Config{})
	meshes := mesh.New(w)
	var first string
	_, err := w.Update(t.Context(), func(tx *world.Tx) (err error) {
		first, err = meshes.Add(tx, triangle(1))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	before := w.Hash()
	_, err = w.Update(t.Context(), func(tx *world.Tx) error {
		if again, err := meshes.Add(tx, triangle(1)); err != nil || again != first {
			t.Errorf("the same mesh is %s, then %s, %v", first, again, err)
		}
		other, err := meshes.Add(tx, triangle(2))
		if err != nil || other == first {
			t.Errorf("another mesh is %s too, %v", other, err)
		}
		id, _ := tx.Create(world.Spec{})
		if err := meshes.Give(tx, id, other, 0); err != nil {
			t.Error(err)
		}
		laid := triangle(2)
		laid.Coords = [][2]float32{{0, 0}, {0.5, 1}, {-3, 0.25}}
		if asset, err := meshes.Add(tx, laid); err != nil || asset == other {
			t.Errorf("the mesh on which images lie is %s, the one without %s, %v", asset, other, err)
		} else if err := meshes.Give(tx, id, asset, 0); err != nil {
			t.Error(err)
		} else if g, _, ok := meshes.Of(&tx.View, id); !ok || cmp.Diff(laid, g) != "" {
			t.Errorf("the entity has %v, %v, on which images should lie", g, ok)
		}
		if err := meshes.Give(tx, id, other, 0); err != nil {
			t.Error(err)
		}
		if g, _, ok := meshes.Of(&tx.View, id); !ok || cmp.Diff(triangle(2), g) != "" {
			t.Errorf("the entity has %v, %v", g, ok)
		}
		if err := meshes.Give(tx, id, "mesh_0", 0); err == nil {
			t.Error("an entity got a mesh that nobody keeps")
		}
		return context.Canceled
	})
	if err == nil || w.Hash() != before {
		t.Errorf("after a rollback the world is another one, or there was none: %v", err)
	}
}

// A world that is full drops the meshes that nobody has, but for those that an undo may bring back.
func TestMeshesThatNobodyHasGo(t *testing.T) {
	w := world.New(world.Config{})
	meshes := mesh.New(w)
	large := func(x float32) *gltf.Geometry {
		g := &gltf.Geometry{Positions: make([][3]float32, mesh.MaxBytes/12/3), Triangles: [][3]uint32{{0, 1, 2}}}
		g.Positions[0][0] = x
		return g
	}
	var do func(tx *world.Tx) error
	reg := registry.New(registry.Options{})
	if err := reg.Register(registry.Define(registry.Spec[struct{}, struct{}]{
		Name: "test.do", Description: "Do what the test says.", Permissions: []profiles.Permission{"scene.write"},
		Handle: func(c *registry.Call, _ struct{}) (struct{}, error) {
			return world.Do(w, c, func(tx *world.Tx) (struct{}, error) { return struct{}{}, do(tx) })
		},
	})); err != nil {
		t.Fatal(err)
	}
	ann := skilltest.Caller(t, "ann", skilltest.Builder)
	as := func(fn func(tx *world.Tx) error) error {
		do = fn
		if err := reg.Invoke(t.Context(), &registry.Request{Name: "test.do", Input: []byte("{}"), Principal: ann}, nil).Err; err != nil {
			return err
		}
		return nil
	}
	found := func(tx *world.Tx, x float32) error {
		id, err := tx.Create(world.Spec{})
		if err != nil {
			return err
		}
		asset, err := meshes.Add(tx, large(x))
		if err != nil {
			return err
		}
		return meshes.Give(tx, id, asset, 0)
	}
	for id := world.ID(1); id <= 2; id++ {
		if err := as(func(tx *world.Tx) error { return found(tx, float32(id)) }); err != nil {
			t.Fatal(err)
		}
	}
	if err := as(func(tx *world.Tx) error { return found(tx, 3) }); err == nil {
		t.Fatal("a third mesh was kept, though two that are in use take up what there is")
	}
	if err := as(func(tx *world.Tx) error { tx.Destroy(1); return nil }); err != nil {
		t.Fatal(err)
	}
	if err := as(func(tx *world.Tx) error { return found(tx, 3) }); err == nil {
		t.Error("a mesh was dropped that an undo may bring back")
	}
	if err := as(func(tx *world.Tx) error { _, err := tx.Undo(1); return err }); err != nil {
		t.Fatal(err)
	}
	w.View(func(v *world.View) {
		if _, _, ok := meshes.Of(v, 1); !ok {
			t.Error("what was destroyed came back without its mesh")
		}
	})
	if err := as(func(tx *world.Tx) error { tx.Destroy(1); return nil }); err != nil {
		t.Fatal(err)
	}
	for x := range 300 { // so many that ann cannot take the destruction back any more
		if err := as(func(tx *world.Tx) error { return tx.SetPosition(2, world.Vec3{float64(x)}) }); err != nil {
			t.Fatal(err)
		}
	}
	if err := as(func(tx *world.Tx) error { return found(tx, 3) }); err != nil {
		t.Errorf("nobody has the first mesh any more, and a third is refused: %v", err)
	}
}

func TestMeshesAreBounded(t *testing.T) {
	w := world.New(world.Config{})
	meshes := mesh.New(w)
	large := &gltf.Geometry{Positions: make([][3]float32, mesh.MaxBytes/12), Triangles: [][3]uint32{{0, 1, 2}}}
	_, err := w.Update(t.Context(), func(tx *world.Tx) error {
		_, err := meshes.Add(tx, large)
		return err
	})
	if err == nil {
		t.Error("a mesh was kept that is larger than all may be")
	}
}
