package statesync

import (
	"math"

	"github.com/limina-mcp/limina/world"
)

// observe takes in a commit. It runs under the world's lock: it copies what changed and somebody
// sees, marks the views that see it, and is done.
func (h *Hub) observe(c *world.Commit) {
	waking, over := h.take(c)
	for _, f := range waking {
		f.wake()
	}
	for _, f := range over {
		f.onOver()
	}
}

// take returns the feeds that have something to tell and had nothing before, and those that are found to hold too much.
func (h *Hub) take(c *world.Commit) (waking, over []*Feed) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed { // since this commit began
		return nil, nil
	}
	h.tick, h.step = c.Tick, c.Step
	clear(h.waking)
	h.waking = h.waking[:0]
	h.history.add(c)
	v := c.View()
	h.fetched = h.fetch(c.Changes)
	for i := range c.Changes {
		h.change(v, c, &c.Changes[i])
	}
	if len(c.World) > 0 {
		h.shared.take(h, c)
	}
	for i := range c.Moments {
		h.moment(c, &c.Moments[i])
	}
	for i, view := range h.roomy {
		if view.roomy() {
			view.shrink()
		}
		h.roomy[i] = nil
	}
	h.roomy = h.roomy[:0]
	return h.waking, h.overfull()
}

// fetch looks at what change will need of records and views, and returns something of all of it. Here
// no load waits for the one before, so the processor does many at a time; in change each would wait for memory.
func (h *Hub) fetch(changes []world.Change) (sum uint64) {
	if len(changes) > 1 { // one waits for itself, in admit as here
		for _, l := range h.grid.levels {
			sum += l.fetch(changes)
		}
	}
	watched := 0
	for i := range changes {
		if r := h.records.get(changes[i].ID); r != nil {
			sum += r.scaled
			watched += len(r.watchers)
		}
	}
	if watched > len(h.views) {
		for _, v := range h.views {
			sum += v.touched + uint64(len(v.words)) + math.Float64bits(v.region.center[0])
		}
		return sum
	}
	for i := range changes {
		if r := h.records.get(changes[i].ID); r != nil {
			for _, w := range r.watchers {
				sum += w.view.touched + uint64(len(w.view.words))
			}
		}
	}
	return sum
}

// change takes in what happened to one entity.
func (h *Hub) change(v *world.View, c *world.Commit, ch *world.Change) {
	r := h.records.get(ch.ID)
	existed := ch.What&world.Created == 0
	if r == nil {
		if p, ok := v.Position(ch.ID); ok {
			h.admit(v, c, ch, &p, existed)
		}
		return
	}
	at, ok := v.WorldTransform(ch.ID)
	if !ok {
		h.destroy(c, r)
		return
	}
	moved := at != r.at
	if moved {
		r.move(h, &at)
	}
	if ch.What&(world.Created|world.Changed) != 0 && r.readParts(h, v) {
		moved = true
	}
	if !moved {
		return
	}
	for i := len(r.watchers) - 1; i >= 0; i-- {
		w := r.watchers[i]
		h.touch(w.view, c)
		if w.view.region.holds(&at.Position) {
			w.view.mark(w.slot)
			continue
		}
		r.leave(i)
	}
	if ch.What&world.Moved != 0 {
		h.admit(v, c, ch, &at.Position, existed)
	}
	if len(r.watchers) == 0 {
		h.records.drop(r.id)
	}
}

func (h *Hub) destroy(c *world.Commit, r *record) {
	for i := len(r.watchers) - 1; i >= 0; i-- {
		h.touch(r.watchers[i].view, c)
		r.leave(i)
	}
	h.records.drop(r.id)
}

// admit has an entity enter the views that it was not in before.
func (h *Hub) admit(v *world.View, c *world.Commit, ch *world.Change, p *world.Vec3, existed bool) {
	if !existed {
		for _, view := range h.grid.whole {
			h.enter(v, c, ch.ID, view)
		}
	}
	if existed && *p == ch.Before {
		return
	}
	for _, l := range h.grid.levels {
		if l.outside(p) {
			continue
		}
		at := l.at(p)
		cell := l.cells[cellKey(at)]
		if cell == nil {
			continue
		}
		shell := uint64(math.MaxUint64)
		if existed {
			shell = l.shell(&ch.Before, p)
		}
		for _, view := range cell.part {
			if view.region.entered(p, shell) && view.region.holds(p) && (!existed || !view.region.holds(&ch.Before)) {
				h.enter(v, c, ch.ID, view)
			}
		}
		if existed && l.at(&ch.Before) == at {
			continue // who sees the whole cell has seen it already
		}
		for _, view := range cell.full {
			if !existed || !view.region.holds(&ch.Before) {
				h.enter(v, c, ch.ID, view)
			}
		}
	}
}

// enter has an entity enter a view.
func (h *Hub) enter(v *world.View, c *world.Commit, id world.ID, view *View) {
	h.touch(view, c)
	if view.unread != nil {
		view.unread.known[id] = struct{}{} // from now on known if inside, like any other
	}
	if r := h.record(v, id); r != nil {
		h.entered++
		view.enter(r)
	}
}

// record returns the record of an entity and makes one if there is none. It returns nil if there is no
// such entity.
func (h *Hub) record(v *world.View, id world.ID) *record {
	if r := h.records.get(id); r != nil {
		return r
	}
	at, ok := v.WorldTransform(id)
	if !ok {
		return nil
	}
	r := &record{id: id, hung: len(h.hung[id]) > 0}
	r.place(h, &at)
	r.readParts(h, v)
	h.records.put(r)
	return r
}

// touch notes that a commit touches a view.
func (h *Hub) touch(view *View, c *world.Commit) {
	if view.touched != c.Tick {
		h.touchFirst(view, c)
	}
}

// touchFirst is touch for the first time.
func (h *Hub) touchFirst(view *View, c *world.Commit) {
	view.touched = c.Tick
	if len(c.Causes) > 0 && !view.closed {
		view.addCauses(c.Causes)
	}
	if f := h.ready(view); f != nil {
		h.waking = append(h.waking, f)
	}
	if view.roomy() {
		h.roomy = append(h.roomy, view)
	}
}

// ready puts a view among those that have something to tell, and returns its feed if that has to be
// woken.
func (h *Hub) ready(view *View) *Feed {
	if view.due || !view.open() {
		return nil
	}
	view.due = true
	f := view.feed
	f.due = append(f.due, view)
	if f.awake {
		return nil
	}
	f.awake = true
	return f
}
