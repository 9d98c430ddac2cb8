package inproc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	gomcp "github.com/mark3labs/mcp-go/client"
	mark3 "github.com/mark3labs/mcp-go/mcp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/limina-mcp/limina/bench/call"
	"github.com/limina-mcp/limina/bench/peers/gosdk"
	"github.com/limina-mcp/limina/bench/peers/mcpgo"
)

// openGoSDK is the official SDK's client on its in-memory transport.
func openGoSDK() (Runner, error) {
	ctx := context.Background()
	server, err := gosdk.New()
	if err != nil {
		return nil, err
	}
	there, here := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, there, nil); err != nil {
		return nil, err
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil).Connect(ctx, here, nil)
	if err != nil {
		return nil, err
	}
	return caller{func() error {
		r, err := session.CallTool(ctx, &mcp.CallToolParams{Name: call.Name, Arguments: call.Value()})
		if err == nil && r.IsError {
			return fmt.Errorf("go-sdk: %v", r.Content)
		}
		return err
	}, func() { _ = session.Close() }}, nil
}

// openMCPGoClient is mcp-go's own in-process client, with validation.
func openMCPGoClient() (Runner, error) {
	ctx := context.Background()
	client, err := gomcp.NewInProcessClient(mcpgo.New(true))
	if err != nil {
		return nil, err
	}
	if err := client.Start(ctx); err != nil {
		return nil, err
	}
	var hello mark3.InitializeRequest
	hello.Params.ProtocolVersion = mark3.LATEST_PROTOCOL_VERSION
	hello.Params.ClientInfo = mark3.Implementation{Name: "bench", Version: "1"}
	if _, err := client.Initialize(ctx, hello); err != nil {
		return nil, err
	}
	return caller{func() error {
		var req mark3.CallToolRequest
		req.Params.Name, req.Params.Arguments = call.Name, call.Value()
		r, err := client.CallTool(ctx, req)
		if err == nil && r.IsError {
			return fmt.Errorf("mcp-go: %v", r.Content)
		}
		return err
	}, func() { _ = client.Close() }}, nil
}

// openMCPGo is mcp-go's HandleMessage on the bytes of a request, its answer marshalled: no
// transport at all.
func openMCPGo(validate bool) (Runner, error) {
	ctx, server, request := context.Background(), mcpgo.New(validate), call.Default()
	server.HandleMessage(ctx, json.RawMessage(call.Initialize))
	id := 0
	return caller{func() error {
		id++
		answer, err := json.Marshal(server.HandleMessage(ctx, request.Append(nil, id)))
		if err == nil && len(answer) < len(`{"jsonrpc":"2.0","result":{"content":[]}}`) {
			return errors.New("mcp-go: short answer " + string(answer))
		}
		return err
	}, func() {}}, nil
}
