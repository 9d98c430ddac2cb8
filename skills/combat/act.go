package combat

import "github.com/limina-mcp/limina/world"

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
	if !tx.Exists(attacker) {
		return Hit{}, tx.Unknown(attacker)
	}
	if err := a.stats.Vital(&tx.View, target); err != nil {
		return Hit{}, err
	}
	if unable := a.stats.Unable(&tx.View, attacker); unable != "" {
		return Hit{Reason: unable}, nil
	}
	t, err := tune(nil)
	if err != nil {
		return Hit{}, err
	}
	out, err := a.strike(tx, &MeleeIn{AttackerEntity: attacker, TargetEntity: target, Damage: damage, Range: reach}, &t, nil, by)
	if err != nil || !out.Hit {
		return Hit{Reason: out.Reason}, err
	}
	return Hit{true, *out.Damage, *out.Killed, out.Reason}, nil
}
