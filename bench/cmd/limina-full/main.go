// Command limina-full is `limina --mcp-stdio` with the catalogue filled up to a number of skills.
//
//	limina-full -skills 200
package main

import (
	"context"
	"flag"
	"log"
	"os"

	"github.com/limina-mcp/limina/bench/filler"
	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/transport/stdio"
)

func main() {
	skills := flag.Int("skills", 200, "how many skills are registered at least")
	flag.Parse()
	if err := serve(context.Background(), *skills); err != nil {
		log.Fatal(err)
	}
}

func serve(ctx context.Context, skills int) error {
	e, err := engine.New(engine.Config{Review: []string{"builder.review"}})
	if err != nil {
		return err
	}
	if err := filler.Fill(e.Registry, skills); err != nil {
		return err
	}
	return e.Run(ctx, func(ctx context.Context) error {
		return e.Mcp.Serve(ctx, stdio.New(os.Stdin, os.Stdout, stdio.Options{}))
	})
}
