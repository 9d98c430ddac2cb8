package trigger

import (
	"cmp"
	"math"
	"slices"

	"github.com/limina-mcp/limina/world"
)

// fastest is how fast what passes through zones is at most, in metres a second. What is farther than that from where it was a step before
// was put there, as a clip that begins anew puts it, and was nowhere in between. So a step looks at few cells for each that moves.
const fastest = 240

// path is where something went in a step, from one place straight to the other.
type path struct{ from, to world.Vec3 }

// pass is that a way leads into a zone and out of it again: at which parts of the way, of which each path is 1 long.
type pass struct {
	zone    Handle
	in, out float64
}

// follow remembers the paths of what this step has moved so far: by its body, a walk, a clip. What calls and actions move they put
// elsewhere.
func (t *Triggers) follow(tx *world.Tx) {
	clear(t.moving)
	if t.zones.Len(&tx.View) == 0 {
		clear(t.paths)
		return
	}
	for _, c := range tx.Pending() {
		if c.What&(world.Created|world.Destroyed) != 0 {
			continue
		}
		if to, ok := tx.Position(c.ID); ok && to != c.Before && to.Dist(c.Before) <= t.w.Seconds(1)*fastest {
			t.moving[c.ID] = path{c.Before, to}
		}
	}
}

// followed has the paths that this step has looked at behind it, and leaves the others to the next.
func (t *Triggers) followed(looked []world.ID) {
	for _, id := range looked {
		delete(t.moving, id)
	}
	t.paths, t.moving = t.moving, t.paths
}

// way appends the paths on which an entity has come to where it is since it was looked at last, none if it was put there. What begins to move is looked at in
// the step after that, in which it may have moved on.
func (t *Triggers) way(dst []path, v *world.View, id world.ID) []path {
	at, _ := v.Position(id)
	now, moves := t.moving[id]
	if moves && now.to != at {
		return dst
	}
	if moves {
		at = now.from
	}
	if before, moved := t.paths[id]; moved && before.to == at {
		dst = append(dst, before)
	}
	if moves {
		dst = append(dst, now)
	}
	return dst
}

// passed returns the zones that an entity has passed through since it was looked at last, in the order in which it came into them. It is in none of
// them now, and was in none before.
func (t *Triggers) passed(v *world.View, id world.ID) (all []pass) {
	var room [2]path
	way := t.way(room[:0], v, id)
	if len(way) == 0 || t.static(v, id) {
		return nil
	}
	from, to := way[0].from, way[len(way)-1].to
	look := func(key int64) {
		near, _ := t.cells.Get(v, key)
		for _, h := range near {
			z, ok := t.zones.Get(v, h)
			if !ok || z.contains(from) || z.contains(to) || !t.counts(v, id, &z) {
				continue
			}
			if slices.ContainsFunc(all, func(other pass) bool { return other.zone == h }) {
				continue
			}
			if in, out, hit := z.along(way); hit {
				all = append(all, pass{h, in, out})
			}
		}
	}
	look(everywhere)
	for _, p := range way {
		x1, z1 := int64(cellOf(max(p.from[0], p.to[0]))), int64(cellOf(max(p.from[2], p.to[2])))
		for x := int64(cellOf(min(p.from[0], p.to[0]))); x <= x1; x++ {
			for z := int64(cellOf(min(p.from[2], p.to[2]))); z <= z1; z++ {
				look(cellKey(int32(x), int32(z)))
			}
		}
	}
	slices.SortFunc(all, func(a, b pass) int { return cmp.Or(cmp.Compare(a.in, b.in), cmp.Compare(a.zone, b.zone)) })
	return all
}

// along returns where a way comes into the zone and where it leaves it for good, and whether any of it is in there.
func (z *zone) along(way []path) (in, out float64, hit bool) {
	for i, p := range way {
		a, b, some := z.on(p)
		if !some {
			continue
		}
		if !hit {
			in = float64(i) + a
		}
		out, hit = float64(i)+b, true
	}
	return in, out, hit
}

// on returns which part of a path is in the zone, and whether any is.
func (z *zone) on(p path) (in, out float64, hit bool) {
	d, from, size := z.own(p.to.Sub(p.from)), z.own(p.from.Sub(z.Center)), z.size()
	if z.Shape == "sphere" {
		// |from + t·d| is the radius where a·t² + 2·b·t + c is 0.
		a, b, c := d.Dot(d), from.Dot(d), from.Dot(from)-float64(size[0]*size[0])
		root := float64(b*b) - float64(a*c)
		if root < 0 || a == 0 {
			return 0, 0, false
		}
		root = math.Sqrt(root)
		in, out = max((-b-root)/a, 0), min((-b+root)/a, 1)
		return in, out, in <= out
	}
	in, out = 0, 1
	for i := range d {
		if d[i] == 0 {
			if math.Abs(from[i]) > size[i] {
				return 0, 0, false
			}
			continue
		}
		lo, hi := (-size[i]-from[i])/d[i], (size[i]-from[i])/d[i]
		in, out = max(in, min(lo, hi)), min(out, max(lo, hi))
	}
	return in, out, in <= out
}

// pass has an entity be in the zones that it has passed through, one after the other, and out of them again.
func (t *Triggers) pass(tx *world.Tx, id world.ID, seats []seat, through []pass, due *[]firing) error {
	type side struct {
		at float64
		firing
	}
	var sides []side
	for _, p := range through {
		sides = append(sides, side{p.in, firing{on: onEnter, zone: p.zone, entity: id}}, side{p.out, firing{on: onExit, zone: p.zone, entity: id}})
		within := append(slices.Clone(seats), seat{p.zone, tx.Step()})
		slices.SortFunc(within, func(a, b seat) int { return cmp.Compare(a.Zone, b.Zone) })
		if err := t.sit(tx, id, within); err != nil {
			return err
		}
		if err := t.inform(tx, id, p.zone); err != nil {
			return err
		}
	}
	slices.SortStableFunc(sides, func(a, b side) int { return cmp.Compare(a.at, b.at) })
	for i := range sides {
		*due = append(*due, sides[i].firing)
	}
	return t.sit(tx, id, seats)
}
