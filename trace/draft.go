package trace

import (
	"bytes"
	"errors"
	"fmt"
	"time"
)

// Draft is an event to be appended. The log copies all of it.
type Draft struct {
	Type    string // required
	Actor   string
	Session string
	Tick    uint64
	Time    time.Time // zero: the log's clock

	// CausedBy names earlier events, from before this Append. Zero ids are left out.
	CausedBy []ID

	// Parent says which draft of the same Append this one is a part of: 1 is the first, 0 none. It must come earlier.
	Parent int

	// Payload is one JSON object, valid in itself: the log looks at its braces only. Nil is {}.
	Payload []byte
}

var (
	errNoType  = errors.New("has no type")
	errPayload = errors.New("the payload is not a JSON object")
)

// check reports what is wrong with draft number i, counted from zero, of an Append whose first event gets the id next. The
// error mentions no text of the draft: that would move every caller's draft to the heap.
func (d *Draft) check(i int, next ID) error {
	if d.Type == "" {
		return fmt.Errorf("trace: draft %d: %w", i+1, errNoType)
	}
	if d.Parent < 0 || d.Parent > i {
		return fmt.Errorf("trace: draft %d: its parent is draft %d, want an earlier one", i+1, d.Parent)
	}
	for _, cause := range d.CausedBy {
		if cause >= next {
			return fmt.Errorf("trace: draft %d: its cause %v has not happened: the next event is %v", i+1, cause, next)
		}
	}
	if d.Payload != nil && !isObject(d.Payload) {
		return fmt.Errorf("trace: draft %d: %w", i+1, errPayload)
	}
	return nil
}

// jsonSpace is what may stand around a JSON value.
const jsonSpace = " \t\r\n"

// isObject looks at the braces only.
func isObject(payload []byte) bool {
	return hasBraces(payload) || hasBraces(bytes.Trim(payload, jsonSpace))
}

func hasBraces(payload []byte) bool {
	return len(payload) >= 2 && payload[0] == '{' && payload[len(payload)-1] == '}'
}

// sizeHint returns a size that the draft's line exceeds only if its texts need escapes.
func (d *Draft) sizeHint() int {
	return fixedLen + len(d.Type) + len(d.Actor) + len(d.Session) + len(d.CausedBy)*causeLen + len(d.Payload)
}
