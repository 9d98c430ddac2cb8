package main

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// printGoals writes the table of goals in Markdown.
func printGoals(w io.Writer, ss samples) {
	fmt.Fprintln(w, "| goal | | must | reach | measured, median [range] | |")
	fmt.Fprintln(w, "| --- | --- | --- | --- | --- | --- |")
	for _, g := range goals() {
		mid, low, high, verdict := g.judge(ss)
		measured := "–"
		if verdict != unjudged {
			measured = fmt.Sprintf("**%s** [%s … %s]", g.number(mid), digits(low), digits(high))
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s |\n",
			g.id, g.what, g.limit(g.must), g.limit(g.reach), measured, verdict)
	}
}

func (b bar) number(v float64) string {
	if b.unit == "×" || b.unit == "" {
		return digits(v) + b.unit
	}
	return digits(v) + " " + b.unit
}

func (b bar) limit(v float64) string {
	if b.smaller {
		return "≤ " + b.number(v)
	}
	return b.number(v)
}

// column is one figure of the second table.
type column struct {
	head string
	metric
}

// printFigures writes each contender's medians in Markdown, a table per group.
func printFigures(w io.Writer, cs []contender, ss samples) {
	transport := []column{
		{"p50 µs", p50}, {"p95 µs", p95}, {"calls/s", rate}, {"server CPU µs/call", cpu}, {"RSS MB", rss},
	}
	seen := []column{
		{"CPU µs/client·tick", cpu},
		{"p50 µs", p50},
		{"p95 µs", p95},
		{"bytes/client·tick", bytesPerCall},
		{"bytes/update", perUpdate},
		{"ticks/s", ticks},
		{"RSS MB", rss},
	}
	type group struct {
		name    string
		columns []column
	}
	groups := []group{
		{groupIn, []column{{"p50 µs", p50}, {"p95 µs", p95}, {"allocs/call", allocs}, {"bytes/call", bytesPerCall}}},
		{groupOne, transport},
		{groupOneCPU, transport[:4]},
		{groupTwoCPUs, transport[:4]},
		{groupMany, transport},
		{groupCold, []column{{"p50 µs", p50}, {"p95 µs", p95}, {"RSS MB", rss}}},
		{groupMem, []column{{"RSS MB", rss}, {"calls/s", rate}}},
		{groupWSOne, transport},
		{groupWSMany, transport},
		{groupHTTPOne, transport},
		{groupHTTPMany, transport},
		{groupModernOne, transport},
		{groupModernMany, transport},
		{groupHTTPSession, []column{{"KB", rssKB}}},
		{mainSparse.group(), seen},
	}
	for _, s := range moreSparses {
		groups = append(groups, group{s.group(), seen})
	}
	groups = append(groups, []group{
		{groupCrowd, seen},
		{groupMux, seen},
		{groupLoop, []column{{"p50 µs", p50}, {"p95 µs", p95}, {"call p50 µs", callP50}}},
		{groupIdle, []column{{"KB", rssKB}}},
		{groupStall, seen},
		{groupStallOne, []column{{"p50 µs", p50}, {"p95 µs", p95}, {"call p50 µs", callP50}}},
		{groupFar, []column{{"CPU µs/s", cpu}}},
		{groupOver, []column{{"subscribers", clients}, {"ticks/s", ticks}, {"worst twentieth ÷ median", even}, {"p50 µs", p50}, {"p95 µs", p95}}},
	}...)
	for _, g := range groups {
		var keys []key
		for _, c := range cs {
			if c.group == g.name && len(ss[c.key]) > 0 {
				keys = append(keys, c.key)
			}
		}
		if len(keys) == 0 {
			continue
		}
		printHead(w, g.name, g.columns)
		for _, k := range keys {
			printRow(w, k, g.columns, ss)
		}
	}
}

func printHead(w io.Writer, name string, columns []column) {
	fmt.Fprintf(w, "\n| %s ", name)
	for _, c := range columns {
		fmt.Fprintf(w, "| %s ", c.head)
	}
	fmt.Fprintf(w, "|\n|%s\n", strings.Repeat(" --- |", len(columns)+1))
}

func printRow(w io.Writer, k key, columns []column, ss samples) {
	fmt.Fprintf(w, "| %s ", k.name)
	for _, c := range columns {
		figure := "–" // it does not apply
		if v := median(ss.of(k, c.metric)); v != 0 {
			figure = digits(v)
		}
		fmt.Fprintf(w, "| %s ", figure)
	}
	fmt.Fprintln(w, "|")
}

// digits prints a number with three significant digits, a large one in full with thousands marked.
func digits(v float64) string {
	if v < 100 {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	s := strconv.FormatFloat(v, 'f', 0, 64)
	for at := len(s) - 3; at > 0; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return cmp.Or(s, "0")
}
