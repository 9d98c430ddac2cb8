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
	lines := bufio.NewReaderSize(r, 64<<10)
	var line []byte
	var c chainer
	for number := 1; ; number++ {
		var err error
		line, err = readLine(lines, line[:0])
		switch {
		case errors.Is(err, io.EOF) && len(line) == 0:
			return sum, nil
		case errors.Is(err, io.EOF):
			return sum, &VerifyError{number, "is cut off: it does not end with a line feed"}
		case errors.Is(err, errLongLine):
			return sum, &VerifyError{number, err.Error()}
		case err != nil:
			return sum, fmt.Errorf("trace: reading line %d: %w", number, err)
		}
		if reason := sum.add(line, &c); reason != "" {
			return sum, &VerifyError{number, reason}
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

// add checks a line by itself and against the one before. It returns what is wrong, "" if nothing is.
func (s *Summary) add(line []byte, c *chainer) (reason string) {
	if !json.Valid(line) {
		return "is not JSON"
	}
	body, at, ok := split(line)
	if !ok {
		return notEvent
	}
	e, ok := parseEvent(body)
	if !ok || !json.Valid(e.Payload) { // of which parseEvent sees the braces: members may stand behind it
		return notEvent
	}
	e.Integrity = at.integrity()
	if own := c.next(body, &at.prev); own != at.hash {
		return fmt.Sprintf("%v was changed: its hash is %x…, it states %x…", e.ID, own[:4], at.hash[:4])
	}
	if reason := s.follows(&e); reason != "" {
		return reason
	}
	if s.Events == 0 {
		s.First, s.Prev = e.ID, e.Integrity.Prev
	}
	s.Events++
	s.Bytes += int64(len(line)) + 1
	s.Last, s.Hash = e.ID, e.Integrity.Hash
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
