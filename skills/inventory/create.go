package inventory

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// CreateIn is the input of inventory.create.
type CreateIn struct {
	Entity   world.ID        `json:"entity" jsonschema_description:"Who is to keep things, such as ent_3: a character, a chest."`
	Capacity int             `json:"capacity" validate:"gte=1,lte=200" jsonschema:"default=20" jsonschema_description:"How many slots it has."`
	Only     []string        `json:"typeRestrictions,omitempty" validate:"omitempty,max=32,dive,min=1,max=64" jsonschema_description:"The categories of items that it takes, such as [\"food\"]; left out or empty: all."`
	Meta     registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event inventory.created."`
}

// CreateOut is the output of inventory.create.
type CreateOut struct {
	OK bool `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
}

// Create is inventory.create.
func Create(s *Store) registry.Skill {
	return registry.Define(registry.Spec[CreateIn, CreateOut]{
		Name:  "inventory.create",
		Title: "Give an entity an inventory",
		Description: "Give an entity slots to keep items in: a character's bag, a chest, a shop. One that it has is changed and keeps its items. The things themselves are defined by item.define and put in by inventory.add. " +
			`Example: {"entity":"ent_3","capacity":12,"typeRestrictions":["food","tool"]}`,
		Keywords:    "bag backpack chest container storage slots pockets loot",
		Permissions: []profiles.Permission{author},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in CreateIn) (CreateOut, error) {
			return world.Do(s.w, c, func(tx *world.Tx) (CreateOut, error) {
				if err := s.Open(tx, in.Entity, in.Capacity, in.Only); err != nil {
					return CreateOut{}, err
				}
				return CreateOut{OK: true}, c.Emit("inventory.created", event{Entity: in.Entity, Meta: in.Meta})
			})
		},
	})
}
