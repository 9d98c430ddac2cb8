package world_test

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/world"
)

// model is the world as a few maps would have it: slow, and too simple to be wrong. A savepoint is
// a copy of it.
type model struct {
	next     world.ID
	entities map[world.ID]*thing
	rows     map[string]int
	counter  uint64
	global   float64
	random   rand.PCG
}

// thing is an entity of the model.
type thing struct {
	At     world.Transform
	Parent world.ID
	Name   string
	Tags   []string
	Shape  *world.Shape
	Secret *string
}

func newModel() *model {
	return &model{
		next: 1, entities: map[world.ID]*thing{}, rows: map[string]int{},
		global: 1, random: *rand.NewPCG(7, 0),
	}
}

func (m *model) clone() *model {
	c := *m
	c.rows = maps.Clone(m.rows)
	c.entities = make(map[world.ID]*thing, len(m.entities))
	for id, e := range m.entities {
		t := *e
		t.Tags = slices.Clone(e.Tags)
		c.entities[id] = &t
	}
	return &c
}

func (m *model) ids() []world.ID { return slices.Sorted(maps.Keys(m.entities)) }

// up is an entity and all that it is below.
func (m *model) up(id world.ID) (list []world.ID) {
	for ; id != 0; id = m.entities[id].Parent {
		list = append(list, id)
	}
	return list
}

// under reports whether id is top or below it.
func (m *model) under(id, top world.ID) bool { return slices.Contains(m.up(id), top) }

func (m *model) children(id world.ID) (out []world.ID) {
	for _, c := range m.ids() {
		if m.entities[c].Parent == id {
			out = append(out, c)
		}
	}
	return out
}

// below appends what is below an entity, who carries before what it carries.
func (m *model) below(list []world.ID, id world.ID) []world.ID {
	for _, child := range m.children(id) {
		list = m.below(append(list, child), child)
	}
	return list
}

func (m *model) destroy(id world.ID) {
	for _, c := range m.children(id) {
		m.destroy(c)
	}
	delete(m.entities, id)
}

// position works out where an entity is, from itself up.
func (m *model) position(id world.ID) world.Vec3 {
	p := m.entities[id].At.Position
	for up := m.entities[id].Parent; up != 0; up = m.entities[up].Parent {
		p = m.entities[up].At.Point(p)
	}
	return p
}

func (m *model) within(center world.Vec3, r float64) (out []world.ID) {
	for _, id := range m.ids() {
		if m.position(id).Dist2(center) <= r*r {
			out = append(out, id)
		}
	}
	return out
}

// fixture is a world with something of everything, as packages declare it.
type fixture struct {
	*world.World
	secrets *world.Component[string]
	rows    *world.Table[string, int]
	global  *world.Global[float64]
}

func newFixture(config world.Config) *fixture {
	config.Seed = 7
	w := world.New(config)
	return &fixture{
		World:   w,
		secrets: world.NewComponent[string](w, "secret", world.Private),
		rows:    world.NewTable[string, int](w, "rows", 4),
		global:  world.NewGlobal(w, "global", 1.0),
	}
}

// compare fails unless the view shows what the model says.
func (f *fixture) compare(t *rapid.T, v *world.View, m *model) {
	t.Helper()
	if got := v.NextID(); got != m.next {
		t.Fatalf("NextID() = %s, want %s", got, m.next)
	}
	var after []world.ID
	for id, ok := v.After(0); ok; id, ok = v.After(id) {
		after = append(after, id)
	}
	if diff := gocmp.Diff(m.ids(), after); diff != "" {
		t.Fatalf("After (-want +got):\n%s", diff)
	}
	if diff := gocmp.Diff(m.ids(), slices.Collect(v.All())); diff != "" {
		t.Fatalf("All() (-want +got):\n%s", diff)
	}
	for id, want := range m.entities {
		if diff := gocmp.Diff(*want, f.read(v, id)); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", id, diff)
		}
		if p, _ := v.Position(id); p != m.position(id) {
			t.Fatalf("Position(%s) = %v, want %v", id, p, m.position(id))
		}
		if diff := gocmp.Diff(m.children(id), v.Children(id)); diff != "" {
			t.Fatalf("Children(%s) (-want +got):\n%s", id, diff)
		}
		if diff := gocmp.Diff(m.below(nil, id), slices.Collect(v.Below(id))); diff != "" {
			t.Fatalf("Below(%s) (-want +got):\n%s", id, diff)
		}
		up := m.up(id)
		if diff := gocmp.Diff(up, slices.Collect(v.Up(id))); diff != "" {
			t.Fatalf("Up(%s) (-want +got):\n%s", id, diff)
		}
		if got := v.Top(id); got != up[len(up)-1] {
			t.Fatalf("Top(%s) = %s, want %s", id, got, up[len(up)-1])
		}
	}
	if diff := gocmp.Diff(m.rows, maps.Collect(f.rows.All(v))); diff != "" {
		t.Fatalf("rows (-want +got):\n%s", diff)
	}
	if got := f.global.Get(v); got != m.global {
		t.Fatalf("global = %v, want %v", got, m.global)
	}
	f.compareQueries(t, v, m)
}

