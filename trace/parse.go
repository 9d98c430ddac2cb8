package trace

import "encoding/json"

// parseEvent reads a whole line without its line feed. It is exact about everything but the payload, of which it sees the
// braces. The event's payload is a part of the line and not a copy.
func parseEvent(line []byte) (Event, bool) {
	s := scanner{line: line}
	h := s.header()
	parent, causes := s.links()
	s.expect(keyTime)
	millis, timeOK := parseInt(line[s.number():s.at])
	s.expect(keyTick)
	tick, tickOK := parseUint(line[s.number():s.at])
	s.expect(keyPayload)
	payload := s.take(len(line) - s.at - tailLen)
	s.expect(keyPrev)
	prev := s.take(hexLen)
	s.expect(keyHash)
	hash := s.take(hexLen)
	s.expect(lineEnd)

	ok := !s.bad && s.at == len(line) && timeOK && tickOK &&
		hasBraces(payload.of(line)) && isHex(prev.of(line)) && isHex(hash.of(line))
	if !ok {
		return Event{}, false
	}
	text := string(line) // one copy for all strings
	return Event{
		ID:            h.id,
		Type:          unquote(text[h.typ.from:h.typ.to]),
		ActorID:       unquote(text[h.actor.from:h.actor.to]),
		ThreadID:      unquote(text[h.session.from:h.session.to]),
		ParentEventID: parent,
		CausedBy:      causes,
		Timestamp:     millis,
		Tick:          tick,
		Payload:       json.RawMessage(payload.of(line)),
		Integrity:     &Integrity{Prev: text[prev.from:prev.to], Hash: text[hash.from:hash.to]},
	}, true
}
