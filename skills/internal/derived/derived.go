// Package derived keeps tables that follow from other state, see [world.Derived]: such as who stands under a name, or in a cell.
package derived

import (
	"cmp"
	"maps"
	"slices"

	"github.com/limina-mcp/limina/world"
)

// Move has id stand under the keys that are now, and no more under those that were. Rows are in order, each without a double, and there is
// none without anybody. If it fails some of that is done.
func Move[K, T cmp.Ordered](tx *world.Tx, t *world.Table[K, []T], id T, were, now []K) error {
	for _, key := range were {
		if slices.Contains(now, key) {
			continue
		}
		there, _ := t.Get(&tx.View, key)
		i, has := slices.BinarySearch(there, id)
		switch {
		case !has:
		case len(there) == 1:
			t.Delete(tx, key)
		default:
			if err := t.Set(tx, key, slices.Delete(slices.Clone(there), i, i+1)); err != nil {
				return err
			}
		}
	}
	for _, key := range now {
		there, _ := t.Get(&tx.View, key)
		i, has := slices.BinarySearch(there, id)
		if has {
			continue
		}
		if err := t.Set(tx, key, slices.Insert(slices.Clone(there), i, id)); err != nil {
			return err
		}
	}
	return nil
}

// Remake makes a table what it has to be, and does not touch what it has already. If it fails some of that is done.
func Remake[K cmp.Ordered, T any](tx *world.Tx, t *world.Table[K, T], want map[K]T, same func(a, b T) bool) error {
	var gone []K
	for key := range t.All(&tx.View) {
		if _, wanted := want[key]; !wanted {
			gone = append(gone, key)
		}
	}
	for _, key := range gone {
		t.Delete(tx, key)
	}
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if there, ok := t.Get(&tx.View, key); ok && same(there, want[key]) {
			continue
		}
		if err := t.Set(tx, key, want[key]); err != nil {
			return err
		}
	}
	return nil
}

// Equal is the same of Remake for values that are compared as they are.
func Equal[T comparable](a, b T) bool { return a == b }
