// Command game makes a small game, as an agent would, by calls of skills, and serves it for people to play in the browser: three lamps
// are to be lit, of which one is locked up and one is guarded.
//
//	go run ./examples/game [-address 127.0.0.1:8787]
//	go run ./examples/game -walkthrough
//
// The game is game.json: a list of calls, which any client could make. Nothing of it is in this program, which only serves it. With
// -walkthrough nobody is waited for: a player of our own plays it through, by what players may call, and the program ends with 0
// if that has won the game.
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"time"

	"github.com/limina-mcp/limina/client"
	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/server"
	"github.com/limina-mcp/limina/viewer"
)

//go:embed game.json
var game []byte

func main() {
	address := flag.String("address", server.DefaultAddress, "where to serve it")
	walkthrough := flag.Bool("walkthrough", false, "play it through, on a free port, and end")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *walkthrough {
		*address = "127.0.0.1:0"
	}
	if err := run(ctx, *address, *walkthrough); err != nil {
		log.Fatal(err)
	}
}

// run serves the game until it is interrupted, or has been played through.
func run(ctx context.Context, address string, walkthrough bool) error {
	e, err := engine.New(engine.Config{})
	if err != nil {
		return err
	}
	s, err := server.Listen(server.Config{Core: e.Mcp, Address: address, Viewer: viewer.Handler()})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	over := make(chan error, 1)
	go func() {
		err := prepare(ctx, s.Address())
		if err == nil {
			fmt.Printf("Play it: %s?play (Ctrl-C ends it)\n", s.ViewerURL())
			if walkthrough {
				err = play(ctx, s.Address())
			}
		}
		if walkthrough || err != nil {
			cancel() // nobody is waited for
		}
		over <- err
	}()
	err = e.Run(ctx, s.Run)
	cancel()
	return errors.Join(err, <-over)
}

// prepare makes the game: all of it or, if a call fails, nothing.
func prepare(ctx context.Context, address string) error {
	author, err := client.Dial(ctx, client.Options{URL: "ws://" + address, AgentID: "author", Profile: "builder.readWrite"})
	if err != nil {
		return err
	}
	defer author.Close()
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if err := author.Call(ctx, "world.batch", map[string]any{"operations": json.RawMessage(game)}, nil); err != nil {
		return err
	}
	return author.Call(ctx, "navmesh.build", struct{}{}, nil) // ways for whoever is sent somewhere
}
