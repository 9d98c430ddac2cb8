package validation

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// A repair that takes something farther than farAway, in metres, and that many times as far as it was in something is pointed out.
const (
	farAway      = 0.5
	timesFarther = 4
)

// interpenetrating finds what cuts into something else.
func (c *check) interpenetrating() {
	for _, u := range c.stage.live() {
		if c.more { // nothing else will be told
			return
		}
		// What is moved out of one thing may still be in another one.
		for range 8 {
			if u.gone || !c.partFrom(u) {
				break
			}
		}
	}
}

// partFrom finds the first older unit that u and it are in each other, and parts them. It reports
// whether there was one.
func (c *check) partFrom(u *unit) bool {
	for _, o := range c.stage.grid.near(u.bounds, 0) {
		if o.root >= u.root || o.gone || o.walks || !c.concerns(u) && !c.concerns(o) {
			continue
		}
		contact, cuts := cut(o, u)
		if !cuts {
			continue
		}
		if c.full() {
			return false
		}
		mover, other, out := u, o, contact.Normal
		if keeps(u, o) {
			mover, other, out = o, u, out.Scale(-1)
		}
		depth, from := -contact.Gap, [...]world.Vec3{mover.at(), other.at()}
		if way := out.Scale(depth); way[1] > 0.7*depth && depth <= little {
			if group, ok := c.raise(mover, depth/out[1]); ok {
				c.report(Interpenetrating, depth, placeAll(group), slices.Concat([]*unit{mover, other}, group[1:]), "%v is %s deep in %v", mover, metres(depth), other)
				c.about(2)
				return true
			}
		}
		changed, fix := c.part(mover, other, out.Scale(depth))
		went := changed.at().Dist(from[0])
		if changed == other {
			mover, other = other, mover
			went = changed.at().Dist(from[1])
		}
		note := ""
		if went > max(farAway, timesFarther*depth) {
			note = fmt.Sprintf(". To part them the fix takes it %s away; if they belong together, leave them and make them one with scene.group, in which parts may be in each other", metres(went))
		}
		c.report(Interpenetrating, depth, fix(changed), []*unit{mover, other},
			"%v is %s deep in %v%s", mover, metres(depth), other, note)
		return true
	}
	return false
}

// cut returns how b is to a, and whether they cut into each other, not on purpose.
func cut(a, b *unit) (solid.Contact, bool) {
	if a.group != 0 && a.group == b.group { // one of them has come there on paper
		return solid.Contact{}, false
	}
	contact := between(a, b)
	return contact, contact.Gap < -tolerance && !meant(a, b)
}

// meant reports whether two units are in each other on purpose: a lamp in its lantern, that is, in one part of the other, a box and one like it
// about the same middle that is turned, as an octagon is made of two, or what is joined.
func meant(a, b *unit) bool {
	if len(a.solids) == 1 && len(b.solids) == 1 {
		p, q := &a.solids[0], &b.solids[0]
		if p.Kind == q.Kind && p.Center.Dist(q.Center) <= tolerance && p.Half.Dist(q.Half) <= tolerance && p.Axes != q.Axes {
			return true
		}
	}
	return joined(a, b) || a.shinesIn(b) || b.shinesIn(a)
}

// joined reports whether of two units only walls that end and what is fastened at its end are in each other, as the walls of a castle are in a tower that has a
// roof.
func joined(a, b *unit) bool {
	some := false
	for i := range a.solids {
		for j := range b.solids {
			p, q := &a.solids[i], &b.solids[j]
			if a.meets[pair{a.bodies[i], b.bodies[j]}] || !a.rooms[i].Near(b.rooms[j], 0) || solid.Between(*p, *q).Gap >= -tolerance {
				continue
			}
			if some = wallEnds(p, q) || wallEnds(q, p) || fastened(p, q) || fastened(q, p); !some {
				return false
			}
		}
	}
	return some
}

// wall is an upright box that is longer and higher than it is thick.
type wall struct {
	box         *solid.Solid
	long, thick int // which of its axes
	low, high   float64
}

