package main

import (
	"context"
	"strconv"
	"time"

	"github.com/limina-mcp/limina/bench/call"
	"github.com/limina-mcp/limina/bench/load"
)

// server is a program that is driven over stdio.
type server struct {
	name    string
	command []string
	calls   int // per round: enough for steady figures, few enough for a short round
	echo    bool
}

func (p paths) limina() []string {
	return p.program("limina", "--mcp-stdio", "--profile", "builder.readWrite")
}

func (p paths) servers() []server {
	ss := []server{
		{name: echo, command: p.program("echo"), calls: 40_000, echo: true},
		{name: limina, command: p.limina(), calls: 40_000},
		{name: goSDK, command: p.program("peer-gosdk"), calls: 6_000},
		{name: mcpGo, command: p.program("peer-mcpgo"), calls: 20_000},
		{name: mcpGoSafe, command: p.program("peer-mcpgo", "-validate"), calls: 20_000},
	}
	if p.npm != "" {
		ss = append(ss,
			server{name: tsOne, command: p.node("sdk1"), calls: 20_000},
			server{name: tsTwo, command: p.node("sdk2"), calls: 20_000})
	}
	return ss
}

func (p paths) driven(s server, group string, inFlight int) contender {
	return loaded(key{group, s.name}, false, s.command, load.Options{
		Calls: p.calls(s.calls), InFlight: inFlight, Echo: s.echo, Limit: 8 * time.Second,
	})
}

func loaded(k key, once bool, command []string, o load.Options) contender {
	return contender{key: k, once: once, measure: func(ctx context.Context) (sample, error) {
		r, err := load.Run(ctx, o, command...)
		return fromLoad(r), err
	}}
}

// pinned is Limina and the echo where the kernel has no choice. On one CPU a call is two switches
// between processes and the work; on two it is mostly the waking of a CPU that has gone to sleep.
// Left alone the kernel takes either way, for seconds on end, which makes a ratio a matter of luck.
func (p paths) pinned() []contender {
	var cs []contender
	for _, s := range p.servers()[:2] { // the echo and Limina
		cs = append(cs, p.onCPUs(groupOneCPU, s, "1", "1"), p.onCPUs(groupTwoCPUs, s, "1", "0"))
	}
	return cs
}

func (p paths) onCPUs(group string, s server, clientCPU, serverCPU string) contender {
	args := append([]string{"taskset", "-c", clientCPU}, p.program("load", "-n", strconv.Itoa(p.calls(s.calls/2)))...)
	if s.echo {
		args = append(args, "-echo")
	}
	args = append(append(args, "--", "taskset", "-c", serverCPU), s.command...)
	return contender{key: key{group, s.name}, measure: func(ctx context.Context) (sample, error) {
		r, err := child[load.Result](ctx, args)
		return fromLoad(r), err
	}}
}

// started is how long servers take to their first answer.
func (p paths) started() []contender {
	cs := []contender{
		cold(bare, 20, p.program("bare")),
		cold(full, 20, p.program("limina-full", "-skills", "200")),
		cold(limina, 20, p.limina()),
		cold(goSDK, 20, p.program("peer-gosdk")),
		cold(mcpGo, 20, p.program("peer-mcpgo")),
	}
	if p.npm != "" {
		cs = append(cs, cold(tsOne, 3, p.node("sdk1")))
	}
	return cs
}

func cold(name string, runs int, command []string) contender {
	return contender{key: key{groupCold, name}, measure: func(ctx context.Context) (sample, error) {
		r, err := load.Cold(ctx, runs, nil, command...)
		return fromLoad(r), err
	}}
}

// grown is the memory after many calls that create nothing: for Limina moves of one entity, for
// the peers the measured call, which creates nothing there.
func (p paths) grown() []contender {
	o := load.Options{Calls: 100_000, InFlight: 64, Limit: 60 * time.Second}
	moves, create := o, call.Default()
	moves.Before = &create
	moves.Request = call.New("three.setTransform", `{"entity":"ent_0","position":[4,5,6]}`)
	return []contender{
		loaded(key{groupMem, limina}, false, p.limina(), moves),
		loaded(key{groupMem, mcpGo}, true, p.program("peer-mcpgo"), o),
		loaded(key{groupMem, goSDK}, true, p.program("peer-gosdk"), o),
	}
}
