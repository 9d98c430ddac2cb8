package httpmcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/limina-mcp/limina/internal/mcpfuzz"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/registry/raw"
	"github.com/limina-mcp/limina/statesync"
	httpmcp "github.com/limina-mcp/limina/transport/http"
	"github.com/limina-mcp/limina/transport/memnet"
)

type echoIn struct {
	Text string `json:"text" jsonschema_description:"What to say."`
}

type echoOut struct {
	Text string `json:"text" jsonschema_description:"What was said."`
}

type workIn struct {
	Seconds int `json:"seconds" validate:"gt=0,lte=3600" jsonschema_description:"How long."`
}

type none struct{}

// work takes its time, tells of its progress each second and heeds its context.
func work(c *registry.Call, in workIn) (none, error) {
	for i := range in.Seconds {
		select {
		case <-time.After(time.Second):
			c.Progress(float64(i+1), float64(in.Seconds), "")
		case <-c.Context().Done():
			return none{}, context.Cause(c.Context())
		}
	}
	return none{}, nil
}

// skills are what the tests serve: what a skill does is not what is tested.
func skills(tb testing.TB) []registry.Skill {
	tb.Helper()
	anyone := []profiles.Permission{profiles.Anyone}
	headed, err := raw.Define(registry.RawSpec{
		Name: "demo.headed", Description: "Take arguments that come as headers too.", Permissions: anyone,
		InputSchema: []byte(`{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},"shard":{"type":"integer","x-mcp-header":"Shard"},` +
			`"deep":{"type":"object","properties":{"dry":{"type":"boolean","x-mcp-header":"Dry"}}}}}`),
		Handle: func(*registry.Call, json.RawMessage) (json.RawMessage, error) { return []byte(`{}`), nil },
	})
	if err != nil {
		tb.Fatal(err)
	}
	return []registry.Skill{
		registry.Define(registry.Spec[echoIn, echoOut]{
			Name: "demo.echo", Description: "Say it again.", Permissions: anyone, Published: true,
			Handle: func(_ *registry.Call, in echoIn) (echoOut, error) { return echoOut(in), nil },
		}),
		registry.Define(registry.Spec[workIn, none]{
			Name: "demo.work", Description: "Take time.", Permissions: anyone, Slow: true, Timeout: 2 * time.Hour, Handle: work,
		}),
		registry.Define(registry.Spec[none, echoOut]{
			Name: "demo.ask", Description: "Ask who is there.", Permissions: anyone, Slow: true,
			Handle: func(c *registry.Call, _ none) (out echoOut, err error) {
				said, err := c.Elicit(whom)
				return echoOut{string(said.Action) + " " + string(said.Content)}, err
			},
		}),
		headed,
	}
}

// whom is what a skill and a prompt ask.
var whom = registry.Elicitation{Message: "Who is there?", Schema: []byte(`{"type":"object","properties":{"who":{"type":"string"}},"required":["who"]}`)}

// bell is a resource that changes when a test rings it, and a prompt that asks.
type bell struct {
	mu       sync.Mutex // guards watching
	watching map[int]func()
	seq      int
}

// offer registers both.
func (b *bell) offer(tb testing.TB, reg *registry.Registry) {
	tb.Helper()
	anyone := []profiles.Permission{profiles.Anyone}
	b.watching = map[int]func(){}
	err := errors.Join(
		reg.Resources().Register(registry.DefineResource(registry.ResourceSpec{
			URI: "test://bell", Name: "bell", Description: "A bell.", MIMEType: "text/plain", Permissions: anyone, Watch: b.watch,
			Read: func(_ *registry.Call, at registry.Place) ([]registry.Contents, error) {
				return []registry.Contents{{URI: at.URI, MIMEType: "text/plain", Text: "ding"}}, nil
			},
		})),
		reg.Prompts().Register(registry.DefinePrompt(registry.PromptSpec{
			Name: "ask", Description: "Ask who it is for.", Permissions: anyone, Slow: true,
			Get: func(c *registry.Call, _ map[string]string) (registry.Prompted, error) {
				said, err := c.Elicit(whom)
				return registry.Prompted{Messages: []registry.Message{{Role: registry.User, Content: registry.Text("For " + string(said.Content))}}}, err
			},
		})),
	)
	if err != nil {
		tb.Fatal(err)
	}
}

func (b *bell) watch(_ registry.Place, changed func()) (stop func(), err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.seq++
	n := b.seq
	b.watching[n] = changed
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.watching, n)
	}, nil
}

func (b *bell) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, changed := range b.watching {
		changed()
	}
}

// peer is who a request's token says.
func peer(r *http.Request) (p mcp.Peer) {
	if token := r.Header.Get("Authorization"); token != "" {
		p.Credential = &mcp.Credential{Principal: token, Profiles: []string{"builder.readWrite"}}
	}
	return p
}

// rig is an endpoint that is served on a network in memory.
type rig struct {
	tb       testing.TB
	core     *mcp.Mcp
	bell     *bell
	endpoint *httpmcp.Endpoint
	listener *memnet.Listener
	client   *http.Client
}

// panics fails the test when net/http logs one.
type panics struct{ tb testing.TB }

func (p panics) Write(text []byte) (int, error) {
	if bytes.Contains(text, []byte("panic")) {
		p.tb.Errorf("%s", text)
	}
	return len(text), nil
}

// serve serves an endpoint for the time of a test, behind a Front. Its peer is who the token of a request says.
func serve(tb testing.TB, o httpmcp.Options) *rig {
	tb.Helper()
	return serveOn(tb, o, true)
}

// serveOn is serve, behind a Front or by net/http alone.
func serveOn(tb testing.TB, o httpmcp.Options, fronted bool) *rig {
	tb.Helper()
	return serveState(tb, o, fronted, nil)
}

// serveState is serveOn with the state of a world; nil: without.
func serveState(tb testing.TB, o httpmcp.Options, fronted bool, state *statesync.Hub) *rig {
	tb.Helper()
	reg := registry.New(registry.Options{})
	if err := reg.Register(skills(tb)...); err != nil {
		tb.Fatal(err)
	}
	b := new(bell)
	b.offer(tb, reg)
	core, err := mcp.New(reg, mcp.Options{Instructions: "Build.", Logger: mcpfuzz.Logger(tb), State: state})
	if err != nil {
		tb.Fatal(err)
	}
	e := httpmcp.New(core, o)
	l := memnet.Listen()
	h := &http.Server{
		Handler:     http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { e.Serve(w, r, peer(r)) }),
		ErrorLog:    log.New(panics{tb}, "", 0),
		ConnContext: e.ConnContext,
	}
	var behind net.Listener = l
	end := func(context.Context) {}
	if fronted {
		f := e.Front(l, httpmcp.FrontOptions{Admit: func(r *http.Request) (mcp.Peer, bool) { return peer(r), true }})
		behind, end = f, f.Shutdown
	}
	transport := &http.Transport{DialContext: l.DialContext}
	ctx, cancel := context.WithCancel(context.Background())
	running := make(chan struct{})
	go func() { defer close(running); e.Run(ctx) }()
	served := make(chan error, 1)
	go func() { served <- h.Serve(behind) }()
	tb.Cleanup(func() {
		cancel()
		<-running
		transport.CloseIdleConnections()
		patience, done := context.WithTimeout(context.Background(), time.Second)
		defer done()
		e.Shutdown(patience)
		_ = h.Close()
		<-served
		end(patience)
	})
	return &rig{tb: tb, core: core, bell: b, endpoint: e, listener: l, client: &http.Client{Transport: transport}}
}
