// Command load drives one MCP server with the bare client of package load and prints what it
// measured as a line of JSON; durations are in nanoseconds, memory in bytes.
//
//	load -n 20000 -c 64 -- limina --mcp-stdio
//	load -t http -conns 64 -- peer-gosdk http {addr}
//	load -sessions 2000 -- peer-gosdk http {addr}
//	load -cold 20 -- limina --mcp-stdio
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/limina-mcp/limina/bench/call"
	"github.com/limina-mcp/limina/bench/load"
)

func main() {
	var o load.Options
	flag.StringVar(&o.Transport, "t", load.Stdio, "transport: stdio, http, http-modern or ws")
	flag.IntVar(&o.Calls, "n", 20_000, "calls")
	flag.IntVar(&o.InFlight, "c", 1, "calls in flight per connection")
	flag.IntVar(&o.Conns, "conns", 1, "connections, for http and ws")
	flag.DurationVar(&o.Limit, "max", 0, "bound of the counted part (default 20s)")
	flag.StringVar(&o.Path, "path", "/mcp", "path, for http and ws")
	flag.BoolVar(&o.Echo, "echo", false, "the server only echoes")
	tool := flag.String("tool", call.Name, "tool to call")
	arguments := flag.String("args", call.Arguments, "its arguments")
	sessions := flag.Int("sessions", 0, "measure the memory of this many idle sessions over HTTP instead of calls")
	cold := flag.Int("cold", 0, "measure this many cold starts instead of calls")
	flag.Parse()
	o.Request = call.New(*tool, *arguments)
	if o.Transport == load.Modern {
		o.Request = call.Modern(*tool, *arguments)
	}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	r, err := run(ctx, o, *cold, *sessions, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
	_ = json.NewEncoder(os.Stdout).Encode(r)
}

func run(ctx context.Context, o load.Options, cold, sessions int, command []string) (load.Result, error) {
	if len(command) == 0 {
		return load.Result{}, fmt.Errorf("no server was named; say load [flags] -- COMMAND [ARGS]")
	}
	if cold > 0 {
		return load.Cold(ctx, cold, nil, command...)
	}
	if sessions > 0 {
		return load.Sessions(ctx, o, sessions, command...)
	}
	return load.Run(ctx, o, command...)
}
