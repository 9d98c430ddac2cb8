package statesync_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/statesync"
	"github.com/limina-mcp/limina/world"
)

// TestComesBackWhileRead has an entity leave and come back before its turn in the reading of an area: it
// is held once.
func TestComesBackWhileRead(t *testing.T) {
	w := world.New(world.Config{})
	hub := statesync.New(w, statesync.Config{})
	var last world.ID
	update(t, w, func(tx *world.Tx) (err error) {
		for range 3 {
			last, err = tx.Create(world.Spec{})
		}
		return err
	})
	path := []float64{5, 0.5}
	text, _, err := hub.Connect(nil).SubscribeSlowly(nil, statesync.Options{Area: statesync.Within(world.Vec3{}, 1)}, 1, func() {
		for _, x := range path {
			update(t, w, func(tx *world.Tx) error { return tx.SetPosition(last, world.Vec3{x, 0, 0}) })
		}
		path = nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), `"ent_2"`); n != 1 {
		t.Errorf("the snapshot has ent_2 %d times: %s", n, text)
	}
	if err := hub.Check(); err != nil {
		t.Error(err)
	}
}

// TestCreatedAtOrigin creates an entity where the position before a creation seems to be.
func TestCreatedAtOrigin(t *testing.T) {
	w := world.New(world.Config{})
	f := statesync.New(w, statesync.Config{}).Connect(nil)
	subscribe(t, f, statesync.Options{Area: statesync.Within(world.Vec3{}, 1)})
	update(t, w, func(tx *world.Tx) error { _, err := tx.Create(world.Spec{}); return err })
	if text, _ := f.Append(nil); !strings.Contains(string(text), `"changes":[{"id":"ent_0"`) {
		t.Errorf("the delta after ent_0 was created at the origin is %s", text)
	}
}

// TestRowOnce changes a row twice before anybody looks.
func TestRowOnce(t *testing.T) {
	w := world.New(world.Config{})
	table := world.NewTable[int, int](w, "table", 0)
	f := statesync.New(w, statesync.Config{}).Connect(nil)
	subscribe(t, f, statesync.Options{})
	for n := range 2 {
		update(t, w, func(tx *world.Tx) error { return table.Set(tx, 7, n) })
	}
	if text, _ := f.Append(nil); !strings.HasSuffix(string(text), `"world":{"table":{"7":1}}}}`) {
		t.Errorf("the delta is %s", text)
	}
}

// TestWokenOnce counts the wakes of a connection that does not pull, and of one that does.
func TestWokenOnce(t *testing.T) {
	w := world.New(world.Config{})
	hub := statesync.New(w, statesync.Config{})
	wakes := 0
	f := hub.Connect(func() { wakes++ })
	for _, name := range []string{"a", "b"} {
		subscribe(t, f, statesync.Options{Name: name, Area: statesync.Whole()})
	}
	create := func() {
		update(t, w, func(tx *world.Tx) error { _, err := tx.Create(world.Spec{}); return err })
	}
	for range 3 {
		create()
	}
	if wakes != 1 {
		t.Errorf("%d wakes after 3 commits that nobody pulled, want 1", wakes)
	}
	for want := range 2 { // the messages of both views
		if _, kind := f.Append(nil); kind != statesync.TextFrame {
			t.Fatalf("frame %d is %v", want, kind)
		}
	}
	create()
	if wakes != 1 {
		t.Errorf("%d wakes, want 1: NoFrame was not answered yet", wakes)
	}
	drain(f, nil)
	create()
	if wakes != 2 {
		t.Errorf("%d wakes, want 2", wakes)
	}
}

