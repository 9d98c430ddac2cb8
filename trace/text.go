package trace

import (
	"encoding/hex"
	"encoding/json"
	"math"
	"strings"
	"unicode/utf8"
)

// appendText appends s as it stands between the quotes of a JSON string. Each byte that is not UTF-8 becomes U+FFFD.
func appendText(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return appendEscaped(append(dst, s[:i]...), s[i:])
		}
	}
	return append(dst, s...)
}

func appendEscaped(dst []byte, s string) []byte {
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < ' ':
			dst = append(dst, `\u00`...)
			dst = hex.AppendEncode(dst, []byte{byte(r)})
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

// unquote returns what a JSON string says, given what stands between its quotes. Text that is not JSON stays as it is.
func unquote(text string) string {
	if strings.IndexByte(text, '\\') < 0 {
		return text
	}
	var s string
	if json.Unmarshal([]byte(`"`+text+`"`), &s) != nil {
		return text
	}
	return s
}

// validText returns a copy of s as a line of the log shows it.
func validText(s string) string { return string([]rune(s)) }

// parseUint reads a decimal number without sign and padding.
func parseUint[T string | []byte](s T) (n uint64, ok bool) {
	if len(s) == 0 || (s[0] == '0' && len(s) > 1) {
		return 0, false
	}
	for i := range len(s) {
		digit := uint64(s[i] - '0')
		if !isDigit(s[i]) || n > (math.MaxUint64-digit)/10 {
			return 0, false
		}
		n = 10*n + digit
	}
	return n, true
}

// parseInt reads a decimal number without padding.
func parseInt(s []byte) (n int64, ok bool) {
	negative := len(s) > 0 && s[0] == '-'
	if negative {
		s = s[1:]
	}
	magnitude, ok := parseUint(s)
	if negative {
		return -int64(magnitude), ok && magnitude > 0 && magnitude <= 1<<63
	}
	return int64(magnitude), ok && magnitude <= math.MaxInt64
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isHex reports whether text has lower-case hexadecimal digits only.
func isHex(text []byte) bool {
	for i := range len(text) {
		if c := text[i]; !isDigit(c) && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
