package server_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/server"
	"github.com/limina-mcp/limina/statesync"
	httpmcp "github.com/limina-mcp/limina/transport/http"
	"github.com/limina-mcp/limina/world"
)

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`

// page is a client of the rig's HTTP.
func (r *rig) page() *http.Client {
	t := &http.Transport{DialContext: r.listener.DialContext}
	r.tb.Cleanup(t.CloseIdleConnections)
	return &http.Client{Transport: t}
}

// post posts a message to /mcp; headers are names and values by turns.
func (r *rig) post(c *http.Client, text string, headers ...string) (status int, body string, h http.Header) {
	r.tb.Helper()
	return r.postTo(c, "/mcp", text, headers...)
}

// postTo is post, to another address.
func (r *rig) postTo(c *http.Client, path, text string, headers ...string) (status int, body string, h http.Header) {
	r.tb.Helper()
	req, err := http.NewRequest(http.MethodPost, "http://localhost:8787"+path, strings.NewReader(text))
	if err != nil {
		r.tb.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Host" {
			req.Host = headers[i+1]
		}
		req.Header.Set(headers[i], headers[i+1])
	}
	answer, err := c.Do(req)
	if err != nil {
		r.tb.Errorf("POST: %v", err)
		return 0, "", nil
	}
	defer answer.Body.Close()
	got, _ := io.ReadAll(answer.Body)
	return answer.StatusCode, string(got), answer.Header
}

// One port serves pages, WebSockets and MCP over HTTP, with the same checks of where a request comes
// from, on each one.
func TestHTTPOnTheSamePort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, server.Config{Origins: []string{"https://app.example.com"}})
		c := r.page()
		status, body, h := r.post(c, hello)
		session := h.Get("Mcp-Session-Id")
		if status != 200 || session == "" {
			t.Fatalf("initialize: %d %s", status, body)
		}
		_, body, _ = r.post(c, call(2, "demo_echo", `{"text":"hi"}`), "Mcp-Session-Id", session)
		if !strings.Contains(body, `"agent":"c"`) {
			t.Errorf("a call: %s", body)
		}
		for _, tt := range []struct {
			headers []string
			status  int
		}{
			{[]string{"Origin", "http://localhost:5173"}, 200},
			{[]string{"Origin", "https://app.example.com"}, 200},
			{[]string{"Origin", "http://evil.example.com"}, 403},
			{[]string{"Host", "evil.example.com"}, 403},
			{[]string{"Host", "evil.example.com", "Origin", "http://evil.example.com"}, 403},
		} {
			// Each on a connection of its own, because one is handed on for good.
			status, body, h := r.post(r.page(), `{"jsonrpc":"2.0","id":3,"method":"ping"}`, append(tt.headers, "Mcp-Session-Id", session)...)
			if status != tt.status {
				t.Errorf("%s: %d %s, want %d", tt.headers, status, body, tt.status)
			}
			sees := h.Get("Access-Control-Allow-Origin") == tt.headers[1] && h.Get("Vary") == "Origin" && strings.Contains(h.Get("Access-Control-Expose-Headers"), "Mcp-Session-Id")
			if sees != (status == 200) {
				t.Errorf("%s: a page may see the answer: %v, %v", tt.headers, sees, h)
			}
		}
		// A browser asks before it lets a page send such a request.
		status, _, h = r.get(http.MethodOptions, "/mcp", "Origin", "https://app.example.com",
			"Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "content-type,mcp-session-id")
		if status != 204 || !strings.Contains(h.Get("Access-Control-Allow-Methods"), "DELETE") || h.Get("Access-Control-Allow-Headers") == "" || h.Get("Access-Control-Max-Age") == "" {
			t.Errorf("a preflight request: %d %v", status, h)
		}
		if status, _, _ = r.get(http.MethodOptions, "/mcp", "Origin", "http://evil.example.com"); status != 403 {
			t.Errorf("a preflight request from elsewhere: %d", status)
		}
		r.dial() // and a WebSocket
		status, body, _ = r.get(http.MethodGet, "/metrics")
		for _, want := range []string{"limina_http_sessions 1\n", "limina_http_requests_total 4\n", "limina_http_streams 0\n"} {
			if !strings.Contains(body, want) {
				t.Errorf("/metrics: %d lacks %q", status, want)
			}
		}
	})
}

// A session that nobody uses is ended.
func TestHTTPSessionThatNobodyUses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, server.Config{HTTP: httpmcp.Options{Idle: time.Minute}})
		c := r.page()
		_, _, h := r.post(c, hello)
		time.Sleep(5 * time.Minute)
		if status, body, _ := r.post(c, `{"jsonrpc":"2.0","id":2,"method":"ping"}`, "Mcp-Session-Id", h.Get("Mcp-Session-Id")); status != 404 {
			t.Errorf("five minutes later: %d %s", status, body)
		}
		_, body, _ := r.get(http.MethodGet, "/metrics")
		for _, want := range []string{"limina_http_sessions 0\n", "limina_http_sessions_total 1\n", "limina_http_sessions_expired_total 1\n", "limina_http_plain_total 2\n"} {
			if !strings.Contains(body, want) {
				t.Errorf("/metrics lacks %q:\n%s", want, body)
			}
		}
	})
}

// Where tokens are needed, MCP over HTTP needs one on every request, and a session is for who has opened
// it.
func TestHTTPTokens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := startOn(t, false, server.Config{Tokens: tokens(t)})
		c := r.page()
		if status, _, h := r.post(c, hello); status != 401 || h.Get("WWW-Authenticate") != "Bearer" {
			t.Errorf("without a token: %d %v", status, h)
		}
		_, _, h := r.post(c, hello, "Authorization", "Bearer "+"ada-has-this-token")
		session := h.Get("Mcp-Session-Id")
		for _, tt := range []struct {
			token  string
			status int
		}{{"ada-has-this-token", 200}, {"fleet-has-this-token", 404}, {"0000000000000000", 401}} {
			status, body, _ := r.post(c, `{"jsonrpc":"2.0","id":2,"method":"ping"}`, "Authorization", "Bearer "+tt.token, "Mcp-Session-Id", session)
			if status != tt.status {
				t.Errorf("token %s: %d %s, want %d", tt.token, status, body, tt.status)
			}
		}
		if status, _, _ := r.post(c, `{"jsonrpc":"2.0","id":2,"method":"ping"}`, "Mcp-Session-Id", session); status != 401 {
			t.Errorf("without a token in a session: %d", status)
		}
	})
}

// At the end running calls are answered, over HTTP too; those that take too long are cancelled.
func TestHTTPDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, server.Config{})
		c := r.page()
		_, _, h := r.post(c, hello)
		session := h.Get("Mcp-Session-Id")
		answers := make(chan string, 2)
		for _, seconds := range []int{5, 60} {
			go func() {
				_, body, _ := r.post(c, call(seconds, "demo_work", fmt.Sprintf(`{"seconds":%d}`, seconds)), "Mcp-Session-Id", session)
				answers <- body
			}()
		}
		synctest.Wait()
		begun := time.Now()
		r.stop()
		if got := <-answers; !strings.Contains(got, `"id":5,"result":{"structuredContent"`) || time.Since(begun) != 5*time.Second {
			t.Errorf("after %v: %s", time.Since(begun), got)
		}
		if got := <-answers; !strings.Contains(got, `"isError":true`) || time.Since(begun) != 10*time.Second {
			t.Errorf("after %v: %s", time.Since(begun), got)
		}
		if err := <-r.stopped; err != nil {
			t.Errorf("Run = %v", err)
		}
		r.stopped <- nil
	})
}

// A client that goes away has cancelled what it asked for if it is modern.
func TestHTTPDisconnect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, server.Config{})
		ctx, cancel := context.WithCancel(context.Background())
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://localhost:8787/mcp", strings.NewReader(
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo_work","arguments":{"seconds":3600},`+
				`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`))
		if err != nil {
			t.Fatal(err)
		}
		for key, value := range map[string]string{
			"Content-Type": "application/json", "Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "demo_work",
		} {
			req.Header.Set(key, value)
		}
		begun := time.Now()
		answer, err := r.page().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		_ = answer.Body.Close()
		r.stop()
		if err := <-r.stopped; err != nil || time.Since(begun) > time.Second {
			t.Errorf("Run = %v, after %v", err, time.Since(begun))
		}
		r.stopped <- nil
	})
}

