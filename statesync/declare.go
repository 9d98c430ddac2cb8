package statesync

import "github.com/limina-mcp/limina/world"

// Declare moves the view to another area. What comes into sight and what goes out of it is told at once, in one delta: one in
// which thousands of entities come into sight it appends to dst, any other is due in [Feed.Append]. As
// after [Feed.Subscribe], nothing is due before [View.Start]: call it when what was appended is on its way. An error is the caller's mistake, and
// the view stays where it is.
//
// It must not be called from inside a transaction or a view of the world.
func (v *View) Declare(dst []byte, a Area) ([]byte, error) {
	if err := a.check(); err != nil {
		return dst, err
	}
	f := v.feed
	f.ctl.Lock()
	defer f.ctl.Unlock()
	if err := v.shift(a); err != nil {
		return dst, err
	}
	if v.large() {
		return v.readLarge(dst), nil
	}
	v.read()
	f.hub.mu.Lock()
	v.reading = false
	f.hub.mu.Unlock()
	return dst, nil
}

// shift gives the view another area, takes out what is not in it, and finds what there is to read.
func (v *View) shift(a Area) (err error) {
	f := v.feed
	h := f.hub
	h.read(func(wv *world.View) {
		if v.closed || h.closed { // what a closed hub has of the world is old
			err = ErrClosed
			return
		}
		ids, n := within(wv, &a)
		if err = f.fits(n, v); err != nil {
			return
		}
		was, area := v.region, v.area
		v.area, v.region, v.moved, v.started = a, a.region(), true, false
		v.sweep()
		h.grid.move(v, &area, &a)
		for i, r := range v.records {
			if r != nil && !v.region.holds(&r.at.Position) {
				r.leave(int(v.places[i]))
				if len(r.watchers) == 0 {
					h.records.drop(r.id)
				}
			}
		}
		v.rereads(wv, &was, ids)
		h.fill(wv, v)
	})
	return err
}

// rereads gives a view its area to read, in which are ids, but for what it knows because it was in the one before.
func (v *View) rereads(wv *world.View, was *region, ids []world.ID) {
	if v.area.Whole && int(v.live) <= v.feed.hub.piece {
		v.reads(wv, nil)
		for _, r := range v.records {
			if r != nil {
				v.unread.known[r.id] = struct{}{}
			}
		}
		return
	}
	ids = v.candidates(wv, ids)
	news := ids[:0]
	for _, id := range ids {
		if p, _ := wv.Position(id); !was.holds(&p) {
			news = append(news, id)
		}
	}
	v.expect(&unread{ids: news}, len(news))
}
