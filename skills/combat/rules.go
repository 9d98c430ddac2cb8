package combat

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/world"
)

// Weapon is what those who play may strike or shoot with, in the input of combat.rules. What it says is the most.
type Weapon struct {
	ID             string  `json:"id" validate:"min=1,max=56" jsonschema_description:"What config.weapon of combat.melee and combat.ranged calls it: \"sword\"."`
	Item           string  `json:"item,omitempty" validate:"omitempty,max=64" jsonschema_description:"The item that the attacker has to wear or hold (item.equip). Left out: everybody has it, as fists."`
	Ranged         bool    `json:"ranged,omitempty" jsonschema:"default=false" jsonschema_description:"Whether it is for combat.ranged, else for combat.melee."`
	Damage         float64 `json:"damage" validate:"gt=0" jsonschema_description:"How much damage at most."`
	Range          float64 `json:"range" validate:"gt=0,lte=10000" jsonschema:"default=2" jsonschema_description:"How far it reaches, in metres."`
	Cooldown       float64 `json:"cooldown,omitempty" validate:"gte=0,lte=86400" jsonschema:"default=0" jsonschema_description:"How many simulated seconds it rests from one use to the next, of each who has it."`
	Knockback      float64 `json:"knockback,omitempty" validate:"gte=0,lte=1000" jsonschema:"default=0" jsonschema_description:"The most that combat.melee may throw the target away with, in metres a second."`
	Type           string  `json:"type" validate:"oneof=physical magic fire ice lightning poison custom" jsonschema:"default=physical" jsonschema_description:"The type of its damage, as in damage.apply."`
	CritChance     float64 `json:"critChance" validate:"gte=0,lte=1" jsonschema:"default=0.05" jsonschema_description:"How likely a critical hit is."`
	CritMultiplier float64 `json:"critMultiplier" validate:"gte=1,lte=1000" jsonschema:"default=2" jsonschema_description:"How many times as much damage that does."`
}

// Shield is how those who play may defend themselves, in the input of combat.rules.
type Shield struct {
	Duration        float64 `json:"duration" validate:"gt=0,lte=86400" jsonschema:"default=1" jsonschema_description:"For how many simulated seconds at most."`
	DamageReduction float64 `json:"damageReduction" validate:"gte=0,lte=1" jsonschema:"default=0.5" jsonschema_description:"The part of damage that it keeps off at most."`
	ReflectChance   float64 `json:"reflectChance,omitempty" validate:"gte=0,lte=1" jsonschema:"default=0" jsonschema_description:"How likely a blow is thrown back at most."`
	Cooldown        float64 `json:"cooldown,omitempty" validate:"gte=0,lte=86400" jsonschema:"default=0" jsonschema_description:"How many simulated seconds from one call to the next, at least."`
}

// Rules are to what those who play are held.
type Rules struct {
	On      bool     `json:"on,omitempty"`
	Spared  bool     `json:"spared,omitempty"` // who plays is, by who plays
	Weapons []Weapon `json:"weapons,omitempty"`
	Defend  *Shield  `json:"defend,omitempty"`
	By      string   `json:"by,omitempty"`
}

// RulesIn is the input of combat.rules.
type RulesIn struct {
	Enabled bool            `json:"enabled" jsonschema:"default=true" jsonschema_description:"false ends the rules, whatever else is given: then players choose what a blow does, as at first."`
	PvP     bool            `json:"pvp" jsonschema:"default=true" jsonschema_description:"Whether those who play may hurt each other: agents' bodies, and characters without a behavior."`
	Weapons []Weapon        `json:"weapons,omitempty" validate:"max=32" jsonschema_description:"What they may strike and shoot with: nothing else. Left out: they may not."`
	Defend  *Shield         `json:"defend,omitempty" jsonschema_description:"How they may defend themselves by combat.defend. Left out: they may not."`
	Meta    registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event combat.ruled."`
}

