package validation

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// floating finds what neither stands nor hangs on anything that, in the end, stands on the ground.
// What falls by itself is left to do so.
func (c *check) floating() {
	groups := c.adrift()
	loose := map[*unit]bool{}
	for _, group := range groups {
		for _, u := range group {
			loose[u] = true
		}
	}
	for _, group := range groups {
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
		near := ""
		if way, at := c.hung(group, loose, d); at != nil {
			near = fmt.Sprintf(" and %s from %v", metres(way.Len()), at)
		} else {
			c.stage.shift(group, world.Vec3{0, -d, 0})
		}
		fix := []Op{}
		for _, u := range group {
			delete(loose, u)
			fix = append(fix, placeAt(u)...)
		}
		if len(group) == 1 {
			c.report(Floating, d, fix, group, "%v hangs in the air, %s above what is below it%s", group[0], metres(d), near)
		} else {
			c.report(Floating, d, fix, group, "%d things from %v on hold each other and hang in the air, %s above what is below them%s", len(group), group[0], metres(d), near)
		}
	}
}

// What is as near to a ceiling as underCeiling, or to a wall as atWall, in metres, and a few times as far and more than its own height
// above what is below it, was to hang there: a lamp, a picture. What is no larger than a torch stands off from a wall as far as a lamp hangs from a ceiling: its bracket
// was left out.
const (
	underCeiling, atWall = 0.3, 0.1
	torch                = 0.8
	timesNearer          = 4
)

// hung moves a group that could fall by d to what it was to hang on, if there is such a thing that is not loose itself. It returns the way and
// what is there, nil if there is none.
func (c *check) hung(group []*unit, loose map[*unit]bool, d float64) (way world.Vec3, to *unit) {
	room := solid.Nothing()
	for _, u := range group {
		room = room.Join(u.bounds)
	}
	if d <= room.Size()[1] {
		return way, nil
	}
	least := d / timesNearer
	for _, dir := range []world.Vec3{{0, 1, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}} {
		most := min(least, atWall)
		if size := room.Size(); dir[1] > 0 || max(size[0], size[1], size[2]) <= torch {
			most = min(least, underCeiling)
		}
		gap, at := c.stage.ahead(group, dir, most)
		if at == nil || loose[at] {
			continue
		}
		c.stage.shift(group, dir.Scale(gap))
		if !slices.ContainsFunc(group, func(u *unit) bool { return !c.fits(u, 0) }) {
			least, way, to = gap, dir.Scale(gap), at
		}
		c.stage.shift(group, dir.Scale(-gap))
	}
	c.stage.shift(group, way)
	return way, to
}

// shift moves a group, on paper.
func (s *stage) shift(group []*unit, d world.Vec3) {
	for _, u := range group {
		s.move(u, d)
	}
}

// ahead returns what a group meets first on its way in a direction, and how far that is; nil if it meets nothing within far metres.
func (s *stage) ahead(group []*unit, dir world.Vec3, far float64) (gap float64, first *unit) {
	for _, u := range group {
		swept := u.bounds.Join(u.bounds.Moved(dir.Scale(far)))
		for _, o := range s.grid.near(swept, 0) {
			if o.gone || o.walks || slices.Contains(group, o) {
				continue
			}
			for _, a := range u.solids {
				for _, b := range o.solids {
					if t := meet(a, b, dir, far); t < far {
						far, first = t, o
					}
				}
			}
		}
	}
	return far, first
}

// adrift returns the groups of units that touch each other, or are held together by joints, and neither touch nor hang on anything that stands,
// lowest first.
func (c *check) adrift() [][]*unit {
	s := c.stage
	near := c.contacts()
	told := map[*unit]bool{}
	var stand []*unit
	for _, u := range s.units {
		if c.ctx.Err() != nil {
			return nil
		}
		if !u.gone && (u.exempt || u.hangs || s.grounded(u)) {
			told[u] = true
			stand = append(stand, u)
		}
	}
	spread(stand, near, told)
	var groups [][]*unit
	for _, u := range s.units {
		if !u.gone && !told[u] {
			told[u] = true
			groups = append(groups, spread([]*unit{u}, near, told))
		}
	}
	slices.SortStableFunc(groups, func(a, b []*unit) int { return cmp.Compare(lowest(a), lowest(b)) })
	return groups
}

// contacts returns what each unit touches, or is held together with by joints.
func (c *check) contacts() map[*unit][]*unit {
	s := c.stage
	near := map[*unit][]*unit{}
	for _, u := range s.units {
		if c.ctx.Err() != nil {
			return nil
		}
		if u.gone {
			continue
		}
		for _, o := range s.grid.near(u.bounds, tolerance) {
			if o.root < u.root && !o.gone && touching(o, u) {
				near[u], near[o] = append(near[u], o), append(near[o], u)
			}
		}
		for _, o := range u.ties {
			if !o.gone {
				near[u] = append(near[u], o)
			}
		}
	}
	return near
}

// spread adds to a group what is near to any of it and not told yet, on and on, and tells it.
func spread(group []*unit, near map[*unit][]*unit, told map[*unit]bool) []*unit {
	for i := 0; i < len(group); i++ {
		for _, o := range near[group[i]] {
			if !told[o] {
				told[o] = true
				group = append(group, o)
			}
		}
	}
	return group
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
		if level, wet := s.afloat(u); wet && u.bounds.Lo[1] > level {
			far = min(far, u.bounds.Lo[1]-level)
		}
	}
	far, _ = s.ahead(group, world.Vec3{0, -1, 0}, far)
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

// meet returns how far a can go in a direction until it touches b, at most far. As long as they are a gap
// apart, a can move by that gap in any direction.
func meet(a, b solid.Solid, dir world.Vec3, far float64) float64 {
	const touch = 1e-6
	t := 0.0
	for range 4096 {
		gap := solid.Between(a.Moved(dir.Scale(t)), b).Gap
		if gap <= touch {
			return t
		}
		if t += max(gap, touch); t >= far {
			return far
		}
	}
	return min(t, far)
}
