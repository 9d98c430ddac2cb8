package statesync

import (
	"slices"

	"github.com/limina-mcp/limina/world"
)

// sharedStates is a copy of the globals and tables that viewers get. It knows in which tick each of them,
// and each row, changed last, so a view needs no memory of its own: it is told what is newer than what
// it was told.
type sharedStates struct {
	all    []*sharedState
	byName map[string]*sharedState
	placed []*sharedState // the tables whose rows have places
	tick   uint64         // in which any of the others changed last
}

// sharedState is a global, or a table.
type sharedState struct {
	key  []byte // `"name":`
	tick uint64 // in which it changed last

	text []byte // the JSON of a global

	// A table. Rows that are gone stay until the log forgets them; where rows have places there is no log.
	table  bool
	placed bool // its rows have places
	rows   []row
	rowAt  map[string]int // places in rows, by key
	log    []touchedRow   // what changed, oldest first
	forgot uint64         // the newest tick of which the log no longer has everything
}

// read copies everything.
func (s *sharedStates) read(h *Hub, v *world.View, tick uint64) {
	w := v.World()
	for _, name := range w.Shared(v) {
		st := s.state(name)
		st.tick, st.forgot = tick, tick
		st.table = v.Rows(name, func(key, value []byte, at *world.Place) {
			if at == nil {
				st.set(key, value, tick)
				return
			}
			s.place(st)
			h.hang(pinKey{st, string(key)}, value, at, tick)
		})
		st.log = nil
		if !st.table {
			st.text = w.AppendShared(nil, v, name)
		}
	}
	s.tick = tick
}

func (s *sharedStates) state(name string) *sharedState {
	if st := s.byName[name]; st != nil {
		return st
	}
	if s.byName == nil {
		s.byName = map[string]*sharedState{}
	}
	st := &sharedState{key: append(appendText(nil, name), ':'), rowAt: map[string]int{}}
	s.byName[name] = st
	s.all = append(s.all, st)
	return st
}

// place has a table be one whose rows have places. Which it is shows with its first row.
func (s *sharedStates) place(st *sharedState) {
	if !st.placed {
		st.placed = true
		s.placed = append(s.placed, st)
	}
}

// take copies what a commit changed and touches the views that see it.
func (s *sharedStates) take(h *Hub, c *world.Commit) {
	v := c.View()
	all := false
	for _, name := range c.World {
		st := s.state(name)
		st.table = c.Rows(name, func(key, value []byte, at *world.Place) {
			if at == nil {
				st.set(key, value, c.Tick)
				return
			}
			s.place(st)
			h.pin(c, st, key, value, at)
		})
		if st.placed {
			continue
		}
		st.tick, all = c.Tick, true
		if !st.table {
			st.text = v.World().AppendShared(st.text[:0], v, name)
			continue
		}
		st.trim()
	}
	if !all {
		return
	}
	s.tick = c.Tick
	for _, view := range h.views {
		h.touch(view, c)
	}
}

// news reports whether there is something in it for a view.
func (s *sharedStates) news(v *View) bool {
	return s.tick > v.seen || v.pins != nil && len(v.pins.due) > 0 || v.resumed && len(s.placed) > 0
}

// append writes `"world":{…}` with what is news for a view, or with everything if it has not begun, and then `"replaced":[…]`
// with the tables that are in it as a whole although it is a delta. There is something.
func (s *sharedStates) append(h *Hub, v *View, dst []byte) []byte {
	all, since := !v.begun, v.seen
	dst = append(dst, `"world":{`...)
	var replaced []*sharedState
	for i, n := 0, 0; i < len(s.all); i++ {
		st := s.all[i]
		if !all && !st.news(v) {
			continue
		}
		if n++; n > 1 {
			dst = append(dst, ',')
		}
		dst = append(dst, st.key...)
		switch {
		case !st.table:
			dst = append(dst, st.text...)
		case st.placed && (all || v.resumed):
			dst = v.appendSeen(h, st, dst)
			if !all {
				replaced = append(replaced, st) // what the client holds of it is not known
			}
		case st.placed:
			dst = v.pins.appendDue(st, dst)
		case all:
			dst = st.appendRows(dst)
		case since < st.forgot:
			dst = st.appendRows(dst)
			replaced = append(replaced, st)
		default:
			dst = st.appendTouched(dst, since)
		}
	}
	dst = append(dst, '}')
	if replaced != nil {
		dst = appendKeys(append(dst, `,"replaced":`...), replaced)
	}
	return dst
}

// news reports whether there is something of it for a view.
func (st *sharedState) news(v *View) bool {
	if !st.placed {
		return st.tick > v.seen
	}
	return v.resumed || v.pins != nil && slices.ContainsFunc(v.pins.due, func(t told) bool { return t.of == st })
}

// appendTables writes `"tables":[…]`: the names in the world that are tables.
func (s *sharedStates) appendTables(dst []byte) []byte {
	var tables []*sharedState
	for _, st := range s.all {
		if st.table {
			tables = append(tables, st)
		}
	}
	return appendKeys(append(dst, `"tables":`...), tables)
}

func appendKeys(dst []byte, states []*sharedState) []byte {
	dst = append(dst, '[')
	for i, st := range states {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, st.key[:len(st.key)-1]...)
	}
	return append(dst, ']')
}
