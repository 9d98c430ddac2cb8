package world

import "unsafe"

// The bounds of a ledger. Whichever is reached first, the oldest commit is forgotten, whoever made
// it: an older one cannot be taken back without knowing all that came after it. Only the newest few of each
// author's are laid aside, see asides.
const (
	maxPast      = 1 << 18   // commits
	maxInverses  = 1 << 20   // of what they touched
	maxPastBytes = 128 << 20 // of what was there before
	maxSteps     = 256       // that one author may undo
	maxStepBytes = 32 << 20  // that what they take back may hold together
)

// ledger is what a world remembers of its newest commits: who made them, what they touched, and what
// was there before. It is made from the journals of the transactions. Undo, ifRevision and the like
// read it; nothing in it belongs to the world's state.
//
// Simulation steps are not in it. Of an entity that a step changed it remembers when the last one was.
type ledger struct {
	w          *World
	most       int // commits
	past       ring[past]
	inverses   ring[inverse]
	helpers    ring[uint32] // labels of the skills that have changed something in a commit, beside its own
	places     ring[Vec3]
	transforms ring[Transform]
	bytes      int    // of what states keep, as they weigh it
	lost       uint64 // the tick of the newest commit that is not in it any more

	authors []author // by number; the first is nobody: engine code
	byName  map[string]uint32
	free    []uint32 // numbers of authors whom the ledger has forgotten
	labels  []string // names of skills, by number
	byLabel map[string]uint32

	lastAuthor, lastLabel uint32

	takes   map[uint64]uint64 // number of an undo or redo → that of the oldest commit that it takes back
	takenBy map[uint64]uint64 // number of a commit → that of the one that takes it back
	folded  map[uint64]fold   // number of an undo or redo → of those that it takes back, and that these take back, the ones that have left the ledger

	aside asides

	stepped stamps // entity → the newest commit of a step that changed it
}

// past is one commit.
type past struct {
	tick, intent  uint64
	first         uint64 // the number of its first inverse
	helper        uint64 // the number of the first of its helpers
	author, label uint32
}

// inverse is one thing that a commit touched, and how it is taken back.
type inverse struct {
	id    ID     // of an entity; for the row of a table a hash of its key, for a global 0
	n     uint64 // what was before, or its number in the ring of the op or the state
	state uint32
	op    op
	kind  uint8
}

// author is somebody whose commits are in the ledger.
type author struct {
	name       string
	commits    int // how many of his there are
	undo, redo []step
}

// step is a commit that its author may take back, by its number in the ledger.
type step struct {
	number uint64
	bytes  int
}

func newLedger(w *World) ledger {
	return ledger{
		w: w, most: maxPast, authors: make([]author, 1), byName: map[string]uint32{"": 0},
		labels: []string{""}, byLabel: map[string]uint32{"": 0},
		takes: map[uint64]uint64{}, takenBy: map[uint64]uint64{}, folded: map[uint64]fold{},
	}
}

// keeper is a state whose values the ledger remembers.
type keeper interface {
	// keeps reports whether what was done of a kind has an inverse that is more than the kind.
	keeps(kind uint8) bool
	// keep puts the i-th inverse of the open Tx into the state's ring. It returns its number there and
	// what it weighs.
	keep(i int) (number uint64, bytes int)
	// row returns the hash of the key of the row that the i-th inverse is of, 0 if it is of none.
	row(i int) ID
	// lose drops what was kept before a number, all of it if there are less, and returns what that weighed.
	lose(before uint64) (bytes int)
	// hold has what was kept under a number be there also when it is lost, or no more.
	hold(number uint64, is bool)
	// restore puts back what an inverse says was there before.
	restore(tx *Tx, c *inverse) error
}

// remember adds a transaction that is about to end to the ledger.
func (l *ledger) remember(tx *Tx, tick, intent uint64) {
	if tx.stepping {
		for i := range tx.changes {
			l.stepped.set(tx.changes[i].ID, tick)
		}
		return
	}
	first := l.inverses.end
	bytes := tx.keep(l)
	if l.inverses.end == first && !tx.taking() {
		return
	}
	by := l.author(tx.agent)
	label := l.label(tx.skill)
	p, number := l.past.add()
	p.tick, p.intent, p.first, p.helper, p.author, p.label = tick, intent, first, l.helpers.end, by, label
	for _, skill := range tx.skills {
		l.helpers.push(l.label(skill))
		bytes += int(unsafe.Sizeof(label))
	}
	l.authors[by].commits++
	bytes += int(l.inverses.end-first) * int(unsafe.Sizeof(inverse{}))
	l.bytes += bytes
	switch {
	case tx.taking():
		l.taken(tx.take, by, step{number, bytes})
	case by != 0:
		a := &l.authors[by]
		a.redo = a.redo[:0]
		a.push(step{number, bytes})
		if len(a.undo) == maxSteps+1 {
			l.dropTaken(by)
		}
	}
	l.trim()
}

