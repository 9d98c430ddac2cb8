package client_test

import (
	"context"
	"encoding/hex"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/limina-mcp/limina/client"
)

// FuzzServer has a server say anything. Whatever it is, the client goes on, or ends the connection; it
// does not panic, and it can be closed.
func FuzzServer(f *testing.F) {
	binary := func(text string) []byte {
		content, err := hex.DecodeString(text)
		if err != nil {
			f.Fatal(err)
		}
		return content
	}
	for _, text := range []string{
		`7`, `[]`, `[[]]`, `{"id":1}`, `{"jsonrpc":"2.0","id":2,"result":null}`, `{"method":"state/delta"}`,
		`{"method":"state/snapshot","params":{"tick":1,"entities":[{"id":"ent_1","pos":[1,2,3],"rot":[0,0,0,1],"scale":[1,1,1]}],"world":{"a":1,"t":{"r":null}},"tables":["t"]}}`,
		`[{"method":"state/delta","params":{"tick":2,"changes":[{"id":"ent_1"}],"removed":["ent_2"],"events":[{"kind":1}],"replaced":["t"],"world":{"t":7}}}]`,
		`{"method":"state/snapshot","params":{"tick":1,"precision":10,"entered":[[0,4,1024,0,0,7,[1,1,1],{"a":1}]],"aoi":{"center":[0,0,0],"radius":5}}}`,
		`{"method":"state/delta","params":{"resumed":true,"precision":16,"gone":[0],"placed":[0,1,1,1],"moved":[1,1,1,1],"turned":[1,5],"scaled":[[0,1,1,1]],"far":[[0,1,1,1]],"parts":[[0,"a"],[0,"b",1]]}}`,
	} {
		f.Add(false, []byte(text), []byte(text))
	}
	f.Add(true, binary("010a0506030402020200"), binary("00010502020200"))
	f.Fuzz(func(t *testing.T, bin bool, first, second []byte) {
		srv := serve(t)
		kind := websocket.TextMessage
		if bin {
			kind = websocket.BinaryMessage
		}
		srv.handle = func(conn *websocket.Conn) {
			defer conn.Close()
			for n := 1; ; n++ {
				if _, _, err := conn.ReadMessage(); err != nil {
					return
				}
				switch n {
				case 1:
					_ = conn.WriteMessage(websocket.TextMessage, []byte(`{"id":1,"result":{}}`))
				case 2:
					_ = conn.WriteMessage(kind, first)
					_ = conn.WriteMessage(websocket.TextMessage, []byte(`{"id":2,"result":{"ok":true,"tick":1}}`))
					_ = conn.WriteMessage(kind, second)
					_ = conn.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(1000, ""))
				}
			}
		}
		lost := make(chan error, 1)
		c := srv.dial(t, func(o *client.Options) {
			o.OnState = func(err error) { lost <- err }
			o.Backoff.Min = time.Hour
		})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		subscribed := make(chan *client.View)
		go func() {
			v, _ := c.Subscribe(ctx, client.Subscription{Area: client.Whole(), Batch: true})
			subscribed <- v
		}()
		<-lost
		cancel()
		if v := <-subscribed; v != nil {
			_ = v.Snapshot()
			for range v.Updates(t.Context()) {
				break
			}
		}
		c.Close()
	})
}
