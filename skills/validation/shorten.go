package validation

import (
	"math"
	"slices"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// shorten takes off one end of u what is in other, if u is a single box and a quarter of it at most, or lowers a unit of several. Way is the
// shortest one out. It reports whether it did.
func (s *stage) shorten(u, other *unit, way world.Vec3) bool {
	if len(u.solids) > 1 {
		return s.squash(u, other, way)
	}
	by := u.only()
	if by == nil || u.ids[0] != by.id || u.solids[0].Kind != solid.Box {
		return false
	}
	was, d := u.solids[0], way.Len()
	axis, share := 0, 0.0 // the one of its own axes that goes the most with way
	for i, a := range was.Axes {
		if along := a.Dot(way) / d; math.Abs(along) > math.Abs(share) {
			axis, share = i, along
		}
	}
	cut := d / math.Abs(share)
	if cut > was.Half[axis]/2 {
		return false
	}
	now := was.Moved(was.Axes[axis].Scale(math.Copysign(cut/2, share)))
	now.Half[axis] -= cut / 2
	scale := by.at.Scale
	by.at.Scale[axis] *= now.Half[axis] / was.Half[axis]
	s.reshape(u, now.Center, []solid.Solid{now})
	if between(u, other).Gap < -tolerance {
		by.at.Scale = scale
		s.reshape(u, was.Center, []solid.Solid{was})
		return false
	}
	return true
}

// squash makes a unit of several upright boxes lower by what of it is in other above or below, if that is a quarter of its height at most: all its
// parts in proportion, about the end that stays. Way is the shortest one out. It reports whether it did.
func (s *stage) squash(u, other *unit, way world.Vec3) bool {
	by := u.only()
	if by == nil {
		return false
	}
	turn := by.at.Rotation
	axis := vertical([3]world.Vec3{turn.Rotate(world.Vec3{1, 0, 0}), turn.Rotate(world.Vec3{0, 1, 0}), turn.Rotate(world.Vec3{0, 0, 1})})
	d, high := math.Abs(way[1]), u.bounds.Size()[1]
	if axis < 0 || d < way.Len()-tolerance || d > high/4 ||
		slices.ContainsFunc(u.solids, func(p solid.Solid) bool { return p.Kind != solid.Box || vertical(p.Axes) < 0 }) {
		return false
	}
	stays, k := u.bounds.Lo[1], (high-d)/high
	if way[1] > 0 {
		stays = u.bounds.Hi[1]
	}
	was, at, scale := slices.Clone(u.solids), u.at(), by.at.Scale
	solids := slices.Clone(u.solids)
	for i := range solids {
		p := &solids[i]
		p.Center[1] = stays + float64((p.Center[1]-stays)*k)
		p.Half[vertical(p.Axes)] *= k
	}
	by.at.Scale[axis] *= k
	s.reshape(u, world.Vec3{at[0], stays + float64((at[1]-stays)*k), at[2]}, solids)
	if between(u, other).Gap < -tolerance {
		by.at.Scale = scale
		s.reshape(u, at, was)
		return false
	}
	return true
}

// reshape gives a unit that is moved by one entity, which is somewhere, other shapes, on paper.
func (s *stage) reshape(u *unit, at world.Vec3, to []solid.Solid) {
	s.grid.remove(u)
	u.tops[0].at.Position = at
	copy(u.solids, to)
	u.rebound()
	s.grid.add(u)
}
