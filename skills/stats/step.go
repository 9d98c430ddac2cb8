package stats

import "github.com/limina-mcp/limina/world"

// step has the effects do what they do, ends what has had its time, and then does what is to be done about stats that have come to zero
// since the last step, in this one too. Entities come in the order of their ids, the effects of one in that in which they were applied.
func (s *Stats) step(tx *world.Tx) error {
	now := tx.Step()
	for id, effects := range s.effects.All(&tx.View) {
		for i := range effects {
			if err := s.advance(tx, id, &effects[i], now); err != nil {
				return err
			}
		}
	}
	for id, st := range s.stances.All(&tx.View) {
		if st.Until <= now {
			s.stances.Remove(tx, id)
		}
	}
	return s.settle(tx)
}

// activity is Busy when something is to be done about what has come to zero. Effects wait for somebody to see them.
func (s *Stats) activity(v *world.View) world.Activity {
	switch {
	case s.emptied.Len(v) > 0:
		return world.Busy
	case s.effects.Len(v) > 0 || s.stances.Len(v) > 0:
		return world.Waiting
	}
	return world.Idle
}

// advance takes a step of an effect, as it was at the beginning of the step.
func (s *Stats) advance(tx *world.Tx, id world.ID, e *effect, now uint64) error {
	ticks := e.Every > 0 && (now-e.Since)%e.Every == 0
	if !ticks && now < e.Until {
		return nil
	}
	if _, ok := s.on(&tx.View, id, e.ID); !ok {
		return nil
	}
	if ticks {
		if err := s.tick(tx, id, e); err != nil {
			return err
		}
	}
	if now < e.Until {
		return nil
	}
	return s.end(tx, id, e.ID, "time")
}

// tick has an effect do what it does now and then, unless nothing is done for who has applied it: its time passes all the same.
func (s *Stats) tick(tx *world.Tx, id world.ID, e *effect) error {
	if s.deps.Does.Rests(&tx.View, e.By) {
		return nil
	}
	if err := s.tell(tx, "ticked", id, e, e.OnTick, ""); err != nil {
		return err
	}
	kind := harms(e.Type)
	if alive, _ := s.Alive(&tx.View, id); kind == "" || !alive {
		return nil
	}
	_, err := s.Hurt(tx, &Blow{Target: id, Attacker: e.doer(&tx.View), Amount: e.Magnitude, Type: kind, By: e.By, inner: true})
	return err
}