// A modern client, whose requests stand alone, may call no more often than others.
func TestHTTPRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, server.Config{Rate: 2})
		c := r.page()
		ask := func(id int) string {
			_, body, _ := r.post(c, strings.Replace(call(id, "demo_echo", `{"text":"hi"}`), `"arguments"`,
				`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"arguments"`, 1),
				"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "demo_echo")
			return body
		}
		for id, want := range []string{`"text":"hi"`, `"text":"hi"`, "more than 2 calls a second"} {
			if got := ask(id); !strings.Contains(got, want) {
				t.Errorf("call %d: %s, want %s", id, got, want)
			}
		}
		time.Sleep(time.Second)
		if got := ask(3); !strings.Contains(got, `"text":"hi"`) {
			t.Errorf("a second later: %s", got)
		}
	})
}

// A token has the rate once, over WebSockets and requests together, each on a connection of its own.
func TestRateOfATokenOverAllItsConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		known, err := server.ParseTokens([]byte("tokens: [{token: ada-may-do-it-all, principal: ada, profiles: [builder.readWrite]}]"), "tokens", profiles.Builtin())
		if err != nil {
			t.Fatal(err)
		}
		r := start(t, server.Config{Rate: 6, Tokens: known})
		const bearer = "Bearer ada-may-do-it-all"
		passed := 0
		for id := range 4 {
			c := r.page()
			_, body, _ := r.post(c, strings.Replace(call(id, "demo_echo", `{"text":"hi"}`), `"arguments"`,
				`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"arguments"`, 1),
				"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "demo_echo", "Authorization", bearer)
			c.CloseIdleConnections()
			if strings.Contains(body, `"text":"hi"`) {
				passed++
			}
			ws := r.dial("Authorization", bearer)
			ws.ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"agentId":"ada","sessionId":"s%d","profile":"builder.readWrite"}}`, id))
			if strings.Contains(ws.ask(call(id, "demo.echo", `{"text":"hi"}`)), `"text":"hi"`) {
				passed++
			}
		}
		if passed != 6 {
			t.Errorf("%d calls of a token passed, want 6", passed)
		}
	})
}

// Subscriptions and areas count as calls do: each reads the world.
func TestRateOfSubscriptions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := statesync.New(world.New(world.Config{}), statesync.Config{})
		defer hub.Close()
		r := start(t, server.Config{Core: core(t, mcp.Options{State: hub}), Rate: 2})
		c := r.dial()
		c.ask(initialize)
		for _, method := range []string{"state/unsubscribe", "aoi/declare", "state/subscribe"} {
			ask := `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{}}`
			for n := range 4 {
				got := c.ask(ask)
				if strings.Contains(got, `"state/snapshot"`) {
					got = c.receive()
				}
				if refused := strings.Contains(got, "-32002") && strings.Contains(got, "more than 2 calls a second"); refused != (n >= 2) {
					t.Errorf("%s, %d: %s", method, n, got)
				}
			}
			time.Sleep(time.Second)
		}
	})
}

// A session is for a token that opens its profile: that another one is its owner's too is not enough.
func TestHTTPSessionOfMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		known, err := server.ParseTokens([]byte(`
tokens:
  - {token: ada-may-do-it-all, principal: ada, profiles: [system.readonly, builder.readWrite]}
  - {token: ada-may-do-no-more, principal: ada, profiles: [builder.readWrite]}
  - {token: ada-may-also-judge, principal: ada, profiles: [reviewer, system.readonly]}
