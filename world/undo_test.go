package world_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/world"
)

// builders is a world in which agents make and undo commits.
type builders struct {
	*fixture
	t      *rapid.T
	intent uint64
	all    bool // what can be redone is known however long ago it was undone
}

func newBuilders(t *rapid.T) *builders {
	b := &builders{fixture: newFixture(world.Config{Seed: 3, MaxEntities: 60}), t: t}
	few := rapid.SampledFrom([]int{1 << 18, 5, 2, 1}).Draw(t, "commits") // what is older is aside
	b.RememberFew(few)
	b.all = few > 5
	b.OnStep("drift", func(tx *world.Tx) error {
		for id := range tx.All() {
			if at, _ := tx.Transform(id); tx.Name(id) == "loose" {
				if err := tx.SetPosition(id, at.Position.Add(world.Vec3{0, -1, 0})); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return b
}

// as runs fn as a call of an agent's.
func (b *builders) as(agent string, fn func(*world.Tx) error) error {
	b.intent++
	c := &call{agent: agent, skill: "test"}
	_, err := world.Do(b.World, c, func(tx *world.Tx) (nothing, error) { return nothing{}, fn(tx) })
	c.end(b.intent, err != nil)
	return err
}

// knows runs what brings something back: what entities have afterwards was known before.
func (b *builders) knows(fn func() error) error {
	var before []string
	b.View(func(v *world.View) { before = slices.Collect(b.secrets.Known(v)) })
	err := fn()
	b.View(func(v *world.View) {
		for id, secret := range b.secrets.All(v) {
			if !slices.Contains(before, secret) {
				b.t.Fatalf("%v has %q, which was not among %q", id, secret, before)
			}
		}
	})
	return err
}

// undo has an agent undo n steps, or somebody else in his place, which is the same.
func (b *builders) undo(agent string, n int) error {
	if rapid.Bool().Draw(b.t, "by another") {
		return b.knows(func() error {
			return b.as("judge", func(tx *world.Tx) error { _, err := tx.UndoOf(agent, n); return err })
		})
	}
	return b.knows(func() error { return b.as(agent, func(tx *world.Tx) error { _, err := tx.Undo(n); return err }) })
}

// redo is to undo what Redo is to Undo.
func (b *builders) redo(agent string, n int) error {
	if rapid.Bool().Draw(b.t, "by another") {
		return b.knows(func() error {
			return b.as("judge", func(tx *world.Tx) error { _, err := tx.RedoOf(agent, n); return err })
		})
	}
	return b.knows(func() error { return b.as(agent, func(tx *world.Tx) error { _, err := tx.Redo(n); return err }) })
}

func (b *builders) content() (h [32]byte) {
	b.View(func(v *world.View) { h = v.ContentHash() })
	whole(b.t, b.World)
	return h
}

// show is everything that can be seen of entities.
func (b *builders) show(ids []world.ID) string {
	var out []byte
	b.View(func(v *world.View) {
		for _, id := range ids {
			secret, has := b.secrets.Get(v, id)
			local, _ := v.Transform(id)
			out = fmt.Appendf(b.AppendEntity(out, v, id), " %s %v %v %v\n", secret, has, local, slices.Contains(v.Tagged("red"), id))
		}
	})
	return string(out)
}

// some does a few random things to entities among ids, and returns those that it made.
func (b *builders) some(tx *world.Tx, ids []world.ID, shared bool) (made []world.ID) {
	t := b.t
	pick := func() world.ID { return rapid.SampledFrom(ids).Draw(t, "id") }
	vec := func() world.Vec3 {
		n := rapid.IntRange(-20, 20)
		return world.Vec3{float64(n.Draw(t, "x")), 0, float64(n.Draw(t, "z"))}
	}
	for range rapid.IntRange(1, 6).Draw(t, "ops") {
		var err error
		op := rapid.IntRange(0, 14).Draw(t, "op")
		if len(ids) == 0 {
			op = 0
		}
		switch op {
		case 0, 1, 2:
			var id world.ID
			spec := world.Spec{Position: vec(), Tags: rapid.SampledFrom([][]string{nil, {"red"}, {"blue", "red"}}).Draw(t, "tags"), Name: rapid.SampledFrom([]string{"", "loose"}).Draw(t, "name")}
			if rapid.Bool().Draw(t, "child") && len(ids) > 0 {
				spec.Parent = pick()
			}
			if id, err = tx.Create(spec); err == nil {
				ids, made = append(ids, id), append(made, id)
				err = b.Shapes.Set(tx, id, world.Shape{Kind: "box"})
			}
		case 3:
			err = tx.SetPosition(pick(), vec())
		case 4:
			err = tx.SetRotation(pick(), world.Quat{0, 1, 0, float64(rapid.IntRange(1, 5).Draw(t, "w"))})
		case 5:
			err = tx.SetParent(pick(), pick())
		case 6:
			err = tx.SetParent(pick(), 0)
		case 7:
			err = b.Shapes.Set(tx, pick(), world.Shape{Kind: "sphere", Color: uint32(rapid.IntRange(0, 9).Draw(t, "color"))})
		case 8:
			b.Shapes.Remove(tx, pick())
		case 9:
			_, err = tx.AddTag(pick(), rapid.SampledFrom([]string{"red", "blue", "green"}).Draw(t, "tag"))
		case 10:
			_, err = tx.RemoveTag(pick(), rapid.SampledFrom([]string{"red", "blue", "green"}).Draw(t, "tag"))
		case 11:
			err = b.secrets.Set(tx, pick(), rapid.StringN(0, 5, -1).Draw(t, "secret"))
		case 12:
			tx.Destroy(pick())
		case 13:
			if shared {
				key := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "key")
				if rapid.Bool().Draw(t, "delete") {
					b.rows.Delete(tx, key)
				} else {
					err = b.rows.Set(tx, key, int(b.rows.Next(tx)))
				}
			}
		case 14:
			if shared {
				err = b.global.Set(tx, float64(rapid.IntRange(0, 9).Draw(t, "global")))
			}
			_ = tx.Rand().Uint64()
			_ = tx.Moment(world.Moment{Kind: "noise"})
		}
		var refused *world.Error
		if err != nil && !errors.As(err, &refused) {
			t.Fatal(err)
		}
	}
	return made
}

// TestUndo undoes everything that an agent has done, one by one, a few at once, and does it again:
// each undo gives the world the content back that it had.
func TestUndo(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := newBuilders(rt)
		var ids []world.ID
		var undo, redo []taken // what the test knows of the steps
		for range rapid.IntRange(1, 17).Draw(rt, "turns") {
			before := b.content()
			switch n := rapid.IntRange(1, 4).Draw(rt, "n"); rapid.IntRange(0, 3).Draw(rt, "do") {
			case 0:
				if err := b.undo("ann", n); (err == nil) != (n <= len(undo)) {
					rt.Fatalf("undo %d of %d: %v", n, len(undo), err)
				} else if err == nil {
					step := taken{undo[len(undo)-n].before, before}
					undo, redo = undo[:len(undo)-n], append(redo, step)
					before = step.before
				}
			case 1:
				if err := b.redo("ann", n); (err == nil) != (n <= len(redo)) && (b.all || err == nil) {
					rt.Fatalf("redo %d of %d: %v", n, len(redo), err)
				} else if err == nil {
					step := taken{before, redo[len(redo)-n].after}
					undo, redo = append(undo, step), redo[:len(redo)-n]
					before = step.after
				}
			default:
				steps, _ := b.history("ann")
				_ = b.as("ann", func(tx *world.Tx) error {
					made := b.some(tx, ids, true)
					if rapid.IntRange(0, 4).Draw(rt, "fail") == 0 {
						return errStop
					}
					ids = append(ids, made...)
					return nil
				})
				if now, _ := b.history("ann"); len(now) > len(steps) {
					undo, redo = append(undo, taken{before, b.content()}), nil
					before = b.content()
				}
			}
			if b.content() != before {
				rt.Fatal("the content is not what it has to be")
			}
			if u, r := b.history("ann"); len(u) != len(undo) || len(r) != len(redo) && b.all {
				rt.Fatalf("%d steps to undo and %d to redo, want %d and %d", len(u), len(r), len(undo), len(redo))
			}
		}
	})
}

// taken is a step that can be taken back: the content before it and after it.
type taken struct{ before, after [32]byte }

func (b *builders) history(agent string) (undo, redo []world.Step) {
	b.View(func(v *world.View) { undo, redo = v.History(agent) })
	return undo, redo
}

// TestUndoSideBySide has two agents and the simulation work each on entities of their own: no undo is
// refused, and none changes what the other has.
func TestUndoSideBySide(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := newBuilders(rt)
		ids := map[string][]world.ID{}
		for range rapid.IntRange(1, 17).Draw(rt, "turns") {
			me, other := "ann", "bob"
			if rapid.Bool().Draw(rt, "bob") {
				me, other = other, me
			}
			before := b.show(ids[other])
			var err error
			switch rapid.IntRange(0, 5).Draw(rt, "do") {
			case 0:
				if undo, _ := b.history(me); len(undo) > 0 {
					err = b.undo(me, 1)
				}
			case 1:
				if _, redo := b.history(me); len(redo) > 0 {
					err = b.redo(me, 1)
				}
			case 2:
				b.Step(context.Background())
				before = b.show(ids[other])
			default:
				err = b.as(me, func(tx *world.Tx) error {
					ids[me] = append(ids[me], b.some(tx, ids[me], false)...)
					return nil
				})
			}
			if err != nil {
				rt.Fatalf("%s: %v", me, err)
			}
			if after := b.show(ids[other]); after != before {
				rt.Fatalf("%s changed what is %s's:\n%s\nwas\n%s", me, other, after, before)
			}
		}
	})
}

