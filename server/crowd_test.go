package server_test

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/server"
)

// crowd has eight clients, one after the other, each in a session of its own, ask for an answer of 500 kB and not read it for two seconds. Those that are to be kept
// have it then, and the others have not.
func crowd(t *testing.T, r *rig, enter func(c *client, session string), kept func(i int) bool) {
	t.Helper()
	text := strings.Repeat("x", 500<<10)
	var clients []*client
	for _, session := range strings.Split("abcdefgh", "") {
		c := r.dial()
		enter(c, session)
		if err := c.WriteMessage(websocket.TextMessage, []byte(call(1, "demo.echo", `{"text":"`+text+`"}`))); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		clients = append(clients, c)
	}
	time.Sleep(2 * time.Second) // what is being written has a second
	for i, c := range clients {
		_, got, err := c.ReadMessage()
		if has := err == nil && strings.Contains(string(got), text); has != kept(i) {
			t.Errorf("the %d. of 8 has its answer: %v (%v)", i+1, has, err)
		}
	}
}

// Of many who do not read what they are answered, those that have had an answer waiting for longest are let go; who reads has his answer.
func TestUnreadAnswersAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, server.Config{Core: core(t, mcp.Options{MaxUnsent: 2 << 20})})
		enter := func(c *client, session string) {
			c.ask(strings.Replace(initialize, `"s1"`, `"`+session+`"`, 1))
		}
		crowd(t, r, enter, func(i int) bool { return i >= 4 })
		other := r.dial()
		enter(other, "other")
		if got := other.ask(call(1, "demo.echo", `{"text":"x"}`)); !strings.Contains(got, `"success":true`) {
			t.Errorf("another connection got %s", got)
		}
	})
}

// Whoever has many connections on which he does not read has none let go of somebody else's, who has begun earlier, and is slow.
func TestUnreadAnswersAreBoundedByOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, server.Config{Core: core(t, mcp.Options{MaxUnsent: 2 << 20})})
		crowd(t, r, func(c *client, session string) {
			agent := "eve"
			if session == "a" {
				agent = "ada"
			}
			c.ask(strings.NewReplacer(`"s1"`, `"`+session+`"`, `"ada"`, `"`+agent+`"`).Replace(initialize))
		}, func(i int) bool { return i == 0 || i >= 5 })
	})
}

// from dials as somebody at an address.
func (r *rig) from(address string) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, _, _ string) (net.Conn, error) {
		return r.listener.DialFrom(ctx, net.TCPAddrFromAddrPort(netip.MustParseAddrPort(address)))
	}
}

