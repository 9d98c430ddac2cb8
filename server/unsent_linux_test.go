package server_test

import (
	"context"
	"crypto/tls"
	"net"
	"syscall"
	"testing"

	"github.com/gorilla/websocket"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/server"
)

// accepting is a listener that tells whom it has accepted.
type accepting struct {
	net.Listener
	accepted chan net.Conn
}

func (a accepting) Accept() (net.Conn, error) {
	c, err := a.Listener.Accept()
	if err == nil {
		a.accepted <- c
	}
	return c, err
}

// The kernel takes 16 KiB for a WebSocket's peer beyond what it can send, with TLS too: as much as it likes would be megabytes, which
// take a slow peer a minute, and nobody writing would be woken before a third of them has been read.
func TestLittleIsUnsent(t *testing.T) {
	cert, pool := certificate(t)
	for _, tt := range []struct {
		url string
		tls *tls.Config
	}{
		{"ws://localhost", nil},
		{"wss://localhost", &tls.Config{Certificates: []tls.Certificate{cert}}},
	} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		a := accepting{l, make(chan net.Conn, 1)}
		s, err := server.On(a, true, server.Config{Core: core(t, mcp.Options{}), TLS: tt.tls})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		stopped := make(chan error, 1)
		go func() { stopped <- s.Run(ctx) }()

		d := websocket.Dialer{TLSClientConfig: &tls.Config{RootCAs: pool}, NetDialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, l.Addr().String())
		}}
		c, answer, err := d.DialContext(ctx, tt.url, nil)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		(&client{c, t}).ask(initialize)
		raw, err := (<-a.accepted).(*net.TCPConn).SyscallConn()
		if err != nil {
			t.Fatal(err)
		}
		const notSentLowAt = 25 // TCP_NOTSENT_LOWAT
		if e := raw.Control(func(fd uintptr) {
			if n, err := syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, notSentLowAt); n != 16<<10 || err != nil {
				t.Errorf("%s: %d bytes may be unsent, %v", tt.url, n, err)
			}
		}); e != nil {
			t.Error(e)
		}
		_ = c.Close()
		stop()
		if err := <-stopped; err != nil {
			t.Errorf("%s: Run = %v", tt.url, err)
		}
	}
}
