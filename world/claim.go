package world

import (
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
)

// The bounds of claims.
const (
	MaxClaims    = 256 // in a world
	MaxClaimsOf  = 8   // of one agent
	MaxClaimEdge = 200 // metres, along each axis
)

// Claim is a region that an agent has for himself for a while: what others do in it is refused.
// Simulation steps and engine code are not held to it.
type Claim struct {
	Holder string `json:"holder"`
	Lo     Vec3   `json:"min"`
	Hi     Vec3   `json:"max"`
	Until  uint64 `json:"until"` // the simulation step at which it ends, if the time scale stays what it is

	// Who slows time down or has it run shortens or prolongs nobody's claim: so it is known what was left when the scale was another.
	Left  float64 `json:"left,omitempty"` // how many steps were left after Since, at a time scale of 1; 0: an earlier program has not said
	Since uint64  `json:"since,omitempty"`
	Scale float64 `json:"scale,omitempty"` // the time scale from Since on

	Reason string `json:"reason,omitempty"`
}

// contains reports whether a point is in the region, its faces included.
func (c *Claim) contains(p Vec3) bool { return p.Max(c.Lo) == p && p.Min(c.Hi) == p }

func (c *Claim) overlaps(d *Claim) bool {
	for i := range 3 {
		if c.Lo[i] > d.Hi[i] || d.Lo[i] > c.Hi[i] {
			return false
		}
	}
	return true
}

// left returns how many steps at a time scale of 1 a claim has left after so many steps have been taken.
func (c *Claim) left(taken uint64) float64 {
	past := float64(taken - min(c.Since, taken))
	switch {
	case c.Left == 0: // an earlier program's, or it is over
		return float64(c.Until - min(c.Until, taken))
	case c.Scale == 0:
		return c.Left
	}
	return c.Left - past/c.Scale
}

// retime has a claim end when as much time has passed as was said, at the time scale that there is once so many steps have been taken.
func (c *Claim) retime(taken uint64, scale float64) {
	c.Left, c.Since, c.Scale = max(c.left(taken), 0), taken, scale
	steps := math.Ceil(c.Left * scale)
	switch {
	case scale == 0 || steps >= 1<<63:
		c.Until = math.MaxUint64
	default:
		c.Until = taken + min(uint64(steps), math.MaxUint64-taken)
	}
}

// ClaimLeft returns how much time a claim has left, in seconds at a time scale of 1: as many as really pass, unless time stands still.
func (v *View) ClaimLeft(c *Claim) float64 {
	return max(c.left(v.Step()), 0) / float64(v.w.config.StepRate)
}

// Claim gives a region to the agent whose transaction it is, for a number of steps at a time scale of 1, whatever becomes of the scale: from then on
// nobody else's call may create, move, change or destroy an entity whose position is in it or that reaches into it, or move
// one there ([World.Hold] says what that is). It fails if the region is not one, is too large or meets one of somebody else's, and
// with capacity_exceeded beyond [MaxClaims] and [MaxClaimsOf].
func (tx *Tx) Claim(c Claim, steps uint64) (id string, made Claim, err error) {
	c.Holder = tx.agent
	c.Left, c.Since, c.Scale = float64(steps), tx.Step(), 1
	c.retime(tx.Step(), tx.w.Environment.TimeScale.Get(&tx.View))
	for i, lo := range c.Lo {
		if edge := c.Hi[i] - lo; !(edge >= 0 && edge <= MaxClaimEdge) {
			return "", c, invalid("max[%d]: must be from %v, which is min[%d], to %v, got %v", i, lo, i, lo+MaxClaimEdge, c.Hi[i])
		}
	}
	mine := 0
	for _, other := range tx.w.claims.All(&tx.View) {
		if other.Holder == c.Holder {
			mine++
		} else if other.overlaps(&c) {
			return "", c, &Error{codeUnknown, fmt.Sprintf("the region meets one that %s", other.held())}
		}
	}
	if mine >= MaxClaimsOf {
		return "", c, capacity("you hold %d claims, which is the limit: world.release gives one back", mine)
	}
	id = fmt.Sprintf("claim_%d", tx.w.claims.Next(tx))
	return id, c, tx.w.claims.Set(tx, id, c)
}

// held says who holds the region, from where to where, until when.
func (c *Claim) held() string {
	text := fmt.Sprintf("%s holds, from %v to %v until step %d", c.Holder, c.Lo, c.Hi, c.Until)
	if c.Until == math.MaxUint64 {
		text = fmt.Sprintf("%s holds, from %v to %v", c.Holder, c.Lo, c.Hi)
	}
	if c.Reason != "" {
		text += fmt.Sprintf(", for %q", c.Reason)
	}
	return text
}

// Release gives a region back. It fails if there is no such claim or it is somebody else's.
func (tx *Tx) Release(id string) error {
	c, ok := tx.w.claims.Get(&tx.View, id)
	switch {
	case !ok:
		return &Error{codeUnknown, fmt.Sprintf("claim: there is none of the id %q; world.claims lists them", clip(id))}
	case c.Holder != tx.agent:
		return &Error{codeUnknown, fmt.Sprintf("claim: %s is %s's", id, c.Holder)}
	}
	tx.w.claims.Delete(tx, id)
	return nil
}

// As runs fn as an agent would whose call it is: what it does in a region that somebody else has claimed is
// refused, and if it fails everything it did is undone. It is for what goes on in a simulation step on
// behalf of somebody. Where nothing is to be done for him ([Holding]) it fails, and fn is not run.
func (tx *Tx) As(agent string, fn func() error) error {
	if barred := tx.w.holding.Barred; barred != nil {
		if err := barred(&tx.View, agent); err != nil {
			return err
		}
	}
	before, mark := tx.agent, tx.Savepoint()
	tx.agent = agent
	defer func() { tx.agent = before }()
	err := fn()
	if err == nil {
		err = tx.checkClaims(mark)
	}
	if err != nil {
		tx.RollbackTo(mark)
	}
	return err
}

// Claims yields every claim under its id, in the order of the ids' text.
func (v *View) Claims() iter.Seq2[string, Claim] { return v.w.claims.All(v) }

// expire ends the claims whose time is up.
func (w *World) expire(tx *Tx) error {
	if w.claims.Len(&tx.View) == 0 {
		return nil
	}
	var over []string
	scale := w.Environment.TimeScale.Get(&tx.View)
	changed := map[string]Claim{}
	for id, c := range w.claims.All(&tx.View) {
		if c.Scale != scale || c.Left == 0 {
			c.retime(tx.Step()-1, scale) // this step is the first at the new one
			changed[id] = c
		}
		if c.Until <= tx.Step() {
			over = append(over, id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(changed)) {
		if err := w.claims.Set(tx, id, changed[id]); err != nil {
			return err
		}
	}
	for _, id := range over {
		w.claims.Delete(tx, id)
	}
	return nil
}

// shiftClaims has claims last as long as before where so many steps are left out.
func (tx *Tx) shiftClaims(by uint64) error {
	for id, c := range maps.Collect(tx.w.claims.All(&tx.View)) { // in any order, which nothing shows: no row is new
		c.Since += by
		c.Until += min(by, math.MaxUint64-c.Until)
		if err := tx.w.claims.Set(tx, id, c); err != nil {
			return err
		}
	}
	return nil
}
