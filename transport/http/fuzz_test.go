package httpmcp_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/cryptotest"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/internal/mcpfuzz"
	"github.com/limina-mcp/limina/internal/transcript"
	httpmcp "github.com/limina-mcp/limina/transport/http"
)

// FuzzRequests makes requests that are nearly right: messages of the transcripts, changed, with headers that fit
// them, or do not, in a session, or in none. Nothing panics or hangs. Every request has one answer, with a
// status of the protocol's; where it is 200 the oracle's ids are answered, each once and to the letter,
// and where it is 202 nothing was asked.
func FuzzRequests(f *testing.F) {
	lines := bodies(f)
	for i := range lines {
		f.Add([]byte{byte(i), byte(i >> 8), 0, 0})
		f.Add([]byte{byte(i), byte(i >> 8), 1, byte(i * 7), byte(i * 11), byte(i), byte(i * 3), byte(i * 5)})
		f.Add([]byte{byte(i), byte(i >> 8), byte(i%mcpfuzz.Disguises) << 3, byte(i / mcpfuzz.Disguises)}) // in one session or the other
	}
	mcpfuzz.Seed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4<<10 {
			return
		}
		synctest.Test(t, func(t *testing.T) {
			p := visit(t)
			for m := (mcpfuzz.Mutator{Data: data}); len(m.Data) > 0 && len(p.sent) < 16; {
				p.send(&m, m.Message(lines))
				synctest.Wait()
			}
			time.Sleep(2*time.Hour + time.Minute) // every call has ended
			for _, x := range p.sent {
				x.judge(t, p.cancels)
			}
			p.leave()
		})
	})
}

// FuzzHTTP sends bytes to two ports, one with a Front and one without: requests of the transcripts with bytes
// changed, and noise. Nothing panics or hangs, all that comes back are answers of HTTP, and from both ports
// the same.
func FuzzHTTP(f *testing.F) {
	for i, body := range bodies(f) {
		head := fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: limina\r\nContent-Type: application/json\r\nContent-Length: %d\r\n", len(body))
		switch i % 3 {
		case 0:
			head += "Mcp-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\n"
		case 1:
			head += "Mcp-Session-Id: ses_1\r\n"
		}
		request := head + "\r\n" + body
		f.Add([]byte(request))
		f.Add([]byte(request + strings.Replace(request, "limina", "other", i%2) + request)) // one after the other
	}
	ping := "POST /mcp HTTP/1.1\r\nHost: limina\r\nMcp-Session-Id: ses_1\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n" +
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for _, request := range []string{
		ping + "\r\n" + ping + "\n\r\n" + ping,
		ping + "\r\n\r\n" + ping + "\r\n\r\n\n" + ping,
		"\r\n" + ping,
		"GET /mcp HTTP/1.1\r\nHost: limina\r\nAccept: text/event-stream\r\nLast-Event-ID: 1-1\r\n\r\n",
		"POST /mcp HTTP/1.1\r\nHost: limina\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{\"a\r\n0\r\n\r\n",
		"POST /mcp HTTP/1.1\r\nHost: limina\r\nContent-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
		"POST /mcp HTTP/1.1\r\nHost: limina\r\nHost: limina\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
		"POST /mcp HTTP/1.1\r\nHost: lim ina\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
		"POST /mcp HTTP/1.1\r\nHost: limina\r\nContent-Type: application/json\r\nContent-Length: +2\r\n\r\n{}",
		"POST /mcp HTTP/1.1\r\nHost: limina\r\nContent-Type: application/json\r\nContent-Length: 02\r\n\r\n{}",
		"POST /mcp HTTP/1.1\r\nHost: limina\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}",
		"POST /mcp HTTP/1.1\r\nHost: limina\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}",
		"POST /mcp HTTP/1.0\r\nHost: limina\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
		"POST /mcp HTTP/1.1\r\nHost: limina\r\nContent-Type: application/json\r\n X: folded\r\nContent-Length: 2\r\n\r\n{}",
		"POST /mcp HTTP/1.1\nHost: limina\nContent-Type: application/json\nContent-Length: 2\n\n{}",
		"POST http://limina/mcp HTTP/1.1\r\nHost: other\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
		"POST /mcp HTTP/1.1\r\nHost: limina\r\nContent-Type: application/json\r\nContent-Length: 200\r\n\r\n{}",
		"POST /mcp HTTP/1.1\r\nHost: limina\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}",
	} {
		f.Add([]byte(request))
	}
	for _, length := range []string{"3:", "4/", "+40", "040", "4 0", "40, 40", "0", "", "-1", "65577", "4294967336"} { // behind a head that is known
		f.Add([]byte(ping + strings.Replace(ping, ": 40", ": "+length, 1) + ping))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4<<10 {
			return
		}
		synctest.Test(t, func(t *testing.T) {
			front, alone := exchange(t, data, true), exchange(t, data, false)
			if !slices.EqualFunc(front, alone, outcome.equal) {
				t.Errorf("%q is answered with\n%q\nby a Front, with\n%q\nby net/http", data, front, alone)
			}
		})
	})
}

