package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/gorilla/websocket"

	"github.com/limina-mcp/limina/client"
)

func TestOptions(t *testing.T) {
	good := client.Options{URL: "ws://127.0.0.1:1", AgentID: "ada", Profile: "spectator"}
	for _, c := range []struct {
		name   string
		change func(*client.Options)
		want   string
	}{
		{"no scheme", func(o *client.Options) { o.URL = "127.0.0.1:8787" }, "client: URL"},
		{"http", func(o *client.Options) { o.URL = "http://127.0.0.1:8787" }, "must be ws://host:port, wss://host:port or unix:/path"},
		{"no host", func(o *client.Options) { o.URL = "ws:///world" }, "must be ws://host:port"},
		{"no path", func(o *client.Options) { o.URL = "unix:" }, "wants the path of a socket"},
		{"bad URL", func(o *client.Options) { o.URL = "ws://[::1" }, "client: URL: parse"},
		{"no agent", func(o *client.Options) { o.AgentID = "" }, "AgentID is missing"},
		{"no profile", func(o *client.Options) { o.Profile = "" }, "Profile is missing"},
		{"encoding", func(o *client.Options) { o.Encoding = "xml" }, `must be one of "json", "packed", "binary", got "xml"`},
	} {
		o := good
		c.change(&o)
		if _, err := client.Dial(t.Context(), o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: Dial: %v, want an error with %q", c.name, err, c.want)
		}
	}
}

func TestID(t *testing.T) {
	for text, want := range map[string]client.ID{"ent_0": 1, "ent_7": 8, "ent_18446744073709551614": 1<<64 - 1} {
		got, err := client.ParseID(text)
		if err != nil || got != want || got.String() != text {
			t.Errorf("ParseID(%q) = %d (%v), %v, want %d", text, got, got, err, want)
		}
	}
	for _, text := range []string{"", "ent_", "7", "ent_07", "ent_-1", "ent_+1", "ent_18446744073709551615", "evt_7"} {
		if got, err := client.ParseID(text); err == nil {
			t.Errorf("ParseID(%q) = %d, want an error", text, got)
		}
	}
}

// script answers requests: each method, or tool, in a way of its own.
type script map[string]func(s *session, id json.RawMessage, params json.RawMessage)

// session is one connection to a scripted server.
type session struct {
	t    *testing.T
	conn *websocket.Conn
	mu   sync.Mutex // held while writing
	lost bool       // it was read past frames, and what comes next is none, or looks like any
}

func (s *session) send(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.conn.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, format, args...)); err != nil {
		s.t.Logf("send: %v", err)
	}
}

