package navigation

import (
	"fmt"
	"math"

	"github.com/limina-mcp/limina/world"
)

// What those keep to who walk around each other, in metres.
const (
	berth = 0.1 // between two who pass each other
	ahead = 1.2 // how far beyond touching somebody looks who walks
	step  = 0.1 // how far apart the points are at which it is looked whether one can walk aside
	gains = 0.1 // how much nearer he has come at least who gets on, in a second; at less than half a metre a second a fifth of that
)

// mostAgain is how many ways a step looks for anew, for those who do not get on.
const mostAgain = 4

// For how many seconds.
const (
	idle  = 2 // somebody does not get on before that is told
	retry = 8 // he then waits before another way is looked for
)

// Blocks has a function say what an entity that is afoot stands against on its way to somewhere, 0 if that is nothing or nobody knows, and whether it gets on
// along that all the same. It is given once, where the
// world is put together, and goes by the world alone.
func (m *Mesh) Blocks(by func(v *world.View, id world.ID, toward world.Vec3) (against world.ID, slides bool)) {
	m.blocks = by
}

// Stuck says why an entity that is on its way does not get on, "" if it does, or is not on its way.
func (m *Mesh) Stuck(v *world.View, id world.ID) string {
	why, _ := m.stuck.Get(v, id)
	return why
}

// Slack is how near to the end of its way an entity is that has gone it: those that physics moves may be stopped a stride before.
func (m *Mesh) Slack(v *world.View, id world.ID) float64 {
	if m.afoot != nil && m.afoot(v, id) {
		return 0.25
	}
	return 0
}

// aside returns where somebody who walks to a point goes instead of straight there, because somebody stands in his way: beside that, on the side that is
// nearer, where one can walk. It is false where nobody stands in his way, or there is no room; by is who does, 0 for nobody. passed says that the point is
// taken by somebody, so that who goes on from there need not get to it.
func (m *Mesh) aside(v *world.View, id world.ID, at, to world.Vec3) (side world.Vec3, ok bool, by world.ID, passed bool) {
	g := m.see(v)
	way := to.Sub(at)
	way[1] = 0
	long := way.Len()
	if long == 0 {
		return at, false, 0, false
	}
	way = way.Scale(1 / long)
	own, nearest, others := m.girth(v, id), math.Inf(1), m.near(v, id, at)
	var who other
	for _, o := range others {
		off := o.at.Sub(at)
		off[1] = 0
		along, room := float64(off[0]*way[0])+float64(off[2]*way[2]), own+o.girth+berth
		across := math.Abs(float64(off[0]*way[2]) - float64(off[2]*way[0]))
		if along <= 0 || along >= nearest || along-room > min(ahead, long) || across >= room {
			continue
		}
		nearest, who, by, passed = along, o, o.id, o.at.Flat(to) < room
	}
	if by == 0 || passed || g == nil {
		return at, false, by, passed
	}
	room := own + who.girth + berth
	left := world.Vec3{way[2], 0, -way[0]}
	off := who.at.Sub(at)
	if float64(off[0]*left[0])+float64(off[2]*left[2]) > 0 { // it is on the left, so the right is nearer
		left = left.Scale(-1)
	}
	for _, to := range [...]world.Vec3{left, left.Scale(-1)} {
		spot := who.at.Add(to.Scale(float64(room * 1.05)))
		spot[1] = at[1]
		if g.clear(at, spot, m.feet(v, id)) && !taken(others, spot, own) {
			return spot, true, by, false
		}
	}
	return at, false, by, false
}

// hangs reports whether somebody stands against something at a point of his way that he is too wide to get to, because the grid was built for who is
// less wide: he is as near as he can be.
func (m *Mesh) hangs(v *world.View, id world.ID, at, to world.Vec3) bool {
	if m.blocks == nil || at.Flat(to) >= m.girth(v, id) {
		return false
	}
	against, _ := m.blocks(v, id, to)
	return against != 0
}

// other is somebody whom one walks around.
type other struct {
	id    world.ID
	at    world.Vec3
	girth float64 // half as wide as he is
}

// near returns those who are afoot near a point, but for one, in id order.
func (m *Mesh) near(v *world.View, id world.ID, at world.Vec3) (all []other) {
	const reach = 3
	for _, o := range v.Near(at, reach) {
		if o == id || !m.afoot(v, o) {
			continue
		}
		if p, _ := v.Position(o); math.Abs(p[1]-at[1]) < 1.5 {
			all = append(all, other{o, p, m.girth(v, o)})
		}
	}
	return all
}

// taken reports whether somebody stands at a point where one wants to be who is so wide.
func taken(others []other, spot world.Vec3, own float64) bool {
	for _, o := range others {
		if o.at.Flat(spot) < own+o.girth {
			return true
		}
	}
	return false
}

// girth is half as wide as an entity is, in metres.
func (m *Mesh) girth(v *world.View, id world.ID) float64 {
	s, _ := m.w.Shapes.Get(v, id)
	t, _ := v.WorldTransform(id)
	return math.Abs(float64(s.Size[0]*t.Scale[0])) / 2
}

