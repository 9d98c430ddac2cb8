package world

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"unsafe"
)

// The ledger forgets the oldest commits first, whoever made them, and so whoever changes much would take from all others what they can undo. Of each agent the newest
// few are therefore laid aside when they leave it: what takes them back, and whether somebody has changed the same since, which is noted when the commit that did
// so leaves the ledger itself.

// The bounds of what is laid aside.
const (
	asideSteps   = 16       // newest steps of an author
	asideBytes   = 32 << 20 // of all: whose steps take most loses his oldest first
	asideAuthors = 256
)

// asides are the commits that are laid aside.
type asides struct {
	commits map[uint64]*asideCommit
	of      map[uint32][]uint64 // by author, oldest first
	bytes   map[uint32]int
	all     int // bytes
	spots   map[spot][]uint64
}

// asideCommit is one of them.
type asideCommit struct {
	past
	inverses []inverse
	skills   []string // that have changed something in it, see [Step.Skills]
	bytes    int
	fold     fold              // of what it takes back, if it is a redo
	hits     map[uint64]string // the commits that have left the ledger and changed the same since, as far as they are aside too: who made them, by what
	hit      string            // … and one that is not; "" for none
	hitting  []uint64          // the commits that have this one in hits
}

// fold is commits of which each takes back the one before.
type fold struct {
	many           uint64
	oldest, newest uint64
}

// and returns a fold with one more.
func (f fold) and(number uint64) fold {
	if f.many == 0 {
		f.oldest = number
	}
	return fold{f.many + 1, f.oldest, number}
}

// hitBy returns who has changed the same since and has left the ledger, "" if nobody has.
func (c *asideCommit) hitBy() string {
	if c.hit != "" || len(c.hits) == 0 {
		return c.hit
	}
	return c.hits[slices.Min(slices.Collect(maps.Keys(c.hits)))]
}

// Where a spot of an aside names a state: anyState stands for all of an entity. existState is there for each entity that was touched.
const anyState = 1<<32 - 3

// has reports whether a commit can still be taken back.
func (l *ledger) has(number uint64) bool {
	return number >= l.past.start || l.aside.commits[number] != nil
}

// commit returns a commit that is in the ledger or aside.
func (l *ledger) commit(number uint64) *past {
	if number < l.past.start {
		return &l.aside.commits[number].past
	}
	return l.past.at(number)
}

// inverse returns the i-th inverse of a commit that is in the ledger or aside, and touched how many it has.
func (l *ledger) inverse(number, i uint64) *inverse {
	if number < l.past.start {
		return &l.aside.commits[number].inverses[i]
	}
	return l.inverses.at(l.past.at(number).first + i)
}

func (l *ledger) touched(number uint64) uint64 {
	if number < l.past.start {
		return uint64(len(l.aside.commits[number].inverses))
	}
	first, end := l.inversesOf(number)
	return end - first
}

// setAside lays the oldest commit aside, which is about to leave the ledger, if it is one of the newest that its author may undo.
func (l *ledger) setAside(number uint64) {
	hits := l.hitsOf(number)
	there := l.layAside(number)
	for of, text := range hits {
		x := l.aside.commits[of]
		switch {
		case x == nil: // it had to make room
		case there != nil:
			if x.hits == nil {
				x.hits = map[uint64]string{}
			}
			x.hits[number] = text
			there.hitting = append(there.hitting, of)
		case x.hit == "":
			x.hit = text
		}
	}
	l.makeRoom()
}

// layAside does so, and returns it there; nil if the commit is not one of these.
func (l *ledger) layAside(number uint64) *asideCommit {
	p := l.past.at(number)
	steps := l.authors[p.author].undo
	steps = steps[max(0, len(steps)-asideSteps):]
	if len(steps) == 0 || number < steps[0].number {
		return nil
	}
	i, ok := slices.BinarySearchFunc(steps, number, func(s step, n uint64) int { return cmp.Compare(s.number, n) })
	if !ok {
		return nil
	}
	a := &l.aside
	if steps[i].bytes > asideBytes/4 {
		return nil // and what is before it can be taken back no more either
	}
	if a.commits == nil {
		*a = asides{commits: map[uint64]*asideCommit{}, of: map[uint32][]uint64{}, bytes: map[uint32]int{}, spots: map[spot][]uint64{}}
	}
	first, end := l.inversesOf(number)
	c := &asideCommit{past: *p, fold: l.folded[number], bytes: steps[i].bytes + int(end-first)*asideSpot, inverses: make([]inverse, 0, end-first), skills: l.skills(number)}
	for n := first; n < end; n++ {
		c.inverses = append(c.inverses, *l.inverses.at(n))
	}
	for i := range c.inverses {
		l.hold(&c.inverses[i], true)
	}
	for at := range c.spots(l) {
		a.spots[at] = append(a.spots[at], number)
	}
	a.commits[number] = c
	a.of[p.author] = append(a.of[p.author], number)
	a.bytes[p.author] += c.bytes
	a.all += c.bytes
	l.authors[p.author].commits++ // he is known for as long
	if len(a.of[p.author]) > asideSteps {
		l.dropAside(p.author, false)
	}
	return c
}

