package httpmcp_test

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	httpmcp "github.com/limina-mcp/limina/transport/http"
)

// The official SDK's client, as it comes: it probes for the modern era first.
func TestGoSDKClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := serve(t, httpmcp.Options{})
		var progress atomic.Int32
		c := sdk.NewClient(&sdk.Implementation{Name: "go", Version: "1"}, &sdk.ClientOptions{
			ProgressNotificationHandler: func(context.Context, *sdk.ProgressNotificationClientRequest) { progress.Add(1) },
		})
		s, err := c.Connect(t.Context(), &sdk.StreamableClientTransport{
			Endpoint: "http://limina/mcp", HTTPClient: &http.Client{Transport: r.client.Transport},
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.ListTools(t.Context(), nil); err != nil {
			t.Errorf("ListTools: %v", err)
		}
		said, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "demo_echo", Arguments: map[string]any{"text": "hi"}})
		if err != nil || said.IsError || said.StructuredContent.(map[string]any)["text"] != "hi" {
			t.Errorf("CallTool = %+v, %v", said, err)
		}
		work := &sdk.CallToolParams{Name: "demo_work", Arguments: map[string]any{"seconds": 3}}
		work.SetProgressToken("p")
		got, err := s.CallTool(t.Context(), work)
		synctest.Wait() // the client tells of progress beside the answer
		if err != nil || got.IsError || progress.Load() != 3 {
			t.Errorf("a call that takes time = %+v, %v, after %d reports", got, err, progress.Load())
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begun := time.Now()
		if _, err := s.CallTool(ctx, &sdk.CallToolParams{Name: "demo_work", Arguments: map[string]any{"seconds": 3600}}); err == nil || time.Since(begun) > 2*time.Second {
			t.Errorf("a call that was cancelled: %v after %v", err, time.Since(begun))
		}
		if _, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "demo_none"}); err == nil {
			t.Error("an unknown tool is no error")
		}
		if err := s.Close(); err != nil {
			t.Errorf("Close = %v", err)
		}
	})
}
