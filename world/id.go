package world

import (
	"encoding"
	"fmt"
	"math"

	"github.com/limina-mcp/limina/internal/decimal"
)

// ID names an entity. The n-th entity that a world creates, counted from 0, has ID n+1 and the text
// "ent_<n>". Zero is no entity and has the empty text. No ID ever names two entities that were
// committed; a rollback gives its numbers back.
type ID uint64

var (
	_ encoding.TextAppender    = ID(0)
	_ encoding.TextMarshaler   = ID(0)
	_ encoding.TextUnmarshaler = (*ID)(nil)
)

const idPrefix = "ent_"

// ParseID reads the text of an ID. Only the canonical form is taken: "ent_7", not "ent_07".
func ParseID(s string) (ID, error) { return parseID(s) }

func parseID[S string | []byte](s S) (ID, error) {
	n, ok := idNumber(s)
	if !ok {
		return 0, fmt.Errorf(`%q is not an entity id; ids look like "ent_0", "ent_17"`, clip(string(s)))
	}
	return ID(n + 1), nil
}

// idNumber reads the n of "ent_<n>".
func idNumber[S string | []byte](s S) (n uint64, ok bool) {
	if len(s) <= len(idPrefix) || string(s[:len(idPrefix)]) != idPrefix {
		return 0, false
	}
	digits := s[len(idPrefix):]
	if digits[0] == '0' && len(digits) > 1 {
		return 0, false
	}
	for i := range len(digits) {
		d := uint64(digits[i]) - '0'
		if d > 9 || n > (math.MaxUint64-1-d)/10 {
			return 0, false
		}
		n = n*10 + d
	}
	return n, true
}

// clip shortens what a peer sent to what a message may quote.
func clip(s string) string {
	const limit = 64
	if len(s) <= limit {
		return s
	}
	return s[:limit] + "…"
}

// Number returns the n of "ent_<n>". It has no meaning for the zero ID.
func (id ID) Number() uint64 { return uint64(id) - 1 }

// AppendText appends the text of id to dst. It never fails.
func (id ID) AppendText(dst []byte) ([]byte, error) { return id.append(dst), nil }

func (id ID) append(dst []byte) []byte {
	if id == 0 {
		return dst
	}
	return decimal.Append(append(dst, idPrefix...), id.Number())
}

// MarshalText returns the text of id. It never fails.
func (id ID) MarshalText() ([]byte, error) { return id.append(nil), nil }

// UnmarshalText reads the text of an ID, as [ParseID] does: not the empty text of no entity. So a field of the
// world's state that may be zero is left out of its JSON then, by omitempty.
func (id *ID) UnmarshalText(text []byte) error {
	v, err := parseID(text)
	if err != nil {
		return err
	}
	*id = v
	return nil
}

// String returns the text of id.
func (id ID) String() string { return string(id.append(nil)) }

// JSONSchemaPattern is the regular expression of an ID's text, for schemas.
func (ID) JSONSchemaPattern() string { return `^ent_(0|[1-9][0-9]*)$` }

// JSONWords says what an id is, for messages about what stands where one should.
func (ID) JSONWords() string { return `an entity id such as "ent_7"` }
