package world_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/world"
)

// as runs fn as a call of an agent's who has seen a revision, 0 for none, and returns its error.
func as(w *world.World, agent string, seen uint64, fn func(*world.Tx) error) error {
	c := &call{agent: agent, skill: "test", seen: seen}
	_, err := world.Do(w, c, func(tx *world.Tx) (nothing, error) { return nothing{}, fn(tx) })
	c.end(1, err != nil)
	return err
}

// TestSeenByNewcomer: also who has never changed anything is held to what he has seen, whoever changed it since.
func TestSeenByNewcomer(t *testing.T) {
	w := world.New(world.Config{})
	var id world.ID
	must(t, w, func(tx *world.Tx) error { id = create(t, tx, world.Spec{}); return nil })
	seen := w.Tick()
	must(t, w, func(tx *world.Tx) error { return tx.SetPosition(id, world.Vec3{1, 0, 0}) })
	move := func(tx *world.Tx) error { return tx.SetPosition(id, world.Vec3{2, 0, 0}) }
	err := as(w, "ann", seen, move)
	if want := "ifRevision: since revision 1 the host program changed ent_0 transform (revision 2)"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s…", err, want)
	}
	if err := as(w, "ann", w.Tick(), move); err != nil {
		t.Error(err)
	}
	if err := as(w, "ann", seen+1, move); err != nil { // only he himself has changed anything since
		t.Error(err)
	}
	if err := as(w, "bob", seen, func(*world.Tx) error { return nil }); err != nil { // who changes nothing overwrites nothing
		t.Error(err)
	}
	if err := as(w, "bob", 1e6, func(*world.Tx) error { return nil }); err != nil {
		t.Error(err)
	}
}

