package replica

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

func malformed(format string, args ...any) error {
	return fmt.Errorf("replica: "+format, args...)
}

// Text applies a text frame: a notification, or an array of them. Other messages in it are passed over.
func (c *Copy) Text(frame []byte) ([]Update, error) {
	type message struct {
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	var all []message
	if trimmed := bytes.TrimLeft(frame, " \t\r\n"); len(trimmed) > 0 && trimmed[0] == '[' {
		if err := json.Unmarshal(frame, &all); err != nil {
			return nil, err
		}
	} else {
		all = make([]message, 1)
		if err := json.Unmarshal(frame, &all[0]); err != nil {
			return nil, err
		}
	}
	var updates []Update
	for _, m := range all {
		if m.Method != "state/snapshot" && m.Method != "state/delta" {
			continue
		}
		u, err := c.Notify(m.Method, m.Params)
		if err != nil {
			return updates, err
		}
		updates = append(updates, u)
	}
	return updates, nil
}

// params are those of snapshots and deltas, json and packed.
type params struct {
	Tick         uint64                     `json:"tick"`
	Step         *uint64                    `json:"step"`
	Subscription string                     `json:"subscription"`
	CausedBy     []uint64                   `json:"causedBy"`
	AOI          *area                      `json:"aoi"`
	World        map[string]json.RawMessage `json:"world"`
	Tables       []string                   `json:"tables"`
	Replaced     []string                   `json:"replaced"`
	Events       []json.RawMessage          `json:"events"`

	Entities []json.RawMessage `json:"entities"`
	Changes  []json.RawMessage `json:"changes"`
	Removed  []string          `json:"removed"`

	packed
}

// area is an area as it travels: without members it is the whole world.
type area struct {
	Center *[3]float64 `json:"center"`
	Radius *float64    `json:"radius"`
}

func (a *area) area() (Area, error) {
	switch {
	case a.Center == nil && a.Radius == nil:
		return Area{Whole: true}, nil
	case a.Center == nil || a.Radius == nil:
		return Area{}, malformed("an aoi has a center and no radius, or a radius and no center")
	}
	return Area{Center: *a.Center, Radius: *a.Radius}, nil
}

// Notify applies a notification: state/snapshot or state/delta.
func (c *Copy) Notify(method string, raw json.RawMessage) (Update, error) {
	var p params
	if err := json.Unmarshal(raw, &p); err != nil {
		return Update{}, err
	}
	snapshot := method == "state/snapshot"
	v := c.views[p.Subscription]
	if v == nil && !snapshot {
		return Update{}, malformed("a delta of %q before its snapshot", p.Subscription)
	}
	v = c.view(p.Subscription)
	u := Update{View: v, Snapshot: snapshot, CausedBy: p.CausedBy, Events: p.Events}
	if snapshot {
		v.clear()
	}
	v.Tick = p.Tick
	if p.Step != nil {
		v.Step = *p.Step
	}
	if err := v.applyJSON(&u, &p); err != nil {
		return u, err
	}
	if err := v.applyPacked(&u, &p.packed); err != nil {
		return u, err
	}
	return u, v.applyRest(&p)
}

func (v *View) applyJSON(u *Update, p *params) error {
	for _, id := range p.Removed {
		n, err := parseID(id)
		if err != nil {
			return err
		}
		delete(v.Entities, n)
		u.Removed = append(u.Removed, n)
	}
	for _, raw := range append(p.Entities, p.Changes...) {
		e, err := parseEntity(raw)
		if err != nil {
			return err
		}
		v.Entities[e.Number] = e
		u.Changed = append(u.Changed, e.Number)
	}
	return nil
}

func parseID(id string) (uint64, error) {
	digits, ok := strings.CutPrefix(id, "ent_")
	n, err := strconv.ParseUint(digits, 10, 64)
	if !ok || err != nil {
		return 0, malformed("%q is no entity id", id)
	}
	return n, nil
}

func parseEntity(raw json.RawMessage) (*Entity, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return nil, err
	}
	e := &Entity{}
	var id string
	for name, into := range map[string]any{"id": &id, "pos": &e.Pos, "rot": &e.Rot, "scale": &e.Scale} {
		if err := json.Unmarshal(members[name], into); err != nil {
			return nil, malformed("%s of %.100s: %v", name, raw, err)
		}
		delete(members, name)
	}
	delete(members, "eid")
	if len(members) > 0 {
		e.Parts = members
	}
	var err error
	e.Number, err = parseID(id)
	return e, err
}

// applyRest takes over the area and what belongs to no entity: globals as a whole, tables by row.
func (v *View) applyRest(p *params) (err error) {
	if p.AOI != nil {
		if v.Area, err = p.AOI.area(); err != nil {
			return err
		}
	}
	for _, name := range p.Tables {
		v.Tables[name] = map[string]json.RawMessage{}
	}
	for _, name := range p.Replaced {
		v.Tables[name] = map[string]json.RawMessage{}
	}
	for name, value := range p.World {
		table, ok := v.Tables[name]
		if !ok {
			v.World[name] = value
			continue
		}
		var rows map[string]json.RawMessage
		if err := json.Unmarshal(value, &rows); err != nil {
			return err
		}
		for key, row := range rows {
			if string(row) == "null" {
				delete(table, key)
				continue
			}
			table[key] = row
		}
	}
	return nil
}

// quantumOf returns how many quanta are in a metre.
func quantumOf(precision int) (float64, error) {
	if precision < 1 || precision > 16 {
		return 0, malformed("precision must be 1 to 16, got %d", precision)
	}
	return math.Ldexp(1, precision), nil
}
