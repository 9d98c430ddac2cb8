package navigation

import (
	"math"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// Out is how far from a walkable cell somebody may stand who sets out, and a place be that somebody is sent to, in metres: whoever was in the
// way himself when the grid was built stands in a blocked cell.
const Out = 3

// Send has an entity walk to a point, in a call or a step, as navmesh.moveTo does, in place of where it was going; where no grid is built, straight: over
// generated ground as high above that as it stands, if it stands on some, else without leaving its height. The last short metres of the way it does not go. A speed of 0 is its own. Who stands in a blocked cell, or is sent to one, goes by the
// nearest walkable place, if that is within [Out]. end is where its way ends. why says why there is no way, "" if it has set out or is there; it stands still then.
//
// One call costs as much as the grid has cells, at most: see [Mesh.Searches].
func (m *Mesh) Send(tx *world.Tx, id world.ID, to world.Vec3, short, speed float64) (end world.Vec3, why string, err error) {
	at, ok := tx.Position(id)
	if !ok {
		return end, "", tx.Unknown(id)
	}
	above := m.above(&tx.View, id)
	m.Halt(tx, id)
	if why := m.Held(&tx.View, id); why != "" {
		return end, why, nil
	}
	if err := m.walker(tx, id); err != nil {
		return end, "", err
	}
	g := m.see(&tx.View)
	points, up, why := g.lead(at, to, above)
	if why != "" {
		return end, why, nil
	}
	short -= points[len(points)-1].Flat(to) // where nobody can be there
	if points = cut(at, points, short); len(points) == 0 {
		return at, "", nil
	}
	w := g.walk(points, speed, up)
	if g == nil {
		w.Ground = m.stands(&tx.View, id, at)
	}
	return points[len(points)-1], "", m.walks.Set(tx, id, w)
}

// Held says why an entity does not walk wherever it is sent, "" if it may.
func (m *Mesh) Held(v *world.View, id world.ID) string {
	if m.bound != nil {
		if why := m.bound(v, id); why != "" {
			return why
		}
	}
	if b, ok := m.w.Bodies.Get(v, id); ok && b.Type == "static" {
		return id.String() + " has a static body, which does not walk"
	}
	return ""
}

// walker notes that an entity is one that walks: from now on it is in nobody's way, nor its own.
func (m *Mesh) walker(tx *world.Tx, id world.ID) error {
	if m.walkers.Has(&tx.View, id) {
		return nil
	}
	return m.walkers.Set(tx, id, true)
}

// afoot is how far an entity's lowest point may be from generated ground, above or below, that stands on it, in metres: what is
// farther from it flies, or stands on something else.
const afoot = 1

// stands returns how high above generated ground an entity is that stands on some, nil for one that does not.
func (m *Mesh) stands(v *world.View, id world.ID, at world.Vec3) *float64 {
	if m.w.Grounds.Len(v) == 0 {
		return nil
	}
	ground, ok := m.ground.Ground(v, at[0], at[2])
	if !ok || math.Abs(solid.Tree(m.w, v, id).Lo[1]-ground) > afoot {
		return nil
	}
	above := at[1] - ground
	return &above
}

// lead returns the points to go to from one place to another, one at least, and how high above the ground, or why there is no way. Without a grid
// it is straight there.
func (g *Grid) lead(at, to world.Vec3, above *float64) (points []world.Vec3, up float64, why string) {
	if g == nil {
		to[1] = at[1]
		return []world.Vec3{to}, 0, ""
	}
	from, above := g.start(at, above)
	points, up, why = g.course(from, g.beside(to), above)
	if why == "" && from == at {
		points = points[1:]
	}
	return points, up, why
}

// cut returns points to go to over which the way from a place is so much shorter: none if it is no longer than that.
func cut(at world.Vec3, points []world.Vec3, by float64) []world.Vec3 {
	for i := len(points) - 1; by > 0 && i >= 0; i-- {
		before := at
		if i > 0 {
			before = points[i-1]
		}
		way := points[i].Sub(before)
		long := way.Len()
		if long > by {
			points[i] = before.Add(way.Scale((long - by) / long))
			return points
		}
		by, points = by-long, points[:i]
	}
	return points
}

// start returns where somebody sets out who is at a point, and what is known of his height above the ground: there, or beside it if he stands where nobody can,
// because he was walled in.
func (g *Grid) start(at world.Vec3, above *float64) (from world.Vec3, up *float64) {
	if _, ok := g.placeAt(at); ok {
		return at, above
	}
	return g.beside(at), nil
}

// beside returns a point, or if nobody can be there the nearest where somebody can, if it is within [Out]: at the height of the point, unless that
// is above another floor.
func (g *Grid) beside(p world.Vec3) world.Vec3 {
	if _, ok := g.placeAt(p); ok {
		return p
	}
	near, ok := g.nearest(p)
	if !ok || near.Flat(p) > Out {
		return p
	}
	floor, _ := g.placeAt(near)
	level := near
	level[1] = p[1]
	if place, ok := g.placeAt(level); ok && place == floor {
		return level
	}
	return near
}

// Bar ends the walks that agents have begun by navmesh.moveTo for whom nothing is done any more.
func (m *Mesh) Bar(tx *world.Tx, barred func(agent string) bool) error {
	var ends []world.ID
	for id, w := range m.walks.All(&tx.View) {
		if w.By != "" && barred(w.By) {
			ends = append(ends, id)
		}
	}
	for _, id := range ends {
		m.Halt(tx, id)
	}
	return nil
}

// Halt has an entity stand still that was on its way, by whatever sent it, and reports whether it was by anything but an intent of its own, as player.move gives it.
func (m *Mesh) Halt(tx *world.Tx, id world.ID) bool {
	walked := false
	if agent, ok := m.agents.Agent(&tx.View, id); ok {
		walked = m.agents.Walks(&tx.View, id)
		m.agents.Stop(tx, agent)
	}
	if m.stand != nil {
		m.stand(tx, id)
	}
	return m.end(tx, id) || walked
}

// Apart returns how far two points are apart for those who walk, in metres: as seen from above; on a grid with levels, of two storeys, through the air.
func (m *Mesh) Apart(v *world.View, a, b world.Vec3) float64 { return m.see(v).apart(a, b) }

// Free reports whether somebody can be at a point, as seen from above: anywhere, where no grid is built.
func (m *Mesh) Free(v *world.View, p world.Vec3) bool {
	g := m.see(v)
	if g == nil {
		return true
	}
	_, ok := g.placeAt(p)
	return ok
}

// Searches is how many ways a step may look for so that it stays short: the larger the grid, the fewer, but one.
func (m *Mesh) Searches(v *world.View) int {
	const most, cells = 32, 1 << 17
	g := m.see(v)
	if g == nil {
		return most
	}
	return min(most, max(1, cells/max(g.places(), 1)))
}
