package httpmcp_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	httpmcp "github.com/limina-mcp/limina/transport/http"
)

// partial sends the head of a request, and a part of the body that it announces.
func (c *caller) partial(method, kind string, length int) {
	c.send(fmt.Sprintf("%s /mcp HTTP/1.1\r\nHost: limina\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n{\"jsonrpc\"", method, kind, length))
}

// A body that is refused, and does not come to its end, is waited for no longer than another one when the endpoint stops, whether it has begun to come before; and others are answered meanwhile.
func TestStopWithBodiesThatAreRefused(t *testing.T) {
	for _, tt := range []struct {
		method, kind string
		length       int
		want         string // what is answered, if that does not wait for what the server makes of connections
	}{
		{"POST", "text/plain", 1000, "415 "},       // net/http reads one as short before it answers
		{"POST", "text/plain", 300 << 10, "415 "},  // it does not
		{"POST", "application/json", 1000, "400 "}, // which does not come
		{"POST", "application/json", 2 << 20, "413 "},
		{"PUT", "text/plain", 1000, ""},
		{"GET", "application/json", 1000, ""},
	} {
		for _, fronted := range []bool{true, false} {
			t.Run(fmt.Sprint(tt.method, tt.kind, tt.length, fronted), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					r := serveOn(t, httpmcp.Options{Limit: 1 << 20}, fronted)
					slow, deaf := dial(t, r.listener), dial(t, r.listener)
					for _, c := range []*caller{slow, deaf} {
						c.partial(tt.method, tt.kind, tt.length)
					}
					answer := make(chan string, 1)
					go func() {
						text, _ := io.ReadAll(slow.in)
						answer <- string(text)
					}()
					time.Sleep(5 * time.Second)
					other := dial(t, r.listener).inSession()
					began := time.Now()
					other.send(other.request(echo(1, "x")))
					if status, body, _ := other.answer(); status != http.StatusOK || !strings.Contains(body, `"text":"x"`) || time.Since(began) > 0 {
						t.Errorf("another one is answered %d %s, after %v", status, body, time.Since(began))
					}
					patience, done := context.WithTimeout(context.Background(), time.Minute)
					defer done()
					ended := make(chan struct{})
					go func() {
						defer close(ended)
						r.endpoint.Shutdown(patience)
					}()
					select {
					case <-ended:
					case <-patience.Done():
						_ = deaf.conn.Close() // so that it ends
						<-ended
					}
					if took := time.Since(began); took > 2*time.Second {
						t.Errorf("the end waits %v", took)
					}
					defer time.Sleep(time.Second) // net/http lingers for half of one
					if tt.want != "" {
						_ = slow.conn.SetReadDeadline(time.Now().Add(time.Minute))
						if got := <-answer; !strings.HasPrefix(got, "HTTP/1.1 "+tt.want) {
							t.Errorf("it is answered %q", got)
						}
					}
				})
			})
		}
	}
}

// Whose answer is a stream holds no buffer for his body while that is open.
func TestOpenStreamsHoldNoBodies(t *testing.T) {
	if testing.Short() {
		t.Skip("it counts memory")
	}
	synctest.Test(t, func(t *testing.T) {
		r := serve(t, httpmcp.Options{})
		const message = `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
		const streams = 100
		heap := func() uint64 {
			var m runtime.MemStats
			for range 3 { // a pool keeps what it has through two
				runtime.GC()
			}
			runtime.ReadMemStats(&m)
			return m.HeapAlloc
		}
		before := heap()
		for range streams {
			c := dial(t, r.listener)
			// Of a body that does not say how long it is room is made as for a long one.
			c.send(fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: limina\r\nContent-Type: application/json\r\nMcp-Method: subscriptions/listen\r\nMcp-Protocol-Version: 2026-07-28\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(message), message))
			answer, err := http.ReadResponse(c.in, nil) //nolint:bodyclose // it stays open until the connection ends
			if err != nil {
				t.Fatal(err)
			}
			if text, err := io.ReadAll(io.LimitReader(answer.Body, 40)); answer.StatusCode != http.StatusOK || err != nil {
				t.Fatalf("%d %s %v", answer.StatusCode, text, err)
			}
		}
		if each := (int64(heap()) - int64(before)) / streams; each > 50<<10 {
			t.Errorf("each stream holds %d KiB", each>>10)
		}
	})
}
