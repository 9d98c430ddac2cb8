package interaction

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// DropIn is the input of interaction.drop.
type DropIn struct {
	Actor    world.ID        `json:"actorEntity,omitempty" jsonschema_description:"Who drops it: left out, your own body or character."`
	ItemID   string          `json:"itemId" validate:"max=64" jsonschema_description:"What, of its inventory: gold_coin."`
	Slot     *int            `json:"slot,omitempty" validate:"omitempty,gte=0" jsonschema_description:"Out of which slot. Left out: of the last ones that hold some."`
	Position *world.Vec3     `json:"position,omitempty" jsonschema_description:"Where its centre is to be, at most 3 metres away. Left out: at the feet of who drops it."`
	Quantity int             `json:"quantity" validate:"gte=1,lte=1000000" jsonschema:"default=1" jsonschema_description:"How many, as one entity."`
	Meta     registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event interaction.dropped."`
}

// DropOut is the output of interaction.drop.
type DropOut struct {
	OK     bool      `json:"ok" jsonschema_description:"Whether it was dropped; if not, nothing has changed."`
	Item   *world.ID `json:"itemEntity,omitempty" jsonschema_description:"What lies there now, for interaction.pickup."`
	Reason string    `json:"reason,omitempty" jsonschema_description:"Why it was not dropped, and what would help."`
}

// Drop is interaction.drop.
func Drop(t *Things) registry.Skill {
	return registry.Define(registry.Spec[DropIn, DropOut]{
		Name:  "interaction.drop",
		Title: "Lay an item down",
		Description: "Lay items of your inventory down: they become one entity that anybody near can pick up. It looks as item.define says under drop, or like a small box. To hand them to somebody use inventory.transfer. " +
			`Example: {"itemId":"gold_coin","quantity":5}`,
		Keywords:    "throw away leave discard",
		Permissions: []profiles.Permission{"interaction.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in DropIn) (DropOut, error) {
			return world.Do(t.w, c, func(tx *world.Tx) (DropOut, error) {
				id, why, err := t.drop(c, tx, &in)
				if why != "" || err != nil {
					return DropOut{Reason: why}, err
				}
				return DropOut{OK: true, Item: &id}, nil
			})
		},
	})
}

func (t *Things) drop(c caller, tx *world.Tx, in *DropIn) (id world.ID, why string, err error) {
	actor, err := t.actor(&tx.View, c.Principal(), in.Actor)
	if err != nil {
		return 0, "", err
	}
	k, err := t.owned.Kind(&tx.View, in.ItemID)
	if err != nil {
		return 0, "", err
	}
	look, err := k.Look()
	if err != nil {
		return 0, "", err
	}
	if in.Position != nil {
		look.Position = *in.Position
		if why := t.far(&tx.View, c.Principal(), actor, goal{"position", 0, solid.Bounds{Lo: look.Position, Hi: look.Position}, Range}); why != "" {
			return 0, why, nil
		}
	} else {
		b := t.bounds(&tx.View, actor)
		look.Position = b.Center().Bounded()
		look.Position[1] = world.Bounded(b.Lo[1] + look.Size/2)
	}
	if why, err := t.owned.Take(tx, actor, in.ItemID, in.Quantity, in.Slot); why != "" || err != nil {
		return 0, why, err
	}
	if id, err = look.Create(t.w, tx); err != nil {
		return 0, "", err
	}
	if err := tx.SetName(id, k.Name); err != nil {
		return 0, "", err
	}
	th := Thing{Prompt: "Pick up " + quote.Clip(k.Name), Type: "pickup", Range: Range}
	if err := t.put(tx, id, th, setup{Item: in.ItemID, N: in.Quantity}); err != nil {
		return 0, "", err
	}
	at, _ := tx.Position(id)
	return id, "", t.tell(c, tx, "interaction.dropped", at, id, &happening{Entity: id, Actor: actor, Item: in.ItemID, Quantity: in.Quantity, Meta: in.Meta})
}
