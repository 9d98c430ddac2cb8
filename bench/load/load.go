// Package load drives any MCP server with one minimal client, so that what differs between two
// measurements is the server. It starts the server as a child process, makes a counted and timed
// number of calls over stdio, WebSocket or Streamable HTTP, and ends that process.
//
//	r, err := load.Run(ctx, load.Options{Calls: 20_000, InFlight: 64}, "limina", "--mcp-stdio")
//
// For each call the client appends a request to a buffer, writes it, finds the id in the answer and
// notes the time; every thousandth answer is parsed and must be a success. Linux only: processor
// time and memory of the server are read from the kernel.
package load

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/limina-mcp/limina/bench/call"
)

// The transports.
const (
	Stdio = "stdio"
	HTTP  = "http"
	WS    = "ws"
	// Modern is Streamable HTTP as MCP of 2026-07-28 has it: no session, and headers that repeat the
	// message.
	Modern = "http-modern"
)

// Options say what is sent and how. The zero value makes 20,000 calls of the default request over
// stdio, one at a time.
type Options struct {
	Transport string        // Stdio, HTTP, Modern or WS
	Calls     int           // counted calls over all connections; a tenth of it warms up before
	InFlight  int           // unanswered calls per connection; on HTTP always 1
	Conns     int           // connections, for all but Stdio
	Limit     time.Duration // bound of the counted part, default 20 s
	Path      string        // for HTTP and WS, default /mcp
	Echo      bool          // the server only echoes: no handshake, nothing to check
	Request   call.Request  // default: call.Default()
	Before    *call.Request // made once, before the warm-up
	Env       []string      // added to the server's environment
}

func (o Options) withDefaults() Options {
	if o.Transport == "" {
		o.Transport = Stdio
	}
	if o.Calls == 0 {
		o.Calls = 20_000
	}
	o.InFlight, o.Conns = max(o.InFlight, 1), max(o.Conns, 1)
	if o.Limit == 0 {
		o.Limit = 20 * time.Second
	}
	if o.Path == "" {
		o.Path = "/mcp"
	}
	if o.Request == (call.Request{}) {
		o.Request = call.Default()
		if o.Transport == Modern {
			o.Request = call.Modern(call.Name, call.Arguments)
		}
	}
	return o
}

// Result is what one run measured.
type Result struct {
	Calls         int
	P50, P95, P99 time.Duration
	Rate          float64       // calls per second
	CPU           time.Duration // of the server, per call
	RSS           int64         // of the server, after the calls, in bytes
}

// Run starts command, drives it and stops it. An argument {addr} of the command is replaced by a
// free loopback address, which the server is then expected to listen on.
func Run(ctx context.Context, o Options, command ...string) (Result, error) {
	o = o.withDefaults()
	command, addr, err := atFreeAddress(command)
	if err != nil {
		return Result{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, 2*o.Limit+15*time.Second)
	defer cancel()
	s, err := start(ctx, o.Env, command)
	if err != nil {
		return Result{}, err
	}
	r, err := measure(ctx, o, s, addr)
	s.stop()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, tail(s.stderr.String()))
	}
	return r, err
}

// atFreeAddress returns command with a free loopback address in the place of {addr}.
func atFreeAddress(command []string) (_ []string, addr string, err error) {
	addr, err = freeAddress()
	command = slices.Clone(command)
	for i := range command {
		command[i] = strings.ReplaceAll(command[i], "{addr}", addr)
	}
	return command, addr, err
}

// tail returns the end of what a server said, which is where it says why it failed.
func tail(s string) string { return s[max(0, len(s)-1000):] }

func measure(ctx context.Context, o Options, s *server, addr string) (Result, error) {
	drivers, err := connect(ctx, o, s, addr)
	if err != nil {
		return Result{}, err
	}
	if err := all(drivers, o, o.Calls/10); err != nil {
		return Result{}, err
	}
	before, err := s.cpu()
	if err != nil {
		return Result{}, err
	}
	begun := time.Now()
	if err := all(drivers, o, o.Calls); err != nil {
		return Result{}, err
	}
	wall := time.Since(begun)
	after, err := s.cpu()
	if err != nil {
		return Result{}, err
	}
	var took []time.Duration
	for _, d := range drivers {
		took = append(took, d.took...)
	}
	if len(took) == 0 {
		return Result{}, errors.New("no call was made")
	}
	slices.Sort(took)
	r := Result{
		Calls: len(took), P50: Quantile(took, .5), P95: Quantile(took, .95), P99: Quantile(took, .99),
		Rate: float64(len(took)) / wall.Seconds(), CPU: (after - before) / time.Duration(len(took)),
	}
	r.RSS, err = s.rss()
	return r, err
}

// Quantile returns the q-th quantile of sorted durations.
func Quantile(sorted []time.Duration, q float64) time.Duration {
	return sorted[int(q*float64(len(sorted)-1))]
}

func connect(ctx context.Context, o Options, s *server, addr string) ([]*driver, error) {
	if o.Transport == Stdio {
		o.Conns = 1
	} else if err := await(ctx, addr); err != nil {
		return nil, err
	}
	var drivers []*driver
	for range o.Conns {
		d := &driver{request: o.Request, echo: o.Echo, deadline: time.Now().Add(o.Limit)}
		var err error
		switch o.Transport {
		case Stdio:
			d.stream = newLines(s.in, s.out)
		case HTTP:
			d.stream, err = dialPosts(addr, o.Path, "2025-06-18", "")
		case Modern:
			d.stream, err = dialPosts(addr, o.Path, call.ModernVersion, "Mcp-Method: tools/call\r\nMcp-Name: "+call.Name+"\r\n")
		case WS:
			d.stream, err = dialFrames(addr, o.Path)
		default:
			err = fmt.Errorf("unknown transport %q; there are stdio, http, http-modern and ws", o.Transport)
		}
		if err != nil {
			return nil, err
		}
		drivers = append(drivers, d)
		if o.Echo || o.Transport == Modern {
			continue
		}
		if err := handshake(d.stream); err != nil {
			return nil, err
		}
	}
	return drivers, prepare(o, drivers[0])
}

// prepare makes the call that the measured ones rest on, if there is one.
func prepare(o Options, d *driver) error {
	if o.Before == nil {
		return nil
	}
	if err := d.send(o.Before.Append(nil, 0)); err != nil {
		return err
	}
	answer, err := d.await(0)
	if err != nil {
		return err
	}
	return call.Check(answer)
}

// all makes n calls, shared evenly between the drivers, and waits for the last answer.
func all(drivers []*driver, o Options, n int) error {
	errs := make([]error, len(drivers))
	var wg sync.WaitGroup
	for i, d := range drivers {
		d.deadline = time.Now().Add(o.Limit)
		wg.Go(func() {
			if o.InFlight == 1 || o.Transport == HTTP || o.Transport == Modern {
				errs[i] = d.serial(n / len(drivers))
			} else {
				errs[i] = d.window(n/len(drivers), o.InFlight)
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}
