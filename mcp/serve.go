package mcp

import (
	"context"
	"errors"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// grace is how long Serve waits, once its context has ended, for running calls to heed it and for
// the peer to take their answers.
const grace = 5 * time.Second

// errStuck says that Serve gave up on a call that did not heed the end of its context, or on a
// peer that does not read.
var errStuck = errors.New("mcp: calls or writes have not ended in time")

// Serve speaks to one peer until it ends the connection or ctx is done, and returns after
// everything it started has ended. Before the peer's initialize the dialect is native; a field
// protocolVersion there makes it standard MCP.
//
// When the peer ends the connection in order, running calls are answered first and Serve returns
// nil. When the connection breaks or ctx ends, running calls are cancelled, and the error says
// which it was. Nothing that a peer sends makes Serve return.
//
// Calls run on the goroutine that reads, in the order of their arrival, except those of skills that
// are Slow: these run beside it and may be cancelled.
func (m *Mcp) Serve(ctx context.Context, f Framer) error { return m.ServePeer(ctx, f, Peer{}) }

// ServePeer is Serve for a transport that knows something of its peer.
func (m *Mcp) ServePeer(ctx context.Context, f Framer, p Peer) error {
	served := make(chan error, 1)
	m.StartPeer(ctx, f, p, func(err error) { served <- err })
	return <-served
}

// StartPeer is ServePeer for whoever has many peers and no goroutine to spare for each: it returns at
// once, and calls ended, on a goroutine of its own, with what ServePeer would return. ended must not be nil.
func (m *Mcp) StartPeer(ctx context.Context, f Framer, p Peer, ended func(error)) {
	if ended == nil { // the process would end with the first connection
		panic("mcp: StartPeer: the function is nil")
	}
	ctx, cancel := context.WithCancelCause(ctx)
	c := newConn(ctx, cancel, m, p)
	c.attach(f)
	stops := [...]func() bool{c.expect(), context.AfterFunc(ctx, c.conclude)}
	stopWatching := c.watch()
	c.concluded = func(err error) {
		defer cancel(nil)
		ended(err)
	}
	c.stop = func() {
		stopWatching()
		for _, stop := range stops {
			stop()
		}
	}

	// The context that jsonrpc2 gets lives on: it would close the stream before running calls have
	// been answered.
	c.rpc = jsonrpc2.NewConn(context.WithoutCancel(ctx), &c.stream, c,
		jsonrpc2.OnSend(c.stream.sending), jsonrpc2.SetLogger(quiet{}))
	close(c.started)
}

// conclude ends the connection, once: when nothing more is read, or when the context ends. It waits for
// everything that was started.
func (c *conn) conclude() {
	if c.concluding.Swap(true) {
		return
	}
	<-c.started
	c.stop()
	c.concluded(c.end())
}

// end ends what is still going on and returns why the connection ended.
func (c *conn) end() error {
	reason := context.Cause(c.ctx)
	if reason == nil {
		reason = c.stream.err // nothing more is read
	}
	c.cancel(reason)
	settled := c.settle()
	c.hangUp()
	_ = c.rpc.Close()
	c.out.stop()
	if !settled {
		return errors.Join(reason, errStuck)
	}
	if c.stream.Close() == nil {
		<-c.stream.ended
	}
	return reason
}

// settle waits for the calls that are running and for their answers to be written. It reports
// false if that takes longer than the grace.
func (c *conn) settle() bool {
	return inTime(func() {
		c.busy.acquire() // from here on the reading goroutine waits for the peer, or has ended
		defer c.busy.release()
		c.running.wait()
		c.unlisten()
		if c.out != nil {
			c.out.wait()
		}
	})
}

// inTime waits for what has to end, and reports false if that takes longer than the grace; it goes on then.
func inTime(wait func()) bool {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		wait()
	}()
	timeout := time.NewTimer(grace)
	defer timeout.Stop()
	select {
	case <-ended:
		return true
	case <-timeout.C:
		return false
	}
}

// semaphore is a lock that one goroutine may take and another one give back, and that tests in fake
// time see somebody wait for.
type semaphore chan struct{}

func (s semaphore) acquire() { s <- struct{}{} }
func (s semaphore) release() { <-s }

// free reports whether nobody holds it.
func (s semaphore) free() bool { return len(s) == 0 }

// quiet keeps jsonrpc2 from writing to standard error. What it would report are answers to requests
// that nobody made, and errors that Serve returns.
type quiet struct{}

func (quiet) Printf(string, ...any) {}
