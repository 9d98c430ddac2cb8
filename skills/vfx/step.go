package vfx

import "github.com/limina-mcp/limina/world"

// step frees the bursts whose time is up.
func (e *Effects) step(tx *world.Tx) error {
	var gone []Handle
	for h, at := range e.due.All(&tx.View) {
		if at <= tx.Step() {
			gone = append(gone, h)
		}
	}
	for _, h := range gone {
		e.remove(tx, h)
	}
	return nil
}

// bury removes the emitters that are attached to what is being destroyed.
func (e *Effects) bury(tx *world.Tx, id world.ID) {
	if !e.carriers.Has(&tx.View, id) {
		return
	}
	for _, h := range e.of(&tx.View, id) {
		e.remove(tx, h)
	}
}

// of returns the emitters that are attached to an entity.
func (e *Effects) of(v *world.View, id world.ID) (all []Handle) {
	for h, em := range e.rows.All(v) {
		if em.Entity == id {
			all = append(all, h)
		}
	}
	return all
}

// leave notes that an emitter was taken off an entity; 0 is none.
func (e *Effects) leave(tx *world.Tx, id world.ID) {
	if id != 0 && len(e.of(&tx.View, id)) == 0 {
		e.carriers.Remove(tx, id)
	}
}

// recount makes of the carriers what follows from the rows that there are.
func (e *Effects) recount(tx *world.Tx) error {
	want := map[world.ID]bool{}
	for _, em := range e.rows.All(&tx.View) {
		if em.Entity == 0 || want[em.Entity] {
			continue
		}
		want[em.Entity] = true
		if e.carriers.Has(&tx.View, em.Entity) || !tx.Exists(em.Entity) {
			continue
		}
		if err := e.carriers.Set(tx, em.Entity, struct{}{}); err != nil {
			return err
		}
	}
	for id := range e.carriers.All(&tx.View) {
		if !want[id] {
			e.carriers.Remove(tx, id)
		}
	}
	return nil
}