// wallOf returns what a solid is as a wall, and whether it is one.
func wallOf(s *solid.Solid) (w wall, ok bool) {
	const times = 2 // as long and as high as it is thick, at least
	if s.Kind != solid.Box {
		return w, false
	}
	w.box = s
	up := vertical(s.Axes)
	if up < 0 {
		return w, false
	}
	w.long, w.thick = (up+1)%3, (up+2)%3
	if s.Half[w.long] < s.Half[w.thick] {
		w.long, w.thick = w.thick, w.long
	}
	w.low, w.high = s.Center[1]-s.Half[up], s.Center[1]+s.Half[up]
	return w, min(s.Half[w.long], s.Half[up]) >= times*s.Half[w.thick]
}

// wallEnds reports whether a is a wall that ends in b, another wall or a tower.
func wallEnds(a, b *solid.Solid) bool {
	w, ok := wallOf(a)
	if !ok {
		return false
	}
	o, ok := wallOf(b)
	return ok && (w.endsIn(&o) || w.goesOnIn(&o)) || w.endsInTower(b)
}

// oneEnd reports whether the middle of just one of the ends that a box has along one of its axes is within something.
func oneEnd(box *solid.Solid, axis int, within func(end world.Vec3) bool) bool {
	half := box.Axes[axis].Scale(box.Half[axis])
	return within(box.Center.Add(half)) != within(box.Center.Sub(half))
}

// asHigh reports whether two walls are about as high, and begin about as high.
func (w *wall) asHigh(o *wall) bool {
	const alike = 0.1 // of the height
	most := alike * (o.high - o.low)
	return math.Abs(w.low-o.low) <= most && math.Abs(w.high-o.high) <= most
}

// goesOnIn reports whether two walls of one thickness that are about as high are one longer wall: they lie in one line, and are in each other for no more
// than they are thick, as where others meet them in the middle of that.
func (w *wall) goesOnIn(o *wall) bool {
	const oneWay = 0.9999 // of the cosine
	along, across := o.box.Axes[o.long], o.box.Axes[o.thick]
	off, thick := w.box.Center.Sub(o.box.Center), o.box.Half[o.thick]
	return w.asHigh(o) && math.Abs(w.box.Axes[w.long].Dot(along)) >= oneWay &&
		math.Abs(w.box.Half[w.thick]-thick) <= tolerance && math.Abs(off.Dot(across)) <= tolerance &&
		w.box.Half[w.long]+o.box.Half[o.long]-math.Abs(off.Dot(along)) <= 2*thick+tolerance
}

// endsIn reports whether a wall ends in the thickness of another one that is about as high and goes another way: at a corner, or where one
// meets the middle of the other.
func (w *wall) endsIn(o *wall) bool {
	const oneWay = 0.9 // of the cosine
	along, across := o.box.Axes[o.long], o.box.Axes[o.thick]
	if !w.asHigh(o) || math.Abs(w.box.Axes[w.long].Dot(along)) > oneWay {
		return false
	}
	return oneEnd(w.box, w.long, func(end world.Vec3) bool {
		off := end.Sub(o.box.Center)
		return math.Abs(off.Dot(across)) <= o.box.Half[o.thick]+tolerance && math.Abs(off.Dot(along)) <= o.box.Half[o.long]+w.box.Half[w.thick]
	})
}

// endsInTower reports whether a wall ends in an upright cylinder that is as wide as the wall is thick, and about as high or higher: the middle
// of just one of its ends is in there.
func (w *wall) endsInTower(o *solid.Solid) bool {
	const alike = 0.9 // of the wall's height is the least that the tower stands beside
	if o.Kind != solid.Cylinder || vertical(o.Axes) != 1 || min(o.Half[0], o.Half[2]) < w.box.Half[w.thick] ||
		min(w.high, o.Center[1]+o.Half[1])-max(w.low, o.Center[1]-o.Half[1]) < alike*(w.high-w.low) {
		return false
	}
	return oneEnd(w.box, w.long, func(end world.Vec3) bool {
		end[1] = o.Center[1]
		return solid.Within(solid.New(world.Shape{}, world.Transform{Position: end, Rotation: world.NoRotation()}), *o, tolerance)
	})
}

