package behavior

import (
	"reflect"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/world"
)

// looks is how many times a second somebody looks at what there is to do.
const looks = 4

// every is after how many steps somebody looks again.
func (m *Minds) every() uint64 { return uint64(max(1, m.World.StepRate()/looks)) }

// activity is Busy while events wait. What somebody is after waits for somebody to see it.
func (m *Minds) activity(v *world.View) world.Activity {
	switch {
	case m.Waits(v):
		return world.Busy
	case m.states.Len(v) > 0:
		return world.Waiting
	}
	return world.Idle
}

// Waits reports whether somebody is yet to react to what he has heard.
func (m *Minds) Waits(v *world.View) bool { return m.heard.Len(v) > 0 }

// step has what was heard be reacted to, and those whose turn it is look at what there is to do.
func (m *Minds) step(tx *world.Tx) error {
	if err := m.hear(tx); err != nil {
		return err
	}
	m.searches, m.sights, m.herds = m.Ways.Searches(&tx.View), whole(maxSights), nil
	every, now := m.every(), tx.Step()+m.ahead.Get(&tx.View)
	for id, st := range m.states.All(&tx.View) {
		if st.Late || (now+id.Number())%every == 0 {
			if err := m.think(tx, id, st); err != nil {
				return err
			}
		}
	}
	return nil
}

// think has an entity do what it is to do now. Where there is no room for that, nothing of it stays but that viewers are told.
func (m *Minds) think(tx *world.Tx, id world.ID, st state) error {
	mark, before := tx.Savepoint(), st
	st.Late, m.blind, m.last = false, false, sight{}
	shown, err := m.act(tx, id, &st)
	if err != nil {
		tx.RollbackTo(mark)
		return m.failed(tx, id, "", "", err)
	}
	if !reflect.DeepEqual(st, before) && m.states.Has(&tx.View, id) {
		if err := m.states.Set(tx, id, st); err != nil {
			return err
		}
	}
	return m.show(tx, id, shown)
}

// act does what an entity is to do, and returns what viewers are to see of it.
func (m *Minds) act(tx *world.Tx, id world.ID, st *state) (Shown, error) {
	mi, p, _ := m.of(&tx.View, id)
	shown := Shown{Profile: mi.Profile}
	if p == nil {
		p = &profile{}
	}
	if m.Stats.Unable(&tx.View, id) != "" {
		m.turnTo(tx, id, st, "")
		return shown, nil
	}
	r := p.routine(mi.Routine)
	if err := m.keep(tx, id, r, st); err != nil {
		return shown, err
	}
	key, g := m.choose(&tx.View, id, &mi, p, r, st)
	if m.blind { // it looks in the next step, and goes on till then
		st.Late = true
		shown, _ = m.shown.Get(&tx.View, id)
		return shown, nil
	}
	m.turnTo(tx, id, st, key)
	if g == nil {
		return shown, nil
	}
	shown.Goal, shown.Type = g.ID, g.Type
	if tx.Step() >= st.Retry || st.Leg != nil {
		a := &attempt{tx: tx, id: id, goal: g, state: st, speed: g.Speed}
		if a.speed == 0 {
			a.speed = p.Speed
		}
		if m.try(a, &mi) {
			return Shown{Profile: mi.Profile}, m.finish(tx, id, &mi, st, key)
		}
	}
	shown.Stuck = st.Stuck
	return shown, nil
}

// try has an entity pursue its goal, and reports whether that is done. Where it fails nothing of it stays, and it tries again in a second.
func (m *Minds) try(a *attempt, mi *mind) (done bool) {
	mark := a.tx.Savepoint()
	a.state.Stuck = ""
	if err := m.Does.Barred(a.view(), a.goal.By); err != nil {
		if a.state.Leg != nil {
			m.Ways.Halt(a.tx, a.id)
		}
		a.state.pursuit = pursuit{Goal: a.state.Goal}
		m.stick(a, registry.Said(err))
		return false
	}
	done, err := m.pursue(a, mi)
	if err == nil {
		return done
	}
	a.tx.RollbackTo(mark)
	a.state.pursuit = pursuit{Goal: a.state.Goal}
	m.stick(a, registry.Said(err))
	return false
}

