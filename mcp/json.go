package mcp

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/limina-mcp/limina/internal/wire"
)

// The functions of this file take apart JSON that wire.Valid has found good. They match keys
// exactly, which encoding/json does not.

// eachMember calls f with the key and the text of each member of an object, until f returns false.
func eachMember(object []byte, f func(key string, value []byte) bool) {
	for at := 1; ; {
		at = skipTo(object, at, '"')
		if at < 0 {
			return
		}
		end := skipValue(object, at)
		key, _ := stringValue(object[at:end])
		at = skipSpace(object, skipTo(object, end, ':')+1)
		end = skipValue(object, at)
		if !f(key, object[at:end]) {
			return
		}
		at = end
	}
}

// elements returns the texts of an array's elements, as far as one more than the most that whoever asks has a use for: millions fit into a message.
func elements(array []byte, most int) (list [][]byte) {
	at := skipSpace(array, 1)
	for at < len(array) && array[at] != ']' && len(list) <= most {
		end := skipValue(array, at)
		list = append(list, array[at:end])
		if at = skipSpace(array, end); array[at] == ',' {
			at = skipSpace(array, at+1)
		}
	}
	return list
}

// stringValue returns what a JSON string says; false if value is none.
func stringValue(value []byte) (string, bool) {
	if len(value) < 2 || value[0] != '"' {
		return "", false
	}
	inner := value[1 : len(value)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return string(inner), true
	}
	var s string
	err := json.Unmarshal(value, &s)
	return s, err == nil
}

// skipSpace returns the index of the first byte from at on that is no white space.
func skipSpace(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t') {
		at++
	}
	return at
}

// skipTo returns the index of the next c between values of an object, -1 where the object ends.
func skipTo(text []byte, at int, c byte) int {
	for at < len(text) && text[at] != c {
		if text[at] == '}' {
			return -1
		}
		at++
	}
	return at
}

// skipValue returns the index after the value that starts at at.
func skipValue(text []byte, at int) int {
	for depth := 0; at < len(text); {
		switch text[at] {
		case '"':
			at = skipString(text, at)
		case '{', '[':
			depth++
			at++
			continue
		case '}', ']':
			depth--
			at++
		case ',', ':', ' ', '\t', '\r', '\n':
			at++
			continue
		default:
			for at < len(text) && !strings.ContainsRune(",:]} \t\r\n", rune(text[at])) {
				at++
			}
		}
		if depth == 0 {
			return at
		}
	}
	return at
}

func skipString(text []byte, at int) int {
	for at++; text[at] != '"'; at++ {
		if text[at] == '\\' {
			at++
		}
	}
	return at + 1
}

// keyOf returns what ids are told apart by: two are the same if they are the same string, or the same number, however they are written. It is "" for none.
func keyOf(id []byte) string {
	if len(id) == 0 {
		return ""
	}
	if s, ok := stringValue(id); ok {
		return `"` + s
	}
	if len(id) <= longestPlain && bytes.IndexFunc(id, func(c rune) bool { return c < '0' || c > '9' }) < 0 {
		return string(id)
	}
	number, negative := strings.CutPrefix(strings.ToLower(string(id)), "-")
	mantissa, exponent, _ := strings.Cut(number, "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0"
	}
	e := 0
	if exponent != "" {
		var err error
		if e, err = strconv.Atoi(exponent); err != nil || len(exponent) > 18 { // nobody counts that far
			return string(id)
		}
	}
	significant := strings.TrimRight(digits, "0")
	e += len(digits) - len(significant) - len(fraction)
	if e >= 0 && e+len(significant) <= longestPlain {
		number = significant + strings.Repeat("0", e)
	} else {
		number = significant + "e" + strconv.Itoa(e)
	}
	if negative {
		return "-" + number
	}
	return number
}

// longestPlain is how many digits of a number are written out in a key.
const longestPlain = 40

// isInteger reports whether a JSON number is an integer, as JSON Schema has it: 1.0 and 1e2 are.
// It looks at the digits, so no size is too large.
func isInteger(number []byte) bool {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(string(number)), "e")
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(mantissa, "-"), ".")
	digits := strings.TrimRight(whole+fraction, "0")
	if digits == "" {
		return true
	}
	// The value is digits · 10^(exponent - places).
	places := len(digits) - len(whole)
	negative := strings.HasPrefix(exponent, "-")
	exponent = strings.TrimLeft(exponent, "+-0")
	if len(exponent) > 9 {
		return !negative
	}
	e := 0
	for _, c := range exponent {
		e = e*10 + int(c-'0')
	}
	if negative {
		e = -e
	}
	return e >= places
}

// appendQuoted appends JSON text as a JSON string. The text is valid JSON, so what needs an escape
// is a quote, a backslash, or white space between tokens. Quotes are so close together in it that it is
// faster to copy it byte by byte.
func appendQuoted(dst, text []byte) []byte {
	n := len(dst)
	dst = slices.Grow(dst, 2*len(text))
	room := dst[:cap(dst)]
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			room[n] = '\\'
			n++
		case c < ' ':
			c = ' '
		}
		room[n] = c
		n++
	}
	return room[:n]
}

// flatten takes line ends out of JSON text, where they can only be white space: a message is a
// line on some transports.
func flatten(text []byte) {
	for _, end := range []byte{'\n', '\r'} {
		for rest := text; ; {
			i := bytes.IndexByte(rest, end)
			if i < 0 {
				break
			}
			rest[i] = ' '
			rest = rest[i+1:]
		}
	}
}

// appendField appends `"key":"value"`, with a comma before it unless it is an object's first.
func appendField(dst []byte, key, value string) []byte {
	if last := dst[len(dst)-1]; last != '{' {
		dst = append(dst, ',')
	}
	dst = append(dst, '"')
	dst = append(dst, key...)
	dst = append(dst, `":`...)
	return wire.AppendString(dst, value)
}
