// Package shelf is for tables of what callers keep under names of their own: prefabs, checkpoints, saves.
package shelf

import (
	"strings"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/world"
)

// Table is such a table.
type Table[T any] struct {
	*world.Table[string, T]
	What  string // what a row is: "slot"
	Maker string // the skill that makes one
	Most  int    // how many names a refusal says; 0: all

	// For Put:
	Bytes int              // what all rows together may have
	Size  func(row *T) int // what one has
	Cure  string           // what makes room
}

// Find returns what has a name, or a refusal that says the names that there are.
func (t *Table[T]) Find(v *world.View, name string) (T, error) {
	row, ok := t.Get(v, name)
	if ok {
		return row, nil
	}
	var names []string
	for n := range t.All(v) {
		if t.Most > 0 && len(names) == t.Most {
			names = append(names, "…")
			break
		}
		names = append(names, n)
	}
	if names == nil {
		return row, registry.Failf("name: there is no %s %q; there are none yet, %s makes one", t.What, name, t.Maker)
	}
	return row, registry.Failf("name: there is no %s %q; there are %s", t.What, name, strings.Join(names, ", "))
}

// Named returns the row that a caller names in a table of what is known by an id, or a refusal that says which ids there are, or which is
// meant. what is a row, such as "quest"; maker the skill that makes one.
func Named[T any](v *world.View, t *world.Table[string, T], what, maker, id string) (T, error) {
	row, ok := t.Get(v, id)
	if ok {
		return row, nil
	}
	all := make([]string, 0, t.Len(v))
	for other := range t.All(v) {
		all = append(all, other)
	}
	if len(all) == 0 {
		return row, registry.Failf("unknown %s %q; there is none: %s makes one", what, quote.Clip(id), maker)
	}
	return row, registry.Failf("unknown %s %q; %s", what, quote.Clip(id), quote.Others(id, all))
}

// Put puts a row under a name, in place of the one there, and returns how many bytes it has. It fails, and changes nothing, with capacity_exceeded if all
// would have too many then, or the table is full.
func (t *Table[T]) Put(tx *world.Tx, name string, row T) (bytes int, err error) {
	bytes = t.Size(&row)
	all := bytes
	for other, kept := range t.All(&tx.View) {
		if other != name {
			all += t.Size(&kept)
		}
	}
	if all > t.Bytes {
		return 0, registry.Errorf(registry.CodeCapacityExceeded, "%ss hold at most %d bytes together, with this one they would hold %d: %s makes room", t.What, t.Bytes, all, t.Cure)
	}
	return bytes, t.Set(tx, name, row)
}

// Namer says how many rules do something with what has a name, or ask for it; nil: none does.
type Namer func(v *world.View, name string) int

// Of returns how many rules that are.
func (n Namer) Of(v *world.View, name string) int {
	if n == nil {
		return 0
	}
	return n(v, name)
}

// Used refuses to take a row away that entities still have something to do with, nil for none. field is what the caller names it by; one and many are what they do with it, "plays" and
// "play"; cure is the call that ends that, with %q for the entity.
func Used(field, id string, by []world.ID, one, many, cure string) error {
	if len(by) == 0 {
		return nil
	}
	first := by[0].String()
	if len(by) == 1 {
		return registry.Failf("%s: %s %s %q: "+cure+" ends that", field, first, one, quote.Clip(id), first)
	}
	return registry.Failf("%s: %d entities %s %q, such as %s: "+cure+" ends that of one", field, len(by), many, quote.Clip(id), first, first)
}
