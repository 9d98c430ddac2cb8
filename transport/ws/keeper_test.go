package ws_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"github.com/limina-mcp/limina/transport/ws"
)

// A peer that answers pings may be silent for ever; one that does not is let go, and told why.
func TestPings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, ws.Options{PingEvery: 20 * time.Second, IdleTimeout: 60 * time.Second}, echo)
		lively, dead := r.dial(), r.dial()
		lively.raw(frame(0x01, []byte("in two "))) // that a message has come slowly is forgotten with its end
		synctest.Wait()
		lively.raw(frame(0x80, []byte("parts")))
		if got := lively.receive(); got != "in two parts" {
			t.Errorf("received %q", got)
		}
		pings := 0
		answer := lively.PingHandler()
		lively.SetPingHandler(func(data string) error {
			pings++
			return answer(data)
		})
		gone := make(chan error)
		go func() {
			_, _, err := lively.ReadMessage()
			gone <- err
		}()
		dead.SetPingHandler(func(string) error { return nil })
		code, reason := dead.farewell()
		if at := since2000(); code != 1008 || !strings.Contains(reason, "no ping for 60 s") || at < 60*time.Second || at > 63*time.Second {
			t.Errorf("the dead one was closed with %d %q after %v", code, reason, at)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if pings < 150 || pings > 185 {
			t.Errorf("%d pings in an hour", pings)
		}
		_ = lively.Close()
		<-gone
	})
}

// What is said to a connection that is being ended is lost, but not why it ends.
func TestFarewellAfterLostWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, ws.Options{IdleTimeout: 5 * time.Second}, func(c *ws.Conn) error {
			_, err := c.Next()
			if c.Write(c.Seal([]byte("too late"), 0)) == nil {
				t.Error("a connection that is being ended has been written to")
			}
			return err
		})
		c := r.dial()
		c.raw([]byte{0x81, 0x85, 0, 0, 0, 0, 'x'}) // and four bytes more, which never come
		if code, reason := c.farewell(); code != 1008 || !strings.Contains(reason, "end for 5 s") {
			t.Errorf("closed with %d %q", code, reason)
		}
	})
}

// Whoever talks is not pinged, and his own pings are answered, with what they carry.
func TestTalkersAreNotPinged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, ws.Options{}, echo)
		c := r.dial()
		c.SetPingHandler(func(string) error {
			t.Error("pinged")
			return nil
		})
		pongs := ""
		c.SetPongHandler(func(data string) error {
			pongs += data
			return nil
		})
		for range 100 {
			time.Sleep(5 * time.Second)
			c.raw(append(frame(0x89, []byte("p")), frame(0x81, []byte("x"))...))
			c.receive()
		}
		if pongs != strings.Repeat("p", 100) {
			t.Errorf("%d pongs", len(pongs))
		}
	})
}

// A peer that takes nothing of what is written to it is let go; others notice nothing.
func TestPeerThatDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, ws.Options{WriteTimeout: 10 * time.Second}, echo)
		stuck, other := r.dial(), r.dial()
		stuck.send("answer this")
		if _, err := io.ReadFull(stuck.NetConn(), make([]byte, 5)); err != nil {
			t.Error(err)
		}
		for len(r.ended) == 0 && since2000() < time.Minute {
			time.Sleep(time.Second)
			other.send("x")
			other.receive()
		}
		err := <-r.ended
		var e *ws.Error
		if at := since2000(); !errors.As(err, &e) || e.Code != 1008 || !strings.Contains(e.Reason, "read nothing for 10 s") || at > 16*time.Second {
			t.Errorf("ended with %v after %v", err, at)
		}
		synctest.Wait() // the last echo may be read before its writer knows
		if s := r.endpoint.Stats(); s.Open != 1 || s.Writing != 0 || s.Accepted != 2 {
			t.Errorf("stats %+v", s)
		}
		if rest, _ := io.ReadAll(stuck.NetConn()); len(rest) != 0 {
			t.Errorf("behind half a frame came %q", rest)
		}
	})
}

// A peer that reads slowly is not let go because what it is sent is long, and needs not be pinged meanwhile.
func TestPeerThatReadsSlowly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, ws.Options{WriteTimeout: 10 * time.Second, PingEvery: 5 * time.Second, IdleTimeout: 20 * time.Second}, echo)
		c := r.dial()
		const perSecond, seconds = 16 << 10, 60
		c.send(strings.Repeat("x", perSecond*seconds))
		for s := range seconds {
			if _, err := io.ReadFull(c.NetConn(), make([]byte, perSecond)); err != nil {
				t.Fatalf("after %d s: %v", s, err)
			}
			time.Sleep(time.Second)
		}
	})
}

// A message that never comes to its end does not hold its memory for ever.
func TestMessageWithoutEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, ws.Options{}, echo)
		c := r.dial()
		c.raw(frame(0x01, []byte("{")))
		go func() {
			for range 20 {
				time.Sleep(5 * time.Second)
				_, _ = c.NetConn().Write(frame(0x00, []byte(" ")))
			}
		}()
		code, reason := c.farewell()
		if at := since2000(); code != 1008 || !strings.Contains(reason, "not come to its end") || at > 63*time.Second {
			t.Errorf("closed with %d %q after %v", code, reason, at)
		}
		time.Sleep(time.Minute)
	})
}

// Stop ends every connection in order, those that come later too.
func TestStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, ws.Options{}, echo)
		early := r.dial()
		early.send("x")
		early.receive()
		r.endpoint.Stop()
		late := r.dial()
		for _, c := range []*client{early, late} {
			_, text, err := c.ReadMessage() // nothing is said before
			if closed := (*websocket.CloseError)(nil); !errors.As(err, &closed) || closed.Code != 1001 || !strings.Contains(closed.Text, "shutting down") {
				t.Errorf("read %q, %v", text, err)
			}
			if err := <-r.ended; err != nil {
				t.Errorf("ended with %v", err)
			}
		}
	})
}

// Who is asked for is sent a ping at once, as often as that is wished, and is let go if he does not answer it.
func TestProbe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conns := make(chan *ws.Conn, 2)
		r := start(t, ws.Options{}, func(c *ws.Conn) error {
			conns <- c
			return echo(c)
		})
		lively := r.dial()
		here := <-conns
		dead := r.dial()
		gone := <-conns
		pings := 0
		answer := lively.PingHandler()
		lively.SetPingHandler(func(data string) error {
			pings++
			return answer(data)
		})
		ended := make(chan error)
		go func() {
			_, _, err := lively.ReadMessage()
			ended <- err
		}()
		dead.SetPingHandler(func(string) error { return nil })
		within := here.Probe()
		gone.Probe()
		gone.Probe()
		code, reason := dead.farewell()
		if at := since2000(); code != 1008 || !strings.Contains(reason, "no ping for 5 s, and its session is wanted") || at < 5*time.Second || at > within {
			t.Errorf("the dead one was closed with %d %q after %v", code, reason, at)
		}
		if pings != 1 {
			t.Errorf("the lively one was sent %d pings", pings)
		}
		here.Probe()
		time.Sleep(within)
		synctest.Wait()
		if pings != 2 {
			t.Errorf("the lively one was sent %d pings, and asked twice", pings)
		}
		_ = lively.Close()
		<-ended
	})
}