// TestForgottenAtOnce: a commit that is too large to be remembered leaves nobody else with what comes after it.
func TestForgottenAtOnce(t *testing.T) {
	const many = 1<<20 + 1 // more than the ledger takes
	w := world.New(world.Config{MaxEntities: many})
	if err := as(w, "ann", 0, func(tx *world.Tx) error {
		for range many {
			create(t, tx, world.Spec{})
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	move := func(id world.ID) func(*world.Tx) error {
		return func(tx *world.Tx) error { return tx.SetPosition(id, world.Vec3{1, 0, 0}) }
	}
	must(t, w, move(1))
	if err := as(w, "bob", 0, move(2)); err != nil {
		t.Fatal(err)
	}
	w.View(func(v *world.View) {
		for agent, want := range map[string]int{"ann": 0, "bob": 1, "": 0} {
			if undo, _ := v.History(agent); len(undo) != want {
				t.Errorf("%q can undo %v, want %d", agent, undo, want)
			}
		}
		changed, err := v.ChangedSince(1)
		if err != nil || len(changed) != 2 || changed[0].By != "" || changed[1].By != "bob" {
			t.Errorf("changed %+v, %v; want the first by nobody, the second by bob", changed, err)
		}
	})
}

// TestClaimForEver claims for more steps than can be counted.
func TestClaimForEver(t *testing.T) {
	w := world.New(world.Config{})
	w.Step(t.Context())
	if err := as(w, "ann", 0, func(tx *world.Tx) error {
		_, made, err := tx.Claim(world.Claim{Hi: world.Vec3{1, 1, 1}}, math.MaxUint64)
		if made.Until != math.MaxUint64 {
			t.Errorf("until %d", made.Until)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	w.Step(t.Context())
	if err := as(w, "bob", 0, func(tx *world.Tx) error { _, err := tx.Create(world.Spec{}); return err }); err == nil {
		t.Error("the claim does not hold")
	}
}

// TestRestoreRefuses changes the text of a snapshot to what no setter would take: it is refused, and nothing changes.
func TestRestoreRefuses(t *testing.T) {
	f := newFixture(world.Config{})
	must(t, f.World, func(tx *world.Tx) error {
		id := create(t, tx, world.Spec{Name: "NAME", Tags: []string{"tag"}})
		return f.Shapes.Set(tx, id, world.Shape{Kind: "box", Size: world.Vec3{1, 2, 3}})
	})
	var text string
	f.View(func(v *world.View) { text = string(v.AppendSnapshot(nil)) })
	before := f.Hash()
	for _, tt := range []struct{ old, now, want string }{
		{`"rot":[0,0,0,1]`, `"rot":[0,0,0,0]`, "restore ent_0: rotation: must not be all zeros; no rotation is [0, 0, 0, 1]"},
		{`"pos":[0,0,0]`, `"pos":[1e300,0,0]`, "restore ent_0: position[0]: must be a finite number within ±3.4e38, got 1e+300"},
		{`"scale":[1,1,1]`, `"scale":[1,1,-1e40]`, "restore ent_0: scale[2]: must be a finite number within ±3.4e38, got -1e+40"},
		{`"NAME"`, `"` + strings.Repeat("x", world.MaxName+1) + `"`, "restore name of ent_0: name: must have at most 256 bytes, got 257"},
		{`["tag"]`, `["tag",""]`, "restore tags of ent_0: tag: must have 1 to 128 bytes, got 0"},
		{`"size":[1,2,3]`, `"size":[1,1e300,3]`, "restore shape of ent_0: shape.size[1]: must be a finite number within ±3.4e38, got 1e+300"},
	} {
		if !strings.Contains(text, tt.old) {
			t.Fatalf("there is no %s in %s", tt.old, text)
		}
		_, err := f.Update(t.Context(), func(tx *world.Tx) error {
			if err := tx.SetPosition(1, world.Vec3{1, 1, 1}); err != nil { // so that there is something to restore
				return err
			}
			return tx.Restore([]byte(strings.Replace(text, tt.old, tt.now, 1)))
		})
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v\nwant %s", tt.now, err, tt.want)
		}
	}
	if f.Hash() != before {
		t.Error("something has changed")
	}
}

// TestGateThatPanics: a gate that panics, or one who is asked for his activity, does not leave the world locked.
func TestGateThatPanics(t *testing.T) {
	w := world.New(world.Config{})
	broken := true
	w.OnGate(func() <-chan struct{} {
		if broken {
			panic("the gate is stuck")
		}
		return nil
	})
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		w.Step(t.Context())
	}()
	broken = false
	w.Step(t.Context()) // for ever, if the world is locked
	if w.Steps() != 1 {
		t.Errorf("%d steps, want 1", w.Steps())
	}
}

// TestUndoOfDestroyAndRestore: what was destroyed and then restored where it once was is, after the undo of both, where
// it was when it was destroyed, whether both were one commit or two.
func TestUndoOfDestroyAndRestore(t *testing.T) {
	for _, commits := range []int{1, 2} {
		f := newFixture(world.Config{})
		var id world.ID
		must(t, f.World, func(tx *world.Tx) error {
			id = create(t, tx, world.Spec{Name: "first", Tags: []string{"a"}})
			return f.secrets.Set(tx, id, "s")
		})
		var old []byte
		f.View(func(v *world.View) { old = v.AppendSnapshot(nil) })
		must(t, f.World, func(tx *world.Tx) error {
			return errors.Join(tx.SetTransform(id, world.Transform{Position: world.Vec3{1, 2, 3}, Rotation: world.NoRotation(), Scale: world.Vec3{2, 2, 2}}),
				tx.SetName(id, "second"), f.secrets.Set(tx, id, "t"))
		})
		content := func() (h [32]byte) {
			f.View(func(v *world.View) { h = v.ContentHash() })
			return h
		}
		before := content()
		destroy := func(tx *world.Tx) error { tx.Destroy(id); return nil }
		restore := func(tx *world.Tx) error { return tx.Restore(old) }
		steps := []func(*world.Tx) error{destroy, restore}
		if commits == 1 {
			steps = []func(*world.Tx) error{func(tx *world.Tx) error { return errors.Join(destroy(tx), restore(tx)) }}
		}
		for _, step := range steps {
			if err := as(f.World, "ann", 0, step); err != nil {
				t.Fatal(err)
			}
		}
		after := content()
		if err := as(f.World, "ann", 0, func(tx *world.Tx) error { _, err := tx.Undo(commits); return err }); err != nil {
			t.Fatal(err)
		}
		if content() != before {
			f.View(func(v *world.View) {
				now, _ := v.Transform(id)
				t.Errorf("%d commits undone: %+v %s", commits, now, v.Name(id))
			})
		}
		if err := as(f.World, "ann", 0, func(tx *world.Tx) error { _, err := tx.Redo(1); return err }); err != nil {
			t.Fatal(err)
		}
		if content() != after {
			t.Errorf("%d commits redone otherwise", commits)
		}
	}
}

// TestConflicts: an undo that would overwrite what somebody else has done is refused, in words that say who did what by what.
func TestConflicts(t *testing.T) {
	move := func(x float64) func(*world.Tx) error {
		return func(tx *world.Tx) error { return tx.SetPosition(1, world.Vec3{x, 0, 0}) }
	}
	made := func(under world.ID) func(*world.Tx) error {
		return func(tx *world.Tx) error { _, err := tx.Create(world.Spec{Parent: under}); return err }
	}
	destroy := func(tx *world.Tx) error { tx.Destroy(1); return nil }
	var first []byte // a snapshot from before
	tests := []struct {
		name     string
		ann, bob func(*world.Tx) error
		want     string
	}{
		{"moved", move(1), move(2), "bob changed ent_0 transform (test, call 1, revision 3)"},
		{"moved what is elsewhere now", move(1), destroy, "bob destroyed ent_0 (test, call 1, revision 3)"},
		{"tagged", move(1), func(tx *world.Tx) error { _, err := tx.AddTag(1, "red"); return err }, ""},
		{"made something", move(1), made(0), ""},
		{"made something under it", move(1), made(1), ""},
		{"changed what was made", made(0), func(tx *world.Tx) error { return tx.SetName(2, "b") }, "bob changed ent_1 name (test, call 1, revision 3)"},
		{"destroyed what was made", made(0), func(tx *world.Tx) error { tx.Destroy(2); return nil }, "bob destroyed ent_1 (test, call 1, revision 3)"},
		{"made something under what was made", made(0), made(2), "bob put ent_2 under ent_1 (test, call 1, revision 3)"},
		{"put something under what was made", made(0), func(tx *world.Tx) error { return tx.SetParent(1, 2) }, "bob put ent_0 under ent_1 (test, call 1, revision 3)"},
		{"made something again", destroy, func(tx *world.Tx) error { return tx.Restore(first) }, "bob made ent_0 (test, call 1, revision 3)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := world.New(world.Config{})
			must(t, w, made(0))
			w.View(func(v *world.View) { first = v.AppendSnapshot(nil) })
			if err := errors.Join(as(w, "ann", 0, tt.ann), as(w, "bob", 0, tt.bob)); err != nil {
				t.Fatal(err)
			}
			before, want := w.Hash(), ""
			if tt.want != "" {
				want = "cannot undo: it would overwrite what others have done since: " + tt.want + ". Nothing was changed"
			}
			got := ""
			if err := as(w, "ann", 0, func(tx *world.Tx) error { _, err := tx.Undo(1); return err }); err != nil {
				got = err.Error()
			}
			if got != want || (w.Hash() == before) != (want != "") {
				t.Errorf("got %q\nwant %q", got, want)
			}
		})
	}
}

// TestManyConflicts: of what others have done since, five are named, each once, and the rest is counted.
func TestManyConflicts(t *testing.T) {
	w := world.New(world.Config{})
	const many = 8
	turn := func(agent string, x float64) {
		if err := as(w, agent, 0, func(tx *world.Tx) error {
			for range 2 { // there and back: each is touched twice, the others in between
				for id := world.ID(1); id <= many; id++ {
					if err := errors.Join(tx.SetPosition(id, world.Vec3{x}), tx.SetName(id, agent)); err != nil {
						return err
					}
				}
				x++
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	must(t, w, func(tx *world.Tx) error {
		for range many {
			create(t, tx, world.Spec{})
		}
		return nil
	})
	turn("ann", 1)
	turn("bob", 5)
	err := as(w, "ann", 0, func(tx *world.Tx) error { _, err := tx.Undo(1); return err })
	const by = " (test, call 1, revision 3)"
	want := "cannot undo: it would overwrite what others have done since: bob changed ent_0 transform" + by + "; bob changed ent_0 name" + by +
		"; bob changed ent_1 transform" + by + "; bob changed ent_1 name" + by + "; bob changed ent_2 transform" + by +
		"; and 11 more. Nothing was changed"
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

// TestUndoOfTooMuch: what holds more than 32 MB cannot be undone, nor what came before it; what came after it can.
func TestUndoOfTooMuch(t *testing.T) {
	w := world.New(world.Config{})
	text := world.NewGlobal(w, "text", "")
	for i := range 4 {
		if err := as(w, "ann", 0, func(tx *world.Tx) error { return text.Set(tx, strings.Repeat("t", []int{1, 33 << 20, 2, 3}[i])) }); err != nil {
			t.Fatal(err)
		}
	}
	w.View(func(v *world.View) { // the third holds what was there before it
		if undo, _ := v.History("ann"); len(undo) != 1 {
			t.Errorf("%d steps can be undone, want 1", len(undo))
		}
	})
}

// TestUndoAlone: an undo is all that a call does. What comes before it, after it or twice is refused, and takes the call with it
// if the call does not go on.
func TestUndoAlone(t *testing.T) {
	move := func(tx *world.Tx) error { return tx.SetPosition(1, world.Vec3{9, 0, 0}) }
	undo := func(tx *world.Tx) error { _, err := tx.Undo(1); return err }
	redo := func(tx *world.Tx) error { _, err := tx.Redo(1); return err }
	const after = "undo and redo must be all that a call does: call them by themselves"
	const before = "undo and redo must be all that a call does; here something was changed before: call them by themselves"
	for name, tt := range map[string]struct {
		first, second func(*world.Tx) error
		want          string
	}{
		"after a change":  {move, undo, before},
		"redo after one":  {move, redo, before},
		"before a change": {undo, move, after},
		"twice":           {undo, undo, after},
		"there and back":  {undo, redo, after},
	} {
		w := world.New(world.Config{})
		for range 2 {
			if err := as(w, "ann", 0, func(tx *world.Tx) error { _, err := tx.Create(world.Spec{}); return err }); err != nil {
				t.Fatal(err)
			}
		}
		hash := w.Hash()
		c := &call{agent: "ann", skill: "test"}
		do := func(fn func(*world.Tx) error) error {
			_, err := world.Do(w, c, func(tx *world.Tx) (nothing, error) { return nothing{}, fn(tx) })
			return err
		}
		if err := do(tt.first); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := do(tt.second); err == nil || err.Error() != tt.want {
			t.Errorf("%s: got %v, want %s", name, err, tt.want)
		}
		c.end(3, true)
		if w.Hash() != hash {
			t.Errorf("%s: the call failed and something has changed", name)
		}
	}
}

// TestUndoOfTurnedFamily: what was under another and carries that now goes back under it, whichever has the lower id.
func TestUndoOfTurnedFamily(t *testing.T) {
	for _, child := range []world.ID{1, 2} {
		w := world.New(world.Config{})
		other := 3 - child
		for _, step := range []func(*world.Tx) error{
			func(tx *world.Tx) error { _, err := tx.Create(world.Spec{}); return err },
			func(tx *world.Tx) error { _, err := tx.Create(world.Spec{}); return err },
			func(tx *world.Tx) error { return tx.SetParent(child, other) },
			func(tx *world.Tx) error { return errors.Join(tx.SetParent(child, 0), tx.SetParent(other, child)) },
			func(tx *world.Tx) error { _, err := tx.Undo(1); return err },
		} {
			if err := as(w, "ann", 0, step); err != nil {
				t.Fatal(err)
			}
		}
		w.View(func(v *world.View) {
			if v.Parent(child) != other || v.Parent(other) != 0 {
				t.Errorf("%v is under %v and %v under %v, want the first under the other", child, v.Parent(child), other, v.Parent(other))
			}
		})
	}
}

// TestUndoInFullWorld: what was destroyed has no room any more. The undo says so and changes nothing.
func TestUndoInFullWorld(t *testing.T) {
	w := world.New(world.Config{MaxEntities: 2})
	made := func(tx *world.Tx) error { _, err := tx.Create(world.Spec{}); return err }
	for _, step := range []func(*world.Tx) error{made, made, func(tx *world.Tx) error { tx.Destroy(1); return nil }} {
		if err := as(w, "ann", 0, step); err != nil {
			t.Fatal(err)
		}
	}
	if err := as(w, "bob", 0, made); err != nil {
		t.Fatal(err)
	}
	before := w.Hash()
	err := as(w, "ann", 0, func(tx *world.Tx) error { _, err := tx.Undo(1); return err })
	var e *world.Error
	if !errors.As(err, &e) || e.Code != "capacity_exceeded" || w.Hash() != before {
		t.Errorf("got %v, want capacity_exceeded and nothing changed", err)
	}
}

// TestPreview: what a transaction has done since a mark is told, from before to after, and undone; what it did before stays.
func TestPreview(t *testing.T) {
	f := newFixture(world.Config{})
	must(t, f.World, func(tx *world.Tx) error {
		for range 4 {
			create(t, tx, world.Spec{})
		}
		return nil
	})
	const whole = `{"pos":[0,0,0],"rot":[0,0,0,1],"scale":[1,1,1]}`
	must(t, f.World, func(tx *world.Tx) error {
		if err := tx.SetPosition(1, world.Vec3{1, 0, 0}); err != nil {
			return err
		}
		mark, hash := tx.Savepoint(), tx.Hash()
		err := errors.Join(
			tx.SetPosition(1, world.Vec3{2, 0, 0}), f.global.Set(tx, 2), f.rows.Set(tx, "a", 1),
			f.secrets.Set(tx, 2, "nobody is told"), tx.SetName(3, "new"),
		)
		tx.Destroy(4)
		create(t, tx, world.Spec{})
		gone := create(t, tx, world.Spec{})
		tx.Destroy(gone)
		if err != nil {
			return err
		}
		got := string(tx.Preview(mark))
		want := `{"created":1,"changed":2,"destroyed":1,"entities":[` +
			`{"entity":"ent_0","change":"changed","before":{"pos":[1,0,0]},"after":{"pos":[2,0,0]}},` +
			`{"entity":"ent_2","change":"changed","after":{"name":"new"}},` +
			`{"entity":"ent_3","change":"destroyed","before":` + whole + `},` +
			`{"entity":"ent_4","change":"created","after":` + whole + `}],"world":["global","rows"],"more":0}`
		if got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
		if tx.Hash() != hash {
			t.Error("what was done since the mark is not undone, or more is")
		}
		for range 60 {
			create(t, tx, world.Spec{})
		}
		if got := string(tx.Preview(mark)); strings.Count(got, `"entity"`) != 50 || !strings.HasSuffix(got, `"world":[],"more":10}`) {
			t.Errorf("of sixty that are new: %s", got)
		}
		return nil
	})
}
