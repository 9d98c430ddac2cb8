package server_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/server"
	"github.com/limina-mcp/limina/server/metrics"
)

// One port, any path: native and standard MCP, and pages for people. Where no tokens are known, one that somebody sends is
// nobody's business.
func TestOnePort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, server.Config{Version: "1.2.3 <b>"})
		native := r.dial("path", "/")
		if got := native.ask(initialize); !strings.Contains(got, `"protocolVersion":"2026-06-23"`) {
			t.Errorf("initialize: %s", got)
		}
		if got := native.ask(call(1, "demo.echo", `{"text":"x"}`)); !strings.Contains(got, `"result":{"text":"x","agent":"ada"}`) {
			t.Errorf("call: %s", got)
		}
		if got := native.ask(`{"jsonrpc":"2.0","id":2,"method":"state/set","params":{}}`); !strings.Contains(got, `-32601,"message":"Method not found: state/set"`) {
			t.Errorf("state/set: %s", got)
		}
		standard := r.dial("path", "/mcp/whatever?x=y", "Sec-WebSocket-Protocol", "mcp", "Authorization", "Bearer for-somebody-else")
		if standard.Subprotocol() != "mcp" {
			t.Errorf("subprotocol %q", standard.Subprotocol())
		}
		if got := standard.ask(`{bad`); strings.Contains(got, `"id"`) {
			t.Errorf("before initialize it is answered natively: %s", got)
		}
		if got := standard.ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`); !strings.Contains(got, `"serverInfo"`) {
			t.Errorf("initialize: %s", got)
		}
		// A second initialize changes the profile.
		if got := native.ask(strings.Replace(initialize, "builder.readWrite", "player.limited", 1)); !strings.Contains(got, `"profile":"player.limited"`) {
			t.Errorf("initialize again: %s", got)
		}
		if got := native.ask(call(3, "demo.secret", `{}`)); !strings.Contains(got, `-32001,"message":"missing permission: trace.read"`) {
			t.Errorf("a call that is not allowed: %s", got)
		}

		for _, tt := range []struct {
			method, path string
			status       int
			header, is   string // what one says of the answer
			contains     string
		}{
			{"GET", "/", 200, "Content-Type", "text/html; charset=utf-8", "1.2.3 &lt;b&gt;"},
			{"GET", "/", 200, "Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'", "<td>HTTP<td>http://" + r.server.Address() + "/mcp\n"},
			{"GET", "/healthz", 200, "Content-Length", "3", "ok\n"},
			{"GET", "/metrics", 200, "Content-Type", "text/plain; version=0.0.4; charset=utf-8", "limina_connections 2\n"},
			{"HEAD", "/", 200, "Content-Type", "text/html; charset=utf-8", ""},
			{"GET", "/nothing", 404, "Cache-Control", "no-store", "nothing here"},
			{"POST", "/", 405, "Allow", "GET, HEAD", "WebSocket"},
			{"DELETE", "/metrics", 405, "Allow", "GET, HEAD", "only GET"},
		} {
			status, body, h := r.get(tt.method, tt.path)
			if status != tt.status || !strings.Contains(body, tt.contains) || status != 200 && strings.Count(body, "\n") != 1 {
				t.Errorf("%s %s: %d %s, want %d and %q", tt.method, tt.path, status, body, tt.status, tt.contains)
			}
			if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Cache-Control") != "no-store" || h.Get(tt.header) != tt.is {
				t.Errorf("%s %s: headers %v", tt.method, tt.path, h)
			}
		}
		if got := native.ask(call(4, "demo.echo", `{"text":"still"}`)); !strings.Contains(got, "still") {
			t.Errorf("call: %s", got)
		}
	})
}

// Shutdown ends the session and then the socket.
func TestShutdownMethod(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, server.Config{})
		c := r.dial()
		c.ask(initialize)
		c.send(call(1, "demo.work", `{"seconds":3}`))
		if got := c.ask(`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`); got != `{"jsonrpc":"2.0","id":2,"result":{"ok":true}}` {
			t.Errorf("shutdown: %s", got)
		}
		if got := c.receive(); !strings.Contains(got, `"id":1,"result"`) {
			t.Errorf("the running call: %s", got)
		}
		if code, _ := c.farewell(); code != 1000 {
			t.Errorf("closed with %d", code)
		}
		again := r.dial()
		if got := again.ask(initialize); !strings.Contains(got, `"result"`) {
			t.Errorf("the session id is not free: %s", got)
		}
	})
}

// The figures of /metrics are in Prometheus' format, each family whole and declared once.
func TestMetrics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, server.Config{Version: "1.2", Figures: func(m *metrics.Text) {
			m.Gauge("own_figure", "A line\nand a \\.").Add(1<<40+0.5, "name", "a\"b\\c\nd")
		}})
		c := r.dial()
		c.ask(initialize)
		c.ask(call(1, "demo.echo", `{"text":"x"}`))
		c.ask(call(2, "demo.echo", `{"txt":"x"}`))
		c.ask(call(3, "demo.secret", `{}`))
		c.ask(call(4, "demo.ask", `{}`))
		_, _, _ = r.try("Origin", "http://evil.example.com")
		_, text, h := r.get(http.MethodGet, "/metrics")
		if !strings.HasPrefix(h.Get("Content-Type"), "text/plain; version=0.0.4") {
			t.Errorf("content type %q", h.Get("Content-Type"))
		}
		figures := parseFigures(t, text)
		for name, want := range map[string]float64{
			"limina_connections":                                            1,
			"limina_sessions":                                               1,
			"limina_turns_waiting":                                          0,
			"limina_connections_total":                                      1,
			`limina_build_info{version="1.2"}`:                              1,
			`limina_refused_total{reason="denied"}`:                         1,
			`limina_calls_total{skill="demo.echo",outcome="ok"}`:            1,
			`limina_calls_total{skill="demo.echo",outcome="invalid_input"}`: 1,
			`limina_calls_total{skill="demo.secret",outcome="forbidden"}`:   1,
			`limina_calls_total{skill="demo.ask",outcome="input_required"}`: 1,
			`limina_call_seconds_bucket{skill="demo.echo",le="1e-06"}`:      2,
			`limina_call_seconds_bucket{skill="demo.echo",le="8.388608"}`:   2,
			`limina_call_seconds_bucket{skill="demo.echo",le="+Inf"}`:       2,
			`limina_call_seconds_count{skill="demo.echo"}`:                  2,
			`limina_call_seconds_sum{skill="demo.echo"}`:                    0,
			`own_figure{name="a\"b\\c\nd"}`:                                 1<<40 + 0.5,
		} {
			if got, ok := figures[name]; !ok || got != want {
				t.Errorf("%s = %v, want %v", name, got, want)
			}
		}
		for _, name := range []string{
			"limina_push_queue", "limina_pushed_bytes_total", "limina_connections_writing", "limina_sockets", "go_goroutines", "go_memory_bytes", "go_heap_objects_bytes",
		} {
			if _, ok := figures[name]; !ok {
				t.Errorf("no figure %s", name)
			}
		}
	})
}
