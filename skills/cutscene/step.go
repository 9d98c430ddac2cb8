package cutscene

import (
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/world"
)

// head is what viewers are told first of an action.
type head struct {
	ID       string `json:"id"`
	Keyframe int    `json:"keyframe"`     // which, from 0, in the order of their steps
	As       string `json:"as,omitempty"` // the type that was given, if it is none that the server knows
}

// step does the keyframes whose step this is, or has been.
func (s *Stage) step(tx *world.Tx) error {
	if !s.playing.Get(&tx.View).Playing {
		return nil
	}
	if err := s.awake(tx); err != nil {
		return err
	}
	p, at := s.playing.Get(&tx.View), s.progress.Get(&tx.View)
	sc, ok := s.scenes.Get(&tx.View, p.ID)
	if !ok { // who defined it has taken that back
		return s.end(tx)
	}
	now, done := tx.Step(), at.Done
	if now < at.Round {
		return nil
	}
	for done < len(sc.Keyframes) && sc.Keyframes[done].At <= now-at.Round {
		if err := s.do(tx, p.ID, &sc, done); err != nil {
			return err
		}
		done++
	}
	switch {
	case done == at.Done && done < len(sc.Keyframes):
		return nil
	case done < len(sc.Keyframes):
		return s.progress.Set(tx, progress{at.Round, done, at.Seen})
	case sc.Loop:
		return s.progress.Set(tx, progress{Round: now + 1, Seen: at.Seen})
	}
	return s.end(tx)
}

// awake moves what plays on by the time for which it was away: an undo has brought it back, and it goes on where it was.
func (s *Stage) awake(tx *world.Tx) error {
	at := s.progress.Get(&tx.View)
	before := at.Seen
	if away := at.Seen.Count(tx.Step()); away > 0 {
		at.Round += away
		p := s.playing.Get(&tx.View)
		p.Start += away
		if err := s.playing.Set(tx, p); err != nil {
			return err
		}
	}
	if at.Seen == before {
		return nil
	}
	return s.progress.Set(tx, at)
}

// do does what a keyframe says.
func (s *Stage) do(tx *world.Tx, id string, sc *scene, n int) error {
	k := sc.Keyframes[n]
	c := action.Cause{Kind: "cutscene", From: "cutscene", Rule: id, Head: head{id, n, k.As}}
	_, err := s.does.Do(tx, &c, sc.kept(&k))
	return err
}

// end ends what plays. That there is no room for the event is told, and no more.
func (s *Stage) end(tx *world.Tx) error {
	p := s.playing.Get(&tx.View)
	mark := tx.Savepoint()
	err := s.ended(tx, false)
	if err == nil {
		return nil
	}
	tx.RollbackTo(mark)
	if err := s.playing.Set(tx, Playing{}); err != nil {
		return err
	}
	return s.does.Failed(tx, "cutscene", p.By, map[string]string{"id": p.ID}, err)
}
