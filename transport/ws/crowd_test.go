package ws_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/transport/ws"
)

// crowd has eight clients send most of a message of 100 KiB each, one after the other, and then the rest of it. Those that are let go are told so, and the others are
// served. There is to be room for less than five.
func (r *rig) crowd(letGo func(i int) bool) {
	r.t.Helper()
	text := strings.Repeat("x", 100<<10) // there is room for 128 KiB
	whole := append([]byte{0x81, 0xff, 0, 0, 0, 0, 0, byte(len(text) >> 16), byte(len(text) >> 8 & 0xff), byte(len(text) & 0xff), 0, 0, 0, 0}, text...)
	var clients []*client
	for range 8 {
		c := r.dial()
		c.raw(whole[:len(whole)-10])
		synctest.Wait()
		clients = append(clients, c)
	}
	for i, c := range clients {
		if letGo(i) {
			if code, reason := c.farewell(); code != ws.CodeTryAgain || !strings.Contains(reason, "too much is arriving") {
				r.t.Errorf("the %d. of 8 was ended with %d %q", i+1, code, reason)
			}
			continue
		}
		c.raw(whole[len(whole)-10:])
		if got := c.receive(); got != text {
			r.t.Errorf("the %d. of 8 received %d bytes", i+1, len(got))
		}
	}
}

// Of many whose messages come and do not end, those whose message began first are let go; others are served.
func TestArrivingMessagesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start(t, ws.Options{MaxArriving: 600 << 10}, echo).crowd(func(i int) bool { return i < 4 })
	})
}

// Whoever has many messages coming at a time over as many connections has none let go of somebody else's, whose message began earlier.
func TestArrivingMessagesAreBoundedByOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		r := start(t, ws.Options{MaxArriving: 600 << 10}, func(c *ws.Conn) error {
			if n++; n == 1 {
				c.Own("ada")
			} else {
				c.Own("eve")
			}
			return echo(c)
		})
		r.crowd(func(i int) bool { return i > 0 && i < 5 })
	})
}

// A message that is there counts until it is served: who sends many whole ones at once does not have the server hold them all, and nothing that
// is being served is let go for others.
func TestMessagesThatWaitAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		serve := make(chan struct{})
		r := start(t, ws.Options{MaxArriving: 300 << 10}, func(c *ws.Conn) error {
			for {
				m, err := c.Next()
				if err != nil {
					return err
				}
				<-serve
				if err := c.Write(c.Seal([]byte{m[0]}, 0)); err != nil {
					return err
				}
			}
		})
		text := strings.Repeat("x", 100<<10)
		whole := append([]byte{0x81, 0xff, 0, 0, 0, 0, 0, byte(len(text) >> 16), byte(len(text) >> 8 & 0xff), byte(len(text) & 0xff), 0, 0, 0, 0}, text...)
		var clients []*client
		for i := range 4 {
			c := r.dial()
			c.raw(whole)
			synctest.Wait()
			if i >= 2 {
				if code, reason := c.farewell(); code != ws.CodeTryAgain || !strings.Contains(reason, "too much is arriving") {
					t.Errorf("the %d. of 4 was ended with %d %q", i+1, code, reason)
				}
				continue
			}
			clients = append(clients, c)
		}
		close(serve)
		for _, c := range clients { // whose next message has begun when the first is over
			c.raw(slices.Concat(whole, []byte{0x81}))
			for range 2 {
				if got := c.receive(); got != "x" {
					t.Errorf("received %q", got)
				}
			}
		}
		synctest.Wait()
		for range 2 { // which leaves no more than its beginning
			c := r.dial()
			c.raw(whole)
			if got := c.receive(); got != "x" {
				t.Errorf("received %q", got)
			}
		}
	})
}