// answer serves the connections of a fake server as the script says.
func (f *fake) answer(t *testing.T, sc script) {
	t.Helper()
	f.handle = func(conn *websocket.Conn) {
		s := &session{t: t, conn: conn}
		for {
			_, text, err := conn.ReadMessage()
			if err != nil {
				_ = conn.Close()
				return
			}
			var m struct {
				ID     json.RawMessage
				Method string
				Params json.RawMessage
			}
			if err := json.Unmarshal(text, &m); err != nil {
				t.Errorf("%s: %v", text, err)
			}
			var call struct{ Name string }
			_ = json.Unmarshal(m.Params, &call)
			do := sc[m.Method]
			if call.Name != "" {
				do = sc[call.Name]
			}
			switch {
			case do != nil:
				do(s, m.ID, m.Params)
				if s.lost {
					_ = conn.Close()
					return
				}
			case m.ID != nil:
				s.send(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
			}
		}
	}
}

// dial connects to a fake server.
func (f *fake) dial(t testing.TB, change ...func(*client.Options)) *client.Client {
	t.Helper()
	o := client.Options{
		URL: "ws://limina.test", AgentID: "ada", Profile: "builder.readWrite",
		NetDial: f.listener.DialContext, Backoff: client.Backoff{Jitter: func() float64 { return 0 }},
	}
	for _, c := range change {
		c(&o)
	}
	c, err := client.Dial(context.Background(), o)
	if err != nil {
		t.Fatalf("Dial: %v", err)
	}
	t.Cleanup(c.Close)
	return c
}

func TestCallDecodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := serve(t)
		f.answer(t, script{
			"scene.createEntity": func(s *session, id, params json.RawMessage) {
				s.send(`{"jsonrpc":"2.0","id":%s,"result":{"success":true,"result":{"entity":"ent_4","echo":%s}}}`, id, params)
			},
			"scene.destroyEntity": func(s *session, id, _ json.RawMessage) {
				s.send(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32001,"message":"missing permission: scene.write","data":{"success":false,"error":{"code":"forbidden","message":"missing permission: scene.write"},"metadata":{"executionTimeMs":0.5,"eventsEmitted":["evt_3"],"intent":4}}}}`, id)
			},
			"not.made": func(s *session, id, _ json.RawMessage) {
				t.Error("a call was made whose result goes nowhere")
				s.send(`{"jsonrpc":"2.0","id":%s,"result":{"success":true,"result":{}}}`, id)
			},
		})
		c := f.dial(t)
		type size struct {
			Size float64 `json:"size"`
		}
		var made struct {
			Entity client.ID
			Echo   json.RawMessage
		}
		if err := c.Call(t.Context(), "scene.createEntity", size{2}, &made); err != nil {
			t.Fatal(err)
		}
		if made.Entity.String() != "ent_4" || string(made.Echo) != `{"name":"scene.createEntity","arguments":{"size":2}}` {
			t.Errorf("Call: %v %s", made.Entity, made.Echo)
		}
		r, err := c.Do(t.Context(), client.Request{Name: "scene.createEntity", PreviousResults: []json.RawMessage{[]byte("1")}})
		if want := `{"entity":"ent_4","echo":{"name":"scene.createEntity","context":{"previousResults":[1]}}}`; err != nil || string(r.Result) != want {
			t.Errorf("Do: %s, %v, want %s", r.Result, err, want)
		}
		var wrong struct{ Entity int }
		if err := c.Call(t.Context(), "scene.createEntity", nil, &wrong); err == nil || !strings.Contains(err.Error(), "the result of scene.createEntity") {
			t.Errorf("Call into the wrong type: %v", err)
		}
		for _, out := range []any{made, (*size)(nil)} {
			if err := c.Call(t.Context(), "not.made", nil, out); err == nil || !strings.Contains(err.Error(), "goes into a pointer") {
				t.Errorf("Call into %#v: %v, want that it is no pointer", out, err)
			}
		}
		var refused *client.Error
		err = c.Call(t.Context(), "scene.destroyEntity", nil, nil)
		if !errors.As(err, &refused) {
			t.Fatalf("Call: %v, want a *client.Error", err)
		}
		want := &client.Error{
			Code: client.CodeForbidden, Reason: "forbidden", Message: "missing permission: scene.write",
			Data:     json.RawMessage(`{"success":false,"error":{"code":"forbidden","message":"missing permission: scene.write"},"metadata":{"executionTimeMs":0.5,"eventsEmitted":["evt_3"],"intent":4}}`),
			Metadata: client.Metadata{ExecutionTimeMs: 0.5, EventsEmitted: []string{"evt_3"}, Intent: 4},
		}
		if diff := cmp.Diff(want, refused); diff != "" {
			t.Errorf("the refusal (-want +got):\n%s", diff)
		}
	})
}

// Any number of goroutines call at once, and each gets its own answer.
func TestConcurrentCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := serve(t)
		var (
			held    []string
			answers = func(s *session, id, params json.RawMessage) {
				held = append(held, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"success":true,"result":%s}}`, id, params))
				if len(held) < 10 {
					return
				}
				slices.Reverse(held)
				for _, text := range held {
					s.send("%s", text)
				}
				held = nil
			}
		)
		f.answer(t, script{"echo": answers})
		c := f.dial(t, func(o *client.Options) { o.MaxCalls = 10 })
		var calls sync.WaitGroup
		for i := range 200 {
			calls.Go(func() {
				var out struct{ Arguments struct{ N int } }
				if err := c.Call(t.Context(), "echo", map[string]int{"n": i}, &out); err != nil || out.Arguments.N != i {
					t.Errorf("call %d: got %d, %v", i, out.Arguments.N, err)
				}
			})
		}
		calls.Wait()
	})
}

// Messages of every length about those at which frames change their form arrive whole.
func TestLengths(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := serve(t)
		f.answer(t, script{"echo": func(s *session, id, params json.RawMessage) {
			s.send(`{"jsonrpc":"2.0","id":%s,"result":{"success":true,"result":%s}}`, id, params)
		}})
		c := f.dial(t)
		for _, about := range []int{0, 1<<16 - 120} {
			for n := about; n < about+60; n++ {
				text := strings.Repeat("x", n)
				var out struct{ Arguments struct{ Text string } }
				if err := c.Call(t.Context(), "echo", map[string]string{"text": text}, &out); err != nil || out.Arguments.Text != text {
					t.Fatalf("%d bytes: %d came back, %v", n, len(out.Arguments.Text), err)
				}
			}
		}
	})
}

