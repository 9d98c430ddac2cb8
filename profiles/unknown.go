package profiles

import (
	"fmt"
	"strings"
)

// UnknownProfileError says that there is no profile of a name, and which there are.
type UnknownProfileError struct {
	Name  string
	Known []string // in byte order
}

func (e *UnknownProfileError) Error() string {
	known := "none"
	if len(e.Known) > 0 {
		known = strings.Join(e.Known, ", ")
	}
	if near := nearest(e.Name, e.Known); near != "" {
		return fmt.Sprintf("unknown profile %.*q, did you mean %q? known: %s", maxName, e.Name, near, known)
	}
	return fmt.Sprintf("unknown profile %.*q, known: %s", maxName, e.Name, known)
}

// nearest returns the candidate that is the fewest edits away from name, letter case aside; "" if all are far off.
func nearest(name string, candidates []string) string {
	if len(name) > maxName {
		return ""
	}
	best, fewest := "", len(name)/3+1
	for _, c := range candidates {
		if d := distance(strings.ToLower(name), strings.ToLower(c)); d < fewest {
			best, fewest = c, d
		}
	}
	return best
}

// distance counts the bytes to insert, delete or change to get from a to b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
