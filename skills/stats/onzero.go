package stats

import (
	"encoding/json"
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

// emptied is a stat that has come to zero. Nobody's doing is kept as its name alone, as all were in worlds of before.
type emptied struct {
	Stat string
	By   world.ID // who has struck the last blow; 0: nobody
}

type emptiedBy struct {
	Stat string   `json:"stat"`
	By   world.ID `json:"by"`
}

// MarshalJSON is its name, or an object where it is somebody's doing.
func (e emptied) MarshalJSON() ([]byte, error) {
	if e.By == 0 {
		return json.Marshal(e.Stat)
	}
	return json.Marshal(emptiedBy(e))
}

// UnmarshalJSON takes either form.
func (e *emptied) UnmarshalJSON(data []byte) error {
	*e = emptied{}
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, &e.Stat)
	}
	return json.Unmarshal(data, (*emptiedBy)(e))
}

// OnZeroIn is the input of stats.onZero.
type OnZeroIn struct {
	Entity   world.ID        `json:"entity" jsonschema_description:"Id of the entity, such as ent_3."`
	StatName string          `json:"statName" validate:"min=1,max=64" jsonschema_description:"Which of its stats: \"hp\"."`
	Action   action.Action   `json:"action" jsonschema_description:"What is to be done. Without a target it is about the entity itself. \"$actor\" is who struck the last blow, if somebody did (attackerEntity), else the entity itself, and an if asks of him."`
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
		Description: "Say what is to be done whenever a stat of an entity comes down to 0, or to its minimum if that is higher: somebody dies, fuel runs out. It is done with the next simulation step; several actions in the order in which you attach them, but that destroying it comes last. They may do what you may do. " +
			`Copies of the entity do the same. "$actor" is who struck the last blow. For what enters a place use trigger.onEnter. Examples: {"entity":"ent_3","statName":"hp","action":{"type":"destroy"}}, a point for who did it: {"entity":"ent_3","statName":"hp","action":{"type":"call","target":"stats.modify","data":{"entity":"$actor","statName":"score","delta":1}}}`,
		Keywords:    "death die dead kill empty game over loot explode respawn when killer score points kills frag shot",
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

// ends reports whether an action destroys the entity whose stat it is.
func (a *atZero) ends(id world.ID) bool {
	return a.Type == "destroy" && (a.Target == "" || a.Target == "$entity" || a.Target == id.String())
}

// ended is what viewers are told first of an action at zero.
type ended struct {
	Stat string `json:"stat"`
}

// settle does what is to be done about the stats that have come to zero since the last step.
func (s *Stats) settle(tx *world.Tx) error {
	for id, stats := range s.emptied.All(&tx.View) {
		s.emptied.Remove(tx, id)
		list, _ := s.actions.Get(&tx.View, id)
		for _, e := range stats {
			actor := id
			if e.By != 0 && tx.Exists(e.By) {
				actor = e.By
			}
			at, _ := tx.Position(id)
			cause := action.Cause{Kind: "stats", From: id.String(), Head: ended{e.Stat}, Entity: id, Actor: actor, At: &at}
			err := s.deps.Does.Together(tx, 0, func() error {
				for _, ends := range [...]bool{false, true} { // what is destroyed is so last, so that the rest is done whatever the order
					for i := range list {
						if list[i].Stat != e.Stat || list[i].ends(id) != ends || !tx.Exists(id) {
							continue
						}
						if _, err := s.deps.Does.Do(tx, &cause, &list[i].Kept); err != nil {
							return err
						}
					}
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
