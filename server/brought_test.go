package server_test

import (
	"bytes"
	"context"
	"net"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rs/zerolog"

	"github.com/limina-mcp/limina/server"
	"github.com/limina-mcp/limina/transport/memnet"
)

// named is a listener with an address of its own.
type named struct {
	net.Listener
	at net.Addr
}

func (n named) Addr() net.Addr { return n.at }

// Where a server is that was given its listener is what that says, not what was not asked for.
func TestAddressOfAListenerThatWasBrought(t *testing.T) {
	for want, at := range map[string]net.Addr{
		"unix:/run/limina.sock": &net.UnixAddr{Name: "/run/limina.sock", Net: "unix"},
		"unix:@limina":          &net.UnixAddr{Name: "@limina", Net: "unix"},
		"192.0.2.1:80":          &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 80},
	} {
		synctest.Test(t, func(t *testing.T) {
			var log bytes.Buffer
			l := memnet.Listen()
			known := tokens(t)
			s, err := server.On(named{l, at}, false, server.Config{Core: core(t, noOptions), Tokens: known, Logger: zerolog.New(zerolog.SyncWriter(&log))})
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Address(); got != want {
				t.Errorf("the address is %s, want %s", got, want)
			}
			if !strings.Contains(log.String(), want) {
				t.Errorf("the log warns of another address: %s", &log)
			}
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error)
			go func() { ended <- s.Run(ctx) }()
			r := &rig{tb: t, listener: l}
			if _, page, _ := r.get("GET", "/", "Authorization", "Bearer ada-has-this-token"); !strings.Contains(page, want) {
				t.Errorf("the page says %s", page)
			}
			stop()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}
