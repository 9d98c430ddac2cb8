package trace

import "unicode/utf8"

// label is the texts of an event. Most events have those of many others.
type label struct{ typ, actor, session string }

// labels numbers the labels and the actors of the events in the log, so that an actor's newest events are found without a search,
// and told from each other without reading them. What no event has left is forgotten.
type labels struct {
	known  numbered[label, uint32] // and the number of each one's actor
	actors numbered[string, actor] // and what is known of each
	last   uint32                  // the label of the event before, which the next will often have too
}

// actor is what is known of one whose events the log has.
type actor struct {
	newest ID
	count  int    // how many of his events are in the chain
	owner  *owner // of those that have left it; nil: none
}

func newLabels() labels {
	return labels{known: numbered[label, uint32]{numbers: map[label]uint32{}}, actors: numbered[string, actor]{numbers: map[string]uint32{}}}
}

// note takes the event id in. It returns its label's number, and the event of the same actor before it, 0 if there is none left.
func (s *labels) note(of label, id ID) (number uint32, before ID) {
	number = s.last
	if int(number) >= len(s.known.rows) || s.known.rows[number].uses == 0 || s.known.rows[number].key != of {
		number = s.look(of)
		s.last = number
	}
	row := &s.known.rows[number]
	row.uses++
	a := &s.actors.rows[row.value].value
	before, a.newest = a.newest, id
	a.count++
	return number, before
}

// look returns the number of a label, a new one if it has none yet.
func (s *labels) look(of label) uint32 {
	if number, ok := s.known.numbers[of]; ok {
		return number
	}
	of = label{validText(of.typ), validText(of.actor), validText(of.session)}
	if number, ok := s.known.numbers[of]; ok { // it was not UTF-8
		return number
	}
	actor, ok := s.actors.numbers[of.actor]
	if !ok {
		actor = s.actors.add(of.actor)
	}
	s.actors.rows[actor].uses++
	number := s.known.add(of)
	s.known.rows[number].value = actor
	return number
}

// of returns the label with a number.
func (s *labels) of(number uint32) *label { return &s.known.rows[number].key }

// actor returns what is known of the actor of a label.
func (s *labels) actor(number uint32) *actor { return &s.actors.rows[s.known.rows[number].value].value }

// newest returns an actor's newest event, 0 if there is none. The name is as the log shows it.
func (s *labels) newest(actor string) ID {
	number, ok := s.actors.numbers[actor]
	if !ok {
		return 0
	}
	return s.actors.rows[number].value.newest
}

// forget notes that an event with the label of that number has left the chain.
func (s *labels) forget(number uint32) {
	s.actor(number).count--
	s.release(number)
}

// release notes that an event with the label of that number is in the log no more.
func (s *labels) release(number uint32) {
	actor := s.known.rows[number].value
	if s.known.release(number) {
		s.actors.release(actor)
	}
}

// numbered gives small numbers to keys, with a value each, for as long as they have uses.
type numbered[K comparable, V any] struct {
	numbers map[K]uint32
	rows    []row[K, V] // by number
	free    []uint32
}

type row[K comparable, V any] struct {
	key   K
	value V
	uses  int
}

// add gives a number to a key that has none. It has no uses yet.
func (n *numbered[K, V]) add(key K) (number uint32) {
	if last := len(n.free) - 1; last >= 0 {
		number = n.free[last]
		n.free = n.free[:last]
	} else {
		number = uint32(len(n.rows))
		n.rows = append(n.rows, row[K, V]{})
	}
	n.rows[number].key = key
	n.numbers[key] = number
	return number
}

// release takes one use away, and with the last one the number.
func (n *numbered[K, V]) release(number uint32) (gone bool) {
	r := &n.rows[number]
	r.uses--
	if r.uses > 0 {
		return false
	}
	delete(n.numbers, r.key)
	*r = row[K, V]{}
	n.free = append(n.free, number)
	return true
}

// shown returns a text as the log shows it: each byte that is not UTF-8 as U+FFFD.
func shown(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return validText(text)
}
