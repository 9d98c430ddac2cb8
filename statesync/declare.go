package statesync

import "github.com/limina-mcp/limina/world"

// Declare moves the view to another area. What comes into sight and what goes out of it is due at once,
// in one delta. An error is the caller's mistake, and the view stays where it is.
//
// It must not be called from inside a transaction or a view of the world.
func (v *View) Declare(a Area) error {
	if err := a.check(); err != nil {
		return err
	}
	f := v.feed
	f.ctl.Lock()
	defer f.ctl.Unlock()
	if err := v.shift(a); err != nil {
		return err
	}
	defer v.large()()
	v.read()
	v.wake(func() { v.reading = false })
	return nil
}

// shift gives the view another area, takes out what is not in it, and finds what there is to read.
func (v *View) shift(a Area) (err error) {
	h := v.feed.hub
	h.read(func(wv *world.View) {
		if v.closed {
			err = ErrClosed
			return
		}
		was, area := v.region, v.area
		v.area, v.region, v.moved = a, a.region(), true
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
		ids := candidates(wv, &a)
		news := ids[:0]
		for _, id := range ids {
			if p, _ := wv.Position(id); !was.holds(&p) {
				news = append(news, id)
			}
		}
		v.expect(&unread{ids: news}, len(news))
		h.fill(wv, v)
	})
	return err
}
