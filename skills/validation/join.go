package validation

import (
	"cmp"
	"math"
	"slices"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// What is built of beams, posts, boards and walls is in each other where these are joined: a rib in its wall, a beam in its posts, a chimney in the roof. To part them for a few
// centimetres tears the building apart, and what they held comes down after them. So it is declared, by a tag, that they are joined.

// member is a part of a building as one is made of them: a rod, such as a beam, a post or a rib, or a plate, such as a wall, a board or a roof.
type member struct {
	plate bool
	axis  world.Vec3 // along which a rod is, or across which a plate is
}

// memberOf returns what a solid is as a part of a building, and whether it is one.
func memberOf(s *solid.Solid) (m member, ok bool) {
	const flat, long, high = 5, 4, 3 // times as wide as thick, as long as wide, as high as wide if it stands
	if s.Kind == solid.Ball || s.Kind == solid.Field {
		return m, false
	}
	order := [3]int{0, 1, 2}
	slices.SortStableFunc(order[:], func(i, j int) int { return cmp.Compare(s.Half[j], s.Half[i]) })
	a, b, c := s.Half[order[0]], s.Half[order[1]], s.Half[order[2]]
	along := s.Axes[order[0]]
	switch {
	case b >= flat*c:
		return member{true, s.Axes[order[2]]}, true
	case a >= long*b || a >= high*b && math.Abs(along[1]) > 0.9:
		return member{false, along}, true
	}
	return m, false
}

// builds reports whether a unit can be a part of something that was built: it stays where it is, unless somebody moves it.
func (u *unit) builds() bool { return !u.dynamic && !u.falls && !u.walks && !u.grown }

// jointOf returns the parts by which two units are in each other if that is a joint: the smaller one is a single rod or plate, and what of the other it is in are such, too, which go
// another way. Floors that overlap on one level, or planks side by side, are none.
func jointOf(u, other *unit) (a, b member, ok bool) {
	if !u.builds() || !other.builds() {
		return a, b, false
	}
	if len(u.solids) > 1 {
		u, other = other, u
	}
	if len(u.solids) > 1 {
		return a, b, false
	}
	const oneWay = 0.95 // of the cosine
	p := &u.solids[0]
	if a, ok = memberOf(p); !ok {
		return a, b, false
	}
	some := false
	for i := range other.solids {
		q := &other.solids[i]
		if !other.rooms[i].Near(u.rooms[0], 0) || solid.Between(*p, *q).Gap >= -tolerance {
			continue
		}
		if b, some = memberOf(q); !some || a.plate == b.plate && math.Abs(a.axis.Dot(b.axis)) > oneWay {
			return a, b, false
		}
	}
	return a, b, some
}

// lies reports whether of two members one only lies or stands on the other, a little too deep, as a post on a floor does, or a roof on its posts: it is to be raised by that.
func lies(a, b member, contact solid.Contact) bool {
	level := func(m member) bool { return m.plate && math.Abs(m.axis[1]) > 0.9 }
	return -contact.Gap <= little && math.Abs(contact.Normal[1]) > 0.7 && (level(a) || level(b))
}

// declares is the skill that gives an entity a tag.
const declares = "ecs.addComponent"

// declare says of two units, on paper, that they are joined, and returns what says so in the world.
func (s *stage) declare(units ...*unit) (fix []Op) {
	const each = 8 // tops of a part of a group; of more it is said of all the group
	tag := func(id world.ID) {
		fix = append(fix, op(declares, struct {
			Entity    world.ID `json:"entity"`
			Component string   `json:"component"`
		}{id, solid.Joined}))
	}
	for _, u := range units {
		switch {
		case u.joined:
		case u.group != 0 && len(u.tops) > each:
			tag(u.group)
			for _, o := range s.units {
				o.joined = o.joined || o.group == u.group
			}
		default:
			u.joined = true
			for i := range u.tops {
				tag(u.tops[i].id)
			}
		}
	}
	return fix
}

// declared has the newest finding say what its fix declares.
func (c *check) declared() {
	if c.more || len(c.findings) == 0 {
		return
	}
	f := &c.findings[len(c.findings)-1]
	f.Repair = "they have the tag " + solid.Joined + ": what has it may be in what has it, too"
}

// keep returns what puts a unit back as it is now, on paper.
func (s *stage) keep(u *unit) func() {
	was := *u
	was.tops, was.solids, was.turns, was.rooms = slices.Clone(u.tops), slices.Clone(u.solids), slices.Clone(u.turns), slices.Clone(u.rooms)
	return func() {
		s.grid.remove(u)
		u.tops, u.solids, u.turns, u.rooms, u.bounds = was.tops, was.solids, was.turns, was.rooms, was.bounds
		s.grid.add(u)
	}
}

// fuse makes one unit of those that are joined and touch each other: they are let go as one. Who stands fast holds the others.
func (s *stage) fuse() {
	var list []*unit
	for _, u := range s.units {
		if u.joined && !u.gone && u.builds() && !u.exempt {
			list = append(list, u)
		}
	}
	gone := map[*unit]bool{}
	for _, u := range list {
		if gone[u] {
			continue
		}
		group := []*unit{u}
		gone[u] = true
		for i := 0; i < len(group); i++ {
			for _, o := range s.grid.near(group[i].bounds, tolerance) {
				if o.joined && !o.gone && !gone[o] && o.builds() && !o.exempt && touching(o, group[i]) {
					gone[o] = true
					group = append(group, o)
				}
			}
		}
		gone[u] = false
		for _, o := range group[1:] {
			s.grid.remove(o)
		}
		s.grid.remove(u)
		for _, o := range group[1:] {
			u.add(o)
		}
		s.grid.add(u)
	}
	s.units = slices.DeleteFunc(s.units, func(u *unit) bool { return gone[u] })
}

// add makes another unit a part of u.
func (u *unit) add(o *unit) {
	u.tops, u.ids, u.solids, u.turns = append(u.tops, o.tops...), append(u.ids, o.ids...), append(u.solids, o.solids...), append(u.turns, o.turns...)
	u.rooms, u.bodies, u.dug = append(u.rooms, o.rooms...), append(u.bodies, o.bodies...), append(u.dug, o.dug...)
	u.bounds = u.bounds.Join(o.bounds)
	u.weighed, u.mass = u.weighed+o.weighed, u.mass+o.mass
	u.fixed, u.hung, u.hangs = u.fixed || o.fixed, u.hung || o.hung, u.hangs || o.hangs
	u.lamp = u.lamp || o.lamp
}