// pause has the server read nothing from a call of block on, until what is returned is closed. No call of scene.createEntity may
// reach it.
func (f *fake) pause(t *testing.T) (block chan struct{}) {
	t.Helper()
	block = make(chan struct{})
	f.answer(t, script{
		"block":              func(*session, json.RawMessage, json.RawMessage) { <-block },
		"scene.createEntity": func(*session, json.RawMessage, json.RawMessage) { t.Error("a call that was given up was made") },
	})
	return block
}

// A server that reads nothing: calls that are given up are not sent later, nobody waits longer than he
// wants to, and the connection is given up for another.
func TestServerThatReadsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := serve(t)
		block := f.pause(t)
		lost := make(chan error, 10)
		c := f.dial(t, func(o *client.Options) { o.OnState = func(err error) { lost <- err } })
		short := func() context.Context {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			t.Cleanup(cancel)
			return ctx
		}
		_ = c.Call(short(), "block", nil, nil) // the cancellation is stuck
		for range 3 {
			if err := c.Call(short(), "scene.createEntity", nil, nil); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("Call: %v, want it to have waited in vain", err)
			}
		}
		if err := c.Ping(t.Context()); err != nil { // waits for the next connection
			t.Errorf("Ping: %v", err)
		}
		if err := <-lost; err == nil || !strings.Contains(err.Error(), "write: ") {
			t.Errorf("the connection was lost because of %v, want a write that timed out", err)
		}
		close(block)
	})
}

// A server that reads nothing for a while: calls that are given up meanwhile are not sent later, and of its pings the newest
// is answered.
func TestServerThatPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := serve(t)
		block := f.pause(t)
		c := f.dial(t, func(*client.Options) {})
		for _, skill := range []string{"block", "scene.createEntity", "scene.createEntity"} { // the cancellation of the first is stuck
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			if err := c.Call(ctx, skill, nil, nil); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("Call: %v, want it to have waited in vain", err)
			}
			cancel()
			synctest.Wait() // until what can be written is
		}
		for n := range 100 {
			if err := f.send(websocket.PingMessage, strconv.AppendInt(nil, int64(n), 10)); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		close(block)
		if err := c.Ping(t.Context()); err != nil {
			t.Errorf("Ping: %v", err)
		}
		var pongs []string
		for _, line := range f.said() {
			if strings.Contains(line, "pong") {
				pongs = append(pongs, line)
			}
		}
		if !slices.Equal(pongs, []string{"-> (pong 99)"}) {
			t.Errorf("100 pings were answered by %q", pongs)
		}
	})
}

// severed is a connection that breaks after the first of several frames that are written at once.
type severed struct{ net.Conn }

func (c severed) Write(p []byte) (int, error) {
	first := 6 + int(p[1]&0x7f)
	if p[1]&0x7f == 126 {
		first = 8 + int(p[2])<<8 + int(p[3])
	}
	if p[0] != 0x81 || first >= len(p) {
		return c.Conn.Write(p)
	}
	n, _ := c.Conn.Write(p[:first])
	_ = c.Close()
	return n, net.ErrClosed
}

// Where a connection breaks between two requests, the one that was written as a whole is lost, since it may have been
// heard, unless its answer came first, and the other one is made on the next connection: neither is made twice.
func TestBreakBetweenRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := serve(t)
		block := make(chan struct{})
		var first, second atomic.Int64
		count := func(n *atomic.Int64) func(*session, json.RawMessage, json.RawMessage) {
			return func(s *session, id, _ json.RawMessage) {
				n.Add(1)
				s.send(`{"jsonrpc":"2.0","id":%s,"result":{"success":true}}`, id)
			}
		}
		f.answer(t, script{
			"block": func(*session, json.RawMessage, json.RawMessage) { <-block },
			"first": count(&first), "second": count(&second),
		})
		c := f.dial(t, func(o *client.Options) {
			o.NetDial = func(ctx context.Context, _, _ string) (net.Conn, error) {
				conn, err := f.listener.Dial(ctx)
				return severed{conn}, err
			}
		})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_ = c.Call(ctx, "block", nil, nil) // the cancellation is stuck, and what follows behind it
		synctest.Wait()
		var lost, made error
		var calls sync.WaitGroup
		calls.Go(func() { lost = c.Call(t.Context(), "first", nil, nil) })
		synctest.Wait()
		calls.Go(func() { made = c.Call(t.Context(), "second", nil, nil) })
		synctest.Wait()
		close(block)
		calls.Wait()
		answered := lost == nil && first.Load() == 1
		if !answered && !errors.Is(lost, client.ErrLost) || made != nil || first.Load() > 1 || second.Load() != 1 {
			t.Errorf("the first was made %d times (%v), the second %d times (%v)", first.Load(), lost, second.Load(), made)
		}
	})
}

