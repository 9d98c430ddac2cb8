package world

// Cursor is how far somebody has followed the open transaction, see [View.Follow]. The zero value has followed nothing.
// It belongs to who uses it, and is no use in another world.
type Cursor struct {
	ended          uint64 // transactions before the one that is followed
	journal, taken int
}

// restored is an entity of which a change was taken back in a transaction that stays open.
type restored struct {
	id ID
	at int // how long the journal was then
}

// Behind reports whether there is anything that the cursor has not followed: whether Follow would call touched, or report
// another transaction. It changes nothing.
func (v *View) Behind(c *Cursor) bool {
	tx := &v.w.tx
	return c.ended != tx.ended || c.journal != len(tx.journal) || c.taken != len(tx.taken)
}

// Follow calls touched with each entity that the open transaction has touched, or of which it has taken a change back, since
// the cursor was here last, and moves the cursor: so who asks again and again pays for what is new only, where
// [View.Pending] is all of it every time. An entity may come several times, and may have been destroyed. Where it is another transaction than
// last time, or none is open, other is true: that one has ended, by a commit or without a trace.
func (v *View) Follow(c *Cursor, touched func(ID)) (other bool) {
	tx := &v.w.tx
	if other = c.ended != tx.ended; other {
		*c = Cursor{ended: tx.ended}
	}
	for _, r := range tx.taken[c.taken:] {
		touched(r.id)
		c.journal = min(c.journal, r.at)
	}
	for i := c.journal; i < len(tx.journal); i++ {
		if id := tx.journal[i].id; id != 0 {
			touched(id)
		}
	}
	c.journal, c.taken = len(tx.journal), len(tx.taken)
	return other
}
