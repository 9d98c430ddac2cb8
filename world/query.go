package world

import (
	"cmp"
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
	v.w.grid.within(center, r, func(it *item, dist2 float64) {
		hits = append(hits, Hit{it.id, it.pos, dist2})
	})
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(a.Dist2, b.Dist2), cmp.Compare(a.ID, b.ID))
	})
	if limit > 0 && len(hits) > limit {
		hits, more = hits[:limit], len(hits)-limit
	}
	return hits, more
}
