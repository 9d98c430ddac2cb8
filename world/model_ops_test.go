package world_test

import (
	"context"
	"slices"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/world"
)

// transaction is one random transaction on a world and its model. What it did and kept is in log.
type transaction struct {
	t   *rapid.T
	f   *fixture
	tx  *world.Tx
	m   *model
	log []func(*fixture, *world.Tx)
}

// replay does what was kept, in another world.
func (r *transaction) replay(f *fixture) {
	_, err := f.Update(context.Background(), func(tx *world.Tx) error {
		for _, op := range r.log {
			op(f, tx)
		}
		return nil
	})
	if err != nil {
		r.t.Fatal(err)
	}
}

// do does something in the world and puts it on the log.
func (r *transaction) do(op func(*fixture, *world.Tx)) {
	op(r.f, r.tx)
	r.log = append(r.log, op)
}

func (r *transaction) several(depth int) {
	for range rapid.IntRange(0, 12).Draw(r.t, "ops") {
		if depth < 3 && rapid.IntRange(0, 5).Draw(r.t, "savepoint") == 0 {
			r.savepoint(depth)
			continue
		}
		r.one()
	}
}

func (r *transaction) savepoint(depth int) {
	hash, next := r.tx.Hash(), r.tx.NextID()
	m, log := r.m.clone(), len(r.log)
	mark, tick := r.tx.Savepoint(), r.tx.Tick()
	r.several(depth + 1)
	if rapid.Bool().Draw(r.t, "keep") {
		return
	}
	r.tx.RollbackTo(mark)
	r.m, r.log = m, r.log[:log]
	if r.tx.Hash() != hash || r.tx.NextID() != next || r.tx.Tick() != tick {
		r.t.Fatal("after RollbackTo the hash, the next id or the tick is another one")
	}
	r.f.compare(r.t, &r.tx.View, r.m)
}

// one does one random thing, also to entities that do not exist.
func (r *transaction) one() {
	id := world.ID(rapid.Uint64Range(1, uint64(r.m.next)).Draw(r.t, "id"))
	e, ok := r.m.entities[id]
	switch rapid.IntRange(0, 13).Draw(r.t, "op") {
	case 0, 1:
		r.create()
	case 2:
		r.do(func(_ *fixture, tx *world.Tx) { r.expect(tx.Destroy(id) == ok, "Destroy") })
		r.m.destroy(id)
	case 3:
		p := vec(r.t)
		r.do(func(_ *fixture, tx *world.Tx) { r.expect((tx.SetPosition(id, p) == nil) == ok, "SetPosition") })
		if ok {
			e.At.Position = p
		}
	case 4:
		at := transform(r.t)
		r.do(func(_ *fixture, tx *world.Tx) { r.expect((tx.SetTransform(id, at) == nil) == ok, "SetTransform") })
		if ok {
			e.At = at
		}
	case 5, 6:
		r.adopt(id)
	case 7:
		name := rapid.SampledFrom([]string{"", "table", "<b>"}).Draw(r.t, "name")
		r.do(func(_ *fixture, tx *world.Tx) { r.expect((tx.SetName(id, name) == nil) == ok, "SetName") })
		if ok {
			e.Name = name
		}
	case 8, 9:
		r.tag(id)
	case 10:
		r.component(id)
	case 11:
		r.table()
	case 12:
		v := float64(rapid.IntRange(0, 9).Draw(r.t, "global"))
		r.do(func(f *fixture, tx *world.Tx) { r.expect(f.global.Set(tx, v) == nil, "Global.Set") })
		r.m.global = v
	case 13:
		want := r.m.random.Uint64()
		r.do(func(_ *fixture, tx *world.Tx) { r.expect(tx.Rand().Uint64() == want, "Rand") })
	}
}

func (r *transaction) expect(ok bool, what string) {
	if !ok {
		r.t.Fatalf("%s did not do what it should", what)
	}
}

func (r *transaction) create() {
	spec := world.Spec{Position: vec(r.t), Scale: world.Vec3{1, 2, 0.5}}
	e := &thing{At: world.Transform{Position: spec.Position, Rotation: world.NoRotation(), Scale: spec.Scale}}
	ok := len(r.m.entities) < 12
	if rapid.Bool().Draw(r.t, "dressed") {
		spec.Tags, spec.Name = []string{"wall", "a", "wall"}, "new"
		e.Tags, e.Name = []string{"a", "wall"}, "new"
		spec.Parent = world.ID(rapid.Uint64Range(0, uint64(r.m.next)).Draw(r.t, "parent"))
		e.Parent = spec.Parent
		ok = ok && (spec.Parent == 0 || r.m.entities[spec.Parent] != nil)
	}
	want := r.m.next
	r.do(func(_ *fixture, tx *world.Tx) {
		id, err := tx.Create(spec)
		r.expect((err == nil) == ok && (!ok || id == want), "Create")
	})
	if ok {
		r.m.entities[want] = e
		r.m.next++
	}
}

