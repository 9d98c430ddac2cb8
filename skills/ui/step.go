package ui

import (
	"cmp"

	"github.com/limina-mcp/limina/skills/internal/derived"
	"github.com/limina-mcp/limina/world"
)

// step removes the panels that go by themselves. Only if there are any does it look at all.
func (p *Panels) step(tx *world.Tx) error {
	if !p.anyDue(&tx.View) && !p.anyOrphans(&tx.View) {
		return nil
	}
	var gone []Handle
	for h, panel := range p.rows.All(&tx.View) {
		if panel.Until != 0 && panel.Until <= tx.Step() || orphaned(&tx.View, &panel) {
			gone = append(gone, h)
		}
	}
	for _, h := range gone {
		p.Remove(tx, h)
	}
	return nil
}

// activity is Busy while panels have an end, and else whether there are any whose entity was destroyed.
func (p *Panels) activity(v *world.View) world.Activity {
	switch {
	case p.ends.Len(v) > 0:
		return world.Busy
	case p.anyOrphans(v):
		return world.Waiting
	}
	return world.Idle
}

// anyDue reports whether the time of a panel is up.
func (p *Panels) anyDue(v *world.View) bool {
	for end := range p.ends.All(v) {
		return end <= v.Step() // the first is the earliest
	}
	return false
}

// anyOrphans reports whether an entity with panels was destroyed: it took its holder with it, and is
// still counted in held.
func (p *Panels) anyOrphans(v *world.View) bool { return p.holder.Len(v) != p.held.Len(v) }

// orphaned reports whether the panel is at an entity that does not exist.
func orphaned(v *world.View, panel *Panel) bool {
	entity := panel.Anchor.entity()
	return entity != 0 && !v.Exists(entity)
}

// index counts a new panel.
func (p *Panels) index(tx *world.Tx, panel *Panel) error {
	if panel.Until != 0 {
		if _, err := count(tx, p.ends, panel.Until, +1); err != nil {
			return err
		}
	}
	entity := panel.Anchor.entity()
	if entity == 0 {
		return nil
	}
	if n, err := count(tx, p.held, entity, +1); n > 1 || err != nil {
		return err
	}
	return p.holder.Set(tx, entity, struct{}{})
}

// unindex discounts a panel that is gone.
func (p *Panels) unindex(tx *world.Tx, panel *Panel) {
	if panel.Until != 0 {
		_, _ = count(tx, p.ends, panel.Until, -1) // fails when there is no room for one more
	}
	entity := panel.Anchor.entity()
	if entity == 0 {
		return
	}
	if n, _ := count(tx, p.held, entity, -1); n == 0 {
		p.holder.Remove(tx, entity)
	}
}

// count adds to the number under a key and returns the new one. A number of zero has no row.
func count[K cmp.Ordered](tx *world.Tx, t *world.Table[K, int], key K, by int) (int, error) {
	n, _ := t.Get(&tx.View, key)
	n += by
	if n == 0 {
		t.Delete(tx, key)
		return 0, nil
	}
	return n, t.Set(tx, key, n)
}

// reindex counts all panels anew.
func (p *Panels) reindex(tx *world.Tx) error {
	ends, held := map[uint64]int{}, map[world.ID]int{}
	for _, panel := range p.rows.All(&tx.View) {
		if panel.Until != 0 {
			ends[panel.Until]++
		}
		if entity := panel.Anchor.entity(); entity != 0 {
			held[entity]++
		}
	}
	if err := derived.Remake(tx, p.ends, ends, derived.Equal); err != nil {
		return err
	}
	if err := derived.Remake(tx, p.held, held, derived.Equal); err != nil {
		return err
	}
	for entity := range p.holder.All(&tx.View) {
		if held[entity] == 0 {
			p.holder.Remove(tx, entity)
		}
	}
	for entity := range p.held.All(&tx.View) {
		if _, ok := p.holder.Get(&tx.View, entity); ok || !tx.Exists(entity) {
			continue
		}
		if err := p.holder.Set(tx, entity, struct{}{}); err != nil {
			return err
		}
	}
	return nil
}
