package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// contender is one thing that is measured in every round.
type contender struct {
	key
	once    bool // its figure does not vary and takes long: the first round is enough
	sync    bool // it takes long too: fewer rounds are made
	measure func(context.Context) (sample, error)
}

// The groups of contenders, each a table of figures.
const (
	groupIn      = "in process, one call at a time"
	groupOne     = "stdio, one call at a time"
	groupOneCPU  = "stdio, one call at a time, client and server on one CPU"
	groupTwoCPUs = "stdio, one call at a time, client and server on two CPUs"
	groupMany    = "stdio, 64 calls in flight"
	groupCold    = "start to initialize answered, stdio"
	groupMem     = "memory after 100,000 calls that create nothing, stdio"
)

// The contenders that are servers.
const (
	limina    = "Limina"
	full      = "Limina, 200 skills"
	echo      = "raw newline echo"
	bare      = "bare Go program"
	goSDK     = "go-sdk 1.8.0"
	mcpGo     = "mcp-go 1.2.1"
	mcpGoSafe = "mcp-go 1.2.1, validating"
	tsOne     = "TypeScript SDK 1.32.2"
	tsTwo     = "TypeScript SDK 2.4.0"
)

// paths say where things have been built and installed, and how much of each is measured.
type paths struct {
	bin   string  // the programs
	npm   string  // the TypeScript servers; empty: leave them out
	cc    bool    // there is the program send
	scale float64 // share of the usual number of calls
}

func (p paths) program(name string, args ...string) []string {
	return append([]string{filepath.Join(p.bin, name)}, args...)
}

func (p paths) node(sdk string) []string {
	return []string{"node", filepath.Join(p.npm, sdk, "server.mjs")}
}

// calls scales a usual number of calls.
func (p paths) calls(n int) int { return max(int(p.scale*float64(n)), 20) }

// contenders returns everything that is measured, in the order of a round.
func (p paths) contenders() []contender {
	var cs []contender
	for _, s := range p.servers() {
		cs = append(cs, p.driven(s, groupOne, 1), p.driven(s, groupMany, 64))
	}
	cs = append(cs, p.pinned()...)
	cs = append(cs, p.started()...)
	cs = append(cs, p.grown()...)
	cs = append(cs, p.inside()...)
	cs = append(cs, p.sockets()...)
	cs = append(cs, p.posted()...)
	return append(cs, p.watched()...)
}

// child runs one of our own programs that print what they measured as JSON.
func child[Result any](ctx context.Context, args []string) (r Result, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	line, err := exec.CommandContext(ctx, args[0], args[1:]...).Output()
	if err != nil {
		return r, fmt.Errorf("%s: %w", strings.Join(args, " "), err)
	}
	return r, json.Unmarshal(line, &r)
}
