package combat

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// DefendIn is the input of combat.defend.
type DefendIn struct {
	Entity          world.ID        `json:"entity,omitempty" jsonschema_description:"Id of who defends itself, such as ent_3: your own body or character, which it is if left out, or what is nobody's."`
	Duration        float64         `json:"duration" validate:"gt=0" jsonschema:"default=1" jsonschema_description:"For how many simulated seconds. The newest call counts."`
	DamageReduction float64         `json:"damageReduction" validate:"gte=0,lte=1" jsonschema:"default=0.5" jsonschema_description:"The part of damage that it keeps off; 1 is all."`
	ReflectChance   float64         `json:"reflectChance" validate:"gte=0,lte=1" jsonschema:"default=0" jsonschema_description:"How likely a blow is thrown back: the attacker takes it instead. 1 is always."`
	Meta            registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event combat.defended."`
}

// DefendOut is the output of combat.defend.
type DefendOut struct {
	OK          bool    `json:"ok" jsonschema_description:"Whether it defends itself now."`
	ExpiresTick float64 `json:"expiresTick" jsonschema_description:"The simulation step at which that ends; 60 are a second. 0 if it does not."`
	Reason      string  `json:"reason,omitempty" jsonschema_description:"Why it does not."`
}

func (a *Arena) defend() registry.Skill {
	return registry.Define(registry.Spec[DefendIn, DefendOut]{
		Name:  "combat.defend",
		Title: "Defend",
		Description: "Have an entity defend itself for a moment: it keeps a part of damage off, and may throw blows back. " +
			`To lower damage for good give it the stat defense by stats.create; to take a given amount for it, status.apply with shield. Example: {"entity":"ent_3","duration":2,"damageReduction":0.8}`,
		Keywords:    "block parry guard shield dodge protect stance counter reflect",
		Permissions: []profiles.Permission{"combat.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in DefendIn) (DefendOut, error) {
			return world.Do(a.w, c, func(tx *world.Tx) (DefendOut, error) {
				if err := a.stats.Self(&tx.View, c.Principal(), "entity", &in.Entity); err != nil {
					return DefendOut{}, err
				}
				unable, err := a.fighter(&tx.View, c.Principal(), in.Entity)
				if err != nil {
					return DefendOut{}, err
				}
				if unable != "" {
					return DefendOut{Reason: unable}, nil
				}
				rules, err := a.held(&tx.View, c.Principal(), in.Entity)
				if err != nil {
					return DefendOut{}, err
				}
				if rules != nil {
					if why, err := a.shielded(tx, rules, &in); why != "" || err != nil {
						return DefendOut{Reason: why}, err
					}
				}
				until, err := a.stats.Defend(tx, in.Entity, in.Duration, in.DamageReduction, in.ReflectChance)
				if err != nil {
					return DefendOut{}, err
				}
				return DefendOut{OK: true, ExpiresTick: float64(until)}, c.Emit("combat.defended", defended{in.Entity, until, in.Meta})
			})
		},
	})
}

type defended struct {
	Entity world.ID        `json:"entity"`
	Until  uint64          `json:"expiresTick"`
	Meta   registry.Object `json:"meta,omitempty"`
}

// shielded holds somebody who defends himself to the rules, and says why he cannot, "" if he can.
func (a *Arena) shielded(tx *world.Tx, r *Rules, in *DefendIn) (why string, err error) {
	s := r.Defend
	if s == nil {
		return "combat.rules give those who play nothing for that", nil
	}
	const rest, whose = "defend", "who defends himself"
	if why := a.tired(&tx.View, in.Entity, rest, in.Entity.String()); why != "" {
		return why, nil
	}
	for _, n := range [...]struct {
		name          string
		got           *float64
		usual, atMost float64
	}{
		{"duration", &in.Duration, 1, s.Duration},
		{"damageReduction", &in.DamageReduction, 0.5, s.DamageReduction},
		{"reflectChance", &in.ReflectChance, 0, s.ReflectChance},
	} {
		if err := most(n.name, n.got, n.usual, n.atMost, whose); err != nil {
			return "", err
		}
	}
	return "", a.rest(tx, in.Entity, rest, a.w.StepsIn(s.Cooldown))
}
