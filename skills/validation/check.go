package validation

import (
	"context"
	"fmt"
	"slices"

	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

const (
	// tolerance is what nobody sees, in metres: less is no gap and no overlap.
	tolerance = 0.01
	// thinnest is the least extent that a solid may have, thickened what a repair gives it.
	thinnest, thickened = 0.001, 0.01
	// same is how near two things are that are the same one twice.
	same = 0.001
	// maxNamed bounds how many entities a finding names.
	maxNamed = 20
	// maxRounds bounds how often the scene is checked again after repairs on paper.
	maxRounds = 6
)

// check is one run of all checks over a stage.
type check struct {
	ctx      context.Context
	stage    *stage
	kinds    []string      // what is looked for
	bounds   *solid.Bounds // where everything has to be, or nil
	reach    *reach        // what has to be reached, or nil
	trial    *trial        // what is let go, or nil
	only     map[world.ID]bool
	limit    int
	findings []Finding
	more     bool // there may be more than limit
	round    int
	hovers   bool                 // what was to be looked for that would fall, in a world in which nothing does
	told     map[*unit]world.Vec3 // where units are, as of the newest finding that has said so
	aloft    map[*unit]bool       // what hangs in the air in the world as it is
}

// weightless leaves out what is only wrong where things fall.
func (c *check) weightless() {
	all := len(c.kinds)
	c.kinds = slices.DeleteFunc(slices.Clone(c.kinds), func(kind string) bool { return kind == Floating || kind == Unsupported })
	c.hovers = len(c.kinds) < all
}

// run looks for everything until nothing is left, and returns false if the context ended before.
func (c *check) run() bool {
	checks := []struct {
		kind string
		find func()
	}{
		{Degenerate, c.degenerate},
		{Duplicate, c.duplicates},
		{OutOfBounds, c.outOfBounds},
		{BelowGround, c.belowGround},
		{Interpenetrating, c.interpenetrating},
		{Floating, c.floating},
		{Unreachable, c.unreachable},
		{Anchored, c.anchored},
		{Unsupported, c.unsupported},
	}
	for _, u := range c.stage.units {
		u.was = u.at()
	}
	c.aloft = map[*unit]bool{}
	if slices.Contains(c.kinds, Floating) {
		for _, group := range c.adrift() {
			for _, u := range group {
				c.aloft[u] = true
			}
		}
	}
	for c.round = range maxRounds {
		before := len(c.findings)
		for _, k := range checks {
			if slices.Contains(c.kinds, k.kind) && !c.more {
				k.find()
			}
			if c.ctx.Err() != nil || c.trial != nil && c.trial.err != nil {
				return false
			}
		}
		if len(c.findings) == before || c.more {
			break
		}
	}
	return true
}

// concerns reports whether something is to be said of u.
func (c *check) concerns(u *unit) bool {
	if u.exempt || u.gone {
		return false
	}
	return c.only == nil || slices.ContainsFunc(u.ids, c.asked)
}

// asked reports whether it was asked for an entity that has a shape, or for what that is below.
func (c *check) asked(id world.ID) bool {
	return c.only == nil || c.stage.within(id, func(id world.ID) bool { return c.only[id] })
}

// report adds a finding; the units are those that it is about, the one to change first.
func (c *check) report(kind string, amount float64, fix []Op, units []*unit, format string, args ...any) {
	if len(c.findings) == c.limit {
		c.more = true
		return
	}
	ids := make([]world.ID, 0, len(units))
	for _, u := range units[:min(len(units), maxNamed)] {
		ids = append(ids, u.root)
	}
	follows := c.follows(kind, units)
	c.findings = append(c.findings, Finding{
		Repair: c.repaired(units), Follows: follows, Kind: kind, Entities: ids, Amount: shown.Number(min(amount, world.MaxNumber)), Message: fmt.Sprintf(format, args...), Fix: fix,
	})
}

// about has the newest finding name only the first of its units: the others go along.
func (c *check) about(n int) {
	if c.more || len(c.findings) == 0 {
		return
	}
	f := &c.findings[len(c.findings)-1]
	f.Entities = f.Entities[:min(n, len(f.Entities))]
}

// full reports whether no finding fits any more; nothing is repaired then that is not reported.
func (c *check) full() bool {
	if len(c.findings) == c.limit {
		c.more = true
	}
	return c.more || c.ctx.Err() != nil
}

// degenerate finds what has lost a dimension.
func (c *check) degenerate() {
	for _, u := range c.stage.live() {
		if !c.concerns(u) {
			continue
		}
		for _, t := range u.thin {
			if c.full() {
				return
			}
			id := u.ids[t.solid]
			c.stage.grid.remove(u)
			s := &u.solids[t.solid]
			for i := range s.Half {
				s.Half[i] = max(s.Half[i], thickened/2)
			}
			u.rooms[t.solid] = s.Bounds()
			u.bounds = u.bounds.Join(u.rooms[t.solid])
			fix := scaleTo(id, t.scale)
			if i := slices.IndexFunc(u.tops, func(t top) bool { return t.id == id }); i >= 0 && len(fix) > 0 {
				u.tops[i].at.Scale = u.tops[i].space.Scale.Mul(t.scale)
			}
			c.stage.grid.add(u)
			c.report(Degenerate, t.extent, fix, []*unit{u},
				"%v is only %s thick: nobody sees it", id, metres(t.extent))
			c.findings[len(c.findings)-1].Entities = []world.ID{id}
		}
		u.thin = nil
	}
}

// duplicates finds what is there twice: of two that are the same at the same place the younger one.
func (c *check) duplicates() {
	for _, u := range c.stage.live() {
		if !c.concerns(u) {
			continue
		}
		for _, o := range c.stage.grid.near(u.bounds, same) {
			if o.root >= u.root || o.gone || !alike(o, u) {
				continue
			}
			if c.full() {
				return
			}
			c.stage.remove(u)
			c.report(Duplicate, 0, destroy(u), []*unit{u, o}, "%v is the same as %v, at the same place", u, o)
			break
		}
	}
}

// alike reports whether two units have the same solids at the same places.
func alike(a, b *unit) bool {
	if len(a.solids) != len(b.solids) {
		return false
	}
	for i := range a.solids {
		p, q := &a.solids[i], &b.solids[i]
		pb, qb := a.rooms[i], b.rooms[i]
		if p.Kind != q.Kind || p.Center.Dist(q.Center) > same || p.Half.Dist(q.Half) > same || pb.Lo.Dist(qb.Lo) > same || pb.Hi.Dist(qb.Hi) > same {
			return false
		}
	}
	return true
}

// outOfBounds finds what is not where everything has to be; foundations may reach below it.
func (c *check) outOfBounds() {
	if c.bounds == nil {
		return
	}
	for _, u := range c.stage.live() {
		_, amount := inside(u.standing(), *c.bounds)
		if amount <= tolerance || !c.concerns(u) {
			continue
		}
		if c.full() {
			return
		}
		fix, room, note := placeAt, c.room(u), ""
		if k := fitting(u.standing().Size(), room.Size()); k < 1 {
			c.stage.resize(u, k)
			fix, note = placeAndScale, fmt.Sprintf(". It is larger than all that may be: the fix makes it %.2g times as large", k)
		}
		way, _ := inside(u.standing(), room)
		c.stage.move(u, way)
		c.report(OutOfBounds, amount, fix(u), []*unit{u}, "%v reaches %s out of bounds%s", u, metres(amount), note)
	}
}

// room is where u has to be: within bounds and, unless it is a floor, above the ground under it.
func (c *check) room(u *unit) solid.Bounds {
	room, mid := *c.bounds, u.bounds.Center()
	if y, _ := c.stage.ground(mid[0], mid[2]); y > room.Lo[1] && y < room.Hi[1] && !u.floor(y) && slices.Contains(c.kinds, BelowGround) {
		room.Lo[1] = y
	}
	return room
}

// inside returns the least way that brings b into all, and how far b reaches out of it at most.
func inside(b, all solid.Bounds) (way world.Vec3, amount float64) {
	for i := range way {
		low, high := all.Lo[i]-b.Lo[i], b.Hi[i]-all.Hi[i]
		amount = max(amount, low, high)
		switch {
		case low > 0:
			way[i] = low
		case high > 0:
			way[i] = -high
		}
	}
	return way, amount
}

// fitting returns the factor by which size has to shrink to fit into room, 1 if it does.
func fitting(size, room world.Vec3) float64 {
	k := 1.0
	for i := range size {
		if size[i] > room[i] {
			k = min(k, room[i]/size[i])
		}
	}
	return k
}

// belowGround finds what has sunk into the ground, slabs of floor excepted. Into generated ground walls and posts go on purpose, so that
// nothing shows below them on a slope: there it is what has gone in by more than half its height, and is no pile.
func (c *check) belowGround() {
	for _, u := range c.stage.live() {
		depth := c.stage.sunk(u)
		if depth <= tolerance || c.stage.floor(u) || !c.concerns(u) {
			continue
		}
		if c.stage.generated(u) && (depth <= u.bounds.Size()[1]/2 || c.stage.pile(u, depth)) {
			continue
		}
		if c.full() {
			return
		}
		group, ok := []*unit{u}, false
		if depth <= little {
			group, ok = c.raise(u, depth)
		}
		if !ok {
			group = []*unit{u}
			c.stage.move(u, world.Vec3{0, depth, 0})
		}
		c.report(BelowGround, depth, placeAll(group), group, "%v reaches %s below the ground", u, metres(depth))
		c.about(1)
	}
}
