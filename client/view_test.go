package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/client"
)

func entity(n int, x float64) string {
	return fmt.Sprintf(`{"id":"ent_%d","eid":%d,"pos":[%v,0,0],"rot":[0,0,0,1],"scale":[1,1,1],"shape":{"kind":"box"}}`, n, n, x)
}

// watched is a scripted server with one subscriber of the whole world.
type watched struct {
	*session
	view *client.View
	tick int
}

func watch(t *testing.T) (*client.Client, *watched) {
	t.Helper()
	f := serve(t)
	w := &watched{tick: 1}
	f.answer(t, script{"state/subscribe": func(s *session, id, _ json.RawMessage) {
		w.session = s
		s.send(`{"jsonrpc":"2.0","method":"state/snapshot","params":{"tick":1,"step":0,"entities":[%s],"world":{"weather":{"kind":"rain"},"signs":{"a":{"text":"hi"}}},"tables":["signs"]}}`, entity(0, 0))
		s.send(`{"jsonrpc":"2.0","id":%s,"result":{"ok":true,"tick":1}}`, id)
	}})
	c := f.dial(t)
	var err error
	if w.view, err = c.Subscribe(t.Context(), client.Subscription{Area: client.Whole()}); err != nil {
		t.Fatal(err)
	}
	return c, w
}

// delta sends a delta; rest are members of its own.
func (w *watched) delta(changes, removed, rest string) {
	w.tick++
	w.send(`{"jsonrpc":"2.0","method":"state/delta","params":{"tick":%d,"step":%d,"causedBy":[%d],"changes":[%s],"removed":[%s]%s}}`, w.tick, w.tick, w.tick, changes, removed, rest)
}

func TestViewReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, w := watch(t)
		v := w.view
		e, ok := v.Get(1)
		if !ok || e.ID != 1 {
			t.Fatalf("Get(ent_0) = %v, %v", e, ok)
		}
		if _, ok := v.Get(2); ok {
			t.Error("Get(ent_1) finds what is not there")
		}
		if _, ok := v.Get(0); ok {
			t.Error("Get(none) finds something")
		}
		var shape struct{ Kind string }
		if ok, err := e.Component("shape", &shape); !ok || err != nil || shape.Kind != "box" {
			t.Errorf("Component(shape) = %v, %v: %v", ok, err, shape)
		}
		if ok, err := e.Component("body", &shape); ok || err != nil {
			t.Errorf("Component(body) = %v, %v", ok, err)
		}
		if ok, err := e.Component("shape", new(int)); !ok || err == nil {
			t.Errorf("Component(shape) into an int = %v, %v", ok, err)
		}
		var weather struct{ Kind string }
		if ok, err := v.World("weather", &weather); !ok || err != nil || weather.Kind != "rain" {
			t.Errorf("World(weather) = %v, %v: %v", ok, err, weather)
		}
		var sign struct{ Text string }
		if ok, err := v.Row("signs", "a", &sign); !ok || err != nil || sign.Text != "hi" {
			t.Errorf("Row(signs, a) = %v, %v: %v", ok, err, sign)
		}
		// What was read is one's own: it stays as it was, and changing it changes nothing.
		before := v.Snapshot()
		again := v.Snapshot()
		clear(again.Entities[0].Components)
		clear(again.World)
		clear(again.Tables["signs"])
		if got := v.Snapshot(); len(got.Entities[0].Components) != 1 || len(got.World) != 1 || len(got.Tables["signs"]) != 1 {
			t.Errorf("who cleared what he had read has cleared it for all: %+v", got)
		}
		w.delta(entity(0, 5)+","+entity(1, 6), "", "")
		synctest.Wait()
		if before.Entities[0].Position[0] != 0 || before.Tick != 1 || len(before.Entities) != 1 {
			t.Errorf("a snapshot has changed: %+v", before)
		}
		now := v.Entities()
		if len(now) != 2 || now[0].Position[0] != 5 || len(now[0].Components) != 1 {
			t.Errorf("Entities = %+v", now)
		}
		if got := fmt.Sprint(v.Len(), v.Tick(), v.Step(), v.Area(), v.Name(), v.Err()); got != "2 2 2 {[0 0 0] 0 true}<nil>" {
			t.Errorf("the view is at %s", got)
		}
	})
}

// Whoever is slow gets what happened meanwhile in one update.
func TestUpdatesFold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, w := watch(t)
		var got []string
		w.delta(entity(1, 1), "", "")
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		for u := range w.view.Updates(ctx) {
			text, err := json.Marshal(u)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(text))
			switch len(got) {
			case 1:
				w.delta(entity(2, 1), "", `,"events":[{"kind":"a"}]`)
				w.delta(entity(0, 9), `"ent_1"`, "")
				w.delta(entity(3, 1), "", `,"events":[{"kind":"b","at":[1,2,3]}],"missed":2`)
				w.delta("", `"ent_3"`, "") // came and went
				w.delta("", `"ent_2"`, "")
				w.delta(entity(2, 7), "", "") // went and came
				synctest.Wait()
			case 2:
				w.delta("", "", `,"world":{"weather":{"kind":"sun"}}`)
			case 3:
				cancel()
			}
		}
		want := []string{
			`{"Tick":2,"Step":2,"Snapshot":true,"Changed":["ent_0","ent_1"],"Removed":null,"CausedBy":null,"Events":null,"Missed":0}`,
			`{"Tick":8,"Step":8,"Snapshot":false,"Changed":["ent_0","ent_2"],"Removed":["ent_1"],"CausedBy":[3,4,5,6,7,8],"Events":[{"kind":"a","entity":"","at":null,"payload":null},{"kind":"b","entity":"","at":[1,2,3],"payload":null}],"Missed":2}`,
			`{"Tick":9,"Step":9,"Snapshot":false,"Changed":null,"Removed":null,"CausedBy":[9],"Events":null,"Missed":0}`,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("updates (-want +got):\n%s", diff)
		}
	})
}

