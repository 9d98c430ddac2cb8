package world

import (
	"fmt"
	"slices"
	"strings"
)

// maxNamed is how many conflicts a message names.
const maxNamed = 5

// conflicts finds what others have done since to what the plan would change.
func (p *plan) conflicts(tx *Tx, verb string) error {
	l := &tx.w.ledger
	me := l.byName[tx.agent]
	spots := p.touched(l)
	var found blame
	for _, n := range slices.Backward(p.of) {
		if n < l.past.start {
			if by := l.aside.commits[n].hitBy(); by != "" {
				found.say(by)
			}
		}
	}
	for n := max(p.of[len(p.of)-1]+1, l.past.start); n < l.past.end; n++ {
		past := l.past.at(n)
		if past.author == me {
			continue
		}
		first, end := l.inversesOf(n)
		for i := first; i < end; i++ {
			c := l.inverses.at(i)
			if since, ok := p.hit(l, c, spots); ok && since < n && l.changes(n, since+1) {
				found.add(l, past, c)
			}
		}
	}
	p.strangers(tx, &found)
	if len(found.list) == 0 {
		return nil
	}
	return &Error{codeConflict, fmt.Sprintf("cannot %s: it would overwrite what others have done since: %s. Nothing was changed", verb, found.text())}
}

// touched returns for every place, component, row and global that the commits touched the oldest that
// did.
func (p *plan) touched(l *ledger) map[spot]uint64 {
	spots := map[spot]uint64{}
	for _, number := range p.of { // newest first
		for i := range l.touched(number) {
			spots[l.inverse(number, i).spot()] = number
		}
	}
	return spots
}

// placeState stands for where an entity is, and existState for whether it is, where a spot names a
// state.
const (
	placeState = 1<<32 - 1
	existState = 1<<32 - 2
)

// spot returns what an inverse is about.
func (c *inverse) spot() spot {
	switch c.op {
	case opState:
		return spot{c.state, c.id}
	case opCreate, opRevive, opDestroy:
		return spot{existState, c.id}
	default:
		return spot{placeState, c.id}
	}
}

// hit reports whether an inverse of somebody's touches what the plan would change, and since which commit
// of the plan that matters.
func (p *plan) hit(l *ledger, c *inverse, spots map[spot]uint64) (since uint64, ok bool) {
	at := c.spot()
	if c.op == opState {
		if _, isColumn := l.w.states[c.state].(column); !isColumn {
			since, ok = spots[at]
			return since, ok
		}
	}
	f := p.entities[c.id]
	switch {
	case f == nil:
		return 0, false
	case at.state == existState:
		return f.since, true
	case f.gone:
		return f.born, true
	}
	since, ok = spots[at]
	return since, ok
}

// strangers finds what would be destroyed only because it is under what is.
func (p *plan) strangers(tx *Tx, found *blame) {
	for _, id := range p.order {
		if !p.entities[id].gone {
			continue
		}
		for child := range tx.w.childrenOf(id) {
			if f := p.entities[child]; f == nil || !f.gone && !f.adopted {
				found.addStranger(tx, child, id)
			}
		}
	}
}

// blame gathers who did what.
type blame struct {
	list []string
	seen map[string]bool
	more int
}

func (b *blame) say(text string) {
	if b.seen[text] {
		return
	}
	if b.seen == nil {
		b.seen = map[string]bool{}
	}
	b.seen[text] = true
	if len(b.list) == maxNamed {
		b.more++
		return
	}
	b.list = append(b.list, text)
}

func (b *blame) text() string {
	text := strings.Join(b.list, "; ")
	if b.more > 0 {
		text += fmt.Sprintf("; and %d more", b.more)
	}
	return text
}

func (b *blame) add(l *ledger, p *past, c *inverse) { b.say(l.did(p, c)) }

// did says who did what, in which call.
func (l *ledger) did(p *past, c *inverse) string {
	what, verb := l.what(c), "changed"
	switch c.op {
	case opCreate, opRevive:
		verb = "made"
	case opDestroy:
		verb = "destroyed"
	}
	return fmt.Sprintf("%s %s %s%s", l.who(p), verb, what, l.when(p))
}

func (b *blame) addStranger(tx *Tx, child, parent ID) {
	l := &tx.w.ledger
	for n := l.past.end; n > l.past.start; n-- {
		first, end := l.inversesOf(n - 1)
		for i := first; i < end; i++ {
			if c := l.inverses.at(i); c.id == child && (c.op == opParent || c.op == opCreate || c.op == opRevive) {
				p := l.past.at(n - 1)
				b.say(fmt.Sprintf("%s put %s under %s%s", l.who(p), child, parent, l.when(p)))
				return
			}
		}
	}
	b.say(fmt.Sprintf("%s is under %s", child, parent))
}

// what names what an inverse is about.
func (l *ledger) what(c *inverse) string {
	if c.op != opState {
		if at := c.spot(); at.state == placeState {
			return c.id.String() + " transform"
		}
		return c.id.String()
	}
	s := l.w.states[c.state]
	if _, isColumn := s.(column); isColumn {
		return c.id.String() + " " + s.key()
	}
	return s.key()
}

func (l *ledger) who(p *past) string {
	if p.author == 0 {
		return "the host program"
	}
	return l.authors[p.author].name
}

// when says in which call a commit was made.
func (l *ledger) when(p *past) string {
	if p.author == 0 {
		return fmt.Sprintf(" (revision %d)", p.tick)
	}
	return fmt.Sprintf(" (%s, call %d, revision %d)", l.labels[p.label], p.intent, p.tick)
}