// facts is what is there, piece by piece.
func (b *builders) facts(ids []world.ID) map[string]string {
	facts := map[string]string{}
	b.View(func(v *world.View) {
		for _, id := range ids {
			if !v.Exists(id) {
				continue
			}
			shape, has := b.Shapes.Get(v, id)
			secret, hasSecret := b.secrets.Get(v, id)
			local, _ := v.Transform(id)
			for name, value := range map[string]string{
				"":       "there",
				"place":  fmt.Sprint(local, v.Parent(id)),
				"shape":  fmt.Sprint(shape, has),
				"secret": fmt.Sprint(secret, hasSecret),
				"tags":   fmt.Sprint(v.Tags(id)),
			} {
				facts[id.String()+" "+name] = value
			}
		}
		for key, n := range b.rows.All(v) {
			facts["row "+key] = fmt.Sprint(n)
		}
		facts["global"] = fmt.Sprint(b.global.Get(v))
	})
	return facts
}

// difference returns the facts that are not the same.
func difference(a, b map[string]string) map[string]string {
	d := map[string]string{}
	for fact, value := range a {
		if b[fact] != value {
			d[fact] = b[fact]
		}
	}
	for fact, value := range b {
		if a[fact] != value {
			d[fact] = value
		}
	}
	return d
}

