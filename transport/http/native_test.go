package httpmcp_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	httpmcp "github.com/limina-mcp/limina/transport/http"
)

// A native peer says what its session is called. Over HTTP that is no header of an answer, whatever is in it, and nobody else has the session who knows it.
func TestNativeSession(t *testing.T) {
	for name, fronted := range map[string]bool{"front": true, "net/http": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := serveOn(t, httpmcp.Options{}, fronted)
				seen := map[string]bool{}
				for _, id := range []string{`town`, `town; Set-Cookie: a=b`, `ü%0d%0aHTTP/1.1 200 OK`, `town`} {
					c := dial(t, r.listener)
					c.send(c.request(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"agentId":"ada","sessionId":"` + id + `","profile":"builder.readWrite"}}`))
					status, body, h := c.answer()
					if status != http.StatusOK || !strings.Contains(body, `"sessionId":"`+id+`"`) || !strings.HasPrefix(body, `{"jsonrpc":`) {
						t.Fatalf("%q is answered with %d %q", id, status, body)
					}
					session := h.Get("Mcp-Session-Id")
					if session == "" || seen[session] || strings.HasPrefix(session, "town") || h.Get("Set-Cookie") != "" {
						t.Errorf("%q is answered with the headers %v", id, h)
					}
					seen[session] = true
					c.head += "Mcp-Session-Id: " + session + "\r\n"
					c.send(c.request(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"demo.echo","arguments":{"text":"x"}}}`))
					if status, body, _ := c.answer(); status != http.StatusOK || !strings.Contains(body, `"result":{"text":"x"}`) {
						t.Errorf("a call in the session %q is answered with %d %q", id, status, body)
					}
					c.send(c.request(`{"jsonrpc":"2.0","id":3,"method":"shutdown"}`)) // the name is free again
					if status, body, _ := c.answer(); status != http.StatusOK {
						t.Errorf("shutdown is answered with %d %q", status, body)
					}
				}
				for _, id := range []string{`town\r\nSet-Cookie: a=b`, `ü\n\nHTTP/1.1 200 OK`} { // is none
					c := dial(t, r.listener)
					c.send(c.request(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"agentId":"ada","sessionId":"` + id + `","profile":"builder.readWrite"}}`))
					if status, body, h := c.answer(); status != http.StatusOK || !strings.Contains(body, `"code":-32602,"message":"sessionId: `) || h.Get("Mcp-Session-Id") != "" || h.Get("Set-Cookie") != "" {
						t.Errorf("%q is answered with %d %q and the headers %v", id, status, body, h)
					}
				}
				if open := r.endpoint.Stats().Sessions; open != len(seen) {
					t.Errorf("%d sessions are open, want %d", open, len(seen))
				}
			})
		})
	}
}
