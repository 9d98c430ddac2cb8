package mcp_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/mcp"
)

// way is an exchange that notes what it gets.
type way struct {
	mu   sync.Mutex // guards list
	list []string
}

var _ mcp.Exchange = (*way)(nil)

func (w *way) Tell(text []byte) bool {
	w.note("told", string(text))
	return true
}

func (w *way) Answer(text []byte, code int) { w.note("answer", fmt.Sprint(code, " ", string(text))) }

func (w *way) note(what, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.list = append(w.list, what+" "+generated.ReplaceAllString(text, "ses_generated"))
}

func (w *way) got() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Join(w.list, "\n")
}

const hello = `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"tester","version":"1"}}}`

// deliver hands one message over and returns its way back.
func deliver(l *mcp.Link, text string) *way {
	w := &way{}
	buffer := []byte(text)
	var o mcp.Outline
	o.Read(buffer)
	l.Deliver(&o, w)
	clear(buffer) // it is the caller's again
	return w
}

// What came together goes back together: each message of a link is answered on its own way, once, with
// its code, whenever it is done.
func TestLinkAnswersEachExchange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var loose way
		l := newCore(t, mcp.Options{}).Link(t.Context(), mcp.Peer{}, loose.Tell)
		if id := l.SessionID(); id != "" {
			t.Errorf("SessionID = %q before initialize", id)
		}
		deliver(l, fmt.Sprintf(hello, "2025-11-25"))
		if id := l.SessionID(); !strings.HasPrefix(id, "ses_") {
			t.Errorf("SessionID = %q", id)
		}
		work := func(id int) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"demo_work","arguments":{"seconds":2},"_meta":{"progressToken":"p%d"}}}`, id, id)
		}
		slow, dropped := deliver(l, work(1)), deliver(l, work(2))
		for _, tt := range []struct{ text, want string }{
			{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, `answer 0 `},
			{`{"jsonrpc":"2.0","id":3,"method":"ping"}`, `answer 0 {"jsonrpc":"2.0","id":3,"result":{}}`},
			{`{"jsonrpc":"2.0","id":"no","method":"no/such"}`, `answer -32601 {"jsonrpc":"2.0","id":"no","error":{"code":-32601,"message":"Method not found: no/such"}}`},
			{`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"no"}}`, `answer -32602 `},
			{`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"demo_echo","arguments":{"text":"\"error\":{\"code\":-1"}}}`, `answer 0 `},
			{`{"jsonrpc":"2.0","id":6,"result":{}}`, `answer 0 `},
			{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`, `answer 0 `},
			{`[{"jsonrpc":"2.0","id":7,"method":"ping"}]`, `answer -32600 {"jsonrpc":"2.0","error":`},
			{`{bad`, `answer -32700 {"jsonrpc":"2.0","error":`},
			{``, `answer -32700 {"jsonrpc":"2.0","error":`},
		} {
			if got := deliver(l, tt.text).got(); !strings.HasPrefix(got, tt.want) || tt.want == "answer 0 " && strings.Contains(got, "\n") {
				t.Errorf("%s\ngot  %s\nwant %s", tt.text, got, tt.want)
			}
		}
		time.Sleep(3 * time.Second)
		synctest.Wait()
		want := strings.Join([]string{
			`told {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p1","progress":1,"total":2,"message":"working"}}`,
			`told {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p1","progress":2,"total":2,"message":"working"}}`,
			`answer 0 {"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"done":true},"content":[{"type":"text","text":"{\"done\":true}"}]}}`,
		}, "\n")
		if diff := cmp.Diff(want, slow.got()); diff != "" {
			t.Errorf("a slow call (-want +got):\n%s", diff)
		}
		if got := dropped.got(); got != "answer 0 " {
			t.Errorf("a cancelled call got %s", got)
		}
		if got := loose.got(); got != "" {
			t.Errorf("what belongs to no exchange: %s", got)
		}
		if err := l.Close(); err != nil {
			t.Errorf("Close = %v", err)
		}
		if got := deliver(l, work(8)).got(); !strings.HasPrefix(got, "answer -32000 ") {
			t.Errorf("after Close: %s", got)
		}
	})
}

