package server_test

import (
	"context"
	"fmt"

	"github.com/gorilla/websocket"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/server"
	"github.com/limina-mcp/limina/transport/memnet"
)

// A server with one skill, and a client that calls it.
func Example() {
	reg := registry.New(registry.Options{})
	_ = reg.Register(skills()...)
	core, err := mcp.New(reg, mcp.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	listener := memnet.Listen() // server.Listen opens a port
	s, err := server.On(listener, true, server.Config{Core: core})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, shutDown := context.WithCancel(context.Background())
	defer shutDown()
	stopped := make(chan error)
	go func() { stopped <- s.Run(ctx) }()

	dialer := websocket.Dialer{NetDialContext: listener.DialContext}
	client, answer, err := dialer.Dial("ws://localhost/", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = answer.Body.Close()
	for _, message := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"agentId":"ada","sessionId":"s1","profile":"player.full"}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"demo.echo"}}`,
	} {
		_ = client.WriteMessage(websocket.TextMessage, []byte(message))
		_, text, _ := client.ReadMessage()
		fmt.Printf("%.78s…\n", text)
	}
	shutDown()
	_, _, err = client.ReadMessage()
	fmt.Println(err)
	_ = client.Close()
	<-stopped
	// Output:
	// {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2026-06-23","session":{"a…
	// {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"text: is required: a…
	// websocket: close 1001 (going away): the server is shutting down
}
