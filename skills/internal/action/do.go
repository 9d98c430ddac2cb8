package action

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/share"
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/world"
)

// do does an action, whatever it is.
func (a *Actions) do(tx *world.Tx, c *Cause, k *Kept) error {
	switch k.Type {
	case "setState":
		return a.setState(tx, c, k)
	case "spawn":
		return a.spawn(tx, c, k)
	case "destroy":
		id, err := a.target(tx, c, k)
		if err == nil {
			err = bounded(tx, id)
		}
		if err == nil {
			tx.Destroy(id)
		}
		return err
	case "audio":
		return a.sound(tx, c, k)
	case "emit":
		if err := c.tell(tx, "emit", &told{Event: k.Target, By: k.By, Data: k.Data}); err != nil {
			return err
		}
		return a.Emit(tx, Event{Name: k.Target, Entity: c.Entity, Actor: c.Actor, Nobody: c.Actor == 0, At: c.At, Data: k.Data, By: k.By, For: c.For})
	case "call":
		return a.call(tx, c, k)
	case "animation":
		if err := a.animate(tx, c, k); err != nil {
			return err
		}
		if k.Target != "" && k.Target[0] == '$' { // which viewers do not know
			id, err := a.target(tx, c, k)
			if err != nil {
				return err
			}
			return c.tell(tx, k.Type, &told{Target: id.String(), By: k.By, Data: k.Data})
		}
	}
	return c.tell(tx, k.Type, &told{Target: k.Target, By: k.By, Data: k.Data})
}

func (a *Actions) setState(tx *world.Tx, c *Cause, k *Kept) error {
	data, err := a.filled(tx, c, k.Data)
	if err != nil {
		return err
	}
	var to change
	if err := read(data, &to); err != nil {
		return err
	}
	to, changes, game := to.split()
	if game != nil {
		if err := a.Play(tx, k.By, game); err != nil || !changes {
			return err
		}
	}
	id, err := a.target(tx, c, k)
	if err != nil {
		return err
	}
	if err := bounded(tx, id); err != nil {
		return err
	}
	at, _ := tx.Transform(id)
	if to.Position != nil {
		at.Position = *to.Position
	}
	if e := to.RotationEuler; e != nil {
		at.Rotation = world.QuatFromEuler(e[0], e[1], e[2])
	}
	if to.Scale != nil {
		at.Scale = *to.Scale
	}
	if err := tx.SetTransform(id, at); err != nil {
		return err
	}
	if to.Name != nil {
		if err := tx.SetName(id, *to.Name); err != nil {
			return err
		}
	}
	for _, tag := range to.AddTags {
		if _, err := tx.AddTag(id, tag); err != nil {
			return err
		}
	}
	for _, tag := range to.RemoveTags {
		if _, err := tx.RemoveTag(id, tag); err != nil {
			return err
		}
	}
	if to.Light != nil {
		if err := to.Light.Light(a.w, tx, id); err != nil {
			return err
		}
	}
	return a.paint(tx, k.By, id, to.Color)
}

// animate has the target play what the data says, if this world has clips and it says something that they know.
func (a *Actions) animate(tx *world.Tx, c *Cause, k *Kept) error {
	if a.clips == nil {
		return nil
	}
	cue, err := cued(k.Data)
	if err != nil || cue == nil {
		return err
	}
	id, err := a.target(tx, c, k)
	if err != nil {
		return err
	}
	return a.clips.Cue(tx, k.By, id, cue)
}

// Play changes the state of the game on somebody's behalf: all of it, or nothing and an error.
func (a *Actions) Play(tx *world.Tx, by string, p *Play) error {
	if len(a.plays) == 0 {
		return registry.Failf("this world has no game")
	}
	mark := tx.Savepoint()
	for _, fn := range a.plays {
		if err := fn(tx, by, p); err != nil {
			tx.RollbackTo(mark)
			return err
		}
	}
	return nil
}

// bounded refuses what has more below it than one action reaches.
func bounded(tx *world.Tx, id world.ID) error {
	parts := 0
	for range tx.Below(id) {
		if parts++; parts > MaxParts {
			return registry.Errorf(registry.CodeCapacityExceeded, "%s has more than %d entities below it, which is the most that one action changes: have actions for its parts", id, MaxParts)
		}
	}
	return nil
}

// paint gives an entity, or all below a group, a color; nil is none.
func (a *Actions) paint(tx *world.Tx, by string, id world.ID, color *uint32) error {
	if color == nil {
		return nil
	}
	wearers, _ := material.Wearers(&tx.View, id, false)
	a.charge(tx.Holder(by), len(wearers)) // to find that they have it takes time, too
	for _, part := range wearers {
		m, _ := a.w.Materials.Get(&tx.View, part)
		if m.Color != nil && *m.Color == *color {
			continue
		}
		m.Color = color
		if err := a.w.Materials.Set(tx, part, m); err != nil {
			return err
		}
	}
	return nil
}

// spawn makes an entity. What a spawn has made sets no spawn off, so that none goes on by itself.
func (a *Actions) spawn(tx *world.Tx, c *Cause, k *Kept) error {
	if a.spawned.Has(&tx.View, c.Entity) {
		return nil
	}
	by := share.Key(&tx.View, k.By, c.For)
	if err := share.RoomAmong(&tx.View, &room, a.spawned.Len(&tx.View), a.spawner.All(&tx.View), by); err != nil {
		return err
	}
	in, err := spawn(k.Data, c.place(tx))
	if err != nil {
		return err
	}
	id, err := in.Create(a.w, tx)
	if err != nil {
		return err
	}
	if err := a.spawner.Set(tx, id, by); err != nil {
		return err
	}
	return a.spawned.Set(tx, id, c.From)
}

// room is for the entities that actions have made.
var room = share.Kept{Most: MaxSpawned, What: "entities that actions have made", Free: "destroy some"}

// place is where a spawn makes something that does not say where: at the place, else where the entity is, else at the origin.
func (c *Cause) place(tx *world.Tx) world.Vec3 {
	if c.At != nil {
		return *c.At
	}
	at, _ := tx.Position(c.Entity)
	return at
}

// sound plays an effect: where the target is, or where it happens; if that is nowhere, everywhere.
func (a *Actions) sound(tx *world.Tx, c *Cause, k *Kept) error {
	var e effect
	if err := read(k.Data, &e); err != nil {
		return err
	}
	at := c.At
	if k.Target != "" || tx.Exists(c.Entity) {
		id, err := a.target(tx, c, k)
		if err != nil {
			return err
		}
		p, _ := tx.Position(id)
		at = &p
	}
	_, err := a.sounds.Effect(tx, k.By, at, e.Name, e.Volume, e.Config)
	return err
}
