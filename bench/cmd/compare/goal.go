package main

// goal is one line of the goals that the project has set itself.
type goal struct {
	id, what    string
	must, reach float64
	atMost      bool   // smaller is better; else larger is
	unit        string // of the numbers; "×" for a ratio
	values      func(samples) []float64
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

func (g goal) meets(v, bar float64) bool {
	if g.atMost {
		return v <= bar
	}
	return v >= bar
}

// over is a's metric over b's, round by round.
func over(a, b key, m metric) func(samples) []float64 {
	return func(ss samples) []float64 { return ss.ratio(a, b, m) }
}

func plain(k key, m metric) func(samples) []float64 {
	return func(ss samples) []float64 { return ss.of(k, m) }
}

// goals are T1 to T10 of the performance anchors. T6 and T7 need the WebSocket transport.
func goals() []goal {
	inside := func(name string) key { return key{groupIn, name} }
	one := func(name string) key { return key{groupOne, name} }
	many := func(name string) key { return key{groupMany, name} }
	start := func(name string) key { return key{groupCold, name} }
	mem := func(name string) key { return key{groupMem, name} }
	return []goal{
		{
			"T1", "in process, JSON message in and out: go-sdk in memory ÷ Limina, p50", 60, 150, false, "×",
			over(inside("go-sdk"), inside(liminaMessage), p50),
		},
		{
			"T2", "… mcp-go HandleMessage, validating ÷ Limina, p50", 12, 25, false, "×",
			over(inside("mcp-go HandleMessage, validating"), inside(liminaMessage), p50),
		},
		{"T3", "… allocations per call", 4, 1, true, "", plain(inside(liminaMessage), allocs)},
		{"", "typed call in process, p50", 1, 1, true, "µs", plain(inside(liminaTyped), p50)},
		{
			"T4", "stdio, one at a time: Limina ÷ raw newline echo, p50", 1.5, 1.25, true, "×",
			over(one(limina), one(echo), p50),
		},
		{
			"T5", "stdio, 64 in flight: Limina ÷ TypeScript SDK 1.32.2, calls/s", 8, 14, false, "×",
			over(many(limina), many(tsOne), rate),
		},
		{"T5", "… ÷ TypeScript SDK 2.4.0", 8, 14, false, "×", over(many(limina), many(tsTwo), rate)},
		{"T5", "… ÷ mcp-go (no validation, its default)", 10, 18, false, "×", over(many(limina), many(mcpGo), rate)},
		{"T5", "… ÷ go-sdk", 40, 100, false, "×", over(many(limina), many(goSDK), rate)},
		{"T6", "WebSocket, one at a time: Limina ÷ gorilla echo, p95", 1.5, 1.2, true, "×", none},
		{"T7", "WebSocket, 64 in flight: Limina ÷ go-sdk over HTTP, calls/s", 20, 35, false, "×", none},
		{"T8", "stdio, 64 in flight: server CPU per call", 4, 1.5, true, "µs", plain(many(limina), cpu)},
		{
			"T9", "start → initialize, 200 skills: Limina ÷ bare Go program, p50", 3, 2, true, "×",
			over(start(full), start(bare), p50),
		},
		{"T9", "… ÷ go-sdk with one tool", 1, 1, true, "×", over(start(full), start(goSDK), p50)},
		{"T10", "memory after 100,000 calls that create nothing", 15, 12, true, "MB", plain(mem(limina), rss)},
		{"T10", "… ÷ go-sdk", 1, 1, true, "×", over(mem(limina), mem(goSDK), rss)},
	}
}

func none(samples) []float64 { return nil }

// The names of Limina's subjects in package inproc that goals refer to. The first takes and gives
// whole JSON-RPC messages, which is more than T1 asks for and what HandleMessage does.
const (
	liminaMessage = "Limina, message"
	liminaTyped   = "Limina, typed"
	liminaAgents  = "Limina, round of 200 agents"
)
