package replica

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

func malformed(format string, args ...any) error {
	return fmt.Errorf("replica: "+format, args...)
}

// Text applies a text frame: a message, or an array of them. What is neither a snapshot nor a delta is
// passed over.
func (c *Copy) Text(frame []byte) ([]Update, error) {
	if !json.Valid(frame) {
		return nil, notJSON(frame)
	}
	var updates []Update
	one := func(message []byte) error {
		u, told, err := c.told(message)
		if told && err == nil {
			updates = append(updates, u)
		}
		return err
	}
	if first(frame) != '[' {
		err := one(frame)
		return updates, err
	}
	err := elements(frame, one)
	return updates, err
}

// notJSON says what is wrong with text that is not JSON.
func notJSON(text []byte) error {
	var v any
	return json.Unmarshal(text, &v)
}

// told applies a message and reports whether it was a snapshot or a delta.
func (c *Copy) told(text []byte) (u Update, told bool, err error) {
	var method, params []byte
	rpc := false
	err = members(text, func(name, value []byte) error {
		switch string(name) {
		case "jsonrpc":
			rpc = true
		case "method":
			method = value
		case "params":
			params = value
		}
		return nil
	})
	if err != nil {
		return u, false, err
	}
	switch {
	case !rpc && method == nil: // a packed delta
		u, err = c.notify(false, true, text)
	case string(method) == `"state/snapshot"`:
		u, err = c.notify(true, false, params)
	case string(method) == `"state/delta"`:
		u, err = c.notify(false, false, params)
	default:
		return u, false, nil
	}
	return u, true, err
}

// Notify applies a notification: state/snapshot or state/delta.
func (c *Copy) Notify(method string, params json.RawMessage) (Update, error) {
	if !json.Valid(params) {
		return Update{}, notJSON(params)
	}
	return c.notify(method == "state/snapshot", false, params)
}

// params are those of snapshots and deltas, json and packed, as they came; what is not there is nil.
type params struct {
	tick, step, subscription, causedBy, aoi, world, tables, replaced, events, missed, epoch []byte

	entities, changes, removed []byte

	packed
}

// field returns where a member goes, nil if it is not known.
func (p *params) field(name []byte) *[]byte {
	switch string(name) {
	case "tick":
		return &p.tick
	case "step":
		return &p.step
	case "subscription":
		return &p.subscription
	case "causedBy":
		return &p.causedBy
	case "aoi":
		return &p.aoi
	case "world":
		return &p.world
	case "tables":
		return &p.tables
	case "replaced":
		return &p.replaced
	case "events":
		return &p.events
	case "missed":
		return &p.missed
	case "epoch":
		return &p.epoch
	case "entities":
		return &p.entities
	case "changes":
		return &p.changes
	case "removed":
		return &p.removed
	}
	return p.packed.field(name)
}

// read takes apart an object.
func (p *params) read(text []byte) error {
	return members(text, func(name, value []byte) error {
		if f := p.field(name); f != nil && string(value) != "null" {
			*f = value
		}
		return nil
	})
}

// notify applies the params of a notification, or a bare delta, which may leave out a tick that is the next
// one.
func (c *Copy) notify(snapshot, bare bool, text []byte) (Update, error) {
	var p params
	if err := p.read(text); err != nil {
		return Update{}, err
	}
	name, err := unquote(p.subscription)
	if err != nil {
		return Update{}, err
	}
	v := c.views[name]
	if v == nil && !snapshot {
		return Update{}, malformed("a delta of %q before its snapshot", name)
	}
	v = c.view(name)
	u := Update{View: v, Snapshot: snapshot}
	if snapshot {
		v.clear()
	}
	if err := v.applyHead(&u, &p, bare); err != nil {
		return u, err
	}
	if err := v.applyJSON(&u, &p); err != nil {
		return u, err
	}
	if err := v.applyPacked(&u, &p.packed); err != nil {
		return u, err
	}
	return u, v.applyRest(&p)
}

// applyHead reads when the message is of, what caused it and what is to be played.
func (v *View) applyHead(u *Update, p *params, bare bool) (err error) {
	switch {
	case p.tick != nil:
		v.Tick, err = number(p.tick)
	case bare:
		v.Tick++
	default:
		err = malformed("a message without a tick")
	}
	if err == nil && p.step != nil {
		v.Step, err = number(p.step)
	}
	if err != nil {
		return err
	}
	err = elements(p.causedBy, func(value []byte) error {
		n, err := number(value)
		u.CausedBy = append(u.CausedBy, n)
		return err
	})
	if err != nil {
		return err
	}
	return p.play(u)
}

// play takes over the moments to be played.
func (p *params) play(u *Update) (err error) {
	if p.missed != nil {
		if u.Missed, err = number(p.missed); err != nil {
			return err
		}
	}
	return elements(p.events, func(value []byte) error {
		u.Events = append(u.Events, bytes.Clone(value))
		return nil
	})
}

