// Command conformance serves what the MCP conformance suite expects of the server under test: its
// fixtures, registered as ordinary skills, resources and prompts. What is tested is everything below
// them: packages registry, mcp, transport/http and server as the product has them. It is no part of the
// product; scripts/conformance runs it.
//
//	conformance -listen 127.0.0.1:3000
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/rs/zerolog"

	"github.com/limina-mcp/limina/agentskills"
	"github.com/limina-mcp/limina/guides"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/server"
	httpmcp "github.com/limina-mcp/limina/transport/http"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:0", "address to listen on")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := serve(ctx, *listen); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

// serve serves the fixtures until ctx ends.
func serve(ctx context.Context, listen string) error {
	log := zerolog.New(os.Stderr)
	core, err := newCore(log)
	if err != nil {
		return err
	}
	s, err := server.Listen(server.Config{
		Core: core, Address: listen, Logger: log,
		HTTP: httpmcp.Options{Hold: holdFor}, // test_reconnection wants to see a stream broken off
	})
	if err != nil {
		return err
	}
	fmt.Println("conformance listening on", s.Address())
	return s.Run(ctx)
}

// holdFor is how long a client is held on a stream: longer than any other fixture takes, shorter than
// test_reconnection.
const holdFor = 1500 * time.Millisecond

// newCore returns an Mcp over all fixtures.
func newCore(log zerolog.Logger) (*mcp.Mcp, error) {
	reg := registry.New(registry.Options{Logger: log})
	skills, err := allSkills(reg)
	if err != nil {
		return nil, err
	}
	how, err := guides.Load() // Limina's own: any Agent Skills will do
	if err != nil {
		return nil, err
	}
	err = errors.Join(reg.Register(skills...), reg.Prompts().Register(prompts()...), reg.Resources().Register(append(resources(), how.Resources()...)...))
	if err != nil {
		return nil, err
	}
	return mcp.New(reg, mcp.Options{Name: "limina-conformance", Version: "1.0.0", Tools: mcp.All, Guides: func() *agentskills.Set { return how }, Logger: log})
}
