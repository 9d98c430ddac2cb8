// Command limina serves one shared 3-D world to agents over MCP.
//
//	limina --mcp-stdio            an MCP server on standard input and output
//	limina --mcp-ws [--port N]    a server for many clients, over WebSocket and HTTP
//	limina --mcp-http [--port N]  the same
//	limina skills [--json]        what agents can do here
//	limina call SKILL [JSON]      run one skill in a fresh world and print what it gives
//
// Every flag can also be set as a variable of the environment: --log-level is LIMINA_LOG_LEVEL.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/peterbourgon/ff/v4"
	"github.com/peterbourgon/ff/v4/ffhelp"
)

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // who asks again is not asked to wait
	code := run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr})
	stop()
	os.Exit(code)
}

// streams is what a run reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// run does what args say and returns the exit code.
func run(ctx context.Context, args []string, std streams) int {
	cmd := rootCommand(std)
	err := cmd.Parse(args, ff.WithEnvVarPrefix("LIMINA"))
	if errors.Is(err, ff.ErrHelp) {
		fmt.Fprint(std.out, ffhelp.Command(cmd))
		return exitOK
	}
	if err != nil {
		return complain(std.err, usageError{strings.TrimPrefix(err.Error(), "limina: ")})
	}
	return complain(std.err, cmd.Run(ctx))
}

// complain tells the person what went wrong, if anything, and returns the exit code.
func complain(w io.Writer, err error) int {
	var usage usageError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &usage):
		fmt.Fprintf(w, "limina: %v\nlimina --help lists commands and flags.\n", err)
		return exitUsage
	default:
		fmt.Fprintf(w, "limina: %v\n", err)
		return exitFailed
	}
}

// usageError is a mistake in the command line.
type usageError struct{ text string }

func (e usageError) Error() string { return e.text }
