package statesync

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/limina-mcp/limina/world"
)

// draft is the message in which a view of many entities is told them, a snapshot or the delta after another area was declared,
// while it is written, piece by piece: between two pieces commits have their
// turn. An entity that a commit changes after it was written is marked again, as in any view, and one that leaves is
// gone. Both are put right at the end, so that the message is of one tick, and a commit waits for what changed
// meanwhile, not for all there is.
type draft struct {
	v      *View
	pieces [][]byte
	slots  []drafted // by slot
	todo   int       // slots that are written in pieces; those that come later are written at the end
	next   int       // the first of them that is not written yet

	// The rest of the message.
	head  []byte  // what goes before the entities
	lists scratch // packed only
	rest  []byte  // what goes behind the entities
}

// drafted is what is to be told of a slot: a part of a piece. The zero drafted is nothing.
type drafted struct {
	id    world.ID
	piece int32
	start uint32
	end   uint32
	far   uint32 // from here on up to end it belongs to the list of those that are far away; packed only
}

// draft returns a draft of the next message, which may take what it needs to hold now.
func (v *View) draft() *draft {
	h := v.feed.hub
	h.mu.RLock()
	defer h.mu.RUnlock()
	n := len(v.records)
	return &draft{v: v, slots: make([]drafted, n, n+n/8), todo: n}
}

// write writes the next piece, of entities that the client does not hold, and reports whether there are more.
func (d *draft) write() (more bool) {
	d.v.feed.locked(func(h *Hub) {
		d.pieces = append(d.pieces, nil)
		upTo := min(d.next+h.piece, d.todo)
		for ; d.next < upTo; d.next++ {
			n := uint32(d.next)
			if w := &d.v.words[n>>6]; w.enters(n) {
				w.tellOne(n)
				d.add(h, n, true)
			}
		}
	})
	return d.next < d.todo
}

// add writes what is to be told of a slot to the newest piece: all of its entity, or what has changed.
func (d *draft) add(h *Hub, n uint32, whole bool) {
	last, r := len(d.pieces)-1, d.v.records[n]
	p := d.pieces[last]
	e := drafted{id: r.id, piece: int32(last), start: uint32(len(p))}
	switch d.v.format {
	case asBinary:
		var was *pose
		if !whole {
			was = r.told(d.v.seen)
		}
		if p = d.v.appendAny(p, r, was, whole); p[e.start] == 0 {
			d.pieces[last] = p[:e.start] // it moved by less than a quantum
			return
		}
	case asPacked:
		p = h.appendEntered(p, n, r)
		e.far = uint32(len(p))
		if r.pose.place == far {
			p = appendSlotVec(p, n, &r.at.Position)
		}
	default:
		p = append(p, r.json(h)...)
	}
	e.end = uint32(len(p))
	d.pieces[last], d.slots[n] = p, e
}

// finish puts right what has changed since it was written, writes the rest of the message, and appends it to dst. The view has been told
// it then.
func (d *draft) finish(dst []byte) []byte {
	d.v.feed.locked(d.last)
	v, start := d.v, len(dst)
	dst = slices.Grow(dst, d.size())
	brackets := v.batch && v.format.frame() == TextFrame
	if brackets {
		dst = append(dst, '[')
	}
	switch v.format {
	case asBinary:
		dst = d.appendBinary(dst)
	case asPacked:
		dst = d.appendPacked(dst)
	default:
		dst = d.appendJSON(dst)
	}
	if brackets {
		dst = append(dst, ']')
	}
	v.feed.locked(func(*Hub) { v.tally.bytes += uint64(len(dst) - start) })
	return dst
}

// last is the part of finish that has to be of one tick.
func (d *draft) last(h *Hub) {
	v := d.v
	v.reading = false
	if v.pins != nil {
		v.pins.settle(h, v)
	}
	d.slots = append(d.slots, make([]drafted, len(v.records)-len(d.slots))...)
	d.drop()
	d.pieces = append(d.pieces, nil)
	for i := range v.words {
		w := &v.words[i]
		for marked := w.marked; marked != 0; marked &= marked - 1 {
			n := uint32(i<<6 + bits.TrailingZeros64(marked))
			if v.records[n] == nil {
				w.tellOne(n)
				continue
			}
			whole := d.slots[n].id != 0 || w.whole>>(n&63)&1 != 0
			if whole || v.format != asPacked {
				w.tellOne(n)
				d.add(h, n, whole)
			}
		}
	}
	v.order = v.order[:0]
	d.around(h)
	v.seen = h.tick
	v.sent(h)
}

// drop takes out what was written and has left since. The client never held it, so it is not told that it is gone.
func (d *draft) drop() {
	v := d.v
	v.gone = slices.DeleteFunc(v.gone, func(g gone) bool {
		e := &d.slots[g.slot]
		if e.id == 0 {
			return false
		}
		*e = drafted{}
		v.free = append(v.free, g.slot)
		return true
	})
	v.goneAt = nil
}

// around writes what goes before the entities and behind them.
func (d *draft) around(h *Hub) {
	v := d.v
	switch v.format {
	case asBinary:
		d.head = v.appendBinaryHead(h, nil)
		d.rest = append(v.appendRest(h, nil, '{'), '}')
	case asPacked:
		v.pack(h, &d.lists)
		var end string
		d.head, end = v.appendPackedStart(h, nil)
		d.rest = append(v.appendRest(h, nil, ','), end...)
	default:
		d.head = v.appendJSONStart(h, nil)
		d.rest = v.appendJSONEnd(h, nil)
	}
}

// size is how long the message becomes, about.
func (d *draft) size() int {
	n := len(d.head) + len(d.rest) + 64
	for _, p := range d.pieces {
		n += len(p)
	}
	if d.v.format != asPacked {
		n += len(d.slots) // commas, or gaps between slots
	}
	return n
}

// appendJSON writes the entities in the order in which they were created, as ordering has it.
func (d *draft) appendJSON(dst []byte) []byte {
	entities := slices.DeleteFunc(d.slots, func(e drafted) bool { return e.id == 0 })
	byID := func(a, b drafted) int { return cmp.Compare(a.id, b.id) }
	if !slices.IsSortedFunc(entities, byID) {
		slices.SortFunc(entities, byID)
	}
	dst = append(dst, d.head...)
	for i := range entities {
		e := &entities[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, d.pieces[e.piece][e.start:e.end]...)
	}
	return append(dst, d.rest...)
}

func (d *draft) appendPacked(dst []byte) []byte {
	entered, distant := &d.lists.other[listEntered], &d.lists.other[listFar]
	for i := range d.slots {
		if e := &d.slots[i]; e.id != 0 {
			p := d.pieces[e.piece]
			*entered = append(*entered, p[e.start:e.far]...)
			*distant = append(*distant, p[e.far:e.end]...)
		}
	}
	start := len(dst)
	dst = append(d.lists.append(append(dst, d.head...)), d.rest...)
	dst[start] = '{' // in a bare delta it was a comma
	return dst
}

func (d *draft) appendBinary(dst []byte) []byte {
	dst = append(dst, d.head...)
	next := 0
	for n := range d.slots {
		if e := &d.slots[n]; e.id != 0 {
			dst = binary.AppendUvarint(dst, uint64(n+1-next)<<2|formAny)
			dst = append(dst, d.pieces[e.piece][e.start:e.end]...)
			next = n + 1
		}
	}
	dst = append(dst, 0)
	if d.head[0]&flagRest != 0 {
		dst = appendBytes(dst, d.rest)
	}
	return dst
}