func (v *View) applyJSON(u *Update, p *params) error {
	err := elements(p.removed, func(value []byte) error {
		n, err := parseID(value)
		if v.Entities[n] == nil {
			return err
		}
		delete(v.Entities, n)
		u.Removed = append(u.Removed, n)
		return nil
	})
	if err != nil {
		return err
	}
	for _, list := range [][]byte{p.entities, p.changes} {
		err := elements(list, func(value []byte) error {
			before := len(v.Entities)
			n, err := v.applyEntity(value)
			v.welcome(u, n, before)
			u.Changed = append(u.Changed, n)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// parseID reads an entity's id, a JSON string.
func parseID(text []byte) (uint64, error) {
	digits, ok := bytes.CutPrefix(text, []byte(`"ent_`))
	digits, closed := bytes.CutSuffix(digits, []byte(`"`))
	n, err := number(digits)
	if !ok || !closed || err != nil {
		return 0, malformed("%.100s is no entity id", text)
	}
	return n, nil
}

// applyEntity takes over a whole entity. What the copy has of it is changed in place, and parts that are as
// they were are not copied.
func (v *View) applyEntity(text []byte) (uint64, error) {
	var id, pos, rot, scale []byte
	parts := v.scratch[:0]
	err := members(text, func(name, value []byte) error {
		switch string(name) {
		case "id":
			id = value
		case "pos":
			pos = value
		case "rot":
			rot = value
		case "scale":
			scale = value
		case "eid", "body": // said by others
		default:
			parts = append(parts, part{name, value})
		}
		return nil
	})
	v.scratch = parts[:0]
	if err != nil {
		return 0, err
	}
	n, err := parseID(id)
	if err != nil {
		return 0, err
	}
	e := v.Entities[n]
	if e == nil {
		e = &Entity{Number: n}
		v.Entities[n] = e
	}
	if floats(pos, e.Pos[:]) != nil || floats(rot, e.Rot[:]) != nil || floats(scale, e.Scale[:]) != nil {
		return n, malformed("pos, rot or scale of %.200s: must be arrays of three, four and three numbers", text)
	}
	e.takeParts(parts)
	return n, nil
}

// part is a part of an entity as it came.
type part struct{ name, value []byte }

// takeParts makes parts the only ones that the entity has.
func (e *Entity) takeParts(parts []part) {
	for _, p := range parts {
		if old, ok := e.Parts[string(p.name)]; !ok || !bytes.Equal(old, p.value) {
			e.set(string(p.name), bytes.Clone(p.value))
		}
	}
	if len(e.Parts) == len(parts) {
		return
	}
	for name := range e.Parts {
		if !slices.ContainsFunc(parts, func(p part) bool { return string(p.name) == name }) {
			delete(e.Parts, name)
		}
	}
}

// parseArea reads an area of interest: without members it is the whole world.
func parseArea(text []byte) (Area, error) {
	var a struct {
		Center *[3]float64 `json:"center"`
		Radius *float64    `json:"radius"`
	}
	if err := json.Unmarshal(text, &a); err != nil {
		return Area{}, err
	}
	switch {
	case a.Center == nil && a.Radius == nil:
		return Area{Whole: true}, nil
	case a.Center == nil || a.Radius == nil:
		return Area{}, malformed("an aoi has a center and no radius, or a radius and no center")
	}
	return Area{Center: *a.Center, Radius: *a.Radius}, nil
}

// applyRest takes over the area and what belongs to no entity: globals as a whole, tables by row.
func (v *View) applyRest(p *params) (err error) {
	if p.aoi != nil {
		if v.Area, err = parseArea(p.aoi); err != nil {
			return err
		}
	}
	if p.epoch != nil {
		if v.Epoch, err = unquote(p.epoch); err != nil {
			return err
		}
	}
	for _, list := range [][]byte{p.tables, p.replaced} {
		err := elements(list, func(value []byte) error {
			name, err := unquote(value)
			v.Tables[name] = map[string]json.RawMessage{}
			return err
		})
		if err != nil {
			return err
		}
	}
	return members(p.world, func(name, value []byte) error {
		table, ok := v.Tables[string(name)]
		if !ok {
			v.World[string(name)] = bytes.Clone(value)
			return nil
		}
		return members(value, func(key, row []byte) error {
			if string(row) == "null" {
				delete(table, string(key))
			} else {
				table[string(key)] = bytes.Clone(row)
			}
			return nil
		})
	})
}

// quantumOf returns how many quanta are in a metre.
func quantumOf(precision int) (float64, error) {
	if precision < 1 || precision > 16 {
		return 0, malformed("precision must be 1 to 16, got %d", precision)
	}
	return math.Ldexp(1, precision), nil
}
