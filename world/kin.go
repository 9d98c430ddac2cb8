package world

import "slices"

// MaxDepth is how many entities may be above one another.
const MaxDepth = 64

// kin is what an entity with a parent or children has beside its slot.
type kin struct {
	parent   ID
	children idSet
}

// Parent returns an entity's parent, 0 if it has none.
func (v *View) Parent(id ID) ID {
	if k := v.w.kin[id]; k != nil {
		return k.parent
	}
	return 0
}

// Children returns an entity's children, in id order.
func (v *View) Children(id ID) []ID {
	if k := v.w.kin[id]; k != nil {
		return slices.Clone(k.children.ids)
	}
	return nil
}

// SetParent puts an entity under another, or under none if parent is 0. Its transform keeps its
// numbers and is from now on in the space of the new parent, so that the entity may jump; use
// [Transform.Relative] to find the numbers that keep it in its place. It fails if the entity would
// be its own ancestor, or more than [MaxDepth] deep.
func (tx *Tx) SetParent(id, parent ID) error {
	w := tx.w
	s := w.entities.get(id)
	if s == nil {
		return tx.Unknown(id)
	}
	if parent != 0 && w.entities.get(parent) == nil {
		return tx.Unknown(parent)
	}
	before := tx.Parent(id)
	if before == parent {
		return nil
	}
	if err := w.checkParent(id, parent); err != nil {
		return err
	}
	tx.note(opParent, id, s, Changed|Moved, uint64(before))
	w.link(id, parent)
	return tx.carry(id, s, len(tx.journal)-1)
}

func (w *World) checkParent(id, parent ID) error {
	depth := w.height(id)
	for up := parent; up != 0; depth++ {
		if up == id {
			return invalid("%s cannot be under %s, which is under it", id, parent)
		}
		k := w.kin[up]
		if k == nil {
			up = 0
			continue
		}
		up = k.parent
	}
	if depth > MaxDepth {
		return capacity("%s under %s would be %d deep; at most %d are allowed", id, parent, depth, MaxDepth)
	}
	return nil
}

// height returns how many generations are under an entity.
func (w *World) height(id ID) int {
	k := w.kin[id]
	if k == nil {
		return 0
	}
	most := 0
	for _, c := range k.children.ids {
		most = max(most, 1+w.height(c))
	}
	return most
}

// link makes parent the parent of id; 0 is none.
func (w *World) link(id, parent ID) {
	k := w.kinOf(id)
	if k.parent != 0 {
		w.kin[k.parent].children.remove(id)
		w.forget(k.parent)
	}
	k.parent = parent
	if parent != 0 {
		w.kinOf(parent).children.add(id)
	}
	w.forget(id)
}

// kinOf returns the kin of an entity, after making it.
func (w *World) kinOf(id ID) *kin {
	k := w.kin[id]
	if k == nil {
		k = new(kin)
		w.kin[id] = k
		w.entities.spot(id).family = true
	}
	return k
}

// forget drops the kin of an entity that has none.
func (w *World) forget(id ID) {
	if k := w.kin[id]; k.parent == 0 && len(k.children.ids) == 0 {
		delete(w.kin, id)
		w.entities.spot(id).family = false
	}
}

// descendants returns everything under an entity, children before parents.
func (w *World) descendants(id ID) []ID {
	var all []ID
	todo := []ID{id}
	for len(todo) > 0 {
		last := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if k := w.kin[last]; k != nil {
			todo = append(todo, k.children.ids...)
			all = append(all, k.children.ids...)
		}
	}
	slices.Reverse(all)
	return all
}

// orphan takes an entity from its parent, whatever becomes of its place.
func (tx *Tx) orphan(id ID, s *slot) {
	k := tx.w.kin[id]
	if k == nil || k.parent == 0 {
		return
	}
	tx.note(opParent, id, s, Changed, uint64(k.parent))
	tx.w.link(id, 0)
	tx.w.place(id, s, s.local.Position)
}

// worldTransform works out where an entity is in world space, through all that is above it.
func (w *World) worldTransform(id ID, s *slot) Transform {
	t := s.local
	for up := w.kin[id]; up != nil && up.parent != 0; up = w.kin[up.parent] {
		t = w.entities.get(up.parent).local.Apply(t)
	}
	return t
}

// carry works out anew where an entity with kin and all its descendants are, after something about
// it was changed by the records from mark on. If one of them would be out of the world's numbers,
// it takes everything back.
func (tx *Tx) carry(id ID, s *slot, mark int) error {
	w := tx.w
	if err := w.checkWorld(id, s); err != nil {
		tx.RollbackTo(mark)
		return err
	}
	w.place(id, s, w.worldTransform(id, s).Position)
	if !s.family {
		return nil
	}
	for _, d := range w.descendants(id) {
		ds := w.entities.get(d)
		if err := w.checkWorld(d, ds); err != nil {
			tx.RollbackTo(mark)
			return err
		}
		tx.note(opTouch, d, ds, Moved, 0)
		w.place(d, ds, w.worldTransform(d, ds).Position)
	}
	return nil
}

func (w *World) checkWorld(id ID, s *slot) error {
	t := w.worldTransform(id, s)
	if !t.Position.fits() || !t.Scale.fits() {
		return invalid("%s would be beyond ±3.4e38 in world space", id)
	}
	return nil
}

// settle puts an entity, and what is under it, where it is, after an undo.
func (w *World) settle(id ID, s *slot) {
	w.place(id, s, w.worldTransform(id, s).Position)
	if !s.family {
		return
	}
	for _, d := range w.descendants(id) {
		ds := w.entities.get(d)
		w.place(d, ds, w.worldTransform(d, ds).Position)
	}
}
