// Package mcpgo is the measured tool on mark3labs/mcp-go.
package mcpgo

import (
	"context"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/limina-mcp/limina/bench/call"
)

// New returns a server with the tool. The library checks inputs against their schema only when it
// is asked to; without it, a wrong input reaches the handler.
func New(validate bool) *server.MCPServer {
	opts := []server.ServerOption{server.WithToolCapabilities(true)}
	if validate {
		opts = append(opts, server.WithInputSchemaValidation())
	}
	var ids call.Counter
	s := server.NewMCPServer("bench", "1", opts...)
	s.AddTool(mcp.NewToolWithRawSchema(call.Name, "Add a box or a sphere.", json.RawMessage(call.Schema)),
		mcp.NewStructuredToolHandler(func(context.Context, mcp.CallToolRequest, call.In) (call.Out, error) {
			return ids.Next(), nil
		}))
	return s
}
