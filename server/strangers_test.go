package server

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/internal/around"
)

// someone is a connection from an address.
type someone struct {
	net.Conn
	from net.Addr
}

func (s someone) RemoteAddr() net.Addr { return s.from }

func at(address string) *incoming {
	return &incoming{Conn: around.Conn{Conn: someone{from: net.TCPAddrFromAddrPort(netip.MustParseAddrPort(address))}}}
}

// What counts together is what one subscriber has.
func TestOriginOf(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.7:80": "192.0.2.7/32", "[::ffff:192.0.2.7]:80": "192.0.2.7/32", "[::1]:80": "::/64",
		"[2001:db8:1:2:3:4:5:6]:80": "2001:db8:1:2::/64", "[fe80::1%eth0]:80": "fe80::/64",
	} {
		if got := originOf(at(address).Conn); got.String() != want {
			t.Errorf("%s is of %v, want %s", address, got, want)
		}
	}
	if got := originOf(someone{from: &net.UnixAddr{}}); got != (netip.Prefix{}) {
		t.Errorf("a unix socket is of %v", got)
	}
}

// Strangers come, show who they are, and go: it is always the oldest of an address that has most of them who has to, and of several such addresses
// that which came to have so many first.
func TestStrangersModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s strangers
		type place struct {
			from  string
			conns []*incoming
		}
		var places []*place // in the order in which they came to have as many as they have
		var gone []*incoming
		find := func(c *incoming) (*place, int) {
			for _, p := range places {
				if n := slices.Index(p.conns, c); n >= 0 {
					return p, n
				}
			}
			return nil, 0
		}
		last := func(p *place) {
			places = slices.DeleteFunc(places, func(o *place) bool { return o == p })
			if len(p.conns) > 0 {
				places = append(places, p)
			}
		}
		drop := func(c *incoming) {
			if p, n := find(c); p != nil {
				p.conns = slices.Delete(p.conns, n, n+1)
				last(p)
				gone = append(gone, c)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"come": func(t *rapid.T) {
				from := fmt.Sprintf("192.0.2.%d:1", rapid.IntRange(0, 4).Draw(t, "from"))
				c := at(from)
				n := slices.IndexFunc(places, func(p *place) bool { return p.from == from })
				if n < 0 {
					n, places = len(places), append(places, &place{from: from})
				}
				places[n].conns = append(places[n].conns, c)
				last(places[n])
				s.add(c)
			},
			"show": func(t *rapid.T) {
				var all []*incoming
				for _, p := range places {
					all = append(all, p.conns...)
				}
				if all = append(all, gone...); len(all) > 0 {
					c := rapid.SampledFrom(all).Draw(t, "who")
					s.remove(c)
					drop(c)
				}
			},
			"go": func(t *rapid.T) {
				var top *place
				for _, p := range places {
					if top == nil || len(p.conns) > len(top.conns) {
						top = p
					}
				}
				c, from, others := s.take()
				if top == nil {
					if c != nil {
						t.Fatal("one goes where nobody is")
					}
					return
				}
				if c != top.conns[0] || from != originOf(c.Conn) || others != len(top.conns)-1 {
					t.Fatalf("one from %v goes, with %d others; want one from %s", from, others, top.from)
				}
				drop(c)
			},
			"": func(t *rapid.T) {
				all := 0
				for _, p := range places {
					all += len(p.conns)
				}
				if s.len() != all || len(s.from) != len(places) || len(places) == 0 && len(s.ranks) != 0 {
					t.Fatalf("%d strangers of %d places, want %d of %d", s.len(), len(s.from), all, len(places))
				}
			},
		})
	})
}

// Where a process may open few files some are left for what is no connection.
func TestConnectionsOf(t *testing.T) {
	for files, want := range map[uint64]int{0: 10_000, 1: 1, 64: 32, 255: 127, 256: 128, 1024: 896, 10_127: 9_999, 10_128: 10_000, 1 << 63: 10_000} {
		if got := connectionsOf(files); got != want {
			t.Errorf("with %d files there may be %d connections, want %d", files, got, want)
		}
	}
}
