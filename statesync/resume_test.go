package statesync_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/statesync"
	"github.com/limina-mcp/limina/world"
)

// TestResume says when a client that asks for what it missed gets just that, and when a snapshot.
func TestResume(t *testing.T) {
	area := statesync.Within(world.Vec3{}, 10)
	setup := func(t *testing.T, history int) (*world.World, *statesync.Hub, world.ID) {
		t.Helper()
		w := world.New(world.Config{})
		hub := statesync.New(w, statesync.Config{History: history})
		subscribe(t, hub.Connect(nil), statesync.Options{})
		var id world.ID
		update(t, w, func(tx *world.Tx) (err error) {
			for range 2 {
				id, err = tx.Create(world.Spec{})
			}
			return err
		})
		return w, hub, id
	}
	move := func(t *testing.T, w *world.World, id world.ID, times int) {
		t.Helper()
		for i := range times {
			update(t, w, func(tx *world.Tx) error { return tx.SetPosition(id, world.Vec3{1, float64(i + 1), 0}) })
		}
	}
	for name, test := range map[string]struct {
		history, missed int
		since           func(now uint64) uint64
		want            []string // in this order
		not             string
	}{
		"the changes": {
			missed: 3, since: func(now uint64) uint64 { return now - 3 },
			want: []string{`"method":"state/delta"`, `"tick":4,`, `"changes":[{"id":"ent_1",`, `"pos":[1,3,0]`, `"removed":[]`}, not: `"ent_0"`,
		},
		"nothing": {
			missed: 3, since: func(now uint64) uint64 { return now },
			want: []string{`"method":"state/delta"`, `"causedBy":[],"changes":[],"removed":[],"aoi":{"center":[0,0,0],"radius":10}}}`},
		},
		"too old":         {history: 5, missed: 9, since: func(uint64) uint64 { return 2 }, want: []string{`state/snapshot`, `"ent_0"`, `"ent_1"`}},
		"just not":        {history: 5, missed: 9, since: func(now uint64) uint64 { return now - 5 }, want: []string{`state/delta`}},
		"too old by one":  {history: 5, missed: 9, since: func(now uint64) uint64 { return now - 6 }, want: []string{`state/snapshot`}},
		"no history":      {history: -1, missed: 1, since: func(now uint64) uint64 { return now }, want: []string{`state/delta`}},
		"no history, old": {history: -1, missed: 1, since: func(now uint64) uint64 { return now - 1 }, want: []string{`state/snapshot`}},
		"of the future":   {missed: 1, since: func(now uint64) uint64 { return now + 1 }, want: []string{`state/snapshot`}},
		"of before":       {missed: 1, since: func(uint64) uint64 { return 0 }, want: []string{`state/delta`, `"ent_0"`, `"ent_1"`}},
	} {
		t.Run(name, func(t *testing.T) {
			w, hub, id := setup(t, test.history)
			move(t, w, id, test.missed)
			text, v, err := hub.Connect(nil).Subscribe(nil, statesync.Options{Area: area, Resume: true, Since: test.since(w.Tick())})
			if err != nil {
				t.Fatal(err)
			}
			rest := string(text)
			for _, want := range test.want {
				_, after, ok := strings.Cut(rest, want)
				if !ok {
					t.Fatalf("the first message is %s\nwant %q in %q", text, want, rest)
				}
				rest = after
			}
			if test.not != "" && strings.Contains(string(text), test.not) {
				t.Errorf("the first message has %q: %s", test.not, text)
			}
			if v.Tick() != w.Tick() {
				t.Errorf("Tick() = %d, want %d", v.Tick(), w.Tick())
			}
		})
	}
}

// TestResumeOtherEpoch resumes with the tick of another run of the world.
func TestResumeOtherEpoch(t *testing.T) {
	w := world.New(world.Config{})
	f := statesync.New(w, statesync.Config{Epoch: "second"}).Connect(nil)
	subscribe(t, f, statesync.Options{})
	update(t, w, func(tx *world.Tx) error { _, err := tx.Create(world.Spec{}); return err })
	for epoch, want := range map[string]string{"second": "state/delta", "": "state/delta", "first": "state/snapshot"} {
		text, _, err := f.Subscribe(nil, statesync.Options{Resume: true, Since: 0, Epoch: epoch})
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("epoch %q: %v, %s, want a %s", epoch, err, text, want)
		}
	}
}
