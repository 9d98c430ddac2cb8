package stats

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// HealIn is the input of damage.heal.
type HealIn struct {
	TargetEntity world.ID        `json:"targetEntity" jsonschema_description:"Id of who is healed, such as ent_3. It needs the stat hp or health."`
	Amount       float64         `json:"amount" validate:"gt=0" jsonschema_description:"How much; no more than up to its maximum."`
	Meta         registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event damage.healed."`
}

// HealOut is the output of damage.heal.
type HealOut struct {
	Healed    float64 `json:"healed" jsonschema_description:"What it has gained: 0 if it was whole."`
	Remaining float64 `json:"remaining" jsonschema_description:"What it has now."`
}

type healed struct {
	Target    world.ID        `json:"targetEntity"`
	Healed    float64         `json:"healed"`
	Remaining float64         `json:"remaining"`
	Meta      registry.Object `json:"meta,omitempty"`
}

// mended is what viewers are told of it.
type mended struct {
	Target    world.ID `json:"entity"`
	Healed    float64  `json:"healed"`
	Remaining float64  `json:"remaining"`
	By        string   `json:"by"`
}

func (s *Stats) heal() registry.Skill {
	return registry.Define(registry.Spec[HealIn, HealOut]{
		Name:  "damage.heal",
		Title: "Heal",
		Description: "Give an entity health back, up to its maximum; also one that has none left, which is alive again. " +
			`For another stat use stats.modify. Example: {"targetEntity":"ent_3","amount":25}`,
		Keywords:    "cure health hp potion medkit revive regenerate",
		Permissions: []profiles.Permission{"damage.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in HealIn) (HealOut, error) {
			return world.Do(s.w, c, func(tx *world.Tx) (HealOut, error) {
				if err := s.Vital(&tx.View, in.TargetEntity); err != nil {
					return HealOut{}, err
				}
				block, _ := s.blocks.Get(&tx.View, in.TargetEntity)
				i := health(block)
				before := block[i].Value
				now := max(before, block[i].within(world.Bounded(before+in.Amount)))
				out := HealOut{world.Bounded(now - before), now}
				if err := s.put(tx, in.TargetEntity, block, i, now, 0); err != nil {
					return HealOut{}, err
				}
				if err := tell(tx, "damage.healed", in.TargetEntity, &mended{in.TargetEntity, out.Healed, out.Remaining, c.Principal().ID}); err != nil {
					return HealOut{}, err
				}
				return out, c.Emit("damage.healed", healed{in.TargetEntity, out.Healed, out.Remaining, in.Meta})
			})
		},
	})
}
