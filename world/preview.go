package world

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
)

// The bounds of what a preview shows; the rest it counts.
const (
	maxShown      = 50       // entities
	maxShownBytes = 24 << 10 // of their text
)

// Preview tells what has changed since the mark, and undoes it:
//
//	{"created":1,"changed":1,"destroyed":0,"entities":[
//	  {"entity":"ent_4","change":"created","after":{"pos":[0,1,0],…}},
//	  {"entity":"ent_2","change":"changed","before":{"pos":[0,0,0]},"after":{"pos":[0,1,0]}}],
//	 "world":["weather"],"more":0}
//
// The counts are of all entities that look different to viewers, entities the first of them, in id
// order, with what is different; more is how many are left out. world names the tables and globals
// that changed. Private state is not told of.
func (tx *Tx) Preview(mark int) json.RawMessage {
	ids, shared := tx.touchedSince(mark)
	now := make([][]field, len(ids))
	for i, id := range ids {
		now[i] = tx.fields(id)
	}
	tx.RollbackTo(mark)
	var d differ
	for i, id := range ids {
		d.add(id, tx.fields(id), now[i])
	}
	return d.text(shared)
}

// touchedSince returns the entities that the journal names from the mark on, and the tables and
// globals that are not private.
func (tx *Tx) touchedSince(mark int) (ids []ID, shared []string) {
	for i := range tx.journal[mark:] {
		r := &tx.journal[mark+i]
		if r.id != 0 {
			ids = append(ids, r.id)
		} else if r.op == opState && !tx.w.states[r.state].base().private {
			shared = append(shared, tx.w.states[r.state].key())
		}
	}
	slices.Sort(shared)
	return sortedIDs(ids), slices.Compact(shared)
}

// sortedIDs returns ids in order, each once. It uses the slice that it is given.
func sortedIDs(ids []ID) []ID {
	sortIDs(ids)
	return slices.Compact(ids)
}

// field is one member of an entity's JSON.
type field struct {
	name string
	text []byte
}

// fields returns what viewers see of an entity, nil if it is not there.
func (v *View) fields(id ID) []field {
	t, ok := v.WorldTransform(id)
	if !ok {
		return nil
	}
	list := []field{
		{"pos", appendFloats(nil, t.Position[:])},
		{"rot", appendFloats(nil, t.Rotation[:])},
		{"scale", appendFloats(nil, t.Scale[:])},
	}
	text, parts := v.w.AppendParts(nil, nil, v, id)
	start := 0
	for _, p := range parts {
		list = append(list, field{p.Name, text[start:p.End]})
		start = p.End
	}
	return list
}

// differ writes differences.
type differ struct {
	created, changed, destroyed int
	shown                       int
	dst                         []byte
}

func (d *differ) add(id ID, before, after []field) {
	change := "changed"
	switch {
	case before == nil && after == nil:
		return
	case before == nil:
		change = "created"
		d.created++
	case after == nil:
		change = "destroyed"
		d.destroyed++
	default:
		if before, after = different(before, after), different(after, before); before == nil && after == nil {
			return
		}
		d.changed++
	}
	if d.shown == maxShown || len(d.dst) > maxShownBytes {
		return
	}
	if d.shown++; d.shown > 1 {
		d.dst = append(d.dst, ',')
	}
	d.dst = id.append(append(d.dst, `{"entity":"`...))
	d.dst = append(append(append(d.dst, `","change":"`...), change...), '"')
	d.dst = appendFields(d.dst, "before", before)
	d.dst = appendFields(d.dst, "after", after)
	d.dst = append(d.dst, '}')
}

// different returns the fields of a that are not the same in b.
func different(a, b []field) (out []field) {
	for _, f := range a {
		if !slices.ContainsFunc(b, func(g field) bool { return g.name == f.name && bytes.Equal(g.text, f.text) }) {
			out = append(out, f)
		}
	}
	return out
}

func appendFields(dst []byte, name string, list []field) []byte {
	if list == nil {
		return dst
	}
	dst = append(append(append(dst, `,"`...), name...), `":{`...)
	for i, f := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(appendString(dst, f.name), ':'), f.text...)
	}
	return append(dst, '}')
}

func (d *differ) text(shared []string) []byte {
	dst := strconv.AppendInt([]byte(`{"created":`), int64(d.created), 10)
	dst = strconv.AppendInt(append(dst, `,"changed":`...), int64(d.changed), 10)
	dst = strconv.AppendInt(append(dst, `,"destroyed":`...), int64(d.destroyed), 10)
	dst = append(append(append(dst, `,"entities":[`...), d.dst...), `],"world":`...)
	if shared == nil {
		shared = []string{}
	}
	dst = appendStrings(dst, shared)
	dst = strconv.AppendInt(append(dst, `,"more":`...), int64(d.created+d.changed+d.destroyed-d.shown), 10)
	return append(dst, '}')
}
