package httpmcp_test

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	httpmcp "github.com/limina-mcp/limina/transport/http"
)

// TestGoSDKClient has the official SDK's client do all that it can, in both eras and at each version of the
// older one: list, call, read, subscribe, cancel, progress, elicit.
func TestGoSDKClient(t *testing.T) {
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { driveGoSDK(t, version) })
		})
	}
}

// heard is what the client was told beside answers.
type heard struct {
	mu     sync.Mutex
	things []string
}

func (h *heard) hear(what string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.things = append(h.things, what)
}

// since returns what was heard once everybody waits, and forgets it.
func (h *heard) since() []string {
	synctest.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	things := h.things
	h.things = nil
	return things
}

func driveGoSDK(t *testing.T, version string) {
	t.Helper()
	r, h := serve(t, httpmcp.Options{}), new(heard)
	c := sdk.NewClient(&sdk.Implementation{Name: "go", Version: "1"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(context.Context, *sdk.ProgressNotificationClientRequest) { h.hear("progress") },
		ToolListChangedHandler:      func(context.Context, *sdk.ToolListChangedRequest) { h.hear("tools") },
		ResourceUpdatedHandler: func(_ context.Context, u *sdk.ResourceUpdatedNotificationRequest) {
			h.hear(u.Params.URI)
		},
		ElicitationHandler: func(_ context.Context, q *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			h.hear(q.Params.Message)
			return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"who": "Ada"}}, nil
		},
	})
	ctx := t.Context()
	s, err := c.Connect(ctx, &sdk.StreamableClientTransport{
		Endpoint: "http://limina/mcp", HTTPClient: &http.Client{Transport: r.client.Transport},
	}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.InitializeResult().ProtocolVersion; got != version {
		t.Errorf("speaks %s", got)
	}

	tools, err := s.ListTools(ctx, nil)
	if err != nil || !slices.ContainsFunc(tools.Tools, func(t *sdk.Tool) bool { return t.Name == "demo_echo" }) {
		t.Errorf("ListTools = %+v, %v", tools, err)
	}
	said, err := s.CallTool(ctx, &sdk.CallToolParams{Name: "demo_echo", Arguments: map[string]any{"text": "hi"}})
	if err != nil || said.IsError || said.Content[0].(*sdk.TextContent).Text != `{"text":"hi"}` {
		t.Errorf("CallTool = %+v, %v", said, err)
	}
	if bad, err := s.CallTool(ctx, &sdk.CallToolParams{Name: "demo_echo"}); err != nil || !bad.IsError {
		t.Errorf("a call without its argument = %+v, %v", bad, err)
	}
	if _, err := s.CallTool(ctx, &sdk.CallToolParams{Name: "demo_none"}); err == nil {
		t.Error("an unknown tool is no error")
	}
	read, err := s.ReadResource(ctx, &sdk.ReadResourceParams{URI: "test://bell"})
	if err != nil || read.Contents[0].Text != "ding" {
		t.Errorf("ReadResource = %+v, %v", read, err)
	}
	if _, err := s.ReadResource(ctx, &sdk.ReadResourceParams{URI: "test://none"}); err == nil {
		t.Error("an unknown resource is no error")
	}

	work := &sdk.CallToolParams{Name: "demo_work", Arguments: map[string]any{"seconds": 3}}
	work.SetProgressToken("p")
	got, err := s.CallTool(ctx, work)
	if told := h.since(); err != nil || got.IsError || len(told) != 3 {
		t.Errorf("a call that takes time = %+v, %v, after %v", got, err, told)
	}
	short, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	begun := time.Now()
	if _, err := s.CallTool(short, &sdk.CallToolParams{Name: "demo_work", Arguments: map[string]any{"seconds": 3600}}); err == nil || time.Since(begun) > 2*time.Second {
		t.Errorf("a call that was cancelled: %v after %v", err, time.Since(begun))
	}

	asked, err := s.CallTool(ctx, &sdk.CallToolParams{Name: "demo_ask"})
	if told := h.since(); err != nil || asked.IsError || asked.Content[0].(*sdk.TextContent).Text != `{"text":"accept {\"who\":\"Ada\"}"}` || !slices.Equal(told, []string{"Who is there?"}) {
		t.Errorf("a call that asks = %+v, %v, after %v", asked, err, told)
	}
	prompt, err := s.GetPrompt(ctx, &sdk.GetPromptParams{Name: "ask"})
	if told := h.since(); err != nil || prompt.Messages[0].Content.(*sdk.TextContent).Text != `For {"who":"Ada"}` || !slices.Equal(told, []string{"Who is there?"}) {
		t.Errorf("GetPrompt = %+v, %v, after %v", prompt, err, told)
	}

	if err := s.Subscribe(ctx, &sdk.SubscribeParams{URI: "test://bell"}); err != nil {
		t.Errorf("Subscribe: %v", err)
	}
	synctest.Wait()
	r.bell.ring()
	if told := h.since(); !slices.Equal(told, []string{"test://bell"}) {
		t.Errorf("a bell was rung, and the client heard %v", told)
	}
	if err := s.Unsubscribe(ctx, &sdk.UnsubscribeParams{URI: "test://bell"}); err != nil {
		t.Errorf("Unsubscribe: %v", err)
	}
	synctest.Wait()
	time.Sleep(time.Second)
	r.bell.ring()
	if err := r.core.Registry().Register(extra("demo.new")); err != nil {
		t.Fatal(err)
	}
	if told := h.since(); !slices.Equal(told, []string{"tools"}) {
		t.Errorf("a tool was added, and the client heard %v", told)
	}
	if err := s.Close(); err != nil {
		t.Errorf("Close = %v", err)
	}
	if left := r.endpoint.Stats().Sessions; left != 0 {
		t.Errorf("%d sessions are left", left)
	}
}
