//lint:file-ignore SA1019 sampling and logging are deprecated, and served as long as clients have them

package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/transport/stdio"
)

// TestOfficialClient lets the official Go SDK's client list and call the tools. The client asks for the
// modern era and gets it.
func TestOfficialClient(t *testing.T) {
	core := newCore(t, mcp.Options{Tools: mcp.All, PageSize: 4, Version: "1.2.3"})
	changed := make(chan struct{}, 1)
	progress := make(chan *sdk.ProgressNotificationParams, 10)
	client := connect(t, core, &sdk.ClientOptions{
		ToolListChangedHandler:      func(context.Context, *sdk.ToolListChangedRequest) { changed <- struct{}{} },
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { progress <- r.Params },
	})
	ctx := t.Context()

	info := client.InitializeResult()
	if info.ServerInfo.Name != "limina" || info.ServerInfo.Version != "1.2.3" || !strings.Contains(info.Instructions, "skills_search") {
		t.Errorf("initialize: %+v", info)
	}
	if err := client.Ping(ctx, nil); err != nil {
		t.Errorf("ping: %v", err)
	}

	tools := map[string]*sdk.Tool{}
	for tool, err := range client.Tools(ctx, nil) { // over all pages
		if err != nil {
			t.Fatalf("tools/list: %v", err)
		}
		tools[tool.Name] = tool
	}
	if _, hidden := tools["trace_tail"]; hidden || len(tools) != len(testSkills())-1 {
		t.Errorf("%d tools, want all but the one that needs trace.read", len(tools))
	}
	create := tools["scene_createEntity"]
	if create == nil || create.Title != "Create an entity" || create.Annotations.ReadOnlyHint || create.Annotations.DestructiveHint == nil || *create.Annotations.DestructiveHint {
		t.Fatalf("scene_createEntity: %+v", create)
	}
	if create.Meta["dev.limina/skill"] != "scene.createEntity" {
		t.Errorf("scene_createEntity has _meta %v", create.Meta)
	}

	for _, name := range []string{"scene_createEntity", "scene.createEntity"} {
		res, err := client.CallTool(ctx, &sdk.CallToolParams{Name: name, Arguments: map[string]any{"shape": "sphere", "position": []float64{0, 0.5, 0}}})
		if err != nil || res.IsError {
			t.Fatalf("%s: %+v, %v", name, res, err)
		}
		var out createOut
		text := res.Content[0].(*sdk.TextContent).Text
		if err := json.Unmarshal([]byte(text), &out); err != nil || !strings.HasPrefix(out.Entity, "ent_") {
			t.Errorf("%s: %s, %v", name, text, err)
		}
	}
	res, err := client.CallTool(ctx, &sdk.CallToolParams{Name: "scene_createEntity", Arguments: map[string]any{"size": 70}})
	if err != nil || !res.IsError || !strings.Contains(res.Content[0].(*sdk.TextContent).Text, "size: must be greater than 0 and at most 50, got 70") {
		t.Errorf("a bad size: %+v, %v", res, err)
	}
	if _, err := client.CallTool(ctx, &sdk.CallToolParams{Name: "scene_creatEntity"}); err == nil || !strings.Contains(err.Error(), "scene_createEntity") {
		t.Errorf("an unknown tool: %v, want an error with the nearest name", err)
	}

	params := &sdk.CallToolParams{Name: "demo_work", Arguments: map[string]any{"seconds": 0.001}}
	params.SetProgressToken("p1")
	if res, err := client.CallTool(ctx, params); err != nil || res.IsError {
		t.Errorf("a slow call: %+v, %v", res, err)
	}
	if p := <-progress; p.ProgressToken != "p1" || p.Progress != 0.001 || p.Message != "working" {
		t.Errorf("progress: %+v", p)
	}

	if err := core.Registry().Register(extra("demo.extra")); err != nil {
		t.Fatal(err)
	}
	<-changed
}

