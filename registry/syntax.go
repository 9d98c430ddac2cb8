package registry

import "strings"

// isName reports whether s is words of letters, digits, _ and -, with dots between them.
func isName(s string) bool {
	for word := range strings.SplitSeq(s, ".") {
		if word == "" || !only(word, isNameByte) {
			return false
		}
	}
	return true
}

func isNameByte(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' || c == '-' }

// isVersion reports whether s is three numbers, and perhaps what comes before a release: 1.2.3-rc.1.
func isVersion(s string) bool {
	numbers, suffix, early := strings.Cut(s, "-")
	if early && (suffix == "" || !only(suffix, isSuffixByte)) {
		return false
	}
	count := 0
	for n := range strings.SplitSeq(numbers, ".") {
		if n == "" || !only(n, isDigit) {
			return false
		}
		count++
	}
	return count == 3
}

func isSuffixByte(c byte) bool { return isLetter(c) || isDigit(c) || c == '.' || c == '-' }

func isLetter(c byte) bool { return (c|0x20)-'a' <= 'z'-'a' }

func isDigit(c byte) bool { return c-'0' <= 9 }

// only reports whether all of s is of one kind.
func only(s string, kind func(byte) bool) bool {
	for i := range len(s) {
		if !kind(s[i]) {
			return false
		}
	}
	return true
}
