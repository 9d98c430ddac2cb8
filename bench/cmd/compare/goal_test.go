package main

import (
	"strings"
	"testing"
)

func rounds(rates ...float64) []sample {
	var ss []sample
	for _, r := range rates {
		ss = append(ss, sample{Rate: r})
	}
	return ss
}

func TestJudge(t *testing.T) {
	ours, theirs, missing := key{"g", "ours"}, key{"g", "theirs"}, key{"g", "missing"}
	ss := samples{ours: rounds(100, 300, 50, 120, 110), theirs: rounds(10, 10, 10, 20, 10)}
	tests := []struct {
		name    string
		bar     bar
		values  func(samples) []float64
		mid     float64
		verdict string
	}{
		{"a ratio is taken within its round", atLeast(5, 10), over(ours, theirs, rate), 10, reached},
		{"between the bars", atLeast(5, 11), over(ours, theirs, rate), 10, mustMet},
		{"below both", atLeast(20, 30), over(ours, theirs, rate), 10, missed},
		{"smaller is better", atMost(120, 100, "µs"), plain(ours, rate), 110, mustMet},
		{"above both", atMost(100, 90, "µs"), plain(ours, rate), 110, missed},
		{"nobody was there", atLeast(5, 10), over(ours, missing, rate), 0, unjudged},
	}
	for _, tt := range tests {
		mid, _, _, verdict := goal{bar: tt.bar, values: tt.values}.judge(ss)
		if mid != tt.mid || verdict != tt.verdict {
			t.Errorf("%s: judge = %v, %s; want %v, %s", tt.name, mid, verdict, tt.mid, tt.verdict)
		}
	}
}

func TestDigits(t *testing.T) {
	for v, want := range map[float64]string{0.4567: "0.457", 2: "2", 12.34: "12.3", 99.96: "100", 123.4: "123", 1234567: "1,234,567"} {
		if got := digits(v); got != want {
			t.Errorf("digits(%v) = %s, want %s", v, got, want)
		}
	}
}

// Every goal that is measured names contenders that exist.
func TestGoalsNameContenders(t *testing.T) {
	ss := samples{}
	for _, c := range (paths{npm: "somewhere", cc: true, scale: 1}).contenders() {
		ss[c.key] = rounds(1)
	}
	for _, g := range goals() {
		if len(g.values(ss)) == 0 {
			t.Errorf("%s %s: nobody measures it", g.id, g.what)
		}
	}
	var out strings.Builder
	printGoals(&out, ss)
	if got, want := strings.Count(out.String(), "\n"), len(goals())+2; got != want {
		t.Errorf("printGoals wrote %d lines, want %d", got, want)
	}
}
