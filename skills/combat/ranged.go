package combat

import (
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/stats"
	"github.com/limina-mcp/limina/world"
)

// RangedIn is the input of combat.ranged.
type RangedIn struct {
	AttackerEntity world.ID        `json:"attackerEntity,omitempty" jsonschema_description:"Id of who shoots, such as ent_3: your own body or character, which it is if left out, or what is nobody's."`
	TargetEntity   world.ID        `json:"targetEntity,omitempty" jsonschema_description:"Id of who is aimed at, at its middle. What is in the way is met instead."`
	Direction      *world.Vec3     `json:"direction,omitempty" jsonschema_description:"Where the shot goes, instead of at a target; of any length but 0. With neither it goes to where the attacker looks."`
	Damage         float64         `json:"damage" validate:"gt=0" jsonschema_description:"How much damage, before the target's defense and the like."`
	Speed          float64         `json:"speed" validate:"gt=0" jsonschema:"default=20" jsonschema_description:"How fast the shot flies, in metres a second: for viewers, who draw it. The damage is done at once."`
	Config         registry.Object `json:"config,omitempty" jsonschema_description:"range in metres, default 100; critChance 0 to 1, default 0.05; critMultiplier, default 2; type of the damage, as in damage.apply. weapon, one of combat.rules where those hold. The rest is shown to viewers."`
	Meta           registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event combat.shot."`
}

// RangedOut is the output of combat.ranged.
type RangedOut struct {
	Fired     bool        `json:"fired" jsonschema_description:"Whether there was a shot."`
	Hit       bool        `json:"hit" jsonschema_description:"Whether it met somebody with health."`
	Damage    *float64    `json:"damage,omitempty" jsonschema_description:"What that one has lost of its health."`
	Killed    *bool       `json:"killed,omitempty" jsonschema_description:"Whether it has none left."`
	Crit      *bool       `json:"crit,omitempty" jsonschema_description:"Whether it was a critical hit."`
	Entity    world.ID    `json:"entity,omitempty" jsonschema_description:"Whom it met, or what stopped it."`
	Point     *world.Vec3 `json:"point,omitempty" jsonschema_description:"Where it ended."`
	Remaining *float64    `json:"remaining,omitempty" jsonschema_description:"What the one that it met has left."`
	Reflected float64     `json:"reflected,omitempty" jsonschema_description:"What the attacker lost, because the shot was thrown back."`
	Reason    string      `json:"reason,omitempty" jsonschema_description:"Why it met nobody, or did nothing."`
}

func (a *Arena) ranged() registry.Skill {
	return registry.Define(registry.Spec[RangedIn, RangedOut]{
		Name:  "combat.ranged",
		Title: "Shoot",
		Description: "Have an entity shoot, at a target or in a direction: an arrow, a bolt of fire. It meets the first thing on its way that has a body or health, from the middle of the attacker on; a wall stops it. Damage is done at once. " +
			`Near by use combat.melee; to see what would be met, physics.raycast; what is to shoot by itself, as a tower does, gets the goal turret (behavior.setGoal). Example: {"attackerEntity":"ent_3","targetEntity":"ent_7","damage":8,"config":{"type":"fire"}}`,
		Keywords:    "attack shoot arrow bow gun bullet fire fireball laser throw projectile spell aim weapon turret",
		Permissions: []profiles.Permission{"combat.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in RangedIn) (RangedOut, error) {
			t, err := tune(in.Config)
			if err != nil {
				return RangedOut{}, err
			}
			return world.Do(a.w, c, func(tx *world.Tx) (RangedOut, error) {
				if err := a.stats.Self(&tx.View, c.Principal(), "attackerEntity", &in.AttackerEntity); err != nil {
					return RangedOut{}, err
				}
				if in.AttackerEntity == in.TargetEntity {
					return RangedOut{}, registry.Invalidf("targetEntity: is the attacker itself")
				}
				unable, err := a.fighter(&tx.View, c.Principal(), in.AttackerEntity)
				if err != nil {
					return RangedOut{}, err
				}
				out := RangedOut{Reason: unable}
				dir, err := a.aim(&tx.View, &in)
				if err != nil {
					return RangedOut{}, err
				}
				rules, err := a.held(&tx.View, c.Principal(), in.AttackerEntity)
				if err != nil {
					return RangedOut{}, err
				}
				if rules != nil && unable == "" {
					out.Reason, err = a.wield(tx, rules, in.AttackerEntity, &attack{ranged: true, damage: &in.Damage, tuning: &t, given: in.Config})
					if err != nil {
						return RangedOut{}, err
					}
				}
				if out.Reason == "" {
					if out, err = a.shoot(tx, &in, &t, dir, rules, c.Principal().ID); err != nil {
						return RangedOut{}, err
					}
				}
				return out, c.Emit("combat.shot", struck{in.AttackerEntity, out.Entity, out.Hit, out.Damage, in.Meta})
			})
		},
	})
}

