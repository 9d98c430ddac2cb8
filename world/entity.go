package world

import "slices"

// Spec says what a new entity is. The zero value is an entity at the origin: a Rotation of zeros
// means none, a Scale of zeros means 1.
type Spec struct {
	Position Vec3
	Rotation Quat
	Scale    Vec3
	Parent   ID // 0: none; else the transform is in its space
	Name     string
	Tags     []string
}

// room fails if the world holds as many entities as it may. It does not say that it is full: those that the transaction itself has
// made are gone when whoever asked reads that.
func (w *World) room() error {
	if w.entities.live < w.config.MaxEntities {
		return nil
	}
	return capacity("the world holds at most %d entities, and these would be more; destroy some first, or make fewer", w.config.MaxEntities)
}

// Create adds an entity and returns its id. It fails, and changes nothing, if the world is full or
// something in the Spec is not allowed.
func (tx *Tx) Create(spec Spec) (ID, error) {
	w := tx.w
	if err := w.room(); err != nil {
		return 0, err
	}
	if w.tracker.spent() {
		return 0, capacity("more entities have been made than can be kept before the world is written to the disk again; make fewer at once, or wait, and if that does not help tell who runs the server that the disk takes nothing")
	}
	t := Transform{spec.Position, spec.Rotation, spec.Scale}
	if t.Rotation == (Quat{}) {
		t.Rotation = NoRotation()
	}
	if t.Scale == (Vec3{}) {
		t.Scale = Vec3{1, 1, 1}
	}
	if err := t.check(); err != nil {
		return 0, err
	}
	if spec.Parent == 0 {
		spec.Parent = tx.under
	}
	tx.live()
	mark := len(tx.journal)
	id := w.next(&t)
	s := w.entities.spot(id)
	tx.note(opCreate, id, s, Created, 0)
	if spec.Parent == 0 && spec.Name == "" && len(spec.Tags) == 0 {
		return id, nil
	}
	if err := tx.dress(id, spec); err != nil {
		tx.RollbackTo(mark)
		return 0, err
	}
	return id, nil
}

// next makes the next entity, a root at t.
func (w *World) next(t *Transform) ID {
	w.entities.next++
	id := ID(w.entities.next)
	s := w.entities.put(id)
	*s = slot{}
	s.local = *t
	s.cell, s.at = w.grid.add(id, t.Position)
	return id
}

// dress gives a new entity what not every entity has.
func (tx *Tx) dress(id ID, spec Spec) error {
	if spec.Parent != 0 {
		if err := tx.SetParent(id, spec.Parent); err != nil {
			return err
		}
	}
	if spec.Name != "" {
		if err := tx.SetName(id, spec.Name); err != nil {
			return err
		}
	}
	if len(spec.Tags) == 0 {
		return nil
	}
	tags, err := tagSet(spec.Tags)
	if err != nil {
		return err
	}
	return tx.putTags(id, tx.w.entities.get(id), nil, tags)
}

// Destroy removes an entity with everything it has, and its children with it. It reports false, and
// does nothing, if there is no such entity.
func (tx *Tx) Destroy(id ID) bool {
	s := tx.w.entities.get(id)
	if s == nil {
		return false
	}
	if s.carries {
		for _, d := range slices.Backward(tx.w.descendants(id)) {
			tx.destroy(d, tx.w.entities.get(d))
		}
	}
	tx.destroy(id, s)
	return true
}

// OnDestroy has fn called with every entity that is about to be destroyed, children before their
// parents, inside the transaction that does it: for what refers to entities by id and must not
// outlive them. fn may change the world, but must not create or destroy entities or set parents.
func (w *World) OnDestroy(fn func(tx *Tx, id ID)) {
	needs("OnDestroy", fn != nil)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.dying = append(w.dying, fn)
}

// destroy removes an entity without children: step by step, each with its own inverse.
func (tx *Tx) destroy(id ID, s *slot) {
	w := tx.w
	for _, fn := range w.dying {
		fn(tx, id)
	}
	tx.note(opTouch, id, s, Destroyed, 0)
	if s.parent != 0 {
		tx.note(opParent, id, s, Destroyed, uint64(s.parent))
		w.link(id, s, 0)
	}
	if tags, ok := w.tags.Get(&tx.View, id); ok {
		tx.noteTags(id, s, tags, nil)
	}
	for _, c := range w.columns {
		c.drop(tx, id)
	}
	tx.note(opDestroy, id, s, Destroyed, 0)
	tx.transforms = append(tx.transforms, s.local)
	w.unplace(s)
	w.entities.drop(id)
}

// unplace takes an entity out of the grid.
func (w *World) unplace(s *slot) {
	cell, at := s.cell, s.at
	if moved := w.grid.remove(cell, at); moved != 0 {
		w.entities.spot(moved).at = at
	}
}

// place puts an entity where it is now in world space.
func (w *World) place(id ID, s *slot, p Vec3) {
	if w.grid.stays(s.cell, s.at, p) {
		return
	}
	w.unplace(s)
	s.cell, s.at = w.grid.add(id, p)
}
