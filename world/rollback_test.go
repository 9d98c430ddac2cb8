package world_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/world"
)

// house is a handler that makes changes of every kind. Before each it calls next, which may stop it.
func (f *fixture) house(tx *world.Tx, next func() error) error {
	var ids []world.ID
	changes := []func() error{
		func() error { return f.global.Set(tx, tx.Rand().Float64()) },
		func() error { return f.Environment.Weather.Set(tx, world.Weather{Kind: "fog", Intensity: 0.5}) },
		func() error { return f.rows.Set(tx, "k1", int(f.rows.Next(tx))) },
		func() error { f.rows.Delete(tx, "kept"); return nil },
		func() error { return tx.Moment(world.Moment{Kind: "sound", Payload: []byte(`{"name":"knock"}`)}) },
		func() error { return tx.SetPosition(1, world.Vec3{100, 0, 0}) },
		func() error { return tx.SetRotation(1, world.Quat{0, 1, 0, 1}) },
		func() error { return tx.SetScale(1, world.Vec3{2, 2, 2}) },
		func() error { return tx.SetName(2, "roof") },
		func() error { _, err := tx.RemoveTag(2, "old"); return err },
		func() error { _, err := tx.AddTag(2, "red"); return err },
		func() error { return tx.SetParent(3, 2) },
		func() error { f.secrets.Remove(tx, 2); return nil },
		func() error { tx.Destroy(1); return nil }, // and 4, which is under it
	}
	for i := range 5 {
		changes = append(changes,
			func() error {
				id, err := tx.Create(world.Spec{Position: world.Vec3{float64(i) * 10, 0, 0}, Tags: []string{"wall"}})
				ids = append(ids, id)
				return err
			},
			func() error { return f.Shapes.Set(tx, ids[i], world.Shape{Kind: "box"}) },
			func() error { return f.Shapes.Set(tx, ids[i], world.Shape{Kind: "sphere"}) },
			func() error { return f.secrets.Set(tx, ids[i], "s") },
			func() error { return tx.SetParent(ids[i], ids[0]*world.ID(min(i, 1))) },
		)
	}
	for _, change := range changes {
		if err := next(); err != nil {
			return err
		}
		if err := change(); err != nil {
			return err
		}
	}
	return next()
}

// furnish makes the world in which house is built.
func (f *fixture) furnish(t *testing.T) {
	t.Helper()
	_, err := f.Update(context.Background(), func(tx *world.Tx) error {
		for i := range 4 {
			id, err := tx.Create(world.Spec{Position: world.Vec3{float64(i)}, Tags: []string{"old"}, Parent: world.ID(max(0, i-2))})
			if err != nil {
				return err
			}
			if err := f.secrets.Set(tx, id, "secret"); err != nil {
				return err
			}
		}
		return f.rows.Set(tx, "kept", 1)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// snapshot is everything that can be seen of a world.
func snapshot(w *world.World) []string {
	out := []string{fmt.Sprintf("%x", w.Hash()), fmt.Sprint(w.Tick())}
	w.View(func(v *world.View) {
		out = append(out, v.NextID().String(), fmt.Sprint(v.Len(), v.AllTags(), v.Near(world.Vec3{}, 1e9)))
		for id := range v.All() {
			out = append(out, string(w.AppendEntity(nil, v, id)))
		}
		for _, name := range w.Shared(v) {
			out = append(out, name+string(w.AppendShared(nil, v, name)))
		}
	})
	return out
}

var errStop = errors.New("stopped")

// TestNothingRemains has a handler fail, panic, or be taken back after k of its n changes, for every
// k: not a trace of them remains.
func TestNothingRemains(t *testing.T) {
	n := 0
	count := newFixture(world.Config{})
	count.furnish(t)
	if _, err := count.Update(context.Background(), func(tx *world.Tx) error {
		return count.house(tx, func() error { n++; return nil })
	}); err != nil {
		t.Fatal(err)
	}
	ways := map[string]func(f *fixture, c *call, stop func(k int) func() error, k int){
		"error": func(f *fixture, c *call, stop func(int) func() error, k int) {
			_, err := world.Do(f.World, c, func(tx *world.Tx) (nothing, error) { return nothing{}, f.house(tx, stop(k)) })
			c.end(1, err != nil)
		},
		"error that is swallowed": func(f *fixture, c *call, stop func(int) func() error, k int) {
			_, _ = world.Do(f.World, c, func(tx *world.Tx) (nothing, error) { return nothing{}, f.house(tx, stop(k)) })
			c.end(1, false)
		},
		"panic": func(f *fixture, c *call, stop func(int) func() error, k int) {
			defer func() { c.end(1, recover() != nil) }()
			_, _ = world.Do(f.World, c, func(tx *world.Tx) (nothing, error) {
				if err := f.house(tx, stop(k)); err != nil {
					panic(err)
				}
				return nothing{}, nil
			})
		},
		"panic in engine code": func(f *fixture, _ *call, stop func(int) func() error, k int) {
			defer func() { _ = recover() }()
			_, _ = f.Update(context.Background(), func(tx *world.Tx) error {
				if err := f.house(tx, stop(k)); err != nil {
					panic(err)
				}
				return nil
			})
		},
		"cancelled": func(f *fixture, _ *call, stop func(int) func() error, k int) {
			ctx, cancel := context.WithCancel(context.Background())
			_, _ = f.Update(ctx, func(tx *world.Tx) error {
				_ = f.house(tx, stop(k))
				cancel()
				return nil
			})
		},
		"dry run": func(f *fixture, c *call, stop func(int) func() error, k int) {
			_, _ = world.Do(f.World, c, func(tx *world.Tx) (nothing, error) {
				mark := tx.Savepoint()
				_ = f.house(tx, stop(k))
				tx.RollbackTo(mark)
				return nothing{}, nil
			})
			c.end(1, false)
		},
		"step": func(f *fixture, _ *call, stop func(int) func() error, k int) {
			f.OnStep("house", func(tx *world.Tx) error { return f.house(tx, stop(k)) })
		},
	}
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			for k := range n {
				f := newFixture(world.Config{})
				f.furnish(t)
				f.Observe(func(c *world.Commit) { t.Errorf("after %d changes: there was a commit, %v", k, c) })
				before := snapshot(f.World)
				stop := func(k int) func() error {
					return func() error {
						if k--; k < 0 {
							return errStop
						}
						return nil
					}
				}
				way(f, &call{}, stop, k)
				whole(t, f.World)
				if diff := gocmp.Diff(before, snapshot(f.World)); diff != "" {
					t.Fatalf("after %d changes (-before +after):\n%s", k, diff)
				}
			}
		})
	}
}

