package statesync

import (
	"slices"

	"github.com/limina-mcp/limina/world"
)

// maxResumed is how many entities a view may hold to be resumed: it is read at once.
const maxResumed = 2048

// resume makes v what its client holds, who was told everything up to the tick since, and marks what
// has changed; ids are in its area. It reports false, and does nothing, if that cannot be known. World and hub are locked.
func (h *Hub) resume(wv *world.View, v *View, since uint64, ids []world.ID) bool {
	if since > h.tick || since < h.history.floor || v.area.Whole && wv.Len() > maxResumed {
		return false
	}
	ids = v.candidates(wv, ids)
	if len(ids) > maxResumed {
		return false
	}
	missed := h.missed(wv, v, since)
	held := v.holdings(ids, missed)
	v.give(held)
	for _, id := range ids {
		r := h.record(wv, id)
		switch _, had := slices.BinarySearch(held, id); {
		case !had:
			v.enter(r)
		case missed[id] == nil:
			v.keep(r)
		default:
			v.enter(r) // into the slot that give has set aside
		}
	}
	v.resumed, v.begun = true, true
	v.seen, v.tick = since, since
	return true
}

// missed returns where the entities that changed after a tick were then, and notes the intents whose
// effect the view would have seen. It goes back in time: where an entity was after a change is where
// it was before the next one.
func (h *Hub) missed(wv *world.View, v *View, since uint64) map[world.ID]*pastChange {
	then := map[world.ID]*pastChange{}
	var causes []uint64
	for c := range h.history.back(since) {
		seen := c.global
		for n := c.start; n < c.end; n++ {
			ch := h.history.changes.at(n)
			seen = seen || ch.existed && v.region.holds(&ch.before) || v.sees(wv, then[ch.id], ch.id)
			then[ch.id] = ch
		}
		if seen {
			causes = append(causes, c.causes...)
		}
	}
	slices.Reverse(causes)
	v.addCauses(causes)
	return then
}

// sees reports whether an entity was in the area before its next change, which is nil if it did not
// change again.
func (v *View) sees(wv *world.View, next *pastChange, id world.ID) bool {
	if next != nil {
		return next.existed && v.region.holds(&next.before)
	}
	p, ok := wv.Position(id)
	return ok && v.region.holds(&p)
}

// holdings returns what the client holds, in id order: of what is in the area now that which was there
// already, and what has left it since.
func (v *View) holdings(now []world.ID, missed map[world.ID]*pastChange) []world.ID {
	var held []world.ID
	for _, id := range now {
		if missed[id] == nil {
			held = append(held, id)
		}
	}
	for id, ch := range missed {
		if ch.existed && v.region.holds(&ch.before) {
			held = append(held, id)
		}
	}
	slices.Sort(held)
	return held
}

// give sets the view's slots up as the client numbers what it holds when it resumes: in id order. All
// of it counts as gone until it is found.
func (v *View) give(ids []world.ID) {
	for _, id := range ids {
		v.gone = append(v.gone, gone{id, v.grow()})
	}
}

// keep takes back an entity that the client holds as it is.
func (v *View) keep(r *record) {
	n := v.take(r.id)
	v.put(n, r)
}
