package share

import (
	"cmp"
	"slices"
)

// Turns puts rows, which are in the order in which they came, into that in which they are done where not all of them may be: of each agent one, then of each another one. So
// whoever has many keeps nobody else's from being done. Of one round the order is that in which they came.
func Turns[T any](rows []T, by func(*T) string) {
	type turn struct {
		row   T
		round int
	}
	turns, had := make([]turn, len(rows)), map[string]int{}
	for i := range rows {
		agent := by(&rows[i])
		turns[i] = turn{rows[i], had[agent]}
		had[agent]++
	}
	if len(had) < 2 {
		return
	}
	slices.SortStableFunc(turns, func(a, b turn) int { return cmp.Compare(a.round, b.round) })
	for i := range turns {
		rows[i] = turns[i].row
	}
}
