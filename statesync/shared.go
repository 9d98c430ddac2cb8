package statesync

import "github.com/limina-mcp/limina/world"

// sharedStates is a copy of the globals and tables that viewers get. It knows in which tick each of them,
// and each row, changed last, so a view needs no memory of its own: it is told what is newer than what
// it was told.
type sharedStates struct {
	all    []*sharedState
	byName map[string]*sharedState
	tick   uint64 // in which any of them changed last
}

// sharedState is a global, or a table.
type sharedState struct {
	key  []byte // `"name":`
	tick uint64 // in which it changed last

	text []byte // the JSON of a global

	// A table. Rows that are gone stay until the log forgets them.
	table  bool
	rows   []row
	rowAt  map[string]int // places in rows, by key
	log    []touchedRow   // what changed, oldest first
	forgot uint64         // the newest tick of which the log no longer has everything
}

// read copies everything.
func (s *sharedStates) read(v *world.View, tick uint64) {
	w := v.World()
	for _, name := range w.Shared(v) {
		st := s.state(name)
		st.tick, st.forgot = tick, tick
		st.table = v.Rows(name, func(key, value []byte) { st.set(key, value, tick) })
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

// take copies what a commit changed.
func (s *sharedStates) take(c *world.Commit) {
	v := c.View()
	s.tick = c.Tick
	for _, name := range c.World {
		st := s.state(name)
		st.tick = c.Tick
		st.table = c.Rows(name, func(key, value []byte) { st.set(key, value, c.Tick) })
		if !st.table {
			st.text = v.World().AppendShared(st.text[:0], v, name)
			continue
		}
		st.trim()
	}
}

// append writes `"world":{…}` with what is newer than since, or with everything if all is set, and
// then `"replaced":[…]` with the tables that are in it as a whole although it is a delta. It writes
// nothing if there is nothing.
func (s *sharedStates) append(dst []byte, since uint64, all bool) []byte {
	if !all && s.tick <= since {
		return dst
	}
	dst = append(dst, `"world":{`...)
	var replaced []*sharedState
	for i, n := 0, 0; i < len(s.all); i++ {
		st := s.all[i]
		if !all && st.tick <= since {
			continue
		}
		if n++; n > 1 {
			dst = append(dst, ',')
		}
		dst = append(dst, st.key...)
		switch {
		case !st.table:
			dst = append(dst, st.text...)
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
