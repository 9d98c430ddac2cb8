package server_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/server"
)

// One caller has at most half of what the connections of all others leave, by whatever way he shows who he is and under whatever names, and is told so. What
// he has is left alone, and others come in.
func TestConnectionsOfOneCaller(t *testing.T) {
	known, err := server.ParseTokens([]byte(`tokens:
  - {token: the-token-of-ada, principal: ada, profiles: [builder.readWrite]}
  - {token: another-of-ada-too, principal: ada, profiles: [builder.readWrite]}
  - {token: the-token-of-fleet, principal: "fleet-*", profiles: [builder.readWrite]}
  - {token: the-token-of-grace, principal: grace, profiles: [builder.readWrite]}
`), "tokens.yaml", profiles.Builtin())
	if err != nil {
		t.Fatal(err)
	}
	const most, full = 16, "which is the most for one"
	session := 0
	enter := func(r *rig, token, name string, headers ...string) (*client, string) {
		session++
		c, status, _ := r.try(headers...)
		if c == nil {
			return nil, fmt.Sprint(status)
		}
		start := strings.NewReplacer(`"s1"`, fmt.Sprintf(`"s%d"`, session), `"ada"`, fmt.Sprintf("%q", name)).Replace(initialize)
		if token != "" {
			start = strings.Replace(start, `"agentId"`, `"token":"`+token+`","agentId"`, 1)
		}
		return c, c.ask(start)
	}
	type way func(r *rig, token, name string) string
	native := func(r *rig, token, name string) string {
		_, got := enter(r, token, name)
		return got
	}
	handshake := func(r *rig, token, name string) string {
		_, got := enter(r, "", name, "Authorization", "Bearer "+token)
		return got
	}
	web := func(r *rig, token, name string) string {
		conn, err := r.listener.Dial(context.Background())
		if err != nil {
			r.tb.Fatal(err)
		}
		r.tb.Cleanup(func() { _ = conn.Close() })
		body := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"` + name + `","version":"1"}}}`
		_, _ = fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: %d\r\n\r\n%s", token, len(body), body)
		status, text, _ := read(r.tb, conn)
		if status == http.StatusServiceUnavailable {
			if n, err := conn.Read(make([]byte, 1)); err != io.EOF {
				r.tb.Errorf("a connection too many goes on: %d, %v", n, err)
			}
		}
		return fmt.Sprint(status, " ", text)
	}
	ways := map[string]way{"native": native, "handshake": handshake, "web": web}
	fill := func(t *testing.T, r *rig, how way, token string, names int) (got int) {
		for n := range most {
			said := how(r, token, strings.Replace(map[bool]string{true: "fleet-%", false: "ada"}[names > 1], "%", fmt.Sprint(n), 1))
			switch {
			case strings.Contains(said, `"result"`):
				got++
			case !strings.Contains(said, full) && said != "503":
				t.Errorf("the %d. is told %s", n+1, said)
			}
		}
		return got
	}
	for name, how := range ways {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := startOn(t, false, server.Config{Core: core(t, mcp.Options{Tokens: known.Credential}), Tokens: known, MaxConnections: most, HandshakeTimeout: time.Hour})
				r.tb = t
				first, got := enter(r, "the-token-of-ada", "ada")
				if !strings.Contains(got, `"result"`) {
					t.Fatal(got)
				}
				if got := fill(t, r, how, "another-of-ada-too", 1); got != 7 {
					t.Errorf("ada has %d connections more, want half of 16", got)
				}
				if got := fill(t, r, how, "the-token-of-fleet", most); got != 4 {
					t.Errorf("the fleet has %d, want half of 8", got)
				}
				if _, got := enter(r, "the-token-of-grace", "grace"); !strings.Contains(got, `"result"`) {
					t.Errorf("grace does not come in: %s", got)
				}
				if got := first.ask(call(1, "demo.echo", `{"text":"x"}`)); !strings.Contains(got, `"success":true`) {
					t.Errorf("what ada has does not work any more: %s", got)
				}
				if _, figures, _ := r.get("GET", "/metrics", "Authorization", "Bearer the-token-of-grace"); !strings.Contains(figures, "limina_refused_total{reason=\"share\"} 21\n") {
					t.Errorf("the figures are %s", figures)
				}
			})
		})
	}
	t.Run("those without a token", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := start(t, server.Config{Core: core(t, mcp.Options{Tokens: known.Credential}), Tokens: known, MaxConnections: most})
			r.tb = t
			first, _ := enter(r, "", "ada")
			if got := fill(t, r, native, "", most); got != 7 {
				t.Errorf("on a loopback address those who have no token have %d connections more, want half of 16", got)
			}
			_ = first.Close()
			synctest.Wait()
			if got := fill(t, r, native, "", most); got != 1 {
				t.Errorf("when one has gone %d come in, want 1", got)
			}
			if _, got := enter(r, "the-token-of-grace", "grace"); !strings.Contains(got, `"result"`) {
				t.Errorf("grace does not come in: %s", got)
			}
		})
	})
	t.Run("without tokens", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := start(t, server.Config{MaxConnections: most})
			r.tb = t
			if got := fill(t, r, native, "", most); got != most {
				t.Errorf("where nobody has a token %d connections are open, want all", got)
			}
		})
	})
}
