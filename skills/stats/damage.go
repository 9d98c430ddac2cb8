package stats

import (
	"encoding/json"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/config"
	"github.com/limina-mcp/limina/world"
)

// DamageIn is the input of damage.apply.
type DamageIn struct {
	TargetEntity   world.ID        `json:"targetEntity" jsonschema_description:"Id of who takes it, such as ent_3. It needs the stat hp or health."`
	Amount         float64         `json:"amount" validate:"gt=0" jsonschema_description:"How much, before defense and the like."`
	Type           string          `json:"type" validate:"oneof=physical magic fire ice lightning poison custom" jsonschema:"default=physical" jsonschema_description:"What kind. A stat of the target that is named after it, such as fireResistance, keeps a part off; fire thaws what is frozen."`
	AttackerEntity world.ID        `json:"attackerEntity,omitempty" jsonschema_description:"Id of who does it, if anybody: its buffs count, and it is hit by what is thrown back. It has to be yours, or nobody's."`
	Config         registry.Object `json:"config,omitempty" jsonschema_description:"Shown to viewers with the damage; changes nothing."`
	Meta           registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event damage.applied."`
}

// DamageOut is the output of damage.apply.
type DamageOut struct {
	Damage    float64 `json:"damage" jsonschema_description:"What it has lost of its health."`
	Remaining float64 `json:"remaining" jsonschema_description:"What it has left."`
	Killed    bool    `json:"killed" jsonschema_description:"Whether that was the last of it. Nothing else happens to it by itself: see stats.onZero."`
	Absorbed  float64 `json:"absorbed,omitempty" jsonschema_description:"What its shields took instead."`
	Reflected float64 `json:"reflected,omitempty" jsonschema_description:"What the attacker lost of its health, because the blow was thrown back."`
	Reason    string  `json:"reason,omitempty" jsonschema_description:"Why there was no damage, if so."`
}

func (s *Stats) damage() registry.Skill {
	return registry.Define(registry.Spec[DamageIn, DamageOut]{
		Name:  "damage.apply",
		Title: "Do damage",
		Description: "Take health from an entity: a trap, a fall, a spell. Its defense, its resistance, its stance and its shields count. " +
			"To have somebody strike who has to be near and see the target use combat.melee or combat.ranged; to take from another stat, stats.modify; for damage over time, status.apply. " +
			`Example: {"targetEntity":"ent_3","amount":12,"type":"fire"}`,
		Keywords:    "hurt harm hit attack kill wound health hp fall spell spike lava trap injure",
		Permissions: []profiles.Permission{"damage.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in DamageIn) (DamageOut, error) {
			if err := config.Fits("config", len(in.Config), MaxConfig); err != nil {
				return DamageOut{}, err
			}
			return world.Do(s.w, c, func(tx *world.Tx) (DamageOut, error) {
				if in.AttackerEntity != 0 {
					if err := s.Guard(&tx.View, c.Principal(), in.AttackerEntity); err != nil {
						return DamageOut{}, err
					}
				}
				w, err := s.Hurt(tx, &Blow{
					Target: in.TargetEntity, Attacker: in.AttackerEntity, Amount: in.Amount, Type: in.Type, Config: in.Config, By: c.Principal().ID,
				})
				if err != nil {
					return DamageOut{}, err
				}
				return w.DamageOut, c.Emit("damage.applied", applied{in.TargetEntity, in.AttackerEntity, in.Type, w.Damage, w.Remaining, w.Killed, in.Meta})
			})
		},
	})
}

type applied struct {
	Target    world.ID        `json:"targetEntity"`
	Attacker  world.ID        `json:"attackerEntity,omitzero"`
	Type      string          `json:"type"`
	Damage    float64         `json:"damage"`
	Remaining float64         `json:"remaining"`
	Killed    bool            `json:"killed"`
	Meta      registry.Object `json:"meta,omitempty"`
}

// Blow is damage that is to be done.
type Blow struct {
	Target   world.ID
	Attacker world.ID // 0: nobody
	Amount   float64  // above 0
	Type     string
	Crit     bool // for viewers
	Config   registry.Object
	By       string // whose doing it is

	inner  bool // it comes from within, as poison does: no defense, no stance, no buffs
	thrown bool // it was thrown back
}

// Wound is what came of a blow.
type Wound struct {
	DamageOut
	Part float64 // which part of its full health the target has lost, up to 1; without a maximum, of what it had
}

// dealt is what viewers are told of a wound.
type dealt struct {
	Target    world.ID        `json:"entity"`
	Attacker  world.ID        `json:"attacker,omitzero"`
	Type      string          `json:"type"`
	Damage    float64         `json:"damage"`
	Remaining float64         `json:"remaining"`
	Killed    bool            `json:"killed,omitempty"`
	Crit      bool            `json:"crit,omitempty"`
	Absorbed  float64         `json:"absorbed,omitempty"`
	Reflected float64         `json:"reflected,omitempty"`
	By        string          `json:"by"`
	Config    registry.Object `json:"config,omitempty"`
}

