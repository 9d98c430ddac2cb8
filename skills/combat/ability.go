package combat

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/share"
	"github.com/limina-mcp/limina/skills/internal/shelf"
	"github.com/limina-mcp/limina/world"
)

// Limits on what the world holds of abilities.
const (
	MaxAbilities = 1024
	MaxCooldowns = 64 // of one entity, at a time
)

// ability is a row of the table of abilities, by its id.
type ability struct {
	Cooldown uint64  `json:"cooldown"` // steps
	Stat     string  `json:"stat,omitempty"`
	Cost     float64 `json:"cost,omitempty"`
	By       string  `json:"by"` // who defined it
}

// cooldown is that an ability of an entity has to rest.
type cooldown struct {
	ID    string `json:"id"`
	Ready uint64 `json:"ready"` // the step from which on it can be cast again
}

// DefineIn is the input of ability.define.
type DefineIn struct {
	ID            string          `json:"id" validate:"min=1,max=64" jsonschema_description:"What it is called: \"fireball\". One that is there already is defined anew."`
	Cooldown      *float64        `json:"cooldown,omitempty" validate:"omitempty,gte=0,lte=20000" jsonschema_description:"How many simulated seconds an entity has to wait from cast to cast. This or cooldownTicks is required."`
	CooldownTicks *int            `json:"cooldownTicks,omitempty" validate:"omitempty,gte=0,lte=1000000" jsonschema_description:"The same in simulation steps, of which 60 are a second."`
	ResourceStat  string          `json:"resourceStat,omitempty" validate:"omitempty,min=1,max=64" jsonschema_description:"The stat that a cast takes from: \"mana\"."`
	Cost          *float64        `json:"cost,omitempty" validate:"omitempty,gte=0" jsonschema_description:"How much it takes; 0 if left out. It goes with resourceStat."`
	Meta          registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event ability.defined."`
}

// DefineOut is the output of ability.define.
type DefineOut struct {
	OK bool `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
}

func (a *Arena) define() registry.Skill {
	return registry.Define(registry.Spec[DefineIn, DefineOut]{
		Name:  "ability.define",
		Title: "Define an ability",
		Description: "Define something that entities can do now and then, or at a cost: a spell, a dash. Any entity can then ability.cast it that has what it costs. What it does is up to whoever casts it. " +
			`Example: {"id":"fireball","cooldown":3,"resourceStat":"mana","cost":10}`,
		Category:    "combat",
		Keywords:    "spell skill cooldown mana cost power special",
		Permissions: []profiles.Permission{"combat.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in DefineIn) (DefineOut, error) {
			row := ability{Stat: in.ResourceStat, By: c.Principal().ID}
			switch {
			case (in.Cooldown == nil) == (in.CooldownTicks == nil):
				return DefineOut{}, registry.Invalidf("cooldown: give it, in seconds, or cooldownTicks, in simulation steps, and not both; 0 is none")
			case in.Cooldown != nil:
				row.Cooldown = a.w.StepsIn(*in.Cooldown)
			default:
				row.Cooldown = uint64(*in.CooldownTicks)
			}
			if in.Cost != nil {
				row.Cost = *in.Cost
			}
			if row.Cost > 0 && row.Stat == "" {
				return DefineOut{}, registry.Invalidf("cost: of which stat? Name it in resourceStat")
			}
			return world.Do(a.w, c, func(tx *world.Tx) (DefineOut, error) {
				if err := a.mayDefine(&tx.View, c.Principal()); err != nil {
					return DefineOut{}, err
				}
				old, ok := a.abilities.Get(&tx.View, in.ID)
				if !ok {
					of := share.Kept{Most: MaxAbilities, What: "abilities", Free: "ability.remove takes one away"}
					if err := share.RoomIn(&tx.View, &of, a.abilities.All(&tx.View), row.By, func(a *ability) string { return a.By }); err != nil {
						return DefineOut{}, err
					}
				}
				if !ok || old != row {
					if err := a.abilities.Set(tx, in.ID, row); err != nil {
						return DefineOut{}, err
					}
				}
				return DefineOut{OK: true}, c.Emit("ability.defined", defined{in.ID, in.Meta})
			})
		},
	})
}

// mayDefine reports why a caller may not say what abilities there are.
func (a *Arena) mayDefine(v *world.View, caller *profiles.Principal) error {
	if r, err := a.held(v, caller, 0); r != nil || err != nil {
		return registry.Errorf(registry.CodeForbidden, "missing permission: %s, by which abilities are defined while combat.rules hold", author)
	}
	return nil
}

type defined struct {
	ID   string          `json:"id"`
	Meta registry.Object `json:"meta,omitempty"`
}

// CastIn is the input of ability.cast.
type CastIn struct {
	Entity world.ID        `json:"entity,omitempty" jsonschema_description:"Id of who casts it, such as ent_3: your own body or character, which it is if left out, or what is nobody's."`
	ID     string          `json:"id" validate:"min=1,max=64" jsonschema_description:"The ability, as ability.define has it: \"fireball\"."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event ability.cast."`
}

