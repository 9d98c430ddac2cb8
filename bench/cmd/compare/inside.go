package main

import (
	"context"
	"strconv"

	"github.com/limina-mcp/limina/bench/inproc"
)

// The subjects of package inproc that goals refer to. Limina's first takes and gives whole JSON-RPC
// messages, which is what HandleMessage does and more than T1 asks for.
const (
	inGoSDK       = "go-sdk"
	inMCPGoSafe   = "mcp-go HandleMessage, validating"
	liminaMessage = "Limina, message"
	liminaTyped   = "Limina, typed"
	liminaAgents  = "Limina, round of 200 agents"
)

// inside is everything of package inproc, each in a process of its own.
func (p paths) inside() []contender {
	subjects := []struct {
		name  string
		calls int
	}{
		{inGoSDK, 4_000},
		{"mcp-go client", 10_000},
		{"mcp-go HandleMessage", 20_000},
		{inMCPGoSafe, 20_000},
		{liminaMessage, 200_000},
		{"Limina, JSON", 200_000},
		{liminaTyped, 200_000},
		{"Limina, tools/list of 200", 500},
		{liminaAgents, 100},
	}
	var cs []contender
	for _, s := range subjects {
		args := p.program("inproc", "-n", strconv.Itoa(p.calls(s.calls)), s.name)
		cs = append(cs, contender{key: key{groupIn, s.name}, measure: func(ctx context.Context) (sample, error) {
			r, err := child[inproc.Result](ctx, args)
			return fromInproc(r), err
		}})
	}
	return cs
}
