package server_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/server"
	"github.com/limina-mcp/limina/transport/memnet"
)

// page stands for the page that shows a world.
var page = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte("page of " + r.URL.Path)) })

// Who opens /view in a browser has sent no token yet, and gets the page all the same; from elsewhere nobody does.
func TestView(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, server.Config{Viewer: page})
		if status, body, _ := r.get("GET", "/view"); status != http.StatusOK || body != "page of /view" {
			t.Errorf("/view: %d %s", status, body)
		}
		if status, _, _ := r.get("GET", "evil.example/view"); status != http.StatusForbidden {
			t.Errorf("/view by another name: %d", status)
		}
		if status, _, _ := r.get("GET", "/view", "Origin", "https://evil.example"); status != http.StatusForbidden {
			t.Errorf("/view for a page from elsewhere: %d", status)
		}
		if got := r.server.ViewerURL(); got != "http://"+r.server.Address()+"/view" {
			t.Errorf("the world is said to be seen at %q", got)
		}
		if _, body, _ := r.get("GET", "/"); !strings.Contains(body, `<a href="view">`) {
			t.Errorf("/ does not say where the world is seen: %s", body)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		r := startOn(t, false, server.Config{Viewer: page, Tokens: tokens(t)})
		if status, body, _ := r.get("GET", "/view"); status != http.StatusOK || body != "page of /view" {
			t.Errorf("/view where a token is needed: %d %s", status, body)
		}
		if got := r.server.ViewerURL(); got != "" {
			t.Errorf("others cannot see the world at %q", got)
		}
		if status, _, _ := r.get("GET", "/"); status != http.StatusUnauthorized {
			t.Errorf("/ without a token: %d", status)
		}
	})
}

func TestNoView(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, server.Config{})
		if status, body, _ := r.get("GET", "/view"); status != http.StatusNotFound {
			t.Errorf("/view: %d %s", status, body)
		}
		if got := r.server.ViewerURL(); got != "" {
			t.Errorf("the world is said to be seen at %q", got)
		}
		if _, body, _ := r.get("GET", "/"); strings.Contains(body, "/view") {
			t.Errorf("/ says that the world is seen somewhere: %s", body)
		}
	})
}

// TestPublicURL has people and models told where others reach the server, which it cannot know by itself, and lets pages in that are served from there, whatever the proxy says.
func TestPublicURL(t *testing.T) {
	for _, tt := range []struct{ public, ws, http, view, origin string }{
		{"https://world.example.com", "wss://world.example.com", "https://world.example.com/mcp", "https://world.example.com/view", "https://world.example.com"},
		{"https://world.example.com:8443/limina/", "wss://world.example.com:8443/limina", "https://world.example.com:8443/limina/mcp", "https://world.example.com:8443/limina/view", "https://world.example.com:8443"},
		{"http://world.lan", "ws://world.lan", "http://world.lan/mcp", "http://world.lan/view", "http://world.lan"},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := startOn(t, true, server.Config{Viewer: page, Tokens: tokens(t), RequireTokens: true, PublicURL: tt.public})
			auth := []string{"Authorization", "Bearer ada-has-this-token"}
			_, body, _ := r.get("GET", "/", auth...)
			for _, want := range []string{"<td>" + tt.ws + "\n", "<td>" + tt.http + "\n"} {
				if !strings.Contains(body, want) {
					t.Errorf("%s: / does not say %q: %s", tt.public, want, body)
				}
			}
			if got := r.server.ViewerURL(); got != tt.view {
				t.Errorf("%s: the world is said to be seen at %q", tt.public, got)
			}
			for origin, want := range map[string]int{tt.origin: http.StatusOK, "https://evil.example": http.StatusForbidden} {
				if status, _, _ := r.get("GET", "/", append(auth, "Origin", origin)...); status != want {
					t.Errorf("%s: a page of %s: %d, want %d", tt.public, origin, status, want)
				}
			}
		})
	}
	synctest.Test(t, func(t *testing.T) { // a proxy, of which nobody knows what it is called
		r := startOn(t, true, server.Config{Viewer: page, Tokens: tokens(t), RequireTokens: true})
		if got := r.server.ViewerURL(); got != "" {
			t.Errorf("behind a proxy the world is said to be seen at %q", got)
		}
	})
	for _, bad := range []string{"world.example.com", "ftp://world.example.com", "https://", "https://a@b.example", "https://world.example.com/?x=1", "https://*.example.com", "https://world.example.com#x"} {
		_, err := server.On(memnet.Listen(), true, server.Config{Core: core(t, mcp.Options{}), PublicURL: bad})
		if none := (*server.PublicURLError)(nil); !errors.As(err, &none) || none.URL != bad {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// everywhere is a network that says that it is every address of the machine.
type everywhere struct{ *memnet.Listener }

func (everywhere) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4zero, Port: 8787} }

// TestPageOnEveryAddress: who listens on every address is reached by one of them, which whoever asks has asked for.
func TestPageOnEveryAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := memnet.Listen()
		s, err := server.On(everywhere{l}, false, server.Config{Core: core(t, mcp.Options{}), Tokens: tokens(t)})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- s.Run(ctx) }()
		r := &rig{tb: t, listener: l}
		_, body, _ := r.get("GET", "box.lan:8787/", "Authorization", "Bearer ada-has-this-token")
		for _, want := range []string{"<td>ws://box.lan:8787\n", "<td>http://box.lan:8787/mcp\n"} {
			if !strings.Contains(body, want) {
				t.Errorf("/ does not say %q: %s", want, body)
			}
		}
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
