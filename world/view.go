package world

import (
	"iter"
	"slices"
	"sync/atomic"
)

// View reads a world. It is valid inside the Read, Do, Update or Observe call that handed it out,
// and sees what the open Tx, if there is one, has done so far. Slices that it returns belong to the
// caller, unless the method says otherwise.
type View struct {
	w     *World
	still bool          // the world rests, so that steps are counted beside it
	step  atomic.Uint64 // if so, the step that it sees, and one more; 0 before it is asked for
}

// World returns the world that the view reads.
func (v *View) World() *World { return v.w }

// Pending returns what the open transaction has changed so far, nothing if there is none: one for each
// entity, in the order in which they were first changed. The slice is valid until the next change.
func (v *View) Pending() []Change { return v.w.tx.changes }

// Tick returns the number of the newest commit.
func (v *View) Tick() uint64 { return v.w.Tick() }

// Step returns how many simulation steps the world has taken, the running one included. It is the same for as
// long as the view is valid.
func (v *View) Step() uint64 {
	if !v.still {
		return v.w.Steps()
	}
	if v.step.Load() == 0 {
		v.step.CompareAndSwap(0, v.w.Steps()+1)
	}
	return v.step.Load() - 1
}

// Len returns how many entities there are.
func (v *View) Len() int { return v.w.entities.live }

// NextID returns the id that the next entity will have.
func (v *View) NextID() ID { return ID(v.w.entities.next + 1) }

// Exists reports whether there is such an entity.
func (v *View) Exists(id ID) bool { return v.w.entities.get(id) != nil }

// All yields every entity, in id order. Entities may be created and destroyed while it runs: those
// that are ahead of it then show.
func (v *View) All() iter.Seq[ID] { return v.w.entities.all() }

// After returns the entity with the smallest id greater than id; ok is false if there is none. It goes on where a view that is
// over by now has stopped.
func (v *View) After(id ID) (next ID, ok bool) { return v.w.entities.after(id) }

// Transform returns where an entity is in the space of its parent, or of the world if it has none.
func (v *View) Transform(id ID) (Transform, bool) {
	s := v.w.entities.get(id)
	if s == nil {
		return Transform{}, false
	}
	return s.local, true
}

// WorldTransform returns where an entity is in world space; see [Transform.Apply].
func (v *View) WorldTransform(id ID) (Transform, bool) {
	s := v.w.entities.get(id)
	if s == nil {
		return Transform{}, false
	}
	return v.w.worldTransform(s), true
}

// Position returns where an entity is in world space.
func (v *View) Position(id ID) (Vec3, bool) {
	s := v.w.entities.get(id)
	if s == nil {
		return Vec3{}, false
	}
	return v.w.position(s), true
}

func (w *World) position(s *slot) Vec3 {
	if s.parent == 0 {
		return s.local.Position
	}
	return w.grid.cells[s.cell].items.at(int(s.at)).pos
}

// Name returns an entity's name, "" if it has none.
func (v *View) Name(id ID) string {
	name, _ := v.w.names.Get(v, id)
	return name
}

// Tags returns an entity's tags, sorted. The slice is shared and must not be changed.
func (v *View) Tags(id ID) []string {
	tags, _ := v.w.tags.Get(v, id)
	return tags
}

// HasTag reports whether an entity has a tag.
func (v *View) HasTag(id ID, tag string) bool {
	tags, _ := v.w.tags.Get(v, id)
	_, found := slices.BinarySearch(tags, tag)
	return found
}

// Tagged returns the entities that have a tag, in id order.
func (v *View) Tagged(tag string) []ID {
	return v.w.tagged[tag].slice()
}

// AllTagged yields the entities that have a tag, in id order. Tags must not change while it runs.
func (v *View) AllTagged(tag string) iter.Seq[ID] {
	if set := v.w.tagged[tag]; set != nil {
		return set.all()
	}
	return func(func(ID) bool) {}
}

// AllTags returns how many entities have each tag that any has.
func (v *View) AllTags() map[string]int {
	out := make(map[string]int, len(v.w.tagged))
	for tag, set := range v.w.tagged {
		out[tag] = set.n
	}
	return out
}
