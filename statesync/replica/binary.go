package replica

import (
	"encoding/json"
	"math"
)

// Flags of a message.
const (
	flagSnapshot = 1 << iota
	flagResumed
	flagNamed
	flagStep
	flagCauses
	flagNames
	flagGone
	flagRest
)

// Forms of what is told of an entity.
const (
	formStep = iota
	formHop
	formAny
	formTwist
)

// What a mask says to follow.
const (
	maskEnter = 1 << iota
	maskPlace
	maskFar
	maskTurn
	maskScale
	maskUniform
	maskParts
	maskAnew
)

// Binary applies a binary frame: one message, or several one behind the other.
func (c *Copy) Binary(frame []byte) ([]Update, error) {
	r := reader{rest: frame}
	var updates []Update
	for len(r.rest) > 0 {
		u, err := c.message(&r)
		if err != nil {
			return updates, err
		}
		updates = append(updates, u)
	}
	return updates, nil
}

func (c *Copy) message(r *reader) (Update, error) {
	flags := r.byte()
	first := flags&(flagSnapshot|flagResumed) != 0
	v, err := c.named(r, flags, first)
	if err != nil {
		return Update{}, err
	}
	u := Update{View: v, Snapshot: flags&flagSnapshot != 0}
	if first {
		if v.quantum, err = quantumOf(int(r.byte())); err != nil {
			return u, err
		}
		v.Tick, v.Step = 0, 0
	}
	switch {
	case flags&flagSnapshot != 0:
		v.clear()
	case flags&flagResumed != 0:
		v.renumber()
	}
	v.Tick += r.uint()
	if flags&flagStep != 0 {
		v.Step += r.uint()
	}
	if flags&flagCauses != 0 {
		last := uint64(0)
		for range r.count() {
			last += r.uint()
			u.CausedBy = append(u.CausedBy, last)
		}
	}
	if flags&flagNames != 0 {
		for range r.count() {
			v.names = append(v.names, string(r.bytes()))
		}
	}
	if flags&flagGone != 0 {
		for range r.count() {
			slot := r.uint()
			if r.err != nil {
				break
			}
			if err := v.drop(&u, uint32(slot)); err != nil {
				return u, err
			}
		}
	}
	v.entities(r, &u)
	if flags&flagRest != 0 {
		v.others(r, &u)
	}
	return u, r.err
}

// named returns the view that a message is of.
func (c *Copy) named(r *reader, flags byte, first bool) (*View, error) {
	number, name := uint64(0), ""
	if flags&flagNamed != 0 {
		number = r.uint()
		if first {
			name = string(r.bytes())
		}
	}
	if r.err != nil {
		return nil, r.err
	}
	v := c.numbers[number]
	if !first {
		if v == nil {
			return nil, malformed("a delta of subscription %d before its snapshot", number)
		}
		return v, nil
	}
	if flags&flagResumed != 0 && c.views[name] == nil {
		return nil, malformed("subscription %q is resumed and there is none", name)
	}
	if c.numbers == nil {
		c.numbers = map[uint64]*View{}
	}
	v = c.view(name)
	c.numbers[number] = v
	return v, nil
}

// others reads what is JSON.
func (v *View) others(r *reader, u *Update) {
	text := r.bytes()
	if r.err != nil {
		return
	}
	if !json.Valid(text) {
		r.err = notJSON(text)
		return
	}
	var p params
	if r.err = p.read(text); r.err == nil {
		r.err = p.play(u)
	}
	if r.err == nil {
		r.err = v.applyRest(&p)
	}
}

// entities reads what is told of entities.
func (v *View) entities(r *reader, u *Update) {
	slot := int64(-1)
	for {
		head := r.uint()
		if head == 0 || r.err != nil {
			return
		}
		slot += int64(head >> 2)
		if head>>2 == 0 || slot > math.MaxUint32 {
			r.fail("slot %d", slot)
			return
		}
		e := v.slots[uint32(slot)]
		switch form := head & 3; {
		case form == formAny:
			before := len(v.Entities)
			if e = v.any(r, uint32(slot), e); e != nil {
				v.welcome(u, e.Number, before)
			}
		case e == nil:
			r.fail("slot %d is empty", slot)
		case form == formHop:
			e.hop(r)
			e.put(v.quantum)
		default:
			for i := range e.place {
				e.place[i] += int32(int8(r.byte()))
			}
			e.put(v.quantum)
			if form == formTwist {
				e.turn(r.uint32())
			}
		}
		if r.err != nil {
			return
		}
		u.Changed = append(u.Changed, e.Number)
	}
}

func (e *Entity) hop(r *reader) {
	for i := range e.place {
		e.place[i] += r.int()
	}
}

// any reads what a mask announces, of the entity of a slot or of one that enters.
func (v *View) any(r *reader, slot uint32, e *Entity) *Entity {
	mask := r.byte()
	switch {
	case mask&maskEnter != 0:
		e = &Entity{Number: r.uint(), Rot: [4]float64{0, 0, 0, 1}, Scale: [3]float64{1, 1, 1}}
		if r.err == nil {
			r.err = v.enter(slot, e)
		}
	case e == nil:
		r.fail("slot %d is empty", slot)
		return nil
	}
	if mask&maskPlace != 0 {
		if e.far || mask&maskAnew != 0 {
			e.place = [3]int32{}
		}
		e.hop(r)
		e.put(v.quantum)
	}
	if mask&maskFar != 0 {
		for i := range e.Pos {
			e.Pos[i] = math.Float64frombits(r.uint64())
		}
		e.far = true
	}
	if mask&maskTurn != 0 {
		e.turn(r.uint32())
	}
	if mask&maskScale != 0 {
		for i := range e.Scale {
			e.Scale[i] = r.float32()
		}
	}
	if mask&maskUniform != 0 {
		x := r.float32()
		e.Scale = [3]float64{x, x, x}
	}
	if mask&maskParts != 0 {
		v.parts(r, e)
	}
	return e
}

// parts reads the parts that have changed.
func (v *View) parts(r *reader, e *Entity) {
	for {
		head := r.uint()
		if head == 0 || r.err != nil {
			return
		}
		n := head>>1 - 1
		if head>>1 == 0 || n >= uint64(len(v.names)) {
			r.fail("part %d has no name", n)
			return
		}
		if head&1 != 0 {
			delete(e.Parts, v.names[n])
			continue
		}
		value := r.bytes()
		if r.err == nil && !json.Valid(value) {
			r.fail("%s of entity %d is no JSON", v.names[n], e.Number)
			return
		}
		e.set(v.names[n], append(json.RawMessage(nil), value...))
	}
}
