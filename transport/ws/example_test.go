package ws_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/gorilla/websocket"

	"github.com/limina-mcp/limina/transport/memnet"
	"github.com/limina-mcp/limina/transport/ws"
)

// A server that greets everybody who tells it a name.
func Example() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	endpoint := ws.NewEndpoint(ws.Options{})
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		endpoint.Run(ctx)
	}()
	listener := memnet.Listen() // or net.Listen("tcp", "127.0.0.1:8787")
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := endpoint.Upgrade(w, r)
		if err != nil {
			return // the peer has been told
		}
		for {
			name, err := conn.Next()
			if errors.Is(err, io.EOF) {
				err = nil
			} else if err == nil {
				err = conn.Write(conn.Seal(append([]byte("hello, "), name...), 0))
				if err == nil {
					continue
				}
			}
			conn.End(err)
			return
		}
	})}
	go func() { _ = srv.Serve(listener) }()

	dialer := websocket.Dialer{NetDialContext: listener.DialContext}
	client, answer, err := dialer.Dial("ws://memory/", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = answer.Body.Close()
	_ = client.WriteMessage(websocket.TextMessage, []byte("ada"))
	_, text, _ := client.ReadMessage()
	fmt.Println(string(text))

	_ = client.Close()
	_ = srv.Close()
	cancel()
	<-stopped
	// Output: hello, ada
}
