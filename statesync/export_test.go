package statesync

import (
	"fmt"
	"slices"

	"github.com/limina-mcp/limina/world"
)

// InPieces has the hub read and write areas of more than n entities in pieces of so many.
func (h *Hub) InPieces(n int) { h.chunk, h.piece = n, n }

// Sparing has the hub give back the slots that a view does not need as soon as there are more than n, and fewer
// than one in share is in use.
func (h *Hub) Sparing(n, share int) { h.spare, h.share = n, share }

// SubscribeSlowly is Subscribe in chunks of a few entities, with something happening in between.
func (f *Feed) SubscribeSlowly(dst []byte, o Options, chunk int, between func()) ([]byte, *View, error) {
	if old := f.View(o.Name); old != nil {
		old.end()
	}
	f.hub.InPieces(chunk)
	v, err := f.open(&o, nil)
	if err != nil {
		return dst, nil, err
	}
	if v.large() {
		return v.readLargeSlowly(dst, between), v, nil
	}
	v.readSlowly(between)
	return v.atOnce(dst), v, nil
}

// DeclareSlowly is Declare in the same way.
func (v *View) DeclareSlowly(dst []byte, a Area, chunk int, between func()) ([]byte, error) {
	v.feed.hub.InPieces(chunk)
	if err := v.shift(a); err != nil {
		return dst, err
	}
	if v.large() {
		return v.readLargeSlowly(dst, between), nil
	}
	v.readSlowly(between)
	v.feed.hub.mu.Lock()
	v.reading = false
	v.feed.hub.mu.Unlock()
	return dst, nil
}

func (v *View) readLargeSlowly(dst []byte, between func()) []byte {
	v.readSlowly(between)
	d := v.draft()
	for d.write() {
		between()
	}
	between()
	return d.finish(dst)
}

func (v *View) readSlowly(between func()) {
	h := v.feed.hub
	for v.unread != nil {
		between()
		h.w.View(func(wv *world.View) { h.fill(wv, v) })
	}
	between()
}

// Footprint is how many slots, marks and waiting things a view holds in memory.
func (v *View) Footprint() int {
	return cap(v.records) + 64*cap(v.words) + cap(v.free) + cap(v.order) + cap(v.gone) + len(v.goneAt) +
		cap(v.causes) + cap(v.events) + v.unread.footprint() + v.pins.footprint()
}

func (u *unread) footprint() int {
	if u == nil {
		return 0
	}
	return cap(u.ids) + len(u.known)
}

func (p *viewPins) footprint() int {
	if p == nil {
		return 0
	}
	return len(p.held) + cap(p.loose) + cap(p.due)
}

// Encoding returns the encoding of the view's messages.
func (v *View) Encoding() Encoding { return [...]Encoding{JSON, Packed, Binary}[v.format] }

// Check reports what in the hub contradicts itself.
func (h *Hub) Check() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	records := 0
	for k, p := h.records.pages.From(0); p != nil; k, p = h.records.pages.From(k + 1) {
		for _, r := range p.records {
			if r == nil {
				continue
			}
			records++
			if r.hung != (len(h.hung[r.id]) > 0) {
				return fmt.Errorf("%v: hung is %t, at it are %d rows", r.id, r.hung, len(h.hung[r.id]))
			}
			if len(r.watchers) == 0 {
				return fmt.Errorf("%v has a record and no watcher", r.id)
			}
			for i, w := range r.watchers {
				if w.view.records[w.slot] != r || int(w.view.places[w.slot]) != i {
					return fmt.Errorf("watcher %d of %v is not in slot %d of its view", i, r.id, w.slot)
				}
			}
		}
	}
	h.recount()
	held := map[*Feed]int{}
	all := 0
	for _, v := range h.views {
		n := int(v.live)
		if v.unread != nil {
			n += v.unread.promised
		}
		held[v.feed] += n
		all += n
	}
	if all != h.held {
		return fmt.Errorf("%d entities are counted in all views, there are %d", h.held, all)
	}
	for f, n := range held {
		if f.held != n {
			return fmt.Errorf("%d entities are counted of a connection, there are %d", f.held, n)
		}
	}
	owned := map[*holder]int{}
	for f, n := range held {
		if f.by != nil {
			owned[f.by] += n
		}
	}
	views := map[*holder]int{}
	for _, v := range h.views {
		if v.feed.by != nil {
			views[v.feed.by]++
		}
	}
	for name, by := range h.holders {
		if by.views != views[by] {
			return fmt.Errorf("%d views are counted of %s, there are %d", by.views, name, views[by])
		}
		if by.feeds <= 0 || by.name != name || by.held != owned[by] {
			return fmt.Errorf("%d entities are counted of the %d connections of %s, there are %d", by.held, by.feeds, name, owned[by])
		}
	}
	if records != h.records.n {
		return fmt.Errorf("%d records are counted, there are %d", h.records.n, records)
	}
	for id, keys := range h.hung {
		seen := map[pinKey]bool{}
		for _, k := range keys {
			if i, ok := k.of.rowAt[k.key]; !ok || k.of.rows[i].at.Entity != id || seen[k] {
				return fmt.Errorf("row %s hangs at %v, where it is not, or twice", k.key, id)
			}
			seen[k] = true
		}
	}
	for _, v := range h.views {
		if err := v.check(); err != nil {
			return err
		}
	}
	if len(h.views) == 0 && (records > 0 || len(h.grid.levels) > 0 || len(h.grid.whole) > 0) {
		return fmt.Errorf("without views there are %d records, %d levels, %d views of the whole world", records, len(h.grid.levels), len(h.grid.whole))
	}
	return nil
}

