package statesync

import (
	"fmt"
	"slices"

	"github.com/limina-mcp/limina/world"
)

// Subscribe adds a view, in place of the one that has its name, and appends its first message to dst: a
// snapshot, or after a lost connection what the client missed. What happens after that is due in
// [Feed.Append], but not before [View.Start]: the first message has to be on its way first. Errors are
// those of a caller's mistake, with a text for him, a *[world.Error]; then the view that has the name goes on.
//
// It must not be called from inside a transaction or a view of the world.
func (f *Feed) Subscribe(dst []byte, o Options) ([]byte, *View, error) {
	if err := o.check(); err != nil {
		return dst, nil, err
	}
	f.ctl.Lock()
	defer f.ctl.Unlock()
	old := f.View(o.Name)
	v, err := f.open(&o, old)
	if err != nil {
		return dst, nil, err
	}
	if old != nil {
		old.letGo()
	}
	if v.large() {
		return v.readLarge(dst), v, nil
	}
	v.read()
	return v.atOnce(dst), v, nil
}

// open adds the view and finds out what it has to read. In the same moment it closes old, whose name the view takes, nil for none: nobody else gets its
// room, and where there is none for the view, old stays.
func (f *Feed) open(o *Options, old *View) (v *View, err error) {
	h := f.hub
	h.read(func(wv *world.View) {
		if f.closed || h.closed {
			err = ErrClosed
			return
		}
		if old == nil && len(f.views) >= h.config.MaxViews {
			err = &world.Error{Code: "capacity_exceeded", Message: fmt.Sprintf("one connection may hold %d subscriptions; unsubscribe from some first", h.config.MaxViews)}
			return
		}
		if old == nil {
			if err = f.another(); err != nil {
				return
			}
		}
		ids, n := within(wv, &o.Area)
		if err = f.fits(n, old); err != nil {
			return
		}
		h.start(wv)
		if old != nil {
			old.close()
		}
		v = f.newView(o)
		h.grid.move(v, nil, &v.area)
		if o.Resume && (o.Epoch == "" || o.Epoch == h.config.Epoch) && h.resume(wv, v, o.Since, ids) {
			v.recount()
			return
		}
		v.reads(wv, ids)
		h.fill(wv, v)
	})
	return v, err
}

func (f *Feed) newView(o *Options) *View {
	format, _ := o.Encoding.format() // it was checked
	v := &View{
		feed: f, name: o.Name, number: f.named, format: format, batch: o.Batch,
		area: o.Area, region: o.Area.region(), moved: true, reading: true,
	}
	v.ordered = format == asJSON
	f.named++
	f.add(v)
	v.at = len(f.hub.views)
	f.hub.views = append(f.hub.views, v)
	return v
}

// within returns the entities in an area, in id order, and how many they are; of the whole world only that.
func within(wv *world.View, a *Area) (ids []world.ID, n int) {
	if a.Whole {
		return nil, wv.Len()
	}
	ids = wv.Near(a.Center, a.Radius)
	return ids, len(ids)
}

// candidates returns the entities in a view's area, in id order: those that within has, or all.
func (v *View) candidates(wv *world.View, ids []world.ID) []world.ID {
	if v.area.Whole {
		return slices.Collect(wv.All())
	}
	return ids
}

// unread is what is still to be read of an area: some entities, or all of the world's.
type unread struct {
	n           int                   // how many there were in the beginning
	promised    int                   // of them, those that count as held although they are not yet
	ids         []world.ID            // in order
	after, last world.ID              // … and those with ids between them, the last one included, which are looked up when it is their turn
	known       map[world.ID]struct{} // not to be read: they came in meanwhile, or were there before
}

// reads gives a view its area to read, in which are ids.
func (v *View) reads(wv *world.View, ids []world.ID) {
	if v.area.Whole {
		v.expect(&unread{last: wv.NextID() - 1}, wv.Len())
		return
	}
	v.expect(&unread{ids: ids}, len(ids))
}

// expect gives a view n entities to read.
func (v *View) expect(u *unread, n int) {
	u.n, u.promised, u.known = n, n, map[world.ID]struct{}{}
	v.unread, v.reading = u, true
	v.reserve(n)
}

// take returns the next entities to read, n at most, and whether there may be more.
func (u *unread) take(wv *world.View, n int) (ids []world.ID, more bool) {
	if u.after >= u.last {
		n = min(n, len(u.ids))
		ids, u.ids = u.ids[:n], u.ids[n:]
		return ids, len(u.ids) > 0
	}
	u.ids = u.ids[:0]
	for len(u.ids) < n {
		id, ok := wv.After(u.after)
		if !ok || id > u.last {
			return u.ids, false
		}
		u.ids, u.after = append(u.ids, id), id
	}
	return u.ids, u.after < u.last
}

// fill reads the next entities of an area. World and hub are locked.
func (h *Hub) fill(wv *world.View, v *View) {
	ids, more := v.unread.take(wv, h.chunk)
	v.unread.promised -= min(len(ids), v.unread.promised)
	for _, id := range ids {
		if _, known := v.unread.known[id]; known {
			continue
		}
		p, ok := wv.Position(id)
		if !ok || !v.region.holds(&p) {
			continue
		}
		r := h.record(wv, id)
		v.enter(r)
		if v.ordered {
			r.json(h) // here, where nobody waits for long
		}
	}
	if !more {
		v.unread = nil
	}
	v.recount()
}

// read runs fn, which reads a piece of an area, with world and hub locked.
func (h *Hub) read(fn func(wv *world.View)) {
	h.w.View(func(wv *world.View) {
		h.mu.Lock()
		defer h.mu.Unlock()
		fn(wv)
	})
}

// large reports whether most of a large area is still to be read.
func (v *View) large() bool { return v.unread != nil && v.unread.n > v.feed.hub.piece }

// readLarge reads the area when there is time for it, see [Feed.OnLarge], and appends the message that has it, written piece
// by piece.
func (v *View) readLarge(dst []byte) []byte {
	defer v.feed.large()()
	v.read()
	d := v.draft()
	for d.write() {
	}
	return d.finish(dst)
}

// read reads what fill has left, letting others have their turns.
func (v *View) read() {
	h := v.feed.hub
	for more := true; more; {
		h.read(func(wv *world.View) {
			if more = v.unread != nil; more {
				h.fill(wv, v)
			}
		})
	}
}

// atOnce writes the first message in one piece.
func (v *View) atOnce(dst []byte) []byte {
	f := v.feed
	f.locked(func(h *Hub) {
		v.reading = false
		n := len(dst)
		if v.batch {
			dst = f.appendBatch(dst, v, nil)
		} else {
			dst = v.append(h, dst)
		}
		v.tally.bytes += uint64(len(dst) - n)
	})
	return dst
}