// TestUndoTogether has agents work on the same entities. An undo is then refused or it gives back what
// was there; what others did since, and is not undone, is as they left it; and an undo that is redone
// at once leaves nothing changed. In the end, undone in the opposite order, nothing is left.
func TestUndoTogether(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := newBuilders(rt)
		agents := []string{"ann", "bob", "cid"}
		empty := b.content()
		var order []string
		var wrote []map[string]string // per step, what it changed
		var ids []world.ID
		for range rapid.IntRange(1, 16).Draw(rt, "turns") {
			me := rapid.SampledFrom(agents).Draw(rt, "agent")
			undo, _ := b.history(me)
			before, facts := b.content(), b.facts(ids)
			if len(undo) > 0 && rapid.IntRange(0, 2).Draw(rt, "undo") == 0 {
				if err := b.undo(me, 1); err != nil {
					if b.content() != before {
						rt.Fatalf("a refused undo changed something: %v", err)
					}
					continue
				}
				now := b.facts(ids)
				for i := len(order) - 1; order[i] != me; i-- {
					for fact := range wrote[i] {
						if now[fact] != facts[fact] {
							rt.Fatalf("%s has undone what %s did: %s was %q and is %q", me, order[i], fact, facts[fact], now[fact])
						}
					}
				}
				if err := b.redo(me, 1); err != nil {
					rt.Fatalf("redo right after undo: %v", err)
				}
				if b.content() != before {
					rt.Fatal("undo and redo are not nothing")
				}
				continue
			}
			if err := b.as(me, func(tx *world.Tx) error {
				ids = append(ids, b.some(tx, ids, true)...)
				return nil
			}); err != nil {
				rt.Fatal(err)
			}
			if after, _ := b.history(me); len(after) > len(undo) {
				order = append(order, me)
				wrote = append(wrote, difference(facts, b.facts(ids)))
			}
		}
		for _, me := range slices.Backward(order) {
			if err := b.undo(me, 1); err != nil {
				rt.Fatalf("undo in the opposite order: %v", err)
			}
		}
		if b.content() != empty {
			rt.Fatal("everything was undone and something is left")
		}
		b.View(func(v *world.View) {
			if v.Len() != 0 || len(v.AllTags()) != 0 || len(v.Near(world.Vec3{}, 1e9)) != 0 {
				rt.Errorf("%d entities, tags %v, %v in the grid are left", v.Len(), v.AllTags(), v.Near(world.Vec3{}, 1e9))
			}
		})
	})
}

