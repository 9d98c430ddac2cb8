package stats

import (
	"reflect"
	"slices"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// person is what an entity has of stats.
type person struct {
	Stats   []Stat   `json:"stats,omitempty"`
	Effects []effect `json:"effects,omitempty"`
	Stance  *Stance  `json:"stance,omitempty"`
	Zero    []atZero `json:"onZero,omitempty"`
}

// Belonging is what of stats an agent has again who was away ([agents.Agents.Keeps]): stats, effects that go on where they were, and what is done at zero.
func (s *Stats) Belonging() agents.Belonging {
	return agents.Belongs("stats", s.person, s.again)
}

func (s *Stats) person(v *world.View, id world.ID) (p person, ok bool) {
	p.Stats, _ = s.blocks.Get(v, id)
	p.Effects, _ = s.effects.Get(v, id)
	p.Zero, _ = s.actions.Get(v, id)
	if st, ok := s.stance(v, id); ok {
		p.Stance = &st
	}
	return p, len(p.Stats)+len(p.Effects)+len(p.Zero) > 0 || p.Stance != nil
}

// again has an entity have what another had.
func (s *Stats) again(tx *world.Tx, id world.ID, p person, w agents.While) error {
	if len(p.Stats) > 0 {
		if err := s.give(tx, id, p.Stats); err != nil {
			return err
		}
	}
	if len(p.Zero) > 0 {
		if s.actions.Len(&tx.View) >= MaxActing {
			return tooManyActing()
		}
		for i := range p.Zero {
			p.Zero[i].Back = true
		}
		if err := s.actions.Set(tx, id, p.Zero); err != nil {
			return err
		}
	}
	if p.Stance != nil {
		p.Stance.Until += w.Away
		if err := s.stances.Set(tx, id, *p.Stance); err != nil {
			return err
		}
	}
	if len(p.Effects) == 0 {
		return nil
	}
	if s.effects.Len(&tx.View) >= MaxBearers {
		return tooManyBearers()
	}
	return s.effects.Set(tx, id, later(p.Effects, w.Away))
}

// instead returns actions without the first one that came back with its owner and is just what is to be attached now: a game that gives whoever comes an action
// does not give him two.
func instead(list []atZero, one *atZero) []atZero {
	i := slices.IndexFunc(list, func(a atZero) bool {
		back := a.Back
		a.Back = false
		return back && reflect.DeepEqual(a, *one)
	})
	if i < 0 {
		return list
	}
	return slices.Delete(list, i, i+1)
}

func tooManyActing() error {
	return registry.Errorf(registry.CodeCapacityExceeded, "%d entities have actions at zero, which is the most: destroy some", MaxActing)
}

func tooManyBearers() error {
	return registry.Errorf(registry.CodeCapacityExceeded, "%d entities have effects, which is the most: they end by themselves, or by status.remove", MaxBearers)
}
