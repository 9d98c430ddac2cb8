package validation

import (
	"cmp"
	"context"
	"slices"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// part is an entity that has a shape.
type part struct {
	id    world.ID
	solid solid.Solid
	at    world.Transform // in the world
	room  solid.Bounds
	body  world.ID // with which it moves, 0: none
	thin  *thin
	lamp  bool
	dug   bool        // it is a foundation
	own   *world.Body // nil if it has none of its own
}

func partOf(w *world.World, v *world.View, id world.ID, shape solid.Solid) part {
	at, _ := v.WorldTransform(id)
	p := part{id: id, solid: shape, at: at, room: shape.Bounds(), body: bodyOf(w, v, id), lamp: w.Lights.Has(v, id), dug: v.HasTag(id, solid.Foundation)}
	if extent := 2 * min(shape.Half[0], shape.Half[1], shape.Half[2]); extent < thinnest {
		t, _ := v.Transform(id)
		look, _ := w.Shapes.Get(v, id)
		p.thin = &thin{extent: extent, scale: thicken(t.Scale, look.Size, shape.Half)}
	}
	if b, ok := w.Bodies.Get(v, id); ok {
		p.own = &b
	}
	return p
}

// top is an entity of a unit that is moved in order to move the unit.
type top struct {
	id    world.ID
	at    world.Transform // in the world, on paper
	below bool            // it has a parent
	space world.Transform // … whose space this is
}

// topOf returns the top that an entity is which has a part below it, or is that.
func (s *stage) topOf(id world.ID, p *part) top {
	t := top{id: id, at: p.at, space: world.Identity()}
	if id != p.id {
		t.at = s.above[id].at
	}
	if parent := s.parents[id]; parent != 0 {
		t.below = true
		t.space = s.above[parent].at
	}
	return t
}

// local is the transform that its entity has to have in order to be where it is on paper, and false if its parent is flat, so that there is none.
func (t *top) local() (world.Transform, bool) {
	if !t.below {
		return t.at, true
	}
	return t.space.Relative(t.at), !slices.Contains(t.space.Scale[:], 0)
}

// at is where a unit is: where the first of its tops is.
func (u *unit) at() world.Vec3 { return u.tops[0].at.Position }

// only returns the one entity by which a unit is moved and scaled, nil if there are several.
func (u *unit) only() *top {
	if len(u.tops) > 1 {
		return nil
	}
	return &u.tops[0]
}

// unitOf makes a unit of parts, at least one, that are moved by the tops.
func unitOf(parts []part, tops []top) *unit {
	u := &unit{root: tops[0].id, tops: tops, bounds: solid.Nothing(), grip: world.Body{Friction: usualFriction}}
	for _, p := range parts {
		if p.thin != nil {
			u.thin = append(u.thin, thin{len(u.solids), p.thin.extent, p.thin.scale})
		}
		u.ids, u.solids, u.bodies = append(u.ids, p.id), append(u.solids, p.solid), append(u.bodies, p.body)
		u.turns, u.rooms = append(u.turns, p.at.Rotation), append(u.rooms, p.room)
		u.dug, u.bounds = append(u.dug, p.dug), u.bounds.Join(p.room)
		u.lamp = u.lamp || p.lamp
		if b := p.own; b != nil {
			if !u.dynamic && !u.fixed {
				u.grip = *b
			}
			if b.Mass > 0 {
				u.weighed, u.mass = u.weighed+1, u.mass+b.Mass
			}
			u.dynamic = u.dynamic || b.Type == "dynamic"
			u.fixed = u.fixed || b.Type != "dynamic"
		}
	}
	return u
}

// split returns the units of what is below a root: one, if that has a shape or a body or is one whole for another reason, or if all its parts hang
// together; else one for each of the islands that do.
func (s *stage) split(ctx context.Context, root world.ID, parts []part, whole bool) []*unit {
	if whole || len(parts) == 1 || s.above[root].whole {
		return []*unit{s.single(root, parts)}
	}
	to := s.islands(ctx, parts)
	if !slices.ContainsFunc(to, func(island int) bool { return island != to[0] }) {
		return []*unit{s.single(root, parts)}
	}
	const mixed = -1
	of := map[world.ID]int{} // in which island everything is that is below an entity, or mixed
	for i := range parts {
		for id := parts[i].id; id != root; id = s.parents[id] {
			if island, known := of[id]; known && island != to[i] {
				of[id] = mixed
			} else {
				of[id] = to[i]
			}
		}
	}
	members := map[int][]int{}
	for i, island := range to {
		members[island] = append(members[island], i)
	}
	var units []*unit
	for island, list := range members {
		var own []part
		var tops []top
		for _, i := range list {
			own = append(own, parts[i])
			id := parts[i].id
			for parent := s.parents[id]; parent != root && of[parent] == island; parent = s.parents[id] {
				id = parent
			}
			if !slices.ContainsFunc(tops, func(t top) bool { return t.id == id }) {
				tops = append(tops, s.topOf(id, &parts[i]))
			}
		}
		slices.SortFunc(tops, func(a, b top) int { return cmp.Compare(a.id, b.id) })
		u := unitOf(own, tops)
		u.group = root
		units = append(units, u)
	}
	return units
}

// single is the unit of all that is below a root.
func (s *stage) single(root world.ID, parts []part) *unit {
	of := 0 // the root is a part itself, or above any of them
	if i := slices.IndexFunc(parts, func(p part) bool { return p.id == root }); i > 0 {
		of = i
	}
	return unitOf(parts, []top{s.topOf(root, &parts[of])})
}

// islands returns for each of the parts by which number those go that it hangs together with: those that it touches, those below the same entity with a
// shape, and those that move with the same body.
func (s *stage) islands(ctx context.Context, parts []part) []int {
	to := make([]int, len(parts))
	byID := make(map[world.ID]int, len(parts))
	for i := range parts {
		to[i], byID[parts[i].id] = i, i
	}
	find := func(i int) int {
		for to[i] != i {
			to[i] = to[to[i]]
			i = to[i]
		}
		return i
	}
	join := func(i, j int) { to[find(i)] = find(j) }
	byBody := map[world.ID]int{}
	for i := range parts {
		for up := s.parents[parts[i].id]; up != 0; up = s.parents[up] {
			if j, ok := byID[up]; ok {
				join(i, j)
			}
		}
		if body := parts[i].body; body != 0 {
			if j, ok := byBody[body]; ok {
				join(i, j)
			}
			byBody[body] = i
		}
	}
	order := make([]int, len(parts)) // along x
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(parts[i].room.Lo[0], parts[j].room.Lo[0]) })
	for k, i := range order {
		if ctx.Err() != nil { // where much is at one place it takes the square of that
			break
		}
		a := &parts[i]
		for _, j := range order[k+1:] {
			b := &parts[j]
			if b.room.Lo[0] > a.room.Hi[0]+tolerance {
				break
			}
			if a.room.Near(b.room, tolerance) && find(i) != find(j) && solid.Within(a.solid, b.solid, tolerance) {
				join(i, j)
			}
		}
	}
	for i := range to {
		to[i] = find(i)
	}
	return to
}
