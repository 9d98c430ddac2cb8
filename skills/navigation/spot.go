package navigation

import (
	"math"

	"github.com/limina-mcp/limina/world"
)

// Spot returns where an entity could go that looks for a place of its own accord: the place at the x and z of a point, of several above each other the one
// that is nearest to the point in height. It is false where nobody can be and under water; and for who stands on generated ground where no grid is built,
// where there is no such ground or water is on the straight way there. Who is under water himself does not mind that.
func (m *Mesh) Spot(v *world.View, id world.ID, p world.Vec3) (world.Vec3, bool) {
	at, _ := v.Position(id)
	if g := m.see(v); g != nil {
		spot, ok := g.over(p)
		if ok && m.wet(v, spot) {
			own, _ := g.over(at)
			ok = m.wet(v, own)
		}
		return spot, ok
	}
	if m.stands(v, id, at) == nil {
		return p, true
	}
	own, _ := m.onGround(v, at)
	swims := m.wet(v, own)
	const most = 64
	n := min(max(1, math.Ceil(at.Flat(p))), most)
	for i := 1.0; i <= n; i++ {
		q, ok := m.onGround(v, at.Add(p.Sub(at).Scale(i/n)))
		if !ok || m.wet(v, q) && !swims {
			return p, false
		}
	}
	p, _ = m.onGround(v, p)
	return p, true
}

// onGround returns the generated ground above or below a point, false if there is none.
func (m *Mesh) onGround(v *world.View, p world.Vec3) (_ world.Vec3, ok bool) {
	p[1], ok = m.ground.Ground(v, p[0], p[2])
	return p, ok
}

// over returns the place above or below a point that is nearest to it, false if there is none.
func (g *Grid) over(p world.Vec3) (world.Vec3, bool) {
	cell, ok := g.cellAt(p)
	if !ok {
		return p, false
	}
	if first, end := g.in(cell); first == end {
		return p, false
	}
	place := g.nearestIn(cell, p[1])
	if g.Heights != nil {
		p[1] = g.height(place)
	}
	return p, g.walkable(place)
}

// wet reports whether a point is under water.
func (m *Mesh) wet(v *world.View, p world.Vec3) bool {
	level, ok := m.w.WaterLevel(v, p[0], p[2])
	return ok && p[1] < level
}
