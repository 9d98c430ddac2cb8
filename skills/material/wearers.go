package material

import "github.com/limina-mcp/limina/world"

// Wearers returns the entities on which a material shows that an entity is given: the entity itself, if it has a shape or is water;
// else, as of a group, an instance of a prefab or an earthwork with a lake, all those below it that are so. With below it is both. Where nothing
// is so it is the entity itself, as of a road, or it may come by a shape later. Who carries stands before what it carries, and
// siblings are in id order.
//
// Glass stays glass where a whole is meant of which it is a part, as the windows of a house that is painted, unless below says that all is: panes are those
// that are left out.
func Wearers(v *world.View, id world.ID, below bool) (all, panes []world.ID) {
	w := v.World()
	shows := func(id world.ID) bool { return w.Shapes.Has(v, id) || w.Waters.Has(v, id) }
	shown := shows(id)
	if shown {
		all = append(all, id)
	}
	if below || !shown {
		for part := range v.Below(id) {
			if !shows(part) {
				continue
			}
			if m, _ := w.Materials.Get(v, part); m.Name == Glass && !below {
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
