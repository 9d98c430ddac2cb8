package mcp_test

import (
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/transport/stdio"
)

// owners is a gate that notes by whom shares are counted, and lets all pass.
type owners struct{ seen []string }

func (o *owners) Judge(p *registry.Pending) registry.Verdict {
	o.seen = append(o.seen, p.Principal.ID+" of "+p.Principal.Owner())
	return registry.Verdict{}
}

// Whoever has a token that is for many names has the share of one, by whatever name and in whatever dialect he calls.
func TestSharesAreCountedByToken(t *testing.T) {
	fleet := mcp.Credential{Principal: "bot-*", Profiles: []string{"builder.readWrite"}}
	ada := mcp.Credential{Principal: "ada", Profiles: []string{"builder.readWrite"}}
	tokens := func(token string) (mcp.Credential, bool) { return fleet, token == "fleet" }
	const (
		native = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"demo.echo","arguments":{"text":"x"}}}` + "\n"
		legacy = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"7","version":"1"}}}` + "\n" +
			`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"demo_echo","arguments":{"text":"x"}}}` + "\n"
	)
	modern := strings.Replace(claimed(1, "tools/call", `"name":"demo_echo","arguments":{"text":"x"}`), `"_meta":{`, `"_meta":{"io.modelcontextprotocol/clientInfo":{"name":"7","version":"1"},`, 1)
	for _, tt := range []struct {
		name string
		peer mcp.Peer
		send string
		want string
	}{
		{"native, by its token", mcp.Peer{}, initAs("bot-7", "s", "builder.readWrite", "fleet") + native, "bot-7 of bot-*"},
		{"native, by the connection", mcp.Peer{Credential: &fleet}, initAs("bot-7", "s", "builder.readWrite", "") + native, "bot-7 of bot-*"},
		{"native, one name", mcp.Peer{Credential: &ada}, initAs("ada", "s", "builder.readWrite", "") + native, "ada of ada"},
		{"native, no token", mcp.Peer{}, initAs("eve", "s", "builder.readWrite", "") + native, "eve of eve"},
		{"legacy", mcp.Peer{Standard: true, Credential: &fleet}, legacy, "bot-7 of bot-*"},
		{"modern", mcp.Peer{Standard: true, Credential: &fleet}, modern, "bot-7 of bot-*"},
		{"modern, one name", mcp.Peer{Standard: true, Credential: &ada}, modern, "ada of ada"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				gate := &owners{}
				reg := registry.New(registry.Options{Gate: gate})
				if err := reg.Register(testSkills()...); err != nil {
					t.Fatal(err)
				}
				core, err := mcp.New(reg, mcp.Options{Tokens: tokens})
				if err != nil {
					t.Fatal(err)
				}
				p := dialAs(t, core, 0, tt.peer)
				p.send(tt.send)
				synctest.Wait()
				if said := strings.Join(p.said(), ""); len(gate.seen) != 1 || gate.seen[0] != tt.want {
					t.Errorf("the call is one by %q, want %s: %s", gate.seen, tt.want, said)
				}
				p.close()
				s, err := core.Open(mcp.Identity{AgentID: "bot-8", SessionID: "o", Profile: "builder.readWrite", Token: "fleet"})
				if err != nil {
					t.Fatal(err)
				}
				if who := s.Principal(); who.Owner() != "bot-*" {
					t.Errorf("a session that the host opens counts for %s", who.Owner())
				}
				s.Close()
			})
		})
	}
}

// ownedFramer is a framer that is told whose it is.
type ownedFramer struct {
	mcp.Framer
	mu  sync.Mutex
	all []string
}

func (f *ownedFramer) Own(owner string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = append(f.all, owner)
}

// A transport is told whose a connection is, as soon as that is known, and when it is somebody else's.
func TestTransportIsToldWhose(t *testing.T) {
	fleet := mcp.Credential{Principal: "fleet-*", Profiles: []string{"builder.readWrite"}}
	modern := strings.Replace(claimed(1, "tools/call", `"name":"demo_echo","arguments":{"text":"x"}`), `"_meta":{`, `"_meta":{"io.modelcontextprotocol/clientInfo":{"name":"7","version":"1"},`, 1)
	for _, tt := range []struct {
		peer mcp.Peer
		send string
		want string
	}{
		{mcp.Peer{Credential: &fleet}, initAs("fleet-1", "s", "builder.readWrite", ""), "fleet-* fleet-*"},
		{mcp.Peer{}, initAs("fleet-1", "s", "builder.readWrite", "fleet"), " fleet-*"},
		{mcp.Peer{}, initAs("ada", "s", "builder.readWrite", "") + initAs("bob", "s2", "builder.readWrite", ""), " ada bob"},
		{mcp.Peer{Standard: true}, modern, " 7"},
	} {
		synctest.Test(t, func(t *testing.T) {
			core := newCore(t, mcp.Options{Tokens: func(token string) (mcp.Credential, bool) { return fleet, token == "fleet" }})
			f := &ownedFramer{Framer: stdio.New(strings.NewReader(tt.send), io.Discard, stdio.Options{})}
			if err := core.ServePeer(t.Context(), f, tt.peer); err != nil {
				t.Error(err)
			}
			if got := strings.Join(f.all, " "); got != tt.want {
				t.Errorf("it is told %q, want %q", got, tt.want)
			}
		})
	}
}
