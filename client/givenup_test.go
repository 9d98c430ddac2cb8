package client_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"github.com/limina-mcp/limina/client"
)

// Messages of a server that tells no areas.
const (
	filled = `{"jsonrpc":"2.0","method":"state/snapshot","params":{"tick":%d,"step":0,"entities":[%s],"world":{},"tables":[],"epoch":"e"}}`
	moved  = `{"jsonrpc":"2.0","method":"state/delta","params":{"tick":%d,"step":0,"changes":[%s],"removed":[]}}`
)

// narrowMinded is a server that tells no areas. In the sphere of radius 1 is ent_1, in every other one ent_2. Whoever resumes is
// told nothing, because nothing happens. What it was asked is in asked.
func narrowMinded(asked *[]string) script {
	return script{"state/subscribe": func(s *session, id, params json.RawMessage) {
		*asked = append(*asked, string(params))
		var p struct {
			AOI   struct{ Radius float64 }
			Since *uint64
		}
		if err := json.Unmarshal(params, &p); err != nil {
			s.t.Error(err)
		}
		inside := entity(2, 0)
		if p.AOI.Radius == 1 {
			inside = entity(1, 0)
		}
		if p.Since == nil {
			s.send(filled, 5, inside)
		} else {
			s.send(moved, *p.Since, "")
		}
		s.send(`{"jsonrpc":"2.0","id":%s,"result":{"ok":true,"tick":5}}`, id)
	}}
}

func within(radius float64) client.Subscription {
	return client.Subscription{Area: client.Within([3]float64{}, radius)}
}

func ids(v *client.View) string {
	var all []string
	for _, e := range v.Entities() {
		all = append(all, e.ID.String())
	}
	return strings.Join(all, " ")
}

// What still comes on a connection that was given up, because nothing can be written to it or because the client is closed, is
// not applied: a view stays at the tick from which the next connection goes on.
func TestGivenUp(t *testing.T) {
	binary := []byte{0x01, 6, 9, 0} // a snapshot of nothing at tick 9
	for _, tt := range []struct {
		name string
		kind int
		late []byte
	}{
		{"delta", websocket.TextMessage, fmt.Appendf(nil, moved, 9, entity(3, 0))},
		{"snapshot", websocket.TextMessage, fmt.Appendf(nil, filled, 9, entity(3, 0))},
		{"array", websocket.TextMessage, fmt.Appendf(nil, "["+moved+"]", 9, entity(3, 0))},
		{"binary", websocket.BinaryMessage, binary},
		{"spoiled", websocket.TextMessage, []byte(`{"jsonrpc":"2.0","method":"state/delta","params":{"changes":[7]}}`)},
	} {
		for _, closed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, closed %v", tt.name, closed), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					f := serve(t)
					var asked []string
					block := make(chan struct{})
					defer close(block)
					sc := narrowMinded(&asked)
					sc["block"] = func(*session, json.RawMessage, json.RawMessage) { <-block } // the server does not hear the goodbye
					f.answer(t, sc)
					c, sever := f.dialOneWay(t)
					v, err := c.Subscribe(t.Context(), within(1))
					if err != nil {
						t.Fatal(err)
					}
					go func() { _ = c.Call(t.Context(), "block", nil, nil) }()
					synctest.Wait()
					if !closed {
						sever()
					}
					given := make(chan struct{})
					go func() {
						defer close(given)
						if closed {
							c.Close()
							return
						}
						if err := c.Ping(t.Context()); err != nil { // is made on the next connection
							t.Errorf("Ping: %v", err)
						}
					}()
					synctest.Wait()
					if err := f.send(tt.kind, tt.late); err != nil {
						t.Fatal(err)
					}
					synctest.Wait()
					if v.Tick() != 5 || ids(v) != "ent_1" {
						t.Errorf("the view is at tick %d with %s, want tick 5 and ent_1", v.Tick(), ids(v))
					}
					<-given
					synctest.Wait()
					if want := `{"aoi":{"center":[0,0,0],"radius":1},"since":5,"epoch":"e"}`; !closed && (len(asked) != 2 || asked[1] != want) {
						t.Errorf("the client asked %q, want %s at last", asked, want)
					}
					if v.Tick() != 5 || ids(v) != "ent_1" {
						t.Errorf("the view is at tick %d with %s in the end, want tick 5 and ent_1", v.Tick(), ids(v))
					}
				})
			})
		}
	}
}

// Who leaves a view after the connection was given up, and subscribes to another area by the same name, gets nothing of what
// was still on its way for the first: the server does not say in its messages which of the two they are of.
func TestGivenUpForAnotherArea(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := serve(t)
		var asked []string
		f.answer(t, narrowMinded(&asked))
		c, sever := f.dialOneWay(t)
		first, err := c.Subscribe(t.Context(), within(1))
		if err != nil {
			t.Fatal(err)
		}
		sever()
		pinged := make(chan error, 1)
		go func() { pinged <- c.Ping(t.Context()) }()
		synctest.Wait()
		if err := first.Unsubscribe(t.Context()); err != nil {
			t.Fatal(err)
		}
		var second *client.View
		subscribed := make(chan error, 1)
		go func() {
			var err error
			second, err = c.Subscribe(t.Context(), within(2))
			subscribed <- err
		}()
		synctest.Wait()
		if err := f.send(websocket.TextMessage, fmt.Appendf(nil, filled, 6, entity(1, 0))); err != nil { // the first is filled anew
			t.Fatal(err)
		}
		if err := <-subscribed; err != nil {
			t.Fatal(err)
		}
		if err := <-pinged; err != nil {
			t.Error(err)
		}
		synctest.Wait()
		want := []string{`{"aoi":{"center":[0,0,0],"radius":1}}`, `{"aoi":{"center":[0,0,0],"radius":2}}`}
		if ids(second) != "ent_2" || !slices.Equal(asked, want) {
			t.Errorf("in the other area is %s, want ent_2; the client asked %q, want %q", ids(second), asked, want)
		}
	})
}

// A view that was moved, at a server that tells no areas, is filled anew on the next connection; if that breaks before the
// snapshot has come, on the one after it: the copy is still one of the area before.
func TestGivenUpBeforeTheSnapshot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := serve(t)
		var asked []string
		sc := narrowMinded(&asked)
		answer := sc["state/subscribe"]
		sc["state/subscribe"] = func(s *session, id, params json.RawMessage) {
			if len(asked) == 1 {
				asked = append(asked, string(params))
				f.cut()
				return
			}
			answer(s, id, params)
		}
		f.answer(t, sc)
		c := f.dial(t)
		v, err := c.Subscribe(t.Context(), within(1))
		if err != nil {
			t.Fatal(err)
		}
		if err := v.Declare(t.Context(), client.Within([3]float64{}, 2)); err != nil {
			t.Fatal(err)
		}
		f.cut()
		time.Sleep(10 * time.Second)
		synctest.Wait()
		anew := `{"aoi":{"center":[0,0,0],"radius":2}}`
		if want := []string{`{"aoi":{"center":[0,0,0],"radius":1}}`, anew, anew}; ids(v) != "ent_2" || !slices.Equal(asked, want) {
			t.Errorf("in the other area is %s, want ent_2; the client asked %q, want %q", ids(v), asked, want)
		}
	})
}
