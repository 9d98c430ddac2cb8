package inventory

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/world"
)

// worn is an item that somebody wears or holds.
type worn struct {
	Place string `json:"equipmentSlot"`
	Item  string `json:"itemId"`
}

// place finds a place among what is worn, or where it would be.
func place(on []worn, name string) (int, bool) {
	return slices.BinarySearchFunc(on, name, func(w worn, name string) int { return cmp.Compare(w.Place, name) })
}

// EquipIn is the input of item.equip.
type EquipIn struct {
	Entity world.ID        `json:"entity,omitempty" jsonschema_description:"Who is to wear or hold it, such as ent_3: an entity with an inventory; left out: your own body or character."`
	ItemID string          `json:"itemId" validate:"max=64" jsonschema_description:"The item, which has to be in its inventory."`
	Place  string          `json:"equipmentSlot" validate:"min=1,max=64" jsonschema_description:"Where: a word that you agree on, such as hand, head, back."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event item.equipped."`
}

// Equip is item.equip.
func Equip(s *Store) registry.Skill {
	return registry.Define(registry.Spec[EquipIn, Done]{
		Name:  "item.equip",
		Title: "Wear or hold an item",
		Description: "Have an entity wear or hold one item of its inventory: it leaves its slot for a place such as hand or head, where all who see the entity see it. What was there goes back into the inventory. " +
			`To use one up use interaction.use. Example: {"entity":"ent_3","itemId":"sword","equipmentSlot":"hand"}`,
		Keywords:    "wear hold wield arm dress armour weapon hand helmet",
		Permissions: []profiles.Permission{"inventory.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in EquipIn) (Done, error) {
			return world.Do(s.w, c, func(tx *world.Tx) (Done, error) {
				if err := s.self.Fill(&tx.View, c.Principal(), "entity", &in.Entity); err != nil {
					return Done{}, err
				}
				if why, err := s.handle(&tx.View, c.Principal(), in.Entity); why != "" || err != nil {
					return answer(why), err
				}
				why, changed, err := s.equip(tx, &in)
				if err != nil || !changed {
					return answer(why), err
				}
				return answer(""), c.Emit("item.equipped", event{Entity: in.Entity, Item: in.ItemID, Place: in.Place, Meta: in.Meta})
			})
		},
	})
}

// equip has an entity wear an item.
func (s *Store) equip(tx *world.Tx, in *EquipIn) (why string, changed bool, err error) {
	on, _ := s.worn.Get(&tx.View, in.Entity)
	i, taken := place(on, in.Place)
	if taken && on[i].Item == in.ItemID {
		return "", false, nil
	}
	if !taken && len(on) == MaxWorn {
		return "", false, registry.Errorf(registry.CodeCapacityExceeded, "%s wears %d things, which is the most: item.unequip takes one off", in.Entity, MaxWorn)
	}
	mark := tx.Savepoint()
	if why, err = s.Take(tx, in.Entity, in.ItemID, 1, nil); why != "" || err != nil {
		return why, false, err
	}
	on = slices.Clone(on)
	if !taken {
		on = slices.Insert(on, i, worn{in.Place, in.ItemID})
		return "", true, s.worn.Set(tx, in.Entity, on)
	}
	if _, why, err = s.Add(tx, in.Entity, on[i].Item, 1, nil); why != "" || err != nil {
		tx.RollbackTo(mark)
		if why != "" {
			why = fmt.Sprintf("what is on %q cannot go back: %s", in.Place, why)
		}
		return why, false, err
	}
	on[i].Item = in.ItemID
	return "", true, s.worn.Set(tx, in.Entity, on)
}

// UnequipIn is the input of item.unequip.
type UnequipIn struct {
	Entity world.ID        `json:"entity,omitempty" jsonschema_description:"Who wears it, such as ent_3; left out: your own body or character."`
	Place  string          `json:"equipmentSlot" validate:"min=1,max=64" jsonschema_description:"Where, as item.equip had it: hand."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event item.unequipped."`
}

// Unequip is item.unequip.
func Unequip(s *Store) registry.Skill {
	return registry.Define(registry.Spec[UnequipIn, Done]{
		Name:  "item.unequip",
		Title: "Put a worn item away",
		Description: "Have an entity put away what it wears or holds somewhere: the item goes back into its inventory, if there is room. To have something else there use item.equip at once. " +
			`Example: {"entity":"ent_3","equipmentSlot":"hand"}`,
		Keywords:    "undress sheathe",
		Permissions: []profiles.Permission{"inventory.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in UnequipIn) (Done, error) {
			return world.Do(s.w, c, func(tx *world.Tx) (Done, error) {
				if err := s.self.Fill(&tx.View, c.Principal(), "entity", &in.Entity); err != nil {
					return Done{}, err
				}
				if why, err := s.handle(&tx.View, c.Principal(), in.Entity); why != "" || err != nil {
					return answer(why), err
				}
				item, why, err := s.unequip(tx, in.Entity, in.Place)
				if why != "" || err != nil {
					return answer(why), err
				}
				return answer(""), c.Emit("item.unequipped", event{Entity: in.Entity, Item: item, Place: in.Place, Meta: in.Meta})
			})
		},
	})
}

func (s *Store) unequip(tx *world.Tx, id world.ID, name string) (item, why string, err error) {
	if _, err := s.room(&tx.View, id); err != nil {
		return "", "", err
	}
	on, _ := s.worn.Get(&tx.View, id)
	i, ok := place(on, name)
	if !ok {
		return "", fmt.Sprintf("%s has nothing on %q; %s", id, quote.Clip(name), wearing(on)), nil
	}
	item = on[i].Item
	if _, why, err := s.Add(tx, id, item, 1, nil); why != "" || err != nil {
		return "", why, err
	}
	if on = slices.Delete(slices.Clone(on), i, i+1); len(on) == 0 {
		s.worn.Remove(tx, id)
		return item, "", nil
	}
	return item, "", s.worn.Set(tx, id, on)
}

// wearing says, for a message, where something is worn.
func wearing(on []worn) string {
	if len(on) == 0 {
		return "it wears nothing"
	}
	var names []string
	for _, w := range on {
		names = append(names, w.Place)
	}
	return "it has something on " + listed(names)
}

// listed quotes names for a message.
func listed(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = fmt.Sprintf("%q", n)
	}
	return strings.Join(quoted, ", ")
}