// feet is how far the feet of an entity are below its place.
func (m *Mesh) feet(v *world.View, id world.ID) float64 {
	s, _ := m.w.Shapes.Get(v, id)
	t, _ := v.WorldTransform(id)
	return math.Abs(float64(s.Size[1]*t.Scale[1])) / 2
}

// clear reports whether one can walk straight from a point to another that is level with it, whose feet are so far below: the first need not be one where
// somebody can be.
func (g *Grid) clear(from, to world.Vec3, feet float64) bool {
	from[1] -= feet
	to[1] -= feet
	n := math.Ceil(from.Flat(to) / step)
	before, known := g.placeAt(from)
	for i := 1.0; i <= n; i++ {
		p := from.Add(to.Sub(from).Scale(i / n))
		place, ok := g.placeAt(p)
		if !ok || known && place != before && !g.next(before, place) {
			return false
		}
		before, known = place, true
	}
	return known
}

// next reports whether a place is a step from another, along an axis or diagonally.
func (g *Grid) next(from, to int) bool {
	col, row := g.at(from)
	for i := range 4 {
		if place, ok := g.step(from, col, row, i); ok && place == to {
			return true
		}
	}
	for _, d := range neighbours[4:] {
		if place, ok := g.slips(from, col, row, d); ok && place == to {
			return true
		}
	}
	return false
}

// gets notes once in a second how far somebody has still to go, and tells after some that he does not get on. It returns the walk as it is then.
func (m *Mesh) gets(tx *world.Tx, id world.ID, at world.Vec3, w walk, speed float64, by world.ID) (walk, error) {
	if tx.Step() < w.Look {
		return w, nil
	}
	left := flat(at, w.Points)
	switch {
	case w.Look == 0 || w.Left-left >= min(gains, speed/5):
		w.Idle = 0
		m.stuck.Remove(tx, id)
	default:
		if w.Idle++; w.Idle == idle+retry {
			w.Idle = idle
		}
		if by == 0 && (w.Idle == 1 || w.Idle == idle) && m.anew(&tx.View, at, &w) {
			left = flat(at, w.Points)
		}
	}
	w.Left, w.Look = left, tx.Step()+uint64(m.w.StepRate())
	if w.Idle < idle {
		return w, nil
	}
	if by == 0 && m.blocks != nil {
		if against, slides := m.blocks(&tx.View, id, w.Points[0]); !slides {
			by = against
		}
	}
	why := "it does not get on: something is in the way that ways are not led around, because it moves by itself, or cannot be seen"
	if by != 0 {
		why = fmt.Sprintf("blocked by %s", by)
	}
	return w, m.tell(tx, id, why)
}

// flat is how long the way from at over the points is, as seen from above.
func flat(at world.Vec3, points []world.Vec3) (sum float64) {
	for _, p := range points {
		sum += at.Flat(p)
		at = p
	}
	return min(sum, world.MaxNumber)
}

// anew has somebody who does not get on take the way from where he is now, as who was pushed aside may hang on a corner, or a door was shut. It is false where
// there is none, or the step has looked for enough of them.
func (m *Mesh) anew(v *world.View, at world.Vec3, w *walk) bool {
	g := m.see(v)
	if g == nil || m.again == 0 {
		return false
	}
	m.again--
	points, up, why := g.lead(at, w.Points[len(w.Points)-1], w.Above)
	if why != "" {
		return false
	}
	if w.Points = points; w.Above != nil {
		w.Above = &up
	}
	return true
}

// shut reports whether somebody on his way, whom no physics stops, would go from where somebody can be to where nobody can: something has come to stand there since he
// set out.
func (m *Mesh) shut(v *world.View, from, to world.Vec3, w *walk) bool {
	g := m.see(v)
	if g == nil {
		return false
	}
	if w.Above != nil {
		from[1] -= *w.Above
		to[1] -= *w.Above
	}
	if _, ok := g.placeAt(from); !ok {
		return false
	}
	_, ok := g.placeAt(to)
	return !ok
}

// wait has somebody whose way is shut look for another one, now and then, and stand until there is one or it is open again.
func (m *Mesh) wait(tx *world.Tx, id world.ID, at world.Vec3, w walk) error {
	if tx.Step() < w.Look {
		return nil
	}
	w.Look = tx.Step() + uint64(retry*m.w.StepRate())
	if !m.anew(&tx.View, at, &w) {
		if err := m.tell(tx, id, "its way is shut, and there is no other one"); err != nil {
			return err
		}
	}
	return m.walks.Set(tx, id, w)
}

// tell has it told why somebody does not get on.
func (m *Mesh) tell(tx *world.Tx, id world.ID, why string) error {
	if now, has := m.stuck.Get(&tx.View, id); has && now == why {
		return nil
	}
	return m.stuck.Set(tx, id, why)
}

// end has an entity be on its way no more.
func (m *Mesh) end(tx *world.Tx, id world.ID) bool {
	m.stuck.Remove(tx, id)
	return m.walks.Remove(tx, id)
}
