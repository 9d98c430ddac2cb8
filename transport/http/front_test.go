package httpmcp_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/registry"
	httpmcp "github.com/limina-mcp/limina/transport/http"
	"github.com/limina-mcp/limina/transport/memnet"
)

// caller is a client that says to the byte what goes over its connection.
type caller struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
	head string // of its requests, but for their length
}

func dial(t *testing.T, l *memnet.Listener) *caller {
	t.Helper()
	conn, err := l.Dial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return &caller{t, conn, bufio.NewReader(conn), "POST /mcp HTTP/1.1\r\nHost: limina\r\nContent-Type: application/json\r\n"}
}

// request is a request that brings a message.
func (c *caller) request(message string) string {
	return fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", c.head, len(message), message)
}

// send writes, and does not wait until it has been read.
func (c *caller) send(texts ...string) {
	go func() {
		for _, text := range texts {
			_, _ = io.WriteString(c.conn, text)
		}
	}()
}

// answer reads the next answer.
func (c *caller) answer() (status int, body string, h http.Header) {
	c.t.Helper()
	answer, err := http.ReadResponse(c.in, nil)
	if err != nil {
		c.t.Errorf("instead of an answer: %v", err)
		return 0, "", nil
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	return answer.StatusCode, string(text), answer.Header
}

// ended returns when the connection is over and how long that took.
func (c *caller) ended() time.Duration {
	began := time.Now()
	_, _ = io.Copy(io.Discard, c.in)
	return time.Since(began)
}

const open = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}`

// inSession opens a session, in which the caller's requests are from then on.
func (c *caller) inSession() *caller {
	c.t.Helper()
	c.send(c.request(open))
	_, _, h := c.answer()
	c.head += "Mcp-Session-Id: " + h.Get("Mcp-Session-Id") + "\r\n"
	return c
}

func echo(id int, text string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"demo_echo","arguments":{"text":%q}}}`, id, text)
}

func slow(seconds int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo_work","arguments":{"seconds":%d}}}`, seconds)
}

// A Front answers what comes in one piece, in several, or together; what is not plain net/http answers, and
// all that comes after it on the connection.
func TestFront(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := serve(t, httpmcp.Options{})
		c := dial(t, r.listener).inSession()
		plain := uint64(1)
		check := func(what string, id int, text string, by uint64) {
			t.Helper()
			status, body, h := c.answer()
			if status != 200 || !strings.Contains(body, fmt.Sprintf(`"id":%d,`, id)) || !strings.Contains(body, `"text":"`+text+`"`) {
				t.Errorf("%s: %d %.200s", what, status, body)
			}
			if at, err := http.ParseTime(h.Get("Date")); err != nil || at.Unix() != time.Now().Unix() {
				t.Errorf("%s: Date: %s, and it is %v", what, h.Get("Date"), time.Now())
			}
			synctest.Wait()
			plain += by
			if got := r.endpoint.Stats().Plain; got != plain {
				t.Errorf("%s: a Front has answered %d requests, want %d", what, got, plain)
			}
		}
		c.send(c.request(echo(1, "one")))
		check("a call", 1, "one", 1)
		c.send(c.request(echo(2, "longer")) + c.request(echo(3, "")))
		check("the first of two", 2, "longer", 2)
		check("the second", 3, "", 0)
		time.Sleep(2 * time.Second)
		whole := c.request(echo(4, "halves"))
		c.send(whole[:len(whole)-20], whole[len(whole)-20:])
		check("a body in two pieces", 4, "halves", 1)
		long := strings.Repeat("x", 60<<10)
		c.send(c.request(echo(5, long)))
		check("a long body", 5, long, 1)
		c.send(c.request(echo(5, "first")), "\r\n", "\n"+c.request(echo(5, "line ends in between")))
		check("before line ends", 5, "first", 2)
		check("after line ends", 5, "line ends in between", 0)
		c.head = strings.Replace(c.head, "limina", "other", 1)
		c.send(c.request(echo(6, "host")))
		check("another head", 6, "host", 1)
		c.send(c.request(slow(3)))
		if _, body, h := c.answer(); h.Get("Content-Type") != "text/event-stream" || !strings.Contains(body, `"id":1,"result"`) {
			t.Errorf("a call that takes time: %v %s", h, body)
		}
		c.send(c.request(echo(7, "after")))
		check("after a stream", 7, "after", 0)

		for _, tt := range []struct{ what, instead, of string }{
			{"a length with a zero before it", "Content-Length: 0", "Content-Length: "},
			{"a header in two lines", "Accept: */*\r\n ,text/*\r\nContent-", "Content-"},
			{"a header with a tab", "Accept:\t*/*\r\nContent-", "Content-"},
			{"a header of a browser's", "Origin: http://limina\r\nContent-", "Content-"},
			{"another way to write the path", "/mcp? HTTP", "/mcp HTTP"},
		} {
			c = dial(t, r.listener).inSession()
			plain++
			c.send(strings.Replace(c.request(echo(8, "odd")), tt.of, tt.instead, 1))
			check(tt.what, 8, "odd", 0)
		}
		c = dial(t, r.listener).inSession()
		plain++
		c.send(c.request(echo(9, long+long)))
		check("a body that is too long", 9, long+long, 0)
	})
}