// A call that the client gives up is cancelled and the connection goes on.
func TestOfficialClientCancels(t *testing.T) {
	core := newCore(t, mcp.Options{})
	client := connect(t, core, nil)
	ctx, cancel := context.WithCancel(t.Context())
	params := &sdk.CallToolParams{Name: "demo_work", Arguments: map[string]any{"seconds": 3600}}
	params.SetProgressToken(1)
	go cancel()
	if _, err := client.CallTool(ctx, params); err == nil {
		t.Error("a cancelled call was answered")
	}
	if res, err := client.CallTool(t.Context(), &sdk.CallToolParams{Name: "demo_echo", Arguments: map[string]any{"text": "on"}}); err != nil || res.IsError {
		t.Errorf("the call after: %+v, %v", res, err)
	}
}

// The official client answers what skills ask, and hears what they log, in both eras by the same
// handlers.
//
//nolint:staticcheck // sampling and logging are deprecated, and served as long as clients have them
func TestOfficialClientIsAsked(t *testing.T) {
	for _, version := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			core := newCore(t, mcp.Options{})
			if err := core.Registry().Register(askSkills()...); err != nil {
				t.Fatal(err)
			}
			logged := make(chan any, 20)
			client := connectAt(t, core, version, &sdk.ClientOptions{
				ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
					answer := map[string]any{"name": "Ada"}
					if strings.HasPrefix(r.Params.Message, "Which colour") {
						answer = map[string]any{"colour": "red"}
					}
					return &sdk.ElicitResult{Action: "accept", Content: answer}, nil
				},
				CreateMessageHandler: func(context.Context, *sdk.CreateMessageRequest) (*sdk.CreateMessageResult, error) {
					return &sdk.CreateMessageResult{Model: "m", Role: "assistant", Content: &sdk.TextContent{Text: "Hail"}}, nil
				},
				LoggingMessageHandler: func(_ context.Context, r *sdk.LoggingMessageRequest) { logged <- r.Params.Data },
			})
			for what, want := range map[string]string{"name": "hello Ada (accept)", "both": "Ada likes red", "sample": "m: Hail"} {
				res, err := client.CallTool(t.Context(), &sdk.CallToolParams{Name: "demo_ask", Arguments: map[string]any{"what": what}})
				if err != nil || res.IsError || !strings.Contains(res.Content[0].(*sdk.TextContent).Text, want) {
					t.Errorf("%s: %+v, %v; want %s", what, res, err, want)
				}
			}
			if version == "2026-07-28" {
				return // go-sdk 1.8.0 has no option for the level that a request names
			}
			if err := client.SetLoggingLevel(t.Context(), &sdk.SetLoggingLevelParams{Level: "emergency"}); err != nil {
				t.Error(err)
			}
			if _, err := client.CallTool(t.Context(), &sdk.CallToolParams{Name: "demo_tell"}); err != nil {
				t.Error(err)
			}
			if said, ok := (<-logged).(map[string]any); !ok || said["said"] != "emergency" {
				t.Errorf("logged: %v", said)
			}
		})
	}
}

// connect connects the official client to core over pipes; every message is checked on its way.
func connect(t *testing.T, core *mcp.Mcp, o *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	return connectAt(t, core, "", o)
}

// connectAt is connect by a client that begins with a version; "" is its newest.
func connectAt(t *testing.T, core *mcp.Mcp, version string, o *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	served := make(chan error, 1)
	go func() {
		err := core.Serve(context.WithoutCancel(t.Context()), check(t, stdio.New(toServer, fromServer, stdio.Options{})))
		_ = fromServer.Close()
		served <- err
	}()
	client := sdk.NewClient(&sdk.Implementation{Name: "tester", Version: "1"}, o)
	s, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: toClient, Writer: fromClient}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	t.Cleanup(func() {
		_ = s.Close()
		// The client may be gone before something reaches it that is on its way.
		if err := <-served; err != nil && !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("Serve = %v", err)
		}
	})
	return s
}
