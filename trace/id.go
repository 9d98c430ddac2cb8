package trace

import (
	"fmt"

	"github.com/limina-mcp/limina/internal/decimal"
)

// ID names an event: its place in the log, counted from one. Zero is no event. In text it is "evt_<n>", n counted from
// zero: the first event is ID 1 and "evt_0".
type ID uint64

const idPrefix = "evt_"

// ParseID reads the text form of an event's id, in the one spelling that [ID.String] writes.
func ParseID(s string) (ID, error) {
	id, ok := parseID(s)
	if !ok {
		return 0, fmt.Errorf("%.40q is not an event id: want evt_<number>, such as \"evt_12\"", s)
	}
	return id, nil
}

func parseID[T string | []byte](s T) (ID, bool) {
	if len(s) <= len(idPrefix) || string(s[:len(idPrefix)]) != idPrefix {
		return 0, false
	}
	n, ok := parseUint(s[len(idPrefix):])
	return ID(n + 1), ok && n+1 != 0
}

// String returns "evt_<n>", and "" for no event.
func (id ID) String() string { return string(id.append(nil)) }

// AppendText appends the text form. It never fails.
func (id ID) AppendText(dst []byte) ([]byte, error) { return id.append(dst), nil }

// MarshalText returns the text form. It never fails.
func (id ID) MarshalText() ([]byte, error) { return id.append(nil), nil }

// UnmarshalText reads the text form. Empty text is an error: nobody asks for no event.
func (id *ID) UnmarshalText(text []byte) error {
	parsed, err := ParseID(string(text))
	if err != nil {
		return err
	}
	*id = parsed
	return nil
}

// JSONSchemaPattern returns the regular expression of the text form, for schemas.
func (ID) JSONSchemaPattern() string { return "^evt_(0|[1-9][0-9]*)$" }

// JSONWords says what an id is, for messages about what stands where one should.
func (ID) JSONWords() string { return `an event id such as "evt_12"` }

func (id ID) append(dst []byte) []byte {
	if id == 0 {
		return dst
	}
	dst = append(dst, idPrefix...)
	return decimal.Append(dst, uint64(id-1))
}
