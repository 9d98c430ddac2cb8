package statesync

import "slices"

// roomy reports whether a view that once saw a lot has many more slots than it needs.
func (v *View) roomy() bool {
	h, n := v.feed.hub, len(v.records)
	return n > h.spare && int(v.live) < n/h.share && len(v.gone) == 0 && !v.reading && !v.closed
}

// shrink gives back the slots that a view does not need. What is left is numbered anew; where the client
// knows the numbers it gets a snapshot.
func (v *View) shrink() {
	old := v.slots
	old.words = slices.Clone(old.words) // they may be in v.near
	v.slots = slots{ordered: old.ordered}
	order := old.order
	if !old.ordered {
		order = nil
		v.begun, v.resumed, v.anew, v.moved, v.knows, v.pins = false, false, true, true, 0, nil
	}
	moved := make(map[uint32]uint32, old.live)
	for i, r := range old.records {
		if r == nil {
			continue
		}
		n := v.grow()
		moved[uint32(i)] = n
		v.records[n], v.places[n] = r, old.places[i]
		v.live++
		r.watchers[old.places[i]].slot = n
		if v.ordered {
			was, w := &old.words[i>>6], &v.words[n>>6]
			w.held |= was.held >> (i & 63) & 1 << (n & 63)
			w.whole |= was.whole >> (i & 63) & 1 << (n & 63) // its mark comes below
			continue
		}
		v.words[n>>6].whole |= 1 << (n & 63)
		v.mark(n)
	}
	for _, n := range order {
		if to, ok := moved[n]; ok {
			v.mark(to)
		}
	}
}
