package mcp_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/transport/stdio"
)

const (
	initNative   = `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"agentId":"ada","sessionId":"s1","profile":"builder.readWrite"}}` + "\n"
	initStandard = `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"tester","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	ping = `{"jsonrpc":"2.0","id":%d,"method":"ping"}` + "\n"
)

// writes records each write on its own.
type writes struct {
	mu   sync.Mutex
	list []string
}

func (w *writes) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.list = append(w.list, string(p))
	return len(p), nil
}

// Answers to all messages of one read leave in one write.
func TestOneWritePerRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out writes
		r, w := io.Pipe()
		done := make(chan error)
		go func() { done <- newCore(t, mcp.Options{}).Serve(t.Context(), stdio.New(r, &out, stdio.Options{})) }()
		call := `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"demo.echo","arguments":{"text":"x"}}}` + "\n"
		burst := initNative
		for i := range 20 {
			burst += fmt.Sprintf(call, i)
			burst += fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"no/such"}`+"\n{bad\n\n", 100+i)
		}
		_, _ = io.WriteString(w, burst+`{"jsonrpc":"2.0","id":7`)
		synctest.Wait()
		_, _ = io.WriteString(w, `,"method":"ping"}`+"\n\n")
		synctest.Wait()
		_ = w.Close()
		if err := <-done; err != nil {
			t.Errorf("Serve = %v", err)
		}
		if len(out.list) != 2 || strings.Count(out.list[0], "\n") != 61 || strings.Count(out.list[1], "\n") != 1 {
			t.Errorf("%d writes, want two, of 61 lines and of one: %q", len(out.list), out.list)
		}
	})
}

// A peer that has stopped reading holds up its own calls, and nobody else: a call that reports
// progress to it ends, and so does a change of the registry.
func TestPeerThatDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core := newCore(t, mcp.Options{})
		r, w := io.Pipe()
		stuckR, stuckW := io.Pipe()
		done := make(chan error)
		go func() { done <- core.Serve(t.Context(), stdio.New(r, stuckW, stdio.Options{})) }()
		_, _ = io.WriteString(w, initStandard+`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo_work","arguments":{"seconds":30},"_meta":{"progressToken":1}}}`+"\n")
		_, _ = io.ReadFull(stuckR, make([]byte, 64)) // and no more
		for i := range 100 {
			if err := core.Registry().Register(extra(fmt.Sprintf("demo.extra%d", i))); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(40 * time.Second)
		synctest.Wait()
		if n := core.Registry().Trace().Len(); n != 1 {
			t.Errorf("%d events: the call waits for the peer", n)
		}
		go func() { _, _ = io.Copy(io.Discard, stuckR) }()
		_ = w.Close()
		if err := <-done; err != nil {
			t.Errorf("Serve = %v", err)
		}
		_ = stuckW.Close()
	})
}

// What waits for a peer that does not read is bounded: notifications are dropped, answers are not.
func TestNotificationsAreDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core := newCore(t, mcp.Options{})
		flood := registry.Define(registry.Spec[none, none]{
			Name: "demo.flood", Description: "Report much.", Permissions: []profiles.Permission{profiles.Anyone}, Slow: true,
			Handle: func(c *registry.Call, _ none) (none, error) {
				for i := range 100_000 {
					c.Progress(float64(i), 0, strings.Repeat("x", 100))
				}
				return none{}, nil
			},
		})
		if err := core.Registry().Register(flood); err != nil {
			t.Fatal(err)
		}
		r, w := io.Pipe()
		outR, outW := io.Pipe()
		done := make(chan error)
		go func() { done <- core.Serve(t.Context(), stdio.New(r, outW, stdio.Options{})) }()
		go func() {
			_, _ = io.WriteString(w, initStandard+`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo_flood","_meta":{"progressToken":1}}}`+"\n")
		}()
		_, _ = io.ReadFull(outR, make([]byte, 64)) // and no more, for now
		synctest.Wait()
		rest := make(chan []byte)
		go func() {
			all, _ := io.ReadAll(outR)
			rest <- all
		}()
		_ = w.Close()
		if err := <-done; err != nil {
			t.Errorf("Serve = %v", err)
		}
		_ = outW.Close()
		all := <-rest
		if len(all) > 3<<20 || !bytes.Contains(all, []byte(`"id":1,"result"`)) {
			t.Errorf("%d bytes came, want at most 3 MiB, the answer among them", len(all))
		}
	})
}

