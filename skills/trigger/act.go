package trigger

import (
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/world"
)

// kept is an action as a zone keeps it.
type kept struct {
	action.Kept
	Every uint64 `json:"every,omitempty"` // steps between two runs, of those for what stays
}

// firing is that something has entered or left a zone, or stays in it.
type firing struct {
	on     occasion
	zone   Handle
	entity world.ID
	since  uint64 // of what stays: since which step
}

// head is what viewers are told of a firing first.
type head struct {
	Trigger Handle   `json:"triggerId"`
	On      occasion `json:"on"`
}

// run runs the actions of a zone for an entity, for as long as both are there. It reports whether the step does more.
func (t *Triggers) run(tx *world.Tx, f *firing) (more bool, err error) {
	err = t.does.Together(tx, 0, func() error {
		more, err = t.all(tx, f)
		return err
	})
	return more, err
}

// all runs them one by one.
func (t *Triggers) all(tx *world.Tx, f *firing) (more bool, err error) {
	z, ok := t.zones.Get(&tx.View, f.zone)
	if !ok {
		return true, nil
	}
	cause := action.Cause{Kind: "trigger", From: f.zone.String(), Head: head{f.zone, f.on}, Entity: f.entity, Actor: f.entity, At: &z.Center}
	for _, a := range *z.of(f.on) {
		if !tx.Exists(f.entity) {
			return true, nil
		}
		if f.on == onStay && (tx.Step()-f.since)%a.Every != 0 {
			continue
		}
		if more, err = t.does.Do(tx, &cause, &a.Kept); err != nil || !more {
			return false, err
		}
	}
	return true, nil
}
