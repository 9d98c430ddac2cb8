package material

import "github.com/limina-mcp/limina/world"

// Wearers returns the entities on which a material shows that an entity is given: the entity itself, if it has a shape;
// else, as of a group or an instance of a prefab, all those below it that have one. With below it is both. Where nothing
// has a shape it is the entity itself, which may come by one later. Who carries stands before what it carries, and
// siblings are in id order.
//
// Glass stays glass where a whole is meant of which it is a part, as the windows of a house that is painted, unless below says that all is: panes are those
// that are left out.
func Wearers(v *world.View, id world.ID, below bool) (all, panes []world.ID) {
	shown := v.World().Shapes.Has(v, id)
	if shown {
		all = append(all, id)
	}
	if below || !shown {
		for part := range v.Below(id) {
			if !v.World().Shapes.Has(v, part) {
				continue
			}
			if m, _ := v.World().Materials.Get(v, part); m.Name == Glass && !below {
				panes = append(panes, part)
			} else {
				all = append(all, part)
			}
		}
	}
	if len(all) == 0 {
		all, panes = panes, nil
	}
	if len(all) == 0 {
		all = append(all, id)
	}
	return all, panes
}
