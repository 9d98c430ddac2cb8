package ws_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"github.com/limina-mcp/limina/transport/ws"
)

// Messages of every form of length come back, however many frames they came in.
func TestEcho(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start(t, ws.Options{Protocols: []string{"mcp"}}, echo).echoes()
	})
}

func (r *rig) echoes() {
	r.t.Helper()
	c := r.dial()
	if c.Subprotocol() != "mcp" {
		r.t.Errorf("subprotocol %q", c.Subprotocol())
	}
	for _, n := range []int{0, 1, 125, 126, 127, 511, 512, 513, 16<<10 - 8, 65535, 65536, 3 << 20} {
		text := strings.Repeat("ü", n/2) + strings.Repeat("x", n%2)
		c.send(text)
		if got := c.receive(); got != text {
			r.t.Errorf("%d bytes came back as %d", n, len(got))
		}
	}
	c.raw(slices.Concat(frame(0x01, []byte("a\xc3")), frame(0x89, []byte("?")), frame(0x00, nil), frame(0x80, []byte("\xbcb"))))
	if got := c.receive(); got != "aüb" {
		r.t.Errorf("fragments came back as %q", got)
	}
	_ = c.Close()
	<-r.ended
}

// Whoever breaks the protocol is told how, and nobody else notices.
func TestRefusals(t *testing.T) {
	long := bytes.Repeat([]byte("x"), 300)
	bomb := frame(0x01, []byte("{"))
	for range 20_000 {
		bomb = append(bomb, frame(0x00, nil)...)
	}
	crumbs := frame(0x01, []byte("{"))
	for range 20_000 {
		crumbs = append(crumbs, frame(0x00, []byte(" "))...)
	}
	for _, tt := range []struct {
		name   string
		send   []byte
		code   int
		reason string
	}{
		{"a binary frame", frame(0x82, []byte("{}")), 1003, "text frame"},
		{"text that is not UTF-8", frame(0x81, []byte("\xff")), 1007, "UTF-8"},
		{"a fragment of it", append(frame(0x01, []byte("a\xc3")), frame(0x80, []byte("b"))...), 1007, "UTF-8"},
		{"a message over the limit", frame(0x81, long), 1009, "256 bytes"},
		{"fragments over the limit", append(frame(0x01, long[:200]), frame(0x80, long[:100])...), 1009, "256 bytes"},
		{"a frame that claims more than there is", []byte{0x81, 0x80 | 127, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}, 1009, "256 bytes"},
		{"a frame that claims gigabytes", append([]byte{0x81, 0x80 | 127, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}, long...), 1009, "256 bytes"},
		{"empty fragments without end", bomb, 1008, "fragments"},
		{"fragments of one byte without end", crumbs, 1009, "256 bytes"},
		{"no mask", []byte{0x81, 2, '{', '}'}, 1002, "MASK"},
		{"a reserved bit", frame(0xc1, []byte("{}")), 1002, "RSV1"},
		{"an opcode that is none", frame(0x83, []byte("{}")), 1002, "opcode"},
		{"garbage", []byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), 1002, ""},
		{"a continuation of nothing", frame(0x80, []byte("{}")), 1002, "continuation"},
		{"text inside a message", append(frame(0x01, []byte("{")), frame(0x81, []byte("}"))...), 1002, "before FIN"},
		{"a ping that is too long", frame(0x89, long), 1002, "control"},
		{"a close code that is none", frame(0x88, []byte{0x03, 0xed}), 1002, "close code"},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := start(t, ws.Options{Limit: 256}, func(c *ws.Conn) error {
				err := echo(c)
				if long := (interface{ TooLong() int })(nil); errors.As(err, &long) {
					if long.TooLong() != 256 {
						t.Errorf("the limit is %d", long.TooLong())
					}
					_, err = c.Next()
				}
				if _, again := c.Next(); again != err { //nolint:errorlint // the very same
					t.Errorf("Next = %v, then %v", err, again)
				}
				return err
			})
			other, c := r.dial(), r.dial()
			c.raw(tt.send)
			code, reason := c.farewell()
			if code != tt.code || !strings.Contains(reason, tt.reason) {
				t.Errorf("%s: closed with %d %q, want %d %q", tt.name, code, reason, tt.code, tt.reason)
			}
			other.send("still here")
			if got := other.receive(); got != "still here" {
				t.Errorf("%s: another connection got %q", tt.name, got)
			}
		})
	}
}

