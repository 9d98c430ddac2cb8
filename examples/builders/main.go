// Command builders raises a town: a number of builders, each a client of its own, work at the same time on
// one world, each on a street of its own, and watch the streets beside it grow. In the end all of their
// copies are held against what the server says.
//
//	go run ./examples/builders [-builders 8] [-houses 6] [-url ws://127.0.0.1:8787]
//
// Without -url it serves a world of its own on a free port. It exits with 0 only if everybody's copy
// agrees with scene.inspect.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/limina-mcp/limina/client"
	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/server"
)

// plan is what is built, and how.
type plan struct {
	url      string
	token    string // for servers that want one
	builders int
	houses   int // on each street
	pace     time.Duration
	encoding client.Encoding
}

func main() {
	var p plan
	flag.StringVar(&p.url, "url", "", "the server, as ws://127.0.0.1:8787 or unix:/path (default: one of our own)")
	flag.StringVar(&p.token, "token", "", "the token that the server wants, if it does")
	flag.IntVar(&p.builders, "builders", 8, "how many build")
	flag.IntVar(&p.houses, "houses", 6, "how many houses each builds")
	flag.DurationVar(&p.pace, "pace", 100*time.Millisecond, "how long a builder rests after a house")
	flag.StringVar((*string)(&p.encoding), "encoding", "json", "how the world is sent: json, packed or binary")
	limit := flag.Duration("timeout", time.Minute, "when to give up")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), *limit)
	defer cancel()
	if err := run(ctx, p); err != nil {
		log.Fatal(err)
	}
}

// run builds the town, on the server that is named or on one of its own.
func run(ctx context.Context, p plan) error {
	if p.builders < 1 || p.houses < 1 {
		return fmt.Errorf("a town takes a builder and a house at least, got %d and %d", p.builders, p.houses)
	}
	if p.url != "" {
		return build(ctx, p, os.Stdout)
	}
	e, err := engine.New(engine.Config{})
	if err != nil {
		return err
	}
	s, err := server.Listen(server.Config{Core: e.Mcp, Address: "127.0.0.1:0"})
	if err != nil {
		return err
	}
	p.url = "ws://" + s.Address()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	built := make(chan error, 1)
	go func() {
		defer cancel() // the server is no longer needed
		built <- build(ctx, p, os.Stdout)
	}()
	err = e.Run(ctx, s.Run)
	cancel()
	return errors.Join(err, <-built)
}
