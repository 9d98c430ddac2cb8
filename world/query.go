package world

import (
	"cmp"
	"math"
	"slices"
)

// Near returns the entities within r metres of center, in id order: those whose squared distance in
// world space is at most r².
func (v *View) Near(center Vec3, r float64) []ID { return v.AppendNear(nil, center, r) }

// AppendNear is Near into a slice of the caller's.
func (v *View) AppendNear(dst []ID, center Vec3, r float64) []ID {
	n := len(dst)
	r2 := float64(r * r)
	v.w.grid.around(center, r, func(items []item) {
		for i := range items {
			if it := &items[i]; it.dist2(&center) <= r2 {
				dst = append(dst, it.id)
			}
		}
	})
	sortIDs(dst[n:])
	return dst
}

// InBox returns the entities whose position is between lo and hi, both included, in id order.
func (v *View) InBox(lo, hi Vec3) []ID {
	var ids []ID
	v.w.grid.between(lo, hi, func(id ID) { ids = append(ids, id) })
	sortIDs(ids)
	return ids
}

// Hit is an entity that a query found.
type Hit struct {
	ID       ID
	Position Vec3    // in world space
	Dist2    float64 // the square of its distance
}

// AppendNearest appends to dst the entities within r metres of center, nearest first and equally near
// ones in id order: at most limit of them, all if limit is 0. more is how many it left out.
func (v *View) AppendNearest(dst []Hit, center Vec3, r float64, limit int) (hits []Hit, more int) {
	if limit <= 0 {
		limit = math.MaxInt
	}
	var usual [usualHits]candidate // closures and not a type with methods, which would take it to the heap
	near, count, r2 := usual[:0], 0, float64(r*r)
	reach := r2 // what is farther is not among the nearest
	v.w.grid.around(center, r, func(items []item) {
		for len(items) > 0 {
			if len(near) == cap(near) {
				if limit <= len(near)/2 {
					near = sortNearest(near, limit)
					reach = near[limit-1].dist2
				} else {
					near = slices.Grow(near, 1)
				}
			}
			room := near[len(near):cap(near)]
			some := items[:min(len(items), len(room))]
			items = items[len(some):]
			kept, within := keepWithin(room, some, center, reach, r2)
			near = near[:len(near)+kept]
			count += within
		}
	})
	near = sortNearest(near, limit)
	dst = slices.Grow(dst, len(near))
	for _, c := range near {
		dst = append(dst, Hit{c.it.id, c.it.pos, c.dist2})
	}
	return dst, count - len(near)
}

// keepWithin puts those of some whose squared distance to center is at most reach to the beginning of room, which has room for all. It
// returns how many these are, and of how many it is at most r2. It has no branches, because near and far come in no order.
func keepWithin(room []candidate, some []item, center Vec3, reach, r2 float64) (kept, within int) {
	for i := range some {
		it := &some[i]
		d2 := it.dist2(&center)
		room[kept] = candidate{d2, it}
		if d2 <= reach {
			kept++
		}
		if d2 <= r2 {
			within++
		}
	}
	return kept, within
}

// usualHits is how many candidates are sorted without a comparison function.
const usualHits = 96

// sortNearest returns the nearest of a list, which it sorts, at most limit.
func sortNearest(list []candidate, limit int) []candidate {
	limit = min(limit, len(list))
	if len(list) > usualHits || !layOut(list, limit) {
		slices.SortFunc(list, candidate.compare)
	}
	return list[:limit]
}

// layOut sorts a list of at most usualHits, of which so many count, by way of rings around the center: so many of equal area that
// each holds one or so if things lie evenly on the ground. If they do not it may leave the list as it is and reports false.
func layOut(list []candidate, limit int) bool {
	const rings, crowded = 64, 8
	farthest := 0.0
	for i := range list {
		farthest = max(farthest, list[i].dist2)
	}
	scale := (rings - 1) / farthest
	if scale > math.MaxFloat64 {
		return false
	}
	var next [rings]uint8 // where the next one of each ring belongs; at first, how many it has
	ring := func(c *candidate) *uint8 { return &next[int(c.dist2*scale)%rings] }
	for i := range list {
		*ring(&list[i])++
	}
	start := uint8(0)
	for i, has := range next {
		if has > crowded {
			return false
		}
		next[i] = start
		start += has
	}
	var laid [usualHits]candidate
	for i := range list {
		at := ring(&list[i])
		laid[*at] = list[i]
		*at++
	}
	end := min(limit+crowded, len(list)) // where the ring of the last that counts has ended
	for i := range end {                 // each is where it belongs but for the few of its own ring
		c, at := laid[i], i
		for ; at > 0 && c.compare(list[at-1]) < 0; at-- {
			list[at] = list[at-1]
		}
		list[at] = c
	}
	return true
}

// candidate is a hit that is small to move about.
type candidate struct {
	dist2 float64
	it    *item
}

func (a candidate) compare(b candidate) int {
	switch {
	case a.dist2 < b.dist2:
		return -1
	case a.dist2 > b.dist2:
		return 1
	}
	return cmp.Compare(a.it.id, b.it.id)
}
