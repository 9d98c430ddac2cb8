package world

// Clone adds a copy of an entity and of everything below it, with their transforms, names, tags and
// components, except those that are [Single]. The copy gets spec's Parent, Position, Rotation and
// Scale, and its Name and Tags besides those that it has from the original; what it holds keeps its
// place in it. It returns the copy's id; those below it got the ids that follow, each before what is
// below it. If it fails, nothing is changed.
func (tx *Tx) Clone(id ID, spec Spec) (ID, error) {
	if !tx.Exists(id) {
		return 0, tx.Unknown(id)
	}
	if tx.Within(spec.Parent, id) {
		return 0, invalid("a copy of %s cannot be in %s itself: it would hold a copy of the copy", id, id)
	}
	mark := len(tx.journal)
	copied, err := tx.clone(id, spec)
	if err != nil {
		tx.RollbackTo(mark)
		return 0, err
	}
	return copied, nil
}

func (tx *Tx) clone(id ID, spec Spec) (ID, error) {
	if spec.Name == "" {
		spec.Name = tx.Name(id)
	}
	tags := tx.Tags(id)
	if len(spec.Tags) > 0 {
		spec.Tags = append(append([]string(nil), tags...), spec.Tags...)
		tags = nil
	}
	children := append([]ID(nil), tx.Children(id)...) // before there is one more
	to, err := tx.Create(spec)
	if err != nil {
		return 0, err
	}
	if len(tags) > 0 { // the very slice: values are immutable
		if err := tx.putTags(to, tx.w.entities.get(to), nil, tags); err != nil {
			return 0, err
		}
	}
	for _, c := range tx.w.columns {
		if c.base().single {
			continue
		}
		if err := c.clone(tx, id, to); err != nil {
			return 0, err
		}
	}
	for _, child := range children {
		t, _ := tx.Transform(child)
		if _, err := tx.clone(child, Spec{Parent: to, Position: t.Position, Rotation: t.Rotation, Scale: t.Scale}); err != nil {
			return 0, err
		}
	}
	return to, nil
}

func (c *Component[T]) clone(tx *Tx, from, to ID) error {
	value, ok := c.Get(&tx.View, from)
	if !ok {
		return nil
	}
	return c.Set(tx, to, value)
}
