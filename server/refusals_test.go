package server_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"github.com/limina-mcp/limina/server"
)

// Whoever is refused a thousand times does not fill the log: a second has so many lines of some length, and the next one says how many others there were.
func TestRefusalsDoNotFillTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		r := start(t, server.Config{Logger: zerolog.New(zerolog.SyncWriter(&log))})
		long := strings.Repeat("x", 3000)
		refuse := func(n int) {
			for range n {
				if status, _, _ := r.get("GET", "evil.example.com/", "Origin", "https://"+long); status != 403 {
					t.Errorf("status %d", status)
				}
			}
		}
		refuse(100)
		time.Sleep(time.Second)
		refuse(1)
		lines := strings.Split(strings.TrimSpace(log.String()), "\n")
		if len(lines) != 21 || len(log.String()) > 21*800 {
			t.Errorf("%d lines of %d bytes, want 21 of at most 800 each", len(lines), log.Len())
		}
		if last := lines[len(lines)-1]; !strings.Contains(last, `"others":80`) || !strings.Contains(last, `"host":"evil.example.com"`) {
			t.Errorf("the last line: %s", last)
		}
	})
}