// A write that fails ends the connection, running calls are cancelled, and Serve says why.
func TestBrokenWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := errors.New("broken pipe")
		core := newCore(t, mcp.Options{})
		r, w := io.Pipe()
		done := make(chan error)
		framer := &failing{Conn: stdio.New(r, io.Discard, stdio.Options{})}
		go func() { done <- core.Serve(t.Context(), framer) }()
		_, _ = io.WriteString(w, initNative+`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo.work","arguments":{"seconds":50}}}`+"\n")
		synctest.Wait()
		framer.set(broken)
		_, _ = io.WriteString(w, fmt.Sprintf(ping, 2))
		if err := <-done; !errors.Is(err, broken) {
			t.Errorf("Serve = %v, want %v", err, broken)
		}
		if at := time.Since(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)); at > time.Second {
			t.Errorf("Serve took %v to notice", at)
		}
		if _, err := w.Write([]byte("\n")); err == nil {
			t.Error("the framer is still open")
		}
	})
}

// failing is a Conn whose writes fail from some time on.
type failing struct {
	*stdio.Conn
	mu  sync.Mutex
	err error
}

func (f *failing) set(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.err = err
}

func (f *failing) Write(p []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// A connection that breaks cancels what it had running.
func TestBrokenRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reset := errors.New("connection reset")
		core := newCore(t, mcp.Options{})
		r, w := io.Pipe()
		var out writes
		done := make(chan error)
		go func() { done <- core.Serve(t.Context(), stdio.New(r, &out, stdio.Options{})) }()
		_, _ = io.WriteString(w, initNative+`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo.work","arguments":{"seconds":50}}}`+"\n")
		synctest.Wait()
		_ = w.CloseWithError(reset)
		if err := <-done; !errors.Is(err, reset) {
			t.Errorf("Serve = %v, want %v", err, reset)
		}
		if e := core.Registry().Trace().Len(); e != 1 {
			t.Errorf("%d events, want that of the cancelled call", e)
		}
	})
}

// A reader that cannot be woken, as a terminal, does not keep Serve.
func TestContextEndsWithReaderThatCannotBeWoken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		core := newCore(t, mcp.Options{})
		r, w := io.Pipe()
		defer w.Close()
		done := make(chan error)
		go func() { done <- core.Serve(ctx, stdio.New(struct{ io.Reader }{r}, io.Discard, stdio.Options{})) }()
		_, _ = io.WriteString(w, initNative)
		synctest.Wait()
		why := errors.New("interrupted")
		cancel(why)
		if err := <-done; !errors.Is(err, why) {
			t.Errorf("Serve = %v, want %v", err, why)
		}
		if _, err := core.Open(mcp.Identity{AgentID: "a", SessionID: "s1", Profile: "player.full"}); err != nil {
			t.Errorf("the connection's session is still open: %v", err)
		}
	})
}

// A session id that is live on one connection is refused on another, and free when the first ends.
func TestSessionIDIsOfOneConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core := newCore(t, mcp.Options{})
		first, second := dial(t, core, 0), dial(t, core, 0)
		say := func(p *peer, text string) string {
			p.send(text)
			synctest.Wait()
			return strings.Join(p.said(), "\n")
		}
		say(first, initNative)
		if got := say(second, initNative); !strings.Contains(got, `"code":-32001,"message":"session \"s1\" is in use on another connection`) {
			t.Errorf("initialize with a session that is live: %s", got)
		}
		if got := say(first, initNative); !strings.Contains(got, `"result"`) {
			t.Errorf("initialize again on the same connection: %s", got)
		}
		say(first, `{"jsonrpc":"2.0","id":1,"method":"shutdown"}`+"\n")
		if got := say(second, initNative); !strings.Contains(got, `"result"`) {
			t.Errorf("initialize after the first has shut down: %s", got)
		}
		second.close()
		if got := say(first, initNative); !strings.Contains(got, `"result"`) {
			t.Errorf("initialize after the second has gone: %s", got)
		}
		first.close()
	})
}