// outcome is an answer of HTTP: all of it, and what it comes down to if it brings one message. Whether that comes as it
// is or in a stream of events is a matter of microseconds for a call that has a goroutine of its own, and ends at once.
type outcome struct{ all, message string }

func (a outcome) equal(b outcome) bool {
	return a.all == b.all || a.message != "" && a.message == b.message
}

func outcomeOf(answer *http.Response, body string) (h outcome) {
	h.all = fmt.Sprintln(answer.Status, answer.ContentLength, answer.Close, answer.Header, body)
	switch answer.Header.Get("Content-Type") {
	case "application/json":
		h.message = fmt.Sprintln(answer.Status, body)
	case "text/event-stream":
		var told []string
		for line := range strings.Lines(body) {
			if data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: "); ok && data != "" {
				told = append(told, data)
			}
		}
		if len(told) == 1 {
			h.message = fmt.Sprintln(answer.Status, told[0])
		}
	}
	return h
}

// exchange opens a session, sends data to the port and returns the answers.
func exchange(t *testing.T, data []byte, fronted bool) (answers []outcome) {
	t.Helper()
	cryptotest.SetGlobalRandom(t, 1) // the same ids on both ports: an answer may quote a part of one
	p := &visitor{rig: serveOn(t, httpmcp.Options{}, fronted), t: t, ctx: t.Context()}
	x := p.post(http.MethodPost, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}`, nil)
	synctest.Wait()
	data = bytes.ReplaceAll(data, []byte("ses_1"), []byte(x.header.Get("Mcp-Session-Id")))
	conn, err := p.listener.Dial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	names := transcript.NewNames()
	var wg sync.WaitGroup
	wg.Go(func() {
		for r := bufio.NewReader(conn); ; {
			answer, err := http.ReadResponse(r, nil)
			if err != nil {
				return
			}
			if answer.StatusCode == http.StatusInternalServerError {
				t.Errorf("%q is answered with %s", data, answer.Status)
			}
			body, _ := io.ReadAll(answer.Body)
			_ = answer.Body.Close()
			answer.Header.Del("Date")
			answers = append(answers, outcomeOf(answer, names.Hide(string(body))))
		}
	})
	wg.Go(func() { _, _ = conn.Write(data) })
	time.Sleep(90*time.Second + time.Millisecond) // at the second things happen
	_ = conn.Close()
	wg.Wait()
	return answers
}

// bodies are the messages of the transcripts.
func bodies(f *testing.F) (found []string) {
	f.Helper()
	for who := 'a'; who <= 'z'; who++ {
		for _, line := range transcript.Lines(f, string(who)+"> POST ") {
			if _, body, ok := strings.Cut(line, "| "); ok {
				line = body
			}
			line = strings.NewReplacer("$meta", claim, "$asked", claim).Replace(line)
			if strings.HasPrefix(line, "{") || strings.HasPrefix(line, "[") {
				found = append(found, line)
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// visitor is a client with two sessions.
type visitor struct {
	*rig
	t        *testing.T
	ctx      context.Context
	leave    context.CancelFunc
	sessions []string
	sent     []*posted
	cancels  bool // some of what is sent may have been cancelled
}

func visit(t *testing.T) *visitor {
	t.Helper()
	p := &visitor{rig: serve(t, httpmcp.Options{}), t: t}
	p.ctx, p.leave = context.WithCancel(context.Background())
	for _, version := range []string{"2025-11-25", "2025-03-26"} {
		x := p.post(http.MethodPost, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"`+version+`","capabilities":{"elicitation":{}}}}`, nil)
		synctest.Wait()
		p.sessions = append(p.sessions, x.header.Get("Mcp-Session-Id"))
	}
	return p
}

