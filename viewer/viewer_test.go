package viewer_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/viewer"
)

// answer is what comes of a request.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// get asks for the page.
func get(t *testing.T, method string, header ...string) answer {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, "/view", nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	viewer.Handler().ServeHTTP(w, r)
	return answer{w.Code, w.Header(), w.Body.Bytes()}
}

func TestPageIsServedPackedOrNot(t *testing.T) {
	for _, tt := range []struct {
		accepts []string
		packed  bool
	}{
		{nil, false},
		{[]string{"Accept-Encoding", "gzip"}, true},
		{[]string{"Accept-Encoding", "br, GZIP ; q=0.5"}, true},
		{[]string{"Accept-Encoding", "br", "Accept-Encoding", "gzip"}, true},
		{[]string{"Accept-Encoding", "gzip;q=0"}, false},
		{[]string{"Accept-Encoding", "gzip; q=0.00, br"}, false},
		{[]string{"Accept-Encoding", "gzip;q=0.01"}, true},
		{[]string{"Accept-Encoding", "x-gzipped, br"}, false},
	} {
		res := get(t, "GET", tt.accepts...)
		if res.status != http.StatusOK || res.header.Get("Content-Type") != "text/html; charset=utf-8" {
			t.Fatalf("%v: %d, %s", tt.accepts, res.status, res.header.Get("Content-Type"))
		}
		if got := res.header.Get("Content-Encoding") == "gzip"; got != tt.packed {
			t.Errorf("%v: packed is %v", tt.accepts, got)
			continue
		}
		got := res.body
		if tt.packed {
			z, err := gzip.NewReader(bytes.NewReader(got))
			if err != nil {
				t.Fatal(err)
			}
			if got, err = io.ReadAll(z); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(got, viewer.Page()) {
			t.Errorf("%v: another page came", tt.accepts)
		}
	}
}

func TestPageIsNotSentTwice(t *testing.T) {
	tag := get(t, "GET").header.Get("ETag")
	res := get(t, "GET", "If-None-Match", `"old", `+tag)
	if res.status != http.StatusNotModified || len(res.body) != 0 {
		t.Errorf("with %s: %d", tag, res.status)
	}
	if res := get(t, "GET", "If-None-Match", `"old"`); res.status != http.StatusOK {
		t.Errorf("with another tag: %d", res.status)
	}
}

func TestOtherMethods(t *testing.T) {
	res := get(t, "HEAD")
	if res.status != http.StatusOK || len(res.body) != 0 {
		t.Errorf("HEAD: %d", res.status)
	}
	res = get(t, "POST")
	if res.status != http.StatusMethodNotAllowed || res.header.Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d, Allow %q", res.status, res.header.Get("Allow"))
	}
}

// TestPolicy checks that a browser runs the page's own script and nothing else, and that the page asks nobody but its server.
func TestPolicy(t *testing.T) {
	scripts := regexp.MustCompile(`(?s)<script[^>]*>(.*?)</script>`).FindAllSubmatch(viewer.Page(), -1)
	if len(scripts) != 1 {
		t.Fatalf("the page has %d scripts", len(scripts))
	}
	sum := sha256.Sum256(scripts[0][1])
	policy := get(t, "GET").header.Get("Content-Security-Policy")
	for _, want := range []string{
		"default-src 'none'", "script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'", "connect-src 'self'", "frame-ancestors 'none'",
	} {
		if !strings.Contains(policy+";", want+";") {
			t.Errorf("the policy lacks %s: %s", want, policy)
		}
	}
	markup := bytes.Replace(viewer.Page(), scripts[0][1], nil, 1)
	if found := regexp.MustCompile(`(?i)(src|href)="[^"]*"|url\(|\son\w+=`).FindAll(markup, -1); len(found) != 1 || string(found[0]) != `href="data:,"` {
		t.Errorf("the page's markup refers to %q", found)
	}
	if !bytes.Contains(viewer.Page(), []byte("three.js authors")) && !bytes.Contains(viewer.Page(), []byte("Three.js Authors")) {
		t.Error("the licence of three.js is not named")
	}
}
