package world

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// snapshot is everything that a world holds, but for [Lasting] state and what an undo leaves alone:
// counters, the random source and the tick.
type snapshot struct {
	Version  int                                   `json:"version"`
	Step     *uint64                               `json:"step,omitempty"` // when it was made; older ones do not say
	Entities []snapshotEntity                      `json:"entities"`
	Columns  map[string]map[ID]json.RawMessage     `json:"columns"`
	Tables   map[string]map[string]json.RawMessage `json:"tables"`
	Globals  map[string]json.RawMessage            `json:"globals"`
}

type snapshotEntity struct {
	ID       ID         `json:"id"`
	Parent   ID         `json:"parent,omitempty"`
	Position Vec3       `json:"pos"`
	Rotation [4]float64 `json:"rot"`
	Scale    Vec3       `json:"scale"`
}

const snapshotVersion = 1

// AppendSnapshot appends all that the world holds as JSON, private state too, for [Tx.Restore]. What is
// [Lasting] is not in it.
func (v *View) AppendSnapshot(dst []byte) []byte { return append(v.writeSnapshot(dst), '}') }

// Restore makes the world hold what a snapshot of it held: entities that were destroyed since are
// there again under their ids, those that were made since are gone, and what is as it was is not
// touched. Ids are never used twice, whatever is restored. What the setters refuse it refuses. If it fails nothing is
// changed. Time is not restored, it goes on: what counts it is told how much of it has passed, see [World.OnRestore].
func (tx *Tx) Restore(text []byte) error {
	u, err := Unpack(text)
	if err != nil {
		return err
	}
	return tx.RestoreUnpacked(u)
}

// Unpacked is a snapshot that has been read: most of what it takes to restore it, and nobody has to wait for that.
type Unpacked struct{ snapshot }

// Unpack reads a snapshot, outside of any transaction. It fails as [Tx.Restore] does for what is none.
func Unpack(text []byte) (*Unpacked, error) {
	u := new(Unpacked)
	if err := json.Unmarshal(text, &u.snapshot); err != nil {
		return nil, invalid("the snapshot cannot be read: %v", err)
	}
	if u.Version != snapshotVersion {
		return nil, invalid("the snapshot has version %d, this program reads %d", u.Version, snapshotVersion)
	}
	return u, nil
}

// RestoreUnpacked is Restore of a snapshot that has been read. It may be restored again.
func (tx *Tx) RestoreUnpacked(u *Unpacked) error {
	s := &u.snapshot
	mark := len(tx.journal)
	err := tx.restore(s, false)
	if err == nil {
		err = tx.catchUp(s.Step)
	}
	if err == nil {
		err = tx.follow()
	}
	if err != nil {
		tx.RollbackTo(mark)
	}
	return err
}

// restore makes the world hold what s does, of [Lasting] state too if it is to.
func (tx *Tx) restore(s *snapshot, lasting bool) error {
	p := &plan{entities: map[ID]*fate{}}
	for _, e := range s.Entities {
		if e.ID == 0 || uint64(e.ID) > tx.w.entities.next {
			return invalid("the snapshot is of another world: it holds %s, which was never made here", e.ID)
		}
		local := Transform{e.Position, e.Rotation, e.Scale}
		if err := local.check(); err != nil {
			return fmt.Errorf("restore %s: %w", e.ID, err)
		}
		p.entities[e.ID] = &fate{back: true, placed: true, adopted: true, parent: e.Parent, local: local}
	}
	for id := range tx.All() {
		if p.entities[id] == nil {
			p.entities[id] = &fate{gone: true}
		}
	}
	p.order = slices.Sorted(maps.Keys(p.entities))
	if err := p.raise(tx); err != nil {
		return err
	}
	if err := tx.load(s, true, lasting); err != nil {
		return err
	}
	p.bury(tx)
	return tx.load(s, false, lasting)
}

// load restores components, or tables and globals. State that the snapshot does not know stays.
func (tx *Tx) load(s *snapshot, columns, lasting bool) error {
	for _, st := range tx.w.states {
		if st.base().lasting && !lasting {
			continue
		}
		switch _, isColumn := st.(column); {
		case isColumn != columns:
		case isColumn:
			if err := tx.loadColumn(st, s); err != nil {
				return err
			}
		default:
			if err := tx.loadShared(st, s); err != nil {
				return fmt.Errorf("restore %s: %w", st.key(), err)
			}
		}
	}
	return nil
}

func (tx *Tx) loadColumn(st state, s *snapshot) error {
	values, ok := s.Columns[st.key()]
	if !ok {
		return nil
	}
	c := st.(column)
	for _, e := range s.Entities {
		want := values[e.ID]
		if now, has := c.appendOf(nil, e.ID); has == (want != nil) && bytes.Equal(now, want) {
			continue
		}
		if err := tx.loadValue(c, e.ID, want); err != nil {
			return fmt.Errorf("restore %s of %s: %w", st.key(), e.ID, err)
		}
	}
	return nil
}

// loadValue sets a component of an entity from its JSON; nil takes it away. Names and tags have limits of their own.
func (tx *Tx) loadValue(c column, id ID, text []byte) error {
	switch c {
	case &tx.w.names.state:
		var name string
		if text != nil {
			if err := json.Unmarshal(text, &name); err != nil {
				return err
			}
		}
		return tx.SetName(id, name)
	case &tx.w.tags.state:
		var tags []string
		if text != nil {
			if err := json.Unmarshal(text, &tags); err != nil {
				return err
			}
		}
		want, err := tagSet(tags)
		if err != nil {
			return err
		}
		return tx.setTags(id, want)
	default:
		return c.load(tx, id, text)
	}
}

func (tx *Tx) loadShared(st state, s *snapshot) error {
	if g, ok := st.(valued); ok {
		want, known := s.Globals[st.key()]
		if !known || bytes.Equal(st.append(nil), want) {
			return nil
		}
		return g.loadValue(tx, want)
	}
	rows, ok := s.Tables[st.key()]
	if !ok {
		return nil
	}
	return st.(interface {
		loadRows(tx *Tx, rows map[string]json.RawMessage) error
	}).loadRows(tx, rows)
}