// send sends a message with headers that fit, or nearly.
func (p *visitor) send(m *mcpfuzz.Mutator, text []byte) {
	h := map[string]string{}
	var said struct {
		Method string
		Params struct {
			Name, URI, TaskID string
			Meta              map[string]json.RawMessage `json:"_meta"`
		}
	}
	_ = json.Unmarshal(text, &said) // what does not fit stays empty
	var version string
	if claimed := said.Params.Meta["io.modelcontextprotocol/protocolVersion"]; json.Unmarshal(claimed, &version) == nil && version != "" {
		h["Mcp-Protocol-Version"], h["Mcp-Method"] = version, said.Method
		h["Mcp-Name"] = said.Params.Name + said.Params.URI + said.Params.TaskID
	} else {
		h["Mcp-Session-Id"] = p.sessions[m.Next()%2]
	}
	method := http.MethodPost
	how := m.Next()
	switch {
	case how < 160:
	case how < 240: // a header more, less or other
		keys := []string{"Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Session-Id", "Accept", "Content-Type", "Last-Event-ID", "Mcp-Param-Region"}
		values := []string{"", "2026-07-28", "2025-11-25", "tools/call", "demo_echo", "=?base64?ZGVtb19lY2hv?=", "=?base64?!?=", "application/json", "text/event-stream", "*/*", "1-1", "0-0", "-1-9999999999999999999", "ses_none", strings.Repeat("x", 5000)}
		h[keys[m.Next()%len(keys)]] = values[m.Next()%len(values)]
	default:
		method = []string{http.MethodGet, http.MethodDelete, http.MethodPut, http.MethodHead}[m.Next()%4]
		p.cancels = p.cancels || method == http.MethodDelete
	}
	p.cancels = p.cancels || bytes.Contains(text, []byte("ancel")) || bytes.Contains(text, []byte(`\u`))
	p.sent = append(p.sent, p.post(method, string(text), h))
}

// posted is a request and what came of it.
type posted struct {
	method, text string
	header       http.Header // of the answer

	mu     sync.Mutex // guards what follows
	status int        // 0: there is none
	said   []string
	plain  bool // the answer is no message
}

// post makes a request, and does not wait for what comes of it.
func (p *visitor) post(method, text string, headers map[string]string) *posted {
	x := &posted{method: method, text: text}
	r, err := http.NewRequestWithContext(p.ctx, method, "http://limina/mcp", strings.NewReader(text))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Content-Type", "application/json")
	for key, value := range headers {
		if value == "" {
			r.Header.Del(key)
			continue
		}
		r.Header.Set(key, strings.Map(visible, value))
	}
	go x.hear(p.client, r)
	return x
}

// visible leaves out of a header's value what a client cannot send.
func visible(c rune) rune {
	if c < ' ' || c > '~' {
		return -1
	}
	return c
}

// hear notes the answer.
func (x *posted) hear(client *http.Client, r *http.Request) {
	answer, err := client.Do(r)
	if err != nil {
		return
	}
	defer answer.Body.Close()
	kind := answer.Header.Get("Content-Type")
	x.mu.Lock()
	x.status, x.header, x.plain = answer.StatusCode, answer.Header, !strings.HasPrefix(kind, "application/json") && kind != "text/event-stream"
	x.mu.Unlock()
	body := bufio.NewReader(answer.Body)
	for {
		line, err := body.ReadString('\n')
		text, event := strings.CutPrefix(strings.TrimSpace(line), "data: ")
		x.mu.Lock()
		if text != "" && (event || kind != "text/event-stream") {
			x.said = append(x.said, text)
		}
		x.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// statuses are those that the protocol has; 503 is for a server that ends, or is full.
var statuses = []int{200, 202, 204, 400, 404, 405, 406, 413, 415}

func (x *posted) judge(t *testing.T, cancels bool) {
	t.Helper()
	x.mu.Lock()
	defer x.mu.Unlock()
	if !slices.Contains(statuses, x.status) {
		t.Errorf("%s %q is answered with %d %q", x.method, x.text, x.status, x.said)
	}
	if x.method != http.MethodPost || x.plain && x.status != http.StatusAccepted {
		return
	}
	single, batch := mcpfuzz.Expected([]byte(x.text), false), mcpfuzz.Expected([]byte(x.text), true)
	slices.Sort(batch)
	if strings.TrimSpace(x.text) == "" { // no line, but a body
		single = []string{""}
	}
	got := mcpfuzz.Answered(t, x.said)
	switch {
	case x.status >= 400:
		if len(got) != 1 || got[0] != "" && !slices.Contains(single, got[0]) {
			t.Errorf("%q is answered with %d for the ids %q: %q", x.text, x.status, got, x.said)
		}
	case cancels:
		if len(got) > max(len(single), len(batch)) {
			t.Errorf("%q is answered for the ids %q: %q", x.text, got, x.said)
		}
	case !slices.Equal(got, single) && !slices.Equal(got, batch):
		t.Errorf("%q is answered with %d for the ids %q, want %q or %q: %q", x.text, x.status, got, single, batch, x.said)
	}
}
