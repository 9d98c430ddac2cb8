package mcp_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/mcp"
)

// Whoever has a token has the rate once, over however many connections, by whatever name, however he shows it; whoever has none has it for each
// connection, and takes nothing of it from whose name he says.
func TestRateIsOfTheToken(t *testing.T) {
	const echo = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo.echo","arguments":{"text":"x"}}}` + "\n"
	fleet := mcp.Credential{Principal: "bot-*", Profiles: []string{"builder.readWrite"}}
	ada := mcp.Credential{Principal: "ada", Profiles: []string{"builder.readWrite"}}
	native := func(token string) func(i int) string {
		return func(i int) string {
			return initAs(fmt.Sprint("bot-", i), fmt.Sprint("s", i), "builder.readWrite", token)
		}
	}
	modern := claimed(1, "tools/call", `"name":"demo_echo","arguments":{"text":"x"}`)
	const shared, single = "with this token, over all its connections", "on this connection"
	stranger := func(int) string { return "" }
	for _, tt := range []struct {
		name                string
		rate                int
		peer                mcp.Peer
		begin               func(i int) string
		call                string
		burst, want, little int    // calls of each of three connections, of which so many pass together; those that pass then of 5 on a new connection
		told                string // to whom is refused
	}{
		{"by the connection", 10, mcp.Peer{Credential: &fleet}, native(""), echo, 8, 10, 0, shared},
		{"by initialize", 10, mcp.Peer{}, native("fleet"), echo, 8, 10, 0, shared},
		{"by initialize, which counts", 10, mcp.Peer{Credential: &ada}, native("fleet"), echo, 8, 10, 0, shared},
		{"standard", 10, mcp.Peer{Credential: &ada}, func(int) string { return initStandard }, echo, 8, 10, 0, shared},
		{"modern", 10, mcp.Peer{Credential: &ada, Standard: true}, stranger, modern, 8, 10, 0, shared},
		{"with a meter", 0, mcp.Peer{Credential: &ada, Standard: true, Meter: mcp.NewMeter(10)}, stranger, modern, 8, 10, 0, shared},
		{"often", 5000, mcp.Peer{Credential: &fleet}, native(""), echo, 3000, 5000, 0, shared},
		{"without a token", 10, mcp.Peer{}, native(""), echo, 12, 30, 5, single},
		{"without a token, with a meter", 0, mcp.Peer{Standard: true, Meter: mcp.NewMeter(10)}, stranger, modern, 8, 10, 0, single},
		{"without bound", 0, mcp.Peer{Credential: &fleet}, native(""), echo, 100, 300, 5, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				core := newCore(t, mcp.Options{Tokens: func(token string) (mcp.Credential, bool) { return fleet, token == "fleet" }})
				tt.peer.Rate = tt.rate
				open := func(i int, peer mcp.Peer, begin string) *peer {
					p := dialAs(t, core, 0, peer)
					p.send(begin)
					synctest.Wait()
					p.said()
					return p
				}
				burst := func(p *peer, n int, call string) (passed int) {
					p.send(strings.Repeat(call, n))
					synctest.Wait()
					for _, line := range p.said() {
						if strings.Contains(line, `{"text":"x"`) {
							passed++
						} else if !strings.Contains(line, fmt.Sprintf("more than %d calls a second %s", max(tt.rate, 10), tt.told)) {
							t.Errorf("a call is answered %s", line)
						}
					}
					return passed
				}
				var peers []*peer
				for i := range 3 {
					peers = append(peers, open(i, tt.peer, tt.begin(i)))
				}
				all := func(n int) (passed int) {
					for _, p := range peers {
						passed += burst(p, n, tt.call)
					}
					return passed
				}
				if n := all(tt.burst); n != tt.want {
					t.Errorf("%d calls of a burst passed, want %d", n, tt.want)
				}
				other := tt.peer // somebody else, who says that he is one of them
				other.Credential, other.Meter = nil, nil
				o := open(3, other, initAs("bot-7", "s7", "builder.readWrite", ""))
				if n := burst(o, 8, echo); n != 8 {
					t.Errorf("%d calls of 8 passed of somebody else", n)
				}
				peers[0].close()
				peers[0] = open(0, tt.peer, tt.begin(0))
				if n := burst(peers[0], 5, tt.call); n != tt.little {
					t.Errorf("on a new connection %d more passed, want %d", n, tt.little)
				}
				time.Sleep(time.Hour)
				if n := all(tt.burst); n != tt.want {
					t.Errorf("after an hour %d calls of a burst passed, want %d", n, tt.want)
				}
				for _, p := range append(peers, o) {
					p.close()
				}
			})
		})
	}
}

// What is known of tokens that are not used any more is forgotten, and of no other.
func TestRateForgetsWhoHasGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core := newCore(t, mcp.Options{})
		modern := claimed(1, "tools/call", `"name":"demo_echo","arguments":{"text":"x"}`)
		ask := func(who string) string {
			l := core.Link(t.Context(), mcp.Peer{Credential: &mcp.Credential{Principal: who, Profiles: []string{"builder.readWrite"}}, Rate: 1}, nil)
			defer l.Close()
			return deliver(l, modern).got()
		}
		for round := range 20 {
			time.Sleep(time.Second)
			for i := range 100 {
				if got := ask(fmt.Sprintf("guest-%d-%d", round, i)); !strings.Contains(got, `\"text\":\"x\"`) {
					t.Fatalf("the first call of a token: %s", got)
				}
			}
			for i := range 100 {
				if got := ask(fmt.Sprintf("guest-%d-%d", round, i)); !strings.Contains(got, "more than 1 calls a second with this token") {
					t.Fatalf("the second call of a token: %s", got)
				}
			}
		}
		if n := core.Metered(); n > 400 {
			t.Errorf("the rate of %d tokens is kept, after 100 a second", n)
		}
	})
}