// fastened reports whether a board or rod ends in something slender that stands upright, as the steps of a spiral staircase do in its post, or
// a level rod in a ball: the middle of just one of its ends is in there.
func fastened(rod, holder *solid.Solid) bool {
	const board, slender = 2, 4 // how many times as long as it is wide a board is, as high a post or as long a rod is
	if rod.Kind != solid.Box {
		return false
	}
	long := 0
	for i := range rod.Half {
		if rod.Half[i] > rod.Half[long] {
			long = i
		}
	}
	if math.Abs(rod.Axes[long][1]) > 0.5 { // it stands: what is on it rests on it
		return false
	}
	wide := max(rod.Half[(long+1)%3], rod.Half[(long+2)%3])
	least := float64(board)
	var within func(p world.Vec3) bool
	switch up := vertical(holder.Axes); {
	case holder.Kind == solid.Ball:
		least = slender
		within = func(p world.Vec3) bool { return p.Dist(holder.Center) <= holder.Half[0]+tolerance }
	case holder.Kind == solid.Box && up >= 0 && holder.Half[up] >= slender*max(holder.Half[(up+1)%3], holder.Half[(up+2)%3]):
		within = func(p world.Vec3) bool {
			for i, axis := range holder.Axes {
				if math.Abs(p.Sub(holder.Center).Dot(axis)) > holder.Half[i]+tolerance {
					return false
				}
			}
			return true
		}
	default:
		return false
	}
	return rod.Half[long] >= least*wide && oneEnd(rod, long, within)
}

// shinesIn reports whether u is a lamp in the room of one part of o.
func (u *unit) shinesIn(o *unit) bool {
	return u.lamp && slices.ContainsFunc(o.rooms, func(r solid.Bounds) bool { return r.Join(u.bounds) == r })
}

// keeps reports whether, of two units that are in each other, the younger one keeps its place.
func keeps(younger, older *unit) bool {
	switch {
	case younger.exempt != older.exempt:
		return younger.exempt
	case younger.floor(0) != older.floor(0):
		return younger.floor(0)
	}
	return younger.volume() > 2*older.volume()
}

// part moves a unit out of whatever it is in: by the given way if that frees it, else as far to a side, else to the sides of all that it
// is in. Where none does and it is not far in, the other rises off it or goes down from it, or it or the other becomes a little shorter on that
// side: a roof on a post, an arch on piers under a deck, or beams that overlap where they meet, are not to be torn apart for a few centimetres. Slabs on
// one level part across it, as far as they overlap there: that is more than the slabs are thick, and much less than
// they are long. Else it goes farther to a side, else onto what is in its way. What then hangs in the air comes down.
// Part returns which of the two has changed, and what repairs it.
func (c *check) part(u, other *unit, way world.Vec3) (changed *unit, fix func(*unit) []Op) {
	d := way.Len()
	gives := !other.exempt && !c.stage.floor(other)
	switch {
	case c.aside(u, []world.Vec3{way, {d, 0, 0}, {-d, 0, 0}, {0, 0, d}, {0, 0, -d}}):
		return u, placeAt
	case c.ease(u):
		return u, placeAt
	case gives && math.Abs(way[1]) > 0.7*d && d <= u.bounds.Size()[1]/4 && c.aside(other, []world.Vec3{way.Scale(-1)}):
		return other, placeAt
	case c.stage.shorten(u, other, way):
		return u, placeAndScale
	case gives && c.stage.shorten(other, u, way.Scale(-1)):
		return other, placeAndScale
	}
	across := past(u.bounds, other.bounds)
	for _, way := range across {
		if c.stage.shorten(u, other, way) {
			return u, placeAndScale
		}
	}
	ways := across
	size := u.bounds.Size()
	for _, far := range []float64{1, 2} {
		for i, k := range []world.Vec3{{1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}} {
			ways = append(ways, k.Scale(size[i/2*2]*far))
		}
	}
	if !c.aside(u, ways) {
		c.stage.lift(u)
	}
	return u, placeAt
}

