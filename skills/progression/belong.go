package progression

import (
	"reflect"
	"slices"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/world"
)

// person is how far an entity has come.
type person struct {
	State   *state    `json:"state,omitempty"`
	Actions []atLevel `json:"actions,omitempty"`
}

// Belonging is how far an agent has come who was away ([agents.Agents.Keeps]): level, experience, points, what is unlocked, nodes of skill trees, and what is done at a
// level.
func (b *Book) Belonging() agents.Belonging {
	return agents.Belongs("progression", func(v *world.View, id world.ID) (p person, ok bool) {
		if s, ok := b.states.Get(v, id); ok {
			p.State = &s
		}
		p.Actions, _ = b.actions.Get(v, id)
		return p, p.State != nil || len(p.Actions) > 0
	}, func(tx *world.Tx, id world.ID, p person, _ agents.While) error {
		if p.State != nil {
			if err := b.keep(tx, id, *p.State); err != nil {
				return err
			}
		}
		if len(p.Actions) == 0 {
			return nil
		}
		if b.actions.Len(&tx.View) >= MaxEntities {
			return tooManyActing()
		}
		for i := range p.Actions {
			p.Actions[i].Back = true
		}
		return b.actions.Set(tx, id, p.Actions)
	})
}

// instead returns actions without the first one that came back with its owner and is just what is to be attached now: a game that gives whoever comes an action
// does not give him two.
func instead(list []atLevel, one *action.Kept) []atLevel {
	i := slices.IndexFunc(list, func(a atLevel) bool { return a.Back && reflect.DeepEqual(a.Kept, *one) })
	if i < 0 {
		return list
	}
	return slices.Delete(list, i, i+1)
}

func tooManyActing() error {
	return registry.Errorf(registry.CodeCapacityExceeded, "%d entities have actions at a level, which is the most: destroy some", MaxEntities)
}