func (f *fixture) compareQueries(t *rapid.T, v *world.View, m *model) {
	t.Helper()
	for _, r := range []float64{0, 3, 20, 1000} {
		center := world.Vec3{r / 7, 0, -r / 5}
		if diff := gocmp.Diff(m.within(center, r), v.Near(center, r)); diff != "" {
			t.Fatalf("Near(%v, %v) (-want +got):\n%s", center, r, diff)
		}
	}
	for _, tag := range tagsOfModel {
		var want []world.ID
		for _, id := range m.ids() {
			if slices.Contains(m.entities[id].Tags, tag) {
				want = append(want, id)
			}
		}
		if diff := gocmp.Diff(want, v.Tagged(tag)); diff != "" {
			t.Fatalf("Tagged(%s) (-want +got):\n%s", tag, diff)
		}
	}
	var shaped []world.ID
	for id, s := range f.Shapes.All(v) {
		shaped = append(shaped, id)
		if s != *m.entities[id].Shape {
			t.Fatalf("Shapes.All: %s has %v, want %v", id, s, *m.entities[id].Shape)
		}
	}
	if len(shaped) != f.Shapes.Len(v) || !slices.IsSortedFunc(shaped, cmp.Compare[world.ID]) {
		t.Fatalf("Shapes.All yields %v, Len is %d", shaped, f.Shapes.Len(v))
	}
}

// read gathers what the view says of an entity.
func (f *fixture) read(v *world.View, id world.ID) thing {
	at, _ := v.Transform(id)
	e := thing{At: at, Parent: v.Parent(id), Name: v.Name(id), Tags: slices.Clone(v.Tags(id))}
	if s, ok := f.Shapes.Get(v, id); ok {
		e.Shape = &s
	}
	if s, ok := f.secrets.Get(v, id); ok {
		e.Secret = &s
	}
	return e
}

var tagsOfModel = []string{"a", "b", "wall", "déjà"}

// TestModel runs random transactions, with savepoints in savepoints that are rolled back or kept,
// and compares the world with the model after each. A second world is given only what was kept: it
// must have the same hash, so nothing that was rolled back has left a trace, whatever it was. A
// replica is kept from commits alone: it must show what the world shows.
func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		config := world.Config{MaxEntities: 12}
		f, twin := newFixture(config), newFixture(world.Config{MaxEntities: 12, CellSize: 31})
		r, x := newReplica(f.World), write(f.World)
		m := newModel()
		for range rapid.IntRange(1, 6).Draw(t, "transactions") {
			before := m.clone()
			run := &transaction{t: t, f: f, m: m}
			c := &call{}
			_, err := world.Do(f.World, c, func(tx *world.Tx) (nothing, error) {
				run.tx = tx
				run.several(0)
				f.compare(t, &tx.View, run.m)
				return nothing{}, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if rapid.Bool().Draw(t, "roll back") {
				c.end(1, true)
				m = before
			} else {
				c.end(1, false)
				m = run.m
				run.replay(twin)
			}
			f.View(func(v *world.View) { f.compare(t, v, m) })
			whole(t, f.World)
			if f.Hash() != twin.Hash() {
				t.Fatal("the world has another hash than one that was given only what was kept")
			}
			r.compare(t, f.World)
			if rapid.Bool().Draw(t, "write") {
				x.flush(t)
				x.compare(t, f, config)
			}
		}
	})
}
