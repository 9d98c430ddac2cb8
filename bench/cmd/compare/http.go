package main

import (
	"context"
	"time"

	"github.com/limina-mcp/limina/bench/call"
	"github.com/limina-mcp/limina/bench/load"
)

// The groups of calls over HTTP.
const (
	groupHTTPOne     = "Streamable HTTP in a session, one client"
	groupHTTPMany    = "Streamable HTTP in a session, 64 clients"
	groupModernOne   = "Streamable HTTP of 2026-07-28, one client"
	groupModernMany  = "Streamable HTTP of 2026-07-28, 64 clients"
	groupHTTPSession = "memory of an idle session over HTTP"
)

// httpEcho is the least that a call over net/http costs.
const httpEcho = "net/http echo"

// posted is the calls over Streamable HTTP, in both eras. Limina and mcp-go serve them on one endpoint,
// go-sdk in two modes.
func (p paths) posted() []contender {
	var cs []contender
	for _, s := range []struct {
		name           string
		legacy, modern []string
		calls          int
	}{
		{httpEcho, p.program("httpecho", "{addr}"), p.program("httpecho", "{addr}"), 16_000},
		{limina, p.liminaHTTP(), p.liminaHTTP(), 16_000},
		{goSDK, p.program("peer-gosdk", "http", "{addr}"), p.program("peer-gosdk", "modern", "{addr}"), 4_000},
		{mcpGo, p.program("peer-mcpgo", "-http", "{addr}"), p.program("peer-mcpgo", "-http", "{addr}"), 10_000},
		{mcpGoSafe, p.program("peer-mcpgo", "-validate", "-http", "{addr}"), p.program("peer-mcpgo", "-validate", "-http", "{addr}"), 10_000},
	} {
		for _, g := range []struct {
			group, transport string
			command          []string
			conns            int
		}{
			{groupHTTPOne, load.HTTP, s.legacy, 1},
			{groupHTTPMany, load.HTTP, s.legacy, 64},
			{groupModernOne, load.Modern, s.modern, 1},
			{groupModernMany, load.Modern, s.modern, 64},
		} {
			cs = append(cs, loaded(key{g.group, s.name}, false, g.command, load.Options{
				Transport: g.transport, Calls: p.calls(s.calls), Conns: g.conns, Limit: 6 * time.Second, Echo: s.name == httpEcho,
			}))
		}
		if s.name != mcpGoSafe && s.name != httpEcho {
			cs = append(cs, p.kept(s.name, s.legacy))
		}
	}
	return cs
}

func (p paths) liminaHTTP() []string {
	return p.program("limina", "--mcp-http", "--listen", "{addr}", "--call-rate", "0")
}

// kept is the memory of sessions that nobody uses.
func (p paths) kept(name string, command []string) contender {
	return contender{key: key{groupHTTPSession, name}, measure: func(ctx context.Context) (sample, error) {
		o := load.Options{Limit: 10 * time.Second}
		if name == limina { // whose calls would make entities, which take memory too
			create := call.New(call.Name, `{"position":[1,2,3]}`)
			o.Before, o.Request = &create, call.New("three.setTransform", `{"entity":"ent_0","position":[4,5,6]}`)
		}
		r, err := load.Sessions(ctx, o, p.calls(2_000), command...)
		return fromLoad(r), err
	}}
}

func httpGoals() []goal {
	var gs []goal
	for _, g := range []struct{ group, what string }{
		{groupHTTPOne, "HTTP in a session, one client"},
		{groupHTTPMany, "… 64 clients"},
		{groupModernOne, "HTTP of 2026-07-28, one client"},
		{groupModernMany, "… 64 clients"},
	} {
		us := key{g.group, limina}
		gs = append(gs,
			goal{"H1", g.what + ": go-sdk ÷ Limina, p50", atLeast(2, 2), over(key{g.group, goSDK}, us, p50)},
			goal{"H2", g.what + ": mcp-go ÷ Limina, p50", atLeast(2, 2), over(key{g.group, mcpGo}, us, p50)},
			goal{"", g.what + ": mcp-go ÷ Limina, the server's CPU time", atLeast(2, 2), over(key{g.group, mcpGo}, us, cpu)})
	}
	return append(gs, goal{
		"H3", "memory of an idle session: Limina ÷ go-sdk", atMost(0.5, 0.5, "×"), over(key{groupHTTPSession, limina}, key{groupHTTPSession, goSDK}, rss),
	})
}