// CastOut is the output of ability.cast.
type CastOut struct {
	OK                bool     `json:"ok" jsonschema_description:"Whether it was cast: then do what it does."`
	Reason            string   `json:"reason,omitempty" jsonschema_description:"Why it was not."`
	CooldownRemaining *uint64  `json:"cooldownRemaining,omitempty" jsonschema_description:"Simulation steps until it can be cast again; 60 are a second."`
	Spent             *float64 `json:"spent,omitempty" jsonschema_description:"What it took."`
}

// spell is what viewers are told of a cast.
type spell struct {
	Entity world.ID `json:"entity"`
	ID     string   `json:"id"`
	By     string   `json:"by"`
}

type casted struct {
	Entity world.ID        `json:"entity"`
	ID     string          `json:"id"`
	Spent  float64         `json:"spent"`
	Meta   registry.Object `json:"meta,omitempty"`
}

func (a *Arena) cast() registry.Skill {
	return registry.Define(registry.Spec[CastIn, CastOut]{
		Name:  "ability.cast",
		Title: "Use an ability",
		Description: "Have an entity use an ability of ability.define, if it is ready and can be paid: takes the cost, starts the cooldown, tells viewers. If the answer is ok, do what it does, by damage.apply, status.apply or combat.ranged, in the same world.batch for one. " +
			`Example: {"entity":"ent_3","id":"fireball"}`,
		Category:    "combat",
		Keywords:    "spell use skill magic cooldown power trigger",
		Permissions: []profiles.Permission{"combat.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in CastIn) (CastOut, error) {
			return world.Do(a.w, c, func(tx *world.Tx) (CastOut, error) {
				if err := a.stats.Self(&tx.View, c.Principal(), "entity", &in.Entity); err != nil {
					return CastOut{}, err
				}
				if err := a.stats.Guard(&tx.View, c.Principal(), in.Entity); err != nil {
					return CastOut{}, err
				}
				row, err := a.find(&tx.View, in.ID)
				if err != nil {
					return CastOut{}, err
				}
				why, left, err := a.unready(&tx.View, in.Entity, in.ID, &row)
				if err != nil {
					return CastOut{}, err
				}
				if why != "" {
					return CastOut{Reason: why, CooldownRemaining: &left}, nil
				}
				if err := a.spend(tx, in.Entity, in.ID, &row); err != nil {
					return CastOut{}, err
				}
				at, _ := tx.Position(in.Entity)
				if err := show(tx, "ability.cast", in.Entity, at, &spell{in.Entity, in.ID, c.Principal().ID}); err != nil {
					return CastOut{}, err
				}
				return CastOut{OK: true, CooldownRemaining: &row.Cooldown, Spent: &row.Cost}, c.Emit("ability.cast", casted{in.Entity, in.ID, row.Cost, in.Meta})
			})
		},
	})
}

// StatusIn is the input of ability.status.
type StatusIn struct {
	Entity world.ID `json:"entity,omitempty" jsonschema_description:"Id of the entity, such as ent_3; left out: your own body or character."`
	ID     string   `json:"id" validate:"min=1,max=64" jsonschema_description:"The ability: \"fireball\"."`
}

// StatusOut is the output of ability.status.
type StatusOut struct {
	Defined           bool   `json:"defined" jsonschema_description:"Whether there is such an ability."`
	Ready             bool   `json:"ready" jsonschema_description:"Whether ability.cast would do it now."`
	CooldownRemaining uint64 `json:"cooldownRemaining" jsonschema_description:"Simulation steps until the cooldown is over; 60 are a second."`
	Reason            string `json:"reason,omitempty" jsonschema_description:"Why it is not ready."`
}

