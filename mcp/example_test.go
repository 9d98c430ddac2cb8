package mcp_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/transport/stdio"
)

// GreetIn is the input of the examples' skill.
type GreetIn struct {
	Name string `json:"name" validate:"max=20" jsonschema_description:"Whom to greet."`
}

// GreetOut is its output.
type GreetOut struct {
	Text string `json:"text" jsonschema_description:"The greeting."`
}

func greeter() *mcp.Mcp {
	reg := registry.New(registry.Options{})
	err := reg.Register(registry.Define(registry.Spec[GreetIn, GreetOut]{
		Name: "demo.greet", Description: "Greet somebody by name.",
		Permissions: []profiles.Permission{profiles.Anyone}, Effect: registry.Reads, Published: true,
		Handle: func(_ *registry.Call, in GreetIn) (GreetOut, error) {
			return GreetOut{Text: "hello, " + in.Name}, nil
		},
	}))
	if err != nil {
		panic(err)
	}
	core, err := mcp.New(reg, mcp.Options{})
	if err != nil {
		panic(err)
	}
	return core
}

// Engine code opens a session and calls by name or by type.
func Example() {
	core := greeter()
	ctx := context.Background()
	s, err := core.Open(mcp.Identity{AgentID: "ada", SessionID: "s1", Profile: "builder.readWrite"})
	if err != nil {
		panic(err)
	}
	defer s.Close()

	out := core.CallTool(ctx, s, mcp.Request{Tool: "demo.greet", Input: []byte(`{"name":"world"}`)})
	fmt.Println(out.Success, string(out.Result), out.Metadata.EventsEmitted)

	typed, err := mcp.Invoke[GreetIn, GreetOut](ctx, core, s, "demo.greet", GreetIn{Name: "Go"})
	fmt.Println(typed.Text, err)

	out = core.CallTool(ctx, s, mcp.Request{Tool: "demo.greet", Input: []byte(`{"nam":"world"}`)})
	fmt.Println(out.Error.Code, out.Error.Message)
	// Output:
	// true {"text":"hello, world"} [evt_0]
	// hello, Go <nil>
	// invalid_input nam: unknown field, did you mean "name"? allowed: name; name: is required: a string of at most 20 characters
}

// A transport brings messages; here they are the lines of a string.
func ExampleMcp_Serve() {
	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"demo","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"demo_greet","arguments":{"name":"MCP"}}}
`)
	out := &strings.Builder{}
	if err := greeter().Serve(context.Background(), stdio.New(in, out, stdio.Options{})); err != nil {
		fmt.Println(err)
	}
	_, answer, _ := strings.Cut(out.String(), "\n")
	_, _ = os.Stdout.WriteString(answer)
	// Output:
	// {"jsonrpc":"2.0","id":"a","result":{"structuredContent":{"text":"hello, MCP"},"content":[{"type":"text","text":"{\"text\":\"hello, MCP\"}"}]}}
}