func (v *View) check() error {
	live, slots, records := int32(0), map[uint32]bool{}, map[*record]bool{}
	for i, r := range v.records {
		w, bit := v.words[i>>6], uint64(1)<<(i&63)
		if w.whole&^w.marked&bit != 0 || r == nil && (w.whole|w.held)&bit != 0 {
			return fmt.Errorf("slot %d of view %q: bits %+v, record %p", i, v.name, w, r)
		}
		if r == nil {
			continue
		}
		if (w.whole|w.held)&bit == 0 {
			return fmt.Errorf("slot %d of view %q: %v is neither held by the client nor going to be told", i, v.name, r.id)
		}
		if records[r] {
			return fmt.Errorf("view %q holds %v twice", v.name, r.id)
		}
		records[r] = true
		live++
		slots[uint32(i)] = true
		if at := int(v.places[i]); at >= len(r.watchers) || r.watchers[at] != (watcher{v, uint32(i)}) {
			return fmt.Errorf("slot %d of view %q is not among the watchers of %v", i, v.name, r.id)
		}
		if !v.region.holds(&r.at.Position) {
			return fmt.Errorf("view %q holds %v, which is outside", v.name, r.id)
		}
	}
	for _, n := range v.free {
		if slots[n] {
			return fmt.Errorf("slot %d of view %q is free and used", n, v.name)
		}
		slots[n] = true
	}
	for _, g := range v.gone {
		if slots[g.slot] {
			return fmt.Errorf("slot %d of view %q is gone and used", g.slot, v.name)
		}
		slots[g.slot] = true
	}
	if live != v.live || len(slots) != len(v.records) {
		return fmt.Errorf("view %q: %d entities, %d counted; %d slots, %d accounted for", v.name, live, v.live, len(v.records), len(slots))
	}
	if err := v.checkPins(); err != nil {
		return err
	}
	if v.ordered {
		seen := map[uint32]bool{}
		for _, n := range v.order {
			if seen[n] || v.words[n>>6].marked&(1<<(n&63)) == 0 {
				return fmt.Errorf("slot %d of view %q is in order twice, or not marked", n, v.name)
			}
			seen[n] = true
		}
	}
	return nil
}

func (v *View) checkPins() error {
	p, h := v.pins, v.feed.hub
	if p == nil {
		return nil
	}
	for i := range p.due[min(1, len(p.due)):] {
		if p.due[i].compare(p.due[i+1]) >= 0 {
			return fmt.Errorf("view %q told %s twice, or not in order", v.name, p.due[i].key)
		}
	}
	for k := range p.held {
		if k.row(h, v) == nil && !p.sweep && !slices.Contains(p.loose, k) {
			return fmt.Errorf("view %q holds %s, which it does not see, and is not going to tell", v.name, k.key)
		}
	}
	return nil
}

// Owners returns for how many owners there are connections.
func (h *Hub) Owners() int {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return len(h.holders)
}
