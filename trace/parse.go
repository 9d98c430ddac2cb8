package trace

import "encoding/json"

// parts is where everything is in a line.
type parts struct {
	header
	parent              *ID
	causes              []ID
	millis              int64
	tick                uint64
	payload, prev, hash span
}

// parse reads a whole line without its line feed. It is exact about everything but the payload, of which it sees the
// braces, and the hashes, of which it sees the length.
func parse(line []byte) (p parts, ok bool) {
	s := scanner{line: line}
	p.header = s.header()
	p.parent, p.causes = s.links()
	s.expect(keyTime)
	millis, timeOK := parseInt(line[s.number():s.at])
	s.expect(keyTick)
	tick, tickOK := parseUint(line[s.number():s.at])
	p.millis, p.tick = millis, tick
	s.expect(keyPayload)
	p.payload = s.take(len(line) - s.at - tailLen)
	s.expect(keyPrev)
	p.prev = s.take(hexLen)
	s.expect(keyHash)
	p.hash = s.take(hexLen)
	s.expect(lineEnd)
	return p, !s.bad && s.at == len(line) && timeOK && tickOK && hasBraces(p.payload.of(line))
}

// parseEvent reads a whole line. The event's payload is a part of the line and not a copy.
func parseEvent(line []byte) (Event, bool) {
	p, ok := parse(line)
	if !ok {
		return Event{}, false
	}
	e := p.event(line)
	head := string(line[:p.session.to]) // one copy for the texts, one for the hashes
	e.Type = unquote(head[p.typ.from:p.typ.to])
	e.ActorID = unquote(head[p.actor.from:p.actor.to])
	e.ThreadID = unquote(head[p.session.from:p.session.to])
	hashes := string(line[p.prev.from:p.hash.to])
	e.Integrity = &Integrity{Prev: hashes[:hexLen], Hash: hashes[len(hashes)-hexLen:]}
	return e, true
}

// event is the line's event but for its texts and its integrity.
func (p *parts) event(line []byte) Event {
	return Event{
		ID: p.id, ParentEventID: p.parent, CausedBy: p.causes, Timestamp: p.millis, Tick: p.tick,
		Payload: json.RawMessage(p.payload.of(line)),
	}
}
