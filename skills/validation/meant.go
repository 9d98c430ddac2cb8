package validation

import (
	"math"
	"slices"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// meant reports whether two units are in each other on purpose: a lamp in its lantern, that is, in one part of the other, a box and one like it
// about the same middle that is turned, as an octagon is made of two, plants of a wood, what was declared to be built into each other, or what is joined.
func meant(a, b *unit) bool {
	if len(a.solids) == 1 && len(b.solids) == 1 {
		p, q := &a.solids[0], &b.solids[0]
		if p.Kind == q.Kind && p.Center.Dist(q.Center) <= tolerance && p.Half.Dist(q.Half) <= tolerance && p.Axes != q.Axes {
			return true
		}
	}
	return a.grown && b.grown || a.joined && b.joined || joined(a, b) || a.shinesIn(b) || b.shinesIn(a)
}

// joined reports whether of two units only walls that end and what is fastened at its end are in each other, as the walls of a castle are in a tower that has a
// roof.
func joined(a, b *unit) bool {
	some := false
	for i := range a.solids {
		for j := range b.solids {
			p, q := &a.solids[i], &b.solids[j]
			if a.meets[pair{a.bodies[i], b.bodies[j]}] || !a.rooms[i].Near(b.rooms[j], 0) || solid.Between(*p, *q).Gap >= -tolerance {
				continue
			}
			if some = wallEnds(p, q) || wallEnds(q, p) || fastened(p, q) || fastened(q, p); !some {
				return false
			}
		}
	}
	return some
}

// wall is an upright box that is longer and higher than it is thick.
type wall struct {
	box         *solid.Solid
	long, thick int // which of its axes
	low, high   float64
}

// wallOf returns what a solid is as a wall, and whether it is one.
func wallOf(s *solid.Solid) (w wall, ok bool) {
	const times = 2 // as long and as high as it is thick, at least
	if s.Kind != solid.Box {
		return w, false
	}
	w.box = s
	up := vertical(s.Axes)
	if up < 0 {
		return w, false
	}
	w.long, w.thick = (up+1)%3, (up+2)%3
	if s.Half[w.long] < s.Half[w.thick] {
		w.long, w.thick = w.thick, w.long
	}
	w.low, w.high = s.Center[1]-s.Half[up], s.Center[1]+s.Half[up]
	return w, min(s.Half[w.long], s.Half[up]) >= times*s.Half[w.thick]
}

// wallEnds reports whether a is a wall that ends in b, another wall or a tower.
func wallEnds(a, b *solid.Solid) bool {
	w, ok := wallOf(a)
	if !ok {
		return false
	}
	o, ok := wallOf(b)
	return ok && (w.endsIn(&o) || w.goesOnIn(&o)) || w.endsInTower(b)
}

// oneEnd reports whether the middle of just one of the ends that a box has along one of its axes is within something.
func oneEnd(box *solid.Solid, axis int, within func(end world.Vec3) bool) bool {
	half := box.Axes[axis].Scale(box.Half[axis])
	return within(box.Center.Add(half)) != within(box.Center.Sub(half))
}

// asHigh reports whether two walls are about as high, and begin about as high.
func (w *wall) asHigh(o *wall) bool {
	const alike = 0.1 // of the height
	most := alike * (o.high - o.low)
	return math.Abs(w.low-o.low) <= most && math.Abs(w.high-o.high) <= most
}

// goesOnIn reports whether two walls of one thickness that are about as high are one longer wall: they lie in one line, and are in each other for no more
// than they are thick, as where others meet them in the middle of that.
func (w *wall) goesOnIn(o *wall) bool {
	const oneWay = 0.9999 // of the cosine
	along, across := o.box.Axes[o.long], o.box.Axes[o.thick]
	off, thick := w.box.Center.Sub(o.box.Center), o.box.Half[o.thick]
	return w.asHigh(o) && math.Abs(w.box.Axes[w.long].Dot(along)) >= oneWay &&
		math.Abs(w.box.Half[w.thick]-thick) <= tolerance && math.Abs(off.Dot(across)) <= tolerance &&
		w.box.Half[w.long]+o.box.Half[o.long]-math.Abs(off.Dot(along)) <= 2*thick+tolerance
}

// endsIn reports whether a wall ends in the thickness of another one that is about as high and goes another way: at a corner, or where one
// meets the middle of the other.
func (w *wall) endsIn(o *wall) bool {
	const oneWay = 0.9 // of the cosine
	along, across := o.box.Axes[o.long], o.box.Axes[o.thick]
	if !w.asHigh(o) || math.Abs(w.box.Axes[w.long].Dot(along)) > oneWay {
		return false
	}
	return oneEnd(w.box, w.long, func(end world.Vec3) bool {
		off := end.Sub(o.box.Center)
		return math.Abs(off.Dot(across)) <= o.box.Half[o.thick]+tolerance && math.Abs(off.Dot(along)) <= o.box.Half[o.long]+w.box.Half[w.thick]
	})
}

// endsInTower reports whether a wall ends in an upright cylinder that is as wide as the wall is thick, and about as high or higher: the middle
// of just one of its ends is in there.
func (w *wall) endsInTower(o *solid.Solid) bool {
	const alike = 0.9 // of the wall's height is the least that the tower stands beside
	if o.Kind != solid.Cylinder || vertical(o.Axes) != 1 || min(o.Half[0], o.Half[2]) < w.box.Half[w.thick] ||
		min(w.high, o.Center[1]+o.Half[1])-max(w.low, o.Center[1]-o.Half[1]) < alike*(w.high-w.low) {
		return false
	}
	return oneEnd(w.box, w.long, func(end world.Vec3) bool {
		end[1] = o.Center[1]
		return solid.Within(pointAt(end), *o, tolerance)
	})
}

// fastened reports whether a board or rod ends in something slender that stands upright, as the steps of a spiral staircase do in its post, or
// a level rod in a ball: the middle of just one of its ends is in there.
func fastened(rod, holder *solid.Solid) bool {
	const board, slender = 2, 4 // how many times as long as it is wide a board is, as high a post or as long a rod is
	if rod.Kind != solid.Box {
		return false
	}
	long := 0
	for i := range rod.Half {
		if rod.Half[i] > rod.Half[long] {
			long = i
		}
	}
	if math.Abs(rod.Axes[long][1]) > 0.5 { // it stands: what is on it rests on it
		return false
	}
	wide := max(rod.Half[(long+1)%3], rod.Half[(long+2)%3])
	least := float64(board)
	var within func(p world.Vec3) bool
	switch up := vertical(holder.Axes); {
	case holder.Kind == solid.Ball:
		least = slender
		within = func(p world.Vec3) bool { return p.Dist(holder.Center) <= holder.Half[0]+tolerance }
	case holder.Kind == solid.Box && up >= 0 && holder.Half[up] >= slender*max(holder.Half[(up+1)%3], holder.Half[(up+2)%3]):
		within = func(p world.Vec3) bool {
			for i, axis := range holder.Axes {
				if math.Abs(p.Sub(holder.Center).Dot(axis)) > holder.Half[i]+tolerance {
					return false
				}
			}
			return true
		}
	default:
		return false
	}
	return rod.Half[long] >= least*wide && oneEnd(rod, long, within)
}

// shinesIn reports whether u is a lamp in the room of one part of o.
func (u *unit) shinesIn(o *unit) bool {
	return u.lamp && slices.ContainsFunc(o.rooms, func(r solid.Bounds) bool { return r.Join(u.bounds) == r })
}

// vertical returns which of the axes is vertical, -1 if none is.
func vertical(axes [3]world.Vec3) int {
	const exactly = 1 - 1e-6 // of the cosine
	return slices.IndexFunc(axes[:], func(a world.Vec3) bool { return math.Abs(a[1]) > exactly })
}