func (a *Arena) status() registry.Skill {
	return registry.Define(registry.Spec[StatusIn, StatusOut]{
		Name:        "ability.status",
		Title:       "Is an ability ready",
		Description: `Say whether an entity could use an ability of ability.define now, and how long it has to wait. Example: {"entity":"ent_3","id":"fireball"}`,
		Category:    "combat",
		Keywords:    "cooldown ready spell remaining",
		Permissions: []profiles.Permission{"stats.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in StatusIn) (StatusOut, error) {
			return world.Read(a.w, c, func(v *world.View) (StatusOut, error) {
				if err := a.stats.Self(v, c.Principal(), "entity", &in.Entity); err != nil {
					return StatusOut{}, err
				}
				if !v.Exists(in.Entity) {
					return StatusOut{}, v.Unknown(in.Entity)
				}
				row, err := a.find(v, in.ID)
				if err != nil { // "no" is an answer here
					return StatusOut{Reason: err.Error()}, nil //nolint:nilerr // it is the answer's reason
				}
				why, left, err := a.unready(v, in.Entity, in.ID, &row)
				if err != nil {
					why = err.Error()
				}
				return StatusOut{Defined: true, Ready: why == "", CooldownRemaining: left, Reason: why}, nil
			})
		},
	})
}

// find returns the ability that a caller names. The error says which there are.
func (a *Arena) find(v *world.View, id string) (ability, error) {
	return shelf.Named(v, a.abilities, "ability", "ability.define", id)
}

// unready says why an entity cannot use an ability now, "" if it can, and how many steps are left of its cooldown. It fails if the entity
// has not the stat that it costs.
func (a *Arena) unready(v *world.View, entity world.ID, id string, row *ability) (why string, left uint64, err error) {
	left = a.resting(v, entity, id)
	if row.Stat != "" {
		has, ok, err := a.stats.Affords(v, entity, row.Stat, row.Cost)
		if err != nil {
			return "", left, err
		}
		if !ok {
			why = fmt.Sprintf("it costs %v %s, and %s has %v", row.Cost, row.Stat, entity, has)
		}
	}
	if left > 0 {
		why = fmt.Sprintf("%s has to wait %d steps more, which are %.3g s", entity, left, a.w.Seconds(left))
	}
	if unable := a.stats.Unable(v, entity); unable != "" {
		why = unable
	}
	return why, left, nil
}

// spend takes what an ability costs, and has it rest. What has rested is forgotten.
func (a *Arena) spend(tx *world.Tx, entity world.ID, id string, row *ability) error {
	if row.Stat != "" {
		if _, _, err := a.stats.Afford(tx, entity, row.Stat, row.Cost); err != nil {
			return err
		}
	}
	return a.rest(tx, entity, id, row.Cooldown)
}

// resting is how many steps something of an entity has to rest.
func (a *Arena) resting(v *world.View, entity world.ID, id string) uint64 {
	all, _ := a.cooldowns.Get(v, entity)
	for _, c := range all {
		if c.ID == id && c.Ready > v.Step() {
			return c.Ready - v.Step()
		}
	}
	return 0
}

// rest has something of an entity rest for some steps.
func (a *Arena) rest(tx *world.Tx, entity world.ID, id string, steps uint64) error {
	now := tx.Step()
	resting, _ := a.cooldowns.Get(&tx.View, entity)
	rest := slices.DeleteFunc(slices.Clone(resting), func(c cooldown) bool { return c.Ready <= now || c.ID == id })
	if steps > 0 {
		if len(rest) == MaxCooldowns {
			return registry.Errorf(registry.CodeCapacityExceeded, "%d abilities of %s rest, which is the most: wait for one of them", MaxCooldowns, entity)
		}
		rest = append(rest, cooldown{id, now + steps})
		slices.SortFunc(rest, func(a, b cooldown) int { return cmp.Compare(a.ID, b.ID) })
	}
	switch {
	case len(rest) > 0:
		return a.cooldowns.Set(tx, entity, rest)
	case len(resting) > 0:
		a.cooldowns.Remove(tx, entity)
	}
	return nil
}
