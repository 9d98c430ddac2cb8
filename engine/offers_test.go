package engine_test

import (
	"context"
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/transport/stdio"
)

// official connects the official client to an engine, over pipes, at a version of MCP.
func official(t *testing.T, e *engine.Engine, version string, o *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	served := make(chan error, 1)
	go func() {
		err := e.Mcp.Serve(context.WithoutCancel(t.Context()), stdio.New(toServer, fromServer, stdio.Options{}))
		_ = fromServer.Close()
		served <- err
	}()
	s, err := sdk.NewClient(&sdk.Implementation{Name: "tester", Version: "1"}, o).Connect(t.Context(), &sdk.IOTransport{Reader: toClient, Writer: fromClient}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	t.Cleanup(func() {
		_ = s.Close()
		<-served
	})
	return s
}

// The official client reads, follows, prompts and completes what Limina offers beside tools.
func TestOfficialClientTakesWhatIsOffered(t *testing.T) {
	for _, version := range []string{"2026-07-28", "2025-11-25", "2025-03-26"} {
		t.Run(version, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { takesWhatIsOffered(t, version) })
		})
	}
}

func takesWhatIsOffered(t *testing.T, version string) {
	t.Helper()
	e, err := engine.New(engine.Config{})
	if err != nil {
		t.Fatal(err)
	}
	updated := make(chan string, 100)
	c := official(t, e, version, &sdk.ClientOptions{ResourceUpdatedHandler: func(_ context.Context, r *sdk.ResourceUpdatedNotificationRequest) { updated <- r.Params.URI }})
	ctx := t.Context()
	if got := c.InitializeResult().ProtocolVersion; got != version {
		t.Errorf("the client speaks %s", got)
	}

	var uris []string
	for r, err := range c.Resources(ctx, nil) {
		if err != nil {
			t.Fatal(err)
		}
		uris = append(uris, r.URI)
	}
	for r, err := range c.ResourceTemplates(ctx, nil) {
		if err != nil {
			t.Fatal(err)
		}
		uris = append(uris, r.URITemplate)
	}
	for _, want := range []string{"limina://world/summary", "limina://entity/{id}", "skill://limina-building/SKILL.md"} {
		if !slices.Contains(uris, want) {
			t.Errorf("resources %q, want %s among them", uris, want)
		}
	}
	if slices.Contains(uris, "limina://trace/{event}") {
		t.Error("a builder is shown the trace, which he may not read")
	}

	call := func(name string, arguments map[string]any) {
		t.Helper()
		if res, err := c.CallTool(ctx, &sdk.CallToolParams{Name: name, Arguments: arguments}); err != nil || res.IsError {
			t.Fatalf("%s: %+v, %v", name, res, err)
		}
	}
	call("scene_createEntity", map[string]any{"position": []int{1, 2, 3}})
	read, err := c.ReadResource(ctx, &sdk.ReadResourceParams{URI: "limina://entity/ent_0"})
	if err != nil || len(read.Contents) != 1 || !strings.Contains(read.Contents[0].Text, `"pos":[1,2,3]`) {
		t.Fatalf("read: %+v, %v", read, err)
	}
	if _, err := c.ReadResource(ctx, &sdk.ReadResourceParams{URI: "limina://entity/ent_9"}); err == nil || !strings.Contains(err.Error(), "there is no entity ent_9") {
		t.Errorf("read of what is not there: %v", err)
	}

	if err := c.Subscribe(ctx, &sdk.SubscribeParams{URI: "limina://entity/ent_0"}); err != nil {
		t.Fatal(err)
	}
	call("three_setTransform", map[string]any{"entity": "ent_0", "position": []int{4, 5, 6}})
	if uri := <-updated; uri != "limina://entity/ent_0" {
		t.Errorf("told of %s", uri)
	}
	if err := c.Unsubscribe(ctx, &sdk.UnsubscribeParams{URI: "limina://entity/ent_0"}); err != nil {
		t.Error(err)
	}

	var prompts []string
	for p, err := range c.Prompts(ctx, nil) {
		if err != nil {
			t.Fatal(err)
		}
		prompts = append(prompts, p.Name)
	}
	if strings.Join(prompts, " ") != "build repair tour" {
		t.Errorf("prompts %q", prompts)
	}
	p, err := c.GetPrompt(ctx, &sdk.GetPromptParams{Name: "build", Arguments: map[string]string{"what": "a bridge"}})
	if err != nil || len(p.Messages) != 2 || !strings.Contains(p.Messages[1].Content.(*sdk.TextContent).Text, "Build a bridge") {
		t.Errorf("prompt: %+v, %v", p, err)
	}
	for _, tt := range []struct {
		ref   sdk.CompleteReference
		arg   sdk.CompleteParamsArgument
		value string
	}{
		{sdk.CompleteReference{Type: "ref/resource", URI: "limina://entity/{id}"}, sdk.CompleteParamsArgument{Name: "id", Value: "ent_"}, "ent_0"},
		{sdk.CompleteReference{Type: "ref/prompt", Name: "build"}, sdk.CompleteParamsArgument{Name: "what", Value: "a bri"}, "a bridge"},
	} {
		got, err := c.Complete(ctx, &sdk.CompleteParams{Ref: &tt.ref, Argument: tt.arg})
		if err != nil || len(got.Completion.Values) != 1 || got.Completion.Values[0] != tt.value {
			t.Errorf("complete %+v: %+v, %v, want %s", tt.ref, got, err, tt.value)
		}
	}
}

// A standard client never sees a tool by a name that it cannot call: neither in the names nor in
// what is said of them.
func TestToolsNameEachOtherAsClientsSeeThem(t *testing.T) {
	e, err := engine.New(engine.Config{MCP: mcp.Options{Tools: mcp.All}})
	if err != nil {
		t.Fatal(err)
	}
	c := official(t, e, "2025-11-25", nil)
	dotted, name := regexp.MustCompile(`[a-zA-Z0-9_-]+(?:\.[a-zA-Z0-9_-]+)+`), regexp.MustCompile(`^[a-zA-Z0-9_-]{1,48}$`)
	n := 0
	for tool, err := range c.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		if !name.MatchString(tool.Name) {
			t.Errorf("the name %q", tool.Name)
		}
		text, err := json.Marshal(struct {
			D       string
			In, Out any
		}{tool.Description, tool.InputSchema, tool.OutputSchema})
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range dotted.FindAllString(string(text), -1) {
			if _, ok := e.Registry.Lookup(word); ok {
				t.Errorf("%s says %s, which its client knows by another name", tool.Name, word)
			}
		}
	}
	if n < 30 {
		t.Errorf("only %d tools", n)
	}
}
