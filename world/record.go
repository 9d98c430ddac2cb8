package world

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Record is an entity by itself: all that a clone of it would have. Records come in lists, those of
// parents before those of their children.
type Record struct {
	Parent   int                        `json:"parent"` // place of its parent's record in the list; -1: none
	Name     string                     `json:"name,omitempty"`
	Tags     []string                   `json:"tags,omitempty"`
	Position Vec3                       `json:"pos"`
	Rotation Quat                       `json:"rot"`
	Scale    Vec3                       `json:"scale"`
	Parts    map[string]json.RawMessage `json:"parts,omitempty"` // components by name, but for [Single] ones
}

// AppendRecords appends the records of an entity and of everything below it, with the first one's
// transform in the space of the world.
func (v *View) AppendRecords(dst []Record, id ID) []Record {
	t, ok := v.WorldTransform(id)
	if !ok {
		return dst
	}
	return v.appendRecords(dst, id, -1, t)
}

func (v *View) appendRecords(dst []Record, id ID, parent int, t Transform) []Record {
	r := Record{Parent: parent, Name: v.Name(id), Tags: slices.Clone(v.Tags(id)), Position: t.Position, Rotation: t.Rotation, Scale: t.Scale}
	for _, c := range v.w.columns {
		if c.base().single {
			continue
		}
		if text, ok := c.appendOf(nil, id); ok {
			if r.Parts == nil {
				r.Parts = map[string]json.RawMessage{}
			}
			r.Parts[c.key()] = bytes.Clone(text)
		}
	}
	at := len(dst)
	dst = append(dst, r)
	for _, child := range v.Children(id) {
		local, _ := v.Transform(child)
		dst = v.appendRecords(dst, child, at, local)
	}
	return dst
}

// Build makes new entities of records, those without a parent under parent, or under none if it is 0. It
// returns their ids, in the order of the records. It fails, and changes nothing, if the world is full or
// does not take what they hold.
func (tx *Tx) Build(records []Record, parent ID) ([]ID, error) {
	mark := len(tx.journal)
	ids := make([]ID, 0, len(records))
	for i := range records {
		id, err := tx.build(&records[i], ids, parent)
		if err != nil {
			tx.RollbackTo(mark)
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func (tx *Tx) build(r *Record, ids []ID, parent ID) (ID, error) {
	if r.Parent >= len(ids) || r.Parent < -1 {
		return 0, invalid("parent: a record's parent must come before it, got %d", r.Parent)
	}
	if r.Parent >= 0 {
		parent = ids[r.Parent]
	}
	id, err := tx.Create(Spec{Position: r.Position, Parent: parent, Name: r.Name, Tags: r.Tags})
	if err != nil {
		return 0, err
	}
	// Apart from Create, where a scale of zeros means 1.
	if err := tx.SetTransform(id, Transform{r.Position, r.Rotation, r.Scale}); err != nil {
		return 0, err
	}
	known := 0
	for _, c := range tx.w.columns {
		text := r.Parts[c.key()]
		if text == nil || c.base().single {
			continue
		}
		known++
		if err := c.load(tx, id, text); err != nil {
			return 0, invalid("%s: %v", c.key(), err)
		}
	}
	if known < len(r.Parts) {
		return 0, invalid("a record has a part that entities do not have here")
	}
	return id, nil
}
