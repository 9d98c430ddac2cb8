package server_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/server"
	"github.com/limina-mcp/limina/transport/memnet"
	"github.com/limina-mcp/limina/transport/ws"
)

// What is no request is answered with what is wrong with it, and somebody who is being served notices
// nothing.
func TestBadConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, server.Config{})
		other := r.dial()
		other.ask(initialize)
		for _, tt := range []struct {
			name, send string
			status     int
			contains   string
			after      time.Duration
		}{
			{"silence", "", 408, "no request came in time", 5 * time.Second},
			{"garbage", "\x16\x03\x01 hello?\r\n\r\n", 400, "400 Bad Request", 0},
			{"a message without a handshake", initialize + "\n\r\n\r\n", 400, "400 Bad Request", 0},
			{"headers without end", "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", 64<<10), 431, "", 500 * time.Millisecond},
			{"a body that is not wanted, and does not come", "POST /mcp HTTP/1.1\r\nHost: elsewhere\r\nContent-Length: 9\r\n\r\n{", 403, "not served here", 20 * time.Second},
			{"no host", "GET / HTTP/1.1\r\n\r\n", 400, "Host", 0},
			{"a broken handshake", "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n\r\n", 400, "'upgrade' token not found", 0},
			{"a handshake of HTTP/1.0", shake("GET / HTTP/1.0", ""), 400, "HTTP/1.1 with one Sec-WebSocket-Key", 0},
			{"two keys", shake("GET / HTTP/1.1", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"), 400, "HTTP/1.1 with one Sec-WebSocket-Key", 0},
			{"protocols in two lines", shake("GET / HTTP/1.1", "Sec-WebSocket-Protocol: chat\r\nSec-WebSocket-Protocol: mcp\r\n"), 101, "mcp", 0},
			{"a handshake without a key", "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n", 400, "Sec-WebSocket-Key", 0},
			{"a handshake of an old version", "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 8\r\n\r\n", 400, "unsupported version", 0},
			{"frames behind a handshake", "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n\x81\x80\x00\x00\x00\x00", 400, "before it is answered", 0},
			{"a handshake with a body", "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nContent-Length: 6\r\n\r\n", 400, "has no body", 0},
			{"a handshake with a coded body", "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nTransfer-Encoding: chunked\r\n\r\n", 400, "has no body", 0},
		} {
			conn, err := r.listener.Dial(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			go func() { _, _ = io.WriteString(conn, tt.send) }()
			status, body, head := read(t, conn)
			body += head.Get("Sec-WebSocket-Protocol")
			if took := time.Since(began); status != tt.status || !strings.Contains(strings.ToLower(body), strings.ToLower(tt.contains)) || took != tt.after {
				t.Errorf("%s: %d %q after %v, want %d %q after %v", tt.name, status, body, took, tt.status, tt.contains, tt.after)
			}
			_ = conn.Close()
			if got := other.ask(call(1, "demo.echo", `{"text":"x"}`)); !strings.Contains(got, `"success":true`) {
				t.Errorf("%s: another connection got %s", tt.name, got)
			}
		}
		// Half a request is dropped when its time is over.
		conn, err := r.listener.Dial(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\n")
		began := time.Now()
		_, _ = io.ReadAll(conn)
		if took := time.Since(began); took != 5*time.Second {
			t.Errorf("half a request was dropped after %v", took)
		}
		_ = conn.Close()
		// Who has been answered may be silent for half a minute.
		for _, path := range []string{"/", "/mcp"} {
			if conn, err = r.listener.Dial(t.Context()); err != nil {
				t.Fatal(err)
			}
			_, _ = io.WriteString(conn, "GET "+path+" HTTP/1.1\r\nHost: localhost\r\n\r\n")
			began = time.Now()
			_, _ = io.ReadAll(conn)
			if took := time.Since(began); took != 30*time.Second {
				t.Errorf("after a GET of %s the connection was dropped after %v", path, took)
			}
			_ = conn.Close()
		}
		if _, text, _ := r.get(http.MethodGet, "/metrics"); !strings.Contains(text, `limina_refused_total{reason="silent"} 1`+"\n") {
			t.Errorf("one was silent:\n%s", text)
		}
	})
}

