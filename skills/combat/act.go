package combat

import (
	"cmp"

	"github.com/limina-mcp/limina/world"
)

// Hit is what came of [Arena.Strike].
type Hit struct {
	Met    bool
	Damage float64 // what the target has lost of its health
	Killed bool
	Reason string // why it did not meet, or do any damage
}

// Strike has an entity strike another, as combat.melee does without knockback and config, in a simulation step on somebody's behalf. It fails if
// either is unknown, or the target has no health to take.
func (a *Arena) Strike(tx *world.Tx, by string, attacker, target world.ID, damage, reach float64) (Hit, error) {
	t, unable, err := a.ready(&tx.View, attacker, target)
	if err != nil || unable != "" {
		return Hit{Reason: unable}, err
	}
	out, err := a.strike(tx, &MeleeIn{AttackerEntity: attacker, TargetEntity: target, Damage: damage, Range: reach}, &t, nil, by)
	if err != nil || !out.Hit {
		return Hit{Reason: out.Reason}, err
	}
	return Hit{true, *out.Damage, *out.Killed, out.Reason}, nil
}

// shotSpeed is how fast a shot flies where nothing is said, in metres a second.
const shotSpeed = 20

// Shoot has an entity shoot at another, as combat.ranged does without config, in a simulation step on somebody's behalf: what is in the way is met instead, which the hit is
// not, then. A speed of 0 is the usual one. It fails if either is unknown, or the target has no health to take.
func (a *Arena) Shoot(tx *world.Tx, by string, attacker, target world.ID, damage, speed float64) (Hit, error) {
	t, unable, err := a.ready(&tx.View, attacker, target)
	if err != nil || unable != "" {
		return Hit{Reason: unable}, err
	}
	in := RangedIn{AttackerEntity: attacker, TargetEntity: target, Damage: damage, Speed: cmp.Or(speed, shotSpeed)}
	dir, err := a.aim(&tx.View, &in)
	if err != nil {
		return Hit{}, err
	}
	t.reach = max(t.reach, a.eye(&tx.View, attacker).Dist(a.eye(&tx.View, target))+1)
	out, err := a.shoot(tx, &in, &t, dir, nil, by)
	if err != nil || !out.Hit || out.Entity != target {
		return Hit{Reason: out.Reason}, err
	}
	return Hit{true, *out.Damage, *out.Killed, out.Reason}, nil
}

// ready returns how somebody strikes or shoots another where nothing is said, or why he is unable to. It fails if either is unknown, or the other has no health to take.
func (a *Arena) ready(v *world.View, attacker, target world.ID) (t tuning, unable string, err error) {
	if !v.Exists(attacker) {
		return t, "", v.Unknown(attacker)
	}
	if err := a.stats.Vital(v, target); err != nil {
		return t, "", err
	}
	if t, err = tune(nil); err != nil {
		return t, "", err
	}
	return t, a.stats.Unable(v, attacker), nil
}

// Between returns the body without health that is between the middles of two entities, 0 if there is none: what hides the one from the other.
func (a *Arena) Between(v *world.View, one, other world.ID) world.ID { return a.between(v, one, other) }
