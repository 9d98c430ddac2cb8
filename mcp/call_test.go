package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/trace"
)

func TestCallTool(t *testing.T) {
	core := newCore(t, mcp.Options{})
	s := open(t, core, "player.limited")
	for _, tt := range []struct {
		name string
		req  mcp.Request
		want mcp.Response
	}{
		{
			"attribution is the session's",
			mcp.Request{
				Tool: "demo.echo", Input: json.RawMessage(`{"text":"hi"}`),
				Context: &mcp.Context{AgentID: "eve", SessionID: "other", PreviousResults: json.RawMessage(`[1,{"a":2}]`)},
			},
			mcp.Response{Success: true, Result: json.RawMessage(
				`{"text":"hi","agent":"ada","session":"ses-player.limited","previous":{"results":[1,{"a":2}]}}`)},
		},
		{
			"the published name",
			mcp.Request{Tool: "skills_search"},
			mcp.Response{Success: true, Result: json.RawMessage(`{}`)},
		},
		{
			"a permission that is missing",
			mcp.Request{Tool: "scene.createEntity"},
			mcp.Response{Error: &registry.Error{Code: registry.CodeForbidden, Message: "missing permission: scene.write"}},
		},
		{
			"an unknown skill",
			mcp.Request{Tool: "demo.ecko"},
			mcp.Response{Error: &registry.Error{Code: registry.CodeNotFound, Message: "unknown skill: demo.ecko. Nearest: demo.echo"}},
		},
		{
			"input that is no JSON",
			mcp.Request{Tool: "skills.search", Input: json.RawMessage(`{"a"`)},
			mcp.Response{Error: &registry.Error{Code: registry.CodeInvalidInput}},
		},
		{
			"a panic",
			mcp.Request{Tool: "demo.fail", Input: json.RawMessage(`{"how":"panic"}`)},
			mcp.Response{Error: &registry.Error{Code: registry.CodeHandlerError, Internal: true}},
		},
	} {
		got := core.CallTool(t.Context(), s, tt.req)
		if got.Metadata == nil || len(got.Metadata.EventsEmitted) != 1 || got.Metadata.Intent == 0 || got.Metadata.ExecutionTimeMs < 0 {
			t.Errorf("%s: metadata %+v, want one event and an intent", tt.name, got.Metadata)
		}
		got.Metadata = nil
		if tt.want.Error != nil && tt.want.Error.Message == "" && got.Error != nil {
			tt.want.Error.Message = got.Error.Message
		}
		if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreFields(registry.Error{}, "Skill", "Problems", "Asked", "Near", "Missing", "Cause")); diff != "" {
			t.Errorf("%s: CallTool (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestCallWithoutSession(t *testing.T) {
	core := newCore(t, mcp.Options{})
	closed := open(t, core, "player.limited")
	closed.Close()
	want := mcp.Response{Error: &registry.Error{Code: registry.CodeForbidden, Message: "MCP session is not initialized"}}
	for name, s := range map[string]*mcp.Session{"none": nil, "closed": closed} {
		req := mcp.Request{Tool: "demo.echo", Context: &mcp.Context{AgentID: "ada", SessionID: "s"}}
		for method, call := range map[string]func(context.Context, *mcp.Session, mcp.Request) mcp.Response{
			"CallTool": core.CallTool, "CallToolInternal": core.CallToolInternal,
		} {
			if diff := cmp.Diff(want, call(t.Context(), s, req)); diff != "" {
				t.Errorf("%s, session %s (-want +got):\n%s", method, name, diff)
			}
		}
		text := string(core.AppendCall(t.Context(), s, "demo.echo", nil, []byte("> ")))
		if text != `> {"success":false,"error":{"code":"forbidden","message":"MCP session is not initialized"}}` {
			t.Errorf("AppendCall, session %s: %s", name, text)
		}
		if _, err := mcp.Invoke[echoIn, echoOut](t.Context(), core, s, "demo.echo", echoIn{}); err == nil || err.Error() != "MCP session is not initialized" {
			t.Errorf("Invoke, session %s: %v", name, err)
		}
	}
}

// A response has the form of the contract when it is marshalled.
func TestResponseJSON(t *testing.T) {
	for _, tt := range []struct {
		r    mcp.Response
		want string
	}{
		{
			mcp.Response{Success: true, Result: json.RawMessage(`{"a":1}`), Metadata: &mcp.Metadata{ExecutionTimeMs: 0.5, EventsEmitted: []trace.ID{8}, Intent: 3}},
			`{"success":true,"result":{"a":1},"metadata":{"executionTimeMs":0.5,"eventsEmitted":["evt_7"],"intent":3}}`,
		},
		{
			mcp.Response{Error: registry.Errorf(registry.CodePendingApproval, "apr_1")},
			`{"success":false,"error":{"code":"pending_approval","message":"apr_1"}}`,
		},
		{
			mcp.Response{Success: true, Result: json.RawMessage(`{}`), Content: mcp.Content{registry.Text("a"), registry.Embed(registry.Contents{URI: "test://a"})}},
			`{"success":true,"result":{},"content":[{"type":"text","text":"a"},{"type":"resource","resource":{"uri":"test://a","text":""}}]}`,
		},
	} {
		if got, err := json.Marshal(tt.r); err != nil || string(got) != tt.want {
			t.Errorf("%+v: %s, %v; want %s", tt.r, got, err, tt.want)
		}
	}
}

func TestCallToolInternal(t *testing.T) {
	core := newCore(t, mcp.Options{})
	s := open(t, core, "player.limited")
	input := json.RawMessage(`{"text":"x"}`)
	for _, tt := range []struct {
		name string
		ctx  *mcp.Context
		want echoOut
	}{
		{"agent and session", &mcp.Context{AgentID: "npc", SessionID: "game"}, echoOut{Agent: "npc", Session: "game"}},
		{"the agent only", &mcp.Context{AgentID: "npc"}, echoOut{Agent: "npc", Session: "ses-player.limited"}},
		{"no context", nil, echoOut{Agent: "ada", Session: "ses-player.limited"}},
	} {
		var got echoOut
		out := core.CallToolInternal(t.Context(), s, mcp.Request{Tool: "demo.echo", Input: input, Context: tt.ctx})
		if err := json.Unmarshal(out.Result, &got); err != nil || got.Agent != tt.want.Agent || got.Session != tt.want.Session {
			t.Errorf("%s: made as %s in %s, want %s in %s", tt.name, got.Agent, got.Session, tt.want.Agent, tt.want.Session)
		}
		event, _ := core.Registry().Trace().Get(out.Metadata.EventsEmitted[0])
		if event.ActorID != tt.want.Agent || event.ThreadID != tt.want.Session {
			t.Errorf("%s: recorded as %s in %s", tt.name, event.ActorID, event.ThreadID)
		}
	}
	out := core.CallToolInternal(t.Context(), s, mcp.Request{Tool: "scene.createEntity", Context: &mcp.Context{AgentID: "admin"}})
	if out.Success || out.Error.Code != registry.CodeForbidden {
		t.Errorf("an override of the agent gave a permission: %+v", out)
	}
}

func TestAppendCallSaysWhatCallToolDoes(t *testing.T) {
	core := newCore(t, mcp.Options{})
	s := open(t, core, "builder.readWrite")
	for _, tt := range []struct{ tool, input string }{
		{"demo.echo", `{"text":"\"\\ é <>&"}`}, {"demo.echo", `{}`}, {"no.such", ``}, {"demo.raw", ``}, {"demo.fail", `{"how":"hold"}`}, {"trace.tail", `{}`}, {"demo.show", `{}`},
	} {
		var got, want mcp.Response
		text := core.AppendCall(t.Context(), s, tt.tool, []byte(tt.input), nil)
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		want = core.CallTool(t.Context(), s, mcp.Request{Tool: tt.tool, Input: json.RawMessage(tt.input)})
		got.Metadata, want.Metadata = nil, nil
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(registry.Error{}, "Skill", "Problems", "Asked", "Near", "Missing", "Cause")); diff != "" {
			t.Errorf("%s %s: AppendCall (-CallTool +AppendCall):\n%s", tt.tool, tt.input, diff)
		}
	}
}

func TestInvoke(t *testing.T) {
	core := newCore(t, mcp.Options{})
	s := open(t, core, "builder.readWrite")
	out, err := mcp.Invoke[createIn, createOut](t.Context(), core, s, "scene.createEntity", registry.Default[createIn]())
	if err != nil || out.Entity != "ent_0" {
		t.Errorf("Invoke = %+v, %v", out, err)
	}
	_, err = mcp.Invoke[createIn, createOut](t.Context(), core, s, "scene.createEntity", createIn{Shape: "cone"})
	var e *registry.Error
	if !errors.As(err, &e) || e.Code != registry.CodeInvalidInput || !strings.Contains(e.Message, "shape") {
		t.Errorf("Invoke with a bad shape = %v, want invalid_input that names it", err)
	}
}

func TestListTools(t *testing.T) {
	core := newCore(t, mcp.Options{})
	all := core.ListTools(nil)
	if len(all) != len(testSkills()) {
		t.Errorf("without a session: %d tools, want all %d", len(all), len(testSkills()))
	}
	s := open(t, core, "player.limited")
	for _, tool := range core.ListTools(s) {
		if tool.Name == "scene.createEntity" || tool.Name == "trace.tail" {
			t.Errorf("player.limited is shown %s, which it may not call", tool.Name)
		}
	}
	first := all[0]
	if first.Name != "scene.createEntity" || first.Category != "scene" || first.Priority != "core" ||
		!strings.HasPrefix(string(first.InputSchema), `{"$schema":"http://json-schema.org/draft-07/schema#",`) {
		t.Errorf("the first tool is %+v", first)
	}
	if err := core.Registry().Register(extra("demo.extra")); err != nil {
		t.Fatal(err)
	}
	if got := len(core.ListTools(nil)); got != len(all)+1 {
		t.Errorf("after a registration %d tools, want %d", got, len(all)+1)
	}
	for _, tool := range core.ListTools(nil) {
		if _, err := compileText(string(tool.InputSchema)); err != nil {
			t.Errorf("%s: input_schema: %v", tool.Name, err)
		}
	}
}

func TestOpen(t *testing.T) {
	tokens := func(token string) (mcp.Credential, bool) {
		return mcp.Credential{Principal: "ada", Profiles: []string{"reviewer"}}, token == "sesame"
	}
	attended, last := 0, (*mcp.Session)(nil)
	core := newCore(t, mcp.Options{Tokens: tokens, Attendance: func() { attended++ }})
	id := func(session, profile, token string) mcp.Identity {
		return mcp.Identity{AgentID: "ada", SessionID: session, Profile: profile, Token: token}
	}
	operator := id("op", "reviewer.coordinator", "")
	operator.Kind = profiles.KindOperator
	for _, tt := range []struct {
		name string
		id   mcp.Identity
		want string // in the error, "" for none
	}{
		{"an open profile", id("a", "builder.readWrite", ""), ""},
		{"a session id in use", id("a", "builder.readWrite", ""), `session "a" is in use`},
		{"an unknown profile", id("b", "builder", ""), "known: builder.readWrite, builder.review"},
		{"no profile", id("b", "", ""), "unknown profile"},
		{"a guarded profile", id("b", "reviewer", ""), "needs a token"},
		{"a guarded profile with a token", id("b", "reviewer", "sesame"), ""},
		{"with a token for another one", id("c", "reviewer.coordinator", "sesame"), "does not open"},
		{"with a bad token", id("c", "reviewer", "guess"), "does not open"},
		{"with somebody else's token", mcp.Identity{AgentID: "eve", SessionID: "c", Profile: "reviewer", Token: "sesame"}, `the token is for "ada"`},
		{"the operator", operator, ""},
		{"no session id", id("", "builder.readWrite", ""), "sessionId"},
		{"a long agent id", mcp.Identity{AgentID: strings.Repeat("x", 257), SessionID: "d", Profile: "player.full"}, "agentId"},
		{"an agent id that is no text", mcp.Identity{AgentID: "\xff", SessionID: "d", Profile: "player.full"}, "agentId"},
	} {
		before := attended
		s, err := core.Open(tt.id)
		switch {
		case err == nil && attended != before+1:
			t.Errorf("%s: told %d times that somebody is there", tt.name, attended-before)
		case tt.want == "" && err != nil, tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: Open = %v, want %q", tt.name, err, tt.want)
		case err == nil && s.Principal().Profile != tt.id.Profile:
			t.Errorf("%s: opened %+v", tt.name, s.Principal())
		}
		if err == nil {
			last = s
		}
	}
	before := attended
	if last.Close(); attended != before+1 {
		t.Errorf("told %d times that somebody has gone", attended-before)
	}
}

// TestJudgesAreGuarded opens profiles of a file that may judge, by whatever name.
func TestJudgesAreGuarded(t *testing.T) {
	set, err := profiles.Builtin().With([]byte("profiles:\n  chief: {extends: [reviewer]}\n  clerk: {grants: [scene.read]}\n  reviewer.coordinator: {grants: [], replace: true}\n"), "file")
	if err != nil {
		t.Fatal(err)
	}
	core := newCore(t, mcp.Options{Profiles: set})
	for profile, open := range map[string]bool{"clerk": true, "chief": false, "reviewer": false, "reviewer.coordinator": false} {
		_, err := core.Open(mcp.Identity{AgentID: "ada", SessionID: profile, Profile: profile})
		if got := err == nil; got != open {
			t.Errorf("Open as %s = %v", profile, err)
		}
	}
	core = newCore(t, mcp.Options{Profiles: set, Allowed: []string{"builder.readWrite", "chief"}})
	if _, err := core.Open(mcp.Identity{AgentID: "ada", SessionID: "s", Profile: "chief"}); err != nil {
		t.Errorf("Open as chief where the operator allows it = %v", err)
	}
}

func TestCloseFreesTheSessionID(t *testing.T) {
	core := newCore(t, mcp.Options{})
	first := open(t, core, "player.full")
	first.Close()
	second := open(t, core, "player.full")
	first.Close() // again, and not of the second
	if _, err := core.Open(mcp.Identity{AgentID: "eve", SessionID: second.Principal().Session, Profile: "player.full"}); err == nil {
		t.Error("closing the first session freed the id of the second")
	}
}

func TestNewChecksOptions(t *testing.T) {
	for name, o := range map[string]mcp.Options{
		"profile":    {Profile: "builder"},
		"allowed":    {Allowed: []string{"player.full", "players"}},
		"no default": {Profiles: &profiles.Set{}},
	} {
		if _, err := mcp.New(registry.New(registry.Options{}), o); err == nil || !strings.Contains(err.Error(), "unknown profile") {
			t.Errorf("%s: New = %v, want an unknown profile", name, err)
		}
	}
	if _, err := mcp.New(nil, mcp.Options{}); err == nil {
		t.Error("New without a registry = nil")
	}
}