// keep moves what takes the transaction back from its journal to the ledger. What is done to an
// entity after its creation needs no inverse: it goes with the entity. Nor does what follows from the rest, which is made anew.
func (tx *Tx) keep(l *ledger) (bytes int) {
	place, transform := 0, 0
	for i := range tx.journal {
		r := &tx.journal[i]
		id, before := r.id, uint64(0) // of the inverse
		born := r.id != 0 && r.what&Created != 0
		switch r.op {
		case opCreate, opRevive:
		case opParent:
			before = r.n
		case opPosition:
			place++
			if !born {
				before = l.places.push(tx.places[place-1])
				bytes += int(unsafe.Sizeof(Vec3{}))
			}
		case opTransform, opDestroy:
			transform++
			if !born {
				before = l.transforms.push(tx.transforms[transform-1])
				bytes += int(unsafe.Sizeof(Transform{}))
			}
		case opState:
			s := tx.w.states[r.state]
			b := s.base()
			at := b.cursor
			if !s.keeps(r.kind) {
				at = -1
			} else {
				b.cursor++
			}
			if born || b.lasting || r.follows || b.derived && r.what&Destroyed == 0 || at < 0 && r.kind == counted {
				continue
			}
			if at >= 0 {
				n, weight := s.keep(at)
				before = n
				bytes += weight
				if r.id == 0 {
					id = s.row(at)
				}
			}
		default:
			continue
		}
		if !born {
			c, _ := l.inverses.add()
			c.id, c.n, c.op, c.kind, c.state = id, before, r.op, r.kind, r.state
		}
	}
	return bytes
}

// author returns the number of an author, a new one if need be.
func (l *ledger) author(name string) uint32 {
	if l.authors[l.lastAuthor].name == name {
		return l.lastAuthor
	}
	n, ok := l.byName[name]
	switch last := len(l.free) - 1; {
	case ok:
	case last >= 0:
		n = l.free[last]
		l.free = l.free[:last]
		l.authors[n].name = name
	default:
		n = uint32(len(l.authors))
		l.authors = append(l.authors, author{name: name})
	}
	l.byName[name] = n
	l.lastAuthor = n
	return n
}

func (l *ledger) label(name string) uint32 {
	if l.labels[l.lastLabel] == name {
		return l.lastLabel
	}
	n, ok := l.byLabel[name]
	if !ok {
		n = uint32(len(l.labels))
		l.labels = append(l.labels, name)
		l.byLabel[name] = n
	}
	l.lastLabel = n
	return n
}

// push adds a step to what the author may undo, and forgets the oldest of too many.
func (a *author) push(s step) {
	if len(a.undo) == 2*maxSteps {
		n := copy(a.undo, a.undo[maxSteps:])
		a.undo = a.undo[:n]
	}
	a.undo = append(a.undo, s)
}

// within returns the end of steps that is within the bounds and in the ledger: what is before a step
// that is too large cannot be taken back before it.
func (l *ledger) within(steps []step) []step {
	bytes, from := 0, max(0, len(steps)-maxSteps)
	for i := len(steps) - 1; i >= from; i-- {
		bytes += steps[i].bytes
		if bytes > maxStepBytes || !l.has(steps[i].number) {
			return steps[i+1:]
		}
	}
	return steps[from:]
}

// trim forgets the oldest commits while there are too many.
func (l *ledger) trim() {
	for l.past.len() > 0 && (l.past.len() > l.most || l.inverses.len() > maxInverses || l.bytes > maxPastBytes) {
		l.forget()
	}
}

// forget drops the oldest commit.
func (l *ledger) forget() {
	p := *l.past.at(l.past.start)
	l.setAside(l.past.start)
	end, helpers := l.inverses.end, l.helpers.end
	if l.past.len() > 1 {
		next := l.past.at(l.past.start + 1)
		end, helpers = next.first, next.helper
	}
	l.bytes -= int(helpers-p.helper) * int(unsafe.Sizeof(p.label))
	l.helpers.drop(helpers)
	for n := p.first; n < end; n++ {
		c := l.inverses.at(n)
		l.bytes -= int(unsafe.Sizeof(*c))
		switch c.op {
		case opPosition:
			l.places.drop(c.n + 1)
			l.bytes -= int(unsafe.Sizeof(Vec3{}))
		case opTransform, opDestroy:
			l.transforms.drop(c.n + 1)
			l.bytes -= int(unsafe.Sizeof(Transform{}))
		case opState:
			if s := l.w.states[c.state]; s.keeps(c.kind) {
				l.bytes -= s.lose(c.n + 1)
			}
		}
	}
	if len(l.takes) > 0 {
		if by, ok := l.takenBy[l.past.start]; ok && l.takes[by] == l.past.start {
			l.folded[by] = l.folded[l.past.start].and(l.past.start)
		}
		delete(l.takes, l.past.start)
		delete(l.takenBy, l.past.start)
		delete(l.folded, l.past.start)
	}
	l.lost = p.tick
	l.inverses.drop(end)
	l.past.drop(l.past.start + 1)
	l.leave(p.author)
}

// leave notes that a commit of an author's has left the ledger, or is aside no more: with the last one he is forgotten.
func (l *ledger) leave(number uint32) {
	a := &l.authors[number]
	if a.commits--; a.commits == 0 && number != 0 {
		delete(l.byName, a.name)
		*a = author{}
		l.lastAuthor = 0 // it may be this one, who is nobody now, and not engine code
		l.free = append(l.free, number)
	}
}

// inversesOf returns where the inverses of a commit begin and end.
func (l *ledger) inversesOf(number uint64) (first, end uint64) {
	if end = l.inverses.end; number+1 < l.past.end {
		end = l.past.at(number + 1).first
	}
	return l.past.at(number).first, end
}