// shot is what viewers are told of one.
type shot struct {
	Attacker world.ID        `json:"attacker"`
	From     world.Vec3      `json:"from"`
	To       world.Vec3      `json:"to"`
	Speed    float64         `json:"speed"`
	Seconds  float64         `json:"seconds"` // of flight
	Entity   world.ID        `json:"entity,omitzero"`
	Hit      bool            `json:"hit"`
	Crit     bool            `json:"crit,omitempty"`
	By       string          `json:"by"`
	Config   registry.Object `json:"config,omitempty"`
}

// aim is where a shot goes.
func (a *Arena) aim(v *world.View, in *RangedIn) (world.Vec3, error) {
	if in.TargetEntity != 0 {
		if err := a.stats.Vital(v, in.TargetEntity); err != nil {
			return world.Vec3{}, err
		}
	}
	switch {
	case in.Direction != nil:
		dir, ok := unit(*in.Direction)
		if !ok {
			return dir, registry.Invalidf("direction: must not be [0, 0, 0]")
		}
		return dir, nil
	case in.TargetEntity != 0:
		if dir, ok := unit(a.eye(v, in.TargetEntity).Sub(a.eye(v, in.AttackerEntity))); ok {
			return dir, nil
		}
	}
	t, _ := v.WorldTransform(in.AttackerEntity)
	dir, _ := unit(t.Rotation.Rotate(world.Vec3{0, 0, 1}))
	return dir, nil
}

// shoot has an entity shoot that can, held to rules unless they are nil.
func (a *Arena) shoot(tx *world.Tx, in *RangedIn, t *tuning, dir world.Vec3, rules *Rules, by string) (out RangedOut, err error) {
	v := &tx.View
	from := a.eye(v, in.AttackerEntity).Bounded()
	if in.Direction == nil && in.TargetEntity != 0 {
		if alive, _ := a.stats.Alive(v, in.TargetEntity); !alive {
			return RangedOut{Reason: in.TargetEntity.String() + " has no health left"}, nil
		}
	}
	out.Fired = true
	met, target, end := a.meets(v, in, t, from, dir)
	out.Entity, out.Point = met, &end
	s := shot{Attacker: in.AttackerEntity, From: from, To: end, Speed: in.Speed, Seconds: world.Bounded(from.Dist(end) / in.Speed), Entity: met, By: by, Config: in.Config}
	switch {
	case target != 0 && a.spares(v, rules, target):
		out.Entity, out.Reason = target, spared(target)
		s.Entity = target
	case target != 0:
		w, crit, err := a.blow(tx, t, stats.Blow{Target: target, Attacker: in.AttackerEntity, Amount: in.Damage, Config: in.Config, By: by})
		if err != nil {
			return out, err
		}
		out.Hit, out.Entity, out.Damage, out.Killed, out.Crit, out.Remaining = true, target, &w.Damage, &w.Killed, &crit, &w.Remaining
		out.Reflected, out.Reason = w.Reflected, w.Reason
		s.Entity, s.Hit, s.Crit = target, true, crit
	case met != 0:
		out.Reason = met.String() + " stopped it"
	default:
		out.Reason = fmt.Sprintf("it met nothing within %v m", t.reach)
	}
	return out, show(tx, "combat.ranged", in.AttackerEntity, from, &s)
}

// meets returns what a shot meets, whose health that is, 0 if nobody's, and where it ends.
func (a *Arena) meets(v *world.View, in *RangedIn, t *tuning, from, dir world.Vec3) (met, target world.ID, end world.Vec3) {
	hit, ok := a.ray(v, in.AttackerEntity, from, dir, t.reach)
	far := t.reach
	if ok {
		far = hit.Distance
	}
	if in.Direction == nil && in.TargetEntity != 0 { // it need not look like anything
		middle := a.eye(v, in.TargetEntity)
		if d := from.Dist(middle); d <= far {
			return in.TargetEntity, in.TargetEntity, middle.Bounded()
		}
	}
	if !ok {
		return 0, 0, from.Add(dir.Scale(far)).Bounded()
	}
	return hit.Entity, a.alive(v, hit.Entity), hit.Point.Bounded()
}
