package mcp_test

import (
	"encoding/json"
	"fmt"
	"io"
	"testing"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/transport/stdio"
)

var benchInput = []byte(`{"shape":"box","size":1.5,"color":16746496,"position":[1,2,3],"dynamic":true,"material":"wood"}`)

// BenchmarkCallTool is a call in process with JSON in and out.
func BenchmarkCallTool(b *testing.B) {
	core := newCore(b, mcp.Options{})
	s := open(b, core, "builder.readWrite")
	b.ReportAllocs()
	for b.Loop() {
		if out := core.CallTool(b.Context(), s, mcp.Request{Tool: "scene.createEntity", Input: benchInput}); !out.Success {
			b.Fatal(out.Error)
		}
	}
}

// BenchmarkAppendCall is the same with the answer as text in a buffer of the caller's.
func BenchmarkAppendCall(b *testing.B) {
	core := newCore(b, mcp.Options{})
	s := open(b, core, "builder.readWrite")
	ctx, buf := b.Context(), []byte(nil)
	b.ReportAllocs()
	for b.Loop() {
		buf = core.AppendCall(ctx, s, "scene.createEntity", benchInput, buf[:0])
	}
	if !json.Valid(buf) {
		b.Fatalf("%s", buf)
	}
}

// BenchmarkInvoke is a typed call.
func BenchmarkInvoke(b *testing.B) {
	core := newCore(b, mcp.Options{})
	s := open(b, core, "builder.readWrite")
	ctx, in := b.Context(), registry.Default[createIn]()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := mcp.Invoke[createIn, createOut](ctx, core, s, "scene.createEntity", in); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkServe sends calls over an in-memory pipe, so many at a time, and waits for their answers.
func BenchmarkServe(b *testing.B) {
	for _, dialect := range []struct{ name, init, tool, meta string }{
		{"native", initNative, "scene.createEntity", ""},
		{"standard", initStandard, "scene_createEntity", ""},
		{"modern", initStandard, "scene_createEntity", `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
			`"io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`},
	} {
		for _, burst := range []int{1, 64} {
			b.Run(fmt.Sprintf("%s/%d", dialect.name, burst), func(b *testing.B) {
				in, w := io.Pipe()
				out := lineCounter{done: make(chan struct{}), want: 1}
				served := make(chan error)
				go func() {
					served <- newCore(b, mcp.Options{}).Serve(b.Context(), stdio.New(in, &out, stdio.Options{}))
				}()
				_, _ = io.WriteString(w, dialect.init)
				<-out.done
				var calls []byte
				for i := range burst {
					calls = fmt.Appendf(calls, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s%s}}`+"\n", i, dialect.tool, benchInput, dialect.meta)
				}
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					out.want = burst
					if _, err := w.Write(calls); err != nil {
						b.Fatal(err)
					}
					<-out.done
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*burst), "ns/call")
				_ = w.Close()
				if err := <-served; err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}

// lineCounter says when as many lines have been written as are wanted.
type lineCounter struct {
	want int
	done chan struct{}
}

func (c *lineCounter) Write(p []byte) (int, error) {
	for _, ch := range p {
		if ch == '\n' {
			c.want--
		}
	}
	if c.want == 0 {
		c.done <- struct{}{}
	}
	return len(p), nil
}

// BenchmarkListTools is a standard client's tools/list, from memory.
func BenchmarkListTools(b *testing.B) {
	core := newCore(b, mcp.Options{})
	s := open(b, core, "builder.readWrite")
	for b.Loop() {
		if len(core.ListTools(s)) == 0 {
			b.Fatal("no tools")
		}
	}
}