// On a socket of the kernel's, on which a quick client is looked for before it is waited for, everything is answered
// in its order, whatever comes at once and however the connection ends.
func TestFrontOnSockets(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	e := httpmcp.New(quiet(t), httpmcp.Options{})
	f := e.Front(l, httpmcp.FrontOptions{Admit: func(*http.Request) (mcp.Peer, bool) { return mcp.Peer{}, true }})
	h := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { e.Serve(w, r, mcp.Peer{}) }), ConnContext: e.ConnContext}
	go func() { _ = h.Serve(f) }()
	var calling, clients sync.WaitGroup
	calling.Add(3)
	for n := range 3 {
		clients.Go(func() {
			called := sync.OnceFunc(calling.Done)
			defer called()
			conn, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			c := (&caller{t, conn, bufio.NewReader(conn), "POST /mcp HTTP/1.1\r\nHost: limina\r\nContent-Type: application/json\r\n"}).inSession()
			for i := range 300 {
				text := strings.Repeat("x", i*n)
				request, times := c.request(echo(i, text)), 1+i%50/49*2
				_, _ = io.WriteString(conn, strings.Repeat(request, times))
				for range times {
					if status, body, _ := c.answer(); status != 200 || !strings.Contains(body, fmt.Sprintf(`"id":%d,`, i)) || !strings.Contains(body, `"text":"`+text+`"`) {
						t.Errorf("call %d: %d %.100s", i, status, body)
						return
					}
				}
			}
			called()
			if n == 0 { // one leaves in the middle of a request, the others stay until they are let go
				_, _ = io.WriteString(conn, c.head)
				return
			}
			_, _ = conn.Read(make([]byte, 1))
		})
	}
	calling.Wait()
	_ = h.Shutdown(t.Context())
	f.Shutdown(t.Context())
	e.Shutdown(t.Context())
	clients.Wait()
	if s, want := e.Stats(), uint64(3*(1+300+6*2)); s.Plain != want {
		t.Errorf("a Front has answered %d requests, want %d", s.Plain, want)
	}
}

// Who says nothing, or does not read, is not waited for for ever.
func TestFrontIsNotHeldUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := serve(t, httpmcp.Options{})
		within := func(what string, took, least, most time.Duration) {
			t.Helper()
			if took < least || took > most {
				t.Errorf("%s: over after %v, want %v to %v", what, took, least, most)
			}
		}
		c := dial(t, r.listener)
		within("silence", c.ended(), 5*time.Second, 5*time.Second)

		c = dial(t, r.listener).inSession()
		for range 20 {
			time.Sleep(25 * time.Second)
			c.send(c.request(echo(1, "still here")))
			if status, body, _ := c.answer(); status != 200 {
				t.Fatalf("%d %s", status, body)
			}
		}
		within("idle", c.ended(), 30*time.Second, 40*time.Second)

		c = dial(t, r.listener).inSession()
		c.send(c.request(echo(1, "does not read")))
		time.Sleep(41 * time.Second)
		within("an answer that is not read", c.ended(), 0, 0)

		c = dial(t, r.listener).inSession()
		whole := c.request(echo(1, "is not all said"))
		c.send(whole[:len(whole)-5])
		began := time.Now()
		if status, body, _ := c.answer(); status != 400 || !strings.Contains(body, "the body did not arrive") {
			t.Errorf("half a body: %d %s", status, body)
		}
		within("half a body", time.Since(began), time.Minute, time.Minute+time.Second)
	})
}

