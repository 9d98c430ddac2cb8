package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/limina-mcp/limina/bench/call"
	"github.com/limina-mcp/limina/bench/load"
)

// contender is one thing that is measured in every round.
type contender struct {
	key
	once    bool // its figure does not vary and takes long: the first round is enough
	measure func(context.Context) (sample, error)
}

// The groups, in the order of the tables.
const (
	groupOne  = "stdio, one call at a time"
	groupMany = "stdio, 64 calls in flight"
	groupCold = "start to initialize answered, stdio"
	groupMem  = "memory after 100,000 calls that create nothing, stdio"
	groupIn   = "in process, one call at a time"
)

// server is a program that is driven over stdio.
type server struct {
	name    string
	command []string
	calls   int // per round: enough for steady figures, few enough for a short round
	echo    bool
}

// paths say where things have been built and installed.
type paths struct {
	bin   string // the binaries
	npm   string // the TypeScript servers; empty: leave them out
	scale float64
}

func (p paths) program(name string, args ...string) []string {
	return append([]string{filepath.Join(p.bin, name)}, args...)
}

// The names that goals refer to.
const (
	limina    = "Limina"
	echo      = "raw newline echo"
	bare      = "bare Go program"
	full      = "Limina, 200 skills"
	goSDK     = "go-sdk 1.8.0"
	mcpGo     = "mcp-go 1.2.1"
	mcpGoSafe = "mcp-go 1.2.1, validating"
	tsOne     = "TypeScript SDK 1.32.2"
	tsTwo     = "TypeScript SDK 2.4.0"
)

func (p paths) servers() []server {
	ss := []server{
		{name: echo, command: p.program("echo"), calls: 40_000, echo: true},
		{name: limina, command: p.program("limina", "--mcp-stdio", "--profile", "builder.readWrite"), calls: 40_000},
		{name: goSDK, command: p.program("peer-gosdk"), calls: 6_000},
		{name: mcpGo, command: p.program("peer-mcpgo"), calls: 20_000},
		{name: mcpGoSafe, command: p.program("peer-mcpgo", "-validate"), calls: 20_000},
	}
	if p.npm != "" {
		ss = append(ss,
			server{name: tsOne, command: []string{"node", filepath.Join(p.npm, "sdk1", "server.mjs")}, calls: 20_000},
			server{name: tsTwo, command: []string{"node", filepath.Join(p.npm, "sdk2", "server.mjs")}, calls: 20_000})
	}
	return ss
}

// contenders returns everything that is measured, in the order of a round.
func (p paths) contenders() []contender {
	var cs []contender
	for _, s := range p.servers() {
		cs = append(cs, p.driven(s, groupOne, 1), p.driven(s, groupMany, 64))
	}
	cs = append(cs, p.started()...)
	cs = append(cs, p.grown()...)
	return append(cs, p.inside()...)
}

func (p paths) driven(s server, group string, inFlight int) contender {
	o := load.Options{Calls: p.calls(s.calls), InFlight: inFlight, Echo: s.echo, Limit: 8 * time.Second}
	return contender{key: key{group, s.name}, measure: func(ctx context.Context) (sample, error) {
		r, err := load.Run(ctx, o, s.command...)
		return fromLoad(r), err
	}}
}

// calls scales a usual number of calls.
func (p paths) calls(n int) int { return max(int(p.scale*float64(n)), 20) }

func (p paths) started() []contender {
	starts := []struct {
		name    string
		runs    int
		command []string
	}{
		{bare, 20, p.program("bare")},
		{full, 20, p.program("limina-full", "-skills", "200")},
		{limina, 20, p.program("limina", "--mcp-stdio")},
		{goSDK, 20, p.program("peer-gosdk")},
		{mcpGo, 20, p.program("peer-mcpgo")},
	}
	var cs []contender
	for _, s := range starts {
		cs = append(cs, cold(s.name, s.runs, s.command))
	}
	if p.npm != "" {
		cs = append(cs, cold(tsOne, 3, []string{"node", filepath.Join(p.npm, "sdk1", "server.mjs")}))
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
	create := call.Default()
	o := load.Options{Calls: 100_000, InFlight: 64, Limit: 60 * time.Second}
	moves := o
	moves.Before = &create
	moves.Request = call.New("three.setTransform", `{"entity":"ent_0","position":[4,5,6]}`)
	grow := func(name string, o load.Options, once bool, command []string) contender {
		return contender{key: key{groupMem, name}, once: once, measure: func(ctx context.Context) (sample, error) {
			r, err := load.Run(ctx, o, command...)
			return fromLoad(r), err
		}}
	}
	return []contender{
		grow(limina, moves, false, p.program("limina", "--mcp-stdio", "--profile", "builder.readWrite")),
		grow(mcpGo, o, true, p.program("peer-mcpgo")),
		grow(goSDK, o, true, p.program("peer-gosdk")),
	}
}

// inside is everything of package inproc, each in a process of its own.
func (p paths) inside() []contender {
	counts := []struct {
		name  string
		calls int
	}{
		{"go-sdk", 4_000},
		{"mcp-go client", 10_000},
		{"mcp-go HandleMessage", 20_000},
		{"mcp-go HandleMessage, validating", 20_000},
		{liminaMessage, 200_000},
		{"Limina, JSON", 200_000},
		{liminaTyped, 200_000},
		{"Limina, tools/list of 200", 500},
		{liminaAgents, 100},
	}
	var cs []contender
	for _, c := range counts {
		n := p.calls(c.calls)
		cs = append(cs, contender{key: key{groupIn, c.name}, measure: func(ctx context.Context) (sample, error) {
			ctx, cancel := context.WithTimeout(ctx, time.Minute)
			defer cancel()
			args := p.program("inproc", "-n", strconv.Itoa(n), c.name)
			line, err := exec.CommandContext(ctx, args[0], args[1:]...).Output()
			if err != nil {
				return sample{}, fmt.Errorf("inproc %s: %w", c.name, err)
			}
			return fromInproc(line)
		}})
	}
	return cs
}
