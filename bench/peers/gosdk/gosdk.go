// Package gosdk is the measured tool on the official Go SDK.
package gosdk

import (
	"context"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/limina-mcp/limina/bench/call"
)

// New returns a server with the tool. The input is a Go type, as the SDK's own examples have it;
// the limits that its tags cannot say are put into the inferred schema.
func New() (*mcp.Server, error) {
	schema, err := jsonschema.For[call.In](nil)
	if err != nil {
		return nil, err
	}
	schema.Properties["shape"].Enum = []any{"box", "sphere"}
	schema.Properties["size"].ExclusiveMinimum = new(0.0)
	schema.Properties["size"].Maximum = new(50.0)
	schema.Properties["color"].Minimum = new(0.0)
	schema.Properties["color"].Maximum = new(float64(0xffffff))

	var ids call.Counter
	s := mcp.NewServer(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: call.Name, Description: "Add a box or a sphere.", InputSchema: schema},
		func(context.Context, *mcp.CallToolRequest, call.In) (*mcp.CallToolResult, call.Out, error) {
			return nil, ids.Next(), nil
		})
	return s, nil
}