// When a Front is shut down who is idle goes at once, and who is being answered has the answer first.
func TestFrontShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core := quiet(t)
		l := memnet.Listen()
		e := httpmcp.New(core, httpmcp.Options{})
		f := e.Front(l, httpmcp.FrontOptions{Admit: func(*http.Request) (mcp.Peer, bool) { return mcp.Peer{}, true }})
		h := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { e.Serve(w, r, mcp.Peer{}) }), ConnContext: e.ConnContext}
		go func() { _ = h.Serve(f) }()
		idle, fresh, busy := dial(t, l).inSession(), dial(t, l), dial(t, l).inSession()
		busy.send(busy.request(slow(10)))
		time.Sleep(time.Second)

		began := time.Now()
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = h.Shutdown(t.Context())
			f.Shutdown(t.Context())
			e.Shutdown(t.Context())
		}()
		if took := idle.ended() + fresh.ended(); took != 0 {
			t.Errorf("the idle ones were let go after %v", took)
		}
		if status, body, _ := busy.answer(); status != 200 || !strings.Contains(body, `"id":1,"result"`) {
			t.Errorf("who was being answered: %d %s", status, body)
		}
		<-ended
		if took := time.Since(began).Round(time.Second); took != 9*time.Second && took != 10*time.Second {
			t.Errorf("shut down after %v", took)
		}
		if _, err := l.Dial(t.Context()); err == nil {
			t.Error("somebody was let in afterwards")
		}
	})
}

// What a Front has begun ends also if nobody comes to answer it.
func TestFrontWithNobodyBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := memnet.Listen()
		e := httpmcp.New(quiet(t), httpmcp.Options{})
		f := e.Front(l, httpmcp.FrontOptions{Admit: func(*http.Request) (mcp.Peer, bool) { return mcp.Peer{}, true }})
		c := dial(t, l)
		c.head += "Mcp-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: demo_work\r\n"
		c.send(c.request(strings.Replace(slow(3000), `"params":{`, `"params":{`+claim+`,`, 1)))
		time.Sleep(time.Second)
		began := time.Now()
		f.Shutdown(t.Context())
		e.Shutdown(t.Context())
		if took := time.Since(began); took != 0 || c.ended() != 0 {
			t.Errorf("it took %v to end", took)
		}
	})
}

// A call that a Front has begun ends when its client leaves, also one that waits for an answer and takes no events.
func TestFrontIsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, accept := range []string{"application/json", "application/json, text/event-stream"} {
			r := serve(t, httpmcp.Options{})
			c := dial(t, r.listener)
			c.head += "Accept: " + accept + "\r\nMcp-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: demo_work\r\n"
			c.send(c.request(strings.Replace(slow(3000), `"params":{`, `"params":{`+claim+`,`, 1)))
			time.Sleep(2 * time.Second)
			_ = c.conn.Close()
			began := time.Now()
			r.endpoint.Shutdown(t.Context())
			if took := time.Since(began); took != 0 {
				t.Errorf("Accept: %s: the call went on for %v", accept, took)
			}
		}
	})
}

// Where the handler refuses what a Front has begun, as it may when a token has been taken back in between, the next
// request of the connection has its own answer.
func TestFrontIsOverruled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := memnet.Listen()
		e := httpmcp.New(quiet(t), httpmcp.Options{})
		var revoked atomic.Bool
		f := e.Front(l, httpmcp.FrontOptions{Admit: func(r *http.Request) (mcp.Peer, bool) { return peer(r), true }})
		h := &http.Server{ConnContext: e.ConnContext, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if revoked.Load() && r.Header.Get("Authorization") == "ada" {
				http.Error(w, "the token was taken back", http.StatusUnauthorized)
				return
			}
			e.Serve(w, r, peer(r))
		})}
		go func() { _ = h.Serve(f) }()
		c := dial(t, l)
		ada, ben := *c, *c // who come by the same proxy
		ada.head += "Authorization: ada\r\n"
		ben.head += "Authorization: ben\r\n"
		ada.inSession()
		ben.inSession()
		revoked.Store(true)
		ada.send(ada.request(slow(3)))
		if status, body, _ := ada.answer(); status != http.StatusUnauthorized {
			t.Errorf("without a token: %d %s", status, body)
		}
		ben.send(ben.request(echo(7, "of his own")))
		if status, body, _ := ben.answer(); status != 200 || !strings.Contains(body, `"text":"of his own"`) {
			t.Errorf("somebody else after that: %d %s", status, body)
		}
		f.Shutdown(t.Context())
		e.Shutdown(t.Context())
		_ = h.Shutdown(t.Context())
	})
}

