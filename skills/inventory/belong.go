package inventory

import (
	"slices"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/world"
)

// pack is what an entity owns.
type pack struct {
	Room  *room   `json:"room,omitempty"`
	Items []stack `json:"items,omitempty"`
	Worn  []worn  `json:"worn,omitempty"`
}

// Belonging is what an agent owns again who was away ([agents.Agents.Keeps]): slots, what is in them, and what is worn.
func (s *Store) Belonging() agents.Belonging {
	return agents.Belongs("inventory", func(v *world.View, id world.ID) (p pack, ok bool) {
		if r, ok := s.rooms.Get(v, id); ok {
			p.Room = &r
		}
		p.Items, _ = s.items.Get(v, id)
		p.Worn, _ = s.worn.Get(v, id)
		return p, p.Room != nil || len(p.Items)+len(p.Worn) > 0
	}, s.again)
}

// again has an entity own what another owned, but for items of kinds that were removed meanwhile.
func (s *Store) again(tx *world.Tx, id world.ID, p pack, _ agents.While) error {
	p.Items = slices.DeleteFunc(slices.Clone(p.Items), func(st stack) bool { return !s.known(&tx.View, st.Item) })
	p.Worn = slices.DeleteFunc(slices.Clone(p.Worn), func(w worn) bool { return !s.known(&tx.View, w.Item) })
	if p.Room != nil {
		if err := s.Open(tx, id, p.Room.Capacity, p.Room.Only); err != nil {
			return err
		}
	}
	if len(p.Worn) > 0 {
		if err := s.worn.Set(tx, id, p.Worn); err != nil {
			return err
		}
	}
	if len(p.Items) == 0 {
		return nil
	}
	if err := s.setItems(tx, id, p.Items); err != nil {
		return err
	}
	for _, fn := range s.got {
		if err := fn(tx, id); err != nil {
			return err
		}
	}
	return nil
}
