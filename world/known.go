package world

import "iter"

// Known yields the values that entities have, those that they had before the open transaction, and those that somebody may get back by an undo or a redo, in any order, some
// several times. What names something of which there may be much, as the component of a mesh does, so knows what is needed no more.
func (c *Component[T]) Known(*View) iter.Seq[T] {
	return func(yield func(T) bool) {
		for at := range c.state.known() {
			if !yield(*c.bank.at(at)) {
				return
			}
		}
	}
}

func (c *columnState) known() iter.Seq[seat] {
	return func(yield func(seat) bool) {
		for _, at := range c.seats.places() {
			if !yield(at) {
				return
			}
		}
		for _, at := range c.olds {
			if at != none && !yield(at) {
				return
			}
		}
		for number := range c.w.ledger.recallable(c.number) {
			if !yield(c.past.was(number).at) {
				return
			}
		}
	}
}

// recallable yields the numbers under which a component remembers what may be taken back.
func (l *ledger) recallable(component uint32) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		keeps := l.w.states[component].keeps
		for i := range l.authors {
			a := &l.authors[i]
			for _, steps := range [][]step{l.within(a.undo), l.within(a.redo)} {
				for _, s := range steps {
					for k := range l.touched(s.number) {
						if c := l.inverse(s.number, k); c.op == opState && c.state == component && keeps(c.kind) && !yield(c.n) {
							return
						}
					}
				}
			}
		}
	}
}
