package world

import (
	"bytes"
	"encoding/json"
)

// PlainSnapshot is what [View.AppendSnapshot] appends, as encoding/json writes it.
func (v *View) PlainSnapshot() []byte {
	s := v.snapshot()
	return appendAny(nil, &s)
}

// PlainSave is what [View.AppendSave] appends, as encoding/json writes it.
func (v *View) PlainSave() []byte {
	return appendAny(nil, &save{v.snapshot(), v.saved()})
}

func (v *View) snapshot() snapshot {
	w := v.w
	step := v.Step()
	s := snapshot{
		Version: snapshotVersion, Step: &step, Entities: []snapshotEntity{}, Columns: map[string]map[ID]json.RawMessage{},
		Tables: map[string]map[string]json.RawMessage{}, Globals: map[string]json.RawMessage{},
	}
	for id := range v.All() {
		t, _ := v.Transform(id)
		s.Entities = append(s.Entities, snapshotEntity{id, v.Parent(id), t.Position, t.Rotation, t.Scale})
	}
	for _, st := range w.states {
		if st.base().lasting {
			continue
		}
		switch st := st.(type) {
		case column:
			values := map[ID]json.RawMessage{}
			for id := range v.All() {
				if text, ok := st.appendOf(nil, id); ok {
					values[id] = text
				}
			}
			s.Columns[st.key()] = values
		case rowed:
			rows := map[string]json.RawMessage{}
			st.eachRow(func(key, value []byte, _ *Place) {
				var name string
				_ = json.Unmarshal(key, &name) // it is a JSON string
				rows[name] = bytes.Clone(value)
			})
			s.Tables[st.(state).key()] = rows
		default:
			s.Globals[st.key()] = st.append(nil)
		}
	}
	return s
}
