package world

import (
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/limina-mcp/limina/internal/decimal"
)

// What is here writes JSON as encoding/json does, without HTML escapes: an entity's fragment is
// written at each of its changes.

func appendFloat(dst []byte, x float64) []byte {
	if n := int64(x); float64(n) == x && n > -1e6 && n < 1e6 && (n != 0 || !math.Signbit(x)) {
		return decimal.AppendInt(dst, n) // most numbers in a world, and several times faster
	}
	abs := max(x, -x)
	if x == 0 || abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(dst, x, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, x, 'e', -1, 64)
	if n := len(dst); dst[n-4] == 'e' && dst[n-3] == '-' && dst[n-2] == '0' {
		dst[n-2] = dst[n-1] // e-09 becomes e-9
		dst = dst[:n-1]
	}
	return dst
}

func appendFloats(dst []byte, xs []float64) []byte {
	dst = append(dst, '[')
	for i, x := range xs {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendFloat(dst, x)
	}
	return append(dst, ']')
}

func appendString(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return appendAny(dst, s)
		}
	}
	return append(append(append(dst, '"'), s...), '"')
}

func appendStrings(dst []byte, list []string) []byte {
	if list == nil {
		return append(dst, "null"...)
	}
	dst = append(dst, '[')
	for i, s := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, s)
	}
	return append(dst, ']')
}

// object writes the members of a JSON object; omitted ones leave no comma.
type object struct {
	dst  []byte
	some bool
}

func (o *object) key(name string) {
	if o.some {
		o.dst = append(o.dst, ',')
	} else {
		o.dst = append(o.dst, '{')
	}
	o.some = true
	o.dst = append(append(append(o.dst, '"'), name...), `":`...)
}

func (o *object) text(name, v string) {
	o.key(name)
	o.dst = appendString(o.dst, v)
}

func (o *object) number(name string, v float64) {
	o.key(name)
	o.dst = appendFloat(o.dst, v)
}

func (o *object) count(name string, v uint64) {
	o.key(name)
	o.dst = decimal.Append(o.dst, v)
}

func (o *object) vec(name string, v Vec3) {
	o.key(name)
	o.dst = appendFloats(o.dst, v[:])
}

func (o *object) flag(name string, v bool) {
	o.key(name)
	o.dst = strconv.AppendBool(o.dst, v)
}

func (o *object) end() []byte {
	if !o.some {
		return append(o.dst, "{}"...)
	}
	return append(o.dst, '}')
}
