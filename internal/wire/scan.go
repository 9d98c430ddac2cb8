package wire

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// The scanner is a handful of functions that take the text and an index and return
// the index behind what they recognised. Indices travel in registers, which a
// cursor struct would keep in memory. A negative result is a syntax error: ^result
// is the offset of the byte that does not fit.

// MaxDepth is how deeply arrays and objects may nest.
const MaxDepth = 128

// space returns the index of the first byte at or after i that is not white space.
func space(b []byte, i int) int {
	const spaces uint64 = 1<<' ' | 1<<'\t' | 1<<'\n' | 1<<'\r'
	for i < len(b) && b[i] <= ' ' && spaces>>b[i]&1 != 0 {
		i++
	}
	return i
}

// stops marks the bytes of a word that end or complicate a string: a quote, a backslash, a
// control character, a byte beyond ASCII. The lowest bit that is set is the top one of the
// first of them; of those behind it some may be marked wrongly.
func stops(x uint64) uint64 {
	const (
		ones  = 0x0101010101010101
		tops  = 0x80 * ones
		swap  = ('"' ^ ' ') * ones // makes a quote the least byte but for those below a blank
		slash = '\\' * ones
		more  = (' ' + 1) * ones
	)
	// In (x-n)&^x the top bit of a byte is set if the byte is less than n; a borrow may set
	// it wrongly, but only above a byte that is right.
	q, s := x^swap, x^slash
	return ((q-more)&^q | (s-ones)&^s | x) & tops
}

// plain returns the index of the first byte at or after i that ends or complicates a
// string, see stops; or len(b).
func plain(b []byte, i int) int {
	for ; i+8 <= len(b); i += 8 {
		if m := stops(binary.LittleEndian.Uint64(b[i:])); m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	for i < len(b) && b[i] >= ' ' && b[i] < utf8.RuneSelf && b[i] != '"' && b[i] != '\\' {
		i++
	}
	return i
}

// scanString returns the index of the quote that closes the string whose text
// begins at i, and whether there are escapes in it.
func scanString(b []byte, i int) (end int, escaped bool) {
	// Nearly all are short and plain up to the quote.
	for ; i+8 <= len(b); i += 8 {
		if m := stops(binary.LittleEndian.Uint64(b[i:])); m != 0 {
			if i += bits.TrailingZeros64(m) >> 3; b[i] == '"' {
				return i, false
			}
			break
		}
	}
	return scanText(b, i)
}

// scanText is scanString for any text.
func scanText(b []byte, i int) (end int, escaped bool) {
	for {
		i = plain(b, i)
		switch {
		case i >= len(b):
			return ^i, escaped
		case b[i] == '"':
			return i, escaped
		case b[i] == '\\':
			escaped = true
			if i = scanEscape(b, i); i < 0 {
				return i, escaped
			}
		case b[i] < ' ':
			return ^i, escaped
		}
		for i < len(b) && b[i] >= utf8.RuneSelf {
			r, n := utf8.DecodeRune(b[i:])
			if r == utf8.RuneError && n == 1 {
				return ^i, escaped
			}
			i += n
		}
	}
}

// scanEscape returns the index behind the escape whose backslash is at i.
func scanEscape(b []byte, i int) int {
	if i++; i >= len(b) {
		return ^i
	}
	switch b[i] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 1
	case 'u':
		for end := i + 5; i+1 < end; {
			if i++; i >= len(b) || !isHex(b[i]) {
				return ^i
			}
		}
		return i + 1
	}
	return ^i
}

func isDigit(c byte) bool { return c-'0' <= 9 }

func isHex(c byte) bool { return isDigit(c) || (c|0x20)-'a' <= 5 }

// digits returns the index of the first byte at or after i that is not a digit.
func digits(b []byte, i int) int {
	for i < len(b) && isDigit(b[i]) {
		i++
	}
	return i
}

// skipNumber returns the index behind the number at i.
func skipNumber(b []byte, i int) int {
	if i < len(b) && b[i] == '-' {
		i++
	}
	switch {
	case i >= len(b) || !isDigit(b[i]):
		return ^i
	case b[i] == '0':
		i++
	default:
		i = digits(b, i+1)
	}
	if i < len(b) && b[i] == '.' {
		start := i + 1
		if i = digits(b, start); i == start {
			return ^i
		}
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		if i++; i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		start := i
		if i = digits(b, start); i == start {
			return ^i
		}
	}
	return i
}

// skipWord returns the index behind word, if it stands at i.
func skipWord(b []byte, i int, word string) int {
	if begins(b, i, word) {
		return i + len(word)
	}
	return unlike(b, i, word)
}

// begins reports whether word stands at i. Where word is a constant that is a comparison or two.
func begins(b []byte, i int, word string) bool {
	return len(b)-i >= len(word) && string(b[i:i+len(word)]) == word
}

// unlike returns ^ the index of the first byte of the text at i that is not word's.
func unlike(b []byte, i int, word string) int {
	for k := 0; i < len(b) && b[i] == word[k]; k++ {
		i++
	}
	return ^i
}

// skip returns the index behind the value at i, whatever it is, and checks all of
// its syntax. It does not recurse.
func skip(b []byte, i int) int { return skipInside(b, i, 0) }

// skipInside is skip for a value that stands inside so many arrays and objects, which
// count among those that it may nest.
func skipInside(b []byte, i, outer int) int {
	var (
		depth   int
		object  bool                    // what the innermost open bracket is
		objects [MaxDepth/64 + 1]uint64 // … and one bit for each outside it
	)
	for {
		// A value stands at i.
		if i >= len(b) {
			return ^i
		}
		switch c := b[i]; c {
		case '"':
			if i, _ = scanString(b, i+1); i < 0 {
				return i
			}
			i++
		case '{', '[':
			if depth == MaxDepth-outer {
				return ^i
			}
			if object {
				objects[depth>>6] |= 1 << (depth & 63)
			} else {
				objects[depth>>6] &^= 1 << (depth & 63)
			}
			depth++
			object = c == '{'
			i = space(b, i+1)
			if i < len(b) && b[i] == c+2 { // '{'+2 is '}', '['+2 is ']'
				break
			}
			if object {
				if i = skipKey(b, i); i < 0 {
					return i
				}
			}
			continue
		case 't':
			i = skipWord(b, i, "true")
		case 'f':
			i = skipWord(b, i, "false")
		case 'n':
			i = skipWord(b, i, "null")
		default:
			i = skipNumber(b, i)
		}
		if i < 0 {
			return i
		}

		// Behind a value, or at the bracket that closes an empty one.
		for {
			if depth == 0 {
				return i
			}
			if i = space(b, i); i >= len(b) {
				return ^i
			}
			if b[i] == ',' {
				if i = space(b, i+1); object {
					if i = skipKey(b, i); i < 0 {
						return i
					}
				}
				break
			}
			if object && b[i] != '}' || !object && b[i] != ']' {
				return ^i
			}
			i++
			depth--
			object = objects[depth>>6]>>(depth&63)&1 != 0
		}
	}
}

// skipKey returns the index of the value behind the key at i.
func skipKey(b []byte, i int) int {
	if i >= len(b) || b[i] != '"' {
		return ^i
	}
	if i, _ = scanString(b, i+1); i < 0 {
		return i
	}
	if i = space(b, i+1); i >= len(b) || b[i] != ':' {
		return ^i
	}
	return space(b, i+1)
}
