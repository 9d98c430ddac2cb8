package statesync

// end takes the view away. The feed's ctl is held.
func (v *View) end() {
	h := v.feed.hub
	h.mu.Lock()
	if !v.closed {
		v.closed = true
		v.recount()
		h.grid.move(v, &v.area, nil)
		h.forget(v)
		v.feed.remove(v)
	}
	rest := len(v.records)
	h.mu.Unlock()
	for rest > 0 {
		h.mu.Lock()
		rest = h.unwatch(v, rest)
		h.mu.Unlock()
	}
}

// forget takes a view off the list of all. The last one takes its place.
func (h *Hub) forget(v *View) {
	h.ended.messages += v.tally.messages
	h.ended.bytes += v.tally.bytes
	last := len(h.views) - 1
	h.views[v.at] = h.views[last]
	h.views[v.at].at = v.at
	h.views[last] = nil
	h.views = h.views[:last]
}

// unwatch takes a closed view off the records of a number of its slots, from the last one on, and
// returns how many are left.
func (h *Hub) unwatch(v *View, slots int) (rest int) {
	rest = max(slots-h.chunk, 0)
	for i := rest; i < slots; i++ {
		r := v.records[i]
		if r == nil {
			continue
		}
		v.records[i] = nil
		r.unwatch(int(v.places[i]))
		if len(r.watchers) == 0 {
			h.records.drop(r.id)
		}
	}
	return rest
}
