package trace

import "math"

// index knows where each event's body is in the ring, its hash, its label, and which events are of the same actor.
type index struct {
	first   ID      // the oldest event; next if there is none
	next    ID      // the id that the next event gets
	sealed  ID      // the newest event whose hash is known; those of all before it are too
	before  hash    // that of the event before the oldest
	entries []entry // by id, modulo their number, which is a power of two
	labels  labels
}

// entry is what the index knows of one event.
type entry struct {
	facts
	start int64  // the position of its body in the ring
	hash  hash   // see index.sealed
	label uint32 // see labels
	back  uint32 // how many ids ago the same actor's event before this one was; 0: there was none left, or it was long ago
}

// facts is what is known of a body without reading it.
type facts struct {
	tick    uint64
	payload int32 // where the payload begins
}

const minEntries = 16

func newIndex() index {
	return index{first: 1, next: 1, entries: make([]entry, minEntries), labels: newLabels()}
}

func (x *index) len() int { return int(x.next - x.first) }

// at returns the entry of an event that the index has.
func (x *index) at(id ID) *entry { return &x.entries[int(id)&(len(x.entries)-1)] }

// hash returns that of an event that the index has, or of the one before these.
func (x *index) hash(id ID) *hash {
	if id+1 == x.first {
		return &x.before
	}
	return &x.at(id).hash
}

// link returns an event's place in the chain. It must be sealed.
func (x *index) link(id ID) link { return link{*x.hash(id - 1), *x.hash(id)} }

// body returns where the body of an event that the index has lies in the ring, which ends at end, without its line feed.
func (x *index) body(id ID, end int64) (from, to int64) {
	if id+1 < x.next {
		end = x.at(id + 1).start
	}
	return x.at(id).start, end - int64(len("\n"))
}

// payload returns where the payload of an event that the index has lies in the ring, which ends at end.
func (x *index) payload(id ID, end int64) (from, to int64) {
	from, to = x.body(id, end)
	return from + int64(x.at(id).payload), to
}

// push adds the next event.
func (x *index) push(of label, has facts, start int64) {
	if x.len() == len(x.entries) {
		x.grow()
	}
	number, last := x.labels.note(of, x.next)
	e := x.at(x.next)
	*e = entry{facts: has, start: start, label: number}
	if last != 0 && x.next-last <= math.MaxUint32 {
		e.back = uint32(x.next - last)
	}
	x.next++
}

func (x *index) grow() {
	old := *x
	x.entries = make([]entry, 2*len(old.entries))
	for id := old.first; id < old.next; id++ {
		*x.at(id) = *old.at(id)
	}
}

// pop removes the oldest event, which must be sealed.
func (x *index) pop() {
	x.before = x.at(x.first).hash
	x.labels.forget(x.at(x.first).label)
	x.first++
}

// previous returns the event of the same actor before this one, which may have been dropped since; 0 if there was none.
func (x *index) previous(id ID) ID {
	back := ID(x.at(id).back)
	if back == 0 {
		return 0
	}
	return id - back
}
