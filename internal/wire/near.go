package wire

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// Near returns up to limit of the names that a writer of got may have meant, the
// nearest first. Names that differ only in case or in separators come first of all,
// then what a few slips of the keyboard, or leaving off or adding an end, turn into got.
func Near(got string, names []string, limit int) []string {
	type candidate struct {
		name     string
		distance int
	}
	var found []candidate
	folded := fold(got)
	for _, name := range names {
		if d, ok := distance(folded, fold(name)); ok {
			found = append(found, candidate{name, d})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	var near []string
	for _, c := range found[:min(limit, len(found))] {
		near = append(near, c.name)
	}
	return near
}

// Slips is [Near] for names of several words, of which one in another's place is no slip: only the names that
// a letter in six, or fewer, parts from got.
func Slips(got string, names []string, limit int) []string {
	folded := fold(got)
	return slices.DeleteFunc(Near(got, names, limit), func(name string) bool {
		name = fold(name)
		return edits(folded, name) > max(1, min(len(folded), len(name))/6)
	})
}

// Nearest is the first of [Near], "" if there is none.
func Nearest(got string, names []string) string {
	if near := Near(got, names, 1); len(near) > 0 {
		return near[0]
	}
	return ""
}

// fold takes away what one forgets: case and separators. What is too long to be a
// slip is cut.
func fold(s string) string {
	const longest = 64
	s = s[:min(len(s), longest)]
	return strings.Map(func(r rune) rune {
		switch r {
		case '_', '-', '.', ' ', '/', ':':
			return -1
		}
		return r
	}, strings.ToLower(s))
}

// distance says how far two folded names are apart, if that is near at all.
func distance(a, b string) (d int, near bool) {
	if a == "" || b == "" {
		return 0, false
	}
	d = edits(a, b)
	if min(len(a), len(b)) == 1 && d > 0 { // any letter is one slip from any other: y is no misspelt x
		return 0, false
	}
	if d <= max(1, min(len(a), len(b))/3) {
		return d, true
	}
	if min(len(a), len(b)) >= 3 && (strings.HasPrefix(b, a) || strings.HasSuffix(b, a) || strings.HasPrefix(a, b) || strings.HasSuffix(a, b)) {
		return d, true
	}
	return 0, false
}

// edits is how many letters must be inserted, left out, replaced or swapped with
// their neighbour to make b of a (the optimal string alignment distance).
func edits(a, b string) int {
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}

// Words takes a text apart into words in lower case: at everything that is neither letter nor digit,
// and where a capital follows a small letter, as in createEntity.
func Words(text string) []string {
	var list []string
	start, lower := -1, false
	for i, r := range text {
		isWord := unicode.IsLetter(r) || unicode.IsDigit(r)
		if start >= 0 && (!isWord || lower && unicode.IsUpper(r)) {
			list = append(list, strings.ToLower(text[start:i]))
			start = -1
		}
		if isWord && start < 0 {
			start = i
		}
		lower = unicode.IsLower(r)
	}
	if start >= 0 {
		list = append(list, strings.ToLower(text[start:]))
	}
	return list
}
