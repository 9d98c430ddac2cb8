package main

// goal is one line of the goals that the project has set itself.
type goal struct {
	id, what string
	bar
	values func(samples) []float64 // one for each round
}

// bar is what a goal asks for.
type bar struct {
	must, reach float64
	smaller     bool   // is better
	unit        string // of the numbers; "×" for a ratio
}

func atLeast(must, reach float64) bar { return bar{must, reach, false, "×"} }

func atMost(must, reach float64, unit string) bar { return bar{must, reach, true, unit} }

func (b bar) meets(v, limit float64) bool {
	if b.smaller {
		return v <= limit
	}
	return v >= limit
}

// The verdicts, and the word for a goal whose contenders were not there.
const (
	reached  = "reached"
	mustMet  = "must"
	missed   = "missed"
	unjudged = "not measured"
)

// judge returns the median over the rounds, its range and what it means.
func (g goal) judge(ss samples) (mid, low, high float64, verdict string) {
	vs := g.values(ss)
	if len(vs) == 0 {
		return 0, 0, 0, unjudged
	}
	mid, low, high = median(vs), vs[0], vs[0]
	for _, v := range vs {
		low, high = min(low, v), max(high, v)
	}
	switch {
	case g.meets(mid, g.reach):
		return mid, low, high, reached
	case g.meets(mid, g.must):
		return mid, low, high, mustMet
	}
	return mid, low, high, missed
}

// over is a's metric over b's, round by round.
func over(a, b key, m metric) func(samples) []float64 {
	return func(ss samples) []float64 { return ss.ratio(a, b, m) }
}

func plain(k key, m metric) func(samples) []float64 {
	return func(ss samples) []float64 { return ss.of(k, m) }
}
