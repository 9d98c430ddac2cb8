package validation

import (
	"context"
	"slices"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// unit is what moves together: an entity without a parent, and everything below it that has a shape. What is below an entity that is nothing but a
// group is one only as far as its parts touch each other: a group of three houses is three units.
type unit struct {
	was world.Vec3 // where it is in the world as it is

	root    world.ID // by which it is named: the first of the tops
	group   world.ID // of which it is a part, 0 if it is all there is below its root
	tops    []top
	ids     []world.ID // of the solids
	solids  []solid.Solid
	turns   []world.Quat   // of each solid
	rooms   []solid.Bounds // of each solid
	bodies  []world.ID     // with which each solid moves, 0: none
	dug     []bool         // of each solid, whether it is a foundation
	bounds  solid.Bounds
	thin    []thin        // of the solids
	weighed int           // how many of the solids have a body that was given a mass
	mass    float64       // of those
	grip    world.Body    // how the first of the bodies slides and bounces
	dynamic bool          // a body of it falls by itself
	fixed   bool          // a body of it never does
	hung    bool          // it hangs by a joint, or something hangs on it: its weight is not borne from below alone
	hangs   bool          // … on a place, or on what cannot be seen and stays
	ties    []*unit       // what it is held together with by joints
	meets   map[pair]bool // of its bodies and those of others: they are in each other because a joint has them meet
	walks   bool          // it is an agent's body
	grown   bool          // it was scattered, as the plants of a wood are
	joined  bool          // it is built into others, and may be in those that are, too
	falls   bool          // it is a character, which falls by itself and stands a finger's breadth above the ground
	lamp    bool          // a part of it shines
	exempt  bool          // nothing is to be said of it
	gone    bool          // a repair has taken it away
	seen    uint64        // by which question of the grid
}

// thin is a solid that has lost a dimension.
type thin struct {
	solid  int     // its place in the unit
	extent float64 // what it has left
	scale  world.Vec3
}

// stage is the copy of a scene that is checked and, on paper, repaired.
type stage struct {
	units   []*unit               // in id order
	parents map[world.ID]world.ID // of what has a shape, and of their parents
	grid    grid
	grounds []piece
	waters  world.Pools
	bare    bool // there is no level ground, by the sky of the world
	anchors []anchor

	above    map[world.ID]above
	spared   map[world.ID]bool    // what has a tag of what is meant to be as it is
	built    map[world.ID]bool    // what has the tag of what is built into others
	joints   []held               // in id order
	families map[world.ID]*family // by their roots; nil when they are units
}

// piece is a piece of generated ground. Nothing is to be said of it.
type piece struct {
	id    world.ID
	solid solid.Solid
	room  solid.Bounds
}

// survey copies what has a shape, as it stands; [stage.sort] makes units of that, for which nobody has to wait. Bodies of agents are left out, and
// what goes by itself: they walk.
func survey(w *world.World, v *world.View, a *agents.Agents, p *physics.Physics, moves *Movers, except []string) *stage {
	s := &stage{parents: map[world.ID]world.ID{}, above: map[world.ID]above{}, spared: map[world.ID]bool{}, built: map[world.ID]bool{}, families: map[world.ID]*family{}}
	for _, tag := range except {
		for _, id := range v.Tagged(tag) {
			s.spared[id] = true
		}
	}
	for _, id := range v.Tagged(solid.Joined) {
		s.built[id] = true
	}
	for id := range v.All() {
		shape, ok := solid.Of(w, v, id)
		if !ok {
			continue
		}
		if shape.Kind == solid.Field {
			s.grounds = append(s.grounds, piece{id, shape, shape.Bounds()})
			continue
		}
		root := s.climb(w, v, id)
		for up := range v.Up(id) {
			if moves.follows(v, up) { // it is what it is, whatever group it is in
				root = up
			}
		}
		f := s.families[root]
		if f == nil {
			_, walks := a.Agent(v, root)
			f = &family{grown: v.HasTag(root, solid.Scattered), walks: walks || moves.follows(v, root), falls: p.Moves() && p.Walks(v, root)}
			s.families[root] = f
		}
		f.parts = append(f.parts, partOf(w, v, id, shape))
	}
	s.waters, s.bare = w.Pools(v), w.Environment.Sky.Get(v).Bare
	s.anchor(w, v, moves)
	if p.Moves() {
		s.noteJoints(w, v, p)
	}
	return s
}

// family is what has a shape and is below one root, or is that.
type family struct {
	parts []part
	grown bool // it was scattered
	walks bool // it is an agent's body, or goes by itself
	falls bool // it is a character
}

// above is an entity that something with a shape is below.
type above struct {
	at    world.Transform // in the world
	whole bool            // it has a shape or a body: what is below it moves with it
}

// sort makes units of what was surveyed, unless the context ends before.
func (s *stage) sort(ctx context.Context) error {
	for root, f := range s.families {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for _, u := range s.split(ctx, root, f.parts, f.walks || f.falls) {
			u.walks, u.falls, u.grown = f.walks, f.falls, f.grown
			u.exempt = f.walks || slices.ContainsFunc(u.tops, func(t top) bool { return s.has(s.spared, t.id) })
			u.joined = slices.ContainsFunc(u.tops, func(t top) bool { return s.has(s.built, t.id) })
			s.units = append(s.units, u)
		}
	}
	s.families = nil
	slices.SortFunc(s.units, func(a, b *unit) int { return int(a.root) - int(b.root) })
	s.hang()
	for _, u := range s.units {
		s.grid.add(u)
	}
	return ctx.Err()
}

// thicken returns the scale with which no extent is less than thickened.
func thicken(scale, size, half world.Vec3) world.Vec3 {
	for i := range scale {
		switch extent := 2 * half[i]; {
		case extent >= thinnest:
		case extent > 0:
			scale[i] *= thickened / extent
		case size[i] > 0:
			scale[i] = thickened / size[i]
		}
	}
	return scale
}

// climb notes what an entity is below, and returns the last of those.
func (s *stage) climb(w *world.World, v *world.View, id world.ID) (root world.ID) {
	for {
		parent := v.Parent(id)
		if parent == 0 {
			return id
		}
		s.parents[id] = parent
		if _, known := s.above[parent]; !known {
			at, _ := v.WorldTransform(parent)
			s.above[parent] = above{at, w.Shapes.Has(v, parent) || w.Bodies.Has(v, parent)}
		}
		id = parent
	}
}

// within reports whether is holds of an entity that has a shape or is above one, or of what that is below.
func (s *stage) within(id world.ID, is func(world.ID) bool) bool {
	for ; id != 0; id = s.parents[id] {
		if is(id) {
			return true
		}
	}
	return false
}

// has reports whether an entity that has a shape or is above one, or what that is below, is among those that have a tag.
func (s *stage) has(tagged map[world.ID]bool, id world.ID) bool {
	return len(tagged) > 0 && s.within(id, func(id world.ID) bool { return tagged[id] })
}

// move moves a unit, on paper.
func (s *stage) move(u *unit, d world.Vec3) {
	s.grid.remove(u)
	for i := range u.tops {
		u.tops[i].at.Position = u.tops[i].at.Position.Add(d)
	}
	u.bounds = u.bounds.Moved(d)
	for i := range u.solids {
		u.solids[i], u.rooms[i] = u.solids[i].Moved(d), u.rooms[i].Moved(d)
	}
	s.grid.add(u)
}

// resize scales a unit about where it is, on paper.
func (s *stage) resize(u *unit, k float64) {
	s.grid.remove(u)
	at := u.at()
	scaled := func(p world.Vec3) world.Vec3 { return at.Add(p.Sub(at).Scale(k)) }
	for i := range u.tops {
		t := &u.tops[i].at
		t.Position, t.Scale = scaled(t.Position), t.Scale.Scale(k)
	}
	for i := range u.solids {
		p := &u.solids[i]
		*p = p.Scaled(k)
		p.Center = scaled(p.Center)
	}
	u.rebound()
	s.grid.add(u)
}

// rebound works out the bounds of a unit anew, from its solids.
func (u *unit) rebound() {
	u.bounds = solid.Nothing()
	for i := range u.solids {
		u.rooms[i] = u.solids[i].Bounds()
		u.bounds = u.bounds.Join(u.rooms[i])
	}
}

// remove takes a unit away, on paper.
func (s *stage) remove(u *unit) {
	s.grid.remove(u)
	u.gone = true
}

// live returns the units that are there and of which something may be said, in id order.
func (s *stage) live() []*unit {
	var list []*unit
	for _, u := range s.units {
		if !u.gone && !u.exempt {
			list = append(list, u)
		}
	}
	return list
}

// between returns how b is to a: of all pairs of their solids the one with the least gap, but for those that a joint has meet.
func between(a, b *unit) solid.Contact {
	best, first := solid.Contact{}, true
	for i := range a.solids {
		for j := range b.solids {
			if a.meets[pair{a.bodies[i], b.bodies[j]}] {
				continue
			}
			if c := solid.Between(a.solids[i], b.solids[j]); first || c.Gap < best.Gap {
				best, first = c, false
			}
		}
	}
	return best
}

// touching reports whether some solid of a is at one of b, or in it.
func touching(a, b *unit) bool {
	for i := range a.solids {
		for j := range b.solids {
			if solid.Within(a.solids[i], b.solids[j], tolerance) {
				return true
			}
		}
	}
	return false
}

// standing is the bounds of a unit without how far its foundations reach down below the rest of it; if there is no rest, how far they reach up.
func (u *unit) standing() solid.Bounds {
	b := u.bounds
	b.Lo[1] = b.Hi[1]
	for i, room := range u.rooms {
		if !u.dug[i] {
			b.Lo[1] = min(b.Lo[1], room.Lo[1])
		}
	}
	return b
}

// floor reports whether a unit is a slab of floor: wide and flat, at the level of the ground under its middle.
func (s *stage) floor(u *unit) bool {
	mid := u.bounds.Center()
	y, _ := s.ground(mid[0], mid[2])
	return u.floor(y)
}

// floor reports whether a unit is a slab of floor: wide and flat, at the level of ground that is so high.
func (u *unit) floor(ground float64) bool {
	size := u.bounds.Size()
	return size[1]*4 <= min(size[0], size[2]) && u.bounds.Hi[1] >= ground-tolerance && u.bounds.Lo[1]+size[1]/2 <= ground+tolerance
}

// volume of the bounds: of two things that are in each other the smaller one is moved.
func (u *unit) volume() float64 {
	size := u.bounds.Size()
	return float64(float64(size[0]*size[1]) * size[2])
}
