package interaction

import (
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// PickupIn is the input of interaction.pickup.
type PickupIn struct {
	Item  world.ID        `json:"itemEntity" jsonschema_description:"What lies there, such as ent_7: registered as pickup, or dropped."`
	Actor world.ID        `json:"actorEntity,omitempty" jsonschema_description:"Who picks it up, and has to be near: left out, your own body or character."`
	Slot  *int            `json:"slot,omitempty" validate:"omitempty,gte=0" jsonschema_description:"The slot that it is to be in, counted from 0. Left out: with others of its kind first, then in free ones."`
	Meta  registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event interaction.pickedUp."`
}

// PickupOut is the output of interaction.pickup.
type PickupOut struct {
	OK       bool   `json:"ok" jsonschema_description:"Whether it was picked up; if not, it lies where it was."`
	Slot     *int   `json:"slot,omitempty" jsonschema_description:"Where it is, or the first of several."`
	ItemID   string `json:"itemId,omitempty" jsonschema_description:"What it is, in the inventory."`
	Quantity int    `json:"quantity,omitempty" jsonschema_description:"How many."`
	Reason   string `json:"reason,omitempty" jsonschema_description:"Why it was not picked up, and what would help."`
}

// Pickup is interaction.pickup.
func Pickup(t *Things) registry.Skill {
	return registry.Define(registry.Spec[PickupIn, PickupOut]{
		Name:  "interaction.pickup",
		Title: "Pick something up",
		Description: "Pick up what lies about: its items go into your inventory, all of them or none, and the entity is gone. interaction.drop lays them down again. To get something out of a chest use inventory.transfer. " +
			`Example: {"itemEntity":"ent_7"}`,
		Keywords:    "grab collect get coin loot gather",
		Permissions: []profiles.Permission{"interaction.write"},
		Effect:      registry.Destroys,
		Handle: func(c *registry.Call, in PickupIn) (PickupOut, error) {
			return world.Do(t.w, c, func(tx *world.Tx) (PickupOut, error) {
				th, s, err := t.find(&tx.View, in.Item)
				if err != nil {
					return PickupOut{}, err
				}
				if th.Type != "pickup" {
					return PickupOut{}, registry.Failf("%s is registered as %q, not as pickup: interaction.interact does what it is for", in.Item, th.Type)
				}
				actor, err := t.actor(&tx.View, c.Principal(), in.Actor)
				if err != nil {
					return PickupOut{}, err
				}
				slot, why, err := t.pickup(c, tx, &deed{actor: actor, id: in.Item, thing: th, setup: s, meta: in.Meta}, in.Slot)
				if why != "" || err != nil {
					return PickupOut{Reason: why}, err
				}
				return PickupOut{OK: true, Slot: &slot, ItemID: s.Item, Quantity: s.N}, nil
			})
		},
	})
}

// pickup has somebody pick a thing up, and returns the first slot that got some of it.
func (t *Things) pickup(c caller, tx *world.Tx, d *deed, slot *int) (at int, why string, err error) {
	if why, err := t.loose(&tx.View, d); why != "" || err != nil {
		return 0, why, err
	}
	if why := t.reach(c, &tx.View, d); why != "" {
		return 0, why, nil
	}
	mark := tx.Savepoint()
	if err := t.owned.Pockets(tx, d.actor); err != nil {
		return 0, "", err
	}
	at, why, err = t.owned.Add(tx, d.actor, d.setup.Item, d.setup.N, slot)
	if why != "" || err != nil {
		tx.RollbackTo(mark)
		return 0, why, err
	}
	place, _ := tx.Position(d.id)
	h := d.happening()
	h.Item, h.Quantity = d.setup.Item, d.setup.N
	tx.Destroy(d.id)
	return at, "", t.tell(c, tx, "interaction.pickedUp", place, d.actor, h, d.setup.Action)
}

// loose says why a thing cannot be picked up: what would be destroyed with it that is no part of it.
func (t *Things) loose(v *world.View, d *deed) (why string, err error) {
	if v.Within(d.actor, d.id) {
		return "", registry.Invalidf("actorEntity: %s is, or is in, what it is to pick up", d.actor)
	}
	check := func(id world.ID) string {
		switch th, _ := t.things.Get(v, id); {
		case t.cast.Lives(v, id):
			return fmt.Sprintf("%s is a body or a character, which nobody picks up", id)
		case t.owned.Holds(v, id):
			return fmt.Sprintf("%s holds items, which would be lost: inventory.transfer empties it first", id)
		case id != d.id && th.Type == "pickup":
			return fmt.Sprintf("%s is in it, which would be lost: pick that up first", id)
		}
		return ""
	}
	if why := check(d.id); why != "" {
		return why, nil
	}
	for id := range v.Below(d.id) {
		if why := check(id); why != "" {
			return why, nil
		}
	}
	return "", nil
}
