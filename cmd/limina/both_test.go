package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
)

// both is limina on standard input and output, and on a port.
type both struct {
	t    *testing.T
	in   io.WriteCloser
	out  *bufio.Reader
	err  strings.Builder // to be read when it has ended
	code chan int
}

func startBoth(t *testing.T, args ...string) *both {
	t.Helper()
	in, toIn := io.Pipe()
	fromOut, out := io.Pipe()
	b := &both{t: t, in: toIn, out: bufio.NewReader(fromOut), code: make(chan int, 1)}
	go func() {
		b.code <- run(t.Context(), append([]string{"--mcp-stdio", "--mcp-ws"}, args...), streams{in, out, &b.err, func() {}})
		_ = out.Close()
	}()
	return b
}

// ask sends a request and returns its answer.
func (b *both) ask(request string) string {
	b.t.Helper()
	if _, err := io.WriteString(b.in, request+"\n"); err != nil {
		b.t.Fatal(err)
	}
	for {
		line, err := b.out.ReadString('\n')
		if err != nil {
			b.t.Fatal(err)
		}
		if strings.Contains(line, `"id":`) {
			return line
		}
	}
}

// end ends it by the end of its input, and returns its exit code.
func (b *both) end() int {
	_ = b.in.Close()
	return <-b.code
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`

// seenAt returns where the world is seen, by what a model is told.
func (b *both) seenAt() string {
	b.t.Helper()
	answer := b.ask(hello)
	at := regexp.MustCompile(`http://127\.0\.0\.1:[1-9][0-9]*/view`).FindString(answer)
	if !strings.Contains(answer, "play in it: "+at+"?play (") {
		b.t.Errorf("the model is not told where people play: %s", answer)
	}
	if at == "" {
		b.t.Fatalf("a model is not told where its world is seen: %s", answer)
	}
	return at
}

// What the client on standard input builds is seen by those who look at the port, which ends with it.
func TestStdioWithPort(t *testing.T) {
	b := startBoth(t, "--port", "0")
	at := b.seenAt()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, at, nil)
	if err != nil {
		t.Fatal(err)
	}
	page, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(page.Body)
	_ = page.Body.Close()
	if err != nil || page.StatusCode != http.StatusOK || !strings.Contains(string(text), "<title>Limina</title>") {
		t.Errorf("the page: %s, %v", page.Status, err)
	}
	http.DefaultClient.CloseIdleConnections()

	c, answer, err := websocket.DefaultDialer.DialContext(t.Context(), "ws"+strings.TrimSuffix(strings.TrimPrefix(at, "http"), "/view"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = answer.Body.Close()
	for _, m := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"agentId":"v","sessionId":"v","profile":"system.readonly"}}`,
		`{"jsonrpc":"2.0","id":2,"method":"state/subscribe"}`,
	} {
		if err := c.WriteMessage(websocket.TextMessage, []byte(m)); err != nil {
			t.Fatal(err)
		}
	}
	if got := b.ask(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"scene_createEntity","arguments":{"position":[1,2,3]}}}`); !strings.Contains(got, "ent_0") {
		t.Errorf("the call: %s", got)
	}
	for seen := false; !seen; {
		var m struct {
			Method string
			Params struct{ Entities, Changes []struct{ ID string } }
		}
		_, data, err := c.ReadMessage()
		if err != nil {
			t.Fatalf("what was built is not seen: %v", err)
		}
		if err := json.Unmarshal(data, &m); err != nil {
			t.Fatal(err)
		}
		for _, e := range append(m.Params.Entities, m.Params.Changes...) {
			seen = seen || e.ID == "ent_0"
		}
	}
	if code := b.end(); code != exitOK {
		t.Errorf("exit code %d: %s", code, b.err.String())
	}
	// Steps may have been told between the one that was seen and the end.
	for err == nil {
		_, _, err = c.ReadMessage()
	}
	if !websocket.IsCloseError(err, websocket.CloseGoingAway) {
		t.Errorf("who looked on is told %v", err)
	}
}

// A second client that starts limina with the same port gets another one: it must not be left without a server.
func TestStdioWithTakenPort(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	b := startBoth(t, "--port", port)
	if at := b.seenAt(); strings.Contains(at, ":"+port+"/") {
		t.Errorf("the world is said to be seen at %s, which another program has", at)
	}
	if code := b.end(); code != exitOK || !strings.Contains(b.err.String(), "the port is taken") {
		t.Errorf("exit code %d: %s", code, b.err.String())
	}
}

// A mistake in the flags of the port is one here, too.
func TestStdioWithBadPort(t *testing.T) {
	b := startBoth(t, "--listen", "0.0.0.0")
	if code := <-b.code; code != exitUsage || !strings.Contains(b.err.String(), "--token-file") {
		t.Errorf("exit code %d: %s", code, b.err.String())
	}
}
