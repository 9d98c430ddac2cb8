// Command peer-gosdk serves the measured tool with the official Go SDK.
//
//	peer-gosdk             over stdio
//	peer-gosdk http ADDR   over Streamable HTTP, answers as JSON rather than event streams
//	peer-gosdk modern ADDR the same for MCP of 2026-07-28, which needs another mode of the SDK
package main

import (
	"context"
	"log"
	"net/http"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/limina-mcp/limina/bench/peers/gosdk"
)

func main() {
	s, err := gosdk.New()
	if err != nil {
		log.Fatal(err)
	}
	if len(os.Args) < 3 {
		log.Fatal(s.Run(context.Background(), &mcp.StdioTransport{}))
	}
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s },
		&mcp.StreamableHTTPOptions{JSONResponse: true, Stateless: os.Args[1] == "modern"})
	log.Fatal(http.ListenAndServe(os.Args[2], h))
}