// Whoever only connects keeps nobody out, whether or not he comes from the same address, nor does he once he has said something that needs no token; and
// those who have shown who they are stay.
func TestStrangersMakeRoom(t *testing.T) {
	const most = 20
	for _, secure := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			c := server.Config{Tokens: tokens(t), MaxConnections: most, HandshakeTimeout: time.Hour}
			scheme, trust := "ws", (*tls.Config)(nil)
			if secure {
				cert, pool := certificate(t)
				c.TLS, scheme, trust = &tls.Config{Certificates: []tls.Certificate{cert}}, "wss", &tls.Config{RootCAs: pool}
			}
			c.Core = core(t, mcp.Options{Tokens: c.Tokens.Credential})
			r := startOn(t, false, c)
			dialer := func(address string) *websocket.Dialer {
				return &websocket.Dialer{NetDialContext: r.from(address), TLSClientConfig: trust}
			}
			enter := func(address, session string, withHandshake bool) *client {
				h, start := http.Header{}, strings.Replace(initialize, `"s1"`, `"`+session+`"`, 1)
				if withHandshake {
					h.Set("Authorization", "Bearer ada-has-this-token")
				} else {
					start = strings.Replace(start, `"agentId"`, `"token":"ada-has-this-token","agentId"`, 1)
				}
				conn, answer, err := dialer(address).Dial(scheme+"://localhost/", h)
				if err != nil {
					t.Fatalf("%s from %s cannot come in: %v", session, address, err)
				}
				_ = answer.Body.Close()
				c := &client{conn, t}
				t.Cleanup(func() { _ = conn.Close() })
				if got := c.ask(start); !strings.Contains(got, `"result"`) {
					t.Fatalf("%s: %s", session, got)
				}
				return c
			}
			clients := []*client{enter("192.0.2.1:1", "before", true)}
			visits := 0
			visitor := http.Client{Transport: &http.Transport{TLSClientConfig: trust, DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				visits++
				return r.from("192.0.2.3:1")(ctx, network, address)
			}}}
			t.Cleanup(visitor.CloseIdleConnections)
			visit := func() { // a request of MCP over HTTP
				q, err := http.NewRequest(http.MethodPost, strings.Replace(scheme, "ws", "http", 1)+"://localhost/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`))
				if err != nil {
					t.Fatal(err)
				}
				q.Header = http.Header{"Authorization": {"Bearer ada-has-this-token"}, "Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
				answer, err := visitor.Do(q)
				if err != nil {
					t.Fatal(err)
				}
				_, _ = io.Copy(io.Discard, answer.Body)
				if _ = answer.Body.Close(); answer.StatusCode != http.StatusOK || visits != 1 {
					t.Errorf("over HTTP: %s, on connection %d", answer.Status, visits)
				}
			}
			visit()
			attack := func(address string) {
				for n := range 2 * most {
					conn, err := r.from(address)(t.Context(), "", "")
					if err != nil {
						t.Fatal(err)
					}
					t.Cleanup(func() { _ = conn.Close() })
					switch {
					case n%4 == 1 && !secure:
						go func() { _, _ = conn.Write([]byte("GET / HTTP/1.1\r\nHost: x\r\n")) }()
					case n%4 == 2 && !secure:
						go func() { _, _ = conn.Write([]byte("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")) }()
						go func() { _, _ = io.Copy(io.Discard, conn) }()
					case n%4 == 3:
						d := dialer(address)
						if ws, answer, err := d.Dial(scheme+"://localhost/", nil); err == nil {
							_ = answer.Body.Close()
							t.Cleanup(func() { _ = ws.Close() })
						}
					}
				}
				synctest.Wait()
			}
			for n, address := range []string{"198.51.100.7:1", "[2001:db8:1:2:3::1]:1", "192.0.2.1:9"} {
				attack(address)
				clients = append(clients,
					enter(fmt.Sprintf("192.0.2.%d:1", n), fmt.Sprint("elsewhere ", n), n%2 == 0),
					enter(address, fmt.Sprint("beside them ", n), n%2 == 1),
				)
			}
			attack("198.51.100.7:1")
			visit()
			for n, c := range clients {
				if got := c.ask(call(1, "demo.echo", `{"text":"x"}`)); !strings.Contains(got, `"success":true`) {
					t.Errorf("client %d got %s", n, got)
				}
			}
		})
	}
}

// Of strangers those go first that are many from one address: a few from elsewhere have time to show who they are.
func TestStrangersOfManyAddresses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := startOn(t, false, server.Config{Tokens: tokens(t), MaxConnections: 20, HandshakeTimeout: time.Hour})
		dial := func(address string) *lookedAt {
			conn, err := r.from(address)(t.Context(), "", "")
			if err != nil {
				t.Fatal(err)
			}
			c := &lookedAt{Conn: conn}
			t.Cleanup(func() { _ = conn.Close() })
			go func() {
				_, _ = conn.Read(make([]byte, 1))
				c.over.Store(true)
			}()
			return c
		}
		var few, many []*lookedAt
		for n := range 5 {
			few = append(few, dial(fmt.Sprintf("192.0.2.%d:1", n)))
		}
		for n := range 200 { // networks of IPv6 count as one
			many = append(many, dial(fmt.Sprintf("[2001:db8::%x]:1", n)))
		}
		synctest.Wait()
		for n, c := range few {
			if c.over.Load() {
				t.Errorf("of the few the %d. had to go", n+1)
			}
		}
		for n, c := range many {
			if gone := n < 200-15; c.over.Load() != gone {
				t.Errorf("of the many the %d. has gone: %v", n+1, !gone)
			}
		}
		_, text, _ := r.get(http.MethodGet, "/metrics", "Authorization", "Bearer ada-has-this-token")
		for _, want := range []string{`limina_refused_total{reason="crowded"} 186` + "\n", "limina_sockets 20\n", "limina_strangers 19\n"} {
			if !strings.Contains(text, want) {
				t.Errorf("the figures lack %s:\n%s", want, text)
			}
		}
	})
}

// lookedAt is a connection of which is known whether it is over.
type lookedAt struct {
	net.Conn
	over atomic.Bool
}
