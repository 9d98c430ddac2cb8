package trace

import "unicode/utf8"

// actors numbers those who have events in the log, so that an actor's newest events are found without a search.
// Whoever has none left is forgotten.
type actors struct {
	slots map[string]uint32 // by name
	list  []actor           // by slot
	free  []uint32
	last  uint32 // the slot of who acted last, and will often act next
}

type actor struct {
	name   string
	last   ID  // the newest event
	events int // how many the log has
}

// acted notes that an actor did the event id. It returns the actor's slot and the event before, 0 if there is none left.
func (a *actors) acted(name string, id ID) (slot uint32, before ID) {
	slot = a.last
	if int(slot) >= len(a.list) || a.list[slot].events == 0 || a.list[slot].name != name {
		slot = a.look(name)
	}
	who := &a.list[slot]
	before = who.last
	who.last = id
	who.events++
	return slot, before
}

// look returns the slot of a name, a new one if it has none yet.
func (a *actors) look(name string) (slot uint32) {
	slot, known := a.find(name)
	if !known {
		slot = a.add(validText(name))
	}
	a.last = slot
	return slot
}

func (a *actors) add(name string) (slot uint32) {
	if n := len(a.free); n > 0 {
		slot = a.free[n-1]
		a.free = a.free[:n-1]
	} else {
		slot = uint32(len(a.list))
		a.list = append(a.list, actor{})
	}
	a.list[slot].name = name
	a.slots[name] = slot
	return slot
}

// find returns the slot of a name as it was given or as the log shows it.
func (a *actors) find(name string) (slot uint32, known bool) {
	slot, known = a.slots[name]
	if !known && !utf8.ValidString(name) {
		slot, known = a.slots[validText(name)]
	}
	return slot, known
}

// newest returns an actor's newest event, 0 if there is none.
func (a *actors) newest(name string) ID {
	slot, known := a.find(name)
	if !known {
		return 0
	}
	return a.list[slot].last
}

// forget notes that one event of an actor has left the log.
func (a *actors) forget(slot uint32) {
	who := &a.list[slot]
	who.events--
	if who.events > 0 {
		return
	}
	delete(a.slots, who.name)
	*who = actor{}
	a.free = append(a.free, slot)
}
