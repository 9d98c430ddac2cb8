package inventory

import (
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// ListIn is the input of inventory.list.
type ListIn struct {
	Entity world.ID        `json:"entity,omitempty" jsonschema_description:"Whose inventory, such as ent_3; left out: your own body's or character's."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// ListOut is the output of inventory.list.
type ListOut struct {
	Items     []Held  `json:"items" jsonschema_description:"What is in the slots, in their order."`
	Equipment []Wears `json:"equipment" jsonschema_description:"What it wears or holds, which is in no slot."`
	Capacity  int     `json:"capacity" jsonschema_description:"How many slots it has."`
	Free      int     `json:"free" jsonschema_description:"How many of them are empty."`
	Weight    float64 `json:"weight" jsonschema_description:"What all of it weighs, by item.define."`
}

// Held is what is in a slot.
type Held struct {
	ItemID   string `json:"itemId" jsonschema_description:"The kind."`
	Name     string `json:"name" jsonschema_description:"What people call it."`
	Quantity int    `json:"quantity" jsonschema_description:"How many."`
	Slot     int    `json:"slot" jsonschema_description:"In which slot, counted from 0."`
	Equipped bool   `json:"equipped" jsonschema_description:"Whether it also wears one of the kind."`
}

// Wears is what somebody wears.
type Wears struct {
	Place    string `json:"equipmentSlot" jsonschema_description:"Where."`
	ItemID   string `json:"itemId" jsonschema_description:"The kind."`
	Quantity int    `json:"quantity" jsonschema_description:"How many: one."`
}

// List is inventory.list.
func List(s *Store) registry.Skill {
	return registry.Define(registry.Spec[ListIn, ListOut]{
		Name:  "inventory.list",
		Title: "What somebody has",
		Description: "List what an entity has in its inventory, slot by slot, what it wears, and how much room is left. For one kind only inventory.count and inventory.has are shorter. " +
			`Example: {"entity":"ent_3"}`,
		Keywords:    "contents bag chest loot equipment possessions",
		Permissions: []profiles.Permission{"inventory.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in ListIn) (ListOut, error) {
			return world.Read(s.w, c, func(v *world.View) (ListOut, error) {
				if err := s.self.Fill(v, c.Principal(), "entity", &in.Entity); err != nil {
					return ListOut{}, err
				}
				return s.list(v, in.Entity)
			})
		},
	})
}

func (s *Store) list(v *world.View, id world.ID) (ListOut, error) {
	r, err := s.room(v, id)
	if err != nil {
		return ListOut{}, err
	}
	out := ListOut{Items: []Held{}, Equipment: []Wears{}, Capacity: r.Capacity}
	list, _ := s.items.Get(v, id)
	on, _ := s.worn.Get(v, id)
	weigh := func(k *Kind, n int) { out.Weight = world.Bounded(out.Weight + float64(k.Weight*float64(n))) }
	for _, st := range list {
		k, _ := s.kinds.Get(v, st.Item)
		weigh(&k, st.N)
		wears := slices.ContainsFunc(on, func(w worn) bool { return w.Item == st.Item })
		out.Items = append(out.Items, Held{st.Item, k.Name, st.N, st.Slot, wears})
	}
	for _, w := range on {
		k, _ := s.kinds.Get(v, w.Item)
		weigh(&k, 1)
		out.Equipment = append(out.Equipment, Wears{w.Place, w.Item, 1})
	}
	out.Free = r.Capacity - len(list)
	return out, nil
}

// OfIn is the input of inventory.count and inventory.has.
type OfIn struct {
	Entity world.ID        `json:"entity,omitempty" jsonschema_description:"Whose inventory, such as ent_3; left out: your own body's or character's."`
	ItemID string          `json:"itemId" validate:"max=64" jsonschema_description:"The kind: gold_coin."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// CountOut is the output of inventory.count.
type CountOut struct {
	Count    int `json:"count" jsonschema_description:"How many it has, in slots and worn."`
	Equipped int `json:"equipped,omitempty" jsonschema_description:"How many of them it wears."`
}

// Count is inventory.count.
func Count(s *Store) registry.Skill {
	return registry.Define(registry.Spec[OfIn, CountOut]{
		Name:        "inventory.count",
		Title:       "How many of a kind somebody has",
		Description: `Count the items of one kind that an entity has, in slots and worn. For everything it has use inventory.list. Example: {"entity":"ent_3","itemId":"gold_coin"}`,
		Keywords:    "number total money coins",
		Permissions: []profiles.Permission{"inventory.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in OfIn) (CountOut, error) {
			return world.Read(s.w, c, func(v *world.View) (CountOut, error) {
				all, wears, err := s.of(v, c.Principal(), &in)
				return CountOut{all, wears}, err
			})
		},
	})
}

// HasOut is the output of inventory.has.
type HasOut struct {
	Has bool `json:"has" jsonschema_description:"Whether it has one, in a slot or worn."`
}

// Has is inventory.has.
func Has(s *Store) registry.Skill {
	return registry.Define(registry.Spec[OfIn, HasOut]{
		Name:        "inventory.has",
		Title:       "Whether somebody has an item",
		Description: `Ask whether an entity has an item of one kind, in a slot or worn: a key, a ticket. How many tells inventory.count. Example: {"entity":"ent_3","itemId":"brass_key"}`,
		Keywords:    "own possess key ticket check",
		Permissions: []profiles.Permission{"inventory.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in OfIn) (HasOut, error) {
			return world.Read(s.w, c, func(v *world.View) (HasOut, error) {
				all, _, err := s.of(v, c.Principal(), &in)
				return HasOut{all > 0}, err
			})
		},
	})
}

func (s *Store) of(v *world.View, caller *profiles.Principal, in *OfIn) (all, wears int, err error) {
	if err := s.self.Fill(v, caller, "entity", &in.Entity); err != nil {
		return 0, 0, err
	}
	if _, err := s.room(v, in.Entity); err != nil {
		return 0, 0, err
	}
	if _, err := s.Kind(v, in.ItemID); err != nil {
		return 0, 0, err
	}
	all, wears = s.Own(v, in.Entity, in.ItemID)
	return all, wears, nil
}
