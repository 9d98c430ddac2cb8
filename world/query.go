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
	v.w.grid.within(center, r, func(it *item, _ float64) { dst = append(dst, it.id) })
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

// Nearest returns the entities within r metres of center, nearest first and equally near ones in id
// order: at most limit of them, all if limit is 0, and how many it left out.
func (v *View) Nearest(center Vec3, r float64, limit int) (hits []Hit, more int) {
	var usual [96]candidate
	found := nearest{list: usual[:0], limit: limit}
	if limit <= 0 {
		found.limit = math.MaxInt
	}
	v.w.grid.within(center, r, func(it *item, dist2 float64) { found.add(candidate{dist2, it}) })
	all := found.sorted()
	hits = make([]Hit, len(all))
	for i, c := range all {
		hits[i] = Hit{c.it.id, c.it.pos, c.dist2}
	}
	return hits, found.count - len(all)
}

// nearest keeps the nearest of the candidates that it is given. As long as these are few they are
// in order, so that most of those that are farther cost one comparison; more are sorted at the end.
type nearest struct {
	list  []candidate
	limit int
	count int // how many there were
}

// fewNearest is up to how many it pays to keep in order.
const fewNearest = 64

func (n *nearest) add(c candidate) {
	n.count++
	if n.limit > fewNearest {
		n.list = append(n.list, c)
		return
	}
	i := len(n.list)
	switch {
	case i < n.limit:
		n.list = append(n.list, c)
	case c.compare(n.list[i-1]) < 0:
		i--
	default:
		return
	}
	for ; i > 0 && c.compare(n.list[i-1]) < 0; i-- {
		n.list[i] = n.list[i-1]
	}
	n.list[i] = c
}

func (n *nearest) sorted() []candidate {
	if n.limit > fewNearest {
		slices.SortFunc(n.list, candidate.compare)
		n.list = n.list[:min(n.limit, len(n.list))]
	}
	return n.list
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
