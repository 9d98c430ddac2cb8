// Package viewer is a page that shows a world live, in a browser: what agents build appears as they build it. Nothing has to be
// installed for it: the page is one file, which is part of the program.
//
//	s, err := server.Listen(server.Config{Core: m, Viewer: viewer.Handler()}) // http://127.0.0.1:8787/view
//
// The page holds what three.js needs to draw, and a client of the state channel (docs/state-sync.md). It opens a WebSocket to
// the server that it comes from, takes a session with the profile system.readonly, and subscribes to the world; of a large one to
// what is around the camera. It changes nothing in the world until somebody plays: then it opens a session of his, with the profile
// player.full or player.limited, in which he has a character and does what players may. It says and asks no more than that and the page's address
// tells it to: `?agent=` and `?profile=` are whose session it opens, `#token=` is its token where the server wants one, which no server
// is sent with the request for the page; without, the page asks. With `?play` he plays at once.
//
// Its sources are in web; scripts/viewer builds and tests them.
package viewer

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

//go:embed page.html
var page []byte

// Page returns the page: HTML with everything that belongs to it. It is not to be changed.
func Page() []byte { return page }

// served is the page, ready to be sent.
type served struct {
	packed []byte // by gzip
	etag   string
	policy string // Content-Security-Policy
}

// serve is made when somebody asks for the page, for the sake of programs that nobody asks.
var serve = sync.OnceValue(func() *served {
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // the level is one
	_, _ = z.Write(page)                                       // memory takes it
	_ = z.Close()
	sum := sha256.Sum256(page)
	return &served{
		packed: packed.Bytes(),
		etag:   `"` + hex.EncodeToString(sum[:8]) + `"`,
		policy: "default-src 'none'; script-src '" + hashOf(script()) + "'; style-src 'unsafe-inline'; img-src data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	}
})

// script returns the text of the page's only script.
func script() []byte {
	_, after, _ := bytes.Cut(page, []byte(`<script type="module">`))
	text, _, _ := bytes.Cut(after, []byte("</script>"))
	return text
}

// hashOf returns what a Content-Security-Policy calls a script.
func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// Handler serves the page, whatever the path. The page may run its own script and nothing else, reach the server that it
// comes from and no other, and not be shown within a page of somebody else. It may be called concurrently.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "the page can only be read: GET", http.StatusMethodNotAllowed)
			return
		}
		s := serve()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", s.policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-cache")
		h.Set("ETag", s.etag)
		h.Set("Vary", "Accept-Encoding")
		if strings.Contains(r.Header.Get("If-None-Match"), s.etag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		body := page
		if takesGzip(r.Header.Values("Accept-Encoding")) {
			h.Set("Content-Encoding", "gzip")
			body = s.packed
		}
		h.Set("Content-Length", strconv.Itoa(len(body)))
		if r.Method == http.MethodGet {
			_, _ = w.Write(body) // who has gone does not need it
		}
	})
}

// takesGzip reports whether a client says that it takes gzip.
func takesGzip(accepts []string) bool {
	for coding := range strings.SplitSeq(strings.Join(accepts, ","), ",") {
		name, quality, _ := strings.Cut(coding, ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			q := strings.ReplaceAll(quality, " ", "")
			return !strings.HasPrefix(q, "q=0") || strings.ContainsAny(q[3:], "123456789")
		}
	}
	return false
}
