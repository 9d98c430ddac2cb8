package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"github.com/limina-mcp/limina/client"
)

// oneWay is a connection that can be broken for writing: what the server says still comes in.
type oneWay struct {
	net.Conn
	broken *atomic.Bool
}

var errPipe = errors.New("broken pipe")

func (c oneWay) Write(p []byte) (int, error) {
	if c.broken.Load() {
		return 0, errPipe
	}
	return c.Conn.Write(p)
}

// dialOneWay connects a client to a fake server. What is returned with it breaks the connection that there is then for writing.
func (f *fake) dialOneWay(t *testing.T, change ...func(*client.Options)) (c *client.Client, sever func()) {
	t.Helper()
	var (
		mu     sync.Mutex // guards newest
		newest *atomic.Bool
	)
	c = f.dial(t, append(change, func(o *client.Options) {
		o.NetDial = func(ctx context.Context, _, _ string) (net.Conn, error) {
			conn, err := f.listener.Dial(ctx)
			mu.Lock()
			defer mu.Unlock()
			newest = new(atomic.Bool)
			return oneWay{conn, newest}, err
		}
	})...)
	return c, func() {
		mu.Lock()
		defer mu.Unlock()
		newest.Store(true)
	}
}

// What the server says of why it takes nothing more is what the client and its calls say, whether it comes before a write
// fails, after it, or in the same moment. If it does not come soon, the write is all that is known.
func TestServersReason(t *testing.T) {
	farewell := func(s *session) {
		_ = s.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.ClosePolicyViolation, "you ask too much"), time.Now().Add(time.Second))
	}
	complaint := func(s *session) {
		s.send(`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"you ask too much"}}`)
	}
	never := func(*session) {}
	for _, tt := range []struct {
		name  string
		say   func(*session)
		after time.Duration // from when the write fails
		told  bool
		again time.Duration // when the client sees that the connection is lost
	}{
		{"close before", farewell, -100 * time.Millisecond, true, 0},
		{"close at once", farewell, 0, true, 0},
		{"close after", farewell, 500 * time.Millisecond, true, 500 * time.Millisecond},
		{"close too late", farewell, 1500 * time.Millisecond, false, time.Second},
		{"error at once", complaint, 0, true, 0},
		{"error after", complaint, 500 * time.Millisecond, true, 500 * time.Millisecond},
		{"nothing", never, 0, false, time.Second},
		{"the end without a word", func(s *session) { _ = s.conn.NetConn().Close() }, 100 * time.Millisecond, false, 100 * time.Millisecond},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := serve(t)
				var asked *session
				f.answer(t, script{"demo.wait": func(s *session, _, _ json.RawMessage) { asked = s }})
				type state struct {
					err error
					at  time.Time
				}
				states := make(chan state, 10)
				var (
					c     *client.Client
					sever func()
				)
				c, sever = f.dialOneWay(t, func(o *client.Options) {
					o.OnState = func(err error) {
						// The test may have closed it since.
						if now := c.Err(); !errors.Is(now, err) && !errors.Is(now, client.ErrClosed) {
							t.Errorf("Err: %v, OnState is told %v", now, err)
						}
						states <- state{err, time.Now()}
					}
				})
				answered := make(chan error, 1)
				go func() { answered <- c.Call(t.Context(), "demo.wait", nil, nil) }()
				synctest.Wait()
				sever()
				begun := time.Now().Add(max(-tt.after, 0))
				var talk sync.WaitGroup
				talk.Go(func() {
					time.Sleep(max(tt.after, 0))
					tt.say(asked)
				})
				talk.Go(func() {
					time.Sleep(time.Until(begun))
					if err := c.Ping(t.Context()); err != nil { // is made on the next connection
						t.Errorf("Ping: %v", err)
					}
				})
				lost := <-states
				if tt.after >= 0 && lost.at.Sub(begun) != tt.again {
					t.Errorf("the loss was told %v after the write failed, want %v", lost.at.Sub(begun), tt.again)
				}
				for what, err := range map[string]error{"OnState": lost.err, "the call in flight": <-answered} {
					if told := strings.Contains(err.Error(), "you ask too much"); told != tt.told || errors.Is(err, errPipe) == tt.told {
						t.Errorf("%s: %v; that is what the server said: %v, want %v", what, err, told, tt.told)
					}
				}
				talk.Wait()
			})
		})
	}
}

// A server that refuses a connection as soon as it is open is quoted, whether the session can still be asked for or not.
func TestServersReasonAtDial(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := serve(t)
		f.handle = func(conn *websocket.Conn) {
			time.Sleep(500 * time.Millisecond)
			_ = conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseTryAgainLater, "the house is full"), time.Now().Add(time.Second))
			_ = conn.Close()
		}
		_, err := client.Dial(t.Context(), client.Options{
			URL: "ws://limina.test", AgentID: "ada", Profile: "builder.readWrite",
			NetDial: func(ctx context.Context, _, _ string) (net.Conn, error) {
				conn, err := f.listener.Dial(ctx)
				return &handshakeOnly{Conn: conn}, err
			},
		})
		if err == nil || !strings.Contains(err.Error(), "the house is full") || errors.Is(err, errPipe) {
			t.Errorf("Dial: %v, want what the server said", err)
		}
	})
}

// handshakeOnly is a connection that takes one write.
type handshakeOnly struct {
	net.Conn
	wrote bool
}

func (c *handshakeOnly) Write(p []byte) (int, error) {
	if c.wrote {
		return 0, errPipe
	}
	c.wrote = true
	return c.Conn.Write(p)
}

// As in TestUnwantedCall, where the server says so when the client has just given up writing the rest.
func TestUnwantedCallLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := serve(t)
		f.answer(t, script{"ping": func(s *session, _, _ json.RawMessage) {
			_, _ = io.ReadFull(s.conn.NetConn(), make([]byte, 5000)) // of what comes next
			s.lost = true
			time.Sleep(10*time.Second + 500*time.Millisecond)
			_ = s.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseMessageTooBig, "enough of that"), time.Time{})
		}})
		c := f.dial(t)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
		defer cancel()
		var pings sync.WaitGroup
		pings.Go(func() { _ = c.Ping(ctx) })
		synctest.Wait()
		err := c.Call(ctx, "scene.createEntity", map[string]any{"name": strings.Repeat("x", 1<<20)}, nil)
		if err == nil || errors.Is(err, client.ErrLost) || !strings.Contains(fmt.Sprint(err), "not carried out") || !strings.Contains(fmt.Sprint(err), "enough of that") {
			t.Errorf("a call that the server did not read to its end: %v, want that it was not carried out, and why", err)
		}
		pings.Wait()
	})
}
