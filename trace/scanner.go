package trace

import "bytes"

// scanner reads a line in the one form that appendHead, appendPayload and appendTail write. Once something is not as expected, bad is
// set and stays so, and what is read after that means nothing.
type scanner struct {
	line []byte
	at   int
	bad  bool
}

// span is a part of a line.
type span struct{ from, to int }

func (p span) of(line []byte) []byte { return line[p.from:p.to:p.to] }

// sees reports whether a fixed text comes next.
func (s *scanner) sees(text string) bool {
	return len(s.line)-s.at >= len(text) && string(s.line[s.at:s.at+len(text)]) == text
}

// expect reads a fixed text.
func (s *scanner) expect(text string) {
	if !s.sees(text) {
		s.bad = true
		return
	}
	s.at += len(text)
}

// take reads n bytes. The line has to have them.
func (s *scanner) take(n int) span {
	s.at += n
	return span{s.at - n, s.at}
}

// text reads up to, not including, the quote that ends a JSON string. Escapes stay as they are.
func (s *scanner) text() span {
	start := s.at
	for end := start; ; end++ {
		n := bytes.IndexByte(s.line[end:], '"')
		if n < 0 {
			s.bad = true
			return span{start, start}
		}
		end += n
		if isEscaped := trailing(s.line[start:end], '\\')%2 == 1; !isEscaped {
			s.at = end
			return span{start, end}
		}
	}
}

// trailing counts how often c stands at the end of b.
func trailing(b []byte, c byte) int {
	n := 0
	for n < len(b) && b[len(b)-1-n] == c {
		n++
	}
	return n
}

// number reads signs and digits, and returns where they begin; they end at s.at.
func (s *scanner) number() (start int) {
	start = s.at
	for s.at < len(s.line) && (s.line[s.at] == '-' || isDigit(s.line[s.at])) {
		s.at++
	}
	return start
}

// id reads an event's id.
func (s *scanner) id() ID {
	id, ok := parseID(s.text().of(s.line))
	s.bad = s.bad || !ok
	return id
}

// header is the beginning of a line. The texts are as in the line, escapes and all.
type header struct {
	id                  ID
	typ, actor, session span
}

// header reads a line's beginning, up to the quote that ends the session.
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
	if s.sees(keyParent) {
		s.expect(keyParent)
		id := s.id()
		parent = &id
	}
	s.expect(keyCauses)
	causes = []ID{}
	for !s.bad && !s.sees("]") {
		if len(causes) > 0 {
			s.expect(",")
		}
		s.expect(`"`)
		causes = append(causes, s.id())
		s.expect(`"`)
	}
	return parent, causes
}
