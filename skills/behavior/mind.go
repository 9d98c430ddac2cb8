package behavior

import (
	"slices"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// mind is how an entity behaves. It is immutable.
type mind struct {
	Profile   string     `json:"profile,omitempty"`
	Routine   string     `json:"routine,omitempty"`   // of the profile's; "": the first
	Goals     []goal     `json:"goals,omitempty"`     // its own, the newest first
	Reactions []reaction `json:"reactions,omitempty"` // its own
	Home      world.Vec3 `json:"home"`                // where it was when it got the profile, or its first goal
}

// Shown is what viewers get of an entity that has behavior.
type Shown struct {
	Profile string `json:"profileId,omitempty"`
	Goal    string `json:"goalId,omitempty"` // what it pursues: the id of a goal, or of its routine
	Type    string `json:"type,omitempty"`   // of that goal
	Stuck   string `json:"stuck,omitempty"`  // why it does not get on
}

// state is how far an entity is with what it does. It is immutable.
type state struct {
	Slot int      `json:"slot"`           // of its routine, that is in force; -1: not known yet, or none
	Done []string `json:"done,omitempty"` // the goals that are done

	// Waned says that Slot is of the only hour of its routine, which was half a day ago or more.
	Waned bool `json:"waned,omitempty"`

	Late bool `json:"late,omitempty"` // it waits for its turn to look for a way
	pursuit
}

// later returns what goes on past steps later where s is.
func (s state) later(past uint64) state {
	if s.Until != 0 {
		s.Until += past
	}
	if s.Retry != 0 {
		s.Retry += past
	}
	return s
}

// pursuit is how far an entity is with a goal.
type pursuit struct {
	Goal  string `json:"goal,omitempty"`  // its key
	At    int    `json:"at,omitempty"`    // the waypoint that is next
	Until uint64 `json:"until,omitempty"` // the step before which it waits
	Retry uint64 `json:"retry,omitempty"` // the step before which it looks for no way
	Stuck string `json:"stuck,omitempty"` // why it does not get on
	Leg   *leg   `json:"leg,omitempty"`

	Spot *world.Vec3 `json:"spot,omitempty"` // where it wanders to

	Foe  world.ID    `json:"foe,omitempty"`  // whom it has noticed
	Seen *world.Vec3 `json:"seen,omitempty"` // where it saw that one last, of who has eyes
}

// leg is a way that an entity was sent on.
type leg struct {
	To  world.Vec3 `json:"to"`
	End world.Vec3 `json:"end"` // where it ends: beside To, if nobody can be there
}

// rest is that an entity does not have a reaction again before a step.
type rest struct {
	Reaction int    `json:"reaction"` // which of the profile's, counted from 0; its own from -1 down
	Until    uint64 `json:"until"`
}

// Has reports whether an entity lives by itself: it has a profile, a goal or a reaction.
func (m *Minds) Has(v *world.View, id world.ID) bool { return m.minds.Has(v, id) }

// Doing returns what viewers get of what an entity does, false if it does not live by itself.
func (m *Minds) Doing(v *world.View, id world.ID) (Shown, bool) { return m.shown.Get(v, id) }

// of returns how an entity behaves, with its profile, nil if it has none.
func (m *Minds) of(v *world.View, id world.ID) (mi mind, p *profile, has bool) {
	mi, has = m.minds.Get(v, id)
	if pr, ok := m.profiles.Get(v, mi.Profile); ok {
		p = &pr
	}
	return mi, p, has
}

// set has an entity behave otherwise than it did, and begin anew.
func (m *Minds) set(tx *world.Tx, id world.ID, mi *mind) error {
	old, has := m.minds.Get(&tx.View, id)
	if !has && m.minds.Len(&tx.View) >= MaxMinds {
		return registry.Errorf(registry.CodeCapacityExceeded, "%d entities have behavior, which is the most: behavior.assign with the profile \"\" takes it from one", MaxMinds)
	}
	if err := m.index(tx, id, &old, mi); err != nil {
		return err
	}
	if err := m.minds.Set(tx, id, *mi); err != nil {
		return err
	}
	return m.begin(tx, id, mi)
}

// begin has an entity begin with what it has to look after, if there is anything.
func (m *Minds) begin(tx *world.Tx, id world.ID, mi *mind) error {
	p, _ := m.profiles.Get(&tx.View, mi.Profile)
	if len(mi.Goals) == 0 && len(p.Goals) == 0 && len(p.Routines) == 0 {
		m.states.Remove(tx, id)
	} else if err := m.states.Set(tx, id, state{Slot: -1}); err != nil {
		return err
	}
	return m.show(tx, id, Shown{Profile: mi.Profile})
}

// show tells viewers what an entity does.
func (m *Minds) show(tx *world.Tx, id world.ID, s Shown) error {
	if now, ok := m.shown.Get(&tx.View, id); ok && now == s {
		return nil
	}
	return m.shown.Set(tx, id, s)
}

// clear takes all behavior from an entity.
func (m *Minds) clear(tx *world.Tx, id world.ID) error {
	mi, _ := m.minds.Get(&tx.View, id)
	if err := m.index(tx, id, &mi, nil); err != nil {
		return err
	}
	m.stop(tx, id)
	m.minds.Remove(tx, id)
	m.states.Remove(tx, id)
	m.shown.Remove(tx, id)
	m.rests.Remove(tx, id)
	return nil
}

// stop has an entity stand still that its behavior has sent somewhere.
func (m *Minds) stop(tx *world.Tx, id world.ID) {
	if st, ok := m.states.Get(&tx.View, id); ok && st.Leg != nil {
		m.Ways.Halt(tx, id)
	}
}

// bury has an entity that dies react to nothing more.
func (m *Minds) bury(tx *world.Tx, id world.ID) {
	if mi, has := m.minds.Get(&tx.View, id); has {
		_ = m.index(tx, id, &mi, nil) // which only takes away
	}
}

// sorted returns names in order, each once.
func sorted(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}
