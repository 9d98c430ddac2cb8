package world

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// writeSnapshot appends a snapshot as encoding/json would write it, without its closing brace: the world waits meanwhile, and that takes several times as long.
func (v *View) writeSnapshot(dst []byte) []byte {
	w := v.w
	o := object{dst: dst}
	o.count("version", snapshotVersion)
	o.count("step", v.Step())
	o.key("entities")
	o.dst = v.writePlaces(o.dst)
	var columns []column
	var tables []rowed
	var globals []state
	for _, st := range w.states {
		if st.base().lasting {
			continue
		}
		switch st := st.(type) {
		case column:
			columns = append(columns, st)
		case rowed:
			tables = append(tables, st)
		default:
			globals = append(globals, st)
		}
	}
	o.key("columns")
	in := object{dst: o.dst}
	byName(columns, func(st column) {
		in.named(st.key())
		in.dst = writeColumn(in.dst, st)
	})
	o.dst = in.end()
	o.key("tables")
	in = object{dst: o.dst}
	byName(tables, func(st rowed) {
		in.named(st.(state).key())
		in.dst = writeTable(in.dst, st)
	})
	o.dst = in.end()
	o.key("globals")
	in = object{dst: o.dst}
	byName(globals, func(st state) {
		in.named(st.key())
		in.value(st.append)
	})
	o.dst = in.end()
	return o.dst
}

// byName calls fn with states, in the order of their names.
func byName[S any](states []S, fn func(S)) {
	name := func(s S) string { return any(s).(state).key() }
	slices.SortFunc(states, func(a, b S) int { return strings.Compare(name(a), name(b)) })
	for _, s := range states {
		fn(s)
	}
}

// writePlaces appends where all entities are, and below what.
func (v *View) writePlaces(dst []byte) []byte {
	dst = append(dst, '[')
	some := false
	for id := range v.All() {
		if some {
			dst = append(dst, ',')
		}
		some = true
		t, _ := v.Transform(id)
		o := object{dst: dst}
		o.id("id", id)
		if parent := v.Parent(id); parent != 0 {
			o.id("parent", parent)
		}
		o.vec("pos", t.Position)
		o.key("rot")
		o.dst = appendFloats(o.dst, t.Rotation[:])
		o.vec("scale", t.Scale)
		dst = o.end()
	}
	return append(dst, ']')
}

func (o *object) id(name string, id ID) {
	o.key(name)
	o.dst = append(id.append(append(o.dst, '"')), '"')
}

// named is key, of a name that may hold anything.
func (o *object) named(name string) {
	if o.some {
		o.dst = append(o.dst, ',')
	} else {
		o.dst = append(o.dst, '{')
	}
	o.some = true
	o.dst = append(appendString(o.dst, name), ':')
}

// value appends what write does, which is JSON, without space between what it is of.
func (o *object) value(write func(dst []byte) []byte) {
	n := len(o.dst)
	o.dst = write(o.dst)
	for _, c := range o.dst[n:] {
		if c <= ' ' { // it may be within a text
			var tight bytes.Buffer
			if json.Compact(&tight, o.dst[n:]) == nil {
				o.dst = append(o.dst[:n], tight.Bytes()...)
			}
			return
		}
	}
}

// digits are those of an id, for the order in which encoding/json has the keys of a map: that of their texts.
type digits struct {
	id    ID
	left  uint64 // its number, moved to the left of so many digits as a number has at most
	count int
}

// textual returns ids in the order of their texts.
func textual(ids []ID) []digits {
	const most = 1e18
	order := make([]digits, len(ids))
	for i, id := range ids {
		d := digits{id: id, left: id.Number(), count: 19}
		for d.left < most && d.left > 0 {
			d.left, d.count = d.left*10, d.count-1
		}
		if d.left == 0 {
			d.count = 1
		}
		order[i] = d
	}
	slices.SortFunc(order, func(a, b digits) int { return cmp.Or(cmp.Compare(a.left, b.left), cmp.Compare(a.count, b.count)) })
	return order
}

func writeColumn(dst []byte, c column) []byte {
	o := object{dst: dst}
	for _, d := range textual(c.holders()) {
		if o.some {
			o.dst = append(o.dst, ',')
		} else {
			o.dst = append(o.dst, '{')
		}
		o.some = true
		o.dst = append(d.id.append(append(o.dst, '"')), `":`...)
		o.value(func(dst []byte) []byte {
			dst, _ = c.appendOf(dst, d.id)
			return dst
		})
	}
	return o.end()
}

func writeTable(dst []byte, t rowed) []byte {
	type row struct {
		name string
		text []byte
	}
	var rows []row
	t.eachRow(func(key, value []byte, _ *Place) {
		var r row
		_ = json.Unmarshal(key, &r.name) // it is a JSON string
		r.text = slices.Clone(value)
		rows = append(rows, r)
	})
	slices.SortStableFunc(rows, func(a, b row) int { return strings.Compare(a.name, b.name) })
	o := object{dst: dst}
	for i, r := range rows {
		if i+1 < len(rows) && rows[i+1].name == r.name { // of texts that JSON cannot tell apart the last one counts
			continue
		}
		o.named(r.name)
		o.value(func(dst []byte) []byte { return append(dst, r.text...) })
	}
	return o.end()
}
