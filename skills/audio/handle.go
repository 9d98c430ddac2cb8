package audio

import (
	"encoding"
	"fmt"
	"strconv"
	"strings"
)

// Handle names a sound. The n-th sound of a world, counted from 0, is "snd_<n>". No handle names two
// sounds that were committed.
type Handle uint64

var (
	_ encoding.TextAppender    = Handle(0)
	_ encoding.TextMarshaler   = Handle(0)
	_ encoding.TextUnmarshaler = (*Handle)(nil)
)

const handlePrefix = "snd_"

// ParseHandle reads the text of a handle. Only the canonical form is taken: "snd_7", not "snd_07".
func ParseHandle(s string) (Handle, error) {
	digits, ok := strings.CutPrefix(s, handlePrefix)
	n, err := strconv.ParseUint(digits, 10, 64)
	if !ok || err != nil || Handle(n).String() != s {
		return 0, fmt.Errorf(`%q is no sound handle; they look like "snd_0", "snd_17"`, clip(s))
	}
	return Handle(n), nil
}

// AppendText appends the text of h to dst. It never fails.
func (h Handle) AppendText(dst []byte) ([]byte, error) { return h.append(dst), nil }

func (h Handle) append(dst []byte) []byte {
	return strconv.AppendUint(append(dst, handlePrefix...), uint64(h), 10)
}

// MarshalText returns the text of h. It never fails.
func (h Handle) MarshalText() ([]byte, error) { return h.append(nil), nil }

// UnmarshalText reads the text of a handle, as [ParseHandle] does.
func (h *Handle) UnmarshalText(text []byte) (err error) {
	*h, err = ParseHandle(string(text))
	return err
}

// String returns the text of h.
func (h Handle) String() string { return string(h.append(nil)) }

// JSONSchemaPattern is the regular expression of a handle's text, for schemas.
func (Handle) JSONSchemaPattern() string { return `^snd_(0|[1-9][0-9]*)$` }

// clip cuts what is quoted from a caller short.
func clip(s string) string {
	const most = 48
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