// turnTo has an entity begin with another goal, from the beginning; "" is none.
func (m *Minds) turnTo(tx *world.Tx, id world.ID, st *state, key string) {
	if st.Goal == key {
		return
	}
	if st.Leg != nil {
		m.Ways.Halt(tx, id)
	}
	st.pursuit = pursuit{Goal: key}
}

// keep has an entity begin with what its routine says for the hour, if that is another thing than before.
func (m *Minds) keep(tx *world.Tx, id world.ID, r *routine, st *state) error {
	if r == nil {
		return nil
	}
	at, waned := r.at(m.World.Environment.Time.Get(&tx.View).Hour)
	begins, before := at != st.Slot || st.Waned && !waned, st.Slot
	st.Slot, st.Waned = at, waned
	if !begins {
		return nil
	}
	if goes := r.lasting(at); goes < 0 || goes != r.lasting(before) || slices.ContainsFunc(r.with(at), func(s slot) bool { return s.lasts() }) {
		st.Done = slices.DeleteFunc(slices.Clone(st.Done), func(key string) bool { return strings.HasPrefix(key, ofRoutine) })
	}
	if at < 0 {
		return nil
	}
	slots := r.with(at)
	for i := range slots {
		if err := m.once(tx, id, &slots[i]); err != nil {
			return err
		}
	}
	return nil
}

// once has an entity do what a slot has it do as its hour begins.
func (m *Minds) once(tx *world.Tx, id world.ID, s *slot) error {
	switch {
	case s.Say != "":
		if err := tx.As(s.By, func() error { return m.say(tx, id, s.By, s.Say, "") }); err != nil {
			return m.failed(tx, id, "", s.By, err)
		}
	case s.Do != nil:
		cause := action.Cause{Kind: "behavior", From: id.String(), Entity: id, Actor: id}
		_, err := m.Does.Do(tx, &cause, s.Do)
		return err
	}
	return nil
}

// What keys of goals begin with, but for those of an entity's own.
const (
	ofRoutine = "r:"
	ofProfile = "p:"
)

// choose returns the goal that an entity is to pursue, nil if there is none, and what it is known by.
func (m *Minds) choose(v *world.View, id world.ID, mi *mind, p *profile, r *routine, st *state) (key string, best *goal) {
	if key, best = m.first(v, id, mi, p, r, st, false); best == nil {
		key, best = m.first(v, id, mi, p, r, st, true)
	}
	return key, best
}

// first returns the goal of the highest priority that has something to do, also what can wait if it is idle else.
func (m *Minds) first(v *world.View, id world.ID, mi *mind, p *profile, r *routine, st *state, idle bool) (key string, best *goal) {
	consider := func(k string, g *goal) {
		if best != nil && g.Priority <= best.Priority || slices.Contains(st.Done, k) || !m.wants(v, id, mi, g, st, st.Goal == k, idle) {
			return
		}
		key, best = k, g
	}
	for i := range mi.Goals {
		consider(mi.Goals[i].ID, &mi.Goals[i])
	}
	if r != nil {
		if at := r.lasting(st.Slot); at >= 0 && r.Slots[at].Errand != nil {
			named := *r.Slots[at].Errand
			named.ID = r.ID
			consider(ofRoutine+r.ID, &named)
		}
	}
	for i := range p.Goals {
		consider(ofProfile+p.Goals[i].ID, &p.Goals[i])
	}
	return key, best
}

// finish has an entity not pursue a goal again that is done.
func (m *Minds) finish(tx *world.Tx, id world.ID, mi *mind, st *state, key string) error {
	m.turnTo(tx, id, st, "")
	if strings.HasPrefix(key, ofRoutine) || strings.HasPrefix(key, ofProfile) {
		st.Done = append(slices.Clone(st.Done), key)
		return nil
	}
	rest := *mi
	rest.Goals = slices.DeleteFunc(slices.Clone(mi.Goals), func(g goal) bool { return g.ID == key })
	return m.minds.Set(tx, id, rest)
}
