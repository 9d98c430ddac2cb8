package statesync

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/limina-mcp/limina/world"
)

// A row that has a place is told to the views that see that, so each view has to remember which rows it has told: see
// [viewPins].

// pinKey names such a row. One that goes and comes again has the name that it had.
type pinKey struct {
	of  *sharedState
	key string
}

// row returns the row if it is there and a view sees it, else nil. It is good until the hub changes.
func (k pinKey) row(h *Hub, v *View) *row {
	if i, ok := k.of.rowAt[k.key]; ok && k.of.rows[i].seenBy(h, v) {
		return &k.of.rows[i]
	}
	return nil
}

// told is a row that a message tells: what it is, or nil to say that it is gone.
type told struct {
	pinKey
	row *row
}

func (a told) compare(b told) int {
	return cmp.Or(bytes.Compare(a.of.key, b.of.key), cmp.Compare(a.key, b.key))
}

// viewPins is what a view knows of rows that have places.
type viewPins struct {
	held  map[pinKey]struct{} // the client holds them
	loose []pinKey            // may have something to tell; some perhaps more than once
	sweep bool                // all may
	due   []told              // by the message that is being written
}

// maxLoose is how many rows are looked at one by one: with more, all are.
const maxLoose = 64

// loosen notes that rows may have something to tell to a view.
func (v *View) loosen(keys ...pinKey) {
	if !v.begun {
		return // the snapshot has all
	}
	p := v.known()
	if p.sweep = p.sweep || len(p.loose)+len(keys) > maxLoose; p.sweep {
		p.loose = p.loose[:0]
		return
	}
	p.loose = append(p.loose, keys...)
}

// sweep has the view look at all rows that have places.
func (v *View) sweep() {
	if !v.begun || len(v.feed.hub.shared.placed) == 0 {
		return
	}
	p := v.known()
	p.loose, p.sweep = p.loose[:0], true
}

func (v *View) known() *viewPins {
	if v.pins == nil {
		v.pins = new(viewPins)
	}
	return v.pins
}

// seenBy reports whether a row is in the area of a view.
func (r *row) seenBy(h *Hub, v *View) bool {
	switch at := &r.at; {
	case at.Entity != 0:
		e := h.records.get(at.Entity) // there is one if any view holds the entity
		return e != nil && v.region.holds(&e.at.Position)
	case at.Point != nil:
		return v.area.Whole || Within(v.area.Center, v.area.Radius+at.Radius).Holds(*at.Point)
	}
	return true
}

// pin takes in a row of a commit, nil if it is gone, and touches the views that see it or saw it.
func (h *Hub) pin(c *world.Commit, st *sharedState, key, value []byte, at *world.Place) {
	k := pinKey{st, string(key)}
	i, was := st.rowAt[k.key]
	if was {
		h.loosen(c, k, &st.rows[i])
		h.unhang(k, st.rows[i].at.Entity)
	}
	switch {
	case value != nil:
		h.loosen(c, k, h.hang(k, value, at, c.Tick))
	case was:
		st.drop(i)
	}
}

// loosen has the views that see a row look at it.
func (h *Hub) loosen(c *world.Commit, k pinKey, r *row) {
	tell := func(v *View) {
		v.loosen(k)
		h.touch(v, c)
	}
	if id := r.at.Entity; id != 0 {
		if e := h.records.get(id); e != nil {
			for _, w := range e.watchers {
				tell(w.view)
			}
		}
		return
	}
	for _, v := range h.views {
		if r.seenBy(h, v) {
			tell(v)
		}
	}
}

// hang puts a row where it is, and has it be known to come and go with its entity.
func (h *Hub) hang(k pinKey, value []byte, at *world.Place, tick uint64) *row {
	r := k.of.set([]byte(k.key), value, tick)
	r.at = *at
	if at.Point != nil {
		point := *at.Point
		r.at.Point = &point
	}
	id := at.Entity
	if id == 0 {
		return r
	}
	if h.hung == nil {
		h.hung = map[world.ID][]pinKey{}
	}
	h.hung[id] = append(h.hung[id], k)
	if e := h.records.get(id); e != nil {
		e.hung = true
	}
	return r
}

func (h *Hub) unhang(k pinKey, id world.ID) {
	if id == 0 {
		return
	}
	if rest := slices.DeleteFunc(h.hung[id], func(o pinKey) bool { return o == k }); len(rest) > 0 {
		h.hung[id] = rest
		return
	}
	delete(h.hung, id)
	if e := h.records.get(id); e != nil {
		e.hung = false
	}
}

// settle finds out which rows the next message of a view tells, unless it is one that has all of them, and notes that
// the client holds them. The hub is locked for reading.
func (p *viewPins) settle(h *Hub, v *View) {
	p.due = recycle(p.due)
	switch {
	case !v.begun || v.resumed: // it has all of them
	case p.sweep:
		for k := range p.held {
			if k.row(h, v) == nil {
				p.due = append(p.due, told{k, nil})
			}
		}
		for _, st := range h.shared.placed {
			for i := range st.rows {
				r := &st.rows[i]
				k := pinKey{st, r.key}
				if _, held := p.held[k]; (!held || r.tick > v.seen) && r.seenBy(h, v) {
					p.due = append(p.due, told{k, r})
				}
			}
		}
	default:
		for _, k := range p.loose {
			r := k.row(h, v)
			if _, held := p.held[k]; held || r != nil {
				p.due = append(p.due, told{k, r})
			}
		}
	}
	p.loose, p.sweep = p.loose[:0], false
	slices.SortFunc(p.due, told.compare)
	p.due = slices.Compact(p.due)
	for _, t := range p.due {
		if t.row == nil {
			delete(p.held, t.pinKey)
			continue
		}
		p.hold(t.pinKey)
	}
}

// appendDue writes the rows of a table that the message tells, null for those that are gone.
func (p *viewPins) appendDue(st *sharedState, dst []byte) []byte {
	o := object{dst: append(dst, '{')}
	for _, t := range p.due {
		switch {
		case t.of != st:
		case t.row == nil:
			o.member(t.key, []byte("null"))
		default:
			o.member(t.key, t.row.text)
		}
	}
	return append(o.dst, '}')
}

// appendSeen writes all rows of a table that a view sees, and notes that the client holds them.
func (v *View) appendSeen(h *Hub, st *sharedState, dst []byte) []byte {
	o := object{dst: append(dst, '{')}
	for i := range st.rows {
		if r := &st.rows[i]; r.seenBy(h, v) {
			v.known().hold(pinKey{st, r.key})
			o.member(r.key, r.text)
		}
	}
	return append(o.dst, '}')
}

func (p *viewPins) hold(k pinKey) {
	if p.held == nil {
		p.held = map[pinKey]struct{}{}
	}
	p.held[k] = struct{}{}
}
