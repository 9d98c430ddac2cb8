package world_test

import (
	"slices"
	"testing"

	"github.com/limina-mcp/limina/world"
)

// TestOnDestroy keeps a table of what refers to entities, as package agents does.
func TestOnDestroy(t *testing.T) {
	w := world.New(world.Config{})
	names := world.NewTable[string, world.ID](w, "names", 0)
	var order []world.ID
	w.OnDestroy(func(tx *world.Tx, id world.ID) {
		order = append(order, id)
		names.Delete(tx, tx.Name(id))
	})
	must(t, w, func(tx *world.Tx) error {
		a := create(t, tx, world.Spec{Name: "a"})
		b := create(t, tx, world.Spec{Name: "b", Parent: a})
		c := create(t, tx, world.Spec{Name: "c", Parent: b})
		for id, name := range map[world.ID]string{a: "a", b: "b", c: "c"} {
			if err := names.Set(tx, name, id); err != nil {
				return err
			}
		}
		mark := tx.Savepoint()
		tx.Destroy(b)
		if !slices.Equal(order, []world.ID{c, b}) || names.Len(&tx.View) != 1 {
			t.Errorf("told of %v, %d names are left; want children first, and one", order, names.Len(&tx.View))
		}
		tx.RollbackTo(mark)
		if names.Len(&tx.View) != 3 || tx.Parent(c) != b {
			t.Errorf("after the rollback there are %d names, want 3", names.Len(&tx.View))
		}
		return nil
	})
}
