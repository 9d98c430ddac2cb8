package reread_test

import (
	"context"
	"log"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/server"
	"github.com/limina-mcp/limina/server/reread"
)

// A host has its token file count as it is by now: who is new comes in, whose token is gone, or who is banned, is seen off.
func Example() {
	host := func(ctx context.Context, e *engine.Engine, path string) error {
		files := reread.Look(path) // before it is read
		tokens, err := server.LoadTokens(path, e.Profiles)
		if err != nil {
			return err
		}
		if err := e.Ban(tokens.Banned()); err != nil {
			return err
		}
		go files.Run(ctx, func() error {
			now, err := server.LoadTokens(path, e.Profiles)
			if err != nil {
				return err // what was read before goes on to count
			}
			tokens.Replace(now)
			return e.Ban(tokens.Banned())
		}, func(err error) { log.Print(err) })
		return nil // and serves, with tokens in its server.Config
	}
	_ = host
}
