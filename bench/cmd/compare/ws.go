package main

import (
	"time"

	"github.com/limina-mcp/limina/bench/load"
)

// The groups of calls over sockets.
const (
	groupWSOne  = "WebSocket, one call at a time"
	groupWSMany = "WebSocket, 64 calls in flight on one connection"
)

// The contenders there that are nowhere else.
const (
	wsEcho    = "gorilla echo"
	goSDKHTTP = "go-sdk 1.8.0 over HTTP, 64 connections"
)

// sockets is the calls over WebSocket, and go-sdk's over Streamable HTTP, which has no other way to have
// 64 calls in flight than as many connections.
func (p paths) sockets() []contender {
	ws := p.program("limina", "--mcp-ws", "--listen", "{addr}", "--call-rate", "0")
	o := load.Options{Transport: load.WS, Calls: p.calls(20_000), InFlight: 1, Limit: 8 * time.Second}
	many := o
	many.Calls, many.InFlight = p.calls(60_000), 64
	echo, echoMany := o, many
	echo.Echo, echoMany.Echo = true, true
	return []contender{
		loaded(key{groupWSOne, wsEcho}, false, p.program("wsecho", "{addr}"), echo),
		loaded(key{groupWSOne, limina}, false, ws, o),
		loaded(key{groupWSMany, wsEcho}, false, p.program("wsecho", "{addr}"), echoMany),
		loaded(key{groupWSMany, limina}, false, ws, many),
		loaded(key{groupWSMany, goSDKHTTP}, false, p.program("peer-gosdk", "http", "{addr}"), load.Options{
			Transport: load.HTTP, Calls: p.calls(4_000), Conns: 64, Limit: 8 * time.Second,
		}),
	}
}

// socketGoals are T6 and T7.
func socketGoals() []goal {
	one := func(name string) key { return key{groupWSOne, name} }
	many := func(name string) key { return key{groupWSMany, name} }
	return []goal{
		{"T6", "WebSocket, one at a time: Limina ÷ gorilla echo, p95", atMost(1.5, 1.2, "×"), over(one(limina), one(wsEcho), p95)},
		{"T6", "… Limina's p95 (the original: 390 µs)", atMost(195, 65, "µs"), plain(one(limina), p95)},
		{"T7", "WebSocket, 64 in flight: Limina ÷ go-sdk over HTTP, calls/s", atLeast(20, 35), over(many(limina), many(goSDKHTTP), rate)},
	}
}
