package statesync

// end takes the view away. The feed's ctl is held.
func (v *View) end() {
	v.feed.hub.mu.Lock()
	v.close()
	v.feed.hub.mu.Unlock()
	v.letGo()
}

// close has the view tell nothing more, and count for nothing. The hub is locked, and the feed's ctl is held until letGo.
func (v *View) close() {
	if v.closed {
		return
	}
	v.closed = true
	v.recount()
	h := v.feed.hub
	h.grid.move(v, &v.area, nil)
	h.forget(v)
	v.feed.remove(v)
}

// letGo takes a closed view off all records, letting others have their turns. The feed's ctl is held.
func (v *View) letGo() {
	h := v.feed.hub
	h.mu.Lock()
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
