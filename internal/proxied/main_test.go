package main

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
)

// A body that is too long has to be answered with 413: what ends the connection instead, or says something else, is wrong.
func TestLongBodiesNeedTheirAnswer(t *testing.T) {
	refused := func(status int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }
	}
	for name, tt := range map[string]struct {
		tooLong http.HandlerFunc
		wrong   int
	}{
		"refused": {refused(http.StatusRequestEntityTooLarge), 0},
		"taken":   {refused(http.StatusOK), 1},
		"gateway": {refused(http.StatusBadGateway), 1},
		"reset": {func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			if tcp, ok := conn.(*net.TCPConn); ok {
				_ = tcp.SetLinger(0)
			}
			_ = conn.Close()
		}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				n, err := io.Copy(io.Discard, r.Body)
				switch {
				case err != nil:
					t.Error(err)
				case n > 10<<20:
					tt.tooLong(w, r)
				case n > 9<<20:
					_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":9,"result":{}}`)
				default:
					w.Header().Set("Mcp-Session-Id", "s")
				}
			}))
			defer s.Close()
			c := &checker{base: s.URL, web: s.Client()}
			if c.long(); c.wrong != tt.wrong {
				t.Errorf("%d complaints, want %d", c.wrong, tt.wrong)
			}
		})
	}
}