// A token that comes with initialize opens what it opens, and nothing of it is kept.
func TestTokenInInitialize(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core := newCore(t, mcp.Options{Tokens: func(token string) (mcp.Credential, bool) {
			return mcp.Credential{Principal: "ada", Profiles: []string{"reviewer"}}, token == "sesame"
		}})
		p := dial(t, core, 0)
		p.send(strings.Replace(initNative, `"builder.readWrite"`, `"reviewer","token":"sesame"`, 1))
		p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"trace.tail"}}` + "\n")
		p.send(initNative)
		p.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"trace.tail"}}` + "\n")
		synctest.Wait()
		said := p.said()
		if len(said) != 4 || !strings.Contains(said[1], `"success":true`) || !strings.Contains(said[3], "missing permission: trace.read") {
			t.Errorf("said %q", said)
		}
		p.close()
	})
}

// The operator's choice of a profile for standard sessions needs no token.
func TestStandardProfile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := dial(t, newCore(t, mcp.Options{Profile: "reviewer"}), 0)
		p.send(initStandard)
		p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"trace_tail"}}` + "\n")
		synctest.Wait()
		if said := p.said(); len(said) != 2 || !strings.Contains(said[1], `"structuredContent":{}`) {
			t.Errorf("said %q", said)
		}
		p.close()
	})
}

// One slow reader of large answers does not mix them up, and many slow calls end in one stream.
func TestManySlowCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core := newCore(t, mcp.Options{MaxRunning: 200})
		p := dial(t, core, 0)
		p.send(initStandard)
		var want bytes.Buffer
		for i := range 200 {
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"demo_work","arguments":{"seconds":%d}}}`+"\n", i, 1+(i*7)%50))
			fmt.Fprintln(&want, i)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		got := map[string]bool{}
		for _, line := range p.said()[1:] {
			id, _, _ := strings.Cut(strings.TrimPrefix(line, `{"jsonrpc":"2.0","id":`), ",")
			if got[id] || !strings.Contains(line, `"done":true`) {
				t.Errorf("answered twice or wrongly: %s", line)
			}
			got[id] = true
		}
		if len(got) != 200 {
			t.Errorf("%d answers, want 200", len(got))
		}
		p.close()
	})
}

// clumsy is a Framer that panics at the first message with a text.
type clumsy struct {
	mcp.Framer
	at string
}

func (c *clumsy) Seal(dst []byte, start int) []byte {
	if c.at != "" && bytes.Contains(dst[start:], []byte(c.at)) {
		c.at = ""
		panic("clumsy")
	}
	return c.Framer.Seal(dst, start)
}

// What panics while a message is taken apart costs that message its answer, and nobody the server.
func TestPanicWhileReading(t *testing.T) {
	var out bytes.Buffer
	in := strings.NewReader(initNative + fmt.Sprintf(ping, 1) + "{bad\n" + fmt.Sprintf(ping, 2))
	f := &clumsy{stdio.New(in, &out, stdio.Options{}), "-32700"}
	if err := newCore(t, mcp.Options{}).Serve(t.Context(), f); err != nil {
		t.Error(err)
	}
	_, rest, _ := strings.Cut(out.String(), "\n") // the answer to initialize
	const want = `{"jsonrpc":"2.0","id":1,"result":{}}` + "\n" + `{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"internal error"}}` + "\n" +
		`{"jsonrpc":"2.0","id":2,"result":{}}` + "\n"
	if rest != want {
		t.Errorf("got %s\nwant %s", rest, want)
	}
}
