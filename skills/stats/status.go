package stats

import (
	"encoding/json"
	"slices"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/config"
	"github.com/limina-mcp/limina/skills/internal/handle"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/world"
)

// ApplyIn is the input of status.apply.
type ApplyIn struct {
	TargetEntity   world.ID        `json:"targetEntity" jsonschema_description:"Id of the entity that it is to be on, such as ent_3."`
	Type           string          `json:"type" validate:"oneof=poison stun slow burn freeze buff shield custom" jsonschema_description:"poison, burn: takes magnitude of health every tickInterval. stun, freeze: it cannot walk, jump, fight or cast; fire ends a freeze. slow: it walks at 1/(1+magnitude) of its speed. buff: its damage is 1 + magnitude times as much, or with config {\"stat\":\"defense\"} that stat counts as magnitude higher. shield: takes magnitude of damage for it. custom: what you make of it."`
	Duration       float64         `json:"duration" validate:"gt=0" jsonschema_description:"How long it lasts, in simulated seconds."`
	Magnitude      float64         `json:"magnitude" jsonschema:"default=1" jsonschema_description:"How strong it is; see type. Above 0 for poison, burn, slow and shield; below 0 a buff weakens."`
	TickInterval   *float64        `json:"tickInterval,omitempty" validate:"omitempty,gt=0" jsonschema_description:"Simulated seconds from tick to tick. Left out: 1 for poison and burn, no ticks for others."`
	OnApply        string          `json:"onApply,omitempty" validate:"omitempty,max=128" jsonschema_description:"Name of an event to emit now, for event.listen. Events need the permission event.write."`
	OnRemove       string          `json:"onRemove,omitempty" validate:"omitempty,max=128" jsonschema_description:"Name of an event to emit when it ends, for whatever reason."`
	OnTick         string          `json:"onTick,omitempty" validate:"omitempty,max=128" jsonschema_description:"Name of an event to emit at each tick."`
	AttackerEntity world.ID        `json:"attackerEntity,omitempty" jsonschema_description:"Id of whose doing it is, if anybody's: who has poisoned it. What it kills counts for him, and \"$actor\" of stats.onZero and of the events is he. It has to be yours, or nobody's."`
	Config         registry.Object `json:"config,omitempty" jsonschema_description:"Shown to viewers with the effect. Of a buff stat counts: the name of the stat that it raises."`
	Meta           registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event status.applied."`
}

// ApplyOut is the output of status.apply.
type ApplyOut struct {
	EffectID Handle `json:"effectId" jsonschema_description:"Names the effect for status.remove."`
}

func (s *Stats) apply() registry.Skill {
	return registry.Define(registry.Spec[ApplyIn, ApplyOut]{
		Name:  "status.apply",
		Title: "Put an effect on an entity",
		Description: "Put an effect on an entity that lasts for a while: poison, burn, stun, freeze, slow, buff, shield. Simulation steps have it tick and end. Several of one type are several effects. " +
			`For damage at once use damage.apply. Example: {"targetEntity":"ent_3","type":"poison","duration":5,"magnitude":4}`,
		Keywords:    "debuff buff dot damage over time regeneration curse potion spell condition paralyze root weaken strengthen invulnerable temporary",
		Permissions: []profiles.Permission{"status.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in ApplyIn) (ApplyOut, error) {
			e, err := in.effect(c.Principal())
			if err != nil {
				return ApplyOut{}, err
			}
			return world.Do(s.w, c, func(tx *world.Tx) (ApplyOut, error) {
				if e.From != 0 {
					if err := s.Guard(&tx.View, c.Principal(), e.From); err != nil {
						return ApplyOut{}, err
					}
				}
				e.Since, e.Until = tx.Step(), tx.Step()+s.steps(in.Duration)
				if every := in.every(); every > 0 {
					e.Every = s.steps(every)
				}
				if err := s.add(tx, in.TargetEntity, &e, in.OnApply); err != nil {
					return ApplyOut{}, err
				}
				return ApplyOut{e.ID}, c.Emit("status.applied", changed{in.TargetEntity, e.ID, e.Type, in.Meta})
			})
		},
	})
}

