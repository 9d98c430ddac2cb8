package statesync

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/limina-mcp/limina/internal/decimal"
)

// The beginnings of the messages in text frames.
const (
	snapshotHead = `{"jsonrpc":"2.0","method":"state/snapshot","params":{"tick":`
	deltaHead    = `{"jsonrpc":"2.0","method":"state/delta","params":{"tick":`
)

// append appends the next message of the view, or nothing if there is nothing to tell. The feed's mu
// is held and the hub is locked for reading. What a view has been told it has been told: whoever
// calls it must deliver the message, or end the subscription.
func (v *View) append(h *Hub, dst []byte) []byte {
	if !v.pending() {
		return dst
	}
	if v.pins != nil {
		v.pins.settle(h, v)
	}
	n := len(dst)
	switch v.format {
	case asBinary:
		dst = v.appendBinary(h, dst)
	case asPacked:
		dst = v.appendPacked(h, dst)
	default:
		dst = v.appendJSON(h, dst)
	}
	v.seen = h.tick
	if len(dst) == n {
		return dst
	}
	v.sent(h)
	return dst
}

// sent notes that the view has been told everything, in one more message.
func (v *View) sent(h *Hub) {
	v.tick, v.step = h.tick, h.step
	v.moved, v.begun, v.resumed, v.anew = false, true, false, false
	v.causes = v.causes[:0]
	clear(v.events)
	v.events, v.heavy, v.missed = v.events[:0], 0, 0
	v.tally.messages++
}

// follows reports whether the client has had a message before, so that what has happened since is told: intents and events.
func (v *View) follows() bool { return v.begun || v.anew }

// quiet reports whether there is nothing to tell but of entities in the area.
func (v *View) quiet(h *Hub) bool {
	return !v.moved && len(v.gone) == 0 && len(v.causes) == 0 && len(v.events) == 0 && !h.shared.news(v)
}

// appendJSON writes the message in the default encoding.
func (v *View) appendJSON(h *Hub, dst []byte) []byte {
	s := h.borrow()
	defer h.scratches.Put(s)
	records := v.ordering(s.records[:0])
	s.records = records
	if len(records) == 0 && v.quiet(h) {
		return dst
	}
	dst = v.appendJSONStart(h, dst)
	for i, r := range records {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, r.json(h)...)
	}
	clear(records)
	return v.appendJSONEnd(h, dst)
}

// appendJSONStart writes what goes before the entities, and appendJSONEnd what goes behind them.
func (v *View) appendJSONStart(h *Hub, dst []byte) []byte {
	if !v.begun {
		return append(v.appendHead(h, append(dst, snapshotHead...)), `,"entities":[`...)
	}
	dst = v.appendCauses(v.appendHead(h, append(dst, deltaHead...)))
	return append(dst, `,"changes":[`...)
}

func (v *View) appendJSONEnd(h *Hub, dst []byte) []byte {
	dst = append(dst, ']')
	if v.begun {
		dst = v.appendRemoved(append(dst, `,"removed":`...))
	}
	return append(v.appendRest(h, dst, ','), `}}`...)
}

// ordering appends the records of the marked slots in the order in which the entities were created, and
// takes the marks away.
func (v *View) ordering(dst []*record) []*record {
	sorted := true
	for _, n := range v.order {
		v.words[n>>6].tell()
		r := v.records[n]
		if r == nil {
			continue
		}
		if last := len(dst) - 1; last >= 0 && dst[last].id > r.id {
			sorted = false
		}
		dst = append(dst, r)
	}
	v.order = v.order[:0]
	if !sorted {
		slices.SortFunc(dst, func(a, b *record) int { return cmp.Compare(a.id, b.id) })
	}
	return dst
}

// appendHead goes on after "tick": in a text message.
func (v *View) appendHead(h *Hub, dst []byte) []byte {
	dst = decimal.Append(dst, h.tick)
	dst = decimal.Append(append(dst, `,"step":`...), h.step)
	if v.name != "" {
		dst = appendText(append(dst, `,"subscription":`...), v.name)
	}
	return dst
}

// appendRemoved writes the ids of those that are gone and frees their slots.
func (v *View) appendRemoved(dst []byte) []byte {
	slices.SortFunc(v.gone, func(a, b gone) int { return cmp.Compare(a.id, b.id) })
	dst = append(dst, '[')
	for i := range v.gone {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst, _ = v.gone[i].id.AppendText(append(dst, '"'))
		dst = append(dst, '"')
	}
	v.tellGone()
	return append(dst, ']')
}

// appendRest writes the members aoi, world, tables, replaced, events and missed, those that there are, behind
// sep and with commas between them.
func (v *View) appendRest(h *Hub, dst []byte, sep byte) []byte {
	if v.moved {
		dst = v.area.append(append(dst, sep))
		sep = ','
	}
	if !v.begun {
		dst = h.shared.append(h, v, append(dst, sep))
		dst = h.shared.appendTables(append(dst, ','))
		dst = appendText(append(dst, `,"epoch":`...), h.config.Epoch)
		if !v.follows() {
			return dst
		}
		sep = ','
	} else if h.shared.news(v) {
		dst = h.shared.append(h, v, append(dst, sep))
		sep = ','
	}
	if len(v.events) == 0 {
		return dst
	}
	dst = append(append(dst, sep), `"events":[`...)
	for i, e := range v.events {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, e.text...)
	}
	dst = append(dst, ']')
	if v.missed > 0 {
		dst = decimal.AppendInt(append(dst, `,"missed":`...), int64(v.missed))
	}
	return dst
}

// append writes the area as aoi/declare takes it.
func (a Area) append(dst []byte) []byte {
	if a.Whole {
		return append(dst, `"aoi":{}`...)
	}
	dst = appendVec(append(dst, `"aoi":{"center":[`...), &a.Center)
	dst = strconv.AppendFloat(append(dst, `],"radius":`...), a.Radius, 'g', -1, 64)
	return append(dst, '}')
}

// appendCauses writes the intents whose effect the view sees.
func (v *View) appendCauses(dst []byte) []byte {
	dst = append(dst, `,"causedBy":[`...)
	for i, n := range v.causes {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = decimal.Append(dst, n)
	}
	return append(dst, ']')
}
