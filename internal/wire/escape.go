package wire

import (
	"unicode/utf16"
	"unicode/utf8"
)

// unescape returns what the text of a valid string means. Half a surrogate pair means
// U+FFFD, as in encoding/json.
func unescape(text []byte) []byte {
	dst := make([]byte, 0, len(text)) // never longer
	for i := 0; i < len(text); {
		if text[i] != '\\' {
			dst = append(dst, text[i])
			i++
			continue
		}
		c := text[i+1]
		i += 2
		switch c {
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		case 'u':
			r := hexRune(text[i:])
			i += 4
			if utf16.IsSurrogate(r) {
				pair := utf8.RuneError
				if i+6 <= len(text) && text[i] == '\\' && text[i+1] == 'u' {
					pair = utf16.DecodeRune(r, hexRune(text[i+2:]))
				}
				if r = pair; r != utf8.RuneError {
					i += 6
				}
			}
			dst = utf8.AppendRune(dst, r)
			continue
		}
		dst = append(dst, c)
	}
	return dst
}

// hexRune reads four hex digits.
func hexRune(text []byte) rune {
	var r rune
	for _, c := range text[:4] {
		switch {
		case isDigit(c):
			c -= '0'
		default:
			c = c | 0x20 - 'a' + 10
		}
		r = r<<4 | rune(c)
	}
	return r
}

// AppendString writes s after dst as a JSON string, as encoding/json does without
// HTML escapes: invalid UTF-8 becomes U+FFFD.
func AppendString(dst []byte, s string) []byte {
	b := readOnly(s)
	dst = append(dst, '"')
	start := 0
	for i := plain(b, 0); i < len(b); i = plain(b, i) {
		if b[i] < utf8.RuneSelf {
			dst = appendEscape(append(dst, b[start:i]...), b[i])
			i++
			start = i
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			dst = append(append(dst, b[start:i]...), `\ufffd`...)
			start = i + n
		case r == '\u2028' || r == '\u2029': // line ends in JavaScript before 2019
			dst = append(append(dst, b[start:i]...), `\u202`...)
			dst = append(dst, hexDigits[r&0xf])
			start = i + n
		}
		i += n
	}
	dst = append(dst, b[start:]...)
	return append(dst, '"')
}

const hexDigits = "0123456789abcdef"

// appendEscape writes an ASCII character that a string cannot hold as it is.
func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xf])
}