// A Front does as its options say.
func TestFrontOptions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := memnet.Listen()
		e := httpmcp.New(quiet(t), httpmcp.Options{})
		f := e.Front(l, httpmcp.FrontOptions{
			Path: "/world/mcp", Silent: time.Second, Idle: 3 * time.Second,
			Admit: func(*http.Request) (mcp.Peer, bool) { return mcp.Peer{}, true },
		})
		h := &http.Server{ConnContext: e.ConnContext, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) })}
		go func() { _ = h.Serve(f) }()
		if took := dial(t, l).ended(); took != time.Second {
			t.Errorf("who says nothing is let go after %v", took)
		}
		c := dial(t, l)
		c.send(c.request(open))
		if status, body, _ := c.answer(); status != http.StatusNotFound {
			t.Errorf("at /mcp: %d %s", status, body)
		}
		c = dial(t, l)
		c.head = strings.Replace(c.head, "/mcp", "/world/mcp", 1)
		c.inSession()
		c.send(c.request(echo(1, "here")))
		if status, body, _ := c.answer(); status != http.StatusOK || !strings.Contains(body, `"text":"here"`) {
			t.Errorf("at the path that was given: %d %s", status, body)
		}
		if took := c.ended(); took < 3*time.Second || took > 5*time.Second {
			t.Errorf("who says nothing more is let go after %v", took)
		}
		e.Shutdown(t.Context())
		f.Shutdown(t.Context())
		_ = h.Shutdown(t.Context())
	})
}

// Who is to be asked about requests is there, or the process would end with the first one.
func TestFrontWithoutAdmit(t *testing.T) {
	defer func() {
		if got, want := recover(), "httpmcp: Front: FrontOptions.Admit is nil"; got != want {
			t.Errorf("panicked with %v, want %s", got, want)
		}
	}()
	httpmcp.New(quiet(t), httpmcp.Options{}).Front(memnet.Listen(), httpmcp.FrontOptions{})
}

// A panic of whoever admits requests ends one connection.
func TestFrontPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := memnet.Listen()
		var log bytes.Buffer
		e := httpmcp.New(quiet(t), httpmcp.Options{Logger: zerolog.New(zerolog.SyncWriter(&log))})
		f := e.Front(l, httpmcp.FrontOptions{Admit: func(r *http.Request) (mcp.Peer, bool) {
			if r.Host == "other" {
				panic("of a test")
			}
			return mcp.Peer{}, true
		}})
		bad, good := dial(t, l), dial(t, l)
		bad.head = strings.Replace(bad.head, "limina", "other", 1)
		bad.send(bad.request(open))
		if took := bad.ended(); took != 0 {
			t.Errorf("over after %v", took)
		}
		good.inSession()
		f.Shutdown(t.Context())
		e.Shutdown(t.Context())
		if !strings.Contains(log.String(), "of a test") {
			t.Errorf("the log says %s", log.String())
		}
	})
}

// quiet is what the skills are served by, with no port yet.
func quiet(t *testing.T) *mcp.Mcp {
	t.Helper()
	reg := registry.New(registry.Options{})
	if err := reg.Register(skills(t)...); err != nil {
		t.Fatal(err)
	}
	core, err := mcp.New(reg, mcp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return core
}

// A host has a Front answer what net/http need not be asked for.
func ExampleEndpoint_Front() {
	core, err := mcp.New(registry.New(registry.Options{}), mcp.Options{Name: "demo"})
	if err != nil {
		fmt.Println(err)
		return
	}
	e := httpmcp.New(core, httpmcp.Options{})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	f := e.Front(l, httpmcp.FrontOptions{Admit: func(r *http.Request) (mcp.Peer, bool) {
		return mcp.Peer{}, strings.HasPrefix(r.Host, "127.0.0.1:") && r.Header.Get("Authorization") == ""
	}})
	h := &http.Server{
		Handler:     http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { e.Serve(w, r, mcp.Peer{}) }),
		ConnContext: e.ConnContext,
	}
	go func() { _ = h.Serve(f) }()

	answer, err := http.Post("http://"+l.Addr().String()+"/mcp", "application/json", strings.NewReader(open))
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = answer.Body.Close()
	fmt.Println(answer.Status, "by a Front:", e.Stats().Plain)
	ctx := context.Background()
	_ = h.Shutdown(ctx)
	f.Shutdown(ctx)
	e.Shutdown(ctx)
	// Output: 200 OK by a Front: 1
}
