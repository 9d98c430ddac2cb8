//go:build !race

package mcp_test

import (
	"io"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/transport/stdio"
)

// TestMessagesAllocateNothing holds reading and answering a message, its call aside, to no allocation.
func TestMessagesAllocateNothing(t *testing.T) {
	const burst = 64
	in, w := io.Pipe()
	out := lineCounter{done: make(chan struct{}), want: 1}
	served := make(chan error)
	core := newCore(t, mcp.Options{})
	go func() { served <- core.Serve(t.Context(), stdio.New(in, &out, stdio.Options{})) }()
	_, _ = io.WriteString(w, initStandard)
	<-out.done
	pings := []byte(strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n", burst))
	got := testing.AllocsPerRun(100, func() {
		out.want = burst
		_, _ = w.Write(pings)
		<-out.done
	})
	if got >= burst/2 {
		t.Errorf("%v allocations for %d messages", got, burst)
	}
	_ = w.Close()
	if err := <-served; err != nil {
		t.Error(err)
	}
}
