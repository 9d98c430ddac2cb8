package server_test

import (
	"errors"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/server"
)

// A page from elsewhere cannot drive a local server, neither by its own name nor by one that it has
// pointed at us. A program, which sends no origin, can.
func TestOriginAndHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, server.Config{Origins: []string{"https://app.example.com", "http://Studio.example.com:80/", "vscode-webview://abc"}})
		for _, tt := range []struct {
			host, origin string
			status       int
		}{
			{"localhost:8787", "", 101},
			{"127.0.0.1:8787", "", 101},
			{"127.9.9.9", "", 101},
			{"[::1]:8787", "", 101},
			{"LOCALHOST.", "", 101},
			{"limina.localhost:8787", "", 101},
			{"evil.example.com", "", 403},
			{"evil.example.com:8787", "http://evil.example.com:8787", 403},
			{"localhost.evil.example.com", "", 403},
			{"127.0.0.1.evil.example.com", "", 403},
			{"192.168.1.7:8787", "", 403},
			{"localhost:8787", "http://evil.example.com", 403},
			{"localhost:8787", "http://localhost:8787", 101},
			{"localhost:8787", "http://localhost:5173", 101},
			{"localhost:8787", "http://127.0.0.1", 101},
			{"localhost:8787", "https://[::1]:8443", 101},
			{"localhost:8787", "http://localhost.evil.example.com", 403},
			{"localhost:8787", "null", 403},
			{"localhost:8787", "file://", 403},
			{"localhost:8787", "ftp://localhost", 403},
			{"localhost:8787", "://", 403},
			{"localhost:8787", "https://app.example.com", 101},
			{"localhost:8787", "https://app.example.com:443", 101},
			{"localhost:8787", "http://app.example.com", 403},
			{"localhost:8787", "https://sub.app.example.com", 403},
			{"localhost:8787", "http://studio.example.com", 101},
			{"localhost:8787", "vscode-webview://abc", 101},
			{"localhost:8787", "vscode-webview://abd", 403},
			{"app.example.com", "https://app.example.com", 101},
		} {
			headers := []string{"Host", tt.host}
			if tt.origin != "" {
				headers = append(headers, "Origin", tt.origin)
			}
			c, got, _ := r.try(headers...)
			if got != tt.status {
				t.Errorf("host %s, origin %s: %d, want %d", tt.host, tt.origin, got, tt.status)
			}
			if c != nil {
				_ = c.Close()
			}
			// A page may not read plain answers either.
			status, _, _ := r.get(http.MethodGet, tt.host+"/metrics", headers[2:]...)
			if want := map[int]int{101: 200, 403: 403}[tt.status]; status != want {
				t.Errorf("GET with host %s, origin %s: %d, want %d", tt.host, tt.origin, status, want)
			}
		}
		if status, body, _ := r.get(http.MethodGet, "/", "Origin", "http://localhost", "Origin", "http://evil.example.com"); status != 403 {
			t.Errorf("two origins: %d %s", status, body)
		}
		for _, tt := range []struct {
			site, mode, origin string
			status             int
		}{
			{"cross-site", "no-cors", "", 403}, // a picture or a script of a page from elsewhere
			{"cross-site", "navigate", "", 200},
			{"cross-site", "cors", "https://app.example.com", 200},
			{"same-origin", "no-cors", "", 200},
			{"same-site", "no-cors", "", 200}, // another port of this machine
			{"none", "navigate", "", 200},     // typed by a person
		} {
			headers := []string{"Sec-Fetch-Site", tt.site, "Sec-Fetch-Mode", tt.mode}
			if tt.origin != "" {
				headers = append(headers, "Origin", tt.origin)
			}
			if status, body, _ := r.get(http.MethodGet, "/metrics", headers...); status != tt.status {
				t.Errorf("%+v: %d %s", tt, status, body)
			}
		}
		everywhere := start(t, server.Config{Origins: []string{"*"}})
		everywhere.dial("Origin", "http://evil.example.com")
	})
}

// An origin that is none is a mistake that is told at once.
func TestBadOrigin(t *testing.T) {
	address := "unix:" + t.TempDir() + "/s" // which is free again each time
	for _, origin := range []string{"example.com", "https://", "https://example.com/path", "http://[::1", "https://*.example.com", "https://ada@example.com", "https://example.com?x", "https://example.com#x"} {
		_, err := server.Listen(server.Config{Core: core(t, noOptions), Address: address, Origins: []string{origin}})
		if none := (*server.OriginError)(nil); !errors.As(err, &none) || none.Origin != origin {
			t.Errorf("origin %q: %v", origin, err)
		}
	}
}
