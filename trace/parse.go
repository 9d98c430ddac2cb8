package trace

import (
	"encoding/hex"
	"encoding/json"
)

// parts is where everything is in a body.
type parts struct {
	header
	parent  *ID
	causes  []ID
	millis  int64
	tick    uint64
	payload span
}

// parse reads the body of a line. It is exact about everything but the payload, of which it sees the braces.
func parse(body []byte) (p parts, ok bool) {
	s := scanner{line: body}
	p.header = s.header()
	p.parent, p.causes = s.links()
	s.expect(keyTime)
	millis, timeOK := parseInt(body[s.number():s.at])
	s.expect(keyTick)
	tick, tickOK := parseUint(body[s.number():s.at])
	p.millis, p.tick = millis, tick
	s.expect(keyPayload)
	p.payload = s.take(len(body) - s.at)
	return p, !s.bad && timeOK && tickOK && hasBraces(p.payload.of(body))
}

// parseEvent reads a body. The event's payload is a part of it and not a copy. The event has no integrity yet.
func parseEvent(body []byte) (Event, bool) {
	p, ok := parse(body)
	if !ok {
		return Event{}, false
	}
	e := p.event(body)
	head := string(body[:p.session.to]) // one copy for the texts
	e.Type = unquote(head[p.typ.from:p.typ.to])
	e.ActorID = unquote(head[p.actor.from:p.actor.to])
	e.ThreadID = unquote(head[p.session.from:p.session.to])
	return e, true
}

// event is the body's event but for its texts and its integrity.
func (p *parts) event(body []byte) Event {
	return Event{
		ID: p.id, ParentEventID: p.parent, CausedBy: p.causes, Timestamp: p.millis, Tick: p.tick,
		Payload: json.RawMessage(p.payload.of(body)),
	}
}

// integrity is what readers are told of an event's place in the chain.
func (l *link) integrity() *Integrity {
	text := make([]byte, 0, 2*hexLen)
	hashes := string(hex.AppendEncode(hex.AppendEncode(text, l.prev[:]), l.hash[:]))
	return &Integrity{Prev: hashes[:hexLen], Hash: hashes[hexLen:]}
}

// split takes a whole line without its line feed apart. It sees of the hashes that they are lower-case hexadecimal.
func split(line []byte) (body []byte, l link, ok bool) {
	if len(line) < tailLen {
		return nil, l, false
	}
	body = line[: len(line)-tailLen : len(line)-tailLen]
	s := scanner{line: line, at: len(body)}
	s.expect(keyPrev)
	prev := s.take(hexLen).of(line)
	s.expect(keyHash)
	own := s.take(hexLen).of(line)
	s.expect(lineEnd)
	if s.bad || !isHex(prev) || !isHex(own) {
		return nil, l, false
	}
	_, _ = hex.Decode(l.prev[:], prev)
	_, _ = hex.Decode(l.hash[:], own)
	return body, l, true
}
