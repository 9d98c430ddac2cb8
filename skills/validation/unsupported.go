package validation

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// What a trial in a physics engine is bounded by, and what counts as having moved in it.
const (
	maxLoose   = 1000 // things that may fall
	restWithin = 30   // seconds after which what still moves is not waited for
	strayed    = 0.05 // metres
	leant      = 5.0  // degrees
	begun      = 0.01 // metres: it has begun to move
	around     = 100  // metres of ground around the scene
)

// trial is what the check unsupported needs of the world beside its stage.
type trial struct {
	physics *physics.Physics
	seconds float64
	rate    int // steps in a second
	err     error
}

// loose is a unit in a trial, and how it fares.
type loose struct {
	u           *unit
	from, to    pose
	after       pose // the seconds that were asked for
	began       int  // step; 0: never
	dist, tilt  float64
	stillMoving bool
}

type pose struct {
	at   world.Vec3
	turn world.Quat
}

// unsupported finds what does not stay where it is if everything in the scene is let go, in a physics
// engine of its own. What has a static body, or consists of several parts, holds; so do ellipsoids, which
// an engine has no form for.
func (c *check) unsupported() {
	if c.full() {
		return
	}
	t := c.trial
	e, err := t.physics.Apart(c.ctx)
	if err == nil {
		var list []*loose
		list, err = c.letGo(e)
		err = errors.Join(err, e.Close())
		if err == nil {
			c.fallen(list)
		}
	}
	if errors.Is(err, physics.ErrStill) {
		err = registry.Failf("physics: bodies do not move on this server, so what would fall is not known; leave physics out")
	}
	t.err = err
}

// letGo makes the scene in an engine and lets time pass in it. It returns what may fall, in id order.
func (c *check) letGo(e physics.Engine) ([]*loose, error) {
	byHandle := map[physics.Handle]*loose{}
	var list []*loose
	all := solid.Nothing()
	for _, u := range c.stage.units {
		if u.gone || u.walks {
			continue
		}
		all = all.Join(u.bounds)
		free := u.mayFall()
		for i := range u.solids {
			b := physics.Body{Form: form(&u.solids[i]), Position: u.solids[i].Center, Rotation: u.turns[i], Friction: 0.5}
			if free {
				b.Kind = physics.Dynamic
			}
			h, err := e.Add(&b)
			if err != nil {
				return nil, fmt.Errorf("unsupported: %w", err)
			}
			if free {
				at := pose{b.Position, b.Rotation}
				l := &loose{u: u, from: at, to: at, after: at}
				byHandle[h], list = l, append(list, l)
			}
		}
		if len(list) > maxLoose {
			return nil, registry.Errorf(registry.CodeCapacityExceeded, "physics: at most %d things may be let go at once, these are more; give some of them in entities, or leave physics out", maxLoose)
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	if _, err := e.Add(ground(all)); err != nil {
		return nil, fmt.Errorf("unsupported: %w", err)
	}
	return list, c.pass(e, byHandle)
}

// ground is y = 0, wide enough for whatever rolls away.
func ground(all solid.Bounds) *physics.Body {
	at, size := all.Center(), all.Size()
	at[1] = -around / 2.0
	return &physics.Body{
		Form:     physics.Form{Kind: physics.Box, Half: world.Vec3{size[0]/2 + around, around / 2.0, size[2]/2 + around}},
		Position: at, Rotation: world.NoRotation(), Friction: 0.5,
	}
}

// form returns what a solid collides as.
func form(s *solid.Solid) physics.Form {
	switch s.Kind {
	case solid.Ball:
		return physics.Form{Kind: physics.Ball, Radius: s.Half[0]}
	case solid.Capsule:
		return physics.Form{Kind: physics.Capsule, Radius: s.Half[0], HalfHeight: s.Half[1] - s.Half[0]}
	default:
		return physics.Form{Kind: physics.Box, Half: s.Half}
	}
}

// mayFall reports whether a unit is let go.
func (u *unit) mayFall() bool {
	if u.exempt || u.fixed || len(u.solids) != 1 {
		return false
	}
	h := u.solids[0].Half
	return u.solids[0].Kind != solid.Ball || h[0] == h[1] && h[1] == h[2]
}

// pass lets the seconds pass, and then more until everything rests.
func (c *check) pass(e physics.Engine, byHandle map[physics.Handle]*loose) error {
	asked := int(math.Ceil(c.trial.seconds * float64(c.trial.rate)))
	last := asked + restWithin*c.trial.rate
	var states []physics.State
	for step := 1; step <= last; step++ {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		if err := e.Step(); err != nil {
			return fmt.Errorf("unsupported: %w", err)
		}
		var err error
		if states, err = e.Awake(states[:0]); err != nil {
			return fmt.Errorf("unsupported: %w", err)
		}
		for i := range states {
			s := &states[i]
			l := byHandle[s.Handle]
			if l == nil {
				continue
			}
			l.to, l.stillMoving = pose{s.Position, s.Rotation}, step == last
			if l.began == 0 && s.Position.Dist(l.from.at) > begun {
				l.began = step
			}
		}
		if step <= asked {
			for i := range states {
				if l := byHandle[states[i].Handle]; l != nil {
					l.after = l.to
				}
			}
		}
		if len(states) == 0 {
			break
		}
	}
	return nil
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
			first.u.root, c.trial.seconds, metres(first.dist), first.tilt)
		if n := len(group) - 1; n > 0 {
			what += fmt.Sprintf(", and %d more move with it", n)
		}
		if rests {
			for _, l := range group {
				c.stage.put(l.u, l.from, l.to)
				fix = append(fix, placeAndTurn(l.u))
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
				if !in[o] && between(group[i].u, o.u).Gap <= tolerance {
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

// put moves a unit of one solid as a body has moved, on paper.
func (s *stage) put(u *unit, from, to pose) {
	s.grid.remove(u)
	turn := to.turn.Mul(from.turn.Conj())
	u.at = to.at.Add(turn.Rotate(u.at.Sub(from.at)))
	if unit, ok := turn.Mul(u.turn).Unit(); ok {
		u.turn = unit
	}
	p := &u.solids[0]
	p.Center = to.at
	for i := range p.Axes {
		p.Axes[i] = turn.Rotate(p.Axes[i])
	}
	u.turns[0] = to.turn
	u.rooms[0] = p.Bounds()
	u.bounds = u.rooms[0]
	s.grid.add(u)
}

// placeAndTurn is placeAt for a unit that was turned.
func placeAndTurn(u *unit) Op {
	return op("three.setTransform", struct {
		Entity   world.ID   `json:"entity"`
		Position world.Vec3 `json:"position"`
		Euler    world.Vec3 `json:"rotationEuler"`
	}{u.root, u.at, euler(u.turn)})
}

// euler returns the angles about x, y, z, in the order XYZ, that make a rotation of length 1: those of
// its matrix, as three.js takes them from it.
func euler(q world.Quat) world.Vec3 {
	x, y, z := q.Rotate(world.Vec3{1, 0, 0}), q.Rotate(world.Vec3{0, 1, 0}), q.Rotate(world.Vec3{0, 0, 1})
	sin := min(1, max(-1, z[0]))
	if math.Abs(sin) < 0.9999999 {
		return world.Vec3{math.Atan2(-z[1], z[2]), math.Asin(sin), math.Atan2(-y[0], x[0])}
	}
	return world.Vec3{math.Atan2(y[2], y[1]), math.Asin(sin), 0}
}
