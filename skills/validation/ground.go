package validation

import (
	"math"
	"slices"

	"github.com/limina-mcp/limina/solid"
)

// ground returns how high the ground is at x, z: that of the generated ground there, else 0, which is level
// everywhere. ok says which.
func (s *stage) ground(x, z float64) (y float64, ok bool) {
	for i := range s.grounds {
		g := &s.grounds[i]
		if x < g.room.Lo[0] || x > g.room.Hi[0] || z < g.room.Lo[2] || z > g.room.Hi[2] {
			continue
		}
		if _, high, over := g.solid.Column(x, z); over && (!ok || high > y) {
			y, ok = high, true
		}
	}
	return y, ok
}

// sunk returns how deep a unit is in the ground, but for its foundations; below zero it is over it, or in water that lies on none, or there is none. Who stands on a slope digs in
// with one side, so on generated ground it is how far the unit is below the lowest of the ground under its bounds: under
// their middle and their corners.
func (s *stage) sunk(u *unit) float64 {
	lowest, low := math.Inf(1), u.standing().Lo[1]
	mid := u.bounds.Center()
	for _, at := range [...][2]float64{
		{mid[0], mid[2]},
		{u.bounds.Lo[0], u.bounds.Lo[2]},
		{u.bounds.Hi[0], u.bounds.Lo[2]},
		{u.bounds.Lo[0], u.bounds.Hi[2]},
		{u.bounds.Hi[0], u.bounds.Hi[2]},
	} {
		y, ok := s.ground(at[0], at[1])
		if at == [2]float64{mid[0], mid[2]} && !ok {
			if _, wet := s.waters.Level(at[0], at[1]); wet || s.bare { // there is no bed that anybody knows, or no ground at all
				return min(-low, 0)
			}
			return -low // it is the level ground that counts
		}
		if ok {
			lowest = min(lowest, y)
		}
	}
	return lowest - low
}

// founded returns how deep a unit may be in the ground that is moved to a side: as deep as it is, and on generated ground by a quarter of its
// height more, for that is nowhere level.
func (s *stage) founded(u *unit) float64 {
	deep := max(s.sunk(u), 0)
	if s.generated(u) {
		deep += u.bounds.Size()[1] / 4
	}
	return deep
}

// generated reports whether there is generated ground over or under the middle of a unit.
func (s *stage) generated(u *unit) bool {
	mid := u.bounds.Center()
	_, ok := s.ground(mid[0], mid[2])
	return ok
}

// pile reports whether a unit that is so deep in generated ground is a post that was driven into it: slender, and something that is not in
// the ground is at what looks out of it, such as the deck of a jetty.
func (s *stage) pile(u *unit, depth float64) bool {
	const slender = 6
	size := u.bounds.Size()
	if depth >= size[1] || size[1] < slender*max(size[0], size[2]) {
		return false
	}
	return slices.ContainsFunc(s.grid.near(u.bounds, tolerance), func(o *unit) bool {
		return o != u && !o.gone && !o.walks && s.sunk(o) <= tolerance && touching(o, u)
	})
}

// grounded reports whether a unit stands on the ground, or lies in water, as a boat does.
func (s *stage) grounded(u *unit) bool {
	mid := u.bounds.Center()
	if _, ok := s.ground(mid[0], mid[2]); !ok && u.bounds.Lo[1] <= tolerance {
		return true
	}
	if level, wet := s.afloat(u); wet && u.bounds.Lo[1] <= level+tolerance && u.bounds.Hi[1] >= level-tolerance {
		return true
	}
	return s.fallen(u, 2*tolerance) <= tolerance
}

// afloat returns the height of the water that there is under the middle of a unit, or above it; false if there is none: the ground there is higher.
func (s *stage) afloat(u *unit) (level float64, ok bool) {
	mid := u.bounds.Center()
	ground, _ := s.ground(mid[0], mid[2])
	level, ok = s.waters.Level(mid[0], mid[2])
	return level, ok && level > ground
}

// fallen returns how far a unit can come down on generated ground, at most far: no further than 0 if it is in it.
func (s *stage) fallen(u *unit, far float64) float64 {
	for i := range s.grounds {
		g := &s.grounds[i]
		below := u.bounds
		below.Lo[1] = min(below.Lo[1]-far, g.room.Lo[1])
		below.Hi[1] = max(below.Hi[1], g.room.Hi[1])
		if !below.Near(g.room, 0) {
			continue
		}
		for _, p := range u.solids {
			far = min(far, onGround(&g.solid, p, far))
		}
	}
	return max(far, 0)
}

// onGround returns how far a solid can come down on one piece of ground, at most far.
func onGround(g *solid.Solid, p solid.Solid, far float64) float64 {
	d, ok := g.Fall(p, far)
	if !ok {
		return far
	}
	return d
}
