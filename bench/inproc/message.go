package inproc

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"

	"github.com/limina-mcp/limina/bench/call"
	"github.com/limina-mcp/limina/mcp"
)

// messages is a connection without a transport: an [mcp.Framer] that hands whole JSON-RPC messages
// to Serve and takes the answers, on Serve's own goroutine. So a call is timed from the moment the
// server has its bytes to the moment the answer's bytes are complete, as HandleMessage is of mcp-go.
type messages struct {
	cancel  context.CancelFunc
	served  chan error
	batches chan int      // how many calls to make next
	done    chan struct{} // the batch has been answered

	// what follows is Serve's goroutine's while a batch runs
	request call.Request
	buf     []byte
	left    int
	begun   time.Time
	took    []time.Duration
	answer  []byte
	started bool
}

// openMessages serves a request, again and again, on the standard dialect of m.
func openMessages(m *mcp.Mcp, request call.Request) (Runner, error) {
	ctx, cancel := context.WithCancel(context.Background())
	c := &messages{
		cancel: cancel, served: make(chan error, 1),
		batches: make(chan int), done: make(chan struct{}), request: request,
	}
	go func() { c.served <- m.Serve(ctx, framer{c}) }()
	c.batches <- 0 // initialize
	<-c.done
	if !bytes.Contains(c.answer, []byte(`"result"`)) {
		c.Close()
		return nil, errors.New("initialize was answered " + string(c.answer))
	}
	return c, nil
}

// Repeat makes n calls. The last answer stands for all of them: it is the one that is checked.
func (c *messages) Repeat(n int) ([]time.Duration, error) {
	if n == 0 {
		return nil, nil
	}
	c.took = make([]time.Duration, 0, n)
	c.batches <- n
	<-c.done
	return c.took, call.Check(c.answer)
}

// Close ends the connection.
func (c *messages) Close() {
	close(c.batches)
	<-c.served
	c.cancel()
}

// Next is the request that Serve gets.
func (c *messages) Next() ([]byte, error) {
	for c.left == 0 {
		if c.started {
			c.done <- struct{}{}
		}
		n, open := <-c.batches
		if !open {
			return nil, io.EOF
		}
		c.left = n
		if !c.started {
			c.started = true
			return []byte(call.Initialize), nil
		}
	}
	c.buf = c.request.Append(c.buf[:0], c.left)
	c.left--
	c.begun = time.Now()
	return c.buf, nil
}

// Write is the answer that Serve gives.
func (c *messages) Write(p []byte) error {
	if c.took != nil {
		c.took = append(c.took, time.Since(c.begun))
	}
	c.answer = append(c.answer[:0], p...)
	return nil
}

// Buffered says that each answer is to be written at once.
func (c *messages) Buffered() bool { return false }

// Seal ends an answer as a line.
func (c *messages) Seal(dst []byte, _ int) []byte { return append(dst, '\n') }

// framer is messages as Serve sees it: closing it from inside has nothing to wake.
type framer struct{ *messages }

var _ mcp.Framer = framer{}

// Close is called by Serve when it ends.
func (framer) Close() error { return nil }