// Removed names what the follower was told of, and nothing else: neither what came and went since then, however often, nor what
// the server says is gone that was never there.
func TestUpdatesRemoved(t *testing.T) {
	type delta struct{ changes, removed string }
	come := func(n int) delta { return delta{entity(n, 1), ""} }
	gone := func(n int) delta { return delta{"", fmt.Sprintf(`"ent_%d"`, n)} }
	for _, tt := range []struct {
		name             string
		meanwhile        []delta // ent_0 and ent_1 are there, and are told
		changed, removed string
	}{
		{"came and went", []delta{come(2), gone(2)}, "[]", "[]"},
		{"came, changed and went", []delta{come(2), come(2), gone(2)}, "[]", "[]"},
		{"came and went twice", []delta{come(2), gone(2), come(2), gone(2)}, "[]", "[]"},
		{"came, went and came", []delta{come(2), gone(2), come(2)}, "[ent_2]", "[]"},
		{"went", []delta{gone(1)}, "[]", "[ent_1]"},
		{"changed and went", []delta{come(1), gone(1)}, "[]", "[ent_1]"},
		{"went and came", []delta{gone(1), come(1)}, "[ent_1]", "[]"},
		{"went, came and went", []delta{gone(1), come(1), gone(1)}, "[]", "[ent_1]"},
		{"went, came, changed and went", []delta{gone(1), come(1), come(1), gone(1)}, "[]", "[ent_1]"},
		{"went and came at once, and went", []delta{{entity(1, 2), `"ent_1"`}, gone(1)}, "[]", "[ent_1]"},
		{"came, went and came at once, and went", []delta{come(2), {entity(2, 2), `"ent_2"`}, gone(2)}, "[]", "[]"},
		{"never there", []delta{gone(7), gone(1), gone(1)}, "[]", "[ent_1]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, w := watch(t)
				w.delta(entity(1, 1), "", "")
				synctest.Wait()
				n := 0
				for u := range w.view.Updates(t.Context()) {
					if n++; n == 1 {
						for _, d := range tt.meanwhile {
							w.delta(d.changes, d.removed, "")
						}
						synctest.Wait()
						continue
					}
					if got := fmt.Sprint(u.Changed, u.Removed); u.Snapshot || got != tt.changed+" "+tt.removed {
						t.Errorf("changed and removed are %s, want %s %s", got, tt.changed, tt.removed)
					}
					break
				}
			})
		})
	}
}

// What is kept for somebody who never asks is bounded.
func TestUpdatesBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, w := watch(t)
		n := 0
		for u := range w.view.Updates(t.Context()) {
			n++
			if n == 1 {
				var come []string
				for n := range 6000 {
					come = append(come, entity(1+n, 1))
				}
				w.delta(strings.Join(come, ","), "", "")
				continue
			}
			if n == 2 {
				for i := range 600 {
					var gone []string
					for n := 1 + 10*i; n < 11+10*i; n++ {
						gone = append(gone, fmt.Sprintf(`"ent_%d"`, n))
					}
					w.delta("", strings.Join(gone, ","), `,"events":[{"kind":"a"}]`)
					w.delta("", "", "")
				}
				w.delta(entity(9999, 1), "", "")
				synctest.Wait()
				continue
			}
			if !u.Snapshot || len(u.Changed) != 2 || u.Removed != nil || len(u.CausedBy) != 1024 || len(u.Events) != 256 || u.Missed != 600-256 {
				t.Errorf("update: snapshot %v, %d changed, %d removed, %d causes, %d events, %d missed", u.Snapshot, len(u.Changed), len(u.Removed), len(u.CausedBy), len(u.Events), u.Missed)
			}
			if last := u.CausedBy[len(u.CausedBy)-1]; last != uint64(w.tick) {
				t.Errorf("the newest cause is %d, want %d", last, w.tick)
			}
			break
		}
	})
}

// A view is read and followed by many while it changes.
func TestConcurrentReaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, w := watch(t)
		var readers sync.WaitGroup
		for range 4 {
			readers.Go(func() {
				seen := map[client.ID]bool{}
				for u := range w.view.Updates(t.Context()) {
					if u.Snapshot {
						clear(seen)
					}
					for _, id := range u.Changed {
						seen[id] = true
					}
					for _, id := range u.Removed {
						delete(seen, id)
					}
				}
				if len(seen) != w.view.Len() {
					t.Errorf("a follower has %d entities, the view %d", len(seen), w.view.Len())
				}
			})
			readers.Go(func() {
				for w.view.Err() == nil {
					s := w.view.Snapshot()
					for _, e := range s.Entities {
						if e.Position[0] != float64(s.Tick) && e.ID != 1 {
							t.Errorf("at tick %d %v is at %v: not of one moment", s.Tick, e.ID, e.Position)
							return
						}
					}
				}
			})
		}
		for range 50 {
			x := float64(w.tick + 1)
			w.delta(entity(1, x)+","+entity(2, x)+","+entity(3, x), "", "")
			w.delta(entity(1, x+1), `"ent_2","ent_3"`, "")
		}
		for w.view.Tick() < uint64(w.tick) {
			runtime.Gosched()
		}
		c.Close()
		readers.Wait()
		if err := w.view.Err(); !errors.Is(err, client.ErrClosed) {
			t.Errorf("Err after Close: %v", err)
		}
	})
}
