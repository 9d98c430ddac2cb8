package progression

import (
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/world"
)

// atLevel is what is done at each level.
type atLevel struct {
	action.Kept
	Back bool `json:"back,omitempty"` // it came back with its owner, see Book.Belonging
}

// OnLevelUpIn is the input of progression.onLevelUp.
type OnLevelUpIn struct {
	Entity world.ID        `json:"entity" jsonschema_description:"Id of the entity, such as ent_3."`
	Action action.Action   `json:"action" jsonschema_description:"What is to be done. Without a target it is about the entity itself."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// OnLevelUpOut is the output of progression.onLevelUp.
type OnLevelUpOut struct {
	OK   bool   `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	Note string `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// OnLevelUp is progression.onLevelUp.
func OnLevelUp(b *Book) registry.Skill {
	return registry.Define(registry.Spec[OnLevelUpIn, OnLevelUpOut]{
		Name:  "progression.onLevelUp",
		Title: "What happens at a new level",
		Description: "Say what the server does each time an entity reaches a level: a sound, a glow, an event. It is done with the next simulation step, once for each level; several actions in the order in which you attach them. They may do what you may do. " +
			`For one level only use event.listen to "progression.levelUp:5", for what anybody reaches to "progression.levelUp". Example: {"entity":"ent_3","action":{"type":"audio","data":{"name":"fanfare"}}}`,
		Keywords:    "level up when reward effect fanfare reach",
		Permissions: []profiles.Permission{author},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in OnLevelUpIn) (OnLevelUpOut, error) {
			if err := in.Action.Check(b.w, c); err != nil {
				return OnLevelUpOut{}, err
			}
			return world.Do(b.w, c, func(tx *world.Tx) (OnLevelUpOut, error) {
				return OnLevelUpOut{OK: true, Note: in.Action.Note()}, b.attach(tx, in.Entity, in.Action.Keep(c.Principal()))
			})
		},
	})
}

// attach attaches an action, if there is room for it.
func (b *Book) attach(tx *world.Tx, id world.ID, k action.Kept) error {
	list, has := b.actions.Get(&tx.View, id)
	if !has && b.actions.Len(&tx.View) >= MaxEntities {
		return tooManyActing()
	}
	list = append(instead(slices.Clone(list), &k), atLevel{Kept: k})
	if len(list) > MaxActions {
		return registry.Errorf(registry.CodeCapacityExceeded, "%s has %d actions at a level, which is the most; listeners of event.listen hear progression.levelUp too", id, MaxActions)
	}
	bytes := 0
	for i := range list {
		bytes += len(list[i].Data)
	}
	if bytes > action.MaxData {
		return registry.Errorf(registry.CodeCapacityExceeded, "action.data: the actions of %s at a level hold at most %d bytes of it together, and would have %d", id, action.MaxData, bytes)
	}
	return b.actions.Set(tx, id, list)
}

// risen is what viewers are told first of an action at a level.
type risen struct {
	Level int `json:"level"`
}

// step does what is to be done about the levels that were reached since the last step: by the entities' ids, of one by level.
func (b *Book) step(tx *world.Tx) error {
	for id, levels := range b.due.All(&tx.View) {
		b.due.Remove(tx, id)
		list, _ := b.actions.Get(&tx.View, id)
		for _, level := range levels {
			if err := b.celebrate(tx, id, level, list); err != nil {
				return err
			}
		}
	}
	return nil
}

// celebrate does the actions of a level, for as long as who has reached it is there.
func (b *Book) celebrate(tx *world.Tx, id world.ID, level int, list []atLevel) error {
	at, _ := tx.Position(id)
	cause := action.Cause{Kind: "progression", From: id.String(), Head: risen{level}, Entity: id, Actor: id, At: &at}
	return b.deps.Does.Together(tx, 0, func() error {
		for i := range list {
			if !tx.Exists(id) {
				return nil
			}
			if _, err := b.deps.Does.Do(tx, &cause, &list[i].Kept); err != nil {
				return err
			}
		}
		return nil
	})
}
