package server_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/server"
)

// A token ends when it says so by the clock on the wall, also where that is set, or the machine has slept: what it has opened ends within half a minute of when
// that is noticed, and not before it is due. After a sleep the issuer's keys are old, too.
func TestOAuthWhenTheClockIsSet(t *testing.T) {
	for name, tt := range map[string]struct {
		jump time.Duration
		ends time.Duration // after it has jumped, by the clock that does not
	}{
		"the machine sleeps for 8 hours": {8 * time.Hour, 15 * time.Second}, // as half a minute after the last look
		"it is set a little":             {5 * time.Minute, 55*time.Minute - 15*time.Second},
		"it is set back by an hour":      {-time.Hour, 2*time.Hour - 15*time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var jump atomic.Int64
				i := newIssuer(t)
				o := i.oauth()
				o.SetWall(func() time.Time { return time.Now().Round(0).Add(time.Duration(jump.Load())) })
				r := start(t, server.Config{OAuth: o})
				c := r.page()
				bearer := "Bearer " + i.token(nil) // for an hour
				status := func() int {
					status, _, _ := r.post(c, hello, "Authorization", bearer)
					return status
				}
				if got := status(); got != http.StatusOK {
					t.Fatal(got)
				}
				ws := r.dial("Authorization", bearer)
				if got := ws.ask(initialize); !strings.Contains(got, `"result"`) {
					t.Fatal(got)
				}
				time.Sleep(15 * time.Second)
				set := time.Now()
				jump.Store(int64(tt.jump))
				want := http.StatusOK
				if tt.jump > time.Hour {
					want = http.StatusUnauthorized
				}
				if got := status(); got != want {
					t.Errorf("the token is answered %d, want %d", got, want)
				}
				code, reason := ws.farewell()
				if code != 1008 || reason != "the token has expired" {
					t.Errorf("closed with %d %s", code, reason)
				}
				if took := time.Since(set); took != tt.ends {
					t.Errorf("closed %v after the clock was set, want %v", took, tt.ends)
				}
				time.Sleep(time.Second)
				if got := status(); got != http.StatusUnauthorized {
					t.Errorf("a token that has expired is answered %d", got)
				}
				time.Sleep(11 * time.Second) // for which the issuer is left alone
				asked := i.asked.Load()
				jump.Add(int64(8 * time.Hour))
				bearer = "Bearer " + i.token(map[string]any{"exp": time.Now().Add(24 * time.Hour).Unix()})
				if got := status(); got != http.StatusOK || i.asked.Load() != asked+1 {
					t.Errorf("after a sleep a token is answered %d, and the issuer was asked for its keys %d times more", got, i.asked.Load()-asked)
				}
				jump.Add(int64(-8 * time.Hour))
				time.Sleep(5 * time.Minute)
				if got := status(); got != http.StatusOK || i.asked.Load() != asked+2 {
					t.Errorf("five minutes after the clock was set back a token is answered %d, and the issuer was asked for its keys %d times more", got, i.asked.Load()-asked)
				}
			})
		})
	}
}
