package world_test

import (
	"context"
	"testing"

	"github.com/limina-mcp/limina/world"
)

func TestSmoke(t *testing.T) {
	w := world.New(world.Config{})
	h := w.Hash()
	var id world.ID
	c, err := w.Update(context.Background(), func(tx *world.Tx) error {
		var err error
		id, err = tx.Create(world.Spec{Position: world.Vec3{1, 2, 3}, Name: "a", Tags: []string{"x", "b"}})
		if err != nil {
			return err
		}
		if err := w.Shapes.Set(tx, id, world.Shape{Kind: "box", Size: world.Vec3{1, 1, 1}}); err != nil {
			return err
		}
		k, err := tx.Create(world.Spec{Position: world.Vec3{1, 0, 0}, Parent: id})
		t.Log(k, err)
		return err
	})
	t.Log(c, err)
	w.View(func(v *world.View) {
		t.Log(string(w.AppendEntity(nil, v, id)), string(w.AppendEntity(nil, v, id+1)), v.Unknown(99))
	})
	mark := func(tx *world.Tx) {
		m := tx.Savepoint()
		tx.Destroy(id)
		tx.Rand().Float64()
		tx.RollbackTo(m)
	}
	h2 := w.Hash()
	c, _ = w.Update(context.Background(), func(tx *world.Tx) error { mark(tx); return nil })
	if c.Tick != 0 || w.Hash() != h2 || h == h2 {
		t.Error(c)
	}
}
