package client_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/limina-mcp/limina/internal/leak"
	"github.com/limina-mcp/limina/transport/memnet"
)

func TestMain(m *testing.M) { leak.Main(m) }

// fake is a server that says what it is told to say, and notes what it hears.
type fake struct {
	listener *memnet.Listener
	serving  sync.WaitGroup
	begun    time.Time
	mute     atomic.Bool // pings are not answered
	handle   func(*websocket.Conn)

	mu     sync.Mutex // guards what follows
	conn   *websocket.Conn
	heard  []string // since the last call of said
	status int      // with which handshakes are refused, 0 for not
	reason string
}

// serve starts a fake server. It ends with the test.
func serve(t testing.TB) *fake {
	t.Helper()
	return serveOn(t, func(l net.Listener) net.Listener { return l })
}

// serveOn is serve where connections are made into others.
func serveOn(t testing.TB, through func(net.Listener) net.Listener) *fake {
	t.Helper()
	f := &fake{listener: memnet.Listen(), begun: time.Now()}
	srv := &http.Server{Handler: f}
	f.serving.Go(func() { _ = srv.Serve(through(f.listener)) })
	t.Cleanup(func() {
		f.cut()
		_ = srv.Close()
		_ = f.listener.Close()
		f.serving.Wait()
	})
	return f
}

// ServeHTTP implements http.Handler.
func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.note("<> GET %s %s %s", r.URL.Path, r.Host, r.Header.Get("Authorization"))
	f.mu.Lock()
	status, reason := f.status, f.reason
	f.mu.Unlock()
	switch {
	case status == http.StatusRequestTimeout: // says nothing for a while
		<-r.Context().Done()
		return
	case status != 0:
		http.Error(w, reason, status)
		return
	}
	conn, err := new(websocket.Upgrader).Upgrade(w, r, nil)
	if err != nil {
		f.note("<> %v", err)
		return
	}
	conn.SetPingHandler(func(data string) error {
		f.note("-> (ping)")
		if f.mute.Load() {
			return nil
		}
		return conn.WriteControl(websocket.PongMessage, []byte(data), time.Now().Add(time.Second))
	})
	conn.SetPongHandler(func(data string) error {
		f.note("-> (pong %s)", data)
		return nil
	})
	f.mu.Lock()
	f.conn = conn
	f.mu.Unlock()
	if f.handle == nil {
		f.handle = f.listen
	}
	f.serving.Go(func() { f.handle(conn) })
}

// listen notes what comes on a connection.
func (f *fake) listen(conn *websocket.Conn) {
	for {
		_, text, err := conn.ReadMessage()
		if err != nil {
			f.note("<> %v", err)
			_ = conn.Close()
			return
		}
		f.note("-> %s", text)
	}
}

func (f *fake) note(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if format[:2] == "<>" {
		format = fmt.Sprintf("<> at %v: ", time.Since(f.begun)) + format[3:]
	}
	f.heard = append(f.heard, fmt.Sprintf(format, args...))
}

// said returns what the client did since it was called last.
func (f *fake) said() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	heard := f.heard
	f.heard = nil
	return heard
}

// send sends a frame.
func (f *fake) send(kind int, content []byte) error {
	f.mu.Lock()
	conn := f.conn
	f.mu.Unlock()
	_ = conn.SetWriteDeadline(time.Now().Add(time.Second))
	return conn.WriteMessage(kind, content)
}

// raw sends bytes that may be no frame.
func (f *fake) raw(p []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, err := f.conn.NetConn().Write(p)
	return err
}

// cut breaks the connection.
func (f *fake) cut() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.conn != nil {
		_ = f.conn.NetConn().Close()
	}
}

// refuse has the server refuse handshakes, until the status is 0.
func (f *fake) refuse(status int, reason string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.status, f.reason = status, reason
}

// dialer dials, and says what was dialled.
func (f *fake) dialer(ctx context.Context, network, address string) (conn netConn, err error) {
	f.note("<> dial %s %s", network, address)
	return f.listener.Dial(ctx)
}