// TestJoin has a skill call another that fails: what the first did stays, what the second did does
// not, and there is one commit.
func TestJoin(t *testing.T) {
	w := world.New(world.Config{})
	var commits []world.Commit
	w.Observe(func(c *world.Commit) {
		commits = append(commits, world.Commit{Tick: c.Tick, Causes: append([]uint64(nil), c.Causes...), Changes: append([]world.Change(nil), c.Changes...)})
	})
	c := &call{}
	create := func(x float64, fail error) (world.ID, error) {
		return world.Do(w, c, func(tx *world.Tx) (world.ID, error) {
			id, err := tx.Create(world.Spec{Position: world.Vec3{x, 0, 0}})
			return id, errors.Join(err, fail)
		})
	}
	id, err := world.Do(w, c, func(*world.Tx) (world.ID, error) {
		if _, err := create(1, nil); err != nil {
			return 0, err
		}
		if _, err := create(2, errStop); !errors.Is(err, errStop) {
			return 0, err
		}
		return create(3, nil)
	})
	if id != 2 || err != nil {
		t.Fatalf("Do = %s, %v, want ent_1", id, err)
	}
	n, err := world.Read(w, c, func(v *world.View) (int, error) { return v.Len(), nil })
	if n != 2 || err != nil {
		t.Errorf("Read inside the call saw %d entities, %v, want 2", n, err)
	}
	c.end(77, false)
	want := []world.Commit{{Tick: 1, Causes: []uint64{77}, Changes: []world.Change{{ID: 1, What: world.Created}, {ID: 2, What: world.Created}}}}
	if diff := gocmp.Diff(want, commits, ignoreView); diff != "" {
		t.Errorf("commits (-want +got):\n%s", diff)
	}
}

