package replica

import (
	"encoding/json"
	"maps"
	"slices"
)

// Copy is everything that a client is subscribed to. The zero value is ready. It is not safe for
// concurrent use. After an error its content means nothing: subscribe to a snapshot.
type Copy struct {
	views   map[string]*View
	numbers map[uint64]*View // by which binary messages name them
}

// View is the copy of one subscription. Its entities are changed in place as messages are applied.
type View struct {
	Name       string
	Tick, Step uint64 // of the newest message
	Epoch      string // in which ticks mean something; "" if the server has not said
	Area       Area   // that the copy is of
	Entities   map[uint64]*Entity
	World      map[string]json.RawMessage            // globals
	Tables     map[string]map[string]json.RawMessage // tables, by row

	slots   map[uint32]*Entity // by which the compact formats name entities
	quantum float64            // quanta in a metre
	names   []string           // of parts, in the order in which binary messages number them

	// Scratch of the message that is applied:
	scratch []part
	numbers []int64
	changed map[uint64]struct{}
}

// Area is an area of interest: a sphere, or the whole world.
type Area struct {
	Center [3]float64
	Radius float64
	Whole  bool // Center and Radius mean nothing
}

// Update is what one message did.
type Update struct {
	View     *View
	Snapshot bool              // everything is new
	CausedBy []uint64          // intents whose effect is in it
	Changed  []uint64          // entities that are new or have changed
	Entered  []uint64          // those of Changed that are new, in a delta; in a snapshot all are
	Removed  []uint64          // entities that were there and went; those that are in Entered too came back in the same message
	Events   []json.RawMessage // moments to be played
	Missed   uint64            // moments before those that the server had no room for
}

// View returns the copy of a subscription, nil if nothing has come of it. "" is the default one.
func (c *Copy) View(name string) *View { return c.views[name] }

// Forget drops the copy of a subscription.
func (c *Copy) Forget(name string) {
	gone := c.views[name]
	delete(c.views, name)
	maps.DeleteFunc(c.numbers, func(_ uint64, v *View) bool { return v == gone })
}

// view returns the copy of a subscription and makes one if there is none.
func (c *Copy) view(name string) *View {
	v := c.views[name]
	if v == nil {
		if c.views == nil {
			c.views = map[string]*View{}
		}
		v = &View{Name: name}
		c.views[name] = v
		v.clear()
	}
	return v
}

func (v *View) clear() {
	v.Epoch, v.Area = "", Area{}
	v.Entities = map[uint64]*Entity{}
	v.World = map[string]json.RawMessage{}
	v.Tables = map[string]map[string]json.RawMessage{}
	v.slots = map[uint32]*Entity{}
	v.names = nil
}

// renumber numbers the slots anew, as server and client do when a compact view is resumed: in the order
// of the entities.
func (v *View) renumber() {
	numbers := make([]uint64, 0, len(v.Entities))
	for n := range v.Entities {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	v.slots = make(map[uint32]*Entity, len(numbers))
	for i, n := range numbers {
		e := v.Entities[n]
		e.quantize(v.quantum)
		v.slots[uint32(i)] = e
	}
	v.names = nil
}

// welcome notes an entity that a message has just told of, if it is new: there were fewer before.
func (v *View) welcome(u *Update, n uint64, before int) {
	if len(v.Entities) > before && !u.Snapshot {
		u.Entered = append(u.Entered, n)
	}
}

// enter puts a new entity into a slot, or one in place of itself.
func (v *View) enter(slot uint32, e *Entity) error {
	if old := v.slots[slot]; old != nil && old.Number != e.Number {
		return malformed("slot %d has entity %d, and entity %d enters", slot, old.Number, e.Number)
	}
	v.slots[slot] = e
	v.Entities[e.Number] = e
	return nil
}

// drop takes out the entity of a slot.
func (v *View) drop(u *Update, slot uint32) error {
	e := v.slots[slot]
	if e == nil {
		return malformed("slot %d is gone and was empty", slot)
	}
	delete(v.slots, slot)
	delete(v.Entities, e.Number)
	u.Removed = append(u.Removed, e.Number)
	return nil
}
