//go:build unix

package ws_test

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/limina-mcp/limina/transport/ws"
)

// pairs is a listener of socket pairs: sockets of the kernel's, and no port.
type pairs struct {
	arrived chan net.Conn
	closed  chan struct{}
	once    sync.Once
}

func (l *pairs) Accept() (net.Conn, error) {
	select {
	case c := <-l.arrived:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pairs) Close() error   { l.once.Do(func() { close(l.closed) }); return nil }
func (l *pairs) Addr() net.Addr { return &net.UnixAddr{Name: "pair", Net: "unix"} }

func (l *pairs) DialContext(context.Context, string, string) (net.Conn, error) {
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

// sockets serves over socket pairs. There is no fake time with them.
func sockets(t *testing.T, o ws.Options, serve func(*ws.Conn) error) *rig {
	t.Helper()
	return startOn(t, &pairs{arrived: make(chan net.Conn), closed: make(chan struct{})}, o, serve)
}

// Through a real socket everything is as it is in memory.
func TestSockets(t *testing.T) {
	r := sockets(t, ws.Options{Protocols: []string{"mcp"}}, func(c *ws.Conn) error {
		err := echo(c)
		if long := (interface{ TooLong() int })(nil); errors.As(err, &long) {
			_, err = c.Next()
		}
		return err
	})
	r.echoes()
	r.closes()
	r.breaks()
}

// Who is refused reads why, also if he goes on sending: to close a socket with bytes unread would take back what was said.
func TestRefusalsThroughSockets(t *testing.T) {
	r := sockets(t, ws.Options{Limit: 256}, func(c *ws.Conn) error {
		if _, err := c.Next(); err == nil {
			t.Error("what is too long was taken")
		}
		_, err := c.Next()
		return err
	})
	c := r.dial()
	c.raw(append([]byte{0x81, 0x80 | 127, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0}, make([]byte, 1<<20)...))
	if code, reason := c.farewell(); code != 1009 {
		t.Errorf("closed with %d %q", code, reason)
	}
	if _, err := c.NetConn().Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("behind the close frame came %v", err)
	}
	hasty, err := r.listener.DialContext(t.Context(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	defer hasty.Close()
	go func() {
		_, _ = hasty.Write(append([]byte("GET / HTTP/1.1\r\nHost: pair\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"+
			"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"), make([]byte, 1<<20)...))
	}()
	if text, err := io.ReadAll(hasty); err != nil || !strings.Contains(string(text), "before it is answered") {
		t.Errorf("who did not wait for the handshake's answer was told %q, %v", text, err)
	}
}

// Through a real socket nothing is waited with either: what the socket takes in part is completed in
// order, and what came meanwhile is folded into one message. Every byte arrives in its frame.
func TestPushThroughSockets(t *testing.T) {
	given := make(chan *counter, 1)
	r := sockets(t, ws.Options{Pushers: 1}, push(given, 300_000))
	c, k := r.dial(), <-given
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
	if messages == last || r.endpoint.Stats().Pushed == 0 {
		t.Errorf("%d messages, want fewer than there were states", messages)
	}
	c.send("and an answer")
	if text := c.receive(); text != "and an answer" {
		t.Errorf("received %q", text)
	}
}

// Who ends his side of the stream without a close frame, and reads on, is told so: it is no error of ours.
func TestHalfClosed(t *testing.T) {
	r := sockets(t, ws.Options{}, echo)
	c := r.dial()
	if err := c.NetConn().(*net.UnixConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if code, reason := c.farewell(); code != 1002 || !strings.Contains(reason, "without a close frame") {
		t.Errorf("closed with %d %q", code, reason)
	}
}
