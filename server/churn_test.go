package server_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"

	"github.com/limina-mcp/limina/internal/leak"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/server"
	"github.com/limina-mcp/limina/trace"
)

// A thousand connections that come and go as they please, under load, leave nothing behind: no
// goroutine, no descriptor, no memory.
func TestChurn(t *testing.T) {
	ignore := goleak.IgnoreCurrent()
	path := filepath.Join(t.TempDir(), "limina.sock")
	m := coreOf(t, registry.Options{Trace: trace.New(trace.Options{MaxEvents: 64})}, noOptions) // that is soon full
	round := func(connections int) {
		s, err := server.Listen(server.Config{Core: m, Address: "unix:" + path, Drain: 100 * time.Millisecond, HandshakeTimeout: 100 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		stopped := make(chan error, 1)
		go func() { stopped <- s.Run(ctx) }()
		var busy, churning sync.WaitGroup
		over := make(chan struct{})
		for n := range 4 {
			busy.Go(func() { load(t, path, n, over) })
		}
		slots := make(chan struct{}, 50)
		for n := range connections {
			slots <- struct{}{}
			churning.Go(func() {
				visit(path, n)
				<-slots
			})
		}
		churning.Wait()
		close(over)
		busy.Wait()
		cancel()
		if err := <-stopped; err != nil {
			t.Errorf("Run = %v", err)
		}
	}
	round(100) // what is made once is there now
	heap, files := held(t)
	round(1000)
	leak.Check(t, ignore)
	heapAfter, filesAfter := held(t)
	if filesAfter > files {
		t.Errorf("%d descriptors are open, %d were before", filesAfter, files)
	}
	if heapAfter > heap+1<<20 {
		t.Errorf("%d KiB of heap are in use, %d KiB were before", heapAfter>>10, heap>>10)
	}
}

// held returns the bytes on the heap and the open descriptors.
func held(t *testing.T) (heap uint64, files int) {
	t.Helper()
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&stats)
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		list = nil // no such thing on this system
	}
	return stats.HeapAlloc, len(list)
}

func dialUnix(path string) (net.Conn, error) { return net.Dial("unix", path) }

func dialWebSocket(path string) (*websocket.Conn, error) {
	d := websocket.Dialer{NetDialContext: func(context.Context, string, string) (net.Conn, error) { return dialUnix(path) }}
	c, answer, err := d.Dial("ws://localhost/", nil)
	if answer != nil {
		_ = answer.Body.Close()
	}
	return c, err
}

// load calls until over, one call after the other, and every call is answered.
func load(t *testing.T, path string, n int, over chan struct{}) {
	t.Helper()
	c, err := dialWebSocket(path)
	for err != nil { // a machine that is busy may take longer than the server's patience, which is short here
		select {
		case <-over:
			t.Errorf("dial: %v", err)
			return
		default:
			c, err = dialWebSocket(path)
		}
	}
	defer c.Close()
	steady := &client{c, t}
	steady.ask(strings.Replace(initialize, "s1", fmt.Sprint("load", n), 1))
	for id := 0; ; id++ {
		select {
		case <-over:
			return
		default:
		}
		if got := steady.ask(call(id, "demo.echo", `{"text":"steady"}`)); !strings.Contains(got, `"text":"steady"`) {
			t.Errorf("answered %s", got)
			return
		}
	}
}

// visit comes, does something, and goes, well or badly.
func visit(path string, n int) {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	if r.IntN(4) == 0 { // no WebSocket at all
		c, err := dialUnix(path)
		if err != nil {
			return
		}
		_, _ = fmt.Fprint(c, []string{"", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "\x00garbage\r\n\r\n", "GET / HT"}[r.IntN(4)])
		if r.IntN(2) == 0 {
			_, _ = c.Read(make([]byte, 100))
		}
		_ = c.Close()
		return
	}
	c, err := dialWebSocket(path)
	if err != nil {
		return
	}
	defer c.Close()
	due := 0 // answers that are to come
	send := func(text string) {
		_ = c.WriteMessage(websocket.TextMessage, []byte(text))
		due++
	}
	send(strings.Replace(initialize, "s1", fmt.Sprint("churn", n), 1))
	for range r.IntN(5) {
		switch r.IntN(6) {
		case 0:
			send(call(1, "demo.echo", `{"text":"`+strings.Repeat("x", r.IntN(100_000))+`"}`))
		case 1:
			send(call(2, "demo.work", `{"seconds":3600}`))
			due--
		case 2:
			send(`{bad`)
		case 3:
			if due > 0 {
				_, _, _ = c.ReadMessage()
				due--
			}
		case 4:
			_ = c.WriteControl(websocket.PingMessage, nil, time.Now().Add(time.Second))
		case 5:
			_, _ = c.NetConn().Write([]byte{0x01, 0x85, 0}) // part of a frame, then another one
		}
	}
	if r.IntN(3) == 0 {
		_ = c.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(1000, ""), time.Now().Add(time.Second))
	}
}
