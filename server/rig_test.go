package server_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/limina-mcp/limina/internal/leak"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/server"
	"github.com/limina-mcp/limina/transport/memnet"
)

func TestMain(m *testing.M) { leak.Main(m) }

type workIn struct {
	Seconds int  `json:"seconds" validate:"gt=0,lte=3600"`
	Deaf    bool `json:"deaf,omitempty"`
}

type echoIn struct {
	Text string `json:"text"`
}

type echoOut struct {
	Text  string `json:"text"`
	Agent string `json:"agent"`
}

// skills are what the tests serve: what a skill does is not what is tested.
func skills() []registry.Skill {
	anyone := []profiles.Permission{profiles.Anyone}
	return []registry.Skill{
		registry.Define(registry.Spec[echoIn, echoOut]{
			Name: "demo.echo", Description: "Say it again.", Permissions: anyone,
			Handle: func(c *registry.Call, in echoIn) (echoOut, error) {
				return echoOut{in.Text, c.Principal().ID}, nil
			},
		}),
		registry.Define(registry.Spec[workIn, struct{}]{
			Name: "demo.work", Description: "Take time.", Permissions: anyone, Slow: true, Timeout: time.Hour,
			Handle: func(c *registry.Call, in workIn) (out struct{}, err error) {
				done := c.Context().Done()
				if in.Deaf {
					done = nil
				}
				select {
				case <-time.After(time.Duration(in.Seconds) * time.Second):
					return out, nil
				case <-done:
					return out, context.Cause(c.Context())
				}
			},
		}),
		registry.Define(registry.Spec[struct{}, struct{}]{
			Name: "demo.ask", Description: "End as a call does whose client is asked.", Permissions: anyone, Slow: true,
			Handle: func(*registry.Call, struct{}) (struct{}, error) {
				return struct{}{}, registry.Errorf(registry.CodeInputRequired, "the client is asked")
			},
		}),
		registry.Define(registry.Spec[struct{}, struct{}]{
			Name: "demo.secret", Description: "Need a permission.", Permissions: []profiles.Permission{"trace.read"},
			Handle: func(*registry.Call, struct{}) (out struct{}, err error) { return out, nil },
		}),
	}
}

// core returns an Mcp over the skills.
func core(tb testing.TB, o mcp.Options) *mcp.Mcp {
	tb.Helper()
	return coreOf(tb, registry.Options{}, o)
}

func coreOf(tb testing.TB, of registry.Options, o mcp.Options) *mcp.Mcp {
	tb.Helper()
	reg := registry.New(of)
	if err := reg.Register(skills()...); err != nil {
		tb.Fatal(err)
	}
	m, err := mcp.New(reg, o)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// rig is a running server on a network in memory.
type rig struct {
	tb       testing.TB
	listener *memnet.Listener
	server   *server.Server
	stop     context.CancelFunc // shuts it down
	stopped  chan error         // what Run returned
}

func start(tb testing.TB, c server.Config) *rig {
	tb.Helper()
	return startOn(tb, true, c)
}

// startOn is start where others may reach it too.
func startOn(tb testing.TB, local bool, c server.Config) *rig {
	tb.Helper()
	if c.Core == nil {
		c.Core = core(tb, mcp.Options{})
	}
	l := memnet.Listen()
	s, err := server.On(l, local, c)
	if err != nil {
		tb.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &rig{tb: tb, listener: l, server: s, stop: cancel, stopped: make(chan error, 1)}
	go func() { r.stopped <- s.Run(ctx) }()
	tb.Cleanup(func() {
		cancel()
		if err := <-r.stopped; err != nil {
			tb.Errorf("Run = %v", err)
		}
		r.stopped <- nil
	})
	return r
}

// client is a WebSocket client.
type client struct {
	*websocket.Conn
	tb testing.TB
}

// dial connects; headers are names and values by turns.
func (r *rig) dial(headers ...string) *client {
	r.tb.Helper()
	c, status, _ := r.try(headers...)
	if c == nil {
		r.tb.Fatalf("dial: %d", status)
	}
	return c
}

// try is dial for somebody who may be refused: then there is no client. Status 0 is no answer.
func (r *rig) try(headers ...string) (c *client, status int, h http.Header) {
	h = http.Header{}
	url := "ws://localhost:8787/any/path"
	d := websocket.Dialer{NetDialContext: r.listener.DialContext}
	for i := 0; i+1 < len(headers); i += 2 {
		switch headers[i] {
		case "Sec-WebSocket-Protocol":
			d.Subprotocols = []string{headers[i+1]}
		case "path":
			url = "ws://localhost:8787" + headers[i+1]
		default:
			h.Set(headers[i], headers[i+1])
		}
	}
	conn, answer, err := d.DialContext(context.Background(), url, h)
	if answer != nil {
		_ = answer.Body.Close()
		status, h = answer.StatusCode, answer.Header
	}
	if err != nil {
		return nil, status, h
	}
	r.tb.Cleanup(func() { _ = conn.Close() })
	return &client{conn, r.tb}, status, h
}

const initialize = `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"agentId":"ada","sessionId":"s1","profile":"builder.readWrite"}}`

func call(id int, name, input string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, name, input)
}

func (c *client) send(text string) {
	c.tb.Helper()
	if err := c.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
		c.tb.Errorf("send: %v", err)
	}
}

func (c *client) receive() string {
	c.tb.Helper()
	_, text, err := c.ReadMessage()
	if err != nil {
		c.tb.Errorf("receive: %v", err)
	}
	return string(text)
}

// ask sends a request and returns what comes next.
func (c *client) ask(text string) string {
	c.tb.Helper()
	c.send(text)
	return c.receive()
}

// farewell reads until the close frame.
func (c *client) farewell() (code int, reason string) {
	c.tb.Helper()
	for {
		_, _, err := c.ReadMessage()
		var closed *websocket.CloseError
		if errors.As(err, &closed) {
			return closed.Code, closed.Text
		}
		if err != nil {
			c.tb.Errorf("no close frame: %v", err)
			return 0, ""
		}
	}
}

// get makes a plain request; a path may have its own host before it.
func (r *rig) get(method, target string, headers ...string) (status int, body string, h http.Header) {
	r.tb.Helper()
	conn, err := r.listener.Dial(context.Background())
	if err != nil {
		r.tb.Fatal(err)
	}
	defer conn.Close()
	host, path := "localhost:8787", target
	if at := strings.Index(target, "/"); at > 0 {
		host, path = target[:at], target[at:]
	}
	req, err := http.NewRequest(method, "http://"+host+path, nil)
	if err != nil {
		r.tb.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	req.Close = true
	go func() { _ = req.Write(conn) }()
	return read(r.tb, conn)
}

func read(tb testing.TB, conn net.Conn) (status int, body string, h http.Header) {
	tb.Helper()
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		tb.Errorf("no answer: %v", err)
		return 0, "", nil
	}
	text, _ := io.ReadAll(res.Body)
	_ = res.Body.Close()
	return res.StatusCode, string(text), res.Header
}

// since2000 is how long a bubble has existed.
func since2000() time.Duration {
	return time.Since(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))
}
