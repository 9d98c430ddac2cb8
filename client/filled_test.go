package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"github.com/limina-mcp/limina/client"
)

// A view that the server fills anew, unasked, after its area was moved is from then on of the area that it was filled with: neither
// does the next Declare change what its copy is said to be of before the copy is, nor is it filled anew once more because
// the connection was lost.
func TestFilledAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const snapshot = `{"jsonrpc":"2.0","method":"state/snapshot","params":{"tick":%d,"step":0,"entities":[],"aoi":{"center":[0,0,0],"radius":%d},"world":{},"tables":[],"epoch":"e"}}`
		f := serve(t)
		var asked []string
		f.answer(t, script{"state/subscribe": func(s *session, id, params json.RawMessage) {
			if asked = append(asked, string(params)); len(asked) == 1 {
				s.send(snapshot, 1, 9)
			}
			s.send(`{"jsonrpc":"2.0","id":%s,"result":{"ok":true,"tick":1}}`, id)
		}})
		c := f.dial(t)
		v, err := c.Subscribe(t.Context(), client.Subscription{Area: client.Within([3]float64{}, 9)})
		if err != nil {
			t.Fatal(err)
		}
		declare := func(radius float64) {
			if err := v.Declare(t.Context(), client.Within([3]float64{}, radius)); err != nil {
				t.Fatal(err)
			}
		}
		declare(2)
		synctest.Wait()
		if err := f.send(websocket.TextMessage, []byte(`{"jsonrpc":"2.0","method":"state/snapshot","params":{"tick":2,"step":0,"entities":[],"aoi":{"center":[0,0,0],"radius":2},"world":{},"tables":[],"epoch":"e"}}`)); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		declare(5)
		if got := v.Area(); got.Radius != 2 {
			t.Errorf("a copy that has yet to become one of radius 5 is said to be of %v, want radius 2", got)
		}
		f.cut()
		time.Sleep(time.Second)
		synctest.Wait()
		if want := `{"aoi":{"center":[0,0,0],"radius":2},"since":2,"epoch":"e"}`; len(asked) != 2 || asked[1] != want {
			t.Errorf("after the connection was lost the client asked %q, want %s", asked, want)
		}
	})
}

// Who waits for his Declare hears that the view has ended: while there is no connection, and while the server does not answer.
func TestDeclareOfAViewThatEnds(t *testing.T) {
	for _, connected := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			f := serve(t)
			var asked []string
			sc := narrowMinded(&asked)
			sc["aoi/declare"] = func(*session, json.RawMessage, json.RawMessage) {}
			f.answer(t, sc)
			c := f.dial(t)
			v, err := c.Subscribe(t.Context(), within(1))
			if err != nil {
				t.Fatal(err)
			}
			if !connected {
				f.refuse(503, "away")
				f.cut()
				synctest.Wait()
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			declared := make(chan error, 1)
			go func() { declared <- v.Declare(ctx, client.Within([3]float64{}, 2)) }()
			synctest.Wait()
			if err := v.Unsubscribe(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := <-declared; !errors.Is(err, client.ErrUnsubscribed) {
				t.Errorf("connected: %v: %v, want ErrUnsubscribed", connected, err)
			}
			if err := v.Declare(ctx, client.Within([3]float64{}, 3)); !errors.Is(err, client.ErrUnsubscribed) {
				t.Errorf("connected: %v: after the end: %v, want ErrUnsubscribed", connected, err)
			}
		})
	}
}

// An area that is declared while the client tries again to have the one before, for which the server had no room when the
// connection was made again, is the one that the view has in the end.
func TestDeclareBesideAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := serve(t)
		var radii []float64
		f.answer(t, script{
			"state/subscribe": func(s *session, id, _ json.RawMessage) {
				s.send(`{"jsonrpc":"2.0","method":"state/snapshot","params":{"tick":1,"step":0,"entities":[],"aoi":{"center":[0,0,0],"radius":10},"world":{},"tables":[],"epoch":"e"}}`)
				s.send(`{"jsonrpc":"2.0","id":%s,"result":{"ok":true,"tick":1}}`, id)
			},
			"aoi/declare": func(s *session, id, params json.RawMessage) {
				var area struct{ Radius float64 }
				_ = json.Unmarshal(params, &area)
				radii = append(radii, area.Radius)
				switch len(radii) {
				case 2: // the client's own, after the connection was lost
					s.send(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32002,"message":"no room"}}`, id)
					return
				case 3:
					time.Sleep(2 * time.Second)
				}
				s.send(`{"jsonrpc":"2.0","id":%s,"result":{"ok":true}}`, id)
			},
		})
		c := f.dial(t)
		v, err := c.Subscribe(t.Context(), client.Subscription{Area: client.Within([3]float64{}, 10)})
		if err != nil {
			t.Fatal(err)
		}
		for _, radius := range []float64{20, 30} {
			if err := v.Declare(context.Background(), client.Within([3]float64{}, radius)); err != nil {
				t.Fatal(err)
			}
			if radius == 20 {
				f.cut()
				time.Sleep(500 * time.Millisecond)
			}
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if len(radii) < 3 || radii[len(radii)-1] != 30 {
			t.Errorf("the server was told the radii %v, want 30 last", radii)
		}
	})
}
