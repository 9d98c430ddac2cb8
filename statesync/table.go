package statesync

import (
	"sort"

	"github.com/limina-mcp/limina/world"
)

type row struct {
	key  string // as a JSON string
	text []byte // nil: gone
	tick uint64
	at   world.Place // in a table whose rows have places
}

type touchedRow struct {
	tick uint64
	key  string
}

// maxLog is how many changes of rows a table's log holds at most.
const maxLog = 4096

// set changes a row; a value of nil takes it away. It returns the row, nil if there was none to take away; it is good
// until the next change.
func (s *sharedState) set(key, value []byte, tick uint64) *row {
	i, ok := s.rowAt[string(key)]
	if !ok {
		if value == nil {
			return nil // came and went in one commit
		}
		i = len(s.rows)
		s.rows = append(s.rows, row{key: string(key)})
		s.rowAt[s.rows[i].key] = i
	}
	r := &s.rows[i]
	if value == nil {
		r.text = nil
	} else {
		r.text = append(r.text[:0], value...)
	}
	if r.tick != tick || !ok {
		r.tick = tick
		if !s.placed {
			s.log = append(s.log, touchedRow{tick, r.key})
		}
	}
	return r
}

// trim forgets the older half of a log that has become long, and the rows that are gone and were kept
// for it.
func (s *sharedState) trim() {
	if len(s.log) <= maxLog {
		return
	}
	cut := len(s.log) - maxLog/2
	s.forgot = s.log[cut-1].tick
	for cut < len(s.log) && s.log[cut].tick == s.forgot {
		cut++ // a tick is remembered as a whole
	}
	for _, t := range s.log[:cut] {
		i, ok := s.rowAt[t.key]
		if ok && s.rows[i].text == nil && s.rows[i].tick == t.tick {
			s.drop(i)
		}
	}
	s.log = append([]touchedRow(nil), s.log[cut:]...)
}

func (s *sharedState) drop(i int) {
	delete(s.rowAt, s.rows[i].key)
	last := len(s.rows) - 1
	if i != last {
		s.rows[i] = s.rows[last]
		s.rowAt[s.rows[i].key] = i
	}
	s.rows[last] = row{}
	s.rows = s.rows[:last]
}

// appendRows writes all rows.
func (s *sharedState) appendRows(dst []byte) []byte {
	o := object{dst: append(dst, '{')}
	for i := range s.rows {
		if r := &s.rows[i]; r.text != nil {
			o.member(r.key, r.text)
		}
	}
	return append(o.dst, '}')
}

// appendTouched writes the rows that changed after a tick, null for those that are gone.
func (s *sharedState) appendTouched(dst []byte, since uint64) []byte {
	o := object{dst: append(dst, '{')}
	from := sort.Search(len(s.log), func(i int) bool { return s.log[i].tick > since })
	for _, t := range s.log[from:] {
		i, ok := s.rowAt[t.key]
		if !ok || s.rows[i].tick != t.tick {
			continue // changed again later
		}
		if s.rows[i].text == nil {
			o.member(t.key, []byte("null"))
			continue
		}
		o.member(t.key, s.rows[i].text)
	}
	return append(o.dst, '}')
}
