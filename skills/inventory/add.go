package inventory

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// AddIn is the input of inventory.add.
type AddIn struct {
	Entity   world.ID        `json:"entity" jsonschema_description:"Who gets them, such as ent_3: an entity with an inventory."`
	ItemID   string          `json:"itemId" validate:"max=64" jsonschema_description:"The kind, as item.define has it: gold_coin."`
	Quantity int             `json:"quantity" validate:"gte=1" jsonschema:"default=1" jsonschema_description:"How many; all of them, or none if there is no room for all."`
	Slot     *int            `json:"slot,omitempty" validate:"omitempty,gte=0" jsonschema_description:"The slot that they are to be in, counted from 0. Left out: with others of their kind first, then in free ones."`
	Meta     registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event inventory.added."`
}

// AddOut is the output of inventory.add.
type AddOut struct {
	OK     bool   `json:"ok" jsonschema_description:"Whether they were added; if not, nothing has changed."`
	Slot   *int   `json:"slot,omitempty" jsonschema_description:"Where they are, or the first of them."`
	Reason string `json:"reason,omitempty" jsonschema_description:"Why they were not added."`
}

// MayMake refuses who may not make items: players find them. It is asked of all that makes some, now or later, beside inventory.write.
func MayMake(g profiles.Grants) error {
	if g.Has(author) || g.Has("item.configure") {
		return nil
	}
	return registry.Errorf(registry.CodeForbidden, "missing permission: inventory.configure or item.configure, to make items; what there is you get by interaction.pickup and inventory.transfer")
}

// Add is inventory.add.
func Add(s *Store) registry.Skill {
	return registry.Define(registry.Spec[AddIn, AddOut]{
		Name:  "inventory.add",
		Title: "Give items",
		Description: "Make items and put them into an entity's inventory: what a player begins with, a reward, what is in a chest. Needs inventory.configure or item.configure, too: players find things. To move items that somebody has use inventory.transfer; to have them lie about to be picked up, interaction.register. " +
			`Example: {"entity":"ent_3","itemId":"gold_coin","quantity":5}`,
		Core:        true,
		Keywords:    "give reward loot grant receive money fill prize award winner trophy gift",
		Permissions: []profiles.Permission{"inventory.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in AddIn) (AddOut, error) {
			if err := MayMake(c.Principal().Grants); err != nil {
				return AddOut{}, err
			}
			return world.Do(s.w, c, func(tx *world.Tx) (AddOut, error) {
				at, why, err := s.Add(tx, in.Entity, in.ItemID, in.Quantity, in.Slot)
				if why != "" || err != nil {
					return AddOut{Reason: why}, err
				}
				return AddOut{OK: true, Slot: &at}, c.Emit("inventory.added", event{Entity: in.Entity, Item: in.ItemID, Quantity: in.Quantity, Meta: in.Meta})
			})
		},
	})
}

// RemoveIn is the input of inventory.remove.
type RemoveIn struct {
	Entity   world.ID        `json:"entity" jsonschema_description:"Whose they are, such as ent_3."`
	ItemID   string          `json:"itemId" validate:"max=64" jsonschema_description:"The kind: gold_coin."`
	Slot     *int            `json:"slot,omitempty" validate:"omitempty,gte=0" jsonschema_description:"The slot to take them from. Left out: from the last ones that hold some."`
	Quantity int             `json:"quantity" validate:"gte=1" jsonschema:"default=1" jsonschema_description:"How many; all of them, or none if there are fewer."`
	Meta     registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event inventory.removed."`
}

// Remove is inventory.remove.
func Remove(s *Store) registry.Skill {
	return registry.Define(registry.Spec[RemoveIn, Done]{
		Name:  "inventory.remove",
		Title: "End items",
		Description: "Take items out of an entity's slots for good: a price that is paid, what a recipe needs. What it wears has to be taken off by item.unequip before. Who plays has to be near, as for inventory.transfer. To give them to somebody else use that, to lay them down interaction.drop. " +
			`Example: {"entity":"ent_3","itemId":"gold_coin","quantity":5}`,
		Keywords:    "pay spend consume lose craft",
		Permissions: []profiles.Permission{"inventory.write"},
		Effect:      registry.Destroys,
		Handle: func(c *registry.Call, in RemoveIn) (Done, error) {
			return world.Do(s.w, c, func(tx *world.Tx) (Done, error) {
				why, err := s.handle(&tx.View, c.Principal(), in.Entity)
				if why != "" || err != nil {
					return answer(why), err
				}
				why, err = s.Take(tx, in.Entity, in.ItemID, in.Quantity, in.Slot)
				if why != "" || err != nil {
					return answer(why), err
				}
				return answer(""), c.Emit("inventory.removed", event{Entity: in.Entity, Item: in.ItemID, Quantity: in.Quantity, Meta: in.Meta})
			})
		},
	})
}

// TransferIn is the input of inventory.transfer.
type TransferIn struct {
	From     world.ID        `json:"fromEntity" jsonschema_description:"Who has them, such as ent_3."`
	To       world.ID        `json:"toEntity" jsonschema_description:"Who gets them."`
	ItemID   string          `json:"itemId" validate:"max=64" jsonschema_description:"The kind: gold_coin."`
	Quantity int             `json:"quantity" validate:"gte=1" jsonschema:"default=1" jsonschema_description:"How many; all of them, or none if there are fewer, or is no room for all."`
	Meta     registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event inventory.transferred."`
}

// Transfer is inventory.transfer.
func Transfer(s *Store) registry.Skill {
	return registry.Define(registry.Spec[TransferIn, Done]{
		Name:  "inventory.transfer",
		Title: "Hand items over",
		Description: "Move items from one inventory to another: out of a chest, to another player, over a counter. All of them or none. Who plays has to be near both with his own body or character, and a chest has to be open; who may write the scene or configure inventories does it wherever they are. A body or character without an inventory gets one of 20 slots. What is worn has to be taken off by item.unequip before. " +
			`Example: {"fromEntity":"ent_3","toEntity":"ent_7","itemId":"gold_coin","quantity":5}`,
		Keywords:    "give move trade loot deposit withdraw buy sell hand swap",
		Permissions: []profiles.Permission{"inventory.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in TransferIn) (Done, error) {
			return world.Do(s.w, c, func(tx *world.Tx) (Done, error) {
				why, err := s.transfer(tx, c.Principal(), &in)
				if why != "" || err != nil {
					return answer(why), err
				}
				return answer(""), c.Emit("inventory.transferred", event{Entity: in.From, To: in.To, Item: in.ItemID, Quantity: in.Quantity, Meta: in.Meta})
			})
		},
	})
}

func (s *Store) transfer(tx *world.Tx, caller *profiles.Principal, in *TransferIn) (why string, err error) {
	if in.From == in.To {
		return "", registry.Invalidf("toEntity: must be another than fromEntity, got %s for both", in.To)
	}
	why, err = s.handle(&tx.View, caller, in.From, in.To)
	if why != "" || err != nil {
		return why, err
	}
	mark := tx.Savepoint()
	why, err = s.Take(tx, in.From, in.ItemID, in.Quantity, nil)
	if why != "" || err != nil {
		return why, err
	}
	if err := s.Pockets(tx, in.To); err != nil {
		return "", err
	}
	if _, why, err = s.Add(tx, in.To, in.ItemID, in.Quantity, nil); why != "" {
		tx.RollbackTo(mark)
	}
	return why, err
}
