package mcp

import (
	"context"
	"fmt"
)

// Link is a connection that has no goroutine and no Framer: its transport hands in each message, with
// the way back for what it causes. It is for transports on which a peer comes and goes, and costs
// next to nothing while the peer is away.
//
// A Link is served as a connection is by [Mcp.Serve], but that nothing goes through jsonrpc2. It is
// safe for concurrent use.
type Link struct {
	c            *conn
	stopWatching func()
}

// Link returns a connection for a peer. Its calls end with ctx. loose takes what belongs to no
// exchange, on whatever goroutine that comes up, as [Exchange.Tell] does; nil drops it: the Link is for one request, and a client of the
// stateless era, which it is a session for, is not counted as present. Whoever calls Link has to call Close.
//
// Before the peer's initialize the dialect is standard MCP: native peers are served by transports with
// one way for all.
func (m *Mcp) Link(ctx context.Context, p Peer, loose func(text []byte) bool) *Link {
	ctx, cancel := context.WithCancelCause(ctx)
	p.Standard = true
	brief := loose == nil
	if brief {
		loose = func([]byte) bool { return false }
	}
	c := newConn(ctx, cancel, m, p)
	c.loose, c.brief = loose, brief
	if brief {
		c.calls.most = 1
	} else { // else its transport does
		c.heed(p.Credential)
	}
	return &Link{c: c, stopWatching: c.watch()}
}

// Deliver serves what was read into o. After Close there is no session, nor does one begin. What it causes to be sent goes to x; the answer is there when
// Deliver returns, unless a call in it is of a skill that is Slow. The text that was read belongs to
// the caller again then. What comes to one Link is served in the order in which it comes.
func (l *Link) Deliver(o *Outline, x Exchange) {
	if l.c.mcp.opts.Kept == nil {
		l.deliver(o, x, nil)
		return
	}
	w := &withheld{Exchange: x, c: l.c, open: true}
	l.deliver(o, w, w)
	w.release()
}

// deliver is Deliver up to what the answer waits for; w is x where it does, nil where not.
func (l *Link) deliver(o *Outline, x Exchange, w *withheld) {
	c := l.c
	c.stream.wake()
	defer func() {
		c.stream.queue = nil
		if w != nil {
			w.owes, c.owes = c.owes, false
		}
		_ = c.stream.rest() // there is nothing to flush
	}()
	m := c.stream.enter(o, x)
	for m != nil || len(c.stream.queue) > 0 {
		c.turn.step(c)
		if m == nil {
			m = c.stream.unqueue()
		}
		c.serve(m)
		m = nil
	}
}

// serve answers m, whatever it is.
func (c *conn) serve(m *message) {
	if c.take(m) {
		return
	}
	result, e := c.dispatch(m)
	if m.later {
		return
	}
	if result == nil {
		result = emptyResult
	}
	c.answer(m, result, e)
}

// Context ends with the Link: when it is closed, or its session has been ended by others than the peer, as by [Mcp.Ban]. Its transport closes it then.
func (l *Link) Context() context.Context { return l.c.ctx }

// SessionID returns the id of the session that the peer has initialized, "" if it has none.
func (l *Link) SessionID() string {
	if s := l.c.bound.Load().session; s.live() {
		return s.principal.Session
	}
	return ""
}

// Version returns the version of MCP that the peer has initialized its session at.
func (l *Link) Version() string {
	d, _ := l.c.bound.Load().dialect.(standard)
	return d.version
}

// errUnlinked cancels the calls of a link that is closed.
var errUnlinked = fmt.Errorf("mcp: the session has been ended: %w", context.Canceled)

// Close ends the session, cancels the calls that are running, and returns when they have ended. The
// error says that one did not in time.
func (l *Link) Close() error {
	c := l.c
	l.stopWatching()
	c.cancel(errUnlinked)
	settled := c.running.idle() && c.busy.free()
	if settled { // no goroutine is needed to wait
		c.unlisten()
	} else {
		settled = c.settle()
	}
	c.hangUp()
	if !settled {
		return errStuck
	}
	return nil
}

// Unlisten ends what the peer listens to, and answers it, as a server does that is about to go. Calls go
// on.
func (l *Link) Unlisten() { l.c.unlisten() }
