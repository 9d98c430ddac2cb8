package world_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/world"
)

// written is a world that is written down: what a Tracker said so far.
type written struct {
	tracker *world.Tracker
	image   world.Image
}

func write(w *world.World) *written {
	x, err := w.Track()
	if err != nil {
		panic(err)
	}
	return &written{tracker: x}
}

// add reads what the tracker writes next.
func (x *written) add(t rapid.TB, piece []byte) {
	t.Helper()
	var m world.Image
	if err := json.Unmarshal(piece, &m); err != nil {
		t.Fatalf("the tracker wrote %s: %v", piece, err)
	}
	x.image.Merge(&m)
}

func (x *written) flush(t rapid.TB) { x.add(t, x.tracker.Append(nil)) }

// compare loads what was written into a world of the same kind, which is the same one then.
func (x *written) compare(t rapid.TB, f *fixture, config world.Config) {
	t.Helper()
	g := newFixture(config)
	if err := g.Load(&x.image); err != nil {
		t.Fatal(err)
	}
	if f.Hash() != g.Hash() {
		text, _ := json.Marshal(&x.image)
		t.Fatalf("a world that was loaded has another hash than the one that was written: %s", text)
	}
}

// create makes an entity in a commit of its own.
func (f *fixture) create(t *testing.T, spec world.Spec) (id world.ID) {
	t.Helper()
	_, err := f.Update(t.Context(), func(tx *world.Tx) (err error) {
		id, err = tx.Create(spec)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// A world that was written in pieces is another one until what has changed meanwhile is written, too.
func TestTrackerWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		config := world.Config{MaxEntities: 2000}
		f := newFixture(config)
		var ids []world.ID
		change := func(many int) {
			_, err := f.Update(context.Background(), func(tx *world.Tx) error {
				for range rapid.IntRange(0, many).Draw(t, "new") {
					id, err := tx.Create(world.Spec{Name: "a"})
					if err != nil {
						return err
					}
					ids = append(ids, id)
				}
				for range rapid.IntRange(0, 5).Draw(t, "changes") {
					if len(ids) == 0 {
						break
					}
					id := ids[rapid.IntRange(0, len(ids)-1).Draw(t, "which")]
					if !tx.Exists(id) {
						continue
					}
					if rapid.Bool().Draw(t, "destroy") {
						tx.Destroy(id)
					} else if err := tx.SetPosition(id, world.Vec3{1, 2, 3}); err != nil {
						return err
					}
				}
				return f.rows.Set(tx, rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "row"), 1)
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		change(1200)
		x := write(f.World)
		err := x.tracker.Whole(func(piece []byte) error {
			x.add(t, piece)
			change(3)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		x.flush(t)
		x.compare(t, f, config)
	})
}

func TestAWorldIsTrackedOnce(t *testing.T) {
	f := newFixture(world.Config{})
	x := write(f.World)
	if _, err := f.Track(); err == nil || !strings.Contains(err.Error(), "written down already") {
		t.Errorf("to track what is tracked: %v", err)
	}
	other := newFixture(world.Config{})
	y := write(other.World)
	other.create(t, world.Spec{})
	y.flush(t)
	before := f.Hash()
	if err := f.Load(&y.image); err == nil || !strings.Contains(err.Error(), "written down already") {
		t.Errorf("to load into what is tracked: %v", err)
	}
	if f.Hash() != before {
		t.Error("it was changed")
	}
	f.create(t, world.Spec{}) // nothing is locked
	x.flush(t)
	x.compare(t, f, world.Config{})
}

func TestTrackerWakes(t *testing.T) {
	f := newFixture(world.Config{})
	x := write(f.World).tracker
	woken := func() bool {
		select {
		case <-x.Woken():
			return true
		default:
			return false
		}
	}
	if x.Changed() || woken() {
		t.Error("it says that something has changed in a world that was not touched")
	}
	for range 2 {
		f.create(t, world.Spec{})
	}
	if !x.Changed() || !woken() || woken() {
		t.Error("it does not say once that something has changed")
	}
	x.Append(nil)
	if x.Changed() {
		t.Error("it says that something has changed since it was written")
	}
	x.Stop()
	f.create(t, world.Spec{})
	if x.Changed() || woken() {
		t.Error("a tracker that was stopped goes on")
	}
	write(f.World).tracker.Stop() // there may be another
	if text := x.Append(nil); bytes.Contains(text, []byte("entities")) {
		t.Errorf("a stopped tracker says %s", text)
	}
}

func TestLoadRefuses(t *testing.T) {
	f := newFixture(world.Config{})
	a := f.create(t, world.Spec{})
	f.create(t, world.Spec{Parent: a})
	x := write(f.World)
	if err := x.tracker.Whole(func(piece []byte) error { x.add(t, piece); return nil }); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, want string
		spoil      func(m *world.Image)
	}{
		{"a part", "this program knows no moods", func(m *world.Image) {
			m.Entities[a] = []byte(`{"pos":[0,0,0],"rot":[0,0,0,1],"scale":[1,1,1],"parts":{"moods":1}}`)
		}},
		{"a table", "this program knows no moods", func(m *world.Image) { m.Tables["moods"] = &world.ImageTable{} }},
		{"a global", "this program knows no moods", func(m *world.Image) { m.Globals["moods"] = []byte("1") }},
		{"a table as a global", "this program knows no claims", func(m *world.Image) { m.Globals["claims"] = []byte("{}") }},
		{"too many", "there are 2 entities, and the world may have 1", nil},
		{"an id that was not given", "ent_1", func(m *world.Image) { m.Given = 1 }},
		{"too many ids", "given: must be at most 1099511627776", func(m *world.Image) { m.Given = 1<<40 + 1 }},
		{"a parent that is not there", "ent_0", func(m *world.Image) { delete(m.Entities, a) }},
		{"no entity", "ent_0", func(m *world.Image) { m.Entities[a] = []byte(`[]`) }},
		{"a number", "scale", func(m *world.Image) { m.Entities[a] = []byte(`{"pos":[0,0,0],"rot":[0,0,0,1],"scale":[1e300,1,1]}`) }},
		{"randomness", "random", func(m *world.Image) { m.Random = nil }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text, err := json.Marshal(&x.image)
			if err != nil {
				t.Fatal(err)
			}
			var m world.Image
			if err := json.Unmarshal(text, &m); err != nil {
				t.Fatal(err)
			}
			config := world.Config{}
			if tt.spoil == nil {
				config.MaxEntities = 1
			} else {
				tt.spoil(&m)
			}
			g := newFixture(config)
			before := g.Hash()
			err = g.Load(&m)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Load gave the error %v, want one with %q", err, tt.want)
			}
			if foreign := new(world.ForeignError); errors.As(err, &foreign) {
				left := newFixture(world.Config{})
				for _, name := range foreign.Names {
					left.Retire(name)
				}
				if err := left.Load(&m); err != nil || left.Hash() != f.Hash() {
					t.Errorf("with %q retired Load gave the error %v, or another world", foreign.Names, err)
				}
			}
			if g.Hash() != before {
				t.Error("a Load that failed has changed the world")
			}
			if config.MaxEntities == 0 {
				if err := g.Load(&x.image); err != nil {
					t.Errorf("after a Load that failed another one does: %v", err)
				}
			}
		})
	}
	t.Run("a world in use", func(t *testing.T) {
		g := newFixture(world.Config{})
		g.create(t, world.Spec{})
		if err := g.Load(&x.image); err == nil || !strings.Contains(err.Error(), "not new") {
			t.Errorf("Load gave the error %v", err)
		}
	})
}

// What was done before a load can be neither undone nor asked for.
func TestLoadForgets(t *testing.T) {
	f := newFixture(world.Config{})
	f.create(t, world.Spec{})
	x := write(f.World)
	if err := x.tracker.Whole(func(piece []byte) error { x.add(t, piece); return nil }); err != nil {
		t.Fatal(err)
	}
	x.image.Tick = 40
	g := newFixture(world.Config{})
	if err := g.Load(&x.image); err != nil {
		t.Fatal(err)
	}
	g.View(func(v *world.View) {
		if _, err := v.ChangedSince(39); err == nil {
			t.Error("what has changed before the load is known")
		}
		if now, err := v.ChangedSince(40); err != nil || len(now) > 0 {
			t.Errorf("since the load %v has changed, %v", now, err)
		}
	})
	g.create(t, world.Spec{})
	if g.Tick() != 41 {
		t.Errorf("the first commit after a load at 40 is %d", g.Tick())
	}
}

// State that an earlier program had is left out, if it is said to be no more.
func TestRetire(t *testing.T) {
	f := newFixture(world.Config{})
	f.create(t, world.Spec{})
	x := write(f.World)
	if err := x.tracker.Whole(func(piece []byte) error { x.add(t, piece); return nil }); err != nil {
		t.Fatal(err)
	}
	id := slices.Collect(maps.Keys(x.image.Entities))[0]
	whole := string(x.image.Entities[id])
	x.image.Globals["old.global"] = []byte(`7`)
	x.image.Tables["old.table"] = &world.ImageTable{Rows: map[string]json.RawMessage{"a": []byte(`7`)}}
	x.image.Entities[id] = []byte(strings.TrimSuffix(whole, "}") + `,"parts":{"old.component":7}}`)
	g := newFixture(world.Config{})
	for _, name := range []string{"old.component", "old.global", "old.table"} {
		if err := g.Load(&x.image); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("with %s Load gave the error %v", name, err)
		}
		g.Retire(name)
	}
	if err := g.Load(&x.image); err != nil {
		t.Fatal(err)
	}
	if g.Hash() != f.Hash() {
		t.Error("what is left out has left a mark")
	}
}