// makeRoom drops what is more than the bounds of all.
func (l *ledger) makeRoom() {
	for a := &l.aside; a.all > asideBytes || len(a.of) > asideAuthors; {
		l.dropAside(a.largest(), false)
	}
}

// asideSpot is about what it takes to find an inverse by what it touches.
const asideSpot = 2 * int(unsafe.Sizeof(spot{})+unsafe.Sizeof(uint64(0))+unsafe.Sizeof([]uint64{}))

// largest returns the author whose commits take most; of too many authors whose newest is the oldest.
func (a *asides) largest() (author uint32) {
	most, oldest := -1, uint64(math.MaxUint64)
	for by, numbers := range a.of { // in any order: no two are the same by number
		newest := numbers[len(numbers)-1]
		weight := a.bytes[by]
		if len(a.of) > asideAuthors {
			weight = 0
		}
		if weight > most || weight == most && newest < oldest {
			author, most, oldest = by, weight, newest
		}
	}
	return author
}

// dropAside drops the oldest commit of an author that is aside; taken says that it was taken back, and so has changed nothing.
func (l *ledger) dropAside(author uint32, taken bool) {
	a := &l.aside
	number := a.of[author][0]
	c := a.commits[number]
	for _, of := range c.hitting {
		x := a.commits[of]
		if x == nil {
			continue
		}
		if !taken && x.hit == "" {
			x.hit = x.hits[number]
		}
		delete(x.hits, number)
	}
	for i := range c.inverses {
		l.hold(&c.inverses[i], false)
	}
	for at := range c.spots(l) {
		left := slices.DeleteFunc(a.spots[at], func(n uint64) bool { return n == number })
		if len(left) == 0 {
			delete(a.spots, at)
		} else {
			a.spots[at] = left
		}
	}
	delete(a.commits, number)
	a.all -= c.bytes
	a.bytes[author] -= c.bytes
	if a.of[author] = a.of[author][1:]; len(a.of[author]) == 0 {
		delete(a.of, author)
		delete(a.bytes, author)
	}
	l.leave(author)
}

// dropTaken drops what is aside of an author and is none of his steps any more.
func (l *ledger) dropTaken(author uint32) {
	if len(l.aside.of[author]) == 0 {
		return
	}
	steps := l.authors[author].undo
	for _, number := range slices.Clone(l.aside.of[author]) {
		if _, ok := slices.BinarySearchFunc(steps, number, func(s step, n uint64) int { return cmp.Compare(s.number, n) }); ok {
			continue
		}
		// It is the newest of them that was taken back, and the oldest that is too old: the rest stays in order.
		of := l.aside.of[author]
		i := slices.Index(of, number)
		copy(of[1:i+1], of[:i])
		of[0] = number
		l.dropAside(author, len(steps) == 0 || number > steps[len(steps)-1].number)
	}
}

// hold has what an inverse needs be there when its commit has left the ledger, or no more.
func (l *ledger) hold(c *inverse, is bool) {
	switch c.op {
	case opPosition:
		l.places.hold(c.n, is)
	case opTransform, opDestroy:
		l.transforms.hold(c.n, is)
	case opState:
		if s := l.w.states[c.state]; s.keeps(c.kind) {
			s.hold(c.n, is)
		}
	}
}

// spots returns what a commit touches, as others' commits are looked up.
func (c *asideCommit) spots(l *ledger) map[spot]bool {
	spots := map[spot]bool{}
	for i := range c.inverses {
		v := &c.inverses[i]
		spots[v.spot()] = true
		if v.op == opState && l.shared(v) {
			continue
		}
		spots[spot{existState, v.id}] = true
		if v.op == opCreate || v.op == opRevive {
			spots[spot{anyState, v.id}] = true
		}
	}
	return spots
}

// hitsOf returns the commits that are aside and that a commit, which is about to leave the ledger, has changed what they touched, with who made it, by what.
func (l *ledger) hitsOf(number uint64) (hits map[uint64]string) {
	if len(l.aside.commits) == 0 {
		return nil
	}
	if _, taken := l.takenBy[number]; taken { // what has taken it back tells of it when it leaves
		return nil
	}
	p := l.past.at(number)
	hit := func(of uint64, c *inverse) {
		if l.aside.commits[of].author == p.author || hits[of] != "" || !l.changes(number, of+1) {
			return
		}
		if hits == nil {
			hits = map[uint64]string{}
		}
		hits[of] = l.did(p, c)
	}
	first, end := l.inversesOf(number)
	for n := first; n < end; n++ {
		c := l.inverses.at(n)
		for _, of := range l.aside.spots[c.spot()] {
			hit(of, c)
		}
		if c.op != opState || !l.shared(c) {
			for _, of := range l.aside.spots[spot{anyState, c.id}] {
				hit(of, c)
			}
		}
	}
	return hits
}
