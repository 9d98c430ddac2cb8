package validation

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/angle"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// trial is what the check unsupported needs of the world beside its stage.
type trial struct {
	physics *physics.Physics
	seconds float64
	rate    int            // steps in a second
	gravity float64        // of the world
	grounds []physics.Body // generated
	err     error
}

// survey copies the generated ground. A nil trial needs none.
func (t *trial) survey(v *world.View, s *stage) {
	if t == nil {
		return
	}
	if t.physics.Moves() {
		t.gravity = t.physics.Gravity(v)
	}
	for i := range s.grounds {
		if b, ok := t.physics.Tile(v, s.grounds[i].id); ok {
			t.grounds = append(t.grounds, b)
		}
	}
}

// unsupported finds what does not stay where it is if everything in the scene is let go, in a physics
// engine of its own. What consists of several parts is one body. What has a static body holds; so does what has an ellipsoid, which
// an engine has no form for.
func (c *check) unsupported() {
	if c.full() {
		return
	}
	c.stage.fuse()
	t := c.trial
	e, err := t.physics.Apart(c.ctx, t.gravity)
	if err == nil {
		var list []*loose
		list, err = c.letGo(e)
		err = errors.Join(err, e.Close())
		if err == nil {
			c.fallen(list)
			c.bottomless()
		}
	}
	if errors.Is(err, physics.ErrStill) {
		err = registry.Failf("physics: bodies do not move on this server, so what would fall is not known; leave physics out")
	}
	t.err = err
}

// fallen reports what has moved: what touches goes into one finding, what moved first in front.
func (c *check) fallen(list []*loose) {
	var moved []*loose
	for _, l := range list {
		l.dist, l.tilt = l.after.at.Dist(l.from.at), tilt(l.from.turn, l.after.turn)
		if l.dist > strayed || l.tilt > leant {
			moved = append(moved, l)
		}
	}
	for _, group := range together(moved) {
		slices.SortStableFunc(group, func(a, b *loose) int {
			return cmp.Or(cmp.Compare(a.began, b.began), cmp.Compare(a.u.bounds.Lo[1], b.u.bounds.Lo[1]))
		})
		if !slices.ContainsFunc(group, func(l *loose) bool { return c.concerns(l.u) }) {
			continue
		}
		if c.full() {
			return
		}
		var units []*unit
		var fix []Op
		rests := true
		for _, l := range group {
			units = append(units, l.u)
			rests = rests && !l.stillMoving
		}
		first := group[0]
		what := fmt.Sprintf("%v does not stay where it is: in %g seconds it moves %s and leans by %.0f degrees",
			first.u, c.trial.seconds, metres(first.dist), first.tilt)
		if n := len(group) - 1; n > 0 {
			what += fmt.Sprintf(", and %d more move with it", n)
		}
		if rests {
			for _, l := range group {
				c.stage.put(l.u, l.from, l.to)
				fix = append(fix, placeAndTurn(l.u)...)
			}
			what += ". The fix puts it where it comes to rest; else hold it from below, or give it a static body"
		} else {
			what += ". It does not come to rest: hold it, or give it a static body"
			for _, l := range group {
				l.u.exempt = true // it is said
			}
		}
		c.report(Unsupported, first.dist, fix, units, "%s", what)
	}
}

// together returns the groups of what touches, in id order of their first.
func together(moved []*loose) (groups [][]*loose) {
	in := map[*loose]bool{}
	for _, l := range moved {
		if in[l] {
			continue
		}
		group := []*loose{l}
		in[l] = true
		for i := 0; i < len(group); i++ {
			for _, o := range moved {
				if !in[o] && touching(group[i].u, o.u) {
					in[o] = true
					group = append(group, o)
				}
			}
		}
		groups = append(groups, group)
	}
	return groups
}

// tilt returns by how many degrees a rotation differs from another, but for turning about the vertical.
func tilt(a, b world.Quat) float64 {
	up := world.Vec3{0, 1, 0}
	turned := b.Mul(a.Conj()).Rotate(up)
	return math.Acos(min(1, max(-1, turned[1]))) * 180 / math.Pi
}

// put moves a unit as a body has moved, on paper.
func (s *stage) put(u *unit, from, to pose) {
	s.grid.remove(u)
	turn := to.turn.Mul(from.turn.Conj())
	moved := func(at world.Vec3) world.Vec3 { return to.at.Add(turn.Rotate(at.Sub(from.at))) }
	turned := func(q world.Quat) world.Quat {
		if unit, ok := turn.Mul(q).Unit(); ok {
			return unit
		}
		return q
	}
	for i := range u.tops {
		t := &u.tops[i].at
		t.Position, t.Rotation = moved(t.Position), turned(t.Rotation)
	}
	for i := range u.solids {
		p := &u.solids[i]
		p.Center, u.turns[i] = moved(p.Center), turned(u.turns[i])
		for k := range p.Axes {
			p.Axes[k] = turn.Rotate(p.Axes[k])
		}
	}
	u.rebound()
	s.grid.add(u)
}

// placeAndTurn is placeAt for a unit that was turned.
func placeAndTurn(u *unit) []Op {
	return u.place(func(id world.ID, t world.Transform) []Op {
		return transform(struct {
			Entity   world.ID   `json:"entity"`
			Position world.Vec3 `json:"position"`
			Euler    world.Vec3 `json:"rotationEuler"`
		}{id, t.Position, angle.Euler(t.Rotation)}, t.Position)
	})
}
