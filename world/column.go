package world

// columnState changes the values of a component, takes changes back, and writes values. It is the same for every type of values.
type columnState struct {
	stateBase
	memory
	seats   sparse
	kinship func(at seat, root bool, copyOf func(ID) (ID, bool)) (seat, bool)
}

// What was done to a component.
const (
	inserted uint8 = iota
	replaced
	removed
)

func (c *columnState) declare(w *World, name string, values vaultOf, traits []Trait) {
	c.vault = newVault(w, name, values)
	w.declare(c, c, name, traits)
}

// open returns an entity that is about to get a value. It is called before the value is put into its seat, and so panics if the world is not the
// caller's to change.
func (c *columnState) open(tx *Tx, id ID) (*slot, error) {
	tx.own(&c.stateBase)
	s := tx.w.entities.get(id)
	if s == nil {
		return nil, tx.Unknown(id)
	}
	return s, nil
}

// put gives an entity the value in a seat. What was admitted before, because it was there, is not looked at again.
func (c *columnState) put(tx *Tx, id ID, s *slot, at seat, admitted bool) error {
	if !admitted {
		if err := c.admit(at); err != nil {
			return err
		}
	}
	if _, ok := c.seats.find(id); ok {
		c.note(tx, replaced, id, s)
		c.olds = append(c.olds, c.seats.swap(id, at))
		return nil
	}
	c.note(tx, inserted, id, s)
	c.seats.add(id, at)
	return nil
}

// set is put for an entity that may not be there.
func (c *columnState) set(tx *Tx, id ID, at seat) error {
	s, err := c.open(tx, id)
	if err != nil {
		c.values.free(at)
		return err
	}
	return c.put(tx, id, s, at, false)
}

func (c *columnState) remove(tx *Tx, id ID) bool {
	if _, ok := c.seats.find(id); !ok {
		return false
	}
	c.note(tx, removed, id, tx.w.entities.get(id))
	c.olds = append(c.olds, c.seats.remove(id))
	return true
}

func (c *columnState) drop(tx *Tx, id ID) { c.remove(tx, id) }

// note appends the record of a change.
func (c *columnState) note(tx *Tx, kind uint8, id ID, s *slot) {
	r := tx.noteState(c, kind, id)
	if c.private {
		r.what = tx.what(s)
		return
	}
	r.what = tx.touch(id, s, Changed)
}

func (c *columnState) undo(_ *Tx, r *record) {
	switch r.kind {
	case inserted:
		c.values.free(c.seats.remove(r.id))
	case replaced:
		c.values.free(c.seats.swap(r.id, pop(&c.olds)))
	case removed:
		c.seats.add(r.id, pop(&c.olds))
	}
}

func (c *columnState) writable() error { return c.codec.writable() }

func (c *columnState) append(dst []byte) []byte { return dst }

func (c *columnState) appendOf(dst []byte, id ID) ([]byte, bool) {
	at, ok := c.seats.find(id)
	if !ok {
		return dst, false
	}
	return c.vault.append(dst, at), true
}

// holders returns who has a value, in id order.
func (c *columnState) holders() []ID {
	ids := make([]ID, 0, c.seats.n)
	for id := range c.seats.places() {
		ids = append(ids, id)
	}
	return ids
}

func (c *columnState) load(tx *Tx, id ID, text []byte) error {
	if text == nil {
		c.remove(tx, id)
		return nil
	}
	at, err := c.read(text)
	if err != nil {
		return err
	}
	return c.set(tx, id, at)
}

func (c *columnState) digest(h *hasher) {
	h.uint(uint64(c.seats.n))
	for id, at := range c.seats.places() {
		h.uint(uint64(id))
		h.text(c.vault.append(h.scratch(), at))
	}
}

func (c *columnState) keeps(kind uint8) bool { return kind != inserted }

func (c *columnState) restore(tx *Tx, v *inverse) error {
	if v.kind == inserted {
		c.remove(tx, v.id)
		return nil
	}
	return c.set(tx, v.id, c.copyOf(v.n))
}

func (c *columnState) kin(of func(at seat, root bool, copyOf func(ID) (ID, bool)) (seat, bool)) {
	c.kinship = of
	c.w.kindred = append(c.w.kindred, c)
}

func (c *columnState) clone(tx *Tx, from, to ID) error {
	at, ok := c.seats.find(from)
	if !ok {
		return nil
	}
	return c.set(tx, to, c.values.copy(at))
}

func (c *columnState) relate(tx *Tx, from, to ID, root bool, copyOf func(ID) (ID, bool)) error {
	at, ok := c.seats.find(from)
	if !ok {
		return nil
	}
	if at, ok = c.kinship(at, root, copyOf); !ok {
		return nil
	}
	return c.set(tx, to, at)
}

func (c *columnState) resume(later func(at seat, past uint64) seat) {
	c.w.onLater(func(tx *Tx, past uint64) error {
		for id, at := range c.seats.places() {
			if err := c.set(tx, id, later(at, past)); err != nil {
				return err
			}
		}
		return nil
	})
}
