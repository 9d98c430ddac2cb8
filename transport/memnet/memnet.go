// Package memnet is a network in memory, for tests of servers and their clients without a socket or a sleep: a listener whose
// connections are net.Pipes, which testing/synctest can see wait. A server listens by server.On, a client comes in by Options.NetDial.
package memnet

import (
	"context"
	"net"
	"sync"
)

// Listener is a net.Listener that [Listener.Dial] connects to. Its methods may be called concurrently.
type Listener struct {
	arrived chan net.Conn
	closed  chan struct{}
	once    sync.Once
}

var _ net.Listener = (*Listener)(nil)

// Listen returns a listener.
func Listen() *Listener {
	return &Listener{arrived: make(chan net.Conn), closed: make(chan struct{})}
}

// Dial connects, once the other side accepts.
func (l *Listener) Dial(ctx context.Context) (net.Conn, error) {
	here, there := net.Pipe()
	return l.arrive(ctx, here, there)
}

// arrive has one end of a connection accepted, and returns the other.
func (l *Listener) arrive(ctx context.Context, here, there net.Conn) (net.Conn, error) {
	select {
	case l.arrived <- there:
		return here, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// DialFrom is Dial for whom the other side takes for somebody at an address.
func (l *Listener) DialFrom(ctx context.Context, from net.Addr) (net.Conn, error) {
	here, there := net.Pipe()
	return l.arrive(ctx, here, &placed{there, from})
}

// placed is a connection from an address.
type placed struct {
	net.Conn
	from net.Addr
}

func (p *placed) RemoteAddr() net.Addr { return p.from }

// DialContext is Dial in the form that clients want; the address does not matter.
func (l *Listener) DialContext(ctx context.Context, _, _ string) (net.Conn, error) {
	return l.Dial(ctx)
}

// Accept implements net.Listener.
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.arrived:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener. Connections stay open.
func (l *Listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

// Addr implements net.Listener.
func (l *Listener) Addr() net.Addr { return addr{} }

type addr struct{}

func (addr) Network() string { return "memory" }
func (addr) String() string  { return "memory" }