// The close frame of the peer is answered with its own code, once what he asked for is answered.
func TestPeerCloses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start(t, ws.Options{}, echo).closes()
	})
}

func (r *rig) closes() {
	r.t.Helper()
	for _, tt := range []struct {
		payload []byte
		code    int // of the answer
		want    string
	}{
		{websocket.FormatCloseMessage(1000, "bye"), 1000, "<nil>"},
		{websocket.FormatCloseMessage(1001, ""), 1001, "<nil>"},
		{nil, 1005, "<nil>"},
		{websocket.FormatCloseMessage(4000, "own"), 4000, "the peer has closed the connection: websocket: 4000 own"},
	} {
		c := r.dial()
		c.raw(append(frame(0x81, []byte("last words")), frame(0x88, tt.payload)...))
		if got := c.receive(); got != "last words" {
			r.t.Errorf("received %q", got)
		}
		if code, _ := c.farewell(); code != tt.code {
			r.t.Errorf("close %q answered with %d, want %d", tt.payload, code, tt.code)
		}
		if err := <-r.ended; fmt.Sprint(err) != tt.want {
			r.t.Errorf("close %q: reading ended with %v, want %s", tt.payload, err, tt.want)
		}
	}
}

// A connection that ends without a close frame is broken, not closed.
func TestBroken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start(t, ws.Options{}, echo).breaks()
	})
}

func (r *rig) breaks() {
	r.t.Helper()
	for _, half := range [][]byte{nil, {0x81}, frame(0x01, []byte("a")), frame(0x81, []byte("abc"))[:7]} {
		c := r.dial()
		if half != nil {
			_, _ = c.NetConn().Write(half)
		}
		_ = c.NetConn().Close()
		if err := <-r.ended; !errors.Is(err, ws.ErrBroken) {
			r.t.Errorf("after %x: %v, want ErrBroken", half, err)
		}
	}
}

// What End tells the peer: the reason if it was made for him, else no more than that there is one.
func TestEnd(t *testing.T) {
	for _, tt := range []struct {
		err    error
		code   int
		reason string
	}{
		{nil, 1000, ""},
		{&ws.Error{Code: 1008, Reason: "no session"}, 1008, "no session"},
		{fmt.Errorf("wrapped: %w", &ws.Error{Code: 1013, Reason: "full"}), 1013, "full"},
		{errors.New("open /etc/shadow: permission denied"), 1011, "internal error"},
		{&ws.Error{Code: 1008, Reason: strings.Repeat("ü", 100)}, 1008, strings.Repeat("ü", 61)},
		{&ws.Error{Code: 1008, Reason: "a\xffb"}, 1008, "a?b"},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := start(t, ws.Options{}, func(c *ws.Conn) error {
				if _, err := c.Next(); err != nil {
					t.Errorf("Next = %v", err)
				}
				return tt.err
			})
			c := r.dial()
			c.send("go")
			if code, reason := c.farewell(); code != tt.code || reason != tt.reason {
				t.Errorf("End(%v) told %d %q, want %d %q", tt.err, code, reason, tt.code, tt.reason)
			}
		})
	}
}

// Nothing is written after the end, and Close wakes who reads and who writes.
func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var conn *ws.Conn
		release, seen := make(chan struct{}), make(chan struct{})
		r := start(t, ws.Options{}, func(c *ws.Conn) error {
			conn = c
			reading, writing := make(chan error), make(chan error)
			go func() {
				_, err := c.Next()
				reading <- err
			}()
			go func() { writing <- c.Write(c.Seal(make([]byte, 1<<20), 0)) }()
			synctest.Wait()
			_ = c.Close()
			if err := <-reading; err == nil || !strings.Contains(err.Error(), "the connection has ended") {
				t.Errorf("Next = %v, want that the connection has ended", err)
			}
			if err := <-writing; err == nil {
				t.Error("Write succeeded")
			}
			close(seen)
			<-release
			return nil
		})
		c := r.dial()
		<-seen
		close(release)
		_ = c.NetConn().SetReadDeadline(time.Now().Add(time.Minute))
		for {
			if _, _, err := c.ReadMessage(); err != nil {
				break
			}
		}
		synctest.Wait()
		if err := conn.Write(conn.Seal([]byte("late"), 0)); err == nil {
			t.Error("Write after End succeeded")
		}
	})
}

