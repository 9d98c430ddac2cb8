package statesync

// roomy reports whether a view that once saw a lot has many more slots than it needs.
func (v *View) roomy() bool {
	const most = 1024 // slots that are never too many
	return len(v.all) > most && v.live < len(v.all)/8 && len(v.gone) == 0 && v.todo == nil && !v.closed
}

// shrink gives back the slots that a view does not need. What is left is numbered anew; where the client
// knows the numbers it gets a snapshot.
func (v *View) shrink() {
	old := v.slots
	v.slots = slots{ordered: old.ordered}
	order := old.order
	if !old.ordered {
		order = nil
		v.begun, v.resumed, v.moved, v.knows = false, false, true, 0
	}
	moved := make(map[uint32]uint32, old.live)
	for i := range old.all {
		sl := old.all[i]
		if sl.rec == nil {
			continue
		}
		n := v.grow()
		moved[uint32(i)] = n
		if !v.ordered {
			sl.state = whole
			v.mark(n)
		}
		v.all[n] = sl
		v.live++
		sl.rec.watchers[sl.at].slot = n
	}
	for _, n := range order {
		if to, ok := moved[n]; ok {
			v.mark(to)
		}
	}
}
