package statesync

import (
	"github.com/limina-mcp/limina/world"
)

// event is a moment as JSON, shared by the views that see it.
type event struct{ text []byte }

// maxEventBytes bounds what the moments that wait for one view hold in memory. The largest has room beside others.
const maxEventBytes = 2 * world.MaxMoment

// moment gives a moment to the views that see its place, or to all if it has none.
func (h *Hub) moment(c *world.Commit, m *world.Moment) {
	if len(h.views) == 0 {
		return
	}
	var e *event
	tell := func(view *View) {
		if e == nil {
			e = &event{appendMoment(nil, m)}
		}
		h.tell(c, view, e)
	}
	if !m.Placed {
		for _, view := range h.views {
			tell(view)
		}
		return
	}
	for _, view := range h.grid.whole {
		tell(view)
	}
	for _, l := range h.grid.levels {
		cell := l.cells[cellKey(l.at(&m.At))]
		if cell == nil {
			continue
		}
		for _, view := range cell.part {
			if view.region.holds(&m.At) {
				tell(view)
			}
		}
		for _, view := range cell.full {
			tell(view)
		}
	}
}

// tell has a moment wait for a view. The oldest make room, and are counted: the view is told so.
func (h *Hub) tell(c *world.Commit, view *View, e *event) {
	h.touch(view, c)
	view.events = append(view.events, e)
	view.heavy += len(e.text)
	for len(view.events) > h.config.MaxEvents || view.heavy > maxEventBytes && len(view.events) > 1 {
		view.missed++
		view.heavy -= len(view.events[0].text)
		view.events[0] = nil
		view.events = view.events[1:]
	}
}

// appendMoment writes a moment.
func appendMoment(dst []byte, m *world.Moment) []byte {
	dst = appendText(append(dst, `{"kind":`...), m.Kind)
	if m.Entity != 0 {
		dst, _ = m.Entity.AppendText(append(dst, `,"entity":"`...))
		dst = append(dst, '"')
	}
	if m.Placed {
		dst = append(appendVec(append(dst, `,"at":[`...), &m.At), ']')
	}
	if m.Payload != nil {
		dst = append(dst, `,"payload":`...)
		start := len(dst)
		dst = append(dst, m.Payload...)
		for i, c := range dst[start:] {
			if c == '\n' || c == '\r' { // white space: on some transports a message is a line
				dst[start+i] = ' '
			}
		}
	}
	return append(dst, '}')
}
