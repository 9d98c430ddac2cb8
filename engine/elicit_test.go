package engine_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
)

// heard hands on what a peer is told, and what it is answered.
type heard chan string

func (h heard) Tell(text []byte) bool {
	h <- string(text)
	return true
}

func (h heard) Answer(text []byte, _ int) { h <- string(text) }

// linked connects a peer. What it returns sends a message, and returns where its answer is heard.
func linked(t *testing.T, e *engine.Engine) (send func(text string) heard) {
	t.Helper()
	l := e.Mcp.Link(t.Context(), mcp.Peer{}, nil)
	t.Cleanup(func() { _ = l.Close() })
	return func(text string) heard {
		way := make(heard, 8)
		var o mcp.Outline
		o.Read([]byte(text))
		l.Deliver(&o, way)
		return way
	}
}

// TestElicit holds that the person at a standard client may decide on a held call if the Config says
// so, that the commit is then the caller's, and that without it nobody is asked.
func TestElicit(t *testing.T) {
	const (
		hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"bob","version":"1"}}}`
		box   = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"scene_createEntity","arguments":{}}}`
		yes   = `{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"approve":true}}}`
		no    = `{"jsonrpc":"2.0","id":2,"result":{"action":"decline"}}`
	)
	start := func(elicit bool) (*engine.Engine, func(text string) heard) {
		e, err := engine.New(engine.Config{Rigid: true, Elicit: elicit, Review: []string{"builder.review"}, MCP: mcp.Options{Profile: "builder.review"}})
		if err != nil {
			t.Fatal(err)
		}
		send := linked(t, e)
		<-send(hello)
		return e, send
	}

	e, send := start(true)
	call := send(box)
	if asked := <-call; !strings.Contains(asked, "elicitation/create") || !strings.Contains(asked, "bob wants to call scene.createEntity") {
		t.Fatalf("asked: %s", asked)
	}
	if n := e.World.Tick(); n != 0 {
		t.Errorf("a held call made commit %d", n)
	}
	send(yes)
	if got := <-call; !strings.Contains(got, `"entity":"ent_0"`) {
		t.Errorf("approved: %s", got)
	}
	if n := e.World.Tick(); n != 1 {
		t.Errorf("an approved call: commit %d, want 1", n)
	}
	call = send(box)
	<-call
	send(no)
	if got := <-call; !strings.Contains(got, "forbidden: the person at bob did not approve") {
		t.Errorf("declined: %s", got)
	}
	if held := e.Approval.List(); len(held) != 0 {
		t.Errorf("still held: %v", held)
	}

	e, send = start(false)
	if got := <-send(box); !strings.Contains(got, "pending_approval: apr_1") {
		t.Errorf("without it: %s", got)
	}
	if held := e.Approval.List(); len(held) != 1 || held[0].Principal.Kind != profiles.KindExternal {
		t.Errorf("held: %v", held)
	}
}

// TestHeldIsToldLater holds that the call which a held call's answer names tells what came of it.
func TestHeldIsToldLater(t *testing.T) {
	e, err := engine.New(engine.Config{Rigid: true, Review: []string{"builder.review"}, MCP: mcp.Options{Profile: "builder.review"}})
	if err != nil {
		t.Fatal(err)
	}
	reviewer, err := e.Mcp.Open(mcp.Identity{AgentID: "rita", SessionID: "s2", Profile: "reviewer", Kind: profiles.KindOperator})
	if err != nil {
		t.Fatal(err)
	}
	send := linked(t, e)
	<-send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bob","version":"1"}}}`)
	const asked = `{"cap":"scene.createEntity"}`
	held := <-send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"scene_createEntity","arguments":{}}}`)
	if !strings.Contains(held, "audit_query "+strings.ReplaceAll(asked, `"`, `\"`)+" tells later") {
		t.Errorf("held: %s", held)
	}
	outcome := func() string {
		return <-send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"audit_query","arguments":` + asked + `}}`)
	}
	if got := outcome(); !strings.Contains(got, `"allowed":0,"denied":1,`) {
		t.Errorf("before: %s", got)
	}
	if granted := e.Mcp.CallTool(t.Context(), reviewer, mcp.Request{Tool: "approval.grant", Input: []byte(`{"approvalId":"apr_1"}`)}); !granted.Success {
		t.Fatalf("approval.grant: %+v", granted.Error)
	}
	if got := outcome(); !strings.Contains(got, `"allowed":1,"denied":1,`) {
		t.Errorf("after: %s", got)
	}
}
