package client_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/client"
	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/server"
	"github.com/limina-mcp/limina/transport/memnet"
)

// run runs a server until the test ends.
func run(t *testing.T, s *server.Server, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	stopped := make(chan error)
	go func() { stopped <- s.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-stopped; err != nil {
			t.Error(err)
		}
	})
}

// look connects, and subscribes to the world.
func look(t *testing.T, o client.Options) error {
	t.Helper()
	o.AgentID, o.Profile = "ada", "builder.readWrite"
	c, err := client.Dial(t.Context(), o)
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.Subscribe(t.Context(), client.Subscription{Area: client.Whole()})
	return err
}

func TestUnixSocket(t *testing.T) {
	e, err := engine.New(engine.Config{})
	if err != nil {
		t.Fatal(err)
	}
	address := "unix:" + filepath.Join(t.TempDir(), "limina.sock")
	s, err := server.Listen(server.Config{Core: e.Mcp, Address: address})
	run(t, s, err)
	if err := look(t, client.Options{URL: address}); err != nil {
		t.Error(err)
	}
}

// A server that everybody can reach, with TLS and tokens.
func TestTLSAndToken(t *testing.T) {
	const token = "3b1f0c2e9a7d4f60"
	certified := httptest.NewTLSServer(nil) // has a certificate for example.com
	defer certified.Close()
	roots := x509.NewCertPool()
	roots.AddCert(certified.Certificate())
	tokens, err := server.ParseTokens([]byte(`tokens: [{token: `+token+`, principal: ada, profiles: [builder.readWrite]}]`), "tokens", profiles.Builtin())
	if err != nil {
		t.Fatal(err)
	}
	var config engine.Config
	config.MCP.Tokens = tokens.Credential
	e, err := engine.New(config)
	if err != nil {
		t.Fatal(err)
	}
	l := memnet.Listen()
	s, err := server.On(l, false, server.Config{Core: e.Mcp, Tokens: tokens, TLS: &tls.Config{Certificates: certified.TLS.Certificates}})
	run(t, s, err)
	o := client.Options{URL: "wss://example.com/world", NetDial: l.DialContext, TLS: &tls.Config{RootCAs: roots}, Token: token}
	if err := look(t, o); err != nil {
		t.Errorf("with a token: %v", err)
	}
	for _, c := range []struct {
		name   string
		change func(*client.Options)
		want   string
	}{
		{"another token", func(o *client.Options) { o.Token = "3b1f0c2e9a7d4f61" }, "401 Unauthorized"},
		{"no token", func(o *client.Options) { o.Token = "" }, "token"},
		{"no trust", func(o *client.Options) { o.TLS = nil }, "certificate"},
	} {
		o := o
		c.change(&o)
		if err := look(t, o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want an error with %q", c.name, err, c.want)
		}
	}
}

// A client whose token is no longer accepted when it connects again says what to do, and ends: it would only send the same
// token again. What is no matter of the token is tried again.
func TestTokenIsNoLongerAccepted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const token = "3b1f0c2e9a7d4f60"
		e, err := engine.New(engine.Config{})
		if err != nil {
			t.Fatal(err)
		}
		listen := func(token string) (l *memnet.Listener, stop func()) {
			tokens, err := server.ParseTokens([]byte(`tokens: [{token: `+token+`, principal: ada, profiles: [builder.readWrite]}]`), "tokens", profiles.Builtin())
			if err != nil {
				t.Fatal(err)
			}
			l = memnet.Listen()
			s, err := server.On(l, false, server.Config{Core: e.Mcp, Tokens: tokens})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(context.Background())
			stopped := make(chan error)
			go func() { stopped <- s.Run(ctx) }()
			return l, func() {
				cancel()
				if err := <-stopped; err != nil {
					t.Error(err)
				}
			}
		}
		here, stop := listen(token)
		there, stopThere := listen("3b1f0c2e9a7d4f61")
		defer stopThere()
		var (
			attempts int
			states   []error
		)
		c, err := client.Dial(t.Context(), client.Options{
			URL: "ws://limina.test", AgentID: "ada", Profile: "builder.readWrite", Token: token,
			OnState: func(err error) { states = append(states, err) },
			NetDial: func(ctx context.Context, _, _ string) (net.Conn, error) {
				switch attempts++; attempts {
				case 1:
					return here.Dial(ctx)
				case 2:
					return nil, io.ErrUnexpectedEOF
				default:
					return there.Dial(ctx)
				}
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		v, err := c.Subscribe(t.Context(), client.Subscription{Area: client.Whole()})
		if err != nil {
			t.Fatal(err)
		}
		stop()
		asked := c.Ping(t.Context()) // waits for the next connection
		<-c.Done()
		for what, err := range map[string]error{"Err": c.Err(), "a call": asked, "a view": v.Err(), "OnState": states[len(states)-1]} {
			if !errors.Is(err, client.ErrToken) || !strings.Contains(err.Error(), "401 Unauthorized") {
				t.Errorf("%s: %v, want client.ErrToken and what the server said", what, err)
			}
		}
		if attempts != 3 || len(states) != 3 {
			t.Errorf("there were %d attempts, and OnState was told %q, want that the third ended it", attempts, states)
		}
	})
}

// A client is closed in about a second where the server reads nothing, with TLS too, which would say goodbye once more: with a call
// stuck in the line, and with nothing to be written.
func TestCloseWithTLS(t *testing.T) {
	certified := httptest.NewTLSServer(nil)
	defer certified.Close()
	roots := x509.NewCertPool()
	roots.AddCert(certified.Certificate())
	for _, stuck := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			f := serveOn(t, func(l net.Listener) net.Listener {
				return tls.NewListener(l, &tls.Config{Certificates: certified.TLS.Certificates})
			})
			block := f.pause(t)
			defer close(block)
			c := f.dial(t, func(o *client.Options) {
				o.URL, o.TLS = "wss://example.com", &tls.Config{RootCAs: roots}
			})
			lost := make(chan error, 2)
			for _, skill := range []string{"block", "scene.createEntity"} {
				go func() { lost <- c.Call(t.Context(), skill, nil, nil) }()
				synctest.Wait()
				if !stuck {
					lost <- client.ErrClosed
					break
				}
			}
			begun := time.Now()
			c.Close()
			if took := time.Since(begun); took > 2*time.Second {
				t.Errorf("with a call stuck in the line %v: closed after %v", stuck, took)
			}
			for range 2 {
				if err := <-lost; !errors.Is(err, client.ErrClosed) {
					t.Errorf("a call that was under way: %v, want client.ErrClosed", err)
				}
			}
		})
	}
}
