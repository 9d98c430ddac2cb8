package stats

import (
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/world"
)

// atZero is what is done when a stat comes to zero.
type atZero struct {
	Stat string `json:"stat"`
	Back bool   `json:"back,omitempty"` // it came back with its owner, see Stats.Belonging
	action.Kept
}

// OnZeroIn is the input of stats.onZero.
type OnZeroIn struct {
	Entity   world.ID        `json:"entity" jsonschema_description:"Id of the entity, such as ent_3."`
	StatName string          `json:"statName" validate:"min=1,max=64" jsonschema_description:"Which of its stats: \"hp\"."`
	Action   action.Action   `json:"action" jsonschema_description:"What is to be done. Without a target it is about the entity itself."`
	Replace  bool            `json:"replace" jsonschema:"default=false" jsonschema_description:"Whether it takes the place of all that was attached to that stat before; else it is done after them."`
	Meta     registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// OnZeroOut is the output of stats.onZero.
type OnZeroOut struct {
	OK   bool   `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	Note string `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

func (s *Stats) onZero() registry.Skill {
	return registry.Define(registry.Spec[OnZeroIn, OnZeroOut]{
		Name:  "stats.onZero",
		Title: "What happens at zero",
		Description: "Say what is to be done whenever a stat of an entity comes down to 0, or to its minimum if that is higher: somebody dies, fuel runs out. It is done with the next simulation step; several actions in the order in which you attach them. They may do what you may do. " +
			`Copies of the entity do the same. For what enters a place use trigger.onEnter. Example: {"entity":"ent_3","statName":"hp","action":{"type":"destroy"}}`,
		Keywords:    "death die dead kill empty game over loot explode respawn when",
		Permissions: []profiles.Permission{"stats.configure"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in OnZeroIn) (OnZeroOut, error) {
			if err := in.Action.Check(s.w, c); err != nil {
				return OnZeroOut{}, err
			}
			return world.Do(s.w, c, func(tx *world.Tx) (OnZeroOut, error) {
				return OnZeroOut{OK: true, Note: in.Action.Note()}, s.attach(tx, &in, c.Principal())
			})
		},
	})
}

// attach attaches an action, if there is room for it.
func (s *Stats) attach(tx *world.Tx, in *OnZeroIn, by *profiles.Principal) error {
	if _, _, err := s.find(&tx.View, in.Entity, in.StatName); err != nil {
		return err
	}
	list, has := s.actions.Get(&tx.View, in.Entity)
	if !has && s.actions.Len(&tx.View) >= MaxActing {
		return tooManyActing()
	}
	list = slices.Clone(list)
	if in.Replace {
		list = slices.DeleteFunc(list, func(a atZero) bool { return a.Stat == in.StatName })
	}
	one := atZero{Stat: in.StatName, Kept: in.Action.Keep(by)}
	list = append(instead(list, &one), one)
	if len(list) > MaxActions {
		return registry.Errorf(registry.CodeCapacityExceeded, "%s has %d actions at zero, which is the most: with replace this one takes the place of those of %s", in.Entity, MaxActions, quote.Clip(in.StatName))
	}
	bytes := 0
	for i := range list {
		bytes += len(list[i].Data)
	}
	if bytes > action.MaxData {
		return registry.Errorf(registry.CodeCapacityExceeded, "action.data: the actions of %s at zero hold at most %d bytes of it together, and would have %d", in.Entity, action.MaxData, bytes)
	}
	return s.actions.Set(tx, in.Entity, list)
}

// acts reports whether something is done when a stat of an entity comes to zero.
func (s *Stats) acts(v *world.View, id world.ID, stat string) bool {
	list, _ := s.actions.Get(v, id)
	return slices.ContainsFunc(list, func(a atZero) bool { return a.Stat == stat })
}

// ended is what viewers are told first of an action at zero.
type ended struct {
	Stat string `json:"stat"`
}

// settle does what is to be done about the stats that have come to zero since the last step.
func (s *Stats) settle(tx *world.Tx) error {
	for id, names := range s.emptied.All(&tx.View) {
		s.emptied.Remove(tx, id)
		list, _ := s.actions.Get(&tx.View, id)
		for _, name := range names {
			at, _ := tx.Position(id)
			cause := action.Cause{Kind: "stats", From: id.String(), Head: ended{name}, Entity: id, Actor: id, At: &at}
			for i := range list {
				if list[i].Stat != name || !tx.Exists(id) {
					continue
				}
				if _, err := s.deps.Does.Do(tx, &cause, &list[i].Kept); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
