package replica

import (
	"encoding/json"
	"math"
)

// packed is what packed messages have in place of entities, as it came; what is not there is nil.
type packed struct {
	precision, resumed, gone, entered, placed, moved, turned, scaled, far, parts []byte
}

func (p *packed) field(name []byte) *[]byte {
	switch string(name) {
	case "precision":
		return &p.precision
	case "resumed":
		return &p.resumed
	case "gone":
		return &p.gone
	case "entered":
		return &p.entered
	case "placed":
		return &p.placed
	case "moved":
		return &p.moved
	case "turned":
		return &p.turned
	case "scaled":
		return &p.scaled
	case "far":
		return &p.far
	case "parts":
		return &p.parts
	}
	return nil
}

func (v *View) applyPacked(u *Update, p *packed) (err error) {
	if p.precision != nil {
		bits, err := number(p.precision)
		if err != nil {
			return err
		}
		if v.quantum, err = quantumOf(int(min(bits, 100))); err != nil {
			return err
		}
	}
	if string(p.resumed) == "true" {
		v.renumber()
	}
	if v.numbers, err = integers(p.gone, v.numbers[:0]); err != nil {
		return err
	}
	for _, n := range v.numbers {
		slot, err := slotOf(n)
		if err != nil {
			return err
		}
		if err := v.drop(u, slot); err != nil {
			return err
		}
	}
	clear(v.changed)
	err = elements(p.entered, func(value []byte) error {
		slot, e, err := v.parseEntered(value)
		if err != nil {
			return err
		}
		before := len(v.Entities)
		if err := v.enter(slot, e); err != nil {
			return err
		}
		v.welcome(u, e.Number, before)
		_, err = v.change(u, int64(slot))
		return err
	})
	if err != nil {
		return err
	}
	if err := v.applyPlaces(u, p); err != nil {
		return err
	}
	return elements(p.parts, func(value []byte) error { return v.changePart(u, value) })
}

// slotOf returns a number as a slot.
func slotOf(n int64) (uint32, error) {
	if n < 0 || n > math.MaxUint32 {
		return 0, malformed("%d is no slot", n)
	}
	return uint32(n), nil
}

// change returns the entity of a slot and notes that it has changed.
func (v *View) change(u *Update, n int64) (*Entity, error) {
	e := v.slots[uint32(n)]
	if n < 0 || n > math.MaxUint32 || e == nil {
		return nil, malformed("slot %d is empty", n)
	}
	if v.changed == nil {
		v.changed = map[uint64]struct{}{}
	}
	before := len(v.changed)
	if v.changed[e.Number] = struct{}{}; len(v.changed) > before {
		u.Changed = append(u.Changed, e.Number)
	}
	return e, nil
}

// list reads a flat list of tuples.
func (v *View) list(text []byte, tuple int) ([]int64, error) {
	list, err := integers(text, v.numbers[:0])
	v.numbers = list
	if err == nil && len(list)%tuple != 0 {
		err = malformed("a list ends in the middle")
	}
	return list, err
}

// applyPlaces changes positions, rotations and scales.
func (v *View) applyPlaces(u *Update, p *packed) error {
	placed, err := v.list(p.placed, 4)
	for q := placed; err == nil && len(q) > 0; q = q[4:] {
		var e *Entity
		if e, err = v.change(u, q[0]); err == nil {
			e.place = [3]int32{int32(q[1]), int32(q[2]), int32(q[3])}
			e.put(v.quantum)
		}
	}
	if err == nil {
		err = v.applyMoved(u, p)
	}
	if err != nil {
		return err
	}
	vector := func(into func(*Entity) []float64) func([]byte) error {
		return func(value []byte) error {
			var q [4]float64
			if err := floats(value, q[:]); err != nil {
				return err
			}
			e, err := v.change(u, int64(q[0]))
			if err == nil {
				copy(into(e), q[1:])
			}
			return err
		}
	}
	if err := elements(p.scaled, vector(func(e *Entity) []float64 { return e.Scale[:] })); err != nil {
		return err
	}
	return elements(p.far, vector(func(e *Entity) []float64 { return e.Pos[:] }))
}

// applyMoved changes positions and rotations by differences.
func (v *View) applyMoved(u *Update, p *packed) error {
	moved, err := v.list(p.moved, 4)
	slot := int64(-1)
	for q := moved; err == nil && len(q) > 0; q = q[4:] {
		var e *Entity
		slot += q[0]
		if e, err = v.change(u, slot); err == nil {
			for i := range e.place {
				e.place[i] += int32(q[i+1])
			}
			e.put(v.quantum)
		}
	}
	if err != nil {
		return err
	}
	turned, err := v.list(p.turned, 2)
	slot = -1
	for q := turned; err == nil && len(q) > 0; q = q[2:] {
		var e *Entity
		slot += q[0]
		if e, err = v.change(u, slot); err == nil {
			e.turn(uint32(q[1]))
		}
	}
	return err
}

// parseEntered reads [slot,n,x,y,z,rotation,scale,{parts}]; the last three may be left out from the
// back.
func (v *View) parseEntered(raw []byte) (slot uint32, e *Entity, err error) {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return 0, nil, err
	}
	if len(list) < 5 || len(list) > 8 {
		return 0, nil, malformed("an entity that enters has %d values", len(list))
	}
	e = &Entity{Rot: [4]float64{0, 0, 0, 1}, Scale: [3]float64{1, 1, 1}}
	var turn uint32
	var uniform float64
	into := []any{&slot, &e.Number, &e.place[0], &e.place[1], &e.place[2], &turn, &uniform, &e.Parts}
	for i, value := range list {
		target := into[i]
		if i == 6 && value[0] == '[' {
			target = &e.Scale
		}
		if err := json.Unmarshal(value, target); err != nil {
			return 0, nil, err
		}
		switch {
		case i == 5:
			e.turn(turn)
		case target == any(&uniform):
			e.Scale = [3]float64{uniform, uniform, uniform}
		}
	}
	e.put(v.quantum)
	return slot, e, nil
}

// changePart reads [slot,"name",value], or [slot,"name"] for a part that is gone.
func (v *View) changePart(u *Update, raw []byte) error {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return err
	}
	if len(list) < 2 || len(list) > 3 {
		return malformed("a part that has changed has %d values", len(list))
	}
	var slot int64
	var name string
	if err := json.Unmarshal(list[0], &slot); err != nil {
		return err
	}
	if err := json.Unmarshal(list[1], &name); err != nil {
		return err
	}
	e, err := v.change(u, slot)
	if err != nil {
		return err
	}
	if len(list) == 2 {
		delete(e.Parts, name)
		return nil
	}
	e.set(name, list[2])
	return nil
}
