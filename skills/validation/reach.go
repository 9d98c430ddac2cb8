package validation

import (
	"cmp"
	"math"
	"slices"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// The walker that tries to reach things is as large as a grown person.
const (
	walkerRadius = 0.3
	walkerHeight = 1.8
	walkerStep   = 0.35 // what it climbs
	walkerDrop   = 3    // what it jumps down
	walkerArm    = 1.5  // how far it reaches from its chest, which is at
	walkerChest  = 1.2

	stride   = 0.25    // between the spots where it may stand
	maxSpots = 200_000 // that it tries
	margin   = 3       // metres around everything that it may walk on
)

// reach is what has to be reached, and from where.
type reach struct {
	from world.Vec3
	to   []world.ID
	lost map[world.ID]bool // what is reported already, and nothing brings within reach
}

// spot is a place where the walker may stand.
type spot struct{ x, z int }

func (s spot) at(floor float64) world.Vec3 {
	return world.Vec3{float64(float64(s.x) * stride), floor, float64(float64(s.z) * stride)}
}

// footing is a spot on one of the floors that are above each other there.
type footing struct {
	spot
	level int // of the floor, in steps
}

// stand is where the walker can put its feet.
type stand struct {
	spot  spot
	floor float64
}

func (s stand) feet() world.Vec3  { return s.spot.at(s.floor) }
func (s stand) chest() world.Vec3 { return s.spot.at(s.floor + walkerChest) }

// levelOf is on which level a floor is. On one spot, floors on one level are the same one: a walker has no room between them.
func levelOf(floor float64) int { return int(math.Round(floor / walkerStep)) }

// walk is where the walker has got to.
type walk struct {
	stage  *stage
	from   world.Vec3 // where it was to start
	area   solid.Bounds
	been   map[footing]bool
	stands []stand // as they were reached
	cut    bool    // there are more than maxSpots
}

// unreachable finds what a person who starts at c.reach.from cannot touch.
func (c *check) unreachable() {
	if c.reach == nil {
		return
	}
	w := c.stage.walk(c.reach.from)
	for _, id := range c.reach.to {
		units := c.stage.unitsOf(id)
		if len(units) == 0 || c.reach.lost[id] || slices.ContainsFunc(units, w.touches) {
			continue
		}
		u := units[0]
		if c.full() {
			return
		}
		near, away := w.nearest(u)
		if w.cut {
			c.lose(id)
			c.report(Unreachable, away, nil, []*unit{u}, "%v was not reached from %v; the way there is too long to be sure", id, c.reach.from)
			continue
		}
		why := "one gets no nearer than " + metres(away)
		switch {
		case len(w.stands) == 0:
			why = "a person has no room there; let from be another place"
		case w.within(u):
			why = "one gets as near as " + metres(away) + ", but something is between"
		}
		fix, opened, again := c.reopen(w, u, near)
		if again == w {
			c.lose(id)
		}
		c.report(Unreachable, away, fix, append([]*unit{u}, opened...), "%v cannot be reached from %v: %s", id, c.reach.from, why)
		w = again
	}
}

// lose notes that there is no repair for what cannot be reached: it is reported once, however often
// the scene is checked again.
func (c *check) lose(id world.ID) {
	if c.reach.lost == nil {
		c.reach.lost = map[world.ID]bool{}
	}
	c.reach.lost[id] = true
}

// reopen brings u to where the walker gets; if nothing may be done to u, it takes away what is in
// the way. It returns where the walker gets then. For a walker that stands nowhere nothing is taken away: it is where it starts that is wrong, under
// a bridge, say.
func (c *check) reopen(w *walk, u *unit, near world.Vec3) (fix []Op, opened []*unit, again *walk) {
	if u.exempt || len(w.stands) == 0 {
		return nil, nil, w
	}
	start := u.at()
	for _, s := range slices.Backward(w.stands) {
		p := s.feet()
		if p.Dist(near) > 4 {
			continue
		}
		// Onto the floor there, its middle over the spot.
		d := p.Sub(u.bounds.Center())
		d[1] = p[1] - u.bounds.Lo[1]
		c.stage.move(u, d)
		if c.fits(u, 0) {
			c.stage.settle(u)
			if again := c.stage.walk(c.reach.from); again.touches(u) {
				return placeAt(u), nil, again
			}
		}
		c.stage.move(u, start.Sub(u.at()))
	}
	for _, o := range c.blockers(u, near) {
		c.stage.remove(o)
		if again := c.stage.walk(c.reach.from); again.touches(u) {
			return destroy(o), []*unit{o}, again
		}
		o.gone = false
		c.stage.grid.add(o)
	}
	return nil, nil, w
}

// blockers returns what stands between u and the place next to it that is reached, nearest to the
// line between them first.
func (c *check) blockers(u *unit, near world.Vec3) []*unit {
	to := u.bounds.Center()
	var list []*unit
	for _, o := range c.stage.grid.near(u.bounds, near.Dist(to)) {
		if o != u && !o.gone && !o.exempt && !o.floor(0) {
			list = append(list, o)
		}
	}
	middle := near.Add(to).Scale(0.5)
	slices.SortStableFunc(list, func(a, b *unit) int { return cmp.Compare(apart(a.bounds, middle), apart(b.bounds, middle)) })
	return list[:min(len(list), 8)]
}

// unitsOf returns the units that an entity is in, or that are in it, and are there.
func (s *stage) unitsOf(id world.ID) (list []*unit) {
	for _, u := range s.units {
		if !u.gone && slices.ContainsFunc(u.ids, func(part world.ID) bool {
			return s.within(part, func(above world.ID) bool { return above == id })
		}) {
			list = append(list, u)
		}
	}
	return list
}

// walk has the walker go wherever it gets from a place.
func (s *stage) walk(from world.Vec3) *walk {
	w := &walk{stage: s, from: from, been: map[footing]bool{}}
	w.area = solid.Bounds{Lo: from, Hi: from}
	for _, u := range s.units {
		if !u.gone {
			w.area = w.area.Join(u.bounds)
		}
	}
	first := spot{int(math.Round(from[0] / stride)), int(math.Round(from[2] / stride))}
	w.enter(first, from[1]+walkerStep, math.Inf(-1))
	for i := 0; i < len(w.stands) && !w.cut; i++ {
		at, floor := w.stands[i].spot, w.stands[i].floor
		for _, next := range [...]spot{{at.x + 1, at.z}, {at.x - 1, at.z}, {at.x, at.z + 1}, {at.x, at.z - 1}} {
			w.enter(next, floor+walkerStep, floor-walkerDrop)
		}
	}
	return w
}

// enter has the walker stand at a spot, on a floor between the heights, if there is room.
func (w *walk) enter(s spot, highest, lowest float64) {
	p := s.at(0)
	for _, i := range [...]int{0, 2} {
		if p[i] < w.area.Lo[i]-margin || p[i] > w.area.Hi[i]+margin {
			return
		}
	}
	floor := w.stage.floorAt(p[0], p[2], highest)
	here := footing{s, levelOf(floor)}
	if floor < lowest || floor > highest || w.been[here] || !w.stage.room(s.at(floor)) {
		return
	}
	if len(w.stands) == maxSpots {
		w.cut = true
		return
	}
	w.been[here] = true
	w.stands = append(w.stands, stand{s, floor})
}

// floorAt returns the highest floor at x, z that is not above highest: the ground, or the top of
// what is there.
func (s *stage) floorAt(x, z, highest float64) float64 {
	floor, _ := s.ground(x, z)
	line := solid.Bounds{Lo: world.Vec3{x, floor - 1, z}, Hi: world.Vec3{x, max(highest, floor-1), z}}
	for _, u := range s.grid.near(line, 0) {
		if u.walks {
			continue
		}
		for i, p := range u.solids {
			if !u.rooms[i].Near(line, 0) {
				continue
			}
			if _, top, ok := p.Column(x, z); ok && top <= highest && top > floor {
				floor = top
			}
		}
	}
	return floor
}

// room reports whether the walker fits where its feet are to be: above what it would step on.
func (s *stage) room(feet world.Vec3) bool {
	const half = (walkerHeight - walkerStep) / 2
	body := upright(feet.Add(world.Vec3{0, walkerStep + half, 0}), walkerRadius, half)
	return s.touching(body, nil) == nil
}

// upright is a capsule that stands.
func upright(center world.Vec3, radius, half float64) solid.Solid {
	return solid.New(world.Shape{Kind: "capsule", Size: world.Vec3{2 * radius, 2 * half, 2 * radius}},
		world.Transform{Position: center, Rotation: world.NoRotation(), Scale: world.Vec3{1, 1, 1}})
}

// touching returns a unit, other than not, that p is in; nil if there is none.
func (s *stage) touching(p solid.Solid, not *unit) *unit {
	room := p.Bounds()
	for _, u := range s.grid.near(room, 0) {
		if u == not || u.walks {
			continue
		}
		for i, q := range u.solids {
			if u.rooms[i].Near(room, 0) && solid.Between(p, q).Gap < -1e-3 {
				return u
			}
		}
	}
	return nil
}

// touches reports whether the walker gets to where it can lay a hand on u, with nothing between.
func (w *walk) touches(u *unit) bool {
	for _, s := range w.stands {
		chest := s.chest()
		hand := chest.Max(u.bounds.Lo).Min(u.bounds.Hi)
		// Over a cupboard its top may stand out: it is touched at half its height.
		lower := hand
		lower[1] = min(hand[1], u.bounds.Center()[1])
		if w.grasps(chest, hand, u) || lower != hand && w.grasps(chest, lower, u) {
			return true
		}
	}
	return false
}

// within reports whether the walker gets so near to u that it could lay a hand on it if nothing were between.
func (w *walk) within(u *unit) bool {
	return slices.ContainsFunc(w.stands, func(s stand) bool {
		return apart(u.bounds, s.chest()) <= walkerArm
	})
}

// grasps reports whether the walker can lay a hand on u at a place.
func (w *walk) grasps(chest, hand world.Vec3, u *unit) bool {
	return hand.Dist(chest) <= walkerArm && w.stage.clear(chest, hand, u)
}

// clear reports whether nothing but u is on the line between two points.
func (s *stage) clear(a, b world.Vec3, u *unit) bool {
	const thick = 0.02
	n := int(a.Dist(b)/thick) + 1
	for i := range n + 1 {
		p := a.Add(b.Sub(a).Scale(float64(i) / float64(n)))
		if s.touching(upright(p, thick, thick), u) != nil {
			return false
		}
	}
	return true
}

// nearest returns the place where the walker stands nearest to u, and how far that is from it; of
// a walker that stands nowhere, where it was to start.
func (w *walk) nearest(u *unit) (at world.Vec3, away float64) {
	if len(w.stands) == 0 {
		return w.from, apart(u.bounds, w.from)
	}
	away = world.MaxNumber
	for _, s := range w.stands {
		p := s.feet()
		if d := apart(u.bounds, p); d < away {
			at, away = p, d
		}
	}
	return at, away
}

// apart is how far a point is from bounds.
func apart(b solid.Bounds, p world.Vec3) float64 { return p.Max(b.Lo).Min(b.Hi).Dist(p) }
