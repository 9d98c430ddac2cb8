package world

import (
	"fmt"
	"slices"
)

// Holding says what claims are held against, beside the positions of entities, and on whose behalf nothing is done. What it says goes by the world alone.
type Holding struct {
	// Room returns the room that an entity takes up, false where only its position counts.
	Room func(v *View, id ID) (lo, hi Vec3, ok bool)
	// Own returns the agents of whom an entity is a part, such as their bodies, in a slice of its own: what they do to that no claim forbids them, wherever they are. What becomes
	// a part of one only by what he does was none before, and is held as it was.
	Own func(v *View, id ID) []string
	// Barred says why nothing is done on behalf of an agent in steps ([Tx.As]), nil where it is done.
	Barred func(v *View, agent string) error
}

// Hold says what claims are held against, once, where the world is put together. Without it only positions count.
func (w *World) Hold(h Holding) { w.holding = h }

// box is the room that an entity takes up: at is its position.
type box struct {
	at, lo, hi Vec3
	some       bool // it takes up more than its position

	own []string // of whom it is a part
}

// room returns the room that an entity takes up now.
func (tx *Tx) room(id ID, at Vec3) box {
	b := box{at: at}
	if tx.w.holding.Room != nil {
		b.lo, b.hi, b.some = tx.w.holding.Room(&tx.View, id)
	}
	return b
}

// remember notes the room that an entity takes up, and of whom it is a part, before the transaction changes anything about it. Where what carries it was moved first, its
// room is taken to be as it would be there, where it was.
func (tx *Tx) remember(id ID, before Vec3) {
	b := tx.room(id, before)
	b.own = tx.partOf(id)
	if !b.some && len(b.own) == 0 {
		return
	}
	if t, ok := tx.WorldTransform(id); ok && b.some {
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

// partOf returns the agents of whom an entity is a part, and was before the transaction: not those who have only taken what it is under.
func (tx *Tx) partOf(id ID) []string {
	own := tx.w.holding.Own
	if own == nil {
		return nil
	}
	of := own(&tx.View, id)
	if len(of) == 0 {
		return nil
	}
	for up := range tx.Up(tx.Parent(id)) {
		s := tx.w.entities.spot(up)
		if s.change == 0 || tx.changes[s.change-1].What&Created != 0 {
			continue
		}
		had, has := tx.rooms[up].own, own(&tx.View, up)
		of = slices.DeleteFunc(of, func(agent string) bool { return slices.Contains(has, agent) && !slices.Contains(had, agent) })
	}
	return of
}

// Act says that something is done to an entity by what is done elsewhere, as to what something is tied to: that is held to claims.
func (tx *Tx) Act(id ID) error {
	s := tx.w.entities.get(id)
	if s == nil {
		return tx.Unknown(id)
	}
	tx.note(opTouch, id, s, Changed, 0)
	return nil
}

// checkClaims refuses what was done since the mark to entities that are, or were before the
// transaction, in a region of somebody else's, or reach into one, as what carries something there does.
func (tx *Tx) checkClaims(mark int) error {
	if !tx.restricted() {
		return nil
	}
	for _, id := range tx.actedSince(mark) {
		at, there := tx.Position(id)
		if there && (tx.w.holding.Own == nil || !slices.Contains(tx.w.holding.Own(&tx.View, id), tx.agent)) {
			if err := tx.checkClaim(id, tx.room(id, at)); err != nil {
				return err
			}
		}
		s := tx.w.entities.spot(id)
		if s.change == 0 || tx.changes[s.change-1].What&Created != 0 {
			continue
		}
		b := tx.rooms[id]
		if slices.Contains(b.own, tx.agent) {
			continue
		}
		b.at = tx.changes[s.change-1].Before
		if err := tx.checkClaim(id, b); err != nil {
			return err
		}
		if there {
			if err := tx.checkParts(id); err != nil {
				return err
			}
		}
	}
	return nil
}

// restricted reports whether somebody else than whose transaction it is holds a region.
func (tx *Tx) restricted() bool {
	for _, c := range tx.w.claims.All(&tx.View) {
		if c.Holder != tx.agent && c.Until > tx.Step() {
			return true
		}
	}
	return false
}

// checkParts refuses what was done to an entity for what is below it: who has a group, has all of it.
func (tx *Tx) checkParts(id ID) error {
	for part := range tx.Below(id) {
		if slices.Contains(tx.partOf(part), tx.agent) {
			continue
		}
		at, _ := tx.Position(part)
		if err := tx.checkClaim(part, tx.room(part, at)); err != nil {
			return err
		}
	}
	return nil
}

// Acted returns the entities to which something was done since a mark, in id order: those that were made, changed or destroyed, but for what only follows from that
// ([Tx.Follow]), and is below what was moved or destroyed.
func (tx *Tx) Acted(mark int) []ID { return tx.actedSince(mark) }

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
