package trace

// index knows where each event's body is in the ring, its hash, and which events are of the same actor.
type index struct {
	first   ID      // the oldest event; next if there is none
	next    ID      // the id that the next event gets
	sealed  ID      // the newest event whose hash is known; those of all before it are too
	before  hash    // that of the event before the oldest
	entries []entry // by id, modulo their number, which is a power of two
	actors  actors
}

// entry is what the index knows of one event.
type entry struct {
	start int64  // the position of its body in the ring
	hash  hash   // see index.sealed
	actor uint32 // who did it, see actors
	back  uint32 // how many ids ago the same actor's event before this one was; 0: there was none left
}

const minEntries = 16

func newIndex() index {
	return index{first: 1, next: 1, entries: make([]entry, minEntries), actors: actors{slots: make(map[string]uint32)}}
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

// push adds the next event.
func (x *index) push(actor string, start int64) {
	if x.len() == len(x.entries) {
		x.grow()
	}
	slot, last := x.actors.acted(actor, x.next)
	e := x.at(x.next)
	*e = entry{start: start, actor: slot}
	if last != 0 {
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
	x.actors.forget(x.at(x.first).actor)
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