// TestRestore restores a snapshot after more was done: the content is what it was, also that of tables, globals and private
// state, and what is as it was is not touched: to restore it again changes nothing.
func TestRestore(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := newBuilders(rt)
		var ids []world.ID
		work := func() {
			for range rapid.IntRange(0, 8).Draw(rt, "turns") {
				_ = b.as("ann", func(tx *world.Tx) error {
					ids = append(ids, b.some(tx, ids, true)...)
					return nil
				})
			}
		}
		work()
		var text []byte
		b.View(func(v *world.View) { text = v.AppendSnapshot(nil) })
		before, shown, there := b.content(), b.show(ids), len(ids)
		work()
		for range 2 {
			tick := b.Tick()
			changed := b.content() != before
			if err := b.as("bob", func(tx *world.Tx) error { return tx.Restore(text) }); err != nil {
				rt.Fatal(err)
			}
			if b.content() != before || b.show(ids[:there]) != shown {
				rt.Fatal("the content is not what it was")
			}
			if !changed && b.Tick() != tick {
				rt.Fatal("what is as it was was touched")
			}
		}
	})
}

// TestStepSkills tells of a step all that have changed something in it, also once it has left the ledger, and of what takes steps back what made those: who has tried in vain, and who has been
// taken back, has changed nothing.
func TestStepSkills(t *testing.T) {
	w := world.New(world.Config{})
	one := func(*world.Tx) error { return nil }
	inside := func(c *call, skill string, fn func(*world.Tx) error) {
		outer := c.skill
		c.skill = skill
		_, _ = world.Do(w, c, func(tx *world.Tx) (struct{}, error) { return struct{}{}, fn(tx) })
		c.skill = outer
	}
	makes := func(tx *world.Tx) error { create(t, tx, world.Spec{}); return nil }
	fails := func(tx *world.Tx) error { create(t, tx, world.Spec{}); return errors.New("no") }
	for range 2 {
		c := &call{agent: "ann", skill: "batch"}
		inside(c, "batch", one)
		for skill, fn := range map[string]func(*world.Tx) error{"reads": one, "fails": fails} {
			inside(c, skill, fn)
		}
		for _, skill := range []string{"makes", "makes too", "makes", "batch"} {
			inside(c, skill, makes)
		}
		c.end(1, false)
	}
	want := []string{"batch", "makes", "makes too"}
	is := func(when string, redo bool, n int, want []string) {
		t.Helper()
		w.View(func(v *world.View) {
			steps, again := v.History("ann")
			if redo {
				steps = again
			}
			if len(steps) != n {
				t.Fatalf("%s: %d steps, want %d", when, len(steps), n)
			}
			for _, s := range steps {
				if !slices.Equal(s.Skills, want) {
					t.Errorf("%s: %q, want %q", when, s.Skills, want)
				}
			}
		})
	}
	is("made", false, 2, want)
	c := &call{agent: "ann", skill: "undo"}
	inside(c, "undo", func(tx *world.Tx) error { _, err := tx.Undo(2); return err })
	c.end(3, false)
	is("undone", true, 1, append([]string{"undo"}, want...))
	c = &call{agent: "ann", skill: "redo"}
	inside(c, "redo", func(tx *world.Tx) error { _, err := tx.Redo(1); return err })
	c.end(4, false)
	is("redone", false, 1, append([]string{"redo", "undo"}, want...))
	c = &call{agent: "ann", skill: "batch"}
	inside(c, "batch", makes)
	inside(c, "makes", makes)
	c.end(5, false)
	for range 1<<18 + 100 { // more than the ledger takes
		if err := as(w, "flood", 0, func(tx *world.Tx) error { return tx.SetPosition(1, world.Vec3{float64(w.Tick()), 0, 0}) }); err != nil {
			t.Fatal(err)
		}
	}
	w.View(func(v *world.View) {
		steps, _ := v.History("ann")
		if len(steps) != 2 || !slices.Equal(steps[0].Skills, []string{"batch", "makes"}) || !slices.Equal(steps[1].Skills, append([]string{"redo", "undo"}, want...)) {
			t.Errorf("aside they are %+v", steps)
		}
	})
}
