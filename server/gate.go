package server

import (
	"container/list"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/limina-mcp/limina/internal/around"
	"github.com/limina-mcp/limina/internal/hangup"
)

// maxRefusals is how many connections are told at once that there are too many.
const maxRefusals = 64

// gate is the listener: it bounds the connections, and tells those that it does not let in, or that
// say nothing, why. When there are as many as there may be, one more takes the place of a stranger.
type gate struct {
	net.Listener
	limit  int
	speaks bool                                   // HTTP, and not TLS, comes first
	full   func(from netip.Prefix, strangers int) // is told when one of so many from an address has to go, once a minute

	open      atomic.Int64
	refused   atomic.Uint64
	silent    atomic.Uint64
	crowded   atomic.Uint64
	telling   chan struct{} // one for each refusal that is being told
	strangers strangers
	shares    shares
	shaking   *handshakes // nil: there is no TLS
	told      time.Time   // when full was told last; of the goroutine that accepts
}

func newGate(l net.Listener, limit int, speaks bool) *gate {
	return &gate{
		Listener: l, limit: limit, speaks: speaks, telling: make(chan struct{}, maxRefusals),
		full: func(netip.Prefix, int) {}, shares: shares{limit: limit},
	}
}

// Accept implements net.Listener.
func (g *gate) Accept() (net.Conn, error) {
	for {
		c, err := g.Listener.Accept()
		if err != nil {
			return nil, err
		}
		in := &incoming{Conn: around.Conn{Conn: c}, gate: g, from: c.RemoteAddr().String()}
		in.shaken.Store(g.shaking == nil)
		g.strangers.add(in)
		if g.open.Add(1) <= int64(g.limit) || g.makeRoom(in) {
			return in, nil
		}
		g.open.Add(-1)
		g.refused.Add(1)
		g.refuse(c)
	}
}

// makeRoom has a stranger go for one who has come and counts already. It reports false if there is no other.
func (g *gate) makeRoom(in *incoming) bool {
	out, from, others := g.strangers.take()
	if out == nil || out == in {
		g.strangers.remove(in)
		return false
	}
	g.crowded.Add(1)
	if now := time.Now(); now.Sub(g.told) >= time.Minute {
		g.told = now
		g.full(from, others+1)
	}
	_ = out.Close()
	return true
}

// refuse tells a connection that it is one too many.
func (g *gate) refuse(c net.Conn) {
	select {
	case g.telling <- struct{}{}:
	default:
		_ = c.Close()
		return
	}
	go func() {
		defer func() { <-g.telling }()
		defer func() { _ = c.Close() }()
		_ = c.SetDeadline(time.Now().Add(time.Second))
		if !g.speaks {
			return
		}
		_, _ = c.Read(make([]byte, 4<<10)) // he listens when he has asked
		_ = hangup.Answer(c, "503 Service Unavailable", fmt.Sprintf("too many connections: %d are open", g.limit))
		hangup.Drain(c)
	}()
}

// incoming is a connection that counts while it is open.
type incoming struct {
	around.Conn
	gate   *gate
	from   string // its peer's address
	spoken bool   // it has said something; of who reads
	closed sync.Once

	greeted atomic.Bool   // it is no stranger any more
	crowd   *crowd        // that it is one of; nil: of none. Guarded by gate.strangers
	at      *list.Element // in it
	caller  caller        // whose it is. Guarded by gate.shares
	given   bool          // it is not counted any more. Guarded by gate.shares

	shaken atomic.Bool // there is no TLS, or its handshake is over
	shake  shake       // guarded by gate.shaking
	ahead  []byte      // what has been read of the handshake and not been taken; of who reads
}

// incomingOf returns what the gate has let in as c, or as what is inside of it; nil if it has not.
func incomingOf(c net.Conn) *incoming {
	for {
		switch inner := c.(type) {
		case *incoming:
			return inner
		case interface{ NetConn() net.Conn }:
			c = inner.NetConn()
		default:
			return nil
		}
	}
}

// greet notes that the peer has shown who he is, unless he has as many connections as he may: then he is a stranger still. It may be called again, and of
// nil.
func (c *incoming) greet(who caller) error {
	if c == nil || c.greeted.Load() {
		return nil
	}
	if err := c.gate.shares.take(c, who); err != nil {
		return err
	}
	if !c.greeted.Swap(true) {
		c.gate.strangers.remove(c)
	}
	return nil
}

// errHurried is what a handshake fails with that has waited too long for its turn.
var errHurried = errors.New("too many handshakes are waiting")

// settle says that the handshake is over, or the connection is.
func (c *incoming) settle() {
	if c != nil && !c.shaken.Swap(true) {
		c.gate.shaking.give(c)
	}
}

// Write implements net.Conn.
func (c *incoming) Write(p []byte) (int, error) {
	if !c.shaken.Load() {
		c.gate.shaking.done(c)
	}
	return c.Conn.Write(p)
}

// Read tells a peer that says nothing in time so.
func (c *incoming) Read(p []byte) (n int, err error) {
	switch {
	case len(c.ahead) > 0:
		n = copy(p, c.ahead)
		c.ahead = c.ahead[n:]
	case c.shaken.Load():
		c.ahead = nil
		n, err = c.Conn.Read(p)
	default:
		n, err = c.readShaking(p)
	}
	if c.spoken {
		return n, err
	}
	c.spoken = n > 0
	if n == 0 && errors.Is(err, os.ErrDeadlineExceeded) && c.gate.speaks {
		c.gate.silent.Add(1)
		_ = c.SetWriteDeadline(time.Now().Add(time.Second))
		_ = hangup.Answer(c.Conn, "408 Request Timeout", "no request came in time")
	}
	return n, err
}

// maxAhead is how much of a handshake is read at a time. What a peer says first is up to 2 KB, which crypto/tls reads in pieces.
const maxAhead = 4 << 10

// readShaking is Read while the peer is at his handshake: what he says is returned when it has a turn.
func (c *incoming) readShaking(p []byte) (int, error) {
	c.gate.shaking.give(c)
	if cap(c.ahead) < maxAhead {
		c.ahead = make([]byte, maxAhead)
	}
	n, err := c.Conn.Read(c.ahead[:maxAhead])
	if n > 0 && !c.gate.shaking.take(c) {
		n, err = 0, errHurried
	}
	c.ahead = c.ahead[:n]
	if n == 0 {
		return 0, err
	}
	n = copy(p, c.ahead)
	c.ahead = c.ahead[n:]
	return n, nil // an error comes again
}

// Close implements net.Conn.
func (c *incoming) Close() error {
	c.closed.Do(func() {
		c.gate.open.Add(-1)
		c.gate.strangers.remove(c)
		c.gate.shares.give(c)
		if !c.shaken.Load() {
			c.gate.shaking.leave(c)
		}
	})
	return c.Conn.Close()
}
