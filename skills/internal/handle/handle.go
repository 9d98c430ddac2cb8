// Package handle names what skills keep in tables and give out to callers: panels, sounds. A handle is a
// number of its own in Go and a text with a prefix, such as "ui_7", everywhere else.
package handle

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/limina-mcp/limina/skills/internal/quote"
)

// Kind is what handles of one sort have in common. It is the zero value of a type without fields.
type Kind interface {
	Prefix() string // "ui_"
	Noun() string   // "panel"
}

// Of is a handle. The n-th of a world, counted from 0, has the text Prefix<n>; only this canonical
// form is read: "ui_7", not "ui_07".
type Of[K Kind] uint64

// Parse reads the text of a handle.
func Parse[K Kind](s string) (Of[K], error) {
	var kind K
	digits, ok := strings.CutPrefix(s, kind.Prefix())
	n, err := strconv.ParseUint(digits, 10, 64)
	if !ok || err != nil || Of[K](n).String() != s {
		return 0, fmt.Errorf("%q is no %s handle; they look like \"%s0\", \"%s17\"", quote.Clip(s), kind.Noun(), kind.Prefix(), kind.Prefix())
	}
	return Of[K](n), nil
}

// AppendText appends the text of h to dst. It never fails.
func (h Of[K]) AppendText(dst []byte) ([]byte, error) { return h.append(dst), nil }

func (h Of[K]) append(dst []byte) []byte {
	var kind K
	return strconv.AppendUint(append(dst, kind.Prefix()...), uint64(h), 10)
}

// MarshalText returns the text of h. It never fails.
func (h Of[K]) MarshalText() ([]byte, error) { return h.append(nil), nil }

// UnmarshalText reads the text of a handle, as [Parse] does.
func (h *Of[K]) UnmarshalText(text []byte) (err error) {
	*h, err = Parse[K](string(text))
	return err
}

// String returns the text of h.
func (h Of[K]) String() string { return string(h.append(nil)) }

// JSONSchemaPattern is the regular expression of a handle's text, for schemas.
func (Of[K]) JSONSchemaPattern() string {
	var kind K
	return "^" + kind.Prefix() + "(0|[1-9][0-9]*)$"
}

// Nearest says, for a message, which of all are nearest to h: "the nearest are ui_3, ui_5". It
// reorders all, which must not be empty.
func Nearest[K Kind](all []Of[K], h Of[K]) string {
	const most = 3
	distance := func(a Of[K]) Of[K] { return max(a, h) - min(a, h) }
	slices.SortStableFunc(all, func(a, b Of[K]) int { return cmp.Compare(distance(a), distance(b)) })
	all = all[:min(len(all), most)]
	slices.Sort(all)
	names := make([]string, len(all))
	for i, a := range all {
		names[i] = a.String()
	}
	return "the nearest are " + strings.Join(names, ", ")
}