// TestFarAwayIsNotTold has a world move beside an area.
func TestFarAwayIsNotTold(t *testing.T) {
	w := world.New(world.Config{})
	woken := false
	f := statesync.New(w, statesync.Config{}).Connect(func() { woken = true })
	subscribe(t, f, statesync.Options{Area: statesync.Within(world.Vec3{100, 0, 0}, 5)})
	var id world.ID
	update(t, w, func(tx *world.Tx) (err error) { id, err = tx.Create(world.Spec{}); return err })
	for x := range 90 {
		update(t, w, func(tx *world.Tx) error { return tx.SetPosition(id, world.Vec3{float64(x), 0, 0}) })
	}
	if text, kind := f.Append(nil); kind != statesync.NoFrame || woken {
		t.Errorf("Append() = %s, woken = %v, want nothing", text, woken)
	}
}

// TestStats has two views of one connection be told something, and one of them end.
func TestStats(t *testing.T) {
	w := world.New(world.Config{})
	hub := statesync.New(w, statesync.Config{})
	c := newClient(hub)
	bytes := uint64(0)
	for _, name := range []string{"a", "b"} {
		text, v, err := c.feed.Subscribe(nil, statesync.Options{Name: name, Area: statesync.Whole()})
		if err != nil {
			t.Fatal(err)
		}
		bytes += uint64(len(text))
		v.Start()
	}
	update(t, w, func(tx *world.Tx) error { _, err := tx.Create(world.Spec{}); return err })
	for range 2 {
		text, _ := c.feed.Append(nil)
		bytes += uint64(len(text))
	}
	want := statesync.Stats{Views: 2, Entities: 1, Encoded: 1, Messages: 4, Bytes: bytes}
	if got := hub.Stats(); got != want {
		t.Errorf("Stats() = %+v, want %+v", got, want)
	}
	c.feed.Unsubscribe("a")
	want.Views = 1
	if got := hub.Stats(); got != want {
		t.Errorf("after one view has ended Stats() = %+v, want %+v", got, want)
	}
}

// TestLessThanAQuantum moves an entity by less than compact views tell.
func TestLessThanAQuantum(t *testing.T) {
	for _, encoding := range []statesync.Encoding{statesync.Packed, statesync.Binary} {
		w := world.New(world.Config{})
		c := newClient(statesync.New(w, statesync.Config{}))
		var id world.ID
		update(t, w, func(tx *world.Tx) (err error) { id, err = tx.Create(world.Spec{}); return err })
		if _, err := c.subscribe(statesync.Options{Area: statesync.Whole(), Encoding: encoding}); err != nil {
			t.Fatal(err)
		}
		for _, x := range []float64{0.001, 0.002, 0.003} {
			update(t, w, func(tx *world.Tx) error { return tx.SetPosition(id, world.Vec3{x, 0, 0}) })
			if frame, kind := c.feed.Append(nil); kind != statesync.NoFrame {
				t.Errorf("%s: a move to %v m is told by %q", encoding, x, frame)
			}
		}
		for _, x := range []float64{0.5, 900, 1e9, 2e9, 3} {
			update(t, w, func(tx *world.Tx) error { return tx.SetPosition(id, world.Vec3{x, 0, 0}) })
			c.drain()
			v := c.copy.View("")
			if c.err != nil || v.Tick != w.Tick() || v.Entities[0].Pos[0] != x {
				t.Errorf("%s: after a move to %v m at tick %d the copy is at %v, tick %d (%v)", encoding, x, w.Tick(), v.Entities[0].Pos, v.Tick, c.err)
			}
		}
	}
}

// TestStart has something happen between the first message and Start: it is due after Start.
func TestStart(t *testing.T) {
	w := world.New(world.Config{})
	wakes := 0
	f := statesync.New(w, statesync.Config{}).Connect(func() { wakes++ })
	_, v, err := f.Subscribe(nil, statesync.Options{Area: statesync.Whole()})
	if err != nil {
		t.Fatal(err)
	}
	update(t, w, func(tx *world.Tx) error { _, err := tx.Create(world.Spec{}); return err })
	if text, kind := f.Append(nil); kind != statesync.NoFrame || wakes != 0 {
		t.Errorf("before Start Append() = %s after %d wakes, want nothing", text, wakes)
	}
	v.Start()
	if text, _ := f.Append(nil); !strings.Contains(string(text), `"ent_0"`) || wakes != 1 {
		t.Errorf("after Start Append() = %s after %d wakes, want ent_0 after one", text, wakes)
	}
}

