package validation

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// What lies in each other costs a check a look at each pair: ten thousand things at one place are fifty million. So of a place where each is in hundreds of others only
// some are looked at, those that were asked for first, and the answer says how many were not.

const (
	crowded = 400 // so many things, on the average, that each is in the middle of, and that are in the middle of it, are a crowd
	kept    = 200 // of which so many are looked at
	asks    = 32  // of how many it is found out
)

// among reports whether two rooms each hold the middle of the other one.
func among(a, b *solid.Bounds) bool {
	at := a.Center()
	by := b.Center()
	return b.Near(solid.Bounds{Lo: at, Hi: at}, 0) && a.Near(solid.Bounds{Lo: by, Hi: by}, 0)
}

// uncrowd leaves out of the stage what lies among too many others. It returns how many units that were, and where; 0 if none.
func (c *check) uncrowd() (left int, where world.Vec3) {
	s := c.stage
	out := map[*unit]bool{}
	lists := [][]*unit{s.grid.large}
	for _, list := range s.grid.cells {
		lists = append(lists, list)
	}
	slices.SortFunc(lists, func(a, b []*unit) int { return cmp.Compare(first(a), first(b)) })
	for _, list := range lists {
		list = slices.DeleteFunc(slices.Clone(list), func(u *unit) bool { return out[u] })
		for len(list) > crowded && c.ctx.Err() == nil {
			var most []*unit
			for i := range min(asks, len(list)) {
				u := list[i*len(list)/min(asks, len(list))]
				with := make([]*unit, 0, crowded)
				for _, o := range list {
					if among(&u.bounds, &o.bounds) {
						with = append(with, o)
					}
				}
				if len(with) > len(most) {
					most = with
				}
			}
			if len(most) <= crowded {
				break
			}
			slices.SortStableFunc(most, func(a, b *unit) int {
				return cmp.Or(cmp.Compare(wants(c, b), wants(c, a)), cmp.Compare(a.root, b.root))
			})
			if left == 0 {
				where = most[0].bounds.Center()
			}
			for _, u := range most[kept:] {
				out[u] = true
			}
			left += len(most) - kept
			list = slices.DeleteFunc(list, func(u *unit) bool { return out[u] })
		}
	}
	if left == 0 {
		return 0, where
	}
	s.units = slices.DeleteFunc(s.units, func(u *unit) bool { return out[u] })
	s.grid = grid{}
	for _, u := range s.units {
		s.grid.add(u)
	}
	return left, where
}

func first(list []*unit) world.ID {
	if len(list) == 0 {
		return 0
	}
	return list[0].root
}

// wants is 1 of what was asked for by its id, else 0.
func wants(c *check, u *unit) int {
	if c.only != nil && c.concerns(u) {
		return 1
	}
	return 0
}

// crowd says what was not looked at.
func crowd(left int, where world.Vec3) string {
	return fmt.Sprintf("%d things were not looked at: they are among hundreds of others, at about [%.4g, %.4g, %.4g]. Take away what is there too often, by scene.forEach with near or by scene.destroyEntity, and ask again; entities names those that are to be looked at",
		left, where[0], where[1], where[2])
}
