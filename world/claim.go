package world

import (
	"fmt"
	"iter"
	"math"
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
	Until  uint64 `json:"until"` // the simulation step at which it ends
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

// Claim gives a region to the agent whose transaction it is, for a number of steps: from then on
// nobody else's call may create, move, change or destroy an entity whose position is in it or that reaches into it, or move
// one there ([World.Hold] says what that is). It fails if the region is not one, is too large or meets one of somebody else's, and
// with capacity_exceeded beyond [MaxClaims] and [MaxClaimsOf].
func (tx *Tx) Claim(c Claim, steps uint64) (id string, made Claim, err error) {
	c.Holder, c.Until = tx.agent, tx.Step()+min(steps, math.MaxUint64-tx.Step())
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
// behalf of somebody.
func (tx *Tx) As(agent string, fn func() error) error {
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
	for id, c := range w.claims.All(&tx.View) {
		if c.Until <= tx.Step() {
			over = append(over, id)
		}
	}
	for _, id := range over {
		w.claims.Delete(tx, id)
	}
	return nil
}