// Frames of garbage, a message that is too long, and silence end one connection, with the reason.
func TestBadPeers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, server.Config{WebSocket: ws.Options{Limit: 1000}})
		other := r.dial()
		other.ask(initialize)
		for _, tt := range []struct {
			name string
			send []byte
			says string // before the close frame
			code int
		}{
			{"garbage", []byte("what is this"), "", 1002},
			{"a binary frame", []byte{0x82, 0x82, 0, 0, 0, 0, '{', '}'}, "", 1003},
			{"no UTF-8", []byte{0x81, 0x81, 0, 0, 0, 0, 0xff}, "", 1007},
			{"a long message", append([]byte{0x81, 0xfe, 0x04, 0x00, 0, 0, 0, 0}, make([]byte, 1024)...), `"code":-32600,"message":"Invalid Request: the message is longer than the limit of 1000 bytes"`, 1009},
		} {
			c := r.dial()
			go func() { _, _ = c.NetConn().Write(tt.send) }()
			if tt.says != "" {
				if got := c.receive(); !strings.Contains(got, tt.says) {
					t.Errorf("%s: said %s", tt.name, got)
				}
			}
			if code, reason := c.farewell(); code != tt.code || reason == "" {
				t.Errorf("%s: closed with %d %q", tt.name, code, reason)
			}
			if got := other.ask(call(1, "demo.echo", `{"text":"x"}`)); !strings.Contains(got, `"success":true`) {
				t.Errorf("%s: another connection got %s", tt.name, got)
			}
		}
	})
}

// More connections than the limit are told so, and let in when there is room again.
func TestTooManyConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, server.Config{MaxConnections: 3})
		first := r.dial()
		first.ask(initialize)
		for _, session := range []string{"s2", "s3"} {
			r.dial().ask(strings.Replace(initialize, "s1", session, 1))
		}
		for range 100 { // each is told
			if _, status, _ := r.try(); status != http.StatusServiceUnavailable {
				t.Errorf("one too many: %d", status)
			}
			synctest.Wait()
		}
		_ = first.Close()
		time.Sleep(2 * time.Second)
		if _, text, _ := r.get(http.MethodGet, "/metrics"); !strings.Contains(text, `limina_refused_total{reason="too many"} 100`+"\n") {
			t.Errorf("a hundred were refused:\n%s", text)
		}
		time.Sleep(2 * time.Second)
		r.dial().ask(initialize)
	})
}

// A peer that does not answer pings is gone.
func TestSilentPeer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, server.Config{})
		c := r.dial() // which answers pings while it reads
		c.ask(initialize)
		time.Sleep(3 * time.Minute)
		if _, text, _ := r.get(http.MethodGet, "/metrics"); !strings.Contains(text, "limina_connections 0\n") {
			t.Errorf("after three minutes of silence:\n%s", text)
		}
	})
}

// A shutdown answers what is running, then closes everybody with 1001, and nobody new comes in.
func TestGracefulShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := core(t, mcp.Options{})
		r := start(t, server.Config{Core: m, Drain: 10 * time.Second})
		busy, idle, silent := r.dial(), r.dial(), r.dial()
		busy.ask(initialize)
		busy.send(call(1, "demo.work", `{"seconds":7}`))
		idle.ask(strings.Replace(initialize, "s1", "s2", 1))
		conn, err := r.listener.Dial(t.Context()) // says nothing
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		synctest.Wait()
		r.stop()
		for _, c := range []*client{idle, silent} {
			if code, reason := c.farewell(); code != 1001 || !strings.Contains(reason, "shutting down") {
				t.Errorf("closed with %d %q", code, reason)
			}
		}
		if c, _, _ := r.try(); c != nil {
			t.Error("somebody got in")
		}
		if got := busy.receive(); !strings.Contains(got, `"id":1,"result":{"success":true`) {
			t.Errorf("the running call: %s", got)
		}
		if code, _ := busy.farewell(); code != 1001 {
			t.Errorf("closed with %d", code)
		}
		if at := since2000(); at < 7*time.Second || at > 9*time.Second {
			t.Errorf("closed after %v", at)
		}
		if err := <-r.stopped; err != nil {
			t.Errorf("Run = %v", err)
		}
		r.stopped <- nil
		figures := parseFigures(t, r.server.Figures())
		for reason, want := range map[string]float64{"left": 0, "broken": 0, "shutdown": 3} {
			if got := figures[`limina_closed_total{reason="`+reason+`"}`]; got != want {
				t.Errorf("%v are said to have %s, want %v", got, reason, want)
			}
		}
	})
}

// A shutdown waits no longer than it may: calls are cancelled, and those that do not heed it left.
func TestImpatientShutdown(t *testing.T) {
	for _, tt := range []struct {
		input, says string
		most        time.Duration
	}{
		{`{"seconds":1000}`, "cancelled; nothing was changed", 12 * time.Second},
		{`{"seconds":30,"deaf":true}`, "", 17 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := start(t, server.Config{Drain: 10 * time.Second})
			c := r.dial()
			c.ask(initialize)
			c.send(call(1, "demo.work", tt.input))
			synctest.Wait()
			r.stop()
			if tt.says != "" {
				if got := c.receive(); !strings.Contains(got, tt.says) {
					t.Errorf("%s: answered %s", tt.input, got)
				}
			}
			if code, _ := c.farewell(); code != 1001 {
				t.Errorf("%s: closed with %d", tt.input, code)
			}
			if err := <-r.stopped; err != nil {
				t.Errorf("Run = %v", err)
			}
			if at := since2000(); at > tt.most {
				t.Errorf("%s: shut down after %v", tt.input, at)
			}
			r.stopped <- nil
			time.Sleep(time.Minute) // until the deaf call is over
		})
	}
}

