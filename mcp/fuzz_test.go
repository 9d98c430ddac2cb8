package mcp_test

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/internal/mcpfuzz"
	"github.com/limina-mcp/limina/internal/transcript"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/transport/stdio"
)

// FuzzServe sends anything to a connection. Nothing ends it; every line gets the answers that an
// oracle made of encoding/json demands, and no others; ids come back to the letter; and lines that
// come in one read are answered as lines that come one by one.
func FuzzServe(f *testing.F) {
	for _, line := range transcript.Lines(f, "-> ") {
		f.Add(uint8(0), []byte(line))
		f.Add(uint8(1), []byte(line))
		f.Add(uint8(2), []byte(line+"\n"+line))
	}
	f.Add(uint8(2), []byte(" [ {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"} ,\t1] \r\n\t[]"))
	f.Add(uint8(1), []byte(`{"jsonrpc":"2.0","id":1.`+strings.Repeat("0", 100)+`,"method":"ping"}`))
	f.Fuzz(func(t *testing.T, dialect uint8, data []byte) {
		if len(data) > 4<<10 {
			return // large inputs only cost time
		}
		var singly []string
		lines := strings.Split(string(data), "\n")
		synctest.Test(t, func(t *testing.T) {
			p := fuzzPeer(t, dialect)
			for _, line := range lines {
				batches := p.framer.negotiated() == "2025-03-26"
				p.send(line + "\n")
				synctest.Wait()
				said := p.said()
				judge(t, strings.TrimSuffix(line, "\r"), batches, said)
				singly = append(singly, said...)
			}
			p.close()
		})
		synctest.Test(t, func(t *testing.T) {
			p := fuzzPeer(t, dialect)
			defer p.close()
			p.send(string(data))
			_ = p.in.Close()
			synctest.Wait()
			said := p.said()
			if strings.Contains(string(data), "ancel") || strings.Contains(string(data), `\u`) {
				return // a call that ended before may be running now, and be cancelled
			}
			if diff := cmp.Diff(mcpfuzz.Answered(t, singly), mcpfuzz.Answered(t, said)); diff != "" {
				t.Errorf("%q: answered one by one and at once (-one by one +at once):\n%s", data, diff)
			}
		})
	})
}

// napping is a core whose slow skill ends at once.
func napping(t *testing.T) *mcp.Mcp {
	t.Helper()
	skills := slices.DeleteFunc(testSkills(), func(k registry.Skill) bool {
		return k.Name() == "demo.work" || k.Name() == "demo.quick"
	})
	reg := registry.New(registry.Options{})
	nap := registry.Define(registry.Spec[none, none]{
		Name: "demo.work", Description: "Do nothing, slowly.", Permissions: []profiles.Permission{profiles.Anyone}, Slow: true, Published: true,
		Handle: func(c *registry.Call, _ none) (none, error) {
			c.Progress(1, 1, "")
			return none{}, nil
		},
	})
	if err := reg.Register(append(skills, nap)...); err != nil {
		t.Fatal(err)
	}
	core, err := mcp.New(reg, mcp.Options{Logger: mcpfuzz.Logger(t)})
	if err != nil {
		t.Fatal(err)
	}
	return core
}

// fuzzPeer connects to such a server, with a session.
func fuzzPeer(t *testing.T, dialect uint8) *peer {
	t.Helper()
	p := dial(t, napping(t), 0)
	p.send([]string{initNative, initStandard, strings.ReplaceAll(initStandard, "2025-11-25", "2025-03-26")}[dialect%3])
	synctest.Wait()
	p.said()
	return p
}

// judge holds what was said to one line against what the oracle says.
func judge(t *testing.T, line string, batches bool, said []string) {
	t.Helper()
	got, want := mcpfuzz.Answered(t, said), mcpfuzz.Expected([]byte(line), batches)
	slices.Sort(want)
	if !slices.Equal(want, got) {
		t.Errorf("%q is answered for the ids %q, want %q: %q", line, got, want, said)
	}
}

// A peer that sends noise for ever is answered for as long, in bounded memory.
func TestNoise(t *testing.T) {
	core := newCore(t, mcp.Options{})
	noise := strings.Repeat("{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"x\"}\n[[[[\n\x00\xff\n\"\n", 20_000)
	var out countWriter
	if err := core.Serve(t.Context(), stdio.New(strings.NewReader(noise), &out, stdio.Options{})); err != nil {
		t.Errorf("Serve = %v", err)
	}
	if out.lines != 80_000 || out.largest > 64<<10 {
		t.Errorf("%d answers, want 80000; the largest write is %d bytes", out.lines, out.largest)
	}
}

type countWriter struct{ lines, largest int }

func (c *countWriter) Write(p []byte) (int, error) {
	c.lines += bytes.Count(p, []byte("\n"))
	c.largest = max(c.largest, len(p))
	return len(p), nil
}

var _ io.Writer = (*countWriter)(nil)
