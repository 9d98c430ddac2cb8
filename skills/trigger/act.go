package trigger

import (
	"encoding/json"
	"errors"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/world"
)

// firing is that something has entered or left a zone, or stays in it.
type firing struct {
	on     occasion
	zone   Handle
	entity world.ID
	since  uint64 // of what stays: since which step
}

// event is what viewers are told.
type event struct {
	Trigger Handle          `json:"triggerId"`
	On      occasion        `json:"on"`
	Entity  world.ID        `json:"entity"`
	Type    string          `json:"type,omitempty"` // of the action that has failed
	Event   string          `json:"event,omitempty"`
	Target  string          `json:"target,omitempty"`
	By      string          `json:"by"`
	Data    registry.Object `json:"data,omitempty"`
	Error   string          `json:"error,omitempty"`
}

// errCrowded is why an action is not done that there is no room for in a step.
var errCrowded = registry.Errorf(registry.CodeCapacityExceeded, "triggers do %d actions in a step, which is the most: this one and those after it were not done", MaxStep)

// run runs the actions of a zone for an entity, for as long as both are there, and as there are some left for the step.
func (t *Triggers) run(tx *world.Tx, f *firing, left *int) error {
	z, ok := t.zones.Get(&tx.View, f.zone)
	if !ok {
		return nil
	}
	for _, a := range *z.of(f.on) {
		if !tx.Exists(f.entity) {
			return nil
		}
		if f.on == onStay && (tx.Step()-f.since)%a.Every != 0 {
			continue
		}
		err := error(errCrowded)
		if *left--; *left >= 0 {
			err = tx.As(a.By, func() error { return t.act(tx, f, &z, &a) })
		}
		if err == nil {
			continue
		}
		e := f.event(&a)
		e.Type, e.Error = a.Type, said(err)
		if err := f.tell(tx, "trigger.failed", &e); err != nil || *left < 0 {
			return err
		}
	}
	return nil
}

// said is what may be told of an error.
func said(err error) string {
	var refusal interface{ Refusal() (code, message string) }
	if errors.As(err, &refusal) {
		_, text := refusal.Refusal()
		return text
	}
	return "it failed"
}

// act does one action.
func (t *Triggers) act(tx *world.Tx, f *firing, z *zone, a *action) error {
	switch a.Type {
	case "setState":
		return t.setState(tx, f, a)
	case "spawn":
		return t.spawn(tx, f, z, a)
	case "destroy":
		id, err := f.target(tx, a)
		if err == nil {
			tx.Destroy(id)
		}
		return err
	case "audio":
		return t.sound(tx, f, a)
	}
	e := f.event(a)
	e.Data = a.Data
	if a.Type == "emit" {
		e.Event = a.Target
	} else {
		e.Target = a.Target
	}
	return f.tell(tx, "trigger."+a.Type, &e)
}

func (f *firing) event(a *action) event {
	return event{Trigger: f.zone, On: f.on, Entity: f.entity, By: a.By}
}

// tell tells those who see where the entity is.
func (f *firing) tell(tx *world.Tx, kind string, e *event) error {
	at, _ := tx.Position(f.entity)
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return tx.Moment(world.Moment{Kind: kind, Entity: f.entity, Placed: true, At: at, Payload: text})
}

// target returns whom an action is about.
func (f *firing) target(tx *world.Tx, a *action) (world.ID, error) {
	if a.Target == "" {
		return f.entity, nil
	}
	id, err := world.ParseID(a.Target)
	if err != nil {
		return 0, err
	}
	if !tx.Exists(id) {
		return 0, tx.Unknown(id)
	}
	return id, nil
}

func (t *Triggers) setState(tx *world.Tx, f *firing, a *action) error {
	var c change
	if err := read(a.Data, &c); err != nil {
		return err
	}
	id, err := f.target(tx, a)
	if err != nil {
		return err
	}
	at, _ := tx.Transform(id)
	if c.Position != nil {
		at.Position = *c.Position
	}
	if e := c.RotationEuler; e != nil {
		at.Rotation = world.QuatFromEuler(e[0], e[1], e[2])
	}
	if c.Scale != nil {
		at.Scale = *c.Scale
	}
	if err := tx.SetTransform(id, at); err != nil {
		return err
	}
	if c.Name != nil {
		if err := tx.SetName(id, *c.Name); err != nil {
			return err
		}
	}
	for _, tag := range c.AddTags {
		if _, err := tx.AddTag(id, tag); err != nil {
			return err
		}
	}
	for _, tag := range c.RemoveTags {
		if _, err := tx.RemoveTag(id, tag); err != nil {
			return err
		}
	}
	if c.Light != nil {
		if err := c.Light.Light(t.w, tx, id); err != nil {
			return err
		}
	}
	if c.Color == nil {
		return nil
	}
	for _, part := range material.Wearers(&tx.View, id, false) {
		m, _ := t.w.Materials.Get(&tx.View, part)
		if m.Color != nil && *m.Color == *c.Color {
			continue
		}
		m.Color = c.Color
		if err := t.w.Materials.Set(tx, part, m); err != nil {
			return err
		}
	}
	return nil
}

// spawn makes an entity. What a spawn has made sets no spawn off, so that none goes on by itself.
func (t *Triggers) spawn(tx *world.Tx, f *firing, z *zone, a *action) error {
	if t.spawned.Has(&tx.View, f.entity) {
		return nil
	}
	if t.spawned.Len(&tx.View) >= MaxSpawned {
		return registry.Errorf(registry.CodeCapacityExceeded, "triggers have made %d entities, which is the most: destroy some", MaxSpawned)
	}
	in, err := spawn(a.Data, z.Center)
	if err != nil {
		return err
	}
	id, err := in.Create(t.w, tx)
	if err != nil {
		return err
	}
	return t.spawned.Set(tx, id, f.zone)
}

func (t *Triggers) sound(tx *world.Tx, f *firing, a *action) error {
	var e effect
	if err := read(a.Data, &e); err != nil {
		return err
	}
	id, err := f.target(tx, a)
	if err != nil {
		return err
	}
	at, _ := tx.Position(id)
	_, err = t.sounds.Effect(tx, at, e.Name, e.Volume, e.Config)
	return err
}
