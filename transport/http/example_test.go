package httpmcp_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/registry"
	httpmcp "github.com/limina-mcp/limina/transport/http"
)

// A host serves its skills to HTTP clients.
func Example() {
	core, err := mcp.New(registry.New(registry.Options{}), mcp.Options{Name: "demo"})
	if err != nil {
		fmt.Println(err)
		return
	}
	e := httpmcp.New(core, httpmcp.Options{})
	ctx, stop := context.WithCancel(context.Background())
	go e.Run(ctx) // ends sessions that nobody uses
	port := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { e.Serve(w, r, mcp.Peer{}) }))
	defer port.Close()
	defer stop()

	hello := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`
	answer, err := http.Post(port.URL, "application/json", strings.NewReader(hello))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer answer.Body.Close()
	body, _ := io.ReadAll(answer.Body)
	fmt.Println(answer.StatusCode, answer.Header.Get("Mcp-Session-Id") != "", strings.Contains(string(body), `"name":"demo"`))
	e.Shutdown(ctx)
	// Output: 200 true true
}
