package world

import "fmt"

// Holding says what claims are held against, beside the positions of entities, and on whose behalf nothing is done. What it says goes by the world alone.
type Holding struct {
	// Room returns the room that an entity takes up, false where only its position counts.
	Room func(v *View, id ID) (lo, hi Vec3, ok bool)
	// Own reports whether an entity is an agent himself, such as his body: what he does to that no claim forbids him, wherever he is.
	Own func(v *View, agent string, id ID) bool
	// Barred says why nothing is done on behalf of an agent in steps ([Tx.As]), nil where it is done.
	Barred func(v *View, agent string) error
}

// Hold says what claims are held against, once, where the world is put together. Without it only positions count.
func (w *World) Hold(h Holding) { w.holding = h }

// box is the room that an entity takes up: at is its position.
type box struct {
	at, lo, hi Vec3
	some       bool // it takes up more than its position
}

// room returns the room that an entity takes up now.
func (tx *Tx) room(id ID, at Vec3) box {
	b := box{at: at}
	if tx.w.holding.Room != nil {
		b.lo, b.hi, b.some = tx.w.holding.Room(&tx.View, id)
	}
	return b
}

// remember notes the room that an entity takes up before the transaction changes anything about it. Where what carries it was moved first, its
// room is taken to be as it would be there, where it was.
func (tx *Tx) remember(id ID, before Vec3) {
	b := tx.room(id, before)
	if !b.some {
		return
	}
	if t, ok := tx.WorldTransform(id); ok {
		by := before.Sub(t.Position)
		b.lo, b.hi = b.lo.Add(by), b.hi.Add(by)
	}
	if tx.rooms == nil {
		tx.rooms = map[ID]box{}
	}
	tx.rooms[id] = b
}

// Follow runs fn, which sets components to what follows from what the transaction has done already, as tiles of ground do from earthworks. That is held
// to claims, and taken back by undo, and what fn does is not: [World.OnFollow] has it made anew, so that two agents from whose work one thing follows are
// not in the way of each other's undo.
func (tx *Tx) Follow(fn func() error) error {
	before := tx.following
	tx.following = true
	defer func() { tx.following = before }()
	return fn()
}

// checkClaims refuses what was done since the mark to entities that are, or were before the
// transaction, in a region of somebody else's, or reach into one.
func (tx *Tx) checkClaims(mark int) error {
	for _, id := range tx.actedSince(mark) {
		if own := tx.w.holding.Own; own != nil && own(&tx.View, tx.agent, id) {
			continue
		}
		if at, ok := tx.Position(id); ok {
			if err := tx.checkClaim(id, tx.room(id, at)); err != nil {
				return err
			}
		}
		if s := tx.w.entities.spot(id); s.change != 0 {
			if c := &tx.changes[s.change-1]; c.What&Created == 0 {
				b := tx.rooms[id]
				b.at = c.Before
				if err := tx.checkClaim(id, b); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// actedSince returns the entities to which something was done since the mark that does not follow from something else.
func (tx *Tx) actedSince(mark int) (ids []ID) {
	for i := range tx.journal[mark:] {
		if r := &tx.journal[mark+i]; r.id != 0 && !r.follows {
			ids = append(ids, r.id)
		}
	}
	return sortedIDs(ids)
}

func (tx *Tx) checkClaim(id ID, b box) error {
	for _, c := range tx.w.claims.All(&tx.View) {
		if c.Holder == tx.agent || c.Until <= tx.Step() {
			continue
		}
		where := fmt.Sprintf("at %v, is in", b.at)
		if !c.contains(b.at) {
			if !b.some || !c.meets(b.lo, b.hi) {
				continue
			}
			where = fmt.Sprintf("from %v to %v, reaches into", b.lo, b.hi)
		}
		return &Error{codeForbidden, fmt.Sprintf("%s, %s a region that %s. Nothing was changed; work elsewhere, or ask %s to world.release it", id, where, c.held(), c.Holder)}
	}
	return nil
}

// meets reports whether the region and a box have more in common than their faces.
func (c *Claim) meets(lo, hi Vec3) bool {
	const touch = 1e-3 // metres: what stands beside it
	for i := range 3 {
		if !(lo[i] < c.Hi[i]-touch && hi[i] > c.Lo[i]+touch) {
			return false
		}
	}
	return true
}
