package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"github.com/limina-mcp/limina/client"
)

// halfClosed is a connection whose other end has shut down its side for writing, from the moment that shut is called: reading
// ends after what was said before, and what is written is read as ever. net.Pipe has no such state of its own.
type halfClosed struct {
	net.Conn
	mu   sync.Mutex // guards over, and is held while the deadline of reading is set
	over bool
}

func (c *halfClosed) shut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = true
	_ = c.Conn.SetReadDeadline(time.Now()) // wakes who reads
}

func (c *halfClosed) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over && errors.Is(err, os.ErrDeadlineExceeded) {
		err = io.EOF
	}
	return n, err
}

func (c *halfClosed) SetReadDeadline(at time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over {
		return nil
	}
	return c.Conn.SetReadDeadline(at)
}

func (c *halfClosed) SetDeadline(at time.Time) error {
	return errors.Join(c.SetReadDeadline(at), c.SetWriteDeadline(at))
}

// A server that shuts down its side of the connection only, and goes on reading, has ended it: what was under way is lost at
// once, nothing more is written to it, and the next connection takes up the views. It makes no difference whether it has said
// goodbye before, but for what is told.
func TestHalfClosed(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		goodbye    bool
	}{
		{"without a word", "the connection broke: websocket: close 1006 (abnormal closure): unexpected EOF", false},
		{"after a goodbye", "the server closed the connection: websocket: close 1001 (going away): closed for lunch", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := serve(t)
				var asked []string
				sc := narrowMinded(&asked)
				sc["demo.wait"] = func(*session, json.RawMessage, json.RawMessage) {}
				f.answer(t, sc)
				var first *halfClosed
				states := make(chan error, 10)
				begun := time.Now()
				c := f.dial(t, func(o *client.Options) {
					o.OnState = func(err error) { states <- err }
					o.NetDial = func(ctx context.Context, _, _ string) (net.Conn, error) {
						conn, err := f.listener.Dial(ctx)
						if first != nil {
							return conn, err
						}
						first = &halfClosed{Conn: conn}
						return first, err
					}
				})
				v, err := c.Subscribe(t.Context(), within(1))
				if err != nil {
					t.Fatal(err)
				}
				lost := make(chan error, 1)
				go func() { lost <- c.Call(t.Context(), "demo.wait", nil, nil) }()
				synctest.Wait()
				if tt.goodbye {
					if err := f.send(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseGoingAway, "closed for lunch")); err != nil {
						t.Fatal(err)
					}
				}
				first.shut()
				if err := <-states; err == nil || err.Error() != tt.want {
					t.Errorf("the connection is lost: %v, want %s", err, tt.want)
				}
				if err := <-lost; !errors.Is(err, client.ErrLost) {
					t.Errorf("the call that was under way: %v, want client.ErrLost", err)
				}
				if err := c.Ping(t.Context()); err != nil { // is made on the next connection
					t.Errorf("Ping: %v", err)
				}
				if took := time.Since(begun); took > 100*time.Millisecond {
					t.Errorf("the next connection was there after %v, want no wait but the pause before it", took)
				}
				if err := <-states; err != nil {
					t.Errorf("OnState: %v, want that the connection is up again", err)
				}
				synctest.Wait()
				if want := `{"aoi":{"center":[0,0,0],"radius":1},"since":5,"epoch":"e"}`; len(asked) != 2 || asked[1] != want || ids(v) != "ent_1" {
					t.Errorf("the client asked %q and holds %s, want %s at last and ent_1", asked, ids(v), want)
				}
			})
		})
	}
}

// A server that reads nothing any more, and still talks: the view follows it until the client finds out, which is when a
// write has not ended for ten seconds, and takes up from there on the next connection. The calls of that time are made there.
func TestTalksAndReadsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := serve(t)
		block := make(chan struct{})
		defer close(block)
		var asked []string
		sc := narrowMinded(&asked)
		var old *session
		sc["demo.block"] = func(s *session, _, _ json.RawMessage) {
			old = s
			<-block
		}
		f.answer(t, sc)
		lost := make(chan time.Duration, 10)
		begun := time.Now()
		c := f.dial(t, func(o *client.Options) {
			o.OnState = func(err error) {
				if err != nil {
					lost <- time.Since(begun)
				}
			}
		})
		v, err := c.Subscribe(t.Context(), within(1))
		if err != nil {
			t.Fatal(err)
		}
		blocked := make(chan error, 1)
		go func() { blocked <- c.Call(t.Context(), "demo.block", nil, nil) }()
		synctest.Wait()
		pinged := make(chan error, 1)
		go func() { pinged <- c.Ping(t.Context()) }()
		talked := make(chan struct{})
		go func() { // until nobody listens
			defer close(talked)
			for tick := 6; old.conn.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, moved, tick, entity(3, 0))) == nil; tick++ {
				time.Sleep(time.Second)
			}
		}()
		at := <-lost
		if at != 11*time.Second {
			t.Errorf("the connection was given up after %v, want ten seconds of a write, and one for what the server has to say", at)
		}
		<-talked
		if err := <-blocked; !errors.Is(err, client.ErrLost) {
			t.Errorf("the call that the server has read: %v, want client.ErrLost", err)
		}
		if err := <-pinged; err != nil {
			t.Errorf("Ping: %v, want that it was made on the next connection", err)
		}
		synctest.Wait()
		if tick := v.Tick(); tick < 14 || tick > 16 || ids(v) != "ent_1 ent_3" {
			t.Errorf("the view is at tick %d with %s, want that it followed for ten seconds", tick, ids(v))
		}
	})
}
