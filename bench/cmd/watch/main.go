// Command watch measures one state sync server with package watch and prints what it measured as a line of
// JSON; durations are in nanoseconds, memory in bytes.
//
//	watch -m 500 -encoding binary -- limina-sync -addr {addr} -hz 20
//	watch -p colyseus -m 500 -env PORT={port} -env HZ=20 -- node colyseus.mjs
//	watch -turns 1000 -- limina-sync -addr {addr} -hz 125
//	watch -memory -m 1000 -- limina-sync -addr {addr} -move 0
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/limina-mcp/limina/bench/watch"
)

func main() {
	var o watch.Options
	flag.StringVar(&o.Protocol, "p", watch.Limina, "protocol: limina, colyseus or socketio")
	flag.StringVar(&o.Encoding, "encoding", "json", "of Limina: json, packed or binary")
	flag.IntVar(&o.Clients, "m", 0, "clients")
	flag.IntVar(&o.Each, "each", 1, "subscriptions on one connection")
	flag.Float64Var(&o.Radius, "r", 0, "radius of an area")
	flag.Float64Var(&o.Stalled, "stalled", 0, "share of the clients that never reads")
	flag.DurationVar(&o.Warm, "warm", 0, "before it counts")
	flag.DurationVar(&o.Count, "count", 0, "for how long it counts")
	flag.Func("env", "added to the server's environment", func(s string) error {
		o.Env = append(o.Env, s)
		return nil
	})
	turns := flag.Int("turns", 0, "measure a closed loop of so many turns instead")
	memory := flag.Bool("memory", false, "measure the memory of clients that wait instead")
	subscribed := flag.Bool("subscribed", false, "… that have subscribed")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var r any
	var err error
	switch {
	case flag.NArg() == 0:
		err = fmt.Errorf("no server was named; say watch [flags] -- COMMAND [ARGS]")
	case *turns > 0:
		r, err = watch.Closed(ctx, o, *turns, flag.Args()...)
	case *memory:
		r, err = watch.Memory(ctx, o, *subscribed, flag.Args()...)
	default:
		r, err = watch.Run(ctx, o, flag.Args()...)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "watch:", err)
		os.Exit(1)
	}
	_ = json.NewEncoder(os.Stdout).Encode(r)
}
