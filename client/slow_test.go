package client_test

import (
	"context"
	"encoding/json"
	"errors"
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

// narrow is a connection that carries 16 KiB a second each way.
type narrow struct{ net.Conn }

const perSecond = 16 << 10

func (c narrow) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p[:min(len(p), perSecond)])
	time.Sleep(time.Duration(n) * time.Second / perSecond)
	return n, err
}

func (c narrow) Write(p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		var wrote int
		wrote, err = c.Conn.Write(p[n:min(n+perSecond, len(p))])
		time.Sleep(time.Duration(wrote) * time.Second / perSecond)
		n += wrote
	}
	return n, err
}

// What takes longer than the server may be silent, because it is long and the line is narrow, arrives all the same.
func TestNarrowLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := serve(t)
		f.mute.Store(true) // a pong would have to wait for the end of the answer
		f.answer(t, script{"echo": func(s *session, id, params json.RawMessage) {
			go s.send(`{"jsonrpc":"2.0","id":%s,"result":{"success":true,"result":[%s,%[2]s]}}`, id, params)
		}})
		c := f.dial(t, func(o *client.Options) {
			o.NetDial = func(ctx context.Context, _, _ string) (net.Conn, error) {
				conn, err := f.listener.Dial(ctx)
				return narrow{conn}, err
			}
			o.OnState = func(err error) { t.Errorf("the connection is lost: %v", err) }
		})
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
		defer cancel()
		text := strings.Repeat("x", 30*perSecond)
		var out [2]struct{ Arguments struct{ Text string } }
		if err := c.Call(ctx, "echo", map[string]string{"text": text}, &out); err != nil || out[1].Arguments.Text != text {
			t.Errorf("%d bytes came back, %v", len(out[1].Arguments.Text), err)
		}
	})
}

// A call that is too long for the server fails, and is not made again on one connection after the other.
func TestTooLongForTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		defer w.stop()
		var lost atomic.Int32
		c := w.client(t, "ada", func(o *client.Options) {
			o.OnState = func(err error) {
				if err != nil {
					lost.Add(1)
				}
			}
		})
		defer c.Close()
		var refused *client.Error
		err := c.Call(t.Context(), "scene.createEntity", map[string]any{"name": strings.Repeat("x", 11<<20)}, nil)
		if !errors.As(err, &refused) || errors.Is(err, client.ErrLost) || errors.Is(err, client.ErrProtocol) ||
			!strings.Contains(err.Error(), "not carried out") || !strings.Contains(err.Error(), "the limit of 10485760 bytes") {
			t.Errorf("a call of 11 MiB: %v, want that it was not carried out, and the limit", err)
		}
		if err := c.Ping(t.Context()); err != nil {
			t.Error(err)
		}
		if n := lost.Load(); n != 1 {
			t.Errorf("the connection was lost %d times, want once", n)
		}
	})
}

// As in TestTooLongForTheServer, where the server says so in a close frame only.
func TestUnwantedCall(t *testing.T) {
	for _, code := range []int{websocket.CloseMessageTooBig, websocket.ClosePolicyViolation} {
		synctest.Test(t, func(t *testing.T) {
			f := serve(t)
			f.answer(t, script{"ping": func(s *session, _, _ json.RawMessage) {
				_, _ = io.ReadFull(s.conn.NetConn(), make([]byte, 5000)) // of what comes next
				s.lost = true
				_ = s.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, "enough of that"), time.Time{})
				time.Sleep(time.Second)
			}})
			c := f.dial(t)
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
			defer cancel()
			var calls sync.WaitGroup
			calls.Go(func() { _ = c.Ping(ctx) })
			synctest.Wait()
			err := c.Call(ctx, "scene.createEntity", map[string]any{"name": strings.Repeat("x", 1<<20)}, nil)
			if err == nil || errors.Is(err, client.ErrLost) || !strings.Contains(err.Error(), "not carried out") || !strings.Contains(err.Error(), "enough of that") {
				t.Errorf("a call that the server did not read to its end: %v, want that it was not carried out, and why", err)
			}
			calls.Wait()
		})
	}
}
