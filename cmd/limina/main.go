// Command limina serves one shared 3-D world to agents over MCP.
//
//	limina --mcp-stdio            an MCP server on standard input and output
//	limina --mcp-ws [--port N]    a server for many clients, over WebSocket and HTTP
//	limina --mcp-http [--port N]  the same
//	limina skills [--json]        what agents can do here
//	limina call SKILL [JSON]      run one skill in a fresh world and print what it gives
//	limina verify FILE...         check the hashes of a trace that was exported, or is kept, and the world it is kept with
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
	"strconv"
	"strings"
	"sync"
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
	ctx, end := context.WithCancel(context.Background())
	heed := sync.OnceFunc(func() {
		signal.Ignore(syscall.SIGPIPE) // that nobody reads what is written is an error of the write
		if !hasTerminal() {
			signal.Ignore(syscall.SIGHUP)
		}
		signaled, stop := signal.NotifyContext(ctx, endings(signal.Ignored)...)
		context.AfterFunc(signaled, func() {
			stop() // who asks again is not asked to wait
			end()
		})
	})
	os.Exit(run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr, heed}))
}

// hasTerminal reports whether there is a terminal that can go away. Who sends a process without one a SIGHUP wants it to read its files anew, and not to end: it does so unasked.
func hasTerminal() bool {
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	_ = tty.Close()
	return true
}

// endings are the signals that end a process in order: also that its terminal is gone, unless that is ignored, as by whoever has started it with nohup.
func endings(ignored func(os.Signal) bool) []os.Signal {
	if ignored(syscall.SIGHUP) {
		return []os.Signal{os.Interrupt, syscall.SIGTERM}
	}
	return []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
}

// streams is what connects a run to its process.
type streams struct {
	in       io.Reader
	out, err io.Writer
	heed     func() // from now on a signal ends the run's context, not the process; may be called again
}

// heeding is a writer to which nothing has been written yet. That Go heeds signals takes it three threads, a tenth of a
// start: not before there is somebody who has been answered.
type heeding struct {
	io.Writer
	heed func()
}

func (h heeding) Write(p []byte) (int, error) {
	defer h.heed()
	return h.Writer.Write(p)
}

// run does what args say and returns the exit code.
func run(ctx context.Context, args []string, std streams) int {
	args = spread(args)
	if len(args) > 0 && args[0] == "help" {
		args = append(args[1:], "--help")
	}
	cmd := rootCommand(std)
	err := cmd.Parse(args, ff.WithEnvVarPrefix(variablePrefix))
	if errors.Is(err, ff.ErrHelp) {
		fmt.Fprint(std.out, ffhelp.Command(cmd))
		return exitOK
	}
	if err != nil {
		return complain(std.err, usageError{misread(args, err)})
	}
	return complain(std.err, cmd.Run(ctx))
}

// spread makes --flag= to --flag and an empty argument: ff takes the argument behind it for its value.
func spread(args []string) []string {
	var out []string
	for _, arg := range args {
		if name, value, ok := strings.Cut(arg, "="); ok && value == "" && len(name) > 2 && strings.HasPrefix(name, "--") {
			out = append(out, name)
			arg = ""
		}
		out = append(out, arg)
	}
	return out
}

// misread says which flag or variable of a command line could not be read, and what it may be.
func misread(args []string, err error) string {
	text := err.Error()
	for _, prefix := range [...]string{"limina: ", "skills: ", "call: ", "verify: ", "parse args: ", "parse environment: "} {
		text = strings.TrimPrefix(text, prefix)
	}
	if text == "missing value" { // nothing can be missing but behind the last
		return args[len(args)-1] + " needs a value"
	}
	var value, want string
	bad, other := (*strconv.NumError)(nil), (*wordError)(nil)
	switch {
	case errors.As(err, &bad):
		value, want = bad.Num, map[string]string{"ParseFloat": "a number", "ParseBool": "true or false", "ParseUint": "a whole number, 0 or more"}[bad.Func]
		if want == "" {
			want = "a whole number"
		}
		if errors.Is(err, strconv.ErrRange) {
			want += " that is not so large"
		}
	case errors.As(err, &other):
		value, want = other.word, other.want
	default:
		return text
	}
	where, _, _ := strings.Cut(text, strconv.Quote(value))
	for _, end := range [...]string{": set ", "=", ": parse error: "} { // of a flag, of a variable, of a flag that is on or off
		where = strings.TrimSuffix(where, end)
	}
	return fmt.Sprintf("%s: must be %s, got %q", where, want, value)
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
