package main

import "slices"

// goals are T1 to T10 and S1 to S11 of the performance anchors, and what else the issues ask for.
func goals() []goal { return slices.Concat(callGoals(), socketGoals(), httpGoals(), syncGoals()) }

// callGoals are those of calls over pipes and in process.
func callGoals() []goal {
	inside := func(name string) key { return key{groupIn, name} }
	one := func(name string) key { return key{groupOne, name} }
	oneCPU := func(name string) key { return key{groupOneCPU, name} }
	twoCPUs := func(name string) key { return key{groupTwoCPUs, name} }
	many := func(name string) key { return key{groupMany, name} }
	start := func(name string) key { return key{groupCold, name} }
	mem := func(name string) key { return key{groupMem, name} }

	message, crowd := inside(liminaMessage), inside(liminaAgents)
	return []goal{
		{"T1", "in process, JSON message in and out: go-sdk in memory ÷ Limina, p50", atLeast(60, 150), over(inside(inGoSDK), message, p50)},
		{"T2", "… mcp-go `HandleMessage`, validating ÷ Limina, p50", atLeast(12, 25), over(inside(inMCPGoSafe), message, p50)},
		{"T3", "… allocations per call", atMost(4, 1, ""), plain(message, allocs)},
		{"", "typed call in process, p50", atMost(1, 1, "µs"), plain(inside(liminaTyped), p50)},
		{"", "round of 200 agents at 2,000 entities, p95 (the original: 4 ms)", atMost(4000, 4000, "µs"), plain(crowd, p95)},
		{"T4", "stdio, one at a time, on one CPU: Limina ÷ raw newline echo, p50", atMost(1.5, 1.25, "×"), over(oneCPU(limina), oneCPU(echo), p50)},
		{"T4", "… on two CPUs", atMost(1.5, 1.25, "×"), over(twoCPUs(limina), twoCPUs(echo), p50)},
		{"T4", "… wherever the kernel puts them", atMost(1.5, 1.25, "×"), over(one(limina), one(echo), p50)},
		{"T5", "stdio, 64 in flight: Limina ÷ TypeScript SDK 1.32.2, calls/s", atLeast(8, 14), over(many(limina), many(tsOne), rate)},
		{"T5", "… ÷ TypeScript SDK 2.4.0", atLeast(8, 14), over(many(limina), many(tsTwo), rate)},
		{"T5", "… ÷ mcp-go, not validating, its default", atLeast(10, 18), over(many(limina), many(mcpGo), rate)},
		{"T5", "… ÷ go-sdk", atLeast(40, 100), over(many(limina), many(goSDK), rate)},
		{"T8", "stdio, 64 in flight: server CPU per call", atMost(4, 1.5, "µs"), plain(many(limina), cpu)},
		{"T9", "start → initialize, 200 skills, a host without a port: Limina ÷ bare Go program, p50", atMost(3, 2, "×"), over(start(full), start(bare), p50)},
		{"T9", "… ÷ go-sdk with one tool", atMost(1, 1, "×"), over(start(full), start(goSDK), p50)},
		{"T9", "… `limina` itself, which links all that a port needs, ÷ bare Go program", atMost(3, 2, "×"), over(start(limina), start(bare), p50)},
		{"T9", "… `limina` itself ÷ go-sdk with one tool", atMost(1, 1, "×"), over(start(limina), start(goSDK), p50)},
		{"T10", "memory after 100,000 calls that create nothing", atMost(15, 12, "MB"), plain(mem(limina), rss)},
		{"T10", "… ÷ go-sdk", atMost(1, 1, "×"), over(mem(limina), mem(goSDK), rss)},
	}
}
