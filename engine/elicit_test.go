package engine_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/trace"
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
	var decided []string
	events, _ := e.Trace.Tail(trace.Filter{Actor: "the person at bob"})
	for _, ev := range events {
		decided = append(decided, ev.Type+" "+strings.ReplaceAll(string(ev.Payload), ev.ThreadID, "S"))
	}
	want := []string{
		`approval.granted {"approvalId":"apr_1","skill":"scene.createEntity","agentId":"bob","sessionId":"S","profile":"builder.review","outcome":"applied","events":["evt_1"],"answer":{"entity":"ent_0"}}`,
		`approval.denied {"approvalId":"apr_2","skill":"scene.createEntity","agentId":"bob","sessionId":"S","profile":"builder.review","outcome":"dropped"}`,
	}
	if diff := cmp.Diff(want, decided); diff != "" {
		t.Errorf("what he has decided (-want +got):\n%s", diff)
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
	const asked = `{"approvalId":"apr_1"}`
	held := <-send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"scene_createEntity","arguments":{}}}`)
	if !strings.Contains(held, "approval_mine "+strings.ReplaceAll(asked, `"`, `\"`)+" tells later") {
		t.Errorf("held: %s", held)
	}
	mine := func() string {
		return <-send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"approval_mine","arguments":` + asked + `}}`)
	}
	outcome := func() string {
		return <-send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"audit_query","arguments":{"cap":"scene.createEntity"}}}`)
	}
	if got := mine(); !strings.Contains(got, `"structuredContent":{"pending":[{"approvalId":"apr_1",`) {
		t.Errorf("before: %s", got)
	}
	if got := outcome(); !strings.Contains(got, `"allowed":0,"denied":1,`) {
		t.Errorf("before: %s", got)
	}
	if granted := e.Mcp.CallTool(t.Context(), reviewer, mcp.Request{Tool: "approval.grant", Input: []byte(`{"approvalId":"apr_1"}`)}); !granted.Success {
		t.Fatalf("approval.grant: %+v", granted.Error)
	}
	if got := outcome(); !strings.Contains(got, `"allowed":1,"denied":1,`) || !strings.Contains(got, `held for a reviewer as apr_1; granted, and done`) {
		t.Errorf("after: %s", got)
	}
	if got := mine(); !strings.Contains(got, `"structuredContent":{"pending":[],"decided":[{"approvalId":"apr_1","skill":"scene.createEntity","outcome":"applied","by":"rita","answer":{`) {
		t.Errorf("after: %s", got)
	}

	// What was denied, or failed, leaves nothing else that he may see.
	<-send(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"scene_createEntity","arguments":{"material":"gold"}}}`)
	<-send(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"scene_createEntity","arguments":{"material":"cheese"}}}`)
	<-send(`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"scene_createEntity","arguments":{"material":"wood"}}}`)
	<-send(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"scene_createEntity","arguments":{"material":"brick"}}}`)
	for skill, input := range map[string]string{"approval.deny": `{"approvalId":"apr_2","reason":"too dear"}`, "approval.grant": `{"approvalId":"apr_3"}`} {
		if decided := e.Mcp.CallTool(t.Context(), reviewer, mcp.Request{Tool: skill, Input: []byte(input)}); !decided.Success {
			t.Fatalf("%s: %+v", skill, decided.Error)
		}
	}
	if denied := e.Mcp.CallTool(t.Context(), reviewer, mcp.Request{Tool: "approval.deny", Input: []byte(`{"approvalId":"apr_4"}`)}); !denied.Success {
		t.Fatalf("approval.deny: %+v", denied.Error)
	}
	got := outcome()
	for _, want := range []string{
		`"held for a reviewer as apr_2; denied: too dear"`,
		`"held for a reviewer as apr_3; granted, and failed: invalid_input: material: unknown material`,
		`"held for a reviewer as apr_4; denied"`,
		`"held for a reviewer as apr_5"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	events, _ := e.Trace.Tail(trace.Filter{Type: registry.EventHeld, Limit: 2})
	explained := <-send(`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"audit_explain","arguments":{"eventId":"` + events[1].ID.String() + `"}}}`)
	if !strings.Contains(explained, "apr_2; denied: too dear") {
		t.Errorf("explained: %s", explained)
	}
}
