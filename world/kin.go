package world

import (
	"iter"
	"slices"
)

// MaxDepth is how many entities may be above one another.
const MaxDepth = 64

// Parent returns an entity's parent, 0 if it has none.
func (v *View) Parent(id ID) ID {
	if s := v.w.entities.get(id); s != nil {
		return s.parent
	}
	return 0
}

// Up yields an entity, what it is under, what that is under and so on, up to the one that is under none. Nothing is yielded of 0. Who is under
// whom must not change while it runs.
func (v *View) Up(id ID) iter.Seq[ID] {
	return func(yield func(ID) bool) {
		for ; id != 0 && yield(id); id = v.Parent(id) {
		}
	}
}

// Top returns the last of those that [View.Up] yields.
func (v *View) Top(id ID) ID {
	for up := range v.Up(id) {
		id = up
	}
	return id
}

// Within reports whether an entity is another one or somewhere below it.
func (v *View) Within(id, tree ID) bool {
	for id != 0 && id != tree {
		id = v.Parent(id)
	}
	return id != 0
}

// Children returns an entity's children, in id order.
func (v *View) Children(id ID) []ID { return v.w.children[id].slice() }

// Below yields everything that is below an entity: who carries before what it carries, and siblings in id order. Who is
// below whom must not change while it runs.
func (v *View) Below(id ID) iter.Seq[ID] {
	return func(yield func(ID) bool) { v.w.below(id, yield) }
}

// below is [View.Below]; it reports false once yield has.
func (w *World) below(id ID, yield func(ID) bool) bool {
	for child := range w.childrenOf(id) {
		if !yield(child) || w.entities.get(child).carries && !w.below(child, yield) {
			return false
		}
	}
	return true
}

// SetParent puts an entity under another, or under none if parent is 0. Its transform keeps its
// numbers and is from now on in the space of the new parent, so that the entity may jump; use
// [View.InSpaceOf] to find the numbers that keep it in its place. It fails if the entity would
// be its own ancestor, or more than [MaxDepth] deep.
func (tx *Tx) SetParent(id, parent ID) error {
	w := tx.w
	s := w.entities.get(id)
	if s == nil {
		return tx.Unknown(id)
	}
	if parent != 0 && !tx.Exists(parent) {
		return tx.Unknown(parent)
	}
	if s.parent == parent {
		return nil
	}
	if err := w.checkParent(id, parent); err != nil {
		return err
	}
	tx.note(opParent, id, s, Changed|Moved, uint64(s.parent))
	w.link(id, s, parent)
	return tx.carry(id, s, len(tx.journal)-1)
}

// Reparent puts an entity under another, or under none if parent is 0, and leaves it where it is in the world. It fails as SetParent and SetTransform do;
// the caller then drops what it has done.
func (tx *Tx) Reparent(id, parent ID) error {
	t, _ := tx.WorldTransform(id)
	before := tx.Parent(id)
	if err := tx.SetParent(id, parent); err != nil {
		return err
	}
	if err := tx.SetTransform(id, tx.InSpaceOf(parent, t)); err != nil {
		return err
	}
	for _, fn := range tx.w.reparented {
		if err := fn(tx, id, before); err != nil {
			return err
		}
	}
	return nil
}

// OnReparent has fn called with every entity that [Tx.Reparent] has put under another one, and the one under which it was before: for
// what is kept in the space of the one above an entity.
func (w *World) OnReparent(fn func(tx *Tx, id, before ID) error) {
	needs("OnReparent", fn != nil)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.reparented = append(w.reparented, fn)
}

func (w *World) checkParent(id, parent ID) error {
	depth := w.height(id)
	for up := parent; up != 0; up = w.entities.get(up).parent {
		if up == id {
			return invalid("%s cannot be under %s, which is under it", id, parent)
		}
		depth++
	}
	if depth > MaxDepth {
		return capacity("%s under %s would be %d deep; at most %d are allowed", id, parent, depth, MaxDepth)
	}
	return nil
}

// height returns how many generations are under an entity.
func (w *World) height(id ID) (most int) {
	for c := range w.childrenOf(id) {
		most = max(most, 1+w.height(c))
	}
	return most
}

// childrenOf yields an entity's children in id order. They must not change while it runs.
func (w *World) childrenOf(id ID) iter.Seq[ID] {
	set := w.children[id]
	if set == nil {
		return func(func(ID) bool) {}
	}
	return set.all()
}

// link makes parent the parent of id; 0 is none.
func (w *World) link(id ID, s *slot, parent ID) {
	if s.parent != 0 {
		w.unlink(id, s.parent)
	}
	s.parent = parent
	if parent == 0 {
		return
	}
	set := w.children[parent]
	if set == nil {
		set = new(idSet)
		w.children[parent] = set
		w.entities.spot(parent).carries = true
	}
	set.add(id)
}

func (w *World) unlink(id, parent ID) {
	set := w.children[parent]
	set.remove(id)
	if set.n == 0 {
		delete(w.children, parent)
		w.entities.spot(parent).carries = false
	}
}

// descendants returns everything under an entity, parents before children.
func (w *World) descendants(id ID) []ID {
	all := w.children[id].slice()
	for i := 0; i < len(all); i++ {
		if w.entities.get(all[i]).carries {
			all = slices.AppendSeq(all, w.childrenOf(all[i]))
		}
	}
	return all
}

// worldTransform works out where an entity is in world space, through all that is above it.
func (w *World) worldTransform(s *slot) Transform {
	t := s.local
	for up := s.parent; up != 0; {
		above := w.entities.get(up)
		t = above.local.Apply(t)
		up = above.parent
	}
	return t
}

// InSpaceOf returns a transform in world space in the space of an entity, or as it is if id is 0 or
// no entity: what a child of that entity must have in order to be there. It goes down from the root
// generation by generation, as positions are worked out, because [Transform.Relative] undoes one
// generation only: where an unevenly scaled entity has turned descendants, their product is none.
// Coordinates along which a generation has scale 0 become 0.
func (v *View) InSpaceOf(id ID, t Transform) Transform {
	s := v.w.entities.get(id)
	if s == nil {
		return t
	}
	return s.local.Relative(v.InSpaceOf(s.parent, t))
}

// carry works out anew where an entity and all that is under it are, after something about it was
// changed by the records from mark on. If one of them would be out of the world's numbers, it takes
// everything back.
func (tx *Tx) carry(id ID, s *slot, mark int) error {
	if err := tx.w.settle(id, s); err != nil {
		tx.RollbackTo(mark)
		return err
	}
	if !s.carries {
		return nil
	}
	for _, d := range tx.w.descendants(id) {
		ds := tx.w.entities.get(d)
		tx.note(opTouch, d, ds, Moved, 0)
		if err := tx.w.settle(d, ds); err != nil {
			tx.RollbackTo(mark)
			return err
		}
	}
	return nil
}

// settle puts one entity into the grid where it is in world space.
func (w *World) settle(id ID, s *slot) error {
	t := w.worldTransform(s)
	if !t.Position.fits() || !t.Scale.fits() {
		return invalid("%s would be beyond ±3.4e38 in world space", id)
	}
	w.place(id, s, t.Position)
	return nil
}

// resettle is carry for an undo: what was, did fit.
func (w *World) resettle(id ID, s *slot) {
	w.place(id, s, w.worldTransform(s).Position)
	if !s.carries {
		return
	}
	for _, d := range w.descendants(id) {
		ds := w.entities.get(d)
		w.place(d, ds, w.worldTransform(ds).Position)
	}
}