type changed struct {
	Target world.ID        `json:"targetEntity"`
	ID     Handle          `json:"effectId"`
	Type   string          `json:"type"`
	Meta   registry.Object `json:"meta,omitempty"`
}

// every is how many seconds pass from tick to tick, 0 if there are none.
func (in *ApplyIn) every() float64 {
	switch {
	case in.TickInterval != nil:
		return *in.TickInterval
	case harms(in.Type) != "":
		return 1
	}
	return 0
}

// effect returns what the input asks for, but for its time.
func (in *ApplyIn) effect(caller *profiles.Principal) (e effect, err error) {
	for _, event := range [...]struct{ field, name string }{{"onApply", in.OnApply}, {"onRemove", in.OnRemove}, {"onTick", in.OnTick}} {
		if event.name == "" {
			continue
		}
		if !caller.Grants.Has("event.write") {
			return e, registry.Errorf(registry.CodeForbidden, "missing permission: event.write, which %s needs: leave it out", event.field)
		}
		if err := action.CheckName(event.field, event.name); err != nil {
			return e, err
		}
	}
	if err := config.Fits("config", len(in.Config), MaxConfig); err != nil {
		return e, err
	}
	e = effect{Type: in.Type, Magnitude: in.Magnitude, OnRemove: in.OnRemove, OnTick: in.OnTick, By: caller.ID, From: in.AttackerEntity}
	if string(in.Config) != "{}" {
		e.Config = in.Config
	}
	switch in.Type {
	case "poison", "burn", "slow", "shield":
		if !(in.Magnitude > 0) {
			return e, registry.Invalidf("magnitude: must be above 0 for %s, got %v", in.Type, in.Magnitude)
		}
	case "buff":
		if raw := wire.Member(in.Config, "stat"); raw != nil {
			if err := json.Unmarshal(raw, &e.Stat); err != nil || e.Stat == "" {
				return e, registry.Invalidf(`config.stat: must be the name of a stat, such as "defense"`)
			}
			if e.Stat == "hp" || e.Stat == "health" {
				return e, registry.Invalidf("config.stat: health is not buffed: use a shield, or damage.heal")
			}
		}
	}
	return e, nil
}

// add puts an effect on an entity, and gives it its handle.
func (s *Stats) add(tx *world.Tx, id world.ID, e *effect, event string) error {
	if !tx.Exists(id) {
		return tx.Unknown(id)
	}
	if harms(e.Type) != "" {
		if err := s.Vital(&tx.View, id); err != nil {
			return err
		}
	}
	if e.Stat != "" {
		if _, _, err := s.find(&tx.View, id, e.Stat); err != nil {
			return err
		}
	}
	effects, _ := s.effects.Get(&tx.View, id)
	switch {
	case len(effects) == MaxEffects:
		return registry.Errorf(registry.CodeCapacityExceeded, "%s has %d effects, which is the most: they end by themselves, or by status.remove", id, MaxEffects)
	case len(effects) == 0 && s.effects.Len(&tx.View) >= MaxBearers:
		return tooManyBearers()
	}
	n := s.given.Get(&tx.View)
	if err := s.given.Set(tx, n+1); err != nil {
		return err
	}
	e.ID = Handle(n)
	if err := s.effects.Set(tx, id, append(slices.Clip(effects), *e)); err != nil {
		return err
	}
	return s.tell(tx, "applied", id, e, event, "")
}

// RemoveIn is the input of status.remove.
type RemoveIn struct {
	TargetEntity world.ID        `json:"targetEntity" jsonschema_description:"Id of the entity that it is on, such as ent_3."`
	EffectID     string          `json:"effectId" validate:"max=64" jsonschema_description:"The effect, as status.apply named it: \"eff_0\"."`
	Meta         registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event status.removed."`
}

// RemoveOut is the output of status.remove.
type RemoveOut struct {
	OK bool `json:"ok" jsonschema_description:"Always true: what is not there is an error."`
}

