package client_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/client"
)

// Who is told how the connection is may use the client there: a call that is made because the connection was lost
// waits for the next one, which is made meanwhile, and ends with the client.
func TestOnStateUsesTheClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := serve(t)
		f.answer(t, script{})
		var (
			c      *client.Client
			closes = make(chan struct{})
			calls  = make(chan error, 10)
		)
		c = f.dial(t, func(o *client.Options) {
			o.OnState = func(state error) {
				calls <- c.Ping(context.Background())
				if state == nil {
					<-closes
				}
			}
		})
		for _, when := range []string{"lost", "up again"} {
			if when == "lost" {
				f.cut()
			}
			synctest.Wait()
			if err := <-calls; err != nil {
				t.Errorf("a call in OnState, told that the connection is %s: %v", when, err)
			}
		}
		f.cut() // OnState is busy, and hears of the loss only when it returns
		if err := c.Ping(t.Context()); err != nil {
			t.Errorf("Ping, while OnState runs: %v", err)
		}
		f.refuse(503, "not now") // so a call in it waits until the client ends
		f.cut()
		synctest.Wait()
		close(closes)
		synctest.Wait()
		c.Close()
		if err := <-calls; !errors.Is(err, client.ErrClosed) {
			t.Errorf("a call in OnState when the client was closed: %v, want %v", err, client.ErrClosed)
		}
	})
}

// Of what happens while OnState runs it is told the newest, and before Done the last.
func TestOnStateFolds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := serve(t)
		f.answer(t, script{})
		var (
			told []string
			busy = make(chan struct{})
		)
		c := f.dial(t, func(o *client.Options) {
			o.Backoff.GiveUp = -1
			o.OnState = func(err error) {
				switch {
				case err == nil:
					told = append(told, "up")
				case errors.Is(err, client.ErrToken):
					told = append(told, "token")
				default:
					told = append(told, "lost")
				}
				<-busy
			}
		})
		for range 3 {
			f.cut()
			synctest.Wait()
			if err := c.Ping(t.Context()); err != nil {
				t.Error(err)
			}
		}
		f.cut()
		f.refuse(401, "who are you?")
		if err := c.Ping(t.Context()); !errors.Is(err, client.ErrToken) {
			t.Errorf("Ping: %v, want %v", err, client.ErrToken)
		}
		select {
		case <-c.Done():
			t.Error("the client has ended before OnState was told why")
		default:
		}
		close(busy)
		<-c.Done()
		if want := []string{"lost", "token"}; !slices.Equal(told, want) {
			t.Errorf("OnState is told %q, want %q", told, want)
		}
	})
}
