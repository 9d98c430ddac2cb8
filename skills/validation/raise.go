package validation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/world"
)

// little is how deep a thing may be in what it lies on to be raised by that, with all that stands on it, in metres.
const little = 0.25

// riders returns what stands on a unit, on that in turn and so on, itself first.
func (s *stage) riders(u *unit) []*unit {
	group := []*unit{u}
	for i := 0; i < len(group); i++ {
		below := group[i]
		for _, o := range s.grid.near(below.bounds, tolerance) {
			if o.gone || o.walks || o.exempt || slices.Contains(group, o) || o.bounds.Lo[1] < below.bounds.Hi[1]-tolerance || !touching(o, below) {
				continue
			}
			group = append(group, o)
		}
	}
	return group
}

// raise lifts a unit, with all that stands on it, and reports whether none of them comes to be in something by that in which it was not before.
func (c *check) raise(u *unit, d float64) (group []*unit, ok bool) {
	s := c.stage
	group = s.riders(u)
	in := func() (n int) {
		for _, m := range group {
			for _, o := range s.grid.near(m.bounds, 0) {
				if o == m || o.gone || o.walks || slices.Contains(group, o) {
					continue
				}
				if _, cuts := cut(o, m); cuts {
					n++
				}
			}
			if c.bounds != nil {
				if _, out := inside(m.bounds, *c.bounds); out > tolerance {
					n++
				}
			}
		}
		return n
	}
	before := in()
	s.shift(group, world.Vec3{0, d, 0})
	if after := in(); after > before || after == before && before > 0 && s.inTheWay(u) != nil {
		s.shift(group, world.Vec3{0, -d, 0})
		return nil, false
	}
	return group, true
}

// placeAll is what puts units where they now are on paper.
func placeAll(group []*unit) (all []Op) {
	for _, u := range group {
		all = append(all, placeAt(u)...)
	}
	return all
}

// repaired says in words what became of units since that was said of them last.
func (c *check) repaired(units []*unit) string {
	if c.told == nil {
		c.told = map[*unit]world.Vec3{}
	}
	var words []string
	moved := 0
	for _, u := range units {
		from, ok := c.told[u]
		if !ok {
			from = u.was
		}
		if u.gone {
			words = append(words, fmt.Sprintf("%v goes", u))
			continue
		}
		way := u.at().Sub(from)
		c.told[u] = u.at()
		if way.Len() <= same {
			continue
		}
		if moved++; moved > 1 {
			continue
		}
		where := "aside"
		switch up := way[1] / way.Len(); {
		case up > 0.9:
			where = "up"
		case up < -0.9:
			where = "down"
		}
		words = append(words, fmt.Sprintf("%v goes %s %s", u, metres(way.Len()), where))
	}
	if moved > 1 {
		words = append(words, fmt.Sprintf("%d more go along", moved-1))
	}
	return strings.Join(words, ", ")
}

// follows reports whether what is found of units is not so in the world as it is, but would be with what is repaired before.
func (c *check) follows(kind string, units []*unit) bool {
	if c.round > 0 {
		return true
	}
	if kind == Floating {
		return !slices.ContainsFunc(units, func(u *unit) bool { return c.aloft[u] })
	}
	return slices.ContainsFunc(units, func(u *unit) bool {
		at, ok := c.told[u]
		return ok && at.Dist(u.was) > tolerance
	})
}
