package statesync

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/limina-mcp/limina/world"
)

// Encoding is a format of messages. docs/state-sync.md describes them.
type Encoding string

// The encodings.
const (
	JSON   Encoding = "json"   // the default: entities as the world writes them
	Packed Encoding = "packed" // JSON with flat arrays of integers
	Binary Encoding = "binary" // binary frames
)

func (e Encoding) frame() Frame {
	if e == Binary {
		return BinaryFrame
	}
	return TextFrame
}

func (e Encoding) check() error {
	switch e {
	case "", JSON, Packed, Binary:
		return nil
	}
	return invalid(`encoding: must be one of "json", "packed", "binary", got %q`, string(e))
}

// Options say what a subscription is. The zero value is a JSON view of an area that holds nothing but
// the origin.
type Options struct {
	Name     string // "" is the connection's default subscription
	Area     Area
	Encoding Encoding // "" is JSON

	// Since, if Resume is set, is the tick of the newest message that the client has applied. Then the
	// first message tells what changed since, if the hub remembers all of that, else it is a snapshot. It
	// has to be the same area that the client had: what it holds is worked out from it.
	Since  uint64
	Resume bool

	// Batch has the messages of the view share frames with those of the others that have it set.
	Batch bool
}

// ErrClosed is what Subscribe answers after [Feed.Close], and Declare after the view's end.
var ErrClosed = errors.New("statesync: the connection or its subscription has ended")

const maxName = 128

func (o *Options) check() error {
	if len(o.Name) > maxName {
		return invalid("subscription: must be at most %d bytes long, got %d", maxName, len(o.Name))
	}
	return cmp.Or(o.Encoding.check(), o.Area.check())
}

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
		if o.Resume && h.resume(wv, v, o.Since) {
			return
		}
		v.reads(candidates(nil, wv, &v.area))
		h.fill(wv, v)
	})
	return v, err
}

func (f *Feed) newView(o *Options) *View {
	encoding := cmp.Or(o.Encoding, JSON)
	v := &View{
		feed: f, name: o.Name, number: f.named, encoding: encoding, batch: o.Batch,
		area: o.Area, region: o.Area.region(), moved: true, reading: true,
	}
	v.ordered, v.compact = encoding == JSON, encoding != JSON
	f.named++
	f.views[o.Name] = v
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
	h.bytes.Add(uint64(len(dst) - n))
	return dst
}

// end takes the view away. The feed's ctl is held.
func (v *View) end() {
	h := v.feed.hub
	h.mu.Lock()
	if !v.closed {
		v.closed = true
		h.grid.move(v, &v.area, nil)
		h.forget(v)
		delete(v.feed.views, v.name)
	}
	rest := len(v.all)
	h.mu.Unlock()
	for rest > 0 {
		h.mu.Lock()
		rest = h.unwatch(v, rest)
		h.mu.Unlock()
	}
}

// forget takes a view off the list of all. The last one takes its place.
func (h *Hub) forget(v *View) {
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
		r := v.all[i].rec
		if r == nil {
			continue
		}
		v.all[i].rec = nil
		r.unwatch(int(v.all[i].at))
		if len(r.watchers) == 0 {
			h.records.drop(r.id)
		}
	}
	return rest
}