// Close is bounded, whatever the server does.
func TestCloseWithoutServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := serve(t)
		stuck := make(chan struct{})
		f.answer(t, script{"block": func(*session, json.RawMessage, json.RawMessage) { <-stuck }})
		c := f.dial(t)
		go func() { _ = c.Call(t.Context(), "block", nil, nil) }()
		synctest.Wait()
		begun := time.Now()
		c.Close()
		c.Close()
		if took := time.Since(begun); took > 2*time.Second {
			t.Errorf("Close took %v", took)
		}
		select {
		case <-c.Done():
		default:
			t.Error("Done is not closed")
		}
		if err := c.Err(); !errors.Is(err, client.ErrClosed) {
			t.Errorf("Err: %v", err)
		}
		close(stuck)
	})
}

// TestPauses: who says only how long a pause is at most, or at least, gets no others.
func TestPauses(t *testing.T) {
	for _, tt := range []struct {
		backoff client.Backoff
		want    []string // when the first attempts are
	}{
		{client.Backoff{}, []string{"100ms", "300ms", "700ms", "1.5s"}},
		{client.Backoff{Max: 20 * time.Millisecond}, []string{"20ms", "40ms", "60ms", "80ms"}},
		{client.Backoff{Max: 150 * time.Millisecond}, []string{"100ms", "250ms", "400ms", "550ms"}},
		{client.Backoff{Min: 20 * time.Second}, []string{"20s", "40s", "1m0s", "1m20s"}},
		{client.Backoff{Min: time.Second, Max: 10 * time.Millisecond}, []string{"1s", "2s", "3s", "4s"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			var attempts []string
			f := serve(t)
			f.answer(t, nil)
			c := f.dial(t, func(o *client.Options) {
				dialOnce(o, func(after time.Duration) { attempts = append(attempts, after.Round(time.Millisecond).String()) })
				o.Backoff = tt.backoff
				o.Backoff.Jitter = func() float64 { return 1 }
			})
			time.Sleep(time.Nanosecond)
			f.cut()
			<-c.Done()
			if diff := cmp.Diff(tt.want, attempts[:min(len(attempts), len(tt.want))]); diff != "" {
				t.Errorf("%+v: attempts (-want +got):\n%s", tt.backoff, diff)
			}
		})
	}
}

// dialOnce lets a client connect now, and never again; failed is told when it tries.
func dialOnce(o *client.Options, failed func(after time.Duration)) {
	dial, begun := o.NetDial, time.Now()
	o.NetDial = func(ctx context.Context, network, address string) (net.Conn, error) {
		if time.Since(begun) == 0 {
			return dial(ctx, network, address)
		}
		failed(time.Since(begun))
		return nil, io.ErrUnexpectedEOF
	}
}

// Jitter spreads the attempts of clients that lost their server together.
func TestJitter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var (
			attempts []time.Duration
			jitter   = []float64{0, 1, 0.5, 0, 1}
		)
		f := serve(t)
		f.answer(t, nil)
		c := f.dial(t, func(o *client.Options) {
			dialOnce(o, func(after time.Duration) { attempts = append(attempts, after) })
			o.Backoff = client.Backoff{Min: time.Second, Max: 4 * time.Second, GiveUp: 14 * time.Second, Jitter: func() float64 {
				x := jitter[0]
				jitter = append(jitter[1:], x)
				return x
			}}
		})
		time.Sleep(time.Nanosecond)
		f.cut()
		<-c.Done()
		var got []string
		for _, d := range attempts {
			got = append(got, d.Round(time.Millisecond).String())
		}
		if diff := cmp.Diff([]string{"500ms", "2.5s", "5.5s", "7.5s", "11.5s", "13.5s"}, got); diff != "" {
			t.Errorf("attempts (-want +got):\n%s", diff)
		}
	})
}
