package inventory

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// stack is what is in one slot.
type stack struct {
	Slot int    `json:"slot"`
	Item string `json:"itemId"`
	N    int    `json:"quantity"`
}

// put adds n items of a kind to stacks, of which most may be in a slot of so many slots: first to those of the kind that there are,
// then into free slots; with a slot, into that one only. It returns the new stacks, the first slot that got some, and how many found no
// room.
func put(list []stack, slots, most int, item string, n int, slot *int) (now []stack, at, left int) {
	now, at, left = slices.Clone(list), -1, n
	give := func(i int) {
		k := min(left, max(0, most-now[i].N))
		if k > 0 && at < 0 {
			at = now[i].Slot
		}
		now[i].N += k
		left -= k
	}
	for i := range now {
		if left > 0 && now[i].Item == item && (slot == nil || now[i].Slot == *slot) {
			give(i)
		}
	}
	i := 0 // the stack that is in the slot, or after it
	for free := 0; free < slots && left > 0; free++ {
		if i < len(now) && now[i].Slot == free {
			i++
			continue
		}
		if slot != nil && free != *slot {
			continue
		}
		now = slices.Insert(now, i, stack{Slot: free, Item: item})
		give(i)
		i++
	}
	return now, at, left
}

// take takes n items of a kind from stacks, from the last one first; with a slot, from that one only. It returns the new stacks, and how many were not
// there.
func take(list []stack, item string, n int, slot *int) (now []stack, missing int) {
	now, missing = slices.Clone(list), n
	for i := len(now) - 1; i >= 0 && missing > 0; i-- {
		if now[i].Item != item || slot != nil && now[i].Slot != *slot {
			continue
		}
		k := min(missing, now[i].N)
		now[i].N -= k
		missing -= k
	}
	return slices.DeleteFunc(now, func(s stack) bool { return s.N == 0 }), missing
}

// in returns what is in a slot.
func in(list []stack, slot int) (stack, bool) {
	i, ok := slices.BinarySearchFunc(list, slot, func(s stack, slot int) int { return cmp.Compare(s.Slot, slot) })
	if !ok {
		return stack{}, false
	}
	return list[i], true
}

// slotted refuses a slot that an inventory does not have.
func (r *room) slotted(id world.ID, slot *int) error {
	if slot == nil || *slot < r.Capacity {
		return nil
	}
	return registry.Invalidf("slot: %s has the slots 0 to %d, got %d", id, r.Capacity-1, *slot)
}

// Add puts n items of a kind into an entity's inventory, with a slot into that one only: all of them, or none and why says why.
// It returns the first slot that got some. It fails if there is no such entity, kind, inventory or slot.
func (s *Store) Add(tx *world.Tx, id world.ID, item string, n int, slot *int) (at int, why string, err error) {
	r, err := s.room(&tx.View, id)
	if err != nil {
		return 0, "", err
	}
	k, err := s.Kind(&tx.View, item)
	if err != nil {
		return 0, "", err
	}
	if err := r.slotted(id, slot); err != nil {
		return 0, "", err
	}
	if !r.takes(&k) {
		return 0, fmt.Sprintf("%s takes %s only, and %q is of the category %q", id, listed(r.Only), item, k.Category), nil
	}
	list, _ := s.items.Get(&tx.View, id)
	now, at, left := put(list, r.Capacity, k.Stack, item, n, slot)
	if left > 0 {
		return 0, noRoom(id, list, item, n, left, slot), nil
	}
	if err := s.setItems(tx, id, now); err != nil {
		return 0, "", err
	}
	for _, fn := range s.got {
		if err := fn(tx, id); err != nil {
			return 0, "", err
		}
	}
	return at, "", nil
}

// noRoom says why items were not added.
func noRoom(id world.ID, list []stack, item string, n, left int, slot *int) string {
	if slot != nil {
		if held, ok := in(list, *slot); ok && held.Item != item {
			return fmt.Sprintf("slot %d of %s holds %d %q; leave slot out to have one found", *slot, id, held.N, held.Item)
		}
		return fmt.Sprintf("slot %d of %s has room for %d of %d %q; leave slot out to have several found", *slot, id, n-left, n, item)
	}
	return fmt.Sprintf("%s has room for %d of %d %q", id, n-left, n, item)
}

// Take takes n items of a kind out of an entity's slots, with a slot out of that one only: all of them, or none and why says why.
// What is worn is in no slot. It fails if there is no such entity, kind, inventory or slot.
func (s *Store) Take(tx *world.Tx, id world.ID, item string, n int, slot *int) (why string, err error) {
	r, err := s.room(&tx.View, id)
	if err != nil {
		return "", err
	}
	if _, err := s.Kind(&tx.View, item); err != nil {
		return "", err
	}
	if err := r.slotted(id, slot); err != nil {
		return "", err
	}
	list, _ := s.items.Get(&tx.View, id)
	now, missing := take(list, item, n, slot)
	if missing > 0 {
		return s.tooFew(&tx.View, id, list, item, n, missing, slot), nil
	}
	return "", s.setItems(tx, id, now)
}

// tooFew says why items were not taken.
func (s *Store) tooFew(v *world.View, id world.ID, list []stack, item string, n, missing int, slot *int) string {
	if slot != nil {
		held, ok := in(list, *slot)
		if !ok {
			return fmt.Sprintf("slot %d of %s is empty; leave slot out to have the items found", *slot, id)
		}
		return fmt.Sprintf("slot %d of %s holds %d %q, not %d %q", *slot, id, held.N, held.Item, n, item)
	}
	why := fmt.Sprintf("%s has %d %q, not %d", id, n-missing, item, n)
	if _, wears := s.Own(v, id, item); wears > 0 {
		on, _ := s.worn.Get(v, id)
		i := slices.IndexFunc(on, func(w worn) bool { return w.Item == item })
		why += fmt.Sprintf(", and wears %d: item.unequip {\"entity\":%q,\"equipmentSlot\":%q} puts it back first", wears, id, on[i].Place)
	}
	return why
}

// setItems has an entity hold stacks.
func (s *Store) setItems(tx *world.Tx, id world.ID, list []stack) error {
	if len(list) == 0 {
		s.items.Remove(tx, id)
		return nil
	}
	if !s.items.Has(&tx.View, id) && s.items.Len(&tx.View) >= MaxInventories {
		return registry.Errorf(registry.CodeCapacityExceeded, "%d entities hold items, which is the most: empty some first", MaxInventories)
	}
	return s.items.Set(tx, id, list)
}