// Reads are told of: what was prepared before the reader waits leaves in one write.
func TestOnWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var waits, wakes, inBetween int
		refuse := errors.New("enough")
		r := start(t, ws.Options{}, func(c *ws.Conn) error {
			var out []byte
			c.OnWait(func() error {
				if inBetween != 0 {
					t.Error("before was called twice")
				}
				if waits++; waits > 3 {
					return refuse
				}
				inBetween++
				p := out
				out = nil
				if p == nil {
					return nil
				}
				return c.Write(p)
			}, func() { inBetween--; wakes++ })
			for {
				m, err := c.Next()
				if err != nil {
					return err
				}
				start := len(out)
				out = c.Seal(append(out, m...), start)
			}
		})
		c := r.dial()
		c.raw(append(frame(0x81, []byte("one")), append(frame(0x81, []byte("two")), 0x81)...))
		want := "\x81\x03one\x81\x03two"
		got := make([]byte, 100)
		n, _ := c.NetConn().Read(got)
		if string(got[:n]) != want {
			t.Errorf("the first write is %q, want %q", got[:n], want)
		}
		synctest.Wait()
		c.raw(frame(0x81, []byte("three"))[1:])
		if n, _ = c.NetConn().Read(got); string(got[:n]) != "\x81\x05three" {
			t.Errorf("the second write is %q", got[:n])
		}
		synctest.Wait()
		c.raw(frame(0x81, []byte("four")))
		if err := <-r.ended; !errors.Is(err, refuse) || waits != 4 || wakes != 3 {
			t.Errorf("ended with %v after %d waits and %d wakes", err, waits, wakes)
		}
		if code, _ := c.farewell(); code != 1011 {
			t.Errorf("closed with %d", code)
		}
	})
}

// A handshake that is none is answered over HTTP.
func TestBrokenHandshake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, ws.Options{}, echo)
		tr := &http.Transport{DialContext: r.listener.DialContext}
		defer tr.CloseIdleConnections()
		for header, want := range map[string]string{
			"":                      "upgrade",
			"Connection: upgrade":   "websocket",
			"Sec-Websocket-Key: no": "upgrade",
		} {
			req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://memory/", nil)
			if k, v, ok := strings.Cut(header, ": "); ok {
				req.Header.Set(k, v)
			}
			res, err := tr.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(res.Body)
			_ = res.Body.Close()
			if res.StatusCode != http.StatusBadRequest || !strings.Contains(string(body), want) {
				t.Errorf("with %q: %s, %s", header, res.Status, body)
			}
		}
	})
}

// Who writes while the peer still takes what another has written waits, and goes on in the order of asking: messages come
// whole.
func TestWritersTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const writers = 4
		message := func(i int) string { return strings.Repeat(strconv.Itoa(i), 200_000) }
		conns, wrote := make(chan *ws.Conn, 1), make(chan error, writers)
		r := start(t, ws.Options{}, func(c *ws.Conn) error {
			conns <- c
			return echo(c)
		})
		peer, c := r.dial(), <-conns
		for i := range writers {
			go func() { wrote <- c.Write(c.Seal([]byte(message(i)), 0)) }()
			synctest.Wait()
		}
		if n := r.endpoint.Stats().Writing; n != 1 || len(wrote) != 0 {
			t.Errorf("%d connections wait for their peer, and %d writers are done", n, len(wrote))
		}
		for i := range writers {
			if got := peer.receive(); got != message(i) {
				t.Errorf("message %d: %.10s… of %d bytes", i, got, len(got))
			}
			if err := <-wrote; err != nil {
				t.Errorf("writing message %d: %v", i, err)
			}
		}
		if n := r.endpoint.Stats().Writing; n != 0 {
			t.Errorf("%d connections wait for their peer when all is read", n)
		}
		peer.send("and then")
		if got := peer.receive(); got != "and then" {
			t.Errorf("an echo: %s", got)
		}
	})
}