// A batch is answered in one array, when its last call is done; one of notifications not at all.
func TestLinkBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newCore(t, mcp.Options{}).Link(t.Context(), mcp.Peer{}, nil)
		defer l.Close()
		deliver(l, fmt.Sprintf(hello, "2025-03-26"))
		both := deliver(l, `[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo_work","arguments":{"seconds":1},"_meta":{"progressToken":1}}},`+
			`{"jsonrpc":"2.0","id":2,"method":"ping"},{"jsonrpc":"2.0","id":9,"result":{}},{"jsonrpc":"2.0","method":"notifications/initialized"}]`)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		want := `told {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1,"total":1,"message":"working"}}` + "\n" +
			`answer 0 [{"jsonrpc":"2.0","id":2,"result":{}},{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"done":true},"content":[{"type":"text","text":"{\"done\":true}"}]}}]`
		if diff := cmp.Diff(want, both.got()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if got := deliver(l, `[{"jsonrpc":"2.0","method":"notifications/initialized"}]`).got(); got != "answer 0 " {
			t.Errorf("notifications only: %s", got)
		}
	})
}

// Whoever is linked hears of what belongs to no request, and closing cancels what runs.
func TestLinkLooseAndClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core := newCore(t, mcp.Options{})
		var loose way
		l := core.Link(t.Context(), mcp.Peer{}, loose.Tell)
		deliver(l, fmt.Sprintf(hello, "2025-11-25"))
		deliver(l, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		if err := core.Registry().Register(extra("demo.new")); err != nil {
			t.Fatal(err)
		}
		if got, want := loose.got(), `told {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`; got != want {
			t.Errorf("loose: %s, want %s", got, want)
		}
		running := deliver(l, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo_work","arguments":{"seconds":60}}}`)
		if err := l.Close(); err != nil {
			t.Errorf("Close = %v", err)
		}
		if got := running.got(); !strings.Contains(got, `"isError":true`) || !strings.Contains(got, "cancelled") {
			t.Errorf("a call that was cut off got %s", got)
		}
		if got := l.SessionID(); got != "" {
			t.Errorf("SessionID = %q after Close", got)
		}
	})
}

// What is still delivered to a link that is closed, as by a request that came with the one that ended its session, begins no other one: nobody
// would end it, and the world would go on for it for ever.
func TestLinkDeliversAfterClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core := newCore(t, mcp.Options{})
		for name, end := range map[string]func(l *mcp.Link, cancel context.CancelFunc){
			"closed":                 func(l *mcp.Link, _ context.CancelFunc) { _ = l.Close() },
			"its context has ended":  func(_ *mcp.Link, cancel context.CancelFunc) { cancel() },
			"both, and closed again": func(l *mcp.Link, cancel context.CancelFunc) { cancel(); _ = l.Close(); _ = l.Close() },
		} {
			ctx, cancel := context.WithCancel(t.Context())
			l := core.Link(ctx, mcp.Peer{}, nil)
			deliver(l, fmt.Sprintf(hello, "2025-11-25"))
			end(l, cancel)
			for _, text := range []string{
				fmt.Sprintf(hello, "2025-11-25"),
				`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"agentId":"ada","sessionId":"s1","profile":"builder.readWrite"}}`,
			} {
				if got := deliver(l, text).got(); !strings.Contains(got, "the session has been ended") {
					t.Errorf("%s: initialize is answered with %s", name, got)
				}
			}
			got := deliver(l, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"demo_echo","arguments":{"text":"hello"}}}`).got()
			if strings.Contains(got, "hello") {
				t.Errorf("%s: a call is answered with %s", name, got)
			}
			if open := core.Stats().Sessions; open != 0 || l.SessionID() != "" {
				t.Errorf("%s: %d sessions are open, that of the link is %q", name, open, l.SessionID())
			}
			if err := l.Close(); err != nil {
				t.Error(err)
			}
			cancel()
		}
	})
}

// Whoever is to hear that a connection has ended is there, or the process would end with it.
func TestStartPeerWithNobodyToTell(t *testing.T) {
	defer func() {
		if got, want := recover(), "mcp: StartPeer: the function is nil"; got != want {
			t.Errorf("panicked with %v, want %s", got, want)
		}
	}()
	newCore(t, mcp.Options{}).StartPeer(t.Context(), nil, mcp.Peer{}, nil)
}
