package statesync

import (
	"fmt"

	"github.com/limina-mcp/limina/world"
)

// Subscribe adds a view, in place of the one that has its name, and appends its first message to dst: a
// snapshot, or after a lost connection what the client missed. What happens after that is due in
// [Feed.Append], but not before [View.Start]: the first message has to be on its way first. Errors are
// those of a caller's mistake, with a text for him; a *[world.Error].
//
// It must not be called from inside a transaction or a view of the world.
func (f *Feed) Subscribe(dst []byte, o Options) ([]byte, *View, error) {
	if err := o.check(); err != nil {
		return dst, nil, err
	}
	f.ctl.Lock()
	defer f.ctl.Unlock()
	if old := f.View(o.Name); old != nil {
		old.end()
	}
	v, err := f.open(&o)
	if err != nil {
		return dst, nil, err
	}
	v.read()
	return v.first(dst), v, nil
}

// open adds the view and finds out what it has to read.
func (f *Feed) open(o *Options) (v *View, err error) {
	h := f.hub
	h.w.View(func(wv *world.View) {
		h.mu.Lock()
		defer h.mu.Unlock()
		if f.closed {
			err = ErrClosed
			return
		}
		if len(f.views) >= h.config.MaxViews {
			err = &world.Error{Code: "capacity_exceeded", Message: fmt.Sprintf("one connection may hold %d subscriptions; unsubscribe from some first", h.config.MaxViews)}
			return
		}
		h.start(wv)
		v = f.newView(o)
		h.grid.move(v, nil, &v.area)
		if o.Resume && (o.Epoch == "" || o.Epoch == h.config.Epoch) && h.resume(wv, v, o.Since) {
			return
		}
		v.reads(candidates(nil, wv, &v.area))
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

// candidates returns the entities in an area, in id order.
func candidates(dst []world.ID, wv *world.View, a *Area) []world.ID {
	if !a.Whole {
		return wv.AppendNear(dst, a.Center, a.Radius)
	}
	for id := range wv.All() {
		dst = append(dst, id)
	}
	return dst
}

// reads gives a view entities to read.
func (v *View) reads(ids []world.ID) {
	v.todo, v.early = ids, map[world.ID]struct{}{}
	v.reading = true
	v.reserve(len(ids))
}

// fill reads the next entities of an area. World and hub are locked.
func (h *Hub) fill(wv *world.View, v *View) {
	n := min(len(v.todo), h.chunk)
	for _, id := range v.todo[:n] {
		if _, known := v.early[id]; known {
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
	v.todo = v.todo[n:]
	if len(v.todo) == 0 {
		v.todo, v.early = nil, nil
	}
}

// read reads what fill has left, letting others have their turns.
func (v *View) read() {
	h := v.feed.hub
	for more := true; more; {
		h.w.View(func(wv *world.View) {
			h.mu.Lock()
			defer h.mu.Unlock()
			if more = v.todo != nil; more {
				h.fill(wv, v)
			}
		})
	}
}

// first writes the first message.
func (v *View) first(dst []byte) []byte {
	f := v.feed
	h := f.hub
	f.mu.Lock()
	defer f.mu.Unlock()
	h.mu.RLock()
	defer h.mu.RUnlock()
	v.reading = false
	n := len(dst)
	if v.batch {
		dst = f.appendBatch(dst, v, nil)
	} else {
		dst = v.append(h, dst)
	}
	v.tally.bytes += uint64(len(dst) - n)
	return dst
}