func (r *transaction) adopt(id world.ID) {
	parent := world.ID(rapid.Uint64Range(0, uint64(r.m.next)).Draw(r.t, "parent"))
	e, ok := r.m.entities[id]
	ok = ok && (parent == 0 || r.m.entities[parent] != nil) && (e.Parent == parent || !r.m.under(parent, id))
	r.do(func(_ *fixture, tx *world.Tx) { r.expect((tx.SetParent(id, parent) == nil) == ok, "SetParent") })
	if ok {
		e.Parent = parent
	}
}

func (r *transaction) tag(id world.ID) {
	tag := rapid.SampledFrom(tagsOfModel).Draw(r.t, "tag")
	e, ok := r.m.entities[id]
	has := ok && slices.Contains(e.Tags, tag)
	if rapid.Bool().Draw(r.t, "add") {
		r.do(func(_ *fixture, tx *world.Tx) {
			added, err := tx.AddTag(id, tag)
			r.expect((err == nil) == ok && added == (ok && !has), "AddTag")
		})
		if ok && !has {
			e.Tags = append(e.Tags, tag)
			slices.Sort(e.Tags)
		}
		return
	}
	r.do(func(_ *fixture, tx *world.Tx) {
		removed, err := tx.RemoveTag(id, tag)
		r.expect((err == nil) == ok && removed == has, "RemoveTag")
	})
	if has {
		e.Tags = slices.DeleteFunc(e.Tags, func(s string) bool { return s == tag })
		if len(e.Tags) == 0 {
			e.Tags = nil
		}
	}
}

func (r *transaction) component(id world.ID) {
	e, ok := r.m.entities[id]
	shape := world.Shape{Kind: rapid.SampledFrom([]string{"box", "sphere"}).Draw(r.t, "kind")}
	secret := rapid.SampledFrom([]string{"x", "y"}).Draw(r.t, "secret")
	switch rapid.IntRange(0, 3).Draw(r.t, "component") {
	case 0:
		r.do(func(f *fixture, tx *world.Tx) { r.expect((f.Shapes.Set(tx, id, shape) == nil) == ok, "Set") })
		if ok {
			e.Shape = &shape
		}
	case 1:
		r.do(func(f *fixture, tx *world.Tx) { r.expect((f.secrets.Set(tx, id, secret) == nil) == ok, "Set") })
		if ok {
			e.Secret = &secret
		}
	case 2:
		has := ok && e.Shape != nil
		r.do(func(f *fixture, tx *world.Tx) { r.expect(f.Shapes.Remove(tx, id) == has, "Remove") })
		if has {
			e.Shape = nil
		}
	case 3:
		has := ok && e.Secret != nil
		r.do(func(f *fixture, tx *world.Tx) { r.expect(f.secrets.Remove(tx, id) == has, "Remove") })
		if has {
			e.Secret = nil
		}
	}
}

func (r *transaction) table() {
	key := rapid.SampledFrom([]string{"k1", "k2", "k3", "k4", "k5", "k6"}).Draw(r.t, "key")
	_, has := r.m.rows[key]
	switch rapid.IntRange(0, 2).Draw(r.t, "table") {
	case 0:
		v := rapid.IntRange(0, 9).Draw(r.t, "row")
		ok := has || len(r.m.rows) < 4
		r.do(func(f *fixture, tx *world.Tx) { r.expect((f.rows.Set(tx, key, v) == nil) == ok, "Table.Set") })
		if ok {
			r.m.rows[key] = v
		}
	case 1:
		r.do(func(f *fixture, tx *world.Tx) { r.expect(f.rows.Delete(tx, key) == has, "Table.Delete") })
		delete(r.m.rows, key)
	case 2:
		want := r.m.counter + 1
		r.do(func(f *fixture, tx *world.Tx) { r.expect(f.rows.Next(tx) == want, "Table.Next") })
		r.m.counter = want
	}
}

func vec(t *rapid.T) world.Vec3 {
	coordinate := rapid.OneOf(rapid.Float64Range(-30, 30), rapid.Map(rapid.IntRange(-4, 4), func(i int) float64 { return float64(i) * 8 }))
	return world.Vec3{coordinate.Draw(t, "x"), coordinate.Draw(t, "y"), coordinate.Draw(t, "z")}
}

func transform(t *rapid.T) world.Transform {
	angle := rapid.Float64Range(-7, 7)
	q, _ := world.QuatFromEuler(angle.Draw(t, "rx"), angle.Draw(t, "ry"), angle.Draw(t, "rz")).Unit()
	return world.Transform{Position: vec(t), Rotation: q, Scale: world.Vec3{1, rapid.Float64Range(-2, 2).Draw(t, "s"), 1}}
}
