// Package clip cuts texts that may be too long, never inside a character.
package clip

import "strings"

// Bytes returns what of a text its first bytes say, so many at most.
func Bytes(text string, most int) string {
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "")
	}
	return text
}

// Shown is Bytes for who reads it: where there is more, a sign says so.
func Shown(text string, most int) string {
	if len(text) > most {
		return Bytes(text, most) + "…"
	}
	return text
}
