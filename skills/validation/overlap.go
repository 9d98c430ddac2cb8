package validation

import "github.com/limina-mcp/limina/world"

// interpenetrating finds what cuts into something else.
func (c *check) interpenetrating() {
	for _, u := range c.stage.live() {
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
		contact := between(o, u)
		if contact.Gap >= -tolerance {
			continue
		}
		if c.full() {
			return false
		}
		mover, other, out := u, o, contact.Normal
		if keeps(u, o) {
			mover, other, out = o, u, out.Scale(-1)
		}
		c.part(mover, out.Scale(-contact.Gap))
		c.report(Interpenetrating, -contact.Gap, []Op{placeAt(mover)}, []*unit{mover, other},
			"%v is %s deep in %v", mover.root, metres(-contact.Gap), other.root)
		return true
	}
	return false
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

// part moves a unit out of whatever it is in: by the given way if that frees it, else to a side, else
// onto what is in its way. What then hangs in the air comes down.
func (c *check) part(u *unit, way world.Vec3) {
	start := u.at
	size := u.bounds.Size()
	ways := []world.Vec3{way, {way.Len(), 0, 0}, {-way.Len(), 0, 0}, {0, 0, way.Len()}, {0, 0, -way.Len()}}
	for _, far := range []float64{1, 2} {
		for i, k := range []world.Vec3{{1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}} {
			ways = append(ways, k.Scale(size[i/2*2]*far))
		}
	}
	for _, d := range ways {
		c.stage.move(u, start.Add(d).Sub(u.at))
		if c.fits(u) {
			c.stage.settle(u)
			return
		}
	}
	c.stage.move(u, start.Sub(u.at))
	c.stage.lift(u)
}

// fits reports whether u is in nothing else, above the ground and within bounds.
func (c *check) fits(u *unit) bool {
	if c.stage.sunk(u) > tolerance {
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
		if o != u && !o.gone && !o.walks && between(o, u).Gap < -tolerance {
			return o
		}
	}
	return nil
}

// lift raises u until it is in nothing: above the bounds of each unit that is in its way.
func (s *stage) lift(u *unit) {
	for {
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
