package statesync

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
	"strconv"

	"github.com/limina-mcp/limina/world"
)

// draft is the snapshot of a view of many entities while it is written, piece by piece: between two pieces commits have their
// turn. An entity that a commit changes after it was written is marked again, as in any view, and one that leaves is
// gone. Both are put right at the end, so that the message is of one tick, and a commit waits for what changed
// meanwhile, not for all there is.
type draft struct {
	v      *View
	pieces [][]byte
	slots  []drafted // by slot
	todo   int       // slots that are written in pieces; those that come later are written at the end
	next   int       // the first of them that is not written yet

	head, rest []byte // of the message: what goes before and behind the entities
}

// drafted is what is to be told of a slot: a part of a piece. The zero drafted is nothing.
type drafted struct {
	id    world.ID
	piece int32
	start uint32
	end   uint32
	far   uint32 // from here on up to end it belongs to the list of those that are far away; packed only
}

// draft returns a draft of the first message if it is a snapshot of so many entities that it is to be written in
// pieces, else nil.
func (v *View) draft() *draft {
	h := v.feed.hub
	h.mu.RLock()
	begun, n := v.begun, len(v.records)
	h.mu.RUnlock()
	if begun || n <= h.piece {
		return nil
	}
	return &draft{v: v, slots: make([]drafted, n, n+n/8), todo: n}
}

// locked runs fn while the view and what it sees are locked as for any message.
func (d *draft) locked(fn func(h *Hub)) {
	f := d.v.feed
	h := f.hub
	f.mu.Lock()
	defer f.mu.Unlock()
	h.mu.RLock()
	defer h.mu.RUnlock()
	fn(h)
}

// write writes the next piece, and reports whether there are more.
func (d *draft) write() (more bool) {
	d.locked(func(h *Hub) {
		d.pieces = append(d.pieces, nil)
		upTo := min(d.next+h.piece, d.todo)
		for ; d.next < upTo; d.next++ {
			n := uint32(d.next)
			if r := d.v.records[n]; d.v.words[n>>6].tellOne(n) && r != nil {
				d.add(h, n, r)
			}
		}
	})
	return d.next < d.todo
}

// add writes what is to be told of a slot to the newest piece.
func (d *draft) add(h *Hub, n uint32, r *record) {
	last := len(d.pieces) - 1
	p := d.pieces[last]
	e := drafted{id: r.id, piece: int32(last), start: uint32(len(p))}
	switch d.v.format {
	case asBinary:
		p = d.v.appendAny(p, r, nil, true)
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
	d.locked(d.last)
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
	d.locked(func(*Hub) { v.tally.bytes += uint64(len(dst) - start) })
	return dst
}

// last is the part of finish that has to be of one tick.
func (d *draft) last(h *Hub) {
	v := d.v
	v.reading = false
	d.slots = append(d.slots, make([]drafted, len(v.records)-len(d.slots))...)
	for _, g := range v.gone {
		d.slots[g.slot] = drafted{}
	}
	v.tellGone()
	d.pieces = append(d.pieces, nil)
	for i := range v.words {
		marked, _ := v.words[i].tell()
		for ; marked != 0; marked &= marked - 1 {
			n := uint32(i<<6 + bits.TrailingZeros64(marked))
			if r := v.records[n]; r != nil {
				d.add(h, n, r)
			}
		}
	}
	v.order = v.order[:0]
	switch v.format {
	case asBinary:
		d.head = v.appendBinaryHead(h, nil)
		d.rest = append(v.appendRest(h, nil, '{'), '}')
	case asPacked:
		d.head = v.appendSnapshotHead(h, nil)
		d.rest = append(v.appendRest(h, nil, ','), `}}`...)
	default:
		d.head = v.appendHead(h, []byte(snapshotHead))
		d.rest = append(v.appendRest(h, nil, ','), `}}`...)
	}
	v.seen = h.tick
	v.sent(h)
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
	dst = append(append(dst, d.head...), `,"entities":[`...)
	for i := range entities {
		e := &entities[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, d.pieces[e.piece][e.start:e.end]...)
	}
	return append(append(dst, ']'), d.rest...)
}

func (d *draft) appendPacked(dst []byte) []byte {
	dst = append(dst, d.head...)
	dst = d.appendList(dst, `,"entered":[`, func(e *drafted) (from, to uint32) { return e.start, e.far })
	dst = d.appendList(dst, `,"far":[`, func(e *drafted) (from, to uint32) { return e.far, e.end })
	return append(dst, d.rest...)
}

// appendList is the function of that name, of a part of each slot.
func (d *draft) appendList(dst []byte, name string, of func(*drafted) (from, to uint32)) []byte {
	start := len(dst)
	dst = append(dst, name...)
	none := len(dst)
	for i := range d.slots {
		if e := &d.slots[i]; e.id != 0 {
			from, to := of(e)
			dst = append(dst, d.pieces[e.piece][from:to]...)
		}
	}
	if len(dst) == none {
		return dst[:start]
	}
	dst[len(dst)-1] = ']'
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

// appendSnapshotHead begins a packed snapshot.
func (v *View) appendSnapshotHead(h *Hub, dst []byte) []byte {
	dst = v.appendHead(h, append(dst, snapshotHead...))
	return strconv.AppendInt(append(dst, `,"precision":`...), int64(h.quantum.bits), 10)
}
