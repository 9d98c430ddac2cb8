package client_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/gorilla/websocket"

	"github.com/limina-mcp/limina/client"
)

// BenchmarkCall is a call over loopback, by a real server: one at a time, and 64 under way.
func BenchmarkCall(b *testing.B) {
	for _, workers := range []int{1, 64} {
		b.Run(fmt.Sprint(workers), func(b *testing.B) {
			url, stop := limina()
			defer stop()
			c, err := client.Dial(context.Background(), client.Options{URL: url, AgentID: "ada", Profile: "builder.readWrite"})
			if err != nil {
				b.Fatal(err)
			}
			defer c.Close()
			b.ReportAllocs()
			b.ResetTimer()
			var all sync.WaitGroup
			for w := range workers {
				all.Go(func() {
					for range (b.N + workers - 1 - w) / workers {
						if err := c.Call(context.Background(), "scene.queryEntities", map[string]string{"tag": "none"}, nil); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			all.Wait()
		})
	}
}

// BenchmarkDelta is a delta of 50 entities that have moved, from the socket into the copy.
func BenchmarkDelta(b *testing.B) {
	f := serve(b)
	deltas := make(chan int)
	f.handle = func(conn *websocket.Conn) {
		send := func(text string) { _ = conn.WriteMessage(websocket.TextMessage, []byte(text)) }
		_, _, _ = conn.ReadMessage()
		send(`{"jsonrpc":"2.0","id":1,"result":{}}`)
		_, _, _ = conn.ReadMessage()
		send(`{"jsonrpc":"2.0","method":"state/snapshot","params":{"tick":1,"step":1,"entities":[]}}`)
		send(`{"jsonrpc":"2.0","id":2,"result":{"ok":true,"tick":1}}`)
		var changes []string
		for i := range 50 {
			changes = append(changes, entity(i, 1.25))
		}
		for n := range deltas {
			send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"state/delta","params":{"tick":%d,"step":1,"causedBy":[%d],"changes":[%s],"removed":[]}}`, n, n, strings.Join(changes, ",")))
		}
	}
	c := f.dial(b)
	v, err := c.Subscribe(context.Background(), client.Subscription{Area: client.Whole()})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.ResetTimer()
	for n := range b.N {
		deltas <- n + 2
	}
	for range v.Updates(context.Background()) {
		if v.Tick() == uint64(b.N+1) {
			break
		}
	}
	close(deltas)
}
