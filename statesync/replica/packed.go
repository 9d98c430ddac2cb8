package replica

import (
	"encoding/json"
	"math"
)

// packed is what packed messages have in place of entities.
type packed struct {
	Precision *int              `json:"precision"`
	Resumed   bool              `json:"resumed"`
	Gone      []uint32          `json:"gone"`
	Entered   []json.RawMessage `json:"entered"`
	Placed    []int64           `json:"placed"`
	Moved     []int64           `json:"moved"`
	Turned    []int64           `json:"turned"`
	Scaled    [][4]float64      `json:"scaled"`
	Far       [][4]float64      `json:"far"`
	Changed   []json.RawMessage `json:"parts"`
}

func (v *View) applyPacked(u *Update, p *packed) (err error) {
	if p.Precision != nil {
		if v.quantum, err = quantumOf(*p.Precision); err != nil {
			return err
		}
	}
	if p.Resumed {
		v.renumber()
	}
	for _, slot := range p.Gone {
		if err := v.drop(u, slot); err != nil {
			return err
		}
	}
	changed := map[uint64]bool{}
	at := func(slot int64) (*Entity, error) {
		e := v.slots[uint32(slot)]
		if slot < 0 || slot > math.MaxUint32 || e == nil {
			return nil, malformed("slot %d is empty", slot)
		}
		if !changed[e.Number] {
			changed[e.Number] = true
			u.Changed = append(u.Changed, e.Number)
		}
		return e, nil
	}
	for _, raw := range p.Entered {
		slot, e, err := v.parseEntered(raw)
		if err != nil {
			return err
		}
		v.enter(slot, e)
		if _, err := at(int64(slot)); err != nil {
			return err
		}
	}
	if err := v.applyPlaces(p, at); err != nil {
		return err
	}
	for _, raw := range p.Changed {
		if err := changePart(raw, at); err != nil {
			return err
		}
	}
	return nil
}

// applyPlaces changes positions, rotations and scales.
func (v *View) applyPlaces(p *packed, at func(int64) (*Entity, error)) error {
	if len(p.Placed)%4 != 0 || len(p.Moved)%4 != 0 || len(p.Turned)%2 != 0 {
		return malformed("a list ends in the middle")
	}
	for q := p.Placed; len(q) > 0; q = q[4:] {
		e, err := at(q[0])
		if err != nil {
			return err
		}
		e.place = [3]int32{int32(q[1]), int32(q[2]), int32(q[3])}
		e.put(v.quantum)
	}
	slot := int64(-1)
	for q := p.Moved; len(q) > 0; q = q[4:] {
		slot += q[0]
		e, err := at(slot)
		if err != nil {
			return err
		}
		for i := range e.place {
			e.place[i] += int32(q[i+1])
		}
		e.put(v.quantum)
	}
	slot = -1
	for q := p.Turned; len(q) > 0; q = q[2:] {
		slot += q[0]
		e, err := at(slot)
		if err != nil {
			return err
		}
		e.turn(uint32(q[1]))
	}
	for _, q := range p.Scaled {
		e, err := at(int64(q[0]))
		if err != nil {
			return err
		}
		copy(e.Scale[:], q[1:])
	}
	for _, q := range p.Far {
		e, err := at(int64(q[0]))
		if err != nil {
			return err
		}
		copy(e.Pos[:], q[1:])
		e.far = true
	}
	return nil
}

// parseEntered reads [slot,n,x,y,z,rotation,scale,{parts}]; the last three may be left out from the
// back.
func (v *View) parseEntered(raw json.RawMessage) (slot uint32, e *Entity, err error) {
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
func changePart(raw json.RawMessage, at func(int64) (*Entity, error)) error {
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
	e, err := at(slot)
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
