package trace

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// scanner reads a line in the one form that appendHashed and appendSeal write. Once something is not as expected, bad stays set and
// everything after is empty.
type scanner struct {
	rest []byte
	bad  bool
}

// expect reads a fixed text.
func (s *scanner) expect(text string) {
	if s.bad = s.bad || !s.sees(text); !s.bad {
		s.rest = s.rest[len(text):]
	}
}

func (s *scanner) sees(text string) bool {
	return len(s.rest) >= len(text) && string(s.rest[:len(text)]) == text
}

// take reads n bytes.
func (s *scanner) take(n int) []byte {
	if s.bad = s.bad || n < 0 || n > len(s.rest); s.bad {
		return nil
	}
	taken := s.rest[:n]
	s.rest = s.rest[n:]
	return taken
}

// text reads up to the quote that ends a JSON string. Escapes stay as they are.
func (s *scanner) text() []byte {
	for i := 0; i < len(s.rest); i++ {
		n := bytes.IndexByte(s.rest[i:], '"')
		if n < 0 {
			break
		}
		i += n
		if escapes := trailing(s.rest[:i], '\\'); escapes%2 == 0 {
			return s.take(i)
		}
	}
	return s.take(-1)
}

// trailing counts how often c stands at the end of b.
func trailing(b []byte, c byte) int {
	n := 0
	for n < len(b) && b[len(b)-1-n] == c {
		n++
	}
	return n
}

// number reads the digits and the sign of an integer.
func (s *scanner) number() string {
	n := 0
	for n < len(s.rest) && (s.rest[n] == '-' || (s.rest[n] >= '0' && s.rest[n] <= '9')) {
		n++
	}
	return string(s.take(n))
}

// id reads an event's id.
func (s *scanner) id() ID {
	id, ok := parseID(string(s.text()))
	s.bad = s.bad || !ok
	return id
}

// causes reads a list of ids up to, not including, the bracket that ends it.
func (s *scanner) causes() []ID {
	ids := []ID{}
	for !s.bad && !s.sees("]") {
		if len(ids) > 0 {
			s.expect(",")
		}
		s.expect(`"`)
		ids = append(ids, s.id())
		s.expect(`"`)
	}
	return ids
}

// header is the part of a line that filters look at. The texts are as in the line, escapes and all.
type header struct {
	id                  ID
	typ, actor, session []byte
}

// header reads from the line's beginning to before the quote that ends the session.
func (s *scanner) header() header {
	var h header
	s.expect(keyID)
	h.id = s.id()
	s.expect(keyType)
	h.typ = s.text()
	s.expect(keyActor)
	h.actor = s.text()
	s.expect(keySession)
	h.session = s.text()
	return h
}

// links reads what comes after the header: the parent, nil if there is none, and the causes.
func (s *scanner) links() (parent *ID, causes []ID) {
	if !s.bad && s.sees(keyParent) {
		s.expect(keyParent)
		id := s.id()
		parent = &id
	}
	s.expect(keyCauses)
	return parent, s.causes()
}

// parseEvent reads a whole line without its line feed. It is exact about everything but the payload, of which it sees the braces.
// The event shares no memory with the line.
func parseEvent(line []byte) (Event, bool) {
	s := scanner{rest: line}
	h := s.header()
	e := Event{ID: h.id, Type: unquote(h.typ), ActorID: unquote(h.actor), ThreadID: unquote(h.session)}
	e.ParentEventID, e.CausedBy = s.links()
	s.expect(keyTime)
	millis := s.number()
	s.expect(keyTick)
	tick := s.number()
	s.expect(keyPayload)
	e.Payload = json.RawMessage(bytes.Clone(s.take(len(s.rest) - tailLen)))
	s.expect(keyPrev)
	prev := s.take(hexLen)
	s.expect(keyHash)
	hash := s.take(hexLen)
	s.expect(lineEnd)
	e.Integrity = &Integrity{Prev: string(prev), Hash: string(hash)}

	var timeErr error
	e.Timestamp, timeErr = strconv.ParseInt(millis, 10, 64)
	tickNumber, tickOK := parseUint(tick)
	e.Tick = tickNumber
	ok := !s.bad && len(s.rest) == 0 && timeErr == nil && tickOK && hasBraces(e.Payload) && isHex(prev) && isHex(hash)
	return e, ok
}

// unquote returns what a JSON string says, given what stands between its quotes.
func unquote(text []byte) string {
	if bytes.IndexByte(text, '\\') < 0 {
		return string(text)
	}
	quoted := make([]byte, 0, len(text)+2)
	quoted = append(quoted, '"')
	quoted = append(quoted, text...)
	quoted = append(quoted, '"')
	var s string
	if json.Unmarshal(quoted, &s) != nil {
		return string(text)
	}
	return s
}

// isHex reports whether text has lower-case hexadecimal digits only.
func isHex(text []byte) bool {
	for _, c := range text {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
