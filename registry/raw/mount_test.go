package raw_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/registry/raw"
)

// mount makes skills of the tools of another MCP server: add of it is called domain.add. They wait for somebody else, so they are
// Slow, and what they do there is taken back by nobody, so they are Outward.
func mount(ctx context.Context, r *registry.Registry, other *mcp.ClientSession, domain string) error {
	for tool, err := range other.Tools(ctx, nil) {
		if err != nil {
			return err
		}
		schema, err := json.Marshal(tool.InputSchema)
		if err != nil {
			return err
		}
		k, err := raw.Define(registry.RawSpec{
			Name: domain + "." + tool.Name, Description: tool.Description, Permissions: []profiles.Permission{profiles.Anyone},
			Effect: registry.Writes, Slow: true, Outward: true,
			InputSchema: schema,
			Handle: func(c *registry.Call, input json.RawMessage) (json.RawMessage, error) {
				res, err := other.CallTool(c.Context(), &mcp.CallToolParams{Name: tool.Name, Arguments: input})
				if err != nil {
					return nil, err // the caller gets "internal error", the log what it was
				}
				if text, ok := first(res.Content).(*mcp.TextContent); ok && res.IsError {
					return nil, registry.Failf("%s", text.Text) // this the caller gets
				}
				return json.Marshal(res.StructuredContent)
			},
		})
		if err != nil {
			return err
		}
		if err := r.Register(k); err != nil {
			return err
		}
	}
	return nil
}

func first(content []mcp.Content) mcp.Content {
	if len(content) == 0 {
		return nil
	}
	return content[0]
}

// The tools of another MCP server become skills beside those that are there.
func Example_mount() {
	ctx := context.Background()
	type in struct {
		A int `json:"a"`
		B int `json:"b"`
	}
	type out struct {
		Sum int `json:"sum"`
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "calculator", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "add", Description: "Add two numbers."}, func(_ context.Context, _ *mcp.CallToolRequest, n in) (*mcp.CallToolResult, out, error) {
		if n.A < 0 {
			return nil, out{}, fmt.Errorf("a: must not be negative, got %d", n.A)
		}
		return nil, out{n.A + n.B}, nil
	})
	here, there := mcp.NewInMemoryTransports()
	served, err := server.Connect(ctx, there, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer served.Close()
	other, err := mcp.NewClient(&mcp.Implementation{Name: "limina", Version: "1"}, nil).Connect(ctx, here, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer other.Close()

	r := registry.New(registry.Options{})
	if err := mount(ctx, r, other, "calculator"); err != nil {
		log.Fatal(err)
	}
	for _, input := range []string{`{"a":4,"b":1}`, `{"a":"4","b":1}`, `{"a":-4,"b":1}`} {
		res := r.Invoke(ctx, &registry.Request{Name: "calculator.add", Input: []byte(input), Principal: new(profiles.Principal)}, nil)
		if res.Err != nil {
			fmt.Println(res.Err)
			continue
		}
		fmt.Printf("%s\n", res.Output)
	}
	// Output:
	// {"sum":5}
	// a: type: 4 has type "string", want "integer"
	// a: must not be negative, got -4
}
