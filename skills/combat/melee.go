package combat

import (
	"fmt"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/stats"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// MeleeIn is the input of combat.melee.
type MeleeIn struct {
	AttackerEntity world.ID        `json:"attackerEntity,omitempty" jsonschema_description:"Id of who strikes, such as ent_3: your own body or character, which it is if left out, or what is nobody's."`
	TargetEntity   world.ID        `json:"targetEntity,omitempty" jsonschema_description:"Id of who is struck. Left out: the nearest with health that is in front, to 60 degrees to either side of where the attacker looks."`
	Damage         float64         `json:"damage" validate:"gt=0" jsonschema_description:"How much damage, before the target's defense and the like."`
	Knockback      float64         `json:"knockback" validate:"gte=0" jsonschema:"default=0" jsonschema_description:"How fast the target is thrown away from the attacker, in metres a second: dynamic bodies and characters. A character that is thrown at 5 comes 1.25 metres far. 1000 at most count."`
	Range          float64         `json:"range" validate:"gt=0" jsonschema:"default=2" jsonschema_description:"How far the strike reaches, in metres: from where the attacker is to the nearest of what room the target takes up."`
	Config         registry.Object `json:"config,omitempty" jsonschema_description:"critChance 0 to 1, default 0.05; critMultiplier, default 2; type of the damage, as in damage.apply. weapon, one of combat.rules where those hold. The rest is shown to viewers."`
	Meta           registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event combat.struck."`
}

// MeleeOut is the output of combat.melee.
type MeleeOut struct {
	Hit       bool     `json:"hit" jsonschema_description:"Whether it met somebody."`
	Damage    *float64 `json:"damage,omitempty" jsonschema_description:"What that one has lost of its health."`
	Killed    *bool    `json:"killed,omitempty" jsonschema_description:"Whether it has none left."`
	Crit      *bool    `json:"crit,omitempty" jsonschema_description:"Whether it was a critical hit."`
	Entity    world.ID `json:"entity,omitempty" jsonschema_description:"Whom it met."`
	Remaining *float64 `json:"remaining,omitempty" jsonschema_description:"What that one has left."`
	Reflected float64  `json:"reflected,omitempty" jsonschema_description:"What the attacker lost, because the strike was thrown back."`
	Pushed    bool     `json:"pushed,omitempty" jsonschema_description:"Whether it was thrown away by knockback."`
	Reason    string   `json:"reason,omitempty" jsonschema_description:"Why it met nobody, or did nothing."`
}

func (a *Arena) melee() registry.Skill {
	return registry.Define(registry.Spec[MeleeIn, MeleeOut]{
		Name:  "combat.melee",
		Title: "Strike",
		Description: "Have an entity strike another that is near: a sword, a fist, a bite. It meets nobody who is out of range or behind a wall. The target needs health (stats.create). " +
			`From afar use combat.ranged; for damage that nobody strikes, damage.apply. Example: {"attackerEntity":"ent_3","targetEntity":"ent_7","damage":10,"knockback":4}`,
		Keywords:    "attack hit punch sword fight slash bite weapon swing knockback critical",
		Permissions: []profiles.Permission{"combat.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in MeleeIn) (MeleeOut, error) {
			t, err := tune(in.Config)
			if err != nil {
				return MeleeOut{}, err
			}
			return world.Do(a.w, c, func(tx *world.Tx) (MeleeOut, error) {
				if err := a.stats.Self(&tx.View, c.Principal(), "attackerEntity", &in.AttackerEntity); err != nil {
					return MeleeOut{}, err
				}
				if in.AttackerEntity == in.TargetEntity {
					return MeleeOut{}, registry.Invalidf("targetEntity: is the attacker itself")
				}
				unable, err := a.fighter(&tx.View, c.Principal(), in.AttackerEntity)
				if err != nil {
					return MeleeOut{}, err
				}
				if in.TargetEntity != 0 {
					if err := a.stats.Vital(&tx.View, in.TargetEntity); err != nil {
						return MeleeOut{}, err
					}
				}
				out := MeleeOut{Reason: unable}
				rules, err := a.held(&tx.View, c.Principal(), in.AttackerEntity)
				if err != nil {
					return MeleeOut{}, err
				}
				if rules != nil && unable == "" {
					out.Reason, err = a.wield(tx, rules, in.AttackerEntity, &attack{false, &in.Damage, &in.Knockback, &in.Range, &t, in.Config})
					if err != nil {
						return MeleeOut{}, err
					}
				}
				if out.Reason == "" {
					if out, err = a.strike(tx, &in, &t, rules, c.Principal().ID); err != nil {
						return MeleeOut{}, err
					}
				}
				return out, c.Emit("combat.struck", struck{in.AttackerEntity, out.Entity, out.Hit, out.Damage, in.Meta})
			})
		},
	})
}

type struck struct {
	Attacker world.ID        `json:"attackerEntity"`
	Target   world.ID        `json:"targetEntity,omitzero"`
	Hit      bool            `json:"hit"`
	Damage   *float64        `json:"damage,omitempty"`
	Meta     registry.Object `json:"meta,omitempty"`
}

// swing is what viewers are told of a strike.
type swing struct {
	Attacker world.ID        `json:"attacker"`
	Target   world.ID        `json:"target,omitzero"`
	Hit      bool            `json:"hit"`
	Crit     bool            `json:"crit,omitempty"`
	By       string          `json:"by"`
	Config   registry.Object `json:"config,omitempty"`
}

// strike has an entity strike that can, held to rules unless they are nil.
func (a *Arena) strike(tx *world.Tx, in *MeleeIn, t *tuning, rules *Rules, by string) (out MeleeOut, err error) {
	target, why := in.TargetEntity, ""
	if target != 0 {
		why = a.misses(&tx.View, in.AttackerEntity, target, in.Range)
		if a.spares(&tx.View, rules, target) {
			why = spared(target)
		}
	} else if target = a.ahead(&tx.View, in.AttackerEntity, in.Range, rules); target == 0 {
		why = fmt.Sprintf("nobody with health is in front of %s within %v m", in.AttackerEntity, in.Range)
	}
	at, _ := tx.Position(in.AttackerEntity)
	if why != "" {
		out.Reason = why
		return out, show(tx, "combat.melee", in.AttackerEntity, at, &swing{in.AttackerEntity, target, false, false, by, in.Config})
	}
	way := a.away(&tx.View, in.AttackerEntity, target)
	w, crit, err := a.blow(tx, t, stats.Blow{Target: target, Attacker: in.AttackerEntity, Amount: in.Damage, Config: in.Config, By: by})
	if err != nil {
		return out, err
	}
	out = MeleeOut{Hit: true, Damage: &w.Damage, Killed: &w.Killed, Crit: &crit, Entity: target, Remaining: &w.Remaining, Reflected: w.Reflected, Reason: w.Reason}
	if in.Knockback > 0 && w.Reason == "" {
		out.Pushed = a.push(tx, target, way.Scale(min(in.Knockback, 1000)))
	}
	return out, show(tx, "combat.melee", in.AttackerEntity, at, &swing{in.AttackerEntity, target, true, crit, by, in.Config})
}

// meleeRange is the range of a strike where nothing is said.
const meleeRange = 2

// misses says why a strike does not meet a target; "" if it does.
func (a *Arena) misses(v *world.View, attacker, target world.ID, reach float64) string {
	if alive, _ := a.stats.Alive(v, target); !alive {
		return target.String() + " has no health left"
	}
	at, _ := v.Position(attacker)
	if far := gap(at, a.bounds(v, target)); far > reach {
		return fmt.Sprintf("%s is %.3g m away, and the range is %v: go nearer", target, far, reach)
	}
	if wall := a.between(v, attacker, target); wall != 0 {
		return fmt.Sprintf("%s is between %s and %s", wall, attacker, target)
	}
	return ""
}

// ahead returns the nearest that a strike meets in front of an entity, the older of two, 0 if there is nobody.
func (a *Arena) ahead(v *world.View, attacker world.ID, reach float64, rules *Rules) (nearest world.ID) {
	at, _ := v.Position(attacker)
	looks, level := front(v, attacker)
	eye := a.eye(v, attacker)
	round := solid.Bounds{Lo: at.Sub(world.Vec3{reach, reach, reach}), Hi: at.Add(world.Vec3{reach, reach, reach})}
	least := reach
	for _, id := range a.livingIn(v, round) {
		if id == 0 || v.Within(id, attacker) || v.Within(attacker, id) || a.spares(v, rules, id) {
			continue
		}
		b := a.bounds(v, id)
		far := gap(at, b)
		if far > reach || nearest != 0 && far >= least {
			continue
		}
		way := b.Center().Sub(eye)
		way[1] = 0
		if to, ok := unit(way); ok && level && to.Dot(looks) < 0.5 { // the cosine of 60 degrees
			continue
		}
		if a.between(v, attacker, id) == 0 {
			nearest, least = id, far
		}
	}
	return nearest
}

// What is wider than wide metres may hold much of the world, and who lives is gone through instead, if that is no more than few.
const (
	wide = 16
	few  = 4096
)

// livingIn returns who lives and is, or has below him, something in a box, in id order; 0 may be among them.
func (a *Arena) livingIn(v *world.View, box solid.Bounds) (there []world.ID) {
	if living, most := a.stats.Living(v); most <= few && box.Hi[0]-box.Lo[0] > 2*wide {
		for id := range living {
			if a.partIn(v, id, box) {
				there = append(there, id)
			}
		}
		return there
	}
	a.things.Each(v, box, func(f *solid.Found) bool {
		there = append(there, a.alive(v, f.Entity))
		return true
	})
	for _, id := range v.InBox(box.Lo, box.Hi) {
		there = append(there, a.alive(v, id))
	}
	slices.Sort(there)
	return slices.Compact(there)
}

// partIn reports whether somebody who lives, or what is a part of him and of nobody who lives below him, is in a box.
func (a *Arena) partIn(v *world.View, id world.ID, box solid.Bounds) bool {
	in := func(part world.ID) bool {
		at, _ := v.Position(part)
		if at != at.Max(box.Lo).Min(box.Hi) {
			s, ok := solid.Of(a.w, v, part)
			if !ok || !s.Bounds().Near(box, 0) {
				return false
			}
		}
		return a.alive(v, part) == id
	}
	if in(id) {
		return true
	}
	for part := range v.Below(id) {
		if in(part) {
			return true
		}
	}
	return false
}

// away is the direction from one entity to another, seen from above; where they are in one place, that in which the first looks.
func (a *Arena) away(v *world.View, from, to world.ID) world.Vec3 {
	way := a.eye(v, to).Sub(a.eye(v, from))
	way[1] = 0
	if d, ok := unit(way); ok {
		return d
	}
	d, _ := front(v, from)
	return d
}

// push throws an entity, and reports whether it can be thrown.
func (a *Arena) push(tx *world.Tx, id world.ID, velocity world.Vec3) bool {
	mark := tx.Savepoint()
	pushed, err := a.physics.Throw(tx, id, velocity)
	if err != nil { // it is where bodies do not move
		tx.RollbackTo(mark)
	}
	return pushed && err == nil
}
