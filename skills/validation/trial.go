package validation

import (
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

	usualFriction = 0.5  // of what has no body
	lightest      = 1e-6 // kg: an engine cannot do with much less
	heaviest      = 1e5  // kg a cubic metre
)

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

// letGo makes the scene in an engine and lets time pass in it. It returns what may fall, in id order.
func (c *check) letGo(e physics.Engine) ([]*loose, error) {
	byHandle := map[physics.Handle]*loose{}
	var list []*loose
	all := solid.Nothing()
	dense := c.stage.densest()
	for _, u := range c.stage.units {
		if u.gone || u.walks {
			continue
		}
		all = all.Join(u.bounds)
		if !u.mayFall() {
			for i := range u.solids {
				b := physics.Body{
					Form: form(&u.solids[i], u.turns[i]), Position: u.solids[i].Center, Rotation: u.turns[i], Friction: u.grip.Friction, Restitution: u.grip.Restitution,
				}
				if _, err := e.Add(&b); err != nil {
					return nil, fmt.Errorf("unsupported: %w", err)
				}
			}
			continue
		}
		b := u.body(dense)
		h, err := e.Add(&b)
		if err != nil {
			return nil, fmt.Errorf("unsupported: %w", err)
		}
		at := pose{b.Position, b.Rotation}
		l := &loose{u: u, from: at, to: at, after: at}
		byHandle[h], list = l, append(list, l)
		if len(list) > maxLoose {
			return nil, registry.Errorf(registry.CodeCapacityExceeded, "physics: at most %d things may be let go at once, these are more; give some of them in entities, or leave physics out", maxLoose)
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	for _, ground := range [...][]physics.Body{c.trial.grounds, level(all, c.stage.grounds)} {
		for i := range ground {
			if _, err := e.Add(&ground[i]); err != nil {
				return nil, fmt.Errorf("unsupported: %w", err)
			}
		}
	}
	return list, c.pass(e, byHandle)
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

// level returns the level ground, y = 0, wide enough for whatever rolls away. Where generated ground
// reaches below it there is none.
func level(all solid.Bounds, grounds []piece) []physics.Body {
	areas := []solid.Bounds{{
		Lo: world.Vec3{all.Lo[0] - around, -around, all.Lo[2] - around},
		Hi: world.Vec3{all.Hi[0] + around, 0, all.Hi[2] + around},
	}}
	for i := range grounds {
		if room := grounds[i].room; room.Lo[1] < 0 {
			areas = beside(areas, room)
		}
	}
	list := make([]physics.Body, len(areas))
	for i, a := range areas {
		list[i] = physics.Body{Form: physics.Form{Kind: physics.Box, Half: a.Size().Scale(0.5)}, Position: a.Center(), Rotation: world.NoRotation(), Friction: 0.5}
	}
	return list
}

// beside returns what is left of areas where a room is neither over nor under them.
func beside(areas []solid.Bounds, room solid.Bounds) (left []solid.Bounds) {
	for _, a := range areas {
		if aside(a, room) {
			left = append(left, a)
			continue
		}
		for _, axis := range [...]int{0, 2} {
			if room.Lo[axis] > a.Lo[axis] {
				part := a
				part.Hi[axis], a.Lo[axis] = room.Lo[axis], room.Lo[axis]
				left = append(left, part)
			}
			if room.Hi[axis] < a.Hi[axis] {
				part := a
				part.Lo[axis], a.Hi[axis] = room.Hi[axis], room.Hi[axis]
				left = append(left, part)
			}
		}
	}
	return left
}

// aside reports whether one is nowhere over or under the other.
func aside(a, b solid.Bounds) bool {
	for _, axis := range [...]int{0, 2} {
		if a.Lo[axis] >= b.Hi[axis] || a.Hi[axis] <= b.Lo[axis] {
			return true
		}
	}
	return false
}

// form returns what a solid that is turned so collides as.
func form(s *solid.Solid, turn world.Quat) physics.Form {
	if m, scale := s.Form(); m != nil {
		return physics.ModelForm(m, scale)
	}
	switch s.Kind {
	case solid.Ball:
		return physics.Form{Kind: physics.Ball, Radius: s.Half[0]}
	case solid.Capsule:
		return physics.Form{Kind: physics.Capsule, Radius: s.Half[0], HalfHeight: s.Half[1] - s.Half[0]}
	case solid.Cylinder:
		return physics.Form{Kind: physics.Cylinder, Radius: s.Half[0], HalfHeight: s.Half[1]}
	case solid.Wedge:
		size := s.Half.Scale(2)
		for i, a := range s.Axes { // of one that is mirrored they are not those of its rotation
			var own world.Vec3
			own[i] = 1
			size[i] = math.Copysign(size[i], a.Dot(turn.Rotate(own)))
		}
		return physics.NewForm("wedge", size)
	case solid.Cone:
		return physics.Form{Kind: physics.Cone, Radius: s.Half[0], HalfHeight: s.Half[1]}
	default:
		return physics.Form{Kind: physics.Box, Half: s.Half}
	}
}

// mayFall reports whether a unit is let go.
func (u *unit) mayFall() bool {
	return !u.exempt && !u.fixed && !u.hung && !slices.ContainsFunc(u.solids, func(s solid.Solid) bool { return s.Uneven() })
}

// body returns a unit that is let go: one body, where its first solid is. It is as heavy as its parts have been said to be, if that is
// said of all, else by its volume: what has no body is as dense as the densest thing, because much on little does not rest in an engine.
func (u *unit) body(dense float64) physics.Body {
	first, back := u.solids[0].Center, u.turns[0].Conj()
	b := physics.Body{
		Kind: physics.Dynamic, Form: form(&u.solids[0], u.turns[0]), Position: first, Rotation: u.turns[0], Friction: u.grip.Friction, Restitution: u.grip.Restitution,
	}
	switch {
	case u.weighed == len(u.solids):
		b.Mass = max(u.mass, lightest)
	case !u.dynamic:
		b.Mass = max(u.room()*dense, lightest)
	}
	for i := 1; i < len(u.solids); i++ {
		b.Parts = append(b.Parts, physics.Part{
			Form: form(&u.solids[i], u.turns[i]), Position: back.Rotate(u.solids[i].Center.Sub(first)), Rotation: back.Mul(u.turns[i]),
		})
	}
	return b
}

// room returns the volume of a unit's solids, of each the box around it.
func (u *unit) room() (volume float64) {
	for i := range u.solids {
		h := u.solids[i].Half
		volume += float64(float64(8*h[0]*h[1]) * h[2])
	}
	return volume
}

// densest returns how many kg a cubic metre has of what may fall and was given a mass, at most; 1 if that is less.
func (s *stage) densest() float64 {
	dense := 1.0
	for _, u := range s.units {
		if room := u.room(); !u.gone && u.weighed == len(u.solids) && u.mayFall() && room > 0 {
			dense = max(dense, u.mass/room)
		}
	}
	return min(dense, heaviest)
}
