package client

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/limina-mcp/limina/statesync/replica"
)

// View is a live copy of an area: what the server holds of it, as of some tick not long ago. Each message
// of the server is applied as a whole, so what a method returns is one moment's truth. Its methods may
// be called concurrently.
//
// While there is no connection, the copy stays as it is.
type View struct {
	client   *Client
	name     string
	encoding Encoding
	batch    bool
	ready    chan struct{} // closed when the first answer has come, or the view has ended
	done     chan struct{} // closed when the view has ended

	// Guarded by the client's viewsMu:
	copy       *replica.View // nil before the first snapshot
	whole      bool          // nothing was wrong with what was applied to copy, and no snapshot in its place was asked for
	tick, step uint64        // of the newest message, which none that follows may be older than
	accepted   Area          // the area that the server agreed to last
	asked      *link         // the newest connection on which it was subscribed
	askedArea  Area          // … to this area
	fresh      bool          // … and nothing has come since
	told       bool          // the server says in its messages which area they are of
	declaring  int           // how many aoi/declare the server has yet to answer
	moved      bool          // the area was declared since the snapshot was asked for
	err        error         // why the view has ended
	watchers   map[*watcher]struct{}
}

// Entity is an entity as it was at one moment.
type Entity struct {
	ID       ID
	Position [3]float64 // in the world, in metres
	Rotation [4]float64 // x, y, z, w
	Scale    [3]float64

	// Components are what else the entity has, by name, as JSON. The values must not be changed.
	Components map[string]json.RawMessage
}

// Component decodes a component into out, and reports whether the entity has it.
func (e *Entity) Component(name string, out any) (bool, error) {
	return decode(e.Components, name, out)
}

// Snapshot is all of a view as it was at one moment. Values of JSON must not be changed.
type Snapshot struct {
	Tick, Step uint64
	Area       Area
	Entities   []Entity                              // in the order of their IDs
	World      map[string]json.RawMessage            // what there is once: time, weather, …
	Tables     map[string]map[string]json.RawMessage // rows that belong to no entity, by key
}

// Name returns the name of the subscription.
func (v *View) Name() string { return v.name }

// Err returns why the view has ended, nil while it has not.
func (v *View) Err() error {
	defer v.read()()
	return v.err
}

// Done returns a channel that is closed when the view has ended: it was unsubscribed, the server has
// refused to take it up again, or the client has ended.
func (v *View) Done() <-chan struct{} { return v.done }

// Tick returns the number of the newest commit that is in the copy.
func (v *View) Tick() uint64 {
	defer v.read()()
	return v.copy.Tick
}

// Step returns the number of the simulation's step at the copy's tick.
func (v *View) Step() uint64 {
	defer v.read()()
	return v.copy.Step
}

// Area returns the area that the copy is of. After [View.Declare] that is the new one as soon as the copy
// has become one of it.
func (v *View) Area() Area {
	defer v.read()()
	return v.area()
}

func (v *View) area() Area {
	if v.told {
		return areaOf(v.copy.Area)
	}
	return v.accepted
}

// Len returns how many entities are in the copy.
func (v *View) Len() int {
	defer v.read()()
	return len(v.copy.Entities)
}

// Get returns an entity, if it is in the copy.
func (v *View) Get(id ID) (Entity, bool) {
	defer v.read()()
	e := v.copy.Entities[uint64(id)-1]
	if e == nil {
		return Entity{}, false
	}
	return entityOf(e), true
}

// Entities returns all entities, in the order of their IDs.
func (v *View) Entities() []Entity {
	defer v.read()()
	return v.entities()
}

func (v *View) entities() []Entity {
	all := make([]Entity, 0, len(v.copy.Entities))
	for _, e := range v.copy.Entities {
		all = append(all, entityOf(e))
	}
	slices.SortFunc(all, func(a, b Entity) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// World decodes what there is once under a name, as "weather", into out, and reports whether there is
// anything.
func (v *View) World(name string, out any) (bool, error) {
	defer v.read()()
	return decode(v.copy.World, name, out)
}

// Row decodes a row of a table into out, and reports whether there is one.
func (v *View) Row(table, key string, out any) (bool, error) {
	defer v.read()()
	return decode(v.copy.Tables[table], key, out)
}

// Snapshot returns everything.
func (v *View) Snapshot() Snapshot {
	defer v.read()()
	s := Snapshot{
		Tick: v.copy.Tick, Step: v.copy.Step, Area: v.area(), Entities: v.entities(),
		World: maps.Clone(v.copy.World), Tables: map[string]map[string]json.RawMessage{},
	}
	for name, rows := range v.copy.Tables {
		s.Tables[name] = maps.Clone(rows)
	}
	return s
}

// read locks the copy for reading, until what it returns is called.
func (v *View) read() (unlock func()) {
	v.client.viewsMu.RLock()
	return v.client.viewsMu.RUnlock
}

// isReady reports whether Subscribe may return.
func (v *View) isReady() bool {
	select {
	case <-v.ready:
		return true
	default:
		return false
	}
}

// end ends the view. The caller holds the client's viewsMu, and has taken the view off the list.
func (v *View) end(why error) {
	if v.err != nil {
		return
	}
	v.err = why
	if !v.isReady() {
		close(v.ready)
	}
	close(v.done)
}

// apply takes note of a message that was applied to the copy. The caller holds the client's viewsMu.
func (v *View) apply(u *replica.Update) error {
	v.copy = u.View
	if u.Snapshot {
		v.whole = true
		if area := areaOf(u.View.Area); !v.told || v.fresh {
			v.told = area == v.askedArea && area != Area{}
		}
	} else if u.View.Tick < v.tick || u.View.Step < v.step {
		return v.client.spoiled(fmt.Errorf("time ran backwards, from tick %d and step %d to tick %d and step %d: another world?", v.tick, v.step, u.View.Tick, u.View.Step))
	}
	v.fresh = false
	v.tick, v.step = u.View.Tick, u.View.Step
	for w := range v.watchers {
		if err := w.add(v.copy, u); err != nil {
			return v.client.spoiled(err) // who follows has missed it
		}
	}
	return nil
}

func entityOf(e *replica.Entity) Entity {
	return Entity{ID: idOf(e.Number), Position: e.Pos, Rotation: e.Rot, Scale: e.Scale, Components: maps.Clone(e.Parts)}
}

func decode(from map[string]json.RawMessage, name string, out any) (bool, error) {
	text, ok := from[name]
	if !ok {
		return false, nil
	}
	if err := json.Unmarshal(text, out); err != nil {
		return true, fmt.Errorf("client: %s: %w", name, err)
	}
	return true, nil
}
