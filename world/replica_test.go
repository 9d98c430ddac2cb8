package world_test

import (
	"maps"
	"slices"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/world"
)

// replica is what somebody holds who was told of commits and of nothing else.
type replica struct {
	entities map[world.ID]string
	places   map[world.ID]world.Vec3
	shared   map[string]string
	tick     uint64
	wrong    []string
}

func newReplica(w *world.World) *replica {
	r := &replica{entities: map[world.ID]string{}, places: map[world.ID]world.Vec3{}, shared: map[string]string{}}
	w.View(func(v *world.View) {
		for _, name := range w.Shared(v) {
			r.shared[name] = string(w.AppendShared(nil, v, name))
		}
		w.Observe(func(c *world.Commit) { r.apply(w, c) })
	})
	return r
}

func (r *replica) apply(w *world.World, c *world.Commit) {
	v := c.View()
	if r.tick++; c.Tick != r.tick {
		r.wrong = append(r.wrong, "a commit has not the next number")
	}
	if !slices.IsSortedFunc(c.Changes, func(a, b world.Change) int { return int(a.ID) - int(b.ID) }) {
		r.wrong = append(r.wrong, "changes are not in id order")
	}
	for _, ch := range c.Changes {
		_, known := r.entities[ch.ID]
		switch {
		case known == (ch.What&world.Created != 0):
			r.wrong = append(r.wrong, ch.ID.String()+" is created twice or changed unseen")
		case v.Exists(ch.ID) == (ch.What&world.Destroyed != 0):
			r.wrong = append(r.wrong, ch.ID.String()+" is destroyed and there, or neither")
		case ch.Before != r.places[ch.ID]:
			r.wrong = append(r.wrong, ch.ID.String()+" was elsewhere before")
		}
		delete(r.entities, ch.ID)
		delete(r.places, ch.ID)
		if p, ok := v.Position(ch.ID); ok {
			if p != ch.Before && ch.What&(world.Moved|world.Created) == 0 {
				r.wrong = append(r.wrong, ch.ID.String()+" has moved and its change does not say so")
			}
			r.entities[ch.ID] = string(w.AppendEntity(nil, v, ch.ID))
			r.places[ch.ID] = p
		}
	}
	if unique := slices.Compact(slices.Clone(c.World)); len(unique) != len(c.World) || !slices.IsSorted(unique) {
		r.wrong = append(r.wrong, "the names of what belongs to no entity are not sorted or not unique")
	}
	for _, name := range c.World {
		r.shared[name] = string(w.AppendShared(nil, v, name))
	}
}

// compare fails unless the replica is what the world is now.
func (r *replica) compare(t *rapid.T, w *world.World) {
	t.Helper()
	if len(r.wrong) > 0 {
		t.Fatal(r.wrong)
	}
	entities, shared := map[world.ID]string{}, map[string]string{}
	w.View(func(v *world.View) {
		for id := range v.All() {
			entities[id] = string(w.AppendEntity(nil, v, id))
		}
		for _, name := range w.Shared(v) {
			shared[name] = string(w.AppendShared(nil, v, name))
		}
	})
	if !maps.Equal(entities, r.entities) || !maps.Equal(shared, r.shared) {
		t.Fatalf("what commits told is not what is (-is +told):\n%s%s", gocmp.Diff(entities, r.entities), gocmp.Diff(shared, r.shared))
	}
}
