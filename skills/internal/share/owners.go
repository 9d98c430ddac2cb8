package share

import (
	"cmp"

	"github.com/limina-mcp/limina/world"
)

// Owners are whose the rows of a table are, where those themselves do not say it: viewers of the table are not told. It is state like the table, and goes with it through undo, saves and
// checkpoints. A row that is nobody's, such as one of a world that is older, counts for none.
type Owners[K cmp.Ordered] struct {
	kept Kept
	of   *world.Table[K, string]
}

// NewOwners adds owners to a world, once, where it is put together.
func NewOwners[K cmp.Ordered](w *world.World, name string, kept Kept) *Owners[K] {
	return &Owners[K]{kept, world.NewTable[K, string](w, name, kept.Most, world.Private)}
}

// Take notes that a row which is about to be made is an agent's, where so many are there already. It fails with capacity_exceeded, and changes nothing, if he has his share.
func (o *Owners[K]) Take(tx *world.Tx, key K, agent string, there int) error {
	if err := RoomAmong(&tx.View, &o.kept, there, o.of.All(&tx.View), agent); err != nil {
		return err
	}
	if agent == "" {
		return nil
	}
	return o.of.Set(tx, key, agent)
}

// Of returns whose a row is, "" for nobody's.
func (o *Owners[K]) Of(v *world.View, key K) string {
	agent, _ := o.of.Get(v, key)
	return agent
}

// Drop says that a row is gone.
func (o *Owners[K]) Drop(tx *world.Tx, key K) { o.of.Delete(tx, key) }
