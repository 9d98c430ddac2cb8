package statesync

import (
	"cmp"
	"slices"

	"github.com/limina-mcp/limina/world"
)

// pins is a copy of a table whose rows have places. A row is told to the views that see its place, so each has
// to remember which it has told, see [viewPins].
type pins struct {
	order int // of the tables that have places: when it was first seen
	list  []*pin
	byKey map[string]*pin
}

// pin is a row that has a place.
type pin struct {
	key  string // as a JSON string
	text []byte
	tick uint64 // in which it changed last
	at   world.Place
	n    int // its place in pins.list
}

// pinKey names a row of a table. A row that goes and comes again has the name that it had.
type pinKey struct {
	of  *sharedState
	key string
}

func (a pinKey) compare(b pinKey) int {
	return cmp.Or(a.of.pins.order-b.of.pins.order, cmp.Compare(a.key, b.key))
}

// viewPins is what a view knows of rows that have places.
type viewPins struct {
	held  map[pinKey]struct{} // the client holds them
	loose []pinKey            // may have something to tell; some perhaps more than once
	sweep bool                // all may
	due   []pinKey            // what the message that is being written tells: rows that are there, or gone
}

// maxLoose is how many rows are looked at one by one: with more, all are.
const maxLoose = 64

// loosen notes that rows may have something to tell to a view.
func (v *View) loosen(keys ...pinKey) {
	if !v.begun {
		return // the snapshot has all
	}
	if v.pins == nil {
		v.pins = new(viewPins)
	}
	p := v.pins
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
	if v.pins == nil {
		v.pins = new(viewPins)
	}
	v.pins.loose, v.pins.sweep = v.pins.loose[:0], true
}

// seenBy reports whether a row is in the area of a view.
func (p *pin) seenBy(h *Hub, v *View) bool {
	switch at := &p.at; {
	case at.Entity != 0:
		r := h.records.get(at.Entity) // there is one if any view holds the entity
		return r != nil && v.region.holds(&r.at.Position)
	case at.Point != nil:
		return v.area.Whole || Within(v.area.Center, v.area.Radius+at.Radius).Holds(*at.Point)
	}
	return true
}

// pin takes in a row of a commit, nil if it is gone, and touches the views that see it or saw it.
func (h *Hub) pin(c *world.Commit, st *sharedState, key, value []byte, at *world.Place) {
	p := st.pins.byKey[string(key)]
	if p == nil && value == nil {
		return // came and went in one commit
	}
	if p != nil {
		h.loosen(c, st, p)
		h.unhang(st, p)
	}
	if value == nil {
		st.pins.drop(p)
		return
	}
	if p == nil {
		p = st.pins.add(string(key))
	}
	p.set(value, at, c.Tick)
	h.hang(st, p)
	h.loosen(c, st, p)
}

// loosen has the views that see a row look at it.
func (h *Hub) loosen(c *world.Commit, st *sharedState, p *pin) {
	k := pinKey{st, p.key}
	tell := func(v *View) {
		v.loosen(k)
		if v.touched != c.Tick {
			h.touch(v, c)
		}
	}
	if id := p.at.Entity; id != 0 {
		if r := h.records.get(id); r != nil {
			for _, w := range r.watchers {
				tell(w.view)
			}
		}
		return
	}
	for _, v := range h.views {
		if p.seenBy(h, v) {
			tell(v)
		}
	}
}

// hang has a row be known to come and go with its entity.
func (h *Hub) hang(st *sharedState, p *pin) {
	id := p.at.Entity
	if id == 0 {
		return
	}
	if h.hung == nil {
		h.hung = map[world.ID][]pinKey{}
	}
	h.hung[id] = append(h.hung[id], pinKey{st, p.key})
	if r := h.records.get(id); r != nil {
		r.hung = true
	}
}

func (h *Hub) unhang(st *sharedState, p *pin) {
	id, k := p.at.Entity, pinKey{st, p.key}
	if id == 0 {
		return
	}
	if rest := slices.DeleteFunc(h.hung[id], func(o pinKey) bool { return o == k }); len(rest) > 0 {
		h.hung[id] = rest
		return
	}
	delete(h.hung, id)
	if r := h.records.get(id); r != nil {
		r.hung = false
	}
}

func (p *pins) add(key string) *pin {
	q := &pin{key: key, n: len(p.list)}
	p.list = append(p.list, q)
	p.byKey[key] = q
	return q
}

// drop takes a row out; the last one takes its place.
func (p *pins) drop(q *pin) {
	last := len(p.list) - 1
	p.list[q.n] = p.list[last]
	p.list[q.n].n = q.n
	p.list[last] = nil
	p.list = p.list[:last]
	delete(p.byKey, q.key)
}

func (p *pin) set(value []byte, at *world.Place, tick uint64) {
	p.text, p.tick, p.at = append(p.text[:0], value...), tick, *at
	if at.Point != nil {
		point := *at.Point
		p.at.Point = &point
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
			if q := k.of.pins.byKey[k.key]; q == nil || !q.seenBy(h, v) {
				p.due = append(p.due, k)
			}
		}
		for _, st := range h.shared.placed {
			for _, q := range st.pins.list {
				k := pinKey{st, q.key}
				if _, held := p.held[k]; (!held || q.tick > v.seen) && q.seenBy(h, v) {
					p.due = append(p.due, k)
				}
			}
		}
	default:
		for _, k := range p.loose {
			_, held := p.held[k]
			if q := k.of.pins.byKey[k.key]; held || q != nil && q.seenBy(h, v) {
				p.due = append(p.due, k)
			}
		}
	}
	p.loose, p.sweep = p.loose[:0], false
	slices.SortFunc(p.due, pinKey.compare)
	p.due = slices.Compact(p.due)
}

// appendDue writes the rows of a table that the message tells, null for those that are gone from the client.
func (p *viewPins) appendDue(h *Hub, v *View, st *sharedState, dst []byte) []byte {
	o := object{dst: append(dst, '{')}
	for _, k := range p.due {
		if k.of != st {
			continue
		}
		if q := st.pins.byKey[k.key]; q != nil && q.seenBy(h, v) {
			o.member(q.key, q.text)
			p.hold(k)
			continue
		}
		o.member(k.key, []byte("null"))
		delete(p.held, k)
	}
	return append(o.dst, '}')
}

// appendAll writes all rows of a table that a view sees.
func (v *View) appendAll(h *Hub, st *sharedState, dst []byte) []byte {
	o := object{dst: append(dst, '{')}
	for _, q := range st.pins.list {
		if !q.seenBy(h, v) {
			continue
		}
		if v.pins == nil {
			v.pins = new(viewPins)
		}
		v.pins.hold(pinKey{st, q.key})
		o.member(q.key, q.text)
	}
	return append(o.dst, '}')
}

func (p *viewPins) hold(k pinKey) {
	if p.held == nil {
		p.held = map[pinKey]struct{}{}
	}
	p.held[k] = struct{}{}
}