// A world of which processes were killed a hundred thousand times, each of which has cost it 2^20 ids, is opened, and takes what it holds and little more.
func TestLoadAfterManyKills(t *testing.T) {
	const given = 100_000 << 20
	ids := []world.ID{1, 2, 1 << 20, given - 5000<<20, given}
	f := newFixture(world.Config{})
	x := write(f.World)
	for range ids {
		f.create(t, world.Spec{})
	}
	x.flush(t)
	there := x.image.Entities
	x.image.Given, x.image.Entities = given, map[world.ID]json.RawMessage{}
	for i, id := range ids {
		x.image.Entities[id] = there[world.ID(i+1)]
	}
	g := newFixture(world.Config{})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := g.Load(&x.image); err != nil {
		t.Fatal(err)
	}
	made := g.create(t, world.Spec{})
	runtime.ReadMemStats(&after)
	if made != given+1 {
		t.Errorf("the next is %v", made)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 200<<20 {
		t.Errorf("six entities take %d bytes, with all that was let go", took)
	}
	g.View(func(v *world.View) {
		var got []world.ID
		for id := range v.All() {
			got = append(got, id)
		}
		if want := slices.Concat(ids, []world.ID{made}); !slices.Equal(got, want) {
			t.Errorf("there are %v, want %v", got, want)
		}
	})
}

// In a world that lives for long what stays was made among much that is gone: each of some thousand things takes little more than it has, and not what those about it had.
func TestWhatStays(t *testing.T) {
	const stay, gone = 2000, 255
	f := newFixture(world.Config{})
	w := f.World
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for range stay {
		if _, err := w.Update(t.Context(), func(tx *world.Tx) error {
			id, err := tx.Create(world.Spec{Name: "thing"})
			if err != nil {
				return err
			}
			if err := w.Shapes.Set(tx, id, world.Shape{Kind: "box"}); err != nil {
				return err
			}
			for range gone {
				id, err := tx.Create(world.Spec{Name: "gone"})
				if err != nil {
					return err
				}
				tx.Destroy(id)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if each := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) / stay; each > 16<<10 {
		t.Errorf("each thing takes %d bytes", each)
	}
	w.View(func(v *world.View) {
		if v.Len() != stay {
			t.Errorf("there are %d things", v.Len())
		}
		n := 0
		for id := range v.All() {
			if want := world.ID(n*(gone+1) + 1); id != want {
				t.Fatalf("the %d-th is %v, want %v", n, id, want)
			}
			n++
		}
	})
}
