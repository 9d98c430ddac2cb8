package raw_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/registry/raw"
)

// mount makes skills of the tools of another MCP server: add of it is called domain.add. They wait for somebody else, so they are
// Slow, and what they do there is taken back by nobody, so they are Outward. A tool that cannot be a skill here, because its schema or
// its name is none, is left out; left says which and why.
func mount(ctx context.Context, r *registry.Registry, other *mcp.ClientSession, domain string) (left []error, err error) {
	for tool, err := range other.Tools(ctx, nil) {
		if err != nil {
			return left, err
		}
		if err := mountOne(r, other, domain, tool); err != nil {
			left = append(left, fmt.Errorf("%s: %w", tool.Name, err))
		}
	}
	return left, nil
}

func mountOne(r *registry.Registry, other *mcp.ClientSession, domain string, tool *mcp.Tool) error {
	schema, err := json.Marshal(tool.InputSchema)
	if err != nil {
		return err
	}
	k, err := raw.Define(registry.RawSpec{
		Name: domain + "." + tool.Name, Permissions: []profiles.Permission{profiles.Anyone},
		Description: cmp.Or(tool.Description, tool.Title, "The tool "+tool.Name+" of "+domain+", which does not say what it does."),
		Effect:      effect(tool.Annotations), Slow: true, Outward: true,
		InputSchema: schema,
		Handle: func(c *registry.Call, input json.RawMessage) (json.RawMessage, error) {
			res, err := other.CallTool(c.Context(), &mcp.CallToolParams{Name: tool.Name, Arguments: input})
			if err != nil {
				return nil, err // the caller gets "internal error", the log what it was
			}
			if res.IsError {
				return nil, registry.Failf("%s", text(res.Content)) // this the caller gets
			}
			if res.StructuredContent == nil { // what it says in words only
				return json.Marshal(map[string]string{"text": text(res.Content)})
			}
			return json.Marshal(res.StructuredContent)
		},
	})
	if err != nil {
		return err
	}
	return r.Register(k)
}

// effect believes what the other server says of a tool only where that makes review and clients more careful, or where it only reads.
func effect(a *mcp.ToolAnnotations) registry.Effect {
	switch {
	case a == nil:
		return registry.Anything
	case a.ReadOnlyHint:
		return registry.Reads
	case a.DestructiveHint != nil && !*a.DestructiveHint:
		return registry.Writes
	default:
		return registry.Destroys
	}
}

// text is what a tool says in words.
func text(content []mcp.Content) string {
	var words []string
	for _, c := range content {
		if t, ok := c.(*mcp.TextContent); ok {
			words = append(words, t.Text)
		}
	}
	return strings.Join(words, "\n")
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
	server.AddTool(&mcp.Tool{Name: "motto", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Measure twice."}}}, nil
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
	if left, err := mount(ctx, r, other, "calculator"); err != nil || left != nil {
		log.Fatal(err, left)
	}
	for _, of := range [][2]string{{"add", `{"a":4,"b":1}`}, {"add", `{"a":"4","b":1}`}, {"add", `{"a":-4,"b":1}`}, {"motto", `{}`}} {
		res := r.Invoke(ctx, &registry.Request{Name: "calculator." + of[0], Input: []byte(of[1]), Principal: new(profiles.Principal)}, nil)
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
	// {"text":"Measure twice."}
}
