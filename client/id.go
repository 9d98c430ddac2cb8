package client

import (
	"encoding"
	"fmt"
	"strconv"
	"strings"
)

// ID names an entity: the one with the text "ent_7" is ID 8. The zero ID is none, and has no text. IDs are
// in the order in which the entities were created, and name no second entity ever.
//
// Outputs of skills may be decoded into it.
type ID uint64

const idPrefix = "ent_"

var (
	_ encoding.TextMarshaler   = ID(0)
	_ encoding.TextUnmarshaler = (*ID)(nil)
)

// ParseID reads the text of an id.
func ParseID(text string) (ID, error) {
	digits, ok := strings.CutPrefix(text, idPrefix)
	n, err := strconv.ParseUint(digits, 10, 64)
	if !ok || err != nil || n+1 == 0 || strconv.FormatUint(n, 10) != digits {
		return 0, fmt.Errorf("client: an entity id looks like ent_7, got %q", text)
	}
	return ID(n + 1), nil
}

// String returns the text, "" for none.
func (id ID) String() string {
	if id == 0 {
		return ""
	}
	return idPrefix + strconv.FormatUint(uint64(id)-1, 10)
}

// MarshalText implements encoding.TextMarshaler. It never fails.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (id *ID) UnmarshalText(text []byte) (err error) {
	*id, err = ParseID(string(text))
	return err
}

func idOf(number uint64) ID { return ID(number + 1) }