// RulesOut is the output of combat.rules.
type RulesOut struct {
	OK   bool   `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	Note string `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// author is the permission of those who make the rules. They, and those who may do any damage by damage.apply, are not held to them.
const author profiles.Permission = "stats.configure"

func (a *Arena) ruling() registry.Skill {
	return registry.Define(registry.Spec[RulesIn, RulesOut]{
		Name:  "combat.rules",
		Title: "Hold players to weapons",
		Description: "Say what those who play may strike, shoot and defend themselves with: weapons with the most damage and range, a cooldown, and the item that has to be worn, and whether they may hurt each other. Held to it is who may fight, but has neither stats.configure nor damage.write. It takes the place of the rules before; without any, the caller of combat.melee chooses all of that. " +
			`For one entity's armour use stats.create with defense. Example: {"pvp":false,"weapons":[{"id":"fists","damage":2},{"id":"bow","item":"bow","ranged":true,"damage":8,"range":40,"cooldown":1.5}]}`,
		Keywords:    "balance cheating limit pvp friendly-fire maximum damage",
		Permissions: []profiles.Permission{author},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in RulesIn) (RulesOut, error) {
			for i := range in.Weapons {
				if slices.ContainsFunc(in.Weapons[:i], func(o Weapon) bool { return o.ID == in.Weapons[i].ID }) {
					return RulesOut{}, registry.Invalidf("weapons[%d].id: %q is there twice", i, quote.Clip(in.Weapons[i].ID))
				}
			}
			var rules Rules
			if in.Enabled {
				rules = Rules{On: true, Spared: !in.PvP, Weapons: in.Weapons, Defend: in.Defend, By: c.Principal().ID}
			}
			return world.Do(a.w, c, func(tx *world.Tx) (RulesOut, error) {
				if !reflect.DeepEqual(rules, a.rules.Get(&tx.View)) {
					if err := a.rules.Set(tx, rules); err != nil {
						return RulesOut{}, err
					}
				}
				return RulesOut{OK: true, Note: a.unknown(&tx.View, rules.Weapons)}, c.Emit("combat.ruled", ruled{rules, in.Meta})
			})
		},
	})
}

type ruled struct {
	Rules Rules           `json:"rules"`
	Meta  registry.Object `json:"meta,omitempty"`
}

// unknown says which items of weapons there are not, "" if there are all.
func (a *Arena) unknown(v *world.View, all []Weapon) string {
	if a.owned == nil {
		return ""
	}
	for i := range all {
		if all[i].Item == "" {
			continue
		}
		if _, err := a.owned.Kind(v, all[i].Item); err != nil {
			return fmt.Sprintf("weapons[%d].item: %s", i, err)
		}
	}
	return ""
}

// held returns the rules to which a caller is held, nil if to none, who has an entity fight. It fails if he is, and the entity is none that he plays with.
func (a *Arena) held(v *world.View, caller *profiles.Principal, id world.ID) (*Rules, error) {
	rules := a.rules.Get(v)
	if !rules.On || caller.Grants.Has(author) || caller.Grants.Has("damage.write") {
		return nil, nil //nolint:nilnil // to none
	}
	if a.plays != nil && !a.plays(v, id) {
		return nil, registry.Errorf(registry.CodeForbidden, "%s is nobody's body: by combat.rules you fight with your own body or character, which agent.embody or player.spawn makes", id)
	}
	return &rules, nil
}

// spares reports whether an entity may not be hurt.
func (a *Arena) spares(v *world.View, r *Rules, id world.ID) bool {
	return r != nil && r.Spared && a.plays != nil && a.plays(v, id)
}

// spared says of an entity that it is.
func spared(id world.ID) string {
	return id.String() + " plays, and by combat.rules those who play do not hurt each other"
}

