package ws_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/transport/ws"
)

// Of many whose messages come and do not end, those whose message began first are let go; others are served.
func TestArrivingMessagesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, ws.Options{MaxArriving: 600 << 10}, echo)
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
			if i < 4 {
				if code, reason := c.farewell(); code != ws.CodeTryAgain || !strings.Contains(reason, "too much is arriving") {
					t.Errorf("the %d. of 8 was ended with %d %q", i+1, code, reason)
				}
				continue
			}
			c.raw(whole[len(whole)-10:])
			if got := c.receive(); got != text {
				t.Errorf("the %d. of 8 received %d bytes", i+1, len(got))
			}
		}
	})
}