// When the port fails the connections are ended in order, and Run says why.
func TestListenerFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, server.Config{})
		c := r.dial()
		c.ask(initialize)
		_ = r.listener.Close()
		if code, _ := c.farewell(); code != 1001 {
			t.Errorf("closed with %d", code)
		}
		if err := <-r.stopped; err == nil {
			t.Error("Run = nil")
		}
		r.stopped <- nil
	})
}

// scarce is a listener that has no file descriptor for a while.
type scarce struct {
	net.Listener
	failures int
}

func (l *scarce) Accept() (net.Conn, error) {
	if l.failures > 0 {
		l.failures--
		return nil, &net.OpError{Op: "accept", Err: syscall.EMFILE}
	}
	return l.Listener.Accept()
}

// That nobody can be accepted is in the log, once a minute, and passes.
func TestNoFileDescriptors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		l := memnet.Listen()
		s, err := server.On(&scarce{l, 100}, true, server.Config{Core: core(t, mcp.Options{}), Logger: zerolog.New(zerolog.SyncWriter(&log)).Level(zerolog.InfoLevel)})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		stopped := make(chan error, 1)
		go func() { stopped <- s.Run(ctx) }()
		c, err := l.Dial(t.Context()) // is accepted after 100 failures, most of them a second apart
		if err != nil {
			t.Fatal(err)
		}
		_ = c.Close()
		cancel()
		if err := <-stopped; err != nil {
			t.Errorf("Run = %v", err)
		}
		if n := strings.Count(log.String(), "too many open files"); n != 2 {
			t.Errorf("%d lines in a minute and a half:\n%s", n, log.String())
		}
	})
}

// shake is a handshake with a few more headers.
func shake(first, more string) string {
	return first + "\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" + more + "\r\n"
}

// A session is free for its agent within seconds once its peer has vanished without a word, and whoever is there keeps his.
func TestSessionOfVanishedPeer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, server.Config{})
		there := r.dial()
		there.ask(initialize)
		said := make(chan string)
		go func() { // answers pings
			defer close(said)
			for {
				_, text, err := there.ReadMessage()
				if err != nil {
					return
				}
				said <- string(text)
			}
		}()
		vanished := r.dial() // reads nothing any more, and so answers no ping
		vanished.ask(strings.Replace(initialize, "s1", "s2", 1))
		anew := r.dial()
		for _, session := range []string{"s1", "s2"} {
			got := anew.ask(strings.Replace(initialize, "s1", session, 1))
			if !strings.Contains(got, `in use on another connection, which is asked whether anybody is there: if not, it ends within 7s`) {
				t.Errorf("%s, which is in use: %s", session, got)
			}
		}
		bob := r.dial()
		if got := bob.ask(strings.NewReplacer("s1", "s2", "ada", "bob").Replace(initialize)); !strings.Contains(got, `in use on another connection: take another sessionId`) {
			t.Errorf("a session of somebody else: %s", got)
		}
		time.Sleep(7 * time.Second)
		if got := anew.ask(strings.Replace(initialize, "s1", "s2", 1)); !strings.Contains(got, `"sessionId":"s2"`) {
			t.Errorf("the session of who has vanished, 7 s later: %s", got)
		}
		if got := r.dial().ask(initialize); !strings.Contains(got, `in use on another connection`) {
			t.Errorf("the session of who is there, 7 s later: %s", got)
		}
		time.Sleep(time.Minute)
		there.send(call(1, "demo.echo", `{"text":"x"}`))
		if got := <-said; !strings.Contains(got, `"agent":"ada"`) {
			t.Errorf("who is there: %s", got)
		}
		_ = there.Close()
		<-said
	})
}

// Somebody else's session is nobody's to have asked for: who answers no ping keeps his as long as ever.
func TestSessionOfSilentPeerIsHis(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, server.Config{})
		r.dial().ask(initialize)
		bob := r.dial()
		refused := 0
		for began := time.Now(); time.Since(began) < 25*time.Second; time.Sleep(time.Second) {
			if got := bob.ask(strings.Replace(initialize, "ada", "bob", 1)); strings.Contains(got, `"code":-32001`) {
				refused++
			}
		}
		if refused != 25 {
			t.Errorf("bob was refused ada's session %d times of 25", refused)
		}
	})
}