// Hurt does a blow, as the package documentation has it, and tells viewers. It fails, and changes nothing, if the target can take no
// damage. Who has no health left already takes none; the reason says so.
func (s *Stats) Hurt(tx *world.Tx, b *Blow) (Wound, error) {
	if err := s.Vital(&tx.View, b.Target); err != nil {
		return Wound{}, err
	}
	block, _ := s.blocks.Get(&tx.View, b.Target)
	i := health(block)
	w := Wound{DamageOut: DamageOut{Remaining: block[i].Value}}
	if block[i].empty() {
		w.Reason = b.Target.String() + " has no health left"
		return w, nil
	}
	amount := s.strength(&tx.View, b)
	if s.parried(tx, b) {
		w.Reason = b.Target.String() + " threw it back"
		back, err := s.throwBack(tx, b)
		if err != nil {
			return w, err
		}
		w.Reflected = back
		return w, s.show(tx, b, &w)
	}
	if st, ok := s.stance(&tx.View, b.Target); ok && !b.inner {
		amount = float64(amount * (1 - st.Reduces))
	}
	left, err := s.shielded(tx, b.Target, amount)
	if err != nil {
		return w, err
	}
	w.Absorbed = amount - left
	now := min(block[i].Value, block[i].within(block[i].Value-left)) // what was taken beyond its bounds is not healed by a blow
	w.Damage, w.Remaining, w.Killed = world.Bounded(block[i].Value-now), now, now <= block[i].zero()
	w.Part = block[i].part(w.Damage)
	if err := s.put(tx, b.Target, block, i, now, b.Attacker); err != nil {
		return w, err
	}
	if b.Type == "fire" && w.Damage > 0 {
		if err := s.thaw(tx, b.Target); err != nil {
			return w, err
		}
	}
	if err := s.show(tx, b, &w); err != nil || w.Damage <= 0 {
		return w, err
	}
	return w, s.wounded(tx, b, &w)
}

// wounded tells those who are to know of it of a blow that has taken health.
func (s *Stats) wounded(tx *world.Tx, b *Blow, w *Wound) error {
	for _, fn := range s.hurt {
		if err := fn(tx, b, w); err != nil {
			return err
		}
	}
	if !w.Killed {
		return nil
	}
	for _, fn := range s.killed {
		if err := fn(tx, b); err != nil {
			return err
		}
	}
	return nil
}

// strength is what is left of a blow by what its two sides are, before anything is spent on it.
func (s *Stats) strength(v *world.View, b *Blow) float64 {
	amount := b.Amount
	if !b.inner {
		if b.Attacker != 0 && !b.thrown {
			amount = min(float64(amount*s.might(v, b.Attacker)), world.MaxNumber)
		}
		defense, _ := s.worth(v, b.Target, "defense")
		amount = world.Bounded(max(min(amount, 1), amount-defense/2))
	}
	if kept, ok := s.worth(v, b.Target, b.Type+"Resistance"); ok {
		amount = min(float64(amount*max(0, 1-kept)), world.MaxNumber)
	}
	return amount
}

// might is by how much the damage that an entity does is multiplied.
func (s *Stats) might(v *world.View, id world.ID) float64 {
	times := 1.0
	effects, _ := s.effects.Get(v, id)
	for i := range effects {
		if e := &effects[i]; e.Type == "buff" && e.Stat == "" {
			times = world.Bounded(times + e.Magnitude)
		}
	}
	return max(0, times)
}

// parried reports whether the target throws a blow back.
func (s *Stats) parried(tx *world.Tx, b *Blow) bool {
	st, ok := s.stance(&tx.View, b.Target)
	return ok && st.Throws > 0 && !b.inner && !b.thrown && b.Attacker != 0 && b.Attacker != b.Target && tx.Rand().Float64() < st.Throws
}

// throwBack has the attacker take a blow, if he can take any, and returns what he has lost.
func (s *Stats) throwBack(tx *world.Tx, b *Blow) (float64, error) {
	if alive, _ := s.Alive(&tx.View, b.Attacker); !alive {
		return 0, nil
	}
	w, err := s.Hurt(tx, &Blow{Target: b.Attacker, Attacker: b.Target, Amount: b.Amount, Type: b.Type, By: b.By, thrown: true})
	return w.Damage, err
}

// shielded has the shields of an entity take damage, and returns what is left of it.
func (s *Stats) shielded(tx *world.Tx, id world.ID, amount float64) (left float64, err error) {
	effects, _ := s.effects.Get(&tx.View, id)
	if amount <= 0 || !slices.ContainsFunc(effects, func(e effect) bool { return e.Type == "shield" }) {
		return amount, nil
	}
	var spent []Handle
	effects = slices.Clone(effects)
	for i := range effects {
		e := &effects[i]
		if e.Type != "shield" || amount == 0 {
			continue
		}
		takes := min(amount, e.Magnitude)
		amount, e.Magnitude = amount-takes, e.Magnitude-takes
		if e.Magnitude == 0 {
			spent = append(spent, e.ID)
		}
	}
	if err := s.effects.Set(tx, id, effects); err != nil {
		return 0, err
	}
	for _, h := range spent {
		if err := s.end(tx, id, h, "spent"); err != nil {
			return 0, err
		}
	}
	return amount, nil
}

// show tells those who see the target.
func (s *Stats) show(tx *world.Tx, b *Blow, w *Wound) error {
	return tell(tx, "damage.dealt", b.Target, &dealt{
		b.Target, b.Attacker, b.Type, w.Damage, w.Remaining, w.Killed, b.Crit, w.Absorbed, w.Reflected, b.By, b.Config,
	})
}

// tell tells those who see where an entity is.
func tell(tx *world.Tx, kind string, id world.ID, payload any) error {
	at, _ := tx.Position(id)
	text, err := json.Marshal(payload)
	if err != nil {
		return err
	}
	return tx.Moment(world.Moment{Kind: kind, Entity: id, Placed: true, At: at, Payload: text})
}

// IsDamage reports whether a text is a type of damage.
func IsDamage(kind string) bool {
	switch kind {
	case "physical", "magic", "fire", "ice", "lightning", "poison", "custom":
		return true
	}
	return false
}