// TestRevived has an undo bring an entity back under its id: a client that was told of its end is told of it
// anew, and one that was not yet told holds it all the same, as it is.
func TestRevived(t *testing.T) {
	a := newArena(statesync.Config{})
	var id world.ID
	a.do(func(tx *world.Tx) (err error) {
		id, err = tx.Create(world.Spec{Position: world.Vec3{1, 0, 0}})
		return err
	})
	prompt, slow := a.hub.Connect(nil), a.hub.Connect(nil)
	for _, f := range []*statesync.Feed{prompt, slow} {
		subscribe(t, f, statesync.Options{Area: statesync.Within(world.Vec3{}, 5)})
	}
	expect := func(f *statesync.Feed, want ...string) {
		t.Helper()
		text, _ := f.Append(nil)
		for _, part := range want {
			if !strings.Contains(string(text), part) {
				t.Errorf("the delta is %s, want %s in it", text, part)
			}
		}
	}
	a.do(func(tx *world.Tx) error { tx.Destroy(id); return nil })
	expect(prompt, `"changes":[],"removed":["ent_0"]`)
	a.do(func(tx *world.Tx) error { _, err := tx.Undo(1); return err })
	expect(prompt, `"changes":[{"id":"ent_0","eid":0,"pos":[1,0,0]`, `"removed":[]`)
	expect(slow, `"changes":[{"id":"ent_0","eid":0,"pos":[1,0,0]`, `"removed":[]`)
	a.do(func(tx *world.Tx) error { _, err := tx.Redo(1); return err })
	a.do(func(tx *world.Tx) error { _, err := tx.Create(world.Spec{}); return err }) // in its place, under another id
	for _, f := range []*statesync.Feed{prompt, slow} {
		expect(f, `"changes":[{"id":"ent_1"`, `"removed":["ent_0"]`)
	}
	if err := a.hub.Check(); err != nil {
		t.Error(err)
	}
}

// TestNothingToTell has entities move in the areas of views that share a frame, some of them by less than is told:
// whatever is not told leaves nothing in the frame.
func TestNothingToTell(t *testing.T) {
	for _, encoding := range []statesync.Encoding{statesync.Packed, statesync.Binary} {
		w := world.New(world.Config{})
		ids := make([]world.ID, 3)
		update(t, w, func(tx *world.Tx) (err error) {
			for i := range ids {
				ids[i], err = tx.Create(world.Spec{Position: world.Vec3{float64(100 * i), 0, 0}})
			}
			return err
		})
		c := newClient(statesync.New(w, statesync.Config{}))
		for i := range ids {
			o := statesync.Options{Name: string(rune('a' + i)), Area: statesync.Within(world.Vec3{float64(100 * i), 0, 0}, 10), Encoding: encoding, Batch: true}
			if _, err := c.subscribe(o); err != nil {
				t.Fatal(err)
			}
		}
		for far := range 8 { // the bits say who moves so that it is told
			update(t, w, func(tx *world.Tx) error {
				for i, id := range ids {
					at := world.Vec3{float64(100 * i), float64(far >> i & 1 * (far + 1)), 0.001 * float64(far&1)}
					if err := tx.SetPosition(id, at); err != nil {
						return err
					}
				}
				return nil
			})
			text, kind := c.feed.Append(nil)
			if far == 0 && kind != statesync.NoFrame {
				t.Errorf("%s: nothing was told by %q", encoding, text)
			}
			if kind == statesync.NoFrame {
				continue
			}
			c.apply(text, kind)
			if _, kind = c.feed.Append(nil); c.err != nil || kind != statesync.NoFrame {
				t.Fatalf("%s: %d: %v, and then a frame of kind %v", encoding, far, c.err, kind)
			}
		}
	}
}