// past returns the ways along x and z that bring b out of the box around other, the shortest first.
func past(b, other solid.Bounds) []world.Vec3 {
	var ways []world.Vec3
	for _, i := range []int{0, 2} {
		var up, down world.Vec3
		up[i], down[i] = other.Hi[i]-b.Lo[i], other.Lo[i]-b.Hi[i]
		ways = append(ways, up, down)
	}
	slices.SortStableFunc(ways, func(a, b world.Vec3) int { return cmp.Compare(a.Len(), b.Len()) })
	return ways
}

// aside moves a unit the first of these ways that frees it, and reports whether one did.
func (c *check) aside(u *unit, ways []world.Vec3) bool {
	start, deep := u.at(), c.stage.founded(u)
	for _, d := range ways {
		c.stage.move(u, start.Add(d).Sub(u.at()))
		if c.fits(u, deep) {
			c.stage.settle(u)
			return true
		}
	}
	c.stage.move(u, start.Sub(u.at()))
	return false
}

// ease pushes a unit to the sides out of what it is in, one thing after the other, as out of the corner of a room. It reports whether
// that frees it within a quarter of its own width.
func (c *check) ease(u *unit) bool {
	const level = 0.1 // the most that a way to the side goes up or down, of its length
	start, size := u.at(), u.bounds.Size()
	for range 8 {
		o := c.stage.inTheWay(u)
		if o == nil {
			break
		}
		contact := between(o, u)
		if math.Abs(contact.Normal[1]) > level {
			break
		}
		c.stage.move(u, contact.Normal.Scale(-contact.Gap))
	}
	way := u.at().Sub(start)
	c.stage.move(u, way.Scale(-1))
	return way.Len() <= min(size[0], size[2])/4 && c.aside(u, []world.Vec3{way})
}

// vertical returns which of the axes is vertical, -1 if none is.
func vertical(axes [3]world.Vec3) int {
	const exactly = 1 - 1e-6 // of the cosine
	return slices.IndexFunc(axes[:], func(a world.Vec3) bool { return math.Abs(a[1]) > exactly })
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

// reshape gives a unit that is moved by one entity, which is somewhere, other shapes, on paper.
func (s *stage) reshape(u *unit, at world.Vec3, to []solid.Solid) {
	s.grid.remove(u)
	u.tops[0].at.Position, u.bounds = at, solid.Nothing()
	for i := range to {
		u.solids[i], u.rooms[i] = to[i], to[i].Bounds()
		u.bounds = u.bounds.Join(u.rooms[i])
	}
	s.grid.add(u)
}

// fits reports whether u is in nothing else, no deeper in the ground than that, and within bounds.
func (c *check) fits(u *unit, deep float64) bool {
	if c.stage.sunk(u) > max(deep, tolerance) {
		return false
	}
	if c.bounds != nil {
		if _, out := inside(u.bounds, *c.bounds); out > tolerance {
			return false
		}
	}
	return c.stage.inTheWay(u) == nil
}

// inTheWay returns a unit that u is in, nil if there is none.
func (s *stage) inTheWay(u *unit) *unit {
	for _, o := range s.grid.near(u.bounds, 0) {
		if o == u || o.gone || o.walks {
			continue
		}
		if _, cuts := cut(o, u); cuts {
			return o
		}
	}
	return nil
}

// lift raises u until it is in nothing: above the bounds of each unit that is in its way, each of them once. Where numbers are so
// large that a step changes nothing it stays in something.
func (s *stage) lift(u *unit) {
	for range s.units {
		o := s.inTheWay(u)
		if o == nil {
			break
		}
		s.move(u, world.Vec3{0, max(o.bounds.Hi[1]-u.bounds.Lo[1], tolerance), 0})
	}
	s.settle(u)
}

// settle lets u come down on what is below it, if it touches nothing.
func (s *stage) settle(u *unit) {
	if d := s.drop([]*unit{u}); d > tolerance {
		s.move(u, world.Vec3{0, -d, 0})
	}
}