func (s *Stats) remove() registry.Skill {
	return registry.Define(registry.Spec[RemoveIn, RemoveOut]{
		Name:        "status.remove",
		Title:       "Take an effect away",
		Description: `Take an effect of status.apply from an entity before its time. The event that it names with onRemove is emitted. Example: {"targetEntity":"ent_3","effectId":"eff_0"}`,
		Keywords:    "cure antidote cleanse dispel end",
		Permissions: []profiles.Permission{"status.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in RemoveIn) (RemoveOut, error) {
			return world.Do(s.w, c, func(tx *world.Tx) (RemoveOut, error) {
				e, err := s.lookup(&tx.View, in.TargetEntity, in.EffectID)
				if err != nil {
					return RemoveOut{}, err
				}
				if err := s.end(tx, in.TargetEntity, e.ID, "removed"); err != nil {
					return RemoveOut{}, err
				}
				return RemoveOut{OK: true}, c.Emit("status.removed", changed{in.TargetEntity, e.ID, e.Type, in.Meta})
			})
		},
	})
}

// lookup returns the effect that a caller names. The error says which the entity has.
func (s *Stats) lookup(v *world.View, id world.ID, name string) (effect, error) {
	if !v.Exists(id) {
		return effect{}, v.Unknown(id)
	}
	h, err := handle.Parse[kind](name)
	if err == nil {
		if e, ok := s.on(v, id, h); ok {
			return e, nil
		}
	}
	effects, _ := s.effects.Get(v, id)
	if len(effects) == 0 {
		return effect{}, registry.Failf("%s has no effect %s: there is none on it", id, quote.Clip(name))
	}
	all := make([]Handle, len(effects))
	for i := range effects {
		all[i] = effects[i].ID
	}
	return effect{}, registry.Failf("%s has no effect %s; %s", id, quote.Clip(name), handle.Nearest(all, h))
}

// ListIn is the input of status.list.
type ListIn struct {
	TargetEntity world.ID        `json:"targetEntity,omitempty" jsonschema_description:"Id of the entity, such as ent_3; left out: your own body or character."`
	Meta         registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// ListOut is the output of status.list.
type ListOut struct {
	Effects []Listed `json:"effects" jsonschema_description:"What is on it, the oldest first."`
}

// Listed is an effect as status.list shows it.
type Listed struct {
	ID        Handle  `json:"id" jsonschema_description:"Its handle, for status.remove."`
	Type      string  `json:"type" jsonschema_description:"What it is."`
	Duration  float64 `json:"duration" jsonschema_description:"How long it lasts in all, in simulated seconds."`
	Elapsed   float64 `json:"elapsed" jsonschema_description:"How much of that has passed."`
	Magnitude float64 `json:"magnitude" jsonschema_description:"How strong it is; of a shield, what is left of it."`
}

func (s *Stats) list() registry.Skill {
	return registry.Define(registry.Spec[ListIn, ListOut]{
		Name:        "status.list",
		Title:       "What is on an entity",
		Description: `List the effects of status.apply that are on an entity. Example: {"targetEntity":"ent_3"}`,
		Keywords:    "effects buffs debuffs poisoned stunned shield active",
		Permissions: []profiles.Permission{"status.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in ListIn) (ListOut, error) {
			return world.Read(s.w, c, func(v *world.View) (ListOut, error) {
				if err := s.Self(v, c.Principal(), "targetEntity", &in.TargetEntity); err != nil {
					return ListOut{}, err
				}
				if !v.Exists(in.TargetEntity) {
					return ListOut{}, v.Unknown(in.TargetEntity)
				}
				out := ListOut{Effects: []Listed{}}
				effects, _ := s.effects.Get(v, in.TargetEntity)
				for i := range effects {
					e := &effects[i]
					out.Effects = append(out.Effects, Listed{e.ID, e.Type, s.w.Seconds(e.Until - e.Since), s.w.Seconds(min(v.Step(), e.Until) - e.Since), e.Magnitude})
				}
				return out, nil
			})
		},
	})
}
