package server_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/server"
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
