package material

import "github.com/limina-mcp/limina/world"

// Wearers returns the entities on which a material shows that an entity is given: the entity itself, if it has a shape;
// else, as of a group or an instance of a prefab, all those below it that have one. With below it is both. Where nothing
// has a shape it is the entity itself, which may come by one later. Who carries stands before what it carries, and
// siblings are in id order.
func Wearers(v *world.View, id world.ID, below bool) []world.ID {
	var all []world.ID
	shown := v.World().Shapes.Has(v, id)
	if shown {
		all = append(all, id)
	}
	if below || !shown {
		for part := range v.Below(id) {
			if v.World().Shapes.Has(v, part) {
				all = append(all, part)
			}
		}
	}
	if len(all) == 0 {
		all = append(all, id)
	}
	return all
}
