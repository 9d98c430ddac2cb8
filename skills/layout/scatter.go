package layout

import (
	"fmt"
	"math"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// scatter throws copies into the area, and keeps those that are far enough from the others and the original, and where there is room for them, if
// that is asked for.
func (in *ArrayIn) scatter(w *world.World, tx *world.Tx, things *solid.Index, t world.Transform) (out ArrayOut, err error) {
	if err := in.counted(); err != nil {
		return out, err
	}
	if in.Area == nil {
		return out, registry.Invalidf("area: has to be given for scatter")
	}
	for _, i := range [...]int{0, 2} {
		if in.Area.Min[i] > in.Area.Max[i] {
			return out, registry.Invalidf("area: min must not be more than max along %c", "xyz"[i])
		}
	}
	s := site{w: w, v: &tx.View, things: things}
	own, bounds := tree(w, &tx.View, in.Entity), solid.Tree(w, &tx.View, in.Entity)
	mid := bounds.Center().Sub(t.Position)
	if area := *in.Area; area.Flat { // nothing was said of how high: as high as the original
		area.Min[1], area.Max[1] = bounds.Center()[1], bounds.Center()[1]
		in.Area = &area
	}
	dice := newDice(in.Seed)
	all := []world.Transform{t} // the original, and the places
	out.Entities = make([]world.ID, 0, in.Count)
	for tries := 0; len(all) <= in.Count; tries++ {
		if s.looks > mostLooks {
			return ArrayOut{}, registry.Errorf(registry.CodeCapacityExceeded, "too much stands in the area to look at for %d places: use a smaller count or area, or a simpler original", in.Count)
		}
		if tries == in.tries() {
			return ArrayOut{}, in.full(len(out.Entities))
		}
		p := t
		for _, i := range [...]int{0, 2} {
			p.Position[i] = in.Area.Min[i] + float64(dice.next()*(in.Area.Max[i]-in.Area.Min[i])) - mid[i]
		}
		p.Position[1] = in.Area.Max[1] - mid[1]
		if !in.Ground {
			p.Position[1] = in.Area.Min[1] + float64(dice.next()*(in.Area.Max[1]-in.Area.Min[1])) - mid[1]
		}
		if !in.free(all, p.Position) {
			continue
		}
		if (in.Clear || in.Outdoors) && !in.fits(&s, own, bounds, p.Position.Sub(t.Position)) {
			continue
		}
		all = append(all, p)
		id, err := clone(tx, in.Entity, p, "")
		if err != nil {
			return ArrayOut{}, err
		}
		if in.Ground {
			if err := Stand(w, tx, things, id); err != nil {
				return ArrayOut{}, err
			}
		}
		out.Entities = append(out.Entities, id)
	}
	if !in.Clear && !in.Outdoors {
		out.Note = s.note(out.Entities)
	}
	return out, nil
}

// tries is how many places are looked at, at most: where there is much to look at fewer.
func (in *ArrayIn) tries() int {
	if in.Clear || in.Outdoors {
		return 100 * in.Count
	}
	return 1000 * in.Count
}

// full is why not all fit, of which some do.
func (in *ArrayIn) full(some int) error {
	switch {
	case in.Outdoors:
		return registry.Invalidf("outdoors: only %d of %d found a place in the area %v metres apart with nothing over it; use a larger area, a smaller count or less apart", some, in.Count, in.Apart)
	case in.Clear:
		return registry.Invalidf("clear: only %d of %d found a place in the area %v metres apart where they are in nothing; use a larger area, a smaller count or less apart", some, in.Count, in.Apart)
	}
	return registry.Invalidf("apart: only %d of %d fit into the area %v metres apart; use a larger area, a smaller count or less apart", some, in.Count, in.Apart)
}

func (in *ArrayIn) free(places []world.Transform, p world.Vec3) bool {
	for _, o := range places {
		d := o.Position.Sub(p)
		if float64(d[0]*d[0])+float64(d[2]*d[2]) < float64(in.Apart*in.Apart) {
			return false
		}
	}
	return true
}

// in reports whether something is in a thing once it is moved.
func (s *site) in(own []solid.Solid, by world.Vec3, f *solid.Found) bool {
	for i := range own {
		s.looks++
		part := own[i].Moved(by)
		if !part.Bounds().Near(f.Bounds, 0) {
			continue
		}
		s.looks += 10 // to know it exactly takes that much longer
		if solid.Between(part, f.Solid).Gap < -deep {
			return true
		}
	}
	return false
}

// site is what stands there.
type site struct {
	w      *world.World
	v      *world.View
	things *solid.Index
	looks  int // pairs of solids that were compared
}

// passed is of how many things to find them takes as long as to compare a pair.
const passed = 4

// mostLooks bounds how many pairs of solids a scatter compares: nobody else gets to the world meanwhile.
const mostLooks = 300_000

// fits reports whether there is room for what is within bounds once it is moved and, if it is to be so, stands on what is below it.
func (in *ArrayIn) fits(s *site, own []solid.Solid, bounds solid.Bounds, by world.Vec3) bool {
	if in.Ground {
		there := bounds.Moved(by)
		high, looked := groundOf(s.things, s.v, 0, there)
		by[1] += high - there.Lo[1]
		s.looks += looked / passed
	}
	room := bounds.Moved(by)
	if in.Outdoors {
		room.Hi[1] = math.Inf(1)
		over := false
		s.things.Each(s.v, room, func(f *solid.Found) bool {
			over = f.Solid.Kind != solid.Field && f.Bounds.Hi[1] > room.Lo[1]+deep
			return !over
		})
		if over || !in.Clear {
			return !over
		}
	}
	near := s.things.In(s.v, room)
	s.looks += len(near) / passed
	for _, f := range near {
		if f.Solid.Kind == solid.Field {
			continue
		}
		if in.Clear && s.in(own, by, &f) {
			return false
		}
	}
	return true
}

// note tells of copies that are in what was there before, "" if none is, as far as mostLooks allows to look.
func (s *site) note(copies []world.ID) string {
	first, in, n := world.ID(0), world.ID(0), 0
	for _, id := range copies {
		if s.looks > mostLooks {
			break
		}
		own, near := tree(s.w, s.v, id), s.things.In(s.v, solid.Tree(s.w, s.v, id))
		s.looks += len(near) / passed
		for _, f := range near {
			if f.Entity >= copies[0] || f.Solid.Kind == solid.Field || !s.in(own, world.Vec3{}, &f) {
				continue
			}
			if n++; n == 1 {
				first, in = id, f.Entity
			}
			break
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d of the copies are in what stands there, such as %s in %s: if that is not meant, world.undo takes them back; clear keeps them out of things, outdoors out of houses, too", n, first, in)
}

// dice is SplitMix64 (Steele, Lea, Flood 2014): a stream of numbers that a seed decides, on every
// platform and in every version.
type dice struct{ state uint64 }

func newDice(seed uint64) *dice { return &dice{seed} }

// next returns a number from 0 up to but not including 1.
func (d *dice) next() float64 {
	d.state += 0x9e3779b97f4a7c15
	z := d.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	z ^= z >> 31
	return float64(z>>11) / (1 << 53)
}
