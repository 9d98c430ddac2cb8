package ws_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/limina-mcp/limina/internal/leak"
	"github.com/limina-mcp/limina/transport/memnet"
	"github.com/limina-mcp/limina/transport/ws"
)

func TestMain(m *testing.M) { leak.Main(m) }

// network is a listener, and how to connect to it.
type network interface {
	net.Listener
	DialContext(ctx context.Context, network, address string) (net.Conn, error)
}

// rig is an endpoint behind an http.Server.
type rig struct {
	t        *testing.T
	endpoint *ws.Endpoint
	listener network
	ended    chan error // what serving a connection returned
}

// start serves every connection with serve, and ends it with what serve returns. The network is in memory.
func start(t *testing.T, o ws.Options, serve func(*ws.Conn) error) *rig {
	t.Helper()
	return startOn(t, memnet.Listen(), o, serve)
}

func startOn(t *testing.T, l network, o ws.Options, serve func(*ws.Conn) error) *rig {
	t.Helper()
	r := &rig{t: t, endpoint: ws.NewEndpoint(o), listener: l, ended: make(chan error, 2000)}
	ctx, cancel := context.WithCancel(context.Background())
	stopped := make(chan struct{})
	go func() {
		r.endpoint.Run(ctx)
		close(stopped)
	}()
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		c, err := r.endpoint.Upgrade(w, req)
		if err != nil {
			return
		}
		err = serve(c)
		r.ended <- err
		c.End(err)
	})}
	served := make(chan struct{})
	go func() {
		_ = srv.Serve(r.listener)
		close(served)
	}()
	t.Cleanup(func() {
		_ = srv.Close()
		<-served
		cancel()
		<-stopped
	})
	return r
}

// echo sends back what comes.
func echo(c *ws.Conn) error {
	for {
		m, err := c.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := c.Write(c.Seal(bytes.Clone(m), 0)); err != nil {
			return err
		}
	}
}

// dial connects as gorilla's client.
func (r *rig) dial() *client {
	r.t.Helper()
	d := websocket.Dialer{NetDialContext: r.listener.DialContext, Subprotocols: []string{"mcp"}}
	c, answer, err := d.DialContext(r.t.Context(), "ws://memory/", nil)
	if err != nil {
		r.t.Fatalf("dial: %v", err)
	}
	_ = answer.Body.Close()
	r.t.Cleanup(func() { _ = c.Close() })
	return &client{c, r.t}
}

type client struct {
	*websocket.Conn
	t *testing.T
}

func (c *client) send(text string) {
	c.t.Helper()
	if err := c.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
		c.t.Errorf("send: %v", err)
	}
}

func (c *client) receive() string {
	c.t.Helper()
	kind, text, err := c.ReadMessage()
	if err != nil || kind != websocket.TextMessage {
		c.t.Errorf("receive: kind %d, %v", kind, err)
	}
	return string(text)
}

// raw sends bytes as they are. It does not wait for the server to read them all.
func (c *client) raw(p []byte) {
	go func() { _, _ = c.NetConn().Write(p) }()
}

// farewell reads until the close frame and returns it.
func (c *client) farewell() (code int, reason string) {
	c.t.Helper()
	for {
		_, _, err := c.ReadMessage()
		var closed *websocket.CloseError
		if errors.As(err, &closed) {
			return closed.Code, closed.Text
		}
		if err != nil {
			c.t.Errorf("no close frame: %v", err)
			return 0, ""
		}
	}
}

// frame is a client's frame with a mask of zeros.
func frame(head byte, payload []byte) []byte {
	f := []byte{head, 0x80 | byte(len(payload))}
	if len(payload) > 125 {
		f = []byte{head, 0x80 | 126, byte(len(payload) >> 8), byte(len(payload))}
	}
	return append(append(f, 0, 0, 0, 0), payload...)
}

// since2000 is how long a bubble has existed.
func since2000() time.Duration {
	return time.Since(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))
}
