package httpmcp_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/mcp"
	httpmcp "github.com/limina-mcp/limina/transport/http"
)

// ending is a session of a client that can be asked, whatever it is in the middle of.
type ending struct {
	*rig
	t  *testing.T
	id string
}

// answered is what a request is answered with. Who has it closes it.
type answered struct {
	io.ReadCloser
	status  int
	session string
}

func (s *ending) do(ctx context.Context, method, body string, headers ...string) answered {
	s.t.Helper()
	q, err := http.NewRequestWithContext(ctx, method, "http://limina/mcp", strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	q.Header = http.Header{"Accept": {"application/json, text/event-stream"}, "Content-Type": {"application/json"}}
	if s.id != "" {
		q.Header.Set("Mcp-Session-Id", s.id)
	}
	for n := 0; n+1 < len(headers); n += 2 {
		q.Header.Set(headers[n], headers[n+1])
	}
	answer, err := s.client.Do(q) //nolint:bodyclose // whoever has what is answered closes it
	if err != nil {
		s.t.Fatal(err)
	}
	return answered{answer.Body, answer.StatusCode, answer.Header.Get("Mcp-Session-Id")}
}

// done reads what is left, and closes it.
func (a answered) done() {
	_, _ = io.Copy(io.Discard, a)
	_ = a.Close()
}

func (r *rig) ending(t *testing.T) *ending {
	t.Helper()
	s := &ending{rig: r, t: t}
	answer := s.do(t.Context(), http.MethodPost, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"x","version":"1"}}}`)
	answer.done()
	s.id = answer.session
	s.do(t.Context(), http.MethodPost, `{"jsonrpc":"2.0","method":"notifications/initialized"}`).done()
	return s
}

// until reads a stream of events until what comes has a text.
func until(t *testing.T, stream io.Reader, text string) {
	t.Helper()
	for lines := bufio.NewScanner(stream); lines.Scan(); {
		if strings.Contains(lines.Text(), text) {
			return
		}
	}
	t.Errorf("the stream has ended, and %s has not come", text)
}

// A DELETE ends all that a session is in the middle of: its calls, what it asks its client, the streams that are open, and what is kept for it. Of two
// at once, and of what is sent beside them, each is answered, and what comes afterwards finds no session.
func TestDeleteInTheMiddle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := serve(t, httpmcp.Options{})
		round := func() {
			s := r.ending(t)
			for n := range 6 { // more than is kept
				left, leave := context.WithCancel(t.Context())
				answer := s.do(left, http.MethodPost, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"demo_echo","arguments":{"text":"%s"}}}`, n, strings.Repeat("x", 100<<10)), "Accept", "text/event-stream")
				until(t, answer, "id: ")
				leave()
			}
			listens := s.do(t.Context(), http.MethodGet, "")
			works := s.do(t.Context(), http.MethodPost, `{"jsonrpc":"2.0","id":"w","method":"tools/call","params":{"name":"demo_work","arguments":{"seconds":3600},"_meta":{"progressToken":1}}}`)
			until(t, works, "notifications/progress")
			left, leave := context.WithCancel(t.Context())
			lost := s.do(left, http.MethodPost, `{"jsonrpc":"2.0","id":"l","method":"tools/call","params":{"name":"demo_work","arguments":{"seconds":3600},"_meta":{"progressToken":2}}}`)
			until(t, lost, "notifications/progress")
			leave()
			asks := s.do(t.Context(), http.MethodPost, `{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"demo_ask","arguments":{}}}`)
			until(t, asks, "elicitation/create")
			var deletes sync.WaitGroup
			var mu sync.Mutex
			said := map[int]int{}
			for n := range 6 {
				deletes.Go(func() {
					var answer answered
					if n < 2 {
						answer = s.do(t.Context(), http.MethodDelete, "")
					} else {
						answer = s.do(t.Context(), http.MethodPost, fmt.Sprintf(`{"jsonrpc":"2.0","id":"b%d","method":"tools/call","params":{"name":"demo_work","arguments":{"seconds":3600}}}`, n))
					}
					answer.done()
					mu.Lock()
					defer mu.Unlock()
					if n < 2 {
						said[answer.status]++
					}
				})
			}
			deletes.Wait()
			if said[204] < 1 || said[204]+said[404] != 2 {
				t.Errorf("two DELETEs are answered %v", said)
			}
			for name, stream := range map[string]answered{"works": works, "asks": asks, "listens": listens} {
				rest, err := io.ReadAll(stream)
				_ = stream.Close()
				if err != nil || (name != "listens") != strings.Contains(string(rest), `"error"`) && !strings.Contains(string(rest), "isError") {
					t.Errorf("the stream of what %s ends with %v: %s", name, err, rest)
				}
			}
			for _, answer := range []answered{
				s.do(t.Context(), http.MethodPost, `{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"who":"me"}}}`),
				s.do(t.Context(), http.MethodGet, ""),
				s.do(t.Context(), http.MethodGet, "", "Last-Event-ID", "1-0"),
				s.do(t.Context(), http.MethodDelete, ""),
			} {
				if answer.status != http.StatusNotFound {
					t.Errorf("afterwards there is %d", answer.status)
				}
				answer.done()
			}
		}
		held := func() uint64 {
			r.client.CloseIdleConnections()
			synctest.Wait()
			runtime.GC()
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return m.HeapAlloc
		}
		begun := time.Now()
		round()
		before, goroutines := held(), runtime.NumGoroutine()
		for range 30 {
			round()
		}
		if after := held(); after > before+2<<20 {
			t.Errorf("%d KiB are held after 30 sessions more, %d KiB before", after>>10, before>>10)
		}
		if n := runtime.NumGoroutine(); n > goroutines+3 {
			t.Errorf("%d goroutines are left, %d were before", n, goroutines)
		}
		if s := r.endpoint.Stats(); s.Sessions != 0 || s.Streams != 0 || s.Opened != 31 {
			t.Errorf("there is left %+v", s)
		}
		if kept, callers := r.endpoint.Left(); kept != 0 || callers != 0 {
			t.Errorf("%d bytes are kept, and %d have sessions", kept, callers)
		}
		if took := time.Since(begun); took > 2*time.Minute {
			t.Errorf("it took %v", took)
		}
	})
}

// A session that somebody else ends while it begins is not kept: its requests would find one that is dead, until it has been idle for long enough.
func TestEndedWhileItBegins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := serve(t, httpmcp.Options{})
		var o mcp.Outline
		o.Read([]byte(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`))
		if admitted, err := r.endpoint.OpenEnded(mcp.Peer{}, &o); !admitted || err != nil {
			t.Errorf("refused as if there were too many (%v), or stuck: %v", !admitted, err)
		}
		synctest.Wait()
		if _, callers := r.endpoint.Left(); callers != 0 {
			t.Error("it is kept")
		}
	})
}
