package trigger

import "github.com/limina-mcp/limina/world"

// carried is where the middle of a zone that goes with an entity is to be.
func (z *zone) carried(v *world.View) world.Vec3 {
	at, _ := v.WorldTransform(z.Entity)
	return at.Position.Add(at.Rotation.Rotate(z.Offset)).Bounded()
}

// carriedBy reports whether an entity is the one that a zone goes with, or below that.
func (z *zone) carriedBy(v *world.View, id world.ID) bool {
	for ; z.Entity != 0 && id != 0; id = v.Parent(id) {
		if id == z.Entity {
			return true
		}
	}
	return false
}

// carry moves the zones that go with entities to where these are, and has all that may be in them, or may have been, be looked at.
func (t *Triggers) carry(tx *world.Tx) error {
	for h := range t.carried.All(&tx.View) {
		before, ok := t.zones.Get(&tx.View, h)
		if !ok {
			continue
		}
		z := before
		if z.Center = z.carried(&tx.View); z.Center == before.Center {
			continue
		}
		if err := t.unindex(tx, h, &before); err != nil {
			return err
		}
		if err := t.zones.Set(tx, h, z); err != nil {
			return err
		}
		if err := t.index(tx, h, &z); err != nil {
			return err
		}
		half := z.half()
		for _, at := range [...]world.Vec3{before.Center, z.Center} {
			t.touched = append(t.touched, tx.InBox(at.Sub(half), at.Add(half))...)
		}
	}
	return nil
}

// behind reports whether a zone is not where its entity would have it.
func (t *Triggers) behind(v *world.View) bool {
	for h := range t.carried.All(v) {
		if z, ok := t.zones.Get(v, h); ok && z.carried(v) != z.Center {
			return true
		}
	}
	return false
}

// bury has the zones of an entity that is destroyed end with it.
func (t *Triggers) bury(tx *world.Tx, id world.ID) {
	if t.carried.Len(&tx.View) == 0 {
		return
	}
	var gone []Handle
	for h, carrier := range t.carried.All(&tx.View) {
		if carrier == id {
			gone = append(gone, h)
		}
	}
	for _, h := range gone {
		z, _ := t.zones.Get(&tx.View, h)
		_ = t.remove(tx, h, &z) // it takes away only, for which there is room
	}
}
