package mcp_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"github.com/limina-mcp/limina/internal/transcript"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/transport/memnet"
	"github.com/limina-mcp/limina/transport/ws"
)

// A WebSocket is answered as standard input is, word for word: the transcripts hold for both. Left out
// is what only lines have: parts of them, several in one, and going on after one that is too long.
func TestTranscriptsOverWebSocket(t *testing.T) {
	transcript.Again(t, 12, func(name, script string) bool {
		return !strings.Contains("\n"+script, "\n=> ") && !strings.HasPrefix(name, "short")
	}, on(dialWebSocket))
}

// dialWebSocket is dial through gorilla's client: each line is a text frame.
func dialWebSocket(t *testing.T, core *mcp.Mcp, limit int) *peer {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	p := &peer{t: t, core: core, in: w, cancel: cancel, served: make(chan error, 1)}
	c := listenWebSocket(ctx, t, core, ws.Options{Limit: limit}, p.served)()
	go func() {
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, 16<<20)
		for lines.Scan() {
			if err := c.WriteMessage(websocket.TextMessage, lines.Bytes()); err != nil {
				t.Errorf("send: %v", err)
			}
		}
		_ = c.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""))
	}()
	go func() {
		for {
			_, text, err := c.ReadMessage()
			if err != nil {
				_ = c.Close()
				return
			}
			_, _ = fmt.Fprintf(p, "%s\n", text)
		}
	}()
	return p
}

// listenWebSocket serves core to everybody whom dial connects; served gets what Serve returns.
func listenWebSocket(ctx context.Context, t *testing.T, core *mcp.Mcp, o ws.Options, served chan<- error) (dial func() *websocket.Conn) {
	t.Helper()
	listener, endpoint := memnet.Listen(), ws.NewEndpoint(o)
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := endpoint.Upgrade(w, r)
		if err != nil {
			t.Errorf("upgrade: %v", err)
			return
		}
		err = core.ServePeer(ctx, c, mcp.Peer{Standard: c.Protocol() == "mcp"})
		served <- err
		c.End(err)
	})}
	keeping, stop := context.WithCancel(context.Background())
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		endpoint.Run(keeping)
	}()
	go func() { _ = srv.Serve(listener) }()
	t.Cleanup(func() {
		_ = srv.Close()
		stop()
		<-stopped
	})
	return func() *websocket.Conn {
		d := websocket.Dialer{NetDialContext: listener.DialContext}
		c, answer, err := d.DialContext(ctx, "ws://localhost/", nil)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		return c
	}
}
