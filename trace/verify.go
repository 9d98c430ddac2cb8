package trace

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Summary is what [Verify] found in order. That lines are missing at either end is not for a file to tell: compare First
// and Prev, Last and Hash, with what is known from elsewhere.
type Summary struct {
	Events int
	Bytes  int64
	First  ID // 0: the file is empty
	Last   ID
	Prev   string // the hash before the first event, in hex
	Hash   string // the hash of the last event, in hex

	Missing []Span // what lies between files that were joined, see [Summary.Join]
	Lost    []Span // what events of the type [EventLost] say was never written, or is gone
}

// VerifyError names the first line of a file that is not what was written, or not where it was.
type VerifyError struct {
	Line   int // counted from one
	Reason string
}

func (e *VerifyError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Reason) }

// maxLine is the longest line that is read; a log does not write longer ones unless it is told to hold more.
const maxLine = 256 << 20

// Verify reads the lines that [Log.Export] or a [Sink] wrote. It returns a [*VerifyError] if they have been changed, and an
// error that wraps the reader's if reading fails. The summary covers the lines before the error.
func Verify(r io.Reader) (Summary, error) {
	var sum Summary
	var c chainer
	err := eachLine(r, func(line []byte) (reason string) {
		if !json.Valid(line) {
			return "is not JSON"
		}
		e, ok := readEvent(line)
		if !ok || !json.Valid(e.Payload) { // of which it sees the braces: members may stand behind it
			return notEvent
		}
		return sum.add(&e, len(line), &c)
	})
	return sum, err
}

// eachLine calls check with every line, without its line feed, until that says what is wrong with one.
func eachLine(r io.Reader, check func(line []byte) (reason string)) error {
	lines := bufio.NewReaderSize(r, 64<<10)
	var line []byte
	for number := 1; ; number++ {
		var err error
		line, err = readLine(lines, line[:0])
		switch {
		case errors.Is(err, io.EOF) && len(line) == 0:
			return nil
		case errors.Is(err, io.EOF):
			return &VerifyError{number, "is cut off: it does not end with a line feed"}
		case errors.Is(err, errLongLine):
			return &VerifyError{number, err.Error()}
		case err != nil:
			return fmt.Errorf("trace: reading line %d: %w", number, err)
		}
		if reason := check(line); reason != "" {
			return &VerifyError{number, reason}
		}
	}
}

// errLongLine is a type of its own for its text, which fmt would write at every start otherwise.
var errLongLine error = longLine{}

type longLine struct{}

func (longLine) Error() string { return fmt.Sprintf("is longer than %d bytes", maxLine) }

// readLine appends a line without its line feed to buf. The error is io.EOF if there is no line feed.
func readLine(r *bufio.Reader, buf []byte) ([]byte, error) {
	for {
		part, err := r.ReadSlice('\n')
		buf = append(buf, part...)
		switch {
		case err == nil:
			return buf[:len(buf)-1], nil
		case len(buf) > maxLine:
			return buf, errLongLine
		case !errors.Is(err, bufio.ErrBufferFull):
			return buf, err
		}
	}
}

// lineEvent is an event as a line has it.
type lineEvent struct {
	Event
	body []byte
	at   link
}

// readEvent reads a line without its line feed. It shares the line's memory, and is exact about everything but the payload.
func readEvent(line []byte) (e lineEvent, ok bool) {
	if e.body, e.at, ok = split(line); !ok {
		return e, false
	}
	e.Event, ok = parseEvent(e.body)
	e.Integrity = e.at.integrity()
	return e, ok
}

// add checks an event, whose line has so many bytes, by itself and against the one before. It returns what is wrong, "" if nothing is.
func (s *Summary) add(e *lineEvent, size int, c *chainer) (reason string) {
	if own := c.next(e.body, &e.at.prev); own != e.at.hash {
		return fmt.Sprintf("%v was changed: its hash is %x…, it states %x…", e.ID, own[:4], e.at.hash[:4])
	}
	if reason := s.follows(&e.Event); reason != "" {
		return reason
	}
	if s.Events == 0 {
		s.First, s.Prev = e.ID, e.Integrity.Prev
	}
	s.Events++
	s.Bytes += int64(size) + 1
	s.Last, s.Hash = e.ID, e.Integrity.Hash
	s.lost(&e.Event)
	return ""
}

const notEvent = "is not an event in the form that the log writes"

// follows checks that an event is the one after the last.
func (s *Summary) follows(e *Event) (reason string) {
	if s.Events == 0 {
		if e.ID == 1 && strings.Trim(e.Integrity.Prev, "0") != "" {
			return fmt.Sprintf("%v is the first event, but states a hash of one before", e.ID)
		}
		return ""
	}
	switch {
	case e.ID > s.Last+1:
		return fmt.Sprintf("%v comes after %v: %d are missing between", e.ID, s.Last, e.ID-s.Last-1)
	case e.ID <= s.Last:
		return fmt.Sprintf("%v comes after %v: lines were put in or their order was changed", e.ID, s.Last)
	case e.Integrity.Prev != s.Hash:
		return fmt.Sprintf("%v does not follow the %v before it: that has the hash %.8s…, it states %.8s…", e.ID, s.Last, s.Hash, e.Integrity.Prev)
	}
	return ""
}
