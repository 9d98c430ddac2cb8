package server_test

import (
	"crypto/tls"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/server"
	"github.com/limina-mcp/limina/transport/memnet"
)

// A server that is not run lets go of its port.
func TestClose(t *testing.T) {
	for _, secure := range []*tls.Config{nil, new(tls.Config)} {
		l := memnet.Listen()
		s, err := server.On(l, true, server.Config{Core: core(t, noOptions), TLS: secure})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
		if c, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
			t.Fatalf("the port is open: %v, %v", c, err)
		}
		if err := s.Run(t.Context()); !errors.Is(err, server.ErrClosed) {
			t.Errorf("Run after Close = %v", err)
		}
	}
	path := filepath.Join(t.TempDir(), "s")
	for range 2 { // it can be listened on again
		s, err := server.Listen(server.Config{Core: core(t, noOptions), Address: "unix:" + path})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the socket is still there: %v", err)
		}
	}
}

// Close of a server that is run is the end of its context, and it is run once.
func TestCloseWhileItRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, server.Config{})
		c := r.dial()
		if got := c.ask(initialize); !strings.Contains(got, `"result"`) {
			t.Fatal(got)
		}
		if err := r.server.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "once") {
			t.Errorf("Run while it runs = %v", err)
		}
		if err := r.server.Close(); err != nil {
			t.Error(err)
		}
		if code, reason := c.farewell(); code != 1001 {
			t.Errorf("closed with %d %q", code, reason)
		}
		_ = c.Close()
		err := <-r.stopped
		r.stopped <- err
		if err := errors.Join(err, r.server.Close()); err != nil {
			t.Error(err)
		}
		if err := r.server.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "once") {
			t.Errorf("Run after Run = %v", err)
		}
	})
}
