package server_test

import (
	"bufio"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/server"
	"github.com/limina-mcp/limina/transport/memnet"
	"github.com/limina-mcp/limina/viewer"
)

// proxied is an answer that has come through a proxy, and is being read.
type proxied struct {
	status int
	header http.Header
	body   io.Reader
}

// Behind a proxy, with a folder of its site and the name of its host, all goes as without one: pages, WebSockets, streams over HTTP, for longer than
// anybody says something, and the end.
func TestBehindAProxy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		known := parse(t, "tokens:\n"+entryAda+entryEve)
		m := core(t, mcp.Options{Tokens: known.Credential})
		r := startOn(t, true, server.Config{Core: m, Tokens: known, RequireTokens: true, Viewer: viewer.Handler()})
		inner := &http.Transport{DialContext: r.listener.DialContext}
		t.Cleanup(inner.CloseIdleConnections)
		proxy := &httputil.ReverseProxy{
			Transport: inner, ErrorLog: log.New(io.Discard, "", 0),
			Rewrite: func(p *httputil.ProxyRequest) {
				p.Out.URL.Scheme, p.Out.URL.Host = "http", "inner"
				p.Out.Host = p.In.Host
				p.Out.Header.Set("X-Forwarded-For", "203.0.113.9")
			},
		}
		outer := memnet.Listen()
		front := httptest.NewUnstartedServer(http.StripPrefix("/limina", proxy))
		_ = front.Listener.Close()
		front.Listener = outer
		front.Start()
		t.Cleanup(front.Close)
		auth := http.Header{"Authorization": {"Bearer ada-has-this-token"}}

		d := websocket.Dialer{NetDialContext: outer.DialContext, Subprotocols: []string{"mcp"}}
		conn, answer, err := d.Dial("ws://world.example.com/limina/", http.Header{"Authorization": auth["Authorization"], "Origin": {"http://world.example.com"}})
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		defer conn.Close()
		c := &client{conn, t}
		if c.Subprotocol() != "mcp" {
			t.Errorf("subprotocol %q", c.Subprotocol())
		}
		if got := c.ask(hello); !strings.Contains(got, `"serverInfo"`) {
			t.Errorf("initialize: %s", got)
		}

		web := &http.Client{Transport: &http.Transport{DialContext: outer.DialContext}}
		t.Cleanup(web.CloseIdleConnections)
		do := func(method, path, body string, headers ...string) proxied {
			t.Helper()
			q, err := http.NewRequest(method, "http://world.example.com/limina"+path, strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			q.Header = auth.Clone()
			q.Header.Set("Content-Type", "application/json")
			q.Header.Set("Accept", "application/json, text/event-stream")
			for i := 0; i+1 < len(headers); i += 2 {
				q.Header.Set(headers[i], headers[i+1])
			}
			a, err := web.Do(q)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = a.Body.Close() })
			return proxied{a.StatusCode, a.Header, a.Body}
		}
		session := do("POST", "/mcp", hello).header.Get("Mcp-Session-Id")
		stream := do("GET", "/mcp", "", "Mcp-Session-Id", session)
		if stream.status != http.StatusOK {
			t.Fatalf("the stream: %d", stream.status)
		}
		lines := bufio.NewReader(stream.body)
		go func() { // what a browser and gorilla do: answer pings
			_, text, err := c.ReadMessage()
			if err == nil {
				c.tb.Errorf("said unasked: %s", text)
			}
		}()
		time.Sleep(5 * time.Minute) // nobody says anything
		if line, err := lines.ReadString('\n'); err != nil {
			t.Errorf("the stream after a while: %q, %v", line, err)
		}
		if a := do("POST", "/mcp", call(1, "demo.echo", `{"text":"x"}`), "Mcp-Session-Id", session); a.status != http.StatusOK {
			t.Errorf("a call in the session: %d", a.status)
		}
		if a := do("GET", "/view", "", "Authorization", ""); a.status != http.StatusOK || a.header.Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("/view: %d %v", a.status, a.header)
		}
		// What the page links to is behind the proxy too.
		page := do("GET", "/", "")
		base, _ := url.Parse("http://world.example.com/limina/")
		text := new(strings.Builder)
		_, _ = bufio.NewReader(page.body).WriteTo(text)
		for _, part := range strings.Split(text.String(), `href="`)[1:] {
			link, _, _ := strings.Cut(part, `"`)
			at, err := base.Parse(link)
			if err != nil || !strings.HasPrefix(at.Path, "/limina/") {
				t.Errorf("the page leads to %v, %v", at, err)
			}
		}
		var who struct{ Sessions []mcp.Standing }
		if err := json.NewDecoder(do("GET", "/sessions", "", "Authorization", "Bearer eve-has-this-token").body).Decode(&who); err != nil || len(who.Sessions) != 2 {
			t.Fatalf("/sessions: %+v, %v", who, err)
		}
		for _, s := range who.Sessions {
			if s.From != "pipe, for 203.0.113.9" {
				t.Errorf("%s has come from %q, want the address and what the proxy says", s.Via, s.From)
			}
		}
		_ = conn.Close()
	})
}
