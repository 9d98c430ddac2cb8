package validation

import (
	"math"
	"slices"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// floating finds what neither stands nor hangs on anything that, in the end, stands on the ground.
// What falls by itself is left to do so.
func (c *check) floating() {
	for _, group := range c.adrift() {
		if !slices.ContainsFunc(group, c.concerns) || !slices.ContainsFunc(group, func(u *unit) bool { return !u.dynamic && !u.falls }) {
			continue
		}
		if c.full() {
			return
		}
		d := c.stage.drop(group)
		if d <= tolerance { // another group that was below has come down meanwhile, and carries it
			continue
		}
		fix := []Op{}
		for _, u := range group {
			c.stage.move(u, world.Vec3{0, -d, 0})
			fix = append(fix, placeAt(u)...)
		}
		if len(group) == 1 {
			c.report(Floating, d, fix, group, "%v hangs in the air, %s above what is below it", group[0].root, metres(d))
		} else {
			c.report(Floating, d, fix, group, "%d things from %v on hold each other and hang in the air, %s above what is below them", len(group), group[0].root, metres(d))
		}
	}
}

// adrift returns the groups of units that touch each other and nothing that stands, lowest first.
func (c *check) adrift() [][]*unit {
	s := c.stage
	touching := map[*unit][]*unit{}
	stands := map[*unit]bool{}
	var open []*unit
	for _, u := range s.units {
		if c.ctx.Err() != nil {
			return nil
		}
		if u.gone {
			continue
		}
		if u.exempt || s.grounded(u) {
			stands[u] = true
			open = append(open, u)
		}
		for _, o := range s.grid.near(u.bounds, tolerance) {
			if o.root < u.root && !o.gone && between(o, u).Gap <= tolerance {
				touching[u], touching[o] = append(touching[u], o), append(touching[o], u)
			}
		}
	}
	for len(open) > 0 {
		u := open[len(open)-1]
		open = open[:len(open)-1]
		for _, o := range touching[u] {
			if !stands[o] {
				stands[o] = true
				open = append(open, o)
			}
		}
	}
	var groups [][]*unit
	for _, u := range s.units {
		if u.gone || stands[u] {
			continue
		}
		group := []*unit{u}
		stands[u] = true
		for i := 0; i < len(group); i++ {
			for _, o := range touching[group[i]] {
				if !stands[o] {
					stands[o] = true
					group = append(group, o)
				}
			}
		}
		groups = append(groups, group)
	}
	slices.SortStableFunc(groups, func(a, b []*unit) int {
		switch la, lb := lowest(a), lowest(b); {
		case la < lb:
			return -1
		case la > lb:
			return 1
		}
		return 0
	})
	return groups
}

func lowest(group []*unit) float64 {
	low := group[0].bounds.Lo[1]
	for _, u := range group[1:] {
		low = min(low, u.bounds.Lo[1])
	}
	return low
}

// drop returns how far a group can come down until it touches something else or the ground.
func (s *stage) drop(group []*unit) float64 {
	far := max(0, s.height(group))
	for _, u := range group {
		far = s.fallen(u, far)
		below := u.bounds
		below.Lo[1] -= far
		for _, o := range s.grid.near(below, 0) {
			if o.gone || o.walks || slices.Contains(group, o) {
				continue
			}
			for _, a := range u.solids {
				for _, b := range o.solids {
					far = fall(a, b, far)
				}
			}
		}
	}
	return far
}

// height returns how far a group is over the ground at least, by what is under the middle of its units.
func (s *stage) height(group []*unit) float64 {
	least := math.Inf(1)
	for _, u := range group {
		mid := u.bounds.Center()
		y, ok := s.ground(mid[0], mid[2])
		if !ok {
			least = min(least, u.bounds.Lo[1])
			continue
		}
		// How far it comes down exactly is what fallen says: not further than its whole height over the lowest ground.
		least = min(least, u.bounds.Hi[1]-y+u.bounds.Size().Len())
	}
	return least
}

// fall returns how far a can come down until it touches b, at most far. As long as they are a gap
// apart, a can move by that gap in any direction.
func fall(a, b solid.Solid, far float64) float64 {
	const touch = 1e-6
	t := 0.0
	for range 4096 {
		gap := solid.Between(a.Moved(world.Vec3{0, -t, 0}), b).Gap
		if gap <= touch {
			return t
		}
		if t += max(gap, touch); t >= far {
			return far
		}
	}
	return min(t, far)
}