// TestForeign has a call with a transaction of one world go to another.
func TestForeign(t *testing.T) {
	w, other := world.New(world.Config{}), world.New(world.Config{})
	c := &call{}
	if _, err := world.Do(w, c, func(*world.Tx) (nothing, error) { return nothing{}, nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := world.Do(other, c, func(*world.Tx) (nothing, error) { return nothing{}, nil }); err == nil {
		t.Error("Do on another world joined the transaction of the first")
	}
	if _, err := world.Read(other, c, func(*world.View) (nothing, error) { return nothing{}, nil }); err == nil {
		t.Error("Read on another world joined the transaction of the first")
	}
	c.end(0, true)
}

// TestKept has somebody keep a transaction beyond its end, and use it: that panics and leaves no mark, neither on the
// world nor on the transactions that come.
func TestKept(t *testing.T) {
	for name, use := range map[string]func(*fixture, *world.Tx){
		"Create":      func(_ *fixture, tx *world.Tx) { _, _ = tx.Create(world.Spec{}) },
		"Destroy":     func(_ *fixture, tx *world.Tx) { tx.Destroy(1) },
		"Rand":        func(_ *fixture, tx *world.Tx) { tx.Rand().Uint64() },
		"component":   func(f *fixture, tx *world.Tx) { _ = f.Shapes.Set(tx, 1, world.Shape{Kind: "box"}) },
		"again":       func(f *fixture, tx *world.Tx) { _ = f.secrets.Set(tx, 1, "b") },
		"gone":        func(f *fixture, tx *world.Tx) { f.secrets.Remove(tx, 1) },
		"row":         func(f *fixture, tx *world.Tx) { _ = f.rows.Set(tx, "other", 2) },
		"row again":   func(f *fixture, tx *world.Tx) { _ = f.rows.Set(tx, "row", 2) },
		"row gone":    func(f *fixture, tx *world.Tx) { f.rows.Delete(tx, "row") },
		"Next":        func(f *fixture, tx *world.Tx) { f.rows.Next(tx) },
		"global":      func(f *fixture, tx *world.Tx) { _ = f.global.Set(tx, 9) },
		"moment":      func(_ *fixture, tx *world.Tx) { _ = tx.Moment(world.Moment{Kind: "k"}) },
		"SetPosition": func(_ *fixture, tx *world.Tx) { _ = tx.SetPosition(1, world.Vec3{7, 7, 7}) },
		"SetScale":    func(_ *fixture, tx *world.Tx) { _ = tx.SetScale(1, world.Vec3{7, 7, 7}) },
		"SetParent":   func(_ *fixture, tx *world.Tx) { _ = tx.SetParent(1, 2) },
		"AddTag":      func(_ *fixture, tx *world.Tx) { _, _ = tx.AddTag(1, "b") },
		"RemoveTag":   func(_ *fixture, tx *world.Tx) { _, _ = tx.RemoveTag(1, "a") },
		"SetName":     func(_ *fixture, tx *world.Tx) { _ = tx.SetName(1, "other") },
	} {
		t.Run(name, func(t *testing.T) {
			f, twin := newFixture(world.Config{}), newFixture(world.Config{})
			prepare := func(f *fixture) (kept *world.Tx) {
				must(t, f.World, func(tx *world.Tx) error {
					kept = tx
					create(t, tx, world.Spec{Name: "first", Tags: []string{"a"}})
					create(t, tx, world.Spec{})
					return errors.Join(f.secrets.Set(tx, 1, "a"), f.rows.Set(tx, "row", 1))
				})
				return kept
			}
			prepare(twin)
			kept := prepare(f)
			func() {
				defer func() {
					if recover() == nil {
						t.Error("it worked after the end of the transaction")
					}
				}()
				use(f, kept)
			}()
			for _, f := range []*fixture{f, twin} {
				// What follows changes everything, so that whatever was left behind would get into it or its undo.
				c := &call{agent: "ann", skill: "test"}
				stop := f.Observe(func(c *world.Commit) {
					if len(c.Changes) != 2 || len(c.Moments) != 0 {
						t.Errorf("changes %v, moments %v", c.Changes, c.Moments)
					}
				})
				_, err := world.Do(f.World, c, func(tx *world.Tx) (nothing, error) {
					_, err := tx.RemoveTag(1, "a")
					f.rows.Delete(tx, "row")
					return nothing{}, errors.Join(err, tx.SetPosition(1, world.Vec3{1, 1, 1}), tx.SetScale(1, world.Vec3{2, 2, 2}),
						f.secrets.Set(tx, 1, "c"), f.global.Set(tx, 4), tx.SetName(1, "n"), tx.SetParent(2, 1))
				})
				if err != nil {
					t.Fatal(err)
				}
				c.end(1, false)
				stop()
				if _, err := world.Do(f.World, c, func(tx *world.Tx) (world.Undone, error) { return tx.Undo(1) }); err != nil {
					t.Fatal(err)
				}
				c.end(2, false)
			}
			if f.Hash() != twin.Hash() {
				t.Error("the world is not what it would be without")
			}
		})
	}
}