// armed returns the weapon that an entity fights with. The config may name one, else it is the strongest of those that it has
// and that do not rest. why says why there is none.
func (a *Arena) armed(v *world.View, r *Rules, id world.ID, ranged bool, given registry.Object) (found *Weapon, why string, err error) {
	name := ""
	if raw := wire.Member(given, "weapon"); raw != nil {
		if json.Unmarshal(raw, &name) != nil {
			return nil, "", registry.Invalidf("config.weapon: must be the name of a weapon, got %.40s", raw)
		}
	}
	var names []string
	for i := range r.Weapons {
		w := &r.Weapons[i]
		if w.Ranged != ranged {
			continue
		}
		names = append(names, w.ID)
		if name != "" && w.ID != name {
			continue
		}
		lacks := a.lacks(v, id, w)
		switch {
		case lacks != "":
			if why == "" {
				why = lacks
			}
		case found == nil || w.Damage > found.Damage:
			found = w
		}
	}
	switch {
	case name != "" && !slices.Contains(names, name):
		return nil, "", registry.Invalidf("config.weapon: unknown weapon %q; %s", quote.Clip(name), quote.Others(name, names))
	case found != nil:
		return found, "", nil
	case why == "":
		why = "combat.rules give those who play nothing for that"
	}
	return nil, why, nil
}

// lacks says why an entity cannot use a weapon now, "" if it can.
func (a *Arena) lacks(v *world.View, id world.ID, w *Weapon) string {
	if w.Item != "" {
		worn := 0
		if a.owned != nil {
			_, worn = a.owned.Own(v, id, w.Item)
		}
		if worn == 0 {
			return fmt.Sprintf("%s does not hold the item %q, which %s is: item.equip", id, quote.Clip(w.Item), w)
		}
	}
	return a.tired(v, id, w.rest(), w.String())
}

// String names it in messages.
func (w *Weapon) String() string { return fmt.Sprintf("the weapon %q", quote.Clip(w.ID)) }

// rest is under what name a weapon rests.
func (w *Weapon) rest() string { return "weapon:" + w.ID }

// tired says that something of an entity rests, "" if it does not.
func (a *Arena) tired(v *world.View, id world.ID, rest, what string) string {
	if left := a.resting(v, id, rest); left > 0 {
		return fmt.Sprintf("%s rests for %d steps more, which are %.3g s", what, left, a.w.Seconds(left))
	}
	return ""
}

// most holds a number of a call to the most that it may be. One that is what it is where nothing is said becomes that.
func most(field string, got *float64, usual, atMost float64, whose string) error {
	switch {
	case *got <= atMost:
	case *got == usual:
		*got = atMost
	default:
		return registry.Invalidf("%s: by combat.rules %s has %v at most, got %v", field, whose, atMost, *got)
	}
	return nil
}

// attack is what the caller of combat.melee or combat.ranged has chosen.
type attack struct {
	ranged           bool
	damage           *float64
	knockback, reach *float64 // nil: there is none
	tuning           *tuning
	given            registry.Object // the config
}

// wield holds an attack to the weapon that an entity fights with, which rests then. why says why it has none.
func (a *Arena) wield(tx *world.Tx, r *Rules, id world.ID, k *attack) (why string, err error) {
	w, why, err := a.armed(&tx.View, r, id, k.ranged, k.given)
	if err != nil || w == nil {
		return why, err
	}
	if err := w.bind(k); err != nil {
		return "", err
	}
	return "", a.rest(tx, id, w.rest(), a.w.StepsIn(w.Cooldown))
}

// bind holds what a blow does to the weapon: its damage, knockback and range, and what the config tunes.
func (w *Weapon) bind(k *attack) error {
	whose, t := w.String(), k.tuning
	if err := most("damage", k.damage, -1, w.Damage, whose); err != nil {
		return err
	}
	if k.knockback != nil {
		if err := most("knockback", k.knockback, -1, w.Knockback, whose); err != nil {
			return err
		}
	}
	for _, n := range [...]struct {
		name   string
		to     *float64
		atMost float64
	}{{"critChance", &t.chance, w.CritChance}, {"critMultiplier", &t.times, w.CritMultiplier}, {"range", &t.reach, w.Range}} {
		if wire.Member(k.given, n.name) == nil {
			*n.to = n.atMost
		} else if err := most("config."+n.name, n.to, -1, n.atMost, whose); err != nil {
			return err
		}
	}
	if wire.Member(k.given, "type") != nil && t.kind != w.Type {
		return registry.Invalidf("config.type: by combat.rules %s does damage of the type %s, got %s", whose, w.Type, t.kind)
	}
	t.kind = w.Type
	if k.reach != nil {
		return most("range", k.reach, meleeRange, w.Range, whose)
	}
	return nil
}