`), "tokens.yaml", profiles.Builtin())
		if err != nil {
			t.Fatal(err)
		}
		r := start(t, server.Config{Tokens: known})
		c := r.page()
		_, _, h := r.post(c, hello, "Authorization", "Bearer ada-may-do-it-all")
		session := h.Get("Mcp-Session-Id")
		for _, tt := range []struct {
			token  string
			status int
			want   string
		}{
			{"ada-may-do-it-all", 200, `"structuredContent":{}`},
			{"ada-may-do-no-more", 404, "no such session"},
			{"ada-may-also-judge", 200, `"structuredContent":{}`},
		} {
			status, body, _ := r.post(c, call(2, "demo_secret", `{}`), "Authorization", "Bearer "+tt.token, "Mcp-Session-Id", session)
			if status != tt.status || !strings.Contains(body, tt.want) {
				t.Errorf("%s: %d %s, want %d and %s", tt.token, status, body, tt.status, tt.want)
			}
		}
	})
}

// begin connects, and sends the head of a POST to /mcp whose body has so many bytes.
func (r *rig) begin(length int, headers ...string) net.Conn {
	r.tb.Helper()
	c, err := r.listener.Dial(context.Background())
	if err != nil {
		r.tb.Fatal(err)
	}
	r.tb.Cleanup(func() { _ = c.Close() })
	head := append([]string{"POST /mcp HTTP/1.1", "Host: localhost", "Content-Type: application/json", fmt.Sprint("Content-Length: ", length)}, headers...)
	if _, err := io.WriteString(c, strings.Join(head, "\r\n")+"\r\n\r\n"); err != nil {
		r.tb.Fatal(err)
	}
	return c
}

// Whoever says how long his body is has not sent it yet: room is made for what comes.
func TestHTTPBodyThatIsOnlyAnnounced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, server.Config{})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		const peers = 20
		for range peers {
			c := r.begin(10 << 20)
			if _, err := io.WriteString(c, `{"jsonrpc":"2.0",`); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(10 * time.Second)
		runtime.ReadMemStats(&after)
		if each := (after.TotalAlloc - before.TotalAlloc) / peers; each > 1<<20 {
			t.Errorf("a body of which 17 bytes have come takes %d bytes", each)
		}
	})
}

// Nobody who does not send what he has begun, or does not read what he has asked for, holds up the end.
func TestHTTPShutdownDespite(t *testing.T) {
	for name, tt := range map[string]struct {
		hold func(r *rig) net.Conn
		most time.Duration
	}{
		"a body that does not come": {func(r *rig) net.Conn {
			c := r.begin(100_000)
			if _, err := io.WriteString(c, `{"jsonrpc":"2.0",`); err != nil {
				r.tb.Fatal(err)
			}
			time.Sleep(5 * time.Second) // the Front has handed it on
			return c
		}, 2 * time.Second},
		"an answer that is not read": {func(r *rig) net.Conn {
			body := strings.Replace(call(1, "demo_echo", fmt.Sprintf(`{"text":%q}`, strings.Repeat("x", 100_000))), `"arguments"`,
				`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"arguments"`, 1)
			c := r.begin(len(body), "MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: demo_echo")
			if _, err := io.WriteString(c, body); err != nil {
				r.tb.Fatal(err)
			}
			synctest.Wait()
			return c
		}, 12 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := start(t, server.Config{})
				c := tt.hold(r)
				begun := time.Now()
				r.stop()
				err := <-r.stopped
				took := time.Since(begun)
				if err != nil || took > tt.most {
					t.Errorf("Run = %v, after %v, want no more than %v", err, took, tt.most)
				}
				_, _ = io.ReadAll(c)
				if took != time.Since(begun) {
					t.Errorf("the connection is open for %v after Run", time.Since(begun)-took)
				}
				r.stopped <- nil
			})
		})
	}
}

// Who sends all of a body before reading what comes back, as some proxies do, is told why it was refused, and one who goes on for ever, or stops, holds nobody up.
func TestBodiesThatAreRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, server.Config{HTTP: httpmcp.Options{Limit: 1 << 20}})
		// dial returns a connection, and what comes on it up to its end.
		dial := func() (net.Conn, <-chan string) {
			c, err := r.listener.DialContext(t.Context(), "tcp", "")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = c.Close() })
			came := make(chan string, 1)
			go func() {
				text, _ := io.ReadAll(c)
				came <- string(text)
			}()
			return c, came
		}
		head := "POST /mcp HTTP/1.1\r\nHost: localhost:8787\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
		for _, tt := range []struct {
			kind string
			long int
			want string
		}{
			{"application/json", 3 << 19, "HTTP/1.1 413 "},
			{"text/plain", 1 << 19, "HTTP/1.1 415 "},
		} {
			c, came := dial()
			if _, err := io.WriteString(c, fmt.Sprintf(head, tt.kind, tt.long)+strings.Repeat(" ", tt.long)); err != nil {
				t.Errorf("a body of %d bytes of %s is not taken: %v", tt.long, tt.kind, err)
			}
			_ = c.SetReadDeadline(time.Now().Add(time.Minute))
			if got := <-came; !strings.HasPrefix(got, tt.want) {
				t.Errorf("a body of %d bytes of %s is answered %.80q; want %s", tt.long, tt.kind, got, tt.want)
			}
		}
		began := time.Now()
		stops, came := dial()
		if _, err := io.WriteString(stops, fmt.Sprintf(head, "application/json", 1<<30)); err != nil {
			t.Fatal(err)
		}
		if got := <-came; !strings.HasPrefix(got, "HTTP/1.1 413 ") || !strings.Contains(got, "\r\nContent-Length: ") || time.Since(began) > 2*time.Minute {
			t.Errorf("a body that does not come is answered %.80q, and the connection ends after %v", got, time.Since(began))
		}
		sent := 0
		goes, _ := dial()
		if _, err := io.WriteString(goes, fmt.Sprintf(head, "application/json", 1<<30)); err != nil {
			t.Fatal(err)
		}
		for part := make([]byte, 64<<10); ; {
			n, err := goes.Write(part)
			if sent += n; err != nil {
				break
			}
		}
		if sent > 4<<20 {
			t.Errorf("%d bytes of a body were taken that was refused", sent)
		}
		// At the end it is not waited for, nor one that net/http reads as short before it answers.
		late, _ := dial()
		short, told := dial()
		for c, text := range map[net.Conn]string{late: fmt.Sprintf(head, "application/json", 1<<30), short: fmt.Sprintf(head, "text/plain", 1000) + "half of it"} {
			if _, err := io.WriteString(c, text); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		began = time.Now()
		r.stop()
		err := <-r.stopped
		r.stopped <- err
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("the end waits %v for a body that was refused", took)
		}
		if got := <-told; !strings.HasPrefix(got, "HTTP/1.1 415 ") {
			t.Errorf("a short body that does not come to its end is answered %.80q", got)
		}
	})
}
