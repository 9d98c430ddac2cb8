package wire

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// Valid reports whether data is one JSON value in valid UTF-8 that nests no deeper
// than [MaxDepth]; its error says what is wrong and at which offset.
func Valid(data []byte) error {
	i := skip(data, space(data, 0))
	if i >= 0 {
		if i = space(data, i); i == len(data) {
			return nil
		}
		i = ^i
	}
	return errors.New(syntaxMessage(data, ^i))
}

// syntaxMessage says in words what is wrong with the byte at offset at, which the
// scanner could not fit in.
func syntaxMessage(b []byte, at int) string {
	if at >= len(b) {
		if space(b, 0) == len(b) {
			return "not valid JSON: the text is empty"
		}
		return fmt.Sprintf("not valid JSON: the text ends too early, at offset %d%s", len(b), lead(b, len(b)))
	}
	r, size := utf8.DecodeRune(b[at:])
	what := fmt.Sprintf("unexpected %q", r)
	switch c := b[at]; {
	case r == utf8.RuneError && size <= 1:
		what = fmt.Sprintf("invalid UTF-8 byte %#02x", c)
	case c < ' ':
		what = fmt.Sprintf("control character %#02x (inside a string write \\n, \\t or \\u%04x)", c, c)
	case (c == '{' || c == '[') && depthAt(b, at) >= MaxDepth:
		what = fmt.Sprintf("more than %d arrays and objects inside each other", MaxDepth)
	}
	return fmt.Sprintf("not valid JSON: %s at offset %d%s", what, at, lead(b, at))
}

// lead quotes the few characters in front of an offset, so that the place is found
// without counting.
func lead(b []byte, at int) string {
	const width = 24
	if at == 0 {
		return ""
	}
	return fmt.Sprintf(", after %q", b[max(0, at-width):at])
}

// depthAt counts the brackets that are open at an offset of which all before it is
// valid.
func depthAt(b []byte, at int) int {
	depth := 0
	for i := 0; i < at; i++ {
		switch b[i] {
		case '"':
			if i, _ = scanString(b, i+1); i < 0 {
				return depth
			}
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
	}
	return depth
}
