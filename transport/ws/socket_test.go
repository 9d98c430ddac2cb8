//go:build unix

package ws_test

import (
	"context"
	"net"
	"net/http"
	"os"
	"sync"
	"syscall"
	"testing"

	"github.com/gorilla/websocket"

	"github.com/limina-mcp/limina/transport/ws"
)

// pairs is a listener of socket pairs: sockets of the kernel's, and no port.
type pairs struct {
	t       *testing.T
	arrived chan net.Conn
	closed  chan struct{}
}

func (l *pairs) Accept() (net.Conn, error) {
	select {
	case c := <-l.arrived:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pairs) Close() error   { close(l.closed); return nil }
func (l *pairs) Addr() net.Addr { return &net.UnixAddr{Name: "pair", Net: "unix"} }

func (l *pairs) dial(context.Context, string, string) (net.Conn, error) {
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return nil, err
	}
	var ends [2]net.Conn
	for i, fd := range fds {
		f := os.NewFile(uintptr(fd), "pair")
		if ends[i], err = net.FileConn(f); err != nil {
			return nil, err
		}
		_ = f.Close()
	}
	l.arrived <- ends[0]
	return ends[1], nil
}

// Through a real socket nothing is waited with either: what the socket takes in part is completed in
// order, and what came meanwhile is folded into one message. Every byte arrives in its frame.
func TestPushThroughSockets(t *testing.T) {
	l := &pairs{t: t, arrived: make(chan net.Conn), closed: make(chan struct{})}
	e := ws.NewEndpoint(ws.Options{Pushers: 1})
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { e.Run(ctx) })
	given := make(chan *counter, 1)
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		c, err := e.Upgrade(w, req)
		if err != nil {
			t.Error(err)
			return
		}
		c.End(push(given, 300_000)(c))
	})}
	running.Go(func() { _ = srv.Serve(l) })
	d := websocket.Dialer{NetDialContext: l.dial}
	conn, answer, err := d.DialContext(t.Context(), "ws://pair/", nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	c, k := &client{conn, t}, <-given

	const last = 500
	for n := int64(1); n <= last; n++ {
		k.set(n) // never waits, although nobody reads
	}
	got := int64(0)
	messages := 0
	for got < last {
		n := c.number()
		if n <= got {
			t.Fatalf("got %d after %d", n, got)
		}
		got = n
		messages++
	}
	if messages == last || e.Stats().Pushed == 0 {
		t.Errorf("%d messages, want fewer than there were states", messages)
	}
	c.send("and an answer")
	if text := c.receive(); text != "and an answer" {
		t.Errorf("received %q", text)
	}
	_ = c.Close()
	_ = srv.Close()
	cancel()
	running.Wait()
}
