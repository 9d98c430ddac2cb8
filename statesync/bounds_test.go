package statesync_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/statesync"
	"github.com/limina-mcp/limina/statesync/replica"
	"github.com/limina-mcp/limina/world"
)

func update(tb testing.TB, w *world.World, fn func(tx *world.Tx) error) {
	tb.Helper()
	if _, err := w.Update(tb.Context(), fn); err != nil {
		tb.Fatal(err)
	}
}

// TestStalledViewIsBounded has a client that never reads, in a world in which everything moves, comes and
// goes, speaks and writes: what its view holds depends on what it sees and not on how long it lasts.
func TestStalledViewIsBounded(t *testing.T) {
	for _, encoding := range []statesync.Encoding{statesync.JSON, statesync.Packed, statesync.Binary} {
		t.Run(string(encoding), func(t *testing.T) {
			w := world.New(world.Config{})
			table := world.NewTable[int, string](w, "table", 0)
			hub := statesync.New(w, statesync.Config{})
			stalled := subscribe(t, hub.Connect(func() {}), statesync.Options{Area: statesync.Within(world.Vec3{}, 10), Encoding: encoding})
			c := &call{}
			var ids []world.ID
			intent := uint64(0)
			churn := func(ticks int) {
				for range ticks {
					intent++
					_, err := world.Do(w, c, func(tx *world.Tx) (struct{}, error) {
						id, err := tx.Create(world.Spec{Position: world.Vec3{5, 0, 0}})
						if err != nil {
							return struct{}{}, err
						}
						ids = append(ids, id)
						for _, id := range ids { // in and out, and in again
							p, _ := tx.Position(id)
							if err := tx.SetPosition(id, world.Vec3{16 - p[0], 0, float64(intent)}.Mul(world.Vec3{1, 1, 0.001})); err != nil {
								return struct{}{}, err
							}
						}
						if len(ids) > 50 {
							tx.Destroy(ids[0])
							ids = ids[1:]
						}
						if err := table.Set(tx, int(intent%7), strings.Repeat("x", 100)); err != nil {
							return struct{}{}, err
						}
						return struct{}{}, tx.Moment(world.Moment{Kind: "bang", Payload: json.RawMessage(`{"text":"` + strings.Repeat("x", 500) + `"}`)})
					})
					if err != nil {
						t.Fatal(err)
					}
					c.tx.(*world.Tx).Commit(intent)
					c.tx = nil
				}
			}
			churn(300)
			before := stalled.Footprint()
			churn(2000)
			if after := stalled.Footprint(); after > 2*before { // slices that grow and shrink have more room at times
				t.Errorf("after 2,000 more ticks a view that nobody reads holds %d, before %d", after, before)
			}
			if err := hub.Check(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestViewShrinks has a view see much and then little: it gives back what it does not need, and its
// client still holds what is there.
func TestViewShrinks(t *testing.T) {
	for _, encoding := range []statesync.Encoding{statesync.JSON, statesync.Packed, statesync.Binary} {
		t.Run(string(encoding), func(t *testing.T) {
			w := world.New(world.Config{})
			hub := statesync.New(w, statesync.Config{})
			var ids []world.ID
			update(t, w, func(tx *world.Tx) error {
				for i := range 4000 {
					id, err := tx.Create(world.Spec{Position: world.Vec3{float64(i), 0, 0}, Name: "n"})
					if err != nil {
						return err
					}
					ids = append(ids, id)
				}
				return nil
			})
			c := newClient(hub)
			v, err := c.subscribe(statesync.Options{Area: statesync.Whole(), Encoding: encoding})
			if err != nil {
				t.Fatal(err)
			}
			wide := v.Footprint()
			if err := c.declare(v, statesync.Within(world.Vec3{2000, 0, 0}, 10)); err != nil {
				t.Fatal(err)
			}
			for i, x := range []float64{2001, 2002, 0} { // with the first commit it shrinks, and one more comes into sight, which leaves with the last
				c.drain()
				update(t, w, func(tx *world.Tx) error {
					if err := tx.SetPosition(ids[2000], world.Vec3{2000, float64(i + 1), 0}); err != nil {
						return err
					}
					return tx.SetPosition(ids[0], world.Vec3{x, 1, 0})
				})
				if err := hub.Check(); err != nil {
					t.Fatal(err)
				}
			}
			c.drain()
			if c.err != nil {
				t.Fatal(c.err)
			}
			if diff := gocmp.Diff(expected(w, v.Area()), got(c.copy.View(""))); diff != "" {
				t.Errorf("(-is +copy):\n%s", diff)
			}
			if now := v.Footprint(); now > wide/50 {
				t.Errorf("a view that sees 21 entities holds %d; when it saw 4,000 it held %d", now, wide)
			}
		})
	}
}

// TestShrinksAloud has sounds and the end of a row come while a view shrinks, and before its client has been told so: he hears all, and
// what he is told of rows is what he holds.
func TestShrinksAloud(t *testing.T) {
	for _, encoding := range []statesync.Encoding{statesync.JSON, statesync.Packed, statesync.Binary} {
		t.Run(string(encoding), func(t *testing.T) {
			w := world.New(world.Config{})
			table := world.NewTable[int, placed](w, "placed", 0)
			table.Locate(func(r placed) world.Place { return world.Place{Point: r.Point} })
			hub := statesync.New(w, statesync.Config{})
			hub.Sparing(8, 8)
			update(t, w, func(tx *world.Tx) error {
				for i := range 20 {
					if _, err := tx.Create(world.Spec{Position: world.Vec3{float64(i), 0, 0}}); err != nil {
						return err
					}
				}
				return table.Set(tx, 1, placed{Point: &world.Vec3{}})
			})
			c := newClient(hub)
			v, err := c.subscribe(statesync.Options{Area: statesync.Whole(), Encoding: encoding})
			if err != nil {
				t.Fatal(err)
			}
			if err := c.declare(v, statesync.Within(world.Vec3{}, 0.5)); err != nil {
				t.Fatal(err)
			}
			c.drain()
			for range 2 {
				update(t, w, func(tx *world.Tx) error {
					table.Delete(tx, 1)
					return tx.Moment(world.Moment{Kind: "bell"})
				})
			}
			c.drain()
			if err := hub.Check(); err != nil {
				t.Error(err)
			}
			if rows := c.copy.View("").Tables["placed"]; c.events != 2 || len(rows) != 0 || c.err != nil {
				t.Errorf("%d events, want 2; rows %v, want none; %v", c.events, rows, c.err)
			}
		})
	}
}

// TestMomentsAreBounded has more moments wait than there is room for. The largest that there may be comes, and does not take the place of small ones; how
// many did not come is told with those that did.
func TestMomentsAreBounded(t *testing.T) {
	large := json.RawMessage(`"` + strings.Repeat("x", world.MaxMoment-len("bell")-2) + `"`)
	for _, encoding := range []statesync.Encoding{statesync.JSON, statesync.Packed, statesync.Binary} {
		t.Run(string(encoding), func(t *testing.T) {
			w := world.New(world.Config{})
			feed := statesync.New(w, statesync.Config{}).Connect(nil)
			frame, v, err := feed.Subscribe(nil, statesync.Options{Area: statesync.Whole(), Encoding: encoding})
			if err != nil {
				t.Fatal(err)
			}
			var client replica.Copy
			apply := func(frame []byte) (u replica.Update) {
				t.Helper()
				read := client.Text
				if encoding == statesync.Binary {
					read = client.Binary
				}
				updates, err := read(frame)
				if err != nil || len(updates) != 1 {
					t.Fatalf("%d updates, %v", len(updates), err)
				}
				return updates[0]
			}
			apply(frame)
			v.Start()
			small := make([]json.RawMessage, 70)
			for _, tt := range []struct {
				name        string
				payloads    []json.RawMessage
				come, large int
			}{
				{"the largest behind a small one", []json.RawMessage{nil, large}, 2, 1},
				{"two of the largest", []json.RawMessage{large, large}, 1, 1},
				{"the largest before a small one", []json.RawMessage{large, nil}, 2, 1},
				{"too many", small, 64, 0},
				{"one", small[:1], 1, 0},
			} {
				update(t, w, func(tx *world.Tx) error {
					for _, payload := range tt.payloads {
						if err := tx.Moment(world.Moment{Kind: "bell", Payload: payload}); err != nil {
							return err
						}
					}
					return nil
				})
				frame, _ := feed.Append(nil)
				u, heavy := apply(frame), 0
				for _, e := range u.Events {
					if len(e) > len(large) {
						heavy++
					}
				}
				if len(u.Events) != tt.come || heavy != tt.large || u.Missed != uint64(len(tt.payloads)-tt.come) {
					t.Errorf("%s: %d moments came, %d of them large, and %d were missed; want %d, %d and %d",
						tt.name, len(u.Events), heavy, u.Missed, tt.come, tt.large, len(tt.payloads)-tt.come)
				}
			}
		})
	}
}

// TestEncodesOnce counts the fragments that are written while many views see the same entities.
func TestEncodesOnce(t *testing.T) {
	c := newCube(t, 100, 0.1)
	hub := statesync.New(c.w, statesync.Config{})
	feeds := make([]*statesync.Feed, 50)
	for i := range feeds {
		feeds[i] = hub.Connect(func() {})
		subscribe(t, feeds[i], statesync.Options{Area: statesync.Whole()})
	}
	if n := hub.Stats().Encoded; n != 100 {
		t.Errorf("%d fragments for 50 snapshots of 100 entities, want 100", n)
	}
	for range 10 {
		c.tick(t)
		for _, f := range feeds {
			drain(f, nil)
		}
	}
	if n := hub.Stats().Encoded; n != 100+10*10 {
		t.Errorf("%d fragments after 10 ticks that move 10 entities each, want %d", n, 200)
	}
	c.tick(t)
	c.tick(t) // nobody looks in between
	if n := hub.Stats().Encoded; n != 200 {
		t.Errorf("%d fragments, want 200: nobody has pulled", n)
	}
}

// TestUpdateSizes holds the compact encodings to what they are for.
func TestUpdateSizes(t *testing.T) {
	for _, q := range []struct {
		encoding    statesync.Encoding
		share, most float64
		radius      float64
	}{
		{statesync.Binary, 1, 4.5, 390.8},
		{statesync.Packed, 1, 15, 390.8},
		{statesync.Binary, 0.1, 5.2, 181.4}, // five updates share the head of a message
	} {
		c := newCube(t, 2000, q.share)
		f := statesync.New(c.w, statesync.Config{}).Connect(func() {})
		frame, v, err := f.Subscribe(nil, statesync.Options{Area: c.sphere(q.radius), Encoding: q.encoding})
		if err != nil {
			t.Fatal(err)
		}
		v.Start()
		var held replica.Copy
		bytes, updates := 0, 0
		for tick := range 50 {
			all, err := apply(&held, q.encoding == statesync.Binary, frame)
			if err != nil {
				t.Fatal(err)
			}
			for _, u := range all {
				if tick > 0 {
					bytes += len(frame)
					updates += len(u.Changed) + len(u.Removed)
				}
			}
			c.tick(t)
			frame, _ = f.Append(nil)
		}
		if each := float64(bytes) / float64(updates); each > q.most {
			t.Errorf("%s, %v of all moving: %.2f bytes an update, want at most %v", q.encoding, q.share, each, q.most)
		}
	}
}

func TestRefusals(t *testing.T) {
	w := world.New(world.Config{})
	hub := statesync.New(w, statesync.Config{MaxViews: 2})
	nan, inf := math.NaN(), math.Inf(1)
	for name, o := range map[string]statesync.Options{
		"center[1]: must be within":               {Area: statesync.Within(world.Vec3{0, nan, 0}, 1)},
		"center[2]: must be within":               {Area: statesync.Within(world.Vec3{0, 0, -inf}, 1)},
		"center[0]: must be within":               {Area: statesync.Within(world.Vec3{3.5e38, 0, 0}, 1)},
		"radius: must be within 0":                {Area: statesync.Within(world.Vec3{}, -1)},
		"radius: must be within 0 and":            {Area: statesync.Within(world.Vec3{}, inf)},
		"radius: must be within 0 and 3.4e38":     {Area: statesync.Within(world.Vec3{}, nan)},
		`encoding: must be one of "json"`:         {Encoding: "bson"},
		"subscription: must be at most 128":       {Name: strings.Repeat("x", 129)},
		"subscription: must be at most 128 byte":  {Name: strings.Repeat("ü", 65)},
		`subscription: must be UTF-8, got "\xff"`: {Name: "\xff"},
	} {
		_, v, err := hub.Connect(nil).Subscribe(nil, o)
		var refusal *world.Error
		if !errors.As(err, &refusal) || refusal.Code != "invalid_input" || !strings.HasPrefix(refusal.Message, name) || v != nil {
			t.Errorf("Subscribe(%+v) = %v, want a refusal that begins with %q", o, err, name)
		}
	}
	f := hub.Connect(nil)
	v := subscribe(t, f, statesync.Options{Area: statesync.Within(world.Vec3{1, 2, 3}, 4)})
	if _, err := v.Declare(nil, statesync.Within(world.Vec3{}, nan)); err == nil {
		t.Error("Declare with a radius that is no number succeeded")
	}
	if got, want := v.Area(), statesync.Within(world.Vec3{1, 2, 3}, 4); got != want {
		t.Errorf("after a refused Declare the area is %+v, want %+v", got, want)
	}
	subscribe(t, f, statesync.Options{Name: "second"})
	subscribe(t, f, statesync.Options{Name: "second"}) // replaces the other
	var refusal *world.Error
	if _, _, err := f.Subscribe(nil, statesync.Options{Name: "third"}); !errors.As(err, &refusal) || refusal.Code != "capacity_exceeded" {
		t.Errorf("a third subscription of two: %v, want capacity_exceeded", err)
	}
	if !f.Unsubscribe("second") || f.Unsubscribe("second") {
		t.Error("Unsubscribe did not end the subscription once")
	}
	f.Close()
	f.Close()
	if _, err := v.Declare(nil, statesync.Whole()); !errors.Is(err, statesync.ErrClosed) {
		t.Errorf("Declare after Close = %v, want ErrClosed", err)
	}
	if _, _, err := f.Subscribe(nil, statesync.Options{}); !errors.Is(err, statesync.ErrClosed) {
		t.Errorf("Subscribe after Close = %v, want ErrClosed", err)
	}
	if _, kind := f.Append(nil); kind != statesync.NoFrame {
		t.Errorf("Append after Close = %v, want NoFrame", kind)
	}
}

// TestHubClose closes hubs, one before it has observed anything, and one in the middle of a commit: nobody is told anything of what happens from
// then on, and nobody comes in to be told what is no longer so.
func TestHubClose(t *testing.T) {
	create := func(tx *world.Tx) error { _, err := tx.Create(world.Spec{}); return err }
	for _, when := range []string{"at first", "after a commit", "in a commit"} {
		t.Run(when, func(t *testing.T) {
			w := world.New(world.Config{})
			begun, goOn := make(chan struct{}), make(chan struct{})
			if when == "in a commit" {
				w.Observe(func(c *world.Commit) { // before the hub does
					if c.Tick == 2 {
						close(begun)
						<-goOn
					}
				})
			}
			hub := statesync.New(w, statesync.Config{})
			woken := 0
			f := hub.Connect(func() { woken++ })
			var v *statesync.View
			if when != "at first" {
				v = subscribe(t, f, statesync.Options{})
			}
			update(t, w, create)
			if _, n := drain(f, nil); (n != 0) != (v != nil) || (woken != 0) != (v != nil) {
				t.Errorf("a commit was told in %d bytes, after %d wakes", n, woken)
			}
			woken = 0
			if when == "in a commit" {
				done := make(chan struct{})
				go func() {
					defer close(done)
					update(t, w, create)
				}()
				<-begun
				hub.Close()
				close(goOn)
				<-done
			}
			hub.Close()
			hub.Close()
			update(t, w, create)
			if _, kind := f.Append(nil); kind != statesync.NoFrame || woken != 0 {
				t.Errorf("after Close a commit was told in a frame of kind %v, after %d wakes", kind, woken)
			}
			for _, f := range []*statesync.Feed{f, hub.Connect(nil)} {
				if _, _, err := f.Subscribe(nil, statesync.Options{Name: "new"}); !errors.Is(err, statesync.ErrClosed) {
					t.Errorf("Subscribe after Close = %v, want ErrClosed", err)
				}
			}
			if v == nil {
				return
			}
			if _, err := v.Declare(nil, statesync.Whole()); !errors.Is(err, statesync.ErrClosed) {
				t.Errorf("Declare after Close = %v, want ErrClosed", err)
			}
			if got := v.Area(); got.Whole {
				t.Errorf("after a refused Declare the area is %+v", got)
			}
			f.Close()
			if s := hub.Stats(); s.Views != 0 || s.Entities != 0 {
				t.Errorf("after the end there are %+v", s)
			}
		})
	}
}

// TestTableLog changes more rows than a table's log remembers: who was asleep all the time gets the table
// as a whole, who was not only rows.
func TestTableLog(t *testing.T) {
	w := world.New(world.Config{})
	table := world.NewTable[int, int](w, "table", 0)
	hub := statesync.New(w, statesync.Config{})
	asleep, dozing, awake := newClient(hub), newClient(hub), newClient(hub)
	update(t, w, func(tx *world.Tx) error { return table.Set(tx, -1, -1) })
	for _, c := range []*client{asleep, dozing, awake} {
		if _, err := c.subscribe(statesync.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 6000 {
		update(t, w, func(tx *world.Tx) error {
			switch n {
			case 4000:
				table.Delete(tx, 0) // which the log has as set long ago
			case 1000:
				table.Delete(tx, -1) // which who is asleep has, and the log no longer
			}
			if n%3 == 2 {
				table.Delete(tx, n-1)
				return nil
			}
			return table.Set(tx, n, n)
		})
		awake.drain()
		if n < 3900 {
			dozing.drain()
		}
	}
	if text, _ := dozing.feed.Append(nil); strings.Contains(string(text), "replaced") {
		t.Errorf("who slept over 2,100 changes gets the table as a whole: %.300s", text)
	} else {
		dozing.apply(text, statesync.TextFrame)
	}
	text, _ := asleep.feed.Append(nil)
	if !strings.Contains(string(text), `"replaced":["table"]`) {
		t.Errorf("who slept over 6,000 changes is not told that the table is replaced: %.300s", text)
	}
	asleep.apply(text, statesync.TextFrame)
	want := map[string]string{}
	w.View(func(v *world.View) {
		for k, row := range table.All(v) {
			want[fmt.Sprint(k)] = fmt.Sprint(row)
		}
	})
	for name, c := range map[string]*client{"asleep": asleep, "dozing": dozing, "awake": awake} {
		got := map[string]string{}
		for k, row := range c.copy.View("").Tables["table"] {
			got[k] = string(row)
		}
		if diff := gocmp.Diff(want, got); diff != "" || c.err != nil {
			t.Errorf("%s (%v) (-is +copy):\n%s", name, c.err, diff)
		}
	}
}
