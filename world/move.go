package world

// check reports what in t no entity may have, and makes the rotation one of length 1.
func (t *Transform) check() error {
	if err := checkNumbers("position", t.Position[:]); err != nil {
		return err
	}
	if err := checkNumbers("rotation", t.Rotation[:]); err != nil {
		return err
	}
	if err := checkNumbers("scale", t.Scale[:]); err != nil {
		return err
	}
	unit, ok := t.Rotation.Unit()
	if !ok {
		return invalid("rotation: must not be all zeros; no rotation is [0, 0, 0, 1]")
	}
	t.Rotation = unit
	return nil
}

// SetPosition moves an entity, in the space of its parent, or of the world if it has none. Its
// descendants come along. Like every setter of a transform it refuses numbers that are not finite
// or beyond ±3.4e38, also where they would arise in world space, and then changes nothing; being
// told what is so already changes nothing either.
func (tx *Tx) SetPosition(id ID, p Vec3) error {
	s := tx.w.entities.get(id)
	if s == nil {
		return tx.Unknown(id)
	}
	if err := checkNumbers("position", p[:]); err != nil {
		return err
	}
	if s.local.Position == p {
		return nil
	}
	tx.note(opPosition, id, s, Moved, 0)
	tx.places = append(tx.places, s.local.Position)
	s.local.Position = p
	if s.parent == 0 && !s.carries {
		tx.w.place(id, s, p)
		return nil
	}
	return tx.carry(id, s, len(tx.journal)-1)
}

// SetRotation turns an entity. A rotation whose length is not 1 is made so; one of length 0 is
// refused.
func (tx *Tx) SetRotation(id ID, q Quat) error {
	s := tx.w.entities.get(id)
	if s == nil {
		return tx.Unknown(id)
	}
	t := s.local
	t.Rotation = q
	return tx.setTransform(id, s, t)
}

// SetScale stretches an entity.
func (tx *Tx) SetScale(id ID, v Vec3) error {
	s := tx.w.entities.get(id)
	if s == nil {
		return tx.Unknown(id)
	}
	t := s.local
	t.Scale = v
	return tx.setTransform(id, s, t)
}

// SetTransform does what SetPosition, SetRotation and SetScale do, at once.
func (tx *Tx) SetTransform(id ID, t Transform) error {
	s := tx.w.entities.get(id)
	if s == nil {
		return tx.Unknown(id)
	}
	return tx.setTransform(id, s, t)
}

// PutAt moves an entity to a place in world space and turns it there. It keeps its scale, to the bit.
func (tx *Tx) PutAt(id ID, position Vec3, rotation Quat) error {
	s := tx.w.entities.get(id)
	if s == nil {
		return tx.Unknown(id)
	}
	t := tx.InSpaceOf(s.parent, Transform{Position: position, Rotation: rotation})
	t.Scale = s.local.Scale
	return tx.setTransform(id, s, t)
}

func (tx *Tx) setTransform(id ID, s *slot, t Transform) error {
	if err := t.check(); err != nil {
		return err
	}
	if s.local == t {
		return nil
	}
	return tx.putTransform(id, s, t)
}

// putTransform sets a transform that is good.
func (tx *Tx) putTransform(id ID, s *slot, t Transform) error {
	tx.note(opTransform, id, s, Moved, 0)
	tx.transforms = append(tx.transforms, s.local)
	s.local = t
	if s.parent == 0 && !s.carries {
		tx.w.place(id, s, t.Position)
		return nil
	}
	return tx.carry(id, s, len(tx.journal)-1)
}
