// Package whom finds the entities that a tag, a name and a group mean, the same ones for every skill that is told of them so.
package whom

import (
	"iter"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/world"
)

// Those says which entities are meant. A condition that is zero is met by all.
type Those struct {
	Tag   string
	Name  string   // a part of it, in capitals or not
	Below world.ID // somewhere under this entity
}

// Check returns an error if there is nothing that they could be below.
func (t Those) Check(v *world.View) error {
	if t.Below != 0 && !v.Exists(t.Below) {
		return v.Unknown(t.Below)
	}
	return nil
}

// Among yields those of some entities that are meant.
func (t Those) Among(v *world.View, ids iter.Seq[world.ID]) iter.Seq[world.ID] {
	name := strings.ToLower(t.Name)
	return func(yield func(world.ID) bool) {
		for id := range ids {
			switch {
			case t.Tag != "" && !v.HasTag(id, t.Tag):
			case t.Below != 0 && (id == t.Below || !v.Within(id, t.Below)):
			case name != "" && !strings.Contains(strings.ToLower(v.Name(id)), name):
			default:
				if !yield(id) {
					return
				}
			}
		}
	}
}

// All yields those that are meant of all that there are, in id order.
func (t Those) All(v *world.View) iter.Seq[world.ID] {
	switch {
	case t.Tag != "":
		ids := slices.Values(v.Tagged(t.Tag))
		t.Tag = ""
		return t.Among(v, ids)
	case t.Below != 0:
		ids := slices.Values(slices.Sorted(v.Below(t.Below)))
		t.Below = 0
		return t.Among(v, ids)
	default:
		return t.Among(v, v.All())
	}
}

// Looks is at how many entities All looks, as far as it counts: most.
func (t Those) Looks(v *world.View, most int) (n int) {
	var ids iter.Seq[world.ID]
	switch {
	case t.Tag != "":
		ids = v.AllTagged(t.Tag)
	case t.Below != 0:
		ids = v.Below(t.Below)
	default:
		return min(v.Len(), most)
	}
	for range ids {
		if n++; n >= most {
			break
		}
	}
	return n
}
