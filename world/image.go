package world

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// Image is a world as JSON texts, or what has changed of one: a [Tracker] writes it, [World.Load] makes a world of
// it. Unlike what [View.AppendSnapshot] writes it has everything by which a world goes on: a world that
// was loaded has the [World.Hash] of the one that was written.
type Image struct {
	Tick   uint64 `json:"tick"`
	Step   uint64 `json:"step"`
	Given  uint64 `json:"given"`  // how many ids entities have been given; none is given twice
	Random []byte `json:"random"` // the state of the random source

	Entities map[ID]json.RawMessage     `json:"entities,omitempty"` // null: it is gone
	Tables   map[string]*ImageTable     `json:"tables,omitempty"`
	Globals  map[string]json.RawMessage `json:"globals,omitempty"`
}

// ImageTable is a table of an [Image].
type ImageTable struct {
	Counter uint64                     `json:"counter"`
	Rows    map[string]json.RawMessage `json:"rows,omitempty"` // by key, as a JSON object has it
	Gone    []string                   `json:"gone,omitempty"`
}

// Merge makes m what it is after a later image was written, and keeps what that holds.
func (m *Image) Merge(later *Image) {
	m.Tick, m.Step, m.Given, m.Random = later.Tick, later.Step, later.Given, later.Random
	if m.Entities == nil {
		m.Entities, m.Tables, m.Globals = map[ID]json.RawMessage{}, map[string]*ImageTable{}, map[string]json.RawMessage{}
	}
	for id, text := range later.Entities {
		if string(text) == "null" {
			delete(m.Entities, id)
		} else {
			m.Entities[id] = text
		}
	}
	for name, t := range later.Tables {
		if t == nil { // a null that no Tracker writes
			continue
		}
		mine := m.Tables[name]
		if mine == nil {
			mine = &ImageTable{Rows: map[string]json.RawMessage{}}
			m.Tables[name] = mine
		}
		mine.Counter = t.Counter
		maps.Copy(mine.Rows, t.Rows)
		for _, key := range t.Gone {
			delete(mine.Rows, key)
		}
	}
	maps.Copy(m.Globals, later.Globals)
}

// maxGiven is how many ids an image may have given: those of a million processes that were killed. Pages, and the seats of components, are found by ids: a world with entities of so many
// takes some hundred megabytes for that.
const maxGiven = 1 << 40

// Load makes the world that of an image. The world must be as [New] left it, without a [Tracker], and everything has been declared in it; whoever
// uses it is let in afterwards. It fails, and changes nothing, if the image holds what the world does not know or take: state that is
// not declared in it, more entities than it may have. Nothing of what was before can be undone.
func (w *World) Load(m *Image) error {
	s, err := w.snapshotOf(m)
	if err != nil {
		return fmt.Errorf("world: load: %w", err)
	}
	tx, err := w.begin()
	if err != nil {
		return err
	}
	defer tx.rollback() // of nothing, after a commit
	if w.tracker != nil {
		return fmt.Errorf("world: load: %w", errTracked)
	}
	if w.Tick() != 0 || w.entities.next != 0 {
		return errors.New("world: load: the world is not new: something was changed in it already")
	}
	if m.Given > maxGiven {
		return fmt.Errorf("world: load: given: must be at most %d, got %d", uint64(maxGiven), m.Given)
	}
	if len(m.Entities) > w.config.MaxEntities {
		return fmt.Errorf("world: load: there are %d entities, and the world may have %d", len(m.Entities), w.config.MaxEntities)
	}
	var random rand.PCG
	if err := random.UnmarshalBinary(m.Random); err != nil {
		return fmt.Errorf("world: load: random: %w", err)
	}
	w.entities.next = m.Given
	steps := w.steps.Swap(m.Step)
	err = tx.restore(s, true)
	if err == nil {
		err = tx.follow()
	}
	if err != nil {
		tx.unwind(0)
		w.entities.next = 0
		w.steps.Store(steps)
		return fmt.Errorf("world: load: %w", err)
	}
	w.ticks.Store(max(m.Tick, 1) - 1) // the commit is the image's last once more
	tx.finish(0, false)
	tx.forget()
	w.ticks.Store(m.Tick)
	w.random = random
	for name, t := range m.Tables {
		if known, ok := w.byName[name].(rowed); ok {
			known.setCounter(t.Counter)
		}
	}
	for _, s := range w.states {
		s.lose(math.MaxUint64) // of what was there before
	}
	w.ledger = newLedger(w)
	w.ledger.lost = m.Tick
	return nil
}

// Retire has [World.Load] leave out the state of a name that an earlier program declared, and that means nothing to this one: worlds that
// it kept go on. It is called where the world is put together, by the package whose state it was.
//
// With a dot and the name of a field behind the name of state that is declared, "ore.kind", it is that field of the values that is left out. Other
// fields that the type of the values does not have are refused, whatever brings them, [World.Load], [Tx.Restore] or [Tx.Adopt]: they would be gone with the next
// write. A field that is new has its zero value in what was kept before it. One that was renamed, or means something else now, is read by
// an UnmarshalJSON of the type's, to which no rule applies; it is given what was kept, by whichever program.
func (w *World) Retire(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.retired = append(w.retired, name)
}

// ForeignError is what [World.Load] fails with where an image holds state that is not declared, nor retired, or is declared as something else: another program's, or
// another version's. Nothing has been loaded then.
type ForeignError struct {
	Names []string // of components, tables and globals, in order
}

func (e *ForeignError) Error() string {
	return fmt.Sprintf("this program knows no %s: where a later version has kept this, start that, or put a copy from before it in its place; what an earlier one declared is declared before this, or left out by World.Retire", strings.Join(e.Names, ", "))
}

// snapshotOf takes an image apart. It fails if that holds state that is not declared, and not retired either.
func (w *World) snapshotOf(m *Image) (*snapshot, error) {
	s := &snapshot{
		Version: snapshotVersion, Entities: make([]snapshotEntity, 0, len(m.Entities)), Columns: map[string]map[ID]json.RawMessage{},
		Tables: map[string]map[string]json.RawMessage{}, Globals: m.Globals,
	}
	var foreign []string
	var e imageEntity
	for id, text := range m.Entities {
		if err := e.read(text); err != nil {
			return nil, fmt.Errorf("%s: %w", id, err)
		}
		e.ID = id
		s.Entities = append(s.Entities, e.snapshotEntity)
		for _, part := range e.parts {
			if s.Columns[string(part.name)] == nil {
				s.Columns[string(part.name)] = map[ID]json.RawMessage{}
			}
			s.Columns[string(part.name)][id] = part.value
		}
	}
	slices.SortFunc(s.Entities, func(a, b snapshotEntity) int { return cmp.Compare(a.ID, b.ID) })
	for name, t := range m.Tables {
		s.Tables[name] = t.Rows
		if _, ok := w.byName[name].(rowed); !ok {
			foreign = append(foreign, name)
		}
	}
	for name := range s.Columns {
		if _, ok := w.byName[name].(column); !ok {
			foreign = append(foreign, name)
		}
	}
	for name := range s.Globals {
		if _, ok := w.byName[name].(valued); !ok {
			foreign = append(foreign, name)
		}
	}
	foreign = slices.DeleteFunc(foreign, func(name string) bool { return slices.Contains(w.retired, name) })
	if len(foreign) > 0 {
		slices.Sort(foreign)
		return nil, &ForeignError{slices.Compact(foreign)}
	}
	return s, nil
}
